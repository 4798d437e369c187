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

use super::board::SolvingBoard;
use super::loop_hints::{Loop, LoopFinder, LoopHint};
use super::tables::{
    CELLS, COUNT, HOUSE_BITS, HOUSES, HOUSES_OF, POSITIONS, SETS_OF_HOUSES, bits, cells_of,
};

/// No loop is longer: nine rows, each visited twice.
pub(super) const LONGEST: usize = 18;

struct LoopWalk<'a> {
    board: &'a SolvingBoard,
    digits: [usize; 2],
    /// The cells that can take part, by house.
    usable: [u16; HOUSES],
    cells: [u8; LONGEST],
    length: usize,
    /// The cells of the walk.
    visited: u128,
    /// The houses visited at even and at odd places.
    houses: [u32; 2],
    /// Whether a walk from the start was a loop.
    has_loop: bool,
    finder: LoopFinder,
}

/// The cells with extras that a walk may still get, and the extras it has.
#[derive(Clone, Copy)]
struct Extras {
    left: i8,
    digits: u16,
}

impl LoopWalk<'_> {
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
                    self.has_loop = true;
                    let (board, digits) = (self.board, self.digits);
                    let cells = &self.cells[..self.length];
                    self.finder.try_loop(&Loop { board, cells, digits });
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

/// The easiest unique loop: by score, then by type, then by discovery. Also returns the starts without
/// a loop, if there is no hint.
///
/// There is no loop from the cells `without_loop` if no cell that has both digits has `changed`.
pub(super) fn best_loop(
    board: &SolvingBoard,
    without_loop: u128,
    changed: u128,
) -> (Option<LoopHint>, u128) {
    let mut walk = LoopWalk {
        board,
        digits: [0; 2],
        usable: [0; HOUSES],
        cells: [0; LONGEST],
        length: 0,
        visited: 0,
        houses: [0; 2],
        has_loop: false,
        finder: LoopFinder::default(),
    };
    let mut starts = cells_of(board.cells_with(|candidates| COUNT[usize::from(candidates)] == 2));
    let cells_of_digits: [u128; 9] = core::array::from_fn(|digit| board.cells_of_digit(digit));
    let (mut earlier, mut without) = (0u128, 0u128);
    while let (Some(start), false) = (starts.next(), walk.finder.is_final()) {
        let pair = board.cells[start];
        let (low, high) = (pair.trailing_zeros() as usize, pair.ilog2() as usize);
        let with_both = cells_of_digits[low] & cells_of_digits[high] & !earlier;
        earlier |= 1 << start;
        if without_loop >> start & 1 != 0 && with_both & changed == 0 {
            without |= 1 << start;
            continue;
        }
        let (set, houses) = usable(with_both);
        walk.has_loop = false;
        if set >> start & 1 != 0 {
            walk.digits = [low, high];
            walk.usable = houses;
            walk.extend(start, 3, Extras { left: 2, digits: 0 });
        }
        without |= u128::from(!walk.has_loop) << start;
    }
    (walk.finder.best, without)
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec::Vec;

    /// `r1c1 12 r1c4 12`: cells and their candidates.
    fn pairs(text: &str) -> Vec<(&str, &str)> {
        let words: Vec<_> = text.split(' ').collect();
        words.chunks(2).map(|pair| (pair[0], pair[1])).collect()
    }

    fn apply(cells: &str) -> Option<(u8, bool, SolvingBoard)> {
        let mut board = SolvingBoard::of_candidates(&pairs(cells));
        // Wide cells would take part in loops: 1 and 2 stay in the cells named.
        let named = board.cells;
        for (cell, &candidates) in named.iter().enumerate() {
            if candidates == 0x1ff {
                board.strike(1, [cell]);
                board.strike(2, [cell]);
            }
        }
        let hint = best_loop(&board, 0, !0).0?;
        hint.apply(&mut board);
        Some((hint.tenths(), hint.is_rectangle, board))
    }

    /// The cells of a loop, its score, whether it is a rectangle, and the candidates afterwards.
    type Case = (&'static str, u8, bool, &'static str);

    #[test]
    fn each_type_has_its_score_and_its_eliminations() {
        let cases: [Case; 6] = [
            // Type 1 clears the fourth cell.
            ("r1c1 12 r1c4 12 r2c1 12 r2c4 1257", 45, true, "r2c4 57"),
            // Type 2 clears what sees both cells.
            ("r1c1 12 r1c4 12 r2c1 125 r2c4 125", 45, true, "r2c9 346789 r1c9 3456789"),
            // Type 4: row 2 has no other place for 1. For a hidden pair with 1, it has too many for 2.
            (
                "r1c1 12 r1c4 12 r2c1 1256 r2c4 1278 r2c8 239 r2c9 234",
                45,
                true,
                "r2c1 156 r2c4 178",
            ),
            // Type 3, a hidden pair: in row 2, 1 and 2 fit the rectangle and r2c9: one of each.
            ("r1c1 12 r1c4 12 r2c1 1256 r2c4 1278 r2c9 239", 45, true, "r2c9 2 r2c1 1256"),
            // Type 3, a naked pair, and no hidden one: 1 and 2 have two more places each.
            (
                "r1c1 12 r1c4 12 r2c1 125 r2c4 126 r2c9 56 r2c2 1234 r2c3 1234",
                46,
                true,
                "r2c8 34789",
            ),
            // A loop of six is harder than a rectangle.
            ("r1c1 12 r1c4 12 r2c4 12 r2c7 12 r3c7 12 r3c1 128", 46, false, "r3c1 8"),
        ];
        for (cells, tenths, is_rectangle, expected) in cases {
            let (found, of_four, board) = apply(cells).unwrap();
            assert_eq!((found, of_four), (tenths, is_rectangle), "{cells}");
            for (cell, digits) in pairs(expected) {
                assert_eq!(board.candidates(cell), digits, "{cell} of {cells}");
            }
        }
    }

    #[test]
    fn four_corners_in_four_boxes_are_no_rectangle() {
        assert!(apply("r1c1 12 r1c4 12 r4c1 12 r4c4 1257").is_none());
    }
}
