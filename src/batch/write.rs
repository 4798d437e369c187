//! The writer: puts answered chunks in order, numbers their lines, and writes them.

use super::flow::{Event, Flow};
use super::{Error, InputReport, Output, Progress, Reorder, Report, Stats};
use crate::output::Sink;
use std::sync::Arc;
use std::time::Duration;

/// Writes records in order, and adds up what was found.
pub(super) struct Writer<'a> {
    inputs: Vec<InputReport>,
    total: Stats,
    solve_time: Duration,
    sink: Sink,
    progress: &'a mut dyn Progress,
    /// For records whose line numbers are being set.
    memory: Vec<u8>,
}

impl<'a> Writer<'a> {
    /// A writer for inputs of these names.
    pub(super) fn new(names: &[Arc<str>], sink: Sink, progress: &'a mut dyn Progress) -> Self {
        let unread = |name| InputReport { name: Arc::clone(name), stats: Stats::default() };
        let inputs = names.iter().map(unread).collect();
        let (total, solve_time, memory) = (Stats::default(), Duration::ZERO, Vec::new());
        Self { inputs, total, solve_time, sink, progress, memory }
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
                    Event::Answered { input, slot } => {
                        self.write(input, &slot.output)?;
                        flow.recycle(slot);
                    }
                    Event::Panicked { input, message } => {
                        let InputReport { name, stats } = &self.inputs[input];
                        let (input, after_line) = (Arc::clone(name), stats.lines);
                        return Err(Error::Panicked { input, after_line, message });
                    }
                    Event::Ended(result) => return Ok(result?),
                }
            }
        }
        unreachable!("the writer alone stops the flow")
    }

    /// Writes one chunk's records.
    fn write(&mut self, input: usize, output: &Output) -> Result<(), Error> {
        let stats = &mut self.inputs[input].stats;
        self.sink.write(output.records.numbered(stats.lines, &mut self.memory))?;
        *stats += output.stats;
        self.total += output.stats;
        self.solve_time += output.solve_time;
        self.progress.advance(&self.total);
        Ok(())
    }

    /// Ends the output; gives the counts.
    pub(super) fn finish(self, threads: usize) -> Result<Report, Error> {
        self.sink.finish()?;
        let Self { total, inputs, solve_time, .. } = self;
        Ok(Report { total, inputs, threads, solve_time })
    }
}
