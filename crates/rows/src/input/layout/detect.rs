//! Finds the layout of an input from the evidence of many records.
//!
//! ```text
//! # a comment           aside: a comment, an empty line, a count on line 1
//! My list of 2024       aside: a title, if a header with a known name follows
//! id,puzzle,rating      aside: the header
//! 1,53..7…79,9.3        a record: its fields are counted (`evidence`)
//! 2,53..7…7,1.2         a record: one that is damaged changes nothing
//! ```
//!
//! # Steps
//!
//! 1. **Sample.** The head, and of a regular file four more parts (`sample`). All shards of an input
//!    decide from the same samples.
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

use super::detector::Detector;
use super::evidence::Number;
use super::explain::{Explanation, NoPuzzle, Wanted};
use super::head::{Form, HeadLine, Kind};
use super::sample::{HEAD_BYTES, ReadHead, despite, looked_at, read_head, records_of, samples_of};
use super::shape::{Hints, Layout, Patience, Sampled, Shape};
use crate::input::document::Look;
use crate::input::fields::Rows;
use crate::input::lines::MAX_LINE_BYTES;
use std::io::{self, Read};

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
        let mut detector = Detector::new((hints, is_early), said, &text, ended, &[]);
        detector.is_document = true;
        let layout = detector.layout().map_err(refused)?;
        return Ok(Layout { document: Some(document), ..layout });
    }
    Detector::new((hints, is_early), said, head, ended, samples).layout().map_err(refused)
}

impl Detector<'_> {
    fn layout(mut self) -> Result<Layout, NoPuzzle> {
        if self.hints.grids {
            return self.grids();
        }
        self.say_asides();
        let layout = match self.form() {
            Some(Form::Object) => self.objects(),
            Some(Form::Array) => Ok(self.special(Shape::Arrays, "arrays of 81 numbers")),
            Some(Form::Hodoku) => Ok(self.special(Shape::Hodoku, "lines of HoDoKu")),
            Some(Form::Spaced) => Ok(self.special(Shape::Spaced, "81 cells with separators")),
            Some(Form::Joined(puzzle_first)) => {
                Ok(self.special(Shape::Joined { puzzle_first }, "162 cells without a separator"))
            }
            Some(Form::Row(_)) => self.table(),
            Some(Form::Unknown) | None => self.without_grid(),
        };
        self.without_turns(layout?)
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

    /// Lines that are expected to be rows of grids.
    fn grids(&mut self) -> Result<Layout, NoPuzzle> {
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
        // Each line has both a puzzle and an answer, or only a puzzle.
        let records = self.records().count() as u64;
        let answers = if let Shape::Joined { .. } = shape { records } else { 0 };
        let sampled = Sampled { records, answers, ..Sampled::default() };
        Layout { sampled, ..self.finish(shape, None) }
    }

    /// An input in which no line has a grid.
    fn without_grid(&mut self) -> Result<Layout, NoPuzzle> {
        let hints = self.hints;
        let header = self.head.header(self.bytes, hints);
        let header = header.filter(|header| !header.line.starts_with(b"#"));
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
