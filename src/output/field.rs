//! The fields of records that have columns.

/// What a column of a record holds.
///
/// ```
/// use ninefold::output::{Field, Format, Records, Style, Subject};
///
/// let style = Style { format: Format::Csv, columns: &["line", "clues", "map"], ..Style::default() };
/// let subject = Subject { input: None, line: 3, puzzle: b"", others: &[], members: &[] };
/// let mut records = Records::new();
/// records.push_row(&style, &subject, &[Field::Number(17), Field::Empty], None);
/// assert_eq!(records.numbered(0, &mut Vec::new()), b"3,17,\n");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Field<'a> {
    /// Nothing: `null` in an object.
    Empty,
    /// A number.
    Number(u64),
    /// Text that needs no quotation marks in a table: cells, names.
    Plain(&'a [u8]),
    /// Any bytes.
    Text(&'a [u8]),
}
