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

use super::fields::is_full;
use super::json;
use super::layout::shape::Document;
use super::stream::LazyText;
use crate::advice::{TAKE_OUT_OF_JSON, TAKE_OUT_OF_TEXT};
use crate::puzzle::{Cell, parse};
use serde::de::{Error, IgnoredAny};
use serde_json::Value;
use std::io::{self, ErrorKind, Read};

/// Bytes that are read at a time.
const PIECE_BYTES: usize = 64 * 1024;

/// Whether the head of an input is that of a document; none if each line is a record, or no JSON.
///
/// # Errors
/// It is a JSON document of several lines whose records are not found, or an array with a fault.
pub(super) fn look(head: &[u8]) -> Result<Option<Document>, String> {
    let text = head.trim_ascii_start();
    let first = text.first();
    if !matches!(first, Some(b'{' | b'[')) {
        return Ok(None);
    }
    let mut lines = text.split(|&byte| byte == b'\n');
    let first_line = lines.next().unwrap_or_default().trim_ascii();
    let is_json = |line: &[u8]| serde_json::from_slice::<IgnoredAny>(line).is_ok();
    let is_line = is_json(first_line);
    let whole = value(text);
    let is_puzzle = |json: &&str| json::array(json).is_some_and(|cells| cells.len() == Cell::COUNT);
    if first == Some(&b'{') || whole.as_ref().is_ok_and(is_puzzle) {
        return Ok((!is_line && whole.is_ok()).then_some(Document::Values));
    }
    let elements = text[1..].trim_ascii_start();
    let element = value(elements);
    if let Some(fault) = fault(head) {
        // `[Puzzle]` is a title, `[5 3 0` has no commas, and one line of JSON may be damaged.
        let is_array = matches!(elements, [b'{' | b'[' | b'"', ..] | [b'0'..=b'9', b',', ..]);
        let is_one_of_lines = first_line != b"[" && lines.next().is_some_and(is_json);
        if element.is_ok() && is_array && !is_one_of_lines {
            return Err(format!("is no JSON: {fault}; {TAKE_OUT_OF_TEXT}"));
        }
        return Ok(None);
    }
    let is_element = match (elements.first(), element) {
        (Some(b'{' | b'"' | b'['), Err(error)) if error.is_eof() => return Ok(None),
        (None, _) => return Ok(None),
        (Some(b']'), _) | (Some(b'{'), Ok(_)) => true,
        (Some(b'['), Ok(element)) => is_puzzle(&element),
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
        false if is_line || parse::other_size(head).is_some() => Ok(None),
        // Its lines are parts of records.
        false => Err(format!("is a JSON document of another shape: {TAKE_OUT_OF_JSON}")),
    }
}

/// Whether a text is 81 cells, some of them blank.
fn is_open(text: &str) -> bool {
    text.len() == Cell::COUNT && !is_full(text.as_bytes())
}

/// The first value of a text.
fn value(text: &[u8]) -> serde_json::Result<&str> {
    let mut values = serde_json::Deserializer::from_slice(text).into_iter::<Value>();
    values.next().unwrap_or_else(|| Err(Error::custom("there is none")))?;
    str::from_utf8(&text[..values.byte_offset()]).map_err(Error::custom)
}

/// What is wrong with the first value of a text, if more bytes cannot mend it, and where.
pub(crate) fn fault(head: &[u8]) -> Option<String> {
    let error = value(head).err()?;
    (!error.is_eof()).then(|| error.to_string())
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
    /// The last byte outside of strings and spaces.
    last: u8,
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
            let last = self.last;
            if !byte.is_ascii_whitespace() {
                self.last = byte;
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
                // An array of cells behind the document is a record.
                b'0'..=b'9' | b'n' if last == b'[' && !self.inside => {
                    self.around = 0;
                    self.begin(text);
                    text.extend([b'[', byte]);
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
        let document = look(text.trim_start_matches('\u{feff}').as_bytes()).ok().flatten()?;
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
        let text = format!("[\"{P}\", \"{P}\"]\n[\n5, null]\n[5,3]\n");
        let expected = format!("\"{P}\"\n\"{P}\"\n[5,null]\n[5,3]\n");
        assert_eq!(unfolded(&text).unwrap(), expected);
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
        assert!(
            look(table.as_bytes())
                .unwrap_err()
                .starts_with("is a JSON document of another shape: jq ")
        );
    }
}
