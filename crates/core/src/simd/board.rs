//! One board alone, and how it lies in words.
//!
//! A *board* is the candidates of the 81 cells of one puzzle, each a set of nine bits. While the
//! search works on it, it lies across the words of a block, in one lane. While it waits on a
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

use crate::puzzle::Cell;

/// The number of cells of a board.
pub(crate) const CELLS: usize = Cell::COUNT;

/// The result of a comparison of all cells: bit `i` for cell `i`. The bare bits of a `CellSet`,
/// since vectors use them in parts and a choice counts them.
pub(crate) type CellBits = u128;

/// The set of all nine digits.
pub(crate) const ALL_DIGITS: u16 = 0x1ff;

/// The candidates of one puzzle, alone. Cells 81 to 95 are padding and always empty: 96 is three
/// words of 32 lanes, or six of 16.
#[derive(Clone, Copy)]
#[repr(align(64))]
pub(crate) struct Board {
    pub(crate) cells: [u16; 96],
}

impl Board {
    pub(crate) const EMPTY: Self = Self { cells: [0; 96] };

    /// The candidates of a grid's cell: its digit, or all nine of a blank.
    #[inline(always)]
    pub(crate) const fn candidates(value: u8) -> u16 {
        let any = if value == 0 { ALL_DIGITS } else { 0 };
        Self::clue(value) | any
    }

    /// The digit of a grid's cell, or no digit of a blank.
    #[inline(always)]
    pub(crate) const fn clue(value: u8) -> u16 {
        1 << value >> 1
    }

    /// The digits of a board whose cells are all single.
    #[inline(always)]
    pub(crate) fn values(&self) -> [u8; CELLS] {
        let mut values = [0; CELLS];
        for (value, &cell) in values.iter_mut().zip(&self.cells) {
            *value = Self::digit(cell);
        }
        values
    }

    /// The digit of a single cell.
    #[expect(clippy::cast_possible_truncation, reason = "9 at most")]
    #[inline(always)]
    pub(crate) const fn digit(cell: u16) -> u8 {
        // Bit by bit, for all cells at once: digit 5, say, is in the masks of 1 and 4.
        const fn bit(common: u16, bit: u16) -> u16 {
            if common != 0 { bit } else { 0 }
        }
        let low = bit(cell & 0b1_0101_0101, 1) | bit(cell & 0b0_0110_0110, 2);
        let high = bit(cell & 0b0_0111_1000, 4) | bit(cell & 0b1_1000_0000, 8);
        (low | high) as u8
    }

    /// Whether two cells of a box have the same digit and no other.
    ///
    /// Propagation finds a digit that is given twice in a row or a column, but not always one that is
    /// given twice in a box. A search below such a board finds nothing, and on a sparse grid takes
    /// practically forever.
    ///
    /// A stalled board that passes has no two equal singles in a house at all. Suppose they are in two
    /// boxes of a row. Each has removed the digit from the rest of its box. So the other two rows of
    /// one box lack it, and so does the crossing of these rows: the other cell has lost it. This
    /// holds for any board.
    ///
    /// The singles of a box are distinct if they sum to their union. For each of the nine cells of
    /// a box, a window of eight cells is added up that begins with it: then places 0, 3 and 6 hold
    /// the sums of the three boxes of a band.
    #[inline(always)]
    pub(crate) fn has_clash_in_box(&self) -> bool {
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
