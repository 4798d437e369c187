//! Where an output goes, and what is done with a file that exists there.

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

/// What is done with existing files.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mode {
    /// They are an error, and so are partial files of earlier runs, unless they are empty.
    #[default]
    New,
    /// They are replaced when the new files are complete: the option `--force`.
    Replace,
    /// An interrupted run is continued: the option `--resume`. Without one it is [`Mode::New`].
    Resume,
}
