//! The outcome of a puzzle: the one type that answers are turned into.
//!
//! ```text
//! text ──> Puzzle ──> engine ──> Answer ──> Verdict ──> status: one word
//!      └── Malformed ─────────────────────────┘    └──> `Display`: the reason
//! ```
#![forbid(unsafe_code)]

use crate::engine::Answer;
use crate::puzzle::{Clashes, ParseError, Puzzle, Solution};
use crate::status::Status;
use core::borrow::Borrow;
use core::error::Error;
use core::fmt;

/// The outcome of a puzzle, made of an [`Answer`] by [`Answer::verdict`].
///
/// `S` is [`Solution`] or `&Solution`; `M` is the reason why a text is not a puzzle.
///
/// ```
/// use ninefold_core::puzzle::Grid;
/// use ninefold_core::{Solver, Status, Verdict, solve};
///
/// let verdict: Verdict = solve(&"55.......".repeat(9)).unwrap_err();
/// assert_eq!(verdict.status(), Status::Conflict);
/// assert!(verdict.to_string().starts_with("5 twice in row 1 (columns 1 and 2); "));
///
/// let answer = Solver::new().with_limit(9).one(&Grid::EMPTY);
/// let verdict: Verdict<_> = answer.verdict(&Grid::EMPTY, 9, None);
/// assert_eq!(verdict, Verdict::Multiple { at_least: 9, exact: false });
/// assert_eq!(verdict.to_string(), "9 or more solutions");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict<S = Solution, M = ParseError> {
    /// It has this solution and no other.
    Unique(S),
    /// It has this solution. Uniqueness was not checked.
    Solved(S),
    /// It has more than one solution.
    Multiple {
        /// The number of solutions that were found: two or more.
        at_least: u64,
        /// Whether these are all. Otherwise the search stopped at its limit.
        exact: bool,
    },
    /// It is legal and has no solution.
    None,
    /// A digit is given twice in a house.
    Conflict(Clashes),
    /// The text is not a puzzle.
    Malformed(M),
    /// The search was given up.
    Unknown {
        /// The number of solutions that were found.
        at_least: u64,
        /// The number of branches after which a puzzle is given up. `None` if the search was stopped
        /// for another reason.
        max_branches: Option<u32>,
    },
}

impl<S, M> Verdict<S, M> {
    /// The outcome in one word.
    #[inline]
    pub const fn status(&self) -> Status {
        match self {
            Self::Unique(_) => Status::Unique,
            Self::Solved(_) => Status::Solved,
            Self::Multiple { .. } => Status::Multiple,
            Self::None => Status::None,
            Self::Conflict(_) => Status::Conflict,
            Self::Malformed(_) => Status::Malformed,
            Self::Unknown { .. } => Status::Unknown,
        }
    }

    /// The number of solutions that were found. `None` if the search was given up, or if there was
    /// nothing to search.
    #[inline]
    pub const fn count(&self) -> Option<u64> {
        match *self {
            Self::Unique(_) | Self::Solved(_) => Some(1),
            Self::Multiple { at_least, .. } => Some(at_least),
            Self::None | Self::Conflict(_) => Some(0),
            Self::Malformed(_) | Self::Unknown { .. } => None,
        }
    }
}

impl<S: Borrow<Solution>, M> Verdict<S, M> {
    /// The solution, if the puzzle has the answer that was requested.
    #[inline]
    pub fn solution(&self) -> Option<&Solution> {
        match self {
            Self::Unique(solution) | Self::Solved(solution) => Some(solution.borrow()),
            _ => None,
        }
    }
}

impl<S, M: fmt::Display> fmt::Display for Verdict<S, M> {
    /// The reason, without the solution: `no solution`, `more than one solution`, `5 twice in row 1
    /// (columns 1 and 2)`, `more than 9 branches (2 solutions found)`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unique(_) => f.write_str("one solution"),
            Self::Solved(_) => f.write_str("a solution"),
            Self::Multiple { at_least, exact: true } => write!(f, "{at_least} solutions"),
            Self::Multiple { at_least: 2, exact: false } => f.write_str("more than one solution"),
            Self::Multiple { at_least, exact: false } => write!(f, "{at_least} or more solutions"),
            Self::None => f.write_str("no solution"),
            Self::Conflict(clashes) => clashes.fmt(f),
            Self::Malformed(reason) => reason.fmt(f),
            Self::Unknown { at_least, max_branches } => {
                match max_branches {
                    Some(1) => f.write_str("more than 1 branch")?,
                    Some(branches) => write!(f, "more than {branches} branches")?,
                    None => f.write_str("the search was stopped")?,
                }
                match at_least {
                    0 => Ok(()),
                    1 => f.write_str(" (1 solution found)"),
                    found => write!(f, " ({found} solutions found)"),
                }
            }
        }
    }
}

impl<M> Verdict<&Solution, M> {
    /// The verdict with a solution of its own.
    ///
    /// ```
    /// use ninefold_core::puzzle::Grid;
    /// use ninefold_core::{Solver, Verdict, verdict};
    ///
    /// let own: Verdict = Solver::new().one(&Grid::EMPTY).verdict(&Grid::EMPTY, 2, None).copied();
    /// assert_eq!(own, verdict(&Grid::EMPTY));
    /// ```
    pub fn copied(self) -> Verdict<Solution, M> {
        match self {
            Self::Unique(solution) => Verdict::Unique(*solution),
            Self::Solved(solution) => Verdict::Solved(*solution),
            Self::Multiple { at_least, exact } => Verdict::Multiple { at_least, exact },
            Self::None => Verdict::None,
            Self::Conflict(clashes) => Verdict::Conflict(clashes),
            Self::Malformed(reason) => Verdict::Malformed(reason),
            Self::Unknown { at_least, max_branches } => Verdict::Unknown { at_least, max_branches },
        }
    }
}

impl<S: fmt::Debug, M: fmt::Debug + fmt::Display> Error for Verdict<S, M> {}

impl<S, M> From<M> for Verdict<S, M> {
    #[inline]
    fn from(reason: M) -> Self {
        Self::Malformed(reason)
    }
}

impl Answer {
    /// The verdict on the puzzle that this is the answer to, after a search for up to `limit`
    /// solutions. `max_branches` is the bound of the search
    /// ([`Engine::max_branches`](crate::engine::Engine::max_branches)).
    ///
    /// The puzzle is looked at only if there is no solution.
    #[inline]
    pub fn verdict<M>(
        &self,
        puzzle: impl Into<Puzzle>,
        limit: usize,
        max_branches: Option<u32>,
    ) -> Verdict<&Solution, M> {
        let at_least = self.count as u64;
        match (self.count, &self.first) {
            _ if self.gave_up || limit == 0 => Verdict::Unknown { at_least, max_branches },
            (1, Some(solution)) if limit == 1 => Verdict::Solved(solution),
            (1, Some(solution)) => Verdict::Unique(solution),
            (1.., _) => Verdict::Multiple { at_least, exact: self.count < limit },
            (0, _) => unsolvable(&puzzle.into()),
        }
    }

    /// The solution, if the search is complete and found exactly one: the only solution after a search
    /// for two or more.
    #[inline]
    pub const fn solution(&self) -> Option<&Solution> {
        if self.count == 1 && !self.gave_up { self.first.as_ref() } else { None }
    }
}

/// The verdict on a puzzle without a solution.
#[cold]
pub(crate) fn unsolvable<S, M>(puzzle: &Puzzle) -> Verdict<S, M> {
    Clashes::of(&puzzle.givens()).map_or(Verdict::None, Verdict::Conflict)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::puzzle::{Grid, ParseError, Sukaku};
    use alloc::string::{String, ToString};

    const EASY: &str =
        "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";

    #[test]
    fn each_answer_has_its_verdict_and_its_reason() {
        let easy: Grid = EASY.parse().unwrap();
        let clash: Grid = EASY.replacen('3', "5", 1).parse().unwrap();
        let first = Some(crate::solve(easy).unwrap());
        let solved = |count| Answer { count, first, gave_up: false };
        let given_up = |count| Answer { count, first, gave_up: true };
        let none = Answer::default();
        let cases = [
            (easy, solved(1), 1, "solved", Some(1), "a solution"),
            (easy, solved(1), 2, "unique", Some(1), "one solution"),
            (easy, solved(2), 2, "multiple", Some(2), "more than one solution"),
            (easy, solved(2), 3, "multiple", Some(2), "2 solutions"),
            (easy, solved(5), 5, "multiple", Some(5), "5 or more solutions"),
            (easy, none, 2, "none", Some(0), "no solution"),
            (
                clash,
                none,
                2,
                "conflict",
                Some(0),
                "5 twice in row 1 (columns 1 and 2); 5 twice in box 1 (row 1 column 1 and row 1 column 2)",
            ),
            (easy, given_up(0), 2, "unknown", None, "more than 9 branches"),
            (clash, given_up(1), 1, "unknown", None, "more than 9 branches (1 solution found)"),
            (easy, given_up(2), 3, "unknown", None, "more than 9 branches (2 solutions found)"),
            (easy, none, 0, "unknown", None, "more than 9 branches"),
        ];
        for (grid, answer, limit, status, count, reason) in cases {
            let verdict: Verdict<_> = answer.verdict(grid, limit, Some(9));
            assert_eq!(verdict.status().name(), status, "{reason}");
            assert_eq!((verdict.count(), verdict.to_string()), (count, String::from(reason)));
            let is_solved = matches!(status, "solved" | "unique");
            assert_eq!(verdict.solution(), first.as_ref().filter(|_| is_solved), "{reason}");
            assert_eq!(answer.solution(), first.as_ref().filter(|_| is_solved), "{reason}");
        }
        let branch = given_up(0);
        let branch: Verdict<_> = branch.verdict(easy, 2, Some(1));
        assert_eq!(branch.to_string(), "more than 1 branch");
        // A proof does not name the first of several.
        let proof = Answer { count: 2, first: None, gave_up: false };
        let proof: Verdict<_> = proof.verdict(easy, 2, None);
        assert_eq!(proof, Verdict::Multiple { at_least: 2, exact: false });
    }

    #[test]
    fn a_sukaku_conflicts_by_its_single_candidates() {
        let clash: Grid = EASY.replacen('3', "5", 1).parse().unwrap();
        let none = Answer::default();
        let verdict: Verdict<_> = none.verdict(Sukaku::from(&clash), 2, None);
        assert_eq!(verdict, Verdict::Conflict(Clashes::of(&clash).unwrap()));
        let mut empty = Sukaku::FULL;
        empty.set(crate::puzzle::Cell::new(7), crate::puzzle::DigitSet::EMPTY);
        let verdict: Verdict<_> = none.verdict(empty, 2, None);
        assert_eq!(verdict, Verdict::None);
    }

    #[test]
    fn a_malformed_text_has_the_reason_of_its_parser() {
        let verdict: Verdict<Solution, ParseError> = ParseError::Length { found: 80 }.into();
        assert_eq!((verdict.status(), verdict.count()), (Status::Malformed, None));
        assert_eq!(verdict.to_string(), "expected 81 cells, found 80");
    }
}
