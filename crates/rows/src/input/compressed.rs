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
//! | `step` | the result of one call of a codec |
//! | `codec` | the crates that decompress a member |
//! | `members` | members one after the other; what is wrong with them |
//!
//! Crates: `zlib-rs` takes 0.18 to 0.20 s for a million plain lines of gzip (82 MB), `libdeflate` 0.13
//! to 0.15, `zune-inflate` 0.26 to 0.28. The last two decompress whole members in memory alone, and
//! most files of gzip are one member, so neither can be used in fixed memory. `zstd` takes
//! 0.136 s, block by block as well as with a whole frame in memory. (Xeon, one core, least of seven.)
//! `igzip` is no faster here: 0.20 s, through Python, when `zlib-rs` took 0.21.

#[cfg_attr(not(feature = "compression"), path = "compressed/no_codec.rs")]
mod codec;
mod format;
mod members;
mod step;

pub(super) use format::{CompressionFormat, LONGEST, format_of};

use super::stream::uninterrupted;
use format::is_undecided;
use members::MemberReader;
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
    /// Text that comes before the reader's, and the error that follows it.
    back: Cursor<Vec<u8>>,
    error: Option<io::Error>,
}

impl Decoder {
    pub(super) fn new(reader: impl Read + Send + 'static) -> Self {
        let (reader, back) = (Box::new(reader), Cursor::default());
        Self { reader, format: None, is_judged: false, back, error: None }
    }

    /// The format of a reader that is compressed, as soon as something was read.
    pub(super) const fn format(&self) -> Option<CompressionFormat> {
        self.format
    }

    /// Puts back what was read last, and the error that came after it.
    pub(super) fn put_back(&mut self, mut text: Vec<u8>, error: Option<io::Error>) {
        self.back.read_to_end(&mut text).expect("memory can be read");
        (self.back, self.error) = (Cursor::new(text), error);
    }

    /// Looks at the first bytes, and at the first bytes of the text within.
    fn judge(&mut self) -> io::Result<()> {
        if std::mem::replace(&mut self.is_judged, true) {
            return Ok(());
        }
        let empty = || Box::new(io::empty());
        let mut reader: Box<dyn Read + Send> = std::mem::replace(&mut self.reader, empty());
        let (format, bytes, is_over) = head(|room| reader.read(room))?;
        let Some(format) = format else {
            // A terminal whose end was seen is not asked again.
            self.reader = if is_over { empty() } else { reader };
            self.back = Cursor::new(bytes);
            return Ok(());
        };
        let mut members = MemberReader::new(Cursor::new(bytes).chain(reader), format);
        let (inner, text, _) = head(|room| members.read(room))?;
        if let Some(inner) = inner {
            let (inner, outer) = (inner.name(), format.name());
            let mend = format!("{outer} -dc FILE | ninefold COMMAND -");
            let why = format!("is {inner} data within {outer} data: {mend}");
            return Err(io::Error::new(ErrorKind::InvalidData, why));
        }
        (self.reader, self.format) = (Box::new(members), Some(format));
        self.back = Cursor::new(text);
        Ok(())
    }
}

impl Read for Decoder {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if buffer.is_empty() {
            return Ok(0);
        }
        self.judge()?;
        let bytes = self.back.read(buffer)?;
        if bytes > 0 {
            return Ok(bytes);
        }
        self.error.take().map_or_else(|| self.reader.read(buffer), Err)
    }
}

/// The first bytes, the format that they tell, and whether there are no more.
fn head(
    mut read: impl FnMut(&mut [u8]) -> io::Result<usize>,
) -> io::Result<(Option<CompressionFormat>, Vec<u8>, bool)> {
    let (mut head, mut room) = (Vec::new(), vec![0; HEAD_BYTES]);
    loop {
        let bytes = uninterrupted(|| read(&mut room))?;
        head.extend_from_slice(&room[..bytes]);
        if bytes == 0 || !is_undecided(&head) {
            return Ok((format_of(&head)?, head, bytes == 0));
        }
    }
}

#[cfg(all(test, feature = "compression"))]
mod tests;
