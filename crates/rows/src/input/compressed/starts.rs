//! Where members begin, found without decompressing them.
//!
//! ```text
//! zstd   frame  ┌header│block│block│last block│sum┐┌header│…     every length is written: exact
//! gzip   member ┌1f 8b 08 …│deflated bits │sum,length┐┌1f 8b 08 …  no length: a guess, which is checked
//! ```
//!
//! A gzip header is 10 bytes, of which 25 bits and two more bytes are known; in deflated bytes they
//! occur by chance once in 200 GB. [`ahead`](super::ahead) finds that out: a place is the
//! start of a member if the member before ends there.

use super::format::Format;

/// Finds the starts of members in bytes that come in pieces.
pub(super) enum Starts {
    Gzip {
        finder: Box<memchr::memmem::Finder<'static>>,
        /// Whether the next byte is the start that was found last.
        is_at_start: bool,
    },
    Zstd(Frames),
}

/// The first bytes of a gzip member: magic and method.
const GZIP_MAGIC: &[u8] = b"\x1f\x8b\x08";

/// All of a gzip header without optional fields.
const GZIP_HEADER_BYTES: usize = 10;

impl Starts {
    /// The first byte is the start of a member.
    pub(super) fn of(format: Format) -> Self {
        match format {
            Format::Gzip => {
                let finder = memchr::memmem::Finder::new(GZIP_MAGIC);
                Self::Gzip { finder: Box::new(finder), is_at_start: true }
            }
            Format::Zstd => Self::Zstd(Frames::new()),
        }
    }

    /// How many of these bytes are before the next start; none if it is not among them. The bytes
    /// continue those that were before the last start, or all of the last.
    pub(super) fn next(&mut self, bytes: &[u8]) -> Option<usize> {
        match self {
            Self::Gzip { finder, is_at_start } => {
                let mut at = usize::from(std::mem::take(is_at_start));
                while let Some(found) = bytes.get(at..).and_then(|bytes| finder.find(bytes)) {
                    at += found;
                    if is_gzip_header(&bytes[at..]) {
                        *is_at_start = true;
                        return Some(at);
                    }
                    at += 1;
                }
                None
            }
            Self::Zstd(frames) => frames.next(bytes),
        }
    }

    /// How many bytes the frames look back on whose headers were passed since the last call.
    pub(super) fn take_window(&mut self) -> u64 {
        match self {
            Self::Gzip { .. } => 0,
            Self::Zstd(frames) => std::mem::take(&mut frames.window),
        }
    }
}

/// Whether these bytes begin like a header that a program writes. A header that is split between two
/// pieces is not recognized, and no start is missed in files that are read 64 KiB at a time but one of
/// 7,000.
fn is_gzip_header(bytes: &[u8]) -> bool {
    let Some(header) = bytes.get(..GZIP_HEADER_BYTES) else { return false };
    let (flags, effort, system) = (header[3], header[8], header[9]);
    flags < 0x20 && matches!(effort, 0 | 2 | 4) && (system < 14 || system == 255)
}

/// Walks from header to header (RFC 8878, 3.1).
pub(super) struct Frames {
    part: Part,
    /// The bytes of this part so far.
    header: [u8; Self::LONGEST],
    filled: usize,
    /// Bytes until the next part.
    skip: u64,
    /// Whether a frame ends there.
    is_last: bool,
    /// Whether the frame has a checksum.
    is_summed: bool,
    window: u64,
}

/// What is read next.
#[derive(Clone, Copy)]
enum Part {
    Magic,
    /// How long a frame is that is to be skipped.
    Length,
    Descriptor,
    /// The rest of a frame's header, by the descriptor.
    Header(u8),
    Block,
    /// Damaged bytes: no more starts are known.
    Lost,
}

impl Part {
    /// How many bytes it has.
    fn bytes(self) -> usize {
        match self {
            Self::Magic | Self::Length => 4,
            Self::Descriptor => 1,
            Self::Header(descriptor) => {
                let window = usize::from(!is_single(descriptor));
                let dictionary = [0, 1, 2, 4][usize::from(descriptor & 3)];
                window + dictionary + content_bytes(descriptor)
            }
            Self::Block => 3,
            Self::Lost => 0,
        }
    }
}

/// Whether the frame looks back on all of its content.
const fn is_single(descriptor: u8) -> bool {
    descriptor & 0x20 != 0
}

/// How many bytes say how long the content is.
fn content_bytes(descriptor: u8) -> usize {
    [usize::from(is_single(descriptor)), 2, 4, 8][usize::from(descriptor >> 6)]
}

/// A number whose lowest byte comes first.
fn number(bytes: &[u8]) -> u64 {
    bytes.iter().rev().fold(0, |number, &byte| number << 8 | u64::from(byte))
}

impl Frames {
    /// A frame's header without magic and descriptor: window, dictionary and length of the content.
    const LONGEST: usize = 1 + 4 + 8;

    fn new() -> Self {
        Self {
            part: Part::Magic,
            header: [0; Self::LONGEST],
            filled: 0,
            skip: 0,
            is_last: false,
            is_summed: false,
            window: 0,
        }
    }

    fn next(&mut self, bytes: &[u8]) -> Option<usize> {
        let mut at = 0;
        loop {
            let rest = &bytes[at..];
            let skip = usize::try_from(self.skip).unwrap_or(usize::MAX).min(rest.len());
            (at, self.skip) = (at + skip, self.skip - skip as u64);
            if self.skip > 0 {
                return None;
            }
            if std::mem::take(&mut self.is_last) {
                return Some(at);
            }
            let rest = &bytes[at..];
            let (filled, wanted) = (self.filled, self.part.bytes());
            let taken = (wanted - filled).min(rest.len());
            self.header[filled..filled + taken].copy_from_slice(&rest[..taken]);
            (at, self.filled) = (at + taken, filled + taken);
            if self.filled < wanted || matches!(self.part, Part::Lost) {
                return None;
            }
            self.filled = 0;
            self.part = self.after(wanted);
        }
    }

    /// The part after this one, which has so many bytes.
    fn after(&mut self, bytes: usize) -> Part {
        let header = &self.header[..bytes];
        match self.part {
            Part::Magic if header == b"\x28\xb5\x2f\xfd" => Part::Descriptor,
            Part::Magic if header[0] & 0xf0 == 0x50 && header[1..] == *b"\x2a\x4d\x18" => {
                Part::Length
            }
            Part::Magic | Part::Lost => Part::Lost,
            Part::Length => {
                (self.skip, self.is_last) = (number(header), true);
                Part::Magic
            }
            Part::Descriptor => Part::Header(header[0]),
            Part::Header(descriptor) => {
                let window = if is_single(descriptor) {
                    number(&header[bytes - content_bytes(descriptor)..])
                } else {
                    let base = 1_u64 << (10 + (header[0] >> 3));
                    base + base / 8 * u64::from(header[0] & 7)
                };
                self.window = self.window.max(window);
                self.is_summed = descriptor & 4 != 0;
                Part::Block
            }
            Part::Block => {
                let block = number(header);
                self.skip = match block >> 1 & 3 {
                    // One byte that is repeated.
                    1 => 1,
                    3 => return Part::Lost,
                    _ => block >> 3,
                };
                if block & 1 == 0 {
                    return Part::Block;
                }
                self.skip += if self.is_summed { 4 } else { 0 };
                self.is_last = true;
                Part::Magic
            }
        }
    }
}
