//! The records of one puzzle: of what was found, and of the line itself if it was not answered.

use super::output::Output;
use super::question::Question;
use crate::Status;
use crate::engine::Answer;
use crate::input::{Chunk, Columns, MAX_LINE_BYTES, Malformed};
use crate::output::{Failure, Format, Style, Subject};
use crate::puzzle::parse::PENCILMARKS;
use crate::puzzle::{Puzzle, Solution};
use std::borrow::Cow;
use std::fmt;
use std::ops::Range;

/// Where records come from.
#[derive(Clone, Copy)]
pub(super) struct From<'a> {
    pub(super) chunk: &'a Chunk<'a>,
    /// The input's name, if records say it.
    pub(super) input: Option<&'a str>,
}

/// The place of a puzzle.
pub(super) struct At<'a> {
    pub(super) from: From<'a>,
    /// The line, counted from 1 at the start of the chunk.
    pub(super) line: u64,
    /// Its bytes in the chunk, if they are needed.
    pub(super) place: Option<Range<usize>>,
}

impl<'a> At<'a> {
    fn bytes(&self) -> &'a [u8] {
        self.place.clone().map_or(&[], |place| &self.from.chunk.bytes()[place])
    }
}

/// Makes records as requested.
pub(super) struct Render {
    question: Question,
    columns: Columns,
    /// For the text of a malformed puzzle.
    text: Vec<u8>,
}

impl Render {
    pub(super) fn new(question: &Question) -> Self {
        Self { question: question.clone(), columns: Columns::new(), text: Vec::new() }
    }

    /// Whether the record of a puzzle with one solution is the solution alone.
    pub(super) fn writes_solutions_alone(&self) -> bool {
        let selected = self.question.select.contains(self.question.answered());
        selected && self.question.style.format == Format::Line
    }

    /// A puzzle with one solution.
    pub(super) fn solved(
        &mut self,
        at: &At,
        puzzle: &Puzzle,
        status: Status,
        solution: &Solution,
        output: &mut Output,
    ) {
        if self.question.select.contains(status) {
            let memory = &mut [0; PENCILMARKS];
            let text = puzzle.line(self.question.style.blank, memory);
            let style = &self.question.style;
            let others = Others::of(&mut self.columns, style, at);
            let subject = others.subject(at, text);
            output.records.push_solved(style, &subject, status, 1, solution);
        }
    }

    /// A puzzle with several solutions. All of them, or the first ones, are written.
    pub(super) fn every(
        &mut self,
        at: &At,
        puzzle: &Puzzle,
        most: usize,
        answer: &Answer,
        solutions: &[Solution],
        output: &mut Output,
    ) {
        let all = answer.count <= most;
        output.stats.statuses[Status::Multiple] += 1;
        output.stats.incomplete += u64::from(!all);
        let memory = &mut [0; PENCILMARKS];
        let text = puzzle.line(self.question.style.blank, memory);
        let found = Found { count: answer.count, written: solutions.len() };
        if self.question.select.contains(Status::Multiple) {
            let style = &self.question.style;
            let others = Others::of(&mut self.columns, style, at);
            let subject = others.subject(at, text);
            if matches!(style.format, Format::Line | Format::Pair | Format::Grid) {
                output.records.push_comment(&subject, &found);
            }
            for solution in solutions {
                let status = Status::Multiple;
                output.records.push_solved(style, &subject, status, answer.count, solution);
            }
        }
        if !all {
            self.reject(at, &format_args!("more than {most} solutions"), output);
        }
    }

    /// A puzzle without a solution.
    pub(super) fn failure(
        &mut self,
        at: &At,
        puzzle: &Puzzle,
        failure: &Failure,
        output: &mut Output,
    ) {
        let memory = &mut [0; PENCILMARKS];
        let text = puzzle.line(self.question.style.blank, memory);
        self.without_solution(at, text, failure, output);
    }

    /// A line that is no puzzle.
    pub(super) fn malformed(&mut self, at: &At, error: &Malformed, output: &mut Output) {
        let mut text = std::mem::take(&mut self.text);
        text.clear();
        text.extend_from_slice(&self.columns.puzzle(at.from.chunk.layout(), at.bytes()));
        self.without_solution(at, &text, &Failure::Malformed(error), output);
        self.text = text;
    }

    fn without_solution(&mut self, at: &At, text: &[u8], failure: &Failure, output: &mut Output) {
        if self.question.select.contains(failure.status()) {
            let style = &self.question.style;
            let others = Others::of(&mut self.columns, style, at);
            let subject = others.subject(at, text);
            output.records.push_failure(style, &subject, failure);
        }
        self.reject(at, failure, output);
    }

    /// Keeps a line that was not answered, and why.
    fn reject(&self, at: &At, reason: &dyn fmt::Display, output: &mut Output) {
        if !self.question.rejects {
            return;
        }
        let (line, none) = (at.bytes(), Others::default());
        output.rejects.push_comment(&none.subject(at, line), reason);
        if at.place.as_ref().is_some_and(|place| at.from.chunk.is_cut(place)) {
            let cut = format_args!("of this line only the first {MAX_LINE_BYTES} bytes are kept");
            output.rejects.push_comment(&none.subject(at, line), &cut);
        }
        output.rejects.push_raw(line);
        if at.from.chunk.layout().has_grids() {
            // A grid with too few rows would take those of the next one.
            output.rejects.push_raw(b"");
        }
    }
}

/// The input's other columns, if they are wanted: of an object that becomes one, as they are written.
#[derive(Default)]
struct Others<'a> {
    fields: Vec<Cow<'a, [u8]>>,
    members: Vec<(String, String)>,
}

impl<'a> Others<'a> {
    fn of(columns: &'a mut Columns, style: &Style, at: &At<'a>) -> Self {
        if style.other_columns.is_none() {
            return Self::default();
        }
        let (layout, line) = (at.from.chunk.layout(), at.bytes());
        if style.format == Format::Jsonl
            && let Some(members) = Columns::members(layout, line)
        {
            return Self { members, ..Self::default() };
        }
        Self { fields: columns.others(layout, line), ..Self::default() }
    }

    /// Which record it is.
    fn subject<'b>(&'b self, at: &At<'b>, puzzle: &'b [u8]) -> Subject<'b> {
        let (others, members) = (&self.fields, &self.members);
        Subject { input: at.from.input, line: at.line, puzzle, others, members }
    }
}

/// How many solutions follow.
struct Found {
    count: usize,
    written: usize,
}

impl fmt::Display for Found {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.count > self.written {
            let Self { written, .. } = self;
            write!(f, "more than {written} solutions, of which {written} follow")
        } else {
            write!(f, "{} solutions", self.count)
        }
    }
}
