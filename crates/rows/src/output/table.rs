//! The columns of an output that is a table with types: a Parquet file.
//!
//! Its records are packed rows. Each length is a number of four bytes:
//!
//! ```text
//! row     length of the rest │ field │ field │ …
//! field   length │ bytes                           or ff ff ff ff: a missing value
//! ```

use super::column::Kind;
use super::style::Style;

/// The columns of a table, in their order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Table {
    /// The name of each column, and its type.
    pub columns: Vec<(String, ColumnType)>,
}

/// The type of a column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ColumnType {
    /// A type of a command.
    Own(Kind),
    /// As a column of an input: its schema, in the text form of Parquet. Values are written as they are
    /// stored: a date is a number of days.
    Like(String),
}

impl ColumnType {
    /// The type of a column of an input, which is text unless it has a schema.
    pub fn like(schema: Option<String>) -> Self {
        schema.map_or(Self::Own(Kind::Text), Self::Like)
    }
}

impl Table {
    /// The columns of records in this style. The other columns of the input have these types, or are
    /// text.
    pub fn of_style(style: &Style, others: &[Option<String>]) -> Self {
        let own = style.own_columns().map(|it| (it.name.to_owned(), ColumnType::Own(it.kind)));
        let kept = style.other_columns.iter().flatten().enumerate().map(|(place, name)| {
            (name.clone(), ColumnType::like(others.get(place).cloned().flatten()))
        });
        let columns: Vec<_> = own.chain(kept).collect();
        let Some(chosen) = &style.chosen else { return Self { columns } };
        let of = |name: &String| columns.iter().find(|it| it.0 == *name).cloned();
        let text = |name: &String| (name.clone(), ColumnType::Own(Kind::Text));
        Self { columns: chosen.iter().map(|it| of(it).unwrap_or_else(|| text(it))).collect() }
    }
}

/// The length of a value that is missing.
pub(super) const MISSING: [u8; 4] = [0xff; 4];

/// Appends a field of a packed row, `None` for a missing value. Bytes that are not UTF-8 are replaced.
pub fn push_packed(bytes: &mut Vec<u8>, value: Option<&[u8]>) {
    let Some(value) = value else { return bytes.extend_from_slice(&MISSING) };
    let text = String::from_utf8_lossy(value);
    push_packed_row(bytes, |bytes| bytes.extend_from_slice(text.as_bytes()));
}

/// Appends a packed row, whose fields are appended by `push`. Returns what `push` returns.
///
/// # Panics
/// If it has 4 GiB or more.
pub fn push_packed_row<T>(bytes: &mut Vec<u8>, push: impl FnOnce(&mut Vec<u8>) -> T) -> T {
    let start = bytes.len();
    bytes.extend_from_slice(&MISSING);
    let pushed = push(bytes);
    let length = bytes.len() - start - MISSING.len();
    let length = u32::try_from(length).expect("a row has less than 4 GiB");
    bytes[start..start + MISSING.len()].copy_from_slice(&length.to_le_bytes());
    pushed
}

/// The first row of packed rows, or the first field of a row, and the bytes behind it. A missing value is `None`.
pub(super) fn unpack(bytes: &[u8]) -> Option<(Option<&[u8]>, &[u8])> {
    let (length, rest) = bytes.split_first_chunk()?;
    if *length == MISSING {
        return Some((None, rest));
    }
    let (found, rest) = rest.split_at_checked(u32::from_le_bytes(*length) as usize)?;
    Some((Some(found), rest))
}
