//! The boards of all lanes side by side, across the words of a [`Block`].
//!
//! The module `simd::board` draws how they lie.
#![forbid(unsafe_code)]

use crate::simd::{ALL_DIGITS, Board, Cells, Word, lanes_of};

/// The boards of all lanes, and the state that one pass leaves to the next.
///
/// With 32 lanes 8.8 KB, well inside the smallest first-level cache.
#[repr(C, align(64))]
pub(super) struct Block<W: Word> {
    /// By band, then in reading order within it.
    pub(super) cells: Cells<W>,
    /// The candidates of each row-triad: by band, stack, and row within the band.
    pub(super) row_triads: [[W::Memory; 9]; 3],
    /// The candidates of each column-triad: by band, stack, and column within the stack.
    pub(super) column_triads: [[W::Memory; 9]; 3],
    /// The sum of all cells after the last pass: if it is the same after the next, nothing
    /// changed, for candidates are only ever taken away.
    pub(super) sum: W::Memory,
    /// The lanes that hold a new board, a bit each: their triads are still those of the board before it.
    ///
    /// Not a word: single lanes of it would be stored just before a pass loads all of it, which then waits.
    pub(super) fresh: u32,
}

impl<W: Word> Block<W> {
    #[inline(never)]
    pub(super) fn new() -> Self {
        Self {
            cells: [[W::Memory::from(ALL_DIGITS); 27]; 3],
            row_triads: [[W::Memory::from(ALL_DIGITS); 9]; 3],
            column_triads: [[W::Memory::from(ALL_DIGITS); 9]; 3],
            sum: W::Memory::from(0),
            fresh: 0,
        }
    }

    /// Puts boards into lanes, each with its lane.
    ///
    /// Cell by cell and not board by board: the lanes of a cell share a cache line, and the
    /// CPU writes a line once for several stores that follow each other.
    #[inline(always)]
    pub(super) fn put<const N: usize>(&mut self, mut boards: [(usize, &Board); N]) {
        for (lane, _) in &mut boards {
            *lane %= W::LANES;
        }
        for (cell, word) in self.cells.as_flattened_mut().iter_mut().enumerate() {
            for (lane, board) in boards {
                word.as_mut()[lane] = board.cells[cell];
            }
        }
        for (lane, _) in boards {
            self.fresh |= 1 << lane;
        }
    }

    /// Puts a board into each of these lanes: many at a time while there are many, then up to four.
    #[inline(always)]
    pub(super) fn put_all<'a>(
        &mut self,
        proof: W::Proof,
        mut lanes: u32,
        board: impl Fn(usize) -> &'a Board,
    ) {
        while lanes.count_ones() >= W::MANY_PUTS {
            let (mut some, mut left) = (0, lanes);
            for _ in 0..W::PUTS {
                some |= left & left.wrapping_neg();
                left &= left.wrapping_sub(1);
            }
            W::put_many(proof, &mut self.cells, some, &board);
            self.fresh |= some;
            lanes = left;
        }
        let mut boards = lanes_of(lanes).map(|lane| (lane, board(lane)));
        loop {
            match [boards.next(), boards.next(), boards.next(), boards.next()] {
                [Some(a), Some(b), Some(c), Some(d)] => {
                    self.put([a, b, c, d]);
                    continue;
                }
                [Some(a), Some(b), Some(c), _] => self.put([a, b, c]),
                [Some(a), Some(b), ..] => self.put([a, b]),
                [Some(a), ..] => self.put([a]),
                _ => {}
            }
            return;
        }
    }

    /// Takes the lanes that are fresh. They are not fresh any more.
    #[inline(always)]
    pub(super) fn take_fresh(&mut self) -> u32 {
        core::mem::take(&mut self.fresh)
    }

    /// Copies the board of a lane, cell by cell. `W::copy_lane` is faster, but only the kernel can use it.
    pub(super) fn copy_board(&self, lane: usize, board: &mut Board) {
        for (cell, word) in board.cells.iter_mut().zip(self.cells.as_flattened()) {
            *cell = word.as_ref()[lane % W::LANES];
        }
    }

    /// Leaves a cell of a lane with these candidates.
    #[inline(always)]
    pub(super) fn set_cell(&mut self, lane: usize, cell: usize, candidates: u16) {
        self.cells.as_flattened_mut()[cell].as_mut()[lane % W::LANES] = candidates;
    }
}
