//! Whatever way the bytes come, however they are cut, and however many threads there are: the
//! same bytes in give the same bytes out.
#![expect(unsafe_code, reason = "files are mapped")]

use crate::support::{EASY, Folder, strewn};
use ninefold::input::{
    Chunk, ChunkBuffer, Layout, Line, MAX_LINE_BYTES, Mapping, Puzzles, Record, Source,
};
use ninefold::output::Sink;
use ninefold::pipeline::{Control, Pipeline};
use ninefold::puzzle::{Grid, ParseError, Puzzle, SukakuError, parse};
use ninefold::run::{Report, Run};
use ninefold::solve::Solve;
use proptest::prelude::*;
use std::io::{self, Cursor, Read, Write};
use std::num::NonZeroUsize;
use std::sync::{Arc, Mutex};

/// The length of a chunk of a long input.
const CHUNK_BYTES: usize = 256 * 1024;

/// Output that can be looked at afterwards.
#[derive(Clone, Default)]
struct Shared(Arc<Mutex<Vec<u8>>>);

impl Write for Shared {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// A stream that gives few bytes at a time, never the same number twice running.
struct Drips(Cursor<Vec<u8>>, usize);

impl Read for Drips {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.1 = self.1 * 5 % 1009;
        let bytes = self.1.clamp(1, buffer.len());
        self.0.read(&mut buffer[..bytes])
    }
}

fn mapping() -> Mapping {
    // SAFETY: the files of these tests are theirs alone.
    unsafe { Mapping::allow() }
}

fn run(source: Source, threads: usize, chunk_bytes: usize) -> (String, Report) {
    let limit = NonZeroUsize::new(2).unwrap();
    let pipeline = Pipeline { threads, chunk_size: Some(chunk_bytes) };
    let run = Run { pipeline, ..Run::default() };
    let shared = Shared::default();
    let sink = Sink::from_writer("memory", shared.clone());
    let solve = Solve { limit, ..Solve::default() };
    let report = run.to(sink, &solve, vec![source], Control::default()).unwrap();
    let bytes = std::mem::take(&mut *shared.0.lock().unwrap());
    (String::from_utf8(bytes).unwrap(), report)
}

#[test]
fn the_same_bytes_give_the_same_records_by_every_path() {
    let (text, records) = strewn(120, "");
    let folder = Folder::new();
    let path = folder.file("strewn.txt", &text);
    let drips = || Drips(Cursor::new(text.clone()), 7);
    let sources: [(&str, &dyn Fn() -> Source); 5] = [
        ("mapped", &|| Source::open(&path, Some(mapping())).unwrap()),
        ("read", &|| Source::open(&path, None).unwrap()),
        ("memory", &|| Source::from_bytes("memory", text.clone())),
        ("stream", &|| Source::from_reader("stream", Cursor::new(text.clone()))),
        ("drips", &|| Source::from_reader("drips", drips())),
    ];
    let (_, first) = run(sources[0].1(), 1, CHUNK_BYTES);
    assert_eq!(first.total.bytes, text.len() as u64);
    assert_eq!(first.total.lines, 121);
    for (name, source) in sources {
        for chunk_bytes in [1, 100, 5000, CHUNK_BYTES] {
            for threads in [1, 2, 8] {
                let (found, report) = run(source(), threads, chunk_bytes);
                let way = format!("{name}, {threads} threads, chunks of {chunk_bytes}");
                assert!(found == records, "{way}:\n{found}\ninstead of\n{records}");
                assert_eq!(report.total, first.total, "{way}");
            }
        }
    }
}

#[cfg(feature = "compression")]
#[test]
fn the_same_text_gives_the_same_records_compressed_or_not() {
    let (text, records) = strewn(120, "");
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    gzip.write_all(&text).unwrap();
    let zstd = zstd::bulk::compress(&text, 1).unwrap();
    let (_, plain) = run(Source::from_bytes("plain", text), 1, CHUNK_BYTES);
    let folder = Folder::new();
    for packed in [gzip.finish().unwrap(), zstd] {
        let path = folder.file("packed", &packed);
        let sources: [(&str, &dyn Fn() -> Source); 4] = [
            ("mapped", &|| Source::open(&path, Some(mapping())).unwrap()),
            ("read", &|| Source::open(&path, None).unwrap()),
            ("memory", &|| Source::from_bytes("memory", packed.clone())),
            ("drips", &|| Source::from_reader("drips", Drips(Cursor::new(packed.clone()), 7))),
        ];
        for (name, source) in sources {
            assert_eq!(source().bytes(), None, "{name}");
            for chunk_bytes in [1, 5000, CHUNK_BYTES] {
                let (found, report) = run(source(), 2, chunk_bytes);
                assert!(found == records, "{name}, chunks of {chunk_bytes}:\n{found}");
                assert_eq!(report.total, plain.total, "{name}");
            }
        }
    }
}

#[cfg(not(feature = "compression"))]
#[test]
fn a_build_without_compression_says_so() {
    let folder = Folder::new();
    for (magic, name) in [(&b"\x1f\x8b\x08"[..], "gzip"), (b"\x28\xb5\x2f\xfd", "zstd")] {
        let path = folder.file("packed", magic);
        for error in [Source::open(&path, None).err(), Source::open(&path, Some(mapping())).err()] {
            let says = format!("is compressed with {name}, which this build leaves out");
            let cause = error.unwrap().cause.to_string();
            assert!(cause.contains(&says), "{cause}");
        }
        let path = folder.file("precious.gz", "precious");
        let error = Sink::open(&path, ninefold::output::Mode::New).err().unwrap();
        assert!(error.cause.to_string().contains("does not compress"), "{error}");
        assert_eq!(std::fs::read(&path).unwrap(), b"precious");
    }
}

/// The lines of a text, as one would say it: cut at every LF, a CR before it is part of the
/// end, and so is one at the very end; a mark at the start is not a part of it.
fn specified(text: &[u8]) -> Vec<Vec<u8>> {
    let text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text);
    let mut lines: Vec<_> = text.split(|&byte| byte == b'\n').collect();
    if lines.last().is_some_and(|last| last.is_empty()) {
        lines.pop();
    }
    lines.iter().map(|line| line.strip_suffix(b"\r").unwrap_or(line).to_vec()).collect()
}

/// What is said of a line: nothing, its grid, or what is wrong with it.
type Judgement = Option<Result<Grid, String>>;

/// What is to be said of each line: its first field is judged, and spaces alone are nothing. A mark
/// where it begins is not a part of it.
fn judged(lines: &[Vec<u8>]) -> Vec<Judgement> {
    lines.iter().map(|line| judged_line(line)).collect()
}

fn judged_line(line: &[u8]) -> Judgement {
    let line = line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line);
    let start = line.iter().position(|byte| !b" \t".contains(byte))?;
    if line[0] == b'#' {
        return None;
    }
    let field = &line[start..];
    let end = field.iter().position(|byte| b" \t,;|".contains(byte)).unwrap_or(field.len());
    // About the length of a sukaku.
    if (600..=900).contains(&end) {
        let column = if start > 0 { format!("column {}: ", start + 1) } else { String::new() };
        return Some(Err(match parse::sukaku(&field[..end]).unwrap_err() {
            SukakuError::Byte { column, expected, found } => {
                SukakuError::Byte { column: column + start, expected, found }.to_string()
            }
            error => format!("{column}{error}"),
        }));
    }
    Some(parse::line(&field[..end]).map_err(|error| match error {
        ParseError::Byte { column, found } => {
            ParseError::Byte { column: column + start, found }.to_string()
        }
        error @ ParseError::Length { .. } if start > 0 => format!("column {}: {error}", start + 1),
        error => error.to_string(),
    }))
}

/// What the room makes of a source: every line, and what it says of each.
type Reading = (Vec<Vec<u8>>, Vec<Judgement>, u64);

fn read(source: Source, chunk_bytes: usize) -> Reading {
    let (mut lines, mut judged, mut bytes) = (Vec::new(), Vec::new(), 0);
    let (mut chunk, mut puzzles) = (ChunkBuffer::default(), Puzzles::default());
    let mut chunks = source.with_layout(Layout::default()).into_chunks(chunk_bytes);
    while chunks.fill(&mut chunk).unwrap() {
        bytes += chunk.input_bytes();
        let read = |chunk: &Chunk| {
            lines.extend(chunk.lines().map(|line| line.bytes.to_vec()));
            puzzles.read(chunk);
        };
        chunk.read(read).unwrap();
        for record in puzzles.records() {
            match record {
                Record::Puzzles { numbers, .. } => judged.extend(numbers.map(|number| {
                    let Puzzle::Grid(grid) = puzzles.puzzle(number) else {
                        panic!("no text here has 729 cells in a row")
                    };
                    Some(Ok(grid))
                })),
                Record::Malformed { error, .. } => judged.push(Some(Err(error.to_string()))),
                Record::Skipped { lines, .. } => judged.extend((0..lines).map(|_| None)),
            }
        }
    }
    (lines, judged, bytes)
}

/// Texts of pieces that matter: cells, line ends, marks, comments, and any other bytes.
fn texts() -> impl Strategy<Value = Vec<u8>> {
    let piece = prop_oneof![
        4 => Just(EASY.as_bytes().to_vec()),
        4 => Just(b"\n".to_vec()),
        2 => Just(b"\r\n".to_vec()),
        1 => Just(b"\r".to_vec()),
        1 => Just(b"\xef\xbb\xbf".to_vec()),
        1 => Just(b"#".to_vec()),
        2 => "[0-9.]{0,90}".prop_map(String::into_bytes),
        1 => "[ ,;|\t]{1,3}".prop_map(String::into_bytes),
        1 => prop::collection::vec(any::<u8>(), 0..8),
    ];
    prop::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn nothing_is_lost_however_a_text_is_cut(text in texts(), chunk_bytes in 1usize..500) {
        let lines = specified(&text);
        let expected = (lines.clone(), judged(&lines), text.len() as u64);
        let drips = Drips(Cursor::new(text.clone()), chunk_bytes);
        prop_assert_eq!(&read(Source::from_bytes("text", text), chunk_bytes), &expected);
        prop_assert_eq!(&read(Source::from_reader("text", drips), chunk_bytes), &expected);
    }
}

#[test]
fn a_line_without_end_takes_no_memory() {
    const LENGTH: u64 = 1 << 28;
    let stream = io::repeat(b'7').take(LENGTH).chain(&b"\r\n1\n"[..]);
    let source = Source::from_reader("sevens", stream).with_layout(Layout::default());
    let mut chunks = source.into_chunks(CHUNK_BYTES);
    let mut chunk = ChunkBuffer::default();
    assert!(chunks.fill(&mut chunk).unwrap());
    let check = |chunk: &Chunk| {
        let lines: Vec<Line> = chunk.lines().collect();
        assert_eq!((lines.len(), lines[0].length), (1, LENGTH));
        assert_eq!(lines[0].bytes, vec![b'7'; MAX_LINE_BYTES]);
    };
    chunk.read(check).unwrap();
    assert!(chunks.fill(&mut chunk).unwrap());
    chunk.read(|chunk| assert_eq!(chunk.lines().next().unwrap().bytes, b"1")).unwrap();
    assert!(!chunks.fill(&mut chunk).unwrap());
}
