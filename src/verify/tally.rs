//! What is counted: the key of each count in statistics, and its label in the summary.

use crate::puzzle::Cell;
use crate::rate::scale;
use crate::run::{Clues, Count};

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
