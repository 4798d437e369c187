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

use super::chunk::Chunk;
use super::grids;
use super::layout::{Layout, Shape};
use super::lines::{BYTE_ORDER_MARK, MAX_LINE_BYTES};
use std::io::{self, Read};

/// Bytes that are kept of a line that is too long: what is looked at, and a byte-order mark.
const HEAD_BYTES: usize = MAX_LINE_BYTES + BYTE_ORDER_MARK.len();

/// Memory that is zeroed once, when it grows, and then filled again and again.
#[derive(Default)]
pub(super) struct Buffer {
    memory: Vec<u8>,
    filled: usize,
}

impl Buffer {
    /// A copy of these bytes.
    pub(super) fn of(bytes: &[u8]) -> Self {
        Self { memory: bytes.to_vec(), filled: bytes.len() }
    }

    pub(super) fn bytes(&self) -> &[u8] {
        &self.memory[..self.filled]
    }

    /// Room for so many bytes after those that are there.
    fn room(&mut self, bytes: usize) -> &mut [u8] {
        let end = self.filled + bytes;
        if self.memory.len() < end {
            self.memory.resize(end, 0);
        }
        &mut self.memory[self.filled..end]
    }

    fn append(&mut self, bytes: &[u8]) {
        self.room(bytes.len()).copy_from_slice(bytes);
        self.filled += bytes.len();
    }
}

/// The rest of a stream.
pub(super) struct Stream {
    reader: Box<dyn Read + Send>,
    /// What was read past the last chunk's end.
    tail: Vec<u8>,
    ended: bool,
}

impl Stream {
    pub(super) fn new(reader: Box<dyn Read + Send>) -> Self {
        Self { reader, tail: Vec::new(), ended: false }
    }

    /// Fills the chunk with the next lines, about so many bytes, or leaves it empty at the end.
    pub(super) fn fill(&mut self, chunk: &mut Chunk, chunk_bytes: usize) -> io::Result<()> {
        let layout = chunk.layout.clone();
        let grids = layout.as_deref().filter(|layout| layout.shape == Shape::Grids);
        let buffer = &mut chunk.buffer;
        buffer.filled = 0;
        buffer.append(&self.tail);
        self.tail.clear();
        let mut seen = 0;
        loop {
            if let Some(end) = last_cut(buffer.bytes(), seen, grids) {
                self.tail.extend_from_slice(&buffer.bytes()[end..]);
                buffer.filled = end;
                break;
            }
            if self.ended {
                break;
            }
            if buffer.filled >= HEAD_BYTES {
                return self.skip_line(chunk);
            }
            seen = buffer.filled;
            self.read(buffer, chunk_bytes)?;
        }
        chunk.input_bytes = buffer.filled as u64;
        Ok(())
    }

    /// Appends what one read gives: up to a chunk's size in all, or as much again.
    fn read(&mut self, buffer: &mut Buffer, chunk_bytes: usize) -> io::Result<()> {
        let bytes = match chunk_bytes.saturating_sub(buffer.filled) {
            0 => chunk_bytes,
            bytes => bytes,
        };
        let bytes = loop {
            match self.reader.read(buffer.room(bytes)) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                result => break result?,
            }
        };
        buffer.filled += bytes;
        self.ended = bytes == 0;
        Ok(())
    }

    /// Keeps the head of a line that has no end yet, and counts the rest.
    fn skip_line(&mut self, chunk: &mut Chunk) -> io::Result<()> {
        let buffer = &mut chunk.buffer;
        let mut ends_with_return = buffer.bytes().last() == Some(&b'\r');
        let mut left_out = (buffer.filled - HEAD_BYTES) as u64;
        let mut line_end = 0;
        while line_end == 0 && !self.ended {
            buffer.filled = HEAD_BYTES;
            self.read(buffer, MAX_LINE_BYTES)?;
            let mut rest = &buffer.bytes()[HEAD_BYTES..];
            if let Some(end) = memchr::memchr(b'\n', rest) {
                self.tail.extend_from_slice(&rest[end + 1..]);
                rest = &rest[..end];
                line_end = 1;
            }
            left_out += rest.len() as u64;
            ends_with_return = rest.last().map_or(ends_with_return, |&last| last == b'\r');
        }
        buffer.filled = HEAD_BYTES;
        chunk.input_bytes = HEAD_BYTES as u64 + left_out + line_end;
        // With nothing left out the line is as whole as any other.
        chunk.left_out = (left_out > 0).then(|| left_out - u64::from(ends_with_return));
        Ok(())
    }
}

/// The last place where these bytes may be cut. The first of them have been looked at.
fn last_cut(bytes: &[u8], seen: usize, grids: Option<&Layout>) -> Option<usize> {
    match grids {
        Some(layout) => grids::last_cut(bytes, &layout.blanks),
        None => memchr::memrchr(b'\n', &bytes[seen..]).map(|last| seen + last + 1),
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Line, Lines, Source};
    use super::*;

    /// Gives so many bytes at a time.
    struct Drips(io::Cursor<Vec<u8>>, usize);

    impl Read for Drips {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let bytes = self.1.min(buffer.len());
            self.0.read(&mut buffer[..bytes])
        }
    }

    fn plain(name: &str, reader: impl Read + Send + 'static) -> Source {
        Source::from_reader(name, reader).with_layout(Layout::plain())
    }

    /// Lines around the length at which their tails are left out, with every kind of end.
    fn long_lines() -> Vec<u8> {
        let mut text = BYTE_ORDER_MARK.to_vec();
        for length in HEAD_BYTES - 4..HEAD_BYTES + 3 {
            for end in ["\n", "\r\n", "\r\r\n", "\rx\n"] {
                text.resize(text.len() + length, b'1');
                text.extend_from_slice(end.as_bytes());
                text.extend_from_slice(b"short\r\n\n");
            }
        }
        text.resize(text.len() + 3 * HEAD_BYTES, b'2');
        text.push(b'\r');
        text
    }

    #[test]
    fn a_stream_has_the_same_lines_as_a_slice_however_it_comes() {
        let text = long_lines();
        let expected: Vec<Line> = Lines::new(&text[BYTE_ORDER_MARK.len()..]).collect();
        for (drip, chunk_bytes) in [(usize::MAX, 1 << 18), (1000, 1 << 18), (4096, 70), (7, 9999)] {
            let reader = Drips(io::Cursor::new(text.clone()), drip);
            let mut chunks = plain("long", reader).into_chunks(chunk_bytes);
            let (mut chunk, mut at, mut bytes) = (Chunk::new(), 0, 0);
            while chunks.fill(&mut chunk).unwrap() {
                for line in chunk.lines() {
                    assert!(line == expected[at], "line {at}, {drip} bytes at a time");
                    at += 1;
                }
                bytes += chunk.input_bytes();
                assert!(chunk.buffer.memory.capacity() <= 2 * (2 * HEAD_BYTES + chunk_bytes));
            }
            assert_eq!((at, bytes), (expected.len(), text.len() as u64));
        }
    }

    /// One line, then nothing but errors.
    struct Breaks(bool);

    impl Read for Breaks {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            if std::mem::replace(&mut self.0, true) {
                return Err(io::Error::other("the cable was pulled"));
            }
            buffer[..5].copy_from_slice(b"one\nt");
            Ok(5)
        }
    }

    #[test]
    fn lines_before_a_read_error_are_handed_over() {
        let mut chunks = plain("cable", Breaks(false)).into_chunks(100);
        let mut chunk = Chunk::new();
        assert!(chunks.fill(&mut chunk).unwrap());
        assert_eq!(chunk.lines().next().unwrap().bytes, b"one");
        let error = chunks.fill(&mut chunk).unwrap_err();
        assert_eq!(error.to_string(), "cable: the cable was pulled");
    }
}
