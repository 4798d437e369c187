//! Answers from a file of their own, in their order.
//!
//! ```text
//! line,puzzle,solution       a field of solutions, as in any table
//! 53..7…79,5346…179          rows without a header
//! {"line":3,"solution":…}    objects
//! 5346…179                   a list: the full grid of each line
//! 534678912                  grids of nine lines
//! ```
//!
//! The layout is found as that of any input; a field of full grids alone may hold the answers, and a file
//! that has no layout is a list. Without a header, fields are told apart only if most rows have a puzzle.
//!
//! The record of `ninefold solve` for a puzzle without a solution (`# line 17: no solution`) is an answer that
//! is missing.

use super::chunk::{ChunkBuffer, Chunks};
use super::delimiter::Delimiter;
use super::fields::{Fields, Given};
use super::layout::shape::{Columns, Hints, Layout, is_own_comment};
use super::lines::{Line, is_count};
use super::malformed::Malformed;
use super::records::{Puzzles, RowPlace};
use super::source::{Error, Source};
use crate::puzzle::parse::{self, Blanks};
use crate::puzzle::{Cell, ParseError};
use std::collections::VecDeque;
use std::sync::Arc;

/// Bytes read at a time: about 800 answers.
const CHUNK_BYTES: usize = 64 * 1024;

/// Answers that are still to come.
pub struct Answers {
    /// The name of their file.
    pub name: Arc<str>,
    chunks: Chunks,
    chunk: ChunkBuffer,
    /// Lines that were read.
    lines: u64,
    columns: Columns,
    /// Answers that were read and not taken, each with its line.
    waiting: VecDeque<(u64, Given)>,
}

impl Answers {
    /// Opens the answers of puzzles with this layout. Puzzles in the file have the same blanks.
    ///
    /// # Errors
    /// They cannot be read.
    pub fn open(mut source: Source, puzzles: &Layout) -> Result<Self, Error> {
        let name = Arc::clone(source.name());
        let (blanks, grids) = (puzzles.blanks, puzzles.has_grids());
        let hints = Hints { full_grids: true, is_beside: true, blanks, grids, ..Hints::default() };
        if source.explain(&hints)?.layout.is_err() {
            source = source.with_layout(Layout::default().with_blanks(blanks));
        }
        let (chunks, chunk) = (source.into_chunks(CHUNK_BYTES), ChunkBuffer::default());
        let (columns, waiting) = (Columns::default(), VecDeque::new());
        Ok(Self { name, chunks, chunk, lines: 0, columns, waiting })
    }

    /// The next answer and its line, if there is one.
    ///
    /// # Errors
    /// They cannot be read.
    pub fn take(&mut self) -> Result<Option<(u64, Given)>, Error> {
        while self.waiting.is_empty() && self.chunks.fill(&mut self.chunk)? {
            let Self { name, chunk, lines, columns, waiting, .. } = self;
            let read = chunk.read(|chunk| {
                if chunk.layout().has_grids() {
                    let mut grids = Puzzles::default();
                    grids.read(chunk);
                    let given = |number| Given::Cells(grids.puzzle(number).givens());
                    waiting.extend(grids.places().map(|RowPlace { line, number, .. }| {
                        (*lines + line, number.map_or_else(Given::Malformed, given))
                    }));
                    *lines += grids.line_count();
                    return;
                }
                for (line, count) in chunk.texts() {
                    let number = *lines + 1;
                    let given = answer(chunk.layout(), columns, line, number);
                    waiting.extend(given.map(|given| (number, given)));
                    *lines += count;
                }
            });
            read.map_err(|cause| Error { name: Arc::clone(name), cause })?;
        }
        Ok(self.waiting.pop_front())
    }
}

/// The answer in a line, if it is one.
fn answer(layout: &Layout, columns: &mut Columns, line: Line, number: u64) -> Option<Given> {
    let text = line.bytes.trim_ascii();
    if text.is_empty() || number == 1 && is_count(text) {
        return None;
    }
    let found = layout.sampled;
    let has_puzzles = layout.has_solutions() && 2 * found.puzzles > found.records;
    let is_table = layout.names.len() > 1 || layout.has_objects() || has_puzzles;
    let given =
        if is_table { columns.answer(layout, line.bytes) } else { in_line(line, &layout.blanks) };
    // In a table, a row may begin with `#`.
    if text[0] == b'#' && !(is_table && matches!(given, Given::Cells(_))) {
        return is_own_comment(text).then_some(Given::Missing);
    }
    (!layout.is_above_rows(line.bytes)).then_some(given)
}

/// What a line has where nothing is named.
fn in_line(line: Line, blanks: &Blanks) -> Given {
    // pandas writes a missing value of a table with one column like this.
    if line.bytes.trim_ascii() == b"\"\"" {
        return Given::Missing;
    }
    // A puzzle may follow its answer.
    let fields = Fields::of_row(line.bytes, Delimiter::Any);
    let grids = fields.iter(line.bytes).filter_map(|field| parse::cells(field, blanks).ok());
    // Of equal ones, `max_by_key` gives the last.
    if let Some(grid) = grids.max_by_key(|grid| grid.clues() == Cell::COUNT) {
        return Given::Cells(grid);
    }
    let length = ParseError::Length { found: usize::try_from(line.length).unwrap_or(0) };
    let error = parse::cells(line.bytes, blanks).err().unwrap_or(length);
    Given::Malformed(Malformed::Cells { column: 1, error })
}

#[cfg(test)]
mod tests {
    use super::*;

    const SOLVED: &str =
        "534678912672195348198342567859761423426853791713924856961537284287419635345286179";

    fn answers(text: &str) -> Vec<(u64, Given)> {
        let source = Source::from_bytes("text", text.as_bytes().to_vec());
        let mut answers = Answers::open(source, &Layout::default()).unwrap();
        std::iter::from_fn(|| answers.take().unwrap()).collect()
    }

    fn cells(line: &str) -> Given {
        Given::Cells(parse::line(line.as_bytes()).unwrap())
    }

    #[test]
    fn each_record_is_an_answer_or_stands_for_none() {
        let puzzle = SOLVED.replace('5', ".");
        let text = format!(
            "solution\n# a comment\n{SOLVED}\r\n\n# line 3: no solution\n# a.txt: line 4: 2 solutions\n\
             {puzzle},{SOLVED}\n\"{SOLVED}\"\n12\n{puzzle}\n{SOLVED},{puzzle}\n\
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
        let text = text.replace(&format!("{puzzle},{SOLVED}"), SOLVED);
        assert_eq!(answers(&text), expected);
    }

    /// A line too many or too few before the first answer puts all beside the wrong puzzles.
    #[test]
    fn what_comes_before_the_first_answer_is_none() {
        let heads = [
            ("3", ""),
            ("# mine\nsolution", ""),
            ("12\n# mine\n\nAnswer", ""),
            ("id,puzzle,solution,v2", "1,,"),
            ("id;answer", "1;"),
            ("puzzle solution", ". "),
            ("id,result", "1,"),
            ("id,result2", "1,"),
            ("\"\",\"x\"", "\"1\","),
            ("quiz", ""),
            ("solved", ""),
            ("\"solved_grid\"", ""),
        ];
        for (head, before) in heads {
            let line = head.lines().count() as u64 + 1;
            let found = answers(&format!("{head}\n{before}{SOLVED}\n"));
            assert_eq!(found, [(line, cells(SOLVED))], "{head}");
        }
        for remark in ["none", "no solution", "NaN", "-"] {
            let found = answers(&format!("{remark}\n{SOLVED}\n"));
            assert!(matches!(found[0], (1, Given::Malformed(_))), "{remark}");
            assert_eq!(found[1..], [(2, cells(SOLVED))], "{remark}");
        }
    }

    #[test]
    fn a_named_column_or_key_has_the_answers_and_nothing_else_has() {
        let puzzle = SOLVED.replace('5', ".");
        let table = format!(
            "line,status,solutions,puzzle,solution,input_solution\n1,unique,1,{puzzle},{SOLVED},{puzzle}\n\
             2,none,0,{puzzle},,{SOLVED}\n3,none\n4,unique,1,{puzzle},x,{SOLVED}\n"
        );
        let found = answers(&table);
        assert_eq!(found[..3], [(2, cells(SOLVED)), (3, Given::Missing), (4, Given::Missing)]);
        assert!(matches!(found[3].1, Given::Malformed(Malformed::Cells { column: 94, .. })));
        let objects = format!(
            "{{\"solutions\":1,\"puzzle\":\"{puzzle}\",\"solution\":\"{SOLVED}\",\"other\":\"{puzzle}\"}}\n\
             {{\"solutions\":0,\"puzzle\":\"{puzzle}\",\"solution\":null,\"other\":\"{SOLVED}\"}}\n\
             {{\"puzzle\":\"{puzzle}\"}}\n{{\"result\":\"{SOLVED}\"}}\n{{\n"
        );
        // One key is decided for the whole file, so the object with `result` has no answer.
        let found = answers(&objects);
        let (given, missing) = (cells(SOLVED), Given::Missing);
        assert_eq!(found[..4], [(1, given), (2, missing), (3, missing), (4, missing)]);
        assert!(matches!(found[4], (5, Given::Malformed(Malformed::NoObject { .. }))));
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
