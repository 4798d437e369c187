//! Geometry: the 81 cells and the 27 houses, computed and never typed in.
//!
//! ```text
//!            column 0..8
//!          0 1 2 | 3 4 5 | 6 7 8        cell  = 9 row + column
//!  row 0   . . . | . . . | . . .        box   = 3 (row / 3) + column / 3
//!  to 8    . . . | . . . | . . .        band  = three boxes side by side
//!          . . . | . . . | . . .        stack = three boxes one below the other
//!         -------+-------+-------
//! ```

use core::fmt;

/// One of the 81 cells, counted left to right, then top to bottom.
///
/// ```
/// use ninefold_core::puzzle::Cell;
///
/// let cell = Cell::new(40);
/// assert_eq!((cell.index(), cell.row(), cell.column(), cell.box_index()), (40, 4, 4, 4));
/// assert!(cell.sees(Cell::new(36)) && !cell.sees(Cell::new(0)));
/// assert!(cell.peers().iter().all(|&peer| peer.sees(cell)));
/// assert_eq!(Cell::all().count(), Cell::COUNT);
/// assert_eq!(cell.to_string(), "row 5 column 5");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cell(u8);

impl Cell {
    /// The number of cells of a grid.
    pub const COUNT: usize = 81;

    /// The cell with this number, 0 to 80.
    ///
    /// # Panics
    /// If `index` is over 80.
    #[inline]
    pub const fn new(index: usize) -> Self {
        assert!(index < Self::COUNT, "a cell's index is 0 to 80");
        #[expect(clippy::cast_possible_truncation, reason = "under 81")]
        Self(index as u8)
    }

    /// All cells in reading order.
    #[inline]
    pub fn all() -> impl Iterator<Item = Self> {
        (0..Self::COUNT).map(Self::new)
    }

    /// Its place in reading order, 0 to 80.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Its row, 0 to 8.
    #[inline]
    pub const fn row(self) -> usize {
        self.index() / 9
    }

    /// Its column, 0 to 8.
    #[inline]
    pub const fn column(self) -> usize {
        self.index() % 9
    }

    /// Its box, 0 to 8, in reading order.
    #[inline]
    pub const fn box_index(self) -> usize {
        self.row() / 3 * 3 + self.column() / 3
    }

    /// Whether a digit in one cell forbids it in the other: they share a house and differ.
    #[inline]
    pub const fn sees(self, other: Self) -> bool {
        self.0 != other.0
            && (self.row() == other.row()
                || self.column() == other.column()
                || self.box_index() == other.box_index())
    }

    /// The 20 cells that this one sees, in reading order.
    ///
    /// # Panics
    /// Never: 8 in its row, 8 in its column, 4 more in its box.
    pub const fn peers(self) -> [Self; 20] {
        let mut peers = [self; 20];
        let (mut index, mut found) = (0, 0);
        while index < Self::COUNT {
            let other = Self::new(index);
            if self.sees(other) {
                peers[found] = other;
                found += 1;
            }
            index += 1;
        }
        assert!(found == 20);
        peers
    }
}

/// One of the 27 houses: a row, a column or a box. Each holds every digit once.
///
/// ```
/// use ninefold_core::puzzle::{Cell, House};
///
/// assert_eq!(House::all().count(), 27);
/// assert_eq!(House::Box(1).cells().map(Cell::index), [3, 4, 5, 12, 13, 14, 21, 22, 23]);
/// assert_eq!(House::Row(3).to_string(), "row 4");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum House {
    /// A row, 0 to 8 from the top.
    Row(usize),
    /// A column, 0 to 8 from the left.
    Column(usize),
    /// A box, 0 to 8 in reading order.
    Box(usize),
}

impl House {
    /// All houses: the rows, then the columns, then the boxes.
    pub fn all() -> impl Iterator<Item = Self> {
        let rows = (0..9).map(Self::Row);
        rows.chain((0..9).map(Self::Column)).chain((0..9).map(Self::Box))
    }

    /// Its nine cells in reading order.
    ///
    /// # Panics
    /// If its number is over 8.
    pub const fn cells(self) -> [Cell; 9] {
        let mut cells = [Cell::new(0); 9];
        let mut place = 0;
        while place < 9 {
            cells[place] = Cell::new(match self {
                Self::Row(row) => row * 9 + place,
                Self::Column(column) => place * 9 + column,
                Self::Box(index) => (index / 3 * 3 + place / 3) * 9 + (index % 3 * 3 + place % 3),
            });
            place += 1;
        }
        cells
    }
}

impl fmt::Display for Cell {
    /// As people say it: `row 4 column 2`, counted from 1.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "row {} column {}", self.row() + 1, self.column() + 1)
    }
}

impl fmt::Display for House {
    /// As people say it: `row 4`, counted from 1.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Row(row) => write!(f, "row {}", row.saturating_add(1)),
            Self::Column(column) => write!(f, "column {}", column.saturating_add(1)),
            Self::Box(index) => write!(f, "box {}", index.saturating_add(1)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cell_is_in_one_house_of_each_kind_and_sees_their_other_cells() {
        for cell in Cell::all() {
            let homes: Vec<_> =
                House::all().filter(|house| house.cells().contains(&cell)).collect();
            let [row, column] = [House::Row(cell.row()), House::Column(cell.column())];
            assert_eq!(homes, [row, column, House::Box(cell.box_index())], "{cell:?}");
            let mut expected: Vec<_> = homes.into_iter().flat_map(House::cells).collect();
            expected.retain(|&other| other != cell);
            expected.sort();
            expected.dedup();
            assert_eq!(cell.peers().to_vec(), expected);
        }
    }
}
