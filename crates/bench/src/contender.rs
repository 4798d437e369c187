//! What is timed: an engine at a SIMD level on one thread or more, or a solver in another process.
//!
//! Engines get puzzles in batches, as in the program. One thread is timed batch by batch, and each
//! batch is checked at once with the clock stopped. Several threads are timed from the start of the
//! first to the end of the last.

use crate::Error;
use crate::list::grids_of;
use crate::outside::Outside;
use crate::report::Label;
use ninefold_core::engine::lanes::SimdLevel;
use ninefold_core::engine::{Answer, Engine, EngineKind};
use ninefold_core::puzzle::{Grid, Puzzle, Sukaku};
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// A monotonic clock: the time since a fixed moment. Tests set their own.
pub(crate) type Clock<'a> = &'a dyn Fn() -> Duration;

/// Puzzles that an engine is given at a time: about as many as a chunk of the program has.
const BATCH: usize = 256 * 1024 / 82;

/// The smallest batch of each of several threads, unless a thread would then have none: 16 puzzles
/// for each of 32 lanes. With two for each, `lanes` would idle at the end of every batch, and this
/// loss would look like a cost of threads.
const LEAST_TOGETHER: usize = 512;

/// The size of a batch. Each of several threads gets several, so that none waits long for another.
fn batch_size(puzzles: usize, threads: usize) -> usize {
    let several = puzzles.div_ceil(8 * threads).max(LEAST_TOGETHER);
    let together = several.min(puzzles.div_ceil(threads)).clamp(1, BATCH);
    if threads == 1 { BATCH } else { together }
}

/// Called with each batch: the place of its first puzzle, its puzzles and the answers. An error ends
/// the measurement.
pub(crate) type Check<'a> = dyn FnMut(usize, &[Puzzle], &[Answer]) -> Result<(), Error> + 'a;

pub(crate) struct Contender {
    pub(crate) label: Label,
    /// Whether it may be given any sukaku: engines cannot be observed on those, so nothing stops an
    /// engine that takes hours.
    pub(crate) takes_sukakus: bool,
    pub(crate) means: Means,
}

pub(crate) enum Means {
    Engines(Engines),
    Outside(Outside),
}

impl Contender {
    /// An engine at a SIMD level, on `threads` threads.
    pub(crate) fn new(kind: EngineKind, level: SimdLevel, threads: usize) -> Result<Self, Error> {
        let engines = (0..threads).map(|_| kind.build_at(level)).collect();
        let mut contender = Self::with_engines(kind.name(), engines)?;
        contender.label.simd = (kind == EngineKind::Lanes).then(|| level.name().to_owned());
        // A hard sukaku takes each of the others minutes.
        contender.takes_sukakus = matches!(kind, EngineKind::Mrv | EngineKind::Lanes);
        Ok(contender)
    }

    /// Any engine, one for each thread.
    pub(crate) fn with_engines(name: &str, engines: Vec<Box<dyn Engine>>) -> Result<Self, Error> {
        let (threads, engine) = (engines.len(), name.to_owned());
        let pool = || ThreadPoolBuilder::new().num_threads(threads).build();
        let pool = (threads > 1).then(pool).transpose()?;
        let engines = engines.into_iter().map(Mutex::new).collect();
        let means = Means::Engines(Engines { engines, pool });
        let label = Label { engine, simd: None, threads };
        Ok(Self { label, takes_sukakus: true, means })
    }

    pub(crate) fn outside(outside: Outside) -> Self {
        let label = Label { engine: outside.solver.name.clone(), simd: None, threads: 1 };
        Self { label, takes_sukakus: false, means: Means::Outside(outside) }
    }
}

/// An engine for each thread, and the threads if there are several.
pub(crate) struct Engines {
    engines: Vec<Mutex<Box<dyn Engine>>>,
    pool: Option<ThreadPool>,
}

impl Engines {
    pub(crate) fn first(&self) -> MutexGuard<'_, Box<dyn Engine>> {
        lock(&self.engines[0])
    }

    /// Solves all puzzles and returns the time of that alone. `check` gets all answers while the clock
    /// is stopped.
    pub(crate) fn time(
        &self,
        puzzles: &[Puzzle],
        limit: usize,
        clock: Clock,
        check: &mut Check,
    ) -> Result<Duration, Error> {
        let size = batch_size(puzzles.len(), self.engines.len());
        let together = if self.pool.is_some() { puzzles.len().max(1) } else { size };
        let (mut time, mut memory) = (Duration::ZERO, Vec::new());
        for (part, puzzles) in puzzles.chunks(together).enumerate() {
            let batches: Vec<_> = puzzles.chunks(size).map(Batch::of).collect();
            memory.resize_with(batches.len(), || Mutex::new(Vec::with_capacity(size)));
            for answers in &memory {
                lock(answers).clear();
            }
            let next = AtomicUsize::new(0);
            let work = |thread: usize| {
                let mut engine = lock(&self.engines[thread]);
                while let index = next.fetch_add(1, Ordering::Relaxed)
                    && let Some(batch) = batches.get(index)
                {
                    batch.solve(engine.as_mut(), limit, &mut lock(&memory[index]));
                }
            };
            let started = clock();
            match &self.pool {
                None => work(0),
                Some(pool) => drop(pool.broadcast(|thread| work(thread.index()))),
            }
            time += clock().saturating_sub(started);
            for (index, (batch, answers)) in puzzles.chunks(size).zip(&memory).enumerate() {
                check(part * together + index * size, batch, &lock(answers))?;
            }
        }
        Ok(time)
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Puzzles as engines take them, grids or else sukakus. Made before the clock starts.
pub(crate) enum Batch {
    Grids(Vec<Grid>),
    Sukakus(Vec<Sukaku>),
}

impl Batch {
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

    /// Appends one answer for each. With a limit of 2, the solution is given only if there is no other,
    /// as in the program: engines prove that sooner than they find the first of several.
    pub(crate) fn solve(&self, engine: &mut dyn Engine, limit: usize, answers: &mut Vec<Answer>) {
        match self {
            Self::Grids(grids) if limit == 2 => engine.prove_batch(grids, answers),
            Self::Grids(grids) => engine.solve_batch(grids, limit, answers),
            Self::Sukakus(sukakus) => engine.solve_sukakus(sukakus, limit, answers),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_have_batches_as_long_as_one_has() {
        let cases = [(2016, 4, 504), (100_000, 4, 3125), (100_000, 2, BATCH), (20_000, 4, 625)];
        for (puzzles, threads, size) in cases.into_iter().chain([(0, 2, 1), (3, 4, 1), (9, 2, 5)]) {
            assert_eq!(batch_size(puzzles, threads), size, "{puzzles} on {threads} threads");
        }
    }
}
