//! Where to branch when propagation takes nothing more away.
//!
//! The cell: among those with two candidates, the one whose two digits weigh most on the cells
//! it sees. Each peer that holds one of them counts 1, and each that has itself only two
//! candidates 4, since it becomes a single. On the hardest lists that needs half the nodes of
//! taking the first such cell.
//!
//! The digit: the lower one. (Asking which one more peers hold costs more than it saves, even
//! when the first solution is enough.)
#![forbid(unsafe_code)]

use super::board::{Board, CELLS, CellBits};
use super::word::Word;
use crate::puzzle::Cell;

/// The cells that each cell sees.
pub(super) const PEERS: [CellBits; CELLS] = {
    let mut peers = [0; CELLS];
    let mut index = 0;
    while index < CELLS {
        let all = Cell::new(index).peers();
        let mut place = 0;
        while place < all.len() {
            peers[index] |= 1 << all[place].index();
            place += 1;
        }
        index += 1;
    }
    peers
};

/// How many cells with two candidates are weighed: half of them the first in reading order, half
/// the last, so that they come from all over the board.
///
/// Nodes a puzzle on 150 hard puzzles: 297 with the first such cell, 157 with 4, 145 with 6, 142
/// with 8, 140 with all of them, of which there are 11 on average.
const WEIGHED: u32 = 6;

/// A cell and the one digit, as a set, to try in it first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Choice {
    pub(super) cell: usize,
    pub(super) digit: u16,
}

/// Chooses for a stalled board, which has a cell with two candidates or more.
#[inline(always)]
pub(super) fn choose<W: Word>(proof: W::Proof, board: &Board) -> Choice {
    let pairs = W::cells_of_two(proof, board);
    if pairs == 0 {
        return smallest(board);
    }
    let (mut from_first, mut from_last) = (pairs, pairs);
    let mut best = 0;
    for _ in 0..WEIGHED / 2 {
        let first = from_first.trailing_zeros();
        let last = from_last.ilog2();
        // One number, so that the maximum is no branch: which cell wins cannot be predicted.
        for cell in [first, last] {
            best = best.max(weight::<W>(proof, board, pairs, cell as usize) << 8 | cell);
        }
        // With no cell left the last one is weighed again, which is cheaper than a branch.
        from_first = non_zero_or(from_first & (from_first - 1), from_first);
        from_last = non_zero_or(from_last & !(1 << last), from_last);
    }
    let cell = (best & 0xff) as usize;
    Choice { cell, digit: lowest(board.cells[cell]) }
}

/// The weight of a cell: the effect of its two digits on the cells it sees.
#[inline(always)]
fn weight<W: Word>(proof: W::Proof, board: &Board, pairs: CellBits, cell: usize) -> u32 {
    let touched = W::cells_with(proof, board, board.cells[cell]) & PEERS[cell];
    touched.count_ones() + 3 * (touched & pairs).count_ones()
}

/// The lowest digit of a set, as a set.
#[inline(always)]
const fn lowest(digits: u16) -> u16 {
    digits & digits.wrapping_neg()
}

#[inline(always)]
const fn non_zero_or(set: CellBits, other: CellBits) -> CellBits {
    if set == 0 { other } else { set }
}

/// The lowest digit of the first cell with the fewest candidates above one.
#[cold]
pub(super) fn smallest(board: &Board) -> Choice {
    let open = (0..CELLS).filter(|&cell| board.cells[cell].count_ones() > 1);
    let cell = open.min_by_key(|&cell| board.cells[cell].count_ones());
    let cell = cell.expect("a board that is full is not branched on");
    Choice { cell, digit: lowest(board.cells[cell]) }
}
