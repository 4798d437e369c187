//! The portable engine: bit masks propagate all conclusions, then the search guesses a cell.
//!
//! ```text
//! search(board):  propagate ──> dead? back
//!                     │
//!                     ├───────> every cell fixed? visit the solution, back
//!                     │
//!                  branch: search(copy with the cell's first candidate)
//!                     │
//!                     └── remove that candidate, and propagate again
//! ```
//!
//! A board is 124 bytes: one word of 27 bits for each digit in each band of three boxes, so that
//! a rule looks at 27 cells at once, and tables of 512 words answer it. Bands and such tables are
//! the public idea of `JCZSolve`, after Zhou Yundong's solver. Pairing rows with boxes and columns
//! with bands, in place of a rule for each kind of single and locked candidate, is our own.
//!
//! # Depth
//! A board is copied only to fix a cell that was blank, so searches nest no deeper than 81 cells
//! less the clues, each with one board on the stack: 81 of them would be 10 KB. Nothing is
//! allocated.
#![forbid(unsafe_code)]

mod board;
mod branch;
mod tables;

use super::contract::{Answer, Engine, Visit, count};
use super::observe::{Branch, Observer, Unobserved};
use crate::puzzle::{Grid, Puzzle, Sukaku, rules};
use board::Board;
use core::ops::ControlFlow;

/// The engine. Its only memory is the stack.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Mrv;

impl Engine for Mrv {
    /// The first propagation rejects a sukaku that is not legal.
    fn each_solution_of(&mut self, sukaku: &Sukaku, visit: &mut Visit) {
        let _ = search(Board::of(sukaku), visit, &mut Unobserved);
    }

    fn each_solution(&mut self, puzzle: &Grid, visit: &mut Visit) {
        start(puzzle, visit, &mut Unobserved);
    }

    fn each_solution_observed(
        &mut self,
        puzzle: &Grid,
        visit: &mut Visit,
        mut branch: &mut Branch,
    ) -> bool {
        start(puzzle, visit, &mut branch);
        true
    }
}

/// The answer to one puzzle, without any memory but the stack.
pub(crate) fn first_solutions(puzzle: &Puzzle, limit: usize) -> Answer {
    count(limit, |visit| Mrv.each_solution_of_puzzle(puzzle, visit))
}

fn start(puzzle: &Grid, visit: &mut Visit, observer: &mut impl Observer) {
    if rules::is_legal(puzzle) {
        let _ = search(Board::new(puzzle), visit, observer);
    }
}

/// Visits the solutions of a board.
fn search(mut board: Board, visit: &mut Visit, observer: &mut impl Observer) -> ControlFlow<()> {
    while board.propagate() {
        let Some((cell, digit)) = branch::choose(&board) else {
            return visit(&board.solution());
        };
        // Cells with one candidate are fixed, so there are two choices or more.
        observer.on_branch(|| 2)?;
        let mut guess = board;
        guess.place(cell, digit);
        search(guess, visit, observer)?;
        board.remove(cell, digit);
    }
    ControlFlow::Continue(())
}
