//! Parsers: one line of bytes becomes a [`Grid`], a [`Sukaku`] or a [`Puzzle`].
//!
//! A grid is 81 cells: `1` to `9` is a clue, and each of five bytes is a blank (see [`Blanks`]). A
//! sukaku is 729 *pencilmarks*, nine for each cell. Each is the digit of its place, or `0` or `.` if
//! the cell lacks that candidate:
//!
//! ```text
//!   column   1 2 3 4 5 6 7 8 9  10 …
//!            1 . . . 5 . . . .  . 2 . 4 . . . . 9  …
//!            └── row 1 col 1 ┘  └── row 1 col 2 ┘
//!               {1 5}              {2 4 9}
//! ```
//!
//! The line has no line end.
//!
//! ```
//! use ninefold_core::puzzle::parse::{self, Blanks};
//! use ninefold_core::puzzle::{Grid, ParseError, Puzzle, Sukaku};
//!
//! let bytes = b"53__7____6__195____98____6_8___6___34__8_3__17___2___6_6____28____419__5____8__79";
//! let grid = parse::line(bytes)?;
//! assert_eq!(Grid::try_from(&bytes[..]), Ok(grid));
//!
//! let x = Blanks::usual().with(b'x').expect("x may be a blank");
//! assert_eq!(parse::cells(&[b'x'; 81], &x), Ok(Grid::EMPTY));
//! assert_eq!(parse::line(b"5"), Err(ParseError::Length { found: 1 }));
//!
//! let marks = "123456789".repeat(81);
//! assert_eq!(parse::sukaku(marks.as_bytes()), Ok(Sukaku::FULL));
//! assert_eq!(parse::puzzle(marks.as_bytes(), &x), Ok(Puzzle::Sukaku(Sukaku::FULL)));
//! # Ok::<(), ParseError>(())
//! ```

use super::cell::Cell;
use super::digit::{Digit, DigitSet};
use super::error::ParseError;
use super::grid::Grid;
use super::puzzle::Puzzle;
use super::rules::WrongAnswer;
use super::solution::Solution;
use super::sukaku::Sukaku;
use alloc::string::String;
use core::error::Error;
use core::fmt;
use core::ops::RangeInclusive;
use core::str::FromStr;

/// Parses a grid with the usual blanks.
///
/// ```
/// use ninefold_core::puzzle::{Grid, ParseError, parse};
///
/// assert_eq!(parse::line(&[b'.'; 81]), Ok(Grid::EMPTY));
/// assert_eq!(parse::line(b"1.x"), Err(ParseError::Byte { column: 3, found: b'x' }));
/// ```
///
/// # Errors
/// The size of a puzzle that is not 9x9, or the first of the first 81 bytes that is not a cell, or else the wrong number of
/// cells.
#[inline]
pub fn line(bytes: &[u8]) -> Result<Grid, ParseError> {
    cells(bytes, &Blanks::default())
}

/// Parses a grid with these blanks.
///
/// ```
/// use ninefold_core::puzzle::parse::{self, Blanks};
///
/// assert!(parse::cells(&[b'x'; 81], &Blanks::usual()).is_err());
/// assert!(parse::cells(&[b'x'; 81], &Blanks::usual().with(b'x').unwrap()).is_ok());
/// ```
///
/// # Errors
/// As [`line()`].
#[inline]
pub fn cells(bytes: &[u8], blanks: &Blanks) -> Result<Grid, ParseError> {
    if let Ok(cells) = <&[u8; Cell::COUNT]>::try_from(bytes)
        && let Some(grid) = cells_to_grid(cells)
    {
        return Ok(grid);
    }
    other_cells(bytes, blanks)
}

/// The grid of a line with other bytes than digits, `.` and `0`, or the error.
#[inline(never)]
fn other_cells(bytes: &[u8], blanks: &Blanks) -> Result<Grid, ParseError> {
    let mut first = bytes.iter().take(Cell::COUNT);
    let wrong = first.position(|&byte| !blanks.is_cell(byte));
    if let (Ok(cells), None) = (<&[u8; Cell::COUNT]>::try_from(bytes), wrong) {
        return Ok(Grid::from_checked_values(cells.map(Blanks::value)));
    }
    // A number has lost its digits in a spreadsheet, as `5.3007E+80`: the length is wrong, and no character.
    let text = str::from_utf8(bytes).unwrap_or_default();
    let wrong = wrong.filter(|_| bytes.len() > Cell::COUNT || text.parse::<f64>().is_err());
    let error = wrong.map(|place| ParseError::not_a_cell(bytes, place));
    let error = other_size(bytes).or(error);
    Err(error.unwrap_or(ParseError::Length { found: bytes.len() }))
}

/// The bytes that mean a blank: `.`, `0`, `_`, `*`, `-`, and any that are added.
///
/// ```
/// use ninefold_core::puzzle::parse::Blanks;
///
/// let blanks = Blanks::usual().with(b'x').unwrap().without(b'.');
/// assert!(blanks.is_cell(b'x') && blanks.is_cell(b'7') && !blanks.is_cell(b'.'));
/// assert!(!blanks.has_dot_and_zero());
/// assert_eq!(blanks.with(b'7'), None);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Blanks {
    /// A bit for each byte of ASCII that is a cell: the blanks and the digits 1 to 9. Two words, since
    /// a shift of 64 bits is one instruction.
    cells: [u64; 2],
}

/// Cells without a blank.
const DIGITS: Blanks = Blanks { cells: [0x1ff << b'1', 0] };

impl Blanks {
    const USUAL: &[u8] = b".0_*-";

    /// The usual blanks: `.`, `0`, `_`, `*` and `-`.
    pub const fn usual() -> Self {
        let (mut blanks, mut place) = (DIGITS, 0);
        while place < Self::USUAL.len() {
            blanks = blanks.set(Self::USUAL[place], true);
            place += 1;
        }
        blanks
    }

    /// These blanks and `byte`. `None` if `byte` cannot be a blank: `1` to `9`, a space, a quotation
    /// mark, or a byte that is not printable ASCII.
    #[inline]
    pub const fn with(self, byte: u8) -> Option<Self> {
        match byte {
            b'1'..=b'9' | b'"' => None,
            b'!'..=b'~' => Some(self.set(byte, true)),
            _ => None,
        }
    }

    /// These blanks without `byte`, for example because it is the delimiter.
    #[inline]
    pub const fn without(self, byte: u8) -> Self {
        if byte < 128 && !DIGITS.is_cell(byte) { self.set(byte, false) } else { self }
    }

    /// Whether `.` and `0` are among them.
    #[inline]
    pub const fn has_dot_and_zero(&self) -> bool {
        self.is_cell(b'.') && self.is_cell(b'0')
    }

    /// Whether a byte is a clue or one of these blanks.
    ///
    /// One test for both: which of them a cell is cannot be predicted.
    #[inline]
    pub const fn is_cell(&self, byte: u8) -> bool {
        byte < 128 && self.cells[(byte >> 6) as usize] >> (byte & 63) & 1 != 0
    }

    /// The same cells with or without a byte of ASCII.
    const fn set(mut self, byte: u8, is_cell: bool) -> Self {
        let bit = 1 << (byte & 63);
        let word = &mut self.cells[(byte >> 6) as usize];
        *word = if is_cell { *word | bit } else { *word & !bit };
        self
    }

    /// The value of a byte that is a cell.
    #[inline]
    const fn value(byte: u8) -> u8 {
        if matches!(byte, b'1'..=b'9') { byte - b'0' } else { 0 }
    }
}

impl Default for Blanks {
    fn default() -> Self {
        Self::usual()
    }
}

/// The grid of 81 cells whose blanks are `.` and `0`; `None` if there is another byte.
///
/// A loop without branches or early exit: the compiler makes about 15 vector operations of it
/// for each 16 cells.
///
/// ```
/// use ninefold_core::puzzle::{Grid, parse::cells_to_grid};
///
/// assert_eq!(cells_to_grid(&[b'.'; 81]), Some(Grid::EMPTY));
/// assert_eq!(cells_to_grid(&[b'_'; 81]), None);
/// ```
#[inline]
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

/// Reads what a model predicts: 81 characters, whatever white space is around them. A character that is no digit is a
/// blank, so that it is one wrong cell.
///
/// ```
/// use ninefold_core::puzzle::{ParseError, parse};
///
/// let grid = parse::prediction(format!(" 5x…{}\n", ".".repeat(78)).as_bytes())?;
/// assert_eq!(grid.clues(), 1);
/// assert_eq!(parse::prediction(b"Answer: 5"), Err(ParseError::Length { found: 9 }));
/// # Ok::<(), ParseError>(())
/// ```
///
/// # Errors
/// The number of characters, if it is not 81.
pub fn prediction(text: &[u8]) -> Result<Grid, ParseError> {
    let text = String::from_utf8_lossy(text);
    let text = text.trim();
    if let Some(grid) = text.as_bytes().try_into().ok().and_then(cells_to_grid) {
        return Ok(grid);
    }
    let mut values = [0; Cell::COUNT];
    for (value, cell) in values.iter_mut().zip(text.chars()) {
        *value = u8::try_from(cell).map_or(0, Blanks::value);
    }
    match text.chars().count() {
        Cell::COUNT => Ok(Grid::from_checked_values(values)),
        found => Err(ParseError::Length { found }),
    }
}

/// The number of pencilmarks of a sukaku: nine for each cell.
///
/// ```
/// use ninefold_core::puzzle::{Sukaku, parse::PENCILMARKS};
///
/// assert_eq!(Sukaku::FULL.to_string().len(), PENCILMARKS);
/// ```
pub const PENCILMARKS: usize = 9 * Cell::COUNT;

/// Parses a sukaku.
///
/// ```
/// use ninefold_core::puzzle::{Sukaku, parse};
///
/// assert_eq!(parse::sukaku(&b"123456789".repeat(81)), Ok(Sukaku::FULL));
/// ```
///
/// # Errors
/// The first of the first 729 bytes that is not a pencilmark of its place, or else the wrong number
/// of pencilmarks.
pub fn sukaku(bytes: &[u8]) -> Result<Sukaku, ParseError> {
    if let Ok(marks) = <&[u8; PENCILMARKS]>::try_from(bytes)
        && let Some(sukaku) = marks_to_sukaku(marks)
    {
        return Ok(sukaku);
    }
    for (place, &found) in bytes.iter().take(PENCILMARKS).enumerate() {
        let expected = Digit::ALL[place % 9];
        if !is_blank(found) && found != b'0' + expected.value() {
            return Err(ParseError::Pencilmark { column: place + 1, expected, found });
        }
    }
    Err(ParseError::Pencilmarks { found: bytes.len() })
}

/// The sukaku of 729 pencilmarks; `None` if one is in a wrong place.
///
/// No branch or early exit but those of the loops: the compiler unrolls the nine of a cell.
fn marks_to_sukaku(marks: &[u8; PENCILMARKS]) -> Option<Sukaku> {
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

/// Whether a byte means an absent candidate.
const fn is_blank(byte: u8) -> bool {
    byte == b'.' || byte == b'0'
}

/// The lengths of a line that [`puzzle()`] parses as a sukaku: 729 bytes, or not far from it.
const SUKAKU_BYTES: RangeInclusive<usize> = 600..=900;

/// Parses a grid with these blanks, or a sukaku.
///
/// A line of 600 to 900 bytes is parsed as a sukaku, so that an error is about the pencilmarks.
///
/// ```
/// use ninefold_core::puzzle::parse::{self, Blanks};
///
/// assert!(parse::puzzle(&[b'.'; 81], &Blanks::usual()).is_ok());
/// let error = parse::puzzle(&[b'.'; 728], &Blanks::usual()).unwrap_err();
/// assert_eq!(error.to_string(), "expected 729 pencilmarks, found 728");
/// ```
///
/// # Errors
/// Why the line is not a puzzle.
#[inline]
pub fn puzzle(bytes: &[u8], blanks: &Blanks) -> Result<Puzzle, ParseError> {
    if SUKAKU_BYTES.contains(&bytes.len()) {
        let sukaku = sukaku(bytes).map_err(|error| other_size(bytes).unwrap_or(error));
        return sukaku.map(Puzzle::Sukaku);
    }
    cells(bytes, blanks).map(Puzzle::Grid)
}

/// The error of a line that is a puzzle of another size: as many letters, digits and blanks as that has cells.
fn other_size(line: &[u8]) -> Option<ParseError> {
    let side = [4, 6, 12, 16, 25].into_iter().find(|side| side * side == line.len())?;
    let is_cell = |byte: &u8| byte.is_ascii_alphanumeric() || Blanks::USUAL.contains(byte);
    line.iter().all(is_cell).then_some(ParseError::Size { side })
}

/// Why a line is not a solution.
///
/// ```
/// use ninefold_core::puzzle::Solution;
/// use std::error::Error;
///
/// let error = ".".repeat(81).parse::<Solution>().unwrap_err();
/// assert_eq!(error.to_string(), "not a solution");
/// assert_eq!(error.source().unwrap().to_string(), "row 1 column 1 is blank");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SolutionError {
    /// The line is not a grid.
    Malformed(ParseError),
    /// The grid is not full or not legal.
    Unsolved(WrongAnswer),
}

impl fmt::Display for SolutionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Malformed(_) => "not a grid",
            Self::Unsolved(_) => "not a solution",
        })
    }
}

impl Error for SolutionError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::Malformed(error) => Some(error),
            Self::Unsolved(error) => Some(error),
        }
    }
}

impl From<ParseError> for SolutionError {
    fn from(error: ParseError) -> Self {
        Self::Malformed(error)
    }
}

impl From<WrongAnswer> for SolutionError {
    fn from(error: WrongAnswer) -> Self {
        Self::Unsolved(error)
    }
}

/// `TryFrom` for bytes and strings, and `FromStr`: one parser for each type.
macro_rules! parsed {
    ($($type:ty, $error:ty, $parse:expr;)+) => {$(
        impl TryFrom<&[u8]> for $type {
            type Error = $error;

            #[inline]
            fn try_from(line: &[u8]) -> Result<Self, $error> {
                $parse(line)
            }
        }

        impl TryFrom<&str> for $type {
            type Error = $error;

            #[inline]
            fn try_from(line: &str) -> Result<Self, $error> {
                $parse(line.as_bytes())
            }
        }

        impl FromStr for $type {
            type Err = $error;

            #[inline]
            fn from_str(line: &str) -> Result<Self, $error> {
                $parse(line.as_bytes())
            }
        }
    )+};
}

parsed!(
    Grid, ParseError, line;
    Sukaku, ParseError, sukaku;
    Puzzle, ParseError, |bytes| puzzle(bytes, &Blanks::default());
    Solution, SolutionError, |bytes| Ok(Self::try_from(line(bytes)?)?);
);

/// A puzzle from the values of a grid, 0 for a blank.
macro_rules! from_values {
    ($($values:ty),+) => {$(
        impl TryFrom<$values> for Puzzle {
            type Error = ParseError;

            fn try_from(values: $values) -> Result<Self, ParseError> {
                Grid::try_from(values).map(Self::Grid)
            }
        }
    )+};
}
from_values!([u8; Cell::COUNT], [[u8; 9]; 9]);

impl TryFrom<&String> for Puzzle {
    type Error = ParseError;

    fn try_from(line: &String) -> Result<Self, ParseError> {
        line.parse()
    }
}

impl<const N: usize> TryFrom<&[u8; N]> for Puzzle {
    type Error = ParseError;

    fn try_from(line: &[u8; N]) -> Result<Self, ParseError> {
        Self::try_from(&line[..])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINE: &[u8; 81] =
        b"53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";

    #[test]
    fn dots_and_zeros_are_blanks() {
        let zeros = LINE.map(|byte| if byte == b'.' { b'0' } else { byte });
        let grid = line(LINE).unwrap();
        assert_eq!(line(&zeros), Ok(grid));
        assert_eq!(grid.line(b'.'), *LINE);
        assert_eq!(grid.line(b'0'), zeros);
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
    fn the_wrong_number_of_cells_is_counted_and_errors_say_what_they_found() {
        for found in (0..=200).filter(|&found| found != 81) {
            let error = match [4, 6, 12].into_iter().find(|side| side * side == found) {
                Some(side) => ParseError::Size { side },
                None => ParseError::Length { found },
            };
            assert_eq!(line(&vec![b'1'; found]), Err(error));
        }
        let error = ParseError::Length { found: 80 };
        assert_eq!(error.to_string(), "expected 81 cells, found 80");
        // A byte that cannot be printed is escaped.
        let error = ParseError::Byte { column: 4, found: 0xff };
        let text = r"column 4: expected 1 to 9, '.' or '0', found '\xff'";
        assert_eq!(error.to_string(), text);
    }

    /// The line of a sukaku, in which candidates of all cells are out here and there.
    fn pencilmarks() -> [u8; PENCILMARKS] {
        core::array::from_fn(|place| {
            let digit = b"123456789"[place % 9];
            [digit, b'.', digit, b'0', digit][place * place % 11 % 5]
        })
    }

    #[test]
    fn pencilmarks_are_read_and_written_back() {
        let line = pencilmarks();
        let parsed = sukaku(&line).unwrap();
        for (place, byte) in line.into_iter().enumerate() {
            let is_in = parsed.get(Cell::new(place / 9)).contains(Digit::ALL[place % 9]);
            assert_eq!(is_in, matches!(byte, b'1'..=b'9'));
        }
        let dots = line.map(|byte| if byte == b'0' { b'.' } else { byte });
        let zeros = line.map(|byte| if byte == b'.' { b'0' } else { byte });
        assert_eq!(parsed.line(b'.'), dots);
        assert_eq!(parsed.line(b'x'), dots);
        assert_eq!(parsed.line(b'0'), zeros);
        assert_eq!(sukaku(&dots), Ok(parsed));
        assert_eq!(sukaku(&zeros), Ok(parsed));
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
                    _ => Err(ParseError::Pencilmark { column, expected, found: byte }),
                };
                assert_eq!(is_in, wanted, "column {column}, byte {byte}");
            }
        }
    }

    #[test]
    fn the_wrong_number_of_pencilmarks_is_counted() {
        let marks = b"123456789".repeat(100);
        for found in (0..=900).filter(|&found| found != PENCILMARKS) {
            assert_eq!(sukaku(&marks[..found]), Err(ParseError::Pencilmarks { found }));
        }
        let text = ParseError::Pencilmarks { found: 81 }.to_string();
        assert_eq!(text, "expected 729 pencilmarks, found 81");
        let wrong = ParseError::Pencilmark { column: 13, expected: Digit::ALL[3], found: b'7' };
        assert_eq!(wrong.to_string(), "column 13: expected 4, '.' or '0', found '7'");
    }
}
