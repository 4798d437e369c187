//! The fields of records that have columns.

use super::csv::{one_line, push_csv_field, push_csv_line};
use super::table::{MISSING, push_packed, push_packed_row};
use std::io::Write;

/// What a column of a record holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Field<'a> {
    /// Nothing: `null` in an object.
    Empty,
    /// A number.
    Number(u64),
    /// A number in thousandths, written without zeros at its end: 4300 is `4.3`.
    Thousandths(u64),
    /// A number in tenths, written with one decimal place: 20 is `2.0`.
    Tenths(u64),
    /// `true` or `false`.
    Flag(bool),
    /// Text that needs no quotation marks in a table: cells, names.
    Plain(&'a [u8]),
    /// Any bytes.
    Text(&'a [u8]),
    /// Any bytes, with their line ends. If there are none, that is no missing value.
    Kept(&'a [u8]),
    /// The puzzle of the record.
    Puzzle,
    /// A value of an object, as JSON writes it.
    Json(&'a [u8]),
    /// Words: an array in an object, joined by the text between them in a table.
    List(&'a [&'a str], &'static str),
}

impl Field<'_> {
    /// Appends the field as it is in a table.
    ///
    /// # Panics
    /// If it is the puzzle of the record, which the writer of the row replaces.
    pub fn push_csv(&self, bytes: &mut Vec<u8>) {
        match self {
            Field::Empty => {}
            Field::Number(1) => bytes.push(b'1'),
            Field::Number(number) => write!(bytes, "{number}").expect(FULL),
            Field::Thousandths(number) => {
                let text = format!("{}.{:03}", number / 1000, number % 1000);
                let text = text.trim_end_matches('0').trim_end_matches('.');
                bytes.extend_from_slice(text.as_bytes());
            }
            Field::Tenths(number) => {
                write!(bytes, "{}.{}", number / 10, number % 10).expect(FULL);
            }
            Field::Flag(is_so) => write!(bytes, "{is_so}").expect(FULL),
            Field::Plain(text) => bytes.extend_from_slice(text),
            Field::Text(text) | Field::Json(text) => push_csv_line(bytes, text),
            Field::Kept(b"") => bytes.extend_from_slice(b"\"\""),
            Field::Kept(text) => push_csv_field(bytes, text),
            Field::List(words, between) => push_csv_field(bytes, words.join(between).as_bytes()),
            Field::Puzzle => unreachable!("the writer of the row replaces it"),
        }
    }

    /// Appends the field to a packed row: see [`Table`](super::Table). No bytes are a missing value.
    pub(super) fn push_packed(&self, bytes: &mut Vec<u8>) {
        if let Field::Kept(text) = self {
            return push_packed(bytes, Some(text));
        }
        let start = bytes.len();
        push_packed_row(bytes, |bytes| match self {
            Field::Text(text) | Field::Json(text) => bytes.extend(one_line(text).into_bytes()),
            Field::List(words, between) => bytes.extend_from_slice(words.join(between).as_bytes()),
            other => other.push_csv(bytes),
        });
        if bytes[start..] == [0; 4] {
            bytes[start..].copy_from_slice(&MISSING);
        }
    }

    /// Appends the field as a member of an object: its key, and its value.
    pub(super) fn push_member(&self, key: &str, bytes: &mut Vec<u8>) {
        serde_json::to_writer(&mut *bytes, key).expect(FULL);
        bytes.push(b':');
        match self {
            Field::List(words, _) => serde_json::to_writer(bytes, words).expect(FULL),
            Field::Puzzle => unreachable!("the writer of the row replaces it"),
            Field::Empty => bytes.extend_from_slice(b"null"),
            Field::Json(value) => bytes.extend_from_slice(value),
            Field::Number(number) => write!(bytes, "{number}").expect(FULL),
            Field::Thousandths(_) | Field::Tenths(_) | Field::Flag(_) => self.push_csv(bytes),
            Field::Plain(text) | Field::Text(text) | Field::Kept(text) => {
                let text = String::from_utf8_lossy(text);
                serde_json::to_writer(bytes, &*text).expect(FULL);
            }
        }
    }
}

/// Memory takes all that is written to it.
pub(super) const FULL: &str = "memory takes all that is written to it";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_decimal_number_has_no_zeros_at_its_end() {
        let texts = [0, 4300, 4310, 4317, 50, 7, 12_000].map(|number| {
            let mut text = Vec::new();
            Field::Thousandths(number).push_csv(&mut text);
            String::from_utf8(text).unwrap()
        });
        assert_eq!(texts, ["0", "4.3", "4.31", "4.317", "0.05", "0.007", "12"]);
    }
}
