//! The techniques from 4.5 to 6.2, whose order has an influence on the rating: one hint at a time.
//!
//! Most searches fail, and most of a grid does not change between two of them. So the last grid on which
//! all of them failed is kept. A quad depends on its house, a jellyfish on its digit, an aligned pair on its
//! cells and on those that both see, a loop on the cells that have both of its digits: where these have
//! not changed, the search fails again.

use super::board::SolvingBoard;
use super::exclusion::first_exclusion;
use super::grave::first_grave;
use super::loops::best_loop;
use super::pattern::Pattern;
use super::score::Technique;
use super::tables::{HOUSE_BITS, cells_of};
use super::techniques::Hint;
use super::{fish, sets};

/// The searches, and where they failed.
#[derive(Clone, Debug)]
pub(super) struct Ordered {
    /// The candidates of the last grid without a hint. At first a full one, which has none.
    cells: [u16; 81],
    /// The cells from which no walk of that grid was a loop.
    without_loop: u128,
}

impl Ordered {
    pub(super) const fn new() -> Self {
        Self { cells: [0; 81], without_loop: 0 }
    }

    /// Uses the first hint.
    pub(super) fn first(&mut self, board: &mut SolvingBoard) -> Option<Hint> {
        let changed = board.cells_unlike(&self.cells);
        let (hint, without_loop) = best_loop(board, self.without_loop & !changed, changed);
        if let Some(hint) = hint {
            hint.apply(board);
            let technique =
                if hint.is_rectangle { Technique::UniqueRectangle } else { Technique::UniqueLoop };
            return Some((hint.tenths(), technique, hint.pattern));
        }
        let (mut houses, mut digits) = (0, 0);
        for cell in cells_of(changed) {
            houses |= HOUSE_BITS[cell];
            digits |= self.cells[cell] ^ board.cells[cell];
        }
        let mut pattern = Pattern::NONE;
        let mut first = |found| {
            pattern = found;
            true
        };
        if sets::subsets::<4, false>(board, houses, &mut first) {
            return Some((50, Technique::NakedQuad, pattern));
        }
        if let Some(pattern) = fish::first_jellyfish(board, digits) {
            return Some((52, Technique::Jellyfish, pattern));
        }
        if sets::subsets::<4, true>(board, houses, &mut first) {
            return Some((54, Technique::HiddenQuad, pattern));
        }
        if let Some((tenths, pattern)) = first_grave(board) {
            return Some((tenths, Technique::BivalueGrave, pattern));
        }
        if let Some(pattern) = first_exclusion(board, changed) {
            return Some((62, Technique::AlignedPairExclusion, pattern));
        }
        (self.cells, self.without_loop) = (board.cells, without_loop);
        None
    }
}
