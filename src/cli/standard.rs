//! Standard input and output by their name on the command line.

use std::fs::File;
use std::io;
use std::path::Path;

/// Whether a name means standard input or output.
pub(crate) fn is_standard(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// Standard input as a file, which may be one that can be mapped.
#[cfg(unix)]
pub(super) fn stdin_file() -> io::Result<File> {
    use std::os::fd::AsFd;
    Ok(io::stdin().as_fd().try_clone_to_owned()?.into())
}

/// Standard input as a file, if it is one. A console is read as a stream, which knows its characters.
#[cfg(windows)]
pub(super) fn stdin_file() -> io::Result<File> {
    use std::os::windows::io::AsHandle;
    let file = File::from(io::stdin().as_handle().try_clone_to_owned()?);
    if file.metadata()?.is_file() { Ok(file) } else { Err(io::ErrorKind::Unsupported.into()) }
}

/// Standard input is used as a stream.
#[cfg(not(any(unix, windows)))]
pub(super) fn stdin_file() -> io::Result<File> {
    Err(io::ErrorKind::Unsupported.into())
}
