//! What is counted: puzzles by status, and the counts of [`Tally`], by clues, and by grade.

use super::judge::Judged;
use crate::Status;
use crate::difficulty::Grade;
use crate::puzzle::{Cell, CellSet};
use crate::run::{Count, Rows};

ninefold_core::named_enum! {
    /// A single count, by its key in statistics.
    pub enum Tally, "count" {
        Passed = "passed", "lines of which nothing is wrong";
        NotSolved = "legal_not_solved", "legal puzzles that were not solved";
        Right = "answers.right", "right answers to puzzles that have no other, or are trusted to";
        NotOnly = "answers.valid_not_the_only_one", "right answers to puzzles that have others";
        Unproven = "answers.valid_uniqueness_unknown", "right answers to puzzles that may have others";
        Wrong = "answers.wrong", "answers that are not right";
        Missing = "answers.missing", "puzzles that should have an answer and have none";
        Minimal = "minimal", "puzzles of which no clue can go";
        NotMinimal = "not_minimal", "puzzles of which some can";
        MinimalUnknown = "minimality_unknown", "puzzles of which it is not known";
        OutOfRange = "wrong_number_of_clues", "puzzles with fewer or more clues than asked for";
        Duplicates = "duplicates", "puzzles that came before";
        InBank = "in_bank", "puzzles that a bank has";
        Sukakus = "sukakus", "sukakus";
    }
}

/// Puzzles by their number of clues.
pub(super) const CLUES: &str = "clues";
/// Puzzles by what they fall to.
pub(super) const GRADES: &str = "falls_to";

/// Where these counts begin, after those by status.
const SINGLES_AT: usize = Status::ALL.len();
const CLUES_AT: usize = SINGLES_AT + Tally::ALL.len();
const GRADES_AT: usize = CLUES_AT + Cell::COUNT + 1;

/// The declaration of all counts.
pub(super) fn counts() -> Vec<Count> {
    let mut counts = vec![Count::each(Status::ALL)];
    counts.extend(Tally::ALL.iter().map(|it| Count::one(it.name())));
    counts.push(Count::of(CLUES, 0..=Cell::COUNT));
    counts.push(Count::of(GRADES, Grade::ALL));
    counts
}

impl Tally {
    /// The place of the count.
    pub(super) const fn place(self) -> usize {
        SINGLES_AT + self as usize
    }
}

/// The place of the count of puzzles with this many clues.
pub(super) const fn of_clues(clues: usize) -> usize {
    CLUES_AT + clues
}

/// Counts a puzzle. Whether it passes, and lacks its answer, the caller knows.
pub(super) fn count<K>(judged: &Judged, rows: &mut Rows<'_, K>) {
    rows.count(of_clues(judged.clues));
    rows.count(judged.status.map_or(Tally::NotSolved.place(), |status| status as usize));
    let answer = match (judged.answer, judged.status) {
        (Some(Ok(())), Some(Status::Multiple)) => Some(Tally::NotOnly),
        (Some(Ok(())), Some(Status::Unknown)) => Some(Tally::Unproven),
        (Some(Ok(())), _) => Some(Tally::Right),
        (Some(Err(_)), _) => Some(Tally::Wrong),
        (None, _) => None,
    };
    let minimality = match judged.superfluous.map(CellSet::is_empty) {
        Some(true) => Some(Tally::Minimal),
        Some(false) => Some(Tally::NotMinimal),
        None => judged.undecided.then_some(Tally::MinimalUnknown),
    };
    let range = (!judged.clues_in_range).then_some(Tally::OutOfRange);
    for tally in [answer, minimality, range].into_iter().flatten() {
        rows.count(tally.place());
    }
    if let Some(grade) = judged.grade {
        rows.count(GRADES_AT + grade as usize);
    }
}
