//! A grid in 41 bytes: two cells in each, the first in the lower half. Blanks are 0, however the
//! line wrote them, so the same puzzle has the same bytes.

use crate::puzzle::{Cell, Grid};

/// A grid, packed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Packed([u8; Self::BYTES]);

impl Packed {
    /// How many bytes it has: 81 cells, two in a byte.
    pub const BYTES: usize = Cell::COUNT.div_ceil(2);

    /// Its bytes.
    #[must_use]
    pub const fn bytes(&self) -> &[u8; Self::BYTES] {
        &self.0
    }

    /// The grid of these bytes, if they are one's.
    #[must_use]
    pub fn from_bytes(bytes: [u8; Self::BYTES]) -> Option<Self> {
        let cells = bytes.iter().all(|byte| byte & 0xf <= 9 && byte >> 4 <= 9);
        (cells && bytes[Self::BYTES - 1] >> 4 == 0).then_some(Self(bytes))
    }

    /// The grid.
    ///
    /// # Panics
    /// Never: each half of a byte is 9 or less.
    #[must_use]
    pub fn grid(&self) -> Grid {
        let mut values = [0; Cell::COUNT];
        for (index, value) in values.iter_mut().enumerate() {
            *value = self.0[index / 2] >> (4 * (index % 2)) & 0xf;
        }
        Grid::from_values(&values).expect("each half of a byte is 9 or less")
    }
}

impl From<&Grid> for Packed {
    fn from(grid: &Grid) -> Self {
        let (pairs, last) = grid.values().as_chunks::<2>();
        let mut bytes = [0; Self::BYTES];
        for (byte, [low, high]) in bytes.iter_mut().zip(pairs) {
            *byte = low | high << 4;
        }
        bytes[Self::BYTES - 1] = last[0];
        Self(bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::puzzle::Digit;

    #[test]
    fn every_digit_in_every_cell_comes_back() {
        for cell in Cell::all() {
            for digit in Digit::ALL {
                let mut grid = Grid::EMPTY;
                grid.set(cell, Some(digit));
                let packed = Packed::from(&grid);
                assert_eq!(packed.grid(), grid);
                assert_eq!(Packed::from_bytes(*packed.bytes()), Some(packed));
            }
        }
        assert_eq!(Packed::from_bytes([0xa0; 41]), None);
        assert_eq!(Packed::from_bytes([0x0a; 41]), None);
        let mut one_cell_more = [0; 41];
        one_cell_more[40] = 0x10;
        assert_eq!(Packed::from_bytes(one_cell_more), None);
    }
}
