//! One puzzle, one record: its solution, or why there is none.
//!
//! Whoever makes a chunk's records does not know yet how many lines came before the chunk. So
//! the number is left open, and set when the records are written in order:
//!
//! ```text
//! bytes     …8617⏎# a.txt: line : no solution⏎5346…
//! splices                       └ line 17 of this chunk
//! ```
//!
//! Solutions alone have no number: a chunk of them is written as it stands.

use super::style::{Format, Style};
use crate::Status;
use crate::puzzle::rules::Clashes;
use crate::puzzle::{Cell, Grid, Solution};
use std::borrow::Cow;
use std::fmt;
use std::io::Write;

/// Why a puzzle has no solution for its record.
#[derive(Clone, Copy)]
pub enum Failure<'a> {
    /// It is no puzzle, for this reason.
    Malformed(&'a dyn fmt::Display),
    /// A digit stands twice in a house of this puzzle.
    Conflict(&'a Grid),
    /// It cannot be solved.
    NoSolution,
    /// It has more than one solution.
    Several {
        /// How many were found: two or more.
        found: usize,
        /// Whether there are no others, or they were just not looked for.
        all: bool,
    },
}

impl Failure<'_> {
    /// The same in one word.
    #[must_use]
    pub const fn status(&self) -> Status {
        match self {
            Self::Malformed(_) => Status::Malformed,
            Self::Conflict(_) => Status::Conflict,
            Self::NoSolution => Status::None,
            Self::Several { .. } => Status::Multiple,
        }
    }

    /// How many solutions were found, if they were looked for.
    pub(super) const fn solutions(&self) -> Option<usize> {
        match self {
            Self::Malformed(_) => None,
            Self::Conflict(_) | Self::NoSolution => Some(0),
            Self::Several { found, .. } => Some(*found),
        }
    }
}

impl fmt::Display for Failure<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Malformed(reason) => reason.fmt(f),
            Self::Conflict(puzzle) => Clashes(puzzle).fmt(f),
            Self::NoSolution => f.write_str("no solution"),
            Self::Several { found, all: true } => write!(f, "{found} solutions"),
            Self::Several { found: 2, all: false } => f.write_str("more than one solution"),
            Self::Several { found, all: false } => write!(f, "{found} or more solutions"),
        }
    }
}

/// Which record it is: what formats other than `line` say besides the answer.
#[derive(Clone, Copy)]
pub struct Subject<'a> {
    /// The input's name, if records say it.
    pub input: Option<&'a str>,
    /// The line, counted from 1 at the start of the chunk.
    pub line: u64,
    /// The puzzle as it is to be written: its cells, or the text that is none.
    pub puzzle: &'a [u8],
    /// The input's other columns: one for each name of them in the style.
    pub others: &'a [Cow<'a, [u8]>],
    /// Of an object that becomes one: its other keys, and their values in JSON.
    pub members: &'a [(String, String)],
}

/// A line number to be set.
#[derive(Clone, Copy, Debug)]
struct Splice {
    /// Where in the bytes.
    offset: usize,
    /// The line, counted from 1 at the start of the chunk.
    line: u64,
}

/// The records of a chunk, with the memory for them.
#[derive(Debug, Default)]
pub struct Records {
    pub(super) bytes: Vec<u8>,
    splices: Vec<Splice>,
}

/// Memory takes all that is written to it.
pub(super) const FULL: &str = "memory takes all that is written to it";

impl Records {
    /// No records.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Begins anew, with room for so many solutions.
    pub fn restart(&mut self, solutions: usize) {
        self.bytes.clear();
        self.splices.clear();
        self.bytes.reserve(solutions * (Cell::COUNT + 1));
    }

    /// Whether there are none.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// A solution, by itself.
    #[inline]
    pub fn push_solution(&mut self, solution: &Solution) {
        let mut record = [b'\n'; Cell::COUNT + 1];
        record[..Cell::COUNT].copy_from_slice(&solution.line());
        self.bytes.extend_from_slice(&record);
    }

    /// A puzzle with a solution: one of so many, `status` says whether there may be others.
    pub fn push_solved(
        &mut self,
        style: &Style,
        subject: &Subject,
        status: Status,
        count: usize,
        solution: &Solution,
    ) {
        match style.format {
            Format::Line => self.push_solution(solution),
            Format::Pair => {
                self.bytes.extend_from_slice(subject.puzzle);
                self.bytes.push(b',');
                self.push_solution(solution);
            }
            Format::Csv | Format::Jsonl => {
                let solution = solution.line();
                self.push_row(style, subject, status, Some(count), Some(&solution), None);
            }
        }
    }

    /// A puzzle without a solution.
    ///
    /// # Panics
    /// Never: memory takes all that is written to it.
    pub fn push_failure(&mut self, style: &Style, subject: &Subject, failure: &Failure) {
        match style.format {
            Format::Line | Format::Pair => {
                self.push_comment(subject, failure);
            }
            Format::Csv | Format::Jsonl => {
                let (status, count) = (failure.status(), failure.solutions());
                self.push_row(style, subject, status, count, None, Some(failure));
            }
        }
    }

    /// A comment that says which line it is about.
    ///
    /// # Panics
    /// Never: memory takes all that is written to it.
    pub fn push_comment(&mut self, subject: &Subject, text: &dyn fmt::Display) {
        self.bytes.extend_from_slice(b"# ");
        if let Some(input) = subject.input {
            self.bytes.extend_from_slice(input.as_bytes());
            self.bytes.extend_from_slice(b": ");
        }
        self.bytes.extend_from_slice(b"line ");
        self.push_line_number(subject.line);
        writeln!(self.bytes, ": {text}").expect(FULL);
    }

    /// These bytes and a line end, as they stand.
    pub fn push_raw(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
        self.bytes.push(b'\n');
    }

    pub(super) fn push_line_number(&mut self, line: u64) {
        self.splices.push(Splice { offset: self.bytes.len(), line });
    }

    /// The bytes of all records, for a chunk that begins after so many lines of its input.
    /// `memory` is there to be used again.
    ///
    /// # Panics
    /// Never: memory takes all that is written to it.
    #[must_use]
    pub fn numbered<'a>(&'a self, lines_before: u64, memory: &'a mut Vec<u8>) -> &'a [u8] {
        if self.splices.is_empty() {
            return &self.bytes;
        }
        memory.clear();
        let mut start = 0;
        for splice in &self.splices {
            memory.extend_from_slice(&self.bytes[start..splice.offset]);
            write!(memory, "{}", lines_before + splice.line).expect(FULL);
            start = splice.offset;
        }
        memory.extend_from_slice(&self.bytes[start..]);
        memory
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::puzzle::{ParseError, parse};

    fn subject(input: Option<&'static str>, line: u64) -> Subject<'static> {
        Subject { input, line, puzzle: b"12.", others: &[], members: &[] }
    }

    fn text(records: &Records, lines_before: u64) -> String {
        String::from_utf8(records.numbered(lines_before, &mut Vec::new()).to_vec()).unwrap()
    }

    #[test]
    fn a_failure_says_where_and_why() {
        let clash = parse::line(
            b"55..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79",
        );
        let clash = clash.unwrap();
        let byte = ParseError::Byte { column: 4, found: b'x' };
        let cases = [
            (Failure::NoSolution, "no solution"),
            (Failure::Malformed(&byte), "column 4: expected 1 to 9, '.' or '0', found 'x'"),
            (Failure::Malformed(&ParseError::Length { found: 80 }), "expected 81 cells, found 80"),
            (
                Failure::Conflict(&clash),
                "5 twice in row 1 (columns 1 and 2); 5 twice in box 1 (row 1 column 1 and row 1 column 2)",
            ),
            (Failure::Several { found: 2, all: false }, "more than one solution"),
            (Failure::Several { found: 2, all: true }, "2 solutions"),
            (Failure::Several { found: 5, all: false }, "5 or more solutions"),
        ];
        for (failure, reason) in cases {
            let mut records = Records::new();
            records.push_failure(&Style::default(), &subject(None, 17), &failure);
            assert_eq!(text(&records, 0), format!("# line 17: {reason}\n"));
        }
    }

    #[test]
    fn line_numbers_are_set_when_the_lines_before_are_known() {
        let solved =
            b"534678912672195348198342567859761423426853791713924856961537284287419635345286179";
        let solution = Solution::try_from(parse::line(solved).unwrap()).unwrap();
        let mut records = Records::new();
        let style = Style::default();
        records.push_failure(&style, &subject(Some("a.txt"), 1), &Failure::NoSolution);
        records.push_solution(&solution);
        records.push_failure(&style, &subject(Some("a.txt"), 3), &Failure::NoSolution);
        let expected = format!(
            "# a.txt: line 5000000001: no solution\n{solution}\n# a.txt: line 5000000003: no solution\n"
        );
        assert_eq!(text(&records, 5_000_000_000), expected);
        records.restart(1);
        records.push_solution(&solution);
        assert_eq!(text(&records, 9), format!("{solution}\n"));
    }
}
