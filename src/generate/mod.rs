//! `ninefold generate`: runs [`Maker`] on all threads, and writes each puzzle once.
//!
//! ```text
//! Tasks: numbers, perhaps with a grid ──> workers: puzzles, records ──> Distinct: in order, none twice
//! ```
//!
//! The run is that of all commands. What it reads are tasks: a shard has some of them, and a
//! checkpoint says how many are done.

#[cfg(feature = "cli")]
mod args;
mod distinct;
#[cfg(feature = "cli")]
mod pattern;
mod source;

#[cfg(feature = "cli")]
pub(crate) use args::{GenerateArgs, declared};
pub use ninefold_core::generate::*;
pub use source::Origin;

use crate::output::Transaction;
use crate::pipeline::{Cancel, Control, HandOver};
use crate::puzzle::Cell;
use crate::run::{self, Begun, Checkpoint, Column, Count, Output, Report, Run, Shape};
use crate::search::Search;
use distinct::{Distinct, Kept};
use source::Tasks;
use std::collections::HashSet;
use std::ops::{ControlFlow, Range};

/// The columns of a table of puzzles.
pub const COLUMNS: [Column; 4] = [
    Column::word("status", "unique"),
    Column::whole("solutions", "the number of solutions: 1"),
    Column::text("puzzle", "the cells of the puzzle"),
    Column::text("solution", "the solution"),
];

/// The places of counts.
mod place {
    pub(super) const NEAR: usize = 0;
    pub(super) const MISSING: usize = 1;
    pub(super) const NOT_TRIED: usize = 2;
    pub(super) const EXHAUSTED: usize = 3;
    pub(super) const REPEATED: usize = 4;
    pub(super) const TRIED: usize = 5;
    pub(super) const REFUSED: usize = 6;
    pub(super) const UNKNOWN: usize = 7;
    pub(super) const STOPPED: usize = 8;
    /// The most tries for one of the missing.
    pub(super) const TRIES: usize = 9;
    pub(super) const CLUES: usize = 10;
}

/// Makes puzzles and writes them.
#[derive(Clone, Debug)]
pub struct Generate {
    /// How they are to be.
    pub recipe: Recipe,
    /// The seed of all random numbers.
    pub seed: u64,
    /// How many puzzles, or how many for each that is given.
    pub count: u64,
    /// Never the same twice.
    pub distinct: bool,
    /// The engine and its bounds. A grid of which a search takes more branches is not used.
    pub search: Search,
}

/// Which tasks are done, and what is known before.
#[derive(Default)]
pub struct Share {
    /// The tasks, and the number of all tasks if only some are done.
    pub tasks: Option<(Range<u64>, u64)>,
    /// If a run is resumed, the fingerprints of the puzzles in its output.
    seen: HashSet<u64>,
}

impl Generate {
    /// The counts: tasks are lines.
    #[must_use]
    pub fn counts() -> Vec<Count> {
        let each = [
            "near",
            "missing",
            "not_tried",
            "exhausted",
            "drawn_again",
            "tried",
            "refused_lines",
            "unknown",
            "stopped",
        ];
        vec![Count::each(each), Count::most("tries"), Count::of("clues", 0..=Cell::COUNT)]
    }

    /// A maker whose searches end when this run is abandoned.
    fn maker(&self, cancel: &Cancel) -> Maker {
        let search = Search { cancel: cancel.clone(), ..self.search.clone() };
        let bounds = search.bounds();
        let maker = Maker::new(self.recipe.clone(), self.seed).with_level(search.simd);
        maker.with_built(search.build(), bounds)
    }

    /// Makes all puzzles and writes them in order. `refused` receives lines that cannot be used.
    ///
    /// A run ends when failures outnumber successes. A failure is a puzzle from a random grid that could
    /// not be made, or [`Recipe::ATTEMPTS`] attempts (more if the recipe has more) without a puzzle as
    /// requested. A grid of the inputs is left after [`Recipe::ATTEMPTS`] attempts in a row that
    /// gave nothing new.
    ///
    /// # Errors
    /// See [`run::Error`].
    pub fn write(
        &self,
        run: &Run,
        origin: Origin,
        share: Share,
        refused: &mut dyn FnMut(&str, u64, &str),
        output: &mut Transaction,
        control: Control<'_>,
    ) -> Result<Report, run::Error> {
        let (writing, shape) = (&run.writing, Shape::new(Self::counts()));
        let is_random = matches!(origin, Origin::Random);
        let (range, all) =
            share.tasks.map_or((0..u64::MAX, None), |(range, all)| (range, Some(all)));
        let all = all.or(is_random.then_some(self.count));
        let range = range.start..range.end.min(all.unwrap_or(u64::MAX));
        let begun = Begun::of_tasks(range.clone(), all, &shape, output)?;
        let (counts, cancel) = (begun.counts(), control.cancel().clone());
        let mut order = Distinct::new(self, writing, is_random, range, counts, &cancel, refused);
        let reached: Checkpoint = output.resumed()?.unwrap_or_default();
        order.restore(&reached.own, share.seen);
        let tasks = Tasks::new(origin, self.count, writing.rejects).left_of(&order, all, counts);
        let make = || {
            let (mut maker, cancel, shape) = (self.maker(&cancel), cancel.clone(), &shape);
            move |block: &_, output: &mut Output<Kept>, _: HandOver<'_, _>| {
                output.counts = shape.zero();
                output.kept.make(block, &mut maker, &cancel);
                Ok(ControlFlow::Continue(()))
            }
        };
        output.write_preamble(0, &writing.style.preamble())?;
        run::drive(&run.pipeline, tasks, make, &mut order, begun, &shape, output, control)
    }
}
