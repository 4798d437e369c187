//! The kinds of conditions and of counts.

use crate::difficulty::Measure;
use crate::run::Countable;

ninefold_core::named_enum! {
    /// What an answer given with a puzzle is.
    pub enum AnswerIs, "answer" {
        Right = "right", "full and legal, and keeps every clue";
        Wrong = "wrong", "anything else in the field of the solution";
        Missing = "missing", "no solution is given";
    }
}

ninefold_core::named_enum! {
    /// A condition, in the order in which conditions are tested: the cheapest first.
    pub enum Condition, "condition" {
        Clues = "--clues", "the number of clues";
        Where = "--where", "columns of the input";
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

impl Condition {
    /// Those whose facts define strata.
    pub(super) const STRATA: [Self; 6] =
        [Self::Grade, Self::Effort, Self::Er, Self::Technique, Self::Clues, Self::Status];

    /// The name of its fact: that of the option without the dashes.
    pub(super) fn fact(self) -> &'static str {
        self.name().trim_start_matches('-')
    }

    /// The measure that it needs.
    pub(super) const fn measure(self) -> Option<Measure> {
        match self {
            Self::Grade => Some(Measure::Grade),
            Self::Effort => Some(Measure::Effort),
            Self::Er | Self::Technique => Some(Measure::Er),
            _ => None,
        }
    }
}

ninefold_core::named_enum! {
    /// What is counted of rows.
    pub enum Picked, "count" {
        Selected = "selected", "a row that is written";
        Met = "met_all_conditions", "a row that meets all conditions";
        Unknown = "unknown", "a puzzle with a search that was given up";
        TooLong = "too_long", "a row that is too long to be copied";
    }
}

/// A part of a split, by its place.
#[derive(Clone, Copy, Debug)]
pub(super) struct PartPlace(pub(super) usize);

impl Countable for PartPlace {
    fn place(self) -> usize {
        self.0
    }
}
