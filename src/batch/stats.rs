//! What was found, counted. Workers count their chunks; `+=` adds them up.

use serde::{Deserialize, Serialize};
use std::ops::AddAssign;

/// Counts of an input, or of a part of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stats {
    /// Bytes read.
    pub bytes: u64,
    /// Lines of any kind.
    pub lines: u64,
    /// Lines that should be a puzzle. Each has one record, and is counted in one of the counts
    /// below.
    pub puzzles: u64,
    /// Answered with a solution; the only one, if the limit was 2 or more.
    pub solved: u64,
    /// More than one solution.
    pub several: u64,
    /// Of these, those with more solutions than were to be written.
    pub incomplete: u64,
    /// Legal, but no solution.
    pub unsolvable: u64,
    /// A digit twice in a house.
    pub illegal: u64,
    /// Not a puzzle.
    pub malformed: u64,
}

impl Stats {
    /// Puzzles whose record is not a solution.
    #[must_use]
    pub const fn unanswered(&self) -> u64 {
        self.puzzles - self.solved
    }
}

impl AddAssign for Stats {
    fn add_assign(&mut self, other: Self) {
        self.bytes += other.bytes;
        self.lines += other.lines;
        self.puzzles += other.puzzles;
        self.solved += other.solved;
        self.several += other.several;
        self.incomplete += other.incomplete;
        self.unsolvable += other.unsolvable;
        self.illegal += other.illegal;
        self.malformed += other.malformed;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_count_is_added() {
        let (one, four) = (all(1), all(4));
        let mut sum = one;
        sum += four;
        assert_eq!(sum, all(5));
    }

    fn all(n: u64) -> Stats {
        let (bytes, lines, puzzles, solved) = (n, n, n, n);
        let (several, incomplete, unsolvable, illegal, malformed) = (n, n, n, n, n);
        Stats { bytes, lines, puzzles, solved, several, incomplete, unsolvable, illegal, malformed }
    }
}
