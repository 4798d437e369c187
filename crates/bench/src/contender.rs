//! What is timed: an engine at a SIMD level, or a program.
//!
//! Engines get puzzles in batches, as in the program. Each batch is checked at once with the clock stopped.

use crate::Error;
use crate::list::grids_of;
use crate::program::Program;
use crate::report::ContenderName;
use ninefold_core::engine::lanes::SimdLevel;
use ninefold_core::engine::{Answer, Engine, EngineKind};
use ninefold_core::puzzle::{Grid, Puzzle, Sukaku};
use std::cell::RefCell;
use std::time::Duration;

/// A monotonic clock: the time since a fixed moment. Tests set their own.
pub(crate) type BenchClock<'a> = &'a dyn Fn() -> Duration;

/// Puzzles that an engine is given at a time: about as many as a chunk of the program has.
const BATCH: usize = 256 * 1024 / 82;

/// Called with each batch: the place of its first puzzle, its puzzles and the answers. An error ends
/// the measurement.
pub(crate) type Check<'a> = dyn FnMut(usize, &[Puzzle], &[Answer]) -> Result<(), Error> + 'a;

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
        let mut contender = Self::engine(kind.name(), kind.build_at(level));
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

    /// Fails if it is a program that does not start.
    pub(crate) fn try_to_start(&self, cancelled: &dyn Fn() -> bool) -> Result<(), Error> {
        match &self.means {
            Means::Engine(_) => Ok(()),
            Means::Program(program) => program.try_to_start(cancelled),
        }
    }
}

/// Lets an engine prove all puzzles unique or not, and returns the time of that alone. `check` gets all
/// answers while the clock is stopped.
pub(crate) fn time(
    engine: &mut dyn Engine,
    puzzles: &[Puzzle],
    clock: BenchClock,
    check: &mut Check,
) -> Result<Duration, Error> {
    let (mut time, mut answers) = (Duration::ZERO, Vec::with_capacity(BATCH));
    for (number, puzzles) in puzzles.chunks(BATCH).enumerate() {
        let batch = EngineBatch::of(puzzles);
        answers.clear();
        let started = clock();
        batch.prove(engine, &mut answers);
        time += clock().saturating_sub(started);
        check(number * BATCH, puzzles, &answers)?;
    }
    Ok(time)
}

/// Puzzles as engines take them, grids or else sukakus. Made before the clock starts.
pub(crate) enum EngineBatch {
    Grids(Vec<Grid>),
    Sukakus(Vec<Sukaku>),
}

impl EngineBatch {
    pub(crate) fn of(puzzles: &[Puzzle]) -> Self {
        let grids = grids_of(puzzles);
        if grids.len() == puzzles.len() {
            return Self::Grids(grids);
        }
        let sukakus = puzzles.iter().map(|puzzle| match puzzle {
            Puzzle::Grid(grid) => Sukaku::from(grid),
            Puzzle::Sukaku(sukaku) => *sukaku,
        });
        Self::Sukakus(sukakus.collect())
    }

    /// Appends one answer for each: 0, 1 or 2 solutions. That of a grid has the solution only if there is no
    /// other, as in the program: engines prove that sooner than they find the first of several.
    pub(crate) fn prove(&self, engine: &mut dyn Engine, answers: &mut Vec<Answer>) {
        match self {
            Self::Grids(grids) => engine.prove_batch(grids, answers),
            Self::Sukakus(sukakus) => engine.solve_sukakus(sukakus, 2, answers),
        }
    }
}
