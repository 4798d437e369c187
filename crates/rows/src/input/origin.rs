//! Bytes that can be read from any place on, again and again: those of a regular file, or of memory.

use super::mapped::{Mapped, shortened};
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::PathBuf;
use std::sync::Arc;

/// Where the bytes are.
#[derive(Clone)]
pub(super) enum Origin {
    /// All of them are there at once.
    Shared(Arc<SharedBytes>),
    /// In a file of this length that is opened when it is its turn: a process may have more inputs than open
    /// files.
    File(PathBuf, u64),
}

impl Origin {
    /// The number of bytes.
    pub(super) fn len(&self) -> u64 {
        match self {
            Self::Shared(shared) => shared.len() as u64,
            Self::File(_, length) => *length,
        }
    }

    /// Reads them from a place on.
    pub(super) fn read_from(&self, at: u64) -> io::Result<Box<dyn Read + Send>> {
        Ok(match self {
            Self::Shared(shared) => {
                let at = usize::try_from(at).unwrap_or(usize::MAX);
                Box::new(SharedReader { shared: Arc::clone(shared), at })
            }
            Self::File(path, length) => {
                let mut file = File::open(path)?;
                file.seek(SeekFrom::Start(at))?;
                Box::new(Whole { file, length: *length })
            }
        })
    }
}

/// Bytes that every chunk of an input borrows from. They are read with a check only.
pub(super) enum SharedBytes {
    Mapped(Box<Mapped>),
    Memory(Vec<u8>),
}

impl SharedBytes {
    /// The number of bytes.
    pub(super) fn len(&self) -> usize {
        self.bytes().len()
    }

    /// Reads them: `read` is given all of them, and returns up to where it has read. If they were not
    /// those of the input, its result is dropped.
    pub(super) fn read<R>(&self, read: impl FnOnce(&[u8]) -> (usize, R)) -> io::Result<R> {
        let (end, result) = read(self.bytes());
        if let Self::Mapped(mapped) = self {
            mapped.check(end)?;
        }
        Ok(result)
    }

    fn bytes(&self) -> &[u8] {
        match self {
            Self::Mapped(mapped) => mapped.bytes(),
            Self::Memory(bytes) => bytes,
        }
    }
}

/// Reads shared bytes as a stream.
struct SharedReader {
    shared: Arc<SharedBytes>,
    at: usize,
}

impl Read for SharedReader {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let at = self.at;
        let read = self.shared.read(|bytes| {
            let mut rest = bytes.get(at..).unwrap_or_default();
            let read = rest.read(buffer).expect("memory can be read");
            (at + read, read)
        })?;
        self.at += read;
        Ok(read)
    }
}

/// A regular file that is read, and must not end before the length that it had when it was opened: a
/// shorter file is one that another process is changing.
pub(super) struct Whole {
    pub(super) file: File,
    pub(super) length: u64,
}

impl Read for Whole {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.file.read(buffer)?;
        // Asked at the end alone; another reader may have moved the position to there.
        if read == 0 && !buffer.is_empty() && self.file.metadata()?.len() < self.length {
            return Err(shortened());
        }
        Ok(read)
    }
}
