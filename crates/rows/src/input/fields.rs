//! A record divided into fields: a row at its delimiters, an object at its keys, and so on.
//!
//! ```text
//! 1f,53..7…79,  "a, b" ,9.3         `,`       quotation marks, and spaces around them, belong to no field
//! 53..7…79 9.3 ;  x                 any
//! {"a": {"b": "53..7…79"}}          object    a field for each path of keys: `a.b`
//! [[5,3,0,0,7,…],…]                 array     one field; 0 or null for a blank
//! 5 3 . . 7 . . . .  …              spaced    one field: 81 cells with a delimiter between each two
//! :0000:x:53..7…79:714 …:…          HoDoKu    the fourth field; `+` marks a digit that is no clue. The fifth has deleted
//!                                             candidates (digit, row, column): with them it is a sukaku
//! 53..7…795346…179                  joined    two fields of 81 cells
//! ```

use super::delimiter::{Delimiter, is_space, next_mark};
use super::json;
use super::lines::is_count;
use super::malformed::Malformed;
use crate::puzzle::parse::{self, Blanks};
use crate::puzzle::{Cell, Digit, Grid, Sukaku};
use std::borrow::Cow;
use std::ops::Range;

/// Column names that mean the puzzle, in lower case.
pub const PUZZLE_NAMES: [&str; 7] =
    ["puzzle", "puzzles", "quiz", "quizzes", "question", "sudoku", "grid"];

/// Column names that mean the solution given with it, in lower case.
pub const SOLUTION_NAMES: [&str; 4] = ["solution", "solutions", "answer", "answers"];

/// Whether a name is one of these, without regard to case.
pub(super) fn is_one_of(name: &str, known: &[&str]) -> bool {
    known.iter().any(|known| name.eq_ignore_ascii_case(known))
}

/// What a record is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RecordForm {
    Row(Delimiter),
    Object,
    Array,
    Spaced,
    Hodoku,
    Joined,
    /// Nine lines of nine cells: see `grids`.
    Grid,
}

impl RecordForm {
    /// What messages call its records.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Row(_) => "rows",
            Self::Object => "JSON objects",
            Self::Array => "JSON arrays",
            Self::Hodoku => "HoDoKu lines",
            Self::Spaced => "lines of 81 separated cells",
            Self::Joined => "lines of 162 cells",
            Self::Grid => "grids of nine lines",
        }
    }
}

/// Where the puzzle is in a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct RecordLayout {
    pub(super) form: RecordForm,
    pub(super) puzzle: usize,
    pub(super) solution: Option<usize>,
    /// How many fields the first record has.
    pub(super) fields: usize,
}

impl Default for RecordLayout {
    /// A puzzle, and perhaps something behind it.
    fn default() -> Self {
        Self { form: RecordForm::Row(Delimiter::Any), puzzle: 0, solution: None, fields: 1 }
    }
}

/// The field of the puzzle in a `HoDoKu` line: the line begins with the delimiter.
const HODOKU_FIELD: usize = 3;

/// The solution given with a puzzle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Given {
    /// There is none.
    Missing,
    /// These cells; whether they are right is another question.
    Cells(Grid),
    /// It is no grid.
    Malformed(Malformed),
}

/// Where a field is.
#[derive(Clone, Debug)]
struct Span {
    /// Where messages say that it begins: its first byte, or its quotation mark where a byte divides.
    start: usize,
    /// Its bytes, in the line or in the copy.
    bytes: Range<usize>,
    /// Its bytes with the spaces around them.
    spaced: Range<usize>,
    is_quoted: bool,
    kind: SpanKind,
}

impl Span {
    /// Bytes without spaces around them.
    const fn new(start: usize, bytes: Range<usize>, kind: SpanKind) -> Self {
        let spaced = bytes.start..bytes.end;
        Self { start, bytes, spaced, is_quoted: false, kind }
    }

    /// A field with this range of the text, which is the line or the copy.
    fn spaced(text: &[u8], spaced: Range<usize>, kind: SpanKind) -> Self {
        let bytes = trimmed(text, spaced.clone());
        Self { start: bytes.start, bytes, spaced, is_quoted: false, kind }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum SpanKind {
    InLine,
    /// Without what is no part of its text: quotation marks, escapes, brackets.
    Copied,
    /// A value of an object that is no text.
    Json,
    /// The object does not have it.
    Missing,
    /// In the copy: an array with null and 0 for cells.
    TwoBlanks,
}

/// Divides records, with memory for the fields of one.
#[derive(Default)]
pub(super) struct Fields {
    spans: Vec<Span>,
    copy: Vec<u8>,
}

impl Fields {
    /// Divides a record, in place of the one before. `keys` are the paths of the first fields of an object;
    /// other paths follow.
    ///
    /// # Errors
    /// It does not have this form. A row has any.
    pub(super) fn divide(
        &mut self,
        line: &[u8],
        form: RecordForm,
        keys: &[String],
    ) -> Result<(), Malformed> {
        self.spans.clear();
        self.copy.clear();
        match form {
            RecordForm::Row(delimiter) => self.split(line, delimiter),
            RecordForm::Object => self.object(line, keys)?,
            RecordForm::Array => {
                let text = str::from_utf8(line).ok();
                self.copy = text.and_then(json::array).ok_or(Malformed::NoCells)?;
                let kind = cells_kind(text.unwrap_or_default());
                self.spans.push(Span::new(0, 0..self.copy.len(), kind));
            }
            RecordForm::Spaced => {
                let is_cell = |byte: &&u8| !Delimiter::Any.divides(**byte);
                let mut pairs = line.windows(2);
                if let Some(at) = pairs.position(|pair| pair.iter().all(|it| is_cell(&it))) {
                    return Err(Malformed::WideCell { column: at + 1 });
                }
                self.copy.extend(line.iter().filter(is_cell));
                self.spans.push(Span::new(0, 0..self.copy.len(), SpanKind::Copied));
            }
            RecordForm::Hodoku => {
                self.split(line, Delimiter::Byte(b':'));
                let (wanted, found) = (HODOKU_FIELD + 1, self.len());
                if found < wanted {
                    return Err(Malformed::NoField { wanted, found });
                }
                let field = |place| self.get(line, place).unwrap_or_default();
                let (start, deleted) = (self.start(HODOKU_FIELD), field(HODOKU_FIELD + 1));
                let mut puzzle = field(HODOKU_FIELD).to_vec();
                puzzle.retain(|&byte| byte != b'+');
                if !deleted.is_empty() {
                    let column = self.start(HODOKU_FIELD + 1) + 1;
                    let grid = parse::line(&puzzle);
                    let grid = grid.map_err(|error| Malformed::in_field(start, error))?;
                    let left = without(&grid, deleted).ok_or(Malformed::Deleted { column })?;
                    puzzle = left.to_string().into_bytes();
                }
                let begin = self.copy.len();
                self.copy.append(&mut puzzle);
                let span = Span::new(start, begin..self.copy.len(), SpanKind::Copied);
                self.spans[HODOKU_FIELD] = span;
            }
            RecordForm::Joined => {
                let text = trimmed(line, 0..line.len());
                // Another number of cells is that of a puzzle alone.
                let is_pair = text.len() == 2 * Cell::COUNT;
                let middle = if is_pair { text.start + Cell::COUNT } else { text.end };
                self.push(line, text.start..middle);
                self.push(line, middle..text.end);
            }
            RecordForm::Grid => self.push(line, 0..line.len()),
        }
        Ok(())
    }

    /// The fields of a row.
    pub(super) fn of_row(line: &[u8], delimiter: Delimiter) -> Self {
        let mut fields = Self::default();
        fields.split(line, delimiter);
        fields
    }

    /// Divides a row, in place of what was divided before.
    pub(super) fn split(&mut self, line: &[u8], delimiter: Delimiter) {
        self.spans.clear();
        self.copy.clear();
        let (is_byte, mut start) = (matches!(delimiter, Delimiter::Byte(_)), 0);
        if let Delimiter::Byte(byte) = delimiter
            && memchr::memchr(b'"', line).is_none()
        {
            for end in memchr::memchr_iter(byte, line).chain([line.len()]) {
                self.push(line, start..end);
                start = end + 1;
            }
            return;
        }
        loop {
            let begin = start;
            start = delimiter.skip_spaces(line, start);
            // Behind spaces there may be nothing, behind a delimiter there is a field.
            if start == line.len() && !is_byte {
                return;
            }
            let mark =
                if line.get(start) == Some(&b'"') { next_mark(line, start + 1) } else { None };
            let end = match mark {
                Some(mark) if delimiter.closes(line, mark) => {
                    self.push_quoted(line, start + 1..mark, start + usize::from(!is_byte));
                    mark + 1
                }
                None if is_byte && line.get(start) == Some(&b'"') => {
                    self.push_quoted(line, start + 1..line.len(), start);
                    line.len()
                }
                _ => {
                    let ends = |&byte: &u8| delimiter.divides(byte);
                    let end =
                        line[start..].iter().position(ends).map_or(line.len(), |at| start + at);
                    self.push(line, if is_byte { begin } else { start }..end);
                    end
                }
            };
            start = delimiter.skip_spaces(line, end);
            match line.get(start) {
                None => return,
                // A visible delimiter divides once; an empty field is one, too.
                Some(&byte) if delimiter != Delimiter::Spaces && delimiter.divides(byte) => {
                    start += 1;
                }
                Some(_) => {}
            }
        }
    }

    /// The values of an object by their paths.
    fn object(&mut self, line: &[u8], keys: &[String]) -> Result<(), Malformed> {
        let object = json::object(line)?;
        let place_of = |text: &[u8]| text.as_ptr().addr() - line.as_ptr().addr();
        self.spans.resize(keys.len(), Span::new(0, 0..0, SpanKind::Missing));
        for (path, value) in object.paths() {
            let text = json::cells(value);
            let is_string = value.starts_with('"');
            let is_text = is_string || text.len() == Cell::COUNT;
            let (bytes, kind) = match text {
                Cow::Borrowed(text) => {
                    let start = place_of(text);
                    (start..start + text.len(), SpanKind::InLine)
                }
                Cow::Owned(text) => {
                    let begin = self.copy.len();
                    self.copy.extend_from_slice(&text);
                    (begin..self.copy.len(), cells_kind(value))
                }
            };
            let kind = if is_text { kind } else { SpanKind::Json };
            // Where a byte was escaped, the next ones are further on than they are counted.
            let span = Span::new(place_of(value.as_bytes()) + usize::from(is_string), bytes, kind);
            match keys.iter().position(|key| *key == path) {
                Some(place) => self.spans[place] = span,
                None => self.spans.push(span),
            }
        }
        Ok(())
    }

    /// The number of fields.
    pub(super) fn len(&self) -> usize {
        self.spans.len()
    }

    /// A field of the record that was divided, if it has it: without spaces around it.
    pub(super) fn get<'a>(&'a self, line: &'a [u8], index: usize) -> Option<&'a [u8]> {
        let span = self.spans.get(index)?;
        self.bytes(line, span, &span.bytes)
    }

    /// The solution in a field.
    pub(super) fn given(&self, line: &[u8], index: usize, blanks: &Blanks) -> Given {
        let field = self.get(line, index).filter(|field| !field.is_empty());
        let malformed = |error| Given::Malformed(Malformed::in_field(self.start(index), error));
        let read = |field| parse::cells(field, blanks).map_or_else(malformed, Given::Cells);
        field.map_or(Given::Missing, read)
    }

    /// The value of a field, if there is one: with all that is between its quotation marks. Without these,
    /// spaces around it are a part of it or not, and nothing is no value.
    pub(super) fn value<'a>(
        &'a self,
        line: &'a [u8],
        index: usize,
        keeps_spaces: bool,
    ) -> Option<&'a [u8]> {
        let span = self.spans.get(index)?;
        let is_whole = keeps_spaces || span.is_quoted;
        let value = self.bytes(line, span, if is_whole { &span.spaced } else { &span.bytes })?;
        (span.is_quoted || !value.is_empty()).then_some(value)
    }

    /// Whether every field behind a delimiter begins with a space, and there is one.
    pub(super) fn has_spaces_behind_delimiters(&self, line: &[u8]) -> bool {
        let behind = self.spans.iter().skip(1).filter(|it| !it.is_quoted && !it.spaced.is_empty());
        let mut begins = behind.map(|span| is_space(line[span.spaced.start])).peekable();
        begins.peek().is_some() && begins.all(|is_space| is_space)
    }

    fn bytes<'a>(&'a self, line: &'a [u8], span: &Span, bytes: &Range<usize>) -> Option<&'a [u8]> {
        match span.kind {
            SpanKind::InLine | SpanKind::Json => Some(&line[bytes.clone()]),
            SpanKind::Copied | SpanKind::TwoBlanks => Some(&self.copy[bytes.clone()]),
            SpanKind::Missing => None,
        }
    }

    /// Whether a value is text: all but some of an object are.
    pub(super) fn is_text(&self, index: usize) -> bool {
        let is_text = |span: &Span| !matches!(span.kind, SpanKind::Json | SpanKind::Missing);
        self.spans.get(index).is_some_and(is_text)
    }

    /// Whether a field is an array with two kinds of blanks.
    pub(super) fn has_two_blanks(&self, index: usize) -> bool {
        self.spans.get(index).is_some_and(|span| span.kind == SpanKind::TwoBlanks)
    }

    /// Every field of the record that was divided; nothing in place of a missing one.
    pub(super) fn iter<'a>(&'a self, line: &'a [u8]) -> impl Iterator<Item = &'a [u8]> {
        (0..self.len()).map(move |index| self.get(line, index).unwrap_or_default())
    }

    /// Where in the line a field begins.
    pub(super) fn start(&self, index: usize) -> usize {
        self.spans.get(index).map_or(0, |span| span.start)
    }

    /// Adds a field without quotation marks.
    fn push(&mut self, line: &[u8], spaced: Range<usize>) {
        self.spans.push(Span::spaced(line, spaced, SpanKind::InLine));
    }

    /// Adds a field that was found between quotation marks: of two marks in a row one belongs to it.
    fn push_quoted(&mut self, line: &[u8], field: Range<usize>, start: usize) {
        let span = if memchr::memmem::find(&line[field.clone()], b"\"\"").is_none() {
            Span::spaced(line, field, SpanKind::InLine)
        } else {
            let (begin, mut is_first) = (self.copy.len(), false);
            for &byte in &line[field] {
                is_first = byte == b'"' && !is_first;
                if byte != b'"' || is_first {
                    self.copy.push(byte);
                }
            }
            Span::spaced(&self.copy, begin..self.copy.len(), SpanKind::Copied)
        };
        self.spans.push(Span { start, is_quoted: true, ..span });
    }
}

/// The kind of the cells of an array, or of a string with escapes.
fn cells_kind(json: &str) -> SpanKind {
    if json::has_two_blanks(json) { SpanKind::TwoBlanks } else { SpanKind::Copied }
}

/// A range without the spaces at its ends.
fn trimmed(bytes: &[u8], mut range: Range<usize>) -> Range<usize> {
    let is_kept = |at: &usize| !is_space(bytes[*at]);
    let start = range.clone().find(is_kept).unwrap_or(range.end);
    start..range.rfind(is_kept).map_or(start, |last| last + 1)
}

/// What messages call a field.
pub(super) fn field_name(names: &[String], place: usize, has_keys: bool) -> String {
    match names.get(place) {
        Some(key) if has_keys => format!("key {key:?}"),
        Some(name) => format!("column {name:?}"),
        None => format!("column {}", place + 1),
    }
}

/// A grid without the candidates that `HoDoKu` has deleted, each a digit with its row and column.
fn without(grid: &Grid, deleted: &[u8]) -> Option<Sukaku> {
    let mut sukaku = Sukaku::from(grid);
    for word in deleted.split(|&byte| byte == b' ').filter(|word| !word.is_empty()) {
        let &[digit, row @ b'1'..=b'9', column @ b'1'..=b'9'] = word else { return None };
        let cell = Cell::new(usize::from(9 * (row - b'1') + column - b'1'));
        let mut left = sukaku.get(cell);
        left.remove(Digit::new(digit.wrapping_sub(b'0'))?);
        sukaku.set(cell, left);
    }
    Some(sukaku)
}

/// What a value is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FieldClass {
    /// A grid without a blank.
    Full,
    /// 81 cells, of which some are blank.
    Blanks,
    /// The 729 pencilmarks of a sukaku.
    Marks,
    /// It was a grid or a sukaku before it was damaged.
    Damaged,
    /// A number.
    Number,
    /// Nothing, or a word that stands for nothing.
    Empty,
    /// Anything else.
    Other,
}

impl FieldClass {
    /// The class of a value.
    pub(super) fn of(field: &[u8], blanks: &Blanks) -> Self {
        const NONE: [&[u8]; 6] = [b"", b"na", b"n/a", b"nan", b"null", b"none"];
        let cells = || field.iter().filter(|&&byte| blanks.is_cell(byte)).count();
        let is_damaged = || 10 * cells() >= 9 * field.len() && parse::other_size(field).is_none();
        match field.len() {
            Cell::COUNT if is_full(field) => Self::Full,
            Cell::COUNT if cells() == Cell::COUNT => Self::Blanks,
            parse::PENCILMARKS if parse::sukaku(field).is_ok() => Self::Marks,
            // Nine lines in quotation marks.
            _ if field.contains(&b'\n') => Self::Other,
            // About the bytes of a grid or of a sukaku, and nine of ten are cells.
            60..=100 | 600..=900 if is_damaged() => Self::Damaged,
            _ if is_count(field) => Self::Number,
            _ if NONE.iter().any(|none| field.eq_ignore_ascii_case(none)) => Self::Empty,
            _ => Self::Other,
        }
    }

    /// Whether it is a puzzle that is not solved yet.
    pub(super) const fn is_open(self) -> bool {
        matches!(self, Self::Blanks | Self::Marks)
    }

    pub(super) const fn is_grid(self) -> bool {
        matches!(self, Self::Full | Self::Blanks | Self::Marks)
    }
}

/// Whether a field is a grid without a blank: a loop without early exit, for vectors.
#[inline]
pub(super) fn is_full(field: &[u8]) -> bool {
    let Ok(cells) = <&[u8; Cell::COUNT]>::try_from(field) else { return false };
    cells.iter().map(|byte| u8::from(!matches!(byte, b'1'..=b'9'))).sum::<u8>() == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    const EASY: &str =
        "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";

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

    #[test]
    fn other_forms_have_fields_too() {
        let divide = |text: &str, form| {
            let mut fields = Fields::default();
            let keys = ["b".to_owned(), "x".to_owned()];
            fields.divide(text.as_bytes(), form, &keys)?;
            let text = |place| fields.get(text.as_bytes(), place).map(<[u8]>::to_vec);
            let texts = (0..fields.len()).map(text);
            let text = |text: Option<_>| text.map(|text| String::from_utf8(text).unwrap());
            Ok::<Vec<_>, Malformed>(texts.map(text).collect())
        };
        let text = |text: &str| Some(text.to_owned());
        let cells: Vec<_> = EASY.chars().map(String::from).collect();
        for between in [" ", ", ", "\t", ";"] {
            assert_eq!(divide(&cells.join(between), RecordForm::Spaced), Ok(vec![text(EASY)]));
        }
        assert_eq!(divide(&cells[1..].join(" "), RecordForm::Spaced), Ok(vec![text(&EASY[1..])]));
        assert!(divide("12 3", RecordForm::Spaced).is_err());
        assert_eq!(divide("[[1, null], [2]]", RecordForm::Array), Ok(vec![text("1.2")]));
        assert_eq!(divide("x", RecordForm::Array), Err(Malformed::NoCells));
        let plus = divide(&format!(":0000:x:+{EASY}::"), RecordForm::Hodoku).unwrap();
        assert_eq!(plus[3], text(EASY));
        let joined = divide(&format!(" {EASY}{EASY}"), RecordForm::Joined);
        assert_eq!(joined, Ok(vec![text(EASY); 2]));
        let object = divide(r#"{"a": {"b": 1}, "b": "\u0031\n", "c": ["2"]}"#, RecordForm::Object);
        assert_eq!(object, Ok(vec![text("1\n"), None, text("1"), text("[\"2\"]")]));
    }
}
