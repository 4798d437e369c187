//! How the program ends: an exit code, and a line on standard error, or two.

use ninefold::{bulk, input, output};
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
    /// Something has become slower, and that was not to be.
    Slower,
    /// It was ended from outside, and has shown what there was until then: the exit code.
    Interrupted(u8),
}

/// A run that did not.
#[derive(Debug)]
pub(super) enum Error {
    /// Whoever read standard output has gone: nobody wants the rest.
    OutputClosed,
    /// It could not run, or not go on.
    Failed(String),
    /// A signal asked for its end: what to say, and the exit code.
    Stopped(String, u8),
    /// One of these, and something is left of it, with what can be done about it.
    Kept(Box<Self>, String),
    /// An engine's answer is wrong.
    Wrong(String),
}

impl From<input::Error> for Error {
    fn from(error: input::Error) -> Self {
        Self::Failed(error.to_string())
    }
}

impl From<output::Error> for Error {
    fn from(error: output::Error) -> Self {
        // Whoever names a pipe wants all that goes into it; `| head` does not.
        let closed = error.is_broken_pipe() && *error.name == *output::STDOUT;
        if closed { Self::OutputClosed } else { Self::Failed(with_causes(&error)) }
    }
}

impl From<bulk::Error> for Error {
    fn from(error: bulk::Error) -> Self {
        match error {
            bulk::Error::Input(error) => error.into(),
            bulk::Error::Output(error) => error.into(),
            other => Self::Failed(with_causes(&other)),
        }
    }
}

/// The message of an error and those of its causes, separated by colons.
fn with_causes(error: &dyn std::error::Error) -> String {
    let causes = std::iter::successors(Some(error), |error| error.source());
    causes.map(ToString::to_string).collect::<Vec<_>>().join(": ")
}

impl Error {
    /// The same, with what is left and can be done about it, if anything is.
    pub(super) fn with_hint(self, hint: Option<String>) -> Self {
        match hint {
            Some(hint) => Self::Kept(Box::new(self), hint),
            None => self,
        }
    }
}

/// Says what went wrong, if anything did, and gives the exit code.
pub(super) fn code(result: Result<Outcome, Error>) -> ExitCode {
    match result {
        Ok(Outcome::AllAnswered) => ExitCode::SUCCESS,
        Ok(Outcome::SomeUnanswered | Outcome::Slower) => ExitCode::from(1),
        Ok(Outcome::Interrupted(code)) => ExitCode::from(code),
        Err(error) => code_of(error),
    }
}

fn code_of(error: Error) -> ExitCode {
    match error {
        Error::OutputClosed => ExitCode::SUCCESS,
        Error::Failed(message) => {
            say(format_args!("ninefold: {}", one_line(without_number(&message))));
            ExitCode::from(2)
        }
        Error::Wrong(message) => {
            say(format_args!("ninefold: wrong answer: {}", one_line(&message)));
            ExitCode::from(1)
        }
        Error::Stopped(message, code) => {
            say(format_args!("ninefold: {message}"));
            ExitCode::from(code)
        }
        Error::Kept(error, hint) => {
            let code = code_of(*error);
            say(format_args!("ninefold: {}", one_line(&hint)));
            code
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
