//! A whole run: inputs in, records out.

use super::output::Output;
use super::question::Question;
use super::report::{InputReport, Report};
use super::stats::Stats;
use super::worker::Worker;
use super::writer::{Sinks, Writer};
use crate::bulk::{Error, Inputs, Names, Piece, panicked};
use crate::engine::lanes::SimdLevel;
use crate::engine::{Engine, EngineKind};
use crate::input::{self, Source};
use crate::pipeline::{Control, Event, Ordered, Panic, Pipeline, Progress, Work};
use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Duration;

/// How to answer puzzles.
///
/// ```
/// use ninefold::Status;
/// use ninefold::input::Source;
/// use ninefold::output::Sink;
/// use ninefold::pipeline::Control;
/// use ninefold::solve::Solve;
///
/// let puzzle = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
/// let source = Source::from_bytes("one puzzle", puzzle.into());
/// let report = Solve::default().run(vec![source], Sink::stdout(), Control::default())?;
/// assert_eq!(report.total.statuses[Status::Solved], 1);
/// # Ok::<(), ninefold::bulk::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Solve {
    /// The engine that solves them.
    pub engine: EngineKind,
    /// Which vectors the engine may use.
    pub simd: SimdLevel,
    /// What is asked about each puzzle, and how it is answered.
    pub question: Question,
    /// On how many threads.
    pub pipeline: Pipeline,
}

impl Default for Solve {
    fn default() -> Self {
        Self {
            engine: EngineKind::default(),
            simd: SimdLevel::best(),
            question: Question::default(),
            pipeline: Pipeline::default(),
        }
    }
}

impl Solve {
    /// Answers every puzzle of the sources, in their order: one record each.
    ///
    /// # Errors
    /// See [`Error`]. Puzzles that are malformed or have no solution are no errors: they are
    /// counted in the report.
    pub fn run(
        &self,
        sources: Vec<Source>,
        sinks: impl Into<Sinks>,
        control: Control<'_>,
    ) -> Result<Report, Error> {
        self.run_with(&|| self.engine.build_at(self.simd), sources, sinks, control)
    }

    /// As [`Solve::run`], but with engines that `engine` makes, one for each worker.
    ///
    /// # Errors
    /// See [`Error`].
    pub fn run_with(
        &self,
        engine: &(dyn Fn() -> Box<dyn Engine> + Sync),
        sources: Vec<Source>,
        sinks: impl Into<Sinks>,
        control: Control<'_>,
    ) -> Result<Report, Error> {
        let writer = Writer::new(sinks.into());
        let names = Names::of(&sources);
        let inputs = sources.iter().enumerate().map(|(input, source)| InputReport {
            name: Arc::clone(source.name()),
            stats: writer.reached(input).stats,
            part: source.part(),
            length: source.length(),
        });
        let mut stage = Stage::new(inputs.collect(), writer, control);
        let rest = sources.into_iter().enumerate().map(|(input, source)| {
            let reached = stage.writer.reached(input);
            source.after(reached.stats.bytes, reached.tail)
        });
        let inputs = Inputs::new(rest.collect());
        stage.writer.begin(&self.question.style.preamble())?;
        stage.control.tell(&Event::Began(stage.progress()));
        let make = || Answering {
            worker: Worker::new(engine(), self.question.clone()),
            names: names.clone(),
        };
        let cancel = stage.control.cancel().clone();
        match self.pipeline.run(inputs, make, &mut stage, &cancel) {
            Ok(()) => stage.finish(self.pipeline.worker_threads()),
            Err(error) => {
                let error = Error::of(error, stage.total.puzzles);
                stage.writer.stop();
                Err(error)
            }
        }
    }
}

/// Works on chunks of several inputs.
struct Answering {
    worker: Worker,
    names: Names,
}

impl Work for Answering {
    type Chunk = Piece;
    type Output = Output;
    type Error = Error;

    fn run(&mut self, piece: &Piece, output: &mut Output) -> Result<(), Error> {
        let name = self.names.are_several().then(|| &**self.names.get(piece.input));
        let worker = &mut self.worker;
        self.names.read(piece, |chunk| worker.run(chunk, name, output))
    }
}

/// Numbers the lines, writes the records and adds up the counts.
struct Stage<'a> {
    inputs: Vec<InputReport>,
    total: Stats,
    solve_time: Duration,
    writer: Writer,
    control: Control<'a>,
}

impl<'a> Stage<'a> {
    fn new(inputs: Vec<InputReport>, writer: Writer, control: Control<'a>) -> Self {
        let mut total = Stats::default();
        inputs.iter().for_each(|input| total += input.stats);
        let solve_time = writer.solve_time();
        Self { inputs, total, solve_time, writer, control }
    }

    const fn progress(&self) -> Progress {
        Progress::new(self.total.puzzles, self.total.bytes)
    }

    /// The last line of an input whose record is written.
    fn lines(&self, input: usize) -> u64 {
        let InputReport { stats, part, .. } = &self.inputs[input];
        part.lines_before + stats.lines
    }

    /// Ends the outputs, and gives the counts.
    fn finish(self, threads: usize) -> Result<Report, Error> {
        let Self { inputs, total, solve_time, writer, .. } = self;
        let earlier = writer.finish()?;
        Ok(Report { total, inputs, threads, solve_time, earlier })
    }
}

impl Ordered for Stage<'_> {
    type Chunk = Piece;
    type Output = Output;
    type Error = Error;

    fn take(
        &mut self,
        Piece { chunk, input }: &mut Piece,
        output: &mut Output,
    ) -> Result<ControlFlow<()>, Error> {
        self.writer.write(self.lines(*input), output)?;
        let stats = &mut self.inputs[*input].stats;
        *stats += output.stats;
        self.total += output.stats;
        self.solve_time += output.solve_time;
        let (writer, solve_time) = (&mut self.writer, self.solve_time);
        let advanced = chunk.read(|chunk| writer.advance(*input, chunk, *stats, solve_time));
        let name = || Arc::clone(&self.inputs[*input].name);
        advanced.map_err(|cause| input::Error { name: name(), cause })??;
        self.control.tell(&Event::Advanced(self.progress()));
        Ok(ControlFlow::Continue(()))
    }

    fn panicked(&mut self, panic: Panic<'_, Piece>) -> Error {
        let input = panic.chunk.input;
        panicked(&self.inputs[input].name, self.lines(input), panic.chunk, &panic)
    }
}
