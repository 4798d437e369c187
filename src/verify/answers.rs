//! Answers from a file of their own, and how they are matched with the puzzles.
//!
//! ```text
//! line,puzzle,solution       a field `line`: each answer is that of the line
//! puzzle,solution            a field with puzzles: each answer is that of its puzzle
//! 53..7…79,5346…179          the same without a header
//! {"line":3,"solution":…}    the same of objects
//! 5346…179                   neither: the first answer is that of the first puzzle, and so on
//! ```
//!
//! The first 64 KiB decide, before any answer is used ([`Form::of`]):
//!
//! 1. A number on line 1 is a count. Empty lines and comments are skipped.
//! 2. The first line is a header if it has no grid, and a known name, or as many fields as a row and
//!    none of them a number, or a single word.
//! 3. The answers are in the field that is called so if it holds grids, else in the field with the most
//!    full grids. The puzzles are in the field that is called so if it holds grids, else in the field
//!    with the most grids that have blanks.
//! 4. Without a header, fields are told apart only if most rows have two grids.
//!
//! In a list without fields, the record of `ninefold solve` for a puzzle without a solution
//! (`# line 17: no solution`) is an answer that is missing.

use crate::input::{
    self, ChunkBuffer, Chunks, Delimiter, Fields, Given, Layout, Line, Malformed, PUZZLE_NAMES,
    SOLUTION_NAMES, Source, given_in, is_count, json,
};
use crate::puzzle::parse::{self, Blanks};
use crate::puzzle::{Cell, Grid, ParseError, Puzzle};
use std::collections::VecDeque;
use std::sync::Arc;

/// Bytes read at a time: about 800 answers.
const CHUNK_BYTES: usize = 64 * 1024;

/// Bytes of whole lines that decide how the answers are matched.
const HEAD_BYTES: usize = 64 * 1024;

ninefold_core::named_enum! {
    /// How the answers of another file are matched with the puzzles.
    ///
    /// ```
    /// use crate::verify::MatchedBy;
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
pub(super) struct Entry {
    /// Its line in the file of answers.
    pub(super) line: u64,
    pub(super) key: Key,
    pub(super) given: Given,
}

/// The puzzle of an answer, as its row names it.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Key {
    /// The next one.
    Position,
    /// The puzzle of this line, of the input that is called so if there are several.
    Line {
        input: Option<Vec<u8>>,
        /// None if the field is no number.
        line: Option<u64>,
        /// The puzzle, if the row has it.
        puzzle: Option<Puzzle>,
    },
    /// This puzzle; none if it is no puzzle.
    Puzzle(Option<Puzzle>),
}

/// A line of the head, kept until its answer is asked for.
struct Kept {
    bytes: Vec<u8>,
    length: u64,
}

/// Answers that are still to come.
pub(super) struct Answers {
    name: Arc<str>,
    chunks: Chunks,
    chunk: ChunkBuffer,
    /// The lines of the head that are not read yet.
    head: VecDeque<Kept>,
    /// Lines that were read.
    lines: u64,
    finder: Finder,
    /// Answers that were read and not asked for.
    waiting: VecDeque<Entry>,
}

impl Answers {
    /// Reads the head, and finds out how the answers are matched.
    pub(super) fn open(source: Source) -> Result<Self, input::Error> {
        let name = Arc::clone(source.name());
        // The layout of an input is found by its puzzles. Answers have rules of their own.
        let mut chunks = source.with_layout(Layout::plain()).into_chunks(CHUNK_BYTES);
        let mut chunk = ChunkBuffer::new();
        let (mut head, mut bytes) = (VecDeque::new(), 0);
        while bytes < HEAD_BYTES && chunks.fill(&mut chunk)? {
            let read = chunk.read(|chunk| {
                for line in chunk.lines() {
                    bytes += line.bytes.len() + 1;
                    head.push_back(Kept { bytes: line.bytes.to_vec(), length: line.length });
                }
            });
            read.map_err(|cause| input::Error { name: Arc::clone(&name), cause })?;
        }
        let mut left = HEAD_BYTES;
        let lines = head.iter().map(|line| &line.bytes[..]).take_while(|line| {
            let takes = left > 0;
            left = left.saturating_sub(line.len() + 1);
            takes
        });
        let finder = Finder::new(Form::of(lines));
        Ok(Self { name, chunks, chunk, head, lines: 0, finder, waiting: VecDeque::new() })
    }

    /// How they are matched.
    pub(super) const fn matched_by(&self) -> MatchedBy {
        self.finder.form.by
    }

    /// The name of their file.
    pub(super) const fn name(&self) -> &Arc<str> {
        &self.name
    }

    /// The next answer, if there is one.
    pub(super) fn next(&mut self) -> Result<Option<Entry>, input::Error> {
        while self.waiting.is_empty() {
            if let Some(Kept { bytes, length }) = self.head.pop_front() {
                self.lines += 1;
                let line = Line { bytes: &bytes, length };
                if let Some(entry) = self.finder.entry(line, self.lines) {
                    return Ok(Some(entry));
                }
                continue;
            }
            if !self.chunks.fill(&mut self.chunk)? {
                return Ok(None);
            }
            let Self { name, chunk, lines, finder, waiting, .. } = self;
            let read = chunk.read(|chunk| {
                for line in chunk.lines() {
                    *lines += 1;
                    waiting.extend(finder.entry(line, *lines));
                }
            });
            read.map_err(|cause| input::Error { name: Arc::clone(name), cause })?;
        }
        Ok(self.waiting.pop_front())
    }
}

/// The fields of a table.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Columns {
    delimiter: Delimiter,
    line: Option<usize>,
    input: Option<usize>,
    puzzle: Option<usize>,
    solution: usize,
}

/// How a file of answers is laid out.
#[derive(Debug)]
struct Form {
    by: MatchedBy,
    /// The line that names the fields. Where it comes again it is skipped, too.
    header: Option<Vec<u8>>,
    /// Where a row has its answer; none if that is seen in each row.
    columns: Option<Columns>,
}

/// What the fields at one place hold in the rows of the head.
#[derive(Clone, Copy, Default)]
struct Held {
    full: usize,
    with_blanks: usize,
    numbers: usize,
    /// Fields that are neither empty nor a grid; numbers are among them.
    others: usize,
}

impl Held {
    /// Whether this is a field of grids as far as the head shows: an empty one may be.
    const fn may_be_grids(self) -> bool {
        self.full + self.with_blanks >= self.others
    }
}

impl Form {
    /// The layout that these lines show.
    fn of<'a>(lines: impl Iterator<Item = &'a [u8]>) -> Self {
        let says_something = |(place, line): &(usize, &[u8])| {
            let line = line.trim_ascii();
            !line.is_empty() && line[0] != b'#' && !(*place == 0 && is_count(line))
        };
        let lines: Vec<_> = lines.enumerate().filter(says_something).map(|(_, it)| it).collect();
        if lines.first().is_some_and(|line| line.trim_ascii().starts_with(b"{")) {
            return Self { by: by_of_objects(&lines), header: None, columns: None };
        }
        Self::of_rows(&lines)
    }

    fn of_rows(lines: &[&[u8]]) -> Self {
        let mut fields = Fields::default();
        // The delimiter that shows the most grids; then the most names.
        let mut score = |delimiter: Delimiter| {
            let (mut grids, mut names) = (0, 0);
            for (place, line) in lines.iter().enumerate() {
                fields.split(line, delimiter);
                grids += fields.iter(line).filter(|field| grid_in(field).is_some()).count();
                if place == 0 {
                    names = fields.iter(line).filter(|field| is_known_name(field)).count();
                }
            }
            (grids, names)
        };
        let mut best = (Delimiter::GUESSES[0], score(Delimiter::GUESSES[0]));
        for &delimiter in &Delimiter::GUESSES[1..] {
            let its = score(delimiter);
            if its > best.1 {
                best = (delimiter, its);
            }
        }
        let delimiter = best.0;
        let header = lines.first().filter(|line| is_header(line, &lines[1..], delimiter));
        let rows = &lines[usize::from(header.is_some())..];
        let held = held_in(rows, delimiter);
        let mut names = Vec::new();
        if let Some(line) = header {
            fields.split(line, delimiter);
            names.extend(fields.iter(line).map(<[u8]>::to_ascii_lowercase));
        }
        let header = header.map(|line| line.to_vec());
        let in_line = |header| Self { by: MatchedBy::Position, header, columns: None };
        let places = if header.is_some() { names.len() } else { held.len() };
        if places < 2 {
            return in_line(header);
        }
        let at = |place: usize| held.get(place).copied().unwrap_or_default();
        let called = |name: &str| names.iter().position(|it| it == name.as_bytes());
        let most = |count: &dyn Fn(usize) -> usize| {
            let best = (0..places).rev().max_by_key(|&place| count(place));
            best.filter(|&place| count(place) > 0)
        };
        let known = SOLUTION_NAMES.iter().filter_map(|name| called(name));
        let solution = known
            .clone()
            .find(|&place| at(place).may_be_grids())
            .or_else(|| most(&|place| at(place).full));
        // Puzzles of which none has an answer: the field after them is empty in all rows.
        let empty = || {
            let after = most(&|place| at(place).with_blanks)? + 1;
            let Held { full, with_blanks, others, .. } = at(after);
            (after < places && full + with_blanks + others == 0).then_some(after)
        };
        let Some(solution) = solution.or_else(empty) else { return in_line(header) };
        let known = PUZZLE_NAMES.iter().filter_map(|name| called(name));
        let holds = |&place: &usize| {
            let held = at(place);
            place != solution && held.may_be_grids() && held.full + held.with_blanks > 0
        };
        let seen = || most(&|place| if place == solution { 0 } else { at(place).with_blanks });
        let puzzle = known.clone().find(holds).or_else(seen);
        let is_numbers = |&place: &usize| 2 * at(place).numbers >= at(place).others;
        let line = called("line").filter(is_numbers);
        let input = called("input").filter(|_| line.is_some());
        let by = match (line, puzzle) {
            (Some(_), _) => MatchedBy::Line,
            (None, Some(_)) => MatchedBy::Puzzle,
            (None, None) => MatchedBy::Position,
        };
        if header.is_none() {
            let two = rows.iter().filter(|line| grids(line).count() > 1).count();
            let alone =
                |line: &&&[u8]| grids(line).count() == 1 && grids(line).all(|it| is_full(&it));
            let is_list = at(solution).full > 0 && two <= rows.iter().filter(alone).count();
            if is_list || puzzle.is_none() {
                return in_line(None);
            }
        }
        let columns = Columns { delimiter, line, input, puzzle, solution };
        Self { by, header, columns: Some(columns) }
    }
}

/// What the fields of these rows hold, place by place.
fn held_in(rows: &[&[u8]], delimiter: Delimiter) -> Vec<Held> {
    let mut fields = Fields::default();
    let mut held: Vec<Held> = Vec::new();
    for line in rows {
        fields.split(line, delimiter);
        for (place, field) in fields.iter(line).enumerate() {
            if held.len() <= place {
                held.push(Held::default());
            }
            let held = &mut held[place];
            match grid_in(field) {
                Some(grid) if is_full(&grid) => held.full += 1,
                Some(_) => held.with_blanks += 1,
                None if parse::sukaku(field).is_ok() => held.with_blanks += 1,
                None if field.is_empty() => {}
                None => {
                    held.others += 1;
                    held.numbers += usize::from(field.iter().all(u8::is_ascii_digit));
                }
            }
        }
    }
    held
}

/// Whether the first line names the fields of the rows below it.
fn is_header(line: &[u8], rows: &[&[u8]], delimiter: Delimiter) -> bool {
    let mut fields = Fields::default();
    fields.split(line, delimiter);
    let count = fields.len();
    if fields.iter(line).any(|field| grid_in(field).is_some()) || line.contains(&b'{') {
        return false;
    }
    let known = fields.iter(line).filter(|field| is_known_name(field)).count();
    if count == 1 {
        return known == 1 || fields.get(line, 0).is_some_and(is_name);
    }
    // Words between spaces may be a remark: `no solution`.
    let is_table = delimiter != Delimiter::Spaces;
    if known > 1 || is_table && (known > 0 || !line.iter().any(u8::is_ascii_digit)) {
        return true;
    }
    let is_number = |field: &[u8]| !field.is_empty() && field.iter().all(u8::is_ascii_digit);
    let has_number = fields.iter(line).any(is_number);
    let mut has_grid = |row: &&&[u8]| {
        fields.split(row, delimiter);
        fields.len() == count && fields.iter(row).any(|field| grid_in(field).is_some())
    };
    !has_number && 2 * rows.iter().filter(&mut has_grid).count() > rows.len()
}

/// Whether a field is the name of a field of puzzles or solutions.
fn is_known_name(field: &[u8]) -> bool {
    let mut names = SOLUTION_NAMES.iter().chain(&PUZZLE_NAMES);
    names.any(|name| field.eq_ignore_ascii_case(name.as_bytes()))
}

/// Whether the only field of a line may be the name of a field: a word, and none that says why there
/// is no answer.
fn is_name(field: &[u8]) -> bool {
    const REMARKS: [&str; 12] = [
        "none",
        "null",
        "nan",
        "na",
        "nil",
        "error",
        "invalid",
        "malformed",
        "conflict",
        "multiple",
        "unsolvable",
        "unknown",
    ];
    let is_in_word = |byte: &u8| byte.is_ascii_alphanumeric() || b"_-.".contains(byte);
    field.first().is_some_and(u8::is_ascii_alphabetic)
        && field.iter().all(is_in_word)
        && !REMARKS.iter().any(|remark| field.eq_ignore_ascii_case(remark.as_bytes()))
}

/// How the answers of objects are matched.
fn by_of_objects(lines: &[&[u8]]) -> MatchedBy {
    let (mut all, mut lines_named, mut puzzles) = (0, 0, 0);
    for object in lines.iter().filter_map(|line| json::object(line).ok()) {
        all += 1;
        let line = object.get("line").and_then(|value| value.parse::<u64>().ok());
        lines_named += usize::from(line.is_some());
        puzzles += usize::from(puzzle_in_object(&object).is_some());
    }
    if all > 0 && 2 * lines_named > all {
        MatchedBy::Line
    } else if all > 0 && 2 * puzzles > all {
        MatchedBy::Puzzle
    } else {
        MatchedBy::Position
    }
}

/// The puzzle of an object: under a known key, or else the first grid that has blanks.
fn puzzle_in_object(object: &json::Object) -> Option<Puzzle> {
    let members = object.members();
    let text = |value: &str| puzzle_in(json::text(value)?.as_bytes());
    let named = PUZZLE_NAMES.iter().find_map(|name| {
        let mut named = members.iter().filter(|(key, _)| key.eq_ignore_ascii_case(name));
        named.find_map(|(_, value)| text(value))
    });
    let has_blanks = |puzzle: &Puzzle| match puzzle {
        Puzzle::Grid(grid) => !is_full(grid),
        Puzzle::Sukaku(_) => true,
    };
    named.or_else(|| members.iter().filter_map(|(_, value)| text(value)).find(has_blanks))
}

/// Finds the answers in lines that it is shown in their order.
struct Finder {
    form: Form,
    fields: Fields,
}

impl Finder {
    fn new(form: Form) -> Self {
        Self { form, fields: Fields::default() }
    }

    /// The answer in a line, if it is one.
    fn entry(&mut self, line: Line, number: u64) -> Option<Entry> {
        let bytes = line.bytes.trim_ascii();
        if bytes.is_empty() || number == 1 && is_count(bytes) {
            return None;
        }
        if self.form.header.as_deref() == Some(line.bytes) {
            return None;
        }
        let entry = |key, given| Some(Entry { line: number, key, given });
        if bytes[0] == b'#' && !self.is_row(line.bytes) {
            let is_record = self.form.by == MatchedBy::Position && stands_for_none(bytes);
            return if is_record { entry(Key::Position, Given::Missing) } else { None };
        }
        if bytes[0] == b'{' {
            let (key, given) = self.in_object(line.bytes);
            return entry(key, given);
        }
        match self.form.columns {
            Some(columns) => {
                let (key, given) = self.in_columns(line.bytes, &columns);
                entry(key, given)
            }
            None => entry(Key::Position, in_line(line)),
        }
    }

    /// Whether a line that begins with `#` is a row below a header: it has a grid in its place.
    fn is_row(&mut self, line: &[u8]) -> bool {
        let Form { header: Some(_), columns: Some(columns), .. } = &self.form else { return false };
        self.fields.split(line, columns.delimiter);
        let places = [Some(columns.solution), columns.puzzle].into_iter().flatten();
        places.filter_map(|place| self.fields.get(line, place)).any(|it| puzzle_in(it).is_some())
    }

    /// The answer of a row that is divided into fields.
    fn in_columns(&mut self, line: &[u8], columns: &Columns) -> (Key, Given) {
        self.fields.split(line, columns.delimiter);
        let fields = &self.fields;
        let text = |place: Option<usize>| fields.get(line, place?);
        let puzzle = || text(columns.puzzle).and_then(puzzle_in);
        let key = match self.form.by {
            MatchedBy::Position => Key::Position,
            MatchedBy::Puzzle => Key::Puzzle(puzzle()),
            MatchedBy::Line => Key::Line {
                input: text(columns.input).map(<[u8]>::to_vec),
                line: text(columns.line).and_then(|text| str::from_utf8(text).ok()?.parse().ok()),
                puzzle: puzzle(),
            },
        };
        let field = text(Some(columns.solution)).unwrap_or_default();
        (key, given_in(field, &Blanks::usual(), || fields.start(columns.solution)))
    }

    /// The answer of an object.
    fn in_object(&self, line: &[u8]) -> (Key, Given) {
        let object = json::object(line);
        let of = |object: &json::Object| match self.form.by {
            MatchedBy::Position => Key::Position,
            MatchedBy::Puzzle => Key::Puzzle(puzzle_in_object(object)),
            MatchedBy::Line => Key::Line {
                input: object.get("input").map(|it| json::field(it).into_owned().into_bytes()),
                line: object.get("line").and_then(|value| value.parse().ok()),
                puzzle: puzzle_in_object(object),
            },
        };
        match object {
            Ok(object) => (of(&object), given_in_object(line, &object)),
            Err(error) => {
                let malformed = Malformed::NoObject { column: error.column };
                (of(&json::Object::default()), Given::Malformed(malformed))
            }
        }
    }
}

/// What an object has for a solution.
fn given_in_object(line: &[u8], object: &json::Object) -> Given {
    match object.solution() {
        Some(value) => {
            given_in(json::field(value).as_bytes(), &Blanks::usual(), || json::start(line, value))
        }
        None => grids(line).find(is_full).map_or(Given::Missing, Given::Cells),
    }
}

/// What a line has where nothing is named.
fn in_line(line: Line) -> Given {
    // pandas writes a missing value of a table with one column like this.
    if line.bytes.trim_ascii() == b"\"\"" {
        return Given::Missing;
    }
    // A puzzle may follow its answer.
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
    fields.filter_map(grid_in)
}

/// The grid that a field is, if it is one.
fn grid_in(field: &[u8]) -> Option<Grid> {
    if field.len() == Cell::COUNT { parse::line(field).ok() } else { None }
}

/// The puzzle that a field is, if it is one.
fn puzzle_in(field: &[u8]) -> Option<Puzzle> {
    let sukaku = || parse::sukaku(field).ok().map(Puzzle::Sukaku);
    grid_in(field).map(Puzzle::Grid).or_else(sukaku)
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

    fn open(text: &str) -> Answers {
        Answers::open(Source::from_bytes("text", text.as_bytes().to_vec())).unwrap()
    }

    fn entries(text: &str) -> (MatchedBy, Vec<Entry>) {
        let mut answers = open(text);
        let entries = std::iter::from_fn(|| answers.next().unwrap()).collect();
        (answers.matched_by(), entries)
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
            let found = entries(&format!("{head}\n{before}{SOLVED}\n"));
            let entry = Entry { line, key: Key::Position, given: cells(SOLVED) };
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
        let found = answers(&objects);
        let (given, missing) = (cells(SOLVED), Given::Missing);
        assert_eq!(found[..4], [(1, given), (2, missing), (3, missing), (4, given)]);
        assert!(matches!(found[4], (5, Given::Malformed(Malformed::NoObject { .. }))));
    }

    /// The way of matching, and the key of the second answer.
    #[test]
    fn an_answer_is_matched_by_its_line_or_its_puzzle_if_the_file_has_them() {
        let blank = |digit: char| SOLVED.replace(digit, ".");
        let (one, two) = (blank('5'), blank('7'));
        let puzzle = Some(Puzzle::Grid(grid(&two)));
        let line = |input: Option<&str>, puzzle| {
            let input = input.map(|name| name.as_bytes().to_vec());
            (MatchedBy::Line, Key::Line { input, line: Some(9), puzzle })
        };
        let by_puzzle = || (MatchedBy::Puzzle, Key::Puzzle(puzzle));
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
            (format!("1 {SOLVED}\n2 {SOLVED}\n"), (MatchedBy::Position, Key::Position)),
            (format!("line\n{SOLVED}\n{SOLVED}\n"), (MatchedBy::Position, Key::Position)),
        ];
        for (text, (by, key)) in cases {
            let (found, entries) = entries(&text);
            assert_eq!((found, &entries[1].key), (by, &key), "{text}");
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
        let mut slow =
            Answers::open(Source::from_reader("pipe", Drips(text.clone().into()))).unwrap();
        let slow_entries: Vec<_> = std::iter::from_fn(|| slow.next().unwrap()).collect();
        assert_eq!((slow.matched_by(), slow_entries), entries(&text));
        assert_eq!(slow.matched_by(), MatchedBy::Puzzle);
    }
}
