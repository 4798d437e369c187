//! What a run found.

use super::tally::Tally;
use std::sync::Arc;
use std::time::Duration;

/// What a run found.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Report {
    /// All inputs together.
    pub total: Tally,
    /// Each input, in their order.
    pub inputs: Vec<InputReport>,
    /// Answers of another file that have no puzzle.
    pub left_over: u64,
    /// Bytes of the table that found duplicates.
    pub table_bytes: Option<usize>,
    /// How many workers there were.
    pub threads: usize,
    /// The time that all workers together spent on judging.
    pub solve_time: Duration,
}

/// What a run found in one input.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct InputReport {
    /// The input's name.
    pub name: Arc<str>,
    /// Its counts.
    pub tally: Tally,
}

impl Report {
    /// Whether nothing is wrong.
    #[must_use]
    pub const fn all_pass(&self) -> bool {
        self.total.passed == self.total.puzzles && self.left_over == 0
    }
}
