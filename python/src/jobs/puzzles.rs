//! Rows become puzzles.

use crate::arrow::{ArrayColumn, ArrayError, ArrayRow, NULL_CELL};
use ninefold::Verdict;
use ninefold::engine::{Answer, Engine, EngineKind};
use ninefold::puzzle::parse::{self, Blanks};
use ninefold::puzzle::{Cell, Grid, ParseError, Puzzle, Solution, Sukaku};
use std::fmt;
use std::ops::Range;

/// Why a row is not a puzzle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MalformedRow {
    /// A text that is not a puzzle.
    Text(ParseError),
    /// A digit above 9.
    Digit {
        /// Where.
        cell: Cell,
        /// The digit.
        found: u8,
    },
}

impl fmt::Display for MalformedRow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text(error) => error.fmt(f),
            Self::Digit { cell, found: NULL_CELL } => {
                write!(f, "{cell}: expected 0 to 9, found null or a number that is no digit")
            }
            Self::Digit { cell, found } => write!(f, "{cell}: expected 0 to 9, found {found}"),
        }
    }
}

/// What a row is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RowEntry {
    /// Null.
    Null,
    /// The grid at this place.
    Grid(usize),
    /// The sukaku at this place.
    Sukaku(usize),
    /// No puzzle.
    Malformed(MalformedRow),
}

/// The puzzles of some rows and their answers, with the memory for them.
#[derive(Default)]
pub(crate) struct RowPuzzles {
    /// The grids.
    pub(crate) grids: Vec<Grid>,
    /// The sukakus.
    pub(crate) sukakus: Vec<Sukaku>,
    /// What each row is.
    pub(crate) entries: Vec<RowEntry>,
    /// First the answers to the grids, then those to the sukakus.
    pub(crate) answers: Vec<Answer>,
    /// The limit of the search for them.
    limit: usize,
    engine: Option<Box<dyn Engine>>,
}

impl RowPuzzles {
    /// Replaces the puzzles by those of these rows.
    ///
    /// # Errors
    /// A row lies outside its array.
    pub(crate) fn read(
        &mut self,
        column: &ArrayColumn,
        rows: Range<usize>,
    ) -> Result<(), ArrayError> {
        self.grids.clear();
        self.sukakus.clear();
        self.entries.clear();
        for row in rows {
            let entry = match parse(column.row(row)?) {
                Ok(None) => RowEntry::Null,
                Ok(Some(Puzzle::Grid(grid))) => {
                    self.grids.push(grid);
                    RowEntry::Grid(self.grids.len() - 1)
                }
                Ok(Some(Puzzle::Sukaku(sukaku))) => {
                    self.sukakus.push(sukaku);
                    RowEntry::Sukaku(self.sukakus.len() - 1)
                }
                Err(error) => RowEntry::Malformed(error),
            };
            self.entries.push(entry);
        }
        Ok(())
    }

    /// Searches for solutions of the puzzles, up to a limit each.
    pub(crate) fn solve(&mut self, limit: usize) {
        let Self { grids, sukakus, answers, engine, .. } = self;
        let engine = engine.get_or_insert_with(|| EngineKind::default().build());
        self.limit = limit;
        answers.clear();
        if limit == 2 {
            engine.prove_batch(grids, answers);
        } else {
            engine.solve_batch(grids, limit, answers);
        }
        engine.solve_sukakus(sukakus, limit, answers);
    }

    /// The answer to a row that has a puzzle.
    pub(crate) fn answer(&self, entry: &RowEntry) -> Option<&Answer> {
        match *entry {
            RowEntry::Grid(place) => Some(&self.answers[place]),
            RowEntry::Sukaku(place) => Some(&self.answers[self.grids.len() + place]),
            RowEntry::Null | RowEntry::Malformed(_) => None,
        }
    }

    /// The verdict on a row; `None` for a null.
    pub(crate) fn verdict(&self, entry: &RowEntry) -> Option<Verdict<&Solution, MalformedRow>> {
        if let RowEntry::Malformed(reason) = entry {
            return Some(Verdict::Malformed(*reason));
        }
        Some(self.answer(entry)?.verdict(self.puzzle(entry)?, self.limit, None))
    }

    /// The puzzle of a row.
    pub(crate) fn puzzle(&self, entry: &RowEntry) -> Option<Puzzle> {
        match *entry {
            RowEntry::Grid(place) => Some(Puzzle::Grid(self.grids[place])),
            RowEntry::Sukaku(place) => Some(Puzzle::Sukaku(self.sukakus[place])),
            RowEntry::Null | RowEntry::Malformed(_) => None,
        }
    }
}

/// The puzzle of a row; `None` for a null.
///
/// # Errors
/// Why it is not a puzzle.
pub(crate) fn parse(row: ArrayRow) -> Result<Option<Puzzle>, MalformedRow> {
    match row {
        ArrayRow::Null => Ok(None),
        ArrayRow::Text(text) => {
            parse::puzzle(text, &Blanks::default()).map(Some).map_err(MalformedRow::Text)
        }
        ArrayRow::Digits(digits) => grid_of(digits).map(|grid| Some(Puzzle::Grid(grid))),
        ArrayRow::Length(found) => Err(MalformedRow::Text(ParseError::Length { found })),
    }
}

fn grid_of(digits: &[u8; Cell::COUNT]) -> Result<Grid, MalformedRow> {
    Grid::try_from(*digits).map_err(|_| {
        let wrong = Cell::all().find(|cell| digits[cell.index()] > 9);
        let cell = wrong.expect("a value is over 9, or the grid would exist");
        MalformedRow::Digit { cell, found: digits[cell.index()] }
    })
}
