//! The run of all commands.
//!
//! ```text
//! inputs ─> chunks ─> workers: records, rejects, counts ─> stage: Order, line numbers ─> transaction
//!                     a `Worker` each                      counts, progress              outputs,
//!                                                                                        checkpoints
//! ```

use super::checkpoint::{Checkpoint, LastBytes, Reached};
use super::command::{Batch, Command, InOrder, LinesSoFar, Order, Place, Taken, Worker};
use super::counts::{Counts, Shape};
use super::error::Error;
use super::inputs::{Fed, Inputs, Names, Piece};
use super::output::Output;
use super::report::{InputReport, Report};
use super::rows::{Memory, Row, Rows, Writing};
use super::slow::SlowLine;
use crate::input::{self, Chunk, Contradictions, Part, Puzzles, Reason, Record, Source};
use crate::output::{Sink, Transaction};
use crate::pipeline::{self, Control, Event, Filled, Given, HandOver, Pipeline, Progress, Stop};
use serde_json::{Value, json};
use std::ops::{ControlFlow, Range};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How much of the inputs an earlier run has read, and the rest of them.
pub struct Begun {
    /// The counts so far.
    inputs: Vec<InputReport>,
    total: Counts,
    solve_time: Duration,
    /// What is left to be read.
    pub sources: Vec<Source>,
    /// The names of the inputs.
    pub names: Names,
}

impl Begun {
    /// A run over these inputs: from their start, or from the checkpoint of the outputs on.
    ///
    /// # Errors
    /// The checkpoint is of another number of inputs.
    pub fn new(sources: Vec<Source>, shape: &Shape, output: &Transaction) -> Result<Self, Error> {
        let names = Names::of(&sources);
        let mut from: Checkpoint = output.resumed()?.unwrap_or_default();
        if from.inputs.is_empty() {
            let start = Reached { counts: shape.zero(), ..Reached::default() };
            from.inputs = vec![start; sources.len()];
        }
        let (expected, found) = (from.inputs.len(), sources.len());
        if expected != found {
            let why = format!("the checkpoint is of {expected} inputs, and there are {found}");
            return Err(Error::Refused(why));
        }
        let mut total = shape.zero();
        from.inputs.iter().for_each(|reached| add(shape, &mut total, &reached.counts));
        let reports = sources.iter().zip(&from.inputs);
        let inputs = reports.map(|(source, at)| InputReport::new(source, at.counts.clone()));
        let inputs = inputs.collect();
        let rest = sources.into_iter().zip(&from.inputs);
        let sources = rest.map(|(source, at)| source.after(at.counts.bytes, at.tail)).collect();
        Ok(Self { inputs, total, solve_time: from.solve_time, sources, names })
    }
}

impl Begun {
    /// A run that makes rows of no input, from the checkpoint of the output on: the tasks of this range,
    /// of `all` in all. Tasks are counted as lines.
    ///
    /// # Errors
    /// The checkpoint is damaged.
    pub fn of_tasks(
        tasks: Range<u64>,
        all: Option<u64>,
        shape: &Shape,
        output: &Transaction,
    ) -> Result<Self, Error> {
        let from: Checkpoint = output.resumed()?.unwrap_or_default();
        let counts = from.inputs.first().map_or_else(|| shape.zero(), |at| at.counts.clone());
        let part = Part { start: tasks.start, end: Some(tasks.end) };
        let lines_before = tasks.start.into();
        let (name, total) = (Arc::from("tasks"), counts.clone());
        let names = Names::one(&name);
        let (length, rows) = (None, all);
        let inputs = vec![InputReport { name, counts, part, lines_before, length, rows }];
        Ok(Self { inputs, total, solve_time: from.solve_time, sources: Vec::new(), names })
    }

    /// The counts so far.
    #[must_use]
    pub const fn counts(&self) -> &Counts {
        &self.total
    }
}

/// Adds counts that are those of one run: their sum is one of its lines or bytes.
fn add(shape: &Shape, sum: &mut Counts, more: &Counts) {
    shape.add(sum, more).expect("a run has fewer than 2^64 bytes");
}

/// How a command is run.
///
/// See the example of the package `ninefold`.
#[derive(Clone, Debug, Default)]
pub struct Run {
    /// How records are written, and which.
    pub writing: Writing,
    /// On how many threads.
    pub pipeline: Pipeline,
}

impl Run {
    /// Writes the records of all puzzles of the sources, in their order, to one sink. The columns are
    /// those of the command.
    ///
    /// # Errors
    /// See [`Error`]. Puzzles without an answer are no errors: they are counted in the report.
    pub fn to<C>(
        mut self,
        sink: Sink,
        command: &C,
        sources: Vec<Source>,
        control: Control<'_>,
    ) -> Result<Report, Error>
    where
        C: Command<Order = InOrder>,
        C::Worker: Worker<Kept = ()>,
    {
        self.writing.style.columns = command.columns(self.writing.style.format);
        self.writing.style.input_names = sources.len() > 1;
        let mut output = Transaction::from(sink);
        let report =
            self.write(command, &mut InOrder, sources, Inputs::fill, &mut output, control)?;
        output.commit(|_| String::new())?;
        Ok(report)
    }

    /// Writes the records of all puzzles into a transaction, which the caller commits or suspends. If it
    /// is resumed, the sources are read from its checkpoint on. `fill` fills a chunk from the inputs:
    /// [`Inputs::fill`] in most commands.
    ///
    /// # Errors
    /// See [`Error`].
    pub fn write<C: Command>(
        &self,
        command: &C,
        order: &mut C::Order,
        sources: Vec<Source>,
        fill: impl FnMut(&mut Inputs, &mut Piece, usize) -> Result<Filled, Error> + Send + 'static,
        output: &mut Transaction,
        control: Control<'_>,
    ) -> Result<Report, Error>
    where
        <C::Worker as Worker>::Kept: 'static,
    {
        let (writing, shape) = (&self.writing, Shape::new(command.counts()));
        let mut begun = Begun::new(sources, &shape, output)?;
        let sources = std::mem::take(&mut begun.sources);
        let names = begun.names.clone();
        let source = Fed::new(sources, Box::new(fill));
        let mut want = command.want();
        want.whole |= writing.style.other_columns.is_some();
        want.lines |= writing.rejects || want.whole;
        let make = || {
            let mut worker = Recording {
                worker: command.worker(&shape),
                writing,
                shape: &shape,
                puzzles: Puzzles::keeping(want),
                memory: Memory::default(),
            };
            let names = names.clone();
            move |piece: &Piece, output: &mut Output<_>, hand_over: HandOver<'_, _>| {
                output.input = piece.input;
                let name = names.get(piece.input);
                names.read(piece, |chunk| worker.answer(chunk, name, piece, output, hand_over))
            }
        };
        output.write_preamble(0, &writing.style.preamble())?;
        drive(&self.pipeline, source, make, order, begun, &shape, output, control)
    }
}

/// The pipeline of a run, whatever its workers do.
///
/// # Errors
/// See [`Error`].
#[expect(clippy::too_many_arguments, reason = "each is a part of the run")]
pub fn drive<S, W, O>(
    pipeline: &Pipeline,
    source: S,
    make: impl Fn() -> W + Sync,
    order: &mut O,
    begun: Begun,
    shape: &Shape,
    output: &mut Transaction,
    control: Control<'_>,
) -> Result<Report, Error>
where
    S: pipeline::Source<Chunk: Place + 'static, Error = Error> + 'static,
    W: FnMut(
        &S::Chunk,
        &mut Output<O::Kept>,
        HandOver<'_, Output<O::Kept>>,
    ) -> Result<ControlFlow<()>, Error>,
    O: Order<Kept: Default + Send + 'static>,
{
    let Begun { inputs, total, solve_time, names, .. } = begun;
    let cancel = control.cancel().clone();
    let mut stage = Stage {
        shape,
        names,
        inputs,
        total,
        solve_time,
        order,
        output,
        last_bytes: LastBytes::default(),
        memory: Vec::new(),
        slowest: None,
        control,
    };
    stage.control.tell(&Event::Began(stage.progress()));
    let take = |given: Given<'_, S::Chunk, _>| match given {
        Given::Chunk(chunk, output) => stage.take(chunk, output),
        Given::Part(output) => stage.take_part(output),
        Given::Nothing => Ok(stage.wait()),
    };
    let ran = pipeline.run(source, make, take, &cancel);
    ran.map_err(|stop| stage.error(stop))?;
    stage.order.finish(stage.output)?;
    let Stage { inputs, total, solve_time, slowest, .. } = stage;
    let (threads, shape) = (pipeline.worker_threads(), shape.clone());
    Ok(Report { total, shape, inputs, threads, solve_time, slowest })
}

/// A worker thread of a command.
struct Recording<'a, W> {
    worker: W,
    writing: &'a Writing,
    shape: &'a Shape,
    puzzles: Puzzles,
    memory: Memory,
}

impl<W: Worker> Recording<'_, W> {
    /// Replaces the output by that of a chunk. `Break` if the rest of it was given up.
    fn answer(
        &mut self,
        chunk: &Chunk,
        name: &str,
        piece: &Piece,
        output: &mut Output<W::Kept>,
        hand_over: HandOver<'_, Output<W::Kept>>,
    ) -> ControlFlow<()> {
        output.counts.restart(self.shape);
        output.rejects.restart(0);
        output.slowest = None;
        let started = Instant::now();
        if self.worker.glance(piece, chunk, &self.writing.style, output) {
            output.records.restart(0);
            output.counts.bytes = chunk.input_bytes();
            output.solve_time = started.elapsed();
            return ControlFlow::Continue(());
        }
        let Self { worker, writing, puzzles, memory, .. } = self;
        puzzles.read(chunk);
        output.counts.bytes = chunk.input_bytes();
        output.counts.comments = puzzles.comments();
        let reasons = output.counts.own.len() - Reason::ALL.len();
        let Contradictions { solved, widths, elsewhere } = puzzles.contradictions();
        output.counts.own[reasons - 3..reasons].copy_from_slice(&[solved, widths, elsewhere]);
        let started = Instant::now();
        output.slowest = worker.solve(&Batch { puzzles, chunk, piece }, &mut output.kept);
        output.solve_time = started.elapsed();
        output.records.restart(puzzles.count());
        let mut rows = Rows::new(writing, chunk, name, memory, output);
        rows.hand_over = Some(hand_over);
        for record in puzzles.records() {
            rows.output.counts.lines += record.lines();
            match record {
                Record::Puzzles { line, numbers } => {
                    rows.output.counts.puzzles += numbers.len() as u64;
                    record_run(worker, puzzles, line, numbers, &mut rows)?;
                }
                Record::Malformed { line, bytes, error } => {
                    rows.output.counts.puzzles += 1;
                    rows.count(reasons + error.reason() as usize);
                    let row = Row { line, place: Some(bytes), puzzle: None };
                    worker.malformed(&error, &row, &mut rows);
                }
                Record::Skipped { .. } => {}
            }
        }
        ControlFlow::Continue(())
    }
}

/// Makes the records of puzzles whose lines follow each other. `Break` at one that was given up.
fn record_run<W: Worker>(
    worker: &mut W,
    puzzles: &Puzzles,
    line: u64,
    numbers: Range<usize>,
    rows: &mut Rows<'_, W::Kept>,
) -> ControlFlow<()> {
    for (line, number) in (line..).zip(numbers) {
        if worker.short(number, rows) {
            continue;
        }
        let puzzle = puzzles.puzzle(number);
        let row = Row { line, place: puzzles.bytes_of(number), puzzle: Some(&puzzle) };
        worker.record(number, &row, rows);
        if rows.is_given_up {
            return ControlFlow::Break(());
        }
    }
    ControlFlow::Continue(())
}

/// Numbers the lines, writes the records and adds up the counts.
struct Stage<'a, 'c, O> {
    shape: &'a Shape,
    names: Names,
    inputs: Vec<InputReport>,
    total: Counts,
    solve_time: Duration,
    order: &'a mut O,
    output: &'a mut Transaction,
    last_bytes: LastBytes,
    /// For records whose line numbers are being set.
    memory: Vec<u8>,
    slowest: Option<SlowLine>,
    control: Control<'c>,
}

impl<O: Order> Stage<'_, '_, O> {
    const fn progress(&self) -> Progress {
        // Tasks have no bytes.
        let Counts { puzzles, bytes, lines, .. } = self.total;
        Progress::new(puzzles, if bytes == 0 { lines } else { bytes })
    }

    /// The lines of an input up to the last one whose record is written. Tasks are in none.
    fn lines(&self, input: usize) -> LinesSoFar {
        let name = |it: &InputReport| Arc::clone(&it.name);
        let of = self.inputs.get(input);
        LinesSoFar {
            input: of.map_or_else(|| "".into(), name),
            before: of.map_or_else(|| 0.into(), |it| it.lines_before.clone()),
            read: of.map_or(0, |it| it.counts.lines),
        }
    }

    fn take(
        &mut self,
        chunk: &impl Place,
        output: &mut Output<O::Kept>,
    ) -> Result<ControlFlow<()>, Error> {
        let piece = chunk.piece();
        let (input, lines_before) = (piece.input, self.lines(piece.input));
        if O::MAKES_RECORDS || !output.records.is_empty() {
            self.control.tell(&Event::Writing);
        }
        let (names, memory) = (&self.names, &mut self.memory);
        let mut taken = Taken { output, input, lines_before, names, piece, memory };
        let flow = self.order.take(&mut taken, self.output)?;
        let Taken { output, lines_before, .. } = taken;
        add(self.shape, &mut self.total, &output.counts);
        self.solve_time += output.solve_time;
        if let Some(InputReport { name, counts, .. }) = self.inputs.get_mut(input) {
            SlowLine::update(&mut self.slowest, output.slowest, name, &lines_before)?;
            add(self.shape, counts, &output.counts);
            let (counts, last_bytes, solve_time) =
                (&*counts, &mut self.last_bytes, self.solve_time);
            let (kept, inputs) = (&mut *self.output, self.names.len());
            let own = self.order.state();
            let checkpointed = piece.chunk.read(|chunk| {
                let tail = last_bytes.after(input, chunk);
                kept.checkpoint(|checkpoint| {
                    if checkpoint["inputs"].as_array().is_none_or(Vec::is_empty) {
                        let inputs = vec![Reached::default(); inputs];
                        *checkpoint = json!(Checkpoint { inputs, solve_time, own: Value::Null });
                    }
                    checkpoint["inputs"][input] = json!(Reached { counts: counts.clone(), tail });
                    checkpoint["solve_time"] = json!(solve_time);
                    if let Some(own) = own {
                        checkpoint["own"] = own;
                    }
                })
            });
            checkpointed.map_err(|cause| input::Error { name: Arc::clone(name), cause })??;
        }
        self.control.tell(&Event::Advanced(self.progress()));
        Ok(flow)
    }

    /// Writes a part of the output of the next chunk. A later run that continues makes it again.
    fn take_part(&mut self, part: &mut Output<O::Kept>) -> Result<ControlFlow<()>, Error> {
        self.control.tell(&Event::Writing);
        part.write(&self.lines(part.input), &mut self.memory, self.output)?;
        Ok(self.wait())
    }

    /// Shows that a chunk takes long.
    fn wait(&mut self) -> ControlFlow<()> {
        let reported = self.control.cancel().reported();
        self.control.tell(&Event::Waiting(reported));
        ControlFlow::Continue(())
    }

    /// The error of a run that ended early.
    fn error(&self, stop: Stop<impl Place, Error>) -> Error {
        let (place, message) = match stop {
            Stop::Threads(cause) => return Error::Threads(cause),
            Stop::Cancelled => return Error::Stopped { puzzles: self.total.puzzles },
            Stop::Failed(error) => return error,
            Stop::Panicked(place, message) => (place, message),
        };
        let input = place.as_ref().map_or(0, |place| place.piece().input);
        if input >= self.names.len() {
            return Error::Panicked { lines: None, message };
        }
        let Ok(before) = self.lines(input).count() else {
            return Error::Panicked { lines: None, message };
        };
        let lines = before + 1..=before + place.map_or(1, |place| place.lines()).max(1);
        Error::Panicked { lines: Some((Arc::clone(self.names.get(input)), lines)), message }
    }
}
