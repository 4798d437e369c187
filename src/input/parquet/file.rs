//! The bytes of a Parquet file, none of which is read beyond its end.

use super::super::mapped::shortened;
use bytes::{Buf, Bytes};
use parquet::errors::{ParquetError, Result};
use parquet::file::reader::{ChunkReader, Length};
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::sync::{Arc, Mutex, PoisonError};

/// The most bytes of a page or a footer. Writers make pages of 1 MiB.
const MOST_BYTES: usize = 256 << 20;

/// Bytes that are read for the header of a page: headers with statistics have less.
const HEADER_BYTES: u64 = 4096;

/// A file that is read by place.
pub(super) struct Bounded {
    place: Place,
    length: u64,
}

enum Place {
    File(Arc<Mutex<File>>),
    Memory(Bytes),
}

impl Bounded {
    /// A file that had this length when it was opened.
    pub(super) fn of_file(file: Arc<Mutex<File>>, length: u64) -> io::Result<Self> {
        let found = file.lock().unwrap_or_else(PoisonError::into_inner).metadata()?.len();
        if found < length {
            return Err(shortened());
        }
        Ok(Self { place: Place::File(file), length })
    }

    pub(super) fn of_memory(bytes: Bytes) -> Self {
        Self { length: bytes.len() as u64, place: Place::Memory(bytes) }
    }

    fn read(&self, start: u64, length: usize) -> Result<Bytes> {
        match &self.place {
            Place::Memory(bytes) => {
                // It was compared with the length.
                let start = usize::try_from(start).expect("bytes in memory have a place");
                Ok(bytes.slice(start..start + length))
            }
            Place::File(file) => {
                let mut file = file.lock().unwrap_or_else(PoisonError::into_inner);
                file.seek(SeekFrom::Start(start))?;
                let mut bytes = Vec::with_capacity(length);
                (&mut *file).take(length as u64).read_to_end(&mut bytes)?;
                if bytes.len() < length {
                    return Err(ParquetError::General(shortened().to_string()));
                }
                Ok(bytes.into())
            }
        }
    }
}

impl Length for Bounded {
    fn len(&self) -> u64 {
        self.length
    }
}

impl ChunkReader for Bounded {
    type T = Pieces;

    fn get_read(&self, start: u64) -> Result<Pieces> {
        let place = match &self.place {
            Place::File(file) => Place::File(Arc::clone(file)),
            Place::Memory(bytes) => Place::Memory(bytes.clone()),
        };
        let file = Self { place, length: self.length };
        Ok(Pieces { file, at: start, piece: Bytes::new() })
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
            let most = MOST_BYTES >> 20;
            return Err(ParquetError::General(format!("a page of more than {most} MiB")));
        }
        self.read(start, length)
    }
}

/// Reads on from a place, a little at a time.
pub(super) struct Pieces {
    file: Bounded,
    at: u64,
    piece: Bytes,
}

impl Read for Pieces {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.piece.is_empty() {
            let length = self.file.length.saturating_sub(self.at).min(HEADER_BYTES);
            let length = usize::try_from(length).unwrap_or_default();
            if length == 0 {
                return Ok(0);
            }
            self.piece = self.file.read(self.at, length).map_err(io::Error::other)?;
            self.at += length as u64;
        }
        let bytes = self.piece.len().min(buffer.len());
        self.piece.copy_to_slice(&mut buffer[..bytes]);
        Ok(bytes)
    }
}
