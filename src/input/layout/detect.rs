//! Finds the layout of an input in its first lines: candidates from lines, then a decision.
//!
//! Lines are shown one by one until one settles the layout. So a slow pipe is asked for no more than is
//! needed, and the layout depends on the lines alone, not on how they arrive.
//!
//! ```text
//! bytes     |<------------- HEAD_BYTES ------------->|···      complete lines are shown, one by one
//! stream    |<- read ->|<- read ->| settled: no more is asked for
//!
//! # a comment           2: says nothing
//! 49151                 3: on line 1, a count
//! id,puzzle,rating      4: a header, if it names a column of puzzles: its delimiter divides all rows
//! --+------+------      5: a rule below it says nothing
//! 1f 53..7…79 9.3       8: the first puzzle is the field of 81 cells; the delimiter is next to it
//! 53..7…79,5346…17      8: may have a slip; a later row decides, if one is without doubt
//! ```
//!
//! # The kind of a line
//!
//! The first rule that takes a line says what it is (`LINE_RULES`):
//!
//! 1. An empty line says nothing.
//! 2. A comment, which begins with `#`, says nothing.
//! 3. A number on line 1 is a count, unless grids are expected.
//! 4. A line before all records that names the column of the puzzles is a header.
//! 5. Dashes directly below a header are a rule, which says nothing.
//! 6. If grids are expected, nine cells are a row of a grid, which settles the layout.
//! 7. A JSON object with a puzzle settles the layout.
//! 8. A row with a puzzle settles the layout, if it has no slip: in the column that the header names, or
//!    else in the first field of 81 cells.
//! 9. Any other line is a record without a puzzle.
//!
//! The delimiter of a row is the first of these that makes the puzzle a field: the one that was given;
//! the character behind the puzzle; the one before it; `,` `;` tab `|` and spaces together.
//!
//! # The decision
//!
//! After the line that settles it, or the last line of the head, the first of these is taken
//! (`DECISIONS`); if there is none, the input is refused:
//!
//! 1. The line that has settled the layout.
//! 2. The first row with a slip: all rows have one.
//! 3. The first row below a header with a puzzle in another column than the named one: that name
//!    means something else.
//! 4. The header alone, if a row resembles a puzzle, or there is no row.
//! 5. Grids, if they are expected and the input has ended without a line.
//! 6. A puzzle a line, if a line resembles a puzzle and the caller said nothing of columns, or there is
//!    no record.
//!
//! # A slip
//!
//! ```text
//! 53..7…7,5346…179       80 cells and a full grid: which is the puzzle?
//! 53..7…79,5346…17.      a puzzle and perhaps its solution: is it?
//! n/a,5346…179           a full grid behind something else: is the puzzle missing?
//! 53..7…79,5346…179      a puzzle and a full grid: no doubt, and this decides for all rows
//! ```
//!
//! If no row of the head is without doubt, the first one decides: the field before a full grid is its
//! puzzle, with a slip.

use super::explain::{Explanation, NoPuzzle, Remark, SHOWN_BYTES, Wanted};
use super::shape::{Column, Hints, Layout, Shape};
use crate::input::fields::{
    Delimiter, Fields, PUZZLE_NAMES, Rows, SOLUTION_NAMES, is_full, is_puzzle, resembles_puzzle,
};
use crate::input::grids;
use crate::input::json;
use crate::input::lines::{BYTE_ORDER_MARK, Lines, is_count, is_empty};
use crate::puzzle::Cell;
use crate::puzzle::parse::Blanks;
use std::io::{self, Read};

/// Bytes of an input in which its first puzzle must be found.
///
/// Comments and a header come before it: the longest seen has 2 KiB. A stream keeps so many bytes
/// until the layout is known.
pub(in crate::input) const HEAD_BYTES: usize = 1 << 20;

/// Bytes that a stream is asked for at a time.
const PIECE_BYTES: usize = 64 * 1024;

/// Finds the layout of an input whose first bytes are these, [`HEAD_BYTES`] or all.
pub(in crate::input) fn layout_of_bytes(
    head: &[u8],
    hints: &Hints,
    said: Option<&mut Explanation>,
) -> io::Result<Layout> {
    let mut detector = Detector::new(hints, said);
    // Of a stream it is not known that it ends just there.
    let ended = head.len() < HEAD_BYTES;
    let (shown, settled) = show(&mut detector, head, 0, ended);
    if !settled && !ended {
        detector.unended_line(&head[shown..]);
    }
    settle(detector, ended)
}

/// Finds the layout of a stream; gives what was read of it, too.
pub(in crate::input) fn layout_of_stream(
    stream: &mut impl Read,
    hints: &Hints,
    said: Option<&mut Explanation>,
) -> (io::Result<Layout>, Vec<u8>) {
    let (mut detector, mut head) = (Detector::new(hints, said), Vec::new());
    let read = show_stream(&mut detector, stream, &mut head);
    (read.and_then(|ended| settle(detector, ended)), head)
}

fn settle(detector: Detector, ended: bool) -> io::Result<Layout> {
    detector.decide(ended).map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))
}

/// Shows the lines of an input's head from some place on, until one settles the layout: all that
/// are complete, and the last one if the input ends there. Gives where it stopped, and whether that
/// settles it.
fn show(detector: &mut Detector, head: &[u8], from: usize, ended: bool) -> (usize, bool) {
    let mut start = from;
    let mut lines = Lines::of_chunk(&head[from..], from == 0, None);
    loop {
        let complete = memchr::memchr(b'\n', &head[start..]).is_some();
        match lines.next() {
            Some(line) if complete || ended => {
                start = head.len() - lines.remaining_bytes();
                if detector.line(line.bytes) {
                    return (start, true);
                }
            }
            _ => return (start, false),
        }
    }
}

/// The same for a stream, of which no more is read than is needed. Gives whether that is all of it.
fn show_stream(
    detector: &mut Detector,
    stream: &mut impl Read,
    head: &mut Vec<u8>,
) -> io::Result<bool> {
    let (mut shown, mut settled, mut ended) = (0, false, false);
    while !settled && !ended && head.len() < HEAD_BYTES {
        let filled = head.len();
        head.resize(HEAD_BYTES.min(filled + PIECE_BYTES), 0);
        let read = stream.read(&mut head[filled..]);
        head.truncate(filled + *read.as_ref().unwrap_or(&0));
        match read {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
            Ok(bytes) => ended = bytes == 0,
        }
        if ended || memchr::memchr(b'\n', &head[filled..]).is_some() {
            (shown, settled) = show(detector, head, shown, ended);
        }
    }
    if !settled && !ended {
        detector.unended_line(&head[shown..]);
    }
    Ok(ended)
}

/// What a line turned out to be.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// It says nothing of the records.
    Aside,
    /// It is a record, or a part of one.
    Record,
}

/// A rule that says what a line is: whether it takes the line.
type LineRule = fn(&mut Detector<'_>, &[u8]) -> bool;

/// The rules for a line in their order: the module has them in words. Any other line is a record.
const LINE_RULES: [(Kind, LineRule); 8] = [
    (Kind::Aside, |detector, line| detector.takes_empty(line)),
    (Kind::Aside, |detector, line| detector.takes_comment(line)),
    (Kind::Aside, |detector, line| detector.takes_count(line)),
    (Kind::Aside, |detector, line| detector.takes_header(line)),
    (Kind::Aside, |detector, line| detector.takes_rule(line)),
    (Kind::Record, |detector, line| detector.takes_grid_row(line)),
    (Kind::Record, |detector, line| detector.takes_object(line)),
    (Kind::Record, |detector, line| detector.takes_row(line)),
];

/// A way to decide: the shape of the records, if it applies; `true` says that the input has ended.
type Decision = fn(&mut Detector<'_>, bool) -> Option<Shape>;

/// The decisions in their order: the module has them in words.
const DECISIONS: [Decision; 6] = [
    |detector, _| detector.shape.take(),
    |detector, _| detector.doubtful_row(),
    |detector, _| detector.row_elsewhere(),
    |detector, _| detector.header_alone(),
    |detector, ended| detector.no_grids(ended),
    |detector, _| detector.plain_lines(),
];

/// Is shown the lines of an input until one settles its layout.
struct Detector<'a> {
    hints: &'a Hints,
    /// Collects the candidates, if the decision is to be explained.
    said: Option<&'a mut Explanation>,
    fields: Fields,
    lines: u64,
    /// The first line that is not empty.
    first_line: Option<Vec<u8>>,
    /// Lines that are neither empty, nor a comment, a count or a header.
    records: u64,
    /// The first of them: it may be a header whose names say nothing.
    first_record: Option<Vec<u8>>,
    first_record_number: u64,
    header: Option<Header>,
    counted: bool,
    /// A line resembles a puzzle.
    resembling: bool,
    /// The character next to 81 cells, which may be a delimiter that is not known.
    beside: Option<u8>,
    /// Lines of nine cells.
    grid_rows: u64,
    /// Why the lines may be none.
    remark: Option<Remark>,
    /// There was a puzzle, but no column for its solution where the caller said.
    no_solution: bool,
    /// The first row that may have a slip.
    doubt: Option<Doubt>,
    /// The first row below a header with a puzzle in another column than the named one.
    elsewhere: Option<(u64, Rows)>,
    /// The shape of a record, as soon as it is settled.
    shape: Option<Shape>,
    /// The keys of the first object.
    keys: Vec<String>,
}

/// A row that is read by if no better one comes.
struct Doubt {
    line: u64,
    rows: Rows,
    /// The header before it.
    header: Option<Header>,
}

/// A line that names columns.
struct Header {
    /// Its number.
    number: u64,
    line: Vec<u8>,
    /// The rule directly below it.
    rule: Option<Vec<u8>>,
    names: Vec<String>,
    delimiter: Delimiter,
}

impl<'a> Detector<'a> {
    fn new(hints: &'a Hints, said: Option<&'a mut Explanation>) -> Self {
        Self {
            hints,
            said,
            fields: Fields::default(),
            lines: 0,
            first_line: None,
            records: 0,
            first_record: None,
            first_record_number: 0,
            header: None,
            counted: false,
            resembling: false,
            beside: None,
            grid_rows: 0,
            remark: None,
            no_solution: false,
            doubt: None,
            elsewhere: None,
            shape: None,
            keys: Vec::new(),
        }
    }

    /// Looks at the next line. True if that settles it.
    fn line(&mut self, line: &[u8]) -> bool {
        let line = line.strip_prefix(BYTE_ORDER_MARK).unwrap_or(line);
        self.lines += 1;
        let taken = LINE_RULES.iter().find(|(_, takes)| takes(self, line));
        if taken.is_none_or(|(kind, _)| *kind == Kind::Record) {
            self.grid_rows += u64::from(grids::is_row(line, &self.hints.blanks));
            self.records += 1;
            if self.first_record.is_none() {
                (self.first_record, self.first_record_number) = (Some(line.to_vec()), self.lines);
            }
        }
        self.shape.is_some()
    }

    /// Looks at the head of a line whose end is too far off.
    fn unended_line(&mut self, head: &[u8]) {
        self.first_line.get_or_insert_with(|| head[..head.len().min(SHOWN_BYTES + 1)].to_vec());
    }

    /// Explains that this line is read so.
    fn accept(&mut self, reading: impl FnOnce() -> String, reason: impl FnOnce() -> String) {
        if let Some(said) = &mut self.said {
            said.candidate(self.lines, reading(), true, reason());
        }
    }

    /// Explains that this line is not read so.
    fn reject(&mut self, reading: impl FnOnce() -> String, reason: impl FnOnce() -> String) {
        if let Some(said) = &mut self.said {
            said.candidate(self.lines, reading(), false, reason());
        }
    }

    /// Explains that what was said of an earlier line is otherwise.
    fn revise(&mut self, line: u64, reading: &str, accepted: bool, reason: &str) {
        if let Some(said) = &mut self.said {
            said.candidate(line, reading.to_owned(), accepted, reason.to_owned());
        }
    }

    fn takes_empty(&mut self, line: &[u8]) -> bool {
        if is_empty(line) {
            self.accept(|| "empty".to_owned(), || "is passed over".to_owned());
            return true;
        }
        if self.first_line.is_none() {
            self.first_line = Some(line[..line.len().min(SHOWN_BYTES + 1)].to_vec());
        }
        // Where zeros stand is told by the first line that has them.
        if self.remark <= Some(Remark::Returns) {
            self.remark = self.remark.max(Remark::of(line));
        }
        false
    }

    fn takes_comment(&mut self, line: &[u8]) -> bool {
        let is_comment = line[0] == b'#';
        if is_comment {
            self.accept(|| "comment".to_owned(), || "begins with #, is passed over".to_owned());
        }
        is_comment
    }

    fn takes_count(&mut self, line: &[u8]) -> bool {
        // The first row of a grid may have digits alone, too.
        let is_first = self.lines == 1 && !self.hints.grids;
        if is_first && is_count(line) {
            self.counted = true;
            self.accept(|| "count".to_owned(), || "line 1 is a number".to_owned());
            return true;
        }
        if is_first {
            self.reject(|| "count".to_owned(), || "line 1 is not a number".to_owned());
        }
        false
    }

    fn takes_header(&mut self, line: &[u8]) -> bool {
        if self.header.is_some() || self.records > 0 || self.hints.grids {
            return false;
        }
        self.header = self.header_by_name(line);
        if self.header.is_none() {
            let reason = || "no field is a known name of a column of puzzles".to_owned();
            self.reject(|| "header".to_owned(), reason);
        }
        self.header.is_some()
    }

    fn takes_rule(&mut self, line: &[u8]) -> bool {
        let blanks = &self.hints.blanks;
        let header = self.header.as_mut().filter(|header| header.rule.is_none());
        let Some(header) = header.filter(|_| self.records == 0 && is_rule(line, blanks)) else {
            return false;
        };
        header.rule = Some(line.to_vec());
        self.accept(|| "rule".to_owned(), || "dashes below a header".to_owned());
        true
    }

    /// If grids are expected, all that is left of the lines is this.
    fn takes_grid_row(&mut self, line: &[u8]) -> bool {
        if !self.hints.grids {
            return false;
        }
        let reading = || "row of a grid".to_owned();
        if grids::is_row(line, &self.hints.blanks) {
            self.shape = Some(Shape::Grids);
            self.accept(reading, || "nine cells".to_owned());
        } else {
            self.reject(reading, || "not nine cells".to_owned());
        }
        true
    }

    /// Takes a JSON object that has a puzzle.
    fn takes_object(&mut self, line: &[u8]) -> bool {
        let reading = || "JSON object".to_owned();
        let Ok(object) = json::object(line) else {
            let is_begun = line.first() == Some(&b'{');
            let reason = if is_begun { "not valid JSON" } else { "does not begin with {" };
            self.reject(reading, || reason.to_owned());
            return false;
        };
        let keys: Vec<_> = object.members().iter().map(|(key, _)| (*key).to_owned()).collect();
        let key = |names: &[&str]| position(&keys, names).map(|place| keys[place].clone());
        let puzzle = match &self.hints.puzzle {
            Some(Column::Name(name)) => key(&[name]),
            Some(Column::Place(_)) => None,
            None => key(&PUZZLE_NAMES),
        };
        let Some(puzzle) = puzzle else {
            self.reject(reading, || "has no key for a puzzle".to_owned());
            return false;
        };
        let solution = match &self.hints.solution {
            Some(Column::Name(name)) => key(&[name]),
            Some(Column::Place(_)) => None,
            None => object.solution_key().map(str::to_owned),
        };
        if self.hints.solution.is_some() && solution.is_none() {
            self.no_solution = true;
            self.reject(reading, || "has not the key for the solution that was named".to_owned());
            return false;
        }
        self.accept(reading, || format!("key {puzzle:?} is that of a puzzle"));
        self.keys = keys;
        self.shape = Some(Shape::Objects { puzzle, solution });
        true
    }

    /// Takes a row that has a puzzle and no slip.
    fn takes_row(&mut self, line: &[u8]) -> bool {
        self.shape = self.rows(line).map(Shape::Rows);
        self.shape.is_some()
    }

    /// The layout, when it is settled or when there are no more lines to look at: in all, if the input
    /// has `ended`.
    fn decide(mut self, ended: bool) -> Result<Layout, NoPuzzle> {
        let Some(shape) = DECISIONS.iter().find_map(|decision| decision(&mut self, ended)) else {
            return Err(self.refuse());
        };
        let blanks = match &shape {
            Shape::Rows(Rows { delimiter: Delimiter::Byte(byte), .. }) => {
                self.hints.blanks.without(*byte)
            }
            _ => self.hints.blanks,
        };
        let (header, rule, names) = match self.header {
            Some(header) => (Some(header.line), header.rule, header.names),
            None => (None, None, self.keys),
        };
        Ok(Layout { shape, blanks, header, rule, names, counted: self.counted })
    }

    /// Whether there is neither a record nor a count of records.
    const fn has_nothing_to_read(&self) -> bool {
        self.records == 0 && !self.counted
    }

    /// A row that may have a slip, if no better one came.
    fn doubtful_row(&mut self) -> Option<Shape> {
        let Doubt { line, rows, header } = self.doubt.take()?;
        self.header = header;
        self.revise(line, "row", true, "no row is without doubt, so the first one decides");
        Some(Shape::Rows(rows))
    }

    /// A row with a puzzle in another column than the header names: the name means something else.
    fn row_elsewhere(&mut self) -> Option<Shape> {
        let (line, rows) = self.elsewhere.filter(|_| !self.resembling)?;
        self.header = self.header.take().and_then(|Header { number, line, rule, .. }| {
            let reason = "the named column has no puzzle, and another column has";
            self.revise(number, "header", false, reason);
            let (blanks, fields) = (&self.hints.blanks, &mut self.fields);
            let header = Header::without_meaning(number, line, rows, blanks, fields)?;
            self.revise(number, "names of columns", true, "but none of them is the puzzle's");
            Some(Header { rule, ..header })
        });
        let column = rows.puzzle + 1;
        if let Some(said) = &mut self.said {
            let reason = format!("a puzzle in column {column}, and none in the named column");
            said.candidate(line, "row".to_owned(), true, reason);
        }
        Some(Shape::Rows(rows))
    }

    /// The columns that a header names, where no row has a puzzle.
    fn header_alone(&mut self) -> Option<Shape> {
        let header = self.header.as_ref()?;
        if !self.resembling && !self.has_nothing_to_read() {
            return None;
        }
        let rows = header.rows(self.hints).ok()?;
        let reason = if self.resembling {
            "its rows resemble puzzles"
        } else {
            "there is no row that says otherwise"
        };
        self.revise(header.number, "header alone", true, reason);
        Some(Shape::Rows(rows))
    }

    /// An input without a line, if grids are expected.
    fn no_grids(&mut self, ended: bool) -> Option<Shape> {
        let applies = self.header.is_none() && self.hints.grids && self.has_nothing_to_read();
        if !applies || !ended {
            return None;
        }
        self.revise(0, "grids of nine lines", true, "expected, and the input has no line");
        Some(Shape::Grids)
    }

    /// A puzzle a line, where nothing says otherwise.
    fn plain_lines(&mut self) -> Option<Shape> {
        if self.header.is_some() || self.hints.grids && self.has_nothing_to_read() {
            return None;
        }
        // The columns that the caller names are never ignored for the looks of a line.
        let told =
            self.hints.puzzle.is_some() || self.hints.delimiter.is_some() || self.no_solution;
        let reading = "a puzzle a line";
        if self.has_nothing_to_read() {
            self.revise(0, reading, true, "there is no record that says otherwise");
        } else if self.resembling && !told && self.beside.is_none() {
            self.revise(0, reading, true, "a line resembles a puzzle");
        } else {
            let reason = match self.beside {
                _ if !self.resembling => "no line resembles a puzzle",
                Some(_) => "an unknown character is next to 81 cells",
                None => "columns or a delimiter were given",
            };
            self.revise(0, reading, false, reason);
            return None;
        }
        Some(Shape::Rows(Rows::PLAIN))
    }

    fn refuse(self) -> NoPuzzle {
        let (lines, wanted) = (self.lines, self.wanted());
        let grids = (self.grid_rows >= 9).then_some(Remark::Grids);
        let remark = grids.or(self.beside.map(Remark::Beside)).or(self.remark);
        let (delimiter, first_line) = (self.hints.delimiter, self.first_line.unwrap_or_default());
        NoPuzzle { lines, wanted, delimiter, first_line, remark }
    }

    /// The thing that was looked for.
    fn wanted(&self) -> Wanted {
        let header = self.header.as_ref();
        match (&self.hints.puzzle, header) {
            _ if self.hints.grids => Wanted::Grid,
            _ if self.no_solution => match &self.hints.solution {
                Some(Column::Name(name)) => Wanted::SolutionName(name.clone()),
                Some(Column::Place(place)) => Wanted::SolutionPlace(*place),
                None => Wanted::Field,
            },
            (_, Some(header)) => match header.rows(self.hints) {
                Err(wanted) => wanted,
                Ok(rows) => match header.names.get(rows.puzzle) {
                    Some(name) => Wanted::Column(name.clone()),
                    None => Wanted::Place(rows.puzzle),
                },
            },
            (Some(Column::Place(place)), None) => Wanted::Place(*place),
            (Some(Column::Name(name)), None) => Wanted::Name(name.clone()),
            (None, None) => Wanted::Field,
        }
    }

    /// Where the puzzle is in this line, if it has one and no slip.
    fn rows(&mut self, line: &[u8]) -> Option<Rows> {
        let named = self.header.is_some();
        let rows = if named { self.rows_by_name(line) } else { self.rows_by_content(line) };
        let rows = rows.or_else(|| self.rows_under_title(line));
        let Some(rows) = rows else {
            if self.header.is_some() {
                self.look_elsewhere(line);
                return None;
            }
            self.resembling |= self.resembles_puzzle(line);
            if self.hints.delimiter.is_none() {
                self.beside = self.beside.or_else(|| beside_puzzle(line, &self.hints.blanks));
            }
            return None;
        };
        if self.header.is_none() {
            let header = self.header_without_meaning(rows);
            return self.without_doubt(line, rows, header);
        }
        Some(rows)
    }

    /// The same if the row has no slip, and none that came before is better mended by another.
    fn without_doubt(
        &mut self,
        line: &[u8],
        rows: Rows,
        mut header: Option<Header>,
    ) -> Option<Rows> {
        let told = self.hints.puzzle.is_some() || self.hints.solution.is_some();
        let doubt = doubt(line, rows, &mut self.fields, &self.hints.blanks).filter(|_| !told);
        if self.doubt.is_some() && rows.solution.is_none() {
            self.reject(row, || "has no solution, and an earlier row may have one".to_owned());
            return None;
        }
        if let Some(earlier) = &mut self.doubt {
            header = earlier.header.take();
        } else if let Some(rows) = doubt {
            self.doubt = Some(Doubt { line: self.lines, rows, header });
            self.reject(row, || "may have a slip; read so if no later row is better".to_owned());
            return None;
        }
        if let Some(&Header { number, .. }) = header.as_ref() {
            self.revise(number, "header", true, "names alone, as many as a row has fields");
        }
        self.header = header;
        self.accept(row, || rows.to_string());
        Some(rows)
    }

    /// Where the puzzle is in the first line after a header, if that was not one but, say, some
    /// words of which one is `sudoku`.
    fn rows_under_title(&mut self, line: &[u8]) -> Option<Rows> {
        let told = self.hints.puzzle.is_some() || self.hints.solution.is_some();
        let title = self.header.take_if(|header| header.delimiter == Delimiter::Spaces)?;
        let rows = if told || self.records > 0 { None } else { self.rows_by_content(line) };
        if rows.is_none() {
            self.header = Some(title);
        } else {
            // It is a record, and no puzzle.
            self.revise(title.number, "header", false, "words that do not fit the row below");
            (self.records, self.first_record) = (1, Some(title.line));
            self.first_record_number = title.number;
        }
        rows
    }

    /// The same if it is where the header says.
    fn rows_by_name(&mut self, line: &[u8]) -> Option<Rows> {
        let header = self.header.as_ref()?;
        let mut rows = header.rows(self.hints).ok()?;
        self.fields.split(line, rows.delimiter);
        let field = self.fields.get(line, rows.puzzle).unwrap_or_default();
        let has_puzzle = is_puzzle(field, &self.hints.blanks);
        if self.hints.solution.is_none() {
            rows.solution = header.solution(line, &self.fields);
        }
        if has_puzzle {
            self.accept(row, || format!("{rows}, as the header says"));
            return Some(rows);
        }
        let column = rows.puzzle + 1;
        self.reject(row, || format!("no puzzle in column {column}, which the header names"));
        None
    }

    /// Looks at a row without a puzzle in the column that the header names.
    fn look_elsewhere(&mut self, line: &[u8]) {
        let Some(Ok(rows)) = self.header.as_ref().map(|header| header.rows(self.hints)) else {
            return;
        };
        let blanks = &self.hints.blanks;
        self.fields.split(line, rows.delimiter);
        let field = self.fields.get(line, rows.puzzle);
        self.resembling |= field.is_some_and(|field| resembles_puzzle(field, blanks));
        let told = self.hints.puzzle.is_some() || self.hints.solution.is_some();
        if self.elsewhere.is_none() && !self.resembling && !told {
            // A full grid may be the solution of a puzzle that is missing.
            let rows = self.rows_by_content(line).filter(|rows| {
                self.fields.split(line, rows.delimiter);
                !self.fields.get(line, rows.puzzle).is_some_and(is_full)
            });
            self.elsewhere = rows.map(|rows| (self.lines, rows));
        }
    }

    /// Where the puzzle is in a line, told by its cells.
    fn rows_by_content(&mut self, line: &[u8]) -> Option<Rows> {
        if let Some(Column::Name(_)) = self.hints.puzzle {
            self.reject(row, || "no header names the column that was given".to_owned());
            return None;
        }
        let quoted = memchr::memchr(b'"', line).is_some();
        let blanks = &self.hints.blanks;
        let beside = if quoted { None } else { delimiter_beside(line, &mut self.fields, blanks) };
        let known = self.hints.delimiter.as_ref().or(beside.as_ref());
        let guesses = known.map_or(&Delimiter::GUESSES[..], std::slice::from_ref);
        let rows =
            (0..).zip(guesses).find_map(|(tried, &it)| Some((tried, self.rows_divided(line, it)?)));
        let Some((tried, rows)) = rows else {
            let reason = match self.hints.puzzle {
                _ if self.no_solution => "no column for the solution that was named".to_owned(),
                Some(Column::Place(place)) => format!("no puzzle in column {}", place + 1),
                _ => "no field has 81 cells".to_owned(),
            };
            self.reject(row, || reason);
            return None;
        };
        for &delimiter in &guesses[..tried] {
            self.reject(|| divided(delimiter), || "no field has 81 cells".to_owned());
        }
        let place = rows.puzzle + 1;
        self.accept(|| divided(rows.delimiter), || format!("field {place} has 81 cells"));
        let hinted = self.hints.delimiter.is_some() || self.hints.puzzle.is_some();
        if hinted || quoted || rows.puzzle > 0 || rows.solution.is_some() {
            return Some(rows);
        }
        // The puzzle comes first and nothing else matters: any delimiter may end it.
        self.fields.split(line, Delimiter::Any);
        Some(Rows { fields: self.fields.len(), ..Rows::PLAIN })
    }

    /// Where the puzzle is in a line with this delimiter.
    fn rows_divided(&mut self, line: &[u8], delimiter: Delimiter) -> Option<Rows> {
        let blanks = &self.hints.blanks;
        self.fields.split(line, delimiter);
        let mut puzzles = (0..self.fields.len()).filter(|&place| {
            self.fields.get(line, place).is_some_and(|field| is_puzzle(field, blanks))
        });
        let puzzle = match &self.hints.puzzle {
            Some(Column::Place(wanted)) => puzzles.find(|place| place == wanted)?,
            _ => puzzles.next()?,
        };
        let solution = match &self.hints.solution {
            Some(Column::Place(place)) if *place < self.fields.len() => Some(*place),
            Some(_) => {
                self.no_solution = true;
                return None;
            }
            None => {
                puzzles.next().filter(|&place| self.fields.get(line, place).is_some_and(is_full))
            }
        };
        Some(Rows { delimiter, puzzle, solution, fields: self.fields.len() })
    }

    /// The first record, if it can only be a header whose names say nothing.
    fn header_without_meaning(&mut self, rows: Rows) -> Option<Header> {
        let line = self.first_record.take()?;
        let alone = rows.fields == 1 && self.hints.puzzle.is_none();
        if self.hints.no_header || alone || self.records != 1 || self.resembles_puzzle(&line) {
            return None;
        }
        let number = self.first_record_number;
        Header::without_meaning(number, line, rows, &self.hints.blanks, &mut self.fields)
    }

    /// The header that a line is, if it names the column of the puzzles.
    ///
    /// The delimiter of the names is not known: it is the one that makes the most of them. Spaces count
    /// only if no other makes two, because they may be around every name.
    fn header_by_name(&mut self, line: &[u8]) -> Option<Header> {
        let hints = self.hints;
        let mut best: Option<Header> = None;
        for &delimiter in delimiters(hints) {
            self.fields.split(line, delimiter);
            let names: Vec<_> = self.fields.iter(line).map(name_of).collect();
            let has_puzzle = self.fields.iter(line).any(|field| is_puzzle(field, &hints.blanks));
            let place = match &hints.puzzle {
                Some(Column::Name(wanted)) => position(&names, &[wanted]),
                _ => position(&names, &PUZZLE_NAMES),
            };
            if has_puzzle || place.is_none() {
                continue;
            }
            let reading = || format!("header, {}", divided(delimiter));
            let is_better = best.as_ref().is_none_or(|best| {
                let enough = delimiter == Delimiter::Spaces && best.names.len() > 1;
                names.len() > best.names.len() && !enough
            });
            if is_better {
                let count = names.len();
                let name = place.map_or("", |place| &names[place]);
                self.accept(reading, || {
                    format!("{count} names, of which {name:?} is the puzzle's")
                });
                let (number, line) = (self.lines, line.to_vec());
                best = Some(Header { number, line, rule: None, names, delimiter });
            } else {
                self.reject(reading, || "another delimiter makes as many names or more".to_owned());
            }
        }
        best
    }

    /// Whether a line has a field that was a puzzle before somebody's slip.
    fn resembles_puzzle(&mut self, line: &[u8]) -> bool {
        self.fields.split(line, Delimiter::Any);
        self.fields.iter(line).any(|field| resembles_puzzle(field, &self.hints.blanks))
    }
}

impl Header {
    /// The header that a line is if its names say nothing, but look like names: as many as these rows
    /// have fields, no number among them, and for puzzle and solution neither nothing nor cells.
    fn without_meaning(
        number: u64,
        line: Vec<u8>,
        rows: Rows,
        blanks: &Blanks,
        fields: &mut Fields,
    ) -> Option<Self> {
        fields.split(&line, rows.delimiter);
        let has_cells = |place| fields.get(&line, place).is_some_and(|it| is_of_cells(it, blanks));
        let is_row = has_cells(rows.puzzle) || rows.solution.is_some_and(has_cells);
        if is_row || fields.len() != rows.fields || fields.iter(&line).any(is_number) {
            return None;
        }
        let names = fields.iter(&line).map(name_of).collect();
        Some(Self { number, line, rule: None, names, delimiter: rows.delimiter })
    }

    /// Where puzzle and solution stand, or the name that it has not.
    fn rows(&self, hints: &Hints) -> Result<Rows, Wanted> {
        let Self { names, delimiter, .. } = self;
        let named = |wanted: &String| position(names, &[wanted]);
        let puzzle = match &hints.puzzle {
            Some(Column::Place(place)) if *place >= names.len() => {
                return Err(Wanted::Place(*place));
            }
            Some(Column::Place(place)) => *place,
            Some(Column::Name(wanted)) => named(wanted).ok_or(Wanted::Name(wanted.clone()))?,
            None => position(names, &PUZZLE_NAMES).unwrap_or_default(),
        };
        let solution = match &hints.solution {
            Some(Column::Place(place)) if *place >= names.len() => {
                return Err(Wanted::SolutionPlace(*place));
            }
            Some(Column::Place(place)) => Some(*place),
            Some(Column::Name(wanted)) => {
                Some(named(wanted).ok_or(Wanted::SolutionName(wanted.clone()))?)
            }
            None => position(names, &SOLUTION_NAMES),
        };
        let one = names.len() == 1 && hints.delimiter.is_none();
        let delimiter = if one { Delimiter::Any } else { *delimiter };
        Ok(Rows { delimiter, puzzle, solution, fields: names.len() })
    }

    /// The field of the solution that a row gives, if no option names it. Numbers in a column of
    /// `solutions` are how many there are.
    fn solution(&self, row: &[u8], fields: &Fields) -> Option<usize> {
        let has_count = |place| fields.get(row, place).is_some_and(is_count);
        SOLUTION_NAMES.iter().find_map(|name| {
            let place = position(&self.names, &[name])?;
            (!name.ends_with('s') || !has_count(place)).then_some(place)
        })
    }
}

/// Whether a line below a header is a rule: dashes, and what may stand where they cross. A line of
/// 81 dashes is a puzzle.
fn is_rule(line: &[u8], blanks: &Blanks) -> bool {
    let drawn = line.iter().all(|byte| b"-+|:= \t".contains(byte));
    let has_dashes = line.windows(3).any(|three| three == b"---" || three == b"===");
    drawn && has_dashes && !is_puzzle(line.trim_ascii(), blanks)
}

/// The delimiters to be tried.
fn delimiters(hints: &Hints) -> &[Delimiter] {
    match &hints.delimiter {
        Some(delimiter) => std::slice::from_ref(delimiter),
        None => &Delimiter::GUESSES,
    }
}

/// A candidate in words.
fn row() -> String {
    "row".to_owned()
}

/// A candidate in words.
fn divided(delimiter: Delimiter) -> String {
    format!("fields divided by {delimiter}")
}

/// Where the first of those wanted stands that is among the names, without regard to case: where
/// there is a `solution`, `solutions` may be how many.
fn position<S: AsRef<str>>(names: &[String], wanted: &[S]) -> Option<usize> {
    wanted
        .iter()
        .find_map(|wanted| names.iter().position(|name| name.eq_ignore_ascii_case(wanted.as_ref())))
}

/// Whether a field has cells alone, or nothing.
fn is_of_cells(field: &[u8], blanks: &Blanks) -> bool {
    field.iter().all(|&byte| blanks.is_cell(byte))
}

/// Whether a field is a number, or a date: digits and what may stand between them.
fn is_number(field: &[u8]) -> bool {
    let of_number = |byte: &u8| byte.is_ascii_digit() || b"+-.,:/".contains(byte);
    field.iter().any(u8::is_ascii_digit) && field.iter().all(of_number)
}

/// The name that a field of a header is.
fn name_of(field: &[u8]) -> String {
    String::from_utf8_lossy(field).into_owned()
}

/// The delimiter of a line that has a puzzle: the character after it, if anything follows, or the
/// character before it, if that makes it a field; else all that is usual.
fn delimiter_beside(line: &[u8], fields: &mut Fields, blanks: &Blanks) -> Option<Delimiter> {
    fields.split(line, Delimiter::Any);
    let mut places = (0..fields.len()).filter_map(|index| fields.place(index));
    let place = places.find(|place| is_puzzle(&line[place.clone()], blanks))?;
    let divides = |byte: &&u8| Delimiter::Any.divides(**byte);
    let after: Vec<u8> = line[place.end..].iter().take_while(divides).copied().collect();
    let before: Vec<u8> = line[..place.start].iter().rev().take_while(divides).copied().collect();
    let follows = place.end + after.len() < line.len();
    let behind = follows.then(|| delimiter(&after));
    let mut guesses = behind.into_iter().chain([delimiter(&before), Delimiter::Any]);
    guesses.find(|&delimiter| {
        fields.split(line, delimiter);
        (0..fields.len()).any(|index| fields.place(index).as_ref() == Some(&place))
    })
}

/// What the bytes between two fields say of all: the first that is no space divides.
fn delimiter(between: &[u8]) -> Delimiter {
    let visible = between.iter().find(|&&byte| byte != b' ');
    match visible {
        Some(&byte) => Delimiter::Byte(byte),
        None if between.is_empty() => Delimiter::Any,
        None => Delimiter::Spaces,
    }
}

/// The character next to 81 cells that no usual delimiter separates from the rest of the line, if the caller
/// might call it a delimiter.
fn beside_puzzle(line: &[u8], blanks: &Blanks) -> Option<u8> {
    let mut start = 0;
    for run in line.chunk_by(|&one, &next| blanks.is_cell(one) == blanks.is_cell(next)) {
        let end = start + run.len();
        if run.len() == Cell::COUNT && blanks.is_cell(run[0]) {
            let (before, after) = (line[..start].last(), line.get(end));
            let known = |byte: &&u8| Delimiter::BYTES.contains(byte) || b"\"#".contains(byte);
            let visible = |byte: &&u8| byte.is_ascii_punctuation() && !known(byte);
            return after.filter(visible).or(before.filter(visible)).copied();
        }
        start = end;
    }
    None
}

/// What a row with a slip may be, if it looks like one; `rows` is what it is if it has none.
fn doubt(line: &[u8], rows: Rows, fields: &mut Fields, blanks: &Blanks) -> Option<Rows> {
    fields.split(line, rows.delimiter);
    let field = |place: usize| fields.get(line, place).unwrap_or_default();
    let full = is_full(field(rows.puzzle));
    let mut alike = (0..fields.len())
        .filter(|&place| is_puzzle(field(place), blanks) || resembles_puzzle(field(place), blanks));
    let (first, second) = (alike.next(), alike.next());
    let missing = full && rows.puzzle > 0;
    if rows.solution.is_some() || second.is_none() && !missing {
        return None;
    }
    let mended = first.filter(|&first| full && first < rows.puzzle);
    Some(mended.map_or(rows, |puzzle| Rows { puzzle, solution: Some(rows.puzzle), ..rows }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::layout::shape::Understood;

    const PUZZLE: &str =
        "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
    const SOLVED: &str =
        "534678912672195348198342567859761423426853791713924856961537284287419635345286179";

    fn said(text: &str) -> String {
        let layout = layout_of_bytes(text.as_bytes(), &Hints::default(), None).unwrap();
        Understood { layout: &layout, name: "x" }.to_string()
    }

    #[test]
    fn a_row_without_doubt_says_what_all_are() {
        let (short, other) = (&PUZZLE[1..], PUZZLE.replacen('.', "x", 1));
        let partial = SOLVED.replacen('5', ".", 1);
        for first in [
            format!("{short},{SOLVED}"),
            format!("{other},{SOLVED}"),
            format!("{PUZZLE}.,{SOLVED}"),
            format!(",{SOLVED}"),
            format!("n/a,{SOLVED}"),
            format!("53..7,{SOLVED}"),
            format!("{},{SOLVED}", ".".repeat(728)),
            format!("{PUZZLE},{partial}"),
            format!("{PUZZLE},{}", &SOLVED[1..]),
            format!("a,b\n{PUZZLE},{partial}"),
        ] {
            let text = format!("{first}\n{PUZZLE}\n{PUZZLE},{SOLVED}\n");
            let names = if first.starts_with('a') { ["\"a\"", "\"b\""] } else { ["1", "2"] };
            let [puzzle, solution] = names;
            let expected = format!("reading column {puzzle} of x, solutions in column {solution}");
            assert_eq!(said(&text), expected, "{first}");
        }
        let text = format!("1,n/a,{SOLVED}\n2,{PUZZLE},{SOLVED}\n");
        assert_eq!(said(&text), "reading column 2 of x, solutions in column 3");
        let text = format!("{short} {SOLVED} 9.3\n{PUZZLE} {SOLVED} 1.2\n");
        assert_eq!(said(&text), "reading column 1 of x, solutions in column 2");
    }

    #[test]
    fn if_all_are_in_doubt_the_first_has_the_word() {
        let mended = "reading column 1 of x, solutions in column 2";
        let cases = [
            (format!("{},{SOLVED}", &PUZZLE[1..]), mended),
            (format!("{PUZZLE},{PUZZLE}"), "reading column 1 of x"),
            (format!("{},{SOLVED}", ".".repeat(728)), mended),
            (".".repeat(728), "reading lines of x"),
            (format!(",{SOLVED}"), "reading column 2 of x"),
            (format!("7,{SOLVED}"), "reading column 2 of x"),
        ];
        for (row, expected) in cases {
            assert_eq!(said(&format!("{row}\n{row}\n")), expected, "{row}");
        }
    }
}
