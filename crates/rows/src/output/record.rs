//! One puzzle, one record: its solution, or why there is none.
//!
//! A worker does not know how many lines precede its chunk. The line number is left open, and filled
//! in when the records are written in order:
//!
//! ```text
//! bytes     …8617⏎# a.txt: line : no solution⏎5346…
//! splices                       └ line 17 of this chunk
//! ```
//!
//! Solutions alone have no number: a chunk of them is written unchanged.

use super::field::{FULL, Field};
use super::style::{Format, Style};
use crate::Status;
use crate::puzzle::{Cell, Clashes, Grid, Solution};
use std::borrow::Cow;
use std::fmt;
use std::io::Write;

/// Why a record has no solution.
#[derive(Clone, Copy)]
pub enum Failure<'a> {
    /// It is not a puzzle, for this reason.
    Malformed(&'a dyn fmt::Display),
    /// A digit occurs twice in a house of this puzzle.
    Conflict(&'a Grid),
    /// It cannot be solved.
    None,
    /// It has more than one solution.
    Multiple {
        /// How many were found: two or more.
        found: usize,
        /// Whether these are all solutions. Otherwise the search stopped there.
        all: bool,
    },
    /// Its search was given up.
    Unknown {
        /// After more branches than this.
        branches: u32,
        /// How many solutions were found by then.
        found: usize,
    },
}

impl Failure<'_> {
    /// The same in one word.
    #[must_use]
    pub const fn status(&self) -> Status {
        match self {
            Self::Malformed(_) => Status::Malformed,
            Self::Conflict(_) => Status::Conflict,
            Self::None => Status::None,
            Self::Multiple { .. } => Status::Multiple,
            Self::Unknown { .. } => Status::Unknown,
        }
    }

    /// How many solutions were found, if they were looked for.
    pub(super) const fn solutions(&self) -> Option<usize> {
        match self {
            Self::Malformed(_) | Self::Unknown { .. } => None,
            Self::Conflict(_) | Self::None => Some(0),
            Self::Multiple { found, .. } => Some(*found),
        }
    }
}

impl fmt::Display for Failure<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Malformed(reason) => reason.fmt(f),
            Self::Conflict(puzzle) => Clashes::of(puzzle).map_or(Ok(()), |clashes| clashes.fmt(f)),
            Self::None => f.write_str("no solution"),
            Self::Multiple { found, all: true } => write!(f, "{found} solutions"),
            Self::Multiple { found: 2, all: false } => f.write_str("more than one solution"),
            Self::Multiple { found, all: false } => write!(f, "{found} or more solutions"),
            Self::Unknown { branches, found } => {
                write!(f, "more than {branches} branch{}", if *branches == 1 { "" } else { "es" })?;
                match found {
                    0 => Ok(()),
                    1 => f.write_str(" (1 solution found)"),
                    found => write!(f, " ({found} solutions found)"),
                }
            }
        }
    }
}

/// The puzzle of a record: the fields of formats other than `line`.
#[derive(Clone, Copy)]
pub struct Subject<'a> {
    /// The input's name, if records say it.
    pub input: Option<&'a str>,
    /// The line, counted from 1 at the start of the chunk.
    pub line: u64,
    /// The puzzle as written: its cells, or the malformed text.
    pub puzzle: &'a [u8],
    /// The input's other columns: one for each name of them in the style.
    pub others: &'a [Cow<'a, [u8]>],
    /// From object to object: its other keys, and their values in JSON.
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

impl Records {
    /// No records.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Clears the memory, with room for this many solutions.
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
    ///
    /// It takes 6.0 ns. Writing many solutions into a vector that already has its line ends takes 6.7.
    #[inline]
    pub fn push_solution(&mut self, solution: &Solution) {
        let mut record = [b'\n'; Cell::COUNT + 1];
        record[..Cell::COUNT].copy_from_slice(&solution.line());
        self.bytes.extend_from_slice(&record);
    }

    /// A puzzle with a solution: one of several, `status` says whether there may be others.
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
            Format::Grid => self.push_solved_grid(style, subject.puzzle, solution),
            Format::Csv | Format::Jsonl => {
                let fields = [
                    Field::Plain(status.name().as_bytes()),
                    Field::Number(count as u64),
                    Field::Plain(subject.puzzle),
                    Field::Plain(&solution.line()),
                ];
                self.push_row(style, subject, &fields, None);
            }
        }
    }

    /// A puzzle without a solution.
    ///
    /// # Panics
    /// Never: memory takes all that is written to it.
    pub fn push_failure(&mut self, style: &Style, subject: &Subject, failure: &Failure) {
        match style.format {
            Format::Line | Format::Pair | Format::Grid => {
                self.push_comment(subject, failure);
            }
            Format::Csv | Format::Jsonl => {
                let (status, puzzle) = (failure.status(), subject.puzzle);
                let is_text = status == Status::Malformed;
                let fields = [
                    Field::Plain(status.name().as_bytes()),
                    failure.solutions().map_or(Field::Empty, |count| Field::Number(count as u64)),
                    if is_text { Field::Text(puzzle) } else { Field::Plain(puzzle) },
                    Field::Empty,
                ];
                self.push_row(style, subject, &fields, Some(failure));
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

    /// These bytes and a line end, unchanged.
    pub fn push_raw(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
        self.bytes.push(b'\n');
    }

    /// Leaves room for a line number. The line is counted from 1 at the start of the chunk.
    pub fn push_line_number(&mut self, line: u64) {
        self.splices.push(Splice { offset: self.bytes.len(), line });
    }

    /// The bytes, for more of them to be appended.
    pub const fn bytes_mut(&mut self) -> &mut Vec<u8> {
        &mut self.bytes
    }

    /// How many bytes there are, without line numbers.
    pub const fn len(&self) -> usize {
        self.bytes.len()
    }

    /// The bytes of all records, for a chunk that begins after this many lines of its input.
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
        self.parts(lines_before).copy_to(self.bytes.len(), memory);
        memory
    }

    /// The same one after the other, so that some records can be replaced.
    pub const fn parts(&self, lines_before: u64) -> Parts<'_> {
        Parts { records: self, lines_before, start: 0, splice: 0 }
    }
}

/// Records that are copied part by part, with their line numbers.
///
/// ```text
/// records   row 1 │ row 2 │ row 3        copy_to(end of row 1), skip_to(end of row 2),
///                   ─ gone ─             copy_to(end of row 3)
/// ```
pub struct Parts<'a> {
    records: &'a Records,
    lines_before: u64,
    /// What is before this place is copied or skipped.
    start: usize,
    splice: usize,
}

impl Parts<'_> {
    /// Appends everything up to this place, which is the end of a record.
    pub fn copy_to(&mut self, end: usize, memory: &mut Vec<u8>) {
        let Records { bytes, splices } = self.records;
        while let Some(splice) = splices.get(self.splice).filter(|splice| splice.offset < end) {
            memory.extend_from_slice(&bytes[self.start..splice.offset]);
            let line = self.lines_before.wrapping_add(splice.line);
            write!(memory, "{line}").expect(FULL);
            (self.start, self.splice) = (splice.offset, self.splice + 1);
        }
        memory.extend_from_slice(&bytes[self.start..end]);
        self.start = end;
    }

    /// Leaves out everything up to this place, which is the end of a record.
    pub fn skip_to(&mut self, end: usize) {
        let splices = &self.records.splices[self.splice..];
        self.splice += splices.iter().take_while(|splice| splice.offset < end).count();
        self.start = end;
    }

    /// Counts all further lines one lower, because one before them is left out.
    pub const fn uncount_line(&mut self) {
        self.lines_before = self.lines_before.wrapping_sub(1);
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
            (Failure::None, "no solution"),
            (Failure::Malformed(&byte), "column 4: expected 1 to 9, '.' or '0', found 'x'"),
            (Failure::Malformed(&ParseError::Length { found: 80 }), "expected 81 cells, found 80"),
            (
                Failure::Conflict(&clash),
                "5 twice in row 1 (columns 1 and 2); 5 twice in box 1 (row 1 column 1 and row 1 column 2)",
            ),
            (Failure::Multiple { found: 2, all: false }, "more than one solution"),
            (Failure::Multiple { found: 2, all: true }, "2 solutions"),
            (Failure::Multiple { found: 5, all: false }, "5 or more solutions"),
            (Failure::Unknown { branches: 1, found: 0 }, "more than 1 branch"),
            (Failure::Unknown { branches: 0, found: 1 }, "more than 0 branches (1 solution found)"),
            (
                Failure::Unknown { branches: 9, found: 2 },
                "more than 9 branches (2 solutions found)",
            ),
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
        records.push_failure(&style, &subject(Some("a.txt"), 1), &Failure::None);
        records.push_solution(&solution);
        records.push_failure(&style, &subject(Some("a.txt"), 3), &Failure::None);
        let expected = format!(
            "# a.txt: line 5000000001: no solution\n{solution}\n# a.txt: line 5000000003: no solution\n"
        );
        assert_eq!(text(&records, 5_000_000_000), expected);
        records.restart(1);
        records.push_solution(&solution);
        assert_eq!(text(&records, 9), format!("{solution}\n"));
    }

    #[test]
    fn a_record_can_be_replaced_or_left_out() {
        let (mut records, mut ends) = (Records::new(), Vec::new());
        for line in 1..=5 {
            records.push_line_number(line);
            records.push_raw(b":");
            ends.push(records.len());
        }
        let (mut parts, mut bytes) = (records.parts(10), Vec::new());
        parts.copy_to(ends[0], &mut bytes);
        parts.skip_to(ends[1]);
        bytes.extend_from_slice(b"other\n");
        parts.copy_to(ends[2], &mut bytes);
        parts.skip_to(ends[3]);
        parts.uncount_line();
        parts.copy_to(ends[4], &mut bytes);
        assert_eq!(String::from_utf8(bytes).unwrap(), "11:\nother\n13:\n14:\n");
    }
}
