//! Gzip and zstd, written: the crates `flate2` (with `zlib-rs`) and `zstd`.
//!
//! One gzip member or zstd frame, since there are programs that read no other. Behind each block
//! the encoder is flushed, so the bytes written until then hold the block. Only [`Encode::finish`]
//! writes the end: a program that decompresses an interrupted output reports that it is truncated.
//!
//! To continue an output of an earlier run, its text is compressed once more. If the bytes have the same
//! hash, the encoder has the state that it had at the end of them.
//!
//! ```text
//! kept of the file ──> decoder ──> blocks ──> encoder ──> the same hash?  then continue after them
//! ```

use super::encoding::Encoding;
use super::extent::{Hashed, Hasher};
#[cfg(feature = "parquet")]
use super::parquet::Rows;
use super::press::Encode;
use super::table::Table;
use crate::extent::Extent;
use flate2::read::GzDecoder;
use flate2::{Compress, Compression, FlushCompress};
use std::fs::File;
use std::io::{self, BufReader, Read, Write};
use std::path::Path;
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

/// What gzip looks back on: 32 KiB.
const LARGEST_WINDOW_LOG: u8 = 15;

/// Bytes of compressed data that are written at a time.
const PACKED_BYTES: usize = 64 * 1024;

/// An encoder of this encoding, which is not plain. Only Parquet has columns.
pub(super) fn new(
    encoding: Encoding,
    writer: impl Write + Send + 'static,
    table: Option<&Table>,
) -> io::Result<Box<dyn Encode>> {
    encoding.check()?;
    match encoding {
        #[cfg(feature = "parquet")]
        Encoding::Parquet => {
            let why = "only records with columns can be written as Parquet";
            let table = table.ok_or_else(|| io::Error::new(io::ErrorKind::InvalidInput, why))?;
            Ok(Box::new(Rows::new(table, Box::new(writer))?))
        }
        Encoding::Zstd => {
            let behind = Hashed::new(writer, Some(Hasher::default()));
            let mut encoder = ZstdEncoder::new(behind, ZSTD_LEVEL)?;
            encoder.include_checksum(true)?;
            Ok(Box::new(encoder))
        }
        _ => Ok(Box::new(Gzip::new(Hashed::new(writer, Some(Hasher::default()))))),
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
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Ok(0),
            result => result,
        }
    }
}

/// Restores the state of an encoder after these first bytes of a file were written, in blocks of this
/// length.
pub(super) fn replay(
    encoder: &mut dyn Encode,
    encoding: Encoding,
    file: &Path,
    kept: Extent,
    block: usize,
) -> io::Result<()> {
    if kept.bytes == 0 {
        return Ok(());
    }
    let mut text = decoder(encoding, File::open(file)?.take(kept.bytes))?;
    encoder.behind().into_iter().for_each(|behind| behind.is_replayed = true);
    let mut again = vec![0; block];
    while encoder.extent().bytes < kept.bytes {
        text.read_exact(&mut again).map_err(|_| other())?;
        encoder.write(&again)?;
    }
    encoder.behind().into_iter().for_each(|behind| behind.is_replayed = false);
    if encoder.extent() == kept { Ok(()) } else { Err(other()) }
}

impl Encode for ZstdEncoder<'static, Hashed> {
    fn write(&mut self, block: &[u8]) -> io::Result<()> {
        self.write_all(block)?;
        self.flush()
    }

    fn finish(self: Box<Self>) -> io::Result<()> {
        ZstdEncoder::finish(*self)?.flush()
    }

    fn behind(&mut self) -> Option<&mut Hashed> {
        Some(self.get_mut())
    }
}

/// Another version or another CPU may compress in another way.
fn other() -> io::Error {
    let why = "what is kept of it was compressed in another way than here";
    io::Error::new(io::ErrorKind::InvalidData, why)
}

/// The encoder of `flate2` that is a writer loses up to 262 bytes in a flush, if its buffer is
/// full then (1.1.10), and writes the end when it is dropped. This one does neither.
struct Gzip {
    compress: Compress,
    /// Compressed, to be written.
    packed: Vec<u8>,
    behind: Hashed,
}

impl Gzip {
    /// The header will have no name and no time.
    fn new(behind: Hashed) -> Self {
        let compress = Compress::new_gzip(Compression::new(GZIP_LEVEL), LARGEST_WINDOW_LOG);
        Self { compress, packed: Vec::with_capacity(PACKED_BYTES), behind }
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
        self.run(block, FlushCompress::Sync)
    }

    fn finish(mut self: Box<Self>) -> io::Result<()> {
        self.run(&[], FlushCompress::Finish)?;
        self.behind.flush()
    }

    fn behind(&mut self) -> Option<&mut Hashed> {
        Some(&mut self.behind)
    }
}

/// The rows of an incomplete Parquet file can be read only if its index is at its end. No later run
/// continues it.
#[cfg(feature = "parquet")]
impl Encode for Rows {
    fn write(&mut self, block: &[u8]) -> io::Result<()> {
        self.write(block)
    }

    fn finish(self: Box<Self>) -> io::Result<()> {
        Self::finish(*self)
    }

    fn abandon(self: Box<Self>) -> io::Result<()> {
        Self::finish(*self)
    }
}
