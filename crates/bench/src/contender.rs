//! What is timed: an engine at a SIMD level, or a program.
//!
//! Engines get puzzles in batches, as in the program. Each batch is checked at once with the clock stopped.

use crate::list::grids_of;
use crate::program::Program;
use ninefold_core::engine::lanes::SimdLevel;
use ninefold_core::engine::{Answer, Bounds, Engine, EngineKind};
use ninefold_core::puzzle::{Puzzle, Sukaku};
use std::cell::RefCell;

/// A monotonic clock: the seconds since a fixed moment. Tests set their own.
pub(crate) type BenchClock<'a> = &'a dyn Fn() -> f64;

/// Puzzles that an engine is given at a time: about as many as a chunk of the program has.
pub(crate) const BATCH: usize = 256 * 1024 / 82;

pub(crate) struct Contender {
    pub(crate) name: String,
    /// The SIMD level, if the engine depends on it.
    pub(crate) simd: Option<SimdLevel>,
    /// Whether it may be given any sukaku: engines cannot be observed on those, so nothing stops an
    /// engine that takes hours.
    pub(crate) takes_sukakus: bool,
    pub(crate) solver: Solver,
}

pub(crate) enum Solver {
    Engine(RefCell<Box<dyn Engine>>),
    Program(Program),
}

impl Contender {
    /// An engine at a SIMD level.
    pub(crate) fn built_in(kind: EngineKind, level: SimdLevel) -> Self {
        Self {
            simd: (kind == EngineKind::Lanes).then_some(level),
            // A hard sukaku takes each of the others minutes.
            takes_sukakus: matches!(kind, EngineKind::Mrv | EngineKind::Lanes),
            ..Self::engine(kind.name(), kind.build_bounded(level, Bounds::default()))
        }
    }

    /// Any engine.
    pub(crate) fn engine(name: &str, engine: Box<dyn Engine>) -> Self {
        let solver = Solver::Engine(RefCell::new(engine));
        Self { name: name.to_owned(), simd: None, takes_sukakus: true, solver }
    }

    pub(crate) fn program(program: Program) -> Self {
        let name = program.command.name.clone();
        Self { name, simd: None, takes_sukakus: false, solver: Solver::Program(program) }
    }
}

/// Lets an engine prove a batch unique or not, and returns the seconds of that alone. Appends one answer for
/// each puzzle: 0, 1 or 2 solutions. That of a grid has the solution only if there is no other, as in the
/// program: engines prove that sooner than they find the first of several.
pub(crate) fn prove(
    engine: &mut dyn Engine,
    puzzles: &[Puzzle],
    clock: BenchClock,
    answers: &mut Vec<Answer>,
) -> f64 {
    // Puzzles as engines take them, grids or else sukakus, are made before the clock starts.
    let grids = grids_of(puzzles);
    if grids.len() == puzzles.len() {
        let started = clock();
        engine.prove_batch(&grids, answers);
        return clock() - started;
    }
    let sukakus = puzzles.iter().map(|puzzle| match puzzle {
        Puzzle::Grid(grid) => Sukaku::from(grid),
        Puzzle::Sukaku(sukaku) => *sukaku,
    });
    let sukakus: Vec<_> = sukakus.collect();
    let started = clock();
    engine.solve_sukakus(&sukakus, 2, answers);
    clock() - started
}
