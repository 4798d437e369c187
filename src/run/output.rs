//! What comes of a chunk.

use super::turn::ChunkPlace;
use super::{Counts, Error, SlowPlace};
use crate::output::{Records, Transaction};
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// What comes of a chunk, with the memory for it.
#[derive(Debug, Default)]
pub(crate) struct Output<K> {
    /// The records.
    pub(crate) records: Records,
    /// The lines that were not answered, and why.
    pub(crate) rejects: Records,
    /// The counts.
    pub(crate) counts: Counts,
    /// What the step in input order needs.
    pub(crate) kept: K,
    /// The time that the work on the puzzles took, without reading and writing them.
    pub(super) solve_time: Duration,
    /// The line that took longest.
    pub(super) slowest: Option<SlowPlace>,
    pub(crate) firsts: Firsts,
    /// Which input the chunk belongs to.
    pub(crate) input: usize,
    /// Where in the inputs it begins, once that is known.
    pub(super) place: Option<ChunkPlace>,
}

/// The first lines of their kind, as the end of a run names them. Those of an input are counted from the start of
/// its part.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Firsts {
    /// A full grid.
    pub(crate) full: Option<u64>,
    /// A line that is too long to be copied.
    pub(crate) long: Option<u64>,
}

impl<K> Output<K> {
    /// Empties all but what the command kept. `counts` declares what is counted.
    pub(crate) fn restart(&mut self, counts: &Counts) {
        self.counts.restart(counts);
        self.records.restart();
        self.rejects.restart();
        (self.solve_time, self.slowest, self.firsts) = (Duration::ZERO, None, Firsts::default());
    }

    /// Lines of its input that were read before the chunk.
    pub(crate) fn lines_read(&self) -> u64 {
        self.place.unwrap_or_default().lines
    }

    /// Writes the records and rejects as they are.
    pub(super) fn write(&self, to: &mut Transaction) -> Result<(), Error> {
        to.write(0, self.records.bytes())?;
        to.write(1, self.rejects.bytes())?;
        Ok(())
    }
}
