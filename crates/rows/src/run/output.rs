//! What comes of a chunk.

use super::counts::Counts;
use super::slow::SlowPlace;
use crate::output::Records;
use std::time::Duration;

/// What comes of a chunk, with the memory for it.
#[derive(Debug, Default)]
pub struct Output<K> {
    /// The records.
    pub records: Records,
    /// The lines that were not answered, and why.
    pub rejects: Records,
    /// The counts.
    pub counts: Counts,
    /// What the step in input order needs.
    pub kept: K,
    /// The time that the work on the puzzles took, without reading and writing them.
    pub solve_time: Duration,
    /// The line that took longest.
    pub slowest: Option<SlowPlace>,
}
