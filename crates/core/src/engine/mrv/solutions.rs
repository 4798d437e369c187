//! All solutions of a puzzle, one after the other in lexicographic order.
//!
//! ```text
//! solutions    1 2 3 4 5 …      the first blank in reading order, its smallest digit first:
//!              1 2 3 4 6 …      each subtree is in order, and so is the whole walk
//! ```
//!
//! Conclusions hold for all solutions of a board, so they change no order.

use super::branch::first_blank;
use super::walk::SolutionWalk;
use crate::engine::bounds::Bounds;
use crate::puzzle::{Puzzle, Solution};

/// The solutions of a puzzle in lexicographic order: an iterator in constant memory.
///
/// The time to the next solution is bounded by a few hundred short searches. It may be dropped at any
/// time.
///
/// ```
/// use ninefold_core::Solutions;
/// use ninefold_core::puzzle::Grid;
///
/// let mut solutions = Solutions::new(Grid::EMPTY);
/// let first = solutions.next().unwrap();
/// assert!(first.to_string().starts_with("123456789456789123789123456"));
/// assert!(solutions.take(1000).all(|next| next.grid().values() > first.grid().values()));
/// ```
#[derive(Clone, Debug)]
pub struct Solutions(SolutionWalk);

impl Solutions {
    /// The solutions of a puzzle. One that is not legal has none.
    pub fn new(puzzle: impl Into<Puzzle>) -> Self {
        let mut walk = SolutionWalk::new(first_blank, Bounds::default());
        walk.begin(&puzzle.into());
        Self(walk)
    }

    /// As [`new`](Self::new), with bounds on all solutions together. The iterator ends when the branches reach
    /// the bound, or soon after the flag is set. [`Solutions::gave_up`] is true then.
    ///
    /// ```
    /// use ninefold_core::Solutions;
    /// use ninefold_core::engine::Bounds;
    /// use ninefold_core::puzzle::Grid;
    ///
    /// let bounds = Bounds::default().with_max_branches(1000);
    /// let mut solutions = Solutions::new(Grid::EMPTY).with_bounds(bounds);
    /// assert!(solutions.by_ref().last().is_some());
    /// assert!(solutions.gave_up());
    /// ```
    pub fn with_bounds(mut self, bounds: Bounds) -> Self {
        self.0.bounds = bounds;
        self
    }

    /// Whether a bound ended the search: there may be more solutions.
    pub const fn gave_up(&self) -> bool {
        self.0.gave_up
    }
}

impl Iterator for Solutions {
    type Item = Solution;

    fn next(&mut self) -> Option<Solution> {
        self.0.next()
    }
}

impl core::iter::FusedIterator for Solutions {}
