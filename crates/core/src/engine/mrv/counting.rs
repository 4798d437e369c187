//! The number of solutions of a puzzle that has many.

use super::branch::choose;
use super::walk::Walk;
use crate::engine::bounds::Bounds;
use crate::puzzle::Puzzle;

/// The solutions of a puzzle, counted little by little. The rest of a count can be divided.
#[derive(Clone, Debug)]
pub struct Counting(Walk);

impl Counting {
    /// The solutions of a puzzle after which `lanes` leaves the rest to this walk, which does without
    /// conclusions near the end: there a solution costs less than a guess.
    pub const MANY: usize = 64;

    /// The memory, and the bounds. There is nothing to count yet.
    #[must_use]
    pub fn new(bounds: Bounds) -> Self {
        Self(Walk::new(choose, bounds))
    }

    /// Begins with another puzzle.
    pub fn begin(&mut self, puzzle: &Puzzle) {
        self.0.begin(puzzle);
    }

    /// Counts on, up to about `most` solutions. Returns how many were found: fewer than `most` only at the
    /// end.
    pub fn advance(&mut self, most: u64) -> u64 {
        self.0.count(most)
    }

    /// Whether a bound ended the count: there may be more solutions.
    #[must_use]
    pub const fn gave_up(&self) -> bool {
        self.0.gave_up
    }

    /// Takes a part of what is left to be counted, if it can be divided.
    #[must_use]
    pub fn split(&mut self) -> Option<Self> {
        self.0.split().map(Self)
    }
}
