//! Why a text or an array is no puzzle.

use super::cell::Cell;
use super::digit::Digit;
use core::convert::Infallible;
use core::error::Error;
use core::fmt;

/// Why a line or an array is not a grid, a sukaku or a puzzle of either kind. Columns count bytes from 1.
///
/// ```
/// use ninefold_core::puzzle::{Grid, ParseError, Puzzle, Sukaku};
///
/// let error = "53x".parse::<Grid>().unwrap_err();
/// assert_eq!(error, ParseError::Byte { column: 3, found: b'x' });
/// assert_eq!(error.to_string(), "column 3: expected 1 to 9, '.' or '0', found 'x'");
/// let error = "1".parse::<Puzzle>().unwrap_err();
/// assert_eq!(error.to_string(), "expected 81 cells, found 1");
///
/// let error = "11".parse::<Sukaku>().unwrap_err();
/// assert_eq!(error.to_string(), "column 2: expected 2, '.' or '0', found '1'");
/// assert_eq!("12".parse::<Sukaku>(), Err(ParseError::Pencilmarks { found: 2 }));
///
/// let error = Grid::try_from([10; 81]).unwrap_err();
/// assert_eq!(error.to_string(), "row 1 column 1: expected 0 to 9, found 10");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ParseError {
    /// The line does not have 81 cells.
    Length {
        /// The bytes of the line.
        found: usize,
    },
    /// Rows on end are no grids.
    Rows {
        /// How many there are.
        found: usize,
    },
    /// The text is a puzzle of another size.
    Size {
        /// The cells in a row of it.
        side: usize,
    },
    /// A byte is not a cell.
    Byte {
        /// Its position in the line, from 1.
        column: usize,
        /// The byte that was found there.
        found: u8,
    },
    /// A character that is not ASCII is not a cell.
    Character {
        /// The position of its first byte in the line, from 1.
        column: usize,
        /// The character that was found there.
        found: char,
    },
    /// The line has about the length of a sukaku, and not 729 pencilmarks.
    Pencilmarks {
        /// The bytes of the line.
        found: usize,
    },
    /// A byte is not the pencilmark of its place.
    Pencilmark {
        /// Its position in the line, from 1.
        column: usize,
        /// The only digit that is allowed there.
        expected: Digit,
        /// The byte that was found there.
        found: u8,
    },
    /// A value of an array is above 9.
    Value {
        /// Its cell.
        cell: Cell,
        /// The value that was found there.
        found: u8,
    },
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Length { found } => write!(f, "expected 81 cells, found {found}"),
            Self::Rows { found } => {
                let rows = if *found == 1 { "row" } else { "rows" };
                write!(f, "expected 9 rows of 9 cells, found {found} {rows}")
            }
            Self::Size { side } => {
                write!(f, "expected 9x9 cells, found {side}x{side}: only 9x9 is read")
            }
            Self::Byte { column, found } => {
                let found = found.escape_ascii();
                write!(f, "column {column}: expected 1 to 9, '.' or '0', found '{found}'")
            }
            Self::Character { column, found } => {
                let found = found.escape_debug();
                write!(f, "column {column}: expected 1 to 9, '.' or '0', found '{found}'")
            }
            Self::Pencilmarks { found } => {
                write!(f, "expected {} pencilmarks, found {found}", 9 * Cell::COUNT)
            }
            Self::Pencilmark { column, expected, found } => {
                let found = found.escape_ascii();
                write!(f, "column {column}: expected {expected}, '.' or '0', found '{found}'")
            }
            Self::Value { cell, found } => write!(f, "{cell}: expected 0 to 9, found {found}"),
        }
    }
}

impl Error for ParseError {}

impl ParseError {
    /// The error of the byte at this place, which is not a cell.
    ///
    /// ```
    /// use ninefold_core::puzzle::ParseError;
    ///
    /// let error = ParseError::not_a_cell("53·".as_bytes(), 2);
    /// assert_eq!(error.to_string(), "column 3: expected 1 to 9, '.' or '0', found '·'");
    /// ```
    ///
    /// # Panics
    /// If there is no such place.
    pub fn not_a_cell(bytes: &[u8], place: usize) -> Self {
        let (column, found) = (place + 1, bytes[place]);
        let text = bytes[place..].utf8_chunks().next().map_or("", |chunk| chunk.valid());
        match text.chars().next().filter(|found| !found.is_ascii()) {
            Some(found) => Self::Character { column, found },
            None => Self::Byte { column, found },
        }
    }
}

impl From<Infallible> for ParseError {
    fn from(never: Infallible) -> Self {
        match never {}
    }
}
