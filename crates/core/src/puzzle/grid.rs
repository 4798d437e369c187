//! Grids: any 81 cells, legal or not.

use super::cell::Cell;
use super::digit::Digit;
use super::error::ParseError;
use super::tables::table;
use core::ops::Index;

/// Any 81 cells, each a digit or a blank. A grid may break every rule.
///
/// ```
/// use ninefold_core::puzzle::{Cell, Digit, Grid};
///
/// let line = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
/// let mut grid: Grid = line.parse()?;
/// assert_eq!(grid.clues(), 30);
/// assert_eq!((grid.get(Cell::new(0)), grid[Cell::new(2)]), (Digit::new(5), None));
/// assert_eq!(grid.values()[..4], [5, 3, 0, 0]);
///
/// grid.set(Cell::new(0), None);
/// assert_eq!(grid.to_string(), format!(".{}", &line[1..]));
/// assert_eq!(Grid::try_from(*grid.values()), Ok(grid));
/// # Ok::<(), ninefold_core::puzzle::ParseError>(())
/// ```
///
/// `{:#}` writes nine rows in a frame:
///
/// ```
/// # use ninefold_core::puzzle::Grid;
/// assert!(format!("{:#}", Grid::EMPTY).starts_with(". . . | . . . | . . .\n"));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[must_use]
pub struct Grid {
    /// 0 for a blank, else the digit; never over 9.
    cells: [u8; Cell::COUNT],
}

impl Grid {
    /// 81 blanks.
    pub const EMPTY: Self = Self { cells: [0; Cell::COUNT] };

    /// The grid of values that the caller has checked to be 9 or less.
    #[inline]
    pub(crate) fn from_checked_values(cells: [u8; Cell::COUNT]) -> Self {
        debug_assert!(cells.iter().all(|&value| value <= 9));
        Self { cells }
    }

    /// The values in reading order, 0 for a blank.
    #[inline]
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
    pub fn clues(&self) -> usize {
        // A sum of bytes, 16 or more at a time: it is at most 81.
        usize::from(self.cells.iter().map(|&value| u8::from(value != 0)).sum::<u8>())
    }

    /// FNV-1a of the cells (Fowler, Noll, Vo).
    pub(crate) fn hash(&self) -> u64 {
        let step = |hash: u64, &value| (hash ^ u64::from(value)).wrapping_mul(0x0100_0000_01b3);
        self.cells.iter().fold(0xcbf2_9ce4_8422_2325, step)
    }
}

impl Default for Grid {
    /// 81 blanks.
    fn default() -> Self {
        Self::EMPTY
    }
}

impl TryFrom<[u8; Cell::COUNT]> for Grid {
    type Error = ParseError;

    /// From values in reading order, 0 for a blank. A text is a slice or a string.
    #[inline]
    fn try_from(cells: [u8; Cell::COUNT]) -> Result<Self, ParseError> {
        match cells.iter().position(|&value| value > 9) {
            None => Ok(Self { cells }),
            Some(place) => Err(ParseError::Value { cell: Cell::new(place), found: cells[place] }),
        }
    }
}

impl TryFrom<[[u8; 9]; 9]> for Grid {
    type Error = ParseError;

    /// From rows of values, 0 for a blank.
    fn try_from(rows: [[u8; 9]; 9]) -> Result<Self, ParseError> {
        let mut cells = [0; Cell::COUNT];
        cells.copy_from_slice(rows.as_flattened());
        cells.try_into()
    }
}

impl Index<Cell> for Grid {
    type Output = Option<Digit>;

    /// The digit in a cell; `None` for a blank.
    #[inline]
    fn index(&self, cell: Cell) -> &Option<Digit> {
        #[expect(clippy::cast_possible_truncation, reason = "up to 9")]
        const DIGITS: [Option<Digit>; 10] = table!([None; 10], |value| Digit::new(value as u8));
        &DIGITS[usize::from(self.cells[cell.index()])]
    }
}

impl FromIterator<(Cell, Digit)> for Grid {
    /// A grid of clues.
    ///
    /// ```
    /// use ninefold_core::puzzle::{Cell, Digit, Grid};
    ///
    /// let grid: Grid = Cell::all().zip(Digit::ALL).collect();
    /// assert!(grid.to_string().starts_with("123456789....."));
    /// assert!(grid.into_iter().eq(Cell::all().zip(Digit::ALL)));
    /// ```
    fn from_iter<I: IntoIterator<Item = (Cell, Digit)>>(clues: I) -> Self {
        let mut grid = Self::EMPTY;
        clues.into_iter().for_each(|(cell, digit)| grid.set(cell, Some(digit)));
        grid
    }
}

impl IntoIterator for Grid {
    type Item = (Cell, Digit);
    type IntoIter = Clues;

    /// Its clues in reading order.
    fn into_iter(self) -> Clues {
        Clues { grid: self, next: 0 }
    }
}

/// The iterator of a [`Grid`]: its clues, each a cell and its digit, in reading order.
///
/// ```
/// use ninefold_core::puzzle::Grid;
///
/// assert_eq!(Grid::EMPTY.into_iter().count(), 0);
/// ```
#[derive(Clone, Debug)]
pub struct Clues {
    grid: Grid,
    next: usize,
}

impl Iterator for Clues {
    type Item = (Cell, Digit);

    fn next(&mut self) -> Option<(Cell, Digit)> {
        while self.next < Cell::COUNT {
            let cell = Cell::new(self.next);
            self.next += 1;
            if let Some(digit) = self.grid.get(cell) {
                return Some((cell, digit));
            }
        }
        None
    }
}
