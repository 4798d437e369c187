//! What is counted: the key of each count in statistics, and its label in the summary.

use super::Finding;
use super::judge::Judged;
use crate::difficulty::Measured;
use crate::puzzle::Cell;
use crate::rate::scale;
use crate::run::{Count, Counts};

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

/// Puzzles by their number of clues.
pub(super) const CLUES: &str = "clues";

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
    let mut counts = vec![Count::each(VerifyCount::STATUSES)];
    counts.extend(VerifyCount::ALL[VerifyCount::STATUSES.len()..].iter().map(|it| {
        let is_optional = VerifyCount::OPTIONAL.contains(it);
        if is_optional { Count::optional(it.name()) } else { Count::one(it.name()) }
    }));
    counts.push(Count::of(CLUES, 0..=Cell::COUNT));
    counts.extend(rates.then(scale::effort_and_er).into_iter().flatten());
    counts
}

/// The place of the count of puzzles with this many clues.
pub(super) const fn of_clues(clues: usize) -> usize {
    VerifyCount::ALL.len() + clues
}

/// Counts a puzzle.
#[inline]
pub(super) fn count(judged: &Judged, counts: &mut Counts) {
    let mut count = |place: usize| counts.own[place] += 1;
    if let Some(clues) = judged.clues {
        count(of_clues(clues));
    }
    count(judged.status as usize);
    let is_sukaku = judged.is_sukaku.then_some(VerifyCount::Sukakus);
    let passed = judged.faults.is_empty().then_some(VerifyCount::Passed);
    for tally in [judged.answer, judged.minimality, is_sukaku, passed].into_iter().flatten() {
        count(tally as usize);
    }
    let Measured { effort, rating, grade, .. } = judged.measured();
    if let Some(grade) = grade {
        count(VerifyCount::GRADES[grade as usize] as usize);
    }
    let efforts = of_clues(Cell::COUNT + 1);
    if let Some(effort) = &effort {
        count(efforts + scale::bin(effort));
    }
    if let Some(rating) = &rating {
        count(efforts + scale::BINS + scale::place(rating.er));
    }
    for fault in &judged.faults {
        match fault.finding {
            Finding::InBank => count(VerifyCount::InBank as usize),
            Finding::Clues => count(VerifyCount::OutOfRange as usize),
            Finding::NoAnswer => count(VerifyCount::Missing as usize),
            _ => {}
        }
    }
}
