//! Answers from a file of their own, the first for the first puzzle and so on.
//!
//! An answer is the last full field of 81 cells of its line, or if none is full the last, so that
//! solutions and pairs are read, and tables that have the puzzle behind; a line with none is a wrong
//! answer. Empty lines and comments are passed over, but not what
//! `ninefold solve` writes for a puzzle that it has no solution for (`# line 17: no solution`):
//! that stands for no answer.

use crate::input::{self, Chunk, Chunks, Delimiter, Given, Layout, Line, Malformed, Source};
use crate::puzzle::{Cell, ParseError, parse};
use std::collections::VecDeque;
use std::sync::Arc;

/// Bytes read at a time: about 800 answers.
const CHUNK_BYTES: usize = 64 * 1024;

/// Answers that are still to come.
pub(super) struct Answers {
    name: Arc<str>,
    chunks: Chunks,
    chunk: Chunk,
    /// Lines before the chunk's end.
    lines: u64,
    /// Those of the chunk, each with its line.
    waiting: VecDeque<(u64, Given)>,
}

impl Answers {
    pub(super) fn new(source: Source) -> Self {
        let name = Arc::clone(source.name());
        // Nothing is to be found out: the lines are looked at here.
        let chunks = source.with_layout(Layout::plain()).into_chunks(CHUNK_BYTES);
        Self { name, chunks, chunk: Chunk::new(), lines: 0, waiting: VecDeque::new() }
    }

    pub(super) fn name(&self) -> &Arc<str> {
        &self.name
    }

    /// The next answer and its line, if there is one.
    pub(super) fn next(&mut self) -> Result<Option<(u64, Given)>, input::Error> {
        while self.waiting.is_empty() {
            if !self.chunks.fill(&mut self.chunk)? {
                return Ok(None);
            }
            for line in self.chunk.lines() {
                self.lines += 1;
                let first = self.lines == 1;
                self.waiting.extend(answer(line, first).map(|given| (self.lines, given)));
            }
        }
        Ok(self.waiting.pop_front())
    }
}

/// The answer in a line, if it is one.
fn answer(line: Line, first: bool) -> Option<Given> {
    let bytes = line.bytes.trim_ascii();
    if bytes.is_empty() {
        return None;
    }
    if bytes[0] == b'#' {
        return stands_for_none(bytes).then_some(Given::Missing);
    }
    let fields = || bytes.split(|byte| Delimiter::BYTES.contains(byte) || *byte == b'"');
    let fields = fields().rev().filter(|field| field.len() == Cell::COUNT);
    let mut grids = fields.filter_map(|field| parse::line(field).ok());
    let last = grids.next();
    // A puzzle may stand behind its answer.
    let full = last.into_iter().chain(grids).find(|grid| grid.clues() == Cell::COUNT);
    match full.or(last) {
        Some(grid) => Some(Given::Cells(grid)),
        // The names of columns.
        None if first && bytes.is_ascii() && !bytes.iter().any(u8::is_ascii_digit) => None,
        None => {
            let length = ParseError::Length { found: usize::try_from(line.length).unwrap_or(0) };
            let error = parse::line(line.bytes).err().unwrap_or(length);
            Some(Given::Malformed(Malformed::Cells { column: 1, error }))
        }
    }
}

/// Whether a comment is a record of a puzzle without a solution: `line 17: ` stands in it.
fn stands_for_none(comment: &[u8]) -> bool {
    const LINE: &[u8] = b"line ";
    comment.windows(LINE.len()).enumerate().any(|(start, window)| {
        let behind = &comment[start + LINE.len()..];
        let digits = behind.iter().take_while(|byte| byte.is_ascii_digit()).count();
        window == LINE && digits > 0 && behind[digits..].starts_with(b": ")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_record_is_an_answer_or_stands_for_none() {
        let solved =
            "534678912672195348198342567859761423426853791713924856961537284287419635345286179";
        let puzzle = solved.replace('5', ".");
        let text = format!(
            "solution\n# a comment\n{solved}\r\n\n# line 3: no solution\n# a.txt: line 4: 2 solutions\n\
             {puzzle},{solved}\n\"{solved}\"\n12\n{puzzle}\n{solved},{puzzle}\n"
        );
        let mut answers = Answers::new(Source::from_bytes("text", text.into_bytes()));
        let mut found = Vec::new();
        while let Some(answer) = answers.next().unwrap() {
            found.push(answer);
        }
        let cells = |line: &str| Given::Cells(parse::line(line.as_bytes()).unwrap());
        let error = ParseError::Length { found: 2 };
        let malformed = Given::Malformed(Malformed::Cells { column: 1, error });
        let expected = [
            (3, cells(solved)),
            (5, Given::Missing),
            (6, Given::Missing),
            (7, cells(solved)),
            (8, cells(solved)),
            (9, malformed),
            (10, cells(&puzzle)),
            (11, cells(solved)),
        ];
        assert_eq!(found, expected);
    }
}
