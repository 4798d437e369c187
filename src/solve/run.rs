//! A whole run: inputs in, records out.

use super::question::Question;
use super::stats::Report;
use super::worker::Worker;
use crate::bulk::{Error, bounds, write_records};
use crate::engine::lanes::SimdLevel;
use crate::engine::{Engine, EngineKind};
use crate::input::Source;
use crate::output::{Sink, Transaction};
use crate::pipeline::{Control, Pipeline};

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
    /// The most branches of a puzzle. One that takes more is [`Status::Unknown`](crate::Status::Unknown).
    pub max_branches: Option<u32>,
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
            max_branches: None,
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
        let bounds = bounds(self.max_branches, control.cancel());
        let engine = || self.engine.build_bounded(self.simd, bounds.clone());
        self.run_with(&engine, sources, sink, control)
    }

    /// As [`Solve::run`], but with engines that `engine` makes, one for each worker. They have bounds of
    /// their own.
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
        Transaction::whole(sink, |output| self.write_with(engine, sources, output, control))
    }

    /// As [`Solve::run`], but into a transaction, which the caller commits or suspends. If it is
    /// resumed, the sources are read from its checkpoint on.
    ///
    /// # Errors
    /// See [`Error`].
    pub fn write(
        &self,
        sources: Vec<Source>,
        output: &mut Transaction,
        control: Control<'_>,
    ) -> Result<Report, Error> {
        let bounds = bounds(self.max_branches, control.cancel());
        let engine = || self.engine.build_bounded(self.simd, bounds.clone());
        self.write_with(&engine, sources, output, control)
    }

    fn write_with(
        &self,
        engine: &(dyn Fn() -> Box<dyn Engine> + Sync),
        sources: Vec<Source>,
        output: &mut Transaction,
        control: Control<'_>,
    ) -> Result<Report, Error> {
        let make = || Worker::new(engine(), self.question.clone());
        let preamble = self.question.style.preamble();
        write_records(&self.pipeline, &preamble, make, sources, output, control)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::output::{Begun, Mode, Plan, Target};
    use crate::solve::Checkpoint;

    /// The issue's ninth defect: such a run dropped the inputs without a checkpoint.
    #[test]
    fn a_checkpoint_of_another_number_of_inputs_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out.txt");
        for (checkpoint, inputs) in [(0, 1), (1, 2), (2, 1)] {
            let begin = |mode| {
                let plan = Plan::new(vec![Target::File(path.clone()).into()], mode);
                let start = serde_json::to_value(Checkpoint::start(checkpoint)).unwrap();
                let plan = plan.resumable("any".into(), start);
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
