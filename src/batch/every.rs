//! Every solution of each puzzle of a chunk, up to so many.
//!
//! An engine has its own order, and another engine another; so what was found is put in the order
//! of its digits. If all solutions were found, that is the same list whatever engine found them.

use crate::engine::{Answer, Engine, Visit};
use crate::puzzle::{Grid, Solution, Sukaku};
use std::ops::{ControlFlow, Range};

/// The solutions of the puzzles of a chunk, with the memory for them.
#[derive(Default)]
pub(super) struct Every {
    solutions: Vec<Solution>,
    /// Which of them belong to each puzzle.
    ranges: Vec<Range<usize>>,
}

impl Every {
    /// Finds `most` solutions of each puzzle, or all; first of the grids, then of the sukakus. The count of an answer is one more than
    /// `most` if there are more.
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
        answers.extend(
            grids
                .iter()
                .map(|grid| self.find_each(most, |visit| engine.each_solution(grid, visit))),
        );
        answers.extend(
            sukakus
                .iter()
                .map(|sukaku| self.find_each(most, |visit| engine.each_solution_of(sukaku, visit))),
        );
    }

    /// The same for what hands over the solutions of one puzzle.
    fn find_each(&mut self, most: usize, search: impl FnOnce(&mut Visit)) -> Answer {
        let start = self.solutions.len();
        let mut count = 0;
        search(&mut |solution| {
            count += 1;
            if count > most {
                return ControlFlow::Break(());
            }
            self.solutions.push(*solution);
            ControlFlow::Continue(())
        });
        self.solutions[start..].sort_unstable_by_key(|solution| *solution.grid().values());
        self.ranges.push(start..self.solutions.len());
        Answer { count, first: self.solutions.get(start).copied() }
    }

    /// The solutions of a puzzle, in the order of their digits.
    pub(super) fn of(&self, index: usize) -> &[Solution] {
        &self.solutions[self.ranges[index].clone()]
    }
}
