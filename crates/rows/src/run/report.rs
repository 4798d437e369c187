//! What a run found.

use super::slow::SlowLine;
use crate::input::Part;
use std::sync::Arc;
use std::time::Duration;

/// What a run found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report<C> {
    /// All inputs together.
    pub total: C,
    /// Each input, in their order.
    pub inputs: Vec<InputReport<C>>,
    /// How many workers there were.
    pub threads: usize,
    /// The time that all workers together spent on the puzzles. On cores of their own, this
    /// is the same for any number of workers.
    pub solve_time: Duration,
    /// The time that earlier runs took, if this run was resumed.
    pub earlier: Duration,
    /// The line that took longest in this run, if its search took [`SLOW`](super::SLOW) or more.
    pub slowest: Option<SlowLine>,
}

/// What a run found in one input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InputReport<C> {
    /// The input's name.
    pub name: Arc<str>,
    /// Its counts.
    pub stats: C,
    /// Which part of it was read.
    pub part: Part,
    /// How many bytes all of it has, if that is known.
    pub length: Option<u64>,
    /// How many rows all of it has, if it is a Parquet file: its part is one of rows.
    pub rows: Option<u64>,
}
