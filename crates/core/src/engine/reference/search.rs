//! The frame around the textbook searches: legality first, and branches for an observer.

use crate::engine::contract::{Branch, Engine, Visit};
use crate::puzzle::{Puzzle, Sukaku};
use core::ops::ControlFlow;

/// The part that each textbook engine implements.
pub(super) trait TextbookSearch: Send {
    /// Visits the solutions of a legal sukaku, until there are no more or a callback breaks.
    fn search(&mut self, sukaku: &Sukaku, visit: &mut Visit, branch: &mut Option<&mut Branch>);
}

/// Calls `branch` for a board with two or more choices.
pub(super) fn on_branch(
    branch: &mut Option<&mut Branch>,
    choices: impl FnOnce() -> usize,
) -> ControlFlow<()> {
    match branch {
        Some(branch) if choices() > 1 => branch(),
        _ => ControlFlow::Continue(()),
    }
}

impl<S: TextbookSearch> Engine for S {
    fn each_solution_of(&mut self, sukaku: &Sukaku, visit: &mut Visit) {
        if sukaku.is_legal() {
            self.search(sukaku, visit, &mut None);
        }
    }

    fn each_solution_observed(
        &mut self,
        puzzle: &Puzzle,
        visit: &mut Visit,
        branch: &mut Branch,
    ) -> bool {
        let sukaku = match puzzle {
            Puzzle::Grid(grid) => &grid.into(),
            Puzzle::Sukaku(sukaku) => sukaku,
        };
        if sukaku.is_legal() {
            self.search(sukaku, visit, &mut Some(branch));
        }
        true
    }
}
