//! Rows become puzzles.

use crate::arrow::{ArrayError, Column, NULL_CELL, Row};
use ninefold::Status;
use ninefold::engine::{Answer, Engine};
use ninefold::output::Failure;
use ninefold::puzzle::parse::{self, Blanks};
use ninefold::puzzle::{Cell, Grid, Puzzle, PuzzleError, Sukaku};
use std::fmt;
use std::ops::Range;

/// Why a row is not a puzzle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Malformed {
    /// A text that is none.
    Text(PuzzleError),
    /// A digit above 9.
    Digit {
        /// Where.
        cell: Cell,
        /// The digit.
        found: u8,
    },
}

impl fmt::Display for Malformed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text(error) => error.fmt(f),
            Self::Digit { cell, found: NULL_CELL } => {
                write!(f, "{cell}: expected 0 to 9, found {NULL_CELL} or null")
            }
            Self::Digit { cell, found } => write!(f, "{cell}: expected 0 to 9, found {found}"),
        }
    }
}

/// What a row is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Entry {
    /// Null.
    Null,
    /// The grid at this place.
    Grid(usize),
    /// The sukaku at this place.
    Sukaku(usize),
    /// No puzzle.
    Malformed(Malformed),
}

/// The puzzles of some rows, with the memory for them.
#[derive(Debug, Default)]
pub struct Puzzles {
    /// The grids.
    pub grids: Vec<Grid>,
    /// The sukakus.
    pub sukakus: Vec<Sukaku>,
    /// What each row is.
    pub entries: Vec<Entry>,
}

impl Puzzles {
    /// Replaces the puzzles by those of these rows.
    ///
    /// # Errors
    /// A row lies outside its array.
    pub fn read(&mut self, column: &Column, rows: Range<usize>) -> Result<(), ArrayError> {
        self.grids.clear();
        self.sukakus.clear();
        self.entries.clear();
        for row in rows {
            let entry = match column.row(row)? {
                Row::Null => Entry::Null,
                Row::Text(text) => match parse::puzzle(text, &Blanks::default()) {
                    Ok(Puzzle::Grid(grid)) => {
                        self.grids.push(grid);
                        Entry::Grid(self.grids.len() - 1)
                    }
                    Ok(Puzzle::Sukaku(sukaku)) => {
                        self.sukakus.push(sukaku);
                        Entry::Sukaku(self.sukakus.len() - 1)
                    }
                    Err(error) => Entry::Malformed(Malformed::Text(error)),
                },
                Row::Digits(digits) => match grid_of(digits) {
                    Ok(grid) => {
                        self.grids.push(grid);
                        Entry::Grid(self.grids.len() - 1)
                    }
                    Err(error) => Entry::Malformed(error),
                },
            };
            self.entries.push(entry);
        }
        Ok(())
    }

    /// Solves the puzzles: first the answers to the grids, then those to the sukakus.
    pub fn solve(&self, engine: &mut dyn Engine, limit: usize, answers: &mut Vec<Answer>) {
        answers.clear();
        if limit == 2 {
            engine.prove_batch(&self.grids, answers);
        } else {
            engine.solve_batch(&self.grids, limit, answers);
        }
        engine.solve_sukakus(&self.sukakus, limit, answers);
    }

    /// The puzzle of a row, and its place among the answers.
    #[must_use]
    pub fn puzzle(&self, entry: &Entry) -> Option<(Puzzle, usize)> {
        match *entry {
            Entry::Grid(place) => Some((Puzzle::Grid(self.grids[place]), place)),
            Entry::Sukaku(place) => {
                Some((Puzzle::Sukaku(self.sukakus[place]), self.grids.len() + place))
            }
            Entry::Null | Entry::Malformed(_) => None,
        }
    }
}

/// The puzzle of a row; `None` for a null.
///
/// # Errors
/// Why it is not a puzzle.
pub fn parse(row: Row) -> Result<Option<Puzzle>, Malformed> {
    match row {
        Row::Null => Ok(None),
        Row::Text(text) => {
            parse::puzzle(text, &Blanks::default()).map(Some).map_err(Malformed::Text)
        }
        Row::Digits(digits) => grid_of(digits).map(|grid| Some(Puzzle::Grid(grid))),
    }
}

fn grid_of(digits: &[u8; Cell::COUNT]) -> Result<Grid, Malformed> {
    Grid::from_values(digits).ok_or_else(|| {
        let wrong = Cell::all().find(|cell| digits[cell.index()] > 9);
        let cell = wrong.expect("a value is over 9, or the grid would exist");
        Malformed::Digit { cell, found: digits[cell.index()] }
    })
}

/// What became of a puzzle, if it does not have the answer that was requested.
#[must_use]
pub fn failure<'a>(
    answer: &Answer,
    limit: usize,
    clues: &'a Grid,
) -> Option<(Status, Failure<'a>)> {
    let failure = match answer.count {
        1 => return None,
        0 if ninefold::puzzle::rules::is_legal(clues) => Failure::None,
        0 => Failure::Conflict(clues),
        found => Failure::Multiple { found, all: found < limit },
    };
    Some((failure.status(), failure))
}
