//! A stream as it was before it was compressed; one that is not compressed, as it stands.
//!
//! ```text
//! stream ─ first bytes ─┬─ text ──────────────────> as they come
//!                       └─ gzip, zstd ── members ─> first bytes looked at again
//! ```
//!
//! The thread that reads decompresses, into the memory of the chunks. Text is handed over before more
//! compressed bytes are waited for, so a slow producer that flushes what it compresses sees its answers
//! at once. An error is reported after all bytes before it. Memory is bounded by the window of a member:
//! 32 KiB for gzip, for zstd what the frame says, up to 128 MiB.
//!
//! | file | content |
//! | --- | --- |
//! | `format` | formats, told by the first bytes |
//! | `codec` | the crates that decompress a member |
//! | `members` | members one after the other; what is wrong with them |
//!
//! Crates: `zlib-rs` takes 0.18 to 0.20 s for a million plain lines of gzip (82 MB), `libdeflate` 0.13
//! to 0.15, `zune-inflate` 0.26 to 0.28. The last two decompress whole members in memory alone, and
//! most files of gzip are one member, so neither can be used in fixed memory. `zstd` takes
//! 0.136 s, block by block as well as with a whole frame in memory. (Xeon, one core, least of seven.)
//! `igzip` is no faster here: 0.20 s, through Python, when `zlib-rs` took 0.21.

#[cfg(feature = "compression")]
mod codec;
mod format;
#[cfg(feature = "compression")]
mod members;

pub(super) use format::{CompressionFormat, LONGEST, format_of};

use super::stream::{LazyText, uninterrupted};
use format::is_undecided;
use std::io::{self, Cursor, ErrorKind, Read};

/// Bytes of text in which a format is looked for: those of one read.
const HEAD_BYTES: usize = 64 * 1024;

/// Decompresses what a reader gives, if it is compressed. Nothing is read before the first read from it.
pub(super) struct Decoder {
    reader: Box<dyn Read + Send>,
    /// The format that was undone, if there is one.
    format: Option<CompressionFormat>,
    /// Whether the first bytes have been looked at.
    is_judged: bool,
    /// A regular file, which need not be waited for.
    pub(super) is_file: bool,
}

impl Decoder {
    pub(super) fn new(reader: impl Read + Send + 'static) -> Self {
        Self { reader: Box::new(reader), format: None, is_judged: false, is_file: false }
    }

    /// The format of a reader that is compressed, as soon as something was read.
    pub(super) const fn format(&self) -> Option<CompressionFormat> {
        self.format
    }

    /// Puts back what was read last, and the error that came after it.
    pub(super) fn put_back(&mut self, text: Vec<u8>, mut error: Option<io::Error>) {
        let error = LazyText::by(move |_| error.take().map_or(Ok(()), Err));
        self.reader = Box::new(Cursor::new(text).chain(error).chain(self.take_reader()));
    }

    /// The reader, in place of which there is none.
    fn take_reader(&mut self) -> Box<dyn Read + Send> {
        std::mem::replace(&mut self.reader, Box::new(io::empty()))
    }

    /// Looks at the first bytes, and at the first bytes of the text within.
    fn judge(&mut self) -> io::Result<()> {
        let (format, whole) = judged(self.take_reader())?;
        let Some(outer) = format else {
            self.reader = whole;
            return Ok(());
        };
        let (inner, text) = judged(members(whole, outer))?;
        if let Some(inner) = inner {
            let (inner, outer) = (inner.name(), outer.name());
            let mend = format!("{outer} -dc FILE | ninefold COMMAND -");
            let why = format!("is {inner} data within {outer} data: {mend}");
            return Err(io::Error::new(ErrorKind::InvalidData, why));
        }
        (self.reader, self.format) = (text, format);
        Ok(())
    }
}

impl Read for Decoder {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if !std::mem::replace(&mut self.is_judged, true) {
            self.judge()?;
        }
        self.reader.read(buffer)
    }
}

/// The text of these members.
#[cfg(feature = "compression")]
fn members(reader: Box<dyn Read + Send>, format: CompressionFormat) -> Box<dyn Read + Send> {
    Box::new(members::MemberReader::new(reader, format))
}

#[cfg(not(feature = "compression"))]
fn members(_: Box<dyn Read + Send>, format: CompressionFormat) -> Box<dyn Read + Send> {
    unreachable!("format_of refuses {format:?}")
}

/// The format that the first bytes tell, and all that the reader gives, these included.
fn judged(
    mut reader: Box<dyn Read + Send>,
) -> io::Result<(Option<CompressionFormat>, Box<dyn Read + Send>)> {
    let (mut head, mut room) = (Vec::new(), vec![0; HEAD_BYTES]);
    loop {
        let bytes = uninterrupted(|| reader.read(&mut room))?;
        head.extend_from_slice(&room[..bytes]);
        if bytes == 0 {
            // A terminal whose end was seen is not asked again.
            reader = Box::new(io::empty());
        }
        if bytes == 0 || !is_undecided(&head) {
            return Ok((format_of(&head)?, Box::new(Cursor::new(head).chain(reader))));
        }
    }
}

#[cfg(all(test, feature = "compression"))]
mod tests;
