//! Every operation that changes the disk for an output. A test can crash before each of them.
//!
//! [`step`] is called before an operation. In a test it counts, and from the chosen step on every
//! operation fails: as after a crash, nothing changes any more, whatever destructors try. In other
//! builds it is empty.

use super::writeback::Writeback;
use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::path::Path;

#[cfg(not(test))]
#[expect(clippy::unnecessary_wraps, reason = "a test lets it fail")]
#[inline]
fn step() -> io::Result<()> {
    Ok(())
}

#[cfg(test)]
use super::disk_tests::{self as crash, step};

/// Creates a file. Fails if the name exists.
pub(super) fn create_new(path: &Path) -> io::Result<File> {
    step()?;
    OpenOptions::new().write(true).create_new(true).open(path)
}

/// Cuts a file, or extends it.
pub(super) fn set_len(file: &File, bytes: u64) -> io::Result<()> {
    step()?;
    file.set_len(bytes)
}

/// Waits until the content of a file is on the disk.
pub(super) fn sync(file: &File) -> io::Result<()> {
    step()?;
    #[cfg(test)]
    crash::synced(file);
    // Thousands of runs are too many for a disk, and no test pulls the plug.
    if cfg!(test) { Ok(()) } else { file.sync_data() }
}

/// Waits until the names of the folder that holds this file are on the disk. Not every system can
/// open a folder or sync it.
pub(super) fn sync_folder_of(path: &Path) -> io::Result<()> {
    step()?;
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    if cfg!(test) {
        return Ok(());
    }
    let Ok(folder) = File::open(folder.unwrap_or(Path::new("."))) else { return Ok(()) };
    match folder.sync_all() {
        Err(error) if !is_unsupported(&error) => Err(error),
        _ => Ok(()),
    }
}

fn is_unsupported(error: &io::Error) -> bool {
    use ErrorKind::{InvalidInput, PermissionDenied, Unsupported};
    matches!(error.kind(), InvalidInput | Unsupported | PermissionDenied)
}

/// Renames a file and replaces an existing one.
pub(super) fn rename(from: &Path, to: &Path) -> io::Result<()> {
    step()?;
    fs::rename(from, to)
}

/// Renames a file. Fails if the new name exists, even if it appears at this moment.
pub(super) fn rename_new(from: &Path, to: &Path) -> io::Result<()> {
    step()?;
    let renamed = tempfile::TempPath::try_from_path(from)?.persist_noclobber(to);
    let Err(failed) = renamed else { return Ok(()) };
    // The file stays: it is no temporary file.
    failed.path.keep().map_err(|error| error.error)?;
    if failed.error.kind() == ErrorKind::AlreadyExists || fs::symlink_metadata(to).is_ok() {
        return Err(ErrorKind::AlreadyExists.into());
    }
    // The file system has neither such a rename nor hard links.
    fs::rename(from, to)
}

/// Removes a file if it exists.
pub(super) fn remove(path: &Path) -> io::Result<()> {
    step()?;
    match fs::remove_file(path) {
        Err(error) if error.kind() != ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

/// A file that is written to.
pub(super) struct Written {
    pub(super) file: File,
    writeback: Writeback,
}

impl From<File> for Written {
    fn from(file: File) -> Self {
        Self { file, writeback: Writeback::default() }
    }
}

impl Drop for Written {
    fn drop(&mut self) {
        self.writeback.end(&self.file);
    }
}

impl Write for Written {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        step()?;
        #[cfg(test)]
        crash::write_half(&mut self.file, bytes)?;
        let written = self.file.write(bytes)?;
        self.writeback.wrote(written, &self.file);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}
