//! A pipe whose layout was decided by its first puzzle: the lines after it are watched for solutions.
//!
//! ```text
//! 53..7…79   decides the layout, and is answered
//! 53467…79   is its solution: an error, before this line is read as a puzzle
//! ```
//!
//! The error is at the same line however the bytes arrive.

use super::layout::refusal::{Ends, refuse_turns};
use super::layout::shape::Layout;
use super::layout::turns::Turns;
use super::lines::{Line, MAX_LINE_BYTES};
use std::io::{self, Read};
use std::sync::Arc;

/// Bytes that are watched: as many as the head of an input has.
const WATCHED_BYTES: usize = 1 << 20;

/// A stream that fails at the first line that shows that solutions are among the puzzles.
pub(super) struct Watched {
    stream: Box<dyn Read + Send>,
    layout: Arc<Layout>,
    turns: Turns,
    /// The line that has not ended.
    line: Vec<u8>,
    /// Bytes still to be watched.
    left: usize,
    has_returns: bool,
    error: Option<io::Error>,
}

impl Watched {
    pub(super) fn new(stream: Box<dyn Read + Send>, layout: Arc<Layout>) -> Self {
        Self {
            stream,
            layout,
            turns: Turns::default(),
            line: Vec::new(),
            left: WATCHED_BYTES,
            has_returns: false,
            error: None,
        }
    }

    /// Adds bytes. Gives how many of them come before a line with which the list is refused.
    fn watch(&mut self, bytes: &[u8]) -> usize {
        let mut start = 0;
        while self.left > 0
            && let Some(length) = memchr::memchr(b'\n', &bytes[start..])
        {
            let end = start + length + 1;
            self.keep(&bytes[start..end - 1]);
            self.end_line();
            if self.error.is_some() {
                return start;
            }
            self.left = self.left.saturating_sub(end - start);
            start = end;
        }
        if self.left > 0 {
            self.keep(&bytes[start..]);
        }
        bytes.len()
    }

    /// Adds bytes to the line.
    fn keep(&mut self, bytes: &[u8]) {
        let room = MAX_LINE_BYTES.saturating_sub(self.line.len());
        self.line.extend_from_slice(&bytes[..bytes.len().min(room)]);
    }

    fn end_line(&mut self) {
        self.has_returns |= self.line.ends_with(b"\r");
        let bytes = self.line.strip_suffix(b"\r").unwrap_or(&self.line);
        let line = Line { bytes, length: bytes.len() as u64 }.without_mark();
        self.turns.add(&self.layout, line.bytes);
        let (mixed, are_many) = self.turns.mixed();
        if are_many {
            let ends = match self.layout.document {
                Some(_) => Ends::Document,
                None if self.has_returns => Ends::Crlf,
                None => Ends::Lf,
            };
            let refused = refuse_turns(&self.layout, mixed, ends);
            self.error = Some(io::Error::new(io::ErrorKind::InvalidData, refused));
        }
        self.line.clear();
    }
}

impl Read for Watched {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if let Some(error) = self.error.take() {
            return Err(error);
        }
        let read = self.stream.read(buffer)?;
        let mut passed = read;
        if read > 0 {
            passed = self.watch(&buffer[..read]);
        } else if !buffer.is_empty() && !self.line.is_empty() {
            self.end_line();
        }
        match self.error.take_if(|_| passed == 0) {
            Some(error) => Err(error),
            None => Ok(passed),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Cursor;

    const P: &str =
        "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
    const S: &str =
        "534678912672195348198342567859761423426853791713924856961537284287419635345286179";

    /// What was read in pieces of this size, up to the last line end, and whether it failed.
    fn read(text: &str, piece: usize) -> (String, bool) {
        let stream = Box::new(Cursor::new(text.to_owned()));
        let mut watched = Watched::new(stream, Arc::new(Layout::plain()));
        let (mut bytes, mut buffer) = (Vec::new(), vec![0; piece]);
        let failed = loop {
            match watched.read(&mut buffer) {
                Ok(0) => break false,
                Ok(read) => bytes.extend_from_slice(&buffer[..read]),
                Err(_) => break true,
            }
        };
        let end = if failed { bytes.iter().rposition(|&byte| byte == b'\n') } else { None };
        bytes.truncate(end.map_or(bytes.len(), |end| end + 1));
        (String::from_utf8(bytes).unwrap(), failed)
    }

    #[test]
    fn the_error_comes_at_the_same_line_whatever_the_pieces() {
        let before = format!("# a comment\n\n{P}\r\n\n");
        for piece in [1, 7, 82, 100, 165, 5000] {
            for end in ["", "\n", "\r\n"] {
                let text = format!("{before}{S}{end}");
                assert_eq!(read(&text, piece), (before.clone(), true), "{piece} {end:?}");
            }
            let list = format!("{P}\n{P}\n{P}\n{S}\n{P}");
            assert_eq!(read(&list, piece), (list.clone(), false));
        }
    }
}
