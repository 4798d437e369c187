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

use crate::Grouped;
use std::io::{self, Chain, Cursor, ErrorKind, Read, Take};
use std::mem;

/// A format that is decompressed here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Format {
    /// RFC 1952: members, one after the other.
    Gzip,
    /// RFC 8878: frames, one after the other, some of them to be skipped.
    Zstd,
}

impl Format {
    /// What messages call it.
    const fn name(self) -> &'static str {
        match self {
            Self::Gzip => "gzip",
            Self::Zstd => "zstd",
        }
    }
}

/// What bytes are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Text,
    Packed(Format),
    /// What they are, and what to do with them.
    Refused(&'static str),
}

/// The most bytes that it takes to tell.
pub(super) const LONGEST: usize = 6;

/// How each kind but text begins. Of the first byte only these bits count: a zstd frame that is
/// to be skipped begins with any of 16.
const KINDS: [(u8, &[u8], Kind); 14] = [
    (0xff, b"\x1f\x8b", Kind::Packed(Format::Gzip)),
    (0xff, b"\x28\xb5\x2f\xfd", Kind::Packed(Format::Zstd)),
    (0xf0, b"\x50\x2a\x4d\x18", Kind::Packed(Format::Zstd)),
    (
        0xff,
        b"\xfd7zXZ\0",
        Kind::Refused("is compressed with xz, which is not read: xz -dc FILE | ninefold COMMAND -"),
    ),
    (
        0xff,
        b"BZh",
        Kind::Refused(
            "is compressed with bzip2, which is not read: bzip2 -dc FILE | ninefold COMMAND -",
        ),
    ),
    (
        0xff,
        b"\x04\x22\x4d\x18",
        Kind::Refused(
            "is compressed with lz4, which is not read: lz4 -dc FILE | ninefold COMMAND -",
        ),
    ),
    (
        0xff,
        b"PK\x03\x04",
        Kind::Refused("is a zip archive, which is not read: unzip -p FILE | ninefold COMMAND -"),
    ),
    (
        0xff,
        b"7z\xbc\xaf\x27\x1c",
        Kind::Refused("is a 7z archive, which is not read: 7z x -so FILE | ninefold COMMAND -"),
    ),
    (
        0xff,
        b"PAR1",
        Kind::Refused(
            "is a Parquet file in a pipe or compressed, where its parts cannot be found: write it to \
             a file and name that",
        ),
    ),
    (
        0xff,
        b"ARROW1",
        Kind::Refused(
            "is an Arrow file, which is not read: write it as Parquet, for example with polars: \
             pl.read_ipc('FILE').write_parquet('FILE.parquet')",
        ),
    ),
    // Before UTF-16, which begins as the first of them does.
    (0xff, b"\xff\xfe\0\0", Kind::Refused(UTF_32)),
    (0xff, b"\0\0\xfe\xff", Kind::Refused(UTF_32)),
    (0xff, b"\xff\xfe", Kind::Refused(UTF_16)),
    (0xff, b"\xfe\xff", Kind::Refused(UTF_16)),
];

const UTF_16: &str =
    "is UTF-16 text, which is not read: iconv -f UTF-16 -t UTF-8 FILE | ninefold COMMAND -";

const UTF_32: &str =
    "is UTF-32 text, which is not read: iconv -f UTF-32 -t UTF-8 FILE | ninefold COMMAND -";

/// Whether both are the same as far as they go.
fn agree(bits: u8, magic: &[u8], head: &[u8]) -> bool {
    let first = magic.first().zip(head.first()).is_none_or(|(&a, &b)| a == b & bits);
    first && magic.iter().zip(head).skip(1).all(|(a, b)| a == b)
}

/// Whether more bytes might make these the beginning of something else.
fn is_undecided(head: &[u8]) -> bool {
    KINDS.iter().any(|(bits, magic, _)| head.len() < magic.len() && agree(*bits, magic, head))
}

/// The format that these bytes begin, or none if they are text.
///
/// # Errors
/// They begin something that cannot be read; what that is, and what to do about it.
pub(super) fn format_of(head: &[u8]) -> io::Result<Option<Format>> {
    let begins = |(bits, magic, _): &&(u8, &[u8], Kind)| {
        head.len() >= magic.len() && agree(*bits, magic, head)
    };
    match KINDS.iter().find(begins).map_or(Kind::Text, |(_, _, kind)| *kind) {
        Kind::Text => Ok(None),
        Kind::Packed(format) if cfg!(feature = "compression") => Ok(Some(format)),
        Kind::Packed(format) => Err(left_out(format)),
        Kind::Refused(why) => Err(io::Error::new(io::ErrorKind::InvalidData, why)),
    }
}

/// What is said by a program that was built to decompress nothing.
fn left_out(format: Format) -> io::Error {
    let name = format.name();
    let why =
        format!("is compressed with {name}, which this build leaves out (--features compression)");
    io::Error::new(io::ErrorKind::Unsupported, why)
}

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
    /// Nothing is read before the first read from it.
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
        if next.is_empty() || is_undecided(next) && !self.raw.ended {
            return None;
        }
        if matches!(format_of(next), Ok(Some(format)) if format == self.format) {
            self.codec.restart();
            self.inside = true;
            return Some(0);
        }
        self.fail(&format!("ends after {} bytes, and other bytes follow", Grouped(self.raw.taken)));
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

/// The crates `flate2` (with `zlib-rs`) and `zstd`, member by member.
#[cfg(feature = "compression")]
mod codec {
    use super::{Codec, Format, Step};
    use flate2::{Decompress, FlushDecompress};
    use std::io;
    use zstd::zstd_safe::{DCtx, DParameter, InBuffer, OutBuffer, get_error_name};

    /// Powers of two that a zstd frame may look back on: 128 MiB, as zstd(1) has it.
    ///
    /// `zstd -1` to `-19` take 8 MiB at most, `--ultra -22` and `--long` take all of it.
    const MOST_WINDOW_LOG: u32 = 27;

    /// A codec, before its first member.
    pub(super) fn of(format: Format) -> io::Result<Box<dyn Codec>> {
        Ok(match format {
            Format::Gzip => Box::new(Gzip(gzip())),
            Format::Zstd => Box::new(Zstd::new()?),
        })
    }

    struct Gzip(Decompress);

    /// Header, deflated bytes, and a trailer whose checksum is compared.
    fn gzip() -> Decompress {
        const LARGEST_WINDOW_LOG: u8 = 15;
        Decompress::new_gzip(LARGEST_WINDOW_LOG)
    }

    impl Codec for Gzip {
        fn restart(&mut self) {
            self.0 = gzip();
        }

        fn run(&mut self, input: &[u8], output: &mut [u8]) -> Step {
            let before = (self.0.total_in(), self.0.total_out());
            let status = self.0.decompress(input, output, FlushDecompress::None);
            let since = |total: u64, before| {
                usize::try_from(total - before).expect("no more than the slice that it is part of")
            };
            Step {
                read: since(self.0.total_in(), before.0),
                written: since(self.0.total_out(), before.1),
                ended: match status {
                    Ok(status) => Ok(status == flate2::Status::StreamEnd),
                    Err(error) => Err(damaged(error.message().unwrap_or("no deflate stream"))),
                },
            }
        }
    }

    struct Zstd {
        context: DCtx<'static>,
        /// How much input makes the next step: a block, and the header of the one after it.
        wanted: usize,
        /// Whether the last step filled the output, so that there may be more of it.
        full: bool,
    }

    impl Zstd {
        fn new() -> io::Result<Self> {
            let mut context = DCtx::try_create().ok_or(io::ErrorKind::OutOfMemory)?;
            let set = context.set_parameter(DParameter::WindowLogMax(MOST_WINDOW_LOG));
            set.map_err(|code| io::Error::other(get_error_name(code)))?;
            Ok(Self { context, wanted: 0, full: false })
        }

        fn step(&mut self, input: &[u8], output: &mut [u8]) -> Step {
            let room = output.len();
            let (mut input, mut output) = (InBuffer::around(input), OutBuffer::around(output));
            let result = self.context.decompress_stream(&mut output, &mut input);
            let (read, written) = (input.pos(), output.pos());
            self.full = written == room;
            self.wanted = result.unwrap_or(0);
            let ended = result.map(|wanted| wanted == 0).map_err(zstd_says);
            Step { read, written, ended }
        }
    }

    impl Codec for Zstd {
        fn restart(&mut self) {
            // A frame begins by itself where the last one ended; it wants its magic and one byte.
            (self.wanted, self.full) = (5, false);
        }

        /// A step that fails says nothing of what it wrote. So each is to fail or to write: it takes
        /// one block at most, and none before all of the last is written.
        fn run(&mut self, input: &[u8], output: &mut [u8]) -> Step {
            if self.full {
                let step = self.step(&[], output);
                if step.written > 0 || step.ended != Ok(false) {
                    return step;
                }
            }
            let wanted = input.len().min(self.wanted);
            self.step(&input[..wanted], output)
        }
    }

    /// What is wrong, in words that follow "zstd data".
    fn zstd_says(code: usize) -> String {
        match get_error_name(code) {
            "Frame requires too much memory for decoding" => format!(
                "looks back on more than {} MiB: zstd -dc --long=31 FILE | ninefold COMMAND -",
                (1_u64 << MOST_WINDOW_LOG) >> 20
            ),
            "Dictionary mismatch" => {
                "was made with a dictionary: zstd -dc -D DICTIONARY FILE | ninefold COMMAND -"
                    .to_owned()
            }
            name => damaged(name),
        }
    }

    fn damaged(what: &str) -> String {
        format!("is damaged: {what}")
    }
}

/// A build without the feature `compression` has no codec.
#[cfg(not(feature = "compression"))]
mod codec {
    use super::{Codec, Format, left_out};
    use std::io;

    pub(super) fn of(format: Format) -> io::Result<Box<dyn Codec>> {
        Err(left_out(format))
    }
}

#[cfg(test)]
mod magic_tests {
    use super::*;

    #[test]
    fn every_kind_is_known_by_its_first_bytes_and_not_by_fewer() {
        for (_, magic, kind) in KINDS {
            assert!(magic.len() <= LONGEST);
            for length in 0..magic.len() {
                assert!(is_undecided(&magic[..length]), "{magic:?} {length}");
                // UTF-32 begins as UTF-16 does, which is refused, too.
                let refused = magic[..length].starts_with(b"\xff\xfe");
                assert!(refused || format_of(&magic[..length]).unwrap().is_none(), "{magic:?}");
            }
            let longer = [magic, b"and more"].concat();
            for head in [magic, &longer] {
                assert!(!is_undecided(head) || head == b"\xff\xfe");
                match (kind, format_of(head)) {
                    (Kind::Refused(why), Err(error)) => assert_eq!(error.to_string(), why),
                    (Kind::Packed(expected), Ok(found)) => assert_eq!(found, Some(expected)),
                    (Kind::Packed(_), Err(_)) if !cfg!(feature = "compression") => {}
                    (kind, found) => panic!("{kind:?} instead of {found:?}"),
                }
            }
        }
    }

    #[test]
    fn text_is_text_as_soon_as_it_can_be_nothing_else() {
        let texts: [&[u8]; 8] =
            [b"5", b"7\n", b"7z,", b".", b"\xef\xbb\xbf", b"P,", b"\x1f\n", b"\x60\x2a\x4d\x18"];
        for head in texts {
            assert!(!is_undecided(head), "{head:?}");
            assert_eq!(format_of(head).unwrap(), None, "{head:?}");
        }
    }

    #[test]
    fn sixteen_kinds_of_zstd_frame_are_to_be_skipped() {
        for first in 0..=u8::MAX {
            let zstd =
                matches!(format_of(&[first, 0x2a, 0x4d, 0x18]), Ok(Some(Format::Zstd)) | Err(_));
            assert_eq!(zstd, (0x50..0x60).contains(&first), "{first:#x}");
        }
    }

    /// So no line is held back with the bytes that may still become a magic number.
    #[test]
    fn no_magic_has_a_line_end() {
        assert!(KINDS.iter().all(|(_, magic, _)| !magic.contains(&b'\n')));
    }
}

#[cfg(all(test, feature = "compression"))]
mod tests;
