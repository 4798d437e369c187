//! Writes records and rejects, and keeps the state that makes a run resumable.

use super::checkpoint::{Checkpoint, Reached};
use super::journal::Journal;
use super::output::Output;
use super::stats::Stats;
use crate::bulk::Error;
use crate::input::Chunk;
use crate::output::{Mark, Sink};
use std::time::Duration;

/// Where the results of a run go.
pub struct Sinks {
    /// Records.
    pub records: Sink,
    /// Lines that were not answered, if they are wanted.
    pub rejects: Option<Rejects>,
    /// Makes the run resumable, and says where it begins.
    pub journal: Option<Journal>,
}

/// Where lines go that were not answered.
pub struct Rejects {
    /// Where.
    pub sink: Sink,
    /// The header line of these lines. It is written before the first of them.
    pub header: Option<Vec<u8>>,
}

impl From<Sink> for Sinks {
    fn from(records: Sink) -> Self {
        Self { records, rejects: None, journal: None }
    }
}

/// Writes what comes of chunks, in their order.
pub(super) struct Writer {
    sinks: Sinks,
    /// For records whose line numbers are being set.
    memory: Vec<u8>,
}

impl Writer {
    pub(super) const fn new(sinks: Sinks) -> Self {
        Self { sinks, memory: Vec::new() }
    }

    /// Where earlier runs stopped in this input.
    pub(super) fn reached(&self, input: usize) -> Reached {
        let reached = self.checkpoint().and_then(|reached| reached.inputs.get(input));
        reached.copied().unwrap_or_default()
    }

    /// The time that the engines of earlier runs took.
    pub(super) fn solve_time(&self) -> Duration {
        self.checkpoint().map_or(Duration::ZERO, |reached| reached.solve_time)
    }

    fn checkpoint(&self) -> Option<&Checkpoint> {
        self.sinks.journal.as_ref().map(Journal::reached)
    }

    /// Writes the bytes before all records, unless an earlier run has written them.
    pub(super) fn begin(&mut self, preamble: &[u8]) -> Result<(), Error> {
        let reached = self.checkpoint();
        let has_records = reached.is_some_and(|reached| !reached.records.is_empty());
        let has_rejects = reached.is_some_and(|reached| !reached.rejects.is_empty());
        if has_rejects && let Some(rejects) = &mut self.sinks.rejects {
            rejects.header = None;
        }
        if !has_records {
            self.sinks.records.write(preamble)?;
        }
        Ok(())
    }

    /// Writes what came of a chunk that begins after so many lines of its input.
    pub(super) fn write(&mut self, lines_before: u64, output: &Output) -> Result<(), Error> {
        let Self { sinks, memory } = self;
        sinks.records.write(output.records.numbered(lines_before, memory))?;
        if let Some(Rejects { sink, header }) = &mut sinks.rejects
            && !output.rejects.is_empty()
        {
            if let Some(mut header) = header.take() {
                header.push(b'\n');
                sink.write(&header)?;
            }
            sink.write(output.rejects.numbered(lines_before, memory))?;
        }
        Ok(())
    }

    /// Makes the state that is reached with this chunk the one to resume from.
    pub(super) fn advance(
        &mut self,
        input: usize,
        chunk: &Chunk,
        stats: Stats,
        solve_time: Duration,
    ) -> Result<(), Error> {
        let Sinks { records, rejects, journal } = &mut self.sinks;
        let Some(journal) = journal else { return Ok(()) };
        journal.advance(input, chunk, stats, marks(records, rejects.as_ref()), solve_time)
    }

    /// Keeps what was written of a run that does not come to its end.
    pub(super) fn stop(self) {
        // If it cannot be kept now, the state that was kept before is the one to resume from.
        let _ = self.sinks.journal.map(Journal::stop);
    }

    /// Ends the outputs. Gives the time that earlier runs took.
    pub(super) fn finish(mut self) -> Result<Duration, Error> {
        let earlier = self.sinks.journal.as_ref().map_or(Duration::ZERO, Journal::before);
        let Sinks { records, rejects, journal } = &mut self.sinks;
        if let Some(journal) = journal {
            journal.complete(marks(records, rejects.as_ref()))?;
        }
        // The records come last: as long as they have no name, the run can be resumed.
        if let Some(rejects) = self.sinks.rejects {
            rejects.sink.finish()?;
        }
        self.sinks.records.finish()?;
        self.sinks.journal.map_or(Ok(()), Journal::end)?;
        Ok(earlier)
    }
}

/// Where records and rejects are.
fn marks(records: &Sink, rejects: Option<&Rejects>) -> [Mark; 2] {
    let rejects = rejects.map(|rejects| rejects.sink.mark());
    [records.mark(), rejects.unwrap_or_default()]
}
