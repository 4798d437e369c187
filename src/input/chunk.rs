//! Pieces of an input that end where a line ends.
//!
//! ```text
//! mapped:  |<-- chunk_bytes -->··|<-- chunk_bytes -->···|      ·· up to the next line end
//! stream:  |<- what one read() gave, up to its last line end ->|
//! ```

use super::lines::Lines;
use super::stream::{Buffer, Stream};
use super::{Body, Error, Shared};
use std::ops::Range;
use std::sync::Arc;

/// Bytes of some whole lines, with the memory for them. Made once, filled again and again.
#[derive(Default)]
pub struct Chunk {
    /// A streamed chunk's bytes; kept for the next.
    pub(super) buffer: Buffer,
    /// A mapped chunk's bytes.
    shared: Option<(Arc<Shared>, Range<usize>)>,
    /// Whether this is the first of its input.
    starts_input: bool,
    /// The last line goes on for so many bytes that were not kept.
    pub(super) left_out: Option<u64>,
    /// Bytes of input that it stands for, kept or not.
    pub(super) input_bytes: u64,
}

impl Chunk {
    /// An empty chunk.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Bytes of input that it stands for.
    #[must_use]
    pub const fn input_bytes(&self) -> u64 {
        self.input_bytes
    }

    /// Its lines.
    #[must_use]
    pub fn lines(&self) -> Lines<'_> {
        let bytes = match &self.shared {
            Some((shared, range)) => &shared.bytes()[range.clone()],
            None => self.buffer.bytes(),
        };
        Lines::of_chunk(bytes, self.starts_input, self.left_out)
    }
}

/// The chunks of one input, in order.
pub struct Chunks {
    name: Arc<str>,
    rest: Rest,
    started: bool,
    chunk_bytes: usize,
}

/// What is still to be cut.
enum Rest {
    Shared { shared: Arc<Shared>, start: usize },
    Stream(Stream),
}

impl Chunks {
    pub(super) fn new(name: Arc<str>, body: Body, chunk_bytes: usize) -> Self {
        let rest = match body {
            Body::Shared(shared) => Rest::Shared { shared, start: 0 },
            Body::Stream(reader, _) => Rest::Stream(Stream::new(reader)),
        };
        Self { name, rest, started: false, chunk_bytes }
    }

    /// Makes the next chunks about so long.
    pub fn set_chunk_bytes(&mut self, chunk_bytes: usize) {
        self.chunk_bytes = chunk_bytes.max(1);
    }

    /// Fills the chunk with the next lines; false if there are no more. Waits for a stream
    /// until it has a whole line.
    ///
    /// # Errors
    /// A stream that cannot be read. What it gave before, up to its last line end, has been
    /// handed over.
    pub fn fill(&mut self, chunk: &mut Chunk) -> Result<bool, Error> {
        (chunk.shared, chunk.left_out) = (None, None);
        chunk.starts_input = !self.started;
        self.started = true;
        match &mut self.rest {
            Rest::Shared { shared, start } => {
                let end = end_of_lines(shared.bytes(), *start, self.chunk_bytes);
                chunk.input_bytes = (end - *start) as u64;
                chunk.shared = Some((Arc::clone(shared), *start..end));
                *start = end;
            }
            Rest::Stream(stream) => {
                let filled = stream.fill(chunk, self.chunk_bytes);
                filled.map_err(|cause| Error { name: Arc::clone(&self.name), cause })?;
            }
        }
        Ok(chunk.input_bytes > 0)
    }
}

/// Just past the first line end at or after `start + chunk_bytes`, or else the end of all.
fn end_of_lines(bytes: &[u8], start: usize, chunk_bytes: usize) -> usize {
    let last = start.saturating_add(chunk_bytes - 1);
    match bytes.get(last..).and_then(|rest| memchr::memchr(b'\n', rest)) {
        Some(place) => last + place + 1,
        None => bytes.len(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::Source;

    /// Every chunk's lines, for an input of this text cut at so many bytes.
    fn cut(source: Source, chunk_bytes: usize) -> Vec<Vec<String>> {
        let mut chunks = source.into_chunks(chunk_bytes);
        let mut chunk = Chunk::new();
        let mut all = Vec::new();
        while chunks.fill(&mut chunk).unwrap() {
            let lines = chunk.lines().map(|line| String::from_utf8_lossy(line.bytes).into_owned());
            all.push(lines.collect());
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
}
