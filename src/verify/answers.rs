//! Answers from a file of their own, the first for the first puzzle and so on.
//!
//! ```text
//! 3                          on line 1: a count
//! line,puzzle,solution       a header: names the column of the answers, or else only columns
//! 1,53..7…79,5346…179        an answer: the field of that column
//! {"solution":null}          of an object, what its key of solutions has: no answer
//! 53..7…79,5346…179          where nothing is named, the last full field of 81 cells
//! # line 17: no solution     what `ninefold solve` writes for a puzzle without one: no answer
//! ```
//!
//! Where nothing is named and no field is full, the last of 81 cells is the answer, which is wrong
//! then; so is a line with none. Empty lines and other comments are passed over, as in an input.

use crate::input::{
    self, ChunkBuffer, Chunks, Delimiter, Fields, Given, Layout, Line, Malformed, PUZZLE_NAMES,
    SOLUTION_NAMES, Source, given_in, is_count, json,
};
use crate::puzzle::parse::{self, Blanks};
use crate::puzzle::{Cell, Grid, ParseError};
use std::collections::VecDeque;
use std::mem;
use std::sync::Arc;

/// Bytes read at a time: about 800 answers.
const CHUNK_BYTES: usize = 64 * 1024;

/// Answers that are still to come.
pub(super) struct Answers {
    name: Arc<str>,
    chunks: Chunks,
    chunk: ChunkBuffer,
    /// Lines before the chunk's end.
    lines: u64,
    finder: Finder,
    /// Those of the chunk, each with its line.
    waiting: VecDeque<(u64, Given)>,
}

impl Answers {
    pub(super) fn new(source: Source) -> Self {
        let name = Arc::clone(source.name());
        // Nothing is to be found out: the lines are looked at here.
        let chunks = source.with_layout(Layout::plain()).into_chunks(CHUNK_BYTES);
        let (chunk, finder, waiting) = (ChunkBuffer::new(), Finder::default(), VecDeque::new());
        Self { name, chunks, chunk, lines: 0, finder, waiting }
    }

    /// The next answer and its line, if there is one.
    pub(super) fn next(&mut self) -> Result<Option<(u64, Given)>, input::Error> {
        while self.waiting.is_empty() {
            if !self.chunks.fill(&mut self.chunk)? {
                return Ok(None);
            }
            let Self { name, chunk, lines, finder, waiting, .. } = self;
            let read = chunk.read(|chunk| {
                for line in chunk.lines() {
                    *lines += 1;
                    let given = finder.answer(line, *lines == 1);
                    waiting.extend(given.map(|given| (*lines, given)));
                }
            });
            read.map_err(|cause| input::Error { name: Arc::clone(name), cause })?;
        }
        Ok(self.waiting.pop_front())
    }
}

/// Finds the answers in lines that it is shown in their order.
#[derive(Default)]
struct Finder {
    fields: Fields,
    /// A line that may be an answer or a header has been seen.
    begun: bool,
    /// The line that names columns. Where it comes again it is passed over, too.
    header: Option<Vec<u8>>,
    /// The column that it says has the answers.
    column: Option<(Delimiter, usize)>,
}

impl Finder {
    /// The answer in a line, if it is one.
    fn answer(&mut self, line: Line, first: bool) -> Option<Given> {
        let bytes = line.bytes.trim_ascii();
        if bytes.is_empty() || first && is_count(bytes) {
            return None;
        }
        if bytes[0] == b'#' {
            return stands_for_none(bytes).then_some(Given::Missing);
        }
        if !mem::replace(&mut self.begun, true) && self.take_header(line.bytes) {
            self.header = Some(line.bytes.to_vec());
        }
        if self.header.as_deref() == Some(line.bytes) {
            return None;
        }
        Some(match self.column {
            Some((delimiter, place)) => self.in_column(line.bytes, delimiter, place),
            None if bytes[0] == b'{' => in_object(line.bytes),
            None => in_line(line),
        })
    }

    /// Whether a line names columns, and which of them has the answers: it has a name that is known,
    /// or several fields and no digit. Words divided by spaces may be a remark (`no solution`),
    /// if they do not name a column of puzzles, too.
    fn take_header(&mut self, line: &[u8]) -> bool {
        let is = |field: &[u8], name: &&str| field.eq_ignore_ascii_case(name.as_bytes());
        if line.contains(&b'{') || grids(line).next().is_some() {
            return false;
        }
        for &delimiter in &Delimiter::GUESSES {
            self.fields.split(line, delimiter);
            let place = |name: &&str| self.fields.iter(line).position(|field| is(field, name));
            let solution = SOLUTION_NAMES.iter().find_map(place);
            let puzzle = PUZZLE_NAMES.iter().find_map(place);
            let several = self.fields.len() > 1;
            let named = if several && delimiter == Delimiter::Spaces {
                solution.is_some() && puzzle.is_some()
            } else {
                let others = several && !line.iter().any(u8::is_ascii_digit);
                solution.is_some() || puzzle.is_some() || others
            };
            if named {
                self.column = solution.filter(|_| several).map(|place| (delimiter, place));
                return true;
            }
        }
        false
    }

    /// The field of a line in a column.
    fn in_column(&mut self, line: &[u8], delimiter: Delimiter, place: usize) -> Given {
        self.fields.split(line, delimiter);
        let field = self.fields.get(line, place).unwrap_or_default();
        given_in(field, &Blanks::usual(), || self.fields.start(place))
    }
}

/// What an object has for a solution.
fn in_object(line: &[u8]) -> Given {
    let object = match json::object(line) {
        Ok(object) => object,
        Err(error) => return Given::Malformed(Malformed::NoObject { column: error.column }),
    };
    match object.solution() {
        Some(value) => {
            given_in(json::field(value).as_bytes(), &Blanks::usual(), || json::start(line, value))
        }
        None => grids(line).find(is_full).map_or(Given::Missing, Given::Cells),
    }
}

/// What a line has where nothing is named.
fn in_line(line: Line) -> Given {
    // A puzzle may stand behind its answer.
    let full = grids(line.bytes).find(is_full);
    if let Some(grid) = full.or_else(|| grids(line.bytes).next()) {
        return Given::Cells(grid);
    }
    let length = ParseError::Length { found: usize::try_from(line.length).unwrap_or(0) };
    let error = parse::line(line.bytes).err().unwrap_or(length);
    Given::Malformed(Malformed::Cells { column: 1, error })
}

/// The fields of a line that are 81 cells, from the last to the first.
fn grids(line: &[u8]) -> impl Iterator<Item = Grid> {
    let divides = |byte: &u8| Delimiter::BYTES.contains(byte) || *byte == b'"';
    let fields = line.trim_ascii().split(divides).rev();
    let fields = fields.filter(|field| field.len() == Cell::COUNT);
    fields.filter_map(|field| parse::line(field).ok())
}

fn is_full(grid: &Grid) -> bool {
    grid.clues() == Cell::COUNT
}

/// Whether a comment is a record of a puzzle without a solution: `# line 17: …`, or
/// `# a.txt: line 17: …`.
fn stands_for_none(comment: &[u8]) -> bool {
    const LINE: &[u8] = b"line ";
    comment.windows(LINE.len()).enumerate().any(|(start, window)| {
        let (before, behind) = (&comment[..start], &comment[start + LINE.len()..]);
        let digits = behind.iter().take_while(|byte| byte.is_ascii_digit()).count();
        let begins = before == b"# " || before.starts_with(b"# ") && before.ends_with(b": ");
        window == LINE && begins && digits > 0 && behind[digits..].starts_with(b": ")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const SOLVED: &str =
        "534678912672195348198342567859761423426853791713924856961537284287419635345286179";

    fn answers(text: &str) -> Vec<(u64, Given)> {
        let mut answers = Answers::new(Source::from_bytes("text", text.as_bytes().to_vec()));
        std::iter::from_fn(|| answers.next().unwrap()).collect()
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
             # see line 4: all fine\nsolution\n"
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
        ];
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
            ("quiz", ""),
        ];
        for (head, before) in heads {
            let line = head.lines().count() as u64 + 1;
            let found = answers(&format!("{head}\n{before}{SOLVED}\n"));
            assert_eq!(found, [(line, cells(SOLVED))], "{head}");
        }
        for remark in ["none", "no solution", "hello", "-"] {
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
        let found = answers(&objects);
        let (given, missing) = (cells(SOLVED), Given::Missing);
        assert_eq!(found[..4], [(1, given), (2, missing), (3, missing), (4, given)]);
        assert!(matches!(found[4], (5, Given::Malformed(Malformed::NoObject { .. }))));
    }
}
