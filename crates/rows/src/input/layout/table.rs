//! The layout of a table: its header, its delimiter, and the fields that the rules choose.

use super::detector::Detector;
use super::evidence::{Evidence, Number, Value};
use super::explain::{NoPuzzle, Wanted};
use super::head::{Form, HeadLine, Kind};
use super::header::{Header, position};
use super::line::{has_hidden_puzzle, is_key, is_object, is_word};
use super::refusal::{column_name, refuse_answers};
use super::rules::{ANSWER_RULES, Case, Choice, PUZZLE_RULES, decide};
use super::sample::records_of;
use super::shape::{Column, Layout, Shape, is_own_comment};
use crate::input::fields::{Delimiter, PUZZLE_NAMES, Rows, SOLUTION_NAMES, is_puzzle};
use crate::puzzle::Cell;

/// Records without a grid that may follow a header whose names are unknown.
const MOST_DAMAGED_ROWS: usize = 2;

/// The fields that a table has, and what the rules say of them.
pub(super) struct Reading {
    rows: Rows,
    pub(super) evidence: Evidence,
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

impl<'a> Detector<'a> {
    pub(super) fn table(&mut self) -> Result<Layout, NoPuzzle> {
        let hints = self.hints;
        let mut header = self.head.header(self.bytes, hints);
        // A comment may have the name of a field in it.
        if let Some(found) = header.take_if(|header| header.line.starts_with(b"#")) {
            let reading = self.read_rows(found.row_delimiter(hints), Some(&found));
            let named = match &hints.puzzle {
                Some(Column::Name(name)) => position(&found.names, &[name]),
                _ => position(&found.names, &PUZZLE_NAMES),
            };
            header = Some(found).filter(|_| reading.is_ok_and(|it| Some(it.rows.puzzle) == named));
        }
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
        let hashed: Vec<_> = self.rows_with_hash().map(|place| self.line(place)).collect();
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

    /// The records of a table that may be rows, in the order of the samples.
    fn rows_below(&self, delimiter: Delimiter, header: Option<&Header>) -> Vec<&'a [u8]> {
        let place = header.map_or(0, |header| header.place + 1);
        let lines = self.head.lines.iter().skip(place);
        let records = lines.filter(|line| matches!(line.kind, Kind::Record(_)));
        let mut rows: Vec<_> = records.map(|line| &self.bytes[line.bytes.clone()]).collect();
        rows.extend(records_of(&self.samples));
        if let Some(header) = header {
            rows.retain(|&row| row != header.line && Some(row) != header.rule.as_deref());
        }
        // Without a header and with other rows, the lines that begin with `#` may be comments of a list.
        let first = match header {
            Some(header) => header.place + 1,
            None if self.head.first_grid.is_none() => self.first_row(delimiter),
            None => self.head.lines.len(),
        };
        let hashed = self.head.lines[first..].iter().filter(|line| line.kind == Kind::Comment);
        let hashed = hashed.map(|line| &self.bytes[line.bytes.clone()]);
        rows.extend(hashed.filter(|line| !is_own_comment(line)));
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
        for row in self.rows_below(delimiter, header) {
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
    pub(super) fn read_rows(
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
    pub(super) fn finish_rows(&mut self, reading: Reading, header: Option<Header>) -> Layout {
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
        Layout {
            sampled: self.sampled(&evidence, rows.solution),
            ..self.finish(Shape::Rows(rows), header)
        }
    }
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
