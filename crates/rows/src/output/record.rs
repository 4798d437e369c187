//! One puzzle, one record: its solution, or why there is none.

use super::field::FULL;
use crate::puzzle::{Cell, Solution};
use std::borrow::Cow;
use std::fmt;
use std::io::Write;
use std::ops::Range;

/// The puzzle of a record: the fields of formats other than `line`.
#[derive(Clone)]
pub struct Subject<'a> {
    /// The input's name, if records say it.
    pub input: Option<&'a str>,
    /// The line of the input, counted from 1. The formats and records without it may have any number.
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

/// The records of a chunk, with the memory for them.
#[derive(Debug, Default)]
pub struct Records {
    pub(super) bytes: Vec<u8>,
}

impl Records {
    /// Clears the memory.
    pub fn restart(&mut self) {
        self.bytes.clear();
    }

    /// Whether there are no records.
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
        writeln!(self.bytes, "line {line}: {text}").expect(FULL);
    }

    /// These bytes and a line end, unchanged.
    pub fn push_raw(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
        self.bytes.push(b'\n');
    }

    /// The number of bytes.
    pub const fn len(&self) -> usize {
        self.bytes.len()
    }

    /// The bytes of all records.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Takes out the records at these places, which are in their order.
    pub fn remove(&mut self, places: impl IntoIterator<Item = Range<usize>>) {
        let (mut kept, mut from) = (0, 0);
        for Range { start, end } in places {
            self.bytes.copy_within(from..start, kept);
            kept += start - from;
            from = end;
        }
        self.bytes.copy_within(from.., kept);
        self.bytes.truncate(kept + self.bytes.len() - from);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_can_be_taken_out() {
        let all = |without: &[Range<usize>]| {
            let mut records = Records::default();
            records.push_raw(b"one");
            records.push_comment(Some("a.txt"), 5_000_000_001, &"two");
            records.push_raw(b"three");
            records.remove(without.iter().cloned());
            String::from_utf8(records.bytes().to_vec()).unwrap()
        };
        let two = "# a.txt: line 5000000001: two\n";
        let end = 4 + two.len();
        assert_eq!(all(&[]), format!("one\n{two}three\n"));
        assert_eq!(all(&[0..0, 4..end]), "one\nthree\n");
        assert_eq!(all(&[0..4, 4..4, end..end + 6]), two);
    }
}
