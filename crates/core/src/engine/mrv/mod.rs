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
use super::existence::{DOUBT_AFTER, Doubt, Remains};
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
        search(Board::of(sukaku), visit, Unobserved);
    }

    fn each_solution(&mut self, puzzle: &Grid, visit: &mut Visit) {
        start(puzzle, visit, Unobserved);
    }

    fn each_solution_observed(
        &mut self,
        puzzle: &Puzzle,
        visit: &mut Visit,
        branch: &mut Branch,
    ) -> bool {
        match puzzle {
            Puzzle::Grid(grid) => start(grid, visit, branch),
            Puzzle::Sukaku(sukaku) => search(Board::of(sukaku), visit, branch),
        }
        true
    }
}

/// The answer to one puzzle, without any memory but the stack.
pub(crate) fn first_solutions(puzzle: &Puzzle, limit: usize) -> Answer {
    count(limit, |visit| Mrv.each_solution_of_puzzle(puzzle, visit))
}

fn start(puzzle: &Grid, visit: &mut Visit, observer: impl Observer) {
    if rules::is_legal(puzzle) {
        search(Board::new(puzzle), visit, observer);
    }
}

/// The search of one puzzle.
struct Search<'a, 'v, O> {
    whole: Board,
    visit: &'a mut Visit<'v>,
    observer: O,
    /// How often it has branched, modulo 2^32.
    branches: u32,
    /// How often it had branched at its last solution.
    branches_at_solution: u32,
    doubt: Option<Doubt>,
}

/// Searches the solutions of a board.
fn search(board: Board, visit: &mut Visit, observer: impl Observer) {
    let mut search =
        Search { whole: board, visit, observer, branches: 0, branches_at_solution: 0, doubt: None };
    // It breaks if there is no more to do.
    let _ = search.run(board);
}

impl<O: Observer> Search<'_, '_, O> {
    /// Visits the solutions of a board.
    fn run(&mut self, mut board: Board) -> ControlFlow<()> {
        while board.propagate() {
            let Some((cell, digit)) = branch::choose(&board) else {
                self.branches_at_solution = self.branches;
                return (self.visit)(&board.solution());
            };
            // Cells with one candidate are fixed, so there are two choices or more.
            self.observer.on_branch(|| 2)?;
            self.branches = self.branches.wrapping_add(1);
            let branches_before = self.branches;
            let mut guess = board;
            guess.place(cell, digit);
            self.run(guess)?;
            board.remove(cell, digit);
            let branches = self.branches.wrapping_sub(branches_before);
            if branches >= DOUBT_AFTER {
                match self.doubt(&board, branches)? {
                    Remains::Nothing => return ControlFlow::Break(()),
                    Remains::Earlier => break,
                    Remains::All => {}
                }
            }
        }
        ControlFlow::Continue(())
    }

    /// What remains to be searched, with the board after the second choice. The first took so many
    /// branches.
    #[cold]
    fn doubt(&mut self, second: &Board, branches: u32) -> ControlFlow<(), Remains> {
        if self.branches.wrapping_sub(self.branches_at_solution) < branches {
            return ControlFlow::Continue(Remains::All);
        }
        let doubt = self.doubt.get_or_insert_with(Doubt::new);
        doubt.ask(branches, || self.whole.cells(), &second.cells(), &mut self.observer)
    }
}
