//! Why an array is refused.

use arrow_schema::{ArrowError, DataType};
use std::error::Error;
use std::fmt;

/// Why an array or a stream has no answer. Malformed puzzles are no errors: they have a status.
#[derive(Debug)]
#[non_exhaustive]
pub(crate) enum ArrayError {
    /// Values of this type are not puzzles.
    Type(DataType),
    /// A column was named, and this type has no columns.
    NoColumns(DataType),
    /// The table has no such column.
    NoColumn {
        /// The name that was requested.
        wanted: String,
        /// The names of the table.
        names: Vec<String>,
    },
    /// The table has several columns, and none was named.
    WhichColumn {
        /// The name that is used if the table has it.
        usual: &'static str,
        /// The names of the table.
        names: Vec<String>,
    },
    /// Two inputs have different lengths.
    Lengths {
        /// Rows of the first.
        one: usize,
        /// Rows of the second.
        other: usize,
    },
    /// A row lies outside the buffers of its array.
    ArrayRow(usize),
    /// The texts of a result exceed the 32-bit offsets of its type.
    TooLong {
        /// What the texts are.
        field: &'static str,
    },
    /// The array breaks the rules of Arrow.
    Arrow(ArrowError),
    /// The producer of a stream reported an error.
    Stream(String),
    /// The run was interrupted.
    Interrupted,
    /// This program has a fault.
    Panic,
}

impl fmt::Display for ArrayError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Type(found) if found.is_numeric() => {
                write!(f, "the puzzles are numbers; read the column as text, not as {found}")
            }
            Self::Type(found) => {
                write!(f, "expected strings, binary values or lists of 81 integers, found {found}")
            }
            Self::NoColumns(found) => {
                write!(f, "expected a table with columns, found an array of {found}")
            }
            Self::NoColumn { wanted, names } => {
                write!(f, "no column {wanted:?}; the columns are {}", QuotedNames(names))
            }
            Self::WhichColumn { usual, names } => {
                let names = QuotedNames(names);
                write!(f, "no column {usual:?}; name one of the columns {names}")
            }
            Self::Lengths { one, other } => {
                write!(f, "expected two inputs of the same length, found {one} and {other} rows")
            }
            Self::ArrayRow(row) => write!(f, "row {row} lies outside the buffers of the array"),
            Self::TooLong { field } => write!(
                f,
                "the result's {field} texts have more than 2,147,483,647 bytes, the limit of one \
                 array of this type: pass the rows in several arrays"
            ),
            Self::Arrow(_) => f.write_str("invalid Arrow array"),
            Self::Stream(message) => write!(f, "the stream failed: {message}"),
            Self::Interrupted => f.write_str("interrupted"),
            Self::Panic => f.write_str("ninefold has a fault: please report it"),
        }
    }
}

impl ArrayError {
    /// The message, with that of the error that caused it.
    pub(crate) fn with_source(&self) -> String {
        match self.source() {
            Some(source) => format!("{self}: {source}"),
            None => self.to_string(),
        }
    }
}

impl Error for ArrayError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::Arrow(error) => Some(error),
            _ => None,
        }
    }
}

impl From<ArrowError> for ArrayError {
    fn from(error: ArrowError) -> Self {
        Self::Arrow(error)
    }
}

/// Names with quotation marks and commas.
struct QuotedNames<'a>(&'a [String]);

impl fmt::Display for QuotedNames<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, name) in self.0.iter().enumerate() {
            write!(f, "{}{name:?}", if place == 0 { "" } else { ", " })?;
        }
        Ok(())
    }
}
