//! The bytes of a Parquet file, none of which is read beyond its end.

use crate::input::shortened;
use crate::lock;
use bytes::Bytes;
use flate2::read::MultiGzDecoder;
use parquet::errors::{ParquetError, Result};
use parquet::file::reader::{ChunkReader, Length, SerializedFileReader};
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

/// The most bytes of a page or a footer. Writers make pages of 1 MiB. A test makes a page that is longer.
const MOST_BYTES: usize = if cfg!(test) { 2 << 20 } else { 256 << 20 };

/// The most bytes of gzip that are not tried before: it makes at most 1,032 of one, so twice as many as
/// a page may have.
const SAFE_GZIP_BYTES: usize = 2 * MOST_BYTES / 1032;

/// Bytes that are read for the header of a page: headers with statistics have less.
const HEADER_BYTES: usize = 4096;

/// An open file.
pub(crate) type ParquetFile = SerializedFileReader<ParquetBytes>;

/// A file that is read by place. Its clones move one position.
#[derive(Clone)]
pub(crate) struct ParquetBytes {
    place: Storage,
    length: u64,
}

#[derive(Clone)]
enum Storage {
    /// A file that is opened when it is its turn.
    Path(PathBuf),
    File(Arc<Mutex<File>>),
    Memory(Bytes),
}

impl ParquetBytes {
    /// A file that had this length when it was opened. One that has a path is opened again to be read.
    pub(crate) fn of_file(file: File, path: Option<&Path>, length: u64) -> Self {
        let open = || Storage::File(Arc::new(Mutex::new(file)));
        Self { place: path.map_or_else(open, |path| Storage::Path(path.to_owned())), length }
    }

    pub(crate) fn of_memory(bytes: Vec<u8>) -> Self {
        Self { length: bytes.len() as u64, place: Storage::Memory(bytes.into()) }
    }

    /// Opens it to be read. Fails if the file has been shortened.
    pub(crate) fn open(&self) -> io::Result<Self> {
        let bytes = match &self.place {
            Storage::Path(path) => Self::of_file(File::open(path)?, None, self.length),
            _ => self.clone(),
        };
        match &bytes.place {
            Storage::File(file) if lock(file).metadata()?.len() < self.length => Err(shortened()),
            _ => Ok(bytes),
        }
    }

    fn read(&self, start: u64, length: usize) -> io::Result<Bytes> {
        match &self.place {
            Storage::Path(_) => self.open()?.read(start, length),
            Storage::Memory(bytes) => {
                // It was compared with the length.
                let start = usize::try_from(start).expect("bytes in memory have a place");
                Ok(bytes.slice(start..start + length))
            }
            Storage::File(file) => {
                let (mut file, mut bytes) = (lock(file), Vec::with_capacity(length));
                file.seek(SeekFrom::Start(start))?;
                file.by_ref().take(length as u64).read_to_end(&mut bytes)?;
                if bytes.len() < length { Err(shortened()) } else { Ok(bytes.into()) }
            }
        }
    }
}

impl Length for ParquetBytes {
    fn len(&self) -> u64 {
        self.length
    }
}

impl ChunkReader for ParquetBytes {
    type T = BufReader<FileCursor>;

    fn get_read(&self, at: u64) -> Result<Self::T> {
        let rest = FileCursor { file: self.clone(), at };
        let mut pieces = BufReader::with_capacity(HEADER_BYTES, rest);
        match page_bytes(pieces.fill_buf()?) {
            Some(bytes) if bytes > MOST_BYTES as u64 => Err(too_long()),
            _ => Ok(pieces),
        }
    }

    fn get_bytes(&self, start: u64, length: usize) -> Result<Bytes> {
        let end = start.checked_add(length as u64);
        if end.is_none_or(|end| end > self.length) {
            return Err(ParquetError::General(format!(
                "{length} bytes are said to be at byte {start} of {}",
                self.length
            )));
        }
        if length > MOST_BYTES {
            return Err(too_long());
        }
        let bytes = self.read(start, length)?;
        if length > SAFE_GZIP_BYTES && bytes.starts_with(b"\x1f\x8b") {
            // The decoder of gzip takes all that comes, whatever the header says.
            let inflated = MultiGzDecoder::new(&bytes[..]).take(MOST_BYTES as u64 + 1);
            let inflated = io::copy(&mut { inflated }, &mut io::sink());
            if inflated.is_ok_and(|inflated| inflated > MOST_BYTES as u64) {
                return Err(too_long());
            }
        }
        Ok(bytes)
    }
}

/// How many bytes a page has when it is decompressed, by its header: the second field of a structure in
/// Thrift's compact protocol. The decoder allocates this number, so it is checked first.
fn page_bytes(header: &[u8]) -> Option<u64> {
    /// An integer of 32 bits, in the next field.
    const NEXT_INT: u8 = 0x15;
    let mut at = 0;
    let mut number = || {
        if header.get(at) != Some(&NEXT_INT) {
            return None;
        }
        let (mut value, mut shift) = (0_u64, 0);
        loop {
            at += 1;
            let byte = *header.get(at)?;
            value |= u64::from(byte & 0x7f).checked_shl(shift)?;
            shift += 7;
            if byte & 0x80 == 0 {
                at += 1;
                // Zigzag: the sign is the last bit.
                return Some(if value & 1 == 0 { value >> 1 } else { u64::MAX });
            }
        }
    };
    number()?;
    number()
}

fn too_long() -> ParquetError {
    ParquetError::General(format!("a page of more than {} MiB", MOST_BYTES >> 20))
}

/// Reads on from a place.
pub(crate) struct FileCursor {
    file: ParquetBytes,
    at: u64,
}

impl Read for FileCursor {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let left = self.file.length.saturating_sub(self.at);
        let length = usize::try_from(left).unwrap_or(usize::MAX).min(buffer.len());
        if length > 0 {
            buffer[..length].copy_from_slice(&self.file.read(self.at, length)?);
            self.at += length as u64;
        }
        Ok(length)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_length_of_a_page_is_in_its_header() {
        assert_eq!(page_bytes(&[0x15, 0x00, 0x15, 0xac, 0x02, 0x15, 0x10]), Some(150));
        let huge = [0x15, 0x00, 0x15, 0xfe, 0xff, 0xff, 0xff, 0x0f];
        assert_eq!(page_bytes(&huge), Some(0x7fff_ffff));
        // A negative length, bytes that are no header, and too few.
        assert_eq!(page_bytes(&[0x15, 0x00, 0x15, 0x01]), Some(u64::MAX));
        assert_eq!(page_bytes(b"PAR1"), None);
        assert_eq!(page_bytes(&[0x15, 0xff]), None);
        let page = [&huge[..], &[0; 64]].concat();
        assert!(ParquetBytes::of_memory(page).get_read(0).is_err());
    }

    /// Gzip that becomes 5 MiB.
    #[test]
    fn a_page_of_gzip_does_not_take_all_memory() {
        let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        let zeros = vec![0; 1 << 20];
        for _ in 0..5 {
            std::io::Write::write_all(&mut gzip, &zeros).unwrap();
        }
        let bytes = gzip.finish().unwrap();
        let length = bytes.len();
        assert!(length > SAFE_GZIP_BYTES);
        let error = ParquetBytes::of_memory(bytes).get_bytes(0, length).unwrap_err();
        assert!(error.to_string().ends_with("a page of more than 2 MiB"), "{error}");
    }
}
