//! What is found in a chunk besides its grids.

use super::{Layout, Malformed};
use crate::puzzle::{Grid, Sukaku};
use std::ops::Range;

/// A line, or lines, that gave no grid.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Gap {
    /// How many grids came before.
    pub grids_before: usize,
    /// What stands there.
    pub what: What,
}

/// What a line that gives no grid is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum What {
    /// So many lines that are empty, comments or headers, one after the other.
    PassedOver(u64),
    /// A puzzle that is no grid: its place in [`Puzzles::sukakus`](super::Puzzles::sukakus).
    Sukaku(usize),
    /// A line that should be a puzzle, and where it stands in the chunk's bytes.
    Malformed(Malformed, Range<usize>),
}

/// What is kept of each record besides its grid.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Want {
    /// Where its line stands.
    pub lines: bool,
    /// The solution given with it.
    pub solutions: bool,
    /// All of its line: one that is too long to be looked at as a whole is malformed.
    pub whole: bool,
}

impl Want {
    /// What was read from the head of a line of so many bytes: what was not found there may be in
    /// the rest, which is not here.
    pub(super) fn of_head<P>(
        self,
        read: Result<(P, Given), Malformed>,
        layout: &Layout,
        bytes: u64,
    ) -> Result<(P, Given), Malformed> {
        let too_long = Malformed::TooLong { bytes };
        match read {
            Ok(_) if self.whole => Err(too_long),
            Ok((puzzle, Given::Missing | Given::Malformed(_)))
                if self.solutions && layout.has_solutions() =>
            {
                Ok((puzzle, Given::Malformed(too_long)))
            }
            Err(Malformed::NoField { .. } | Malformed::NoObject { .. }) => Err(too_long),
            read => read,
        }
    }
}

/// The solution given with a puzzle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Given {
    /// There is none.
    Missing,
    /// These cells; whether they are right is another question.
    Cells(Grid),
    /// It is no grid.
    Malformed(Malformed),
}

/// A puzzle that is no grid, and all that may be wanted of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Marked {
    /// What each cell may hold.
    pub sukaku: Sukaku,
    /// Where its line stands in the chunk's bytes.
    pub line: Range<usize>,
    /// The solution given with it.
    pub given: Given,
}
