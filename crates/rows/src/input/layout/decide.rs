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
//! 2. **Document.** A JSON document that is not lines is made lines first. An input that begins with a grid of
//!    pencilmarks is read as grids.
//! 3. **Form.** The form that most records have: rows with a field of 81 cells, JSON objects with a grid, or
//!    another one of `fields`.
//! 4. **Delimiter.** The one that was given; else that of a header with a known name; else the character
//!    next to the puzzle in more than 9 of 10 rows; else all divide, `,` `;` `|` tab and space.
//! 5. **Header.** The last line above the first grid that has a known name. Else the first line, if it has as
//!    many fields as the rows, no number and no cells.
//! 6. **Fields.** `rules` says which field holds the puzzles and which the answers, from what the fields hold.
//!
//! An input without a grid is refused, unless a header with a known name is above rows that resemble puzzles,
//! or a line of a list resembles one.
//!
//! What contradicts the decision behind the head is counted when it is read (`Contradictions`).

use super::evidence::{HeadEvidence, MOST_FIELDS};
use super::head::{Head, HeadLine, Header, LineKind, is_name_with_hash, is_object, position};
use super::rules::{ANSWER_RULES, Case, PUZZLE_RULES};
use super::shape::{ColumnRef, Hints, Layout, Sampled, is_own_comment, shown};
use super::why::{Decided, Why, counted};
use crate::advice::{self, has_puzzle, open_runs};
use crate::input::delimiter::Delimiter;
use crate::input::document;
use crate::input::fields::{
    FieldClass, Fields, PUZZLE_NAMES, RecordForm, RecordLayout, SOLUTION_NAMES, field_name,
};
use crate::input::grids::{self, is_another};
use crate::input::json;
use crate::input::lines::BYTE_ORDER_MARK;
use crate::input::malformed::may_be_blank;
use crate::puzzle::Cell;
use crate::puzzle::parse::Blanks;
use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::io::{self, Read};

/// Bytes that decide.
pub(in crate::input) const HEAD_BYTES: usize = 64 * 1024;

/// Numbers of nine digits that may be in a record beside a full grid. More of them are the rows of a puzzle.
const MOST_OTHER_ROWS: usize = 4;

/// Records without a grid that may follow a header whose names are unknown.
const MOST_DAMAGED_ROWS: usize = 2;

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
    let head = head.strip_prefix(BYTE_ORDER_MARK).unwrap_or(head);
    // The magic number of a tar archive is behind the name of its first file.
    if head.get(257..262) == Some(b"ustar") {
        let tar = "is a tar archive, which is not read: tar -xOf FILE | ninefold COMMAND -";
        return (Err(tar.to_owned()), why);
    }
    if memchr::memchr(b'\n', head).is_none() && head.trim_ascii_end().contains(&b'\r') {
        let ends = "CR alone ends its lines: tr '\\r' '\\n' < FILE | ninefold COMMAND -";
        return (Err(ends.to_owned()), why);
    }
    let is_told = hints.grids || hints.delimiter.is_some();
    let grids = hints.grids || !is_told && grids::begins_with_marks(head, &hints.blanks);
    let hints = &Hints { grids, ..hints.clone() };
    let in_full = |why: String| advice::in_full(&why, head, &hints.blanks);
    let document = match document::look(head) {
        _ if is_told => None,
        Ok(document) => document,
        Err(no_record) => return (Err(in_full(no_record)), why),
    };
    let text = document.map(|document| {
        why.say(1, "JSON document", true, "each value or element is a record");
        document.lines_of(head, ended)
    });
    let lines = Head::new(text.as_deref().unwrap_or(head), ended, hints);
    let mut decider = Decider { hints, bytes: head, head: lines, why };
    let layout = decider.layout();
    (layout.map(|layout| Layout { document, ..layout }).map_err(in_full), decider.why)
}

/// Whether some of these fields of a table are a puzzle, but none that is read: lists of cells, columns of a cell each,
/// or cells with an unknown character for a blank.
fn has_unread<'a>(fields: impl Iterator<Item = &'a [u8]>, is_cell: impl Fn(u8) -> bool) -> bool {
    let cells = fields.flat_map(|field| {
        let other = field.iter().find(|it| may_be_blank(**it));
        let cells = field.iter().filter(|it| !b" ,[]".contains(it));
        let cells = cells.map(move |it| if Some(it) == other { b'.' } else { *it });
        cells.chain((field.len() != 1).then_some(b'\n'))
    });
    has_puzzle(&cells.collect::<Vec<_>>(), is_cell)
}

struct Decider<'a> {
    hints: &'a Hints,
    /// The bytes that decide.
    bytes: &'a [u8],
    head: Head<'a>,
    why: Why,
}

/// The contents of the rows of a table, and how the rules read them. Nothing is known of the default.
#[derive(Default)]
struct Reading {
    record: RecordLayout,
    keys: Vec<String>,
    evidence: HeadEvidence,
}

impl Reading {
    /// Whether the puzzles come first, without answers.
    const fn is_list(&self) -> bool {
        self.record.puzzle == 0 && self.record.solution.is_none()
    }
}

impl<'a> Decider<'a> {
    fn layout(&mut self) -> Decided<Layout> {
        if self.head.ended && !self.is_counted() && self.head.records().next().is_none() {
            self.why.say(0, "records", false, "there are none");
            // A failed download is not a list without faults.
            let why =
                "no puzzle found: the input has no records, but at most empty lines and comments";
            return Err(why.to_owned());
        }
        if self.hints.grids {
            return self.grids();
        }
        let form = self.form();
        match form {
            Some(form) if !matches!(form, RecordForm::Row(_)) => {
                let header = self.header_of_cells(form);
                self.read(form, header.as_ref()).map(|reading| self.finish(reading, header))
            }
            _ => match self.below_header(form.is_some())? {
                Some(layout) => Ok(layout),
                None if form.is_some() => self.table(),
                None => self.without_grid(),
            },
        }
    }

    /// The form that most records have.
    fn form(&mut self) -> Option<RecordForm> {
        let any = |form| {
            if let RecordForm::Row(_) = form { RecordForm::Row(Delimiter::Any) } else { form }
        };
        let votes = count(self.head.records().filter_map(HeadLine::form).map(any));
        let chosen = votes.first()?.0;
        for (form, count) in votes {
            let reason = format_args!("{} with a grid", counted(count, "record"));
            self.why.say(0, form.name(), form == chosen, reason);
        }
        Some(chosen)
    }

    /// Lines that are expected to be rows of grids.
    fn grids(&mut self) -> Decided<Layout> {
        let first = self.head.first_grid.ok_or_else(|| self.refuse_field(None))?;
        self.why.say(self.head.lines[first].number, "row of a grid", true, "nine cells");
        let record = RecordLayout { form: RecordForm::Grid, ..RecordLayout::default() };
        Ok(self.finish(Reading { record, ..Reading::default() }, None))
    }

    /// An input in which no line has a grid.
    fn without_grid(&mut self) -> Decided<Layout> {
        let reading = "a puzzle a line";
        // Text before a puzzle is no puzzle.
        let resembling = self.head.records().any(|line| self.damaged_grid(line.text) == Some(0));
        let is_cell = |byte| self.hints.blanks.is_cell(byte);
        let is_in_text =
            |it: &HeadLine| open_runs(it.text, is_cell).iter().any(|run| run.len() == Cell::COUNT);
        let (is_read, reason) = match () {
            () if !resembling => (false, "no line resembles a puzzle"),
            // The fields that the caller names are never ignored for the looks of a line.
            () if self.hints.is_told() => (false, "columns or a delimiter were given"),
            () if self.head.records().any(is_in_text) => (false, "81 cells are next to others"),
            () => (true, "a line resembles a puzzle"),
        };
        self.why.say(0, reading, is_read, reason);
        if is_read {
            return Ok(self.finish(Reading::default(), None));
        }
        Err(self.refuse_field(None))
    }

    /// A table, or a list.
    fn table(&mut self) -> Decided<Layout> {
        if let Some(ColumnRef::Name(_)) = self.hints.puzzle {
            self.why.say(0, "rows", false, "no header names the field that was given");
            return Err(self.refuse_field(None));
        }
        let delimiter = self.usual_delimiter();
        let header = self.header_by_looks(delimiter);
        if let Some(header) = &header {
            let reason = "names alone, one for each field";
            self.why.say(self.head.lines[header.place].number, "header", true, reason);
        }
        let reading = self.read(RecordForm::Row(delimiter), header.as_ref())?;
        if header.is_some() || !self.is_open_list(&reading) {
            return Ok(self.finish(reading, header));
        }
        // Every delimiter divides the list, unless something else is found in it then.
        let fields = self.why.fields.clone();
        let again = self.read(RecordForm::Row(Delimiter::Any), None);
        let Some(again) = again.ok().filter(Reading::is_list) else {
            self.why.fields = fields;
            return Ok(self.finish(reading, None));
        };
        if delimiter != Delimiter::Any && again.evidence.usual_width() > 1 {
            let form = format!("fields divided by {}", Delimiter::Any);
            self.why.say(0, &form, true, "a list has a space next to its puzzles");
        }
        Ok(self.finish(again, None))
    }

    /// Whether the rows are a list in which any delimiter may end the puzzle: few lines have anything behind it,
    /// or a space is next to it.
    fn is_open_list(&self, reading: &Reading) -> bool {
        let Reading { record, evidence, .. } = reading;
        let few = !matches!(record.form, RecordForm::Row(Delimiter::Byte(_)))
            || evidence.usual_width() < 2;
        let told = self.hints.puzzle.is_some() || self.hints.delimiter.is_some();
        let first = self.head.first_grid.map(|place| self.head.lines[place].text);
        let has_marks = first.is_none_or(|first| memchr::memchr(b'"', first).is_some());
        few && !told && !has_marks && reading.is_list()
    }

    /// The rows below a header with a known name, if that fits them.
    fn below_header(&mut self, has_grid: bool) -> Decided<Option<Layout>> {
        let hints = self.hints;
        let found = self.head.header(hints);
        let Some(found) = found.filter(|it| has_grid || !it.is_hashed()) else { return Ok(None) };
        let number = self.head.lines[found.place].number;
        let form = format!("header, fields divided by {}", found.delimiter);
        let (is_hashed, is_title) = (found.is_hashed(), found.delimiter == Delimiter::Spaces);
        let mut shifted = found.clone();
        shifted.names.insert(0, String::new());
        // A word alone says nothing of the rows.
        let is_word = found.names.len() == 1 && hints.delimiter.is_none();
        let delimiter = if is_word { Delimiter::Any } else { found.delimiter };
        for (is_shifted, header) in [(false, found), (true, shifted)] {
            let reading = match self.read(RecordForm::Row(delimiter), Some(&header)) {
                Ok(reading) => reading,
                // Only the names of a header tell what was named. A comment or words may be no header.
                Err(refused) if !is_shifted && !is_hashed && (hints.is_told() || !is_title) => {
                    return Err(refused);
                }
                Err(_) => break,
            };
            let puzzle = Some(reading.record.puzzle);
            let is_as_wide = reading.evidence.usual_width() == header.names.len();
            let is_named = |known: &[&str]| position(&header.names, known) == puzzle;
            let named = is_named(&PUZZLE_NAMES);
            let fits = match () {
                // R writes no name above the names of the rows.
                () if is_shifted => named && is_as_wide && header.names.len() > 2,
                // A comment may have the name of a field in it.
                () if is_hashed => hints.named_puzzle(&header.names) == puzzle,
                () if hints.full_grids && is_named(&SOLUTION_NAMES) => true,
                () => named || hints.puzzle.is_some() || is_as_wide,
            };
            if fits {
                let names = header.names.len();
                self.why.say(number, &form, true, format_args!("{names} names, one is known"));
                return Ok(Some(self.finish(reading, Some(header))));
            }
        }
        self.why.say(number, &form, false, "it does not fit the rows below");
        Ok(None)
    }

    /// The delimiter that most rows have next to their puzzle.
    fn usual_delimiter(&mut self) -> Delimiter {
        if let Some(delimiter) = self.hints.delimiter {
            return delimiter;
        }
        let beside = |line: &HeadLine| match line.kind {
            LineKind::Record(Some(RecordForm::Row(delimiter))) => Some(delimiter),
            _ => None,
        };
        let votes = count(self.head.records().filter_map(beside));
        let all: u64 = votes.iter().map(|(_, count)| *count).sum();
        // Where many rows have another delimiter, each of them divides.
        let chosen = votes.first().filter(|(_, count)| 10 * count > 9 * (all - 1));
        let chosen = chosen.map_or(Delimiter::Any, |(delimiter, _)| *delimiter);
        for (delimiter, count) in votes {
            let form = format!("fields divided by {delimiter}");
            let reason = format_args!("next to the puzzle in {}", counted(count, "row"));
            self.why.say(0, &form, delimiter == chosen, reason);
        }
        chosen
    }

    /// The header that the first record is, if its names are unknown.
    fn header_by_looks(&self, delimiter: Delimiter) -> Option<Header> {
        let place = self.head.lines.iter().position(HeadLine::is_record)?;
        let first_grid = self.head.first_grid.unwrap_or(self.head.lines.len());
        let above = self.head.lines[..first_grid].iter().filter(|it| it.is_record()).count();
        let line = self.head.lines[place].text;
        // Some of the rows between the header and the first grid may be damaged.
        let is_near = (1..=MOST_DAMAGED_ROWS + 1).contains(&above);
        if self.hints.no_header || !is_near || self.damaged_grid(line).is_some() || is_object(line)
        {
            return None;
        }
        let header = Header::of(place, line, delimiter);
        // Above answers, words may say why there is none.
        let above = Some(&header).filter(|_| self.hints.full_grids);
        let evidence = self.gather(RecordForm::Row(delimiter), above, &[]);
        header.looks_right(&evidence, self.hints).then_some(header)
    }

    /// The names of the cells that the first record is, above rows of separated cells: as many fields of any text.
    fn header_of_cells(&mut self, form: RecordForm) -> Option<Header> {
        let place = self.head.lines.iter().position(HeadLine::is_record)?;
        let (line, first_grid) = (&self.head.lines[place], self.head.first_grid?);
        if form != RecordForm::Spaced || self.hints.no_header || first_grid == place {
            return None;
        }
        let header = |&delimiter| Header::of(place, line.text, delimiter);
        let mut headers = Delimiter::GUESSES.iter().map(header);
        let header = headers.find(|header| header.names.len() == Cell::COUNT)?;
        self.why.say(line.number, "header", true, "81 names above 81 cells");
        Some(Header { names: Vec::new(), ..header })
    }

    /// The lines of a table that may be rows.
    fn rows_below(&self, form: RecordForm, header: Option<&Header>) -> Vec<&'a [u8]> {
        let lines = &self.head.lines;
        let RecordForm::Row(_) = form else {
            return self.head.records().map(|line| line.text).collect();
        };
        // Without a header and with other rows, the lines that begin with `#` may be comments of a list.
        let is_hashed = |place: usize| lines[place].text[0] == b'#';
        let (place, first) = match header {
            Some(header) => (header.place + 1, header.place + 1),
            None if self.head.first_grid.is_some_and(is_hashed) => (0, self.first_row()),
            None => (0, lines.len()),
        };
        let is_header = |text: &[u8]| {
            header.is_some_and(|it| it.line == text || it.rule.as_deref() == Some(text))
        };
        let is_row = |(place, line): &(usize, &HeadLine)| match line.kind {
            LineKind::Comment | LineKind::Record(_) if line.text[0] == b'#' => {
                *place >= first && !is_own_comment(line.text)
            }
            LineKind::Puzzle | LineKind::Record(_) => !is_header(line.text),
            _ => false,
        };
        lines.iter().enumerate().skip(place).filter(is_row).map(|(_, line)| line.text).collect()
    }

    /// What the fields of the records hold.
    fn gather(&self, form: RecordForm, header: Option<&Header>, keys: &[String]) -> HeadEvidence {
        let blanks = self.blanks(form);
        let is_cell = |byte| blanks.is_cell(byte);
        let is_row = matches!(form, RecordForm::Row(_));
        let is_sought = !self.hints.full_grids && self.hints.puzzle.is_none();
        let (mut fields, mut evidence) = (Fields::default(), HeadEvidence::default());
        let mut unread = 0;
        for row in self.rows_below(form, header) {
            // The members of an object are no fields.
            if is_row && is_object(row) || fields.divide(row, form, keys).is_err() {
                evidence.add(&[FieldClass::Other]);
                continue;
            }
            let value = |(place, field): (_, &[u8])| {
                let is_other = field.len() > Cell::COUNT && !fields.is_text(place);
                if is_other { FieldClass::Other } else { FieldClass::of(field, &blanks) }
            };
            let values: Vec<_> = fields.iter(row).enumerate().map(value).collect();
            evidence.add(&values);
            let open: Vec<_> = (0..values.len()).filter(|&it| values[it].is_open()).collect();
            let cells = |field| fields.get(row, field).unwrap_or_default();
            let pairs = open.iter().flat_map(|one| open.iter().map(|other| (*one, *other)));
            let differ = |it: &(usize, usize)| is_another(cells(it.0), cells(it.1), &blanks);
            evidence.differing.extend(pairs.filter(differ));
            if open.is_empty() && values.contains(&FieldClass::Full) {
                let rows = open_runs(row, is_cell).iter().filter(|run| run.len() == 9).count();
                let is_hidden = rows > MOST_OTHER_ROWS || has_puzzle(row, is_cell);
                let is_whole = is_sought && !values.contains(&FieldClass::Damaged);
                evidence.hidden += u64::from(is_hidden);
                unread += u64::from(is_whole && has_unread(fields.iter(row), is_cell));
            }
        }
        // Among puzzles that are read, such a row is malformed.
        if evidence.fields.iter().all(|it| it.open() == 0) {
            evidence.hidden = evidence.hidden.max(unread);
        }
        evidence.complete(header.map_or(keys.len(), |header| header.names.len()));
        evidence
    }

    /// The blanks of a form.
    fn blanks(&self, form: RecordForm) -> Blanks {
        match form {
            RecordForm::Row(Delimiter::Byte(byte)) => self.hints.blanks.without(byte),
            _ => self.hints.blanks,
        }
    }

    /// The paths of all objects of the head, those that are seen first.
    fn keys(&self) -> Vec<String> {
        let mut keys: Vec<String> = Vec::new();
        for line in self.head.records() {
            for (path, _) in json::object(line.text).unwrap_or_default().paths() {
                if keys.len() < MOST_FIELDS && !keys.iter().any(|key| *key == path) {
                    keys.push(path.into_owned());
                }
            }
        }
        keys
    }

    /// What the fields of the records hold, and what the rules say of them.
    fn read(&mut self, form: RecordForm, header: Option<&Header>) -> Decided<Reading> {
        let has_keys = form == RecordForm::Object;
        let keys = if has_keys { self.keys() } else { Vec::new() };
        let evidence = self.gather(form, header, &keys);
        let names = header.map_or(&keys[..], |header| &header.names);
        if 10 * evidence.hidden > evidence.with_grid {
            return Err(self.refuse_field(None));
        }
        let width = if header.is_some() { names.len() } else { evidence.fields.len() };
        let place_of = |column: &ColumnRef| match column {
            column if has_keys => position(names, &[&column.key()]),
            ColumnRef::Name(name) => position(names, &[name]),
            ColumnRef::Place(place) => Some(*place).filter(|place| *place < width),
        };
        let told = |named: Option<&ColumnRef>, what| {
            let place =
                named.map(|it| place_of(it).ok_or_else(|| self.lacking(header, named, what)));
            place.transpose()
        };
        let told_puzzle = told(self.hints.puzzle.as_ref(), "puzzle")?;
        let told_solution = told(self.hints.solution.as_ref(), "solution")?;
        let case = Case {
            evidence: &evidence,
            names,
            told_puzzle,
            told_solution,
            has_keys,
            takes_answers: self.hints.full_grids,
        };
        let (puzzle, solution) = self.choose(&case, header)?;
        let tally = evidence.tally(puzzle);
        let has_header =
            header.is_some_and(|it| told_puzzle.or(position(&it.names, &PUZZLE_NAMES)).is_some());
        // Damaged puzzles beside full grids are damaged puzzles beside their answers.
        let has_answers = evidence.fields.iter().any(|tally| tally.full() > 0);
        let is_damaged = tally.count(FieldClass::Damaged) > 0 && (has_header || has_answers);
        // There may be rows behind the head.
        let may_follow = has_header && evidence.rows == 0 && !self.head.ended;
        let is_found = tally.grids() > 0 || is_damaged || may_follow;
        if !(is_found || has_keys) {
            return Err(self.refuse_field(header));
        }
        let least = solution.map_or(puzzle, |it| it.max(puzzle)) + 1;
        let fields = match header {
            Some(header) => header.names.len(),
            None => evidence.first_width.unwrap_or(1).max(least),
        };
        Ok(Reading { record: RecordLayout { form, puzzle, solution, fields }, keys, evidence })
    }

    /// The fields of the puzzles and of the answers. Explains what each field holds, in place of what was
    /// explained before.
    fn choose(&mut self, case: &Case, header: Option<&Header>) -> Decided<(usize, Option<usize>)> {
        let found = case.puzzles().unwrap_or_else(|| (0, Err(self.refuse_field(header))));
        let (puzzle_rule, puzzle) = found;
        let answers = puzzle.as_ref().map_or((0, None), |&puzzle| case.answers(puzzle));
        let (answer_rule, solution) = answers;
        let solution = solution.filter(|it| it.is_ok() || !self.hints.ignores_answers).transpose();
        self.why.fields.clear();
        for (field, tally) in case.evidence.fields.iter().enumerate() {
            let role = match field {
                field if puzzle == Ok(field) => "puzzles",
                field if solution == Ok(Some(field)) => "solutions",
                _ => "not used",
            };
            self.why.fields.push(format!("{}: {tally} -> {role}", case.name(field)));
        }
        let (puzzle, solution) = (puzzle?, solution?);
        self.why.fields.extend([
            format!("puzzle rule {puzzle_rule}: {}", PUZZLE_RULES[puzzle_rule - 1]),
            format!("answer rule {answer_rule}: {}", ANSWER_RULES[answer_rule - 1]),
        ]);
        Ok((puzzle, solution))
    }

    /// The layout of a reading.
    fn finish(&mut self, reading: Reading, header: Option<Header>) -> Layout {
        let (Reading { record, keys, evidence }, hints) = (reading, self.hints);
        let is_table = matches!(record.form, RecordForm::Row(_))
            && (header.is_some() || record.puzzle > 0 || record.solution.is_some());
        let start = match (&header, record.form) {
            (Some(header), _) => header.place,
            (None, RecordForm::Row(_)) if is_table => self.first_row(),
            _ => 0,
        };
        let by_name = header.as_ref().is_some_and(|it| hints.named_puzzle(&it.names).is_some());
        let (mut comments, mut titles) = (BTreeSet::new(), Vec::new());
        for (place, line) in self.head.lines.iter().enumerate() {
            match line.kind {
                _ if line.text.first() == Some(&b'#') => {
                    comments.extend((place < start).then(|| line.text.to_vec()));
                }
                LineKind::Puzzle | LineKind::Record(_) if !by_name || place >= start => {}
                // It is malformed.
                LineKind::Record(_) if grids::holds_row(line.text, &hints.blanks) => {}
                LineKind::Separator | LineKind::Puzzle | LineKind::Record(_) => {
                    titles.push((line.number, line.text.to_vec()));
                    self.why.say(line.number, "title", true, "is skipped");
                }
                _ => {}
            }
        }
        let keeps_spaces = self.keeps_spaces(record.form, header.as_ref());
        let (header, rule, names) = match header {
            Some(header) => (Some(header.line), header.rule, header.names),
            None if record.form == RecordForm::Object => (None, None, self.first_keys()),
            None => (None, None, Vec::new()),
        };
        Layout {
            record,
            keys,
            blanks: self.blanks(record.form),
            header,
            rule,
            names,
            counted: self.is_counted(),
            titles,
            comments: is_table.then_some(comments),
            is_told: hints.puzzle.is_some() || hints.solution.is_some(),
            keeps_spaces,
            sampled: self.sampled(&evidence, &record),
            ..Layout::default()
        }
    }

    /// Whether spaces around a field without quotation marks are a part of its value, as in most CSV. They are
    /// not if the header and all rows have them behind every delimiter, or if `|` divides.
    fn keeps_spaces(&self, form: RecordForm, header: Option<&Header>) -> bool {
        let RecordForm::Row(delimiter @ Delimiter::Byte(byte)) = form else { return false };
        let mut lines = self.rows_below(form, header);
        lines.extend(header.map(|header| &header.line[..]));
        let has_spaces =
            |line: &[u8]| Fields::of_row(line, delimiter).has_spaces_behind_delimiters(line);
        byte != b'|' && !lines.into_iter().all(has_spaces)
    }

    /// The keys of the first object with a grid.
    fn first_keys(&self) -> Vec<String> {
        let first = self.head.records().find(|line| line.form() == Some(RecordForm::Object));
        let object = first.and_then(|line| json::object(line.text).ok()).unwrap_or_default();
        object.members().into_iter().map(|(key, _)| key.to_string()).collect()
    }

    /// What the head has besides puzzles.
    fn sampled(&self, evidence: &HeadEvidence, record: &RecordLayout) -> Sampled {
        let &RecordLayout { form, puzzle, solution, .. } = record;
        let field = solution.and_then(|field| evidence.fields.get(field));
        let is_role = |field: usize| field == puzzle || Some(field) == solution;
        let mut differing = evidence.differing.iter();
        let unread = differing.find(|it| it.0 == puzzle && Some(it.1) != solution);
        let mut fields = evidence.fields.iter().enumerate();
        let has_others = fields.any(|(field, it)| !is_role(field) && it.full() > 0);
        // Words behind a puzzle are one remark, however many they are.
        let is_width = |&width: &usize| match form {
            RecordForm::Row(Delimiter::Byte(_)) => !has_others,
            form => !has_others && matches!(form, RecordForm::Row(_)) && width == puzzle + 1,
        };
        Sampled {
            records: evidence.rows,
            puzzles: evidence.tally(puzzle).open(),
            answers: field
                .map_or(evidence.answered, |tally| tally.rows() - tally.count(FieldClass::Empty)),
            is_part: !self.head.ended,
            width: evidence.only_width().filter(is_width),
            unread: unread.map(|it| it.1),
        }
    }

    /// Whether line 1 says how many records there are.
    fn is_counted(&self) -> bool {
        self.head.lines.first().is_some_and(|line| line.kind == LineKind::Count)
    }

    /// The first field of a line that was a puzzle before it was damaged.
    fn damaged_grid(&self, line: &[u8]) -> Option<usize> {
        // Text around 81 cells in a value of JSON is no puzzle.
        if matches!(line.trim_ascii_start().first(), Some(b'{' | b'[')) {
            return None;
        }
        let fields = Fields::of_row(line, Delimiter::Any);
        let value = |field| FieldClass::of(field, &self.hints.blanks);
        fields.iter(line).map(value).position(|it| it.is_grid() || it == FieldClass::Damaged)
    }

    /// Which line is the first row of a table without a header. Comments can only be above it. Where rows begin
    /// with `#`, a row above the first grid is damaged: it begins like `#1`, and not like `# text`.
    fn first_row(&self) -> usize {
        let lines = &self.head.lines;
        let first = lines.iter().position(|line| line.form().is_some()).unwrap_or(lines.len());
        let is_hashed = lines.get(first).is_some_and(|line| line.text[0] == b'#');
        let is_damaged = |line: &HeadLine| is_hashed && is_name_with_hash(line.text);
        lines[..first].iter().position(is_damaged).unwrap_or(first)
    }

    /// Refuses an input without puzzles in the field where they should be.
    fn refuse_field(&self, header: Option<&Header>) -> String {
        self.lacking(header, self.hints.puzzle.as_ref(), "puzzle")
    }

    /// Refuses an input that lacks puzzles or answers in the field that was named, or in any.
    fn lacking(&self, header: Option<&Header>, named: Option<&ColumnRef>, what: &str) -> String {
        const CELLS: &str = "81 cells (1 to 9, and . 0 _ * or - for a blank)";
        let names = header.map_or(&[][..], |header| &header.names);
        let place = match named {
            Some(ColumnRef::Place(place)) => Some(*place),
            Some(ColumnRef::Name(name)) => position(names, &[name]),
            None => position(names, &PUZZLE_NAMES),
        };
        let looked_for = match (place, named) {
            _ if self.hints.grids => "lines of nine cells".to_owned(),
            (Some(place), _) => format!("{CELLS} in {}", field_name(names, place, false)),
            (None, Some(ColumnRef::Name(name))) => format!("a header that names a column {name:?}"),
            _ => {
                let known = PUZZLE_NAMES.join(", ");
                format!("a field of {CELLS}, or a header that names a column ({known})")
            }
        };
        let divided = self.hints.delimiter.map_or(String::new(), |it| format!(", divided by {it}"));
        let place = match self.head.lines.len() {
            0 => "64 KiB".to_owned(),
            1 => "line".to_owned(),
            lines => format!("{lines} lines"),
        };
        let first = self.head.lines.iter().find(|line| line.kind != LineKind::Empty);
        let first = shown(first.map_or(self.head.rest, |line| line.text));
        let lines: Vec<_> = self.head.lines.iter().map(|line| line.text).collect();
        let is_read = |hints: &Hints| decide(self.bytes, hints).0.is_ok();
        let remark = advice::remark(self.bytes, &lines, self.hints, is_read);
        let remark = remark.map_or(String::new(), |remark| format!("; {remark}"));
        format!(
            "no {what} found: looked for {looked_for}{divided}, in the first {place}; the first line \
             is \"{first}\"{remark}"
        )
    }
}

/// How often each value comes: the most frequent first, and of equal ones that which comes first.
fn count<T: PartialEq>(values: impl Iterator<Item = T>) -> Vec<(T, u64)> {
    let mut counts: Vec<(T, u64)> = Vec::new();
    for value in values {
        match counts.iter_mut().find(|(other, _)| *other == value) {
            Some((_, count)) => *count += 1,
            None => counts.push((value, 1)),
        }
    }
    counts.sort_by_key(|(_, count)| Reverse(*count));
    counts
}

#[cfg(test)]
mod tests {
    use super::*;

    const P: &str =
        "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";

    #[test]
    fn a_list_is_divided_at_the_character_next_to_the_puzzle() {
        for (byte, fields) in [(b';', 3), (b',', 3), (b'|', 3), (b'\t', 3), (b' ', 4)] {
            let row = [P, "Golden Nugget", "11.9\n"].join(str::from_utf8(&[byte]).unwrap());
            let layout = decide(row.repeat(2).as_bytes(), &Hints::default()).0.unwrap();
            assert_eq!(layout.record.fields, fields, "{row}");
        }
    }
}
