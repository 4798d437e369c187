//! Answers from a file of their own, in their order.
//!
//! The file is read by the rule for any input, with full grids first. Each of its records is an answer. An empty field is a
//! missing answer, and so is the record of `ninefold solve` for a puzzle without a solution (`# line 17: no solution`).
//! A file in which no grid is found is a list of answers that are malformed.

use super::chunk::{ChunkBuffer, Chunks};
use super::fields::Given;
use super::layout::hints::Hints;
use super::layout::shape::Layout;
use super::records::{Puzzles, RowPlace};
use super::source::{Error, Source};
use std::io;

/// The answers of a chunk.
#[derive(Default)]
pub struct ChunkAnswers {
    /// Each with its line, counted from 1 at the start of the chunk.
    pub answers: Vec<(u64, Given)>,
    /// How many lines the chunk has.
    pub lines: u64,
}

/// Opens the answers of puzzles with this layout. Puzzles in the file have the same blanks.
///
/// # Errors
/// They cannot be read.
pub fn open_answers(mut source: Source, puzzles: &Layout) -> Result<Chunks, Error> {
    let blanks = puzzles.blanks;
    let hints = Hints { full_grids: true, is_beside: true, blanks, ..Hints::default() };
    if source.explain(&hints)?.layout.is_err() {
        source = source.with_layout(Layout { blanks, has_answers: true, ..Layout::default() });
    }
    Ok(source.into_chunks())
}

impl ChunkAnswers {
    /// Reads a chunk. `grids` is memory that is used again.
    ///
    /// # Errors
    /// The answers of a Parquet file cannot be decoded, or the file was shortened meanwhile.
    pub fn read(chunk: &mut ChunkBuffer, grids: &mut Puzzles) -> io::Result<Self> {
        chunk.load();
        chunk.failed.take().map_or(Ok(()), Err)?;
        chunk.read(|chunk| grids.read(chunk))?;
        let answer = |RowPlace { line, number, .. }| match number {
            Ok(number) => (line, Given::Cells(grids.puzzle(number).givens())),
            Err(error) if error.is_missing() => (line, Given::Missing),
            Err(error) => (line, Given::Malformed(error)),
        };
        Ok(Self { answers: grids.places().map(answer).collect(), lines: grids.line_count() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::Malformed;
    use crate::puzzle::{ParseError, parse};

    const SOLVED: &str =
        "534678912672195348198342567859761423426853791713924856961537284287419635345286179";

    fn answers(text: &str) -> Vec<(u64, Given)> {
        let source = Source::from_bytes("text", text.as_bytes().to_vec());
        let mut chunks = open_answers(source, &Layout::default()).unwrap();
        let mut chunk = ChunkBuffer::default();
        assert!(chunks.fill(&mut chunk, usize::MAX).unwrap());
        ChunkAnswers::read(&mut chunk, &mut Puzzles::default()).unwrap().answers
    }

    fn cells(line: &str) -> Given {
        Given::Cells(parse::line(line.as_bytes()).unwrap())
    }

    #[test]
    fn each_record_is_an_answer_or_stands_for_none() {
        let puzzle = SOLVED.replace('5', ".");
        let text = format!(
            "solution\n# a comment\n{SOLVED}\r\n\n# line 3: no solution\n# a.txt: line 4: 2 solutions\n\
             {SOLVED}\n\"{SOLVED}\"\n12\n{puzzle}\n{SOLVED},{puzzle}\n\
             # see line 4: all fine\nsolution\n\"\"\n"
        );
        let error = ParseError::Length { found: 2 };
        let malformed = Given::Malformed(Malformed::Cells { column: 1, error });
        let expected = [
            (3, cells(SOLVED)),
            (5, Given::Missing),
            (6, Given::Missing),
            (7, cells(SOLVED)),
            (8, cells(SOLVED)),
            (9, malformed),
            (10, cells(&puzzle)),
            (11, cells(SOLVED)),
            (14, Given::Missing),
        ];
        assert_eq!(answers(&text), expected);
    }

    /// With a header, without one, and in objects: the answer of each row, or none.
    #[test]
    fn rows_with_a_puzzle_have_the_answer_next_to_it() {
        let [one, two] = ['5', '7'].map(|digit| SOLVED.replace(digit, "."));
        let (given, missing) = (cells(SOLVED), Given::Missing);
        for (text, expected) in [
            (
                format!("Puzzle;LINE;x\n{one};3;{SOLVED}\n{two};9;\n"),
                vec![(2, given), (3, missing)],
            ),
            (
                format!("id,solved,start\n1,{SOLVED},{one}\n#2,{SOLVED},{two}\n"),
                vec![(2, given), (3, given)],
            ),
            (
                format!("{one},{SOLVED}\n# line 3: no solution\n{two},{SOLVED}\n"),
                vec![(1, given), (2, missing), (3, given)],
            ),
            (format!("{SOLVED} {one}\n{SOLVED} {two}\n"), vec![(1, given), (2, given)]),
            (
                format!("1,unique,1,{one},{SOLVED}\n2,none,0,{two},\n3,unique,1,{one},{SOLVED}\n"),
                vec![(1, given), (2, missing), (3, given)],
            ),
            (
                format!(
                    "{{\"start\":\"{one}\",\"end\":\"{SOLVED}\"}}\n\
                     {{\"start\":\"{two}\",\"end\":\"{SOLVED}\"}}\n"
                ),
                vec![(1, given), (2, given)],
            ),
            (format!("1 {SOLVED}\n2 {SOLVED}\n"), vec![(1, given), (2, given)]),
        ] {
            assert_eq!(answers(&text), expected, "{text}");
        }
    }
}
