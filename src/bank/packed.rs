//! A puzzle in few bytes, the same for the same puzzle, however its line wrote it.
//!
//! ```text
//! grid     41 bytes   81 cells of four bits, two to a byte, the first in the lower half; blanks are 0
//! sukaku   92 bytes   729 candidates of one bit, nine to a cell, the first in the lowest bit
//! ```

use crate::puzzle::{Cell, Grid, Sukaku};

/// Bytes of a packed grid.
///
/// ```
/// assert_eq!(crate::bank::GRID_BYTES, 41);
/// ```
pub const GRID_BYTES: usize = Cell::COUNT.div_ceil(2);

/// Bytes of a packed sukaku: nine digits in each cell.
///
/// ```
/// assert_eq!(crate::bank::SUKAKU_BYTES, 92);
/// ```
pub const SUKAKU_BYTES: usize = (9 * Cell::COUNT).div_ceil(8);

/// A packed puzzle of so many bytes.
///
/// ```
/// use crate::puzzle::Grid;
/// use crate::bank::{Packed, PackedGrid};
///
/// let packed: Packed<41> = PackedGrid::from(&Grid::EMPTY);
/// assert_eq!(packed.bytes(), &[0; 41]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Packed<const BYTES: usize>([u8; BYTES]);

/// A packed grid.
///
/// ```
/// use crate::puzzle::Grid;
/// use crate::bank::PackedGrid;
///
/// let one: Grid = format!("12{}", ".".repeat(79)).parse()?;
/// let same: Grid = format!("12{}", "0".repeat(79)).parse()?;
/// assert_eq!(PackedGrid::from(&one), PackedGrid::from(&same));
/// assert_eq!(PackedGrid::from(&one).bytes()[0], 0x21);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub type PackedGrid = Packed<GRID_BYTES>;

/// A packed sukaku.
///
/// ```
/// use crate::puzzle::{Grid, Sukaku};
/// use crate::bank::PackedSukaku;
///
/// // A blank has all nine candidates.
/// let packed = PackedSukaku::from(&Sukaku::from(&Grid::EMPTY));
/// assert!(packed.bytes()[..91].iter().all(|&byte| byte == 0xff));
/// ```
pub type PackedSukaku = Packed<SUKAKU_BYTES>;

impl<const BYTES: usize> Packed<BYTES> {
    /// The packed puzzle that had these bytes.
    pub(super) const fn from_bytes(bytes: [u8; BYTES]) -> Self {
        Self(bytes)
    }

    /// XXH3 of the bytes, 128 bits: the same on every machine and in every version. Of the packed form
    /// of a puzzle ([`Forms`](super::Forms)) it is a key that isomorphic puzzles share: its remainder
    /// can split a collection so that no two isomorphic puzzles are in different parts.
    ///
    /// ```
    /// use crate::bank::PackedGrid;
    /// use crate::puzzle::Grid;
    ///
    /// let key = PackedGrid::from(&Grid::EMPTY).key();
    /// assert_eq!(key, 0xbcac_8a17_609a_2593_7adb_c8ba_9ffa_f49d);
    /// ```
    #[must_use]
    pub fn key(&self) -> u128 {
        twox_hash::XxHash3_128::oneshot(&self.0)
    }

    /// Its bytes.
    #[must_use]
    pub const fn bytes(&self) -> &[u8; BYTES] {
        &self.0
    }
}

impl From<&Grid> for PackedGrid {
    fn from(grid: &Grid) -> Self {
        let mut packed = Self([0; _]);
        for (byte, cells) in packed.0.iter_mut().zip(grid.values().chunks(2)) {
            *byte = cells[0] | cells.get(1).unwrap_or(&0) << 4;
        }
        packed
    }
}

impl From<&Sukaku> for PackedSukaku {
    fn from(sukaku: &Sukaku) -> Self {
        let mut packed = Self([0; _]);
        for (cell, candidates) in Cell::all().zip(sukaku.cells()) {
            // Nine bits lie in two bytes, whatever place they begin at.
            let first = 9 * cell.index();
            let [low, high] = (candidates.bits() << (first % 8)).to_le_bytes();
            packed.0[first / 8] |= low;
            packed.0[first / 8 + 1] |= high;
        }
        packed
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::puzzle::{Digit, DigitSet};
    use std::collections::HashSet;

    #[test]
    fn every_digit_in_every_cell_has_bytes_of_its_own() {
        let mut grids = HashSet::from([PackedGrid::from(&Grid::EMPTY)]);
        let mut sukakus = HashSet::from([PackedSukaku::from(&Sukaku::FULL)]);
        let (mut any_grid, mut any_sukaku) = ([0; 41], [0; 92]);
        for cell in Cell::all() {
            for digit in Digit::ALL {
                let (mut grid, mut sukaku) = (Grid::EMPTY, Sukaku::new([DigitSet::EMPTY; 81]));
                grid.set(cell, Some(digit));
                sukaku.set(cell, DigitSet::of(digit));
                let (grid, sukaku) = (PackedGrid::from(&grid), PackedSukaku::from(&sukaku));
                assert!(grids.insert(grid) && sukakus.insert(sukaku));
                any_grid.iter_mut().zip(grid.bytes()).for_each(|(any, byte)| *any |= byte);
                any_sukaku.iter_mut().zip(sukaku.bytes()).for_each(|(any, byte)| *any |= byte);
                assert_eq!(sukaku.bytes().iter().map(|byte| byte.count_ones()).sum::<u32>(), 1);
            }
        }
        assert_eq!((any_grid[..40].to_vec(), any_grid[40]), (vec![0xff; 40], 0x0f));
        assert_eq!((any_sukaku[..91].to_vec(), any_sukaku[91]), (vec![0xff; 91], 1));
    }
}
