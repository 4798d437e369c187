//! The records of one chunk, written row by row: a worker says what it found, and the formats, the input's
//! other columns, the choice of records and the rejects are done here.

use super::turn::LineNumbers;
use super::{Countable, Error, Output, SlowPlace, Turn};
use crate::Verdict;
use crate::input::{Chunk, Columns, Malformed, Puzzles, Record, Row, Want};
use crate::names::Named;
use crate::output::{Column, Field, Format, Kind, Others, Short, Style, Subject};
use crate::pipeline::HandOver;
use crate::puzzle::Solution;
use crate::puzzle::parse::PENCILMARKS;
use std::fmt;
use std::ops::{ControlFlow, Range};
use std::time::Instant;

/// How records are written, and which.
#[derive(Clone, Debug, Default)]
pub struct Writing {
    /// Their format and columns.
    pub style: Style,
    /// The terms of the command, one bit each, whose records are written.
    pub select: Terms,
    /// Whether lines without an answer are kept.
    pub rejects: bool,
}

/// A set of the terms of a command: its statuses, or what it finds of a puzzle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Terms(pub u32);

impl Default for Terms {
    /// All terms.
    fn default() -> Self {
        Self(u32::MAX)
    }
}

impl Terms {
    /// This term.
    pub fn of(it: impl Countable) -> Self {
        Self(1 << it.place())
    }

    /// Whether the sets have a term in common.
    pub(crate) const fn meets(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }
}

/// Why a field cannot be written as text, or compared with one.
pub(crate) const NOT_UTF8: &str =
    "a field is not UTF-8; convert the file: iconv -f WINDOWS-1252 -t UTF-8 FILE > NEW";

/// Memory for the records of chunks.
#[derive(Default)]
pub(crate) struct Memory {
    columns: Columns,
    text: Vec<u8>,
}

impl Writing {
    /// What workers need of each line.
    pub(crate) fn want(&self) -> Want {
        Want { lines: self.rejects || self.style.other_columns.is_some(), solutions: false }
    }
}

/// Writes the records of a chunk.
pub struct Rows<'a, K> {
    pub(crate) writing: &'a Writing,
    /// The chunk, unless puzzles are made from nothing.
    chunk: Option<Chunk<'a>>,
    /// The input's name.
    name: &'a str,
    memory: &'a mut Memory,
    /// The row of the last record, and the place of its other columns among the records: the next record of
    /// the row has the same.
    others: Option<(Range<usize>, Range<usize>)>,
    /// What comes of the chunk.
    pub(crate) output: &'a mut Output<K>,
    /// Memory for the puzzles of the chunk, until it is read.
    pub(super) puzzles: Option<&'a mut Puzzles>,
    /// The turn of the chunk, if it is one of inputs.
    pub(super) turn: Option<(&'a LineNumbers<'a>, &'a Turn<'a>)>,
    /// Why the run ends with this chunk: its output does not count.
    pub(crate) failed: Option<Error>,
    /// Hands records over that are too many for memory.
    pub(super) hand_over: Option<HandOver<'a, Output<K>>>,
}

/// Bytes of records that are handed over together: much more than a system call costs, and less than
/// the second-level cache.
const PART_BYTES: usize = 512 * 1024;

impl<K> Rows<'_, K> {
    /// Hands the records so far over to be written if they are many, so that memory does not grow with
    /// them. `Break`: the run has ended, and no more are wanted.
    pub(crate) fn hand_over(&mut self) -> ControlFlow<()> {
        let Some(hand_over) = &mut self.hand_over else { return ControlFlow::Continue(()) };
        if self.output.records.len() < PART_BYTES {
            return ControlFlow::Continue(());
        }
        self.others = None;
        let flow = hand_over(self.output);
        self.output.records.restart();
        self.output.rejects.restart();
        flow
    }
}

impl<'a, K> Rows<'a, K> {
    /// Records of this chunk. `name` is that of its input.
    pub(crate) const fn new(
        writing: &'a Writing,
        chunk: Option<Chunk<'a>>,
        name: &'a str,
        memory: &'a mut Memory,
        output: &'a mut Output<K>,
    ) -> Self {
        let (others, puzzles, hand_over) = (None, None, None);
        let (turn, failed) = (None, None);
        Self { writing, chunk, name, memory, others, output, puzzles, turn, failed, hand_over }
    }

    /// Reads the puzzles of the chunk, once. Counts lines, puzzles and what all runs count of them.
    pub(crate) fn read(&mut self, chunk: &Chunk<'_>) -> &'a mut Puzzles {
        let puzzles = self.puzzles.take().expect("a chunk is read once");
        puzzles.read(chunk);
        let counts = &mut self.output.counts;
        counts.lines = puzzles.line_count();
        counts.puzzles = puzzles.count() as u64;
        counts.comments = puzzles.comments();
        counts.between_grids = puzzles.between_grids();
        let (full_grids, first) = puzzles.full_grids();
        counts.full_grids = full_grids as u64;
        self.output.firsts.full = first;
        // The chunks behind wait for it.
        self.pass();
        let counts = &mut self.output.counts;
        for record in puzzles.records() {
            if let Record::Malformed { error, .. } = record {
                counts.puzzles += 1;
                counts.reasons[error.reason() as usize] += 1;
            }
        }
        puzzles
    }

    /// Tells how many lines the chunk has, and learns how many are before it. Does nothing if that was done.
    pub(super) fn pass(&mut self) {
        if let (Some((numbering, turn)), None) = (self.turn, self.output.place) {
            let Output { input, counts, .. } = self.output;
            self.output.place = Some(numbering.pass(turn, *input, counts.lines));
        }
    }

    /// The number of a line of the chunk in its input: what records say. In a shard, this may read the whole input
    /// before it.
    pub(crate) fn line(&mut self, line: u64) -> u64 {
        let Some((numbering, _)) = self.turn else { return line };
        let before = numbering.before(self.output.input).unwrap_or_else(|error| {
            self.failed = Some(error);
            0
        });
        before + self.output.lines_read() + line
    }

    /// The name of the input and the number of a line of the chunk in it.
    pub(crate) fn at(&mut self, line: u64) -> (&'a str, u64) {
        (self.name, self.line(line))
    }

    /// The turn of the chunk among those of the inputs.
    pub(crate) fn turn(&self) -> &'a Turn<'a> {
        self.turn.expect("a chunk of inputs").1
    }

    /// Lines of all inputs before the chunk. A line of the chunk has this number and its own as its ordinal.
    pub(crate) fn lines_before(&self) -> u64 {
        self.output.place.unwrap_or_default().ordinal
    }

    /// The name of the input and the line that have this ordinal.
    pub(crate) fn place(&mut self, ordinal: u64) -> (&'a str, u64) {
        let (numbering, _) = self.turn.expect("a chunk of inputs");
        numbering.place(ordinal).unwrap_or_else(|error| {
            self.failed = Some(error);
            (self.name, 0)
        })
    }

    /// Writes the records of all puzzles with `push`, which has their numbers. Malformed lines have this status.
    pub(crate) fn each(
        &mut self,
        puzzles: &Puzzles,
        malformed: impl Named,
        mut push: impl FnMut(&Row, usize, &mut Self),
    ) -> ControlFlow<()> {
        for (row, number) in puzzles.rows() {
            match number {
                Ok(number) => push(&row, number, self),
                Err(error) => self.unanswered(&row, malformed, &error),
            }
        }
        ControlFlow::Continue(())
    }

    /// Does the work on the puzzles, which is timed. It gives the line that took longest.
    pub(crate) fn work(&mut self, work: impl FnOnce(&mut Output<K>) -> Option<SlowPlace>) {
        let started = Instant::now();
        self.output.slowest = work(self.output);
        self.output.solve_time = started.elapsed();
    }

    /// Adds 1 to a count.
    pub(crate) fn count(&mut self, it: impl Countable) {
        self.output.counts[it] += 1;
    }

    /// How records are written.
    pub(crate) const fn style(&self) -> &'a Style {
        &self.writing.style
    }

    /// Whether a record of these terms is written with columns, so that its fields are needed.
    pub(crate) fn wants_fields(&self, terms: Terms) -> bool {
        matches!(self.style().format, Format::Csv | Format::Jsonl) && self.wants(terms)
    }

    /// Whether records of these terms are written.
    pub(crate) const fn wants(&self, terms: Terms) -> bool {
        terms.meets(self.writing.select)
    }

    /// A record, if its terms are chosen. `fields` are the columns of the command, [`Field::Puzzle`] for
    /// the puzzle.
    pub(crate) fn push(&mut self, row: &Row, terms: Terms, fields: &[Field<'_>], short: Short<'_>) {
        let style = self.style();
        if !self.wants(terms) || self.output.records.push_answer(style.format, short) {
            return;
        }
        let has_line = self.wants_fields(terms) || matches!(short, Short::Reason(_));
        let line = if has_line { self.line(row.line) } else { 0 };
        let cells = &mut [0; PENCILMARKS];
        let Memory { columns, text } = &mut *self.memory;
        let chunk = self.chunk.as_ref();
        let text_of = |(chunk, bytes): (_, Range<usize>)| (chunk, &Chunk::bytes(chunk)[bytes]);
        let written = chunk.zip(row.bytes.clone()).map(text_of);
        let puzzle = if let Some(puzzle) = &row.puzzle {
            puzzle.line(style.blank, cells)
        } else {
            text.clear();
            if let Some((chunk, line)) = written {
                text.extend_from_slice(&columns.puzzle(chunk.layout(), line));
            }
            &text[..]
        };
        let said = self.others.take().filter(|(of, _)| Some(of) == row.bytes.as_ref());
        let others = match (said, written) {
            (Some((_, place)), _) => Others::As(place),
            (None, Some((chunk, line))) => others_of(columns, style, chunk, line),
            (None, None) => Others::Fields(Vec::new()),
        };
        if let Others::Fields(fields) = &others
            // Most fields are ASCII, which is found out faster.
            && fields.iter().flatten().any(|it| !it.is_ascii() && std::str::from_utf8(it).is_err())
        {
            let refused = || Error::Refused(format!("{}: line {line}: {NOT_UTF8}", self.name));
            self.failed.get_or_insert_with(refused);
        }
        let input = style.input_names.then_some(self.name);
        let is_text = row.puzzle.is_none();
        let subject = Subject { input, line, puzzle, is_text, others };
        let place = self.output.records.push(style, &subject, fields, short);
        self.others = row.bytes.clone().zip(place);
    }

    /// A line `FILE:LINE: reason` of a report, if its terms are chosen.
    pub(crate) fn report(&mut self, row: &Row, terms: Terms, reason: &dyn fmt::Display) {
        if self.style().format == Format::Report && self.wants(terms) {
            let line = self.line(row.line);
            self.output.records.push_fault(self.name, line, reason);
        }
    }

    /// A record without an answer: it has a reason, and the line is a reject.
    pub(crate) fn fail(
        &mut self,
        row: &Row,
        terms: Terms,
        fields: &[Field<'_>],
        reason: &dyn fmt::Display,
    ) {
        self.push(row, terms, fields, Short::Reason(reason));
        self.reject(row, reason);
    }

    /// Counts a puzzle without an answer, and makes its record: all columns but those of the status and of the
    /// puzzle are empty.
    pub(crate) fn unanswered(&mut self, row: &Row, status: impl Named, reason: &dyn fmt::Display) {
        self.count(status);
        let field = |column: &Column| match column.kind {
            Kind::Status => Field::Plain(status.name().as_bytes()),
            Kind::Puzzle => Field::Puzzle,
            _ => Field::Empty,
        };
        let fields: Vec<_> = self.style().columns.iter().map(field).collect();
        self.fail(row, Terms::of(status), &fields, reason);
    }

    /// As [`unanswered`](Self::unanswered), with the status that is called like that of the verdict.
    ///
    /// # Panics
    /// If the command has no such status.
    pub(crate) fn unsolved<T: Named>(
        &mut self,
        row: &Row,
        verdict: &Verdict<&Solution, &Malformed>,
    ) {
        let status = T::by_name(verdict.status().name());
        self.unanswered(row, status.expect("each status has an outcome"), verdict);
    }

    /// Keeps a line that was not answered, and why.
    pub(crate) fn reject(&mut self, row: &Row, reason: &dyn fmt::Display) {
        let Some(chunk) = self.chunk.filter(|_| self.writing.rejects) else { return };
        let number = self.line(row.line);
        let rejects = &mut self.output.rejects;
        let line = row.bytes.clone().map_or(&[][..], |bytes| &chunk.bytes()[bytes]);
        let input = self.writing.style.input_names.then_some(self.name);
        rejects.push_comment(input, number, reason);
        rejects.push_raw(&chunk.layout().as_text(line));
        if chunk.layout().has_grids() {
            // A grid with too few rows would take those of the next one.
            rejects.push_raw(b"");
        }
    }
}

/// The other columns of a line, if they are wanted: of an object that becomes one, as they are written.
fn others_of<'a>(
    columns: &'a mut Columns,
    style: &Style,
    chunk: &'a Chunk,
    line: &'a [u8],
) -> Others<'a> {
    let columns_of_csv = |names: &Vec<_>| style.format == Format::Csv && names.is_empty();
    if style.other_columns.as_ref().is_none_or(columns_of_csv) {
        return Others::Fields(Vec::new());
    }
    let layout = chunk.layout();
    if style.format == Format::Jsonl
        && let Some(members) = Columns::members(layout, line)
    {
        return Others::Members(members);
    }
    let mut fields = columns.others(layout, line);
    if style.format == Format::Jsonl && !layout.has_missing_values() {
        for value in &mut fields {
            value.get_or_insert_default();
        }
    }
    Others::Fields(fields)
}
