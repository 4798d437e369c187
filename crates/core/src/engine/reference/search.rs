//! The frame around the textbook searches: legality first, with or without an observer.

use crate::engine::contract::{Engine, Visit};
use crate::engine::observe::{Branch, Observer, Unobserved};
use crate::puzzle::{Puzzle, Sukaku};

/// A search that is written once for any observer: the part that each textbook engine implements.
pub(super) trait Search: Send {
    /// Visits the solutions of a legal sukaku, until there are no more or a callback breaks.
    fn search(&mut self, sukaku: &Sukaku, visit: &mut Visit, observer: &mut impl Observer);
}

impl<S: Search> Engine for S {
    fn each_solution_of(&mut self, sukaku: &Sukaku, visit: &mut Visit) {
        search_legal(self, sukaku, visit, &mut Unobserved);
    }

    fn each_solution_observed(
        &mut self,
        puzzle: &Puzzle,
        visit: &mut Visit,
        mut branch: &mut Branch,
    ) -> bool {
        let sukaku = match puzzle {
            Puzzle::Grid(grid) => &grid.into(),
            Puzzle::Sukaku(sukaku) => sukaku,
        };
        search_legal(self, sukaku, visit, &mut branch);
        true
    }
}

fn search_legal(
    engine: &mut impl Search,
    sukaku: &Sukaku,
    visit: &mut Visit,
    observer: &mut impl Observer,
) {
    if sukaku.is_legal() {
        engine.search(sukaku, visit, observer);
    }
}
