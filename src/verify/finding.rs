//! What is said of a line, in one word each, and sets of these words.

use crate::names::NameSet;

ninefold_core::named_enum! {
    /// What was found of a line. A line may have several faults.
    ///
    /// ```
    /// use crate::verify::{Finding, FindingSet};
    ///
    /// let faults = FindingSet::of(&[Finding::Pass]).complement();
    /// assert!(faults.contains("wrong-answer".parse().unwrap()));
    /// ```
    pub enum Finding, "finding" {
        Pass = "pass", "nothing is wrong";
        Malformed = "malformed", "the line is not a puzzle";
        Conflict = "conflict", "a digit occurs twice in a house of the puzzle";
        None = "none", "the puzzle is legal and has no solution";
        Multiple = "multiple", "the puzzle has more than one solution";
        WrongAnswer = "wrong-answer", "the answer is not full, not legal, or changes a clue";
        NoAnswer = "no-answer", "the answer is missing";
        NotMinimal = "not-minimal", "a clue is redundant (--minimal)";
        Clues = "clues", "the number of clues is outside of --clues";
        Duplicate = "duplicate", "the same puzzle occurred before (--duplicates)";
        InBank = "in-bank", "a bank has the same puzzle (--against)";
        Unknown = "unknown", "a search takes more branches than --max-branches allows";
    }
}

/// A set of findings.
///
/// ```
/// use crate::verify::{Finding, FindingSet};
///
/// let set = FindingSet::EMPTY.with(Finding::Clues);
/// assert!(set.contains(Finding::Clues) && !set.contains(Finding::Pass));
/// ```
pub type FindingSet = NameSet<Finding>;
