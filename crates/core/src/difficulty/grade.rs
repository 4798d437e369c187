//! The easiest list of rules that solves a puzzle.
//!
//! Each cell has a set of candidates: the digit of its clue, or all nine. Three rules remove
//! candidates:
//!
//! - *Naked single*: a cell has one candidate. It goes from all cells that this cell sees.
//! - *Hidden single*: a digit has one place left in a house. All other digits go from that cell.
//! - *Locked candidates*: the places of a digit in a box all lie in one row or column. It goes from
//!   the rest of that row or column. Or its places in a row or column all lie in one box. It goes
//!   from the rest of that box.
//!
//! A list of rules solves a puzzle if these rules, used until none finds anything, leave one
//! candidate in each cell, and these are a solution. The order does not matter, because a rule
//! never finds less after another one was used. A puzzle that is solved has one solution, because
//! no rule removes a candidate of a solution.
//!
//! # Many at a time
//! ```text
//! all puzzles ──> naked singles ──> the rest ──> and hidden ──> the rest ──> and locked
//!                     └─ solved                     └─ solved                   └─ solved
//! ```
//!
//! The rules are those of `engine::lanes::logic`, in the lanes of vectors. Each stage starts from the
//! candidates that the stage before left.

use crate::engine::lanes::SimdLevel;
use crate::engine::lanes::logic::{self, Candidates, Left, Rules};
use crate::puzzle::Grid;
use alloc::vec::Vec;
use core::fmt;

/// The easiest list of rules that solves a puzzle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Grade {
    /// Naked singles alone. A solution without blanks has this grade, too.
    NakedSingles,
    /// Naked and hidden singles.
    Singles,
    /// These and locked candidates.
    LockedCandidates,
    /// None of these: the puzzle needs more, or has no solution or several.
    Search,
}

impl Grade {
    /// All grades, the easiest first.
    pub const ALL: [Self; 4] =
        [Self::NakedSingles, Self::Singles, Self::LockedCandidates, Self::Search];

    /// The name in records, in one word.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::NakedSingles => "naked-singles",
            Self::Singles => "singles",
            Self::LockedCandidates => "locked-candidates",
            Self::Search => "search",
        }
    }
}

impl fmt::Display for Grade {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// Grades puzzles; keeps the memory for it.
#[derive(Debug)]
pub struct Grader {
    level: SimdLevel,
    /// The puzzles that are not solved yet.
    left: Vec<Left>,
}

impl Grader {
    /// A grader for the vectors of this level, with no memory yet.
    #[must_use]
    pub fn new(level: SimdLevel) -> Self {
        Self { level, left: Vec::new() }
    }

    /// Appends the grade of each puzzle.
    pub fn grade(&mut self, puzzles: &[Grid], grades: &mut Vec<Grade>) {
        let start = grades.len();
        grades.resize(start + puzzles.len(), Grade::Search);
        let grades = &mut grades[start..];
        self.left.clear();
        self.left.extend(puzzles.iter().map(Candidates::new).enumerate());
        for (rules, grade) in [
            (Rules::NakedSingles, Grade::NakedSingles),
            (Rules::Singles, Grade::Singles),
            (Rules::LockedCandidates, Grade::LockedCandidates),
        ] {
            let mut fallen = |place: usize| grades[place] = grade;
            logic::fall(self.level, rules, &mut self.left, &mut fallen);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::puzzle::parse;

    fn grade_of(line: &str) -> Grade {
        let mut grades = Vec::new();
        Grader::new(SimdLevel::best()).grade(&[parse::line(line.as_bytes()).unwrap()], &mut grades);
        assert_eq!(grades.len(), 1);
        grades[0]
    }

    #[test]
    fn each_grade_is_given() {
        for (line, grade) in [
            (
                "534678912672195348198342567859761423426853791713924856961537284287419635345286179",
                Grade::NakedSingles,
            ),
            (
                "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79",
                Grade::NakedSingles,
            ),
            (
                "..4.279..5.1.96....9....5.....35..7....74.6..9.......1846...3............3....7.8",
                Grade::Singles,
            ),
            (
                "..143............2.596..8.3.9.3..6.1..3....9..8.7.....1.....7.........3.2...4...5",
                Grade::LockedCandidates,
            ),
            (
                "5....8....2..5..9...9..4..6....72...31...6.8.......43.4...8.......2...6..32.4....",
                Grade::Search,
            ),
            (
                ".................................................................................",
                Grade::Search,
            ),
        ] {
            assert_eq!(grade_of(line), grade, "{line}");
        }
    }

    /// Every cell has one digit, but two in a house are the same.
    #[test]
    fn a_full_grid_that_breaks_the_rules_does_not_fall() {
        let line =
            "534678912672195348198342567859761423426853791713924856961537284287419635345286177";
        assert_eq!(grade_of(line), Grade::Search);
    }
}
