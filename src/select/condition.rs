//! Which rows are selected.

use crate::Status;
use crate::bank::Same;
use crate::difficulty::{EffortRange, Grade, Measure, ScoreRange, Technique};
use crate::names::NameSet;
use std::ops::RangeInclusive;

ninefold_core::named_enum! {
    /// What an answer given with a puzzle is.
    ///
    /// ```
    /// use crate::select::AnswerIs;
    ///
    /// assert_eq!("right".parse(), Ok(AnswerIs::Right));
    /// ```
    pub enum AnswerIs, "answer" {
        Right = "right", "full and legal, and keeps every clue";
        Wrong = "wrong", "anything else in the field of the solution";
        Missing = "missing", "no solution is given";
    }
}

ninefold_core::named_enum! {
    /// A condition, in the order in which conditions are tested: the cheapest first.
    ///
    /// ```
    /// use crate::select::Condition;
    ///
    /// assert_eq!(Condition::NotIn.to_string(), "--not-in");
    /// ```
    pub enum Condition, "condition" {
        Clues = "--clues", "the number of clues";
        Answer = "--answer", "the answer given with the puzzle";
        Status = "--status", "the number of solutions";
        Grade = "--grade", "the rules that solve it";
        Effort = "--effort", "the mean number of guesses";
        Minimal = "--minimal", "no clue is redundant";
        Er = "--er", "the score of the hardest step";
        Technique = "--technique", "the hardest technique";
        NotIn = "--not-in", "no bank has it";
        Unseen = "--unseen", "no row before has it";
    }
}

/// Which rows are selected: those that meet all conditions.
///
/// ```
/// use crate::select::Conditions;
///
/// let conditions = Conditions { clues: Some(17..=25), ..Conditions::default() };
/// assert!(!conditions.solves());
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Conditions {
    /// The number of clues.
    pub clues: Option<RangeInclusive<usize>>,
    /// What the answers may be.
    pub answers: Option<NameSet<AnswerIs>>,
    /// The statuses. No puzzle is `solved`.
    pub statuses: Option<NameSet<Status>>,
    /// The grades. This and what follows is met by puzzles with one solution only.
    pub grades: Option<NameSet<Grade>>,
    /// The mean number of guesses.
    pub efforts: Option<EffortRange>,
    /// Whether no clue may be redundant.
    pub minimal: bool,
    /// The score of the hardest step.
    pub er: Option<ScoreRange>,
    /// The technique of this step.
    pub techniques: Option<NameSet<Technique>>,
    /// No puzzle that came before, in any input: among the rows that meet all other conditions.
    pub unseen: Option<Same>,
}

impl Conditions {
    /// Whether a puzzle must have one solution to meet them.
    pub(super) const fn need_one_solution(&self) -> bool {
        self.grades.is_some()
            || self.efforts.is_some()
            || self.minimal
            || self.er.is_some()
            || self.techniques.is_some()
    }

    /// Whether puzzles are solved for these conditions alone.
    #[must_use]
    pub const fn solves(&self) -> bool {
        self.statuses.is_some()
            || self.need_one_solution()
            || matches!(self.unseen, Some(Same::Isomorphic))
    }

    /// Whether a line that is not a puzzle can meet them.
    pub(super) fn take_malformed(&self) -> bool {
        let of_puzzles = self.clues.is_some() || self.answers.is_some() || self.need_one_solution();
        !of_puzzles && self.statuses.is_none_or(|set| set.contains(Status::Malformed))
    }

    /// Whether the conditions use a measure.
    pub(super) const fn use_measure(&self, measure: Measure) -> bool {
        match measure {
            Measure::Effort => self.efforts.is_some(),
            Measure::Er => self.er.is_some() || self.techniques.is_some(),
            Measure::Grade => self.grades.is_some(),
        }
    }
}
