//! One line of bytes becomes a [`Grid`] or a [`Sukaku`], here and nowhere else.
//!
//! A grid is 81 cells; `1` to `9` is a clue, and five bytes that people use for a blank are all
//! read as one: see [`Blanks`]. A sukaku is 729 *pencilmarks*,
//! nine for each cell, each the digit whose place it is, or `0` or `.` if that candidate is out:
//!
//! ```text
//!   column   1 2 3 4 5 6 7 8 9  10 …
//!            1 . . . 5 . . . .  . 2 . 4 . . . . 9  …
//!            └── row 1 col 1 ┘  └── row 1 col 2 ┘
//!               {1 5}              {2 4 9}
//! ```
//!
//! The line comes without its line end.

use super::{Cell, Digit, DigitSet, Grid, Sukaku};
use std::fmt;

/// Reads one line, with the usual blanks.
///
/// # Errors
/// The first byte among the first 81 that is no cell, or else the wrong number of cells.
pub fn line(bytes: &[u8]) -> Result<Grid, ParseError> {
    cells(bytes, &Blanks::default())
}

/// Reads 81 cells, with these blanks.
///
/// # Errors
/// As [`line()`]. Columns count from the first of these bytes.
pub fn cells(bytes: &[u8], blanks: &Blanks) -> Result<Grid, ParseError> {
    let line = <&[u8; Cell::COUNT]>::try_from(bytes);
    if let Ok(cells) = line
        && let Some(grid) = cells_to_grid(cells)
    {
        return Ok(grid);
    }
    let mut first = bytes.iter().take(Cell::COUNT);
    if let Some(place) = first.position(|&byte| !blanks.is_cell(byte)) {
        return Err(ParseError::Byte { column: place + 1, found: bytes[place] });
    }
    match line {
        Ok(cells) => Ok(Grid::from_checked_values(cells.map(Blanks::value))),
        Err(_) => Err(ParseError::Length { found: bytes.len() }),
    }
}

/// Bytes that stand for a blank: `.`, `0`, `_`, `*`, `-`, and any that are added.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Blanks {
    /// A bit for each byte of ASCII.
    ascii: u128,
}

impl Blanks {
    /// What people use for a blank.
    pub const USUAL: &[u8] = b".0_*-";

    /// The usual ones.
    #[must_use]
    pub const fn usual() -> Self {
        let (mut ascii, mut place) = (0, 0);
        while place < Self::USUAL.len() {
            ascii |= 1 << Self::USUAL[place];
            place += 1;
        }
        Self { ascii }
    }

    /// These, and one more. `None` if it cannot be one: a digit that is a clue, a byte that is no
    /// printable ASCII, a space, or a quotation mark.
    #[must_use]
    pub const fn with(self, byte: u8) -> Option<Self> {
        match byte {
            b'1'..=b'9' | b'"' => None,
            b'!'..=b'~' => Some(Self { ascii: self.ascii | 1 << byte }),
            _ => None,
        }
    }

    /// These without one, for example because it divides fields.
    #[must_use]
    pub const fn without(self, byte: u8) -> Self {
        if byte < 128 { Self { ascii: self.ascii & !(1 << byte) } } else { self }
    }

    /// Whether the two that nearly everybody uses are among them.
    #[must_use]
    pub const fn has_dot_and_zero(&self) -> bool {
        self.is_cell(b'.') && self.is_cell(b'0')
    }

    /// Whether a byte is a clue or one of these blanks.
    #[must_use]
    pub const fn is_cell(&self, byte: u8) -> bool {
        matches!(byte, b'1'..=b'9') || byte < 128 && self.ascii >> byte & 1 != 0
    }

    /// The value of a byte that is a cell.
    const fn value(byte: u8) -> u8 {
        if matches!(byte, b'1'..=b'9') { byte - b'0' } else { 0 }
    }
}

impl Default for Blanks {
    fn default() -> Self {
        Self::usual()
    }
}

/// The grid of 81 cells whose blanks are `.` and `0`, or `None` if there is another byte.
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

/// How many pencilmarks a sukaku has: a digit each for every cell.
pub const PENCILMARKS: usize = 9 * Cell::COUNT;

/// Reads one line of 729 pencilmarks.
///
/// # Errors
/// The first byte among the first 729 that is no pencilmark of its place, or else the wrong
/// number of them.
pub fn sukaku(bytes: &[u8]) -> Result<Sukaku, SukakuError> {
    if let Ok(marks) = <&[u8; PENCILMARKS]>::try_from(bytes)
        && let Some(sukaku) = marks_to_sukaku(marks)
    {
        return Ok(sukaku);
    }
    for (place, &found) in bytes.iter().take(PENCILMARKS).enumerate() {
        let expected = Digit::ALL[place % 9];
        if !is_blank(found) && found != b'0' + expected.value() {
            return Err(SukakuError::Byte { column: place + 1, expected, found });
        }
    }
    Err(SukakuError::Length { found: bytes.len() })
}

/// The sukaku of 729 pencilmarks, or `None` if one stands where it may not.
///
/// No branch or early exit but the loops': the compiler unrolls the nine of a cell.
#[must_use]
pub fn marks_to_sukaku(marks: &[u8; PENCILMARKS]) -> Option<Sukaku> {
    let (cells, _) = marks.as_chunks::<9>();
    let mut candidates = [DigitSet::EMPTY; Cell::COUNT];
    let mut all_right = true;
    for (candidates, marks) in candidates.iter_mut().zip(cells) {
        let mut bits = 0;
        for (digit, &mark) in (b'1'..=b'9').zip(marks) {
            let is_in = mark == digit;
            bits |= u16::from(is_in) << (digit - b'1');
            all_right &= is_in | is_blank(mark);
        }
        *candidates = DigitSet::from_bits(bits);
    }
    all_right.then(|| Sukaku::new(candidates))
}

/// Whether a byte stands for a candidate that is out.
const fn is_blank(byte: u8) -> bool {
    byte == b'.' || byte == b'0'
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

/// Why a line is not a sukaku. Columns count bytes from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SukakuError {
    /// The line has not 729 pencilmarks.
    Length {
        /// The bytes it has.
        found: usize,
    },
    /// A byte is no pencilmark, or not the one of its place.
    Byte {
        /// Where it stands.
        column: usize,
        /// The only digit that may stand there.
        expected: Digit,
        /// What stands there.
        found: u8,
    },
}

impl fmt::Display for SukakuError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Length { found } => {
                write!(f, "expected {PENCILMARKS} pencilmarks, found {found}")
            }
            Self::Byte { column, expected, found } => {
                let (expected, found) = (expected.value(), found.escape_ascii());
                write!(f, "column {column}: expected {expected}, '.' or '0', found '{found}'")
            }
        }
    }
}

impl std::error::Error for SukakuError {}

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
                    b'.' | b'0' | b'_' | b'*' | b'-' => Ok(0),
                    b'1'..=b'9' => Ok(byte - b'0'),
                    _ => Err(ParseError::Byte { column, found: byte }),
                };
                let found = line(&bytes).map(|grid| grid.values()[column - 1]);
                assert_eq!(found, expected, "column {column}, byte {byte}");
            }
        }
    }

    #[test]
    fn a_byte_may_be_made_a_blank_and_unmade() {
        let with_x = LINE.map(|byte| if byte == b'.' { b'x' } else { byte });
        let error = ParseError::Byte { column: 3, found: b'x' };
        let blanks = Blanks::usual().with(b'x').unwrap();
        assert_eq!(line(&with_x), Err(error));
        assert_eq!(cells(&with_x, &blanks), line(LINE));
        assert_eq!(cells(&with_x, &blanks.without(b'x')), Err(error));
        for byte in [b'1', b'9', b' ', b'\n', b'"', 0, 127, 128, 255] {
            assert_eq!(blanks.with(byte), None);
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

    /// The line of a sukaku, in which candidates of all cells are out here and there.
    fn pencilmarks() -> [u8; PENCILMARKS] {
        std::array::from_fn(|place| {
            let digit = b"123456789"[place % 9];
            [digit, b'.', digit, b'0', digit][place * place % 11 % 5]
        })
    }

    #[test]
    fn pencilmarks_are_read_and_written_back() {
        let line = pencilmarks();
        let parsed = sukaku(&line).unwrap();
        for (place, byte) in line.into_iter().enumerate() {
            let candidates = parsed.get(Cell::new(place / 9));
            assert_eq!(
                candidates.contains(Digit::ALL[place % 9]),
                byte.is_ascii_digit() && byte != b'0'
            );
        }
        let dots = line.map(|byte| if byte == b'0' { b'.' } else { byte });
        let noughts = line.map(|byte| if byte == b'.' { b'0' } else { byte });
        assert_eq!(parsed.line(b'.'), dots);
        assert_eq!(parsed.line(b'x'), dots);
        assert_eq!(parsed.line(b'0'), noughts);
        assert_eq!(sukaku(&dots), Ok(parsed));
        assert_eq!(sukaku(&noughts), Ok(parsed));
        assert_eq!(parsed.to_string().as_bytes(), dots);
    }

    /// Every byte value in many columns: its digit, a blank, or an error that says both.
    #[test]
    fn every_byte_in_a_sukaku_is_read_or_named() {
        // Ten is no multiple of nine: every digit's places are among them.
        for column in (1..=PENCILMARKS).step_by(10) {
            let expected = Digit::ALL[(column - 1) % 9];
            for byte in 0..=u8::MAX {
                let mut bytes = pencilmarks();
                bytes[column - 1] = byte;
                let found = sukaku(&bytes).map(|sukaku| sukaku.get(Cell::new((column - 1) / 9)));
                let is_in = found.map(|candidates| candidates.contains(expected));
                let wanted = match byte {
                    b'.' | b'0' => Ok(false),
                    _ if byte == b'0' + expected.value() => Ok(true),
                    _ => Err(SukakuError::Byte { column, expected, found: byte }),
                };
                assert_eq!(is_in, wanted, "column {column}, byte {byte}");
            }
        }
    }

    #[test]
    fn the_wrong_number_of_pencilmarks_is_counted() {
        let marks = b"123456789".repeat(100);
        for found in (0..=900).filter(|&found| found != PENCILMARKS) {
            assert_eq!(sukaku(&marks[..found]), Err(SukakuError::Length { found }));
        }
        let text = SukakuError::Length { found: 81 }.to_string();
        assert_eq!(text, "expected 729 pencilmarks, found 81");
    }

    #[test]
    fn a_pencilmark_in_a_wrong_place_is_named_with_its_column() {
        let mut line = pencilmarks();
        line[12] = b'7';
        let text = sukaku(&line).unwrap_err().to_string();
        assert_eq!(text, "column 13: expected 4, '.' or '0', found '7'");
    }
}
