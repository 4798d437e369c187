//! The lines of a chunk, one by one, whatever ends them.
//!
//! A line ends with LF or CRLF, as each one likes, or with the input. Of a line that is too
//! long a stream keeps only the head.

use super::delimiter::is_space;

/// The most bytes of a line that is read. A longer line is malformed.
///
/// The longest honest lines known are answers of language models with all their reasoning, some 100 KB. 1 MiB is
/// ten of those, so a stream's buffers grow to four chunks to hold it.
pub const MAX_LINE_BYTES: usize = 1 << 20;

/// What some editors put at the very start of a text file: U+FEFF in UTF-8.
pub(super) const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// The lines that are still to come, without their ends.
#[derive(Clone, Debug)]
pub struct Lines<'a> {
    pub(super) rest: &'a [u8],
}

impl<'a> Lines<'a> {
    /// The lines of these bytes.
    pub(super) const fn new(bytes: &'a [u8]) -> Self {
        Self { rest: bytes }
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
    type Item = &'a [u8];

    #[inline]
    fn next(&mut self) -> Option<&'a [u8]> {
        if self.rest.is_empty() {
            return None;
        }
        let end = memchr::memchr(b'\n', self.rest).map_or(self.rest.len(), |end| end + 1);
        let (whole, rest) = self.rest.split_at(end);
        self.rest = rest;
        let line = whole.strip_suffix(b"\n").unwrap_or(whole);
        Some(line.strip_suffix(b"\r").unwrap_or(line))
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
        Lines::new(bytes).collect()
    }

    #[test]
    fn a_line_ends_with_lf_or_crlf_or_the_input() {
        assert_eq!(lines(b"a\nb\r\nc"), [b"a", b"b", b"c"]);
        assert_eq!(lines(b"a\r"), [b"a"]);
        assert_eq!(lines(b"\n\r\n\r\r\n"), [&b""[..], b"", b"\r"]);
        assert!(lines(b"").is_empty());
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
            let (mut lines, mut skipped) = (Lines::new(&text), Lines::new(&text));
            let has_end = |lines: &Lines| lines.rest.contains(&b'\n');
            let mut expected = 0;
            while has_end(&lines) && lines.clone().next().is_some_and(is_empty) {
                lines.next();
                expected += 1;
            }
            assert_eq!(skipped.skip_empty(), expected, "{}", text.escape_ascii());
            assert_eq!(skipped.rest, lines.rest, "{}", text.escape_ascii());
        }
    }
}
