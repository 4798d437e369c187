//! Bytes that stand for what a row of a table of Parquet has and a line of text has not.
//!
//! The rows of such a table are read as lines of CSV. Its values are UTF-8, so bytes that never occur in
//! UTF-8 can stand for a line end within a value, for spaces around it, and for a value of no bytes,
//! which is not a missing one. They are in columns other than those of puzzle and solution alone.

use super::delimiter::Delimiter;
use super::fields::Fields;
use crate::output::push_csv_field;
use std::borrow::Cow;

/// A value of no bytes.
pub(crate) const NOTHING: u8 = 0xff;

/// Each mark and the byte that it stands for.
pub(crate) const MARKS: [(u8, u8); 4] = [(0xfe, b'\n'), (0xfd, b'\r'), (0xfc, b' '), (0xfb, b'\t')];

/// The mark of a byte, if it has one.
#[cfg(feature = "parquet")]
pub(crate) fn mark_of(byte: u8) -> Option<u8> {
    MARKS.iter().find(|(_, of)| *of == byte).map(|(mark, _)| *mark)
}

/// A value with the bytes that its marks stand for; none if it is missing.
pub(crate) fn value(field: &[u8]) -> Option<Cow<'_, [u8]>> {
    if field.is_empty() {
        return None;
    }
    if !has_marks(field) {
        return Some(field.into());
    }
    let byte = |byte: &u8| match MARKS.iter().find(|(mark, _)| mark == byte) {
        Some((_, of)) => Some(*of),
        None => Some(*byte).filter(|byte| *byte != NOTHING),
    };
    Some(field.iter().filter_map(byte).collect())
}

/// A row as CSV, for people and other programs.
pub(crate) fn row(line: &[u8]) -> Cow<'_, [u8]> {
    if !has_marks(line) {
        return line.into();
    }
    let Some(fields) = Fields::of_row(line, Delimiter::Byte(b',')) else { return line.into() };
    let mut row = Vec::new();
    for (place, field) in fields.iter(line).enumerate() {
        if place > 0 {
            row.push(b',');
        }
        match value(field).as_deref() {
            None => {}
            Some(b"") => row.extend_from_slice(b"\"\""),
            Some(value) => push_csv_field(&mut row, value),
        }
    }
    row.into()
}

/// Whether these bytes contain a mark.
fn has_marks(bytes: &[u8]) -> bool {
    bytes.iter().any(|&byte| byte >= MARKS[3].0)
}

#[cfg(all(test, feature = "parquet"))]
mod tests {
    use super::*;

    #[test]
    fn marks_are_the_bytes_that_they_stand_for() {
        assert_eq!(value(b""), None);
        assert_eq!(value(&[NOTHING]).as_deref(), Some(&b""[..]));
        let all = b" a\nb\r\tc ".map(|byte| mark_of(byte).unwrap_or(byte));
        assert_eq!(value(&all).as_deref(), Some(&b" a\nb\r\tc "[..]));
        assert_eq!(&*row(&all), b"\" a\nb\r\tc \"");
        assert_eq!(&*row(&[b"1,,\"a, b\",", &[NOTHING][..]].concat()), b"1,,\"a, b\",\"\"");
        assert!(all.iter().all(|byte| byte.is_ascii_lowercase() || *byte >= 0xf8));
    }
}
