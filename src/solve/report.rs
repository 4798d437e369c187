//! What a run found.

use super::stats::Stats;
use crate::input::Part;
use std::sync::Arc;
use std::time::Duration;

/// What a run found.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Report {
    /// All inputs together.
    pub total: Stats,
    /// Each input, in their order.
    pub inputs: Vec<InputReport>,
    /// How many workers there were.
    pub threads: usize,
    /// The time that all workers together spent in their engines. On cores of their own, this
    /// is the same for any number of workers.
    pub solve_time: Duration,
    /// The time that earlier runs took, if this run was resumed.
    pub earlier: Duration,
}

/// What a run found in one input.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct InputReport {
    /// The input's name.
    pub name: Arc<str>,
    /// Its counts.
    pub stats: Stats,
    /// Which part of it was read.
    pub part: Part,
    /// How many bytes all of it has, if that is known.
    pub length: Option<u64>,
}
