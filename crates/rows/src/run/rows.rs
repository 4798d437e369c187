//! The records of one chunk, written row by row: a worker says what it found, and the formats, the input's
//! other columns, the choice of records and the rejects are done here.

use super::column::Column;
use super::output::Output;
use crate::input::{Chunk, Columns, MAX_LINE_BYTES};
use crate::output::{Field, Format, Others, Style, Subject};
use crate::pipeline::HandOver;
use crate::puzzle::parse::PENCILMARKS;
use crate::puzzle::{Puzzle, Solution};
use ninefold_core::names::Named;
use std::fmt;
use std::io::Write;
use std::ops::{ControlFlow, Range};

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
    /// The term at this place.
    #[must_use]
    pub const fn of(place: usize) -> Self {
        Self(1 << place)
    }

    /// Whether the sets have a term in common.
    #[must_use]
    pub const fn meets(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }
}

/// A line of a chunk, and the puzzle in it.
#[derive(Clone)]
pub struct Row<'a> {
    /// The line, counted from 1 at the start of the chunk.
    pub line: u64,
    /// Where its bytes are in the chunk, if they are needed.
    pub place: Option<Range<usize>>,
    /// The puzzle. `None` if the line is malformed.
    pub puzzle: Option<&'a Puzzle>,
}

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

/// Memory for the records of chunks.
#[derive(Default)]
pub struct Memory {
    columns: Columns,
    text: Vec<u8>,
}

/// Writes the records of a chunk.
pub struct Rows<'a, K> {
    writing: &'a Writing,
    chunk: &'a Chunk<'a>,
    /// The input's name.
    name: &'a str,
    memory: &'a mut Memory,
    /// The row of the last record, and the place of its other columns among the records: the next record of
    /// the row has the same.
    others: Option<(Range<usize>, Range<usize>)>,
    /// What comes of the chunk.
    pub output: &'a mut Output<K>,
    /// Hands records over that are too many for memory.
    pub(super) hand_over: Option<HandOver<'a, Output<K>>>,
    /// Whether the rest of the chunk is given up.
    pub(super) is_given_up: bool,
}

/// Bytes of records that are handed over together: much more than a system call costs, and less than
/// the second-level cache.
const PART_BYTES: usize = 512 * 1024;

impl<K: Default> Rows<'_, K> {
    /// Hands the records so far over to be written if they are many, so that memory does not grow with
    /// them. `Break`: the run has ended, and no more are wanted.
    pub fn hand_over(&mut self) -> ControlFlow<()> {
        let Some(hand_over) = &mut self.hand_over else { return ControlFlow::Continue(()) };
        if self.output.records.len() < PART_BYTES {
            return ControlFlow::Continue(());
        }
        self.others = None;
        self.is_given_up = self.output.hand_over(hand_over).is_break();
        if self.is_given_up { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

impl<'a, K> Rows<'a, K> {
    /// Records of this chunk. `name` is that of its input.
    pub const fn new(
        writing: &'a Writing,
        chunk: &'a Chunk<'a>,
        name: &'a str,
        memory: &'a mut Memory,
        output: &'a mut Output<K>,
    ) -> Self {
        let (others, hand_over, is_given_up) = (None, None, false);
        Self { writing, chunk, name, memory, others, output, hand_over, is_given_up }
    }

    /// The rest of the chunk is given up: the record before says that a search was stopped.
    pub const fn give_up(&mut self) {
        self.is_given_up = true;
    }

    /// Adds 1 to the count at this place.
    #[inline]
    pub fn count(&mut self, place: usize) {
        self.output.counts.own[place] += 1;
    }

    /// How records are written.
    #[must_use]
    pub const fn style(&self) -> &'a Style {
        &self.writing.style
    }

    /// Whether a record of these terms is written with columns, so that its fields are needed.
    #[must_use]
    pub fn wants_fields(&self, terms: Terms) -> bool {
        matches!(self.style().format, Format::Csv | Format::Jsonl)
            && terms.meets(self.writing.select)
    }

    /// Whether lines without an answer are kept.
    #[must_use]
    pub const fn keeps_rejects(&self) -> bool {
        self.writing.rejects
    }

    /// Whether records of these terms are written.
    #[must_use]
    pub const fn wants(&self, terms: Terms) -> bool {
        terms.meets(self.writing.select)
    }

    /// A record, if its terms are chosen. `fields` are the columns of the command, [`Field::Puzzle`] for
    /// the puzzle; objects have the reason as well.
    pub fn push(
        &mut self,
        row: &Row<'_>,
        terms: Terms,
        fields: &[Field<'_>],
        short: Short<'_>,
        reason: Option<&dyn fmt::Display>,
    ) {
        if !self.wants(terms) {
            return;
        }
        let style = self.style();
        let records = &mut self.output.records;
        match (style.format, short) {
            (Format::Line, Short::Solution(solution)) => return records.push_solution(solution),
            (Format::Line, Short::Image(text) | Short::Text(text))
            | (Format::Text | Format::Grid, Short::Text(text)) => return records.push_raw(text),
            _ => {}
        }
        let cells = &mut [0; PENCILMARKS];
        let Memory { columns, text } = &mut *self.memory;
        let bytes = row.place.clone().map_or(&[][..], |place| &self.chunk.bytes()[place]);
        let puzzle = if let Some(puzzle) = row.puzzle {
            puzzle.line(style.blank, cells)
        } else {
            text.clear();
            text.extend_from_slice(&columns.puzzle(self.chunk.layout(), bytes));
            &text[..]
        };
        let input = style.input_names.then_some(self.name);
        let (line, is_text) = (row.line, row.puzzle.is_none());
        match style.format {
            Format::Csv | Format::Jsonl => {
                let said = self.others.take().filter(|(of, _)| Some(of) == row.place.as_ref());
                let others = match said {
                    Some((_, place)) => Others::As(place),
                    None => others_of(columns, style, self.chunk, bytes),
                };
                let subject = Subject { input, line, puzzle, is_text, others };
                let place = records.push_row(style, &subject, fields, reason);
                self.others = row.place.clone().map(|of| (of, place));
            }
            Format::Line | Format::Pair | Format::Text | Format::Grid | Format::Report => {
                match short {
                    Short::Nothing => {}
                    Short::Reason(reason) => records.push_comment(input, line, reason),
                    Short::Solution(solution) if style.format == Format::Grid => {
                        records.push_solved_grid(style, puzzle, solution);
                    }
                    Short::Image(image) if style.format == Format::Grid => {
                        records.push_grid(style, image);
                    }
                    Short::Solution(solution) => {
                        records.push_pair(puzzle);
                        records.push_solution(solution);
                    }
                    Short::Image(text) | Short::Text(text) => {
                        records.push_pair(puzzle);
                        records.push_raw(text);
                    }
                }
            }
        }
    }

    /// A line `FILE:LINE: reason` of a report, if its terms are chosen.
    pub fn report(&mut self, row: &Row<'_>, terms: Terms, reason: &dyn fmt::Display) {
        if self.style().format == Format::Report && self.wants(terms) {
            let records = &mut self.output.records;
            write!(records.bytes_mut(), "{}:", self.name).expect("memory takes all");
            records.push_line_number(row.line);
            writeln!(records.bytes_mut(), ": {reason}").expect("memory takes all");
        }
    }

    /// A record without an answer: it has a reason, and the line is a reject.
    pub fn fail(
        &mut self,
        row: &Row<'_>,
        terms: Terms,
        fields: &[Field<'_>],
        reason: &dyn fmt::Display,
    ) {
        self.push(row, terms, fields, Short::Reason(reason), Some(reason));
        self.reject(row, reason);
    }

    /// Counts a puzzle without an answer, and makes its record: the outcome is in the column `status`, the
    /// puzzle in the column of this name, and all others are empty. The counts of outcomes are the first
    /// of the command.
    ///
    /// # Panics
    /// Never: each outcome is one of all.
    pub fn unanswered<T: Named>(
        &mut self,
        outcome: T,
        puzzle: &str,
        row: &Row<'_>,
        reason: &dyn fmt::Display,
    ) {
        let place = T::ALL.iter().position(|it| *it == outcome).expect("it is one of all");
        self.count(place);
        let field = |column: &Column| match column.name {
            "status" => Field::Plain(outcome.name().as_bytes()),
            name if name == puzzle => Field::Puzzle,
            _ => Field::Empty,
        };
        let fields: Vec<_> = self.style().columns.iter().map(field).collect();
        self.fail(row, Terms::of(place), &fields, reason);
    }

    /// Keeps a line that was not answered, and why.
    pub fn reject(&mut self, row: &Row<'_>, reason: &dyn fmt::Display) {
        if !self.writing.rejects {
            return;
        }
        let (chunk, rejects) = (self.chunk, &mut self.output.rejects);
        let line = row.place.clone().map_or(&[][..], |place| &chunk.bytes()[place]);
        let input = self.writing.style.input_names.then_some(self.name);
        rejects.push_comment(input, row.line, reason);
        if row.place.as_ref().is_some_and(|place| chunk.is_cut(place)) {
            let cut = format_args!("of this line only the first {MAX_LINE_BYTES} bytes are kept");
            rejects.push_comment(input, row.line, &cut);
        }
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
    let mut fields = columns.others(layout, line, style.marked);
    if style.format == Format::Jsonl && !layout.has_missing_values() {
        for value in &mut fields {
            value.get_or_insert_default();
        }
    }
    Others::Fields(fields)
}
