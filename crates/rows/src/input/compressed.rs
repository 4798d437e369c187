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
//! | `starts` | where members begin, found without decompressing |
//! | `ahead` | the threads |
//!
//! Crates: `zlib-rs` takes 0.18 to 0.20 s for a million plain lines of gzip (82 MB), `libdeflate` 0.13
//! to 0.15, `zune-inflate` 0.26 to 0.28. The last two decompress whole members in memory alone, and
//! most files of gzip are one member, so neither can be used in fixed memory. `zstd` takes
//! 0.136 s, block by block as well as with a whole frame in memory. (Xeon, one core, least of seven.)
//! `igzip` is no faster here: 0.20 s, through Python, when `zlib-rs` took 0.21.

mod ahead;
#[cfg_attr(not(feature = "compression"), path = "compressed/no_codec.rs")]
mod codec;
mod format;
mod members;
mod starts;

pub(super) use ahead::Threads;
pub(super) use format::{LONGEST, format_of};

use ahead::{Ahead, Sizes};
use format::{Format, is_undecided};
use members::{Ended, Members};
use std::io::{self, Chain, Cursor, ErrorKind, Read, Take};
use std::mem;

/// A reader whose first bytes have been looked at and put back.
type Headed<R> = Chain<Cursor<Vec<u8>>, Take<R>>;

/// Decompresses what a reader gives, if it is compressed.
pub(super) struct Decoder {
    reader: Box<dyn Read + Send>,
    /// How many other threads decompress; none if the reader's own thread does.
    threads: Option<Threads>,
    judged: bool,
}

impl Decoder {
    /// Decompresses when it is read, for the head of an input. Nothing is read before the first read
    /// from it.
    pub(super) fn new(reader: impl Read + Send + 'static) -> Self {
        Self { reader: Box::new(reader), threads: None, judged: false }
    }

    /// Decompresses ahead of the reads from it, on other threads. Nothing is read before the first.
    pub(super) fn ahead(reader: impl Read + Send + 'static, threads: &Threads) -> Self {
        Self { threads: Some(threads.clone()), ..Self::new(reader) }
    }

    /// Looks at the first bytes, with this room for them.
    fn judge(&mut self, room: &mut [u8]) -> io::Result<()> {
        self.judged = true;
        let (format, reader) = head(mem::replace(&mut self.reader, Box::new(io::empty())), room)?;
        self.reader = match format {
            None => Box::new(reader),
            Some(format) => {
                let text: Box<dyn Read + Send> = if let Some(threads) = self.threads.take() {
                    let ahead = Ahead::start(reader, format, threads, Sizes::default())?;
                    Box::new(Ended::new(ahead))
                } else {
                    let members = Members::new(reader, 0, format, codec::of(format)?);
                    Box::new(Ended::new(members))
                };
                let (inner, text) = head(text, room)?;
                if let Some(inner) = inner {
                    let (inner, outer) = (inner.name(), format.name());
                    let mend = format!("{outer} -dc FILE | ninefold COMMAND -");
                    let why = format!("is {inner} data within {outer} data: {mend}");
                    return Err(io::Error::new(ErrorKind::InvalidData, why));
                }
                Box::new(text)
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
/// read at a time as the caller has room for, so the caller gets the same bytes as from the reader.
fn head<R: Read>(mut reader: R, room: &mut [u8]) -> io::Result<(Option<Format>, Headed<R>)> {
    let mut head = Vec::new();
    loop {
        let bytes = match reader.read(room) {
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            result => result?,
        };
        head.extend_from_slice(&room[..bytes]);
        if bytes == 0 || !is_undecided(&head) {
            let format = format_of(&head)?;
            // A terminal whose end was seen is not asked again.
            let limit = if bytes == 0 { 0 } else { u64::MAX };
            return Ok((format, Cursor::new(head).chain(reader.take(limit))));
        }
    }
}

#[cfg(all(test, feature = "compression"))]
mod tests;
