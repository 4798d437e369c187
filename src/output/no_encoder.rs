//! In place of `encoder`, in a build without the feature `compression`: bytes as they are.

use super::Encoding;
use std::io::{self, Write};

/// Writes what it is given.
pub(super) struct Encoder(Box<dyn Write + Send>);

impl Encoder {
    pub(super) fn new(encoding: Encoding, writer: Box<dyn Write + Send>) -> io::Result<Self> {
        encoding.check().map(|()| Self(writer))
    }

    pub(super) fn write(&mut self, block: &[u8]) -> io::Result<u64> {
        self.0.write_all(block).map(|()| block.len() as u64)
    }

    pub(super) fn leave_off(mut self, block: &[u8]) -> io::Result<()> {
        self.0.write_all(block)?;
        self.0.flush()
    }

    pub(super) fn finish(mut self) -> io::Result<()> {
        self.0.flush()
    }
}
