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
    is_file && File::open(partial).and_then(|file| lock(&file)).is_err_and(is_busy)
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
    let file = match opening {
        Opening::New => create(path),
        Opening::Replace => {
            if let Ok(file) = OpenOptions::new().write(true).open(path) {
                lock(&file)?;
            }
            // Made anew rather than emptied: it might be a link to another.
            match fs::remove_file(path) {
                Err(error) if error.kind() != ErrorKind::NotFound => Err(error),
                _ => create(path),
            }
        }
        Opening::Keep(bytes) => {
            OpenOptions::new().write(true).create(bytes == 0).truncate(false).open(path)
        }
    };
    let mut file = file?;
    lock(&file)?;
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

fn create(path: &Path) -> io::Result<File> {
    let file = OpenOptions::new().write(true).create_new(true).open(path);
    file.map_err(|error| match error.kind() {
        ErrorKind::AlreadyExists => exists("an earlier run left a partial file"),
        _ => error,
    })
}

/// Refuses what another run is writing. A system that cannot lock files says nothing.
fn lock(file: &File) -> io::Result<()> {
    match file.try_lock() {
        Err(TryLockError::WouldBlock) => {
            Err(io::Error::new(ErrorKind::ResourceBusy, "another run is writing it"))
        }
        _ => Ok(()),
    }
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
        fs::rename(partial_path(&self.path), &self.path)?;
        self.stays = true;
        sync_folder(&self.path)
    }
}

impl Drop for Partial {
    fn drop(&mut self) {
        if !self.stays {
            // Whatever fails here, the run has failed before.
            let _ = fs::remove_file(partial_path(&self.path));
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
