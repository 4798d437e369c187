//! The laws of the reader: for any bytes, however they come and wherever they are cut.
//!
//! ```text
//! bytes ─┬─ in memory ─┬─ one chunk
//!        └─ a stream   └─ many chunks      the same records, lines and errors
//! ```
//!
//! 1. Nothing panics.
//! 2. What is read does not depend on the way, on the cuts, or on what else is requested.
//! 3. Every line is counted once: it belongs to a record, or to several grids in text, or was skipped.
//! 4. The text of a record stands in the input, and records stand in order.
//!
//! `tests/library/reader_laws.rs` and `fuzz/fuzz_targets/reader.rs` hold the reader to them.
#![allow(dead_code, unreachable_pub, reason = "each test program uses its own part of this")]

use ninefold::input::{
    Chunk, ChunkBuffer, ColumnRef, Delimiter, Given, Hints, Puzzles, Record as RecordOf, Source,
    Want,
};
pub use ninefold::puzzle::Puzzle;
use ninefold::puzzle::parse::Blanks;
use std::io::{self, Cursor, Read};
use std::ops::Range;

/// A line that should be a puzzle, or lines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// The first of its lines, counted from 1.
    pub line: u64,
    /// All fields, if they were requested.
    pub text: Option<Vec<u8>>,
    /// What it gave: a puzzle and the solution given with it, or what is wrong.
    pub what: Result<(Puzzle, Option<Given>), String>,
}

/// What a reader makes of an input.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Reading {
    pub layout: Option<String>,
    pub records: Vec<Record>,
    pub lines: u64,
    pub bytes: u64,
    pub error: Option<String>,
}

/// All that may be asked for.
pub fn all() -> Want {
    Want { lines: true, solutions: true }
}

/// Reads an input to its end, or to its error.
pub fn read(mut source: Source, hints: &Hints, chunk_bytes: usize, want: Want) -> Reading {
    let mut reading = Reading::default();
    match source.find_layout(hints) {
        Ok(layout) => reading.layout = Some(format!("{layout:?}")),
        Err(error) => return reading.failed(&error),
    }
    let mut chunks = source.into_chunks();
    let (mut chunk, mut puzzles) = (ChunkBuffer::default(), Puzzles::keeping(want));
    loop {
        match chunks.fill(&mut chunk, chunk_bytes) {
            Ok(true) => {}
            Ok(false) => return reading,
            Err(error) => return reading.failed(&error),
        }
        reading.bytes += chunk.input_bytes();
        let read = |chunk: &Chunk| {
            puzzles.read(chunk);
            reading.add(chunk, &puzzles, want);
        };
        chunk.read(read).unwrap();
    }
}

impl Reading {
    pub fn failed(self, error: &ninefold::input::Error) -> Self {
        Self { error: Some(error.cause.to_string()), ..self }
    }

    /// Adds what a chunk holds.
    fn add(&mut self, chunk: &Chunk, puzzles: &Puzzles, want: Want) {
        let mut last_end = 0;
        let mut text = |range: Range<usize>, is_again: bool| {
            assert!(is_again || range.start >= last_end, "it begins before the last has ended");
            last_end = range.end.max(last_end);
            want.lines.then(|| chunk.bytes()[range].to_vec())
        };
        let before = self.lines;
        for record in puzzles.records() {
            let (RecordOf::Puzzles { line, .. } | RecordOf::Malformed { line, .. }) = record;
            let line = before + line;
            // A line of text may have several grids, and other cells. If it is malformed, its text is all of the line.
            let is_again = chunk.layout().has_grids() && line == self.lines;
            assert!(line > self.lines || is_again, "a line belongs to one record");
            self.lines = line;
            match record {
                RecordOf::Puzzles { numbers, .. } => {
                    self.lines += numbers.len() as u64 - 1;
                    for (line, number) in (line..).zip(numbers.clone()) {
                        let given = want.solutions.then(|| *puzzles.given_with(number));
                        let text = puzzles.bytes_of(number).and_then(|it| text(it, is_again));
                        let what = Ok((puzzles.puzzle(number), given));
                        self.records.push(Record { line, text, what });
                    }
                }
                RecordOf::Malformed { error, bytes, .. } => {
                    let what = Err(error.to_string());
                    self.records.push(Record { line, text: text(bytes.clone(), is_again), what });
                }
            }
        }
        assert_eq!(puzzles.line_count(), chunk.lines().count() as u64, "each line is counted");
        self.lines = before + puzzles.line_count();
    }

    /// The reading if only grids were requested.
    fn bare(mut self) -> Self {
        for record in &mut self.records {
            record.text = None;
            record.what = record.what.clone().map(|(grid, _)| (grid, None));
        }
        self
    }
}

/// A stream that gives few bytes at a time, never the same number twice running.
pub struct Drips {
    bytes: Cursor<Vec<u8>>,
    most: usize,
}

impl Drips {
    pub fn new(bytes: &[u8]) -> Self {
        Self { bytes: Cursor::new(bytes.to_vec()), most: bytes.len() % 1008 + 1 }
    }
}

impl Read for Drips {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.most = self.most * 5 % 1009;
        let bytes = self.most.clamp(1, buffer.len().max(1)).min(buffer.len());
        self.bytes.read(&mut buffer[..bytes])
    }
}

/// How many lines a text has, as one would say it: each LF ends one, and so does the end.
pub fn count_lines(bytes: &[u8]) -> u64 {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let lines = bytes.split(|&byte| byte == b'\n').count() as u64;
    lines - u64::from(bytes.is_empty() || bytes.ends_with(b"\n"))
}

/// Reads the bytes every way, and holds the readings to the laws. Gives one of them.
pub fn check(bytes: &[u8], hints: &Hints, chunk_bytes: usize) -> Reading {
    let memory = || Source::from_bytes("input", bytes.to_vec());
    let whole = || Source::from_reader("input", Cursor::new(bytes.to_vec()));
    let drips = || Source::from_reader("input", Drips::new(bytes));
    let first = read(memory(), hints, usize::MAX, all());
    let ways: [(&str, &dyn Fn() -> Source, usize); 4] = [
        ("memory, cut", &memory, chunk_bytes),
        ("stream", &whole, 1 << 18),
        ("stream, cut", &whole, chunk_bytes),
        ("drips, cut", &drips, chunk_bytes),
    ];
    for (way, source, chunk_bytes) in ways {
        let other = read(source(), hints, chunk_bytes, all());
        assert_same(&other, &first, &format!("{way} at {chunk_bytes}, {hints:?}"));
    }
    for want in [Want::default(), Want { lines: true, ..Want::default() }] {
        let bare = read(memory(), hints, chunk_bytes, want).bare();
        let mut full = read(memory(), hints, chunk_bytes, all()).bare();
        for (full, bare) in full.records.iter_mut().zip(&bare.records) {
            // A reading with answers gives one that contradicts its puzzle. A reading without them takes it for
            // another puzzle.
            if full.what.is_ok() && bare.what == Err("several puzzles in one line".to_owned()) {
                full.what.clone_from(&bare.what);
            }
        }
        assert_same(&bare, &full, &format!("{want:?}, {hints:?}"));
    }
    let packed =
        [&b"\x1f\x8b"[..], b"\x28\xb5\x2f\xfd"].iter().any(|magic| bytes.starts_with(magic))
            || bytes.get(1..4) == Some(b"\x2a\x4d\x18");
    // The lines of a document are not those of its bytes.
    let is_document = first.layout.as_ref().is_some_and(|it| it.contains("document: Some"));
    if first.error.is_none() && !packed && !is_document {
        assert_eq!(first.bytes, bytes.len() as u64, "{hints:?}");
        assert_eq!(first.lines, count_lines(bytes), "{hints:?}");
        check_texts(bytes, &first, hints.grids);
    }
    first
}

/// Shows the first thing that differs.
fn assert_same(found: &Reading, expected: &Reading, way: &str) {
    let records = found.records.iter().zip(&expected.records);
    for (found, expected) in records {
        let text = |record: &Record| {
            let text = record.text.as_deref().unwrap_or_default();
            text[..text.len().min(200)].escape_ascii().to_string()
        };
        let texts = (text(found), text(expected));
        assert!(found == expected, "{way}: {:?} {:?} {texts:?}", found.what, expected.what);
    }
    let counts = |reading: &Reading| {
        let Reading { layout, records, lines, bytes, error } = reading;
        (layout.clone(), error.clone(), records.len(), *lines, *bytes)
    };
    assert_eq!(counts(found), counts(expected), "{way}");
}

/// The texts of the records are in the input in their order, each at the start of a line or behind a mark there. Those of
/// grids in text may begin anywhere, and several may be in one line.
fn check_texts(bytes: &[u8], reading: &Reading, are_grids: bool) {
    let unmarked = |bytes| <[u8]>::strip_prefix(bytes, b"\xef\xbb\xbf").unwrap_or(bytes);
    let (mut rest, mut line, mut number) = (unmarked(bytes), unmarked(bytes), 0);
    for record in &reading.records {
        let text = record.text.as_deref().unwrap_or_default();
        assert!(!text.is_empty(), "line {} has a record, and no text", record.line);
        (rest, line, number) =
            if record.line == number { (line, line, number) } else { (rest, rest, record.line) };
        while !rest.starts_with(text) && !unmarked(rest).starts_with(text) {
            let next = rest.iter().position(|&byte| are_grids || byte == b'\n');
            rest = &rest[next.expect("the text stands in the input") + 1..];
        }
        rest = &rest[text.len()..];
    }
}

/// What a caller may know, made of a few numbers.
pub fn hints([flags, delimiter, columns]: [u8; 3]) -> Hints {
    let column = |number: u8| match number % 8 {
        0..=2 => None,
        3 => Some(ColumnRef::Name("puzzle".to_owned())),
        4 => Some(ColumnRef::Name("answer".to_owned())),
        place => Some(ColumnRef::Place(usize::from(place - 5))),
    };
    let usual = Blanks::usual();
    Hints {
        puzzle: column(columns),
        solution: column(columns >> 4),
        delimiter: match delimiter % 16 {
            6 => Some(Delimiter::Spaces),
            7 => Some(Delimiter::Any),
            place => b",;\t|:.".get(usize::from(place)).copied().map(Delimiter::Byte),
        },
        no_header: flags & 2 != 0,
        blanks: if flags & 4 == 0 { usual } else { usual.with(b'x').unwrap_or(usual) },
        ..grids(flags & 1 != 0)
    }
}

/// Nothing is known but, perhaps, that there are grids.
pub fn grids(expected: bool) -> Hints {
    Hints { grids: expected, ..Hints::default() }
}
