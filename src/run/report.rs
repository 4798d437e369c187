//! What a run found.

use super::checkpoint::Reached;
use super::{Countable, Counts, Firsts, SlowLine};
use crate::input::{LinesBefore, Part, Source};
use crate::pipeline::Times;
use std::sync::Arc;
use std::time::Duration;

/// What a run found.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Report {
    /// All inputs together.
    pub total: Counts,
    /// Each input, in their order.
    pub inputs: Vec<InputReport>,
    /// How many workers there were.
    pub threads: usize,
    /// The time that all workers together spent on the puzzles. On cores of their own, this
    /// is the same for any number of workers.
    pub solve_time: Duration,
    /// What the threads did besides: this says what bounds the run.
    pub times: Arc<Times>,
    /// The first lines of a run that has found no puzzle.
    pub(crate) beginning: Vec<String>,
    /// The line that took longest in this run, if its search took [`SLOW`](super::SLOW) or more.
    pub slowest: Option<SlowLine>,
}

impl Report {
    /// A count of all inputs: `report.count(Status::Unique)`.
    ///
    /// # Panics
    /// If the command does not count that.
    pub fn count(&self, it: impl Countable) -> u64 {
        self.total[it]
    }
}

/// What a run found in one input.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct InputReport {
    /// The input's name.
    pub name: Arc<str>,
    /// Its counts.
    pub counts: Counts,
    /// Which part of it was read.
    pub part: Part,
    /// The lines before that part, if a record needed them.
    pub lines_before: LinesBefore,
    /// How many bytes all of it has, if that is known.
    pub length: Option<u64>,
    /// How many rows all of it has, if it is a Parquet file: its part is one of rows.
    pub rows: Option<u64>,
    pub(crate) firsts: Firsts,
}

impl InputReport {
    /// An input that has been read until here.
    pub(super) fn new(source: &Source, counts: Counts, at: &Reached) -> Self {
        let (name, firsts) = (Arc::clone(source.name()), at.firsts);
        let lines_before = at.lines_before.map_or_else(|| source.lines_before.clone(), Into::into);
        let (part, length, rows) = (source.part, source.length(), source.rows());
        Self { name, counts, part, lines_before, length, rows, firsts }
    }
}
