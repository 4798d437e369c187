//! The writer: puts answered chunks in order, numbers their lines, and writes them.

use super::blame::Blame;
use super::flow::{Event, Flow, Slot};
use super::work::InOrder;
use super::checkpoint::LastBytes;
use super::{Checkpoint, Error, InputReport, Progress, Reached, Reorder, Report, Stats};
use crate::input::{self, Source};
use crate::output::Transaction;
use std::sync::Arc;
use std::time::Duration;

/// Writes records in order, and adds up what was found.
pub(super) struct Writer<'a> {
    inputs: Vec<InputReport>,
    total: Stats,
    solve_time: Duration,
    output: &'a mut Transaction<Checkpoint>,
    last_bytes: LastBytes,
    progress: &'a mut dyn Progress,
    /// Who sees it before it is written.
    in_order: Option<&'a mut dyn InOrder>,
    /// For records whose line numbers are being set.
    memory: Vec<u8>,
}

impl<'a> Writer<'a> {
    /// A writer for these sources, and what of them is still to be read.
    pub(super) fn new(
        sources: Vec<Source>,
        output: &'a mut Transaction<Checkpoint>,
        progress: &'a mut dyn Progress,
        in_order: Option<&'a mut dyn InOrder>,
    ) -> Result<(Self, Vec<Source>), Error> {
        let unread = |source: &Source| {
            let (name, stats) = (Arc::clone(source.name()), Stats::default());
            InputReport { name, stats, part: source.part(), length: source.length() }
        };
        let mut inputs: Vec<_> = sources.iter().map(unread).collect();
        let mut sources = sources;
        let (mut total, mut solve_time) = (Stats::default(), Duration::ZERO);
        if let Some(resumed) = output.resumed() {
            let (expected, found) = (resumed.inputs.len(), sources.len());
            if expected != found {
                return Err(Error::Inputs { expected, found });
            }
            for (input, Reached { stats, .. }) in inputs.iter_mut().zip(&resumed.inputs) {
                input.stats = *stats;
            }
            let rest = sources.into_iter().zip(&resumed.inputs);
            sources = rest.map(|(source, at)| source.after(at.stats.bytes, at.tail)).collect();
            (total, solve_time) = (resumed.total(), resumed.solve_time);
        }
        let (last_bytes, memory) = (LastBytes::default(), Vec::new());
        let writer =
            Self { inputs, total, solve_time, output, last_bytes, progress, in_order, memory };
        Ok((writer, sources))
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

    /// Writes what comes before all records.
    pub(super) fn begin(&mut self, preamble: &[u8]) -> Result<(), Error> {
        Ok(self.output.write_preamble(preamble)?)
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
        self.output.write_records(records)?;
        if !output.rejects.is_empty() {
            self.output.write_rejects(output.rejects.numbered(lines, &mut self.memory))?;
        }
        *stats += output.stats;
        self.total += output.stats;
        self.solve_time += output.solve_time;
        let tail = self.last_bytes.after(input, chunk);
        let (reached, solve_time) = (Reached { stats: *stats, tail }, self.solve_time);
        self.output.checkpoint(|checkpoint| {
            checkpoint.inputs[input] = reached;
            checkpoint.solve_time = solve_time;
        })?;
        self.progress.advance(&self.total);
        Ok(())
    }

    /// There are no more chunks; perhaps because of an error.
    fn end(&mut self, result: Result<(), input::Error>) -> Result<(), Error> {
        result?;
        if let Some(in_order) = &mut self.in_order {
            self.memory.clear();
            in_order.end(&mut self.memory)?;
            self.output.write_records(&self.memory)?;
        }
        Ok(())
    }

    /// The counts of a run that has come to its end.
    pub(super) fn finish(self, threads: usize) -> Report {
        let Self { total, inputs, solve_time, output, .. } = self;
        Report { total, inputs, threads, solve_time, earlier: output.earlier() }
    }
}
