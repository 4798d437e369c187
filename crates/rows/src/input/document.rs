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
//! Only complete head values are judged, by `serde_json`. The rest is cut by brackets and strings.

use super::class::is_full;
use super::json;
use super::layout::shape::Document;
use super::stream::LazyText;
use crate::puzzle::Cell;
use serde::de::{Error, IgnoredAny};
use serde_json::Value;
use std::io::{self, ErrorKind, Read};

/// Bytes that are read at a time.
const PIECE_BYTES: usize = 64 * 1024;

/// What makes lines of a document of another shape.
pub(super) const WAY_OUT: &str =
    "jq -c '.[]' FILE | ninefold COMMAND - reads the values one level further in";

/// Whether an input is JSON: its first line that is no comment begins an object, or an array of values.
pub(super) fn is_json(head: &[u8]) -> bool {
    match without_comments(head) {
        [b'{', ..] => true,
        [b'[', elements @ ..] => {
            let elements = elements.trim_ascii_start();
            let first = elements.first();
            first.is_none_or(|it| b"[{\"0123456789".contains(it)) || elements.starts_with(b"null")
        }
        _ => false,
    }
}

fn without_comments(mut text: &[u8]) -> &[u8] {
    loop {
        text = text.trim_ascii_start();
        let end = memchr::memchr(b'\n', text).filter(|_| text[0] == b'#');
        let Some(end) = end else { return text };
        text = &text[end..];
    }
}

/// Whether the head of an input of JSON is that of a document; none if each line is a record, or of another shape.
pub(super) fn look(head: &[u8]) -> Option<Document> {
    let text = without_comments(head);
    let mut lines = text.split(|&byte| byte == b'\n');
    let are_lines = lines.next().is_some_and(is_value) && lines.next().is_some_and(is_value);
    let whole = value(text);
    if text[0] == b'{' || whole.as_ref().is_ok_and(|whole| is_cells(whole)) {
        // One that is on several lines.
        return whole.is_ok_and(|whole| whole.contains('\n')).then_some(Document::Values);
    }
    let Ok(element) = value(text[1..].trim_ascii_start()) else { return None };
    let is_element = match element.as_bytes()[0] {
        b'{' => true,
        b'[' => is_cells(element),
        // A puzzle and its answer in an array are no list of puzzles.
        b'"' => whole.map_or(true, are_texts_alike) && !are_lines,
        _ => false,
    };
    is_element.then_some(Document::Elements)
}

fn is_value(line: &[u8]) -> bool {
    serde_json::from_slice::<IgnoredAny>(line).is_ok()
}

/// Whether a value is an array of 81 cells.
fn is_cells(json: &str) -> bool {
    json::array(json).is_some_and(|cells| cells.len() == Cell::COUNT)
}

/// Whether an array has texts alone, all of them full grids or none.
fn are_texts_alike(array: &str) -> bool {
    let texts = serde_json::from_str::<Vec<String>>(array).unwrap_or_default();
    let full = texts.iter().filter(|text| is_full(text.as_bytes())).count();
    !texts.is_empty() && (full == 0 || full == texts.len())
}

/// The first value of a text.
fn value(text: &[u8]) -> serde_json::Result<&str> {
    let mut values = serde_json::Deserializer::from_slice(text).into_iter::<Value>();
    values.next().unwrap_or_else(|| Err(Error::custom("there is none")))?;
    str::from_utf8(&text[..values.byte_offset()]).map_err(Error::custom)
}

/// What is wrong with a text that is no JSON. Of a long one, the end is not here.
pub(super) fn fault(text: &[u8]) -> Option<String> {
    let error = value(without_comments(text)).err()?;
    (!error.is_eof() || text.len() < PIECE_BYTES).then(|| error.to_string())
}

impl Document {
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
    pub(super) fn lines(self, mut reader: Box<dyn Read + Send>) -> impl Read + Send {
        let (mut unfold, mut piece, mut ended) = (Unfold::new(self), vec![0; PIECE_BYTES], false);
        LazyText::by(move |text| {
            while text.is_empty() && !ended {
                let read = reader.read(&mut piece)?;
                unfold.push(&piece[..read], text);
                ended = read == 0;
                if ended {
                    unfold.end(text);
                }
            }
            // The records before the error are answered.
            let is_cut = unfold.depth > 0 || unfold.in_string;
            let why = "is a JSON document without its end: a bracket or a string is not closed";
            let cut_off = || Err(io::Error::new(ErrorKind::UnexpectedEof, why));
            if text.is_empty() && is_cut { cut_off() } else { Ok(()) }
        })
    }
}

/// Writes the records of a document, each on a line.
#[derive(Default)]
#[expect(clippy::struct_excessive_bools, reason = "independent facts of a byte")]
struct Unfold {
    /// Brackets around a record.
    around: usize,
    depth: usize,
    /// Within a record.
    inside: bool,
    in_string: bool,
    /// Behind a backslash.
    is_escaped: bool,
    lines_in: u64,
    lines_out: u64,
    /// The line that is written has a record.
    is_used: bool,
}

impl Unfold {
    fn new(document: Document) -> Self {
        Self { around: usize::from(document == Document::Elements), ..Self::default() }
    }

    /// Begins a record.
    fn begin(&mut self, text: &mut Vec<u8>) {
        if self.inside {
            return;
        }
        self.inside = true;
        self.end(text);
        self.is_used = true;
        while self.lines_out < self.lines_in {
            text.push(b'\n');
            self.lines_out += 1;
        }
    }

    fn push(&mut self, bytes: &[u8], text: &mut Vec<u8>) {
        for &byte in bytes {
            self.lines_in += u64::from(byte == b'\n');
            if self.in_string {
                // A line end in a string is no JSON, and the record is malformed.
                text.push(if matches!(byte, b'\n' | b'\r') { b' ' } else { byte });
                self.in_string = self.is_escaped || byte != b'"';
                self.is_escaped = !self.is_escaped && byte == b'\\';
                continue;
            }
            match byte {
                b' ' | b'\t' | b'\r' => {}
                // A stray line outside of brackets is a record.
                b'\n' => self.inside &= self.depth > self.around,
                b',' if !self.inside || self.around == 1 && self.depth == 1 => self.inside = false,
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
                0xef | 0xbb | 0xbf if !self.inside => {}
                _ => {
                    self.begin(text);
                    self.in_string = byte == b'"';
                    text.push(byte);
                }
            }
        }
    }

    /// Ends the line, if it has a record.
    fn end(&mut self, text: &mut Vec<u8>) {
        if std::mem::take(&mut self.is_used) {
            text.push(b'\n');
            self.lines_out += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const P: &str =
        "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";

    fn unfolded(text: &str) -> Option<String> {
        let head = text.trim_start_matches('\u{feff}').as_bytes();
        let document = look(head)?;
        let mut lines = String::new();
        let reader = Box::new(std::io::Cursor::new(text.as_bytes().to_vec()));
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
        let text = "{\n\"p\": 1\n}\n5,3\n{\"p\": 2},{\"p\": 3}\n";
        let expected = "{\"p\":1}\n\n\n5,3\n{\"p\":2}\n{\"p\":3}\n";
        assert_eq!(unfolded(text).unwrap(), expected);
        let text = format!("{{\n\"p\": \"{P}\"\n}}\n{{\n\"p\": 2\n}}\n");
        assert_eq!(unfolded(&text).unwrap(), format!("{{\"p\":\"{P}\"}}\n\n\n{{\"p\":2}}\n"));
        // Of a stray line nothing but spaces is lost.
        let expected = "{\"p\":1}\n\n\n│53│\n┼──┼\n";
        assert_eq!(unfolded("{\n\"p\": 1\n}\n│ 5 3 │\n┼──┼\n").unwrap(), expected);
        let text = format!("[\"{P}\", \"{P}\"]\n[\n{{}}]\n");
        let expected = format!("\"{P}\"\n\"{P}\"\n{{}}\n");
        assert_eq!(unfolded(&text).unwrap(), expected);
    }

    #[test]
    fn lines_of_json_are_no_document() {
        for text in [
            format!("{{\"p\": \"{P}\"}}\n{{\"p\": 1}}\n"),
            format!("{{\"p\": \"{P}\"}} {{\"p\": 1}}\n{{\"p\": \"{P}\"}}\n"),
            format!("{{\"p\": \"53\n{{\"p\": \"{P}\"}}\n"),
            format!("{{\"p\": \"{P}\"\n{{\"p\": \"{P}\"}}\n"),
            format!("[\"{P}\",\"{P}\"]\n[\"{P}\",\"{P}\"]\n"),
            "[1, 2, 3]\n".to_owned(),
            format!("[{}]\n", vec!["0"; 81].join(",")),
            format!("[\n  [1, \"{P}\"],\n  [2, \"{P}\"]\n]\n"),
        ] {
            assert!(is_json(text.as_bytes()));
            assert_eq!(look(text.as_bytes()), None, "{text}");
        }
        for text in [format!("{P}\n"), "[Puzzle]\n".to_owned(), "# {}\n5".to_owned()] {
            assert!(!is_json(text.as_bytes()));
        }
        let rows = vec![format!("[{}]", ["0"; 9].join(", ")); 9].join(",\n");
        let found = look(format!("# rows\n[\n{rows}\n]").as_bytes());
        assert_eq!(found, Some(Document::Values));
    }
}
