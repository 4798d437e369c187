//! A record divided into fields: a row at its delimiters, an object at its keys, and so on.
//!
//! ```text
//! 1f,53..7…79,  "a, b" ,9.3         `,`       quotation marks, and spaces around them, belong to no field
//! 53..7…79 9.3 ;  x                 any
//! {"a": {"b": "53..7…79"}}          JSON      a field for each path of keys: `a.b`
//! [[5,3,0,0,7,…],…]                 JSON      one field; 0 or null for a blank
//! 5 3 . . 7 . . . .  …              spaced    one field: 81 cells with a delimiter between each two
//! :0000:x:53..7…79::…               HoDoKu    the fourth field; `+` marks a digit that is no clue
//! ```
//!
//! A new form is a variant here with its part of [`Fields::divide`], and a place in the list of forms that `layout::rule`
//! tries.

use super::delimiter::{Delimiter, is_space, next_mark};
use super::json;
use super::malformed::{Malformed, Reason};
use crate::puzzle::Grid;
use crate::puzzle::parse::{self, Blanks};
use std::borrow::Cow;
use std::ops::Range;

/// Column names that mean the puzzle, in lower case.
pub const PUZZLE_NAMES: [&str; 7] =
    ["puzzle", "puzzles", "quiz", "quizzes", "question", "sudoku", "grid"];

/// Column names that mean the solution given with it, in lower case.
pub const SOLUTION_NAMES: [&str; 4] = ["solution", "solutions", "answer", "answers"];

/// Column names that mean the prediction of a model, in lower case.
pub(super) const PREDICTION_NAMES: [&str; 5] =
    ["prediction", "pred", "output", "response", "completion"];

/// What a record is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RecordForm {
    Row(Delimiter),
    /// An object, an array of cells, or a text.
    Json,
    Spaced,
    Hodoku,
    /// Grids in text: see `text`.
    Grid,
}

impl RecordForm {
    /// What messages call its records.
    pub(super) fn name(self) -> String {
        match self {
            Self::Row(delimiter) => return format!("rows divided by {delimiter}"),
            Self::Json => "lines of JSON",
            Self::Hodoku => "HoDoKu lines",
            Self::Spaced => "lines of 81 separated cells",
            Self::Grid => "grids in text",
        }
        .to_owned()
    }
}

/// Where the puzzle is in a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct RecordLayout {
    pub(super) form: RecordForm,
    pub(super) puzzle: usize,
    pub(super) solution: Option<usize>,
    /// How many fields a record has. If they differ, there is at least one behind the puzzle.
    pub(super) fields: usize,
}

impl Default for RecordLayout {
    /// A puzzle, and perhaps something behind it.
    fn default() -> Self {
        Self { form: RecordForm::Row(Delimiter::Any), puzzle: 0, solution: None, fields: 2 }
    }
}

/// The field of the puzzle in a `HoDoKu` line: the line begins with the delimiter.
const HODOKU_FIELD: usize = 3;

/// What is wrong with a quotation mark that does not close.
const OPEN_QUOTE: &str = "the quotation mark does not close in this line, and a record is a line; write Parquet or \
                          JSON lines";

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
    /// Its bytes, in the line or in the copy, with the spaces around them.
    bytes: Range<usize>,
    is_quoted: bool,
    kind: SpanKind,
}

impl Span {
    const fn new(start: usize, bytes: Range<usize>, kind: SpanKind) -> Self {
        Self { start, bytes, is_quoted: false, kind }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum SpanKind {
    InLine,
    /// Without what is no part of its text: quotation marks, escapes, brackets.
    Copied,
    /// The object does not have it.
    Missing,
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
            RecordForm::Json => self.json(line, keys),
            RecordForm::Spaced => self.spaced(line),
            RecordForm::Hodoku => self.hodoku(line),
            RecordForm::Grid => {
                self.push(line, 0..line.len());
                Ok(())
            }
        }
    }

    /// 81 cells of one character each.
    fn spaced(&mut self, line: &[u8]) -> Result<(), Malformed> {
        let is_wide = |pair: &[u8]| pair.iter().all(|byte| !Delimiter::Any.divides(*byte));
        if let Some(at) = line.windows(2).position(is_wide) {
            let why = "expected a cell of one character, found more";
            return Err(Malformed::Form { column: at + 1, reason: Reason::Text, why });
        }
        self.copy.extend(line.iter().filter(|byte| !Delimiter::Any.divides(**byte)));
        self.spans.push(Span::new(0, 0..self.copy.len(), SpanKind::Copied));
        Ok(())
    }

    /// A line of the library of `HoDoKu`. Deleted candidates would make another puzzle of it.
    fn hodoku(&mut self, line: &[u8]) -> Result<(), Malformed> {
        self.split(line, Delimiter::Byte(b':'))?;
        let (wanted, found) = (HODOKU_FIELD + 1, self.len());
        if found < wanted || line.first() != Some(&b':') {
            return Err(Malformed::NoField { wanted, found });
        }
        if self.get(line, HODOKU_FIELD + 1).is_some_and(|deleted| !deleted.is_empty()) {
            let column = self.start(HODOKU_FIELD + 1) + 1;
            let why = "deleted candidates are not read, and it is another puzzle without them";
            return Err(Malformed::Form { column, reason: Reason::Pencilmarks, why });
        }
        let begin = self.copy.len();
        let span = &self.spans[HODOKU_FIELD];
        self.copy.extend(line[span.bytes.clone()].iter().filter(|byte| **byte != b'+'));
        self.spans[HODOKU_FIELD] = Span::new(span.start, begin..self.copy.len(), SpanKind::Copied);
        Ok(())
    }

    /// The fields of a row, if its quotation marks are closed.
    pub(super) fn of_row(line: &[u8], delimiter: Delimiter) -> Option<Self> {
        let mut fields = Self::default();
        fields.split(line, delimiter).ok().map(|()| fields)
    }

    /// Divides a row, in place of what was divided before.
    ///
    /// # Errors
    /// A quotation mark does not close. The rest of the line is the last field.
    pub(super) fn split(&mut self, line: &[u8], delimiter: Delimiter) -> Result<(), Malformed> {
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
            return Ok(());
        }
        loop {
            let begin = start;
            start = delimiter.skip_spaces(line, start);
            // Behind spaces there may be nothing, behind a delimiter there is a field.
            if start == line.len() && !is_byte {
                return Ok(());
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
                    return Err(Malformed::Form {
                        column: start + 1,
                        reason: Reason::Quote,
                        why: OPEN_QUOTE,
                    });
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
                None => return Ok(()),
                // A visible delimiter divides once; an empty field is one, too.
                Some(&byte) if delimiter != Delimiter::Spaces && delimiter.divides(byte) => {
                    start += 1;
                }
                Some(_) => {}
            }
        }
    }

    /// The values of an object by their paths. What is no object has one value, and no path to it.
    fn json(&mut self, line: &[u8], keys: &[String]) -> Result<(), Malformed> {
        let place_of = |text: &[u8]| text.as_ptr().addr() - line.as_ptr().addr();
        self.spans.resize(keys.len(), Span::new(0, 0..0, SpanKind::Missing));
        let (mut at, mut is_twice) = (0, false);
        json::each_path(line, |path, value| {
            let is_string = value.starts_with('"');
            let (bytes, kind) = match json::cells(value) {
                Cow::Borrowed(text) => {
                    let start = place_of(text);
                    (start..start + text.len(), SpanKind::InLine)
                }
                Cow::Owned(text) => {
                    let begin = self.copy.len();
                    self.copy.extend_from_slice(&text);
                    (begin..self.copy.len(), SpanKind::Copied)
                }
            };
            // Where a byte was escaped, the next ones are further on than they are counted.
            let span = Span::new(place_of(value.as_bytes()) + usize::from(is_string), bytes, kind);
            // Most objects have the keys of the first in the same order.
            let is_at = keys.get(at).is_some_and(|key| *key == path);
            match is_at.then_some(at).or_else(|| keys.iter().position(|key| *key == path)) {
                Some(place) => {
                    is_twice |= self.spans[place].kind != SpanKind::Missing;
                    self.spans[place] = span;
                }
                None => self.spans.push(span),
            }
            at += 1;
        })?;
        // A key that comes twice may lose a puzzle.
        if is_twice { Err(Malformed::Several) } else { Ok(()) }
    }

    /// The number of fields.
    pub(super) fn len(&self) -> usize {
        self.spans.len()
    }

    /// A field of the record that was divided, if it has it: without spaces around it.
    pub(super) fn get<'a>(&'a self, line: &'a [u8], index: usize) -> Option<&'a [u8]> {
        self.bytes(line, self.spans.get(index)?).map(<[u8]>::trim_ascii)
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
        let value = self.bytes(line, span)?;
        let value = if keeps_spaces || span.is_quoted { value } else { value.trim_ascii() };
        (span.is_quoted || !value.is_empty()).then_some(value)
    }

    fn bytes<'a>(&'a self, line: &'a [u8], span: &Span) -> Option<&'a [u8]> {
        match span.kind {
            SpanKind::InLine => Some(&line[span.bytes.clone()]),
            SpanKind::Copied => Some(&self.copy[span.bytes.clone()]),
            SpanKind::Missing => None,
        }
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
    fn push(&mut self, line: &[u8], bytes: Range<usize>) {
        let start = bytes.clone().find(|at| !is_space(line[*at])).unwrap_or(bytes.end);
        self.spans.push(Span::new(start, bytes, SpanKind::InLine));
    }

    /// Adds a field that was found between quotation marks: of two marks in a row one belongs to it.
    fn push_quoted(&mut self, line: &[u8], field: Range<usize>, start: usize) {
        let (bytes, kind) = if memchr::memmem::find(&line[field.clone()], b"\"\"").is_none() {
            (field, SpanKind::InLine)
        } else {
            let (begin, mut is_first) = (self.copy.len(), false);
            for &byte in &line[field] {
                is_first = byte == b'"' && !is_first;
                if byte != b'"' || is_first {
                    self.copy.push(byte);
                }
            }
            (begin..self.copy.len(), SpanKind::Copied)
        };
        self.spans.push(Span { start, bytes, is_quoted: true, kind });
    }
}

/// What messages call a field.
pub(super) fn field_name(names: &[String], place: usize, has_keys: bool) -> String {
    match names.get(place) {
        Some(key) if has_keys => format!("key {key:?}"),
        Some(name) => format!("column {name:?}"),
        None => format!("column {}", place + 1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const EASY: &str =
        "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";

    fn split(line: &str, delimiter: Delimiter) -> Vec<String> {
        let mut fields = Fields::default();
        fields.split(b"another, \"line\"", Delimiter::Byte(b',')).unwrap();
        let _ = fields.split(line.as_bytes(), delimiter);
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
        fields.split(br#"ab,"cd",e"#, comma).unwrap();
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
        let found =
            divide(&format!("[{}]", cells.join(",").replace('.', "null")), RecordForm::Json);
        assert_eq!(found, Ok(vec![None, None, text(EASY)]));
        assert!(divide("x", RecordForm::Json).is_err());
        let plus = divide(&format!(":0000:x:+{EASY}::"), RecordForm::Hodoku).unwrap();
        assert_eq!(plus[3], text(EASY));
        let deleted = divide(&format!(":0000:x:{EASY}:714:"), RecordForm::Hodoku);
        assert!(deleted.is_err_and(|it| it.to_string().starts_with("column 91: deleted")));
        let object = divide(r#"{"a": {"b": 1}, "b": "\u0031 ", "c": ["2"]}"#, RecordForm::Json);
        assert_eq!(object, Ok(vec![text("1"), None, text("1"), text("[\"2\"]")]));
        let open = Fields::default().split(b"a,\"b", Delimiter::Byte(b','));
        assert!(open.is_err_and(|it| it.to_string().starts_with("column 3: the quotation mark")));
    }
}
