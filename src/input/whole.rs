//! A file that is read rather than mapped, and must not end before the length that it had when it
//! was opened: then it is no shorter file but one that somebody is changing.

use std::fs::File;
use std::io::{self, ErrorKind, Read};

/// What there is to say of a file that has fewer bytes than it had.
pub(super) fn shortened() -> io::Error {
    io::Error::new(ErrorKind::UnexpectedEof, "was shortened while it was read")
}

/// A regular file that had so many bytes.
pub(super) struct Whole {
    file: File,
    length: u64,
}

impl Whole {
    pub(super) const fn new(file: File, length: u64) -> Self {
        Self { file, length }
    }
}

impl Read for Whole {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.file.read(buffer)?;
        // Asked at the end alone; by then somebody else may have read it to there.
        if read == 0 && !buffer.is_empty() && self.file.metadata()?.len() < self.length {
            return Err(shortened());
        }
        Ok(read)
    }
}
