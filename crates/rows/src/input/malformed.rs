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
    /// It is no JSON array of cells, or an object that has neither these nor a string for its puzzle.
    NoCells,
    /// The field of the puzzle has a full grid, and the rest of the line has a puzzle or the cells of one.
    Swapped,
    /// The line has several puzzles.
    Several,
    /// It does not have the form of a record.
    Form {
        /// Where that becomes clear.
        column: usize,
        /// Its kind.
        reason: Reason,
        /// What was expected.
        why: &'static str,
    },
    /// It has more than [`MAX_LINE_BYTES`].
    TooLong,
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

    /// It is no JSON object.
    pub(super) const fn no_object(column: usize) -> Self {
        Self::Form { column, reason: Reason::Json, why: "expected a JSON object" }
    }

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
            } => Reason::Text,
            Self::Cells {
                error: ParseError::Pencilmarks { .. } | ParseError::Pencilmark { .. },
                ..
            } => Reason::Pencilmarks,
            Self::Cells { error: ParseError::Rows { .. }, .. } => Reason::Rows,
            Self::Cells { .. } => Reason::Length,
            Self::NoField { .. } => Reason::Fields,
            Self::NoCells => Reason::Json,
            Self::Swapped => Reason::Swapped,
            Self::Several => Reason::Several,
            Self::Form { reason, .. } => *reason,
            Self::TooLong => Reason::TooLong,
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
            Self::Form { column, why, .. } => write!(f, "column {column}: {why}"),
            Self::NoCells => {
                f.write_str("expected a string, or a JSON array of 81 numbers from 0 to 9, or null for each 0")
            }
            Self::Swapped => f.write_str(
                "the field of the puzzle is full, and the rest of the line has cells: are they swapped?",
            ),
            Self::Several => f.write_str("several puzzles in one line"),
            Self::TooLong => write!(f, "the line has more than {MAX_LINE_BYTES} bytes"),
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
            (Malformed::TooLong, "the line has more than 1048576 bytes"),
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
