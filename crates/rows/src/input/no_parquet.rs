//! In place of `parquet`, in a build without that feature: no Parquet file is read.

use super::source::Table;
use std::fs::File;
use std::io::{self, ErrorKind};
use std::path::Path;

pub(super) fn of_file(_: File, _: Option<&Path>, _: u64) -> io::Result<Box<dyn Table>> {
    let why = "is a Parquet file, which this build leaves out (--features parquet)";
    Err(io::Error::new(ErrorKind::Unsupported, why))
}
