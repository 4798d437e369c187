//! Gzip and zstd, written: the crates `flate2` (with `zlib-rs`) and `zstd`.
//!
//! One gzip member or zstd frame. Behind each block the encoder is flushed, so the bytes written until
//! then hold the block. Blocks have a fixed number of bytes of text: flushing once a second would make the
//! output depend on the clock. Only [`Encode::finish`] writes the end: a program that decompresses an
//! interrupted output reports that it is truncated.
//!
//! A later run continues after a flushed block with a new encoder, which never refers to the text before
//! it. What it writes depends on neither the library nor the CPU of the earlier run.
//!
//! ```text
//! gzip   header ─ blocks ┆ blocks ─ checksum            one member: nothing ties a block of deflate to
//!                                                       the state of the encoder before it
//! zstd   header ─ blocks ┆ checksum ─ header ─ blocks ─ checksum      a second frame: a block of zstd
//!                                                       may refer to offsets of the block before it
//! ```
//!
//! The libraries that read tables read several frames (docs/output.md has a list). Of several gzip members
//! `GzDecoder` of `flate2` reads the first without an error, so there is only one.

use super::encoding::Encoding;
#[cfg(feature = "parquet")]
use super::parquet::ParquetEncoder;
use super::press::Encode;
use super::table::Table;
use crate::extent::{Extent, Hashed};
use flate2::read::GzDecoder;
use flate2::{Compress, Compression, Crc, CrcReader, FlushCompress};
use std::hash::Hasher as _;
use std::io::{self, BufRead, BufReader, ErrorKind, Read, Write};
use twox_hash::XxHash64;
use zstd::stream::read::Decoder as ZstdDecoder;
use zstd::stream::write::Encoder as ZstdEncoder;

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

/// The header of a zstd block of no bytes which is the last one of its frame.
const LAST_BLOCK: [u8; 3] = [1, 0, 0];

/// Bytes of compressed data that are written at a time.
const PACKED_BYTES: usize = 64 * 1024;

/// An encoder of this encoding, which is not plain. Only Parquet has columns. `kept` are the bytes of an
/// earlier run that are before these, up to the end of a flushed block; Parquet has none.
pub(super) fn new(
    encoding: Encoding,
    mut behind: Hashed,
    table: Option<&Table>,
    kept: impl Read + Send + 'static,
) -> io::Result<Box<dyn Encode>> {
    match encoding {
        #[cfg(feature = "parquet")]
        Encoding::Parquet => {
            let table = table.expect("an output without columns has another name");
            Ok(Box::new(ParquetEncoder::new(table, behind)?))
        }
        Encoding::Zstd => {
            behind.write_all(&end_of_frame(kept)?)?;
            let mut encoder = ZstdEncoder::new(behind, ZSTD_LEVEL)?;
            encoder.include_checksum(true)?;
            Ok(Box::new(encoder))
        }
        _ => Ok(Box::new(Gzip::new(behind, kept)?)),
    }
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

/// The end of the last zstd frame, if its end is missing: the checksum is that of its text.
fn end_of_frame(file: impl Read) -> io::Result<Vec<u8>> {
    let (mut file, mut memory) = (BufReader::new(file), vec![0; PACKED_BYTES]);
    while !file.fill_buf()?.is_empty() {
        let mut frame = ZstdDecoder::with_buffer(&mut file)?.single_frame();
        let mut checksum = XxHash64::with_seed(0);
        loop {
            match frame.read(&mut memory) {
                Ok(0) => break,
                Ok(bytes) => checksum.write(&memory[..bytes]),
                Err(error) if error.kind() == ErrorKind::UnexpectedEof => {
                    let checksum = checksum.finish().to_le_bytes();
                    return Ok([&LAST_BLOCK, &checksum[..4]].concat());
                }
                Err(error) => return Err(error),
            }
        }
    }
    Ok(Vec::new())
}

impl Encode for ZstdEncoder<'static, Hashed> {
    fn write(&mut self, block: &[u8]) -> io::Result<()> {
        self.write_all(block)?;
        self.flush()
    }

    fn extent(&self) -> Extent {
        self.get_ref().extent()
    }

    fn finish(self: Box<Self>) -> io::Result<Extent> {
        let mut behind = ZstdEncoder::finish(*self)?;
        behind.flush().map(|()| behind.extent())
    }
}

/// The encoder of `flate2` that is a writer loses up to 262 bytes in a flush, if its buffer is
/// full then (1.1.10), and writes the end when it is dropped. This one does neither.
struct Gzip {
    compress: Compress,
    /// The checksum and the length of all text.
    crc: Crc,
    /// Compressed, to be written.
    packed: Vec<u8>,
    behind: Hashed,
}

impl Gzip {
    /// Begins a member, or continues the one of an earlier run.
    fn new(behind: Hashed, kept: impl Read + Send + 'static) -> io::Result<Self> {
        let (mut kept, mut crc) = (BufReader::new(kept), Crc::new());
        let mut packed = Vec::with_capacity(PACKED_BYTES);
        if kept.fill_buf()?.is_empty() {
            packed.extend_from_slice(GZIP_HEADER);
        } else {
            let mut text = CrcReader::new(decoder(Encoding::Gzip, kept)?);
            io::copy(&mut text, &mut io::sink())?;
            crc.combine(text.crc());
        }
        let compress = Compress::new(Compression::new(GZIP_LEVEL), false);
        Ok(Self { compress, crc, packed, behind })
    }

    /// Compresses all of the input and writes the result.
    fn run(&mut self, mut input: &[u8], flush: FlushCompress) -> io::Result<()> {
        loop {
            let before = self.compress.total_in();
            self.compress.compress_vec(input, &mut self.packed, flush)?;
            let read = self.compress.total_in() - before;
            input = &input[usize::try_from(read).expect("no more than there was")..];
            // Room that was left means that there is no more to come.
            let all = self.packed.len() < self.packed.capacity();
            self.behind.write_all(&self.packed)?;
            self.packed.clear();
            if all {
                return Ok(());
            }
        }
    }
}

impl Encode for Gzip {
    fn write(&mut self, block: &[u8]) -> io::Result<()> {
        self.crc.update(block);
        self.run(block, FlushCompress::Sync)
    }

    fn extent(&self) -> Extent {
        self.behind.extent()
    }

    fn finish(mut self: Box<Self>) -> io::Result<Extent> {
        self.run(&[], FlushCompress::Finish)?;
        for number in [self.crc.sum(), self.crc.amount()] {
            self.behind.write_all(&number.to_le_bytes())?;
        }
        self.behind.flush().map(|()| self.behind.extent())
    }
}
