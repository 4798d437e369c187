//! Where an output goes.

use std::path::{Path, PathBuf};

/// Where an output goes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// Standard output.
    Stdout,
    /// A file, a device or a pipe.
    File(PathBuf),
}

impl Target {
    /// The path, if it is not standard output.
    #[must_use]
    pub fn path(&self) -> Option<&Path> {
        match self {
            Self::Stdout => None,
            Self::File(path) => Some(path),
        }
    }
}
