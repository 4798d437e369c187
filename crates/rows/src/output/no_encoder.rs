//! In place of `encoder`, in a build without the feature `compression`: there is none.

use super::encoding::Encoding;
use super::press::Encode;
use super::table::Table;
use crate::extent::Extent;
use std::io::{self, Read, Write};
use std::path::Path;

pub(super) fn new(
    encoding: Encoding,
    _: impl Write + Send + 'static,
    _: Option<&Table>,
) -> io::Result<Box<dyn Encode>> {
    encoding.check().and(Err(io::ErrorKind::Unsupported.into()))
}

pub(super) fn decoder(
    encoding: Encoding,
    file: impl Read + Send + 'static,
) -> io::Result<Box<dyn Read + Send>> {
    encoding.check().map(|()| Box::new(file) as _)
}

pub(super) fn replay(
    _: &mut dyn Encode,
    encoding: Encoding,
    _: &Path,
    _: Extent,
    _: usize,
) -> io::Result<()> {
    encoding.check()
}
