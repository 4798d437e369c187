//! What can end a run before its end.

use crate::input;
use crate::output;
use crate::verify::DuplicateError;
use std::fmt;
use std::io;
use std::ops::RangeInclusive;
use std::sync::Arc;

/// Why a run did not come to its end. What was written before is right, and in order.
#[derive(Debug)]
pub enum Error {
    /// The threads could not be started.
    Threads(String),
    /// An input could not be read to its end. All of its lines before that were answered.
    Input(input::Error),
    /// It was asked to end ([`Halt`](super::Halt)). What had been begun is written.
    Stopped {
        /// So many puzzles have been answered.
        puzzles: u64,
    },
    /// The output could not be written.
    Output(output::Error),
    /// The run that is continued had another number of inputs.
    Inputs {
        /// How many it had.
        expected: usize,
        /// How many there are now.
        found: usize,
    },
    /// The search for duplicates cannot go on.
    Duplicates(DuplicateError),
    /// The temporary file for the search for duplicates cannot be used.
    Spool(io::Error),
    /// A thread panicked over some lines: a fault of this library, or of an engine given to it. All
    /// records before the first of them are written, unless there are several.
    PanickedOver {
        /// The input.
        input: Arc<str>,
        /// A line, counted from 1; several if none makes it panic alone.
        lines: RangeInclusive<u64>,
        /// What the panic said.
        message: String,
    },
    /// A thread panicked over no line: a fault of a reader, or of what makes engines.
    Panicked {
        /// The input that was read.
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
            Self::Stopped { puzzles: 1 } => f.write_str("stopped after 1 puzzle"),
            Self::Stopped { puzzles } => write!(f, "stopped after {puzzles} puzzles"),
            Self::PanickedOver { input, lines, message } => {
                write!(f, "{input}: {}: a thread panicked: {message}", Shown(lines))
            }
            Self::Inputs { expected, found } => {
                write!(f, "the checkpoint is of {expected} inputs, and there are {found}")
            }
            Self::Duplicates(error) => error.fmt(f),
            Self::Spool(cause) => write!(f, "temporary file for --duplicates: {cause}"),
            Self::Panicked { input, after_line, message } => {
                write!(f, "{input}: after line {after_line}: a thread panicked: {message}")
            }
        }
    }
}

/// `line 17`, or `lines 17 to 20`.
struct Shown<'a>(&'a RangeInclusive<u64>);

impl fmt::Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.0.start(), self.0.end()) {
            (start, end) if start == end => write!(f, "line {start}"),
            (start, end) => write!(f, "lines {start} to {end}"),
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Input(error) => error.source(),
            Self::Output(error) => error.source(),
            Self::Duplicates(error) => error.source(),
            Self::Spool(cause) => Some(cause),
            Self::Threads(_)
            | Self::Inputs { .. }
            | Self::Stopped { .. }
            | Self::Panicked { .. }
            | Self::PanickedOver { .. } => None,
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
