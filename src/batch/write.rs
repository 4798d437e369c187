//! The writer: puts answered chunks in order, numbers their lines, and writes them.

use super::blame::Blame;
use super::flow::{Event, Flow, Slot};
use super::work::InOrder;
use super::{Error, InputReport, Journal, Progress, Reached, Reorder, Report, Stats};
use crate::input::{self, Source};
use crate::output::Sink;
use std::sync::Arc;
use std::time::Duration;

/// Writes records in order, and adds up what was found.
pub(super) struct Writer<'a> {
    inputs: Vec<InputReport>,
    total: Stats,
    solve_time: Duration,
    /// Bytes of records, and of lines that were not answered.
    written: (u64, u64),
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
        let (mut total, mut solve_time, mut written) = (Stats::default(), Duration::ZERO, (0, 0));
        if let Some(journal) = &sinks.journal {
            let reached = journal.reached();
            for (input, Reached { stats, .. }) in inputs.iter_mut().zip(&reached.inputs) {
                input.stats = *stats;
                total += *stats;
            }
            let rest = sources.into_iter().zip(&reached.inputs);
            sources = rest.map(|(source, at)| source.after(at.stats.bytes, at.tail)).collect();
            (solve_time, written) = (reached.solve_time, (reached.records, reached.rejects));
            if let Some(rejects) = sinks.rejects.as_mut().filter(|_| written.1 > 0) {
                rejects.header = None;
            }
        }
        let memory = Vec::new();
        let writer = Self { inputs, total, solve_time, written, sinks, progress, in_order, memory };
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
        if self.written.0 == 0 {
            self.write_records(preamble)?;
        }
        Ok(())
    }

    fn write_records(&mut self, bytes: &[u8]) -> Result<(), Error> {
        self.sinks.records.write(bytes)?;
        self.written.0 += bytes.len() as u64;
        Ok(())
    }

    /// Writes one chunk's records.
    fn write(&mut self, input: usize, slot: &mut Slot) -> Result<(), Error> {
        let Slot { chunk, output } = slot;
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
        let records = records.len() as u64;
        let mut rejects = 0;
        if let Some(Rejects { sink, header }) = &mut self.sinks.rejects
            && !output.rejects.is_empty()
        {
            if let Some(mut header) = header.take() {
                header.push(b'\n');
                sink.write(&header)?;
                rejects += header.len() as u64;
            }
            let lines = output.rejects.numbered(lines, &mut self.memory);
            sink.write(lines)?;
            rejects += lines.len() as u64;
        }
        *stats += output.stats;
        self.total += output.stats;
        self.solve_time += output.solve_time;
        self.written = (self.written.0 + records, self.written.1 + rejects);
        if let Some(journal) = &mut self.sinks.journal {
            journal.advance(input, chunk, *stats, self.written, self.solve_time)?;
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
        let Self { total, inputs, solve_time, written, mut sinks, .. } = self;
        let earlier = sinks.journal.as_ref().map_or(Duration::ZERO, Journal::before);
        sinks.journal.as_mut().map_or(Ok(()), |journal| journal.complete(written))?;
        // The records come last: as long as they have not their name, the run can go on.
        if let Some(rejects) = sinks.rejects {
            rejects.sink.finish()?;
        }
        sinks.records.finish()?;
        sinks.journal.map_or(Ok(()), Journal::end)?;
        Ok(Report { total, inputs, threads, solve_time, earlier })
    }
}
