//! The records of one puzzle: of what was found, and of the line itself if it was not answered.

use super::question::Question;
use super::stats::Output;
use crate::Status;
use crate::bulk::{At, RecordWriter};
use crate::engine::Answer;
use crate::input::Malformed;
use crate::output::{Failure, Format};
use crate::puzzle::parse::PENCILMARKS;
use crate::puzzle::{Puzzle, Solution};
use std::fmt;

/// Makes records as requested.
pub(super) struct Render {
    question: Question,
    writer: RecordWriter,
}

impl Render {
    pub(super) fn new(question: &Question) -> Self {
        let writer = RecordWriter::new(&question.style, question.rejects);
        Self { question: question.clone(), writer }
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
            self.writer.about(at, text, |style, subject| {
                output.records.push_solved(style, subject, status, 1, solution);
            });
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
            self.writer.about(at, text, |style, subject| {
                if matches!(style.format, Format::Line | Format::Pair | Format::Grid) {
                    output.records.push_comment(subject, &found);
                }
                for solution in solutions {
                    let status = Status::Multiple;
                    output.records.push_solved(style, subject, status, answer.count, solution);
                }
            });
        }
        if !all {
            let reason = format_args!("more than {most} solutions");
            self.writer.reject(at, &reason, &mut output.rejects);
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
        Self::without_solution(&self.question, &mut self.writer, at, text, failure, output);
    }

    /// A line that is no puzzle.
    pub(super) fn malformed(&mut self, at: &At, error: &Malformed, output: &mut Output) {
        let question = &self.question;
        self.writer.with_malformed_text(at, |writer, text| {
            let failure = Failure::Malformed(error);
            Self::without_solution(question, writer, at, text, &failure, output);
        });
    }

    fn without_solution(
        question: &Question,
        writer: &mut RecordWriter,
        at: &At,
        text: &[u8],
        failure: &Failure,
        output: &mut Output,
    ) {
        if question.select.contains(failure.status()) {
            writer.about(at, text, |style, subject| {
                output.records.push_failure(style, subject, failure);
            });
        }
        writer.reject(at, failure, &mut output.rejects);
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
