//! A line divided into fields.
//!
//! ```text
//! 1f,53..7…79,  "a, b" ,9.3            delimiter ,
//! └┘ └──────┘    └──┘   └─┘            spaces around a field and quotation marks do not belong to it
//! 53..7…79 9.3 ;  x                    any delimiter
//! └──────┘ └─┘    x
//! ```
//!
//! Quoted fields between which one byte stands are read by `csv-core`; nothing else needs it, and most
//! lines have no quotation mark.

use crate::puzzle::Cell;
use crate::puzzle::parse::{self, Blanks};
use csv_core::{ReadFieldResult, Reader, ReaderBuilder};
use std::fmt;
use std::ops::Range;

/// Column names that mean the puzzle, in lower case.
pub const PUZZLE_NAMES: [&str; 7] =
    ["puzzle", "puzzles", "quiz", "quizzes", "question", "sudoku", "grid"];

/// Column names that mean the solution given with it, in lower case.
pub const SOLUTION_NAMES: [&str; 4] = ["solution", "solutions", "answer", "answers"];

/// What divides the fields of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Delimiter {
    /// This byte, and a field may stand in quotation marks.
    Byte(u8),
    /// Spaces and tabs, as many as there are. A field may stand in quotation marks, too.
    Spaces,
    /// Each byte of [`Delimiter::BYTES`], and spaces as many as there are.
    Any,
}

impl Delimiter {
    /// The delimiters that are tried if none is given.
    pub const BYTES: &[u8] = b",;|\t ";

    /// What to try, one after the other.
    pub const GUESSES: [Self; 5] =
        [Self::Byte(b','), Self::Byte(b';'), Self::Byte(b'\t'), Self::Byte(b'|'), Self::Spaces];

    /// Whether a byte divides fields, or stands between them.
    #[inline]
    pub(super) fn divides(self, byte: u8) -> bool {
        match self {
            Self::Byte(delimiter) => byte == delimiter,
            Self::Spaces => is_space(byte),
            Self::Any => Self::BYTES.contains(&byte),
        }
    }
}

impl fmt::Display for Delimiter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Byte(b'\t') => f.write_str("tabs"),
            Self::Byte(byte) => write!(f, "'{}'", byte.escape_ascii()),
            Self::Spaces => f.write_str("spaces"),
            Self::Any => f.write_str("any of ',' ';' '|' tab and space"),
        }
    }
}

/// Where the puzzle stands in a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Rows {
    pub(super) delimiter: Delimiter,
    pub(super) puzzle: usize,
    pub(super) solution: Option<usize>,
    /// How many fields the first of them has.
    pub(super) fields: usize,
}

impl fmt::Display for Rows {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "puzzle in column {}", self.puzzle + 1)?;
        self.solution.map_or(Ok(()), |place| write!(f, ", solution in column {}", place + 1))
    }
}

impl Rows {
    /// A puzzle, and perhaps something behind it.
    pub(super) const PLAIN: Self =
        Self { delimiter: Delimiter::Any, puzzle: 0, solution: None, fields: 1 };
}

/// Whether a byte is a space or a tab.
pub(super) const fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t')
}

/// Where a field stands.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Span {
    /// Its first byte in the line, or its quotation mark.
    start: usize,
    /// Its bytes: in the line, or among those whose quotation marks were taken off.
    bytes: Range<usize>,
    unquoted: bool,
}

/// Divides lines, with memory for the fields of one.
#[derive(Default)]
pub(super) struct Fields {
    spans: Vec<Span>,
    /// Fields without their quotation marks, one behind the other.
    unquoted: Vec<u8>,
    /// Readers of quoted fields, one for each delimiter that was used: their tables take long to make.
    readers: Vec<(u8, Box<Reader>)>,
}

impl Fields {
    /// Divides a line, in place of the one before.
    pub(super) fn split(&mut self, line: &[u8], delimiter: Delimiter) {
        self.spans.clear();
        self.unquoted.clear();
        match delimiter {
            Delimiter::Byte(byte) if memchr::memchr(b'"', line).is_some() => {
                self.split_quoted(line, byte);
            }
            Delimiter::Byte(byte) => {
                let mut start = 0;
                for end in memchr::memchr_iter(byte, line).chain([line.len()]) {
                    self.push(line, start..end);
                    start = end + 1;
                }
            }
            Delimiter::Spaces | Delimiter::Any => self.split_spaced(line, delimiter),
        }
    }

    /// How many fields the line has.
    #[must_use]
    pub(super) fn len(&self) -> usize {
        self.spans.len()
    }

    /// A field of the line that was divided, if it has so many.
    #[must_use]
    pub(super) fn get<'a>(&'a self, line: &'a [u8], index: usize) -> Option<&'a [u8]> {
        let span = self.spans.get(index)?;
        let bytes = if span.unquoted { &self.unquoted } else { line };
        Some(&bytes[span.bytes.clone()])
    }

    /// Every field of the line that was divided.
    pub(super) fn iter<'a>(&'a self, line: &'a [u8]) -> impl Iterator<Item = &'a [u8]> {
        (0..self.len()).filter_map(move |index| self.get(line, index))
    }

    /// Where in the line a field begins.
    pub(super) fn start(&self, index: usize) -> usize {
        self.spans[index].start
    }

    /// Where in the line a field stands, if it stands there just so.
    pub(super) fn place(&self, index: usize) -> Option<Range<usize>> {
        let span = self.spans.get(index)?;
        (!span.unquoted).then(|| span.bytes.clone())
    }

    /// Fields between which there may be spaces: several are as one.
    fn split_spaced(&mut self, line: &[u8], delimiter: Delimiter) {
        let mut start = skip_spaces(line, 0);
        while start < line.len() {
            let ends = |&byte: &u8| delimiter.divides(byte);
            let end = if let Some(mark) = closing_mark(line, start, delimiter) {
                self.push_quoted(line, start + 1..mark);
                mark + 1
            } else {
                let end = line[start..].iter().position(ends).map_or(line.len(), |at| start + at);
                self.push(line, start..end);
                end
            };
            start = skip_spaces(line, end);
            // A visible delimiter divides once; an empty field is one, too.
            if start < line.len() && delimiter == Delimiter::Any && delimiter.divides(line[start]) {
                start = skip_spaces(line, start + 1);
            }
        }
    }

    /// Adds a field without the spaces around it.
    fn push(&mut self, line: &[u8], Range { mut start, mut end }: Range<usize>) {
        while start < end && is_space(line[start]) {
            start += 1;
        }
        while end > start && is_space(line[end - 1]) {
            end -= 1;
        }
        self.spans.push(Span { start, bytes: start..end, unquoted: false });
    }

    /// Adds a field that was found between quotation marks: of two marks in a row one belongs to it.
    fn push_quoted(&mut self, line: &[u8], field: Range<usize>) {
        let start = field.start;
        let mut pairs = memchr::memmem::find_iter(&line[field.clone()], b"\"\"").peekable();
        if pairs.peek().is_none() {
            return self.push(line, field);
        }
        let (begin, mut copied) = (self.unquoted.len(), start);
        for pair in pairs {
            let end = start + pair + 1;
            self.unquoted.extend_from_slice(&line[copied..end]);
            copied = end + 1;
        }
        self.unquoted.extend_from_slice(&line[copied..field.end]);
        let bytes = trimmed(&self.unquoted, begin..self.unquoted.len());
        self.spans.push(Span { start, bytes, unquoted: true });
    }

    /// Fields of which some stand in quotation marks.
    fn split_quoted(&mut self, line: &[u8], delimiter: u8) {
        let known = self.readers.iter().position(|(byte, _)| *byte == delimiter);
        let place = known.unwrap_or_else(|| {
            let reader = Box::new(ReaderBuilder::new().delimiter(delimiter).build());
            self.readers.push((delimiter, reader));
            self.readers.len() - 1
        });
        let (_, reader) = &mut self.readers[place];
        reader.reset();
        // No field is longer than the line.
        self.unquoted.resize(line.len(), 0);
        let (mut read, mut written) = (0, 0);
        let (mut start, mut begin) = (0, 0);
        loop {
            if read == start {
                read += spaces_before_mark(&line[read..], delimiter);
            }
            let (result, bytes_in, bytes_out) =
                reader.read_field(&line[read..], &mut self.unquoted[written..]);
            read += bytes_in;
            written += bytes_out;
            match result {
                // Nothing follows: the next call, with nothing, ends the field.
                ReadFieldResult::InputEmpty if read < line.len() || bytes_in > 0 => {}
                ReadFieldResult::Field { record_end } => {
                    let field = trimmed(&self.unquoted, begin..written);
                    let start_of_text = start + skip_spaces(&line[start..], 0);
                    self.spans.push(Span { start: start_of_text, bytes: field, unquoted: true });
                    (start, begin) = (read, written);
                    if record_end {
                        break;
                    }
                }
                ReadFieldResult::InputEmpty
                | ReadFieldResult::OutputFull
                | ReadFieldResult::End => break,
            }
        }
    }
}

/// Where the quotation mark stands that closes the field which begins at `start` with one: it ends
/// the field, and of two marks that follow each other neither does. A field that is not closed so
/// is one whose text begins with a mark.
fn closing_mark(line: &[u8], start: usize, delimiter: Delimiter) -> Option<usize> {
    if line.get(start) != Some(&b'"') {
        return None;
    }
    let inside = start + 1;
    let mut marks = memchr::memchr_iter(b'"', &line[inside..]).map(|at| inside + at);
    while let Some(mark) = marks.next() {
        if line.get(mark + 1) != Some(&b'"') {
            let closes = line.get(mark + 1).is_none_or(|&byte| delimiter.divides(byte));
            return closes.then_some(mark);
        }
        marks.next();
    }
    None
}

/// How many spaces stand before the quotation mark that opens a field.
fn spaces_before_mark(field: &[u8], delimiter: u8) -> usize {
    let is_blank = |&&byte: &&u8| is_space(byte) && byte != delimiter;
    let spaces = field.iter().take_while(is_blank).count();
    if field.get(spaces) == Some(&b'"') { spaces } else { 0 }
}

/// The first place from `start` on that is no space.
fn skip_spaces(line: &[u8], start: usize) -> usize {
    line[start..].iter().position(|&byte| !is_space(byte)).map_or(line.len(), |at| start + at)
}

/// A range without the spaces at its ends.
fn trimmed(bytes: &[u8], Range { mut start, mut end }: Range<usize>) -> Range<usize> {
    while start < end && is_space(bytes[start]) {
        start += 1;
    }
    while end > start && is_space(bytes[end - 1]) {
        end -= 1;
    }
    start..end
}

/// Whether a field is 81 cells, or the 729 pencilmarks of a sukaku.
pub(super) fn is_puzzle(field: &[u8], blanks: &Blanks) -> bool {
    let cells = field.len() == Cell::COUNT && field.iter().all(|&byte| blanks.is_cell(byte));
    cells || parse::sukaku(field).is_ok()
}

/// Whether a field is 81 cells of which some are blank.
pub(super) fn is_open(field: &[u8], blanks: &Blanks) -> bool {
    let is_cells = field.len() == Cell::COUNT && field.iter().all(|&byte| blanks.is_cell(byte));
    is_cells && !is_full(field)
}

/// Whether a field is a grid without a blank.
pub(super) fn is_full(field: &[u8]) -> bool {
    field.len() == Cell::COUNT && field.iter().all(|byte| matches!(byte, b'1'..=b'9'))
}

/// Whether a field was a puzzle before it was damaged: it has about as many bytes as a grid or a
/// sukaku, and nine of ten are cells.
pub(super) fn resembles_puzzle(field: &[u8], blanks: &Blanks) -> bool {
    let cells = field.iter().filter(|&&byte| blanks.is_cell(byte)).count();
    let fits = (60..=100).contains(&field.len()) || is_long_as_sukaku(field);
    fits && 10 * cells >= 9 * field.len()
}

/// Whether a field has about the 729 bytes of a sukaku.
pub(super) fn is_long_as_sukaku(field: &[u8]) -> bool {
    (600..=900).contains(&field.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn split(line: &str, delimiter: Delimiter) -> Vec<String> {
        let mut fields = Fields::default();
        fields.split(b"another, \"line\"", Delimiter::Byte(b','));
        fields.split(line.as_bytes(), delimiter);
        fields.iter(line.as_bytes()).map(|field| String::from_utf8_lossy(field).into()).collect()
    }

    #[test]
    fn a_byte_divides_each_time_it_stands_there() {
        let comma = Delimiter::Byte(b',');
        assert_eq!(split("a, b ,,c d", comma), ["a", "b", "", "c d"]);
        assert_eq!(split("", comma), [""]);
        assert_eq!(split("a,", comma), ["a", ""]);
        assert_eq!(split("a\t\tb", Delimiter::Byte(b'\t')), ["a", "", "b"]);
    }

    #[test]
    fn a_delimiter_in_quotation_marks_does_not_divide() {
        let comma = Delimiter::Byte(b',');
        assert_eq!(split(r#""a","b, c",d"#, comma), ["a", "b, c", "d"]);
        assert_eq!(split(r#"a,"say ""x""","",e"#, comma), ["a", "say \"x\"", "", "e"]);
        assert_eq!(split(r#""a";"b"#, Delimiter::Byte(b';')), ["a", "b"]);
        assert_eq!(split(r#"x,"a","#, comma), ["x", "a", ""]);
        let mut fields = Fields::default();
        fields.split(br#"ab,"cd",e"#, comma);
        assert_eq!([fields.start(0), fields.start(1), fields.start(2)], [0, 3, 8]);
    }

    #[test]
    fn spaces_divide_once_however_many_there_are() {
        assert_eq!(split("  a \t b ", Delimiter::Spaces), ["a", "b"]);
        assert_eq!(split("a,b c", Delimiter::Spaces), ["a,b", "c"]);
        assert_eq!(split(" a , b;c|d\te f", Delimiter::Any), ["a", "b", "c", "d", "e", "f"]);
        assert_eq!(split("a,,b", Delimiter::Any), ["a", "", "b"]);
        assert!(split("  ", Delimiter::Any).is_empty());
    }

    #[test]
    fn marks_belong_to_no_field_whatever_divides() {
        assert_eq!(split(r#" "a b" "c" d"#, Delimiter::Spaces), ["a b", "c", "d"]);
        assert_eq!(split(r#""a, b", "c",d"#, Delimiter::Any), ["a, b", "c", "d"]);
        assert_eq!(split(r#""","say ""x""" b"#, Delimiter::Any), ["", r#"say "x""#, "b"]);
        assert_eq!(split(r#"a """" "x""y" c"#, Delimiter::Spaces), ["a", "\"", "x\"y", "c"]);
        assert_eq!(split(r#"a "b c"d "e"#, Delimiter::Any), ["a", "\"b", "c\"d", "\"e"]);
        assert_eq!(split(r#"a , "b, c" ,"d" "#, Delimiter::Byte(b',')), ["a", "b, c", "d"]);
        assert_eq!(split("a\t\t\"b\"", Delimiter::Byte(b'\t')), ["a", "", "b"]);
    }
}
