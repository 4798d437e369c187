//! Every operation that changes the disk for an output. A test can crash before each of them.
//!
//! [`step`] is called before an operation. In a test it counts, and from the chosen step on every
//! operation fails: as after a crash, nothing changes any more, whatever destructors try. In other
//! builds it is empty.

use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::path::Path;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

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
    folder.sync_all().or_else(|error| match error.kind() {
        ErrorKind::InvalidInput | ErrorKind::Unsupported | ErrorKind::PermissionDenied => Ok(()),
        _ => Err(error),
    })
}

/// Renames a file and replaces an existing one.
pub(super) fn rename(from: &Path, to: &Path) -> io::Result<()> {
    step()?;
    rename_patiently(from, to)
}

/// Renames a file. On Windows a file that another program has open may refuse it: a scanner for viruses reads every
/// new file for a moment.
fn rename_patiently(from: &Path, to: &Path) -> io::Result<()> {
    const ACCESS_DENIED: i32 = 5;
    const SHARING_VIOLATION: i32 = 32;
    let started = Instant::now();
    loop {
        let renamed = fs::rename(from, to);
        let number = renamed.as_ref().err().and_then(io::Error::raw_os_error);
        let is_open = cfg!(windows) && matches!(number, Some(ACCESS_DENIED | SHARING_VIOLATION));
        if !is_open || started.elapsed() > Duration::from_secs(1) {
            return renamed;
        }
        thread::sleep(Duration::from_millis(5));
    }
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
    rename_patiently(from, to)
}

/// Removes a file if it exists.
pub(super) fn remove(path: &Path) -> io::Result<()> {
    step()?;
    match fs::remove_file(path) {
        Err(error) if error.kind() != ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

/// A file that is written to, in order.
pub(super) struct Written {
    pub(super) file: Arc<File>,
    /// Bytes since the last hint.
    pub(super) bytes: usize,
    /// Blocks after the end of the file may be set aside.
    is_longer: bool,
}

impl From<Arc<File>> for Written {
    fn from(file: Arc<File>) -> Self {
        Self { file, bytes: 0, is_longer: false }
    }
}

/// Gives back what is set aside after the end of the file.
impl Drop for Written {
    fn drop(&mut self) {
        if self.is_longer
            && let Ok(about) = self.file.metadata()
        {
            // Its length is the same before and after: there is nothing to fail.
            let _ = self.file.set_len(about.len());
        }
    }
}

impl Write for Written {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        step()?;
        #[cfg(test)]
        crash::write_half(&self.file, bytes)?;
        let written = self.file.write(bytes)?;
        self.bytes += written;
        if self.bytes >= HINT_BYTES as usize {
            (self.bytes, self.is_longer) = (0, true);
            hint(&self.file);
        }
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

/// Bytes between two hints, and the bytes that are set aside with each.
pub(super) const HINT_BYTES: u32 = 4 << 20;

/// Asks the system to begin to write a file to the disk while it is being made, and sets its next blocks
/// aside. Errors are those of what follows: not every file system sets blocks aside.
///
/// An output is synced before it gets its name. Without the first, Linux begins to write most of it only then:
/// a run of a million easy puzzles waited 50 of its 108 ms for the disk, and takes 77 ms with it. Without the
/// second, it looks for a place for each block of 4 KB: 75 ms instead of 71 in a later measurement.
#[cfg(target_os = "linux")]
#[expect(unsafe_code, reason = "system calls that std does not have")]
fn hint(file: &File) {
    use std::os::fd::AsRawFd;
    let length = file.metadata().map_or(0, |about| about.len().cast_signed());
    let (file, keeps_length) = (file.as_raw_fd(), libc::FALLOC_FL_KEEP_SIZE);
    // SAFETY: the file is open during the calls, which touch no memory.
    unsafe {
        libc::sync_file_range(file, 0, 0, libc::SYNC_FILE_RANGE_WRITE);
        libc::fallocate64(file, keeps_length, length, HINT_BYTES.into());
    }
}

#[cfg(not(target_os = "linux"))]
fn hint(_: &File) {}
