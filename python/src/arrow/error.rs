//! Why an array is refused.

use arrow_schema::ArrowError;
use std::fmt;

/// Why an array or a stream has no answer. Malformed puzzles are no errors: they have a status.
#[derive(Debug)]
pub(crate) enum ArrayError {
    /// An array, a stream or a table cannot be used. This is the message.
    Refused(String),
    /// The run was interrupted.
    Interrupted,
}

impl ArrayError {
    /// The texts of a result exceed the 32-bit offsets of its type.
    pub(super) fn too_long(field: &str) -> Self {
        Self::Refused(format!(
            "the result's {field} texts have more than 2,147,483,647 bytes, the limit of one \
             array of this type: pass the rows in several arrays"
        ))
    }

    /// Two inputs have different lengths.
    pub(super) fn lengths(one: usize, other: usize) -> Self {
        let message = "expected inputs of the same length";
        Self::Refused(format!("{message}, found {one} and {other} rows"))
    }

    /// The producer of a stream reported an error.
    pub(crate) fn stream(message: &str) -> Self {
        Self::Refused(format!("the stream failed: {message}"))
    }
}

impl fmt::Display for ArrayError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Refused(message) => f.write_str(message),
            Self::Interrupted => f.write_str("interrupted"),
        }
    }
}

impl From<ArrowError> for ArrayError {
    fn from(error: ArrowError) -> Self {
        Self::Refused(format!("invalid Arrow array: {error}"))
    }
}
