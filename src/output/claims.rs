//! The files that a run reads and writes: none of them twice, whatever their names.

use super::error::{Error, STDOUT};
use super::partial::{Found, find, follow, new_state_path, partial_path, state_path};
use super::target::Target;
use same_file::Handle;
use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

/// The files that a run reads and writes. Devices and pipes are not among them: a run may read and
/// write one terminal.
///
/// ```
/// use ninefold::output::{Claims, Target};
///
/// let mut claims = Claims::default();
/// claims.read("puzzles.txt".as_ref());
/// assert!(claims.write(&Target::File("./puzzles.txt".into())).is_err());
/// assert!(claims.write(&Target::File("solutions.txt".into())).is_ok());
/// ```
#[derive(Debug, Default)]
pub struct Claims(Vec<Claim>);

#[derive(Debug, PartialEq, Eq)]
enum Claim {
    /// A file that exists, whatever it is called.
    Existing(Handle),
    /// A file that does not exist yet, or that cannot be opened.
    Path(PathBuf),
}

impl Claims {
    /// The run reads this file.
    pub fn read(&mut self, path: &Path) {
        self.0.extend(of_path(path));
    }

    /// The run reads standard input.
    pub fn read_stdin(&mut self) {
        self.0.extend(of_handle(Handle::stdin()));
    }

    /// The run writes this output, and the files that belong to it.
    ///
    /// # Errors
    /// It reads or writes one of these files already.
    pub fn write(&mut self, target: &Target) -> Result<(), Error> {
        for claim in of_target(target) {
            if self.0.contains(&claim) {
                let why = "is also read, or written to, by this run";
                let cause = io::Error::new(ErrorKind::InvalidInput, why);
                let name = target.path().unwrap_or(Path::new(STDOUT));
                return Err(Error::new(name, cause));
            }
            self.0.push(claim);
        }
        Ok(())
    }
}

/// The files that may be written for an output.
fn of_target(target: &Target) -> Vec<Claim> {
    let Some(path) = target.path() else {
        return of_handle(Handle::stdout()).into_iter().collect();
    };
    // What else is wrong with the name is said when it is opened.
    let Ok(path) = follow(path) else { return Vec::new() };
    if matches!(find(&path), Ok(Found::Direct)) {
        return Vec::new();
    }
    let (partial, state) = (partial_path(&path), state_path(&path));
    let new_state = new_state_path(&path);
    [path, partial, state, new_state].iter().filter_map(|path| of_path(path)).collect()
}

fn of_path(path: &Path) -> Option<Claim> {
    match fs::metadata(path) {
        // Opening a pipe would block.
        Ok(about) if !about.is_file() => return None,
        Ok(_) => {
            if let Some(claim) = of_handle(Handle::from_path(path)) {
                return Some(claim);
            }
        }
        Err(_) => {}
    }
    let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty());
    let parent = parent.unwrap_or(Path::new(".")).canonicalize().ok()?;
    Some(Claim::Path(parent.join(path.file_name()?)))
}

fn of_handle(handle: io::Result<Handle>) -> Option<Claim> {
    let handle = handle.ok()?;
    let is_file = handle.as_file().metadata().is_ok_and(|about| about.is_file());
    is_file.then_some(Claim::Existing(handle))
}
