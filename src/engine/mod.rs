//! Ways to solve. All of them keep one contract, and one test suite judges them all.
//!
//! # The contract
//! 1. The answer to a puzzle depends on that puzzle and the limit alone: not on the batch, on
//!    what the engine solved before, or on the CPU.
//! 2. Every solution handed over is full, legal and keeps every clue: [`Solution`] is the proof
//!    of the first two.
//! 3. No solution is handed over twice, and none is left out below the limit.
//! 4. A puzzle with a digit twice in a house has no solution, and is found out before any search.
//! 5. Nothing is allocated per puzzle but what the caller's `Vec` needs to grow.
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
pub mod reference;

use crate::puzzle::{Grid, Solution};
pub use kind::EngineKind;
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
    /// Hands over the solutions of one puzzle, one by one, until there are no more or `visit`
    /// breaks.
    fn each_solution(&mut self, puzzle: &Grid, visit: &mut Visit);

    /// Appends one answer for each puzzle, looking for at most `limit` solutions: 1 solves, 2
    /// proves that there is just one, `n` counts.
    fn solve_batch(&mut self, puzzles: &[Grid], limit: usize, answers: &mut Vec<Answer>) {
        for puzzle in puzzles {
            let mut answer = Answer::default();
            if limit > 0 {
                self.each_solution(puzzle, &mut |solution| {
                    answer.first.get_or_insert(*solution);
                    answer.count += 1;
                    if answer.count < limit {
                        ControlFlow::Continue(())
                    } else {
                        ControlFlow::Break(())
                    }
                });
            }
            answers.push(answer);
        }
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
