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

use crate::simd::{Board, CELLS, CellBits, WEIGHED, Word};

/// A cell and the one digit, as a set, to try in it first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Choice {
    pub(super) cell: usize,
    pub(super) digit: u16,
}

/// Chooses for a stalled board, which has a cell with two candidates or more.
#[inline(always)]
pub(super) fn choose<W: Word>(proof: W::Proof, board: &Board) -> Choice {
    let pairs = W::cells_of::<2>(proof, board);
    if pairs == 0 {
        // Vectors find the first cell with three sooner than the loop in `smallest` (2 % on hard
        // lists), and there nearly always is one.
        let threes = W::cells_of::<3>(proof, board);
        return if threes == 0 { smallest(board) } else { lowest_of(board, first(threes)) };
    }
    lowest_of(board, W::heaviest(proof, board, pairs, weighed_of(pairs)))
}

/// The first cell of a set.
#[inline(always)]
const fn first(cells: CellBits) -> usize {
    cells.trailing_zeros() as usize
}

/// The lowest digit of a cell.
#[inline(always)]
const fn lowest_of(board: &Board, cell: usize) -> Choice {
    Choice { cell, digit: lowest(board.cells[cell]) }
}

/// The cells to weigh: three from each end, which need not differ.
#[expect(clippy::cast_possible_truncation, reason = "one end of the set after the other")]
#[inline(always)]
fn weighed_of(pairs: CellBits) -> [u32; WEIGHED] {
    // Nearly every board has three in cells 0 to 63 and three in cells 17 to 80: 64 bits are less
    // work than 128 (AVX2 3 to 5 % on hard lists).
    let (low, high) = (pairs as u64, (pairs >> 17) as u64);
    if low.count_ones() >= 3 && high.count_ones() >= 3 {
        let next = |set: u64| set & set.wrapping_sub(1);
        let previous = |set: u64| set & !(1 << 63 >> set.leading_zeros());
        let first = |set: u64| set.trailing_zeros();
        let last = |set: u64| 63 + 17 - set.leading_zeros();
        let (low_2, high_2) = (next(low), previous(high));
        let (low_3, high_3) = (next(low_2), previous(high_2));
        return [first(low), first(low_2), first(low_3), last(high), last(high_2), last(high_3)];
    }
    few_weighed_of(pairs)
}

/// The same for any board. If there are not enough pairs, some come twice.
#[inline(always)]
fn few_weighed_of(pairs: CellBits) -> [u32; WEIGHED] {
    let (mut from_first, mut from_last) = (pairs, pairs);
    let mut cells = [0; WEIGHED];
    for k in 0..WEIGHED / 2 {
        let (first, last) = (from_first.trailing_zeros(), from_last.ilog2());
        (cells[k], cells[WEIGHED / 2 + k]) = (first, last);
        // With no cell left the last one is weighed again, which is cheaper than a branch.
        from_first = non_zero_or(from_first & (from_first - 1), from_first);
        from_last = non_zero_or(from_last & !(1 << last), from_last);
    }
    cells
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
    lowest_of(board, cell.expect("a board that is full is not branched on"))
}
