//! Puzzles, and the board that each begins with.
#![forbid(unsafe_code)]

use crate::engine::contract::Other;
use crate::puzzle::{Digit, DigitSet, Grid, Sukaku};
use crate::simd::{Board, CELLS, Word};

/// Puzzles of one kind.
#[derive(Clone, Copy)]
pub(super) enum PuzzleBatch<'a> {
    Grids(&'a [Grid]),
    Sukakus(&'a [Sukaku]),
    Others(&'a [Other]),
}

impl PuzzleBatch<'_> {
    /// The number of puzzles.
    pub(super) const fn len(self) -> usize {
        match self {
            Self::Grids(grids) => grids.len(),
            Self::Sukakus(sukakus) => sukakus.len(),
            Self::Others(others) => others.len(),
        }
    }
}

/// A board that its stage did not solve, and the number of its puzzle.
#[derive(Clone, Copy)]
pub(super) struct UnsolvedBoard {
    pub(super) puzzle: usize,
    pub(super) board: Board,
}

/// A puzzle whose board the kernel makes.
pub(super) trait StartBoard {
    /// Makes the board of the puzzle before any propagation.
    fn start<W: Word>(&self, proof: W::Proof, board: &mut Board);
}

impl StartBoard for Grid {
    /// A clue's digit, or all nine.
    #[inline(always)]
    fn start<W: Word>(&self, proof: W::Proof, board: &mut Board) {
        let (tiles, last) = self.values().as_chunks::<16>();
        for (cells, values) in board.cells.as_chunks_mut::<16>().0.iter_mut().zip(tiles) {
            *cells = W::candidates(proof, values);
        }
        board.cells[CELLS - 1] = Board::candidates(last[0]);
    }
}

impl StartBoard for Other {
    #[inline(always)]
    fn start<W: Word>(&self, proof: W::Proof, board: &mut Board) {
        self.grid.start::<W>(proof, board);
        board.cells[self.cell.index()] = but(self.digit);
    }
}

/// Makes the board of a question as [`StartBoard`] does. Plain code, for callers outside the kernel.
pub(super) fn start_other(other: &Other, board: &mut Board) {
    for (cell, &value) in board.cells.iter_mut().zip(other.grid.values()) {
        *cell = Board::candidates(value);
    }
    board.cells[other.cell.index()] = but(other.digit);
}

/// Makes the board of a sukaku before any propagation: its candidates.
///
/// The kernel treats all candidate sets alike. The first pass reports an empty cell and a box
/// without a digit. A row or column without a digit removes it from the crossings of its band or
/// stack, and so from its boxes, in the second pass. No sum is over 81 times 511, which a word of
/// 16 bits holds.
#[inline(always)]
pub(super) fn start_sukaku(sukaku: &Sukaku, board: &mut Board) {
    for (cell, candidates) in board.cells.iter_mut().zip(sukaku.values()) {
        *cell = candidates.bits();
    }
}

/// All candidates except a digit.
#[inline(always)]
const fn but(digit: Digit) -> u16 {
    DigitSet::of(digit).complement().bits()
}
