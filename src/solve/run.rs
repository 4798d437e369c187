//! A whole run: inputs in, records out.

use super::checkpoint::{Checkpoint, LastBytes, Reached};
use super::output::Output;
use super::question::Question;
use super::report::{InputReport, Report};
use super::stats::Stats;
use super::worker::Worker;
use crate::bulk::{Error, Inputs, Names, Piece, panicked};
use crate::engine::lanes::SimdLevel;
use crate::engine::{Engine, EngineKind};
use crate::input::{self, Source};
use crate::output::{Sink, Transaction};
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
        sink: Sink,
        control: Control<'_>,
    ) -> Result<Report, Error> {
        self.run_with(&|| self.engine.build_at(self.simd), sources, sink, control)
    }

    /// As [`Solve::run`], but with engines that `engine` makes, one for each worker.
    ///
    /// # Errors
    /// See [`Error`].
    pub fn run_with(
        &self,
        engine: &(dyn Fn() -> Box<dyn Engine> + Sync),
        sources: Vec<Source>,
        sink: Sink,
        control: Control<'_>,
    ) -> Result<Report, Error> {
        let mut output = Transaction::from(sink);
        let report = self.write_with(engine, sources, &mut output, control)?;
        output.commit(|_| String::new()).map_err(|failed| failed.error)?;
        Ok(report)
    }

    /// As [`Solve::run`], but into a transaction, which the caller commits or suspends. If it is
    /// resumed, the sources are read from its checkpoint on.
    ///
    /// # Errors
    /// See [`Error`].
    pub fn write(
        &self,
        sources: Vec<Source>,
        output: &mut Transaction<Checkpoint>,
        control: Control<'_>,
    ) -> Result<Report, Error> {
        self.write_with(&|| self.engine.build_at(self.simd), sources, output, control)
    }

    fn write_with(
        &self,
        engine: &(dyn Fn() -> Box<dyn Engine> + Sync),
        sources: Vec<Source>,
        output: &mut Transaction<Checkpoint>,
        control: Control<'_>,
    ) -> Result<Report, Error> {
        let start = || Checkpoint::start(sources.len());
        let from = output.resumed().cloned().unwrap_or_else(start);
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
        });
        let inputs = inputs.collect();
        let rest = sources.into_iter().zip(&from.inputs);
        let rest = rest.map(|(source, at)| source.after(at.stats.bytes, at.tail));
        let rest = Inputs::new(rest.collect());
        output.write_preamble(&self.question.style.preamble())?;
        let mut stage = Stage {
            inputs,
            total: from.total(),
            solve_time: from.solve_time,
            output,
            last_bytes: LastBytes::default(),
            memory: Vec::new(),
            control,
        };
        stage.control.tell(&Event::Began(stage.progress()));
        let make = || Answering {
            worker: Worker::new(engine(), self.question.clone()),
            names: names.clone(),
        };
        let cancel = stage.control.cancel().clone();
        match self.pipeline.run(rest, make, &mut stage, &cancel) {
            Ok(()) => Ok(stage.report(self.pipeline.worker_threads())),
            Err(error) => Err(Error::of(error, stage.total.puzzles)),
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
struct Stage<'a, 'c> {
    inputs: Vec<InputReport>,
    total: Stats,
    solve_time: Duration,
    output: &'a mut Transaction<Checkpoint>,
    last_bytes: LastBytes,
    /// For records whose line numbers are being set.
    memory: Vec<u8>,
    control: Control<'c>,
}

impl Stage<'_, '_> {
    const fn progress(&self) -> Progress {
        Progress::new(self.total.puzzles, self.total.bytes)
    }

    /// The last line of an input whose record is written.
    fn lines(&self, input: usize) -> u64 {
        let InputReport { stats, part, .. } = &self.inputs[input];
        part.lines_before + stats.lines
    }

    /// The counts of a run that is complete.
    fn report(self, threads: usize) -> Report {
        let Self { inputs, total, solve_time, output, .. } = self;
        Report { total, inputs, threads, solve_time, earlier: output.earlier() }
    }
}

impl Ordered for Stage<'_, '_> {
    type Chunk = Piece;
    type Output = Output;
    type Error = Error;

    fn take(
        &mut self,
        Piece { chunk, input }: &mut Piece,
        output: &mut Output,
    ) -> Result<ControlFlow<()>, Error> {
        let (input, lines) = (*input, self.lines(*input));
        self.output.write_records(output.records.numbered(lines, &mut self.memory))?;
        self.output.write_rejects(output.rejects.numbered(lines, &mut self.memory))?;
        let InputReport { name, stats, .. } = &mut self.inputs[input];
        *stats += output.stats;
        self.total += output.stats;
        self.solve_time += output.solve_time;
        let (stats, last_bytes, solve_time) = (*stats, &mut self.last_bytes, self.solve_time);
        let kept = &mut *self.output;
        let checkpointed = chunk.read(|chunk| {
            kept.checkpoint(|checkpoint| {
                checkpoint.inputs[input] = Reached { stats, tail: last_bytes.after(input, chunk) };
                checkpoint.solve_time = solve_time;
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::output::{Begun, Mode, Plan, Target};

    /// The issue's ninth defect: such a run dropped the inputs without a checkpoint.
    #[test]
    fn a_checkpoint_of_another_number_of_inputs_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out.txt");
        for (checkpoint, inputs) in [(0, 1), (1, 2), (2, 1)] {
            let begin = |mode| {
                let plan = Plan::new(Target::File(path.clone()), mode);
                let plan = plan.resumable("any".into(), Checkpoint::start(checkpoint));
                match Transaction::begin(plan) {
                    Ok(Begun::Open(output)) => output,
                    _ => panic!("nothing is complete"),
                }
            };
            begin(Mode::Replace).suspend();
            let mut output = begin(Mode::Resume);
            let source = || Source::from_bytes("puzzle", vec![b'.'; 81]);
            let sources = (0..inputs).map(|_| source()).collect();
            let ran = Solve::default().write(sources, &mut output, Control::default());
            let error = ran.unwrap_err().to_string();
            let expected =
                format!("the checkpoint is of {checkpoint} inputs, and there are {inputs}");
            assert_eq!(error, expected);
        }
    }
}
