//! One row that is being measured: one contender on one list in one mode.

use super::probe::Look;
use super::report::Row;
use std::time::Duration;

/// The most puzzles of one round: `lanes` takes 8 ms for 100,000 easy ones.
pub(super) const MOST_IN_A_ROUND: usize = 100_000;

/// An engine whose slowest puzzle takes at most 1 / 100 of the patience is not observed before each
/// round. No permutation makes a puzzle 100 times as hard for an engine that chooses where to branch,
/// and other engines soon exceed this share.
const STEADY_SHARE: u32 = 100;

/// The assumed slowdown of an observed engine that has answered nothing yet: `scan` counts the digits
/// of a cell before it tries them.
const LOOK_COST: f64 = 2.0;

/// One row that is being measured.
pub(super) struct Trial {
    pub(super) list: usize,
    pub(super) mode: usize,
    pub(super) contender: usize,
    pub(super) row: Row,
    /// Whether it can be timed without being observed first.
    pub(super) steady: bool,
    /// The slowdown of the engine while it is observed.
    pub(super) look_cost: f64,
    /// Seconds and puzzles that were timed or given up on.
    spent: f64,
    puzzles: usize,
}

impl Trial {
    pub(super) fn new(list: usize, mode: usize, contender: usize, row: Row) -> Self {
        let (steady, look_cost) = (true, LOOK_COST);
        Self { list, mode, contender, row, steady, look_cost, spent: 0.0, puzzles: 0 }
    }

    /// Records the observations.
    pub(super) fn count_looks(&mut self, looks: &[Look], patience: Duration) {
        self.steady = looks.iter().all(|look| look.time <= patience / STEADY_SHARE);
        let answered = || looks.iter().filter(|look| look.answer.is_some());
        self.row.looked_at = looks.len();
        self.row.given_up = looks.len() - answered().count();
        self.row.branches = answered().map(|look| look.branches).sum();
        self.row.without_search = answered().filter(|look| look.branches == Some(0)).count();
    }

    /// Sets the puzzles of each round of a list of `all` puzzles: whole lists, or a part if the engine is
    /// too slow for one.
    pub(super) fn plan(&mut self, all: usize, count: usize) {
        self.plan_up_to(MOST_IN_A_ROUND, all, count);
    }

    /// [`plan`](Self::plan) with another bound than [`MOST_IN_A_ROUND`].
    pub(super) fn plan_up_to(&mut self, most: usize, all: usize, count: usize) {
        let count = count.clamp(1, most.max(all));
        self.row.sample = count < all;
        self.row.puzzles_per_round = if count < all { count } else { count - count % all };
    }

    pub(super) fn spend(&mut self, seconds: f64, puzzles: usize) {
        self.spent += seconds;
        self.puzzles += puzzles;
    }

    /// Whether a round may have twice as many puzzles.
    pub(super) const fn can_grow(&self) -> bool {
        self.steady && 2 * self.row.puzzles_per_round <= MOST_IN_A_ROUND
    }

    /// Doubles the puzzles of each round and drops the rounds so far.
    pub(super) fn grow(&mut self, all: usize) {
        self.plan(all, 2 * self.row.puzzles_per_round);
        self.row.rounds.clear();
    }

    /// Gives up: after these observed seconds, `puzzles` more puzzles were not answered.
    pub(super) fn give_up(&mut self, seconds: f64, puzzles: usize) {
        self.row.given_up += puzzles;
        self.spend(seconds / self.look_cost, puzzles.max(self.row.given_up));
        self.row.at_least = Some(nanoseconds(self.spent, self.puzzles));
    }
}

/// Nanoseconds per puzzle.
#[expect(clippy::cast_precision_loss, reason = "puzzles of a run")]
pub(super) fn nanoseconds(seconds: f64, puzzles: usize) -> f64 {
    seconds * 1e9 / puzzles.max(1) as f64
}

/// The number of puzzles that fit into a slice, if `puzzles` took `seconds`.
#[expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "an estimate, held between bounds by the caller"
)]
pub(super) fn in_time(puzzles: usize, seconds: f64, slice: f64) -> usize {
    (puzzles as f64 * slice / seconds.max(1e-9)) as usize
}
