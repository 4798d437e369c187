//! One line of bytes becomes a [`Grid`], here and nowhere else.
//!
//! 81 cells; `1` to `9` is a clue, `0` or `.` a blank. The line comes without its line end.

use super::{Cell, Grid};
use std::fmt;

/// Reads one line.
///
/// # Errors
/// The first byte among the first 81 that is no cell, or else the wrong number of cells.
pub fn line(bytes: &[u8]) -> Result<Grid, ParseError> {
    if let Ok(cells) = <&[u8; Cell::COUNT]>::try_from(bytes)
        && let Some(grid) = cells_to_grid(cells)
    {
        return Ok(grid);
    }
    let mut cells = bytes.iter().take(Cell::COUNT);
    match cells.position(|&byte| byte != b'.' && !byte.is_ascii_digit()) {
        Some(place) => Err(ParseError::Byte { column: place + 1, found: bytes[place] }),
        None => Err(ParseError::Length { found: bytes.len() }),
    }
}

/// The grid of 81 cells, or `None` if a byte is no cell.
///
/// A loop without branches or early exit: the compiler makes about 15 vector operations of it
/// for each 16 cells.
#[must_use]
pub fn cells_to_grid(cells: &[u8; Cell::COUNT]) -> Option<Grid> {
    let mut values = [0; Cell::COUNT];
    let mut wrong = 0;
    for (value, &byte) in values.iter_mut().zip(cells) {
        let digit = byte.wrapping_sub(b'0');
        let blank = if byte == b'.' { 0xff } else { 0 };
        *value = digit & !blank;
        wrong |= if *value > 9 { 0xff } else { 0u8 };
    }
    (wrong == 0).then(|| Grid::from_checked_values(values))
}

/// Why a line is not a grid. Columns count bytes from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ParseError {
    /// The line has not 81 cells.
    Length {
        /// The bytes it has.
        found: usize,
    },
    /// A byte is no cell.
    Byte {
        /// Where it stands.
        column: usize,
        /// What stands there.
        found: u8,
    },
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Length { found } => write!(f, "expected 81 cells, found {found}"),
            Self::Byte { column, found } => {
                let found = found.escape_ascii();
                write!(f, "column {column}: expected 1 to 9, '.' or '0', found '{found}'")
            }
        }
    }
}

impl std::error::Error for ParseError {}

#[cfg(test)]
mod tests {
    use super::*;

    const LINE: &[u8; 81] =
        b"53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";

    #[test]
    fn dots_and_noughts_are_blanks() {
        let noughts = LINE.map(|byte| if byte == b'.' { b'0' } else { byte });
        let grid = line(LINE).unwrap();
        assert_eq!(line(&noughts), Ok(grid));
        assert_eq!(grid.line(b'.'), *LINE);
        assert_eq!(grid.line(b'0'), noughts);
        assert_eq!(grid.clues(), 30);
    }

    /// Every byte value in every column: a cell is read, anything else is named.
    #[test]
    fn every_byte_in_every_column_is_read_or_named() {
        for column in 1..=81 {
            for byte in 0..=u8::MAX {
                let mut bytes = *LINE;
                bytes[column - 1] = byte;
                let expected = match byte {
                    b'.' | b'0' => Ok(0),
                    b'1'..=b'9' => Ok(byte - b'0'),
                    _ => Err(ParseError::Byte { column, found: byte }),
                };
                let found = line(&bytes).map(|grid| grid.values()[column - 1]);
                assert_eq!(found, expected, "column {column}, byte {byte}");
            }
        }
    }

    #[test]
    fn the_wrong_number_of_cells_is_counted() {
        for found in (0..=200).filter(|&found| found != 81) {
            assert_eq!(line(&vec![b'1'; found]), Err(ParseError::Length { found }));
        }
        let error = ParseError::Length { found: 80 };
        assert_eq!(error.to_string(), "expected 81 cells, found 80");
    }

    #[test]
    fn a_byte_that_cannot_be_printed_is_escaped() {
        let error = ParseError::Byte { column: 4, found: 0xff };
        let text = r"column 4: expected 1 to 9, '.' or '0', found '\xff'";
        assert_eq!(error.to_string(), text);
    }
}
