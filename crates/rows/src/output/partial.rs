//! A file that appears under its name when it is complete, and not before.
//!
//! ```text
//! FILE.partial    ████████████░░░░     the records so far; locked while a run writes it
//!      │ complete and synced
//!      v
//! FILE            ████████████████     renamed, and the folder synced
//! ```
//!
//! So a name stands for a complete file after a kill, a full disk or a power failure. A device or a
//! pipe has no partial file and is written directly.

use super::disk::{self, OpenFile, busy, if_found};
use super::error::Error;
use crate::Grouped;
use crate::extent::{Extent, Hasher};
use std::ffi::OsString;
use std::fs;
use std::io::{self, ErrorKind};
use std::path::{self, Component, Path, PathBuf, Prefix};

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

/// The name of a file that is not complete yet: with `.partial` appended.
pub(super) fn partial_path(path: &Path) -> PathBuf {
    with_ending(path, ".partial")
}

/// The name of the log beside it.
pub(super) fn log_path(path: &Path) -> PathBuf {
    with_ending(path, ".partial.log")
}

/// The name under which a log is begun anew.
pub(super) fn new_log_path(path: &Path) -> PathBuf {
    with_ending(path, ".partial.log.new")
}

/// Whether this is a device or a pipe, or a folder.
pub(super) fn is_direct(path: &Path) -> bool {
    fs::metadata(path).map_or_else(|_| is_named_device(path), |about| !about.is_file())
}

/// Whether the system takes the name for that of a device, as Windows takes `nul` and `con`. It answers no questions
/// about them.
fn is_named_device(path: &Path) -> bool {
    let prefix = |path: PathBuf| match path.components().next() {
        Some(Component::Prefix(prefix)) => matches!(prefix.kind(), Prefix::DeviceNS(_)),
        _ => false,
    };
    path::absolute(path).is_ok_and(prefix)
}

/// Whether a log refers to the partial file of this name. After a power failure it may be empty.
pub(super) fn has_log(path: &Path) -> bool {
    fs::symlink_metadata(log_path(path)).is_ok_and(|about| !about.is_file() || about.len() > 0)
}

/// Whether a run is writing this partial file now. False on a system that cannot lock files.
pub(super) fn is_being_written(partial: &Path) -> bool {
    // Opening a pipe would block.
    let is_file = fs::metadata(partial).is_ok_and(|about| about.is_file());
    let locked = || disk::open(partial).and_then(|file| file.lock());
    is_file && locked().is_err_and(|error| error.kind() == ErrorKind::ResourceBusy)
}

/// The path at the end of a chain of links, even if nothing exists there.
pub(super) fn follow(path: &Path) -> io::Result<PathBuf> {
    /// As many as Linux follows.
    const MOST_LINKS: usize = 40;
    let mut path = path.to_owned();
    for _ in 0..MOST_LINKS {
        match fs::read_link(&path) {
            // A pipe of `/proc/self/fd` is reached by this name alone.
            Ok(_) if fs::metadata(&path).is_ok_and(|about| !about.is_file()) => return Ok(path),
            Ok(target) => path = path.parent().unwrap_or(Path::new("")).join(target),
            // It is no link, or it does not exist.
            Err(_) => return Ok(path),
        }
    }
    Err(io::Error::other("too many links"))
}

/// A file that is not complete yet.
pub(super) struct PartialFile {
    /// Under its name until it is complete.
    pub(super) file: OpenFile,
    /// The name that messages have.
    given: PathBuf,
    pub(super) path: PathBuf,
    /// Whether an existing file of this name is replaced.
    pub(super) replaces: bool,
    /// Whether it is kept if it is never completed.
    pub(super) stays: bool,
}

/// Opens a name for writing. A new partial file is removed when it is dropped, unless `stays` is set. A
/// device or a pipe has none.
pub(super) fn open(given: &Path, replaces: bool) -> io::Result<(OpenFile, Option<PartialFile>)> {
    let path = follow(given)?;
    if path.is_dir() {
        return Err(ErrorKind::IsADirectory.into());
    }
    if is_direct(&path) {
        return Ok((disk::open_to_write(&path)?, None));
    }
    let about = about(&path)?;
    if about.is_some() && !replaces {
        return Err(exists("exists already"));
    }
    let partial = partial_path(&path);
    check_regular(&partial)?;
    remove_left(&path, replaces)?;
    let file = match disk::create_new(&partial) {
        Err(error) if error.kind() == ErrorKind::AlreadyExists => return Err(busy()),
        Err(error) if error.kind() == ErrorKind::NotFound => {
            let folder = path.parent().unwrap_or(&path).display();
            let why = format!("the folder {folder} does not exist");
            return Err(io::Error::new(ErrorKind::NotFound, why));
        }
        file => file?,
    };
    file.lock()?;
    if let Some(about) = about {
        // The new file has the permissions of the old one, where the system has such.
        let _ = fs::set_permissions(&partial, about.permissions());
    }
    let (writer, given) = (file.clone(), given.to_owned());
    Ok((writer, Some(PartialFile { file, given, path, replaces, stays: false })))
}

/// Opening a pipe would block, and a folder cannot be replaced.
fn check_regular(partial: &Path) -> io::Result<()> {
    if about(partial)?.is_some_and(|about| !about.is_file()) {
        return Err(exists(&format!("{} is no regular file", partial.display())));
    }
    Ok(())
}

/// Removes the partial file that an earlier run left for this output. It is not emptied and reused, because it
/// might be a link to another file. The partial file of a run that has just begun is left alone, and unless it
/// is to be replaced, so is one that could be lost.
pub(super) fn remove_left(path: &Path, replaces: bool) -> io::Result<()> {
    let partial = partial_path(path);
    // It may have the permissions of a read-only file.
    match disk::open_to_write(&partial).or_else(|_| disk::open(&partial)) {
        Ok(file) => {
            file.lock()?;
            if replaces || file.length()? == 0 && !has_log(path) {
                disk::remove(&partial)
            } else {
                Err(exists("an earlier run left a partial file"))
            }
        }
        Err(error) if error.kind() != ErrorKind::NotFound => Err(error),
        // A link to nothing, or nothing.
        Err(_) if partial.is_symlink() => disk::remove(&partial),
        Err(_) => Ok(()),
    }
}

impl PartialFile {
    /// Locks the partial file that an earlier run left, and changes nothing.
    pub(super) fn of_earlier_run(given: &Path, replaces: bool) -> io::Result<Self> {
        let (given, path) = (given.to_owned(), follow(given)?);
        let partial = partial_path(&path);
        check_regular(&partial)?;
        let file = if_found(disk::open_to_continue(&partial))?.ok_or_else(|| {
            let partial = partial.display();
            let why = format!("{partial} of the interrupted run is missing; --force begins anew");
            io::Error::new(ErrorKind::NotFound, why)
        })?;
        file.lock()?;
        Ok(Self { file, given, path, replaces, stays: true })
    }

    /// Locks a file that an earlier run has completed; none if it has its name. Fails if it has another
    /// content.
    pub(super) fn completed(
        given: &Path,
        replaces: bool,
        content: Extent,
    ) -> io::Result<Option<Self>> {
        let path = follow(given)?;
        if partial_path(&path).exists() {
            let partial = Self::of_earlier_run(given, replaces)?;
            partial.check_kept(content)?;
            return disk::set_len(&partial.file, content.bytes).map(|()| Some(partial));
        }
        let file = if_found(disk::open(&path))?.ok_or_else(|| {
            let why = "was written by an earlier run and is missing; --force begins anew";
            io::Error::new(ErrorKind::NotFound, why)
        })?;
        file.lock()?;
        let bytes = file.length()?;
        let difference = if bytes != content.bytes {
            format!("has {} bytes, and had {}", Grouped(bytes), Grouped(content.bytes))
        } else if Hasher::of(file.first(bytes)?)?.extent() != content {
            format!("has {} bytes as before, but others", Grouped(bytes))
        } else {
            return Ok(None);
        };
        let why =
            format!("was changed after it was complete: it {difference}; --force begins anew");
        Err(io::Error::new(ErrorKind::InvalidData, why))
    }

    /// Reads the bytes that are kept of the file. Fails if they are not those that were written.
    pub(super) fn check_kept(&self, kept: Extent) -> io::Result<Hasher> {
        let refused = |why: String| {
            let why = format!("{} {why}; --force begins anew", self.file.path.display());
            io::Error::new(ErrorKind::InvalidData, why)
        };
        self.file.check(kept.bytes).map_err(|error| refused(error.to_string()))?;
        let hasher = Hasher::of(self.file.first(kept.bytes)?)?;
        if hasher.extent() == kept {
            return Ok(hasher);
        }
        let bytes = Grouped(kept.bytes);
        Err(refused(format!("has other first {bytes} bytes than the interrupted run wrote")))
    }

    /// Gives the complete and synced file its name.
    pub(super) fn publish(mut self) -> Result<(), Error> {
        let partial = &*self.file.path;
        self.file.check(0).map_err(|cause| Error::new(partial, cause))?;
        let named = self.rename();
        self.stays |= named.is_ok();
        named.map_err(|cause| Error::new(&self.given, cause))
    }

    fn rename(&self) -> io::Result<()> {
        let partial = &*self.file.path;
        if self.file.is_at(&self.path)? {
            // A crash between a hard link and the removal of the first name.
            disk::remove(partial)?;
        } else if self.replaces {
            disk::rename(partial, &self.path)?;
        } else {
            let renamed = disk::rename_new(partial, &self.path);
            renamed.map_err(|error| match error.kind() {
                ErrorKind::AlreadyExists => exists("was created by another program meanwhile"),
                _ => error,
            })?;
        }
        disk::sync_folder_of(&self.path)
    }
}

impl Drop for PartialFile {
    fn drop(&mut self) {
        let partial = &*self.file.path;
        if !self.stays && self.file.is_at(partial).unwrap_or(false) {
            // If this fails, the run has failed before.
            let _ = disk::remove(partial);
        }
    }
}

pub(super) fn about(path: &Path) -> io::Result<Option<fs::Metadata>> {
    if_found(fs::metadata(path))
}

fn exists(why: &str) -> io::Error {
    io::Error::new(ErrorKind::AlreadyExists, why)
}

fn with_ending(path: &Path, ending: &str) -> PathBuf {
    let mut name = OsString::from(path);
    name.push(ending);
    name.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A name in a folder of its own, and that of its partial file.
    fn names() -> (tempfile::TempDir, PathBuf, PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out.txt");
        let partial = partial_path(&path);
        (folder, path, partial)
    }

    fn opened(path: &Path, replaces: bool) -> PartialFile {
        open(path, replaces).unwrap().1.expect("it is a regular file")
    }

    #[cfg(unix)]
    fn assert_busy<T>(result: io::Result<T>) {
        let error = result.err().map(|error| error.to_string());
        assert_eq!(error.as_deref(), Some("another run is writing it"));
    }

    #[test]
    fn windows_has_devices_without_a_folder() {
        for (name, is_device) in [("nul", true), ("CON", true), ("null", false), ("a", false)] {
            assert_eq!(is_named_device(Path::new(name)), cfg!(windows) && is_device, "{name}");
        }
    }

    /// The first run completes between the second run's open and its lock.
    #[cfg(unix)]
    #[test]
    fn a_file_that_was_renamed_after_the_open_is_not_locked() {
        let (_folder, path, partial) = names();
        let first = opened(&path, false);
        fs::write(&partial, "first").unwrap();
        let second = disk::open_to_write(&partial).unwrap();
        first.publish().unwrap();
        assert_busy(second.lock());
        assert_eq!(fs::read(&path).unwrap(), b"first");
    }

    #[cfg(unix)]
    #[test]
    fn one_of_two_runs_that_replace_a_file_is_refused() {
        let (_folder, path, partial) = names();
        let slow = disk::create_new(&partial).unwrap();
        let quick = opened(&path, true);
        fs::write(&partial, "quick").unwrap();
        assert_busy(slow.lock());
        assert_busy(remove_left(&path, true));
        assert_busy(PartialFile::of_earlier_run(&path, true));
        quick.publish().unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"quick");
    }

    /// The partial file was removed, and another run has begun.
    #[cfg(unix)]
    #[test]
    fn a_run_neither_renames_nor_removes_the_file_of_another() {
        let (_folder, path, partial) = names();
        let [first, second] = [(); 2].map(|()| {
            let opened = opened(&path, true);
            fs::remove_file(&partial).unwrap();
            opened
        });
        let third = opened(&path, true);
        fs::write(&partial, "third").unwrap();
        let error = first.publish().unwrap_err();
        assert_eq!(error.name, partial.to_str().unwrap().into());
        assert_eq!(error.cause.to_string(), "has been removed, or replaced by another run");
        drop(second);
        third.publish().unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"third");
    }

    #[cfg(unix)]
    #[test]
    fn a_link_to_nothing_is_replaced() {
        let (_folder, path, partial) = names();
        std::os::unix::fs::symlink("nothing", &partial).unwrap();
        opened(&path, true).publish().unwrap();
        assert!(path.is_file() && !partial.is_symlink());
    }

    #[test]
    fn an_empty_partial_file_is_taken_over_and_any_other_is_refused() {
        let (_folder, path, partial) = names();
        fs::write(&partial, "").unwrap();
        drop(opened(&path, false));
        for (content, log) in [("hours of work", false), ("", true)] {
            fs::write(&partial, content).unwrap();
            if log {
                fs::write(log_path(&path), "log").unwrap();
            }
            let error = open(&path, false).err().unwrap().to_string();
            assert_eq!(error, "an earlier run left a partial file");
            assert_eq!(fs::read_to_string(&partial).unwrap(), content);
        }
    }

    /// As on a file system without an atomic rename that keeps existing files.
    #[cfg(unix)]
    #[test]
    fn a_second_name_of_the_same_file_is_no_other_file() {
        let (_folder, path, partial) = names();
        let file = opened(&path, false);
        fs::hard_link(&partial, &path).unwrap();
        file.publish().unwrap();
        assert!(path.exists() && !partial.exists());
    }
}
