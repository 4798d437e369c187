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
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
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
        let body = File::open(path).and_then(|file| Body::of(file, Some(path), map));
        Self::checked(&path.display().to_string(), body)
    }

    /// An open file, from where it stands on. Unless `map` is false, a regular file is mapped
    /// into memory; then the file stands at its end, as if it had been read.
    ///
    /// # Errors
    /// What the system says, or that it is a directory.
    pub fn from_file(name: &str, file: File, map: bool) -> Result<Self, Error> {
        Self::checked(name, Body::of(file, None, map))
    }

    fn checked(name: &str, body: io::Result<Body>) -> Result<Self, Error> {
        let name = clean(name);
        match body {
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

    /// Its chunks: about `chunk_bytes` each, and at least one line. The size may be changed from
    /// one chunk to the next.
    #[must_use]
    pub fn into_chunks(self, chunk_bytes: usize) -> Chunks {
        Chunks::new(self.name, self.body, chunk_bytes.max(1))
    }
}

impl Body {
    /// The bytes of an open file. One that has a path need not stay open until it is read.
    fn of(mut file: File, path: Option<&Path>, map: bool) -> io::Result<Self> {
        let about = file.metadata()?;
        if about.is_dir() {
            return Err(io::ErrorKind::IsADirectory.into());
        }
        if !about.is_file() {
            return Ok(Self::Stream(Box::new(file), None));
        }
        // The shell may hand over a file that another program has read the head of.
        let start = file.stream_position()?;
        // A file of no length may be one of the system's, which has bytes when it is read.
        let bytes = (about.len() > 0).then(|| about.len().saturating_sub(start));
        if map
            && bytes.is_some()
            && let Ok(mapped) = Mapped::new(&file, start)
        {
            // Whoever shares this place in the file finds all of it read, mapped or not.
            file.seek(SeekFrom::End(0))?;
            return Ok(Self::Shared(Arc::new(Shared::Mapped(mapped))));
        }
        Ok(match path {
            Some(path) => Self::Stream(Box::new(Reopened::new(path)), bytes),
            None => Self::Stream(Box::new(file), bytes),
        })
    }
}

/// A regular file that is opened again when it is its turn to be read: a process may have more
/// inputs than open files.
struct Reopened {
    path: PathBuf,
    file: Option<File>,
}

impl Reopened {
    fn new(path: &Path) -> Self {
        Self { path: path.to_owned(), file: None }
    }
}

impl Read for Reopened {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let file = match &mut self.file {
            Some(file) => file,
            none => none.insert(File::open(&self.path)?),
        };
        file.read(buffer)
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
