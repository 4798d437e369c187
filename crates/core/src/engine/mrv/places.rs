//! Sets of candidates, as boards have them, and the solutions of a puzzle in this form.

use super::board::{BandBoard, values_of};
use super::branch::choose;
use crate::engine::bounds::Bounds;
use crate::puzzle::{Grid, Solution, rules};
use alloc::vec::Vec;
use core::ops::ControlFlow::{self, Break, Continue};

/// A set of candidates: `[band][digit]` has a bit for each of 27 cells.
pub(crate) type Places = [[u32; 9]; 3];

/// Applies a function to the words of two sets.
fn map(one: &Places, two: &Places, with: impl Fn(u32, u32) -> u32) -> Places {
    core::array::from_fn(|band| {
        core::array::from_fn(|digit| with(one[band][digit], two[band][digit]))
    })
}

pub(crate) const NO_PLACES: Places = [[0; 9]; 3];

/// The candidates that are in both sets.
pub(crate) fn both(one: &Places, two: &Places) -> Places {
    map(one, two, |one, two| one & two)
}

/// The candidates of the first set that are not in the second.
pub(crate) fn without(one: &Places, two: &Places) -> Places {
    map(one, two, |one, two| one & !two)
}

/// The solution that these candidates are.
pub(crate) fn solution(places: &Places) -> Solution {
    Solution::from_proven_values(values_of(places))
}

/// Why a list of solutions ended before its end.
pub(crate) enum Ended {
    /// A bound.
    Bound,
    /// It is full.
    Full,
}

/// Lists solutions; keeps the memory for it.
#[derive(Clone, Debug, Default)]
pub(crate) struct SolutionList {
    pub(crate) solutions: Vec<Places>,
    most: usize,
    bounds: Bounds,
    branches: u64,
}

impl SolutionList {
    pub(crate) fn bounded(bounds: &Bounds) -> Self {
        Self { bounds: bounds.clone(), ..Self::default() }
    }

    /// Lists all solutions, if they are no more than `most`. Returns whether they are all.
    pub(crate) fn fill(&mut self, puzzle: &Grid, most: usize) -> ControlFlow<Ended, bool> {
        (self.most, self.branches) = (most, 0);
        self.solutions.clear();
        if !rules::is_legal(puzzle) {
            return Continue(true);
        }
        match self.search(BandBoard::new(puzzle)) {
            Break(Ended::Bound) => Break(Ended::Bound),
            Break(Ended::Full) => Continue(false),
            Continue(()) => Continue(true),
        }
    }

    fn search(&mut self, mut board: BandBoard) -> ControlFlow<Ended> {
        while board.propagate() {
            let Some((cell, digit)) = choose(&board) else {
                if self.solutions.len() == self.most {
                    return Break(Ended::Full);
                }
                self.solutions.push(board.places);
                return Continue(());
            };
            self.branches += 1;
            let most = self.bounds.max_branches().map_or(u64::MAX, u64::from);
            if self.branches > most || self.bounds.is_stopped() {
                return Break(Ended::Bound);
            }
            let mut guess = board;
            guess.place(cell, digit);
            board.remove(cell, digit);
            self.search(guess)?;
        }
        Continue(())
    }
}

/// The candidates that simple rules leave. `None` if they find that there is no solution.
pub(crate) fn candidates(puzzle: &Grid) -> Option<Places> {
    let mut board = BandBoard::new(puzzle);
    (rules::is_legal(puzzle) && board.propagate()).then_some(board.places)
}
