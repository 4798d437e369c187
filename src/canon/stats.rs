//! What was found, counted.

use super::outcome::Outcome;
use crate::bulk::Counts;
use serde::{Deserialize, Serialize};
use std::ops::AddAssign;

/// Counts of an input, or of a part of it.
///
/// ```
/// use ninefold::canon::{Outcome, Stats};
///
/// let mut total = Stats::default();
/// total.add(Outcome::Canonical);
/// total.add(Outcome::Sukaku);
/// total += total;
/// assert_eq!((total.puzzles, total.canonical, total.without_form()), (4, 2, 2));
/// assert_eq!(total.of(Outcome::Sukaku), 2);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Stats {
    /// Bytes read.
    pub bytes: u64,
    /// Lines of any kind.
    pub lines: u64,
    /// Lines that should be a puzzle. Each has one record and one outcome.
    pub puzzles: u64,
    /// Comment lines.
    pub comments: u64,
    /// Puzzles with a form.
    pub canonical: u64,
    /// Of these, puzzles with more than one automorphism.
    pub automorphic: u64,
    /// Puzzles with several solutions, if the form needs one.
    pub multiple: u64,
    /// Legal puzzles without a solution, if the form needs one.
    pub none: u64,
    /// Puzzles with a digit twice in a house, if the form needs a solution.
    pub conflict: u64,
    /// Sukakus, if they have no such form.
    pub sukaku: u64,
    /// Lines that are not puzzles.
    pub malformed: u64,
    /// Puzzles that took more branches than allowed, if the form needs a solution.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub unknown: u64,
}

impl Stats {
    /// Counts a puzzle.
    pub fn add(&mut self, outcome: Outcome) {
        self.puzzles += 1;
        *match outcome {
            Outcome::Canonical => &mut self.canonical,
            Outcome::Multiple => &mut self.multiple,
            Outcome::None => &mut self.none,
            Outcome::Conflict => &mut self.conflict,
            Outcome::Sukaku => &mut self.sukaku,
            Outcome::Malformed => &mut self.malformed,
            Outcome::Unknown => &mut self.unknown,
        } += 1;
    }

    /// How many puzzles have this outcome.
    #[must_use]
    pub const fn of(&self, outcome: Outcome) -> u64 {
        match outcome {
            Outcome::Canonical => self.canonical,
            Outcome::Multiple => self.multiple,
            Outcome::None => self.none,
            Outcome::Conflict => self.conflict,
            Outcome::Sukaku => self.sukaku,
            Outcome::Malformed => self.malformed,
            Outcome::Unknown => self.unknown,
        }
    }

    /// Puzzles whose record is not a form.
    #[must_use]
    pub const fn without_form(&self) -> u64 {
        self.puzzles - self.canonical
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it")]
const fn is_zero(count: &u64) -> bool {
    *count == 0
}

impl AddAssign for Stats {
    fn add_assign(&mut self, other: Self) {
        let Self { bytes, lines, puzzles, canonical, automorphic, multiple, none, .. } = other;
        self.bytes += bytes;
        self.lines += lines;
        self.puzzles += puzzles;
        self.comments += other.comments;
        self.canonical += canonical;
        self.automorphic += automorphic;
        self.multiple += multiple;
        self.none += none;
        self.conflict += other.conflict;
        self.sukaku += other.sukaku;
        self.malformed += other.malformed;
        self.unknown += other.unknown;
    }
}

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_count_is_added_and_kept() {
        let all = |n: u64| {
            let keys =
                ["bytes", "lines", "puzzles", "canonical", "automorphic", "multiple", "none"];
            let more = ["conflict", "sukaku", "malformed", "comments", "unknown"];
            let object: serde_json::Map<_, _> =
                keys.iter().chain(&more).map(|key| ((*key).to_owned(), n.into())).collect();
            serde_json::from_value::<Stats>(object.into()).unwrap()
        };
        let mut sum = all(1);
        sum += all(4);
        assert_eq!(sum, all(5));
        assert_eq!(size_of::<Stats>(), 12 * size_of::<u64>());
        for &outcome in Outcome::ALL {
            let mut stats = Stats::default();
            stats.add(outcome);
            assert_eq!((stats.puzzles, stats.of(outcome)), (1, 1), "{outcome}");
        }
    }
}
