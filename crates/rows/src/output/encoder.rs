//! Gzip and zstd, written: the crates `flate2` (with `zlib-rs`) and `zstd`.
//!
//! One gzip member or zstd frame, since there are programs that read no other. Behind each block
//! the encoder is flushed, so the bytes written until then hold the block. Only [`Encoder::finish`]
//! writes the end: a program that decompresses an interrupted output reports that it is truncated.
//!
//! To continue an output of an earlier run, its text is compressed once more. If the bytes have the same
//! hash, the encoder has the state that it had at the end of them.
//!
//! ```text
//! kept of the file ──> decoder ──> blocks ──> encoder ──> the same hash?  then continue after them
//! ```

use super::encoding::Encoding;
use super::extent::{Extent, Hasher};
#[cfg(feature = "parquet")]
use super::parquet::Rows;
use super::table::Table;
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

type Writer = Box<dyn Write + Send>;

/// Compresses bytes and writes them.
pub(super) enum Encoder {
    Gzip(Gzip),
    Zstd(ZstdEncoder<'static, Behind>),
    #[cfg(feature = "parquet")]
    Parquet(Box<Rows>),
}

impl Encoder {
    /// Writes in this encoding, which compresses. Only Parquet has columns.
    pub(super) fn new(
        encoding: Encoding,
        writer: Writer,
        table: Option<&Table>,
    ) -> io::Result<Self> {
        encoding.check()?;
        if encoding == Encoding::Parquet {
            let Some(table) = table else {
                let why = "only records with columns can be written as Parquet";
                return Err(io::Error::new(io::ErrorKind::InvalidInput, why));
            };
            return Self::of_table(table, writer);
        }
        let behind = Behind { writer, written: Hasher::default(), is_replayed: false };
        Ok(if encoding == Encoding::Zstd {
            let mut encoder = ZstdEncoder::new(behind, ZSTD_LEVEL)?;
            encoder.include_checksum(true)?;
            Self::Zstd(encoder)
        } else {
            Self::Gzip(Gzip::new(behind))
        })
    }

    #[cfg(feature = "parquet")]
    fn of_table(table: &Table, writer: Writer) -> io::Result<Self> {
        Ok(Self::Parquet(Box::new(Rows::new(table, writer)?)))
    }

    #[cfg(not(feature = "parquet"))]
    fn of_table(_: &Table, _: Writer) -> io::Result<Self> {
        Err(io::ErrorKind::Unsupported.into())
    }

    /// Restores the state after these first bytes of a file were written, in blocks of this length.
    pub(super) fn replay(&mut self, path: &Path, kept: Extent, block: usize) -> io::Result<()> {
        if kept.bytes == 0 {
            return Ok(());
        }
        let file = BufReader::new(File::open(path)?.take(kept.bytes));
        let mut text: Box<dyn Read> = match self {
            Self::Gzip(_) => Box::new(GzDecoder::new(file)),
            _ => Box::new(ZstdDecoder::with_buffer(file)?),
        };
        self.behind().into_iter().for_each(|behind| behind.is_replayed = true);
        let mut again = vec![0; block];
        let mut written = Extent::default();
        while written.bytes < kept.bytes {
            text.read_exact(&mut again).map_err(|_| other())?;
            written = self.write(&again)?;
        }
        self.behind().into_iter().for_each(|behind| behind.is_replayed = false);
        if written == kept { Ok(()) } else { Err(other()) }
    }

    /// Writes a block. Gives the bytes that have been written so far.
    pub(super) fn write(&mut self, block: &[u8]) -> io::Result<Extent> {
        match self {
            Self::Gzip(gzip) => gzip.run(block, FlushCompress::Sync)?,
            Self::Zstd(encoder) => {
                encoder.write_all(block)?;
                encoder.flush()?;
            }
            #[cfg(feature = "parquet")]
            Self::Parquet(rows) => {
                rows.write(block)?;
                // No later run continues it, so its hash is not needed.
                return Ok(Extent { bytes: rows.bytes(), ..Extent::default() });
            }
        }
        Ok(self.behind().map_or_else(Extent::default, |behind| behind.written.extent()))
    }

    /// Writes the end.
    pub(super) fn finish(self) -> io::Result<()> {
        match self {
            Self::Gzip(mut gzip) => {
                gzip.run(&[], FlushCompress::Finish)?;
                gzip.behind.flush()
            }
            Self::Zstd(encoder) => encoder.finish()?.flush(),
            #[cfg(feature = "parquet")]
            Self::Parquet(rows) => rows.finish(),
        }
    }

    /// Ends an output that is not complete. The rows of a Parquet file can be read only if its index is
    /// at its end. Others have no end, so that they cannot be taken for complete ones.
    pub(super) fn abandon(self) -> io::Result<()> {
        match self {
            #[cfg(feature = "parquet")]
            Self::Parquet(rows) => rows.finish(),
            Self::Gzip(_) | Self::Zstd(_) => Ok(()),
        }
    }

    /// The writer of bytes that a later run can continue.
    fn behind(&mut self) -> Option<&mut Behind> {
        match self {
            Self::Gzip(gzip) => Some(&mut gzip.behind),
            Self::Zstd(encoder) => Some(encoder.get_mut()),
            #[cfg(feature = "parquet")]
            Self::Parquet(_) => None,
        }
    }
}

/// Hashes what it writes.
pub(super) struct Behind {
    writer: Writer,
    written: Hasher,
    /// Whether the bytes are in the file.
    is_replayed: bool,
}

impl Write for Behind {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = if self.is_replayed { bytes.len() } else { self.writer.write(bytes)? };
        self.written.update(&bytes[..written]);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.writer.flush()
    }
}

/// Another version or another CPU may compress in another way.
fn other() -> io::Error {
    let why = "what is kept of it was compressed in another way than here";
    io::Error::new(io::ErrorKind::InvalidData, why)
}

/// The encoder of `flate2` that is a writer loses up to 262 bytes in a flush, if its buffer is
/// full then (1.1.10), and writes the end when it is dropped. This one does neither.
pub(super) struct Gzip {
    compress: Compress,
    /// Compressed, to be written.
    packed: Vec<u8>,
    behind: Behind,
}

impl Gzip {
    /// The header will have no name and no time.
    fn new(behind: Behind) -> Self {
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
