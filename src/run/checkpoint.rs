//! The progress of a run: what a later run needs to continue, in addition to the outputs.

use super::{Counts, Firsts};
use crate::Extent;
use crate::input::Chunk;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::time::Duration;

/// Bytes of input by which a later run recognises it: about 50 puzzles.
const TAIL_BYTES: usize = 4096;

/// How far a run has come. Everything before has been written; nothing after it counts.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Checkpoint {
    /// Each input, in their order. Empty at the start of a run.
    pub(super) inputs: Vec<Reached>,
    /// The time that all workers together spent on the puzzles.
    pub(super) solve_time: Duration,
    /// What the command itself needs to continue (`Stage::state`).
    #[serde(default)]
    pub(crate) own: Value,
}

impl Checkpoint {
    /// The counts of each input so far, which are declared like these. `None` if they are too large: the
    /// checkpoint is damaged.
    pub(crate) fn counts(&self, zero: &Counts) -> Option<Vec<Counts>> {
        let of = |reached: &Reached| {
            let mut counts = zero.zero();
            counts.add(&reached.counts).map(|()| counts)
        };
        self.inputs.iter().map(of).collect()
    }
}

/// How far a run has come with one input.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Reached {
    /// Its counts so far. `bytes` and `lines` say how much of it has been read.
    pub(super) counts: Counts,
    /// The bytes before that place.
    pub(super) tail: Extent,
    pub(super) firsts: Firsts,
    /// The lines before its part, if a record needed them.
    pub(super) lines_before: Option<u64>,
}

/// The tail of an input after one more of its chunks. `last` are its last bytes before that chunk.
pub(super) fn tail_after(last: &mut Vec<u8>, chunk: &Chunk) -> Extent {
    match chunk.last_bytes(TAIL_BYTES) {
        Some(bytes) => last.extend_from_slice(bytes),
        None => last.clear(),
    }
    last.drain(..last.len().saturating_sub(TAIL_BYTES));
    Extent::of(last)
}
