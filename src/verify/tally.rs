//! Verdicts, counted. Workers count their chunks; `+=` adds them up.

use super::judge::Verdict;
use crate::difficulty::Grade;
use crate::input::Reason;
use crate::puzzle::{Cell, CellSet};
use crate::{Status, StatusCounts};
use std::ops::AddAssign;

/// Counts of verdicts.
///
/// ```
/// use crate::Status;
/// use crate::engine::EngineKind;
/// use crate::engine::lanes::SimdLevel;
/// use crate::puzzle::Grid;
/// use crate::verify::{Checks, Judge, Tally};
///
/// let engine = EngineKind::default().build();
/// let mut judge = Judge::new(Checks::default(), engine, SimdLevel::best());
/// let (mut tally, mut verdicts) = (Tally::default(), Vec::new());
/// judge.judge(&[Grid::EMPTY], &[], &mut verdicts);
/// tally.add(&verdicts[0]);
/// tally += &tally.clone();
/// assert_eq!((tally.puzzles, tally.statuses[Status::Multiple], tally.clues[0]), (2, 2, 2));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tally {
    /// Bytes read.
    pub bytes: u64,
    /// Lines of any kind.
    pub lines: u64,
    /// Lines that should be a puzzle.
    pub puzzles: u64,
    /// Of these, lines of which nothing is wrong.
    pub passed: u64,
    /// Puzzles by status. A legal puzzle that was not solved has none.
    pub statuses: StatusCounts,
    /// Legal puzzles that were not solved.
    pub not_solved: u64,
    /// Right answers to puzzles that have no other, or are trusted to.
    pub right: u64,
    /// Right answers to puzzles that may have others: their status is unknown.
    pub unproven: u64,
    /// Right answers to puzzles that have others.
    pub not_only: u64,
    /// Answers that are not right.
    pub wrong: u64,
    /// Puzzles that should have an answer and have none, or one that is no grid.
    pub unanswered: u64,
    /// Puzzles that were asked whether clues can go, and of which none can.
    pub minimal: u64,
    /// Those of which it is not known whether one can.
    pub minimal_unknown: u64,
    /// Those of which some can.
    pub not_minimal: u64,
    /// Puzzles with fewer or more clues than asked for.
    pub out_of_range: u64,
    /// Puzzles that came before.
    pub duplicates: u64,
    /// Puzzles that a bank has.
    pub in_bank: u64,
    /// Sukakus.
    pub sukakus: u64,
    /// Comment lines, which are skipped.
    pub comments: u64,
    /// Puzzles by their clues, 0 to 81.
    pub clues: [u64; Cell::COUNT + 1],
    /// Puzzles by what they fall to, in the order of [`Grade::ALL`].
    pub grades: [u64; Grade::ALL.len()],
    /// Malformed lines by reason, in the order of [`Reason::ALL`].
    pub reasons: [u64; Reason::ALL.len()],
}

impl Default for Tally {
    fn default() -> Self {
        Self {
            bytes: 0,
            lines: 0,
            puzzles: 0,
            passed: 0,
            statuses: StatusCounts::default(),
            not_solved: 0,
            right: 0,
            unproven: 0,
            not_only: 0,
            wrong: 0,
            unanswered: 0,
            minimal: 0,
            minimal_unknown: 0,
            not_minimal: 0,
            out_of_range: 0,
            duplicates: 0,
            in_bank: 0,
            sukakus: 0,
            comments: 0,
            clues: [0; Cell::COUNT + 1],
            grades: [0; Grade::ALL.len()],
            reasons: [0; Reason::ALL.len()],
        }
    }
}

impl Tally {
    /// Counts a puzzle. Whether it passes, a duplicate or without its answer, the caller knows.
    pub fn add(&mut self, verdict: &Verdict) {
        self.puzzles += 1;
        self.clues[verdict.clues] += 1;
        match verdict.status {
            Some(status) => self.statuses[status] += 1,
            None => self.not_solved += 1,
        }
        match (verdict.answer, verdict.status) {
            (Some(Ok(())), Some(Status::Multiple)) => self.not_only += 1,
            (Some(Ok(())), Some(Status::Unknown)) => self.unproven += 1,
            (Some(Ok(())), _) => self.right += 1,
            (Some(Err(_)), _) => self.wrong += 1,
            (None, _) => {}
        }
        match verdict.superfluous.map(CellSet::is_empty) {
            Some(true) => self.minimal += 1,
            Some(false) => self.not_minimal += 1,
            None => self.minimal_unknown += u64::from(verdict.undecided),
        }
        self.out_of_range += u64::from(!verdict.clues_in_range);
        if let Some(grade) = verdict.grade {
            self.grades[grade as usize] += 1;
        }
    }

    /// The counts that stand alone, in one order.
    fn singles(&mut self) -> [&mut u64; 18] {
        [
            &mut self.bytes,
            &mut self.lines,
            &mut self.puzzles,
            &mut self.passed,
            &mut self.not_solved,
            &mut self.right,
            &mut self.unproven,
            &mut self.not_only,
            &mut self.wrong,
            &mut self.unanswered,
            &mut self.minimal,
            &mut self.minimal_unknown,
            &mut self.not_minimal,
            &mut self.out_of_range,
            &mut self.duplicates,
            &mut self.in_bank,
            &mut self.sukakus,
            &mut self.comments,
        ]
    }
}

impl AddAssign<&Self> for Tally {
    fn add_assign(&mut self, other: &Self) {
        let mut other = other.clone();
        for (own, other) in self.singles().into_iter().zip(other.singles()) {
            *own += *other;
        }
        self.statuses += other.statuses;
        for (own, other) in self.clues.iter_mut().zip(other.clues) {
            *own += other;
        }
        for (own, other) in self.grades.iter_mut().zip(other.grades) {
            *own += other;
        }
        for (own, other) in self.reasons.iter_mut().zip(other.reasons) {
            *own += other;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::difficulty::Measured;

    #[test]
    fn every_count_is_added() {
        let all = |n: u64| {
            let mut tally =
                Tally { clues: [n; 82], grades: [n; 4], reasons: [n; 8], ..Tally::default() };
            tally.singles().into_iter().for_each(|count| *count = n);
            for &status in Status::ALL {
                tally.statuses[status] = n;
            }
            tally
        };
        let mut sum = all(1);
        sum += &all(4);
        assert_eq!(sum, all(5));
        // None is left out of the list.
        assert_eq!(size_of::<Tally>(), (18 + 7 + 82 + 4 + 8) * size_of::<u64>());
    }

    #[test]
    fn a_verdict_is_counted_once_in_each_question() {
        let mut tally = Tally::default();
        let verdict = Verdict {
            clues: 17,
            clues_in_range: false,
            status: Some(Status::Multiple),
            answer: Some(Ok(())),
            superfluous: None,
            undecided: false,
            grade: None,
            measured: Measured::default(),
        };
        tally.add(&verdict);
        let one = CellSet::of(Cell::new(3));
        tally.add(&Verdict {
            status: Some(Status::Unique),
            superfluous: Some(one),
            grade: Some(Grade::Search),
            measured: Measured::default(),
            clues_in_range: true,
            ..verdict
        });
        let mut expected = Tally {
            puzzles: 2,
            right: 1,
            not_only: 1,
            not_minimal: 1,
            out_of_range: 1,
            grades: [0, 0, 0, 1],
            ..Tally::default()
        };
        expected.clues[17] = 2;
        expected.statuses[Status::Multiple] = 1;
        expected.statuses[Status::Unique] = 1;
        assert_eq!(tally, expected);
    }
}
