//! Unique rectangles and loops: the search for the loop.
//!
//! ```text
//!   {1 2} ─── {1 2}        Every house that the loop visits holds two of its cells. With 1 and 2
//!     │         │          alone in all of them, swapping 1 and 2 would give a second solution.
//!   {1 2} ─── {1 2 5}      So some cell holds one of its *extra* candidates.
//! ```
//!
//! The search starts at each cell with two candidates and walks from house to house: box, row,
//! column, never twice in the same kind. A cell at an even place and a cell at an odd place visit
//! each house once each; a walk that visits a house twice with one parity is cut off at once.
//! A walk has at most two cells with extras, or more if all extras are the same digit.

use super::board::Board;
use super::loop_hints::{Finder, Hint, Loop};
use super::tables::{CELLS, COUNT, HOUSE_BITS, HOUSES_OF, bits, cells_of};

/// No loop is longer: nine rows, each visited twice.
pub(super) const LONGEST: usize = 18;

struct Walk<'a> {
    board: &'a Board,
    digits: [usize; 2],
    cells: [u8; LONGEST],
    length: usize,
    /// The cells of the walk.
    visited: u128,
    /// The houses visited at even and at odd places.
    houses: [u32; 2],
    finder: Finder,
}

/// The cells with extras that a walk may still get, and the extras it has.
#[derive(Clone, Copy)]
struct Extras {
    left: i8,
    digits: u16,
}

impl Walk<'_> {
    /// Adds a cell and goes on from there. `kind` is the kind of house that led to the cell.
    fn extend(&mut self, cell: usize, kind: usize, extras: Extras) {
        let parity = self.length % 2;
        if self.houses[parity] & HOUSE_BITS[cell] != 0 || self.length == LONGEST {
            return;
        }
        #[expect(clippy::cast_possible_truncation, reason = "under 81")]
        let index = cell as u8;
        self.cells[self.length] = index;
        self.length += 1;
        self.visited |= 1 << cell;
        self.houses[parity] |= HOUSE_BITS[cell];
        for next_kind in [2, 0, 1] {
            if next_kind != kind {
                self.follow(usize::from(HOUSES_OF[cell][next_kind]), next_kind, extras);
            }
        }
        self.houses[parity] &= !HOUSE_BITS[cell];
        self.visited &= !(1 << cell);
        self.length -= 1;
    }

    fn follow(&mut self, house: usize, kind: usize, extras: Extras) {
        let [low, high] = self.digits;
        let pair = 1 << low | 1 << high;
        for position in bits(self.board.places[low][house] & self.board.places[high][house]) {
            let next = usize::from(CELLS[house][position]);
            if next == usize::from(self.cells[0]) {
                if self.length >= 4 && self.houses[0] == self.houses[1] {
                    let cells = &self.cells[..self.length];
                    self.finder.try_loop(self.board, &Loop { cells, digits: self.digits });
                }
            } else if self.visited >> next & 1 == 0 {
                let candidates = self.board.cells[next];
                let digits = (extras.digits | candidates) & !pair;
                let is_pair = candidates == pair;
                if is_pair || COUNT[usize::from(digits)] == 1 || extras.left > 0 {
                    let left = extras.left - i8::from(!is_pair);
                    self.extend(next, kind, Extras { left, digits });
                }
            }
        }
    }
}

/// The easiest unique loop: by score, then by type, then by discovery.
pub(super) fn best_loop(board: &Board) -> Option<Hint> {
    let mut walk = Walk {
        board,
        digits: [0; 2],
        cells: [0; LONGEST],
        length: 0,
        visited: 0,
        houses: [0; 2],
        finder: Finder::default(),
    };
    for start in cells_of(board.cells_with(|candidates| COUNT[usize::from(candidates)] == 2)) {
        let mut pair = bits(board.cells[start]);
        if let (Some(low), Some(high)) = (pair.next(), pair.next()) {
            walk.digits = [low, high];
            walk.extend(start, 3, Extras { left: 2, digits: 0 });
        }
        if walk.finder.is_final() {
            break;
        }
    }
    walk.finder.into_best()
}
