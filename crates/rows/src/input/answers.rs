//! Answers from a file of their own, and how they are matched with the puzzles.
//!
//! ```text
//! line,puzzle,solution       a field `line`: each answer is that of the line
//! puzzle,solution            a field with puzzles: each answer is that of its puzzle
//! 53..7…79,5346…179          rows without a header
//! {"line":3,"solution":…}    objects with the number of the line
//! 5346…179                   neither: the first answer is that of the first puzzle, and so on
//! ```
//!
//! The layout is found as that of any input; a field of full grids alone may hold the answers, and a file
//! that has no layout is a list. Without a header, fields are told apart only if most rows have a puzzle.
//!
//! In a list, the record of `ninefold solve` for a puzzle without a solution (`# line 17: no solution`) is
//! an answer that is missing.

use super::chunk::{ChunkBuffer, Chunks};
use super::delimiter::Delimiter;
use super::given::Given;
use super::layout::shape::{Columns, Hints, Layout, is_own_comment};
use super::lines::{Line, is_count};
use super::malformed::Malformed;
use super::source::{Error, Source};
use crate::puzzle::parse::{self, Blanks};
use crate::puzzle::{Cell, ParseError, Puzzle, PuzzleError};
use std::collections::VecDeque;
use std::sync::Arc;

/// Bytes read at a time: about 800 answers.
const CHUNK_BYTES: usize = 64 * 1024;

ninefold_core::named_enum! {
    /// How the answers of another file are matched with the puzzles.
    ///
    /// ```
    /// use ninefold_rows::input::MatchedBy;
    ///
    /// assert_eq!(MatchedBy::Line.to_string(), "line");
    /// ```
    pub enum MatchedBy, "way of matching" {
        Position = "position", "the first answer is that of the first puzzle, and so on";
        Line = "line", "a field has the line of the puzzle";
        Puzzle = "puzzle", "a field has the puzzle";
    }
}

/// An answer, and which puzzle it belongs to.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Entry {
    /// Its line in the file of answers.
    pub(crate) line: u64,
    /// The puzzle, if its row has it.
    pub(crate) puzzle: Option<Puzzle>,
    /// If answers are matched by line: the line of the puzzle, none if the field is no number, and the name of
    /// the input, if there are several.
    pub(crate) of_line: Option<u64>,
    pub(crate) of_input: Option<Vec<u8>>,
    pub(crate) given: Given,
}

/// Answers that are still to come.
pub(crate) struct Answers {
    /// The name of their file.
    pub(crate) name: Arc<str>,
    /// How they are matched.
    pub(crate) by: MatchedBy,
    chunks: Chunks,
    chunk: ChunkBuffer,
    /// Lines that were read.
    lines: u64,
    columns: Columns,
    /// Answers that were read and not taken.
    waiting: VecDeque<Entry>,
}

impl Answers {
    /// Finds out how the answers are matched. Puzzles in the file have these blanks.
    pub(crate) fn open(mut source: Source, blanks: Blanks) -> Result<Self, Error> {
        let name = Arc::clone(source.name());
        let hints = Hints { full_grids: true, blanks, ..Hints::default() };
        let explained = source.explain(&hints)?;
        let by = explained.layout.as_deref().map_or(MatchedBy::Position, by_of);
        if explained.layout.is_err() {
            source = source.with_layout(Layout::plain().with_blanks(blanks));
        }
        let chunks = source.into_chunks(CHUNK_BYTES);
        let (chunk, columns, waiting) =
            (ChunkBuffer::default(), Columns::default(), VecDeque::new());
        Ok(Self { name, chunks, chunk, lines: 0, by, columns, waiting })
    }

    /// The next answer, if there is one.
    pub(crate) fn next(&mut self) -> Result<Option<Entry>, Error> {
        while self.waiting.is_empty() && self.chunks.fill(&mut self.chunk)? {
            let Self { name, chunk, lines, by, columns, waiting, .. } = self;
            let read = chunk.read(|chunk| {
                for (line, count) in chunk.texts() {
                    waiting.extend(entry(chunk.layout(), *by, columns, line, *lines + 1));
                    *lines += count;
                }
            });
            read.map_err(|cause| Error { name: Arc::clone(name), cause })?;
        }
        Ok(self.waiting.pop_front())
    }

    /// The next answer is this one, which was not taken.
    pub(crate) fn put_back(&mut self, entry: Entry) {
        self.waiting.push_front(entry);
    }
}

/// How answers of this layout are matched.
fn by_of(layout: &Layout) -> MatchedBy {
    let has_names = layout.names.len() > 1;
    let is_line = |name: &String| name.eq_ignore_ascii_case("line");
    let found = layout.sampled;
    let is_list = !has_names && 2 * found.puzzles <= found.records;
    match has_names && layout.names.iter().any(is_line) {
        true => MatchedBy::Line,
        false if layout.has_solutions() && !is_list => MatchedBy::Puzzle,
        false => MatchedBy::Position,
    }
}

/// The answer in a line, if it is one.
fn entry(
    layout: &Layout,
    by: MatchedBy,
    columns: &mut Columns,
    line: Line,
    number: u64,
) -> Option<Entry> {
    let bytes = line.bytes;
    let text = bytes.trim_ascii();
    if text.is_empty() || number == 1 && is_count(text) || layout.header.as_deref() == Some(bytes) {
        return None;
    }
    let is_table = layout.names.len() > 1 || layout.has_objects() || by != MatchedBy::Position;
    let given =
        if is_table { columns.answer(layout, bytes) } else { in_line(line, &layout.blanks) };
    let puzzle = parse::puzzle(&columns.puzzle(layout, bytes), &layout.blanks);
    let puzzle = puzzle.ok().filter(|_| is_table && layout.has_solutions());
    // In a table, a row may begin with `#`.
    let is_row = is_table && (puzzle.is_some() || matches!(given, Given::Cells(_)));
    let is_comment = text[0] == b'#' && !is_row;
    let is_record = is_comment && by == MatchedBy::Position && is_own_comment(text);
    let is_silent = by == MatchedBy::Puzzle && puzzle.is_none() && given == Given::Missing;
    if !is_record && (is_comment || is_silent || layout.is_above_rows(bytes)) {
        return None;
    }
    let given = if is_record { Given::Missing } else { given };
    let mut named = |name| match by {
        MatchedBy::Line => columns.named(layout, bytes, name),
        MatchedBy::Position | MatchedBy::Puzzle => None,
    };
    let of_line = named("line").and_then(|text| str::from_utf8(&text).ok()?.parse().ok());
    Some(Entry { line: number, puzzle, of_line, of_input: named("input"), given })
}

/// What a line has where nothing is named.
fn in_line(line: Line, blanks: &Blanks) -> Given {
    // pandas writes a missing value of a table with one column like this.
    if line.bytes.trim_ascii() == b"\"\"" {
        return Given::Missing;
    }
    // A puzzle may follow its answer.
    let divides = |byte: &u8| Delimiter::BYTES.contains(byte) || *byte == b'"';
    let grid = |field: &[u8]| parse::cells(field, blanks).ok();
    let fields = || line.bytes.trim_ascii().split(divides).rev().filter_map(grid);
    let full = fields().find(|grid| grid.clues() == Cell::COUNT);
    if let Some(grid) = full.or_else(|| fields().next()) {
        return Given::Cells(grid);
    }
    let length = ParseError::Length { found: usize::try_from(line.length).unwrap_or(0) };
    let error = PuzzleError::Grid(parse::cells(line.bytes, blanks).err().unwrap_or(length));
    Given::Malformed(Malformed::Cells { column: 1, error })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::puzzle::Grid;

    const SOLVED: &str =
        "534678912672195348198342567859761423426853791713924856961537284287419635345286179";

    fn open(text: &str) -> Answers {
        let source = Source::from_bytes("text", text.as_bytes().to_vec());
        Answers::open(source, Blanks::default()).unwrap()
    }

    fn entries(text: &str) -> (MatchedBy, Vec<Entry>) {
        let mut answers = open(text);
        let entries = std::iter::from_fn(|| answers.next().unwrap()).collect();
        (answers.by, entries)
    }

    fn answers(text: &str) -> Vec<(u64, Given)> {
        entries(text).1.into_iter().map(|entry| (entry.line, entry.given)).collect()
    }

    fn grid(line: &str) -> Grid {
        parse::line(line.as_bytes()).unwrap()
    }

    fn cells(line: &str) -> Given {
        Given::Cells(grid(line))
    }

    #[test]
    fn each_record_is_an_answer_or_stands_for_none() {
        let puzzle = SOLVED.replace('5', ".");
        let text = format!(
            "solution\n# a comment\n{SOLVED}\r\n\n# line 3: no solution\n# a.txt: line 4: 2 solutions\n\
             {puzzle},{SOLVED}\n\"{SOLVED}\"\n12\n{puzzle}\n{SOLVED},{puzzle}\n\
             # see line 4: all fine\nsolution\n\"\"\n"
        );
        let error = PuzzleError::Grid(ParseError::Length { found: 2 });
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
            let found = entries(&format!("{head}\n{before}{SOLVED}\n"));
            let given = cells(SOLVED);
            let entry = Entry { line, puzzle: None, of_line: None, of_input: None, given };
            assert_eq!(found, (MatchedBy::Position, vec![entry]), "{head}");
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
        // One key is decided for the whole file, so the object with `result` has no puzzle and no answer.
        let found = answers(&objects);
        let (given, missing) = (cells(SOLVED), Given::Missing);
        assert_eq!(found[..3], [(1, given), (2, missing), (3, missing)]);
        assert!(matches!(found[3], (5, Given::Malformed(Malformed::NoObject { .. }))));
    }

    /// The way of matching, and the key of the second answer.
    #[test]
    fn an_answer_is_matched_by_its_line_or_its_puzzle_if_the_file_has_them() {
        let blank = |digit: char| SOLVED.replace(digit, ".");
        let (one, two) = (blank('5'), blank('7'));
        let puzzle = Some(Puzzle::Grid(grid(&two)));
        let line = |input: Option<&str>, puzzle| {
            let input = input.map(|name| name.as_bytes().to_vec());
            (MatchedBy::Line, (puzzle, Some(9), input))
        };
        let by_puzzle = || (MatchedBy::Puzzle, (puzzle, None, None));
        let by_position = || (MatchedBy::Position, (None, None, None));
        let cases = [
            (format!("line,solution\n3,{SOLVED}\n9,\n"), line(None, None)),
            (format!("Puzzle;LINE;x\n{one};3;{SOLVED}\n{two};9;\n"), line(None, puzzle)),
            (
                format!("input,line,puzzle,solution\na,3,{one},{SOLVED}\nb,9,{two},{SOLVED}\n"),
                line(Some("b"), puzzle),
            ),
            (format!("puzzle,solution\n{one},{SOLVED}\n{two},\"\"\n"), by_puzzle()),
            (format!("id,solved,start\n1,{SOLVED},{one}\n#2,{SOLVED},{two}\n"), by_puzzle()),
            (format!("{one},{SOLVED}\n# line 3: no solution\n{two},{SOLVED}\n"), by_puzzle()),
            (format!("{SOLVED} {one}\n{SOLVED} {two}\n"), by_puzzle()),
            (
                format!("1,unique,1,{one},{SOLVED}\n2,none,0,{two},\n3,unique,1,{one},{SOLVED}\n"),
                by_puzzle(),
            ),
            (
                format!(
                    "{{\"line\":3,\"puzzle\":\"{one}\",\"solution\":null}}\n\
                     {{\"line\":9,\"puzzle\":\"{two}\",\"solution\":null}}\n"
                ),
                line(None, puzzle),
            ),
            (
                format!(
                    "{{\"start\":\"{one}\",\"end\":\"{SOLVED}\"}}\n\
                     {{\"start\":\"{two}\",\"end\":\"{SOLVED}\"}}\n"
                ),
                by_puzzle(),
            ),
            (format!("1 {SOLVED}\n2 {SOLVED}\n"), by_position()),
            (format!("line\n{SOLVED}\n{SOLVED}\n"), by_position()),
        ];
        for (text, (by, key)) in cases {
            let (found, mut entries) = entries(&text);
            let Entry { puzzle, of_line, of_input, .. } = entries.swap_remove(1);
            assert_eq!((found, (puzzle, of_line, of_input)), (by, key), "{text}");
        }
    }

    /// Whatever pieces the head comes in.
    #[test]
    fn the_way_of_matching_depends_on_the_lines_alone() {
        struct Drips(Vec<u8>);
        impl std::io::Read for Drips {
            fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
                let bytes = self.0.len().min(buffer.len()).min(7);
                buffer[..bytes].copy_from_slice(&self.0[..bytes]);
                self.0.drain(..bytes);
                Ok(bytes)
            }
        }
        let puzzle = SOLVED.replace('5', ".");
        let text = format!("{puzzle},\n").repeat(5) + &format!("{puzzle},{SOLVED}\n").repeat(2);
        let mut slow = Answers::open(
            Source::from_reader("pipe", Drips(text.clone().into())),
            Blanks::default(),
        )
        .unwrap();
        let slow_entries: Vec<_> = std::iter::from_fn(|| slow.next().unwrap()).collect();
        assert_eq!((slow.by, slow_entries), entries(&text));
        assert_eq!(slow.by, MatchedBy::Puzzle);
    }
}
