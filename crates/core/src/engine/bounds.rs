//! Bounds of a search: how many branches it may take, and a flag that stops it.
//!
//! ```text
//! branches of one puzzle   0 ──────── 256 ───────────────── most
//!                          no test     clock      stop?        gives up
//! ```
//!
//! Most puzzles take fewer than [`WATCHED_AFTER`] branches, and no search of them looks at a bound, a
//! flag or a clock.
#![forbid(unsafe_code)]

use super::contract::{Answer, Branch, Engine, Slowest, Visit, count};
use crate::puzzle::{Grid, Puzzle, Sukaku};
use alloc::boxed::Box;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::fmt;
use core::ops::ControlFlow;
use core::sync::atomic::{AtomicBool, Ordering};
use core::time::Duration;

/// The branches of a puzzle before the clock is read. 256 branches take 20 to 200 µs.
pub(super) const WATCHED_AFTER: u64 = 256;

/// Branches of a puzzle between two looks at the flag: 0.5 to 5 ms of an engine.
const STOP_INTERVAL: u64 = 4096;

/// Branches of [`super::existence`] between two looks at the flag: each takes several microseconds.
pub(super) const EXISTENCE_STOP_INTERVAL: u64 = 64;

/// What ends the search of a puzzle before it is complete.
///
/// ```
/// use ninefold_core::engine::lanes::SimdLevel;
/// use ninefold_core::engine::{Bounds, EngineKind};
/// use ninefold_core::puzzle::Grid;
///
/// let bounds = Bounds::default().with_max_branches(10);
/// let mut engine = EngineKind::Lanes.build_bounded(SimdLevel::best(), bounds);
/// // The empty grid needs more than 10 guesses for the first solution.
/// assert!(engine.solve(&Grid::EMPTY, 2).gave_up);
/// ```
#[derive(Clone, Debug, Default)]
#[must_use]
pub struct Bounds {
    max_branches: Option<u32>,
    stop: Option<Arc<AtomicBool>>,
    clock: Option<Clock>,
}

/// Tells the time since some fixed moment.
#[derive(Clone)]
struct Clock(Arc<dyn Fn() -> Duration + Send + Sync>);

impl fmt::Debug for Clock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Clock")
    }
}

impl Bounds {
    /// None at all.
    pub(crate) const NONE: Self = Self { max_branches: None, stop: None, clock: None };

    /// Gives up a puzzle that takes more branches than this: 0 allows propagation only.
    ///
    /// The bound holds for [`Engine::solve_batch`] and [`Engine::solve_sukakus`], whose answers say
    /// so. A search with a visitor ends when a callback breaks; see
    /// [`Engine::search`].
    pub fn with_max_branches(self, branches: u32) -> Self {
        Self { max_branches: Some(branches), ..self }
    }

    /// Gives up all puzzles soon after this flag is set. What is found then is not complete, of
    /// searches with a visitor too.
    ///
    /// ```
    /// use ninefold_core::engine::lanes::SimdLevel;
    /// use ninefold_core::engine::{Bounds, EngineKind};
    /// use ninefold_core::puzzle::Grid;
    /// use std::sync::Arc;
    /// use std::sync::atomic::AtomicBool;
    ///
    /// let stop = Arc::new(AtomicBool::new(true));
    /// let bounds = Bounds::default().with_stop(stop);
    /// let mut engine = EngineKind::Mrv.build_bounded(SimdLevel::best(), bounds);
    /// // The empty grid has 6,670,903,752,021,072,936,960 solutions.
    /// assert!(engine.solve(&Grid::EMPTY, usize::MAX).gave_up);
    /// ```
    pub fn with_stop(self, stop: Arc<AtomicBool>) -> Self {
        Self { stop: Some(stop), ..self }
    }

    /// Measures long searches with this clock, for [`Engine::slowest`]. It returns the time since any
    /// fixed moment.
    #[doc(hidden)]
    pub fn with_clock(self, clock: impl Fn() -> Duration + Send + Sync + 'static) -> Self {
        Self { clock: Some(Clock(Arc::new(clock))), ..self }
    }

    /// The most branches of a puzzle, if they are bounded.
    pub const fn max_branches(&self) -> Option<u32> {
        self.max_branches
    }

    /// Whether the flag is set.
    #[doc(hidden)]
    pub fn is_stopped(&self) -> bool {
        self.stop.as_ref().is_some_and(|stop| stop.load(Ordering::Relaxed))
    }

    /// The time, if there is a clock.
    pub(super) fn now(&self) -> Option<Duration> {
        self.clock.as_ref().map(|Clock(clock)| clock())
    }

    /// Whether the flag is set, if a search is to look at it after this number of branches.
    #[inline]
    pub(super) fn is_stopped_at(&self, branches: u64) -> bool {
        branches.is_multiple_of(STOP_INTERVAL) && self.is_stopped()
    }
}

/// The longest search of a batch so far.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Longest(Option<Slowest>);

impl Longest {
    /// Notes a search of a puzzle that began at this time.
    pub(super) fn note(&mut self, index: usize, started: Duration, bounds: &Bounds) {
        let Some(now) = bounds.now() else { return };
        let time = now.saturating_sub(started);
        if self.0.is_none_or(|longest| longest.time < time) {
            self.0 = Some(Slowest { index, time });
        }
    }

    pub(super) const fn get(self) -> Option<Slowest> {
        self.0
    }
}

/// An engine whose searches are bounded from the outside, branch by branch.
pub(super) struct Bounded {
    engine: Box<dyn Engine>,
    bounds: Bounds,
    longest: Longest,
}

impl Bounded {
    /// The engine itself if there are no bounds.
    pub(super) fn around(engine: Box<dyn Engine>, bounds: Bounds) -> Box<dyn Engine> {
        if bounds.max_branches.is_none() && bounds.stop.is_none() && bounds.clock.is_none() {
            return engine;
        }
        Box::new(Self { engine, bounds, longest: Longest::default() })
    }

    /// The answer to the puzzle of this number in a batch.
    fn answer(&mut self, index: usize, puzzle: &Puzzle, limit: usize) -> Answer {
        let Self { engine, bounds, longest } = self;
        if bounds.is_stopped() {
            return Answer { gave_up: true, ..Answer::default() };
        }
        let most = bounds.max_branches.map_or(u64::MAX, u64::from);
        let (mut branches, mut started, mut gave_up) = (0u64, None, false);
        let mut answer = count(limit, |visit| {
            engine.search(puzzle, visit, &mut || {
                branches += 1;
                if branches == WATCHED_AFTER {
                    started = bounds.now();
                }
                gave_up = branches > most || bounds.is_stopped_at(branches);
                if gave_up { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            });
        });
        if let Some(started) = started {
            longest.note(index, started, bounds);
        }
        answer.gave_up = gave_up;
        answer
    }
}

impl Engine for Bounded {
    fn search(&mut self, puzzle: &Puzzle, visit: &mut Visit, branch: &mut Branch) {
        let (bounds, mut branches) = (&self.bounds, 0u64);
        if bounds.is_stopped() {
            return;
        }
        self.engine.search(puzzle, visit, &mut || {
            branches += 1;
            if bounds.is_stopped_at(branches) { ControlFlow::Break(()) } else { branch() }
        });
    }

    fn solve_batch(&mut self, grids: &[Grid], limit: usize, answers: &mut Vec<Answer>) {
        self.longest = Longest::default();
        for (index, grid) in grids.iter().enumerate() {
            answers.push(self.answer(index, &Puzzle::Grid(*grid), limit));
        }
    }

    fn solve_sukakus(&mut self, sukakus: &[Sukaku], limit: usize, answers: &mut Vec<Answer>) {
        self.longest = Longest::default();
        for (index, sukaku) in sukakus.iter().enumerate() {
            answers.push(self.answer(index, &Puzzle::Sukaku(*sukaku), limit));
        }
    }

    fn max_branches(&self) -> Option<u32> {
        self.bounds.max_branches
    }

    fn slowest(&self) -> Option<Slowest> {
        self.longest.get()
    }
}
