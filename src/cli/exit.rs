//! How the program ends: an exit code, and at most one line on standard error.

use ninefold::{batch, input, output};
use std::fmt::Display;
use std::io::{self, Write};
use std::process::ExitCode;

/// A run that came to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    /// Every record is a solution.
    AllAnswered,
    /// Some are not.
    SomeUnanswered,
}

/// A run that did not.
#[derive(Debug)]
pub(super) enum Error {
    /// Whoever read the output has gone: nobody wants the rest.
    OutputClosed,
    /// It could not run, or not go on.
    Failed(String),
}

impl From<input::Error> for Error {
    fn from(error: input::Error) -> Self {
        Self::Failed(error.to_string())
    }
}

impl From<output::Error> for Error {
    fn from(error: output::Error) -> Self {
        if error.is_broken_pipe() { Self::OutputClosed } else { Self::Failed(error.to_string()) }
    }
}

impl From<batch::Error> for Error {
    fn from(error: batch::Error) -> Self {
        match error {
            batch::Error::Output(error) => error.into(),
            other => Self::Failed(other.to_string()),
        }
    }
}

/// Says what went wrong, if anything did, and gives the exit code.
pub(super) fn code(result: Result<Outcome, Error>) -> ExitCode {
    match result {
        Ok(Outcome::AllAnswered) | Err(Error::OutputClosed) => ExitCode::SUCCESS,
        Ok(Outcome::SomeUnanswered) => ExitCode::from(1),
        Err(Error::Failed(message)) => {
            say(format_args!("ninefold: {}", one_line(without_number(&message))));
            ExitCode::from(2)
        }
    }
}

/// Writes a line on standard error. If that cannot be written, there is nobody to tell.
pub(super) fn say(line: impl Display) {
    let _ = writeln!(io::stderr(), "{line}");
}

/// The message in one line: a file may be called anything.
fn one_line(message: &str) -> String {
    message.replace(char::is_control, "\u{fffd}")
}

/// The message without the system's number for the error: its words say as much.
fn without_number(message: &str) -> &str {
    message.rfind(" (os error ").map_or(message, |end| &message[..end])
}
