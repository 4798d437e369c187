//! What comes of chunks, or of tasks, in their order, taken by one thread at a time: counts, checkpoints, progress.

use super::checkpoint::{Checkpoint, Reached};
use super::counts::Counts;
use super::error::Error;
use super::inputs::Names;
use super::output::{Firsts, Output};
use super::report::{InputReport, Report};
use super::slow::{SlowLine, SlowPlace};
use super::turn::LineNumbers;
use crate::Extent;
use crate::input::{self, Chunk, Part, Source, shown};
use crate::output::Transaction;
use crate::pipeline::{Control, Event, Pipeline, Progress, Stop, Times};
use serde_json::{Value, json};
use std::ops::{ControlFlow, Range};
use std::sync::Arc;

/// What is shown of an input without puzzles.
const SHOWN_LINES: usize = 3;

/// The most buckets that are counted, so that memory does not grow with the input.
const MOST_BUCKETS: usize = 10_000;

/// Why a sum is not too large.
const IN_RANGE: &str = "a run has fewer than 2^64 bytes";

/// Adds up counts, writes checkpoints and sends progress.
pub(crate) struct Stage<'a, 'c> {
    /// The outputs.
    pub(crate) output: &'a mut Transaction,
    /// What a later run needs to continue, besides counts.
    pub(crate) state: Value,
    /// What the run has found so far.
    report: Report,
    control: Control<'c>,
}

impl<'a, 'c> Stage<'a, 'c> {
    /// A run over these inputs: from their start, or from the checkpoint of the outputs on. Also gives what is
    /// left to be read.
    pub(super) fn of_inputs(
        sources: Vec<Source>,
        zero: &Counts,
        output: &'a mut Transaction,
        control: Control<'c>,
    ) -> Result<(Self, Vec<Source>), Error> {
        let mut from: Checkpoint = output.resumed()?.unwrap_or_default();
        if from.inputs.is_empty() {
            from.inputs = vec![Reached::default(); sources.len()];
        }
        let (expected, found) = (from.inputs.len(), sources.len());
        if expected != found {
            let why = format!("the checkpoint is of {expected} inputs, and there are {found}");
            return Err(Error::Refused(why));
        }
        let counts = from.counts(zero).expect(IN_RANGE);
        let inputs = sources.iter().zip(counts).zip(&from.inputs);
        let inputs = inputs.map(|((it, counts), at)| InputReport::new(it, counts, at));
        let inputs = inputs.collect();
        let rest = sources.into_iter().zip(&from.inputs);
        let rest = rest.map(|(source, Reached { counts, tail, .. })| {
            source.after(counts.bytes, counts.lines, *tail)
        });
        let rest = rest.collect();
        Ok((Self::begin(inputs, from, zero, output, control), rest))
    }

    /// A run that makes rows of no input, from the checkpoint of the output on: the tasks of this range,
    /// of `all` in all. Tasks are counted as lines.
    ///
    /// # Errors
    /// The checkpoint is damaged.
    pub(crate) fn of_tasks(
        tasks: Range<u64>,
        all: Option<u64>,
        zero: &Counts,
        output: &'a mut Transaction,
        control: Control<'c>,
    ) -> Result<Self, Error> {
        let from: Checkpoint = output.resumed()?.unwrap_or_default();
        let counts = from.counts(zero).expect(IN_RANGE).pop().unwrap_or_else(|| zero.zero());
        let part = Part { start: tasks.start, end: Some(tasks.end) };
        let (name, lines_before) = (Arc::from("tasks"), tasks.start.into());
        let (length, rows, firsts) = (None, all, Firsts::default());
        let input = InputReport { name, counts, part, lines_before, length, rows, firsts };
        let inputs = vec![input];
        Ok(Self::begin(inputs, from, zero, output, control))
    }

    /// A run that has come this far with its inputs.
    fn begin(
        inputs: Vec<InputReport>,
        Checkpoint { own: state, solve_time, .. }: Checkpoint,
        zero: &Counts,
        output: &'a mut Transaction,
        control: Control<'c>,
    ) -> Self {
        let mut total = zero.zero();
        for input in &inputs {
            add(&mut total, &input.counts);
        }
        let (beginning, slowest) = (Vec::new(), None);
        let (threads, times) = (0, Arc::default());
        let report = Report { total, inputs, threads, solve_time, times, beginning, slowest };
        let mut stage = Self { output, state, report, control };
        let progress = stage.progress();
        stage.control.tell(&Event::Began(progress));
        stage
    }

    /// The counts so far.
    pub(crate) const fn counts(&self) -> &Counts {
        &self.report.total
    }

    const fn progress(&self) -> Progress {
        // Tasks have no bytes.
        let Counts { puzzles, bytes, lines, .. } = self.report.total;
        Progress { items: puzzles, position: if bytes == 0 { lines } else { bytes } }
    }

    /// Numbers the lines behind those that an earlier run has read.
    pub(super) fn numbering<'n>(&self, names: &'n Names) -> LineNumbers<'n> {
        let inputs = self.report.inputs.iter();
        let inputs = inputs.map(|it| (it.lines_before.clone(), it.counts.lines)).collect();
        LineNumbers::new(names, inputs)
    }

    /// The number of the last line of an input whose record is written.
    fn last_line(&self, input: usize) -> Result<u64, Error> {
        let InputReport { name, lines_before, counts, .. } = &self.report.inputs[input];
        let failed = |cause| input::Error { name: Arc::clone(name), cause };
        Ok(lines_before.count().map_err(failed)? + counts.lines)
    }

    /// Records are about to be written.
    pub(crate) fn writes(&mut self) {
        self.control.tell(&Event::Writing);
    }

    /// Shows how many attempts this run has made.
    pub(crate) fn tried(&mut self, tries: u64) {
        self.control.tell(&Event::Tried(tries));
    }

    /// Shows that a chunk takes long, and brings the checkpoint before it to the disk.
    ///
    /// # Errors
    /// The checkpoint cannot be written.
    pub(crate) fn wait(&mut self) -> Result<ControlFlow<()>, Error> {
        self.control.tell(&Event::Waiting);
        self.output.keep()?;
        Ok(ControlFlow::Continue(()))
    }

    /// Keeps the first lines of the run as long as it has found no puzzle.
    pub(super) fn look_at(&mut self, chunk: &Chunk<'_>, counts: &Counts) {
        let Report { total, beginning, .. } = &mut self.report;
        if total.puzzles + counts.puzzles > 0 {
            beginning.clear();
        } else {
            let lines = chunk.bytes().split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii);
            let lines = lines.filter(|line| !line.is_empty());
            let wanted = SHOWN_LINES - beginning.len();
            beginning.extend(lines.take(wanted).map(|line| format!("\"{}\"", shown(line))));
        }
    }

    /// Adds the counts of a chunk whose records are written.
    pub(crate) fn add<K>(&mut self, output: &Output<K>) -> Result<(), Error> {
        let Output { input, counts, solve_time, slowest, firsts, .. } = output;
        if let Some(SlowPlace { line, time }) = *slowest
            && self.report.slowest.as_ref().is_none_or(|it| it.time < time)
        {
            let line = self.last_line(*input)? + line;
            let input = Arc::clone(&self.report.inputs[*input].name);
            self.report.slowest = Some(SlowLine { input, line, time });
        }
        let of_input = &mut self.report.inputs[*input];
        let (before, of_chunk, firsts) = (of_input.counts.lines, firsts, &mut of_input.firsts);
        firsts.full = firsts.full.or(of_chunk.full.map(|line| before + line));
        firsts.long = firsts.long.or(of_chunk.long.map(|line| before + line));
        self.report.solve_time += *solve_time;
        add(&mut self.report.total, counts);
        add(&mut self.report.inputs[*input].counts, counts);
        if self.report.total.buckets().len() > MOST_BUCKETS {
            let why = format!("--by has more than {MOST_BUCKETS} different values");
            return Err(Error::Refused(why));
        }
        Ok(())
    }

    /// A later run can continue here. `tail` are the last bytes of this input.
    pub(crate) fn checkpoint(&mut self, input: usize, tail: Extent) -> Result<(), Error> {
        let Self { state, report: Report { inputs, solve_time, .. }, .. } = self;
        self.output.checkpoint(|checkpoint| {
            if checkpoint["inputs"].as_array().is_none_or(Vec::is_empty) {
                let inputs = vec![Reached::default(); inputs.len()];
                *checkpoint = json!(Checkpoint { inputs, ..Checkpoint::default() });
            }
            let InputReport { counts, firsts, lines_before, .. } = &inputs[input];
            let (counts, firsts, lines_before) = (counts.clone(), *firsts, lines_before.known());
            checkpoint["inputs"][input] = json!(Reached { counts, tail, firsts, lines_before });
            checkpoint["solve_time"] = json!(solve_time);
            checkpoint["own"].clone_from(state);
        })?;
        let progress = self.progress();
        self.control.tell(&Event::Advanced(progress));
        Ok(())
    }

    /// The error of a run that ended early. `place` gives the input and the lines of a chunk.
    pub(crate) fn error<C>(
        &self,
        stop: Stop<C, Error>,
        place: impl Fn(C) -> (usize, u64),
    ) -> Error {
        let (chunk, message) = match stop {
            Stop::Threads(cause) => return Error::Threads(cause),
            Stop::Cancelled => return Error::Stopped { puzzles: self.report.total.puzzles },
            Stop::Failed(error) => return error,
            Stop::Panicked(chunk, message) => (chunk, message),
        };
        let (input, lines) = chunk.map_or((0, 1), place);
        let name = self.report.inputs.get(input).map(|it| Arc::clone(&it.name));
        let before = name.as_ref().and_then(|_| self.last_line(input).ok());
        let lines = name.zip(before).map(|(name, it)| (name, it + 1..=it + lines.max(1)));
        Error::Panicked { lines, message }
    }

    /// What the run found, at its end.
    pub(crate) fn report(self, pipeline: &Pipeline, times: Arc<Times>) -> Report {
        Report { threads: pipeline.worker_threads(), times, ..self.report }
    }
}

/// Adds counts that are those of one run: their sum is one of its lines or bytes.
fn add(sum: &mut Counts, more: &Counts) {
    sum.add(more).expect(IN_RANGE);
}
