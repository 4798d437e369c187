//! The lines of a chunk, one by one, whatever ends them.
//!
//! A line ends with LF or CRLF, as each one likes, or with the input. Of a line that is too
//! long to be of any use only the head is seen, with its full length, so that a stream need
//! not keep the rest.

use super::delimiter::is_space;

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
    pub(super) rest: &'a [u8],
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
}

impl<'a> Iterator for Lines<'a> {
    type Item = Line<'a>;

    #[inline]
    fn next(&mut self) -> Option<Line<'a>> {
        if self.rest.is_empty() {
            return None;
        }
        let end = memchr::memchr(b'\n', self.rest).map_or(self.rest.len(), |end| end + 1);
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
}

/// Whether a line has nothing but spaces.
pub(super) fn is_empty(line: &[u8]) -> bool {
    line.iter().all(|&byte| is_space(byte))
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
}
