//! In place of `parquet`, in a build without that feature: no Parquet file is read.

use super::layout::hints::Hints;
use super::layout::shape::Layout;
use super::layout::why::{Decided, Why};
use super::part::{Part, Skipped};
use super::source::RestOfInput;
use std::fs::File;
use std::io::{self, ErrorKind};
use std::path::Path;

/// The name of a column of a Parquet file, and its schema or what it is.
pub type ParquetColumn = (String, Result<Option<String>, &'static str>);

/// Is never made.
pub(super) enum ParquetTable {}

impl ParquetTable {
    pub(super) fn of_file(_: File, _: Option<&Path>, _: u64) -> io::Result<Self> {
        let why = "is a Parquet file, which this build leaves out (--features parquet)";
        Err(io::Error::new(ErrorKind::Unsupported, why))
    }

    pub(super) const fn length(&self) -> u64 {
        match *self {}
    }

    pub(super) fn rows(&self) -> io::Result<u64> {
        match *self {}
    }

    pub(super) fn columns(&self) -> io::Result<Vec<ParquetColumn>> {
        match *self {}
    }

    pub(super) fn layout(&self, _: &Hints) -> io::Result<(Decided<Layout>, Why)> {
        match *self {}
    }

    pub(super) fn rest(&self, _: &Layout, _: Part, _: Skipped) -> io::Result<RestOfInput> {
        match *self {}
    }
}
