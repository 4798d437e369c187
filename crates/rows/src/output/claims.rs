//! The files that a run reads and writes: none of them twice, whatever their names.

use super::error::{Error, STDOUT};
use super::partial::{follow, is_direct, log_path, new_log_path, partial_path};
use same_file::Handle;
use std::io;
use std::path::{self, Path, PathBuf};

/// The files that a run reads and writes. Devices and pipes are not among them: a run may read and
/// write one terminal.
#[derive(Debug, Default)]
pub struct Claims(Vec<ClaimedFile>);

#[derive(Debug, PartialEq, Eq)]
enum ClaimedFile {
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

    /// The run writes this output, and the files that belong to it. `None` is standard output.
    ///
    /// # Errors
    /// It reads or writes one of these files already.
    pub fn write(&mut self, given: Option<&Path>) -> Result<(), Error> {
        for (path, claim) in of_output(given) {
            if self.0.contains(&claim) {
                let mut why = "is also read, or written to, by this run".to_owned();
                if let Some(path) = path {
                    why = format!("needs {}, which {why}", path.display());
                }
                return Err(Error::refused(given.unwrap_or(Path::new(STDOUT)), why));
            }
            self.0.push(claim);
        }
        Ok(())
    }
}

/// The files that may be written for an output; those besides it with their names.
fn of_output(given: Option<&Path>) -> Vec<(Option<PathBuf>, ClaimedFile)> {
    let Some(path) = given else {
        return of_handle(Handle::stdout()).map(|claim| (None, claim)).into_iter().collect();
    };
    // What else is wrong with the name is said when it is opened.
    let Ok(path) = follow(path) else { return Vec::new() };
    if is_direct(&path) {
        return Vec::new();
    }
    let others = [partial_path(&path), log_path(&path), new_log_path(&path)];
    let others =
        others.into_iter().filter_map(|path| of_path(&path).map(|claim| (Some(path), claim)));
    of_path(&path).map(|claim| (None, claim)).into_iter().chain(others).collect()
}

fn of_path(path: &Path) -> Option<ClaimedFile> {
    // Opening a pipe would block.
    if is_direct(path) {
        return None;
    }
    let of_missing = || {
        // Windows leaves dots and spaces out at the end of a name.
        let path = path::absolute(path).ok()?;
        let (folder, name) = (path.parent()?.canonicalize().ok()?, path.file_name()?);
        let ignores_case = cfg!(any(windows, target_os = "macos"));
        let lower = || name.to_string_lossy().to_lowercase().into();
        let name = if ignores_case { lower() } else { name.to_owned() };
        Some(ClaimedFile::Path(folder.join(name)))
    };
    of_handle(Handle::from_path(path)).or_else(of_missing)
}

fn of_handle(handle: io::Result<Handle>) -> Option<ClaimedFile> {
    let handle = handle.ok()?;
    let is_file = handle.as_file().metadata().is_ok_and(|about| about.is_file());
    is_file.then_some(ClaimedFile::Existing(handle))
}
