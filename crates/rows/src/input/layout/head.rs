//! The head of an input: its first lines, what each of them is, and the line that names the fields.

use super::evidence::HeadEvidence;
use super::shape::{ColumnRef, Hints};
use crate::input::delimiter::Delimiter;
use crate::input::fields::{FieldClass, Fields, PUZZLE_NAMES, RecordForm, SOLUTION_NAMES};
use crate::input::lines::{BYTE_ORDER_MARK, is_count, is_empty, record_end};
use crate::input::{grids, json};
use crate::puzzle::{Cell, parse::Blanks};
use ninefold_core::generate::Recipe;
use serde::de::IgnoredAny;

/// What a line of the head is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LineKind {
    Empty,
    Comment,
    Count,
    /// `sep=;`
    Separator,
    /// A puzzle and nothing else.
    Puzzle,
    /// A record, if a grid was found in it with its form.
    Record(Option<RecordForm>),
}

/// A line of the head, or the lines of a record.
#[derive(Clone, Copy, Debug)]
pub(super) struct HeadLine<'a> {
    pub(super) number: u64,
    /// Its bytes, without a byte-order mark.
    pub(super) text: &'a [u8],
    pub(super) kind: LineKind,
}

impl HeadLine<'_> {
    pub(super) const fn is_record(&self) -> bool {
        matches!(self.kind, LineKind::Puzzle | LineKind::Record(_))
    }

    /// Its form, if it is a record with a grid.
    pub(super) const fn form(&self) -> Option<RecordForm> {
        match self.kind {
            LineKind::Puzzle => Some(RecordForm::Row(Delimiter::Any)),
            LineKind::Record(form) => form,
            _ => None,
        }
    }
}

/// The lines of the head.
pub(super) struct Head<'a> {
    pub(super) lines: Vec<HeadLine<'a>>,
    /// What is left of a line that goes on behind the head.
    pub(super) rest: &'a [u8],
    /// It is all of the input.
    pub(super) ended: bool,
    /// Which line is the first record with a grid: the first that does not begin with `#`, if there is one.
    pub(super) first_grid: Option<usize>,
}

impl<'a> Head<'a> {
    pub(super) fn new(bytes: &'a [u8], ended: bool, hints: &Hints) -> Self {
        let (mut rest, mut lines, mut number) = (bytes, Vec::new(), 1);
        while !rest.is_empty() {
            let is_text = hints.grids || matches!(rest[0], b'{' | b'[');
            let delimiter = hints.delimiter.unwrap_or(Delimiter::Any);
            let spans = if is_text { None } else { Some(delimiter) };
            let Some(end) = record_end(rest, spans, ended) else { break };
            let text = rest[..end].strip_suffix(b"\n").unwrap_or(&rest[..end]);
            rest = &rest[end..];
            let text = text.strip_suffix(b"\r").unwrap_or(text);
            let text = text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(text);
            lines.push(HeadLine { number, text, kind: kind_of(text, number, hints) });
            number += 1 + memchr::memchr_iter(b'\n', text).count() as u64;
        }
        let has_grid = |line: &HeadLine| line.form().is_some();
        let is_first = |line: &HeadLine| has_grid(line) && line.text[0] != b'#';
        let first_grid = lines.iter().position(is_first);
        let first_grid = first_grid.or_else(|| lines.iter().position(has_grid));
        Self { lines, rest, ended, first_grid }
    }

    pub(super) fn records(&self) -> impl Iterator<Item = &HeadLine<'a>> {
        self.lines.iter().filter(|line| line.is_record())
    }

    /// The header with a known name above the first record with a grid: the last one.
    pub(super) fn header(&self, hints: &Hints) -> Option<Header> {
        // Where there is no grid, only the first record may be a header.
        let end = self.first_grid.unwrap_or_else(|| {
            let first = self.lines.iter().position(HeadLine::is_record);
            first.map_or(self.lines.len(), |place| place + 1)
        });
        let may_be = |(_, line): &(usize, &HeadLine)| match line.kind {
            LineKind::Puzzle | LineKind::Record(_) => !is_object(line.text),
            LineKind::Comment => line.text.get(1) != Some(&b' '),
            _ => false,
        };
        let lines = self.lines[..end].iter().enumerate().filter(may_be);
        let headers = lines.filter_map(|(at, line)| Header::by_name(at, line.text, hints));
        // The first name may be `#`, but any other header is better. Words may be a title.
        let rank = |header: &Header| (!header.is_hashed(), header.delimiter != Delimiter::Spaces);
        // Of equal ones, `max_by_key` gives the last.
        let mut header = headers.filter(|it| rank(it) != (false, false)).max_by_key(rank)?;
        let below = self.lines.get(header.place + 1).map(|line| line.text);
        header.rule = below.filter(|line| is_rule(line, &hints.blanks)).map(<[u8]>::to_vec);
        Some(header)
    }
}

fn kind_of(text: &[u8], number: u64, hints: &Hints) -> LineKind {
    if is_empty(text) {
        LineKind::Empty
    } else if text[0] == b'#' {
        hashed(text, hints).map_or(LineKind::Comment, |form| LineKind::Record(Some(form)))
    } else if number == 1 && !hints.grids && is_count(text) && !text.contains(&b'\t') {
        LineKind::Count
    } else if number == 1 && is_separator(text) {
        LineKind::Separator
    } else if hints.grids {
        LineKind::Record(grids::is_row(text, &hints.blanks).then_some(RecordForm::Grid))
    } else {
        form_of(text, hints)
    }
}

/// The form of a line that begins with `#`, if it is a row of a table: a field behind the first has a grid.
fn hashed(line: &[u8], hints: &Hints) -> Option<RecordForm> {
    let (delimiter, fields) = divided(line, hints).filter(|_| !hints.grids)?;
    let is_divided = matches!(delimiter, Delimiter::Byte(_)) || is_name_with_hash(line);
    let has_grid = fields.iter(line).skip(1).any(|it| FieldClass::of(it, &hints.blanks).is_grid());
    (is_divided && has_grid).then_some(RecordForm::Row(delimiter))
}

/// The form of a record: the first in which a field has a grid.
fn form_of(line: &[u8], hints: &Hints) -> LineKind {
    let blanks = &hints.blanks;
    // The usual line.
    if line.len() == Cell::COUNT
        && hints.delimiter.is_none()
        && FieldClass::of(line, blanks).is_grid()
    {
        return LineKind::Puzzle;
    }
    if line.trim_ascii_start().first() == Some(&b'{') {
        let wanted = hints.puzzle.as_ref().map(ColumnRef::key);
        let is_wanted =
            |path: &str| wanted.as_ref().is_some_and(|key| path.eq_ignore_ascii_case(key));
        let paths = json::object(line).unwrap_or_default().paths();
        let has_grid = paths.iter().any(|(path, json)| {
            let value = FieldClass::of(&json::cells(json), blanks);
            is_wanted(path) || value.is_grid() || value == FieldClass::Damaged
        });
        // The number of a column, if no key is called that.
        let is_row = matches!(hints.puzzle, Some(ColumnRef::Place(_)))
            && !paths.iter().any(|(path, _)| is_wanted(path));
        return LineKind::Record((has_grid && !is_row).then_some(RecordForm::Object));
    }
    let is_json = line[0] == b'[' && serde_json::from_slice::<IgnoredAny>(line).is_ok();
    let divided = divided(line, hints).filter(|_| !is_json || hints.delimiter.is_some());
    if let Some((delimiter, fields)) = divided {
        return match fields.len() {
            1 if hints.delimiter.is_none() => LineKind::Puzzle,
            _ => LineKind::Record(Some(RecordForm::Row(delimiter))),
        };
    }
    if hints.is_told() {
        return LineKind::Record(None);
    }
    let is_form = |form: RecordForm| {
        let mut fields = Fields::default();
        let is_divided = fields.divide(line, form, &[]).is_ok();
        let is_grid = |field: &[u8]| FieldClass::of(field, blanks).is_grid();
        is_divided
            && match form {
                RecordForm::Joined => fields.iter(line).all(is_grid),
                _ => fields.iter(line).any(is_grid),
            }
    };
    let forms = [
        (line[0] == b'[', RecordForm::Array),
        (line[0] == b':', RecordForm::Hodoku),
        (true, RecordForm::Joined),
        (true, RecordForm::Spaced),
    ];
    let found = forms.into_iter().find(|(may_be, form)| *may_be && is_form(*form));
    LineKind::Record(found.map(|(_, form)| form))
}

/// The delimiter that makes fields of the most puzzles, if one does, and the fields. One that makes several
/// fields is better, and of equal ones the first. Each divides where they differ before and behind the puzzle.
fn divided(line: &[u8], hints: &Hints) -> Option<(Delimiter, Fields)> {
    let guesses = match hints.delimiter {
        Some(delimiter) => vec![delimiter],
        None => [&Delimiter::GUESSES[..], &[Delimiter::Any]].concat(),
    };
    let ranked = |&delimiter: &Delimiter| {
        let fields = Fields::of_row(line, delimiter);
        let texts: Vec<_> = fields.iter(line).collect();
        let divides = |byte: Option<&u8>| byte.is_some_and(|&byte| Delimiter::Any.divides(byte));
        // Spaces next to the puzzle may be around a delimiter.
        let is_around = |place: usize| {
            let before = place.checked_sub(1).and_then(|before| texts[before].last());
            divides(before) || divides(texts.get(place + 1).and_then(|after| after.first()))
        };
        let is_grid = |&place: &usize| {
            let is_divided = delimiter != Delimiter::Spaces || !is_around(place);
            is_divided && FieldClass::of(texts[place], &hints.blanks).is_grid()
        };
        let rank = (texts.len() > 1, (0..texts.len()).filter(is_grid).count());
        (rank.1 > 0).then_some((rank, delimiter, fields))
    };
    // Of equal ones, `max_by_key` gives the last.
    let best = guesses.iter().rev().filter_map(ranked).max_by_key(|(rank, ..)| *rank);
    best.map(|(_, delimiter, fields)| (delimiter, fields))
}

/// Whether a line is a JSON object.
pub(super) fn is_object(line: &[u8]) -> bool {
    line.trim_ascii_start().first() == Some(&b'{') && json::object(line).is_ok()
}

/// Whether a line begins with `#` as a name does, `#1`, and not as text, `# text`.
pub(super) fn is_name_with_hash(line: &[u8]) -> bool {
    line.first() == Some(&b'#') && line.get(1).is_some_and(u8::is_ascii_alphanumeric)
}

/// A line that names fields.
#[derive(Clone, Debug)]
pub(super) struct Header {
    /// Its place among the lines of the head.
    pub(super) place: usize,
    pub(super) line: Vec<u8>,
    /// The rule directly below it.
    pub(super) rule: Option<Vec<u8>>,
    pub(super) names: Vec<String>,
    pub(super) delimiter: Delimiter,
}

impl Header {
    pub(super) fn of(place: usize, line: &[u8], delimiter: Delimiter) -> Self {
        let fields = Fields::of_row(line, delimiter);
        let name = |field| String::from_utf8_lossy(field).into_owned();
        let names = fields.iter(line).map(name).collect();
        Self { place, line: line.to_vec(), rule: None, names, delimiter }
    }

    /// The header that a line is, if it names the field of the puzzles.
    ///
    /// The delimiter of the names is not known: it is the one that makes the most of them. Spaces count
    /// only if no other makes two, because they may be around every name.
    fn by_name(place: usize, line: &[u8], hints: &Hints) -> Option<Self> {
        // A binary file may have names in it.
        if line.iter().any(|byte| byte.is_ascii_control() && *byte != b'\t') {
            return None;
        }
        let guesses =
            hints.delimiter.as_ref().map_or(&Delimiter::GUESSES[..], std::slice::from_ref);
        let header = |&delimiter: &Delimiter| {
            let header = Self::of(place, line, delimiter);
            let is_grid = |name: &String| FieldClass::of(name.as_bytes(), &hints.blanks).is_grid();
            let of_answers = match &hints.solution {
                Some(ColumnRef::Name(wanted)) => position(&header.names, &[wanted]),
                _ => None,
            };
            let is_known = hints.named_puzzle(&header.names).or(of_answers).is_some();
            (is_known && !header.names.iter().any(is_grid)).then_some(header)
        };
        let rank = |header: &Self| {
            let names = header.names.len();
            (header.delimiter != Delimiter::Spaces && names > 1, names)
        };
        // Of equal ones, `max_by_key` gives the last.
        guesses.iter().rev().filter_map(header).max_by_key(rank)
    }

    /// Whether it looks like a header though its names say nothing: as many as the rows have fields, no
    /// number and no puzzle among them, and neither nothing nor cells for a field that has grids.
    pub(super) fn looks_right(&self, evidence: &HeadEvidence, hints: &Hints) -> bool {
        let names = &self.names;
        let mut texts = names.iter().map(String::as_bytes);
        let is_of_cells = |field: &[u8]| field.iter().all(|&byte| hints.blanks.is_cell(byte));
        let has_grids = |place: usize| evidence.tally(place).grids() > 0;
        let is_row =
            texts.clone().enumerate().any(|(place, it)| has_grids(place) && is_of_cells(it));
        let is_other = names.len() != evidence.usual_width();
        let is_puzzle = |field| grids::clues(field) >= Recipe::FEWEST_CLUES;
        let is_no_name =
            |field| is_number(field) || has_part_of_brackets(field) || is_puzzle(field);
        // A word above a list is a title, unless it says what the list is. Above answers it is a name.
        let is_title = names.len() == 1
            && position(names, &SOLUTION_NAMES).is_none()
            && !(hints.full_grids && is_name_of_answers(&names[0]));
        !(is_row || is_other || is_title || texts.any(is_no_name))
    }

    pub(super) fn is_hashed(&self) -> bool {
        self.line.starts_with(b"#")
    }
}

/// Whether a line below a header is a rule: dashes, and what may stand where they cross. A line of
/// 81 dashes is a puzzle.
fn is_rule(line: &[u8], blanks: &Blanks) -> bool {
    let drawn = line.iter().all(|byte| b"-+|:= \t".contains(byte));
    let has_dashes = line.windows(3).any(|three| three == b"---" || three == b"===");
    drawn && has_dashes && !FieldClass::of(line.trim_ascii(), blanks).is_grid()
}

/// Whether a line is `sep=;`: the mark of a spreadsheet, and no record.
fn is_separator(line: &[u8]) -> bool {
    let line = line.trim_ascii();
    let line = line.strip_prefix(b"\"").and_then(|it| it.strip_suffix(b"\"")).unwrap_or(line);
    line.len() == 5 && line[..4].eq_ignore_ascii_case(b"sep=")
}

/// Where the first of those wanted is among the names, without regard to case: where there is a
/// `solution`, `solutions` may be how many.
pub(super) fn position<S: AsRef<str>>(names: &[String], wanted: &[S]) -> Option<usize> {
    let find = |wanted: &S| names.iter().position(|it| it.eq_ignore_ascii_case(wanted.as_ref()));
    wanted.iter().find_map(find)
}

/// Whether a field is a number, or a date: digits and what may stand between them.
pub(super) fn is_number(field: &[u8]) -> bool {
    let of_number = |byte: &u8| byte.is_ascii_digit() || b"+-.,:/".contains(byte);
    field.iter().any(u8::is_ascii_digit) && field.iter().all(of_number)
}

/// Whether a bracket opens in a field and closes in another: `(no puzzle)`, divided by spaces, is text.
fn has_part_of_brackets(field: &[u8]) -> bool {
    let count = |byte: u8| memchr::memchr_iter(byte, field).count();
    count(b'(') != count(b')') || count(b'[') != count(b']')
}

/// Whether the only word of a line above answers is their name, and does not say why there is none.
fn is_name_of_answers(word: &str) -> bool {
    const REMARKS: &str =
        "none null nan na nil error invalid malformed conflict multiple unsolvable unknown";
    let is_in_word = |byte: u8| byte.is_ascii_alphanumeric() || b"_-.".contains(&byte);
    word.starts_with(|first: char| first.is_ascii_alphabetic())
        && word.bytes().all(is_in_word)
        && !REMARKS.split(' ').any(|remark| word.eq_ignore_ascii_case(remark))
}

impl Hints {
    /// Whether the caller names fields or their delimiter.
    pub(crate) const fn is_told(&self) -> bool {
        self.puzzle.is_some() || self.solution.is_some() || self.delimiter.is_some()
    }

    /// Which of these names is that of the puzzles.
    pub(super) fn named_puzzle(&self, names: &[String]) -> Option<usize> {
        match &self.puzzle {
            Some(ColumnRef::Name(wanted)) => position(names, &[wanted]),
            _ => position(names, &PUZZLE_NAMES),
        }
    }
}
