//! Every operation on the disk for an output. A test can crash before each one that changes something.
//!
//! [`step`] is called before such an operation. In a test it counts, and from the chosen step on every
//! operation fails: as after a crash, nothing changes any more, whatever destructors try. In other
//! builds it is empty.
//!
//! Files are opened here alone, so that a test sees every handle: see [`OpenFile`].

use crate::Grouped;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, ErrorKind, Read, Seek, SeekFrom, Take, Write};
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

/// A file of an output, open. Clones share one handle.
///
/// On Windows, a lock excludes every other handle of the file from reading and writing, also in the process that
/// holds the lock. So the handle that locks a file is the one that reads and writes it. In tests, another handle
/// fails on every system.
#[derive(Clone)]
pub(super) struct OpenFile {
    file: Arc<File>,
    /// The name under which it was opened.
    pub(super) path: Arc<Path>,
}

/// Opens a file to read it.
pub(super) fn open(path: &Path) -> io::Result<OpenFile> {
    open_with(path, File::options().read(true))
}

/// Opens a file or a device to write to it.
pub(super) fn open_to_write(path: &Path) -> io::Result<OpenFile> {
    open_with(path, File::options().write(true))
}

/// Opens a file to read it and to write to it.
pub(super) fn open_to_continue(path: &Path) -> io::Result<OpenFile> {
    open_with(path, File::options().read(true).write(true))
}

fn open_with(path: &Path, options: &OpenOptions) -> io::Result<OpenFile> {
    Ok(OpenFile { file: options.open(path)?.into(), path: path.into() })
}

/// Creates a file. Fails if the name exists.
pub(super) fn create_new(path: &Path) -> io::Result<OpenFile> {
    step()?;
    open_with(path, File::options().write(true).create_new(true))
}

/// The content of a file.
pub(super) fn read(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    open(path)?.read_to_end(&mut bytes).map(|_| bytes)
}

impl OpenFile {
    pub(super) fn length(&self) -> io::Result<u64> {
        self.file.metadata().map(|about| about.len())
    }

    /// Its first bytes, read through this handle.
    pub(super) fn first(&self, bytes: u64) -> io::Result<Take<Self>> {
        (&*self.file).rewind()?;
        Ok(self.clone().take(bytes))
    }

    /// Fails if another run is writing the file, or has renamed or replaced it since it was opened. No
    /// error on a system that cannot lock files.
    pub(super) fn lock(&self) -> io::Result<()> {
        let is_locked = matches!(self.file.try_lock(), Err(TryLockError::WouldBlock));
        if is_locked || !self.is_at(&self.path)? {
            return Err(busy());
        }
        #[cfg(test)]
        crash::locked(&self.file);
        Ok(())
    }

    /// Whether this file has this name now.
    #[cfg(unix)]
    pub(super) fn is_at(&self, path: &Path) -> io::Result<bool> {
        use std::os::unix::fs::MetadataExt;
        let number = |about: fs::Metadata| (about.dev(), about.ino());
        Ok(if_found(fs::metadata(path))?.map(number) == Some(number(self.file.metadata()?)))
    }

    /// Whether this file has this name now.
    #[cfg(not(unix))]
    pub(super) fn is_at(&self, path: &Path) -> io::Result<bool> {
        let there = if_found(same_file::Handle::from_path(path))?;
        Ok(there == Some(same_file::Handle::from_file(self.file.try_clone()?)?))
    }

    /// Fails if another program has removed, replaced or shortened the file. `bytes` were written.
    pub(super) fn check(&self, bytes: u64) -> io::Result<()> {
        // Its text becomes a part of others, which the number of the system's error would not leave.
        let unseen = |error: io::Error| io::Error::new(error.kind(), error.kind().to_string());
        let found = self.length().map_err(unseen)?;
        let why = if !self.is_at(&self.path).map_err(unseen)? {
            "has been removed, or replaced by another run".to_owned()
        } else if found < bytes {
            format!("has {} bytes, and had at least {}", Grouped(found), Grouped(bytes))
        } else {
            return Ok(());
        };
        Err(io::Error::new(ErrorKind::InvalidData, why))
    }

    /// The file. In a test, an error if another handle has locked it.
    #[cfg_attr(not(test), expect(clippy::unnecessary_wraps, reason = "a test lets it fail"))]
    fn file(&self) -> io::Result<&File> {
        #[cfg(test)]
        crash::check_handle(&self.file)?;
        Ok(&self.file)
    }
}

impl Read for OpenFile {
    fn read(&mut self, memory: &mut [u8]) -> io::Result<usize> {
        self.file()?.read(memory)
    }
}

/// What is found, or nothing if the file does not exist.
pub(super) fn if_found<T>(found: io::Result<T>) -> io::Result<Option<T>> {
    match found {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        found => found.map(Some),
    }
}

pub(super) fn busy() -> io::Error {
    io::Error::new(ErrorKind::ResourceBusy, "another run is writing it")
}

/// Cuts a file, or extends it, unless it has this length.
pub(super) fn set_len(file: &OpenFile, bytes: u64) -> io::Result<()> {
    if file.length()? == bytes {
        return Ok(());
    }
    step()?;
    file.file()?.set_len(bytes)
}

/// Waits until the content of a file is on the disk.
pub(super) fn sync(file: &OpenFile) -> io::Result<()> {
    step()?;
    #[cfg(test)]
    crash::synced(&file.file, file.length()?);
    // Thousands of runs are too many for a disk, and no test pulls the plug.
    if cfg!(test) { Ok(()) } else { file.file.sync_data() }
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

/// Renames a file and replaces an existing one. On Windows a file that another program has open may refuse it: a
/// scanner for viruses reads every new file for a moment.
pub(super) fn rename(from: &Path, to: &Path) -> io::Result<()> {
    const ACCESS_DENIED: i32 = 5;
    const SHARING_VIOLATION: i32 = 32;
    step()?;
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
    rename(from, to)
}

/// Removes a file if it exists.
pub(super) fn remove(path: &Path) -> io::Result<()> {
    step()?;
    if_found(fs::remove_file(path)).map(drop)
}

/// A file that is written to, in order.
pub(super) struct Written {
    pub(super) file: OpenFile,
    /// Where the next bytes go. A device or a pipe has no end.
    end: Option<u64>,
    /// Bytes since the last hint.
    pub(super) bytes: usize,
    /// Blocks after the end of the file may be set aside.
    is_longer: bool,
}

impl Written {
    pub(super) const fn new(file: OpenFile, end: Option<u64>) -> Self {
        Self { file, end, bytes: 0, is_longer: false }
    }

    /// Goes to the end of the file. Fails if another program has moved it: after a file that was shortened,
    /// the next bytes would leave zeros.
    fn seek_end(&self) -> io::Result<()> {
        let Some(end) = self.end else { return Ok(()) };
        let found = (&*self.file.file).seek(SeekFrom::End(0))?;
        if found == end {
            return Ok(());
        }
        let (found, end) = (Grouped(found), Grouped(end));
        let why = format!("another program has changed the file: {end} bytes are now {found}");
        Err(io::Error::new(ErrorKind::InvalidData, why))
    }
}

/// Gives back what is set aside after the end of the file.
impl Drop for Written {
    fn drop(&mut self) {
        if self.is_longer
            && let Ok(bytes) = self.file.length()
        {
            // Its length is the same before and after: there is nothing to fail.
            let _ = self.file.file.set_len(bytes);
        }
    }
}

impl Write for Written {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        step()?;
        self.seek_end()?;
        let mut file = self.file.file()?;
        #[cfg(test)]
        crash::write_half(file, bytes)?;
        let written = file.write(bytes)?;
        self.end = self.end.map(|end| end + written as u64);
        self.bytes += written;
        if self.bytes >= HINT_BYTES as usize {
            (self.bytes, self.is_longer) = (0, true);
            hint(&self.file.file);
        }
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.seek_end()
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
