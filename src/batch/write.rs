//! The writer: puts answered chunks in order, numbers their lines, and writes them.

use super::blame::Blame;
use super::flow::{Event, Flow, Slot};
use super::work::InOrder;
use super::{Error, InputReport, Journal, Output, Progress, Reached, Reorder, Report, Stats};
use crate::input::{self, Chunk, Source};
use crate::output::{Mark, Sink};
use std::sync::Arc;
use std::time::Duration;

/// Writes records in order, and adds up what was found.
pub(super) struct Writer<'a> {
    inputs: Vec<InputReport>,
    total: Stats,
    solve_time: Duration,
    /// Whether an earlier run has written records.
    is_begun: bool,
    sinks: Sinks,
    progress: &'a mut dyn Progress,
    /// Who sees it before it is written.
    in_order: Option<&'a mut dyn InOrder>,
    /// For records whose line numbers are being set.
    memory: Vec<u8>,
}

/// Where the results of a run go.
pub struct Sinks {
    /// Records.
    pub records: Sink,
    /// Lines that were not answered, if they are wanted.
    pub rejects: Option<Rejects>,
    /// What makes the run resumable, if it is to be; and says where it begins.
    pub journal: Option<Journal>,
}

/// Where lines go that were not answered.
pub struct Rejects {
    /// Where.
    pub sink: Sink,
    /// The line that names their columns: it is written before the first of them.
    pub header: Option<Vec<u8>>,
}

impl From<Sink> for Sinks {
    fn from(records: Sink) -> Self {
        Self { records, rejects: None, journal: None }
    }
}

/// Where records and rejects are.
fn marks(records: &Sink, rejects: Option<&Rejects>) -> [Mark; 2] {
    let rejects = rejects.map(|rejects| rejects.sink.mark());
    [records.mark(), rejects.unwrap_or_default()]
}

impl<'a> Writer<'a> {
    /// A writer for these sources, and what of them is still to be read.
    pub(super) fn new(
        sources: Vec<Source>,
        mut sinks: Sinks,
        progress: &'a mut dyn Progress,
        in_order: Option<&'a mut dyn InOrder>,
    ) -> (Self, Vec<Source>) {
        let unread = |source: &Source| {
            let (name, stats) = (Arc::clone(source.name()), Stats::default());
            InputReport { name, stats, part: source.part(), length: source.length() }
        };
        let mut inputs: Vec<_> = sources.iter().map(unread).collect();
        let mut sources = sources;
        let (mut total, mut solve_time, mut is_begun) = (Stats::default(), Duration::ZERO, false);
        if let Some(journal) = &sinks.journal {
            let reached = journal.reached();
            for (input, Reached { stats, .. }) in inputs.iter_mut().zip(&reached.inputs) {
                input.stats = *stats;
                total += *stats;
            }
            let rest = sources.into_iter().zip(&reached.inputs);
            sources = rest.map(|(source, at)| source.after(at.stats.bytes, at.tail)).collect();
            (solve_time, is_begun) = (reached.solve_time, !reached.records.is_empty());
            if let Some(rejects) = &mut sinks.rejects
                && !reached.rejects.is_empty()
            {
                rejects.header = None;
            }
        }
        let memory = Vec::new();
        let writer =
            Self { inputs, total, solve_time, is_begun, sinks, progress, in_order, memory };
        (writer, sources)
    }

    /// Writes until the end of all chunks, or until something fails. Of chunks there are at
    /// most `slots` under way.
    pub(super) fn write_all(&mut self, flow: &Flow, slots: usize) -> Result<(), Error> {
        // One place more than there are slots: the end has its place behind them.
        let mut reorder = Reorder::new(slots + 1);
        while let Some((index, event)) = flow.next_event() {
            reorder.push(index, event);
            while let Some(event) = reorder.pop() {
                match event {
                    Event::Answered { input, mut slot } => {
                        self.write(input, &mut slot)?;
                        flow.recycle(slot);
                    }
                    Event::Panicked { input, message } => {
                        let after_line = self.lines(input);
                        let input = Arc::clone(&self.inputs[input].name);
                        return Err(Error::Panicked { input, after_line, message });
                    }
                    Event::Blamed { input, blame: Blame { lines, message, head } } => {
                        let before = self.lines(input);
                        head.map_or(Ok(()), |mut slot| self.write(input, &mut slot))?;
                        let lines = before + lines.start()..=before + lines.end();
                        let input = Arc::clone(&self.inputs[input].name);
                        return Err(Error::PanickedOver { input, lines, message });
                    }
                    Event::Broken { input, cause } => {
                        let name = Arc::clone(&self.inputs[input].name);
                        return Err(input::Error { name, cause }.into());
                    }
                    Event::Stopped => return Err(Error::Stopped { puzzles: self.total.puzzles }),
                    Event::Ended(result) => return self.end(result),
                }
            }
        }
        unreachable!("the writer alone stops the flow")
    }

    /// The last line of an input whose record is written.
    fn lines(&self, input: usize) -> u64 {
        let InputReport { stats, part, .. } = &self.inputs[input];
        part.lines_before + stats.lines
    }

    /// Writes what stands before all records.
    pub(super) fn begin(&mut self, preamble: &[u8]) -> Result<(), Error> {
        if !self.is_begun {
            self.sinks.records.write(preamble)?;
        }
        Ok(())
    }

    /// Writes one chunk's records.
    fn write(&mut self, input: usize, slot: &mut Slot) -> Result<(), Error> {
        let Slot { chunk, output } = slot;
        let written = chunk.read(|chunk| self.write_chunk(input, chunk, output));
        let name = &self.inputs[input].name;
        written.map_err(|cause| input::Error { name: Arc::clone(name), cause })?
    }

    fn write_chunk(
        &mut self,
        input: usize,
        chunk: &Chunk,
        output: &mut Output,
    ) -> Result<(), Error> {
        let InputReport { stats, part, .. } = &mut self.inputs[input];
        let lines = part.lines_before + stats.lines;
        let records = if let Some(in_order) = &mut self.in_order {
            self.memory.clear();
            in_order.take(input, chunk, lines, output, &mut self.memory)?;
            &self.memory
        } else {
            output.records.numbered(lines, &mut self.memory)
        };
        self.sinks.records.write(records)?;
        if let Some(Rejects { sink, header }) = &mut self.sinks.rejects
            && !output.rejects.is_empty()
        {
            if let Some(mut header) = header.take() {
                header.push(b'\n');
                sink.write(&header)?;
            }
            sink.write(output.rejects.numbered(lines, &mut self.memory))?;
        }
        *stats += output.stats;
        self.total += output.stats;
        self.solve_time += output.solve_time;
        if let Sinks { records, rejects, journal: Some(journal) } = &mut self.sinks {
            let marks = marks(records, rejects.as_ref());
            journal.advance(input, chunk, *stats, marks, self.solve_time)?;
        }
        self.progress.advance(&self.total);
        Ok(())
    }

    /// There are no more chunks; perhaps because of an error.
    fn end(&mut self, result: Result<(), input::Error>) -> Result<(), Error> {
        result?;
        if let Some(in_order) = &mut self.in_order {
            self.memory.clear();
            in_order.end(&mut self.memory)?;
            self.sinks.records.write(&self.memory)?;
        }
        Ok(())
    }

    /// Keeps what was written of a run that does not come to its end; gives back why.
    pub(super) fn stop(self, error: Error) -> Error {
        // What is kept is what could be kept before, if it cannot be now.
        let _ = self.sinks.journal.map(Journal::stop);
        error
    }

    /// Ends the output; gives the counts.
    pub(super) fn finish(self, threads: usize) -> Result<Report, Error> {
        let Self { total, inputs, solve_time, mut sinks, .. } = self;
        let earlier = sinks.journal.as_ref().map_or(Duration::ZERO, Journal::before);
        if let Some(journal) = &mut sinks.journal {
            journal.complete(marks(&sinks.records, sinks.rejects.as_ref()))?;
        }
        // The records come last: as long as they have not their name, the run can go on.
        if let Some(rejects) = sinks.rejects {
            rejects.sink.finish()?;
        }
        sinks.records.finish()?;
        sinks.journal.map_or(Ok(()), Journal::end)?;
        Ok(Report { total, inputs, threads, solve_time, earlier })
    }
}
