//! The textbook engines, a page each, with no tricks and nothing shared between their searches.
//!
//! They are oracles for tests, baselines for benches, and reading for people. Each finds one
//! solution, counts to `n`, or hands over every one, by the same walk.
#![forbid(unsafe_code)]

mod candidates;
mod dlx;
mod flags;
mod masks;
mod scan;

pub use candidates::Candidates;
pub use dlx::Dlx;
pub use flags::Flags;
pub use masks::Masks;
pub use scan::Scan;

use super::observe::{Observer, Unobserved};
use super::{Branch, Engine, Visit};
use crate::puzzle::{Grid, Sukaku};

/// A search written once, whether somebody looks on or not: what an engine here has of its own.
trait Search: Send {
    /// Hands over the solutions of a legal sukaku, until there are no more or somebody breaks.
    fn search(&mut self, sukaku: &Sukaku, visit: &mut Visit, observer: &mut impl Observer);
}

impl<S: Search> Engine for S {
    fn each_solution_of(&mut self, sukaku: &Sukaku, visit: &mut Visit) {
        search_legal(self, sukaku, visit, &mut Unobserved);
    }

    fn each_solution_observed(
        &mut self,
        puzzle: &Grid,
        visit: &mut Visit,
        mut branch: &mut Branch,
    ) -> bool {
        search_legal(self, &puzzle.into(), visit, &mut branch);
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
