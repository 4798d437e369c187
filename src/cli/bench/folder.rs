//! The folder for the files of a measurement.

use crate::cli::exit::Error;
use std::fs;
use tempfile::TempDir;

/// A folder with a random name that only this user can enter: no link can be planted in it.
pub(super) fn private_folder() -> Result<TempDir, Error> {
    let parent = std::env::temp_dir();
    // `tempfile` hides the reason of the system.
    fs::metadata(&parent).map_err(|error| Error::at(&parent, error))?;
    let mut builder = tempfile::Builder::new();
    builder.prefix("ninefold-bench-");
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o700));
    builder.tempdir_in(&parent).map_err(|error| Error::at(&parent, error))
}
