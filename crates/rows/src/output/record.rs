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
use crate::puzzle::{Cell, Solution};
use std::borrow::Cow;
use std::fmt;
use std::io::Write;
use std::mem;
use std::ops::Range;

/// The puzzle of a record: the fields of formats other than `line`.
#[derive(Clone)]
pub struct Subject<'a> {
    /// The input's name, if records say it.
    pub input: Option<&'a str>,
    /// The line, counted from 1 at the start of the chunk.
    pub line: u64,
    /// The puzzle as written: its cells, or the malformed text.
    pub puzzle: &'a [u8],
    /// Whether that is any text.
    pub is_text: bool,
    /// The input's other columns.
    pub others: Others<'a>,
}

/// The input's other columns, if they are wanted.
#[derive(Clone)]
pub enum Others<'a> {
    /// One for each name of them in the style. None is a missing value.
    Fields(Vec<Option<Cow<'a, [u8]>>>),
    /// From object to object: other keys, and their values in JSON.
    Members(Vec<(String, String)>),
    /// As an earlier record of the same row has them, at this place in the bytes.
    As(Range<usize>),
}

impl<'a> Subject<'a> {
    /// The field with the puzzle put in its place.
    pub(super) const fn in_place(&self, field: &Field<'a>) -> Field<'a> {
        match field {
            Field::Puzzle if self.is_text => Field::Text(self.puzzle),
            Field::Puzzle => Field::Plain(self.puzzle),
            field => *field,
        }
    }
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
    /// Clears the memory, with room for this many solutions.
    pub fn restart(&mut self, solutions: usize) {
        self.bytes.clear();
        self.splices.clear();
        self.bytes.reserve(solutions * (Cell::COUNT + 1));
    }

    /// Whether there are no records.
    pub const fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// Whether a record has the number of its line.
    pub const fn is_numbered(&self) -> bool {
        !self.splices.is_empty()
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

    /// The first half of a pair: the puzzle.
    pub(super) fn push_pair(&mut self, puzzle: &[u8]) {
        self.bytes.extend_from_slice(puzzle);
        self.bytes.push(b',');
    }

    /// A comment that says which line it is about, and of which input.
    ///
    /// # Panics
    /// Never: memory takes all that is written to it.
    pub fn push_comment(&mut self, input: Option<&str>, line: u64, text: &dyn fmt::Display) {
        self.bytes.extend_from_slice(b"# ");
        if let Some(input) = input {
            self.bytes.extend_from_slice(input.as_bytes());
            self.bytes.extend_from_slice(b": ");
        }
        self.bytes.extend_from_slice(b"line ");
        self.push_line_number(line);
        writeln!(self.bytes, ": {text}").expect(FULL);
    }

    /// These bytes and a line end, unchanged.
    pub fn push_raw(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
        self.bytes.push(b'\n');
    }

    /// Leaves room for a line number. The line is counted from 1 at the start of the chunk.
    pub(super) fn push_line_number(&mut self, line: u64) {
        self.splices.push(Splice { offset: self.bytes.len(), line });
    }

    /// The number of bytes, without line numbers.
    pub const fn len(&self) -> usize {
        self.bytes.len()
    }

    /// The bytes of all records, for a chunk that begins after this many lines of its input.
    /// `memory` is there to be used again.
    ///
    /// # Panics
    /// Never: memory takes all that is written to it.
    pub fn numbered<'a>(&'a self, lines_before: u64, memory: &'a mut Vec<u8>) -> &'a [u8] {
        if self.splices.is_empty() {
            return &self.bytes;
        }
        memory.clear();
        let mut from = 0;
        for &Splice { offset, line } in &self.splices {
            memory.extend_from_slice(&self.bytes[from..offset]);
            write!(memory, "{}", lines_before.wrapping_add(line)).expect(FULL);
            from = offset;
        }
        memory.extend_from_slice(&self.bytes[from..]);
        memory
    }

    /// Replaces records, which are at these places in their order, by others.
    ///
    /// ```text
    /// before   row 1 │ row 2 │ row 3
    /// after    row 1 │ other │ row 3
    /// ```
    pub fn replace<'a>(&mut self, parts: impl IntoIterator<Item = (Range<usize>, &'a Self)>) {
        let (old, mut kept_to) = (mem::take(self), 0);
        for (part, new) in parts {
            self.append(&old, kept_to..part.start);
            self.append(new, 0..new.len());
            kept_to = part.end;
        }
        self.append(&old, kept_to..old.len());
    }

    fn append(&mut self, other: &Self, part: Range<usize>) {
        let before = |place: usize| other.splices.partition_point(|it| it.offset < place);
        let to = self.len();
        let moved = |it: &Splice| Splice { offset: it.offset - part.start + to, ..*it };
        self.splices.extend(other.splices[before(part.start)..before(part.end)].iter().map(moved));
        self.bytes.extend_from_slice(&other.bytes[part]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::puzzle::parse;

    fn text(records: &Records, lines_before: u64) -> String {
        String::from_utf8(records.numbered(lines_before, &mut Vec::new()).to_vec()).unwrap()
    }

    #[test]
    fn line_numbers_are_set_when_the_lines_before_are_known() {
        let solved =
            b"534678912672195348198342567859761423426853791713924856961537284287419635345286179";
        let solution = Solution::try_from(parse::line(solved).unwrap()).unwrap();
        let mut records = Records::default();
        records.push_comment(Some("a.txt"), 1, &"no solution");
        records.push_solution(&solution);
        records.push_comment(Some("a.txt"), 3, &"no solution");
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
        let (mut records, mut ends) = (Records::default(), Vec::new());
        for line in 1..=5 {
            records.push_line_number(line);
            records.push_raw(b":");
            ends.push(records.len());
        }
        let (mut other, none) = (Records::default(), Records::default());
        other.push_line_number(2);
        other.push_raw(b": other");
        records.replace([(ends[0]..ends[1], &other), (ends[2]..ends[3], &none)]);
        assert_eq!(text(&records, 10), "11:\n12: other\n13:\n15:\n");
    }
}
