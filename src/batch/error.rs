//! What can end a run before its end.

use crate::input;
use crate::output;
use std::fmt;
use std::sync::Arc;

/// Why a run did not come to its end. What was written before is right, and in order.
#[derive(Debug)]
pub enum Error {
    /// The threads could not be started.
    Threads(String),
    /// An input could not be read to its end. All of its lines before that were answered.
    Input(input::Error),
    /// The output could not be written.
    Output(output::Error),
    /// A thread panicked: a fault of this library, or of a reader or an engine given to it.
    Panicked {
        /// The input that was read or solved.
        input: Arc<str>,
        /// The last of its lines whose record was written.
        after_line: u64,
        /// What the panic said.
        message: String,
    },
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Threads(cause) => write!(f, "cannot start the threads: {cause}"),
            Self::Input(error) => error.fmt(f),
            Self::Output(error) => error.fmt(f),
            Self::Panicked { input, after_line, message } => {
                write!(f, "{input}: after line {after_line}: a thread panicked: {message}")
            }
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Input(error) => error.source(),
            Self::Output(error) => error.source(),
            Self::Threads(_) | Self::Panicked { .. } => None,
        }
    }
}

impl From<input::Error> for Error {
    fn from(error: input::Error) -> Self {
        Self::Input(error)
    }
}

impl From<output::Error> for Error {
    fn from(error: output::Error) -> Self {
        Self::Output(error)
    }
}
