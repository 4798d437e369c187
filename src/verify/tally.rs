//! What is counted: the key of each count in statistics, and its label in the summary.

use super::Finding;
use super::judge::Judged;
use crate::difficulty::Measured;
use crate::puzzle::Cell;
use crate::rate::scale::{self, EffortBin, Er};
use crate::run::{Clues, Count, Counts};

ninefold_core::named_enum! {
    /// A count, by its key in statistics and its label.
    pub enum VerifyCount, "count" {
        Unique = "unique", "unique";
        Multiple = "multiple", "multiple";
        None = "none", "none";
        Conflict = "conflict", "conflict";
        Malformed = "malformed", "malformed";
        Unknown = "unknown", "unknown";
        Passed = "passed", "pass";
        @default NotSolved = "legal_not_solved", "legal (not solved)";
        Right = "answers.right", "right";
        NotOnly = "answers.valid_not_the_only_one", "valid but not unique";
        Unproven = "answers.valid_uniqueness_unknown", "valid but uniqueness unknown";
        Wrong = "answers.wrong", "wrong";
        Missing = "answers.missing", "missing";
        Minimal = "minimal", "minimal";
        NotMinimal = "not_minimal", "not minimal";
        MinimalUnknown = "minimality_unknown", "minimality unknown";
        OutOfRange = "wrong_number_of_clues", "wrong number of clues";
        Duplicates = "duplicates", "duplicates";
        InBank = "in_bank", "in a bank";
        NakedSingles = "falls_to.naked-singles", "naked singles";
        Singles = "falls_to.singles", "singles";
        LockedCandidates = "falls_to.locked-candidates", "locked candidates";
        Search = "falls_to.search", "search";
        Sukakus = "sukakus", "sukakus";
    }
}

impl VerifyCount {
    /// The outcomes of puzzles that are not merely legal, by the names of [`Status`](crate::Status).
    pub(super) const STATUSES: &[Self] = Self::between(Self::Unique, Self::Unknown);
    /// In the order of [`Grade::ALL`](crate::difficulty::Grade::ALL).
    pub(super) const GRADES: &[Self] = Self::between(Self::NakedSingles, Self::Search);

    /// Counts that are left out of statistics if a run cannot have any.
    pub(super) const OPTIONAL: &[Self] =
        &[Self::Unknown, Self::Unproven, Self::MinimalUnknown, Self::InBank];

    pub(super) const fn between(first: Self, last: Self) -> &'static [Self] {
        Self::ALL.split_at(last as usize + 1).0.split_at(first as usize).1
    }
}

/// The declaration of all counts; with those of efforts and scores, if puzzles are rated.
pub(super) fn counts(rates: bool) -> Vec<Count> {
    let tallies =
        Count::each::<VerifyCount>().listed(VerifyCount::STATUSES).optional(VerifyCount::OPTIONAL);
    let clues = Count::of::<Clues>("clues", 0..=Cell::COUNT);
    let rated = rates.then(scale::effort_and_er).into_iter().flatten();
    [tallies, clues].into_iter().chain(rated).collect()
}

/// Counts puzzles without faults, of which nothing else is counted: most puzzles.
pub(super) struct Passed {
    tallies: [u64; VerifyCount::ALL.len()],
    clues: [u64; Cell::COUNT + 1],
}

impl Passed {
    pub(super) const fn new() -> Self {
        Self { tallies: [0; VerifyCount::ALL.len()], clues: [0; Cell::COUNT + 1] }
    }

    #[inline]
    pub(super) fn count(&mut self, judged: &Judged) {
        self.clues[judged.clues.unwrap_or_default()] += 1;
        judged.tallies().for_each(|tally| self.tallies[tally as usize] += 1);
    }

    /// Adds all of them to the counts of a chunk.
    pub(super) fn add_to(self, counts: &mut Counts) {
        let add = |sums: &mut [u64], more: &[u64]| {
            sums.iter_mut().zip(more).for_each(|(sum, more)| *sum += more);
        };
        add(counts.all_mut::<VerifyCount>(), &self.tallies);
        add(counts.all_mut::<Clues>(), &self.clues);
    }
}

/// Counts a puzzle.
pub(super) fn count(judged: &Judged, counts: &mut Counts) {
    if let Some(clues) = judged.clues {
        counts[Clues(clues)] += 1;
    }
    judged.tallies().for_each(|tally| counts[tally] += 1);
    let Measured { effort, rating, grade, .. } = judged.measured();
    if let Some(grade) = grade {
        counts[VerifyCount::GRADES[grade as usize]] += 1;
    }
    if let Some(effort) = &effort {
        counts[EffortBin::from(effort)] += 1;
    }
    if let Some(rating) = &rating {
        counts[Er(rating.er)] += 1;
    }
    for fault in &judged.faults {
        match fault.finding {
            Finding::InBank => counts[VerifyCount::InBank] += 1,
            Finding::Clues => counts[VerifyCount::OutOfRange] += 1,
            Finding::NoAnswer => counts[VerifyCount::Missing] += 1,
            _ => {}
        }
    }
}
