//! Unique rectangles and loops: the search for the loop.
//!
//! ```text
//!   {1 2} ─── {1 2}        Every house that the loop visits holds two of its cells. With 1 and 2
//!     │         │          alone in all of them, swapping 1 and 2 would give a second solution.
//!   {1 2} ─── {1 2 5}      So some cell holds one of its *extra* candidates.
//! ```
//!
//! The search starts at each cell with two candidates and walks from house to house: box, row,
//! column, never twice in the same kind. A walk has at most two cells with extras, or more if all
//! extras are the same digit. A loop counts if each house that it visits is visited once at an even
//! place and once at an odd place.
//!
//! Three cuts leave a hundredth of the walks. None of them changes which loop comes first:
//! 1. A walk ends where it visits a house twice with one parity.
//! 2. A cell takes part only if each of its houses has another cell for both digits.
//! 3. Earlier starts with the same two digits take no part: their loops were found from there.

use super::board::Board;
use super::loop_hints::{Finder, Hint, Loop};
use super::tables::{
    CELLS, COUNT, HOUSE_BITS, HOUSES, HOUSES_OF, POSITIONS, SETS_OF_HOUSES, bits, cells_of,
};

/// No loop is longer: nine rows, each visited twice.
pub(super) const LONGEST: usize = 18;

struct Walk<'a> {
    board: &'a Board,
    digits: [usize; 2],
    /// The cells that can take part, by house.
    usable: [u16; HOUSES],
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
        let taken = self.houses[self.length % 2];
        for position in bits(self.usable[house]) {
            let next = usize::from(CELLS[house][position]);
            if next == usize::from(self.cells[0]) {
                if self.length >= 4 && self.houses[0] == self.houses[1] {
                    let cells = &self.cells[..self.length];
                    self.finder.try_loop(self.board, &Loop { cells, digits: self.digits });
                }
            } else if self.visited >> next & 1 == 0
                && taken & HOUSE_BITS[next] == 0
                && self.length < LONGEST
            {
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

/// The cells of a set that are not alone in one of their houses, by house.
fn usable(mut set: u128) -> (u128, [u16; HOUSES]) {
    loop {
        let mut houses = [0u16; HOUSES];
        for cell in cells_of(set) {
            for (house, position) in HOUSES_OF[cell].into_iter().zip(POSITIONS[cell]) {
                houses[usize::from(house)] |= 1 << position;
            }
        }
        let mut kept = set;
        for (house, &positions) in houses.iter().enumerate() {
            if positions & positions.wrapping_sub(1) == 0 {
                kept &= !SETS_OF_HOUSES[house];
            }
        }
        if kept == set {
            return (set, houses);
        }
        set = kept;
    }
}

/// The easiest unique loop: by score, then by type, then by discovery.
pub(super) fn best_loop(board: &Board) -> Option<Hint> {
    let mut walk = Walk {
        board,
        digits: [0; 2],
        usable: [0; HOUSES],
        cells: [0; LONGEST],
        length: 0,
        visited: 0,
        houses: [0; 2],
        finder: Finder::default(),
    };
    let mut starts = cells_of(board.cells_with(|candidates| COUNT[usize::from(candidates)] == 2));
    let cells_of_digits: [u128; 9] = core::array::from_fn(|digit| board.cells_of_digit(digit));
    let mut earlier = 0u128;
    while let (Some(start), false) = (starts.next(), walk.finder.is_final()) {
        let pair = board.cells[start];
        let (low, high) = (pair.trailing_zeros() as usize, 15 - pair.leading_zeros() as usize);
        let (set, houses) = usable(cells_of_digits[low] & cells_of_digits[high] & !earlier);
        earlier |= 1 << start;
        if set >> start & 1 != 0 {
            walk.digits = [low, high];
            walk.usable = houses;
            walk.extend(start, 3, Extras { left: 2, digits: 0 });
        }
    }
    walk.finder.into_best()
}
