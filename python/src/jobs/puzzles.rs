//! Rows become puzzles.

use crate::arrow::{ArrayColumn, ArrayRow, NULL_CELL, ResultColumn, ResultTable, RowQuestion};
use ninefold::Verdict;
use ninefold::difficulty::{Gauge, Measured};
use ninefold::engine::{Answer, Bounds, Engine, EngineKind};
use ninefold::puzzle::parse::{self, Blanks};
use ninefold::puzzle::{Grid, ParseError, Puzzle, Solution, Sukaku};

/// Why a row has no puzzle.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum NoPuzzle {
    /// It is null.
    Null,
    /// It cannot be read, for this reason.
    Malformed(String),
}

impl NoPuzzle {
    /// Appends the answer to such a row.
    pub(crate) fn push(&self, table: &mut ResultTable) {
        match self {
            Self::Null => table.push(&[]),
            Self::Malformed(reason) => table.push_reason("malformed", reason),
        }
    }
}

/// The puzzles of some rows and their answers, with the memory for them.
#[derive(Default)]
pub(crate) struct RowPuzzles {
    pub(crate) grids: Vec<Grid>,
    sukakus: Vec<Sukaku>,
    /// The number of each row's puzzle, or why it has none. All grids come before the sukakus.
    pub(crate) entries: Vec<Result<usize, NoPuzzle>>,
    /// The answers by number. None before the puzzles are solved.
    pub(crate) answers: Vec<Answer>,
    /// The limit of the search for them.
    limit: usize,
    engine: Option<Box<dyn Engine>>,
}

impl RowPuzzles {
    /// Replaces the puzzles by those of these rows.
    pub(crate) fn read(&mut self, column: &ArrayColumn, rows: impl IntoIterator<Item = usize>) {
        self.grids.clear();
        self.sukakus.clear();
        self.entries.clear();
        self.answers.clear();
        let mut entries_of_sukakus = Vec::new();
        for row in rows {
            let number = match parse(column.row(row)) {
                Ok(Puzzle::Grid(grid)) => {
                    self.grids.push(grid);
                    Ok(self.grids.len() - 1)
                }
                Ok(Puzzle::Sukaku(sukaku)) => {
                    self.sukakus.push(sukaku);
                    entries_of_sukakus.push(self.entries.len());
                    Ok(0)
                }
                Err(none) => Err(none),
            };
            self.entries.push(number);
        }
        for (number, entry) in (self.grids.len()..).zip(entries_of_sukakus) {
            self.entries[entry] = Ok(number);
        }
    }

    /// Searches for solutions of the puzzles, up to a limit each.
    pub(crate) fn solve(&mut self, limit: usize) {
        let Self { grids, sukakus, answers, engine, .. } = self;
        self.limit = limit;
        let engine = engine.get_or_insert_with(|| EngineKind::default().build());
        if limit == 2 {
            engine.prove_batch(grids, answers);
        } else {
            engine.solve_batch(grids, limit, answers);
        }
        engine.solve_sukakus(sukakus, limit, answers);
    }

    /// The puzzle of this number.
    pub(crate) fn puzzle(&self, number: usize) -> Puzzle {
        match self.grids.get(number) {
            Some(grid) => Puzzle::Grid(*grid),
            None => Puzzle::Sukaku(self.sukakus[number - self.grids.len()]),
        }
    }

    /// The only solution of a puzzle, if it was solved and has one.
    pub(crate) fn solution(&self, number: usize) -> Option<&Solution> {
        self.answers.get(number)?.solution()
    }

    /// The measures of the puzzles that were solved and have one solution, by number.
    pub(crate) fn measure(&self, gauge: &mut Gauge) -> Vec<Measured> {
        let unique = (0..self.answers.len()).filter(|&number| self.solution(number).is_some());
        let (grids, sukakus): (Vec<_>, Vec<_>) = unique.partition(|&it| it < self.grids.len());
        let grids: Vec<_> = grids.into_iter().map(|it| self.grids[it]).collect();
        let sukakus = sukakus.into_iter().map(|it| self.sukakus[it - self.grids.len()]);
        let mut found = gauge.many_unique(&grids, &sukakus.collect::<Vec<_>>()).iter();
        let measured = |answer: &Answer| answer.solution().and_then(|_| found.next().copied());
        self.answers.iter().map(measured).map(Option::unwrap_or_default).collect()
    }

    /// The verdict on a puzzle that was solved.
    pub(crate) fn verdict(&self, number: usize) -> Verdict<&Solution> {
        self.answers[number].verdict(self.puzzle(number), self.limit, None)
    }

    /// Passes the number of each puzzle to `found`, which appends its answer. Appends those to the other rows.
    pub(crate) fn each(
        &self,
        table: &mut ResultTable,
        mut found: impl FnMut(usize, &mut ResultTable),
    ) {
        for entry in &self.entries {
            match entry {
                Ok(number) => found(*number, table),
                Err(none) => none.push(table),
            }
        }
    }

    /// As [`each`](Self::each), but only for puzzles that have exactly one solution.
    pub(crate) fn each_unique(
        &self,
        table: &mut ResultTable,
        mut found: impl FnMut(usize, &Solution, &mut ResultTable),
    ) {
        self.each(table, |number, table| match self.verdict(number) {
            Verdict::Unique(solution) => found(number, solution, table),
            verdict => table.push_reason(verdict.status().name(), &verdict),
        });
    }
}

/// A question about the puzzles of the first column, which are solved before, if there is a limit of the search.
/// `make` makes what a thread works with, by which `answer` answers a batch.
pub(crate) fn of_puzzles<S: Send + 'static>(
    columns: &'static [ResultColumn],
    batch: usize,
    limit: Option<usize>,
    make: impl Fn(Bounds) -> S + Send + Sync + 'static,
    answer: impl Fn(&mut S, &RowPuzzles, &mut ResultTable) + Send + Sync + 'static,
) -> RowQuestion {
    let make = move |bounds| (make(bounds), RowPuzzles::default());
    RowQuestion::new(columns, batch, make, move |(state, puzzles), columns, rows, table| {
        puzzles.read(&columns[0], rows);
        if let Some(limit) = limit {
            puzzles.solve(limit);
        }
        answer(state, puzzles, table);
    })
}

/// Answers each puzzle by itself, with the function that appends the answer.
pub(crate) fn each_puzzle(
    columns: &'static [ResultColumn],
    batch: usize,
    push: impl Fn(&Puzzle, &mut ResultTable) + Send + Sync + 'static,
) -> RowQuestion {
    let make = |_| ();
    RowQuestion::new(columns, batch, make, move |(), columns, rows, table| {
        for row in rows {
            match parse(columns[0].row(row)) {
                Ok(puzzle) => push(&puzzle, table),
                Err(none) => none.push(table),
            }
        }
    })
}

/// The grid of a row.
///
/// # Errors
/// It has none.
pub(crate) fn grid(row: ArrayRow) -> Result<Grid, NoPuzzle> {
    match parse(row)? {
        Puzzle::Grid(grid) => Ok(grid),
        Puzzle::Sukaku(_) => {
            Err(NoPuzzle::Malformed("expected 81 cells, found pencilmarks".to_owned()))
        }
    }
}

/// The puzzle of a row.
///
/// # Errors
/// It has none.
pub(crate) fn parse(row: ArrayRow) -> Result<Puzzle, NoPuzzle> {
    let puzzle = match row {
        ArrayRow::Null => return Err(NoPuzzle::Null),
        ArrayRow::Text(text) => parse::puzzle(text, &Blanks::default()),
        ArrayRow::Digits(digits) => Grid::try_from(*digits).map(Puzzle::Grid),
        ArrayRow::Length(found) => Err(ParseError::Length { found }),
    };
    puzzle.map_err(|error| match error {
        ParseError::Value { cell, found: NULL_CELL } => NoPuzzle::Malformed(format!(
            "{cell}: expected 0 to 9, found null or a number that is no digit"
        )),
        error => NoPuzzle::Malformed(error.to_string()),
    })
}
