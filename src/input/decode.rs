//! A stream as it was before it was compressed; one that is not compressed, as it stands.
//!
//! ```text
//! stream ─ first bytes ─┬─ text ───────────────────────────────> as they come
//!                       └─ gzip, zstd ─ raw buffer ─ codec ────> first bytes looked at again
//!                                       64 KiB       members
//!                                                    one by one
//! ```
//!
//! What has been decompressed is handed over before more is waited for, so a slow producer that
//! flushes what it compresses sees its answers at once. What is wrong is said after all bytes
//! before it. Memory is the raw buffer and what the format looks back on: 32 KiB for gzip, for
//! zstd what the frame says, up to 128 MiB.

use super::codec;
use super::magic::{self, Format};
use std::io::{self, Chain, Cursor, ErrorKind, Read, Take};
use std::mem;

/// Compressed bytes that are read together: what a pipe holds on Linux.
const RAW_BYTES: usize = 64 * 1024;

/// A reader whose first bytes have been looked at and put back.
type Headed<R> = Chain<Cursor<Vec<u8>>, Take<R>>;

/// Decompresses what a reader gives, if it is compressed.
pub(super) struct Decoder {
    reader: Box<dyn Read + Send>,
    judged: bool,
}

impl Decoder {
    /// Nothing is read before somebody reads from it.
    pub(super) fn new(reader: impl Read + Send + 'static) -> Self {
        Self { reader: Box::new(reader), judged: false }
    }

    /// Looks at the first bytes, with this room for them.
    fn judge(&mut self, room: &mut [u8]) -> io::Result<()> {
        self.judged = true;
        let (format, reader) = head(mem::replace(&mut self.reader, Box::new(io::empty())), room)?;
        self.reader = match format {
            None => Box::new(reader),
            Some(format) => {
                let (inner, reader) = head(Unpack::new(reader, format)?, room)?;
                if let Some(inner) = inner {
                    let (inner, outer) = (inner.name(), format.name());
                    let mend = format!("{outer} -dc FILE | ninefold COMMAND -");
                    return Err(invalid(format!("is {inner} data within {outer} data: {mend}")));
                }
                Box::new(reader)
            }
        };
        Ok(())
    }
}

impl Read for Decoder {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if !self.judged && !buffer.is_empty() {
            self.judge(buffer)?;
        }
        self.reader.read(buffer)
    }
}

/// The format that a reader's first bytes tell, and the reader with them put back. As many are
/// read at a time as whoever asked for them has room for, so that he gets what he would have got.
fn head<R: Read>(mut reader: R, room: &mut [u8]) -> io::Result<(Option<Format>, Headed<R>)> {
    let mut head = Vec::new();
    loop {
        let bytes = match reader.read(room) {
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            result => result?,
        };
        head.extend_from_slice(&room[..bytes]);
        if bytes == 0 || !magic::is_undecided(&head) {
            let format = magic::format(&head)?;
            // A terminal whose end was seen is not asked again.
            let limit = if bytes == 0 { 0 } else { u64::MAX };
            return Ok((format, Cursor::new(head).chain(reader.take(limit))));
        }
    }
}

/// A format that is members one after the other (zstd calls them frames).
pub(super) trait Codec: Send {
    /// Begins a member.
    fn restart(&mut self);

    /// Decompresses some of the input. Without any input it gives what is left of the last.
    fn run(&mut self, input: &[u8], output: &mut [u8]) -> Step;
}

/// What a codec did.
pub(super) struct Step {
    /// Bytes of the input that it took.
    pub(super) read: usize,
    /// Bytes that it put into the output, whatever came after them.
    pub(super) written: usize,
    /// Whether the member has ended there, or what is wrong with it.
    pub(super) ended: Result<bool, String>,
}

/// Compressed bytes that were read and not yet decompressed.
struct Raw<R> {
    reader: R,
    buffer: Vec<u8>,
    start: usize,
    end: usize,
    ended: bool,
    /// Bytes before `start`, from the first that was read.
    taken: u64,
}

impl<R: Read> Raw<R> {
    fn bytes(&self) -> &[u8] {
        &self.buffer[self.start..self.end]
    }

    fn take(&mut self, bytes: usize) {
        self.start += bytes;
        self.taken += bytes as u64;
    }

    /// Adds what one read gives. There is room: a codec leaves no input, unless the output is
    /// full, and a magic is short.
    fn fill(&mut self) -> io::Result<()> {
        self.buffer.copy_within(self.start..self.end, 0);
        (self.start, self.end) = (0, self.end - self.start);
        debug_assert!(self.end < self.buffer.len(), "no room to read would look like the end");
        let bytes = self.reader.read(&mut self.buffer[self.end..])?;
        self.end += bytes;
        self.ended = bytes == 0;
        Ok(())
    }
}

/// The bytes that were compressed.
struct Unpack<R> {
    raw: Raw<R>,
    format: Format,
    codec: Box<dyn Codec>,
    /// Whether a member has begun and not ended.
    inside: bool,
    /// The last byte handed over.
    last: u8,
    /// How it ended, once it has.
    end: Option<io::Result<()>>,
}

impl<R: Read> Unpack<R> {
    fn new(reader: R, format: Format) -> io::Result<Self> {
        let buffer = vec![0; RAW_BYTES];
        let raw = Raw { reader, buffer, start: 0, end: 0, ended: false, taken: 0 };
        let codec = codec::of(format)?;
        Ok(Self { raw, format, codec, inside: false, last: b'\n', end: None })
    }

    /// Puts more into the output; gives how many bytes, or none if that takes more input.
    fn run(&mut self, output: &mut [u8]) -> Option<usize> {
        let step = self.codec.run(self.raw.bytes(), output);
        self.raw.take(step.read);
        let moves = step.read > 0 || step.written > 0 || step.ended != Ok(false);
        match step.ended {
            Ok(ended) => self.inside = !ended,
            Err(why) => self.fail(&why),
        }
        moves.then_some(step.written)
    }

    /// Begins the next member, if there is one; none if it takes more input to tell.
    fn begin(&mut self, output: &mut [u8]) -> Option<usize> {
        if self.format == Format::Gzip {
            // Tapes and disks fill up the last block so; gzip(1) says nothing about it.
            let padding = self.raw.bytes().iter().take_while(|&&byte| byte == 0).count();
            self.raw.take(padding);
        }
        let next = self.raw.bytes();
        if next.is_empty() || magic::is_undecided(next) && !self.raw.ended {
            return None;
        }
        if matches!(magic::format(next), Ok(Some(format)) if format == self.format) {
            self.codec.restart();
            self.inside = true;
            return Some(0);
        }
        self.fail(&format!("ends after {} bytes, and what follows is none", self.raw.taken));
        if self.last == b'\n' {
            return Some(0);
        }
        // The last line is whole, though it has no end: so it is not lost to the error.
        output[0] = b'\n';
        Some(1)
    }

    fn fail(&mut self, why: &str) {
        self.end = Some(Err(invalid(format!("{} data {why}", self.format.name()))));
    }

    /// There is no more input.
    fn close(&mut self) {
        self.end = Some(if self.inside {
            let why = format!("{} data ends early: is the file truncated?", self.format.name());
            Err(io::Error::new(ErrorKind::UnexpectedEof, why))
        } else {
            Ok(())
        });
    }
}

impl<R: Read> Read for Unpack<R> {
    fn read(&mut self, output: &mut [u8]) -> io::Result<usize> {
        let mut filled = 0;
        while filled < output.len() && self.end.is_none() {
            let room = &mut output[filled..];
            match if self.inside { self.run(room) } else { self.begin(room) } {
                Some(written) => {
                    self.last = if written > 0 { room[written - 1] } else { self.last };
                    filled += written;
                }
                // Handed over before more is waited for.
                None if filled > 0 => break,
                None => {
                    self.raw.fill()?;
                    if self.raw.ended && (self.inside || self.raw.bytes().is_empty()) {
                        self.close();
                    }
                }
            }
        }
        match &mut self.end {
            Some(end) if filled == 0 => mem::replace(end, Ok(())).map(|()| 0),
            _ => Ok(filled),
        }
    }
}

fn invalid(why: String) -> io::Error {
    io::Error::new(ErrorKind::InvalidData, why)
}

#[cfg(all(test, feature = "compression"))]
mod tests;
