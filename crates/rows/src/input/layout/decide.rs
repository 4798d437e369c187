//! The decision: how the lines of an input are read, from its head alone.
//!
//! ```text
//! # a comment           aside: a comment, an empty line, a count on line 1
//! My list of 2024       aside: a title, if a header with a known name follows
//! id,puzzle,rating      aside: the header
//! 1,53..7…79,9.3        a record: its fields are counted (`evidence`)
//! 2,53..7…7,1.2         a record: one that is damaged changes nothing
//! ```
//!
//! 1. **Head.** The first 64 KiB decide, or all of a shorter input, whether it is a file, a pipe or compressed.
//! 2. **Document.** A JSON document that is not lines, and grids of pencilmarks, are made lines first.
//! 3. **Form.** The form that most records have: rows with a field of 81 cells, JSON objects with a grid, or
//!    one of those in `forms`.
//! 4. **Delimiter.** The one that was given; else that of a header with a known name; else the character
//!    next to the puzzle in more than 9 of 10 rows; else all divide, `,` `;` `|` tab and space.
//! 5. **Header.** The last line above the first grid that has a known name. Else the first line, if it has as
//!    many fields as the rows, no number and no cells.
//! 6. **Fields.** `rules` says which field holds the puzzles and which the answers, from what the fields hold.
//! 7. **Solutions among the puzzles.** A list of which a third are solutions of other records is refused.
//!
//! An input without a grid is refused, unless it has no record, or a header with a known name is above
//! rows that resemble puzzles, or a line of a list resembles one.
//!
//! What contradicts the decision behind the head is counted when it is read (`Contradictions`).

use super::evidence::{Evidence, Tally, Value};
use super::head::{
    Form, Head, HeadLine, Header, Kind, beside_puzzle, is_name_with_hash, is_object, object_values,
    position, row_delimiter,
};
use super::rules::{ANSWER_RULES, Case, Choice, PUZZLE_RULES};
use super::shape::{Column, Columns, Hints, Layout, Sampled, Shape, is_own_comment};
use super::why::{NoPuzzle, Why};
use crate::Grouped;
use crate::input::document::{self, Document};
use crate::input::fields::{
    Delimiter, Fields, PUZZLE_NAMES, Rows, SOLUTION_NAMES, is_full, is_open, is_puzzle,
    resembles_puzzle,
};
use crate::input::{forms, grids, json};
use crate::puzzle::Cell;
use std::collections::BTreeSet;
use std::io::{self, Read};

/// Bytes that decide.
pub(in crate::input) const HEAD_BYTES: usize = 64 * 1024;

/// Records without a grid that may follow a header whose names are unknown.
const MOST_DAMAGED_ROWS: usize = 2;

/// The fewest clues of a puzzle with one solution: a full grid that has them is no chance.
const FEWEST_CLUES: usize = 17;

/// The fewest full grids that take turns with puzzles of which they are no solutions: 5 of each in any
/// order do so by chance in 2 of 252 lists.
const FEWEST_TURNS: usize = 5;

/// Bytes of a line that a message shows.
const SHOWN_BYTES: usize = 60;

type Decided<T> = Result<T, NoPuzzle>;

/// Reads the head of a stream. Gives it, and the error that ended it.
pub(in crate::input) fn read_head(stream: &mut impl Read) -> (Vec<u8>, Option<io::Error>) {
    let mut head = Vec::new();
    let error = stream.take(HEAD_BYTES as u64).read_to_end(&mut head).err();
    (head, error)
}

/// How the lines of an input with this head are read, and why.
pub(in crate::input) fn decide(head: &[u8], hints: &Hints) -> (Decided<Layout>, Why) {
    let mut why = Why::default();
    let head = &head[..head.len().min(HEAD_BYTES)];
    let ended = head.len() < HEAD_BYTES;
    if let Some(other) = other_format(head) {
        return (Err(NoPuzzle(other.to_owned())), why);
    }
    let is_told = hints.grids || hints.delimiter.is_some();
    let document = match document::look(head) {
        Ok(document) => document.filter(|_| !is_told),
        Err(_) if is_told => None,
        Err(no_record) => return (Err(NoPuzzle(no_record.to_owned())), why),
    };
    let text = document.map(|document| {
        why.say(1, "JSON document", true, document.reason());
        document.lines_of(head, ended)
    });
    let mut fields = Fields::default();
    let head = Head::new(text.as_deref().unwrap_or(head), ended, hints, &mut fields);
    let mut decider = Decider { hints, head, fields, document, why };
    let layout = decider.layout();
    (layout.map(|layout| Layout { document, ..layout }), decider.why)
}

/// The format of an input that is no text.
fn other_format(head: &[u8]) -> Option<&'static str> {
    // The magic number of a tar archive is behind the name of its first file.
    if head.get(257..262) == Some(b"ustar") {
        return Some("is a tar archive, which is not read: tar -xOf FILE | ninefold COMMAND -");
    }
    head.starts_with(b"SQLite format 3\0").then_some(
        "is an SQLite database, which is not read: sqlite3 -csv -header FILE 'SELECT * FROM TABLE' \
         | ninefold COMMAND -",
    )
}

struct Decider<'a> {
    hints: &'a Hints,
    head: Head<'a>,
    fields: Fields,
    document: Option<Document>,
    why: Why,
}

/// What the rows of a table hold, and what the rules say of them.
struct Reading {
    rows: Rows,
    evidence: Evidence,
}

impl<'a> Decider<'a> {
    fn layout(&mut self) -> Decided<Layout> {
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
        for HeadLine { number, kind, .. } in &self.head.lines {
            let (reading, reason) = match kind {
                Kind::Empty => ("empty", "is skipped"),
                Kind::Comment => ("comment", "begins with #"),
                Kind::Count => ("count", "line 1 is a number"),
                Kind::Separator => ("sep=", "names the delimiter"),
                Kind::Record(_) => continue,
            };
            self.why.say(*number, reading, true, reason);
        }
    }

    /// The form that most records have.
    fn form(&mut self) -> Option<Form> {
        let mut votes: Vec<(Form, u64)> = Vec::new();
        for line in self.head.records() {
            let Kind::Record(form) = line.kind else { continue };
            let form = if let Form::Row(_) = form { Form::Row(None) } else { form };
            match votes.iter_mut().find(|(other, _)| *other == form) {
                _ if form == Form::Unknown => {}
                Some((_, count)) => *count += 1,
                None => votes.push((form, 1)),
            }
        }
        // A table may have nothing but rows that begin with `#`.
        if votes.is_empty() && !self.rows_with_hash().is_empty() {
            return Some(Form::Row(None));
        }
        let most = votes.iter().map(|(_, count)| *count).max()?;
        let chosen = votes.iter().find(|(_, count)| *count == most).map(|(form, _)| *form);
        for (form, count) in votes {
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
            let reason = format_args!("{} {records} with a grid", Grouped(count));
            self.why.say(0, name, Some(form) == chosen, reason);
        }
        chosen
    }

    /// Lines that are expected to be rows of grids.
    fn grids(&mut self) -> Decided<Layout> {
        if let Some(first) = self.head.first_grid {
            self.why.say(self.head.lines[first].number, "row of a grid", true, "nine cells");
        } else if self.head.records().next().is_none() && self.head.ended {
            let reason = "expected, and the input has no line";
            self.why.say(0, "grids of nine lines", true, reason);
        } else {
            self.why.say(0, "grids of nine lines", false, "no line has nine cells");
            return Err(self.refuse("lines of nine cells", None));
        }
        Ok(self.finish(Shape::Grids, None))
    }

    /// Records that need no fields.
    fn special(&mut self, shape: Shape, reason: &str) -> Layout {
        self.why.say(0, "one puzzle a line", true, reason);
        // Each line has both a puzzle and an answer, or only a puzzle.
        let records = self.head.records().count() as u64;
        let answers = if let Shape::Joined { .. } = shape { records } else { 0 };
        let is_part = !self.head.ended;
        let sampled = Sampled { records, answers, is_part, ..Sampled::default() };
        Layout { sampled, ..self.finish(shape, None) }
    }

    /// An input in which no line has a grid.
    fn without_grid(&mut self) -> Decided<Layout> {
        let header = self.head.header(self.hints, &mut self.fields);
        if let Some(header) = header.filter(|header| !header.is_hashed()) {
            let delimiter = header.row_delimiter(self.hints);
            let reading = self.read_rows(delimiter, Some(&header))?;
            let reason = match reading.evidence.rows {
                0 => "there is no record that says otherwise",
                _ => "its rows resemble puzzles",
            };
            self.why.say(self.number(&header), "header", true, reason);
            return Ok(self.finish_rows(reading, Some(header)));
        }
        let reading = "a puzzle a line";
        if self.head.records().next().is_none() && !self.is_counted() && self.head.ended {
            self.why.say(0, reading, true, "there is no record that says otherwise");
            return Ok(self.finish(Shape::Rows(Rows::PLAIN), None));
        }
        let lines: Vec<_> = self.head.records().map(|line| line.text).collect();
        let resembling = lines.iter().any(|line| self.has_damaged_grid(line));
        let beside = self.beside_puzzle();
        // The fields that the caller names are never ignored for the looks of a line.
        let told = self.hints.is_told() || self.hints.delimiter.is_some();
        if resembling && !told && beside.is_none() {
            self.why.say(0, reading, true, "a line resembles a puzzle");
            return Ok(self.finish(Shape::Rows(Rows::PLAIN), None));
        }
        let reason = match beside {
            _ if !resembling => "no line resembles a puzzle",
            Some(_) => "an unknown character is next to 81 cells",
            None => "columns or a delimiter were given",
        };
        self.why.say(0, reading, false, reason);
        Err(self.refuse_field(None))
    }

    /// A table, or a list.
    fn table(&mut self) -> Decided<Layout> {
        let hints = self.hints;
        let mut header = self.head.header(hints, &mut self.fields);
        // A comment may have the name of a field in it.
        if let Some(found) = header.take_if(|header| header.is_hashed()) {
            let reading = self.read_rows(found.row_delimiter(hints), Some(&found));
            let named = hints.named_puzzle(&found.names);
            header = Some(found).filter(|_| reading.is_ok_and(|it| Some(it.rows.puzzle) == named));
        }
        if let Some(mut found) = header {
            let delimiter = found.row_delimiter(hints);
            let mut reading = self.read_rows(delimiter, Some(&found));
            let fits = |found: &Header, it: &Reading| {
                let named = position(&found.names, &PUZZLE_NAMES) == Some(it.rows.puzzle);
                let of_answers = || position(&found.names, &SOLUTION_NAMES) == Some(it.rows.puzzle);
                let named = named || hints.full_grids && of_answers();
                named || hints.puzzle.is_some() || it.evidence.usual_width() == found.names.len()
            };
            // R writes no name above the names of the rows.
            if let Ok(rows) = &reading
                && !fits(&found, rows)
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
                Ok(reading) if fits(&found, &reading) => {
                    let (number, names) = (self.number(&found), found.names.len());
                    let form = format!("header, fields divided by {}", found.delimiter);
                    self.why.say(number, &form, true, format_args!("{names} names, one is known"));
                    return Ok(self.finish_rows(reading, Some(found)));
                }
                // Only the names of a header tell what was named. Words may be a title.
                Err(refused) if hints.is_told() || found.delimiter != Delimiter::Spaces => {
                    let may_be_read =
                        !hints.is_told() && refused.0.starts_with("no puzzle found: looked");
                    // Full grids may be the answers of puzzles that are missing.
                    let is_open = |it: &Reading| it.evidence.fields[it.rows.puzzle].open() > 0;
                    return match may_be_read.then(|| self.by_content()) {
                        Some(Ok((reading, header))) if is_open(&reading) => {
                            let reason = "the named field has no puzzle, and another field has";
                            self.why.say(self.number(&found), "header", false, reason);
                            Ok(self.finish_rows(reading, header))
                        }
                        _ => Err(refused),
                    };
                }
                _ => {
                    let reason = "it does not fit the rows below";
                    self.why.say(self.number(&found), "header", false, reason);
                }
            }
        }
        if let Some(Column::Name(_)) = hints.puzzle {
            self.why.say(0, "rows", false, "no header names the field that was given");
            return Err(self.refuse_field(None));
        }
        let (reading, header) = self.by_content()?;
        Ok(self.finish_rows(reading, header))
    }

    /// Rows whose header names no known field, or that have no header.
    fn by_content(&mut self) -> Decided<(Reading, Option<Header>)> {
        let delimiter = self.usual_delimiter();
        let header = self.header_by_looks(delimiter);
        if let Some(header) = &header {
            let reason = "names alone, one for each field";
            self.why.say(self.number(header), "header", true, reason);
        }
        Ok((self.read_rows(delimiter, header.as_ref())?, header))
    }

    /// The delimiter that most rows have next to their puzzle.
    fn usual_delimiter(&mut self) -> Delimiter {
        if let Some(delimiter) = self.hints.delimiter {
            return delimiter;
        }
        let mut votes: Vec<(Delimiter, u64)> = Vec::new();
        for line in self.head.records() {
            let Kind::Record(Form::Row(Some(delimiter))) = line.kind else { continue };
            match votes.iter_mut().find(|(other, _)| *other == delimiter) {
                Some((_, count)) => *count += 1,
                None => votes.push((delimiter, 1)),
            }
        }
        if votes.is_empty() {
            votes.extend(
                self.rows_with_hash().into_iter().map(|(_, delimiter)| (delimiter, 1)).take(1),
            );
        }
        let most = votes.iter().map(|(_, count)| *count).max().unwrap_or_default();
        let all: u64 = votes.iter().map(|(_, count)| *count).sum();
        // Where many rows have another delimiter, each of them divides.
        let chosen = votes.iter().find(|(_, count)| *count == most && 10 * most > 9 * (all - 1));
        let chosen = chosen.map_or(Delimiter::Any, |(delimiter, _)| *delimiter);
        for (delimiter, count) in votes {
            let form = format!("fields divided by {delimiter}");
            let rows = if count == 1 { "row" } else { "rows" };
            let reason = format_args!("next to the puzzle in {} {rows}", Grouped(count));
            self.why.say(0, &form, delimiter == chosen, reason);
        }
        chosen
    }

    /// The header that the first record is, if its names are unknown.
    fn header_by_looks(&mut self, delimiter: Delimiter) -> Option<Header> {
        let place = self.head.lines.iter().position(HeadLine::is_record)?;
        let first_grid = self.head.first_grid.unwrap_or(self.head.lines.len());
        let above = self.head.lines[..first_grid].iter().filter(|it| it.is_record()).count();
        let line = self.head.lines[place].text;
        // Some of the rows between the header and the first grid may be damaged.
        let is_near = (1..=MOST_DAMAGED_ROWS + 1).contains(&above);
        if self.hints.no_header || !is_near || self.has_damaged_grid(line) || is_object(line) {
            return None;
        }
        // Above answers, words may say why there is none.
        let names = Vec::new();
        let above = Header { place, line: line.to_vec(), rule: None, names, delimiter };
        let (evidence, ..) = self.gather(delimiter, Some(&above).filter(|_| self.hints.full_grids));
        Header::by_looks((place, line), delimiter, &evidence, self.hints, &mut self.fields)
    }

    /// The lines of a table that may be rows.
    fn rows_below(&self, delimiter: Delimiter, header: Option<&Header>) -> Vec<&'a [u8]> {
        let lines = &self.head.lines;
        // Without a header and with other rows, the lines that begin with `#` may be comments of a list.
        let (place, first) = match header {
            Some(header) => (header.place + 1, header.place + 1),
            None if self.head.first_grid.is_none() => (0, self.first_row(delimiter)),
            None => (0, lines.len()),
        };
        let is_header = |text: &[u8]| {
            header.is_some_and(|it| it.line == text || it.rule.as_deref() == Some(text))
        };
        let is_row = |(place, line): &(usize, &HeadLine)| match line.kind {
            Kind::Record(_) => !is_header(line.text),
            Kind::Comment => *place >= first && !is_own_comment(line.text),
            _ => false,
        };
        let rows = lines.iter().enumerate().skip(place).filter(is_row);
        rows.map(|(_, line)| line.text).collect()
    }

    /// What the rows of a table hold, how many fields the first one with a grid has, and whether puzzles and
    /// solutions are on lines of their own, or puzzles are beside full grids, but in no field.
    fn gather(
        &mut self,
        delimiter: Delimiter,
        header: Option<&Header>,
    ) -> (Evidence, Option<usize>, (bool, bool)) {
        let blanks = match delimiter {
            Delimiter::Byte(byte) => self.hints.blanks.without(byte),
            _ => self.hints.blanks,
        };
        let (mut evidence, mut first_width) = (Evidence::default(), None);
        // The words before puzzles and before full grids, where these are alone in a row.
        let (mut words, mut is_other, mut hidden) = ([None, None], false, 0);
        for row in self.rows_below(delimiter, header) {
            // The members of an object are no fields.
            if is_object(row) {
                evidence.add(1, &[(0, Value::Other)]);
                continue;
            }
            self.fields.split(row, delimiter);
            let values = self.fields.iter(row).map(|field| Value::of(field, &blanks)).enumerate();
            let values: Vec<_> = values.collect();
            evidence.add(values.len(), &values);
            let mut grids = values.iter().filter(|(_, value)| value.is_grid());
            let Some((_, value)) = grids.next() else { continue };
            first_width.get_or_insert(values.len());
            // A puzzle that is a part of a field.
            let is_open = |run: &[u8]| Value::of(run, &blanks) == Value::Blanks;
            let mut runs = row.chunk_by(|&one, &next| blanks.is_cell(one) == blanks.is_cell(next));
            let has_open = values.iter().any(|(_, value)| value.is_open());
            hidden += u64::from(!has_open && runs.any(is_open));
            let word = self.fields.get(row, 0).filter(|word| is_word(word));
            match word.filter(|_| grids.next().is_none()) {
                Some(word) => {
                    let known = &mut words[usize::from(value.is_open())];
                    is_other |= known.get_or_insert_with(|| word.to_vec()) != word;
                }
                None => is_other = true,
            }
        }
        evidence.complete(header.map_or(0, |header| header.names.len()));
        let labelled =
            !is_other && words[0].is_some() && words[1].is_some() && words[0] != words[1];
        let hidden = 10 * hidden > evidence.rows;
        (evidence, first_width, (labelled, hidden))
    }

    /// What the rows of a table hold, and what the rules say of it.
    fn read_rows(&mut self, delimiter: Delimiter, header: Option<&Header>) -> Decided<Reading> {
        let (evidence, first_width, (labelled, hidden)) = self.gather(delimiter, header);
        let names = header.map_or(&[][..], |header| &header.names);
        if labelled && self.hints.puzzle.is_none() {
            return Err(NoPuzzle(
                "puzzle and solution are on lines of their own, which is not read: write one record \
                 a line, as CSV"
                    .to_owned(),
            ));
        }
        if hidden {
            return Err(self.refuse_field(None));
        }
        let width = if header.is_some() { names.len() } else { evidence.fields.len() };
        let told = |column: &Option<Column>| match column {
            Some(Column::Name(name)) => position(names, &[name]).map(Some).ok_or(()),
            Some(Column::Place(place)) if *place < width => Ok(Some(*place)),
            Some(Column::Place(_)) => Err(()),
            None => Ok(None),
        };
        let told_puzzle = told(&self.hints.puzzle).map_err(|()| self.refuse_field(header))?;
        let told_solution = told(&self.hints.solution).map_err(|()| self.refuse_solution())?;
        let case = Case {
            evidence: &evidence,
            names,
            told_puzzle,
            told_solution,
            has_keys: false,
            takes_answers: self.hints.full_grids,
        };
        let chosen = self.choose(&case, |this| this.refuse_field(header))?;
        let (puzzle, solution) = chosen;
        let empty = Tally::default();
        let tally = evidence.fields.get(puzzle).unwrap_or(&empty);
        let has_header = header.is_some_and(|header| {
            position(&header.names, &PUZZLE_NAMES).is_some() || self.hints.puzzle.is_some()
        });
        // Damaged puzzles beside full grids are damaged puzzles beside their answers.
        let has_answers = evidence.fields.iter().any(|tally| tally.full > 0);
        let is_damaged = tally.damaged > 0 && (has_header || has_answers);
        if !(tally.grids() > 0 || is_damaged || has_header && evidence.rows == 0) {
            return Err(self.refuse_field(header));
        }
        let least = solution.map_or(puzzle, |it| it.max(puzzle)) + 1;
        let fields = match header {
            Some(header) => header.names.len(),
            None => first_width.unwrap_or(1).max(least),
        };
        Ok(Reading { rows: Rows { delimiter, puzzle, solution, fields }, evidence })
    }

    /// The fields of the puzzles and of the answers.
    fn choose(
        &mut self,
        case: &Case,
        refuse: impl Fn(&Self) -> NoPuzzle,
    ) -> Decided<(usize, Option<usize>)> {
        let found = case.puzzles();
        let Some((puzzle_rule, Choice::Field(puzzle))) = found else {
            self.show_fields(case, None, None);
            let choice = found.map_or(Choice::None, |(_, choice)| choice);
            return Err(refusal(&choice, case).unwrap_or_else(|| refuse(self)));
        };
        let (answer_rule, choice) = case.answers(puzzle);
        let solution = match choice {
            Choice::Field(field) => Some(field),
            Choice::Several(fields) if !self.hints.ignores_answers => {
                self.show_fields(case, Some(puzzle), None);
                return Err(NoPuzzle(several(&fields, case, "answers", "solution")));
            }
            _ => None,
        };
        self.show_fields(case, Some(puzzle), solution);
        self.why.field(format!("puzzle rule {puzzle_rule}: {}", PUZZLE_RULES[puzzle_rule - 1]));
        self.why.field(format!("answer rule {answer_rule}: {}", ANSWER_RULES[answer_rule - 1]));
        Ok((puzzle, solution))
    }

    /// Explains what each field holds, in place of what was explained before.
    fn show_fields(&mut self, case: &Case, puzzle: Option<usize>, solution: Option<usize>) {
        self.why.clear_fields();
        for (field, tally) in case.evidence.fields.iter().enumerate() {
            let role = match Some(field) {
                field if field == puzzle => "puzzles",
                field if field == solution => "solutions",
                _ => "not used",
            };
            self.why.field(format!("{}: {tally} -> {role}", case.name(field)));
        }
    }

    /// The layout of a table.
    fn finish_rows(&mut self, reading: Reading, header: Option<Header>) -> Layout {
        let Reading { mut rows, evidence } = reading;
        let first = self.head.first_grid.map_or(&[][..], |place| self.head.lines[place].text);
        let plain = header.is_none() && rows.puzzle == 0 && rows.solution.is_none();
        let told = self.hints.puzzle.is_some() || self.hints.delimiter.is_some();
        // In a list of which few lines have anything behind the puzzle, any delimiter may end it.
        let few = !matches!(rows.delimiter, Delimiter::Byte(_)) || evidence.usual_width() < 2;
        if plain && few && !told && memchr::memchr(b'"', first).is_none() {
            self.fields.split(first, Delimiter::Any);
            rows = Rows { fields: self.fields.len(), ..Rows::PLAIN };
        }
        let mut sampled = self.sampled(&evidence, rows.puzzle, rows.solution);
        // Behind a puzzle of a list there may be a remark.
        sampled.width = sampled.width.filter(|_| matches!(rows.delimiter, Delimiter::Byte(_)));
        Layout { sampled, ..self.finish(Shape::Rows(rows), header) }
    }

    /// The keys of JSON objects that the rules choose.
    fn objects(&mut self) -> Decided<Layout> {
        let (mut keys, mut evidence) = (Vec::<String>::new(), Evidence::default());
        let mut first_keys = None;
        for line in self.head.records() {
            let mut row = Vec::new();
            for (key, value) in object_values(line.text, &self.hints.blanks) {
                let place = keys.iter().position(|known| *known == key).unwrap_or_else(|| {
                    keys.push(key);
                    keys.len() - 1
                });
                row.push((place, value));
            }
            evidence.add(row.len(), &row);
            if first_keys.is_none() && row.iter().any(|(_, value)| value.is_grid()) {
                let object = json::object(line.text).unwrap_or_default();
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
        let case = Case {
            evidence: &evidence,
            names: &keys,
            told_puzzle,
            told_solution,
            has_keys: true,
            takes_answers: self.hints.full_grids,
        };
        let (puzzle, solution) = self.choose(&case, |this| this.refuse_field(None))?;
        let key = |field: usize| keys[field].clone();
        let shape = Shape::Objects { puzzle: key(puzzle), solution: solution.map(key) };
        let sampled = self.sampled(&evidence, puzzle, solution);
        Ok(Layout { names: first_keys.unwrap_or_default(), sampled, ..self.finish(shape, None) })
    }

    /// The layout of this shape.
    fn finish(&mut self, shape: Shape, header: Option<Header>) -> Layout {
        let hints = self.hints;
        let blanks = match &shape {
            Shape::Rows(Rows { delimiter: Delimiter::Byte(byte), .. }) => {
                hints.blanks.without(*byte)
            }
            _ => hints.blanks,
        };
        let is_table = match &shape {
            Shape::Rows(rows) => header.is_some() || rows.puzzle > 0 || rows.solution.is_some(),
            _ => false,
        };
        let start = match (&header, &shape) {
            (Some(header), _) => header.place,
            (None, Shape::Rows(rows)) if is_table => self.first_row(rows.delimiter),
            _ => 0,
        };
        let by_name = header.as_ref().is_some_and(|header| {
            let named = position(&header.names, &PUZZLE_NAMES);
            named.is_some() || matches!(hints.puzzle, Some(Column::Name(_)))
        });
        let (mut comments, mut titles) = (BTreeSet::new(), Vec::new());
        for (place, line) in self.head.lines.iter().enumerate() {
            match line.kind {
                Kind::Comment if place < start => {
                    comments.insert(line.text.to_vec());
                }
                Kind::Record(_) if !by_name || place >= start => {}
                Kind::Separator | Kind::Record(_) => {
                    titles.push((line.number, line.text.to_vec()));
                    self.why.say(line.number, "title", true, "is skipped");
                }
                _ => {}
            }
        }
        let (header, rule, names) = match header {
            Some(header) => (Some(header.line), header.rule, header.names),
            None => (None, None, Vec::new()),
        };
        let counted = self.is_counted();
        let comments = is_table.then_some(comments);
        let is_told = hints.is_told();
        let plain = Layout::plain();
        Layout { shape, blanks, header, rule, names, counted, titles, comments, is_told, ..plain }
    }

    /// What the head has besides puzzles.
    fn sampled(&self, evidence: &Evidence, puzzle: usize, solution: Option<usize>) -> Sampled {
        let field = solution.and_then(|field| evidence.fields.get(field));
        let puzzles = evidence.fields.get(puzzle);
        let is_role = |field: usize| field == puzzle || Some(field) == solution;
        let mut fields = evidence.fields.iter().enumerate();
        let has_others = fields.any(|(field, it)| !is_role(field) && it.full > 0);
        Sampled {
            records: evidence.rows,
            puzzles: puzzles.map_or(0, Tally::open),
            answers: field.map_or(evidence.answered, |tally| tally.rows - tally.empty),
            is_part: !self.head.ended,
            mixed: None,
            is_open: puzzles.is_some_and(|tally| tally.open() > 0 && tally.full == 0),
            width: evidence.only_width().filter(|_| !has_others),
        }
    }

    /// The number of the line of a header.
    fn number(&self, header: &Header) -> u64 {
        self.head.lines[header.place].number
    }

    /// Whether line 1 says how many records there are.
    fn is_counted(&self) -> bool {
        self.head.lines.first().is_some_and(|line| line.kind == Kind::Count)
    }

    /// The character next to 81 cells, if it may be a delimiter that is not known.
    fn beside_puzzle(&self) -> Option<u8> {
        if self.hints.delimiter.is_some() {
            return None;
        }
        self.head.records().find_map(|line| beside_puzzle(line.text, &self.hints.blanks))
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

    /// The lines that begin with `#` and are rows of a table, and what divides them: a field behind the first
    /// has a grid.
    fn rows_with_hash(&self) -> Vec<(usize, Delimiter)> {
        let (hints, mut fields) = (self.hints, Fields::default());
        let mut row = |line: &HeadLine| {
            if line.kind != Kind::Comment {
                return None;
            }
            let delimiter = row_delimiter(line.text, hints, &mut fields)?;
            let divided = matches!(delimiter, Delimiter::Byte(_)) || is_name_with_hash(line.text);
            let mut others = fields.iter(line.text).skip(1);
            (divided && others.any(|it| is_puzzle(it, &hints.blanks))).then_some(delimiter)
        };
        let lines = self.head.lines.iter().enumerate();
        lines.filter_map(|(place, line)| Some((place, row(line)?))).collect()
    }

    /// Which line is the first row of a table without a header. Comments can only be above it.
    ///
    /// The row may be damaged. A line above the first grid is a row if it has as many fields as the row
    /// of that grid; and, where rows begin with `#`, if it begins like `#1` and not like `# text`.
    fn first_row(&self, delimiter: Delimiter) -> usize {
        let lines = &self.head.lines;
        let hashed = self.rows_with_hash().first().map_or(lines.len(), |(place, _)| *place);
        let first = hashed.min(self.head.first_grid.unwrap_or(lines.len()));
        if first == lines.len() {
            return first;
        }
        let mut fields = Fields::default();
        fields.split(lines[first].text, delimiter);
        let width = fields.len();
        let is_damaged = |line: &HeadLine| {
            fields.split(line.text, delimiter);
            let is_as_wide = matches!(delimiter, Delimiter::Byte(_)) && fields.len() == width;
            let is_row = match line.kind {
                Kind::Comment => first == hashed && (is_as_wide || is_name_with_hash(line.text)),
                Kind::Record(_) => is_as_wide,
                _ => false,
            };
            is_row && fields.len() > 1
        };
        lines[..first].iter().position(is_damaged).unwrap_or(first)
    }

    /// Refuses an input whose header or rows lack the field of the answers that was named.
    fn refuse_solution(&self) -> NoPuzzle {
        match &self.hints.solution {
            Some(Column::Name(name)) => {
                self.refuse(&format!("a header that names a column {name:?}"), Some("solution"))
            }
            Some(Column::Place(place)) => {
                self.refuse(&format!("column {}", place + 1), Some("solution"))
            }
            None => self.refuse_field(None),
        }
    }

    /// Refuses an input without puzzles in the field where they should be.
    fn refuse_field(&self, header: Option<&Header>) -> NoPuzzle {
        const CELLS: &str = "81 cells (1 to 9, and . 0 _ * or - for a blank)";
        let names = header.map_or(&[][..], |header| &header.names);
        let column = match &self.hints.puzzle {
            Some(Column::Place(place)) => match names.get(*place) {
                Some(name) => format!("{name:?}"),
                None => (place + 1).to_string(),
            },
            Some(Column::Name(name)) => match position(names, &[name]) {
                Some(place) => format!("{:?}", names[place]),
                None => {
                    return self.refuse(&format!("a header that names a column {name:?}"), None);
                }
            },
            None => match position(names, &PUZZLE_NAMES) {
                Some(place) => format!("{:?}", names[place]),
                None if header.is_none() && self.hints.solution.is_some() => {
                    return self.refuse_solution();
                }
                None => {
                    let known = PUZZLE_NAMES.join(", ");
                    let what =
                        format!("a field of {CELLS}, or a header that names a column ({known})");
                    let comma = matches!(self.hints.delimiter, None | Some(Delimiter::Any));
                    return self.refuse(&(what + if comma { "," } else { "" }), None);
                }
            },
        };
        self.refuse(&format!("{CELLS} in column {column}"), None)
    }

    /// Refuses an input in which something was looked for and not found.
    fn refuse(&self, looked_for: &str, what: Option<&str>) -> NoPuzzle {
        let what = what.unwrap_or("puzzle");
        let divided = match self.hints.delimiter {
            Some(Delimiter::Byte(byte)) => format!(", divided by '{}',", byte.escape_ascii()),
            Some(Delimiter::Spaces) => ", divided by spaces,".to_owned(),
            Some(Delimiter::Any) | None => String::new(),
        };
        let place = match self.head.lines.len() {
            0 => "64 KiB".to_owned(),
            1 => "1 line".to_owned(),
            lines => format!("{lines} lines"),
        };
        let first = self.head.lines.iter().find(|line| line.kind != Kind::Empty);
        let first = first.map_or(self.head.rest, |line| line.text);
        let shown = first[..first.len().min(SHOWN_BYTES)].escape_ascii();
        let more = if first.len() > SHOWN_BYTES { "…" } else { "" };
        let remark = self.remark().map_or(String::new(), |remark| format!("; {remark}"));
        NoPuzzle(format!(
            "no {what} found: looked for {looked_for}{divided} in the first {place}; the first line \
             is \"{shown}{more}\"{remark}"
        ))
    }

    /// What the lines may be instead, and the command that helps.
    fn remark(&self) -> Option<String> {
        let text = self.head.lines.iter().map(|line| line.text);
        let is_row = |line: &[u8]| line[0] != b'#' && grids::is_row(line, &self.hints.blanks);
        if text.clone().filter(|line| !line.is_empty() && is_row(line)).count() >= 9 {
            return Some("puzzles of nine lines are read with --grid".to_owned());
        }
        if let Some(byte) = self.beside_puzzle() {
            return Some(format!(
                "81 cells stand beside {}, and --delimiter says what divides the fields",
                char::from(byte)
            ));
        }
        if let Some(place) = text.clone().find_map(|line| memchr::memchr(b'\0', line)) {
            let ends = if place % 2 == 0 { "BE" } else { "LE" };
            return Some(format!(
                "it has zero bytes: no text, or UTF-16, and then iconv -f UTF-16{ends} -t UTF-8 FILE \
                 | ninefold COMMAND - reads it"
            ));
        }
        text.into_iter().find(|line| memchr::memchr(b'\r', line).is_some()).map(|_| {
            "if CR alone ends its lines: tr '\\r' '\\n' < FILE | ninefold COMMAND -".to_owned()
        })
    }

    /// Refuses a list that holds solutions among its puzzles; keeps in mind that there are a few.
    fn without_turns(&self, mut layout: Layout) -> Decided<Layout> {
        if layout.is_told || self.hints.full_grids || layout.has_solutions() {
            return Ok(layout);
        }
        let mut columns = Columns::new();
        let is_record = |line: &&HeadLine| {
            let is_aside = layout.is_comment(line.text) || layout.is_above_rows(line.text);
            line.is_record() && !is_aside
        };
        let lines: Vec<_> = self.head.lines.iter().filter(is_record).collect();
        let grids = lines.iter().filter_map(|line| {
            let text = match &layout.shape {
                Shape::Rows(_) | Shape::Objects { .. } => {
                    columns.puzzle(&layout, line.text).into_owned()
                }
                Shape::Arrays => str::from_utf8(line.text).ok().and_then(forms::array)?,
                Shape::Spaced => forms::spaced(line.text, &layout.blanks).ok()?,
                Shape::Hodoku | Shape::Joined { .. } | Shape::Grids => return None,
            };
            let is_grid = is_full(&text) || is_open(&text, &layout.blanks);
            Some((is_full(&text), text)).filter(|_| is_grid)
        });
        let grids: Vec<(bool, Vec<u8>)> = grids.collect();
        let is_clue = |cell: &u8| cell.is_ascii_digit() && *cell != b'0';
        let solves = |full: &[u8], open: &[u8]| {
            let keeps = open.iter().zip(full).all(|(open, full)| !is_clue(open) || open == full);
            keeps && open.iter().filter(|cell| is_clue(cell)).count() >= FEWEST_CLUES
        };
        let open = || grids.iter().filter(|(is_full, _)| !is_full);
        let (mut solutions, mut beside, mut turns) = (0, 0, 0);
        for (place, (is_full, full)) in
            grids.iter().enumerate().filter(|(_, (is_full, _))| *is_full)
        {
            debug_assert!(*is_full && full.len() == Cell::COUNT);
            let around = [place.checked_sub(1), Some(place + 1)].map(|it| grids.get(it?));
            let is_open = |it: &&(bool, Vec<u8>)| !it.0;
            turns += usize::from(around[0].is_some_and(|it| !it.0));
            let near = around.into_iter().flatten().filter(is_open).any(|(_, it)| solves(full, it));
            beside += usize::from(near);
            solutions += usize::from(near || open().any(|(_, it)| solves(full, it)));
        }
        let full = grids.len() - open().count();
        let less = full.min(open().count());
        let alternates = turns >= FEWEST_TURNS
            && 10 * (turns + 1) >= 9 * less
            && 10 * (less + 1) >= 9 * full.max(open().count());
        // One solution among other puzzles may be there by intention. A head of few records says little of the rest.
        let is_enough = if self.head.ended {
            solutions > 1 || solutions == 1 && lines.len() <= 2
        } else {
            solutions >= FEWEST_TURNS
        };
        let are_many = is_enough && 3 * solutions >= grids.len();
        let records = grids.len() as u64;
        if !are_many && !alternates {
            let mixed = (solutions as u64, records);
            layout.sampled.mixed = Some(mixed).filter(|(solutions, _)| *solutions > 0);
            return Ok(layout);
        }
        let (count, are) = match () {
            () if !are_many => (turns, "are full grids that take turns with puzzles"),
            () if 2 * beside > solutions && solutions == 1 => {
                (1, "is the solution of the record next to it")
            }
            () if 2 * beside > solutions => {
                (solutions, "are solutions of the records next to them")
            }
            () if solutions == 1 => (1, "is the solution of another record"),
            () => (solutions, "are solutions of other records"),
        };
        let (puzzle, is_list) = match &layout.shape {
            Shape::Objects { puzzle, .. } => (puzzle.clone(), false),
            Shape::Rows(rows) => match layout.names.get(rows.puzzle) {
                Some(name) => (name.clone(), false),
                None => ((rows.puzzle + 1).to_string(), rows.puzzle == 0 && rows.fields == 1),
            },
            _ => ("1".to_owned(), false),
        };
        let is_next = !are_many || 2 * beside > solutions;
        let has_returns = memchr::memchr(b'\r', self.head.bytes).is_some();
        let how = match is_list && is_next && self.document.is_none() {
            true if has_returns => {
                ": tr -d '\\r' < FILE | grep '^[^#]' | paste -d, - - | ninefold COMMAND -"
            }
            true => ": grep '^[^#]' FILE | paste -d, - - | ninefold COMMAND -",
            false => ", for example as CSV",
        };
        Err(NoPuzzle(format!(
            "solutions are among the puzzles: {} of {} records {are}; to read them as answers, write \
             puzzle and solution in one record{how}; to read them as puzzles, use --columns \
             puzzle={puzzle}",
            Grouped(count as u64),
            Grouped(records),
        )))
    }
}

/// The refusal that a choice is.
fn refusal(choice: &Choice, case: &Case) -> Option<NoPuzzle> {
    Some(NoPuzzle(match choice {
        Choice::Disagree { one, other } => {
            let side = |&(open, full, count): &(usize, usize, u64)| {
                let records = if count == 1 { "record" } else { "records" };
                let (puzzle, answers) = (case.name(open), case.name(full));
                format!("in {} {records} {puzzle} has blanks and {answers} is full", Grouped(count))
            };
            let option = |&(open, full, _): &(usize, usize, u64)| {
                format!("--columns puzzle={},solution={}", case.option(open), case.option(full))
            };
            format!(
                "records disagree: {}, {}; choose with {} or {}",
                side(one),
                side(other),
                option(one),
                option(other)
            )
        }
        Choice::Several(fields) => several(fields, case, "puzzles", "puzzle"),
        Choice::NamedForAnswers(field) => {
            format!("--columns solution={} names the field of the puzzles", case.option(*field))
        }
        Choice::AnswersAlone(field) => format!(
            "no puzzle found: the only grids are in {}, which is named after answers; --columns \
             puzzle={} reads them as puzzles",
            case.name(*field),
            case.option(*field)
        ),
        Choice::Field(_) | Choice::None => return None,
    }))
}

/// Several fields may have a role, and no name decides.
fn several(fields: &[usize], case: &Case, role: &str, option: &str) -> String {
    let names: Vec<_> = fields.iter().map(|&field| case.name(field)).collect();
    let what = if case.has_keys { "KEY" } else { "COLUMN" };
    let names = names.join(", ");
    format!("several fields may hold the {role}: {names}; choose with --columns {option}={what}")
}

/// Whether a field is a word, perhaps with what divides a key from its value.
fn is_word(field: &[u8]) -> bool {
    let of_word = |byte: &u8| byte.is_ascii_alphabetic() || b"_-:='\"".contains(byte);
    field.iter().any(u8::is_ascii_alphabetic) && field.iter().all(of_word)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::layout::shape::Understood;

    const P: &str =
        "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
    const S: &str =
        "534678912672195348198342567859761423426853791713924856961537284287419635345286179";

    fn said(text: &str) -> String {
        match decide(text.as_bytes(), &Hints::default()).0 {
            Ok(layout) => Understood { layout: &layout, name: "x" }.to_string(),
            Err(refused) => refused.to_string(),
        }
    }

    #[test]
    fn the_rows_of_a_table_say_what_they_hold() {
        let (short, other) = (&P[1..], P.replacen('.', "x", 1));
        let partial = S.replacen('5', ".", 1);
        let both = "reading column 1 of x, solutions in column 2";
        let second = "reading column 2 of x";
        // Each first row is damaged, or in doubt.
        for first in [
            format!("{short},{S}"),
            format!("{other},{S}"),
            format!("{P}.,{S}"),
            format!(",{S}"),
            format!("n/a,{S}"),
            format!("53..7,{S}"),
            format!("{},{S}", ".".repeat(728)),
            format!("{P},{partial}"),
            format!("{P},{}", &S[1..]),
        ] {
            assert_eq!(said(&format!("{first}\n{P}\n{P},{S}\n")), both, "{first}");
        }
        let cases = [
            (
                format!("a,b\n{P},{partial}\n{P},{S}\n"),
                "reading column \"a\" of x, solutions in column \"b\"",
            ),
            (format!("1,n/a,{S}\n2,{P},{S}\n"), "reading column 2 of x, solutions in column 3"),
            (format!("{short} {S} 9.3\n{P} {S} 1.2\n"), both),
            (format!("{short},{S}\n").repeat(2), both),
            (format!(",{S}\n").repeat(2), second),
            (format!("7,{S}\n").repeat(2), second),
            (format!("id,note,grid\n1,\"a\nb, \"\"c\"\"\",{P}\n"), "reading column \"grid\" of x"),
            (".".repeat(728), "reading lines of x"),
            (format!("{P}\n"), "reading lines of x"),
            (format!("{P};Golden Nugget;11.9\n").repeat(2), "reading column 1 of x"),
        ];
        for (text, expected) in cases {
            assert_eq!(said(&text), expected, "{text}");
        }
    }

    #[test]
    fn a_list_is_divided_at_the_character_next_to_the_puzzle() {
        for (byte, fields) in [(b';', 3), (b',', 3), (b'|', 3), (b'\t', 3), (b' ', 4)] {
            let row = [P, "Golden Nugget", "11.9\n"].join(str::from_utf8(&[byte]).unwrap());
            let layout = decide(row.repeat(2).as_bytes(), &Hints::default()).0.unwrap();
            let Shape::Rows(rows) = layout.shape else { panic!("{row}") };
            assert_eq!(rows.fields, fields, "{row}");
        }
    }

    #[test]
    fn solutions_among_the_puzzles_are_refused() {
        let other = P.replace('5', "2").replace('3', "5");
        let wrong = S.replace('1', "0").replace('2', "1").replace('0', "2");
        // `P` is a puzzle, `S` its solution, `Q` and `W` another puzzle and a full grid of neither.
        let is_refused = |list: &str| {
            let line = |kind| match kind {
                'P' => P,
                'S' => S,
                'Q' => &other,
                'W' => &wrong,
                _ => "x",
            };
            let lines: Vec<_> = list.chars().map(line).collect();
            said(&lines.join("\n")).starts_with("solutions are among the puzzles: ")
        };
        for list in ["PS", "SP", "PSPS", "SPSPSP", "xPSxPS", "PSPxPS", "PPPSSS", "QPQSWS"] {
            assert!(is_refused(list), "{list}");
        }
        assert!(is_refused("PWPWPWPWPW"), "wrong solutions take turns, too");
        assert!(is_refused("WQWQWxQWQWQW"), "in the other order, with a damaged record");
        let lists = ["PPS", "PxS", "PSP", "P", "S", "SS", "PQ", "PW", "PWP", "PPPS", "PQPQPWPQS"];
        for list in lists.into_iter().chain(["WWPWW", "PPWPPW", "PWPW"]) {
            assert!(!is_refused(list), "{list}");
        }
    }
}
