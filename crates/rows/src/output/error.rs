//! The error of an output.

use std::fmt;
use std::io;
use std::path::Path;
use std::sync::Arc;

/// What messages call standard output.
pub const STDOUT: &str = "<stdout>";

/// An output that cannot be opened, written or committed.
#[derive(Debug)]
pub struct Error {
    /// The output.
    pub name: Arc<str>,
    /// The reason.
    pub cause: io::Error,
    /// What a failed commit leaves, and how a later run completes it.
    pub hint: Option<String>,
}

impl Error {
    pub(super) fn new(path: &Path, cause: io::Error) -> Self {
        Self::of(path.display().to_string(), cause)
    }

    pub(super) fn of(name: impl Into<Arc<str>>, cause: io::Error) -> Self {
        Self { name: name.into(), cause, hint: None }
    }

    /// The request is wrong, and this says why.
    pub(super) fn refused(path: &Path, why: impl Into<String>) -> Self {
        Self::new(path, io::Error::new(io::ErrorKind::InvalidInput, why.into()))
    }

    /// Whether the reader of this output has closed it. For standard output that is no failure:
    /// `ninefold … | head` needs no more records.
    pub fn is_broken_pipe(&self) -> bool {
        self.cause.kind() == io::ErrorKind::BrokenPipe
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.cause)
    }
}
