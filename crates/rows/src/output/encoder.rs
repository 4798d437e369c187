//! Gzip and zstd, written: the crates `flate2` (with `zlib-rs`) and `zstd`.
//!
//! A block of text is packed by itself, so any thread can do it. Blocks have a fixed number of bytes of text:
//! cutting them by time would make the output depend on the clock.
//!
//! ```text
//! gzip   header ─ block ─ block ─ block ─ checksum      one member: nothing ties a block of deflate, which ends
//!                                                       with a flush, to the state of the encoder before it
//! zstd   frame ─ frame ─ frame                          a block of zstd may refer to the block before it, so each
//!                                                       block of text is a frame
//! ```
//!
//! The libraries that read tables read several frames (docs/output.md has a list). Of several gzip members
//! `GzDecoder` of `flate2` reads the first without an error, so there is only one.
//!
//! Only a complete output has its end ([`Encode::end`]): a program that decompresses an interrupted output reports that
//! it is truncated. To this end, an interrupted file of frames ends with the first bytes of another one.

use super::encoding::Encoding;
use super::press::{BLOCK_BYTES, BlockEnd, Encode, Encoder, Pack, Packet};
use super::table::Table;
use crate::extent::{Extent, Hashed};
use crate::lock;
use flate2::read::GzDecoder;
use flate2::{Compress, Compression, Crc, CrcReader, FlushCompress};
use std::io::{self, BufRead, BufReader, ErrorKind, Read, Write};
use std::mem;
use std::sync::Mutex;
use zstd::bulk::Compressor;
use zstd::stream::read::Decoder as ZstdDecoder;

/// Level of gzip: the first that looks for the digits that are frequent, too.
///
/// 400,000 solutions, all different, on one core of a Xeon, roughly: level 1 makes 72 % of them at
/// 135 MB/s, 2 makes 46 % at 130, 3 makes 44 % at 110, 6 makes 44 % at 65.
const GZIP_LEVEL: u32 = 2;

/// Level of zstd. Digits repeat little, so that higher levels take time and gain nothing: of the
/// same solutions 1 makes 42 % at 200 MB/s, 3 makes 46 % at 80, 9 makes 42 % at 27.
const ZSTD_LEVEL: i32 = 1;

/// The header of a gzip member: deflate, no name, no time, any operating system.
const GZIP_HEADER: &[u8] = b"\x1f\x8b\x08\0\0\0\0\0\0\xff";

/// The first bytes of a zstd frame.
const ZSTD_MAGIC: &[u8] = b"\x28\xb5\x2f\xfd";

/// An encoder of this encoding, which is not plain. Only Parquet has columns. `kept` are the bytes of an
/// earlier run that are before these, up to the end of a block; Parquet has none.
pub(super) fn new(
    encoding: Encoding,
    behind: Hashed,
    table: Option<&Table>,
    kept: impl Read + Send + 'static,
) -> io::Result<Encoder> {
    let ends = BlockEnd { bytes: BLOCK_BYTES, with_row: false };
    Ok(match encoding {
        #[cfg(feature = "parquet")]
        Encoding::Parquet => {
            let table = table.expect("an output without columns has another name");
            super::parquet::encoder(table, behind)?
        }
        Encoding::Zstd => {
            let pack = pooled(zstd, |zstd, text| frame(zstd, text));
            Encoder { pack, ends, encode: Box::new(Frames(behind)) }
        }
        _ => {
            let encode = Box::new(Gzip::new(behind, kept)?);
            let pack = pooled(|| Ok(deflater()), |compress, text| deflated(compress, text));
            Encoder { pack, ends, encode }
        }
    })
}

/// Packs with compressors that are used again: each has its memory.
pub(super) fn pooled<C: Send + 'static>(
    make: fn() -> io::Result<C>,
    pack: impl Fn(&mut C, &mut Vec<u8>) -> io::Result<Packet> + Send + Sync + 'static,
) -> Pack {
    let pool = Mutex::new(Vec::new());
    Box::new(move |text| {
        let free = lock(&pool).pop();
        let mut compressor = free.map_or_else(make, Ok)?;
        let packed = pack(&mut compressor, text)?;
        lock(&pool).push(compressor);
        Ok(packed)
    })
}

fn zstd() -> io::Result<Compressor<'static>> {
    let mut compressor = Compressor::new(ZSTD_LEVEL)?;
    compressor.include_checksum(true)?;
    // A reader that takes the first frame for all fails if that does not say how long it is.
    compressor.include_contentsize(false)?;
    Ok(compressor)
}

/// A block as a zstd frame.
fn frame(compressor: &mut Compressor, text: &[u8]) -> io::Result<Packet> {
    compressor.compress(text).map(Packet::Bytes)
}

fn deflater() -> Compress {
    Compress::new(Compression::new(GZIP_LEVEL), false)
}

/// A block as the piece of a deflate stream.
fn deflated(compress: &mut Compress, text: &[u8]) -> io::Result<Packet> {
    let (mut bytes, mut checksum) = (Vec::new(), Crc::new());
    checksum.update(text);
    deflate(compress, text, FlushCompress::Sync, &mut bytes)?;
    Ok(Packet::Checked(bytes, checksum))
}

/// Compresses all of the text, whatever was before it.
fn deflate(
    compress: &mut Compress,
    text: &[u8],
    flush: FlushCompress,
    bytes: &mut Vec<u8>,
) -> io::Result<()> {
    compress.reset();
    let (mut read, mut is_over) = (0, false);
    while !is_over {
        bytes.reserve(text.len() / 2 + 1024);
        compress.compress_vec(&text[read..], bytes, flush)?;
        read = usize::try_from(compress.total_in()).expect("no more than there was");
        // Room that was left means that there is no more to come.
        is_over = bytes.len() < bytes.capacity();
    }
    Ok(())
}

/// The text of the first bytes of a file in this encoding: all that was flushed.
pub(super) fn decoder(
    encoding: Encoding,
    file: impl Read + Send + 'static,
) -> io::Result<Box<dyn Read + Send>> {
    Ok(match encoding {
        Encoding::Plain => Box::new(file),
        Encoding::Gzip => Box::new(UntilCut(GzDecoder::new(BufReader::new(file)))),
        _ => Box::new(UntilCut(ZstdDecoder::new(file)?)),
    })
}

/// Ends where a compressed stream is cut.
struct UntilCut<R>(R);

impl<R: Read> Read for UntilCut<R> {
    fn read(&mut self, memory: &mut [u8]) -> io::Result<usize> {
        match self.0.read(memory) {
            Err(error) if error.kind() == ErrorKind::UnexpectedEof => Ok(0),
            result => result,
        }
    }
}

/// Zstd frames, one after the other.
struct Frames(Hashed);

impl Encode for Frames {
    fn append(&mut self, block: Packet) -> io::Result<()> {
        let Packet::Bytes(bytes) = block else { unreachable!("`frame` packs it") };
        self.0.write_all(&bytes)
    }

    fn extent(&self) -> Extent {
        self.0.extent()
    }

    fn end(mut self: Box<Self>, is_complete: bool) -> io::Result<Extent> {
        if !is_complete {
            self.0.write_all(ZSTD_MAGIC)?;
        } else if self.extent().bytes == 0 {
            // A file without a frame is no zstd.
            self.append(frame(&mut zstd()?, b"")?)?;
        }
        self.0.flush().map(|()| self.extent())
    }
}

/// One gzip member.
struct Gzip {
    /// Written before the first bytes.
    header: &'static [u8],
    /// The checksum and the length of all text.
    crc: Crc,
    behind: Hashed,
}

impl Gzip {
    /// Begins a member, or continues the one of an earlier run.
    fn new(behind: Hashed, kept: impl Read + Send + 'static) -> io::Result<Self> {
        let mut kept = BufReader::new(kept);
        let header = if kept.fill_buf()?.is_empty() { GZIP_HEADER } else { b"" };
        let mut text = CrcReader::new(decoder(Encoding::Gzip, kept)?);
        io::copy(&mut text, &mut io::sink())?;
        let mut crc = Crc::new();
        crc.combine(text.crc());
        Ok(Self { header, crc, behind })
    }

    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.behind.write_all(mem::take(&mut self.header))?;
        self.behind.write_all(bytes)
    }
}

impl Encode for Gzip {
    fn append(&mut self, block: Packet) -> io::Result<()> {
        let Packet::Checked(bytes, checksum) = block else { unreachable!("`deflated` packs it") };
        self.crc.combine(&checksum);
        self.write(&bytes)
    }

    fn extent(&self) -> Extent {
        self.behind.extent()
    }

    fn end(mut self: Box<Self>, is_complete: bool) -> io::Result<Extent> {
        if is_complete {
            let mut end = Vec::new();
            deflate(&mut deflater(), b"", FlushCompress::Finish, &mut end)?;
            end.extend_from_slice(&self.crc.sum().to_le_bytes());
            end.extend_from_slice(&self.crc.amount().to_le_bytes());
            self.write(&end)?;
        }
        self.behind.flush().map(|()| self.behind.extent())
    }
}
