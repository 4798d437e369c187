//! The run of all commands that write records: inputs in, one record for each puzzle out.
//!
//! ```text
//! inputs ─> chunks ─> workers: records, rejects, counts ─> stage: line numbers ─> transaction
//!                     a `Recorder` each                    counts, progress       records, rejects,
//!                                                                                 checkpoints
//! ```
//!
//! A command has a [`Recorder`], its [`Counts`], and the columns of its records
//! ([`Style::columns`](crate::output::Style::columns)). `ninefold::solve` is one.

use super::checkpoint::{Checkpoint, LastBytes, Reached};
use super::counts::Counts;
use super::error::Error;
use super::inputs::{Inputs, Names, Piece, panicked};
use super::output::Output;
use super::report::{InputReport, Report};
use super::slow::SlowLine;
use crate::input::{self, Chunk, Source};
use crate::output::{Sink, Transaction};
use crate::pipeline::{Control, Event, Ordered, Panic, Pipeline, Progress, Work};
use serde_json::json;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Duration;

/// Makes the records of chunks. Each worker thread has its own.
pub trait Recorder {
    /// What it counts.
    type Counts: Counts;

    /// Makes the records of a chunk, and replaces the output. Records name the input if it has a name
    /// here. What comes of a chunk depends on that chunk alone.
    fn run(&mut self, chunk: &Chunk<'_>, input: Option<&str>, output: &mut Output<Self::Counts>);
}

/// Writes the records of all sources, in their order, to one sink. See [`write_records`].
///
/// # Errors
/// See [`Error`].
pub fn run_records<W: Recorder>(
    pipeline: &Pipeline,
    preamble: &[u8],
    make: impl Fn() -> W + Sync,
    sources: Vec<Source>,
    sink: Sink,
    control: Control<'_>,
) -> Result<Report<W::Counts>, Error> {
    let mut output = Transaction::from(sink);
    let report = write_records(pipeline, preamble, make, sources, &mut output, control)?;
    output.commit(|_| String::new()).map_err(|failed| failed.error)?;
    Ok(report)
}

/// Writes the preamble and the records of all sources, in their order, into a transaction, which the
/// caller commits or suspends. If it is resumed, the sources are read from its checkpoint on. `make`
/// makes the recorder of a worker.
///
/// # Errors
/// See [`Error`].
pub fn write_records<W: Recorder>(
    pipeline: &Pipeline,
    preamble: &[u8],
    make: impl Fn() -> W + Sync,
    sources: Vec<Source>,
    output: &mut Transaction,
    control: Control<'_>,
) -> Result<Report<W::Counts>, Error> {
    let start = || Checkpoint::start(sources.len());
    let from: Checkpoint<W::Counts> = output.resumed()?.unwrap_or_else(start);
    let (expected, found) = (from.inputs.len(), sources.len());
    if expected != found {
        return Err(Error::Inputs { expected, found });
    }
    let names = Names::of(&sources);
    let inputs = sources.iter().zip(&from.inputs).map(|(source, reached)| InputReport {
        name: Arc::clone(source.name()),
        stats: reached.stats,
        part: source.part(),
        length: source.length(),
        rows: source.rows(),
    });
    let inputs = inputs.collect();
    let rest = sources.into_iter().zip(&from.inputs);
    let rest = rest.map(|(source, at)| source.after(at.stats.bytes(), at.tail));
    let rest = Inputs::new(rest.collect());
    output.write_preamble(0, preamble)?;
    let mut stage = Stage {
        inputs,
        total: from.total(),
        solve_time: from.solve_time,
        output,
        last_bytes: LastBytes::default(),
        memory: Vec::new(),
        slowest: None,
        control,
    };
    stage.control.tell(&Event::Began(stage.progress()));
    let make = || Recording { recorder: make(), names: names.clone() };
    let cancel = stage.control.cancel().clone();
    match pipeline.run(rest, make, &mut stage, &cancel) {
        Ok(()) => Ok(stage.report(pipeline.worker_threads())),
        Err(error) => Err(Error::of(error, stage.total.puzzles())),
    }
}

/// Works on chunks of several inputs.
struct Recording<W> {
    recorder: W,
    names: Names,
}

impl<W: Recorder> Work for Recording<W> {
    type Chunk = Piece;
    type Output = Output<W::Counts>;
    type Error = Error;

    fn run(&mut self, piece: &Piece, output: &mut Output<W::Counts>) -> Result<(), Error> {
        let name = self.names.are_several().then(|| &**self.names.get(piece.input));
        let recorder = &mut self.recorder;
        self.names.read(piece, |chunk| recorder.run(chunk, name, output))
    }
}

/// Numbers the lines, writes the records and adds up the counts.
struct Stage<'a, 'c, C> {
    inputs: Vec<InputReport<C>>,
    total: C,
    solve_time: Duration,
    output: &'a mut Transaction,
    last_bytes: LastBytes,
    /// For records whose line numbers are being set.
    memory: Vec<u8>,
    slowest: Option<SlowLine>,
    control: Control<'c>,
}

impl<C: Counts> Stage<'_, '_, C> {
    fn progress(&self) -> Progress {
        Progress::new(self.total.puzzles(), self.total.bytes())
    }

    /// The last line of an input whose record is written.
    fn lines(&self, input: usize) -> u64 {
        let InputReport { stats, part, .. } = &self.inputs[input];
        part.lines_before + stats.lines()
    }

    /// The counts of a run that is complete.
    fn report(self, threads: usize) -> Report<C> {
        let Self { inputs, total, solve_time, output, slowest, .. } = self;
        Report { total, inputs, threads, solve_time, earlier: output.earlier(), slowest }
    }
}

impl<C: Counts> Ordered for Stage<'_, '_, C> {
    type Chunk = Piece;
    type Output = Output<C>;
    type Error = Error;

    fn take(
        &mut self,
        Piece { chunk, input }: &mut Piece,
        output: &mut Output<C>,
    ) -> Result<ControlFlow<()>, Error> {
        let (input, lines) = (*input, self.lines(*input));
        self.output.write(0, output.records.numbered(lines, &mut self.memory))?;
        self.output.write(1, output.rejects.numbered(lines, &mut self.memory))?;
        let InputReport { name, stats, .. } = &mut self.inputs[input];
        SlowLine::update(&mut self.slowest, output.slowest, name, lines);
        *stats += output.stats;
        self.total += output.stats;
        self.solve_time += output.solve_time;
        let (stats, last_bytes, solve_time) = (*stats, &mut self.last_bytes, self.solve_time);
        let kept = &mut *self.output;
        let checkpointed = chunk.read(|chunk| {
            kept.checkpoint(|reached| {
                let tail = last_bytes.after(input, chunk);
                reached["inputs"][input] = json!(Reached { stats, tail });
                reached["solve_time"] = json!(solve_time);
            })
        });
        checkpointed.map_err(|cause| input::Error { name: Arc::clone(name), cause })??;
        self.control.tell(&Event::Advanced(self.progress()));
        Ok(ControlFlow::Continue(()))
    }

    fn panicked(&mut self, panic: Panic<'_, Piece>) -> Error {
        let input = panic.chunk.input;
        panicked(&self.inputs[input].name, self.lines(input), panic.chunk, &panic)
    }
}
