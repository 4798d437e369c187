//! What a run has selected.

use super::condition::Condition;
use crate::bulk::SlowLine;
use std::sync::Arc;

/// What a run has selected.
///
/// ```
/// use crate::select::{Condition, Report};
///
/// let removed = |report: &Report| report.removed[Condition::Clues as usize];
/// # let _ = removed;
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Report {
    /// Bytes read.
    pub bytes: u64,
    /// Lines of any kind.
    pub lines: u64,
    /// Rows: lines that should be a puzzle.
    pub rows: u64,
    /// Comment lines.
    pub comments: u64,
    /// Rows that a condition has removed, in the order of [`Condition::ALL`]. A row counts for the
    /// first condition that it does not meet.
    pub removed: [u64; Condition::ALL.len()],
    /// Rows that are too long to be copied.
    pub cut: u64,
    /// Rows of which a search was given up: whether they meet a condition is not known, and they are not
    /// selected unless `unknown` is asked for.
    pub unknown: u64,
    /// Rows that meet all conditions.
    pub met: u64,
    /// Rows written.
    pub selected: u64,
    /// Rows written to each part, if they are split.
    pub parts: Vec<u64>,
    /// The names of the inputs.
    pub inputs: Vec<Arc<str>>,
    /// How many workers there were.
    pub threads: usize,
    /// The line that took longest to solve, if that was [`SLOW`](crate::bulk::SLOW) or more.
    pub slowest: Option<SlowLine>,
}
