//! Records that have columns: rows of a table, and objects.

use super::field::{FULL, Field};
use super::record::{Others, Records, Subject};
use super::style::{Format, Style, kept_columns};
use super::table::push_packed_row;
use crate::puzzle::Solution;
use std::fmt;
use std::io::Write;
use std::ops::Range;

/// What a record says in the formats without columns.
#[derive(Clone, Copy)]
pub enum Short<'a> {
    /// A solution.
    Solution(&'a Solution),
    /// A puzzle, as a line.
    Image(&'a [u8]),
    /// These bytes.
    Text(&'a [u8]),
    /// A comment with the reason.
    Reason(&'a dyn fmt::Display),
    /// Nothing.
    Nothing,
}

impl Records {
    /// A record that is nothing but an answer in this format. Returns whether it is one.
    #[inline]
    pub fn push_answer(&mut self, format: Format, short: Short) -> bool {
        match (format, short) {
            (Format::Line, Short::Solution(solution)) => self.push_solution(solution),
            (Format::Line, Short::Image(text) | Short::Text(text))
            | (Format::Text | Format::Grid, Short::Text(text)) => self.push_raw(text),
            _ => return false,
        }
        true
    }

    /// A record in any format; an object has the reason, if that is the answer. Returns where the other columns are in
    /// the bytes, if it has all columns.
    pub fn push(
        &mut self,
        style: &Style,
        subject: &Subject,
        fields: &[Field],
        short: Short,
    ) -> Option<Range<usize>> {
        let bytes = &mut self.bytes;
        let reason = match short {
            Short::Reason(reason) if style.format == Format::Jsonl => Some(reason.to_string()),
            _ => None,
        };
        let fields = RecordFields { style, subject, fields, reason: reason.as_deref() };
        match style.format {
            _ if style.is_packed => {
                return push_packed_row(bytes, |bytes| {
                    fields.push(bytes, |bytes, _, field| field.push_packed(bytes))
                });
            }
            Format::Csv => {
                let mut before = None;
                let place = fields.push(bytes, |bytes, _, field| {
                    bytes.extend(before.replace(b','));
                    field.push_csv(bytes);
                });
                bytes.push(b'\n');
                return place;
            }
            Format::Jsonl => {
                let mut before = Some(b'{');
                let place = fields.push(bytes, |bytes, key, field| {
                    bytes.extend(before.replace(b','));
                    field.push_member(key, bytes);
                });
                bytes.extend_from_slice(b"}\n");
                return place;
            }
            _ => {}
        }
        match short {
            Short::Nothing => {}
            Short::Reason(reason) => self.push_comment(subject.input, subject.line, reason),
            Short::Solution(solution) if style.format == Format::Grid => {
                self.push_solved_grid(style, subject.puzzle, solution);
            }
            Short::Image(image) if style.format == Format::Grid => self.push_grid(style, image),
            answer => {
                self.bytes.extend_from_slice(subject.puzzle);
                self.bytes.push(b',');
                self.push_answer(Format::Line, answer);
            }
        }
        None
    }

    /// A line `FILE:LINE: reason` of a report.
    ///
    /// # Panics
    /// Never: memory takes all that is written to it.
    pub fn push_fault(&mut self, input: &str, line: u64, reason: &dyn fmt::Display) {
        writeln!(self.bytes, "{input}:{line}: {reason}").expect(FULL);
    }
}

/// The fields of a record that has columns.
struct RecordFields<'a, 'f> {
    style: &'a Style,
    subject: &'f Subject<'f>,
    /// Those of the style's columns.
    fields: &'a [Field<'f>],
    /// Why it has no answer, if an object says so.
    reason: Option<&'f str>,
}

impl<'f> RecordFields<'_, 'f> {
    /// Appends the chosen fields, or all, each with its name by `push`. Returns where the other columns are in the bytes,
    /// if these are all.
    fn push(
        &self,
        bytes: &mut Vec<u8>,
        mut push: impl FnMut(&mut Vec<u8>, &str, &Field<'f>),
    ) -> Option<Range<usize>> {
        let Some(chosen) = &self.style.chosen else { return Some(self.push_all(bytes, push)) };
        let mut found = vec![Field::Empty; chosen.len()];
        self.push_all(bytes, |_, name, field| {
            if let Some(place) = chosen.iter().position(|it| it == name) {
                found[place] = *field;
            }
        });
        for (name, field) in chosen.iter().zip(&found) {
            push(bytes, name, field);
        }
        None
    }

    /// Appends all fields, each with its name by `push`: those of all records, those of the style's columns, the reason if
    /// there is one, and the other columns. Returns where these are in the bytes.
    fn push_all(
        &self,
        bytes: &mut Vec<u8>,
        mut push: impl FnMut(&mut Vec<u8>, &str, &Field<'f>),
    ) -> Range<usize> {
        let Self { style, subject, fields, reason } = *self;
        debug_assert_eq!(fields.len(), style.columns.len(), "a field for each column");
        if let Some(input) = subject.input {
            push(bytes, "input", &Field::Kept(input.as_bytes()));
        }
        push(bytes, "line", &Field::Number(subject.line));
        for (column, field) in style.columns.iter().zip(fields) {
            let field = match field {
                Field::Puzzle if subject.is_text => Field::Text(subject.puzzle),
                Field::Puzzle => Field::Plain(subject.puzzle),
                field => *field,
            };
            push(bytes, column.name, &field);
        }
        if let Some(reason) = reason {
            push(bytes, "reason", &Field::Plain(reason.as_bytes()));
        }
        let start = bytes.len();
        match &subject.others {
            Others::As(place) => bytes.extend_from_within(place.clone()),
            Others::Fields(others) => {
                for (name, other) in style.other_columns.iter().flatten().zip(others) {
                    push(bytes, name, &other.as_deref().map_or(Field::Empty, Field::Kept));
                }
            }
            Others::Members(members) => {
                let keys = members.iter().map(|(key, _)| key);
                for (name, (_, value)) in kept_columns(&style.columns, keys).iter().zip(members) {
                    push(bytes, name, &Field::Json(value.as_bytes()));
                }
            }
        }
        start..bytes.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::output::Column;
    use std::borrow::Cow;

    fn text(records: &Records) -> String {
        records.bytes().escape_ascii().to_string()
    }

    /// The row of a puzzle in each format that has columns.
    #[test]
    fn a_row_has_the_columns_of_the_input_behind_its_own() {
        let others =
            [Some(&b"say \"x\", y"[..]), Some(b"#\xff"), Some(b" a\nb\t"), Some(b""), None];
        let others = others.map(|value| value.map(Cow::Borrowed));
        let columns = vec![Column::word("status", ""), Column::text("puzzle", "")];
        let mut style = Style { format: Format::Csv, columns, ..Style::default() };
        style.other_columns = Some(["id", "input_line", "a", "b", "c"].map(Into::into).into());
        let (input, puzzle) = (None, &b"5\"3"[..]);
        let subject = Subject {
            input,
            line: 12,
            puzzle,
            is_text: true,
            others: Others::Fields(others.into()),
        };
        let mut records = Records::default();
        records.push(&style, &subject, &[Field::Plain(b"none"), Field::Puzzle], Short::Nothing);
        let expected = "12,none,\"5\"\"3\",\"say \"\"x\"\", y\",\"#\u{fffd}\",\" a\nb\t\",\"\",\n";
        assert_eq!(text(&records), expected.as_bytes().escape_ascii().to_string());

        style.format = Format::Jsonl;
        records.restart();
        let fields = [Field::List(&["a", "b"], " "), Field::Puzzle];
        records.push(&style, &subject, &fields, Short::Reason(&"no solution"));
        let expected = r##"{"line":12,"status":["a","b"],"puzzle":"5\"3","reason":"no solution","id":"say \"x\", y","input_line":"#\ufffd","a":" a\nb\t","b":"","c":null}"##;
        let expected = expected.replace("\\ufffd", "\u{fffd}") + "\n";
        assert_eq!(text(&records), expected.as_bytes().escape_ascii().to_string());

        style.chosen = Some(["c", "puzzle", "reason", "b"].map(Into::into).into());
        records.restart();
        records.push(&style, &subject, &fields, Short::Reason(&"no solution"));
        let expected = r#"{"c":null,"puzzle":"5\"3","reason":"no solution","b":""}"#;
        assert_eq!(
            text(&records),
            (expected.to_owned() + "\n").as_bytes().escape_ascii().to_string()
        );
    }
}
