//! How commands search: the engine and its bounds, and the answers to the puzzles of a chunk.

use crate::Verdict;
use crate::engine::lanes::SimdLevel;
use crate::engine::{Answer, Bounds, Engine, EngineKind};
use crate::input::{Malformed, Puzzles};
use crate::pipeline::Cancel;
use crate::puzzle::{Puzzle, Solution};
use crate::run::SlowPlace;
use std::fmt;
use std::sync::Arc;
use std::time::Instant;

/// Makes engines of one's own, one for each worker. They have bounds of their own.
pub type MakeEngine = Arc<dyn Fn() -> Box<dyn Engine> + Send + Sync>;

/// The engine of a command, and the bounds of its searches.
#[derive(Clone)]
#[non_exhaustive]
pub struct Search {
    /// The engine.
    pub engine: EngineKind,
    /// An engine that is used instead.
    pub own: Option<MakeEngine>,
    /// Which vectors may be used.
    pub simd: SimdLevel,
    /// The most branches of a puzzle. One that takes more is [`Verdict::Unknown`].
    pub max_branches: Option<u32>,
    /// Searches are given up when it is abandoned.
    pub cancel: Cancel,
}

impl Default for Search {
    fn default() -> Self {
        let simd = SimdLevel::best();
        Self {
            engine: EngineKind::default(),
            own: None,
            simd,
            max_branches: None,
            cancel: Cancel::default(),
        }
    }
}

impl fmt::Debug for Search {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Search").field("engine", &self.engine).finish_non_exhaustive()
    }
}

impl Search {
    /// The bounds of all searches. Long searches are timed.
    #[must_use]
    pub fn bounds(&self) -> Bounds {
        let start = Instant::now();
        let bounds = Bounds::default().with_stop(self.cancel.abandon_flag());
        let bounds = bounds.with_clock(move || start.elapsed());
        match self.max_branches {
            Some(branches) => bounds.with_max_branches(branches),
            None => bounds,
        }
    }

    /// An engine with these bounds.
    #[must_use]
    pub fn build(&self) -> Box<dyn Engine> {
        match &self.own {
            Some(make) => make(),
            None => self.engine.build_bounded(self.simd, self.bounds()),
        }
    }
}

/// An engine, and its answers to the puzzles of a chunk.
pub(crate) struct Answers {
    pub(crate) engine: Box<dyn Engine>,
    /// How many solutions are looked for.
    pub(crate) limit: usize,
    pub(crate) found: Vec<Answer>,
}

impl Answers {
    pub(crate) const fn new(engine: Box<dyn Engine>, limit: usize) -> Self {
        Self { engine, limit, found: Vec::new() }
    }

    /// Answers all puzzles of a chunk: first the grids, then the sukakus. With a limit of 2, the solution
    /// is given only if there is no other: engines prove that sooner than they find the first of several.
    /// Returns the line that took longest.
    pub(crate) fn find(&mut self, puzzles: &Puzzles) -> Option<SlowPlace> {
        self.find_up_to(self.limit, puzzles)
    }

    /// As [`find`](Self::find), with another limit.
    pub(crate) fn find_up_to(&mut self, limit: usize, puzzles: &Puzzles) -> Option<SlowPlace> {
        let Self { engine, found: answers, .. } = self;
        let (grids, sukakus) = (puzzles.grids(), puzzles.sukakus());
        answers.clear();
        answers.reserve(puzzles.count());
        match limit {
            2 => engine.prove_batch(grids, answers),
            _ => engine.solve_batch(grids, limit, answers),
        }
        let of_grids = (0, engine.slowest());
        engine.solve_sukakus(sukakus, limit, answers);
        assert_eq!(answers.len(), puzzles.count(), "one answer for each puzzle");
        let slowest = [of_grids, (grids.len(), engine.slowest())];
        SlowPlace::find(
            puzzles,
            slowest.map(|(first, it)| (first, it.map(|it| (it.index, it.time)))),
        )
    }

    /// The verdict on a puzzle.
    pub(crate) fn verdict(&self, number: usize, puzzle: &Puzzle) -> Verdict<&Solution, &Malformed> {
        self.found[number].verdict(puzzle, self.limit, self.engine.max_branches())
    }

    /// The solution of a puzzle, if exactly one was found.
    #[inline]
    pub(crate) fn solution(&self, number: usize) -> Option<&Solution> {
        self.found[number].solution()
    }
}
