//! What is timed: an engine at a SIMD level, or a program.
//!
//! Engines get puzzles in batches, as in the program. Each batch is checked at once with the clock stopped.

use crate::list::grids_of;
use crate::program::Program;
use crate::report::ContenderName;
use ninefold_core::engine::lanes::SimdLevel;
use ninefold_core::engine::{Answer, Bounds, Engine, EngineKind};
use ninefold_core::puzzle::{Puzzle, Sukaku};
use std::cell::RefCell;
use std::time::Duration;

/// A monotonic clock: the time since a fixed moment. Tests set their own.
pub(crate) type BenchClock<'a> = &'a dyn Fn() -> Duration;

/// Puzzles that an engine is given at a time: about as many as a chunk of the program has.
pub(crate) const BATCH: usize = 256 * 1024 / 82;

pub(crate) struct Contender {
    pub(crate) name: ContenderName,
    /// Whether it may be given any sukaku: engines cannot be observed on those, so nothing stops an
    /// engine that takes hours.
    pub(crate) takes_sukakus: bool,
    pub(crate) means: Means,
}

pub(crate) enum Means {
    Engine(RefCell<Box<dyn Engine>>),
    Program(Program),
}

impl Contender {
    /// An engine at a SIMD level.
    pub(crate) fn built_in(kind: EngineKind, level: SimdLevel) -> Self {
        let mut contender = Self::engine(kind.name(), kind.build_bounded(level, Bounds::default()));
        contender.name.simd = (kind == EngineKind::Lanes).then(|| level.name().to_owned());
        // A hard sukaku takes each of the others minutes.
        contender.takes_sukakus = matches!(kind, EngineKind::Mrv | EngineKind::Lanes);
        contender
    }

    /// Any engine.
    pub(crate) fn engine(name: &str, engine: Box<dyn Engine>) -> Self {
        let name = ContenderName { engine: name.to_owned(), simd: None };
        Self { name, takes_sukakus: true, means: Means::Engine(RefCell::new(engine)) }
    }

    pub(crate) fn program(program: Program) -> Self {
        let name = ContenderName { engine: program.command.name.clone(), simd: None };
        Self { name, takes_sukakus: false, means: Means::Program(program) }
    }
}

/// Lets an engine prove a batch unique or not, and returns the time of that alone. Appends one answer for
/// each puzzle: 0, 1 or 2 solutions. That of a grid has the solution only if there is no other, as in the
/// program: engines prove that sooner than they find the first of several.
pub(crate) fn prove(
    engine: &mut dyn Engine,
    puzzles: &[Puzzle],
    clock: BenchClock,
    answers: &mut Vec<Answer>,
) -> Duration {
    // Puzzles as engines take them, grids or else sukakus, are made before the clock starts.
    let grids = grids_of(puzzles);
    if grids.len() == puzzles.len() {
        let started = clock();
        engine.prove_batch(&grids, answers);
        return clock().saturating_sub(started);
    }
    let sukakus = puzzles.iter().map(|puzzle| match puzzle {
        Puzzle::Grid(grid) => Sukaku::from(grid),
        Puzzle::Sukaku(sukaku) => *sukaku,
    });
    let sukakus: Vec<_> = sukakus.collect();
    let started = clock();
    engine.solve_sukakus(&sukakus, 2, answers);
    clock().saturating_sub(started)
}
