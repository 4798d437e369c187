//! One board alone, and the puzzles that boards are made from.
//!
//! A *board* is the candidates of the 81 cells of one puzzle, each a set of nine bits. While the
//! search works on it, it lies across the words of a `Block`, in one lane. While it waits on a
//! stack, it lies alone, as a [`Board`].
//!
//! ```text
//!                  lane 0   lane 1   lane 2  …
//!   cells[0]    [  board  |        |        ]        Board { cells: [ 0 1 2 3 … 80 ] }
//!   cells[1]    [    0    |        |        ]                          ▲
//!      …        [    │    |        |        ]                          │
//!   cells[80]   [    ▼    |        |        ]   ── copy_lane ──────────┘
//! ```
#![forbid(unsafe_code)]

use crate::puzzle::{Cell, Grid, Solution, Sukaku};

/// How many cells a board has.
pub(super) const CELLS: usize = Cell::COUNT;

/// What a comparison of all cells gives: bit `i` for cell `i`. The bare bits of a
/// `CellSet`, since vectors take and give them in parts, and a choice counts with them.
pub(super) type CellBits = u128;

/// The set of all nine digits.
pub(super) const ALL_DIGITS: u16 = 0x1ff;

/// One puzzle's candidates, alone. Cells 81 to 95 are padding and always empty: 96 is three
/// words of 32 lanes, or six of 16.
#[derive(Clone, Copy)]
#[repr(align(64))]
pub(super) struct Board {
    pub(super) cells: [u16; 96],
}

impl Board {
    pub(super) const EMPTY: Self = Self { cells: [0; 96] };

    /// The board of a puzzle before any propagation: a clue's digit, or all nine.
    #[inline(always)]
    pub(super) fn start(&mut self, grid: &Grid) {
        for (cell, &value) in self.cells.iter_mut().zip(grid.values()) {
            let any = if value == 0 { ALL_DIGITS } else { 0 };
            *cell = 1 << value >> 1 | any;
        }
    }

    /// The board of a sukaku before any propagation: its candidates, whatever they are.
    ///
    /// Nothing in the kernel asks where a board's sets come from. An empty cell stays empty and
    /// makes the first pass report it, as does a box without a digit; a row or column without one
    /// takes it from the crossings of its band or stack, and so from its boxes, in the second.
    /// No sum is over 81 times 511, which a word of 16 bits holds.
    #[inline(always)]
    pub(super) fn start_sukaku(&mut self, sukaku: &Sukaku) {
        for (cell, candidates) in self.cells.iter_mut().zip(sukaku.cells()) {
            *cell = candidates.bits();
        }
    }

    /// The solution on a board whose cells are all single and whose houses are complete.
    #[expect(clippy::cast_possible_truncation, reason = "9 at most")]
    #[inline(always)]
    pub(super) fn solution(&self) -> Solution {
        let mut values = [0; CELLS];
        for (value, &cell) in values.iter_mut().zip(&self.cells) {
            // Bit by bit, for all cells at once: digit 5, say, is in the masks of 1 and 4.
            let bit = |digits: u16, bit: u16| if cell & digits != 0 { bit } else { 0 };
            let low = bit(0b1_0101_0101, 1) | bit(0b0_0110_0110, 2);
            let high = bit(0b0_0111_1000, 4) | bit(0b1_1000_0000, 8);
            *value = (low | high) as u8;
        }
        Solution::from_proven_values(values)
    }

    /// Whether two cells of a box have the same digit and no other.
    ///
    /// Propagation finds a digit that is given twice in a row or a column, but not always one
    /// that is given twice in a box; a search would go on in vain, and on a sparse grid for
    /// ever. So this is asked before the first branch, and in a sukaku before each, see
    /// [`Puzzles::clash_depth`].
    ///
    /// With it no board that stalls has two equal singles in a house: if they are in two boxes of
    /// a row, say, each has taken the digit from the rest of its box, so the other two rows of the
    /// one lack it, and with them the crossing of these rows: the other cell has lost it. That
    /// needs nothing of how the board began.
    ///
    /// The singles of a box are distinct if they sum to their union. For each of the nine cells of
    /// a box, a window of eight cells is added up that begins with it: then places 0, 3 and 6 hold
    /// the sums of the three boxes of a band.
    #[inline(always)]
    pub(super) fn has_clash_in_box(&self) -> bool {
        let mut singles = [0; 96];
        for (single, cell) in singles.iter_mut().zip(self.cells) {
            *single = if cell & cell.wrapping_sub(1) == 0 { cell } else { 0 };
        }
        let mut clash = 0;
        for band in 0..3 {
            let (mut sum, mut union) = ([0; 8], [0; 8]);
            for k in 0..9 {
                let start = band * 27 + k / 3 * 9 + k % 3;
                for i in 0..8 {
                    sum[i] += singles[start + i];
                    union[i] |= singles[start + i];
                }
            }
            clash |= (sum[0] ^ union[0]) | (sum[3] ^ union[3]) | (sum[6] ^ union[6]);
        }
        clash != 0
    }
}

/// Puzzles of one kind.
#[derive(Clone, Copy)]
pub(super) enum Puzzles<'a> {
    Grids(&'a [Grid]),
    Sukakus(&'a [Sukaku]),
}

impl Puzzles<'_> {
    /// How many there are.
    pub(super) const fn len(self) -> usize {
        match self {
            Self::Grids(grids) => grids.len(),
            Self::Sukakus(sukakus) => sukakus.len(),
        }
    }

    /// The depth of search under which [`Board::has_clash_in_box`] is asked before each branch.
    ///
    /// Of a grid, before the first: what is given twice. Later on two cells of a box seldom become
    /// equal singles in one and the same visit, and a search that goes on for long is looked at
    /// before each branch, too. The cells of a sukaku may have two candidates each in a grid that is blank
    /// besides: of `tests/sukakus.rs`, those of a guess are not finished otherwise.
    #[inline(always)]
    pub(super) const fn clash_depth(self) -> usize {
        match self {
            Self::Grids(_) => 1,
            Self::Sukakus(_) => CELLS,
        }
    }
}
