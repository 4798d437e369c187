//! Grids: any 81 cells, legal or not.

use super::cell::Cell;
use super::digit::Digit;

/// Any 81 cells, each a digit or a blank. A grid may break every rule.
///
/// ```
/// use ninefold_core::puzzle::{Cell, Digit, Grid};
///
/// let line = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
/// let mut grid: Grid = line.parse()?;
/// assert_eq!(grid.clues(), 30);
/// assert_eq!(grid.get(Cell::new(0)), Digit::new(5));
/// assert_eq!(grid.values()[..4], [5, 3, 0, 0]);
///
/// grid.set(Cell::new(0), None);
/// assert_eq!(grid.to_string(), format!(".{}", &line[1..]));
/// assert_eq!(Grid::from_values(grid.values()), Some(grid));
/// # Ok::<(), ninefold_core::puzzle::ParseError>(())
/// ```
///
/// `{:#}` writes nine rows in a frame:
///
/// ```
/// # use ninefold_core::puzzle::Grid;
/// assert!(format!("{:#}", Grid::EMPTY).starts_with(". . . | . . . | . . .\n"));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Grid {
    /// 0 for a blank, else the digit; never over 9.
    cells: [u8; Cell::COUNT],
}

impl Grid {
    /// 81 blanks.
    pub const EMPTY: Self = Self { cells: [0; Cell::COUNT] };

    /// The grid with these values in reading order, 0 for a blank; `None` if one is over 9.
    #[inline]
    #[must_use]
    pub fn from_values(values: &[u8; Cell::COUNT]) -> Option<Self> {
        values.iter().all(|&value| value <= 9).then_some(Self { cells: *values })
    }

    /// The grid of values that the caller has checked to be 9 or less.
    #[inline]
    pub(crate) fn from_checked_values(cells: [u8; Cell::COUNT]) -> Self {
        debug_assert!(cells.iter().all(|&value| value <= 9));
        Self { cells }
    }

    /// The values in reading order, 0 for a blank.
    #[inline]
    #[must_use]
    pub const fn values(&self) -> &[u8; Cell::COUNT] {
        &self.cells
    }

    /// The values in reading order, of which the caller makes none greater than 9.
    #[inline]
    pub(crate) const fn values_mut(&mut self) -> &mut [u8; Cell::COUNT] {
        &mut self.cells
    }

    /// The digit in a cell; `None` for a blank.
    #[inline]
    #[must_use]
    pub const fn get(&self, cell: Cell) -> Option<Digit> {
        Digit::new(self.cells[cell.index()])
    }

    /// Puts a digit, or a blank, into a cell.
    #[inline]
    pub const fn set(&mut self, cell: Cell, digit: Option<Digit>) {
        self.cells[cell.index()] = match digit {
            Some(digit) => digit.value(),
            None => 0,
        };
    }

    /// The number of cells that hold a digit.
    #[inline]
    #[must_use]
    pub fn clues(&self) -> usize {
        self.cells.iter().filter(|&&value| value != 0).count()
    }
}
