//! A JSON document: one value that is not a line. It is read as lines, one for each record.
//!
//! ```text
//! [                                                       line 1   (empty)
//!   {                                                     line 2   {"id":1,"puzzle":"53..7…"}
//!     "id": 1, "puzzle": "53..7…"              ───>       line 3   (empty)
//!   },                                                    line 4   (empty)
//!   { "id": 2, …                                          line 5   {"id":2,…
//! ```
//!
//! A record is written on the line where it begins in the document, so line numbers are those of the
//! document. If several records begin on one line, each gets a line of its own: in a document of one
//! line, the number of a line is that of its record.
//!
//! A grid of pencilmarks, as forums write it, is a document, too. Its record is the 729 pencilmarks:
//!
//! ```text
//! *-----------------------*
//! | 9    2    346 | 45  …             ···⏎
//! | 8    13   7   | 6   …    ───>     ........9.2.........34.6…⏎
//! …                                   ⏎
//! ```
//!
//! Only complete head values are judged, by `serde_json`. The rest is cut by brackets and strings.

use super::forms;
use super::lines::BYTE_ORDER_MARK;
use crate::puzzle::Cell;
use serde::de::IgnoredAny;
use std::io::{self, Read};

/// Bytes of a line of a grid of pencilmarks that are looked at.
const MOST_LINE_BYTES: usize = 1024;

/// Bytes that are read at a time.
const PIECE_BYTES: usize = 64 * 1024;

/// What the records of a document are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Document {
    /// Its values, one after the other.
    Values,
    /// The elements of its arrays.
    Elements,
    /// Its grids of pencilmarks.
    Pencilmarks,
}

/// Why a document is refused.
const NO_RECORD: &str = "is a JSON document in which no puzzle was found: write one object a line, for \
    example with jq -c '.[]' FILE | ninefold COMMAND -";

/// Whether the head of an input is that of a document; none if each line is a record, or no JSON.
///
/// # Errors
/// It is a JSON document of several lines whose records are not found.
pub(super) fn look(head: &[u8]) -> Result<Option<Document>, &'static str> {
    let text = head.strip_prefix(BYTE_ORDER_MARK).unwrap_or(head).trim_ascii_start();
    let first = text.first();
    if !matches!(first, Some(b'{' | b'[')) {
        return Ok(has_marks(head).then_some(Document::Pencilmarks));
    }
    let first_line = &text[..memchr::memchr(b'\n', text).unwrap_or(text.len())];
    let is_line = serde_json::from_slice::<IgnoredAny>(first_line).is_ok();
    let whole = value(text);
    let is_puzzle = |json| forms::array(json).is_some_and(|cells| cells.len() == Cell::COUNT);
    if first == Some(&b'{') || whole.is_ok_and(is_puzzle) {
        return Ok((!is_line && whole.is_ok()).then_some(Document::Values));
    }
    if matches!(whole, Err(Incomplete(false))) {
        return Ok(None);
    }
    let elements = text[1..].trim_ascii_start();
    let is_element = match (elements.first(), value(elements)) {
        (Some(b'{' | b'"' | b'['), Err(Incomplete(true))) | (None, _) => return Ok(None),
        (Some(b']'), _) | (Some(b'{'), Ok(_)) => true,
        (Some(b'['), Ok(element)) => is_puzzle(element),
        (Some(b'"'), Ok(first)) => match whole.map(serde_json::from_str::<Vec<String>>) {
            // A list of puzzles is no row of a table.
            Ok(Ok(all)) => all.iter().all(|text| is_open(text)),
            Ok(Err(_)) => false,
            Err(_) => is_open(first.trim_matches('"')),
        },
        _ => false,
    };
    match is_element {
        true => Ok(Some(Document::Elements)),
        false if is_line => Ok(None),
        // Its lines are parts of records.
        false => Err(NO_RECORD),
    }
}

/// Whether there is a grid of pencilmarks: nine rows, with nothing but frames, comments and empty lines
/// above and between them.
fn has_marks(head: &[u8]) -> bool {
    let (mut rows, mut several) = (0, false);
    for line in head.split_inclusive(|&byte| byte == b'\n') {
        match marks_of(line) {
            Mark::Nothing => {}
            Mark::Row(marks) => {
                rows += 1;
                // A row of single digits is a row of a plain grid, too.
                several |= marks.iter().filter(|&&mark| mark != b'.').count() > 9;
            }
            Mark::Other => return false,
        }
        if rows == 9 {
            return several;
        }
    }
    false
}

/// What a line of a grid of pencilmarks is.
enum Mark {
    /// A frame, a comment, or empty.
    Nothing,
    /// The 81 pencilmarks of nine cells.
    Row(Vec<u8>),
    Other,
}

fn marks_of(line: &[u8]) -> Mark {
    let line = line.strip_prefix(BYTE_ORDER_MARK).unwrap_or(line).trim_ascii();
    let is_frame = |byte: &u8| b"-+=|:*.' \t`".contains(byte);
    let is_drawn = line.len() != Cell::COUNT && line.iter().all(is_frame);
    if line.first() == Some(&b'#') || is_drawn {
        return Mark::Nothing;
    }
    let mut marks = Vec::with_capacity(MARKS_OF_ROW);
    let cells = line.split(|byte| b"| \t:".contains(byte)).filter(|cell| !cell.is_empty());
    for cell in cells {
        let mut nine = *b".........";
        for &digit in cell {
            match digit {
                b'1'..=b'9' if nine[usize::from(digit - b'1')] == b'.' => {
                    nine[usize::from(digit - b'1')] = digit;
                }
                _ => return Mark::Other,
            }
        }
        marks.extend_from_slice(&nine);
    }
    if marks.len() == MARKS_OF_ROW { Mark::Row(marks) } else { Mark::Other }
}

/// Pencilmarks of nine cells.
const MARKS_OF_ROW: usize = 9 * 9;

/// Whether a text is 81 cells, some of them blank.
fn is_open(text: &str) -> bool {
    let full = text.bytes().all(|byte| byte.is_ascii_digit() && byte != b'0');
    text.len() == Cell::COUNT && !full
}

/// There is no complete value; whether more bytes may complete it.
#[derive(Clone, Copy)]
struct Incomplete(bool);

/// The first value of a text.
fn value(text: &[u8]) -> Result<&str, Incomplete> {
    let mut values = serde_json::Deserializer::from_slice(text).into_iter::<IgnoredAny>();
    match values.next() {
        Some(Ok(_)) => str::from_utf8(&text[..values.byte_offset()]).map_err(|_| Incomplete(false)),
        Some(Err(error)) => Err(Incomplete(error.is_eof())),
        None => Err(Incomplete(true)),
    }
}

impl Document {
    /// What `--explain-input` says of it.
    pub(super) const fn reason(self) -> &'static str {
        match self {
            Self::Values => "values of several lines; each is a record",
            Self::Elements => "an array; each element is a record",
            Self::Pencilmarks => "grids of pencilmarks; each is a record",
        }
    }

    /// The lines of its first bytes, or of all of them if it has `ended`.
    pub(super) fn lines_of(self, head: &[u8], ended: bool) -> Vec<u8> {
        let (mut unfold, mut text) = (Unfold::new(self), Vec::with_capacity(head.len()));
        unfold.push(head, &mut text);
        if ended {
            unfold.end(&mut text);
        }
        text
    }

    /// Its lines, from its bytes.
    pub(super) fn lines(self, reader: Box<dyn Read + Send>) -> UnfoldedReader {
        UnfoldedReader { reader, unfold: Unfold::new(self), text: Vec::new(), at: 0, ended: false }
    }
}

/// Where a byte is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Text {
    /// In no string.
    Outside,
    Inside,
    /// In a string, behind a backslash.
    Escaped,
}

/// Writes the records of a document, each on a line.
struct Unfold {
    /// Brackets around a record.
    around: usize,
    depth: usize,
    /// Within a record.
    inside: bool,
    string: Text,
    lines_in: u64,
    lines_out: u64,
    /// The line that is written has a record.
    is_used: bool,
    /// Of grids of pencilmarks: the line that is not complete, the rows so far, how many there are, and
    /// the line of the first.
    marks: bool,
    line: Vec<u8>,
    grid: Vec<u8>,
    rows: usize,
    first_row: u64,
}

impl Unfold {
    fn new(document: Document) -> Self {
        let around = match document {
            Document::Values | Document::Pencilmarks => 0,
            Document::Elements => 1,
        };
        let (marks, line, grid) =
            (matches!(document, Document::Pencilmarks), Vec::new(), Vec::new());
        let (depth, lines_in, lines_out) = (0, 0, 0);
        let (inside, string, is_used) = (false, Text::Outside, false);
        Self {
            around,
            depth,
            inside,
            string,
            lines_in,
            lines_out,
            is_used,
            marks,
            line,
            grid,
            rows: 0,
            first_row: 0,
        }
    }

    /// Adds a line of a grid of pencilmarks.
    fn add_marks(&mut self, text: &mut Vec<u8>) {
        let line = std::mem::take(&mut self.line);
        let is_blank = line.trim_ascii().is_empty();
        match marks_of(&line) {
            Mark::Row(marks) => {
                self.first_row = if self.rows == 0 { self.lines_in } else { self.first_row };
                self.rows += 1;
                self.grid.extend_from_slice(&marks);
            }
            Mark::Nothing if !is_blank || self.rows == 0 => {}
            Mark::Nothing => self.write_grid(text),
            // A damaged row of a grid, or a record of its own.
            Mark::Other if self.rows > 0 => self.rows += 1,
            Mark::Other => {
                self.first_row = self.lines_in;
                self.grid.extend_from_slice(line.trim_ascii());
                self.write_grid(text);
            }
        }
        if self.rows == 9 {
            self.write_grid(text);
        }
        self.lines_in += 1;
    }

    /// Writes the rows so far as a record: if there are less than nine, it is malformed.
    fn write_grid(&mut self, text: &mut Vec<u8>) {
        while self.lines_out < self.first_row {
            text.push(b'\n');
            self.lines_out += 1;
        }
        text.append(&mut self.grid);
        text.push(b'\n');
        self.lines_out += 1;
        self.rows = 0;
    }

    /// Begins a record.
    fn begin(&mut self, text: &mut Vec<u8>) {
        if self.inside {
            return;
        }
        self.inside = true;
        if std::mem::replace(&mut self.is_used, true) {
            text.push(b'\n');
            self.lines_out += 1;
        }
        while self.lines_out < self.lines_in {
            text.push(b'\n');
            self.lines_out += 1;
        }
    }

    fn push(&mut self, bytes: &[u8], text: &mut Vec<u8>) {
        if self.marks {
            for part in bytes.split_inclusive(|&byte| byte == b'\n') {
                // A longer line is no row.
                let room = MOST_LINE_BYTES.saturating_sub(self.line.len());
                self.line.extend_from_slice(&part[..part.len().min(room)]);
                if part.ends_with(b"\n") {
                    self.add_marks(text);
                }
            }
            return;
        }
        for &byte in bytes {
            self.lines_in += u64::from(byte == b'\n');
            if self.string != Text::Outside {
                // A line end in a string is no JSON, and the record is malformed.
                text.push(if matches!(byte, b'\n' | b'\r') { b' ' } else { byte });
                self.string = match (self.string, byte) {
                    (Text::Escaped, _) => Text::Inside,
                    (_, b'\\') => Text::Escaped,
                    (_, b'"') => Text::Outside,
                    _ => Text::Inside,
                };
                continue;
            }
            match byte {
                b' ' | b'\t' | b'\r' | b'\n' => {}
                b',' if self.depth <= self.around => self.inside = false,
                b'[' if self.depth < self.around => {
                    self.depth += 1;
                    self.inside = false;
                }
                b'[' | b'{' => {
                    self.begin(text);
                    self.depth += 1;
                    text.push(byte);
                }
                b']' | b'}' if self.depth <= self.around => {
                    self.depth = self.depth.saturating_sub(1);
                    self.inside = false;
                }
                b']' | b'}' => {
                    self.depth -= 1;
                    text.push(byte);
                    self.inside = self.depth > self.around;
                }
                // A byte-order mark.
                0x80.. if !self.inside => {}
                _ => {
                    self.begin(text);
                    self.string = if byte == b'"' { Text::Inside } else { Text::Outside };
                    text.push(byte);
                }
            }
        }
    }

    /// The document has ended.
    fn end(&mut self, text: &mut Vec<u8>) {
        if !self.line.is_empty() {
            self.add_marks(text);
        }
        if self.rows > 0 {
            self.write_grid(text);
        }
        if std::mem::take(&mut self.is_used) {
            text.push(b'\n');
            self.lines_out += 1;
        }
    }
}

/// Reads a document as lines.
pub(super) struct UnfoldedReader {
    reader: Box<dyn Read + Send>,
    unfold: Unfold,
    text: Vec<u8>,
    at: usize,
    ended: bool,
}

impl Read for UnfoldedReader {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let mut piece = Vec::new();
        while self.at == self.text.len() && !self.ended {
            self.text.clear();
            self.at = 0;
            piece.resize(PIECE_BYTES, 0);
            let read = self.reader.read(&mut piece)?;
            if read == 0 {
                self.ended = true;
                self.unfold.end(&mut self.text);
            } else {
                self.unfold.push(&piece[..read], &mut self.text);
            }
        }
        let bytes = (self.text.len() - self.at).min(buffer.len());
        buffer[..bytes].copy_from_slice(&self.text[self.at..][..bytes]);
        self.at += bytes;
        Ok(bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const P: &str =
        "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";

    fn unfolded(text: &str) -> Option<String> {
        let document = look(text.as_bytes()).ok().flatten()?;
        let mut lines = String::new();
        let reader = Box::new(io::Cursor::new(text.as_bytes().to_vec()));
        document.lines(reader).read_to_string(&mut lines).unwrap();
        assert_eq!(lines.as_bytes(), document.lines_of(text.as_bytes(), true));
        Some(lines)
    }

    #[test]
    fn records_are_on_the_lines_where_they_begin() {
        let text = format!("[\n  {{\n    \"p\": \"{P}\"\n  }},\n  {{\"p\": \"[,\\\"\"}}\n]\n");
        let expected = format!("\n{{\"p\":\"{P}\"}}\n\n\n{{\"p\":\"[,\\\"\"}}\n");
        assert_eq!(unfolded(&text).unwrap(), expected);
        let text = format!("\u{feff}[{{\"p\": \"{P}\"}}, {{\"p\": 1}}]");
        assert_eq!(unfolded(&text).unwrap(), format!("{{\"p\":\"{P}\"}}\n{{\"p\":1}}\n"));
        let text = format!("{{\n\"p\": \"{P}\"\n}}\n{{\n\"p\": 2\n}}\n");
        assert_eq!(unfolded(&text).unwrap(), format!("{{\"p\":\"{P}\"}}\n\n\n{{\"p\":2}}\n"));
        assert_eq!(
            unfolded(&format!("[\"{P}\", \"{P}\"]")).unwrap(),
            format!("\"{P}\"\n").repeat(2)
        );
    }

    #[test]
    fn a_grid_of_pencilmarks_is_a_record_on_its_first_line() {
        let row = "| 9 2 346 | 45 1 458 | 3567 3678 3567 |\n";
        let grid = format!("*---*\n{}*---*\n", row.repeat(9));
        let marks = |row: &str| match marks_of(row.as_bytes()) {
            Mark::Row(marks) => String::from_utf8(marks).unwrap(),
            _ => panic!("{row}"),
        };
        let line = format!("{}\n", marks(row).repeat(9));
        let expected = format!("\n{line}{}{line}", "\n".repeat(11));
        assert_eq!(unfolded(&format!("{grid}\n{grid}")).unwrap(), expected);
        let short = format!("{grid}\n{}", row.repeat(8));
        let text = unfolded(&short).unwrap();
        assert_eq!(text.lines().last().unwrap().len(), 8 * 81);
        // Nine rows of single digits are a plain grid.
        assert_eq!(look("1 2 3 4 5 6 7 8 9\n".repeat(9).as_bytes()), Ok(None));
    }

    #[test]
    fn lines_of_json_are_no_document() {
        let row = "[\"1\", \"53\"]";
        for text in [
            format!("{{\"p\": \"{P}\"}}\n{{\"p\": 1}}\n"),
            format!("{{\"p\": \"53\n{{\"p\": \"{P}\"}}\n"),
            format!("{{\"p\": \"{P}\"\n{{\"p\": \"{P}\"}}\n"),
            format!("{P}\n"),
            format!("{row}\n"),
            "[1, 2, 3]\n".to_owned(),
            format!("[{}]\n", vec!["0"; 81].join(",")),
            format!("[Puzzle]\n{P}\n"),
        ] {
            assert_eq!(look(text.as_bytes()), Ok(None), "{text}");
        }
        let rows = vec![format!("[{}]", ["0"; 9].join(", ")); 9].join(",\n");
        let found = look(format!("[\n{rows}\n]").as_bytes());
        assert_eq!(found, Ok(Some(Document::Values)));
        let table = format!("[\n  [1, \"{P}\"],\n  [2, \"{P}\"]\n]\n");
        assert_eq!(look(table.as_bytes()), Err(NO_RECORD));
    }
}
