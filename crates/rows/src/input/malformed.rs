//! What is wrong with a line that should be a puzzle.

use super::lines::MAX_LINE_BYTES;
use crate::puzzle::ParseError;
use std::fmt;

/// Why a record is no puzzle. Columns count bytes of the line from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Malformed {
    /// Its cells or pencilmarks are not what they should be.
    Cells {
        /// Where their field begins.
        column: usize,
        /// The fault. Its columns count from the start of the line.
        error: ParseError,
    },
    /// It has too few fields.
    NoField {
        /// The column that should hold the puzzle, counted from 1.
        wanted: usize,
        /// The number found.
        found: usize,
    },
    /// It is no JSON object.
    NoObject {
        /// Where that becomes clear.
        column: usize,
    },
    /// It is no JSON array of cells, or an object that has neither these nor a string for its puzzle.
    NoCells,
    /// It has cells with separators, and one of more than a character.
    WideCell {
        /// Where the cell begins.
        column: usize,
    },
    /// It is a JSON array with null and 0 for cells.
    TwoBlanks,
    /// It has deleted candidates, without which it would be another puzzle.
    Deleted {
        /// Where they begin.
        column: usize,
    },
    /// The field of the puzzle has a full grid, and the rest of the line has a puzzle or the cells of one.
    Swapped,
    /// The line has several puzzles.
    Several,
    /// A quotation mark does not close: the record may go on in the next line.
    OpenQuote {
        /// Where it is.
        column: usize,
    },
    /// It is so long that what is wanted of it may be in the part that is not looked at.
    TooLong {
        /// How many bytes it has.
        bytes: u64,
    },
}

ninefold_core::named_enum! {
    /// A kind of [`Malformed`], for counting. Its summary is the key of the count.
    pub enum Reason, "reason" {
        Length = "length", "not 81 cells";
        Character = "character", "a character that is not a cell";
        Text = "text", "text that is no cell and no blank";
        Pencilmarks = "pencilmarks", "wrong pencilmarks";
        Fields = "fields", "too few fields";
        Json = "json", "no JSON, or no puzzle in it";
        Swapped = "swapped", "a full grid where the puzzle should be";
        Several = "several", "several puzzles in a line";
        Quote = "quote", "a quotation mark that does not close";
        Rows = "rows", "not 9 rows of 9 cells";
        TooLong = "too-long", "too many bytes in a line";
    }
}

impl Malformed {
    /// The field has nothing.
    pub(super) const MISSING: Self =
        Self::Cells { column: 1, error: ParseError::Length { found: 0 } };

    /// Whether there is nothing that is malformed.
    pub(super) const fn is_missing(&self) -> bool {
        matches!(
            self,
            Self::Cells { error: ParseError::Length { found: 0 }, .. } | Self::NoField { .. }
        )
    }

    /// Its kind.
    pub const fn reason(&self) -> Reason {
        match self {
            Self::Cells { error: ParseError::Byte { found, .. }, .. } if may_be_blank(*found) => {
                Reason::Character
            }
            Self::Cells {
                error: ParseError::Byte { .. } | ParseError::Character { .. }, ..
            }
            | Self::WideCell { .. } => Reason::Text,
            Self::Cells {
                error: ParseError::Pencilmarks { .. } | ParseError::Pencilmark { .. },
                ..
            }
            | Self::Deleted { .. } => Reason::Pencilmarks,
            Self::Cells { error: ParseError::Rows { .. }, .. } => Reason::Rows,
            Self::Cells { .. } => Reason::Length,
            Self::NoField { .. } => Reason::Fields,
            Self::NoObject { .. } | Self::NoCells | Self::TwoBlanks => Reason::Json,
            Self::Swapped => Reason::Swapped,
            Self::Several => Reason::Several,
            Self::OpenQuote { .. } => Reason::Quote,
            Self::TooLong { .. } => Reason::TooLong,
        }
    }

    /// The error of a field that begins after `start` bytes of the line.
    pub(super) const fn in_field(start: usize, mut error: ParseError) -> Self {
        if let ParseError::Byte { column, .. }
        | ParseError::Character { column, .. }
        | ParseError::Pencilmark { column, .. } = &mut error
        {
            *column += start;
        }
        Self::Cells { column: start + 1, error }
    }
}

/// Whether some writer may use this byte for a blank. Quotation marks, brackets and the like are around puzzles.
pub(crate) const fn may_be_blank(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || matches!(byte, b'?' | b'!' | b'~' | b'+' | b'@' | b'$' | b'%')
}

impl fmt::Display for Malformed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Cells { column, error } => match error {
                ParseError::Length { .. } | ParseError::Pencilmarks { .. } if *column > 1 => {
                    write!(f, "column {column}: {error}")
                }
                error => error.fmt(f),
            },
            Self::NoField { wanted, found } => {
                let fields = if *found == 1 { "field" } else { "fields" };
                write!(f, "expected a puzzle in field {wanted}, found {found} {fields}")
            }
            Self::NoObject { column } => write!(f, "column {column}: expected a JSON object"),
            Self::NoCells => {
                f.write_str("expected a string, or a JSON array of 81 numbers from 0 to 9")
            }
            Self::WideCell { column } => {
                write!(f, "column {column}: expected a cell of one character, found more")
            }
            Self::TwoBlanks => f.write_str(
                "null and 0 in one array: only one of them is a blank, and digits are 1 to 9",
            ),
            Self::Deleted { column } => {
                write!(f, "column {column}: deleted candidates are not read, and it is another puzzle without them")
            }
            Self::OpenQuote { column } => write!(
                f,
                "column {column}: the quotation mark does not close in this line, and a record is a line; write \
                 Parquet or JSON lines"
            ),
            Self::Swapped => f.write_str(
                "the field of the puzzle is full, and the rest of the line has cells: are they swapped?",
            ),
            Self::Several => f.write_str("several puzzles in one line"),
            Self::TooLong { bytes } => {
                write!(f, "only the first {MAX_LINE_BYTES} of its {bytes} bytes are looked at")
            }
        }
    }
}

impl std::error::Error for Malformed {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_says_where_in_the_line() {
        let length = ParseError::Length { found: 80 };
        let byte = ParseError::Byte { column: 4, found: b'x' };
        let wide = ParseError::not_a_cell("53.│".as_bytes(), 3);
        let cases = [
            (Malformed::in_field(0, length), "expected 81 cells, found 80"),
            (Malformed::in_field(13, length), "column 14: expected 81 cells, found 80"),
            (Malformed::in_field(0, byte), "column 4: expected 1 to 9, '.' or '0', found 'x'"),
            (Malformed::in_field(13, byte), "column 17: expected 1 to 9, '.' or '0', found 'x'"),
            (Malformed::in_field(13, wide), "column 17: expected 1 to 9, '.' or '0', found '│'"),
            (
                Malformed::NoField { wanted: 2, found: 1 },
                "expected a puzzle in field 2, found 1 field",
            ),
            (Malformed::NoObject { column: 7 }, "column 7: expected a JSON object"),
            (
                Malformed::TooLong { bytes: 65_537 },
                "only the first 65536 of its 65537 bytes are looked at",
            ),
            (
                Malformed::in_field(0, ParseError::Rows { found: 8 }),
                "expected 9 rows of 9 cells, found 8 rows",
            ),
        ];
        for (malformed, text) in cases {
            assert_eq!(malformed.to_string(), text);
        }
    }
}
