//! A stream cut into chunks: each is what one `read` gave, up to its last line end.
//!
//! ```text
//! chunk 1 buffer   ····\n····\n··
//!                             └┴── tail: begins the next chunk
//! chunk 2 buffer   ··│··\n······\n·
//!                    └─ read() goes on here
//! ```
//!
//! A chunk is handed over as soon as it holds a whole line. So a slow producer sees its
//! answers at once, and a fast one fills the pipe meanwhile, so that the next `read` gives more.
//!
//! No buffer grows past two [`HEAD_BYTES`] and a chunk's size: of a longer line the head is kept
//! and the rest is counted.

use super::boundary::last_end;
use super::layout::shape::Layout;
use super::lines::{BYTE_ORDER_MARK, MAX_LINE_BYTES};
use std::collections::VecDeque;
use std::io::{self, Read};

/// Bytes that are kept of a line that is too long. Without a byte-order mark and CR, they are still too many.
pub(super) const HEAD_BYTES: usize = MAX_LINE_BYTES + BYTE_ORDER_MARK.len() + 2;

/// Bytes that are read at a time, at most, however long a chunk may be.
const MOST_BYTES: usize = 16 << 20;

/// Memory that is zeroed once, when it grows, and then filled again and again.
#[derive(Default)]
pub(super) struct Buffer {
    pub(super) memory: Vec<u8>,
    filled: usize,
    /// Bytes of the input that it stands for, kept or not.
    pub(super) input_bytes: u64,
}

impl Buffer {
    pub(super) fn bytes(&self) -> &[u8] {
        &self.memory[..self.filled]
    }

    /// Replaces the bytes by what is written.
    pub(super) fn replace<R>(&mut self, write: impl FnOnce(&mut Vec<u8>) -> R) -> R {
        self.memory.clear();
        let written = write(&mut self.memory);
        (self.filled, self.input_bytes) = (self.memory.len(), self.memory.len() as u64);
        written
    }

    /// Keeps the first bytes alone.
    pub(super) fn cut(&mut self, bytes: usize) {
        (self.filled, self.input_bytes) = (self.filled.min(bytes), bytes as u64);
    }

    /// Room for `bytes` bytes after the filled part.
    fn room(&mut self, bytes: usize) -> &mut [u8] {
        let end = self.filled + bytes;
        if self.memory.len() < end {
            // Memory that the system gives has zeros.
            let mut memory = vec![0; end];
            memory[..self.filled].copy_from_slice(&self.memory[..self.filled]);
            self.memory = memory;
        }
        &mut self.memory[self.filled..end]
    }
}

/// The rest of a stream.
pub(super) struct Stream<R> {
    reader: R,
    /// What was read past the last chunk's end.
    tail: Vec<u8>,
    ended: bool,
}

impl<R: Read> Stream<R> {
    pub(super) fn new(reader: R) -> Self {
        Self { reader, tail: Vec::new(), ended: false }
    }

    /// Fills the buffer with the next lines, about `chunk_bytes`, or leaves it empty at the end.
    pub(super) fn fill(
        &mut self,
        buffer: &mut Buffer,
        layout: &Layout,
        chunk_bytes: usize,
    ) -> io::Result<()> {
        buffer.filled = 0;
        buffer.room(self.tail.len()).copy_from_slice(&self.tail);
        buffer.filled = self.tail.len();
        self.tail.clear();
        let mut seen = 0;
        loop {
            if let Some(end) = last_end(buffer.bytes(), seen, layout) {
                self.tail.extend_from_slice(&buffer.bytes()[end..]);
                buffer.filled = end;
                break;
            }
            if self.ended {
                break;
            }
            seen = buffer.filled;
            if buffer.filled >= HEAD_BYTES {
                return self.skip_line(buffer);
            }
            self.read(buffer, chunk_bytes)?;
        }
        buffer.input_bytes = buffer.filled as u64;
        Ok(())
    }

    /// Appends what one read gives: up to a chunk's size in all, or as much again.
    fn read(&mut self, buffer: &mut Buffer, chunk_bytes: usize) -> io::Result<()> {
        let chunk_bytes = chunk_bytes.min(MOST_BYTES);
        let left = chunk_bytes.saturating_sub(buffer.filled);
        let bytes = if left > 0 { left } else { chunk_bytes };
        let bytes = uninterrupted(|| self.reader.read(buffer.room(bytes)))?;
        buffer.filled += bytes;
        self.ended = bytes == 0;
        Ok(())
    }

    /// Keeps the head of a line that has no end yet, and counts the rest.
    fn skip_line(&mut self, buffer: &mut Buffer) -> io::Result<()> {
        buffer.input_bytes = buffer.filled as u64;
        let mut end = None;
        while end.is_none() && !self.ended {
            buffer.filled = HEAD_BYTES;
            self.read(buffer, MAX_LINE_BYTES)?;
            let rest = &buffer.bytes()[HEAD_BYTES..];
            end = memchr::memchr(b'\n', rest).map(|end| end + 1);
            let of_line = end.unwrap_or(rest.len());
            self.tail.extend_from_slice(&rest[of_line..]);
            buffer.input_bytes += of_line as u64;
        }
        buffer.filled = HEAD_BYTES;
        Ok(())
    }
}

/// Reads again as long as a signal interrupts it.
pub(super) fn uninterrupted<T>(mut read: impl FnMut() -> io::Result<T>) -> io::Result<T> {
    loop {
        match read() {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            result => return result,
        }
    }
}

/// Reads text that is made piece by piece. An empty piece is the end.
pub(super) struct LazyText<M> {
    make: M,
    text: VecDeque<u8>,
}

impl<M: FnMut(&mut Vec<u8>) -> io::Result<()>> LazyText<M> {
    pub(super) const fn by(make: M) -> Self {
        Self { make, text: VecDeque::new() }
    }
}

impl<M: FnMut(&mut Vec<u8>) -> io::Result<()>> Read for LazyText<M> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.text.is_empty() {
            let mut text = Vec::from(std::mem::take(&mut self.text));
            (self.make)(&mut text)?;
            self.text = text.into();
        }
        self.text.read(buffer)
    }
}
