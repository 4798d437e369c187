//! Rows become puzzles.

use crate::arrow::{
    ArrayColumn, ArrayError, ArrayRow, NULL_CELL, ResultColumn, ResultTable, RowQuestion,
};
use ninefold::Verdict;
use ninefold::difficulty::{Gauge, Measured};
use ninefold::engine::{Answer, Bounds, Engine, EngineKind};
use ninefold::puzzle::parse::{self, Blanks};
use ninefold::puzzle::{Cell, Grid, ParseError, Puzzle, Solution, Sukaku};
use std::fmt::Display;

/// Why a row has no puzzle.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum NoPuzzle {
    /// It is null.
    Null,
    /// It cannot be used: the status and the reason.
    Refused(&'static str, String),
}

impl NoPuzzle {
    /// Appends the answer to such a row.
    pub(crate) fn push(&self, table: &mut ResultTable) {
        match self {
            Self::Null => table.push(&[]),
            Self::Refused(status, reason) => table.push_reason(status, reason),
        }
    }

    fn malformed(reason: &dyn Display) -> Self {
        Self::Refused("malformed", reason.to_string())
    }
}

/// The place of a row's puzzle.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum PuzzlePlace {
    /// Among the grids.
    Grid(usize),
    /// Among the sukakus.
    Sukaku(usize),
}

/// The puzzles of some rows and their answers, with the memory for them.
#[derive(Default)]
pub(crate) struct RowPuzzles {
    /// The grids.
    pub(crate) grids: Vec<Grid>,
    /// The sukakus.
    pub(crate) sukakus: Vec<Sukaku>,
    /// What each row is.
    pub(crate) entries: Vec<Result<PuzzlePlace, NoPuzzle>>,
    /// First the answers to the grids, then those to the sukakus. None before they are solved.
    pub(crate) answers: Vec<Answer>,
    /// The answer to the only puzzle with the limit 2, if it is known.
    known: Option<Answer>,
    /// The limit of the search for them.
    limit: usize,
    engine: Option<Box<dyn Engine>>,
}

impl RowPuzzles {
    /// For one puzzle, if its answer with the limit 2 is given.
    pub(crate) fn knowing(known: Option<Answer>) -> Self {
        Self { known, ..Self::default() }
    }

    /// Replaces the puzzles by those of these rows.
    ///
    /// # Errors
    /// A row lies outside its array.
    pub(crate) fn read(
        &mut self,
        column: &ArrayColumn,
        rows: impl IntoIterator<Item = usize>,
    ) -> Result<(), ArrayError> {
        self.grids.clear();
        self.sukakus.clear();
        self.entries.clear();
        self.answers.clear();
        for row in rows {
            let place = |puzzle| match puzzle {
                Puzzle::Grid(grid) => {
                    self.grids.push(grid);
                    PuzzlePlace::Grid(self.grids.len() - 1)
                }
                Puzzle::Sukaku(sukaku) => {
                    self.sukakus.push(sukaku);
                    PuzzlePlace::Sukaku(self.sukakus.len() - 1)
                }
            };
            self.entries.push(parse(column.row(row)?).map(place));
        }
        Ok(())
    }

    /// Searches for solutions of the puzzles, up to a limit each.
    pub(crate) fn solve(&mut self, limit: usize) {
        let Self { grids, sukakus, answers, engine, known, .. } = self;
        self.limit = limit;
        if let Some(known) = known {
            answers.push(*known);
            return;
        }
        let engine = engine.get_or_insert_with(|| EngineKind::default().build());
        if limit == 2 {
            engine.prove_batch(grids, answers);
        } else {
            engine.solve_batch(grids, limit, answers);
        }
        engine.solve_sukakus(sukakus, limit, answers);
    }

    /// The puzzle at a place.
    pub(crate) fn puzzle(&self, place: &PuzzlePlace) -> Puzzle {
        match *place {
            PuzzlePlace::Grid(place) => Puzzle::Grid(self.grids[place]),
            PuzzlePlace::Sukaku(place) => Puzzle::Sukaku(self.sukakus[place]),
        }
    }

    /// The number of the puzzle at a place: sukakus follow the grids.
    pub(crate) const fn number(&self, place: &PuzzlePlace) -> usize {
        match *place {
            PuzzlePlace::Grid(place) => place,
            PuzzlePlace::Sukaku(place) => self.grids.len() + place,
        }
    }

    /// The answer to the puzzle at a place, if it was solved.
    pub(crate) fn answer(&self, place: &PuzzlePlace) -> Option<&Answer> {
        self.answers.get(self.number(place))
    }

    /// The only solution of the puzzle at a place, if it was solved and has one.
    pub(crate) fn solution(&self, place: &PuzzlePlace) -> Option<&Solution> {
        self.answer(place)?.solution()
    }

    /// The measures of the puzzles that were solved and have one solution, by number.
    pub(crate) fn measure(&self, gauge: &mut Gauge) -> Vec<Measured> {
        let (of_grids, of_sukakus) = self.answers.split_at(self.grids.len());
        let is_unique = |answer: &Answer| answer.solution().is_some();
        let grids = self.grids.iter().zip(of_grids).filter(|(_, answer)| is_unique(answer));
        let sukakus = self.sukakus.iter().zip(of_sukakus).filter(|(_, answer)| is_unique(answer));
        let grids: Vec<_> = grids.map(|(grid, _)| *grid).collect();
        let sukakus: Vec<_> = sukakus.map(|(sukaku, _)| *sukaku).collect();
        let mut found = gauge.many_unique(&grids, &sukakus).iter();
        let mut measured = |answer| if is_unique(answer) { found.next().copied() } else { None };
        self.answers.iter().map(|answer| measured(answer).unwrap_or_default()).collect()
    }

    /// The verdict on the puzzle at a place.
    pub(crate) fn verdict(&self, place: &PuzzlePlace) -> Verdict<&Solution> {
        let answer = self.answer(place).expect("the puzzles were solved");
        answer.verdict(self.puzzle(place), self.limit, None)
    }

    /// Passes the place of each puzzle that has exactly one solution to `found`, which appends its answer. Appends those to
    /// the other rows.
    pub(crate) fn each_unique(
        &self,
        table: &mut ResultTable,
        mut found: impl FnMut(&PuzzlePlace, &Solution, &mut ResultTable),
    ) {
        for entry in &self.entries {
            match entry {
                Err(none) => none.push(table),
                Ok(place) => match self.verdict(place) {
                    Verdict::Unique(solution) => found(place, solution, table),
                    verdict => table.push_reason(verdict.status().name(), &verdict),
                },
            }
        }
    }
}

/// Answers each puzzle by itself, with the function that appends the answer.
pub(crate) fn each_puzzle(
    columns: &'static [ResultColumn],
    batch: usize,
    push: impl Fn(&Puzzle, &mut ResultTable) + Send + Sync + 'static,
) -> RowQuestion {
    let make = |_: Bounds| ();
    RowQuestion::new(columns, batch, make, move |(), columns, rows, table| {
        for row in rows {
            match parse(columns[0].row(row)?) {
                Ok(puzzle) => push(&puzzle, table),
                Err(none) => none.push(table),
            }
        }
        Ok(())
    })
}

/// The puzzle of a row.
///
/// # Errors
/// It has none.
pub(crate) fn parse(row: ArrayRow) -> Result<Puzzle, NoPuzzle> {
    match row {
        ArrayRow::Null => Err(NoPuzzle::Null),
        ArrayRow::Text(text) => {
            parse::puzzle(text, &Blanks::default()).map_err(|error| NoPuzzle::malformed(&error))
        }
        ArrayRow::Digits(digits) => grid_of(digits).map(Puzzle::Grid),
        ArrayRow::Length(found) => Err(NoPuzzle::malformed(&ParseError::Length { found })),
    }
}

fn grid_of(digits: &[u8; Cell::COUNT]) -> Result<Grid, NoPuzzle> {
    Grid::try_from(*digits).map_err(|error| match error {
        ParseError::Value { cell, found: NULL_CELL } => NoPuzzle::malformed(&format_args!(
            "{cell}: expected 0 to 9, found null or a number that is no digit"
        )),
        error => NoPuzzle::malformed(&error),
    })
}
