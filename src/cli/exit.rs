//! How the program ends: an exit code, and what it writes on standard error.

use crate::output::Sink;
use crate::{input, output, run};
use std::error::Error as StdError;
use std::fmt::{self, Display};
use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;

/// A run that is not complete.
#[derive(Debug)]
pub(crate) enum Error {
    /// The reader of standard output has closed it.
    OutputClosed,
    /// The run could not start or not continue: why.
    Failed(String),
    /// A signal or a wrong answer ended the run: the message, and the exit code.
    Ended(String, u8),
    /// One of these, and a hint about the output that is left.
    Kept(Box<Self>, String),
}

impl Error {
    /// An error of the library, with all its causes.
    pub(crate) fn caused(error: impl Into<Box<dyn StdError + Send + Sync>>) -> Self {
        Self::Failed(chain(&*error.into()))
    }

    /// An error about a file: an error of the system, or a text.
    pub(crate) fn at(path: &Path, cause: impl Into<Box<dyn StdError + Send + Sync>>) -> Self {
        Self::Failed(format!("{}: {}", path.display(), chain(&*cause.into())))
    }

    /// An error of `bench`, or one of its [`Host`](ninefold_bench::Host), which is this type.
    pub(super) fn of_bench(error: ninefold_bench::Error) -> Self {
        let error = match error.downcast::<Self>() {
            Ok(own) => return *own,
            Err(error) => error,
        };
        match error.downcast::<output::Error>() {
            Ok(error) => (*error).into(),
            Err(error) if error.is::<ninefold_bench::Wrong>() => {
                Self::Ended(format!("wrong answer: {}", chain(&*error)), 1)
            }
            Err(error) => Self::caused(error),
        }
    }

    /// The same error, with a hint about the output that is left, if there is one.
    pub(crate) fn with_hint(self, hint: Option<String>) -> Self {
        match hint {
            Some(hint) => Self::Kept(Box::new(self), hint),
            None => self,
        }
    }
}

/// Fails with an option and a reason, if the option is refused.
pub(crate) fn refuse(is_refused: bool, option: &str, reason: &str) -> Result<(), Error> {
    if is_refused { Err(Error::Failed(format!("{option}: {reason}"))) } else { Ok(()) }
}

impl Display for Error {
    /// Its message; the hint of [`Error::Kept`] is not part of it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::OutputClosed => f.write_str("standard output is closed"),
            Self::Failed(message) | Self::Ended(message, _) => f.write_str(message),
            Self::Kept(error, _) => error.fmt(f),
        }
    }
}

impl StdError for Error {}

impl From<input::Error> for Error {
    fn from(error: input::Error) -> Self {
        Self::caused(error)
    }
}

impl From<output::Error> for Error {
    fn from(mut error: output::Error) -> Self {
        // A named pipe should get all records. `| head` should not.
        let closed = error.is_broken_pipe() && *error.name == *output::STDOUT;
        let hint = error.hint.take();
        if closed { Self::OutputClosed } else { Self::caused(error) }.with_hint(hint)
    }
}

impl From<run::Error> for Error {
    fn from(error: run::Error) -> Self {
        match error {
            run::Error::Output(error) => error.into(),
            other => Self::caused(other),
        }
    }
}

/// Writes why the run failed, and gives the exit code.
pub(crate) fn fail(error: Error) -> ExitCode {
    let (message, code) = match error {
        Error::OutputClosed => return ExitCode::SUCCESS,
        Error::Failed(message) => (message, ExitCode::from(2)),
        Error::Ended(message, code) => (message, ExitCode::from(code)),
        Error::Kept(error, hint) => {
            let code = fail(*error);
            (hint, code)
        }
    };
    // In one line: the name of a file may have any character.
    say(format_args!("ninefold: {}", message.replace(char::is_control, "\u{fffd}")));
    code
}

/// Writes a text to standard output: all that a command without records does.
pub(crate) fn print(text: &[u8]) -> Result<ExitCode, Error> {
    let mut sink = Sink::stdout();
    sink.write(text)?;
    sink.finish()?;
    Ok(ExitCode::SUCCESS)
}

/// Writes a line on standard error. A failure to write it is ignored.
pub(crate) fn say(line: impl Display) {
    let _ = writeln!(io::stderr(), "{line}");
}

/// The text of an error and of all its causes, joined with `: `. A cause that the text of its error
/// ends with is not written again.
pub(crate) fn chain(error: &(dyn StdError + 'static)) -> String {
    let mut text = own_text(error);
    let mut next = error.source();
    while let Some(error) = next {
        let whole = error.to_string();
        let before = text.strip_suffix(&whole).filter(|it| it.is_empty() || it.ends_with(": "));
        match before.map(str::len) {
            Some(length) => text.truncate(length),
            None => text.push_str(": "),
        }
        text.push_str(&own_text(error));
        next = error.source();
    }
    text
}

/// The text of one error. An error of the system loses its number, because its words say as much.
fn own_text(error: &(dyn StdError + 'static)) -> String {
    let mut text = error.to_string();
    if let Some(number) = error.downcast_ref().and_then(io::Error::raw_os_error)
        && let Some(words) = text.strip_suffix(&format!(" (os error {number})"))
    {
        text.truncate(words.len());
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cause_is_written_once() {
        assert_eq!(Error::at(Path::new("a"), "it is not").to_string(), "a: it is not");
        assert_eq!(chain(&io::Error::other("x (os error 5)")), "x (os error 5)");
    }
}
