//! A whole run: tasks in, puzzles out.

use super::options::Generator;
use super::report::Report;
use super::source::Tasks;
use super::stage::{Making, Stage};
use crate::bulk::Error;
use crate::input::Source;
use crate::output::{Sink, Transaction};
use crate::pipeline::Control;

/// What puzzles are made from.
///
/// ```
/// use crate::engine::lanes::SimdLevel;
/// use crate::generate::{Generator, Origin, Recipe};
/// use crate::input::Source;
/// use crate::output::{Sink, Style};
/// use crate::pipeline::Control;
///
/// # let generator = Generator {
/// #     recipe: Recipe::minimal(1),
/// #     count: 3,
/// #     distinct: true,
/// #     style: Style::default(),
/// #     threads: 1,
/// #     simd: SimdLevel::best(),
/// #     max_branches: None,
/// # };
/// let line = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
/// let origin = Origin::Puzzles(vec![Source::from_bytes("one", line.into())]);
/// let sink = Sink::from_writer("nothing", std::io::sink());
/// let report = generator.run(origin, sink, Control::default())?; // `count` is 3
/// assert_eq!((report.puzzles, report.clues[30]), (3, 3));
/// # Ok::<(), crate::bulk::Error>(())
/// ```
pub enum Origin {
    /// Random full grids, one for each puzzle.
    Random,
    /// Full grids from these inputs.
    Grids(Vec<Source>),
    /// Puzzles from these inputs, to be transformed.
    Puzzles(Vec<Source>),
}

impl Generator {
    /// Makes all puzzles, and writes them in order.
    ///
    /// A run from random grids ends when more puzzles could not be made than could. No more puzzles
    /// are made of a grid or puzzle of the inputs when [`Recipe::ATTEMPTS`](super::Recipe::ATTEMPTS)
    /// attempts in a row gave nothing new.
    ///
    /// # Errors
    /// An input that cannot be read, an output that cannot be written, threads that cannot start;
    /// or the run was cancelled. What was made before, in order, is written.
    pub fn run(&self, origin: Origin, sink: Sink, control: Control<'_>) -> Result<Report, Error> {
        Transaction::whole(sink, |output| self.write(origin, output, control))
    }

    /// As [`Generator::run`], but into a transaction, which the caller commits or suspends.
    ///
    /// # Errors
    /// See [`Generator::run`].
    pub fn write(
        &self,
        origin: Origin,
        output: &mut Transaction,
        control: Control<'_>,
    ) -> Result<Report, Error> {
        let is_random = matches!(origin, Origin::Random);
        let tasks = match origin {
            Origin::Random => Tasks::random(self.count),
            Origin::Grids(sources) => Tasks::of_grids(sources, self.count),
            Origin::Puzzles(sources) => Tasks::of_puzzles(sources, self.count),
        };
        let cancel = control.cancel().clone();
        let skipped_to = tasks.skipped_to();
        let mut stage = Stage::new(self, tasks.names(), is_random, skipped_to, output, control);
        stage.begin()?;
        let make = || Making::new(self, cancel.clone());
        match self.pipeline().run(tasks, make, &mut stage, &cancel) {
            Ok(()) => Ok(stage.report()),
            Err(error) => Err(Error::of(error, stage.puzzles())),
        }
    }
}
