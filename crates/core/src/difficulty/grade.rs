//! Difficulty: the simplest set of rules that solves a puzzle without search.
//!
//! A board has a set of candidates for each cell: the digit of a clue, or all nine. Three rules
//! remove candidates:
//!
//! - *naked single*: a cell has one candidate. It is removed from all cells that this cell sees.
//! - *hidden single*: a digit has one place left in a house. All other candidates are removed from
//!   that cell.
//! - *locked candidates*: all places of a digit in a box are in one row or column. The digit is
//!   removed from the rest of that row or column. Or all its places in a row or column are in one
//!   box. Then it is removed from the rest of that box.
//!
//! A set of rules solves a puzzle if the rules, repeated until they find nothing, leave one candidate
//! in each cell and these are a solution. No rule removes a digit of a solution, and no rule finds
//! less because another ran before. So the order does not matter, and a puzzle that is solved has one
//! solution.
//!
//! ```
//! use ninefold_core::difficulty::Grade;
//!
//! assert_eq!(Grade::LockedCandidates.summary(), "singles and locked candidates solve it");
//! ```
//!
//! # Many at a time
//! ```text
//! all puzzles ──> naked singles ──> unsolved ──> and hidden ──> unsolved ──> and locked
//!                     └─ solved                    └─ solved                   └─ solved
//! ```
//!
//! The rules run in the lanes of vectors (`engine::lanes::logic`). Each stage starts from the boards
//! that the stage before could not solve.
#![forbid(unsafe_code)]

use crate::engine::lanes::logic::{self, CandidateSets, Rules, UngradedPuzzle};
use crate::puzzle::Grid;
use crate::simd::SimdLevel;
use alloc::vec::Vec;

crate::named_enum! {
    /// The simplest set of rules that solves a puzzle.
    ///
    /// ```
    /// use ninefold_core::difficulty::Grade;
    ///
    /// assert_eq!("singles".parse(), Ok(Grade::Singles));
    /// assert!(Grade::NakedSingles < Grade::Search);
    /// ```
    pub enum Grade, "grade" {
        NakedSingles = "naked-singles",
            "naked singles alone solve it, or it is a full and legal grid";
        Singles = "singles", "naked and hidden singles solve it";
        LockedCandidates = "locked-candidates", "singles and locked candidates solve it";
        Search = "search", "these rules do not solve it, or it does not have one solution";
    }
}

/// Grades puzzles, and keeps the memory for it.
#[derive(Debug, Default)]
pub(crate) struct Grader {
    /// The puzzles that are not solved yet.
    left: Vec<UngradedPuzzle>,
    grades: Vec<Grade>,
}

impl Grader {
    /// The grade of each puzzle, with vectors of a level. It is the same at every level.
    pub(crate) fn many(&mut self, level: SimdLevel, puzzles: &[Grid]) -> &[Grade] {
        let grades = &mut self.grades;
        grades.clear();
        grades.resize(puzzles.len(), Grade::Search);
        self.left.clear();
        self.left.extend(puzzles.iter().map(CandidateSets::new).enumerate());
        for (rules, grade) in [
            (Rules::NakedSingles, Grade::NakedSingles),
            (Rules::Singles, Grade::Singles),
            (Rules::LockedCandidates, Grade::LockedCandidates),
        ] {
            let mut solved = |place: usize| grades[place] = grade;
            logic::solve_by_rules(level, rules, &mut self.left, &mut solved);
        }
        grades
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::puzzle::parse;

    fn grade_of(line: &str) -> Grade {
        Grader::default().many(SimdLevel::best(), &[parse::line(line.as_bytes()).unwrap()])[0]
    }

    #[test]
    fn each_grade_is_given() {
        let [naked, singles, locked, search] =
            [Grade::NakedSingles, Grade::Singles, Grade::LockedCandidates, Grade::Search];
        for (line, grade) in [
            (
                "534678912672195348198342567859761423426853791713924856961537284287419635345286179",
                naked,
            ),
            (
                "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79",
                naked,
            ),
            (
                "..4.279..5.1.96....9....5.....35..7....74.6..9.......1846...3............3....7.8",
                singles,
            ),
            (
                "..143............2.596..8.3.9.3..6.1..3....9..8.7.....1.....7.........3.2...4...5",
                locked,
            ),
            (
                "5....8....2..5..9...9..4..6....72...31...6.8.......43.4...8.......2...6..32.4....",
                search,
            ),
            (&".".repeat(81), search),
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
