//! The state of a detection, what the steps have in common, and the layout that they result in.

use super::delimiter::{beside_puzzle, row_delimiter};
use super::evidence::{Evidence, Role};
use super::explain::Explanation;
use super::head::{Head, HeadLine, Kind};
use super::header::{Header, position};
use super::line::is_name_with_hash;
use super::rules::{ANSWER_RULES, PUZZLE_RULES, Rule};
use super::sample::whole_lines;
use super::shape::{Column, Hints, Layout, Patience, Sampled, Shape};
use crate::input::fields::{Delimiter, Fields, PUZZLE_NAMES, Rows, is_puzzle, resembles_puzzle};
use std::collections::BTreeSet;

/// Finds a layout in the lines of the samples.
pub(super) struct Detector<'a> {
    pub(super) hints: &'a Hints,
    /// Collects the candidates, if the decision is to be explained.
    pub(super) said: Option<&'a mut Explanation>,
    pub(super) bytes: &'a [u8],
    pub(super) ended: bool,
    /// The lines are made of a JSON document.
    pub(super) is_document: bool,
    pub(super) samples: Vec<&'a [u8]>,
    pub(super) head: Head,
    pub(super) fields: Fields,
}

impl<'a> Detector<'a> {
    pub(super) fn new(
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
        let fields = Fields::default();
        Self { hints, said, bytes, ended, is_document: false, samples, head, fields }
    }

    /// The bytes of a line of the head.
    pub(super) fn line(&self, place: usize) -> &'a [u8] {
        &self.bytes[self.head.lines[place].bytes.clone()]
    }

    /// The records of the head.
    pub(super) fn records(&self) -> impl Iterator<Item = &'a [u8]> {
        let bytes = self.bytes;
        let records = self.head.lines.iter().filter(|it| matches!(it.kind, Kind::Record(_)));
        records.map(move |line| &bytes[line.bytes.clone()])
    }

    /// The number of a line of the head.
    pub(super) fn number(&self, place: usize) -> u64 {
        self.head.lines[place].number
    }

    /// Whether line 1 says how many records there are.
    pub(super) fn is_counted(&self) -> bool {
        self.head.lines.first().is_some_and(|line| line.kind == Kind::Count)
    }

    /// The character next to 81 cells, if it may be a delimiter that is not known.
    pub(super) fn beside_puzzle(&self) -> Option<u8> {
        if self.hints.delimiter.is_some() {
            return None;
        }
        self.records().find_map(|line| beside_puzzle(line, &self.hints.blanks))
    }

    /// Whether a line has a field that was a puzzle before it was damaged.
    pub(super) fn has_damaged_grid(&mut self, line: &[u8]) -> bool {
        // Text around 81 cells in a value of JSON is no puzzle.
        if matches!(line.trim_ascii_start().first(), Some(b'{' | b'[')) {
            return false;
        }
        self.fields.split(line, Delimiter::Any);
        self.fields.iter(line).any(|field| resembles_puzzle(field, &self.hints.blanks))
    }

    /// The lines that begin with `#` and are rows of a table: a field behind the first has a grid.
    pub(super) fn rows_with_hash(&self) -> impl Iterator<Item = usize> {
        let (bytes, hints) = (self.bytes, self.hints);
        let mut fields = Fields::default();
        let lines = self.head.lines.iter().enumerate();
        let mut is_row = move |line: &HeadLine| {
            let line = &bytes[line.bytes.clone()];
            let delimiter = row_delimiter(line, hints, &mut fields);
            let divided = matches!(delimiter, Some(Delimiter::Byte(_)))
                || delimiter.is_some() && is_name_with_hash(line);
            divided && fields.iter(line).skip(1).any(|field| is_puzzle(field, &hints.blanks))
        };
        let comments = lines.filter(|(_, line)| line.kind == Kind::Comment);
        comments.filter(move |(_, line)| is_row(line)).map(|(place, _)| place)
    }

    /// Which line is the first row of a table without a header. Comments can only be above it.
    ///
    /// The row may be damaged. A line above the first grid is a row if it has as many fields as the row
    /// of that grid; and, where rows begin with `#`, if it begins like `#1` and not like `# text`.
    pub(super) fn first_row(&self, delimiter: Delimiter) -> usize {
        let lines = &self.head.lines;
        let hashed = self.rows_with_hash().next().unwrap_or(lines.len());
        let first = hashed.min(self.head.first_grid.unwrap_or(lines.len()));
        if first == lines.len() {
            return first;
        }
        let mut fields = Fields::default();
        fields.split(self.line(first), delimiter);
        let width = fields.len();
        let is_hashed = first == hashed;
        let mut is_damaged = |place: usize| {
            let line = self.line(place);
            fields.split(line, delimiter);
            let is_as_wide = matches!(delimiter, Delimiter::Byte(_)) && fields.len() == width;
            let is_row = match lines[place].kind {
                Kind::Comment => is_hashed && (is_as_wide || is_name_with_hash(line)),
                Kind::Record(_) => is_as_wide,
                _ => false,
            };
            is_row && fields.len() > 1
        };
        (0..first).find(|&place| is_damaged(place)).unwrap_or(first)
    }

    /// Whether the caller looks at the answers.
    pub(super) fn needs_answers(&self) -> bool {
        self.hints.patience == Patience::Head
    }

    /// Explains a line.
    pub(super) fn say(
        &mut self,
        line: u64,
        reading: &str,
        accepted: bool,
        reason: impl Into<String>,
    ) {
        if let Some(said) = &mut self.said {
            said.candidate(line, reading.to_owned(), accepted, reason.into());
        }
    }

    /// Adds the evidence of each field to the explanation.
    pub(super) fn show_fields(
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
    pub(super) fn show_rules(&mut self, puzzle: usize, answers: usize) {
        let Some(said) = &mut self.said else { return };
        let text = |rules: &[Rule], number: usize| rules[number - 1].text;
        said.field(format!("puzzle rule {puzzle}: {}", text(&PUZZLE_RULES, puzzle)));
        said.field(format!("answer rule {answers}: {}", text(&ANSWER_RULES, answers)));
    }

    /// The layout of this shape.
    pub(super) fn finish(&mut self, shape: Shape, header: Option<Header>) -> Layout {
        let blanks = match &shape {
            Shape::Rows(Rows { delimiter: Delimiter::Byte(byte), .. }) => {
                self.hints.blanks.without(*byte)
            }
            _ => self.hints.blanks,
        };
        let counted = self.is_counted();
        let is_table = match &shape {
            Shape::Rows(rows) => header.is_some() || rows.puzzle > 0 || rows.solution.is_some(),
            _ => false,
        };
        let start = match (&header, &shape) {
            (Some(header), _) => header.place,
            (None, Shape::Rows(rows)) if is_table => self.first_row(rows.delimiter),
            _ => 0,
        };
        let lines = &self.head.lines;
        let (mut comments, mut titles) = (BTreeSet::new(), Vec::new());
        let by_name = header.as_ref().is_some_and(|header| {
            let named = position(&header.names, &PUZZLE_NAMES);
            named.is_some() || matches!(self.hints.puzzle, Some(Column::Name(_)))
        });
        for (place, line) in lines.iter().enumerate() {
            let bytes = &self.bytes[line.bytes.clone()];
            match line.kind {
                Kind::Comment if place < start => {
                    comments.insert(bytes.to_vec());
                }
                Kind::Separator(_) => titles.push((line.number, bytes.to_vec())),
                Kind::Record(_) if by_name && place < start => {
                    titles.push((line.number, bytes.to_vec()));
                }
                _ => {}
            }
        }
        for (number, _) in &titles {
            self.say(*number, "title", true, "is skipped");
        }
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
            parquet: None,
            sampled: Sampled::default(),
        }
    }

    /// What the sample of a table or of objects has besides puzzles.
    pub(super) fn sampled(&self, evidence: &Evidence, solution: Option<usize>) -> Sampled {
        let field = solution.and_then(|field| evidence.fields.get(field));
        Sampled {
            records: evidence.rows,
            answers: field.map_or(evidence.answered, |tally| tally.rows - tally.empty),
            is_part: !self.ended || self.head.is_complete,
            mixed: None,
            is_early: false,
        }
    }
}
