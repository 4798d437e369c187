//! A stream as it was before it was compressed; one that is not compressed, as it stands.
//!
//! ```text
//! stream ─ first bytes ─┬─ text ───────────────────────> as they come
//!                       └─ gzip, zstd ─┬─ members ──────> first bytes looked at again
//!                                      └─ ahead: members on other threads
//! ```
//!
//! What has been decompressed is handed over before more is waited for, so a slow producer that
//! flushes what it compresses sees its answers at once. What is wrong is said after all bytes
//! before it. Memory is bounded: what `ahead` lets wait, and what a member looks back on, which is 32
//! KiB for gzip, for zstd what the frame says, up to 128 MiB.
//!
//! | file | content |
//! | --- | --- |
//! | `format` | formats, told by the first bytes |
//! | `codec` | the crates that decompress a member |
//! | `members` | members one after the other; what is wrong with them |
//! | `ahead` | the threads, and where members begin for each of them |
//! | `cut` | where members begin for shards |
//!
//! Crates: `zlib-rs` takes 0.18 to 0.20 s for a million plain lines of gzip (82 MB), `libdeflate` 0.13
//! to 0.15, `zune-inflate` 0.26 to 0.28. The last two decompress whole members in memory alone, and
//! most files of gzip are one member, so neither can be used in fixed memory. `zstd` takes
//! 0.136 s, block by block as well as with a whole frame in memory. (Xeon, one core, least of seven.)
//! `igzip` is no faster here: 0.20 s, through Python, when `zlib-rs` took 0.21.

mod ahead;
#[cfg_attr(not(feature = "compression"), path = "compressed/no_codec.rs")]
mod codec;
mod cut;
mod format;
mod members;

pub(super) use cut::{member_from, text_of};
pub(super) use format::{Format, LONGEST, format_of};

use super::stream::uninterrupted;
use ahead::{Ahead, Sizes};
use format::is_undecided;
use members::{Members, RAW_BYTES};
use std::io::{self, Cursor, ErrorKind, Read};

/// Decompresses what a reader gives, if it is compressed. Nothing is read before the first read from it.
pub(super) struct Decoder {
    reader: Box<dyn Read + Send>,
    /// The reader's members, if it is compressed and this thread decompresses it.
    members: Option<Members>,
    /// Whether the first bytes have been looked at.
    is_judged: bool,
    /// Text that comes before the reader's, and the error that follows it.
    back: Cursor<Vec<u8>>,
    error: Option<io::Error>,
}

impl Decoder {
    pub(super) fn new(reader: impl Read + Send + 'static) -> Self {
        let (reader, back) = (Box::new(reader), Cursor::default());
        Self { reader, members: None, is_judged: false, back, error: None }
    }

    /// Decompresses ahead of the reads from it, on this many other threads.
    pub(super) fn ahead(mut self, threads: usize) -> io::Result<Self> {
        self.judge()?;
        if let Some(members) = self.members.take() {
            let ahead = Ahead::start(self.reader, members, threads, Sizes::default())?;
            self.reader = Box::new(ahead);
        }
        Ok(self)
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
        let mut members = Members::new(format, 0, u64::MAX);
        let mut reader = Cursor::new(bytes).chain(reader);
        let (inner, text, _) = head(|room| members.read(&mut reader, room))?;
        if let Some(inner) = inner {
            let (inner, outer) = (inner.name(), format.name());
            let mend = format!("{outer} -dc FILE | ninefold COMMAND -");
            let why = format!("is {inner} data within {outer} data: {mend}");
            return Err(io::Error::new(ErrorKind::InvalidData, why));
        }
        (self.reader, self.members) = (Box::new(reader), Some(members));
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
        match (self.error.take(), &mut self.members) {
            (Some(error), _) => Err(error),
            (None, Some(members)) => members.read(&mut self.reader, buffer),
            (None, None) => self.reader.read(buffer),
        }
    }
}

/// The first bytes, the format that they tell, and whether there are no more.
fn head(
    mut read: impl FnMut(&mut [u8]) -> io::Result<usize>,
) -> io::Result<(Option<Format>, Vec<u8>, bool)> {
    let (mut head, mut room) = (Vec::new(), vec![0; RAW_BYTES]);
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
