//! The delimiter of the fields of a row, and the quotation marks between which it does not divide.

use std::fmt;

/// The delimiter of the fields of a line. A field may be in quotation marks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Delimiter {
    /// This byte.
    Byte(u8),
    /// Spaces and tabs, one or several.
    Spaces,
    /// Each byte of [`Delimiter::BYTES`], with any number of spaces.
    Any,
}

impl Delimiter {
    /// The delimiters that are tried if none is given.
    pub const BYTES: &[u8] = b",;|\t ";

    /// Whether a byte divides fields, or is between them.
    #[inline]
    pub(super) fn divides(self, byte: u8) -> bool {
        match self {
            Self::Byte(delimiter) => byte == delimiter,
            Self::Spaces => is_space(byte),
            Self::Any => Self::BYTES.contains(&byte),
        }
    }

    /// The first place from `start` on that is neither a space nor the end, unless a space divides.
    pub(super) fn skip_spaces(self, text: &[u8], start: usize) -> usize {
        let is_blank = |&&byte: &&u8| is_space(byte) && self != Self::Byte(byte);
        start + text[start..].iter().take_while(is_blank).count()
    }

    /// Whether the quotation mark at `mark` ends a field: a delimiter or the end follows it.
    pub(super) fn closes(self, text: &[u8], mark: usize) -> bool {
        let ends = |&byte: &u8| self.divides(byte);
        let behind = text.get(self.skip_spaces(text, mark + 1));
        behind.is_none_or(ends) || text.get(mark + 1).is_some_and(ends)
    }
}

impl fmt::Display for Delimiter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Byte(b'\t') => f.write_str("tabs"),
            Self::Byte(byte) => write!(f, "'{}'", byte.escape_ascii()),
            Self::Spaces => f.write_str("spaces"),
            Self::Any => f.write_str("any of ',' ';' '|' tab and space"),
        }
    }
}

/// The first quotation mark from `start` on that is not one of two in a row.
pub(super) fn next_mark(text: &[u8], start: usize) -> Option<usize> {
    let mut mark = start;
    loop {
        mark += memchr::memchr(b'"', text.get(mark..)?)?;
        if text.get(mark + 1) != Some(&b'"') {
            return Some(mark);
        }
        mark += 2;
    }
}

/// Whether a byte is a space or a tab.
pub(super) const fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t')
}
