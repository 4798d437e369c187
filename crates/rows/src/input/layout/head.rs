//! The head of an input: its first lines, and how each of them is written.

use super::delimiter::row_delimiter;
use super::evidence::Value;
use super::header::{Header, is_rule, position, separator};
use super::line::{has_mark_of_key, is_key, is_object, object_values};
use super::shape::{Column, Hints};
use crate::input::fields::{Delimiter, Fields, PUZZLE_NAMES, is_puzzle};
use crate::input::forms;
use crate::input::grids;
use crate::input::lines::{BYTE_ORDER_MARK, Lines, is_count, is_empty};
use crate::puzzle::Cell;
use serde::de::IgnoredAny;
use std::ops::Range;

/// Records of the head that are looked at, from the first one with a grid on.
const HEAD_RECORDS: usize = 1000;

/// How a record is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
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
pub(super) struct HeadLine {
    pub(super) number: u64,
    /// Where it is, without a byte-order mark.
    pub(super) bytes: Range<usize>,
    pub(super) kind: Kind,
}

/// What a line of the head is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Empty,
    Comment,
    Count,
    /// `sep=;`
    Separator(u8),
    Record(Form),
}

/// The lines of the head.
#[derive(Default)]
pub(super) struct Head {
    pub(super) lines: Vec<HeadLine>,
    pub(super) fields: Fields,
    /// Bytes that the lines have.
    pub(super) seen: usize,
    /// Which line is the first record with a grid.
    pub(super) first_grid: Option<usize>,
    /// Records from there on.
    pub(super) records: usize,
    /// No more lines are needed.
    pub(super) is_complete: bool,
    /// The first record beyond doubt is the last that is needed.
    pub(super) is_early: bool,
}

impl Head {
    /// Takes the lines of the head that were not seen yet. True if no more are needed.
    pub(super) fn extend(&mut self, head: &[u8], ended: bool, hints: &Hints) -> bool {
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
    pub(super) fn header(&mut self, head: &[u8], hints: &Hints) -> Option<Header> {
        if hints.grids {
            return None;
        }
        // Where there is no grid, only the first record may be a header.
        let end = self.first_grid.unwrap_or_else(|| {
            let is_record = |line: &HeadLine| matches!(line.kind, Kind::Record(_));
            self.lines.iter().position(is_record).map_or(self.lines.len(), |place| place + 1)
        });
        let mut best: Option<Header> = None;
        for place in 0..end {
            let HeadLine { bytes, kind, .. } = &self.lines[place];
            let line = &head[bytes.clone()];
            let may_be = match kind {
                Kind::Record(_) => !is_object(line),
                // The first name may be `#`. Any other header is better.
                Kind::Comment => {
                    let is_other = |header: &Header| !header.line.starts_with(b"#");
                    line.get(1) != Some(&b' ') && !best.as_ref().is_some_and(is_other)
                }
                _ => false,
            };
            if !may_be {
                continue;
            }
            let header = Header::by_name(place, line, hints, &mut self.fields);
            let header = header.filter(|it| line[0] != b'#' || it.delimiter != Delimiter::Spaces);
            let is_first = best.as_ref().is_none_or(|best| best.line.starts_with(b"#"));
            // Words divided by spaces may be a title.
            let is_title = |header: &Header| header.delimiter == Delimiter::Spaces;
            if let Some(new) = header
                && (is_first || best.as_ref().is_none_or(|best| is_title(best) || !is_title(&new)))
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
    pub(super) fn form(&mut self, line: &[u8], hints: &Hints) -> Form {
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
