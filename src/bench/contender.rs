//! An engine that is timed: at a SIMD level, on one thread or more.
//!
//! Engines get puzzles in batches, as in the program. One thread is timed batch by batch, and each
//! batch is checked at once with the clock stopped. Several threads are timed from the start of the
//! first to the end of the last.

use super::clock::Clock;
use super::outside::Outside;
use crate::bulk::answer_grids;
use crate::engine::lanes::SimdLevel;
use crate::engine::{Answer, Engine, EngineKind};
use crate::puzzle::{Grid, Puzzle, Sukaku};
use rayon::{ThreadPool, ThreadPoolBuilder};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::io;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// Puzzles that an engine is given at a time: about as many as a chunk of the program has.
const BATCH: usize = crate::bulk::CHUNK_BYTES / 82;

/// The smallest batch of each of several threads, unless a thread would then have none: 16 puzzles
/// for each of 32 lanes. With two for each, `lanes` would idle at the end of every batch, and this
/// loss would look like a cost of threads.
const LEAST_TOGETHER: usize = 512;

/// The size of a batch on these threads. Each thread gets several batches, so that none waits long
/// for another.
fn size_together(puzzles: usize, threads: usize) -> usize {
    let several = puzzles.div_ceil(8 * threads).max(LEAST_TOGETHER);
    several.min(puzzles.div_ceil(threads)).clamp(1, BATCH)
}

/// The name of a contender.
///
/// ```
/// use crate::bench::Contender;
/// use crate::engine::EngineKind;
/// use crate::engine::lanes::SimdLevel;
///
/// let contender = Contender::new(EngineKind::Mrv, SimdLevel::best(), 2)?;
/// assert_eq!((contender.label().threads, &contender.label().simd), (2, &None));
/// assert_eq!(contender.label().to_string(), "mrv, 2 threads");
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Label {
    /// The engine's name.
    pub engine: String,
    /// The SIMD level, if the engine depends on it.
    pub simd: Option<String>,
    /// The number of threads, each with an engine of its own.
    pub threads: usize,
}

impl fmt::Display for Label {
    /// `lanes (avx2), 2 threads`; one thread is not mentioned.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.engine)?;
        if let Some(simd) = &self.simd {
            write!(f, " ({simd})")?;
        }
        if self.threads > 1 { write!(f, ", {} threads", self.threads) } else { Ok(()) }
    }
}

/// Called with each batch: the place of its first puzzle, its puzzles and the answers. An error ends
/// the measurement.
pub(super) type Check<'a, E> = dyn FnMut(usize, &[Puzzle], &[Answer]) -> Result<(), E> + 'a;

/// An engine that is timed.
///
/// ```
/// use crate::bench::Contender;
/// use crate::engine::EngineKind;
/// use crate::engine::lanes::SimdLevel;
///
/// let contender = Contender::new(EngineKind::Lanes, SimdLevel::best(), 1)?;
/// assert_eq!(contender.label().engine, "lanes");
/// assert!(contender.label().simd.is_some());
/// # Ok::<(), std::io::Error>(())
/// ```
pub struct Contender {
    label: Label,
    /// Whether it may be given any sukaku: engines cannot be observed on those, so nothing stops an
    /// engine that takes hours.
    takes_sukakus: bool,
    means: Means,
}

/// How a contender solves.
enum Means {
    Engines { engines: Vec<Mutex<Box<dyn Engine>>>, pool: Option<ThreadPool> },
    Outside(Box<dyn Outside>),
}

/// Puzzles as engines take them. Made before the clock starts.
enum Batch {
    Grids(Vec<Grid>),
    Sukakus(Vec<Sukaku>),
    Mixed(Vec<Puzzle>),
}

impl Batch {
    fn of(puzzles: &[Puzzle]) -> Self {
        let grids = puzzles.iter().map_while(|puzzle| match puzzle {
            Puzzle::Grid(grid) => Some(*grid),
            Puzzle::Sukaku(_) => None,
        });
        let grids: Vec<_> = grids.collect();
        if grids.len() == puzzles.len() {
            return Self::Grids(grids);
        }
        let sukakus = puzzles.iter().map_while(|puzzle| match puzzle {
            Puzzle::Sukaku(sukaku) => Some(*sukaku),
            Puzzle::Grid(_) => None,
        });
        let sukakus: Vec<_> = sukakus.collect();
        if sukakus.len() == puzzles.len() {
            return Self::Sukakus(sukakus);
        }
        Self::Mixed(puzzles.to_vec())
    }

    fn solve(&self, engine: &mut dyn Engine, limit: usize, answers: &mut Vec<Answer>) {
        match self {
            Self::Grids(grids) => answer_grids(engine, grids, limit, answers),
            Self::Sukakus(sukakus) => engine.solve_sukakus(sukakus, limit, answers),
            Self::Mixed(puzzles) => puzzles.iter().for_each(|puzzle| match puzzle {
                Puzzle::Grid(grid) => engine.solve_batch(&[*grid], limit, answers),
                Puzzle::Sukaku(sukaku) => engine.solve_sukakus(&[*sukaku], limit, answers),
            }),
        }
    }
}

impl Contender {
    /// An engine at a SIMD level, on `threads` threads, at least one.
    ///
    /// # Errors
    /// The threads cannot be started.
    pub fn new(kind: EngineKind, level: SimdLevel, threads: usize) -> io::Result<Self> {
        let simd = (kind == EngineKind::Lanes).then(|| level.name().to_owned());
        let engines = (0..threads.max(1)).map(|_| kind.build_at(level)).collect();
        // A hard sukaku takes each of the others minutes.
        let fast = matches!(kind, EngineKind::Mrv | EngineKind::Lanes);
        let contender = Self::with_engines(kind.name(), simd, engines)?;
        Ok(Self { takes_sukakus: fast, ..contender })
    }

    /// Any engine, one for each thread: the way to measure an engine of your own.
    ///
    /// ```
    /// use crate::bench::Contender;
    /// use crate::engine::EngineKind;
    ///
    /// let contender = Contender::with_engines("mine", None, vec![EngineKind::Mrv.build()])?;
    /// assert_eq!(contender.label().to_string(), "mine");
    /// # Ok::<(), std::io::Error>(())
    /// ```
    ///
    /// # Errors
    /// The threads cannot be started.
    ///
    /// # Panics
    /// If `engines` is empty.
    pub fn with_engines(
        name: &str,
        simd: Option<String>,
        engines: Vec<Box<dyn Engine>>,
    ) -> io::Result<Self> {
        let threads = engines.len();
        assert!(threads > 0, "a contender has an engine");
        let pool = if threads == 1 {
            None
        } else {
            let builder = ThreadPoolBuilder::new().num_threads(threads);
            Some(builder.build().map_err(io::Error::other)?)
        };
        let label = Label { engine: name.to_owned(), simd, threads };
        let engines = engines.into_iter().map(Mutex::new).collect();
        Ok(Self { label, takes_sukakus: true, means: Means::Engines { engines, pool } })
    }

    /// A solver outside of this process. It is not measured on sukakus.
    #[must_use]
    pub fn outside(name: &str, outside: Box<dyn Outside>) -> Self {
        let label = Label { engine: name.to_owned(), simd: None, threads: 1 };
        Self { label, takes_sukakus: false, means: Means::Outside(outside) }
    }

    /// The name of its rows.
    #[must_use]
    pub const fn label(&self) -> &Label {
        &self.label
    }

    /// Whether it is measured on lists with sukakus.
    pub(super) const fn takes_sukakus(&self) -> bool {
        self.takes_sukakus
    }

    /// The solver outside of this process, if it is one.
    pub(super) fn as_outside(&mut self) -> Option<&mut dyn Outside> {
        match &mut self.means {
            Means::Engines { .. } => None,
            Means::Outside(outside) => Some(outside.as_mut()),
        }
    }

    /// Whether it solves outside of this process.
    pub(super) const fn is_outside(&self) -> bool {
        matches!(self.means, Means::Outside(_))
    }

    /// One of its engines.
    pub(super) fn engine(&mut self) -> Option<&mut dyn Engine> {
        match &mut self.means {
            Means::Engines { engines, .. } => {
                let first = engines[0].get_mut();
                Some(first.unwrap_or_else(PoisonError::into_inner).as_mut())
            }
            Means::Outside(_) => None,
        }
    }

    /// Solves all puzzles in this process and returns the time of that alone. `check` gets all answers
    /// while the clock is stopped.
    pub(super) fn time<E>(
        &mut self,
        puzzles: &[Puzzle],
        limit: usize,
        clock: &dyn Clock,
        check: &mut Check<E>,
    ) -> Result<Duration, E> {
        match &mut self.means {
            Means::Engines { engines, pool: Some(pool) } => {
                time_together(engines, pool, puzzles, limit, clock, check)
            }
            Means::Engines { engines, pool: None } => {
                let engine = engines[0].get_mut().unwrap_or_else(PoisonError::into_inner);
                time_alone(engine.as_mut(), puzzles, limit, clock, check)
            }
            Means::Outside(_) => Ok(Duration::ZERO),
        }
    }
}

fn time_alone<E>(
    engine: &mut dyn Engine,
    puzzles: &[Puzzle],
    limit: usize,
    clock: &dyn Clock,
    check: &mut Check<E>,
) -> Result<Duration, E> {
    let mut answers = Vec::with_capacity(puzzles.len().min(BATCH));
    let mut time = Duration::ZERO;
    for (index, puzzles) in puzzles.chunks(BATCH).enumerate() {
        answers.clear();
        let batch = Batch::of(puzzles);
        let started = clock.now();
        batch.solve(engine, limit, &mut answers);
        time += clock.since(started);
        check(index * BATCH, puzzles, &answers)?;
    }
    Ok(time)
}

fn time_together<E>(
    engines: &[Mutex<Box<dyn Engine>>],
    pool: &ThreadPool,
    puzzles: &[Puzzle],
    limit: usize,
    clock: &dyn Clock,
    check: &mut Check<E>,
) -> Result<Duration, E> {
    let size = size_together(puzzles.len(), engines.len());
    let batches: Vec<_> = puzzles.chunks(size).map(Batch::of).collect();
    let memory = |batch: &[Puzzle]| Mutex::new(Vec::with_capacity(batch.len()));
    let answers: Vec<Mutex<Vec<Answer>>> = puzzles.chunks(size).map(memory).collect();
    let next = AtomicUsize::new(0);
    let started = clock.now();
    pool.broadcast(|thread| {
        let engine = &engines[thread.index()];
        let mut engine = engine.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(answers) = answers.get(index) else { return };
            let mut answers = answers.lock().unwrap_or_else(PoisonError::into_inner);
            batches[index].solve(engine.as_mut(), limit, &mut answers);
        }
    });
    let time = clock.since(started);
    for (index, (batch, answers)) in puzzles.chunks(size).zip(answers).enumerate() {
        let answers = answers.into_inner().unwrap_or_else(PoisonError::into_inner);
        check(index * size, batch, &answers)?;
    }
    Ok(time)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_have_batches_as_long_as_one_has() {
        let cases = [(2016, 4, 504), (100_000, 4, 3125), (100_000, 2, BATCH), (20_000, 4, 625)];
        for (puzzles, threads, size) in cases {
            assert_eq!(size_together(puzzles, threads), size, "{puzzles} on {threads} threads");
        }
        assert_eq!([size_together(0, 2), size_together(3, 4), size_together(9, 2)], [1, 1, 5]);
    }
}
