//! What can end a run before its end.

use crate::Grouped;
use crate::input;
use crate::output;
use std::fmt;
use std::io;
use std::ops::RangeInclusive;
use std::sync::Arc;

/// Why a run did not come to its end. All records that were written before are right and in order.
#[derive(Debug)]
pub enum Error {
    /// The threads could not be started.
    Threads(io::Error),
    /// An input could not be read to its end. All of its lines before that were answered.
    Input(input::Error),
    /// It was cancelled ([`Cancel`](crate::pipeline::Cancel)). All chunks that had been begun are
    /// written, or those before the first that was given up and the valid part of that one.
    Stopped {
        /// How many puzzles the chunks have that are complete.
        puzzles: u64,
    },
    /// The output could not be written.
    Output(output::Error),
    /// What was read prevents the run: where that is, and what is wrong with it.
    Refused(String),
    /// A thread panicked: a fault of this program. All records before these lines are written.
    Panicked {
        /// The input, and the lines of the chunk that was being worked on, counted from 1.
        lines: Option<(Arc<str>, RangeInclusive<u64>)>,
        /// The message of the panic.
        message: String,
    },
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Threads(_) => f.write_str("cannot start the threads"),
            Self::Input(error) => error.fmt(f),
            Self::Output(error) => error.fmt(f),
            Self::Stopped { puzzles: 1 } => f.write_str("stopped after 1 puzzle"),
            Self::Stopped { puzzles } => write!(f, "stopped after {} puzzles", Grouped(*puzzles)),
            Self::Refused(why) => f.write_str(why),
            Self::Panicked { lines: Some((input, lines)), message } => {
                let (first, last) = (Grouped(*lines.start()), Grouped(*lines.end()));
                write!(f, "{input}: lines {first} to {last}: a thread panicked: {message}")
            }
            Self::Panicked { lines: None, message } => write!(f, "a thread panicked: {message}"),
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Input(error) => error.source(),
            Self::Output(error) => error.source(),
            Self::Threads(cause) => Some(cause),
            Self::Stopped { .. } | Self::Refused(_) | Self::Panicked { .. } => None,
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
