//! Tells whether two names mean the same file, through links too.

use std::fs::{self, File, Metadata};
use std::io;
use std::path::{Path, PathBuf};

/// What stays the same whatever name a file goes by.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Identity {
    /// A file that exists: its device and its number there.
    #[cfg(unix)]
    Existing(u64, u64),
    /// A file that will be made, or one on a system without such numbers: its full path.
    Path(PathBuf),
}

impl Identity {
    /// The file of this name, if it is a regular one or does not exist: nothing is lost by
    /// reading and writing one terminal, or `/dev/null`.
    pub(super) fn of_path(path: &Path) -> Option<Self> {
        if let Ok(about) = fs::metadata(path) {
            return Self::of_metadata(&about, Some(path));
        }
        let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty());
        let parent = parent.unwrap_or(Path::new(".")).canonicalize().ok()?;
        Some(Self::Path(parent.join(path.file_name()?)))
    }

    #[cfg(unix)]
    fn of_metadata(about: &Metadata, _: Option<&Path>) -> Option<Self> {
        use std::os::unix::fs::MetadataExt;
        about.is_file().then(|| Self::Existing(about.dev(), about.ino()))
    }

    #[cfg(not(unix))]
    fn of_metadata(about: &Metadata, path: Option<&Path>) -> Option<Self> {
        let path = path.filter(|_| about.is_file())?;
        path.canonicalize().ok().map(Self::Path)
    }

    /// An open file, if it is a regular one.
    pub(super) fn of_file(file: &File) -> Option<Self> {
        Self::of_metadata(&file.metadata().ok()?, None)
    }
}

/// Standard input as a file, which says more than a stream: it may be one that can be mapped.
#[cfg(unix)]
pub(super) fn stdin_file() -> io::Result<File> {
    use std::os::fd::AsFd;
    Ok(io::stdin().as_fd().try_clone_to_owned()?.into())
}

/// Standard output as a file.
#[cfg(unix)]
pub(super) fn stdout_file() -> io::Result<File> {
    use std::os::fd::AsFd;
    Ok(io::stdout().as_fd().try_clone_to_owned()?.into())
}

/// Not on this system: it is used as a stream.
#[cfg(not(unix))]
pub(super) fn stdin_file() -> io::Result<File> {
    Err(io::ErrorKind::Unsupported.into())
}

/// Not on this system: it is used as a stream.
#[cfg(not(unix))]
pub(super) fn stdout_file() -> io::Result<File> {
    Err(io::ErrorKind::Unsupported.into())
}
