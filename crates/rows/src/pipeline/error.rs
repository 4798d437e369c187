//! Why a pipeline ended before its input did.

use std::fmt;
use std::io;

/// Why a pipeline ended before its input did.
#[derive(Debug)]
pub enum Error<E> {
    /// The threads could not be started.
    Threads(io::Error),
    /// The run was cancelled. All chunks that had been cut are taken, or those before the first that
    /// was given up.
    Cancelled,
    /// The source, a worker or the ordered stage failed. All chunks before are taken.
    Failed(E),
}

impl<E> fmt::Display for Error<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Threads(_) => "cannot start the threads",
            Self::Cancelled => "cancelled",
            Self::Failed(_) => "failed",
        })
    }
}

impl<E: std::error::Error + 'static> std::error::Error for Error<E> {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Threads(cause) => Some(cause),
            Self::Failed(cause) => Some(cause),
            Self::Cancelled => None,
        }
    }
}
