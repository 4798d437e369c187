//! Checks every answer, outside of the timed part.
//!
//! A solution is checked by the rules and the clues alone. A count is checked by agreement: the
//! first engine that counts (`dlx`, even if it is not measured, as far as time allows) is compared
//! with all others, and with itself on other permutations of the puzzle.

use crate::Error;
use crate::report::{Label, Mode};
use ninefold_core::engine::Answer;
use ninefold_core::puzzle::{Grid, Puzzle};
use std::fmt;

/// An engine's answer is wrong, or two engines disagree.
#[derive(Debug)]
pub struct Wrong {
    who: Label,
    /// The puzzle, as the engine got it.
    puzzle: Puzzle,
    what: Fault,
}

/// What is wrong with an answer.
#[derive(Debug)]
enum Fault {
    /// Fewer answers than puzzles.
    Missing,
    /// A count above the limit, or one that contradicts the presence of a solution.
    Count(usize),
    /// The solution breaks a rule or changes a clue.
    NoSolution(Grid),
    /// Another engine, or the same one in an earlier round, found another count.
    Disagrees { found: usize, other: Label, expected: usize },
}

impl fmt::Display for Wrong {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { who, puzzle, what } = self;
        match what {
            Fault::Missing => write!(f, "{who} gave no answer to {puzzle}"),
            Fault::Count(count) => write!(f, "{who} counts {count} solutions of {puzzle}"),
            Fault::NoSolution(grid) => {
                let grid = grid.line(b'.');
                write!(f, "{who}'s solution of {puzzle} is none: {}", grid.escape_ascii())
            }
            Fault::Disagrees { found, other, expected } => {
                write!(f, "{who} found {found} of {puzzle}, and {other} {expected} (solutions)")
            }
        }
    }
}

impl std::error::Error for Wrong {}

/// The number of solutions of each puzzle of a list, up to a limit, and the engine that counted.
pub(crate) struct Expected {
    mode: Mode,
    counts: Vec<Option<(usize, Label)>>,
}

impl Expected {
    /// No count is known yet.
    pub(crate) fn new(mode: Mode, puzzles: usize) -> Self {
        Self { mode, counts: vec![None; puzzles] }
    }

    /// Judges the answers to permuted puzzles, the first of which is number `from` of the list
    /// that is gone through again and again.
    pub(crate) fn check_all(
        &mut self,
        who: &Label,
        from: usize,
        puzzles: &[Puzzle],
        answers: &[Answer],
    ) -> Result<(), Error> {
        if let Some(puzzle) = puzzles.get(answers.len()) {
            let what = Fault::Missing;
            return Err(Wrong { who: who.clone(), puzzle: *puzzle, what }.into());
        }
        let mut triples = (from..).zip(puzzles).zip(answers);
        triples.try_for_each(|((place, puzzle), answer)| self.check(who, place, puzzle, answer))
    }

    /// Judges one answer.
    pub(crate) fn check(
        &mut self,
        who: &Label,
        index: usize,
        puzzle: &Puzzle,
        answer: &Answer,
    ) -> Result<(), Error> {
        let wrong = |what| Err(Wrong { who: who.clone(), puzzle: *puzzle, what }.into());
        let found = answer.count;
        // A proof need not give the first of several solutions.
        let may_lack = found == 0 || found > 1 && self.mode.limit() == 2;
        let fits = if answer.first.is_some() { found > 0 } else { may_lack };
        if found > self.mode.limit() || !fits {
            return wrong(Fault::Count(found));
        }
        if let Some(first) = &answer.first
            && puzzle.check_answer(first.grid()).is_err()
        {
            return wrong(Fault::NoSolution(*first.grid()));
        }
        let place = index % self.counts.len();
        match &self.counts[place] {
            None => self.counts[place] = Some((found, who.clone())),
            Some((expected, _)) if *expected == found => {}
            Some((expected, other)) => {
                let (expected, other) = (*expected, other.clone());
                return wrong(Fault::Disagrees { found, other, expected });
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ninefold_core::puzzle::{Cell, Digit, Solution, parse};

    const PUZZLE: &[u8; 81] =
        b"53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
    const SOLVED: &[u8; 81] =
        b"534678912672195348198342567859761423426853791713924856961537284287419635345286179";

    #[test]
    fn each_kind_of_wrong_answer_is_seen() {
        let mut grid = parse::line(PUZZLE).unwrap();
        let puzzle = Puzzle::from(grid);
        let first = Solution::try_from(parse::line(SOLVED).unwrap()).ok();
        let mut expected = Expected::new(Mode::Unique, 1);
        let mut ask = |who: &str, puzzle: &Puzzle, count, first| {
            let answers = [Answer { count, first, ..Answer::default() }];
            let checked = expected.check_all(&Label::new(who), 3, &[*puzzle], &answers);
            checked.map_err(|wrong| wrong.to_string())
        };
        let line = PUZZLE.escape_ascii();
        assert_eq!(ask("a", &puzzle, 1, first), Ok(()));
        assert_eq!(ask("b", &puzzle, 1, first), Ok(()));
        let error = format!("b found 2 of {line}, and a 1 (solutions)");
        assert_eq!(ask("b", &puzzle, 2, first), Err(error));
        let error = format!("b found 0 of {line}, and a 1 (solutions)");
        assert_eq!(ask("b", &puzzle, 0, None), Err(error));
        for (count, first) in [(3, first), (0, first), (1, None)] {
            let error = format!("b counts {count} solutions of {line}");
            assert_eq!(ask("b", &puzzle, count, first), Err(error));
        }
        // Another clue in a blank: the solution does not keep it.
        grid.set(Cell::new(2), Some(Digit::ALL[0]));
        let puzzle = Puzzle::from(grid);
        assert!(ask("b", &puzzle, 1, first).unwrap_err().starts_with("b's solution of 531"));
        let none = expected.check_all(&Label::new("b"), 0, &[puzzle], &[]);
        assert!(none.unwrap_err().to_string().starts_with("b gave no answer to 531"));
    }
}
