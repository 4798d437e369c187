//! Ways to solve. All of them keep one contract, and one test suite judges them all.
//!
//! # The contract
//! A puzzle is a [`Grid`] or a [`Sukaku`]; all of this holds for both.
//!
//! 1. The answer to a puzzle depends on that puzzle and the limit alone: not on the batch, on
//!    what the engine solved before, or on the CPU.
//! 2. Every solution handed over is full, legal and keeps every clue, of a sukaku every cell's
//!    candidates: [`Solution`] is the proof of the first two.
//! 3. No solution is handed over twice, and none is left out below the limit.
//! 4. A puzzle with a digit twice in a house has no solution, and is found out before any search.
//!    So is a sukaku that is not legal ([`Sukaku::is_legal`]): one with an empty cell, a house in
//!    which a digit has no place, or two cells of a house with the same single candidate.
//! 5. Nothing is allocated per puzzle but what the caller's `Vec` needs to grow.
//! 6. A sukaku whose cells all have one candidate or nine has the count of the grid of its
//!    singles, and the same solutions.
//!
//! With several solutions each engine has its own order; it is always the same one.
//!
//! # The engines
//! [`EngineKind::ALL`] is the one list of them.
//!
//! ```text
//! reference   scan, flags, masks, candidates, dlx: from the textbook, a page each
//! mrv         portable, allocation-free: bit masks, singles, most constrained cell next
//! lanes       many puzzles side by side, one in each lane of a vector: the default
//! ```
//!
//! A new one is a file with an [`Engine`] in it and its lines in `kind`; `tests/engines_agree.rs`
//! judges it without a new test.

mod kind;
pub mod lanes;
mod mrv;
mod observe;
pub mod reference;

use crate::puzzle::{Grid, Solution, Sukaku};
pub use kind::EngineKind;
pub use observe::Branch;
use std::ops::ControlFlow;

/// What an engine found for one puzzle.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Answer {
    /// Solutions found, counting no further than the limit asked for.
    pub count: usize,
    /// The first of them.
    pub first: Option<Solution>,
}

/// Told of each solution; says whether to go on to the next.
pub type Visit<'a> = dyn FnMut(&Solution) -> ControlFlow<()> + 'a;

/// A way to solve puzzles. Each worker owns one, scratch memory included.
pub trait Engine: Send {
    /// Hands over the solutions of one sukaku, one by one, until there are no more or `visit`
    /// breaks.
    fn each_solution_of(&mut self, sukaku: &Sukaku, visit: &mut Visit);

    /// Hands over the solutions of one puzzle, one by one, until there are no more or `visit`
    /// breaks.
    ///
    /// An engine that has no shorter way solves the sukaku that leaves blanks all nine candidates.
    fn each_solution(&mut self, puzzle: &Grid, visit: &mut Visit) {
        self.each_solution_of(&puzzle.into(), visit);
    }

    /// As [`Engine::each_solution`], but tells `branch` of each board at which the search has
    /// more than one way to go on; it ends if `branch` breaks. The branches depend on the puzzle,
    /// and on where `visit` breaks, alone. It may be slower than solving.
    ///
    /// False if `branch` is not told, which is so unless an engine says otherwise.
    fn each_solution_observed(
        &mut self,
        puzzle: &Grid,
        visit: &mut Visit,
        branch: &mut Branch,
    ) -> bool {
        let _ = branch;
        self.each_solution(puzzle, visit);
        false
    }

    /// Appends one answer for each puzzle, looking for at most `limit` solutions: 1 solves, 2
    /// proves that there is just one, `n` counts.
    fn solve_batch(&mut self, puzzles: &[Grid], limit: usize, answers: &mut Vec<Answer>) {
        answers.extend(
            puzzles.iter().map(|puzzle| count(limit, |visit| self.each_solution(puzzle, visit))),
        );
    }

    /// Appends one answer for each sukaku, as [`Engine::solve_batch`] does for puzzles.
    fn solve_sukakus(&mut self, sukakus: &[Sukaku], limit: usize, answers: &mut Vec<Answer>) {
        answers.extend(
            sukakus.iter().map(|sukaku| count(limit, |visit| self.each_solution_of(sukaku, visit))),
        );
    }

    /// The answer to one puzzle, as [`Engine::solve_batch`] gives it.
    ///
    /// # Panics
    /// Never: a batch of one has one answer.
    fn solve(&mut self, puzzle: &Grid, limit: usize) -> Answer {
        let mut answers = Vec::with_capacity(1);
        self.solve_batch(std::slice::from_ref(puzzle), limit, &mut answers);
        answers.pop().expect("one puzzle, one answer")
    }
}

/// Counts what `search` hands over, and stops it at the limit.
fn count(limit: usize, search: impl FnOnce(&mut Visit)) -> Answer {
    let mut answer = Answer::default();
    if limit > 0 {
        search(&mut |solution| {
            answer.first.get_or_insert(*solution);
            answer.count += 1;
            if answer.count < limit { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
    }
    answer
}
