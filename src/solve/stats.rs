//! What was found, counted. Workers count their chunks; `+=` adds them up.

use crate::StatusCounts;
use crate::bulk::{self, Counts, status_names};
use crate::input::Reason;
use serde::{Deserialize, Serialize};
use std::ops::AddAssign;

/// Counts of an input, or of a part of it.
///
/// ```
/// use ninefold::Status;
/// use ninefold::solve::Stats;
///
/// let mut total = Stats { lines: 3, puzzles: 2, ..Stats::default() };
/// total.statuses[Status::Solved] += 1;
/// total += total;
/// assert_eq!((total.lines, total.puzzles, total.unanswered()), (6, 4, 2));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stats {
    /// Bytes read.
    pub bytes: u64,
    /// Lines of any kind.
    pub lines: u64,
    /// Lines that should be a puzzle. Each has one record and one status.
    pub puzzles: u64,
    /// Puzzles by status.
    #[serde(with = "status_names")]
    pub statuses: StatusCounts,
    /// Puzzles with more solutions than were to be written.
    pub incomplete: u64,
    /// Comment lines, which are skipped.
    pub comments: u64,
    /// Malformed lines by reason, in the order of [`Reason::ALL`].
    pub reasons: [u64; Reason::ALL.len()],
}

/// How far a run has come.
///
/// ```
/// use ninefold::solve::Checkpoint;
///
/// assert_eq!(Checkpoint::start(2).inputs.len(), 2);
/// ```
pub type Checkpoint = bulk::Checkpoint<Stats>;

/// How far a run has come with one input.
///
/// ```
/// assert_eq!(ninefold::solve::Reached::default().stats.lines, 0);
/// ```
pub type Reached = bulk::Reached<Stats>;

/// What comes of a chunk.
///
/// ```
/// assert!(ninefold::solve::Output::default().records.is_empty());
/// ```
pub type Output = bulk::Output<Stats>;

/// What a run found: see [`bulk::Report`].
pub type Report = bulk::Report<Stats>;

/// What a run found in one input: see [`bulk::InputReport`].
pub type InputReport = bulk::InputReport<Stats>;

impl Counts for Stats {
    fn bytes(&self) -> u64 {
        self.bytes
    }

    fn lines(&self) -> u64 {
        self.lines
    }

    fn puzzles(&self) -> u64 {
        self.puzzles
    }
}

impl Stats {
    /// Puzzles whose record is not a solution.
    #[must_use]
    pub const fn unanswered(&self) -> u64 {
        self.puzzles - self.statuses.answered()
    }
}

impl AddAssign for Stats {
    fn add_assign(&mut self, other: Self) {
        self.bytes += other.bytes;
        self.lines += other.lines;
        self.puzzles += other.puzzles;
        self.statuses += other.statuses;
        self.incomplete += other.incomplete;
        self.comments += other.comments;
        for (own, other) in self.reasons.iter_mut().zip(other.reasons) {
            *own += other;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Status;

    #[test]
    fn every_count_is_added() {
        let (one, four) = (all(1), all(4));
        let mut sum = one;
        sum += four;
        assert_eq!(sum, all(5));
    }

    fn all(n: u64) -> Stats {
        let mut statuses = StatusCounts::default();
        for &status in Status::ALL {
            statuses[status] = n;
        }
        Stats {
            bytes: n,
            lines: n,
            puzzles: n,
            statuses,
            incomplete: n,
            comments: n,
            reasons: [n; Reason::ALL.len()],
        }
    }
}
