//! What the tests share: puzzles of every kind, each quickly answered by every engine; files
//! strewn with them; and folders that go away.

use ninefold::output::Sink;
use std::fmt::Write;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use tempfile::TempDir;

/// One solution, by naked singles.
pub const EASY: &str =
    "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
/// `EASY` with more clues, for tests of many puzzles.
pub const LIGHT: &str =
    ".3467.9126.2195.4819.3425.7859.6142.4268.3791.1392.8569.1537.8428.4196.5345.8617.";
/// One solution, and naked singles do not lead far.
pub const HARD: &str =
    "306508400520000000087000031003010080900863005050090600130000250000000074005206300";
/// The solution of [`EASY`] and [`LIGHT`].
pub const SOLVED: &str =
    "534678912672195348198342567859761423426853791713924856961537284287419635345286179";
/// Two solutions: 6 and 7 may change places.
pub const TWO: &str =
    "534..8912672195348198342567859..1423426853791713924856961537284287419635345286179";
/// Four solutions: so may 4 and 8, besides.
pub const FOUR: &str =
    "534..89126721953..198342567859..14234268537917139248569615372..287419635345286179";
/// Legal, but no digit fits the end of the first row.
pub const NONE: &str =
    "12345678.........9...............................................................";
/// A digit twice in a row.
pub const ILLEGAL: &str =
    "33...............................................................................";
/// What is wrong with [`ILLEGAL`].
pub const ILLEGAL_REASON: &str =
    "3 twice in row 1 (columns 1 and 2); 3 twice in box 1 (row 1 column 1 and row 1 column 2)";

/// A folder for one test, removed with its content.
pub struct Folder(TempDir);

impl Folder {
    pub fn new() -> Self {
        Self(TempDir::with_prefix("ninefold-test-").unwrap())
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// A file with this text.
    pub fn file(&self, name: &str, text: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(name);
        fs::write(&path, text).unwrap();
        path
    }
}

/// An output that can be looked at afterwards.
#[derive(Clone, Default)]
pub struct Memory(Arc<Mutex<Vec<u8>>>);

impl Memory {
    pub fn sink(&self) -> Sink {
        Sink::from_writer("memory", self.clone())
    }

    /// All that was written since the last call.
    pub fn text(&self) -> String {
        String::from_utf8(std::mem::take(&mut self.0.lock().unwrap())).unwrap()
    }
}

impl io::Write for Memory {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The file of an output that is not complete.
pub fn partial_path(output: &Path) -> PathBuf {
    format!("{}.partial", output.display()).into()
}

/// The log of an output that is not complete.
pub fn log_path(output: &Path) -> PathBuf {
    format!("{}.partial.log", output.display()).into()
}

/// The name under which a log is begun anew.
pub fn new_log_path(output: &Path) -> PathBuf {
    format!("{}.partial.log.new", output.display()).into()
}

/// Bytes of input that the log says are done.
pub fn reached(output: &Path) -> u64 {
    let Ok(text) = fs::read_to_string(log_path(output)) else { return 0 };
    // The last line may be being written.
    let last = text.rsplit('\n').find_map(|line| serde_json::from_str(line).ok());
    let line: serde_json::Value = last.expect("a log has a whole line");
    let inputs = line["reached"]["inputs"].as_array().unwrap();
    inputs.iter().map(|input| input["counts"]["bytes"].as_u64().unwrap()).sum()
}

/// A text of this many lines of every kind, with every line end, and the records that are to
/// come of it with `--unique`. Each record begins with `prefix` if it is no solution.
pub fn strewn(lines: usize, prefix: &str) -> (Vec<u8>, String) {
    let overlong = "1".repeat(200_000);
    let kinds = [
        (LIGHT, Ok(SOLVED)),
        (SOLVED, Ok(SOLVED)),
        (LIGHT, Ok(SOLVED)),
        (TWO, Err("more than one solution")),
        ("# a comment", Ok("")),
        (LIGHT, Ok(SOLVED)),
        (NONE, Err("no solution")),
        ("", Ok("")),
        ("", Ok("")),
        (ILLEGAL, Err(ILLEGAL_REASON)),
        (&LIGHT[1..], Err("expected 81 cells, found 80")),
        ("53.x", Err("column 4: expected 1 to 9, '.' or '0', found 'x'")),
        (&overlong, Err("expected 81 cells, found 200000")),
    ];
    let (mut text, mut records) = ("\u{feff}".to_owned(), String::new());
    for line in 1..=lines {
        // Steps through the kinds unevenly, with the overlong line but once.
        let kind = if line == 7 { 12 } else { (line * line + line / 5) % 12 };
        let (bytes, record) = kinds[kind];
        text.push_str(bytes);
        text.push_str(if line % 3 == 0 { "\r\n" } else { "\n" });
        match record {
            Ok("") => {}
            Ok(solution) => writeln!(records, "{solution}").unwrap(),
            Err(reason) => writeln!(records, "# {prefix}line {line}: {reason}").unwrap(),
        }
    }
    // The last line has no end.
    text.push_str(LIGHT);
    records.push_str(SOLVED);
    records.push('\n');
    (text.into_bytes(), records)
}

pub fn gzip(text: impl AsRef<[u8]>) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::new(6));
    io::Write::write_all(&mut encoder, text.as_ref()).unwrap();
    encoder.finish().unwrap()
}

/// The text of an output. What follows the first gzip member is not read.
pub fn text_of(path: &Path) -> Vec<u8> {
    use std::io::Read;
    let (bytes, mut text) = (fs::read(path).unwrap(), Vec::new());
    match path.extension().and_then(|ending| ending.to_str()) {
        Some("gz") => flate2::read::GzDecoder::new(&bytes[..]).read_to_end(&mut text),
        Some("zst") => zstd::Decoder::new(&bytes[..]).unwrap().read_to_end(&mut text),
        _ => return bytes,
    }
    .unwrap();
    text
}
