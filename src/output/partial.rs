//! A file that appears under its name when it is whole, and not before.
//!
//! ```text
//! FILE.partial    ████████████░░░░     records so far; locked while a run writes it
//!      │ all written, synced
//!      v
//! FILE            ████████████████     renamed, and the folder synced
//! ```
//!
//! So a name means a whole file whatever happens: a kill, a full disk, or no power. What is no
//! regular file (a device, a pipe) has no such state, and is written as it stands.

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, ErrorKind, Seek, SeekFrom};
use std::path::{Path, PathBuf};

/// What may be there before, and what is done with it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Opening {
    /// Nothing: neither the file nor a partial one.
    #[default]
    New,
    /// Anything: it is replaced, the file when the new one is whole.
    Replace,
    /// A partial file: so many of its bytes are kept, and more is written behind them. There need
    /// not be one if they are none.
    Keep(u64),
}

/// What there is under a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// Nothing.
    Free,
    /// A regular file.
    Whole,
    /// What a run left that did not come to its end.
    Partial,
    /// Something else, a device or a pipe: it is written as it stands.
    Direct,
}

/// The name of a file as long as it is not whole.
#[must_use]
pub fn partial_path(path: &Path) -> PathBuf {
    with_ending(path, ".partial")
}

/// The name of the file that says how far a partial one has come.
#[must_use]
pub fn state_path(path: &Path) -> PathBuf {
    with_ending(path, ".partial.state")
}

/// The name under which a file is written that takes the place of another at once.
#[must_use]
pub fn new_path(path: &Path) -> PathBuf {
    with_ending(path, ".new")
}

/// What there is under this name, through links.
///
/// # Errors
/// What the system says, but not that there is nothing.
pub fn standing(path: &Path) -> io::Result<Standing> {
    let path = follow(path)?;
    match about(&path)? {
        Some(about) if about.is_file() => return Ok(Standing::Whole),
        Some(_) => return Ok(Standing::Direct),
        None => {}
    }
    let partial = fs::symlink_metadata(partial_path(&path)).is_ok();
    Ok(if partial { Standing::Partial } else { Standing::Free })
}

/// Whether a run is writing this partial file now. A system that cannot lock files says that none
/// is.
#[must_use]
pub fn is_being_written(partial: &Path) -> bool {
    // What is no regular file might be waited for.
    let is_file = fs::metadata(partial).is_ok_and(|about| about.is_file());
    let is_busy = |error: io::Error| error.kind() == ErrorKind::ResourceBusy;
    is_file && File::open(partial).and_then(|file| lock(&file, partial)).is_err_and(is_busy)
}

/// Where a name leads, if it is that of a link; also if there is nothing at its end.
///
/// # Errors
/// What the system says of a link; or that there are too many of them.
pub fn follow(path: &Path) -> io::Result<PathBuf> {
    /// As many as Linux follows.
    const MOST_LINKS: usize = 40;
    let mut path = path.to_owned();
    for _ in 0..MOST_LINKS {
        match fs::read_link(&path) {
            // What the system has open is reached by its name alone: no path leads to a pipe.
            Ok(_) if fs::metadata(&path).is_ok_and(|about| !about.is_file()) => return Ok(path),
            Ok(target) => path = path.parent().unwrap_or(Path::new("")).join(target),
            // It is no link, or it is not there.
            Err(_) => return Ok(path),
        }
    }
    Err(io::Error::other("too many links"))
}

/// A file on its way to be whole.
pub(super) struct Partial {
    file: File,
    path: PathBuf,
    opening: Opening,
    /// Whether it stays if it never becomes whole.
    stays: bool,
}

/// What a name was opened as.
pub(super) enum Opened {
    /// What is no regular file.
    Direct(File),
    /// A file that appears when it is whole.
    Partial(Partial),
}

/// Opens a name for writing.
pub(super) fn open(path: &Path, opening: Opening) -> io::Result<Opened> {
    let path = follow(path)?;
    let about = about(&path)?;
    match &about {
        Some(about) if !about.is_file() => {
            return Ok(Opened::Direct(OpenOptions::new().write(true).open(path)?));
        }
        Some(_) if opening != Opening::Replace => return Err(exists("exists already")),
        _ => {}
    }
    let file = open_partial(&partial_path(&path), opening)?;
    if let Some(about) = about {
        // Whoever could not read it before cannot read it now. Not every system has such rights.
        let _ = file.set_permissions(about.permissions());
    }
    Ok(Opened::Partial(Partial { file, path, opening, stays: true }))
}

fn open_partial(path: &Path, opening: Opening) -> io::Result<File> {
    // A pipe would be waited for, and a folder cannot be replaced.
    if about(path)?.is_some_and(|about| !about.is_file()) {
        return Err(exists(&format!("{} is no regular file", path.display())));
    }
    if opening == Opening::Replace {
        remove_left(path)?;
    }
    take(open_unlocked(path, opening)?, path, opening)
}

/// Removes what an earlier run left: made anew rather than emptied, for it might be a link to
/// another. What another run makes meanwhile stays.
fn remove_left(path: &Path) -> io::Result<()> {
    // It may have the rights of a file that nobody may write.
    match OpenOptions::new().write(true).open(path).or_else(|_| File::open(path)) {
        Ok(file) => {
            lock(&file, path)?;
            fs::remove_file(path)
        }
        Err(error) if error.kind() != ErrorKind::NotFound => Err(error),
        // A link to nothing, or nothing.
        Err(_) if path.is_symlink() => fs::remove_file(path),
        Err(_) => Ok(()),
    }
}

/// Another run may take the file as long as it is not locked.
fn open_unlocked(path: &Path, opening: Opening) -> io::Result<File> {
    if let Opening::Keep(bytes) = opening {
        return OpenOptions::new().write(true).create(bytes == 0).truncate(false).open(path);
    }
    let file = OpenOptions::new().write(true).create_new(true).open(path);
    file.map_err(|error| match (error.kind(), opening) {
        (ErrorKind::AlreadyExists, Opening::Replace) => busy(),
        (ErrorKind::AlreadyExists, _) => exists("an earlier run left a partial file"),
        _ => error,
    })
}

/// Locks the file, and only then changes it.
fn take(mut file: File, path: &Path, opening: Opening) -> io::Result<File> {
    lock(&file, path)?;
    if let Opening::Keep(bytes) = opening {
        let found = file.metadata()?.len();
        if found < bytes {
            let why = format!("its partial file has {found} bytes, and had at least {bytes}");
            return Err(io::Error::new(ErrorKind::InvalidData, why));
        }
        file.set_len(bytes)?;
        file.seek(SeekFrom::End(0))?;
    }
    Ok(file)
}

/// Refuses what another run is writing, or has renamed or replaced since the file was opened. A
/// system that cannot lock files says nothing.
fn lock(file: &File, path: &Path) -> io::Result<()> {
    let is_locked = matches!(file.try_lock(), Err(TryLockError::WouldBlock));
    if is_locked || !is_at(file, path)? { Err(busy()) } else { Ok(()) }
}

fn busy() -> io::Error {
    io::Error::new(ErrorKind::ResourceBusy, "another run is writing it")
}

/// Whether this is the file that has this name now.
#[cfg(unix)]
fn is_at(file: &File, path: &Path) -> io::Result<bool> {
    use std::os::unix::fs::MetadataExt;
    let number = |about: fs::Metadata| (about.dev(), about.ino());
    Ok(about(path)?.map(number) == Some(number(file.metadata()?)))
}

/// Whether a file has this name: here nobody can say which.
#[cfg(not(unix))]
fn is_at(_: &File, path: &Path) -> io::Result<bool> {
    Ok(about(path)?.is_some())
}

impl Partial {
    /// Where it is.
    pub(super) fn path(&self) -> PathBuf {
        partial_path(&self.path)
    }

    /// A second handle to the file.
    pub(super) fn file(&self) -> io::Result<File> {
        self.file.try_clone()
    }

    /// Leaves nothing if it never becomes whole.
    pub(super) const fn or_nothing(&mut self) {
        self.stays = false;
    }

    /// All of it has been written: gives it its name.
    pub(super) fn finish(mut self) -> io::Result<()> {
        self.file.sync_all()?;
        if self.opening != Opening::Replace && about(&self.path)?.is_some() {
            return Err(exists("has been made meanwhile by somebody else"));
        }
        let partial = partial_path(&self.path);
        if !is_at(&self.file, &partial)? {
            let why = format!("{} has been removed, or replaced by another run", partial.display());
            return Err(io::Error::new(ErrorKind::NotFound, why));
        }
        fs::rename(partial, &self.path)?;
        self.stays = true;
        sync_folder(&self.path)
    }
}

impl Drop for Partial {
    fn drop(&mut self) {
        let partial = partial_path(&self.path);
        if !self.stays && is_at(&self.file, &partial).unwrap_or(false) {
            // Whatever fails here, the run has failed before.
            let _ = fs::remove_file(partial);
        }
    }
}

/// Has the names of a folder written to the disk. Not every system can open a folder or sync it.
pub(super) fn sync_folder(path: &Path) -> io::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let Ok(folder) = File::open(folder.unwrap_or(Path::new("."))) else { return Ok(()) };
    match folder.sync_all() {
        Err(error) if !is_unsupported(&error) => Err(error),
        _ => Ok(()),
    }
}

fn is_unsupported(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        ErrorKind::InvalidInput | ErrorKind::Unsupported | ErrorKind::PermissionDenied
    )
}

fn about(path: &Path) -> io::Result<Option<fs::Metadata>> {
    match fs::metadata(path) {
        Ok(about) => Ok(Some(about)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
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

    fn opened(path: &Path, opening: Opening) -> Partial {
        match open(path, opening) {
            Ok(Opened::Partial(partial)) => partial,
            Ok(Opened::Direct(_)) => panic!("it is a regular file"),
            Err(error) => panic!("{error}"),
        }
    }

    fn assert_busy<T>(result: io::Result<T>) {
        let error = result.err().map(|error| error.to_string());
        assert_eq!(error.as_deref(), Some("another run is writing it"));
    }

    /// The first comes to its end between the second's opening and its lock.
    #[cfg(unix)]
    #[test]
    fn what_has_its_name_by_now_is_not_changed_by_who_opened_it_before() {
        let (_folder, path, partial) = names();
        let first = opened(&path, Opening::New);
        fs::write(&partial, "first").unwrap();
        let second = open_unlocked(&partial, Opening::Keep(2)).unwrap();
        first.finish().unwrap();
        assert_busy(take(second, &partial, Opening::Keep(2)));
        assert_eq!(fs::read(&path).unwrap(), b"first");
    }

    #[cfg(unix)]
    #[test]
    fn of_two_that_replace_a_file_one_is_refused_whoever_locks_it_first() {
        for opening in [Opening::New, Opening::Replace, Opening::Keep(0)] {
            let (_folder, path, partial) = names();
            let slow = open_unlocked(&partial, opening).unwrap();
            let quick = opened(&path, Opening::Replace);
            fs::write(&partial, "quick").unwrap();
            assert_busy(take(slow, &partial, opening));
            // Nothing was there when it looked.
            assert_busy(open_unlocked(&partial, Opening::Replace));
            assert_busy(remove_left(&partial));
            quick.finish().unwrap();
            assert_eq!(fs::read(&path).unwrap(), b"quick");
        }
    }

    /// Somebody has removed the partial file, and another run has begun.
    #[cfg(unix)]
    #[test]
    fn nobody_names_or_removes_the_file_of_another() {
        let (_folder, path, partial) = names();
        let (first, mut second) = [(); 2]
            .map(|()| {
                let opened = opened(&path, Opening::Replace);
                fs::remove_file(&partial).unwrap();
                opened
            })
            .into();
        second.or_nothing();
        let third = opened(&path, Opening::Replace);
        fs::write(&partial, "third").unwrap();
        let error = first.finish().unwrap_err().to_string();
        assert!(error.ends_with("has been removed, or replaced by another run"), "{error}");
        drop(second);
        third.finish().unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"third");
    }

    #[cfg(unix)]
    #[test]
    fn a_link_to_nothing_is_replaced() {
        let (_folder, path, partial) = names();
        std::os::unix::fs::symlink("nothing", &partial).unwrap();
        opened(&path, Opening::Replace).finish().unwrap();
        assert!(path.is_file() && !partial.is_symlink());
    }
}
