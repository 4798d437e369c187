//! The outcome of a puzzle in one word.
#![forbid(unsafe_code)]

use core::ops::{AddAssign, Index, IndexMut};

crate::named_enum! {
    /// The outcome of a puzzle: the one vocabulary of records, counts, summaries and help.
    ///
    /// ```
    /// use ninefold_core::Status;
    ///
    /// assert_eq!("unique".parse(), Ok(Status::Unique));
    /// ```
    pub enum Status, "status" {
        Unique = "unique", "has one solution, and it is proven that there is no other";
        Solved = "solved", "has a solution; uniqueness was not checked";
        Multiple = "multiple", "has more than one solution";
        None = "none", "is legal and has no solution";
        Conflict = "conflict", "has a digit twice in a house";
        Malformed = "malformed", "is not a puzzle";
        Unknown = "unknown", "takes more branches than --max-branches allows";
    }
}

/// How many puzzles have each status.
///
/// ```
/// use ninefold_core::{Status, StatusCounts};
///
/// let mut counts = StatusCounts::default();
/// counts[Status::Unique] += 3;
/// counts[Status::None] += 1;
/// assert_eq!((counts.total(), counts.answered()), (4, 3));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StatusCounts([u64; Status::ALL.len()]);

impl StatusCounts {
    /// Each status with its count.
    pub fn iter(&self) -> impl Iterator<Item = (Status, u64)> {
        Status::ALL.iter().copied().zip(self.0)
    }

    /// Puzzles of any status.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.0.iter().sum()
    }

    /// Puzzles that have the answer that was requested.
    #[must_use]
    pub const fn answered(&self) -> u64 {
        self.0[Status::Unique as usize] + self.0[Status::Solved as usize]
    }
}

impl Index<Status> for StatusCounts {
    type Output = u64;

    #[inline]
    fn index(&self, status: Status) -> &u64 {
        &self.0[status as usize]
    }
}

impl IndexMut<Status> for StatusCounts {
    #[inline]
    fn index_mut(&mut self, status: Status) -> &mut u64 {
        &mut self.0[status as usize]
    }
}

impl AddAssign for StatusCounts {
    fn add_assign(&mut self, other: Self) {
        for (own, other) in self.0.iter_mut().zip(other.0) {
            *own += other;
        }
    }
}
