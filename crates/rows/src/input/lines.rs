//! The lines of a chunk, one by one, whatever ends them.
//!
//! A line ends with LF or CRLF, as each one likes, or with the input. Of a line that is too
//! long to be of any use only the head is seen, with its full length, so that a stream need
//! not keep the rest.

use super::delimiter::{Delimiter, is_space};
use super::fields::{Given, RecordLayout, is_full};
use crate::puzzle::{Cell, Grid, parse};

/// Bytes of a line that are looked at; the rest is counted.
///
/// The longest honest line known is a sukaku, 729 bytes, or a row of a table that has one.
/// 64 KiB is 89 of those, and a quarter of a chunk, so that a stream's buffers grow by no more
/// than a quarter to hold it.
pub const MAX_LINE_BYTES: usize = 64 * 1024;

/// What some editors put at the very start of a text file: U+FEFF in UTF-8.
pub(super) const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// One line, without its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Line<'a> {
    /// Its bytes, or the first [`MAX_LINE_BYTES`] of them.
    pub bytes: &'a [u8],
    /// How many bytes it has.
    pub length: u64,
}

impl Line<'_> {
    /// The line without a byte-order mark: where files are put together, each may begin with one.
    pub(super) fn without_mark(self) -> Self {
        match self.bytes.strip_prefix(BYTE_ORDER_MARK) {
            Some(bytes) => Self { bytes, length: self.length - BYTE_ORDER_MARK.len() as u64 },
            None => self,
        }
    }
}

/// The lines that are still to come.
#[derive(Clone, Debug)]
pub struct Lines<'a> {
    rest: &'a [u8],
    /// The number of bytes of the last line that are not in `rest`.
    left_out: Option<u64>,
}

impl<'a> Lines<'a> {
    /// The lines of these bytes.
    pub(super) const fn new(bytes: &'a [u8]) -> Self {
        Self { rest: bytes, left_out: None }
    }

    /// The lines of a chunk whose last line may go on for bytes that were not kept, and which
    /// may begin with a byte-order mark if it begins the input.
    pub(super) fn of_chunk(bytes: &'a [u8], starts_input: bool, left_out: Option<u64>) -> Self {
        let marked = if starts_input { bytes.strip_prefix(BYTE_ORDER_MARK) } else { None };
        Self { rest: marked.unwrap_or(bytes), left_out }
    }

    /// How many bytes are still to come.
    pub(super) const fn remaining_bytes(&self) -> usize {
        self.rest.len()
    }

    /// Takes the next record, which may have line ends in quoted fields.
    #[inline]
    pub(super) fn next_record(&mut self, spans: Option<Delimiter>) -> Option<Line<'a>> {
        if self.rest.is_empty() {
            return None;
        }
        let end = record_end(self.rest, spans, true).unwrap_or(self.rest.len());
        let (whole, rest) = self.rest.split_at(end);
        self.rest = rest;
        // The end of a line that is not all here was handled by the caller that left out the rest.
        let (line, left_out) = match (whole.strip_suffix(b"\n"), self.left_out) {
            (None, Some(left_out)) => (whole, left_out),
            (line, _) => {
                let line = line.unwrap_or(whole);
                (line.strip_suffix(b"\r").unwrap_or(line), 0)
            }
        };
        let bytes = &line[..line.len().min(MAX_LINE_BYTES)];
        Some(Line { bytes, length: line.len() as u64 + left_out })
    }

    /// Takes the empty lines up to the next line of another kind, and returns how many they are.
    ///
    /// A gigabyte of them may come from 30 kB of zstd, so they are not looked at one by one.
    pub(super) fn skip_empty(&mut self) -> u64 {
        let bytes = self.rest;
        let is_blank = |&(place, &byte): &(usize, &u8)| match byte {
            b'\r' => bytes.get(place + 1) == Some(&b'\n'),
            byte => byte == b'\n' || is_space(byte),
        };
        let blank = bytes.iter().enumerate().take_while(is_blank).count();
        let end = memchr::memrchr(b'\n', &bytes[..blank]).map_or(0, |last| last + 1);
        let (empty, rest) = bytes.split_at(end);
        self.rest = rest;
        memchr::memchr_iter(b'\n', empty).count() as u64
    }

    /// Takes plain puzzles, 81 cells and a line end, as long as one follows the other.
    ///
    /// The usual line: its end is not looked for but expected at byte 81, and 81 cells cannot
    /// hide an earlier one. What is left is a line of another kind, or the last line.
    #[inline]
    pub(super) fn take_plain(&mut self, grids: &mut Vec<Grid>) {
        // 6.9 ns a puzzle. Cells that are written to their place in `grids`, which is made longer by 64
        // blank grids at a time, take 8.4.
        /// A line's cells and both bytes of the longer line end.
        const WINDOW: usize = Cell::COUNT + 2;
        while let Some(window) = self.rest.first_chunk::<WINDOW>() {
            let length = match window[Cell::COUNT..] {
                [b'\n', _] => Cell::COUNT + 1,
                [b'\r', b'\n'] => Cell::COUNT + 2,
                _ => return,
            };
            let cells = window.first_chunk().expect("a window is longer than a line's cells");
            let Some(grid) = parse::cells_to_grid(cells) else { return };
            grids.push(grid);
            self.rest = &self.rest[length..];
        }
    }

    /// Takes the next line if it is a row whose puzzle stands where it should and needs no second
    /// look: neither quotation marks nor unusual spaces or blanks before its end. `None` is not to
    /// say that it is no such row.
    #[inline]
    pub(super) fn take_row(
        &mut self,
        puzzle: usize,
        delimiter: Delimiter,
        spans: bool,
    ) -> Option<PlainRow<'a>> {
        // The mark is no part of the first field.
        if puzzle > 0 && self.rest.starts_with(BYTE_ORDER_MARK) {
            return None;
        }
        let mut start = 0;
        for _ in 0..puzzle {
            start += self.end_of_field(start, delimiter)? + 1;
        }
        let is_divided = |byte: u8| delimiter.divides(byte);
        let grid = parse::cells_to_grid(self.rest.get(start..)?.first_chunk()?)?;
        let after = start + Cell::COUNT;
        // A field behind the puzzle may go on in the next line.
        let mark = if spans { b'"' } else { b'\n' };
        let end = after + memchr::memchr2(b'\n', mark, &self.rest[after..])?;
        if self.rest[end] != b'\n' {
            return None;
        }
        let line = &self.rest[..end];
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        if line.len() > MAX_LINE_BYTES || line.len() > after && !is_divided(line[after]) {
            return None;
        }
        self.rest = &self.rest[end + 1..];
        Some(PlainRow { grid, line, after })
    }

    /// The length in bytes of the field that begins at byte `start` of the line, if the field is plain and
    /// another follows.
    #[inline]
    fn end_of_field(&self, start: usize, delimiter: Delimiter) -> Option<usize> {
        let rest = self.rest.get(start..)?;
        let ends = |&byte: &u8| {
            delimiter.divides(byte) || matches!(byte, b'\n' | b'"' | b'#' | b'\t' | b' ')
        };
        let end = rest.iter().position(ends)?;
        (end > 0 && delimiter.divides(rest[end])).then_some(end)
    }
}
/// Just past the record with which these bytes begin; none if more of them are needed and they have not
/// `ended`.
///
/// A record is a line. With a delimiter, a field in quotation marks may have line ends (RFC 4180), if it is
/// closed within [`MAX_LINE_BYTES`] of the record's start and a delimiter or a line end follows the mark.
pub(super) fn record_end(bytes: &[u8], spans: Option<Delimiter>, ended: bool) -> Option<usize> {
    let Some(line) = memchr::memchr(b'\n', bytes).map(|end| end + 1) else {
        return ended.then_some(bytes.len());
    };
    let has_marks = || memchr::memchr(b'"', &bytes[..line]).is_some();
    let Some(delimiter) = spans.filter(|_| has_marks()) else { return Some(line) };
    match delimiter.end_of_record(&bytes[..bytes.len().min(MAX_LINE_BYTES)]) {
        Some(end) => Some(end),
        None if ended || bytes.len() >= MAX_LINE_BYTES => Some(line),
        None => None,
    }
}

/// An ordinary row.
pub(super) struct PlainRow<'a> {
    pub(super) grid: Grid,
    /// The whole line.
    pub(super) line: &'a [u8],
    /// Where in the line the field of the puzzle ends.
    pub(super) after: usize,
}

impl PlainRow<'_> {
    /// Whether a full grid is next to its puzzle.
    #[inline]
    pub(super) fn is_answered(&self) -> bool {
        self.line.get(self.after + 1..=self.after + Cell::COUNT).is_some_and(is_full)
    }

    /// Whether another field may be a grid, apart from a full one that is the answer.
    pub(super) fn has_other_grid(&self, record: &RecordLayout, delimiter: Delimiter) -> bool {
        let Delimiter::Byte(byte) = delimiter else { return true };
        let (ends, mut start) = (memchr::memchr_iter(byte, self.line).chain([self.line.len()]), 0);
        (0..).zip(ends).any(|(place, end)| {
            let field = &self.line[start..end];
            start = end + 1;
            let is_answer = Some(place) == record.solution && is_full(field);
            place != record.puzzle && field.len() >= Cell::COUNT && !is_answer
        })
    }

    /// The answer in the next field, if that needs no second look.
    #[inline]
    pub(super) fn answer(&self, delimiter: Delimiter) -> Option<Given> {
        let field = self.line.get(self.after + 1..)?;
        let grid = parse::cells_to_grid(field.first_chunk()?)?;
        let ends = field.get(Cell::COUNT).is_none_or(|&byte| delimiter.divides(byte));
        ends.then_some(Given::Cells(grid))
    }
}

impl<'a> Iterator for Lines<'a> {
    type Item = Line<'a>;

    fn next(&mut self) -> Option<Line<'a>> {
        self.next_record(None)
    }
}

/// Whether a line has nothing but spaces.
pub(super) fn is_empty(line: &[u8]) -> bool {
    line.iter().all(|&byte| is_space(byte))
}

/// Whether a line is a number and nothing else, too short for a puzzle.
pub(super) fn is_count(line: &[u8]) -> bool {
    let line = line.trim_ascii();
    (1..=20).contains(&line.len()) && line.iter().all(u8::is_ascii_digit)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(bytes: &[u8]) -> Vec<&[u8]> {
        Lines::new(bytes).map(|line| line.bytes).collect()
    }

    #[test]
    fn a_line_ends_with_lf_or_crlf_or_the_input() {
        assert_eq!(lines(b"a\nb\r\nc"), [b"a", b"b", b"c"]);
        assert_eq!(lines(b"a\r"), [b"a"]);
        assert_eq!(lines(b"\n\r\n\r\r\n"), [&b""[..], b"", b"\r"]);
        assert!(lines(b"").is_empty());
    }

    #[test]
    fn a_mark_is_skipped_at_the_start_of_an_input_alone() {
        let first = |starts_input| Lines::of_chunk(b"\xef\xbb\xbfa\n", starts_input, None).next();
        assert_eq!(first(true).unwrap().bytes, b"a");
        assert_eq!(first(false).unwrap().bytes, b"\xef\xbb\xbfa");
    }

    #[test]
    fn an_overlong_line_shows_its_head_and_its_length() {
        let long = vec![b'1'; MAX_LINE_BYTES + 10];
        let whole = Lines::new(&long).next().unwrap();
        let head = &long[..MAX_LINE_BYTES + 3];
        let cut = Lines::of_chunk(head, false, Some(7)).next().unwrap();
        assert_eq!(whole, cut);
        assert_eq!(whole.length, MAX_LINE_BYTES as u64 + 10);
        assert_eq!(whole.bytes.len(), MAX_LINE_BYTES);
    }

    /// However long they are, and whatever their ends are: each is a line that has nothing but spaces.
    #[test]
    fn empty_lines_are_skipped_together() {
        let pieces: [&[u8]; 6] = [b"\n", b"\r\n", b" \n", b"\t\r\n", b"\r\r\n", b"\r"];
        for seed in 0_usize..3_000 {
            let mut text = Vec::new();
            for place in 0..seed % 150 {
                // Mostly one kind of line.
                let other = (seed * 31 + place * 17).is_multiple_of(97);
                text.extend_from_slice(pieces[if other { seed % 6 } else { seed / 6 % 4 }]);
            }
            text.extend_from_slice([&b"1\n\n"[..], b"", b" ", b" 5\r\n"][seed % 4]);
            let is_line_empty = |line: &Line| is_empty(line.bytes);
            let (mut lines, mut skipped) = (Lines::new(&text), Lines::new(&text));
            let has_end = |lines: &Lines| lines.rest.contains(&b'\n');
            let mut expected = 0;
            while has_end(&lines) && lines.clone().next().as_ref().is_some_and(is_line_empty) {
                lines.next();
                expected += 1;
            }
            assert_eq!(skipped.skip_empty(), expected, "{}", text.escape_ascii());
            assert_eq!(skipped.rest, lines.rest, "{}", text.escape_ascii());
        }
    }

    #[test]
    fn a_quoted_field_may_have_line_ends() {
        let cases: [(&str, usize); 10] = [
            ("a,b\nc", 4),
            ("a,\"b\nc\"\nd", 8),
            ("\"b\r\nc\" ,d\ne", 10),
            ("\"a\"\"\nb\"\nc", 8),
            ("a,\"b\",\"c\n\"\nd", 11),
            // Marks that close no field.
            ("a,\"b\nc,\"d\"\n", 5),
            ("\"a\n\"b\"\n", 3),
            ("a\"b\nc\"\n", 4),
            ("a,\"b\nc", 5),
            ("a \"b\nc\"", 5),
        ];
        for (text, end) in cases {
            let found = record_end(text.as_bytes(), Some(Delimiter::Byte(b',')), true);
            assert_eq!(found, Some(end), "{text:?}");
        }
        assert_eq!(record_end(b"a,\"b\nc", Some(Delimiter::Byte(b',')), false), None);
    }

    #[test]
    fn plain_puzzles_are_taken_up_to_the_first_other_line() {
        let puzzle = [b'.'; 81];
        let text = [&puzzle[..], b"\r\n", &puzzle, b"\n", &puzzle, b" \n", &puzzle].concat();
        let mut grids = Vec::new();
        let mut lines = Lines::new(&text);
        lines.take_plain(&mut grids);
        assert_eq!(grids.len(), 2);
        assert_eq!(lines.next().unwrap().length, 82);
        lines.take_plain(&mut grids);
        assert_eq!(grids.len(), 2, "the last line has no end to expect");
        assert_eq!(lines.next().unwrap().bytes, puzzle);
    }
}
