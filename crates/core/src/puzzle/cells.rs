//! Sets of cells, a bit each.

use super::cell::Cell;
use super::grid::Grid;
use crate::bits::bit_operators;
use core::iter;
use core::ops::{BitAndAssign, BitOrAssign, Not};

/// A set of cells: bit 0 is the first cell, bit 80 the last.
///
/// ```
/// use ninefold_core::puzzle::{Cell, CellSet, Grid, House};
///
/// let row: CellSet = House::Row(0).cells().into_iter().collect();
/// let column: CellSet = House::Column(0).cells().into_iter().collect();
/// assert_eq!((row & column).cells().collect::<Vec<_>>(), [Cell::new(0)]);
/// assert_eq!((row | column).len(), 17);
/// assert!((row & !row).is_empty() && !(!row).contains(Cell::new(8)));
/// assert_eq!(CellSet::of_clues(&Grid::EMPTY), CellSet::EMPTY);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[must_use]
pub struct CellSet(u128);

impl CellSet {
    /// No cell.
    pub const EMPTY: Self = Self(0);
    /// All 81.
    pub const FULL: Self = Self((1 << Cell::COUNT) - 1);

    /// The set that holds one cell.
    #[inline]
    pub const fn of(cell: Cell) -> Self {
        Self(1 << cell.index())
    }

    /// The cells in which a grid has a clue.
    #[inline]
    pub fn of_clues(grid: &Grid) -> Self {
        Self::where_true(grid.values().iter().map(|&value| value != 0))
    }

    /// The cells in which two grids differ.
    #[inline]
    pub(crate) fn of_differences(one: &Grid, two: &Grid) -> Self {
        Self::where_true(iter::zip(one.values(), two.values()).map(|(one, two)| one != two))
    }

    #[inline]
    fn where_true(cells: impl Iterator<Item = bool>) -> Self {
        cells
            .enumerate()
            .fold(Self::EMPTY, |set, (index, is)| Self(set.0 | u128::from(is) << index))
    }

    /// Adds a cell.
    #[inline]
    pub const fn insert(&mut self, cell: Cell) {
        self.0 |= 1 << cell.index();
    }

    /// The number of its cells.
    #[inline]
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Whether it has no cell.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether it contains a cell.
    #[inline]
    pub const fn contains(self, cell: Cell) -> bool {
        self.0 >> cell.index() & 1 != 0
    }

    /// Its cells in reading order.
    #[inline]
    pub fn cells(self) -> impl Iterator<Item = Cell> + Clone {
        self.into_iter()
    }
}

bit_operators!(CellSet, |one, other| Self(one.0 & other.0), Self(one.0 | other.0));

impl BitAndAssign for CellSet {
    #[inline]
    fn bitand_assign(&mut self, other: Self) {
        self.0 &= other.0;
    }
}

impl BitOrAssign for CellSet {
    #[inline]
    fn bitor_assign(&mut self, other: Self) {
        self.0 |= other.0;
    }
}

impl Not for CellSet {
    type Output = Self;

    #[inline]
    fn not(self) -> Self {
        Self(!self.0 & Self::FULL.0)
    }
}

impl IntoIterator for CellSet {
    type Item = Cell;
    type IntoIter = CellSetIter;

    /// Its cells in reading order.
    #[inline]
    fn into_iter(self) -> CellSetIter {
        CellSetIter(self.0)
    }
}

/// The iterator of a [`CellSet`]: its cells in reading order.
///
/// ```
/// use ninefold_core::puzzle::CellSet;
///
/// assert_eq!(CellSet::FULL.into_iter().count(), 81);
/// ```
#[derive(Clone, Debug)]
pub struct CellSetIter(u128);

impl Iterator for CellSetIter {
    type Item = Cell;

    #[inline]
    fn next(&mut self) -> Option<Cell> {
        let index = self.0.trailing_zeros() as usize;
        self.0 &= self.0.wrapping_sub(1);
        (index < Cell::COUNT).then(|| Cell::new(index))
    }
}

impl FromIterator<Cell> for CellSet {
    fn from_iter<I: IntoIterator<Item = Cell>>(cells: I) -> Self {
        cells.into_iter().fold(Self::EMPTY, |set, cell| set | Self::of(cell))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::puzzle::Digit;

    #[test]
    fn a_set_gives_back_what_was_put_in() {
        let cells: Vec<_> = Cell::all().filter(|cell| cell.index() % 7 < 2).collect();
        let set: CellSet = cells.iter().copied().collect();
        assert_eq!(set.cells().collect::<Vec<_>>(), cells);
        assert_eq!(set.len() + (!set).len(), Cell::COUNT);
        assert!(Cell::all().all(|cell| set.contains(cell) != (!set).contains(cell)));
        assert!((set & !set).is_empty() && set | !set == CellSet::FULL);
    }

    #[test]
    fn a_cell_that_is_put_in_again_is_in_once() {
        let mut set = CellSet::EMPTY;
        for index in [80, 0, 63, 64, 0] {
            set.insert(Cell::new(index));
        }
        assert_eq!(set.cells().map(Cell::index).collect::<Vec<_>>(), [0, 63, 64, 80]);
        assert_eq!(set.len(), 4);
    }

    #[test]
    fn the_clues_of_a_grid_and_its_differences_from_another_are_found() {
        let set: CellSet = [0, 3, 40, 80].map(Cell::new).into_iter().collect();
        let (mut one, mut two) = (Grid::EMPTY, Grid::EMPTY);
        for cell in set.cells() {
            one.set(cell, Some(Digit::ALL[8]));
        }
        assert_eq!(CellSet::of_clues(&one), set);
        assert_eq!(CellSet::of_differences(&one, &two), set);
        two.set(Cell::new(40), Some(Digit::ALL[8]));
        two.set(Cell::new(3), Some(Digit::ALL[7]));
        assert_eq!(CellSet::of_differences(&one, &two), set & !CellSet::of(Cell::new(40)));
    }
}
