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
mod leaf;
pub(crate) mod places;
mod solutions;
mod tables;
mod walk;

pub use solutions::Solutions;
pub(super) use walk::SolutionWalk;

use super::contract::{Answer, Branch, Engine, Visit, count};
use super::existence::{DOUBT_AFTER, Doubt};
use crate::puzzle::{Puzzle, rules};
use board::BandBoard;
use core::ops::ControlFlow;

/// The engine. Its only memory is the stack.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Mrv;

impl Engine for Mrv {
    /// The first propagation rejects a sukaku that is not legal.
    fn search(&mut self, puzzle: &Puzzle, visit: &mut Visit, branch: &mut Branch) {
        match puzzle {
            Puzzle::Grid(grid) if rules::is_legal(grid) => {
                search(BandBoard::new(grid), visit, branch);
            }
            Puzzle::Grid(_) => {}
            Puzzle::Sukaku(sukaku) => search(BandBoard::of(sukaku), visit, branch),
        }
    }
}

/// The answer to one puzzle, without any memory but the stack.
pub(crate) fn first_solutions(puzzle: &Puzzle, limit: usize) -> Answer {
    count(limit, |visit| Mrv.each_solution(puzzle, visit))
}

/// The search of one puzzle.
struct MrvSearch<'a, 'v, 'b> {
    visit: &'a mut Visit<'v>,
    /// Receives the branches.
    on_branch: &'a mut Branch<'b>,
    /// How often it has branched.
    branches: u64,
    /// How often it had branched at its last solution.
    branches_at_solution: u64,
    /// How often it will have branched when it is doubted, if it finds no solution until then.
    doubted_at: u64,
    doubt: Option<Doubt>,
    /// How many of the boards that wait have no solution, from the last on.
    dead: usize,
}

/// The board of a second choice, which waits for the search of the first.
#[derive(Clone, Copy)]
struct WaitingBoard<'a> {
    board: &'a BandBoard,
    /// The one that waited before.
    before: Option<&'a WaitingBoard<'a>>,
}

/// Searches the solutions of a board.
fn search(board: BandBoard, visit: &mut Visit, branch: &mut Branch) {
    let mut search = MrvSearch {
        visit,
        on_branch: branch,
        branches: 0,
        branches_at_solution: 0,
        doubted_at: DOUBT_AFTER,
        doubt: None,
        dead: 0,
    };
    // It breaks if there is no more to do.
    let _ = search.run(board, None);
}

impl MrvSearch<'_, '_, '_> {
    /// Visits the solutions of a board.
    fn run(&mut self, mut board: BandBoard, before: Option<&WaitingBoard>) -> ControlFlow<()> {
        while board.propagate() {
            let Some((cell, digit)) = branch::choose(&board) else {
                self.branches_at_solution = self.branches;
                self.doubted_at = self.branches + DOUBT_AFTER;
                return (self.visit)(&board.solution());
            };
            // Cells with one candidate are fixed, so there are two choices or more.
            (self.on_branch)()?;
            self.branches += 1;
            let mut guess = board;
            guess.place(cell, digit);
            board.remove(cell, digit);
            let waiting = WaitingBoard { board: &board, before };
            self.run(guess, Some(&waiting))?;
            if self.branches >= self.doubted_at {
                self.doubt(waiting)?;
            }
            if self.dead > 0 {
                self.dead -= 1;
                break;
            }
        }
        ControlFlow::Continue(())
    }

    /// Asks which of the boards that wait have no solution.
    #[cold]
    fn doubt(&mut self, waiting: WaitingBoard) -> ControlFlow<()> {
        let barren = self.branches - self.branches_at_solution;
        let waiting = core::iter::successors(Some(&waiting), |waiting| waiting.before)
            .map(|waiting| waiting.board.cells());
        let doubt = self.doubt.get_or_insert_with(Doubt::new);
        let advice = doubt.ask(barren, 1, &waiting, self.on_branch)?;
        self.dead = advice.dead;
        self.doubted_at = self.branches + advice.next;
        ControlFlow::Continue(())
    }
}
