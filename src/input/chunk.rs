//! Pieces of an input that end where a record ends: a line, or a grid of nine.
//!
//! ```text
//! mapped:  |<-- chunk_bytes -->··|<-- chunk_bytes -->···|      ·· up to the next line end
//! stream:  |<- what one read() gave, up to its last line end ->|
//! ```

use super::grids;
use super::layout::{Hints, Layout, Shape};
use super::lines::Lines;
use super::part;
use super::stream::{Buffer, Stream};
use super::{Body, Error, Shared, Source};
use std::io;
use std::ops::Range;
use std::sync::Arc;

/// Bytes of some whole lines, with the memory for them. Made once, filled again and again.
#[derive(Default)]
pub struct Chunk {
    /// A streamed chunk's bytes; kept for the next.
    pub(super) buffer: Buffer,
    /// A mapped chunk's bytes.
    shared: Option<(Arc<Shared>, Range<usize>)>,
    /// How its lines are to be read.
    pub(super) layout: Option<Arc<Layout>>,
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

    /// Its bytes, as far as they are kept.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        match &self.shared {
            Some((shared, range)) => &shared.bytes()[range.clone()],
            None => self.buffer.bytes(),
        }
    }

    /// Its last bytes, `most` or fewer; none if not all of them are kept.
    pub(crate) fn last_bytes(&self, most: usize) -> Option<&[u8]> {
        let bytes = self.bytes();
        self.left_out.is_none().then(|| &bytes[bytes.len().saturating_sub(most)..])
    }

    /// Its lines.
    #[must_use]
    pub fn lines(&self) -> Lines<'_> {
        Lines::of_chunk(self.bytes(), self.starts_input, self.left_out)
    }

    /// Whether a record that stands there has more bytes than are looked at.
    #[must_use]
    pub fn is_cut(&self, record: &Range<usize>) -> bool {
        match &self.bytes()[record.end..] {
            [] => self.left_out.is_some(),
            rest => !matches!(rest, [b'\n', ..] | [b'\r'] | [b'\r', b'\n', ..]),
        }
    }

    /// How its lines are to be read.
    #[must_use]
    pub fn layout(&self) -> &Layout {
        const PLAIN: &Layout = &Layout::plain();
        self.layout.as_deref().unwrap_or(PLAIN)
    }

    /// Whether the bytes that this thread has read of it were those of the input: to be asked
    /// afterwards.
    ///
    /// # Errors
    /// Somebody has shortened the file, or it cannot be read any more.
    pub fn check(&self) -> io::Result<()> {
        self.shared.as_ref().map_or(Ok(()), |(shared, range)| shared.check(range.end))
    }

    /// Whether it is the first of its input.
    #[must_use]
    pub const fn starts_input(&self) -> bool {
        self.starts_input
    }
}

impl Chunk {
    /// Its records one by one, each a chunk of its own, and where it ends in this one.
    pub(crate) fn pieces(&self) -> impl Iterator<Item = (Self, usize)> {
        let (bytes, mut start) = (self.bytes(), 0);
        std::iter::from_fn(move || {
            if start == bytes.len() {
                return None;
            }
            let end = end_of_records(bytes, start, 1, self.layout());
            let piece = self.piece(start..end);
            start = end;
            Some((piece, end))
        })
    }

    /// A part of it, with the bytes copied.
    pub(crate) fn piece(&self, range: Range<usize>) -> Self {
        let ends = range.end == self.bytes().len();
        Self {
            starts_input: self.starts_input && range.start == 0,
            left_out: self.left_out.filter(|_| ends),
            input_bytes: range.len() as u64,
            buffer: Buffer::of(&self.bytes()[range]),
            shared: None,
            layout: self.layout.clone(),
        }
    }
}

/// The chunks of one input, in order.
pub struct Chunks {
    name: Arc<str>,
    state: State,
    chunk_bytes: usize,
}

/// How far an input has been cut.
enum State {
    /// Not yet: its layout may still have to be found.
    Unopened(Source),
    /// Up to here.
    Open { rest: Rest, layout: Arc<Layout>, started: bool },
    /// It could not be read.
    Failed,
}

/// What is still to be cut.
enum Rest {
    Shared { shared: Arc<Shared>, start: usize, end: usize },
    Stream(Stream),
}

impl Chunks {
    pub(super) fn new(source: Source, chunk_bytes: usize) -> Self {
        Self { name: Arc::clone(&source.name), state: State::Unopened(source), chunk_bytes }
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
    /// handed over. An input in which no puzzle can be found, if nobody has looked before
    /// ([`Source::find_layout`]).
    pub fn fill(&mut self, chunk: &mut Chunk) -> Result<bool, Error> {
        if let State::Unopened(_) = self.state {
            let State::Unopened(source) = std::mem::replace(&mut self.state, State::Failed) else {
                return Ok(false);
            };
            self.state = State::open(source)?;
        }
        let State::Open { rest, layout, started } = &mut self.state else { return Ok(false) };
        (chunk.shared, chunk.left_out) = (None, None);
        chunk.layout = Some(Arc::clone(layout));
        chunk.starts_input = !*started;
        *started = true;
        match rest {
            Rest::Shared { shared, start, end } => {
                let bytes = &shared.bytes()[..*end];
                let end = end_of_records(bytes, *start, self.chunk_bytes, layout);
                chunk.input_bytes = (end - *start) as u64;
                chunk.shared = Some((Arc::clone(shared), *start..end));
                *start = end;
                chunk.check().map_err(|cause| Error { name: Arc::clone(&self.name), cause })?;
            }
            Rest::Stream(stream) => {
                let filled = stream.fill(chunk, self.chunk_bytes);
                filled.map_err(|cause| Error { name: Arc::clone(&self.name), cause })?;
            }
        }
        Ok(chunk.input_bytes > 0)
    }
}

impl State {
    fn open(mut source: Source) -> Result<Self, Error> {
        source.find_layout(&Hints::default())?;
        let layout = source.layout.take().unwrap_or_else(|| Arc::new(Layout::plain()));
        let started = source.part.start + source.skipped.bytes > 0;
        let body = std::mem::replace(&mut source.body, Body::Stream(Box::new(io::empty()), None));
        let plain = body.is_plain();
        let rest = match body {
            Body::Shared(shared) => {
                let (start, end) = part::range_of(&source, shared.bytes())?;
                Rest::Shared { shared, start, end }
            }
            Body::Stream(stream, _) => {
                let before = source.part.start + source.skipped.bytes;
                Rest::Stream(Stream::new(part::rest_of(&source, stream, before)?))
            }
            Body::Named(path, _, length) => {
                Rest::Stream(Stream::new(part::open(&source, &path, plain, length)?))
            }
        };
        Ok(Self::Open { rest, layout, started })
    }
}

/// Just past the record that reaches `start + chunk_bytes`, or else the end of all.
fn end_of_records(bytes: &[u8], start: usize, chunk_bytes: usize, layout: &Layout) -> usize {
    if layout.shape == Shape::Grids {
        let cut = grids::first_cut(&bytes[start..], &layout.blanks, chunk_bytes);
        return cut.map_or(bytes.len(), |cut| start + cut);
    }
    end_of_lines(bytes, start, chunk_bytes)
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
        let mut chunks = source.with_layout(Layout::plain()).into_chunks(chunk_bytes);
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
