//! The progress of a run: what a later run needs to continue, in addition to the outputs.

use super::counts::Counts;
use crate::input::{Chunk, Tail};
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// Bytes of input by which a later run recognises it: about 50 puzzles.
const TAIL_BYTES: usize = 4096;

/// How far a run has come. Everything before has been written; nothing after it counts.
///
/// It has no default: a run of two inputs cannot continue from a checkpoint of none.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Checkpoint<C> {
    /// Each input, in their order.
    pub inputs: Vec<Reached<C>>,
    /// The time that all workers together spent on the puzzles.
    pub solve_time: Duration,
}

/// How far a run has come with one input.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reached<C> {
    /// Its counts so far. `bytes` and `lines` say how much of it has been read.
    pub stats: C,
    /// The bytes before that place.
    pub tail: Tail,
}

impl<C: Counts> Checkpoint<C> {
    /// The start of a run with this many inputs.
    #[must_use]
    pub fn start(inputs: usize) -> Self {
        Self { inputs: vec![Reached::default(); inputs], solve_time: Duration::ZERO }
    }

    /// The counts of all inputs together.
    #[must_use]
    pub fn total(&self) -> C {
        let mut total = C::default();
        self.inputs.iter().for_each(|input| total += input.stats);
        total
    }
}

/// The last bytes of the input that is being written.
#[derive(Default)]
pub(super) struct LastBytes {
    input: Option<usize>,
    bytes: Vec<u8>,
}

impl LastBytes {
    /// The tail of an input after one more of its chunks.
    pub(super) fn after(&mut self, input: usize, chunk: &Chunk) -> Tail {
        if self.input != Some(input) {
            self.bytes.clear();
            self.input = Some(input);
        }
        match chunk.last_bytes(TAIL_BYTES) {
            Some(bytes) => {
                let surplus = (self.bytes.len() + bytes.len()).saturating_sub(TAIL_BYTES);
                self.bytes.drain(..surplus.min(self.bytes.len()));
                self.bytes.extend_from_slice(bytes);
            }
            None => self.bytes.clear(),
        }
        Tail::of(&self.bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::ops::AddAssign;

    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
    struct Lines {
        lines: u64,
    }

    impl AddAssign for Lines {
        fn add_assign(&mut self, other: Self) {
            self.lines += other.lines;
        }
    }

    impl Counts for Lines {
        fn bytes(&self) -> u64 {
            0
        }
        fn lines(&self) -> u64 {
            self.lines
        }
        fn puzzles(&self) -> u64 {
            0
        }
    }

    #[test]
    fn a_checkpoint_without_one_of_its_fields_is_an_error() {
        let mut checkpoint = Checkpoint::<Lines>::start(2);
        checkpoint.inputs[1].stats.lines = u64::MAX;
        checkpoint.inputs[1].tail = Tail::of(b"tail");
        let text = serde_json::to_string(&checkpoint).unwrap();
        assert_eq!(serde_json::from_str::<Checkpoint<Lines>>(&text).unwrap(), checkpoint);
        for field in ["inputs", "solve_time", "stats", "tail", "bytes", "lines", "xxh3"] {
            let without = text.replace(&format!("\"{field}\""), "\"other\"");
            assert!(serde_json::from_str::<Checkpoint<Lines>>(&without).is_err(), "{field}");
        }
    }
}
