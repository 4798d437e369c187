//! The columns of an output that is a table with types: a Parquet file.
//!
//! Its records are rows of CSV, which the encoder reads again. Bytes that never occur in UTF-8 stand in
//! them for what such a row cannot hold:
//!
//! ```text
//! ff   a value of no bytes, which is not a missing one
//! fe   LF     fd   CR     fc   a space at an end of the value     fb   a tab there
//! ```

use super::column::Kind;
use super::csv::quote;
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
        Self { columns: own.chain(kept).collect() }
    }
}

/// Appends a value of another column as it is, marks included. Bytes that are no UTF-8 are marks, so
/// the value of an input that has none must be UTF-8.
pub(super) fn push_marked(row: &mut Vec<u8>, value: &[u8]) {
    if !value.iter().any(|byte| b",\"".contains(byte)) {
        return row.extend_from_slice(value);
    }
    quote(row, value);
}
