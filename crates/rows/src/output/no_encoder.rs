//! In place of `encoder`, in a build without the feature `compression`: there is none.

use super::encoding::Encoding;
use super::extent::Extent;
use super::table::Table;
use std::convert::Infallible;
use std::io::{self, Write};
use std::path::Path;

/// Is never made.
pub(super) struct Encoder(Infallible);

impl Encoder {
    pub(super) fn new(
        encoding: Encoding,
        _: Box<dyn Write + Send>,
        _: Option<&Table>,
    ) -> io::Result<Self> {
        encoding.check().and(Err(io::ErrorKind::Unsupported.into()))
    }

    pub(super) fn replay(&mut self, _: &Path, _: Extent, _: usize) -> io::Result<()> {
        match self.0 {}
    }

    pub(super) fn write(&mut self, _: &[u8]) -> io::Result<Extent> {
        match self.0 {}
    }

    pub(super) fn finish(self) -> io::Result<()> {
        match self.0 {}
    }

    pub(super) fn abandon(self) -> io::Result<()> {
        match self.0 {}
    }
}
