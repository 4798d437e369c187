//! What comes of a chunk.

use super::counts::Counts;
use super::error::Error;
use super::slow::SlowPlace;
use crate::input::{self, LinesBefore};
use crate::output::{Records, Transaction};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
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

impl Firsts {
    /// Takes over what another part that begins behind `before` lines has first.
    pub(super) fn or_behind(&mut self, before: u64, later: Self) {
        self.full = self.full.or(later.full.map(|line| before + line));
        self.long = self.long.or(later.long.map(|line| before + line));
    }
}

impl<K> Output<K> {
    /// Empties all but what the command kept. `counts` declares what is counted.
    pub(crate) fn restart(&mut self, counts: &Counts) {
        self.counts.restart(counts);
        self.records.restart(0);
        self.rejects.restart(0);
        (self.solve_time, self.slowest, self.firsts) = (Duration::ZERO, None, Firsts::default());
    }

    /// Writes the records and rejects as they are, for a chunk after these lines.
    pub(super) fn write(
        &self,
        lines_before: &LinesSoFar,
        memory: &mut Vec<u8>,
        to: &mut Transaction,
    ) -> Result<(), Error> {
        let lines_before = lines_before.count_for(self)?;
        to.write(0, self.records.numbered(lines_before, memory))?;
        to.write(1, self.rejects.numbered(lines_before, memory))?;
        Ok(())
    }
}

/// The lines of an input before a chunk.
pub(crate) struct LinesSoFar {
    /// The name of the input.
    pub(super) input: Arc<str>,
    /// Those before the part of the input that is read.
    pub(super) before: LinesBefore,
    /// Those of the part.
    pub(super) read: u64,
}

impl LinesSoFar {
    /// Their number. In a shard this may read the whole input before it, so it is for records that have the
    /// number of a line.
    ///
    /// # Errors
    /// The input cannot be read.
    pub(crate) fn count(&self) -> Result<u64, Error> {
        let failed = |cause| input::Error { name: Arc::clone(&self.input), cause };
        Ok(self.before.count().map_err(failed)? + self.read)
    }

    /// Their number, if one of these records has that of its line; 0 otherwise.
    ///
    /// # Errors
    /// As [`LinesSoFar::count`].
    pub(crate) fn count_for<K>(&self, output: &Output<K>) -> Result<u64, Error> {
        let is_needed = output.records.is_numbered() || output.rejects.is_numbered();
        if is_needed { self.count() } else { Ok(0) }
    }
}
