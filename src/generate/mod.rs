//! `ninefold generate`: runs [`Maker`] on all threads, and writes each puzzle once.
//!
//! ```text
//! Tasks: numbers, perhaps with a grid ──> workers: puzzles, records ──> Distinct: in order, none twice
//! ```
//!
//! The run is that of all commands. What it reads are tasks: a shard has some of them, and a
//! checkpoint says how many are done.

#[cfg(feature = "cli")]
pub(crate) mod args;
mod distinct;
mod source;

pub use ninefold_core::generate::*;

use crate::input::Source;
use crate::output::{Column, Transaction};
use crate::pipeline::{Cancel, Control, Given, HandOver};
use crate::puzzle::Cell;
use crate::run::{self, Clues, Count, Counts, Report, Run, Stage};
use crate::search::Search;
use crate::written;
use distinct::Distinct;
use source::{Block, Tasks};
use std::ops::{ControlFlow, Range};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// The columns of a table of puzzles.
pub const COLUMNS: [Column; 4] = [
    Column::status("unique"),
    Column::whole("solutions", "the number of solutions: 1"),
    Column::text("puzzle", "the cells of the puzzle"),
    Column::text("solution", "the solution"),
];

ninefold_core::named_enum! {
    /// What is counted of tasks.
    pub enum Making, "count" {
        Near = "near", "a puzzle without the requested number of clues";
        Missing = "missing", "a puzzle that was not made";
        NotTried = "not_tried", "a task that was left out";
        Exhausted = "exhausted", "a missing puzzle of which only known ones were made";
        DrawnAgain = "drawn_again", "a puzzle that was made before";
        Tried = "tried", "an attempt";
        RefusedLine = "refused_lines", "a line that nothing can be made from";
        Unknown = "unknown", "a search that takes more branches than allowed";
        Stopped = "stopped", "a run in which failures outnumber successes";
        Tries = "tries", "the most attempts for one of the missing";
    }
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

impl Generate {
    /// The counts: tasks are lines.
    pub(crate) fn counts() -> Vec<Count> {
        let listed = &Making::ALL[..Making::Tries as usize];
        let making = Count::each::<Making>().listed(listed).most(&[Making::Tries]);
        vec![making, Count::of::<Clues>("clues", 0..=Cell::COUNT)]
    }

    /// A maker whose searches end when this run is abandoned.
    fn maker(&self, cancel: &Cancel) -> Maker {
        let search = Search { cancel: cancel.clone(), ..self.search.clone() };
        let bounds = search.bounds();
        let maker = Maker::new(self.recipe.clone(), self.seed).with_level(search.simd);
        maker.with_built(search.build(), bounds)
    }

    /// Makes all puzzles and writes them in order: from the full grids of the sources or the solutions next
    /// to them, or from random grids if there are no sources. `share` are the tasks of this run and the number of
    /// all tasks, if only some are done. `refused` receives lines that cannot be used.
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
        sources: Vec<Source>,
        share: Option<(Range<u64>, u64)>,
        refused: &mut (dyn FnMut(&str, u64, &str) + Send),
        output: &mut Transaction,
        control: Control<'_>,
    ) -> Result<Report, run::Error> {
        let (writing, zero) = (&run.writing, Counts::new(Self::counts()));
        let (range, all) = share.map_or((0..u64::MAX, None), |(range, all)| (range, Some(all)));
        let all = all.or(sources.is_empty().then_some(self.count));
        let range = range.start..range.end.min(all.unwrap_or(u64::MAX));
        let cancel = control.cancel().clone();
        output.write_preamble(0, &writing.style.preamble())?;
        let work = output.work();
        let mut stage = Stage::of_tasks(range.clone(), all, &zero, output, control)?;
        let mut order = Distinct::new(self, writing, range, &stage, &cancel, refused);
        if self.distinct {
            let (output, expected) = (&*stage.output, stage.counts().puzzles);
            written::read(output, &writing.style, 0, expected, |it| order.know(it.grids()))?;
        }
        let mut tasks = Tasks::new(sources, self.count, writing.rejects);
        tasks.is_last = all.is_none_or(|all| order.range.end == all);
        tasks.range = order.range.clone();
        tasks.refused_before = stage.counts()[Making::RefusedLine];
        tasks.skipped_to = Arc::clone(&order.skipped_to);
        let tries = AtomicU64::new(0);
        let make = || {
            let (mut maker, cancel, tries) = (self.maker(&cancel), cancel.clone(), &tries);
            move |block: &mut Block, made: &mut Vec<_>, _: HandOver<'_, Vec<_>>| {
                *made = maker.make(&block.tasks, &|begun| {
                    tries.fetch_add(begun, Ordering::Relaxed);
                    cancel.is_requested()
                });
                Ok(ControlFlow::Continue(()))
            }
        };
        let take = |given: Given<'_, Block, Vec<_>>| match given {
            Given::Chunk(block, made) => order.take(block, made, &mut stage),
            Given::Part(_) | Given::Nothing => {
                stage.tried(tries.load(Ordering::Relaxed));
                stage.wait()
            }
        };
        let times = Arc::default();
        let ran = run.pipeline.run(tasks, make, take, work, &cancel, &times);
        let place = |block: Block| (0, block.tasks.len() as u64);
        ran.map_err(|stop| stage.error(stop, place))?;
        Ok(stage.report(&run.pipeline, times))
    }
}
