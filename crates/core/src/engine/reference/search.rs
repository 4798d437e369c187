//! The frame around the textbook searches: legality first, and which boards are branches.

use crate::engine::contract::{Branch, Engine, Visit};
use crate::puzzle::{Puzzle, Sukaku};
use core::ops::ControlFlow;

/// The part that each textbook engine implements.
pub(super) trait TextbookSearch: Send {
    /// Visits the solutions of a legal sukaku, until there are no more or a callback breaks.
    fn walk(&mut self, sukaku: &Sukaku, visit: &mut Visit, branch: &mut Branch);
}

/// A search that needs no memory but the stack.
pub(crate) struct Textbook(pub(crate) fn(&Sukaku, &mut Visit, &mut Branch));

impl TextbookSearch for Textbook {
    fn walk(&mut self, sukaku: &Sukaku, visit: &mut Visit, branch: &mut Branch) {
        self.0(sukaku, visit, branch);
    }
}

/// Calls `branch` for a board with two or more choices.
pub(super) fn on_branch(branch: &mut Branch, choices: usize) -> ControlFlow<()> {
    if choices > 1 { branch() } else { ControlFlow::Continue(()) }
}

impl<S: TextbookSearch> Engine for S {
    fn search(&mut self, puzzle: &Puzzle, visit: &mut Visit, branch: &mut Branch) {
        let sukaku = match puzzle {
            Puzzle::Grid(grid) => &grid.into(),
            Puzzle::Sukaku(sukaku) => sukaku,
        };
        if sukaku.is_legal() {
            self.walk(sukaku, visit, branch);
        }
    }
}
