//! What comes of a chunk.

use super::command::LinesSoFar;
use super::counts::Counts;
use super::error::Error;
use super::slow::SlowPlace;
use crate::output::{Records, Transaction};
use crate::pipeline::HandOver;
use std::mem;
use std::ops::ControlFlow;
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
    /// Which input the chunk belongs to.
    pub(super) input: usize,
}

impl<K> Output<K> {
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

impl<K: Default> Output<K> {
    /// Hands the records and rejects over to be written, and keeps all else.
    pub(super) fn hand_over(&mut self, hand_over: HandOver<'_, Self>) -> ControlFlow<()> {
        let (counts, kept) = (mem::take(&mut self.counts), mem::take(&mut self.kept));
        let Self { solve_time, slowest, input, .. } = *self;
        let flow = hand_over(self);
        let Self { mut records, mut rejects, .. } = mem::take(self);
        records.restart(0);
        rejects.restart(0);
        *self = Self { records, rejects, counts, kept, solve_time, slowest, input };
        flow
    }
}
