//! A part of an input: all lines that begin in a range of its bytes, or those after what has been
//! read before.
//!
//! ```text
//! input    |───────|── before ──|─────────────|────────|
//!                start       start + bytes   end
//!                  what is skipped    what is read
//! ```
//!
//! The layout is that of the whole input: it is found at its start, wherever reading begins.

use super::whole::Whole;
use super::{Body, Decoder, Error, Source};
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::io::{self, ErrorKind, Read, Seek, SeekFrom};
use std::path::Path;

/// Which lines of an input are read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Part {
    /// Bytes before the first of them.
    pub start: u64,
    /// Bytes before the first line after them; none for all there are.
    pub end: Option<u64>,
    /// Lines before the first of them.
    pub lines_before: u64,
}

/// The last bytes before some place in an input, to know it again.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tail {
    /// How many.
    pub bytes: u64,
    /// Their CRC-32.
    pub crc32: u32,
}

impl Tail {
    /// The tail that these bytes are.
    #[must_use]
    pub fn of(bytes: &[u8]) -> Self {
        Self { bytes: bytes.len() as u64, crc32: crc32fast::hash(bytes) }
    }
}

/// Bytes of a part that have been read by an earlier run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Skipped {
    pub(super) bytes: u64,
    pub(super) tail: Tail,
}

impl Source {
    /// This part of the source alone.
    #[must_use]
    pub fn with_part(self, part: Part) -> Self {
        Self { part, ..self }
    }

    /// Which part is read.
    #[must_use]
    pub const fn part(&self) -> Part {
        self.part
    }

    /// The same source, without so many bytes at the start of its part. It is an error of reading
    /// if they do not end like this.
    #[must_use]
    pub fn after(self, bytes: u64, tail: Tail) -> Self {
        Self { skipped: Skipped { bytes, tail }, ..self }
    }
}

/// Where to begin and to end in bytes that are all there, after a look at those before.
pub(super) fn range_of(source: &Source, bytes: &[u8]) -> Result<(usize, usize), Error> {
    let Source { part, skipped, .. } = source;
    let place = |place: u64| usize::try_from(place).ok().filter(|&place| place <= bytes.len());
    let start = place(part.start + skipped.bytes);
    let end = part.end.map_or(Some(bytes.len()), place);
    match (start, end) {
        (Some(start), Some(end)) if start <= end => {
            let tail = usize::try_from(skipped.tail.bytes).unwrap_or(usize::MAX).min(start);
            let same = Tail::of(&bytes[start - tail..start]) == skipped.tail;
            if same { Ok((start, end)) } else { Err(error(source, differs())) }
        }
        _ => Err(error(source, differs())),
    }
}

/// What is left of a stream after the bytes that are not to be read.
pub(super) fn rest_of(
    source: &Source,
    mut stream: Box<dyn Read + Send>,
    before: u64,
) -> Result<Box<dyn Read + Send>, Error> {
    skip(&mut stream, before, source.skipped.tail).map_err(|cause| error(source, cause))?;
    let Source { part, skipped, .. } = source;
    Ok(match part.end {
        Some(end) => Box::new(stream.take(end - part.start - skipped.bytes)),
        None => stream,
    })
}

/// A file that is opened to be read, of a part from its first byte on. `plain` if it is known not
/// to be compressed: then nothing is read that is not needed.
pub(super) fn open(
    source: &Source,
    path: &Path,
    plain: bool,
    length: u64,
) -> Result<Box<dyn Read + Send>, Error> {
    let before = source.part.start + source.skipped.bytes;
    let opened = || -> io::Result<(Box<dyn Read + Send>, u64)> {
        let mut file = File::open(path)?;
        if !plain || before == 0 {
            return Ok((Box::new(Decoder::new(Whole::new(file, length))), before));
        }
        let tail = source.skipped.tail.bytes.min(before);
        file.seek(SeekFrom::Start(before - tail))?;
        Ok((Box::new(Whole::new(file, length)), tail))
    };
    let (stream, before) = opened().map_err(|cause| error(source, cause))?;
    rest_of(source, stream, before)
}

/// Reads so many bytes, which end like this.
fn skip(stream: &mut dyn Read, bytes: u64, tail: Tail) -> io::Result<()> {
    let head = bytes.saturating_sub(tail.bytes);
    let skipped = io::copy(&mut stream.take(head), &mut io::sink())?;
    let mut last = Vec::new();
    stream.take(bytes - skipped).read_to_end(&mut last)?;
    // A shorter stream has a shorter tail.
    if Tail::of(&last) == tail { Ok(()) } else { Err(differs()) }
}

fn differs() -> io::Error {
    io::Error::new(ErrorKind::InvalidData, "is not the input that was read before")
}

fn error(source: &Source, cause: io::Error) -> Error {
    Error { name: source.name().clone(), cause }
}

impl Body {
    /// Whether its bytes are those of a file that is not compressed, so that it can be read from
    /// any place on.
    pub(super) const fn is_plain(&self) -> bool {
        matches!(self, Self::Shared(_) | Self::Named(_, Some(_), _))
    }
}
