//! Pieces of an input that end where a record ends: a line, or a grid of nine.
//!
//! ```text
//! mapped:  |<-- chunk_bytes -->··|<-- chunk_bytes -->···|      ·· up to the next line end
//! stream:  |<- what one read() gave, up to its last line end ->|
//! ```
//!
//! A [`ChunkBuffer`] is filled again and again. Its bytes are seen only as a [`Chunk`], within
//! [`ChunkBuffer::read`], which afterwards checks that they were those of the input.

use super::boundary::end_of_records;
use super::layout::shape::Layout;
use super::lines::{BYTE_ORDER_MARK, Lines, is_empty};
use super::origin::SharedBytes;
use super::source::{Error, LoadRows, Opened, RestOfInput, Source};
use super::stream::Buffer;
use std::io;
use std::ops::Range;
use std::sync::Arc;

/// The memory for a chunk. Made once, filled again and again.
#[derive(Default)]
pub struct ChunkBuffer {
    /// The bytes of a streamed chunk; kept for the next. The counts are those of any chunk.
    memory: Buffer,
    /// The bytes of a chunk that is not streamed.
    shared: Option<(Arc<SharedBytes>, Range<usize>)>,
    /// The rows of a Parquet file that are still to be decoded.
    rows: Option<LoadRows>,
    /// Why the rows behind it cannot be decoded.
    pub failed: Option<io::Error>,
    layout: Arc<Layout>,
    /// Where it begins in the input, in bytes. Only the first chunk of a Parquet file has 0.
    start: u64,
}

impl ChunkBuffer {
    /// How many bytes of the input it stands for, kept or not.
    pub const fn input_bytes(&self) -> u64 {
        self.memory.input_bytes
    }

    /// Decodes the rows of a Parquet file, if that is still to be done. If it fails, the chunk has the rows before.
    pub fn load(&mut self) {
        if let Some(load) = self.rows.take() {
            self.failed = self.memory.replace(load).err();
        }
    }

    /// Shows the chunk to `read`, and returns its result if the bytes were those of the input.
    ///
    /// Everything that `read` makes of the bytes should be in its result, which is dropped otherwise.
    ///
    /// # Errors
    /// The chunk is a piece of a mapped file, and meanwhile the file was shortened or cannot be read any
    /// more.
    pub fn read<R>(&self, read: impl FnOnce(&Chunk<'_>) -> R) -> io::Result<R> {
        match &self.shared {
            Some((shared, range)) => shared.read(|bytes| {
                let bytes = &bytes[range.clone()];
                (range.end, read(&Chunk { bytes, buffer: self }))
            }),
            None => Ok(read(&Chunk { bytes: self.memory.bytes(), buffer: self })),
        }
    }

    /// Leaves out what follows the record that reaches this byte. Whether there was anything.
    ///
    /// # Errors
    /// As [`ChunkBuffer::read`].
    pub fn end_behind(&mut self, byte: usize) -> io::Result<bool> {
        let (all, end) = self.read(|chunk| {
            (chunk.bytes.len(), end_of_records(chunk.bytes, 0, byte.max(1), chunk.layout()))
        })?;
        // A line that is not kept whole is the only one of its chunk.
        if end < all {
            self.memory.cut(end);
            if let Some((_, range)) = &mut self.shared {
                range.end = range.start + end;
            }
        }
        Ok(end < all)
    }
}

/// Bytes of some whole lines, while they are read.
#[derive(Clone, Copy)]
pub struct Chunk<'a> {
    bytes: &'a [u8],
    buffer: &'a ChunkBuffer,
}

impl<'a> Chunk<'a> {
    /// Its bytes, as far as they are kept.
    pub const fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// Its last bytes, `most` or fewer; none if not all of them are kept.
    pub fn last_bytes(&self, most: usize) -> Option<&'a [u8]> {
        let start = self.bytes.len().saturating_sub(most);
        (self.bytes.len() as u64 == self.buffer.input_bytes()).then(|| &self.bytes[start..])
    }

    /// Its lines.
    pub fn lines(&self) -> Lines<'a> {
        // The input may begin with a byte-order mark.
        let bare = self.bytes.strip_prefix(BYTE_ORDER_MARK).filter(|_| self.start() == 0);
        Lines::new(bare.unwrap_or(self.bytes))
    }

    /// How its lines are to be read.
    pub fn layout(&self) -> &'a Layout {
        &self.buffer.layout
    }

    /// Where it begins in the input, in bytes.
    pub(super) const fn start(&self) -> u64 {
        self.buffer.start
    }
}

/// The chunks of one input, in order.
pub struct Chunks {
    name: Arc<str>,
    /// Its layout may still have to be found.
    unopened: Option<Source>,
    /// None before it is opened, and if it could not be.
    opened: Option<Opened>,
    /// The size of the next chunk of a stream, if the lines of the last one were short.
    stream_bytes: usize,
}

impl Source {
    /// Its chunks.
    pub fn into_chunks(self) -> Chunks {
        let (name, stream_bytes) = (Arc::clone(self.name()), usize::MAX);
        Chunks { name, unopened: Some(self), opened: None, stream_bytes }
    }
}

impl Chunks {
    /// Fills the buffer with the next lines, about `bytes` of them and at least one line; false if there are no more.
    /// Waits for a stream until it has a whole line.
    ///
    /// # Errors
    /// The input cannot be read. The lines of a stream before the error have been handed over, up to
    /// the last line end. Or no puzzle was found in the input, if its layout was not known
    /// ([`Source::find_layout`]).
    pub fn fill(&mut self, buffer: &mut ChunkBuffer, bytes: usize) -> Result<bool, Error> {
        let is_filled = self.claim(buffer, bytes, usize::MAX)?;
        buffer.load();
        Ok(is_filled)
    }

    /// As [`Chunks::fill`], but a chunk has about `short_lines` lines if these are shorter than a puzzle, and rows of a
    /// Parquet file are still to be [loaded](ChunkBuffer::load).
    ///
    /// # Errors
    /// As [`Chunks::fill`]; or the chunk before in this buffer could not be loaded.
    pub fn claim(
        &mut self,
        buffer: &mut ChunkBuffer,
        bytes: usize,
        short_lines: usize,
    ) -> Result<bool, Error> {
        if let Some(source) = self.unopened.take() {
            self.opened = Some(source.into_rest()?);
        }
        let Some(Opened { rest, layout, start: at }) = &mut self.opened else { return Ok(false) };
        buffer.layout = Arc::clone(layout);
        buffer.start = *at;
        let failed = |cause| Error { name: Arc::clone(&self.name), cause };
        if let Some(cause) = buffer.failed.take() {
            return Err(failed(cause));
        }
        (buffer.shared, buffer.rows) = (None, None);
        match rest {
            RestOfInput::Shared { shared, start, end } => {
                let cut = shared.read(|all| {
                    let all = &all[..*end];
                    let short = bytes_of(&all[*start..], short_lines, layout);
                    let end = end_of_records(all, *start, bytes.max(1).min(short), layout);
                    (end, end)
                });
                let end = cut.map_err(failed)?;
                buffer.memory.input_bytes = (end - *start) as u64;
                buffer.shared = Some((Arc::clone(shared), *start..end));
                *start = end;
            }
            RestOfInput::Stream(stream) => {
                let size = bytes.max(1).min(self.stream_bytes);
                stream.fill(&mut buffer.memory, layout, size).map_err(failed)?;
                self.stream_bytes = bytes_of(buffer.memory.bytes(), short_lines, layout);
            }
            RestOfInput::Table(next) => {
                buffer.rows = next(bytes);
                // Its bytes are not known yet.
                buffer.memory.input_bytes = u64::from(buffer.rows.is_some());
            }
        }
        *at += buffer.input_bytes();
        Ok(buffer.input_bytes() > 0)
    }
}

/// About how many bytes `lines` lines have, if all are as short as the first lines of `bytes`. No bound if
/// the first lines are long enough for puzzles.
fn bytes_of(bytes: &[u8], lines: usize, layout: &Layout) -> usize {
    /// Bytes that are looked at: a page.
    const SAMPLE: usize = 4096;
    /// Half of the line of a puzzle: below it, most lines are none.
    const SHORT: usize = 41;
    if lines == usize::MAX || layout.has_grids() {
        return usize::MAX;
    }
    let sample = &bytes[..bytes.len().min(SAMPLE)];
    let end = memchr::memrchr(b'\n', sample).map_or(0, |end| end + 1);
    // Empty lines have no records.
    let found = Lines::new(&sample[..end]).filter(|line| !is_empty(line)).count();
    if found * SHORT <= sample.len() {
        return usize::MAX;
    }
    lines.saturating_mul(sample.len()) / found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::lines::MAX_LINE_BYTES;
    use crate::input::stream::HEAD_BYTES;
    use std::io::Read;

    /// Every chunk's lines, for an input of this text in chunks of `chunk_bytes`.
    fn cut(source: Source, chunk_bytes: usize) -> Vec<Vec<String>> {
        let mut chunks = source.with_layout(Layout::default()).into_chunks();
        let mut buffer = ChunkBuffer::default();
        let mut all = Vec::new();
        let text = |line: &[u8]| String::from_utf8_lossy(line).into_owned();
        while chunks.fill(&mut buffer, chunk_bytes).unwrap() {
            all.push(buffer.read(|chunk| chunk.lines().map(text).collect()).unwrap());
        }
        all
    }

    #[test]
    fn a_chunk_ends_with_the_line_that_reaches_its_size() {
        let text = "one\ntwo\nthree";
        let in_memory = |bytes| cut(Source::from_bytes("text", text.into()), bytes);
        assert_eq!(in_memory(1), [["one"], ["two"], ["three"]]);
        assert_eq!(in_memory(4), [["one"], ["two"], ["three"]]);
        assert_eq!(in_memory(5), [vec!["one", "two"], vec!["three"]]);
        assert_eq!(in_memory(usize::MAX), [["one", "two", "three"]]);
        assert_eq!(cut(Source::from_bytes("none", vec![]), 1), Vec::<Vec<String>>::new());
    }

    #[test]
    fn one_byte_chunks_of_a_stream_hold_one_line() {
        let source = Source::from_reader("stream", &b"one\ntwo\n\nthree"[..]);
        assert_eq!(cut(source, 1), [["one"], ["two"], [""], ["three"]]);
    }

    /// Gives this number of bytes at a time.
    struct Drips(io::Cursor<Vec<u8>>, usize);

    impl Read for Drips {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let bytes = self.1.min(buffer.len());
            self.0.read(&mut buffer[..bytes])
        }
    }

    fn plain(name: &str, reader: impl Read + Send + 'static) -> Source {
        Source::from_reader(name, reader).with_layout(Layout::default())
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
        // Of a longer line, a stream keeps at least one byte too many.
        let cut = |line: &[u8]| line[..line.len().min(MAX_LINE_BYTES + 1)].to_vec();
        let expected: Vec<_> = Lines::new(&text[BYTE_ORDER_MARK.len()..]).map(cut).collect();
        for (drip, chunk_bytes) in [(usize::MAX, 1 << 18), (1000, 1 << 18), (4096, 70), (7, 9999)] {
            let reader = Drips(io::Cursor::new(text.clone()), drip);
            let mut chunks = plain("long", reader).into_chunks();
            let (mut chunk, mut at, mut bytes) = (ChunkBuffer::default(), 0, 0);
            while chunks.fill(&mut chunk, chunk_bytes).unwrap() {
                let lines = |chunk: &Chunk| {
                    for line in chunk.lines() {
                        assert!(cut(line) == expected[at], "line {at}, {drip} bytes at a time");
                        at += 1;
                    }
                };
                chunk.read(lines).unwrap();
                bytes += chunk.input_bytes();
                assert!(chunk.memory.memory.capacity() <= 2 * (2 * HEAD_BYTES + chunk_bytes));
            }
            assert_eq!((at, bytes), (expected.len(), text.len() as u64));
        }
    }
}
