//! Bytes in: files and streams, cut at line ends into chunks, and chunks read as puzzles.
//!
//! ```text
//! file ── Mapped ─┐
//! pipe ── Read ───┴ Source ── Chunks ── Chunk ── Lines ── Puzzles
//!                             cut at    bytes    one by   grids, and
//!                             line ends          one      what is none
//! ```
//!
//! A mapped chunk is a piece of the mapping, not copied. A streamed chunk is read into the
//! buffer that the [`Chunk`] itself brings along, so whoever sends chunks round and round
//! decides how much memory there is. Either way the puzzles and the line numbers are the same.
//!
//! What kinds of line there are is known to [`Puzzles`] alone; compressed input would be one
//! more kind of [`Read`] behind a [`Source`].

mod chunk;
mod lines;
mod mapped;
mod puzzles;
mod stream;

pub use chunk::{Chunk, Chunks};
pub use lines::{Line, Lines, MAX_LINE_BYTES};
pub use puzzles::{Gap, Puzzles, What};

use mapped::Mapped;
use std::fmt;
use std::fs::File;
use std::io::{self, Read, Seek};
use std::path::Path;
use std::sync::Arc;

/// One input: a mapped file, a stream, or bytes in memory.
pub struct Source {
    name: Arc<str>,
    body: Body,
}

/// Where the bytes come from.
enum Body {
    /// All of them at once.
    Shared(Arc<Shared>),
    /// One after the other; with how many there will be, if that is known.
    Stream(Box<dyn Read + Send>, Option<u64>),
}

/// Bytes that every chunk of an input borrows from.
enum Shared {
    Mapped(Mapped),
    Memory(Vec<u8>),
}

impl Shared {
    fn bytes(&self) -> &[u8] {
        match self {
            Self::Mapped(mapped) => mapped,
            Self::Memory(bytes) => bytes,
        }
    }
}

impl Source {
    /// Opens a file. Unless `map` is false, a regular file is mapped into memory.
    ///
    /// # Errors
    /// What the system says, or that it is a directory.
    pub fn open(path: &Path, map: bool) -> Result<Self, Error> {
        let name = path.display().to_string();
        match File::open(path) {
            Ok(file) => Self::from_file(&name, file, map),
            Err(cause) => Err(Error { name: clean(&name), cause }),
        }
    }

    /// An open file, from where it stands on. Unless `map` is false, a regular file is mapped
    /// into memory.
    ///
    /// # Errors
    /// What the system says, or that it is a directory.
    pub fn from_file(name: &str, file: File, map: bool) -> Result<Self, Error> {
        let name = clean(name);
        match Body::of(file, map) {
            Ok(body) => Ok(Self { name, body }),
            Err(cause) => Err(Error { name, cause }),
        }
    }

    /// A stream, read on a thread of its own as far as there is room for its bytes.
    pub fn from_reader(name: &str, reader: impl Read + Send + 'static) -> Self {
        Self { name: clean(name), body: Body::Stream(Box::new(reader), None) }
    }

    /// Bytes in memory.
    #[must_use]
    pub fn from_bytes(name: &str, bytes: Vec<u8>) -> Self {
        Self { name: clean(name), body: Body::Shared(Arc::new(Shared::Memory(bytes))) }
    }

    /// What messages call it: one line, whatever the file's name holds.
    #[must_use]
    pub fn name(&self) -> &Arc<str> {
        &self.name
    }

    /// How many bytes it has, if that is known before they are read.
    #[must_use]
    pub fn bytes(&self) -> Option<u64> {
        match &self.body {
            Body::Shared(shared) => Some(shared.bytes().len() as u64),
            Body::Stream(_, bytes) => *bytes,
        }
    }

    /// Its chunks: about `chunk_bytes` each, and at least one line.
    #[must_use]
    pub fn into_chunks(self, chunk_bytes: usize) -> Chunks {
        Chunks::new(self.name, self.body, chunk_bytes.max(1))
    }
}

impl Body {
    fn of(mut file: File, map: bool) -> io::Result<Self> {
        let about = file.metadata()?;
        if about.is_dir() {
            return Err(io::ErrorKind::IsADirectory.into());
        }
        // A file of no length may be one of the system's, which has bytes when it is read.
        if !about.is_file() || about.len() == 0 {
            return Ok(Self::Stream(Box::new(file), None));
        }
        // The shell may hand over a file that another program has read the head of.
        let start = file.stream_position()?;
        if map && let Ok(mapped) = Mapped::new(&file, start) {
            return Ok(Self::Shared(Arc::new(Shared::Mapped(mapped))));
        }
        Ok(Self::Stream(Box::new(file), Some(about.len().saturating_sub(start))))
    }
}

/// A name in one line: a file may be called anything, and a record is one line.
fn clean(name: &str) -> Arc<str> {
    let plain = |c: char| if c.is_control() { char::REPLACEMENT_CHARACTER } else { c };
    name.chars().map(plain).collect::<String>().into()
}

/// An input that cannot be opened, or cannot be read to its end.
#[derive(Debug)]
pub struct Error {
    /// The input.
    pub name: Arc<str>,
    /// What the system said.
    pub cause: io::Error,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.name, self.cause)
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.cause)
    }
}
