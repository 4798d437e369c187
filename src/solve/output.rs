//! What comes of a chunk.

use super::stats::Stats;
use crate::output::Records;
use std::time::Duration;

/// What comes of a chunk, with the memory for it.
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct Output {
    /// The records.
    pub records: Records,
    /// The lines that were not answered, and why.
    pub rejects: Records,
    /// The counts.
    pub stats: Stats,
    /// The time that the engine took.
    pub solve_time: Duration,
}
