//! Bytes of an input or an output, by which a later run recognises them.
//!
//! Every byte of an output is hashed (XXH3) in passing, and a later run reads these bytes again before it
//! continues.

use serde::{Deserialize, Serialize};
use std::hash::Hasher as _;
use std::io::{self, BufReader, Read, Write};
use twox_hash::XxHash3_64;

/// Some bytes: how many they are, and their hash.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Extent {
    /// How many.
    pub bytes: u64,
    /// Their XXH3.
    pub xxh3: u64,
}

impl Default for Extent {
    /// No bytes.
    fn default() -> Self {
        Self::of(&[])
    }
}

impl Extent {
    /// These bytes.
    pub fn of(bytes: &[u8]) -> Self {
        Self { bytes: bytes.len() as u64, xxh3: XxHash3_64::oneshot(bytes) }
    }

    /// All bytes that are read.
    ///
    /// # Errors
    /// They cannot be read.
    pub fn of_all(bytes: impl Read) -> io::Result<Self> {
        Hasher::of(bytes).map(|it| it.extent())
    }
}

/// Hashes the bytes of a file as they are written.
#[derive(Clone, Default)]
pub(crate) struct Hasher {
    bytes: u64,
    hash: Box<XxHash3_64>,
}

impl Hasher {
    /// Reads all bytes.
    pub(crate) fn of(bytes: impl Read) -> io::Result<Self> {
        let mut hasher = Self::default();
        io::copy(&mut BufReader::with_capacity(1 << 18, bytes), &mut hasher)?;
        Ok(hasher)
    }

    /// All bytes so far.
    pub(crate) fn extent(&self) -> Extent {
        Extent { bytes: self.bytes, xxh3: self.hash.finish() }
    }
}

impl Write for Hasher {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.bytes += bytes.len() as u64;
        self.hash.write(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// A writer. What it writes is hashed if a later run may need that.
pub(crate) struct Hashed {
    writer: Box<dyn Write + Send>,
    hasher: Option<Hasher>,
}

impl Hashed {
    /// A writer at the start of a file, or behind the bytes that were hashed.
    pub(crate) fn new(writer: impl Write + Send + 'static, hasher: Option<Hasher>) -> Self {
        Self { writer: Box::new(writer), hasher }
    }

    /// All bytes so far.
    pub(crate) fn extent(&self) -> Extent {
        self.hasher.as_ref().map_or_else(Extent::default, Hasher::extent)
    }
}

impl Write for Hashed {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.writer.write(bytes)?;
        self.hasher.iter_mut().try_for_each(|hasher| hasher.write_all(&bytes[..written]))?;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.writer.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hash_of_a_text_is_that_of_its_pieces() {
        let text: Vec<u8> = (0..1_000_000_u32).flat_map(u32::to_le_bytes).collect();
        let mut hasher = Hasher::default();
        text.chunks(70_001).for_each(|piece| hasher.write_all(piece).unwrap());
        assert_eq!(Hasher::of(&text[..]).unwrap().extent(), hasher.extent());
        let half = Hasher::of(&text[..2_000_000]).unwrap().extent();
        let xxh3 = XxHash3_64::oneshot(&text[..2_000_000]);
        assert_eq!(half, Extent { bytes: 2_000_000, xxh3 });
    }
}
