//! Records that have columns: rows of a table, and objects.

use super::csv::push_csv_field;
use super::field::{FULL, Field};
use super::record::{Others, Records, Subject};
use super::style::{Format, Style, kept_columns};
use super::table::{push_packed, push_packed_row};
use crate::puzzle::Solution;
use std::borrow::Cow;
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

    /// A record in any format; an object has the reason, if that is the answer. Returns where the other columns are in the bytes, if it has columns.
    pub fn push(
        &mut self,
        style: &Style,
        subject: &Subject,
        fields: &[Field],
        short: Short,
    ) -> Option<Range<usize>> {
        let reason = if let Short::Reason(reason) = short { Some(reason) } else { None };
        if matches!(style.format, Format::Csv | Format::Jsonl) {
            return Some(self.push_row(style, subject, fields, reason));
        }
        let puzzle = subject.puzzle;
        match short {
            Short::Nothing => {}
            Short::Reason(reason) => self.push_comment(subject.input, subject.line, reason),
            Short::Solution(solution) if style.format == Format::Grid => {
                self.push_solved_grid(style, puzzle, solution);
            }
            Short::Image(image) if style.format == Format::Grid => self.push_grid(style, image),
            Short::Solution(solution) => {
                self.push_pair(puzzle);
                self.push_solution(solution);
            }
            Short::Image(text) | Short::Text(text) => {
                self.push_pair(puzzle);
                self.push_raw(text);
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

    /// A row of a table, or an object. `fields` are the columns of the style after the first, which is
    /// the line. Objects have the reason, if there is one. Returns where the other columns are in the bytes.
    ///
    /// # Panics
    /// Never: memory takes all that is written to it.
    fn push_row(
        &mut self,
        style: &Style,
        subject: &Subject,
        fields: &[Field],
        reason: Option<&dyn fmt::Display>,
    ) -> Range<usize> {
        debug_assert_eq!(fields.len(), style.columns.len(), "a field for each column");
        if style.is_packed {
            return self.push_packed(subject, fields);
        }
        if style.format == Format::Jsonl {
            self.push_object(style, subject, fields, reason);
        } else {
            self.push_fields(subject, fields);
        }
        let start = self.bytes.len();
        match &subject.others {
            Others::As(place) => self.bytes.extend_from_within(place.clone()),
            Others::Fields(others) => self.push_others(style, others),
            Others::Members(members) => self.push_members(style, members),
        }
        let place = start..self.bytes.len();
        self.bytes.extend_from_slice(if style.format == Format::Jsonl { b"}\n" } else { b"\n" });
        place
    }

    fn push_fields(&mut self, subject: &Subject, fields: &[Field]) {
        if let Some(input) = subject.input {
            push_csv_field(&mut self.bytes, input.as_bytes());
            self.bytes.push(b',');
        }
        write!(self.bytes, "{}", subject.line).expect(FULL);
        for field in fields {
            self.bytes.push(b',');
            subject.in_place(field).push_csv(&mut self.bytes);
        }
    }

    fn push_packed(&mut self, subject: &Subject, fields: &[Field]) -> Range<usize> {
        let mut place = 0..0;
        push_packed_row(&mut self.bytes, |bytes| {
            if let Some(input) = subject.input {
                Field::Text(input.as_bytes()).push_packed(bytes);
            }
            Field::Number(subject.line).push_packed(bytes);
            for field in fields {
                subject.in_place(field).push_packed(bytes);
            }
            let start = bytes.len();
            match &subject.others {
                Others::As(place) => bytes.extend_from_within(place.clone()),
                Others::Fields(others) => {
                    for other in others {
                        push_packed(bytes, other.as_deref());
                    }
                }
                Others::Members(_) => unreachable!("objects alone have them"),
            }
            place = start..bytes.len();
        });
        place
    }

    fn push_others(&mut self, style: &Style, others: &[Option<Cow<'_, [u8]>>]) {
        if style.format == Format::Jsonl {
            for (name, other) in style.other_columns.iter().flatten().zip(others) {
                self.bytes.push(b',');
                if let Some(text) = other {
                    self.push_json(name, text);
                } else {
                    serde_json::to_writer(&mut self.bytes, name).expect(FULL);
                    self.bytes.extend_from_slice(b":null");
                }
            }
            return;
        }
        for other in others {
            self.bytes.push(b',');
            match other.as_deref() {
                None => {}
                Some(b"") => self.bytes.extend_from_slice(b"\"\""),
                Some(value) => push_csv_field(&mut self.bytes, value),
            }
        }
    }

    fn push_members(&mut self, style: &Style, members: &[(String, String)]) {
        let keys = members.iter().map(|(key, _)| key);
        for (name, (_, value)) in kept_columns(&style.columns, keys).iter().zip(members) {
            self.bytes.push(b',');
            serde_json::to_writer(&mut self.bytes, name).expect(FULL);
            self.bytes.push(b':');
            self.bytes.extend_from_slice(value.as_bytes());
        }
    }

    fn push_object(
        &mut self,
        style: &Style,
        subject: &Subject,
        fields: &[Field],
        reason: Option<&dyn fmt::Display>,
    ) {
        self.bytes.push(b'{');
        if let Some(input) = subject.input {
            self.push_json("input", input.as_bytes());
            self.bytes.push(b',');
        }
        write!(self.bytes, "\"line\":{}", subject.line).expect(FULL);
        for (column, field) in style.columns.iter().zip(fields) {
            self.bytes.push(b',');
            subject.in_place(field).push_member(column.name, &mut self.bytes);
        }
        if let Some(reason) = reason {
            self.bytes.push(b',');
            self.push_json("reason", reason.to_string().as_bytes());
        }
    }

    /// A key and its text. Bytes that are no text are replaced.
    fn push_json(&mut self, key: &str, text: &[u8]) {
        serde_json::to_writer(&mut self.bytes, key).expect(FULL);
        self.bytes.push(b':');
        let text = String::from_utf8_lossy(text);
        serde_json::to_writer(&mut self.bytes, &*text).expect(FULL);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::output::Column;

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
        records.push_row(&style, &subject, &[Field::Plain(b"none"), Field::Puzzle], None);
        let expected = "12,none,\"5\"\"3\",\"say \"\"x\"\", y\",\"#\u{fffd}\",\" a\nb\t\",\"\",\n";
        assert_eq!(text(&records), expected.as_bytes().escape_ascii().to_string());

        style.format = Format::Jsonl;
        records.restart(0);
        let fields = [Field::List(&["a", "b"], " "), Field::Puzzle];
        records.push_row(&style, &subject, &fields, Some(&"no solution"));
        let expected = r##"{"line":12,"status":["a","b"],"puzzle":"5\"3","reason":"no solution","id":"say \"x\", y","input_line":"#\ufffd","a":" a\nb\t","b":"","c":null}"##;
        let expected = expected.replace("\\ufffd", "\u{fffd}") + "\n";
        assert_eq!(text(&records), expected.as_bytes().escape_ascii().to_string());
    }
}
