//! Compressed bytes, decompressed member by member.

use super::format::{Format, format_of, is_undecided};
use crate::Grouped;
use std::any::Any;
use std::io::{self, ErrorKind, Read};
use std::panic::resume_unwind;

/// A format that is members one after the other (zstd calls them frames).
pub(super) trait Codec: Send {
    /// Begins a member.
    fn restart(&mut self);

    /// Decompresses some of the input. Without any input it gives the rest of the last input's text.
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

/// Why there is no more text.
pub(super) enum Stop {
    /// The input cannot be read, or is damaged.
    Failed(io::Error),
    /// All members are whole, and bytes that are none follow.
    Followed(io::Error),
    /// A thread panicked, with this payload.
    Panicked(Box<dyn Any + Send>),
    /// No reader needs the text.
    Abandoned,
}

impl From<io::Error> for Stop {
    fn from(error: io::Error) -> Self {
        Self::Failed(error)
    }
}

/// Where compressed bytes come from.
pub(super) trait Feed {
    /// Reads some bytes; 0 is the end. `is_between` says whether the bytes so far are whole members.
    fn feed(&mut self, buffer: &mut [u8], is_between: bool) -> Result<usize, Stop>;
}

impl<R: Read> Feed for R {
    fn feed(&mut self, buffer: &mut [u8], _: bool) -> Result<usize, Stop> {
        Ok(self.read(buffer)?)
    }
}

/// Where decompressed bytes come from.
pub(super) trait Text {
    /// Reads some bytes; 0 is the end.
    fn read(&mut self, output: &mut [u8]) -> Result<usize, Stop>;
}

/// Compressed bytes that are read together: what a pipe holds on Linux.
pub(super) const RAW_BYTES: usize = 64 * 1024;

/// Compressed bytes that were read and not yet decompressed.
struct Raw<F> {
    feed: F,
    buffer: Vec<u8>,
    start: usize,
    end: usize,
    ended: bool,
    /// Bytes before `start`, from the first of the input.
    taken: u64,
}

impl<F: Feed> Raw<F> {
    fn bytes(&self) -> &[u8] {
        &self.buffer[self.start..self.end]
    }

    fn take(&mut self, bytes: usize) {
        self.start += bytes;
        self.taken += bytes as u64;
    }

    /// Adds what one read gives. There is room: a codec leaves no input, unless the output is
    /// full, and a magic is short.
    fn fill(&mut self, is_inside: bool) -> Result<(), Stop> {
        self.buffer.copy_within(self.start..self.end, 0);
        (self.start, self.end) = (0, self.end - self.start);
        debug_assert!(self.end < self.buffer.len(), "no room to read would look like the end");
        let is_between = !is_inside && self.end == 0;
        let bytes = self.feed.feed(&mut self.buffer[self.end..], is_between)?;
        self.end += bytes;
        self.ended = bytes == 0;
        Ok(())
    }
}

/// The bytes that were compressed.
pub(super) struct Members<F> {
    raw: Raw<F>,
    format: Format,
    codec: Box<dyn Codec>,
    /// Whether a member has begun and not ended.
    inside: bool,
    /// How it ended, once it has.
    end: Option<Result<(), Stop>>,
}

impl<F: Feed> Members<F> {
    /// The first byte of the feed is that of a member. So many bytes of the input are before it.
    pub(super) fn new(feed: F, before: u64, format: Format, codec: Box<dyn Codec>) -> Self {
        let buffer = vec![0; RAW_BYTES];
        let raw = Raw { feed, buffer, start: 0, end: 0, ended: false, taken: before };
        Self { raw, format, codec, inside: false, end: None }
    }

    /// The codec, for other members.
    pub(super) fn into_codec(self) -> Box<dyn Codec> {
        self.codec
    }

    /// Puts more into the output; gives how many bytes, or none if that takes more input.
    fn run(&mut self, output: &mut [u8]) -> Option<usize> {
        let step = self.codec.run(self.raw.bytes(), output);
        self.raw.take(step.read);
        let moves = step.read > 0 || step.written > 0 || step.ended != Ok(false);
        match step.ended {
            Ok(ended) => self.inside = !ended,
            Err(why) => self.end = Some(Err(Stop::Failed(self.invalid(&why)))),
        }
        moves.then_some(step.written)
    }

    /// Begins the next member, if there is one; false if it takes more input to tell.
    fn begin(&mut self) -> bool {
        if self.format == Format::Gzip {
            // Tapes and disks fill up the last block so; gzip(1) says nothing about it.
            let padding = self.raw.bytes().iter().take_while(|&&byte| byte == 0).count();
            self.raw.take(padding);
        }
        let next = self.raw.bytes();
        if next.is_empty() || is_undecided(next) && !self.raw.ended {
            return false;
        }
        if matches!(format_of(next), Ok(Some(format)) if format == self.format) {
            self.codec.restart();
            self.inside = true;
        } else {
            let taken = Grouped(self.raw.taken);
            let error = self.invalid(&format!("ends after {taken} bytes, and other bytes follow"));
            self.end = Some(Err(Stop::Followed(error)));
        }
        true
    }

    fn invalid(&self, why: &str) -> io::Error {
        io::Error::new(ErrorKind::InvalidData, format!("{} data {why}", self.format.name()))
    }

    /// There is no more input.
    fn close(&mut self) {
        self.end = Some(if self.inside {
            let why = format!("{} data ends early: is the file truncated?", self.format.name());
            Err(Stop::Failed(io::Error::new(ErrorKind::UnexpectedEof, why)))
        } else {
            Ok(())
        });
    }
}

impl<F: Feed> Text for Members<F> {
    fn read(&mut self, output: &mut [u8]) -> Result<usize, Stop> {
        let mut filled = 0;
        while filled < output.len() && self.end.is_none() {
            let moved = if self.inside {
                self.run(&mut output[filled..])
            } else {
                self.begin().then_some(0)
            };
            match moved {
                Some(written) => filled += written,
                // Handed over before more is waited for.
                None if filled > 0 => break,
                None => {
                    self.raw.fill(self.inside)?;
                    if self.raw.ended && (self.inside || self.raw.bytes().is_empty()) {
                        self.close();
                    }
                }
            }
        }
        match &mut self.end {
            Some(end) if filled == 0 => std::mem::replace(end, Ok(())).map(|()| 0),
            _ => Ok(filled),
        }
    }
}

/// A text as a reader. A last line that is whole has its end, so it is not lost to the error after it.
pub(super) struct Ended<T> {
    text: T,
    /// The last byte that was read.
    last: u8,
    /// The error behind a line end that was added.
    error: Option<io::Error>,
}

impl<T: Text> Ended<T> {
    pub(super) fn new(text: T) -> Self {
        Self { text, last: b'\n', error: None }
    }
}

impl<T: Text> Read for Ended<T> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if buffer.is_empty() {
            return Ok(0);
        }
        if let Some(error) = self.error.take() {
            return Err(error);
        }
        match self.text.read(buffer) {
            Ok(0) => Ok(0),
            Ok(bytes) => {
                self.last = buffer[bytes - 1];
                Ok(bytes)
            }
            Err(Stop::Followed(error)) if self.last != b'\n' => {
                (buffer[0], self.last, self.error) = (b'\n', b'\n', Some(error));
                Ok(1)
            }
            Err(Stop::Followed(error) | Stop::Failed(error)) => Err(error),
            Err(Stop::Panicked(payload)) => resume_unwind(payload),
            Err(Stop::Abandoned) => Err(ErrorKind::BrokenPipe.into()),
        }
    }
}
