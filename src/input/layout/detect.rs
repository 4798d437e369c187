//! Finds the layout of an input from the evidence of many records.
//!
//! ```text
//! bytes     |<---- head ---->|        |sample|      |sample|      |sample|
//! pipe      |<---- head ---->|                       a pipe has the head alone
//!
//! # a comment           aside: a comment, an empty line, a count on line 1
//! My list of 2024       aside: a title, if a header with a known name follows
//! id,puzzle,rating      aside: the header
//! 1,53..7…79,9.3        a record: its fields are counted (`evidence`)
//! 2,53..7…7,1.2         a record: one that is damaged changes nothing
//! ```
//!
//! # Steps
//!
//! 1. **Sample.** The head is all lines up to 1,000 records after the first one with a grid, and at
//!    most 1 MiB. Of a regular file that is not compressed, 4 more samples of 32 KiB are read: after
//!    a quarter, a half and three quarters, and at the end. The decision depends on these lines, not
//!    on how they arrive. All shards of an input decide from the same samples.
//! 2. **Form.** Each record votes for one form: a row with a field of 81 cells, a JSON object with a
//!    grid, or one of those in `forms`. The form with the most votes is taken.
//! 3. **Delimiter.** It is the one that was given; or the delimiter of a header with a known name; or
//!    the one that most rows vote for. A row votes for the character next to its puzzle.
//! 4. **Header.** The header is the last line above the first record that has a known name. Otherwise
//!    the first line is a header if it has as many fields as the rows, no number and no cells.
//! 5. **Evidence.** The values of every field are counted by class: full grid, grid with blanks,
//!    damaged, number, empty, other.
//! 6. **Fields.** The precedence table (`rules`) decides which field holds the puzzles and which the
//!    answers, or refuses the input.
//!
//! An input without a grid is refused, except for these: an input without records; a header with a
//! known name if the rows below it resemble puzzles; a list in which a line resembles a puzzle.
//!
//! # Pipes
//!
//! A program may write a puzzle and wait for its answer. With [`Patience::FirstPuzzle`] the head of
//! a pipe ends with the first record that leaves no doubt about its puzzle: one field with blanks, no
//! other with a grid, no damaged one, no key in front of it, and no header that names another.

use super::evidence::{Evidence, Number, Role, Value};
use super::explain::{Explanation, NoPuzzle, Remark, SHOWN_BYTES, Wanted};
use super::header::{Header, is_rule, position, separator};
use super::rules::{ANSWER_RULES, Case, Choice, PUZZLE_RULES, Rule, decide};
use super::shape::{Column, Hints, Layout, Patience, Shape};
use crate::input::document::{self, Look};
use crate::input::fields::{
    Delimiter, Fields, PUZZLE_NAMES, Rows, SOLUTION_NAMES, is_puzzle, resembles_puzzle,
};
use crate::input::forms;
use crate::input::grids;
use crate::input::json;
use crate::input::lines::{BYTE_ORDER_MARK, Lines, MAX_LINE_BYTES, is_count, is_empty};
use crate::puzzle::Cell;
use crate::puzzle::parse::Blanks;
use serde::de::IgnoredAny;
use std::collections::BTreeSet;
use std::io::{self, Read};
use std::ops::Range;

/// Bytes of an input in which its first puzzle must be found.
///
/// Comments and a header come before it: the longest seen has 2 KiB. A stream keeps so many bytes
/// until the layout is known.
const HEAD_BYTES: usize = 1 << 20;

/// Records of the head that are looked at, from the first one with a grid on.
const HEAD_RECORDS: usize = 1000;

/// Records without a grid that may follow a header whose names are unknown.
const MOST_DAMAGED_ROWS: usize = 2;

/// Bytes of each further sample.
const SAMPLE_BYTES: usize = 32 * 1024;

/// Bytes that a stream is asked for at a time.
const PIECE_BYTES: usize = 64 * 1024;

/// The ranges of a file of this length that are sampled besides its head.
pub(in crate::input) fn samples_of(length: u64) -> Vec<Range<u64>> {
    let sample = SAMPLE_BYTES as u64;
    let start = |quarter: u64| (length / 4 * quarter).min(length.saturating_sub(sample));
    let ranges = (1..=4).map(|quarter| start(quarter)..(start(quarter) + sample).min(length));
    ranges.filter(|_| length > sample).collect()
}

/// Finds the layout of an input with all its bytes at hand.
pub(in crate::input) fn layout_of_bytes(
    bytes: &[u8],
    hints: &Hints,
    said: Option<&mut Explanation>,
) -> io::Result<Layout> {
    let head = &bytes[..bytes.len().min(HEAD_BYTES)];
    let place = |at: u64| usize::try_from(at).unwrap_or(usize::MAX).min(bytes.len());
    let ranges = samples_of(bytes.len() as u64);
    let samples = ranges.iter().map(|range| &bytes[place(range.start)..place(range.end)]);
    let samples: Vec<_> = samples.collect();
    // Of a stream it is not known that it ends just there.
    layout_of(head, head.len() < HEAD_BYTES, &samples, (hints, false), said)
}

/// Finds the layout of a regular file that is read as a stream. The samples are from elsewhere in the
/// file.
pub(in crate::input) fn layout_of_file(
    stream: &mut impl Read,
    samples: &[Vec<u8>],
    hints: &Hints,
    said: Option<&mut Explanation>,
) -> io::Result<Layout> {
    let mut head = Vec::new();
    let samples: Vec<_> = samples.iter().map(Vec::as_slice).collect();
    let ended = read_head(stream, (hints, false), &mut head);
    let layout = layout_of(&head, matches!(ended, Ok(true)), &samples, (hints, false), said);
    // An error after the first records comes again when the file is read for good.
    despite(ended, layout, &head).0
}

/// What was read of a stream to find its layout.
pub(in crate::input) struct ReadHead {
    pub(in crate::input) bytes: Vec<u8>,
    /// The error that ended it, if the layout was found nevertheless.
    pub(in crate::input) error: Option<io::Error>,
}

/// Finds the layout of a stream; gives what was read of it, too.
pub(in crate::input) fn layout_of_stream(
    stream: &mut impl Read,
    hints: &Hints,
    said: Option<&mut Explanation>,
) -> (io::Result<Layout>, ReadHead) {
    let mut bytes = Vec::new();
    // An explanation is of all the evidence.
    let is_early = hints.patience == Patience::FirstPuzzle && said.is_none();
    let ended = read_head(stream, (hints, is_early), &mut bytes);
    let layout = layout_of(&bytes, matches!(ended, Ok(true)), &[], (hints, is_early), said);
    let (layout, error) = despite(ended, layout, &bytes);
    (layout, ReadHead { bytes, error })
}

/// The layout, and the error that ended the head if there are lines before it to be answered.
fn despite(
    ended: io::Result<bool>,
    layout: io::Result<Layout>,
    head: &[u8],
) -> (io::Result<Layout>, Option<io::Error>) {
    match (ended, layout) {
        (Err(error), Ok(layout)) if head.contains(&b'\n') => (Ok(layout), Some(error)),
        (Err(error), _) => (Err(error), None),
        (Ok(_), layout) => (layout, None),
    }
}

/// Reads a stream as far as the decision needs it. Gives whether that is all of it.
fn read_head(
    stream: &mut impl Read,
    (hints, is_early): (&Hints, bool),
    head: &mut Vec<u8>,
) -> io::Result<bool> {
    let mut progress = Progress { is_lines: false, head: Head { is_early, ..Head::default() } };
    while head.len() < HEAD_BYTES {
        let filled = head.len();
        head.resize(HEAD_BYTES.min(filled + PIECE_BYTES), 0);
        let read = stream.read(&mut head[filled..]);
        head.truncate(filled + *read.as_ref().unwrap_or(&0));
        match read {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
            Ok(0) => return Ok(true),
            Ok(_) => {}
        }
        let has_line = memchr::memchr(b'\n', &head[filled..]).is_some();
        if has_line && progress.is_enough(head, hints) {
            break;
        }
    }
    Ok(false)
}

/// How far the head of a stream has been looked at.
struct Progress {
    /// The head is no document.
    is_lines: bool,
    head: Head,
}

impl Progress {
    /// Whether the decision needs no more than these bytes.
    fn is_enough(&mut self, head: &[u8], hints: &Hints) -> bool {
        if !self.is_lines {
            match looked_at(head, false, hints) {
                Look::More => return false,
                Look::Document(_) | Look::Unknown => return head.len() >= HEAD_BYTES / 4,
                Look::Lines => self.is_lines = true,
            }
        }
        self.head.extend(head, false, hints)
    }
}

/// Whether the head is that of a JSON document.
fn looked_at(head: &[u8], ended: bool, hints: &Hints) -> Look {
    if hints.grids || hints.delimiter.is_some() {
        return Look::Lines;
    }
    document::look(head, ended || head.len() >= HEAD_BYTES)
}

fn layout_of(
    head: &[u8],
    ended: bool,
    samples: &[&[u8]],
    (hints, is_early): (&Hints, bool),
    mut said: Option<&mut Explanation>,
) -> io::Result<Layout> {
    let refused = |error| io::Error::new(io::ErrorKind::InvalidData, error);
    // The magic number of a tar archive is behind the name of its first file.
    if head.get(257..262) == Some(b"ustar") {
        return Err(refused(NoPuzzle::refused(
            "is a tar archive, which is not read: tar -xOf FILE | ninefold COMMAND -".to_owned(),
        )));
    }
    if head.starts_with(b"SQLite format 3\0") {
        return Err(refused(NoPuzzle::refused(
            "is an SQLite database, which is not read: sqlite3 -csv -header FILE 'SELECT * FROM \
             TABLE' | ninefold COMMAND -"
                .to_owned(),
        )));
    }
    let look = looked_at(head, ended, hints);
    if look == Look::Unknown {
        return Err(refused(NoPuzzle::refused(
            "is a JSON document in which no puzzle was found: write one object a line, for example \
             with jq -c '.[]' FILE | ninefold COMMAND -"
                .to_owned(),
        )));
    }
    if let Look::Document(document) = look {
        let text = document.lines_of(head, ended);
        if let Some(said) = &mut said {
            said.candidate(1, "JSON document".to_owned(), true, document.reason().to_owned());
        }
        let layout =
            Detector::new((hints, is_early), said, &text, ended, &[]).layout().map_err(refused)?;
        return Ok(Layout { document: Some(document), ..layout });
    }
    Detector::new((hints, is_early), said, head, ended, samples).layout().map_err(refused)
}

/// How a record is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    /// Fields, with this delimiter next to the puzzle; none if the puzzle is alone.
    Row(Option<Delimiter>),
    Object,
    Array,
    Hodoku,
    Spaced,
    /// 162 cells; whether the puzzle comes first.
    Joined(bool),
    /// None of these.
    Unknown,
}

/// A line of the head.
#[derive(Clone, Debug)]
struct HeadLine {
    number: u64,
    /// Where it is, without a byte-order mark.
    bytes: Range<usize>,
    kind: Kind,
}

/// What a line of the head is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Empty,
    Comment,
    Count,
    /// `sep=;`
    Separator(u8),
    Record(Form),
}

/// The lines of the head.
#[derive(Default)]
struct Head {
    lines: Vec<HeadLine>,
    fields: Fields,
    /// Bytes that the lines have.
    seen: usize,
    /// Which line is the first record with a grid.
    first_grid: Option<usize>,
    /// Records from there on.
    records: usize,
    /// No more lines are needed.
    is_complete: bool,
    /// The first record beyond doubt is the last that is needed.
    is_early: bool,
}

impl Head {
    /// Takes the lines of the head that were not seen yet. True if no more are needed.
    fn extend(&mut self, head: &[u8], ended: bool, hints: &Hints) -> bool {
        while !self.is_complete {
            let rest = &head[self.seen..];
            let complete = memchr::memchr(b'\n', rest).is_some();
            if rest.is_empty() || !complete && !ended {
                return false;
            }
            let mut lines = Lines::of_chunk(rest, self.seen == 0, None);
            let before = lines.remaining_bytes();
            let start = head.len() - before;
            let Some(line) = lines.next() else { return false };
            let marked = line.bytes.starts_with(BYTE_ORDER_MARK);
            let skip = if marked { BYTE_ORDER_MARK.len() } else { 0 };
            let bytes = start + skip..start + line.bytes.len();
            self.seen = head.len() - lines.remaining_bytes();
            self.add(head, bytes, hints);
        }
        true
    }

    fn add(&mut self, head: &[u8], bytes: Range<usize>, hints: &Hints) {
        let line = &head[bytes.clone()];
        let number = self.lines.len() as u64 + 1;
        let kind = if is_empty(line) {
            Kind::Empty
        } else if line[0] == b'#' {
            Kind::Comment
        } else if number == 1 && !hints.grids && is_count(line) && !line.contains(&b'\t') {
            Kind::Count
        } else if let Some(byte) = separator(line).filter(|_| number == 1) {
            Kind::Separator(byte)
        } else {
            Kind::Record(self.form(line, hints))
        };
        let place = self.lines.len();
        self.lines.push(HeadLine { number, bytes, kind });
        let Kind::Record(form) = kind else { return };
        let is_grid_row = hints.grids && grids::is_row(line, &hints.blanks);
        let has_grid = if hints.grids { is_grid_row } else { form != Form::Unknown };
        if self.first_grid.is_none() && has_grid {
            self.first_grid = Some(place);
        }
        self.records += usize::from(self.first_grid.is_some());
        let early = self.is_early;
        self.is_complete = is_grid_row
            || self.records >= HEAD_RECORDS
            || early && self.first_grid.is_some() && self.is_beyond_doubt(head, line, form, hints);
    }

    /// Whether a record leaves no doubt about the field of its puzzle.
    fn is_beyond_doubt(&mut self, head: &[u8], line: &[u8], form: Form, hints: &Hints) -> bool {
        let told = matches!(hints.puzzle, Some(Column::Name(_)));
        match form {
            Form::Unknown => false,
            Form::Array | Form::Hodoku | Form::Spaced | Form::Joined(_) => true,
            Form::Object => {
                let values = object_values(line, &hints.blanks);
                let name = |wanted: &str| {
                    let named = values.iter().find(|(key, _)| key.eq_ignore_ascii_case(wanted));
                    named.map(|(_, value)| *value)
                };
                match &hints.puzzle {
                    Some(Column::Name(wanted)) if hints.solution.is_some() => {
                        name(wanted).is_some_and(Value::is_open)
                    }
                    _ => {
                        let open = only_open(values.iter().map(|(_, value)| *value));
                        let is_known = |place: usize| {
                            let key = &values[place].0;
                            PUZZLE_NAMES.iter().any(|name| key.eq_ignore_ascii_case(name))
                        };
                        let has_empty = values.iter().any(|(_, value)| *value == Value::Empty);
                        open.is_some_and(|place| !has_empty || is_known(place))
                    }
                }
            }
            Form::Row(delimiter) => {
                let header = self.header(head, hints);
                let delimiter = match (hints.delimiter, &header, delimiter) {
                    (Some(delimiter), _, _) | (None, None, Some(delimiter)) => delimiter,
                    (None, Some(header), _) => header.row_delimiter(hints),
                    (None, None, None) => Delimiter::Any,
                };
                // `puzzle = 53..7…`: the answer may be on the next line.
                self.fields.split(line, Delimiter::Any);
                if self.fields.iter(line).any(|field| is_key(field, &PUZZLE_NAMES))
                    || has_mark_of_key(&self.fields, line)
                {
                    return false;
                }
                self.fields.split(line, delimiter);
                let values = self.fields.iter(line).map(|field| Value::of(field, &hints.blanks));
                let values: Vec<_> = values.collect();
                let named = header.and_then(|header| match &hints.puzzle {
                    Some(Column::Name(wanted)) => position(&header.names, &[wanted]),
                    _ => position(&header.names, &PUZZLE_NAMES),
                });
                let wanted = match hints.puzzle {
                    Some(Column::Place(place)) => Some(place),
                    _ => named,
                };
                match (only_open(values.iter().copied()), wanted) {
                    (Some(open), Some(wanted)) => open == wanted,
                    // An empty field may be a solution that is missing, or the puzzle.
                    (open, None) => open.is_some() && !told && !values.contains(&Value::Empty),
                    (None, Some(_)) => false,
                }
            }
        }
    }

    /// The header with a known name above the first record with a grid: the last one.
    fn header(&mut self, head: &[u8], hints: &Hints) -> Option<Header> {
        if hints.grids {
            return None;
        }
        // Where there is no grid, only the first record may be a header.
        let end = self.first_grid.unwrap_or_else(|| {
            let is_record = |line: &HeadLine| matches!(line.kind, Kind::Record(_));
            self.lines.iter().position(is_record).map_or(0, |place| place + 1)
        });
        let mut best: Option<Header> = None;
        for place in 0..end {
            let HeadLine { bytes, kind, .. } = &self.lines[place];
            if !matches!(kind, Kind::Record(_)) {
                continue;
            }
            let line = &head[bytes.clone()];
            if is_object(line) {
                continue;
            }
            let header = Header::by_name(place, line, hints, &mut self.fields);
            // Words divided by spaces may be a title.
            let is_title = |header: &Header| header.delimiter == Delimiter::Spaces;
            if let Some(new) = header
                && best.as_ref().is_none_or(|best| is_title(best) || !is_title(&new))
            {
                best = Some(new);
            }
        }
        let header = best.as_mut()?;
        let below = self.lines.get(header.place + 1).map(|line| &head[line.bytes.clone()]);
        let rule = below.filter(|line| is_rule(line, &hints.blanks));
        header.rule = rule.map(<[u8]>::to_vec);
        best
    }

    /// How a record is written.
    fn form(&mut self, line: &[u8], hints: &Hints) -> Form {
        let blanks = &hints.blanks;
        // The usual line.
        if line.len() == Cell::COUNT && hints.delimiter.is_none() && is_puzzle(line, blanks) {
            return Form::Row(None);
        }
        if line.trim_ascii_start().first() == Some(&b'{') {
            let told = matches!(hints.puzzle, Some(Column::Place(_)));
            let has_grid = !told
                && object_values(line, blanks).iter().any(|(key, value)| {
                    let wanted = match &hints.puzzle {
                        Some(Column::Name(name)) => key.eq_ignore_ascii_case(name),
                        _ => false,
                    };
                    wanted || value.is_open() || value.is_full() || *value == Value::Damaged
                });
            return if has_grid { Form::Object } else { Form::Unknown };
        }
        let is_json = line[0] == b'[' && serde_json::from_slice::<IgnoredAny>(line).is_ok();
        let delimiter = row_delimiter(line, hints, &mut self.fields);
        if let Some(delimiter) = delimiter.filter(|_| !is_json || hints.delimiter.is_some()) {
            let alone = hints.delimiter.is_none() && self.fields.len() == 1;
            return Form::Row((!alone).then_some(delimiter));
        }
        let told = hints.delimiter.is_some() || hints.puzzle.is_some() || hints.solution.is_some();
        if told {
            return Form::Unknown;
        }
        let text = str::from_utf8(line).ok().filter(|_| line[0] == b'[');
        let puzzle = |cells: &[u8]| cells.len() == Cell::COUNT && is_puzzle(cells, blanks);
        if text.and_then(forms::array).is_some_and(|cells| puzzle(&cells)) {
            return Form::Array;
        }
        if line[0] == b':'
            && forms::hodoku(line, &mut self.fields).is_ok_and(|(cells, _)| puzzle(&cells))
        {
            return Form::Hodoku;
        }
        if let Ok((one, other)) = forms::joined(line, true)
            && puzzle(one)
            && puzzle(other)
        {
            let (one, other) = (Value::of(one, blanks), Value::of(other, blanks));
            return Form::Joined(one.is_open() || !other.is_open());
        }
        if forms::spaced(line, blanks).is_ok() {
            return Form::Spaced;
        }
        Form::Unknown
    }
}

/// The delimiter next to the puzzle of a row, if it has one; the row is divided by it.
fn row_delimiter(line: &[u8], hints: &Hints, fields: &mut Fields) -> Option<Delimiter> {
    let quoted = memchr::memchr(b'"', line).is_some();
    let blanks = &hints.blanks;
    let beside = if quoted { None } else { delimiter_beside(line, fields, blanks) };
    let known = hints.delimiter.as_ref().or(beside.as_ref());
    let guesses = known.map_or(&Delimiter::GUESSES[..], std::slice::from_ref);
    let mut find = |least: usize| {
        guesses.iter().copied().find(|&delimiter| {
            fields.split(line, delimiter);
            fields.len() >= least && fields.iter(line).any(|field| is_puzzle(field, blanks))
        })
    };
    // A tab before a quotation mark divides, though it may be a space for other delimiters.
    find(2).or_else(|| find(1))
}

/// The place of the only open value, if no other value is a grid or was one.
fn only_open(values: impl Iterator<Item = Value>) -> Option<usize> {
    let mut open = None;
    for (place, value) in values.enumerate() {
        let is_other = value == Value::Damaged || value.is_full();
        if is_other || value.is_open() && open.replace(place).is_some() {
            return None;
        }
    }
    open
}

/// The key paths of an object and what their values are.
fn object_values(line: &[u8], blanks: &Blanks) -> Vec<(String, Value)> {
    let object = json::object(line).unwrap_or_default();
    let paths = object.paths();
    let value = |json: &str| {
        let cells = json::cells(json);
        // The text of an array is as long as a sukaku, perhaps.
        let is_text = json.starts_with('"') || cells.len() <= Cell::COUNT;
        if is_text { Value::of(cells.as_bytes(), blanks) } else { Value::Other }
    };
    paths.into_iter().map(|(path, json)| (path, value(json))).collect()
}

/// The fields that a table has, and what the rules say of them.
struct Reading {
    rows: Rows,
    evidence: Evidence,
    puzzle_rule: (usize, Choice),
    answer_rule: (usize, Choice),
}

/// What the rows of a table hold.
struct Gathered {
    evidence: Evidence,
    /// How many fields the first row with a grid has.
    first_width: Option<usize>,
    /// Rows with a full grid beside the name of answers.
    keyed: u64,
    /// Rows with a full grid below a word of their own, as `solved S` below `start P`.
    labelled: u64,
    /// Rows with a full grid, and a puzzle that is a part of a field.
    hidden: u64,
}

/// Finds a layout in the lines of the samples.
struct Detector<'a> {
    hints: &'a Hints,
    /// Collects the candidates, if the decision is to be explained.
    said: Option<&'a mut Explanation>,
    bytes: &'a [u8],
    ended: bool,
    samples: Vec<&'a [u8]>,
    head: Head,
    fields: Fields,
}

impl<'a> Detector<'a> {
    fn new(
        (hints, is_early): (&'a Hints, bool),
        said: Option<&'a mut Explanation>,
        bytes: &'a [u8],
        ended: bool,
        samples: &[&'a [u8]],
    ) -> Self {
        let mut head = Head { is_early, ..Head::default() };
        head.extend(bytes, ended, hints);
        // Samples of a short input are lines of its head.
        let samples = samples.iter().map(|sample| whole_lines(sample)).collect();
        let samples = if ended && !head.is_complete { Vec::new() } else { samples };
        Self { hints, said, bytes, ended, samples, head, fields: Fields::default() }
    }

    fn layout(mut self) -> Result<Layout, NoPuzzle> {
        if self.hints.grids {
            return self.grids();
        }
        self.say_asides();
        match self.form() {
            Some(Form::Object) => self.objects(),
            Some(Form::Array) => Ok(self.special(Shape::Arrays, "arrays of 81 numbers")),
            Some(Form::Hodoku) => Ok(self.special(Shape::Hodoku, "lines of HoDoKu")),
            Some(Form::Spaced) => Ok(self.special(Shape::Spaced, "81 cells with separators")),
            Some(Form::Joined(puzzle_first)) => {
                Ok(self.special(Shape::Joined { puzzle_first }, "162 cells without a separator"))
            }
            Some(Form::Row(_)) => self.table(),
            Some(Form::Unknown) | None => self.without_grid(),
        }
    }

    /// The bytes of a line of the head.
    fn line(&self, place: usize) -> &'a [u8] {
        &self.bytes[self.head.lines[place].bytes.clone()]
    }

    /// Explains a line.
    fn say(&mut self, line: u64, reading: &str, accepted: bool, reason: impl Into<String>) {
        if let Some(said) = &mut self.said {
            said.candidate(line, reading.to_owned(), accepted, reason.into());
        }
    }

    /// Explains the lines that are no records.
    fn say_asides(&mut self) {
        if self.said.is_none() {
            return;
        }
        for HeadLine { number, kind, .. } in self.head.lines.clone() {
            match kind {
                Kind::Empty => self.say(number, "empty", true, "is skipped"),
                Kind::Comment => self.say(number, "comment", true, "begins with #"),
                Kind::Count => self.say(number, "count", true, "line 1 is a number"),
                Kind::Separator(_) => self.say(number, "sep=", true, "names the delimiter"),
                Kind::Record(_) => {}
            }
        }
    }

    /// The form that most records have.
    fn form(&mut self) -> Option<Form> {
        let mut votes: Vec<(Form, u64)> = Vec::new();
        let mut vote = |form: Form| {
            let form = if let Form::Row(_) = form { Form::Row(None) } else { form };
            match votes.iter_mut().find(|(other, _)| *other == form) {
                _ if form == Form::Unknown => {}
                Some((_, count)) => *count += 1,
                None => votes.push((form, 1)),
            }
        };
        for line in &self.head.lines {
            if let Kind::Record(form) = line.kind {
                vote(form);
            }
        }
        let records = records_of(&self.samples);
        let hints = self.hints;
        for line in records {
            vote(self.head.form(line, hints));
        }
        // A table may have nothing but rows that begin with `#`.
        if votes.is_empty() && self.rows_with_hash().next().is_some() {
            return Some(Form::Row(None));
        }
        let most = votes.iter().map(|(_, count)| *count).max()?;
        let chosen = votes.iter().find(|(_, count)| *count == most).map(|(form, _)| *form);
        for (form, count) in votes.clone() {
            let name = match form {
                Form::Row(_) => "rows",
                Form::Object => "JSON objects",
                Form::Array => "JSON arrays",
                Form::Hodoku => "lines of HoDoKu",
                Form::Spaced => "cells with separators",
                Form::Joined(true) => "162 cells, puzzle first",
                Form::Joined(false) => "162 cells, solution first",
                Form::Unknown => continue,
            };
            let records = if count == 1 { "record" } else { "records" };
            self.say(
                0,
                name,
                Some(form) == chosen,
                format!("{} {records} with a grid", Number(count)),
            );
        }
        chosen
    }

    /// The lines that begin with `#` and are rows of a table: a field behind the first has a grid.
    fn rows_with_hash(&self) -> impl Iterator<Item = &'a [u8]> {
        let comments = self.head.lines.iter().filter(|line| line.kind == Kind::Comment);
        let (bytes, hints) = (self.bytes, self.hints);
        let mut fields = Fields::default();
        comments.map(|line| &bytes[line.bytes.clone()]).filter(move |line| {
            let delimiter = row_delimiter(line, hints, &mut fields);
            let divided = matches!(delimiter, Some(Delimiter::Byte(_)))
                || delimiter.is_some() && line.get(1).is_some_and(u8::is_ascii_alphanumeric);
            divided && fields.iter(line).skip(1).any(|field| is_puzzle(field, &hints.blanks))
        })
    }

    /// Lines that are expected to be rows of grids.
    fn grids(mut self) -> Result<Layout, NoPuzzle> {
        let is_record = |line: &HeadLine| matches!(line.kind, Kind::Record(_));
        let records = self.head.lines.iter().filter(|line| is_record(line)).count();
        if let Some(first) = self.head.first_grid {
            let number = self.head.lines[first].number;
            self.say(number, "row of a grid", true, "nine cells");
        } else if records == 0 && self.ended {
            self.say(0, "grids of nine lines", true, "expected, and the input has no line");
        } else {
            self.say(0, "grids of nine lines", false, "no line has nine cells");
            return Err(self.refuse(Wanted::Grid));
        }
        Ok(self.finish(Shape::Grids, None))
    }

    /// Records that need no fields.
    fn special(&mut self, shape: Shape, reason: &str) -> Layout {
        self.say(0, "one puzzle a line", true, reason);
        self.finish(shape, None)
    }

    /// Whether the caller looks at the answers.
    fn needs_answers(&self) -> bool {
        self.hints.patience == Patience::Head
    }

    fn objects(mut self) -> Result<Layout, NoPuzzle> {
        let (mut keys, mut evidence) = (Vec::<String>::new(), Evidence::default());
        let mut first_keys = None;
        let heads: Vec<_> = self.records().collect();
        let others = records_of(&self.samples);
        for line in heads.into_iter().chain(others) {
            let values = object_values(line, &self.hints.blanks);
            let mut row = Vec::with_capacity(values.len());
            for (key, value) in values {
                let place = keys.iter().position(|known| *known == key).unwrap_or_else(|| {
                    keys.push(key);
                    keys.len() - 1
                });
                row.push((place, value));
            }
            evidence.add(row.len(), &row);
            if first_keys.is_none() && row.iter().any(|(_, it)| it.is_open() || it.is_full()) {
                let object = json::object(line).unwrap_or_default();
                let members = object.members();
                first_keys = Some(members.iter().map(|(key, _)| (*key).to_owned()).collect());
            }
        }
        evidence.complete(keys.len());
        let told = |column: &Option<Column>| match column {
            Some(Column::Name(name)) => position(&keys, &[name]),
            _ => None,
        };
        let (told_puzzle, told_solution) = (told(&self.hints.puzzle), told(&self.hints.solution));
        if self.hints.puzzle.is_some() && told_puzzle.is_none() {
            return Err(self.refuse_field(None));
        }
        if self.hints.solution.is_some() && told_solution.is_none() {
            return Err(self.refuse_solution());
        }
        let names = &keys;
        let takes_answers = self.hints.full_grids;
        let case = Case {
            evidence: &evidence,
            names,
            told_puzzle,
            told_solution,
            has_keys: true,
            takes_answers,
        };
        let puzzle_rule = decide(&PUZZLE_RULES, &case, 0);
        let Some((number, Choice::Field(puzzle))) = puzzle_rule else {
            let choice = puzzle_rule.map(|(_, choice)| choice);
            self.show_fields(&evidence, |field| key_name(&keys, field), (None, None));
            return Err(self.refuse_choice(choice, |field| key_name(&keys, field), &keys, "KEY"));
        };
        let (answer_number, answers) =
            decide(&ANSWER_RULES, &case, puzzle).unwrap_or((ANSWER_RULES.len(), Choice::None));
        let solution = match answers {
            Choice::Field(field) => Some(field),
            Choice::Several(several) if self.needs_answers() => {
                let name = |field| key_name(&keys, field);
                self.show_fields(&evidence, name, (Some(puzzle), None));
                return Err(refuse_answers(&several, name, "KEY"));
            }
            _ => None,
        };
        self.show_fields(&evidence, |field| key_name(&keys, field), (Some(puzzle), solution));
        self.show_rules(number, answer_number);
        let shape = Shape::Objects {
            puzzle: keys[puzzle].clone(),
            solution: solution.map(|field| keys[field].clone()),
        };
        let mut layout = self.finish(shape, None);
        layout.names = first_keys.unwrap_or_default();
        Ok(layout)
    }

    /// The records of the head.
    fn records(&self) -> impl Iterator<Item = &'a [u8]> {
        let bytes = self.bytes;
        let records = self.head.lines.iter().filter(|it| matches!(it.kind, Kind::Record(_)));
        records.map(move |line| &bytes[line.bytes.clone()])
    }

    fn table(mut self) -> Result<Layout, NoPuzzle> {
        let hints = self.hints;
        let mut header = self.head.header(self.bytes, hints);
        if let Some(mut found) = header.take() {
            let delimiter = found.row_delimiter(hints);
            let mut reading = self.read_rows(delimiter, Some(&found));
            // R writes no name above the names of the rows.
            if let Ok(rows) = &reading
                && !self.fits(&found, rows)
                && found.names.len() > 1
                && rows.evidence.usual_width() == found.names.len() + 1
            {
                let mut shifted = found.clone();
                shifted.names.insert(0, String::new());
                let again = self.read_rows(delimiter, Some(&shifted));
                let named = position(&shifted.names, &PUZZLE_NAMES);
                if again.as_ref().is_ok_and(|again| Some(again.rows.puzzle) == named) {
                    (found, reading) = (shifted, again);
                }
            }
            match reading {
                Ok(reading) if self.fits(&found, &reading) => {
                    let (number, count) = (self.number(found.place), found.names.len());
                    let reading_of = format!("header, fields divided by {}", found.delimiter);
                    self.say(number, &reading_of, true, format!("{count} names, one is known"));
                    return Ok(self.finish_rows(reading, Some(found)));
                }
                Err(refused) if matches!(refused.wanted, Wanted::Refused(_)) => {
                    return Err(refused);
                }
                // Only the names of a header tell what was named.
                Err(refused) if hints.puzzle.is_some() || hints.solution.is_some() => {
                    return Err(refused);
                }
                Err(refused) if found.delimiter != Delimiter::Spaces => {
                    let by_content = self.by_content(true);
                    return match by_content {
                        Some(Ok((reading, other))) => {
                            let number = self.number(found.place);
                            let reason = "the named field has no puzzle, and another field has";
                            self.say(number, "header", false, reason);
                            Ok(self.finish_rows(reading, other))
                        }
                        _ => Err(refused),
                    };
                }
                _ => {
                    let reason = "it does not fit the rows below";
                    self.say(self.number(found.place), "header", false, reason);
                }
            }
        }
        match self.by_content(false) {
            Some(Ok((reading, header))) => Ok(self.finish_rows(reading, header)),
            Some(Err(refused)) => Err(refused),
            None => Err(self.refuse_field(None)),
        }
    }

    /// Whether line 1 says how many records there are.
    fn is_counted(&self) -> bool {
        self.head.lines.first().is_some_and(|line| line.kind == Kind::Count)
    }

    /// The number of a line of the head.
    fn number(&self, place: usize) -> u64 {
        self.head.lines[place].number
    }

    /// Whether a header belongs to the rows below it: the named field holds the puzzles, or the rows
    /// have as many fields as it has names.
    fn fits(&self, header: &Header, reading: &Reading) -> bool {
        let named = match &self.hints.puzzle {
            None => position(&header.names, &PUZZLE_NAMES),
            Some(_) => return true,
        };
        named == Some(reading.rows.puzzle) || reading.evidence.usual_width() == header.names.len()
    }

    /// Rows whose header names no known field, or that have no header.
    ///
    /// With `open_alone`, full grids do not count: they may be the answers of puzzles that are missing.
    fn by_content(
        &mut self,
        open_alone: bool,
    ) -> Option<Result<(Reading, Option<Header>), NoPuzzle>> {
        if let Some(Column::Name(_)) = self.hints.puzzle {
            self.say(0, "rows", false, "no header names the field that was given");
            return None;
        }
        let delimiter = self.usual_delimiter();
        let header = self.header_by_looks(delimiter);
        if let Some(header) = &header {
            self.say(self.number(header.place), "header", true, "names alone, one for each field");
        }
        let reading = match self.read_rows(delimiter, header.as_ref()) {
            Ok(reading) => reading,
            Err(refused) => return Some(Err(refused)),
        };
        let puzzle = reading.evidence.fields.get(reading.rows.puzzle);
        if open_alone && puzzle.is_none_or(|tally| tally.open() == 0) {
            return None;
        }
        Some(Ok((reading, header)))
    }

    /// The delimiter that most rows have next to their puzzle.
    fn usual_delimiter(&mut self) -> Delimiter {
        if let Some(delimiter) = self.hints.delimiter {
            return delimiter;
        }
        let mut votes: Vec<(Delimiter, u64)> = Vec::new();
        let vote = |votes: &mut Vec<(Delimiter, u64)>, form: Form| {
            let Form::Row(Some(delimiter)) = form else { return };
            match votes.iter_mut().find(|(other, _)| *other == delimiter) {
                Some((_, count)) => *count += 1,
                None => votes.push((delimiter, 1)),
            }
        };
        for line in &self.head.lines {
            if let Kind::Record(form) = line.kind {
                vote(&mut votes, form);
            }
        }
        let others = records_of(&self.samples);
        let hashed: Vec<_> = self.rows_with_hash().collect();
        let hints = self.hints;
        for line in others {
            vote(&mut votes, self.head.form(line, hints));
        }
        if votes.is_empty() {
            for line in hashed {
                vote(&mut votes, self.head.form(line, hints));
            }
        }
        let most = votes.iter().map(|(_, count)| *count).max().unwrap_or_default();
        let chosen = votes.iter().find(|(_, count)| *count == most);
        let all: u64 = votes.iter().map(|(_, count)| *count).sum();
        // Where many rows have another delimiter, each of them divides.
        let is_clear = 10 * most > 9 * all.saturating_sub(1);
        let chosen = chosen.filter(|_| is_clear);
        let chosen = chosen.map_or(Delimiter::Any, |(delimiter, _)| *delimiter);
        for (delimiter, count) in votes {
            let reading = format!("fields divided by {delimiter}");
            let rows = if count == 1 { "row" } else { "rows" };
            let reason = format!("next to the puzzle in {} {rows}", Number(count));
            self.say(0, &reading, delimiter == chosen, reason);
        }
        chosen
    }

    /// The header that the first record is, if its names are unknown.
    fn header_by_looks(&mut self, delimiter: Delimiter) -> Option<Header> {
        let is_record = |line: &HeadLine| matches!(line.kind, Kind::Record(_));
        let place = self.head.lines.iter().position(is_record)?;
        let first_grid = self.head.first_grid.unwrap_or(self.head.lines.len());
        let records = self.head.lines[..first_grid].iter().filter(|it| is_record(it)).count();
        let line = self.line(place);
        // Some of the rows between the header and the first grid may be damaged.
        let is_near = (1..=MOST_DAMAGED_ROWS + 1).contains(&records);
        if self.hints.no_header || !is_near || self.has_damaged_grid(line) || is_object(line) {
            return None;
        }
        let Gathered { evidence, .. } = self.gather(delimiter, None);
        let blanks = &self.hints.blanks;
        Header::by_looks(place, line, delimiter, &evidence, blanks, &mut self.fields)
    }

    /// Whether a line has a field that was a puzzle before it was damaged.
    fn has_damaged_grid(&mut self, line: &[u8]) -> bool {
        // Text around 81 cells in a value of JSON is no puzzle.
        if matches!(line.trim_ascii_start().first(), Some(b'{' | b'[')) {
            return false;
        }
        self.fields.split(line, Delimiter::Any);
        self.fields.iter(line).any(|field| resembles_puzzle(field, &self.hints.blanks))
    }

    /// The records of a table that may be rows, in the order of the samples.
    fn rows_below(&self, header: Option<&Header>) -> Vec<&'a [u8]> {
        let place = header.map_or(0, |header| header.place + 1);
        let lines = self.head.lines.iter().skip(place);
        let records = lines.filter(|line| matches!(line.kind, Kind::Record(_)));
        let mut rows: Vec<_> = records.map(|line| &self.bytes[line.bytes.clone()]).collect();
        rows.extend(records_of(&self.samples));
        if let Some(header) = header {
            rows.retain(|&row| row != header.line && Some(row) != header.rule.as_deref());
        }
        if header.is_some() || self.head.first_grid.is_none() {
            rows.extend(self.rows_with_hash());
        }
        rows
    }

    /// What the rows of a table hold.
    fn gather(&mut self, delimiter: Delimiter, header: Option<&Header>) -> Gathered {
        let blanks = match delimiter {
            Delimiter::Byte(byte) => self.hints.blanks.without(byte),
            _ => self.hints.blanks,
        };
        let (mut evidence, mut first_width) = (Evidence::default(), None);
        let (mut keyed, mut hidden, mut labels) = (0, 0, Labels::default());
        for row in self.rows_below(header) {
            // The usual line.
            if row.len() == Cell::COUNT && delimiter == Delimiter::Any && is_puzzle(row, &blanks) {
                first_width.get_or_insert(1);
                evidence.add(1, &[(0, Value::of(row, &blanks))]);
                continue;
            }
            // The members of an object are no fields.
            if is_object(row) {
                evidence.add(1, &[(0, Value::Other)]);
                continue;
            }
            self.fields.split(row, delimiter);
            let values = self.fields.iter(row).map(|field| Value::of(field, &blanks)).enumerate();
            let values: Vec<_> = values.collect();
            evidence.add(values.len(), &values);
            labels.add(self.fields.get(row, 0), &values);
            if !values.iter().any(|(_, value)| value.is_open()) {
                let is_full = values.iter().any(|(_, value)| value.is_full());
                let is_of_answers = |field: &[u8]| is_key(field, &SOLUTION_NAMES);
                keyed += u64::from(is_full && self.fields.iter(row).any(is_of_answers));
                hidden += u64::from(is_full && has_hidden_puzzle(row, &blanks));
            }
            if first_width.is_none() && values.iter().any(|(_, it)| it.is_open() || it.is_full()) {
                first_width = Some(values.len());
            }
        }
        evidence.complete(header.map_or(0, |header| header.names.len()));
        Gathered { evidence, first_width, keyed, labelled: labels.full_rows(), hidden }
    }

    /// What the rows of a table hold, and what the rules say of it.
    fn read_rows(
        &mut self,
        delimiter: Delimiter,
        header: Option<&Header>,
    ) -> Result<Reading, NoPuzzle> {
        let gathered = self.gather(delimiter, header);
        let Gathered { evidence, first_width, keyed, labelled, hidden } = gathered;
        let names = header.map_or(&[][..], |header| &header.names);
        let labelled = if self.hints.puzzle.is_none() { labelled } else { 0 };
        if 10 * keyed.max(labelled) > evidence.rows {
            return Err(NoPuzzle::refused(
                "puzzle and solution are on lines of their own, which is not read: write one record \
                 a line, as CSV"
                    .to_owned(),
            ));
        }
        if 10 * hidden > evidence.rows {
            return Err(self.refuse(Wanted::Field));
        }
        let width = if header.is_some() { names.len() } else { evidence.fields.len() };
        let told = |column: &Option<Column>| match column {
            Some(Column::Name(name)) => position(names, &[name]).map(Some).ok_or(()),
            Some(Column::Place(place)) if *place < width => Ok(Some(*place)),
            Some(Column::Place(_)) => Err(()),
            None => Ok(None),
        };
        let name = |field: usize| column_name(names, field);
        let Ok(told_puzzle) = told(&self.hints.puzzle) else {
            return Err(self.refuse_field(header));
        };
        let Ok(told_solution) = told(&self.hints.solution) else {
            return Err(self.refuse_solution());
        };
        let case = Case {
            evidence: &evidence,
            names,
            told_puzzle,
            told_solution,
            has_keys: false,
            takes_answers: self.hints.full_grids,
        };
        let puzzle_rule = decide(&PUZZLE_RULES, &case, 0);
        let Some((number, Choice::Field(puzzle))) = puzzle_rule else {
            self.show_fields(&evidence, name, (None, None));
            return Err(match puzzle_rule {
                None => self.refuse_field(header),
                Some((_, choice)) => self.refuse_choice(Some(choice), name, names, "COLUMN"),
            });
        };
        let tally = evidence.fields.get(puzzle).cloned().unwrap_or_default();
        let has_header = header.is_some_and(|header| {
            position(&header.names, &PUZZLE_NAMES).is_some() || self.hints.puzzle.is_some()
        });
        let has_grid = tally.open() + tally.full > 0;
        // Damaged puzzles beside full grids are damaged puzzles beside their answers.
        let has_answers = evidence.fields.iter().any(|tally| tally.full > 0);
        let is_damaged = tally.damaged > 0 && (has_header || has_answers);
        if !(has_grid || is_damaged || has_header && evidence.rows == 0) {
            self.show_fields(&evidence, name, (None, None));
            return Err(self.refuse_field(header));
        }
        let answer_rule =
            decide(&ANSWER_RULES, &case, puzzle).unwrap_or((ANSWER_RULES.len(), Choice::None));
        let solution = match &answer_rule.1 {
            Choice::Field(field) => Some(*field),
            Choice::Several(several) if self.needs_answers() => {
                self.show_fields(&evidence, name, (Some(puzzle), None));
                return Err(refuse_answers(several, name, "COLUMN"));
            }
            _ => None,
        };
        let least = solution.map_or(puzzle, |it| it.max(puzzle)) + 1;
        let fields = match header {
            Some(header) => header.names.len(),
            None => first_width.unwrap_or(1).max(least),
        };
        let rows = Rows { delimiter, puzzle, solution, fields };
        let puzzle_rule = (number, Choice::Field(puzzle));
        Ok(Reading { rows, evidence, puzzle_rule, answer_rule })
    }

    /// The layout of a table.
    fn finish_rows(&mut self, reading: Reading, header: Option<Header>) -> Layout {
        let Reading { mut rows, evidence, puzzle_rule, answer_rule } = reading;
        let names = header.as_ref().map_or(Vec::new(), |header| header.names.clone());
        let name = |field: usize| column_name(&names, field);
        self.show_fields(&evidence, name, (Some(rows.puzzle), rows.solution));
        self.show_rules(puzzle_rule.0, answer_rule.0);
        let hinted = self.hints.delimiter.is_some() || self.hints.puzzle.is_some();
        let first = self.head.first_grid.map(|place| self.line(place)).unwrap_or_default();
        let quoted = memchr::memchr(b'"', first).is_some();
        let plain = header.is_none() && rows.puzzle == 0 && rows.solution.is_none();
        if plain && !hinted && !quoted {
            // The puzzle comes first and nothing else matters: any delimiter may end it.
            self.fields.split(first, Delimiter::Any);
            rows = Rows { fields: self.fields.len(), ..Rows::PLAIN };
        }
        self.finish(Shape::Rows(rows), header)
    }

    /// The layout of this shape.
    fn finish(&mut self, shape: Shape, header: Option<Header>) -> Layout {
        let blanks = match &shape {
            Shape::Rows(Rows { delimiter: Delimiter::Byte(byte), .. }) => {
                self.hints.blanks.without(*byte)
            }
            _ => self.hints.blanks,
        };
        let lines = &self.head.lines;
        let counted = self.is_counted();
        let start = match &header {
            Some(header) => header.place,
            None => self.head.first_grid.unwrap_or(lines.len()),
        };
        let (mut comments, mut titles) = (BTreeSet::new(), Vec::new());
        let by_name = header.as_ref().is_some_and(|header| {
            let named = position(&header.names, &PUZZLE_NAMES);
            named.is_some() || matches!(self.hints.puzzle, Some(Column::Name(_)))
        });
        let rows: BTreeSet<_> = self.rows_with_hash().collect();
        for line in &lines[..start] {
            let bytes = &self.bytes[line.bytes.clone()];
            match line.kind {
                Kind::Comment if rows.contains(bytes) => {}
                Kind::Comment => {
                    comments.insert(bytes.to_vec());
                }
                Kind::Separator(_) => titles.push((line.number, bytes.to_vec())),
                Kind::Record(_) if by_name => titles.push((line.number, bytes.to_vec())),
                _ => {}
            }
        }
        for (number, _) in &titles {
            self.say(*number, "title", true, "is skipped");
        }
        let is_table = match &shape {
            Shape::Rows(rows) => header.is_some() || rows.puzzle > 0,
            _ => false,
        };
        let is_told = self.hints.puzzle.is_some() || self.hints.solution.is_some();
        let (header, rule, names) = match header {
            Some(header) => (Some(header.line), header.rule, header.names),
            None => (None, None, Vec::new()),
        };
        Layout {
            shape,
            blanks,
            header,
            rule,
            names,
            counted,
            titles,
            comments: is_table.then_some(comments),
            is_told,
            document: None,
            is_parquet: false,
            is_exact: false,
        }
    }

    /// An input in which no line has a grid.
    fn without_grid(mut self) -> Result<Layout, NoPuzzle> {
        let hints = self.hints;
        let header = self.head.header(self.bytes, hints);
        if let Some(header) = header {
            let delimiter = header.row_delimiter(hints);
            let reading = self.read_rows(delimiter, Some(&header));
            let number = self.number(header.place);
            return match reading {
                Ok(reading) => {
                    let reason = if reading.evidence.rows == 0 {
                        "there is no record that says otherwise"
                    } else {
                        "its rows resemble puzzles"
                    };
                    self.say(number, "header", true, reason);
                    Ok(self.finish_rows(reading, Some(header)))
                }
                Err(refused) => Err(refused),
            };
        }
        let is_record = |line: &&HeadLine| matches!(line.kind, Kind::Record(_));
        let records = self.head.lines.iter().filter(is_record).count();
        let unended = if self.ended { 0 } else { self.bytes.len() - self.head.seen };
        let reading = "a puzzle a line";
        if records == 0 && !self.is_counted() && unended <= MAX_LINE_BYTES {
            self.say(0, reading, true, "there is no record that says otherwise");
            return Ok(self.finish(Shape::Rows(Rows::PLAIN), None));
        }
        // The fields that the caller names are never ignored for the looks of a line.
        let told = hints.puzzle.is_some() || hints.delimiter.is_some() || hints.solution.is_some();
        let lines: Vec<_> = self.records().collect();
        let resembling = lines.iter().any(|line| self.has_damaged_grid(line));
        let beside = self.beside_puzzle();
        if resembling && !told && beside.is_none() {
            self.say(0, reading, true, "a line resembles a puzzle");
            return Ok(self.finish(Shape::Rows(Rows::PLAIN), None));
        }
        let reason = match beside {
            _ if !resembling => "no line resembles a puzzle",
            Some(_) => "an unknown character is next to 81 cells",
            None => "columns or a delimiter were given",
        };
        self.say(0, reading, false, reason);
        Err(self.refuse_field(None))
    }

    /// The character next to 81 cells, if it may be a delimiter that is not known.
    fn beside_puzzle(&self) -> Option<u8> {
        if self.hints.delimiter.is_some() {
            return None;
        }
        self.records().find_map(|line| beside_puzzle(line, &self.hints.blanks))
    }

    /// Adds the evidence of each field to the explanation.
    fn show_fields(
        &mut self,
        evidence: &Evidence,
        name: impl Fn(usize) -> String,
        (puzzle, solution): (Option<usize>, Option<usize>),
    ) {
        let Some(said) = &mut self.said else { return };
        said.clear_evidence();
        for (field, tally) in evidence.fields.iter().enumerate() {
            let role = match Some(field) {
                field if field == puzzle => Role::Puzzles,
                field if field == solution => Role::Solutions,
                _ => Role::Unused,
            };
            said.field(format!("{}: {tally} -> {role}", name(field)));
        }
    }

    /// Adds the rules that decided to the explanation.
    fn show_rules(&mut self, puzzle: usize, answers: usize) {
        let Some(said) = &mut self.said else { return };
        let text = |rules: &[Rule], number: usize| rules[number - 1].text;
        said.field(format!("puzzle rule {puzzle}: {}", text(&PUZZLE_RULES, puzzle)));
        said.field(format!("answer rule {answers}: {}", text(&ANSWER_RULES, answers)));
    }

    /// Refuses an input because of what a rule says.
    fn refuse_choice(
        &self,
        choice: Option<Choice>,
        name: impl Fn(usize) -> String,
        names: &[String],
        what: &str,
    ) -> NoPuzzle {
        let option = |field: usize| match names.get(field) {
            Some(name) => name.clone(),
            None => (field + 1).to_string(),
        };
        let text = match choice {
            Some(Choice::Disagree { one, other }) => {
                let side = |(open, full, count): (usize, usize, u64)| {
                    let records = if count == 1 { "record" } else { "records" };
                    let (puzzle, answers) = (name(open), name(full));
                    format!(
                        "in {} {records} {puzzle} has blanks and {answers} is full",
                        Number(count)
                    )
                };
                let options = [one, other].map(|(puzzle, answers, _)| {
                    format!("--columns puzzle={},solution={}", option(puzzle), option(answers))
                });
                format!(
                    "records disagree: {}, {}; choose with {}",
                    side(one),
                    side(other),
                    options.join(" or ")
                )
            }
            Some(Choice::Several(fields)) => {
                let names: Vec<_> = fields.iter().map(|&field| name(field)).collect();
                format!(
                    "several fields may hold the puzzles: {}; choose with --columns puzzle={what}",
                    names.join(", ")
                )
            }
            Some(Choice::NamedForAnswers(field)) => {
                format!("--columns solution={} names the field of the puzzles", option(field))
            }
            Some(Choice::AnswersAlone(field)) => format!(
                "no puzzle found: the only grids are in {}, which is named after answers; \
                 --columns puzzle={} reads them as puzzles",
                name(field),
                option(field)
            ),
            _ => return self.refuse_field(None),
        };
        NoPuzzle::refused(text)
    }

    /// Refuses an input whose header or rows lack the field of the answers that was named.
    fn refuse_solution(&self) -> NoPuzzle {
        self.refuse(match &self.hints.solution {
            Some(Column::Name(name)) => Wanted::SolutionName(name.clone()),
            Some(Column::Place(place)) => Wanted::SolutionPlace(*place),
            None => Wanted::Field,
        })
    }

    /// Refuses an input without puzzles in the field where they should be.
    fn refuse_field(&self, header: Option<&Header>) -> NoPuzzle {
        let wanted = match (&self.hints.puzzle, header) {
            (Some(Column::Place(place)), _) => match header {
                Some(header) if *place < header.names.len() => {
                    Wanted::Column(header.names[*place].clone())
                }
                _ => Wanted::Place(*place),
            },
            (Some(Column::Name(name)), Some(header)) => match position(&header.names, &[name]) {
                Some(place) => Wanted::Column(header.names[place].clone()),
                None => Wanted::Name(name.clone()),
            },
            (Some(Column::Name(name)), None) => Wanted::Name(name.clone()),
            (None, Some(header)) => match position(&header.names, &PUZZLE_NAMES) {
                Some(place) => Wanted::Column(header.names[place].clone()),
                None => Wanted::Field,
            },
            (None, None) if self.hints.solution.is_some() => return self.refuse_solution(),
            (None, None) => Wanted::Field,
        };
        self.refuse(wanted)
    }

    fn refuse(&self, wanted: Wanted) -> NoPuzzle {
        let mut remark = None;
        let (mut grid_rows, mut first_line) = (0, None);
        for line in &self.head.lines {
            let bytes = &self.bytes[line.bytes.clone()];
            if line.kind == Kind::Empty {
                continue;
            }
            first_line.get_or_insert(bytes);
            // Where zeros stand is told by the first line that has them.
            if remark <= Some(Remark::Returns) {
                remark = remark.max(Remark::of(bytes));
            }
            let is_row = matches!(line.kind, Kind::Record(_) | Kind::Count)
                && grids::is_row(bytes, &self.hints.blanks);
            grid_rows += usize::from(is_row);
        }
        let unended = &self.bytes[self.head.seen..];
        let first_line = first_line.unwrap_or(unended);
        let grids = (grid_rows >= 9).then_some(Remark::Grids);
        let remark = grids.or(self.beside_puzzle().map(Remark::Beside)).or(remark);
        NoPuzzle {
            lines: self.head.lines.len() as u64,
            wanted,
            delimiter: self.hints.delimiter,
            first_line: first_line[..first_line.len().min(SHOWN_BYTES + 1)].to_vec(),
            remark,
        }
    }
}

/// Refuses an input because several fields hold full grids and no name decides.
fn refuse_answers(fields: &[usize], name: impl Fn(usize) -> String, what: &str) -> NoPuzzle {
    let names: Vec<_> = fields.iter().map(|&field| name(field)).collect();
    NoPuzzle::refused(format!(
        "several fields may hold the answers: {}; choose with --columns solution={what}",
        names.join(", ")
    ))
}

/// Whether a field is one of these names, as in `solution: 5346…`.
fn is_key(field: &[u8], names: &[&str]) -> bool {
    let is_mark = |byte: &u8| b":=\"'- ".contains(byte);
    let start = field.iter().position(|byte| !is_mark(byte)).unwrap_or(field.len());
    let end = field.iter().rposition(|byte| !is_mark(byte)).map_or(start, |end| end + 1);
    let name = &field[start..end];
    names.iter().any(|known| name.eq_ignore_ascii_case(known.as_bytes()))
}

/// The words that begin the rows with one grid: whether they tell puzzles from answers.
#[derive(Default)]
struct Labels {
    /// The field of the grids, and the one word before all those with blanks.
    open: Option<(usize, Vec<u8>)>,
    /// The same of full grids, and how many there are.
    full: Option<(usize, Vec<u8>)>,
    rows: u64,
    /// There is a row that does not fit.
    is_other: bool,
}

impl Labels {
    fn add(&mut self, first: Option<&[u8]>, values: &[(usize, Value)]) {
        let is_grid = |value: Value| value.is_open() || value.is_full();
        let mut grids = values.iter().filter(|(_, value)| is_grid(*value));
        let Some(&(field, value)) = grids.next() else { return };
        let word = first.filter(|word| is_word(word));
        let (Some(word), None) = (word.filter(|_| !self.is_other), grids.next()) else {
            self.is_other = true;
            return;
        };
        self.rows += u64::from(value.is_full());
        let label = if value.is_full() { &mut self.full } else { &mut self.open };
        let (place, known) = label.get_or_insert_with(|| (field, word.to_vec()));
        self.is_other |= *place != field || known != word;
    }

    /// The number of full grids, if one word is before all of them, and another before all puzzles.
    fn full_rows(&self) -> u64 {
        match (&self.open, &self.full) {
            (Some((open, one)), Some((full, other)))
                if !self.is_other && open == full && one != other =>
            {
                self.rows
            }
            _ => 0,
        }
    }
}

/// Whether a line begins with a key, as in `start: 53..7…` or `start = 53..7…`.
fn has_mark_of_key(fields: &Fields, line: &[u8]) -> bool {
    let is_mark = |byte: &u8| b":=".contains(byte);
    let first = fields.get(line, 0).unwrap_or_default();
    let second = fields.get(line, 1).unwrap_or_default();
    let is_marked = first.last().is_some_and(is_mark) || second.iter().all(is_mark);
    is_word(first) && !second.is_empty() && is_marked
}

/// Whether a field is a word, perhaps with what divides a key from its value.
fn is_word(field: &[u8]) -> bool {
    let of_word = |byte: &u8| byte.is_ascii_alphabetic() || b"_-:='\"".contains(byte);
    field.iter().any(u8::is_ascii_alphabetic) && field.iter().all(of_word)
}

/// Whether a line is a JSON object.
fn is_object(line: &[u8]) -> bool {
    line.trim_ascii_start().first() == Some(&b'{') && json::object(line).is_ok()
}

/// Whether a line has 81 cells with blanks, if they are not a field.
fn has_hidden_puzzle(line: &[u8], blanks: &Blanks) -> bool {
    let mut runs = line.chunk_by(|&one, &next| blanks.is_cell(one) == blanks.is_cell(next));
    runs.any(|run| Value::of(run, blanks) == Value::Blanks)
}

/// What messages call a field of a table.
fn column_name(names: &[String], field: usize) -> String {
    match names.get(field) {
        Some(name) => format!("column {name:?}"),
        None => format!("column {}", field + 1),
    }
}

/// What messages call a key.
fn key_name(keys: &[String], field: usize) -> String {
    format!("key {:?}", keys[field])
}

/// A sample without the parts of lines at its ends.
fn whole_lines(sample: &[u8]) -> &[u8] {
    let start = memchr::memchr(b'\n', sample).map_or(sample.len(), |end| end + 1);
    let end = memchr::memrchr(b'\n', sample).map_or(start, |end| end + 1);
    &sample[start..end.max(start)]
}

/// The records of samples that are not the head.
fn records_of<'a>(samples: &[&'a [u8]]) -> Vec<&'a [u8]> {
    let lines = samples.iter().flat_map(|sample| Lines::new(sample));
    let records = lines.map(|line| line.without_mark().bytes);
    records.filter(|line| !is_empty(line) && line[0] != b'#').collect()
}

/// The delimiter of a line that has a puzzle: the character behind it, if anything follows, or the one
/// before it, if that makes it a field; else each of the usual ones.
fn delimiter_beside(line: &[u8], fields: &mut Fields, blanks: &Blanks) -> Option<Delimiter> {
    fields.split(line, Delimiter::Any);
    let mut places = (0..fields.len()).filter_map(|index| fields.place(index));
    let place = places.find(|place| is_puzzle(&line[place.clone()], blanks))?;
    let divides = |byte: &&u8| Delimiter::Any.divides(**byte);
    let after: Vec<u8> = line[place.end..].iter().take_while(divides).copied().collect();
    let before: Vec<u8> = line[..place.start].iter().rev().take_while(divides).copied().collect();
    let is_visible = after.iter().any(|&byte| byte != b' ');
    let follows = is_visible || place.end + after.len() < line.len();
    let behind = follows.then(|| delimiter(&after));
    let mut guesses = behind.into_iter().chain([delimiter(&before), Delimiter::Any]);
    guesses.find(|&delimiter| {
        fields.split(line, delimiter);
        (0..fields.len()).any(|index| fields.place(index).as_ref() == Some(&place))
    })
}

/// The delimiter of which these bytes between two fields consist: the first that is not a space.
fn delimiter(between: &[u8]) -> Delimiter {
    let visible = between.iter().find(|&&byte| byte != b' ');
    match visible {
        Some(&byte) => Delimiter::Byte(byte),
        None if between.is_empty() => Delimiter::Any,
        None => Delimiter::Spaces,
    }
}

/// The character next to 81 cells that no usual delimiter separates from the rest of the line, if it may
/// be a delimiter.
fn beside_puzzle(line: &[u8], blanks: &Blanks) -> Option<u8> {
    let mut start = 0;
    for run in line.chunk_by(|&one, &next| blanks.is_cell(one) == blanks.is_cell(next)) {
        let end = start + run.len();
        if run.len() == Cell::COUNT && blanks.is_cell(run[0]) {
            let (before, after) = (line[..start].last(), line.get(end));
            let known = |byte: &&u8| Delimiter::BYTES.contains(byte) || b"\"#".contains(byte);
            let visible = |byte: &&u8| byte.is_ascii_punctuation() && !known(byte);
            return after.filter(visible).or(before.filter(visible)).copied();
        }
        start = end;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::layout::shape::Understood;

    const PUZZLE: &str =
        "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
    const SOLVED: &str =
        "534678912672195348198342567859761423426853791713924856961537284287419635345286179";

    fn said(text: &str) -> String {
        let layout = layout_of_bytes(text.as_bytes(), &Hints::default(), None).unwrap();
        Understood { layout: &layout, name: "x" }.to_string()
    }

    #[test]
    fn a_row_without_doubt_says_what_all_are() {
        let (short, other) = (&PUZZLE[1..], PUZZLE.replacen('.', "x", 1));
        let partial = SOLVED.replacen('5', ".", 1);
        for first in [
            format!("{short},{SOLVED}"),
            format!("{other},{SOLVED}"),
            format!("{PUZZLE}.,{SOLVED}"),
            format!(",{SOLVED}"),
            format!("n/a,{SOLVED}"),
            format!("53..7,{SOLVED}"),
            format!("{},{SOLVED}", ".".repeat(728)),
            format!("{PUZZLE},{partial}"),
            format!("{PUZZLE},{}", &SOLVED[1..]),
            format!("a,b\n{PUZZLE},{partial}"),
        ] {
            let text = format!("{first}\n{PUZZLE}\n{PUZZLE},{SOLVED}\n");
            let names = if first.starts_with('a') { ["\"a\"", "\"b\""] } else { ["1", "2"] };
            let [puzzle, solution] = names;
            let expected = format!("reading column {puzzle} of x, solutions in column {solution}");
            assert_eq!(said(&text), expected, "{first}");
        }
        let text = format!("1,n/a,{SOLVED}\n2,{PUZZLE},{SOLVED}\n");
        assert_eq!(said(&text), "reading column 2 of x, solutions in column 3");
        let text = format!("{short} {SOLVED} 9.3\n{PUZZLE} {SOLVED} 1.2\n");
        assert_eq!(said(&text), "reading column 1 of x, solutions in column 2");
    }

    #[test]
    fn if_all_are_in_doubt_the_first_has_the_word() {
        let mended = "reading column 1 of x, solutions in column 2";
        let cases = [
            (format!("{},{SOLVED}", &PUZZLE[1..]), mended),
            (format!("{},{SOLVED}", ".".repeat(728)), mended),
            (".".repeat(728), "reading lines of x"),
            (format!(",{SOLVED}"), "reading column 2 of x"),
            (format!("7,{SOLVED}"), "reading column 2 of x"),
        ];
        for (row, expected) in cases {
            assert_eq!(said(&format!("{row}\n{row}\n")), expected, "{row}");
        }
    }
}
