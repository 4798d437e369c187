//! Every solution of each puzzle of a chunk, up to a limit.
//!
//! Engines find solutions in different orders, so the solutions are sorted by their digits. If there are more than are wanted, the first in this order are looked for:
//!
//! ```text
//! most = 5      53..7…   more than 5
//!               531.7…   2: taken        each digit in the first blank cell, then
//!               532.7…   0
//!               534.7…   more than 3     only here in the next cell
//!               5341 …   3: taken, that makes 5
//! ```
//!
//! So the list is the same whatever engine found it. A puzzle is asked about no more than nine times
//! for each blank cell, and never for more solutions than are still wanted, and one.

use crate::engine::{Answer, Engine};
use crate::puzzle::{Cell, Digit, Grid, Puzzle, Solution, Sukaku};
use std::num::NonZeroUsize;
use std::ops::{ControlFlow, Range};

/// The first `most` solutions of a puzzle in lexicographic order, and whether these are all.
///
/// ```
/// use ninefold::engine::EngineKind;
/// use ninefold::puzzle::{Grid, Puzzle};
/// use std::num::NonZeroUsize;
///
/// let (empty, most) = (Puzzle::from(Grid::EMPTY), NonZeroUsize::new(3).unwrap());
/// let (solutions, all) =
///     ninefold::solve::first_solutions(EngineKind::default().build().as_mut(), &empty, most);
/// assert_eq!((solutions.len(), all), (3, false));
/// assert!(solutions[2].to_string().starts_with("123456789456789123789123456"));
/// ```
pub fn first_solutions(
    engine: &mut dyn Engine,
    puzzle: &Puzzle,
    most: NonZeroUsize,
) -> (Vec<Solution>, bool) {
    let mut every = Every::default();
    let answer = every.find_each(engine, *puzzle, most.get());
    (every.solutions, answer.count <= most.get())
}

/// The solutions of the puzzles of a chunk, with the memory for them.
#[derive(Default)]
pub(super) struct Every {
    solutions: Vec<Solution>,
    /// Which of them belong to each puzzle.
    ranges: Vec<Range<usize>>,
}

impl Every {
    /// Finds the first `most` solutions of each puzzle, or all; first of the grids, then of the
    /// sukakus. The count of an answer is one more than `most` if there are more.
    pub(super) fn find(
        &mut self,
        engine: &mut dyn Engine,
        grids: &[Grid],
        sukakus: &[Sukaku],
        most: usize,
        answers: &mut Vec<Answer>,
    ) {
        self.solutions.clear();
        self.ranges.clear();
        answers.extend(grids.iter().map(|grid| self.find_each(engine, grid.into(), most)));
        answers.extend(sukakus.iter().map(|sukaku| self.find_each(engine, sukaku.into(), most)));
    }

    /// The same for one puzzle.
    fn find_each(&mut self, engine: &mut dyn Engine, puzzle: Puzzle, most: usize) -> Answer {
        let start = self.solutions.len();
        let all = self.take_all(engine, &puzzle, most);
        if !all {
            self.take_first(engine, puzzle, most);
        }
        self.ranges.push(start..self.solutions.len());
        let count = self.solutions.len() - start + usize::from(!all);
        Answer { count, first: self.solutions.get(start).copied() }
    }

    /// Takes all solutions of a puzzle, in the order of their digits; if they are more than `most`,
    /// none, and says so.
    fn take_all(&mut self, engine: &mut dyn Engine, puzzle: &Puzzle, most: usize) -> bool {
        let (start, mut count) = (self.solutions.len(), 0);
        engine.each_solution_of_puzzle(puzzle, &mut |solution| {
            if count == most {
                count += 1;
                return ControlFlow::Break(());
            }
            count += 1;
            self.solutions.push(*solution);
            ControlFlow::Continue(())
        });
        if count > most {
            self.solutions.truncate(start);
        }
        self.solutions[start..].sort_unstable_by_key(|solution| *solution.grid().values());
        count <= most
    }

    /// Takes the first `most` solutions of a puzzle that has more.
    fn take_first(&mut self, engine: &mut dyn Engine, mut puzzle: Puzzle, most: usize) {
        let wanted = self.solutions.len() + most;
        for cell in Cell::all() {
            let with_each = Digit::ALL.map(|digit| puzzle.with(cell, digit));
            let mut options = with_each.iter().flatten();
            if let (Some(_), None) = (options.next(), options.next()) {
                continue;
            }
            for option in with_each.iter().flatten() {
                let left = wanted - self.solutions.len();
                if left == 0 {
                    return;
                }
                if !self.take_all(engine, option, left) {
                    puzzle = *option;
                    break;
                }
            }
        }
    }

    /// The solutions of a puzzle, in the order of their digits.
    pub(super) fn of(&self, index: usize) -> &[Solution] {
        &self.solutions[self.ranges[index].clone()]
    }
}
