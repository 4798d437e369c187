//! Bytes in: files and streams, cut at line ends into chunks, and chunks read as puzzles.
//!
//! ```text
//! file ── Mapped ──────────┐
//! pipe ── Read ── Decoder ─┴ Source ── Chunks ── Chunk ── Lines ── Puzzles
//!                 gzip and             cut at    bytes    one by   grids, and
//!                 zstd undone          line ends          one      what is none
//! ```
//!
//! A mapped chunk is a piece of the mapping, not copied. A streamed chunk is read into the
//! buffer that the [`Chunk`] itself brings along, so whoever sends chunks round and round
//! decides how much memory there is. Either way the puzzles and the line numbers are the same.
//!
//! What kinds of line there are is known to [`Puzzles`] alone. A compressed file is a stream; the
//! first bytes tell, never the name.

mod beside;
mod chunk;
#[cfg_attr(not(feature = "compression"), path = "no_codec.rs")]
mod codec;
mod columns;
mod decode;
mod detect;
mod doubt;
mod fields;
mod found;
mod given;
mod grids;
mod head;
mod header;
pub(crate) mod json;
mod layout;
mod lines;
mod magic;
mod malformed;
mod mapped;
mod no_puzzle;
mod part;
mod puzzles;
mod shard;
mod stream;
mod whole;

pub use chunk::{Chunk, Chunks};
pub use columns::Columns;
pub use fields::{Delimiter, Fields};
pub use found::{Gap, Given, Marked, Want, What};
pub use layout::{Column, Hints, Layout, PUZZLE_NAMES, SOLUTION_NAMES, Understood};
pub use lines::{Line, Lines, MAX_LINE_BYTES};
pub use malformed::Malformed;
pub use mapped::survive_lost_pages;
pub use no_puzzle::NoPuzzle;
pub use part::{Part, Tail};
pub use puzzles::Puzzles;
pub use shard::Shard;

pub(crate) use given::given_in;
pub(crate) use lines::is_count;

use decode::Decoder;
use mapped::Mapped;
use part::Skipped;
use std::fmt;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use whole::Whole;

/// One input: a mapped file, a stream, or bytes in memory.
pub struct Source {
    name: Arc<str>,
    body: Body,
    /// How its lines are to be read, as soon as that is known.
    layout: Option<Arc<Layout>>,
    /// The ending of its name says that its puzzles stand in nine lines each.
    grids: bool,
    /// Which of its lines are read.
    part: Part,
    /// What an earlier run has read of them.
    skipped: Skipped,
}

/// Where the bytes come from.
enum Body {
    /// All of them at once.
    Shared(Arc<Shared>),
    /// One after the other; with how many there will be, if that is known.
    Stream(Box<dyn Read + Send>, Option<u64>),
    /// Those of a file that is opened when it is its turn: a process may have more inputs than
    /// open files. With its length then.
    Named(PathBuf, Option<u64>, u64),
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

    /// Whether the bytes before `end` that this thread has read were there.
    fn check(&self, end: usize) -> io::Result<()> {
        match self {
            Self::Mapped(mapped) => mapped.check(end),
            Self::Memory(_) => Ok(()),
        }
    }
}

impl Source {
    /// Opens a file. Unless `map` is false, a regular file is mapped into memory.
    ///
    /// # Errors
    /// What the system says; or that it is a directory, or a file of a kind that is not read.
    pub fn open(path: &Path, map: bool) -> Result<Self, Error> {
        let body = File::open(path).and_then(|file| Body::of(file, Some(path), map));
        Self::checked(&path.display().to_string(), body)
    }

    /// An open file, from where it stands on. Unless `map` is false, a regular file is mapped
    /// into memory; then the file stands at its end, as if it had been read.
    ///
    /// # Errors
    /// What the system says; or that it is a directory, or a file of a kind that is not read.
    pub fn from_file(name: &str, file: File, map: bool) -> Result<Self, Error> {
        Self::checked(name, Body::of(file, None, map))
    }

    fn checked(name: &str, body: io::Result<Body>) -> Result<Self, Error> {
        let name = clean(name);
        match body {
            Ok(body) => Ok(Self::new(name, body)),
            Err(cause) => Err(Error { name, cause }),
        }
    }

    /// A stream, read (and decompressed) on a thread of its own as far as there is room for its
    /// bytes.
    pub fn from_reader(name: &str, reader: impl Read + Send + 'static) -> Self {
        Self::new(clean(name), Body::Stream(Box::new(Decoder::new(reader)), None))
    }

    /// Bytes in memory.
    #[must_use]
    pub fn from_bytes(name: &str, bytes: Vec<u8>) -> Self {
        let body = match magic::format(&bytes) {
            Ok(None) => Body::Shared(Arc::new(Shared::Memory(bytes))),
            // What cannot be read is an error when it is read.
            _ => Body::Stream(Box::new(Decoder::new(io::Cursor::new(bytes))), None),
        };
        Self::new(clean(name), body)
    }

    fn new(name: Arc<str>, body: Body) -> Self {
        let grids = layout::is_grids(&name);
        let (part, skipped) = (Part::default(), Skipped::default());
        Self { name, body, layout: None, grids, part, skipped }
    }

    /// Looks at the first lines, and finds how all of them are to be read, if that is not known
    /// yet. Waits for a stream until a line settles it.
    ///
    /// # Errors
    /// There are lines and no puzzle among them ([`NoPuzzle`] is the cause), or they cannot be
    /// read.
    ///
    /// # Panics
    /// Never: what has just been set is there.
    pub fn find_layout(&mut self, hints: &Hints) -> Result<&Layout, Error> {
        if self.layout.is_none() {
            let as_named = Hints { grids: hints.grids || self.grids, ..hints.clone() };
            let mut layout = self.body.find_layout(&as_named);
            // A name may be wrong: what has no grids may have lines.
            if as_named.grids && !hints.grids && layout.is_err() {
                layout = self.body.find_layout(hints).or(layout);
            }
            let layout = layout.map_err(|cause| Error { name: Arc::clone(&self.name), cause })?;
            self.layout = Some(Arc::new(layout));
        }
        Ok(self.layout.as_deref().expect("it has just been set"))
    }

    /// What is known of its layout, for people.
    #[must_use]
    pub fn understood(&self) -> Option<Understood<'_>> {
        Some(Understood { layout: self.layout.as_deref()?, name: &self.name })
    }

    /// The same source, read by this layout.
    #[must_use]
    pub fn with_layout(self, layout: Layout) -> Self {
        Self { layout: Some(Arc::new(layout)), ..self }
    }

    /// How its lines are to be read, if that is known.
    #[must_use]
    pub const fn layout(&self) -> Option<&Arc<Layout>> {
        self.layout.as_ref()
    }

    /// What messages call it: one line, whatever the file's name holds.
    #[must_use]
    pub fn name(&self) -> &Arc<str> {
        &self.name
    }

    /// How many bytes its part has, if that is known before they are read. Of a compressed input
    /// it is not.
    #[must_use]
    pub fn bytes(&self) -> Option<u64> {
        let end = self.part.end.or_else(|| self.length())?;
        Some(end.saturating_sub(self.part.start))
    }

    /// How many bytes all of it has, if that is known.
    #[must_use]
    pub fn length(&self) -> Option<u64> {
        match &self.body {
            Body::Shared(shared) => Some(shared.bytes().len() as u64),
            Body::Stream(_, bytes) | Body::Named(_, bytes, _) => *bytes,
        }
    }

    /// Its chunks: about `chunk_bytes` each, and at least one line. The size may be changed from
    /// one chunk to the next.
    #[must_use]
    pub fn into_chunks(self, chunk_bytes: usize) -> Chunks {
        Chunks::new(self, chunk_bytes.max(1))
    }
}

impl Body {
    /// The layout of its lines. What is read of a stream will be read again.
    fn find_layout(&mut self, hints: &Hints) -> io::Result<Layout> {
        match self {
            Self::Shared(shared) => {
                let layout = head::layout_of_bytes(shared.bytes(), hints);
                shared.check(0)?;
                layout
            }
            Self::Named(path, _, length) => {
                head::layout_of_stream(&mut open(path, *length)?, hints).0
            }
            Self::Stream(stream, _) => {
                let (layout, head) = head::layout_of_stream(stream, hints);
                let rest = std::mem::replace(stream, Box::new(io::empty()));
                *stream = Box::new(io::Cursor::new(head).chain(rest));
                layout
            }
        }
    }

    /// The bytes of an open file. One that has a path need not stay open until it is read.
    fn of(mut file: File, path: Option<&Path>, map: bool) -> io::Result<Self> {
        let about = file.metadata()?;
        if about.is_dir() {
            return Err(io::ErrorKind::IsADirectory.into());
        }
        if !about.is_file() {
            return Ok(Self::Stream(Box::new(Decoder::new(file)), None));
        }
        // The shell may hand over a file that another program has read the head of.
        let start = file.stream_position()?;
        // A file of no length may be one of the system's, which has bytes when it is read.
        let bytes = (about.len() > 0).then(|| about.len().saturating_sub(start));
        let mapped = (map && bytes.is_some()).then(|| Mapped::new(&file, path, start));
        let format = match &mapped {
            Some(Ok(mapped)) => magic::format(mapped)?,
            _ => magic::format(&first_bytes(&mut file, start)?)?,
        };
        if format.is_none()
            && let Some(Ok(mapped)) = mapped
        {
            // Whoever shares this place in the file finds all of it read, mapped or not.
            file.seek(SeekFrom::End(0))?;
            return Ok(Self::Shared(Arc::new(Shared::Mapped(mapped))));
        }
        let bytes = bytes.filter(|_| format.is_none());
        Ok(match path {
            Some(path) => Self::Named(path.to_owned(), bytes, about.len()),
            None => Self::Stream(Box::new(Decoder::new(Whole::new(file, about.len()))), bytes),
        })
    }
}

/// The bytes from here on, as many as it takes to tell what they are. The file stays there.
fn first_bytes(file: &mut File, start: u64) -> io::Result<Vec<u8>> {
    let mut head = Vec::new();
    file.take(magic::LONGEST as u64).read_to_end(&mut head)?;
    file.seek(SeekFrom::Start(start))?;
    Ok(head)
}

/// The bytes of a file that is to be read as a stream, and had this length.
fn open(path: &Path, length: u64) -> io::Result<Decoder> {
    Ok(Decoder::new(Whole::new(File::open(path)?, length)))
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
