//! A chunk read as puzzles: the grids side by side, as engines need them, and the records in the order
//! of their lines.
//!
//! ```text
//! line  1  2  3  4  5  6  7  8         grids      p0 p1 p2 p3
//!       p  #  ␤  p  ?  p  p  s         sukakus    s             its number is 4: after all grids
//!                                      records    line 1: puzzles 0..1
//!                                                 line 4: puzzles 1..2
//!                                                 line 5: malformed
//!                                                 line 6: puzzles 2..4
//!                                                 line 8: puzzles 4..5
//! ```
//!
//! So a plain puzzle costs its grid and nothing else: a run of grids is one record. The
//! lines themselves, or the solutions given with the puzzles, are kept if that is wanted ([`Want`]).

use super::chunk::Chunk;
use super::fields::{Fields, Given, RecordForm};
use super::layout::shape::{Layout, LineKind};
use super::lines::{BYTE_ORDER_MARK, Lines, MAX_LINE_BYTES};
use super::malformed::Malformed;
use super::row;
use crate::puzzle::text::{self, TextGrid};
use crate::puzzle::{Cell, Grid, Puzzle, Sukaku};
use std::ops::Range;

/// Lines of a chunk that follow each other: what [`Puzzles::records`] gives. Lines are counted from 1
/// at the start of the chunk. Lines between two records are empty, comments, or headers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Record {
    /// Puzzles, one a line.
    Puzzles {
        /// The line of the first of them.
        line: u64,
        /// Their numbers, as [`Puzzles::puzzle`] takes them. Those of a run of grids are also their places
        /// in [`Puzzles::grids`].
        numbers: Range<usize>,
    },
    /// A line that should be a puzzle.
    Malformed {
        /// The line.
        line: u64,
        /// Where its text is in the bytes of the chunk.
        bytes: Range<usize>,
        /// What is wrong with it.
        error: Malformed,
    },
}

/// A line with a puzzle, or a malformed one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// Its line, counted from 1 at the start of the chunk.
    pub line: u64,
    /// The puzzle. None if the line is malformed.
    pub puzzle: Option<Puzzle>,
    /// Where its text is in the bytes of the chunk, if that is kept.
    pub bytes: Option<Range<usize>>,
}

/// Where a row is, and its puzzle by its number. A puzzle has up to 729 candidates, so it is not copied for those
/// who do not need it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RowPlace {
    /// The line, counted from 1 at the start of the chunk.
    pub line: u64,
    /// Where its text is in the bytes of the chunk, if that is kept.
    pub bytes: Option<Range<usize>>,
    /// The number of the puzzle, or what is wrong with the line.
    pub number: Result<usize, Malformed>,
}

/// What is kept of each record besides its grid: nothing by default.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Want {
    /// Where its line stands.
    pub lines: bool,
    /// The solution given with it.
    pub solutions: bool,
}

/// The puzzles of one chunk, with the memory for them.
#[derive(Default)]
#[must_use]
pub struct Puzzles {
    want: Want,
    grids: Vec<Grid>,
    /// Where the line of each grid is, if wanted.
    lines: Vec<Range<usize>>,
    /// The solutions given with the grids, if wanted. Those behind its end are missing.
    given: Vec<Given>,
    sukakus: Vec<Sukaku>,
    beside_sukakus: Vec<BesideSukaku>,
    /// All lines before `line`, without the grids since the last record.
    records: Vec<Record>,
    /// Grids that are in the records.
    recorded: usize,
    /// The line after the last record.
    line: u64,
    /// Comment lines.
    comments: u64,
    /// Other lines that are in no grid, without the empty ones.
    between: u64,
    fields: Fields,
}

/// What is kept of a sukaku.
struct BesideSukaku {
    /// Its place among the records. Its number is known when all grids are.
    record: usize,
    bytes: Range<usize>,
    given: Given,
}

impl Puzzles {
    /// No puzzles, and these things kept.
    pub fn keeping(want: Want) -> Self {
        Self { want, ..Self::default() }
    }

    /// The grids, in the order of their lines.
    pub fn grids(&self) -> &[Grid] {
        &self.grids
    }

    /// All records, in the order of their lines. Runs of grids are one record.
    pub fn records(&self) -> &[Record] {
        &self.records
    }

    /// The row of a puzzle, whose line is known.
    pub fn row(&self, line: u64, number: usize) -> Row {
        Row { line, puzzle: Some(self.puzzle(number)), bytes: self.bytes_of(number) }
    }

    /// The puzzles and the malformed lines, in the order of their lines. With each is the number of the
    /// puzzle, or what is wrong with the line.
    pub fn rows(&self) -> impl Iterator<Item = (Row, Result<usize, Malformed>)> {
        self.places().map(|RowPlace { line, bytes, number }| {
            (Row { line, puzzle: number.ok().map(|number| self.puzzle(number)), bytes }, number)
        })
    }

    /// Where the puzzles and the malformed lines are, in the order of their lines.
    pub fn places(&self) -> impl Iterator<Item = RowPlace> {
        self.records.iter().flat_map(|record| {
            let (first, numbers, malformed) = match record {
                Record::Puzzles { line, numbers } => (*line, numbers.clone(), None),
                Record::Malformed { line, bytes, error } => {
                    let (line, bytes) = (*line, Some(bytes.clone()));
                    (line, 0..0, Some(RowPlace { line, bytes, number: Err(*error) }))
                }
            };
            let puzzles = (first..).zip(numbers).map(|(line, number)| RowPlace {
                line,
                bytes: self.bytes_of(number),
                number: Ok(number),
            });
            puzzles.chain(malformed)
        })
    }

    /// How many puzzles there are. Their numbers are those of the grids, then those of the sukakus.
    pub fn count(&self) -> usize {
        self.grids.len() + self.sukakus.len()
    }

    /// How many lines the chunk has.
    pub const fn line_count(&self) -> u64 {
        self.line - 1
    }

    /// How many lines of the chunk are comments.
    pub const fn comments(&self) -> u64 {
        self.comments
    }

    /// How many other lines are between grids of nine lines, without empty ones: titles, and all of a section that
    /// says that it has no puzzle.
    pub const fn between_grids(&self) -> u64 {
        self.between
    }

    /// The full grids: how many there are, and the line of the first. Among puzzles they may be answers.
    pub fn full_grids(&self) -> (usize, Option<u64>) {
        let Some(first) = self.grids.iter().position(is_full) else { return (0, None) };
        let place = self.places().find(|place| place.number == Ok(first));
        let count = self.grids[first..].iter().filter(|grid| is_full(grid)).count();
        (count, place.map(|place| place.line))
    }

    /// The puzzle with this number.
    ///
    /// # Panics
    /// If there is no such puzzle.
    pub fn puzzle(&self, number: usize) -> Puzzle {
        match self.grids.get(number) {
            Some(grid) => Puzzle::Grid(*grid),
            None => Puzzle::Sukaku(self.sukakus[number - self.grids.len()]),
        }
    }

    /// The solution given with the puzzle with this number; missing if solutions were not wanted.
    ///
    /// # Panics
    /// If there is no such puzzle.
    pub fn given_with(&self, number: usize) -> &Given {
        match number.checked_sub(self.grids.len()) {
            None => self.given.get(number).unwrap_or(&Given::Missing),
            Some(place) => &self.beside_sukakus[place].given,
        }
    }

    /// Where the puzzle with this number is in the bytes of the chunk; none for a grid if lines were not
    /// wanted.
    ///
    /// # Panics
    /// If there is no such puzzle.
    pub fn bytes_of(&self, number: usize) -> Option<Range<usize>> {
        match number.checked_sub(self.grids.len()) {
            None => self.lines.get(number).cloned(),
            Some(place) => Some(self.beside_sukakus[place].bytes.clone()),
        }
    }

    /// The puzzles that are no grids, in the order of their lines.
    pub fn sukakus(&self) -> &[Sukaku] {
        &self.sukakus
    }

    /// Reads a chunk, in place of what was read before.
    pub fn read(&mut self, chunk: &Chunk) {
        self.grids.clear();
        self.sukakus.clear();
        self.beside_sukakus.clear();
        self.lines.clear();
        self.given.clear();
        self.records.clear();
        (self.recorded, self.line, self.comments, self.between) = (0, 1, 0, 0);
        let (layout, lines) = (chunk.layout(), chunk.lines());
        if layout.has_grids() {
            self.read_grids(layout, &lines, chunk);
        } else {
            self.read_lines(layout, lines, chunk);
        }
        self.record_grids();
        for (number, beside) in (self.grids.len()..).zip(&self.beside_sukakus) {
            if let Record::Puzzles { numbers, .. } = &mut self.records[beside.record] {
                *numbers = number..number + 1;
            }
        }
    }

    /// Reads lines. Most of a table or a list are ordinary rows, which take less time.
    fn read_lines(&mut self, layout: &Layout, mut lines: Lines, chunk: &Chunk) {
        let record = &layout.record;
        let rows_of = match record.form {
            // Where `.` divides fields it is no blank, and every line needs a second look.
            RecordForm::Row(delimiter) if layout.blanks.has_dot_and_zero() => Some(delimiter),
            _ => None,
        };
        let plain = rows_of.is_some() && record.puzzle == 0 && !self.want.lines;
        let end = chunk.bytes().len();
        loop {
            if plain {
                lines.take_plain(&mut self.grids);
            }
            let start = end - lines.remaining_bytes();
            let before = lines.clone();
            if let Some(delimiter) = rows_of
                && let Some(row) = lines.take_row(record.puzzle, delimiter)
            {
                if let Some(given) = row.given(record, delimiter, self.want.solutions) {
                    self.push(row.grid, start..start + row.line.len(), given);
                    continue;
                }
                lines = before;
            }
            let empty = lines.skip_empty();
            if empty > 0 {
                self.pass_over(empty);
                continue;
            }
            let Some(line) = lines.next() else { break };
            self.add_line(layout, line, start, chunk.start());
        }
    }

    /// A line of any kind that begins at byte `start` of the chunk, which begins at a byte of the input.
    fn add_line(&mut self, layout: &Layout, line: &[u8], start: usize, chunk_start: u64) {
        // Where files are put together, each may begin with a byte-order mark.
        let bare = line.strip_prefix(BYTE_ORDER_MARK).unwrap_or(line);
        let start = start + line.len() - bare.len();
        match layout.kind(bare, chunk_start + start as u64) {
            LineKind::Comment => {
                self.comments += 1;
                return self.pass_over(1);
            }
            LineKind::Skipped => return self.pass_over(1),
            LineKind::Record => {}
        }
        let place = start..start + bare.len().min(MAX_LINE_BYTES);
        let read = if bare.len() > MAX_LINE_BYTES {
            Err(Malformed::TooLong)
        } else {
            row::read(&mut self.fields, bare, layout, self.want.solutions)
        };
        match read {
            Ok((puzzle, given)) => self.push_puzzle(puzzle, place, given),
            Err(malformed) => self.push_malformed(malformed, place),
        }
    }

    /// Grids in text.
    fn read_grids(&mut self, layout: &Layout, lines: &Lines, chunk: &Chunk) {
        let start = chunk.bytes().len() - lines.remaining_bytes();
        let found = text::grids(&chunk.bytes()[start..], &layout.blanks);
        (self.comments, self.between) = (found.comments as u64, found.between as u64);
        for TextGrid { line, bytes, cells } in found.grids {
            self.record_grids();
            self.line = 1 + line as u64;
            let bytes = start + bytes.start..start + bytes.end;
            match cells {
                Ok(cells) => self.push_puzzle(Puzzle::Grid(cells), bytes, Given::Missing),
                Err(error) => self.push_malformed(Malformed::in_field(0, error), bytes),
            }
        }
        self.record_grids();
        self.line = 1 + found.lines as u64;
    }

    #[inline]
    fn push(&mut self, grid: Grid, line: Range<usize>, given: Given) {
        self.grids.push(grid);
        if self.want.lines {
            self.lines.push(line);
        }
        if given != Given::Missing {
            self.given.resize(self.grids.len() - 1, Given::Missing);
            self.given.push(given);
        }
    }

    fn push_puzzle(&mut self, puzzle: Puzzle, bytes: Range<usize>, given: Given) {
        match puzzle {
            Puzzle::Grid(grid) => self.push(grid, bytes, given),
            Puzzle::Sukaku(sukaku) => {
                self.record_grids();
                let record = self.records.len();
                self.records.push(Record::Puzzles { line: self.line, numbers: 0..1 });
                self.line += 1;
                self.sukakus.push(sukaku);
                self.beside_sukakus.push(BesideSukaku { record, bytes, given });
            }
        }
    }

    fn push_malformed(&mut self, error: Malformed, bytes: Range<usize>) {
        self.record_grids();
        self.records.push(Record::Malformed { line: self.line, bytes, error });
        self.line += 1;
    }

    /// Lines that are no records.
    fn pass_over(&mut self, lines: u64) {
        if lines > 0 {
            self.record_grids();
            self.line += lines;
        }
    }

    /// The grids since the last record are a record.
    fn record_grids(&mut self) {
        let (line, numbers) = (self.line, self.recorded..self.grids.len());
        if !numbers.is_empty() {
            self.recorded = numbers.end;
            self.line += numbers.len() as u64;
            self.records.push(Record::Puzzles { line, numbers });
        }
    }
}

/// Whether a grid has no blank. Most puzzles have one among their first cells, which are counted 16 at a time.
fn is_full(grid: &Grid) -> bool {
    let first = grid.values()[..32].iter().map(|value| u8::from(*value != 0)).sum::<u8>();
    first == 32 && grid.clues() == Cell::COUNT
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::{ChunkBuffer, Source};
    use crate::puzzle::ParseError;

    fn read(text: Vec<u8>) -> Puzzles {
        let mut buffer = ChunkBuffer::default();
        Source::from_bytes("text", text).into_chunks().fill(&mut buffer, usize::MAX).unwrap();
        let mut puzzles = Puzzles::default();
        buffer.read(|chunk| puzzles.read(chunk)).unwrap();
        puzzles
    }

    #[test]
    fn comments_and_empty_lines_are_passed_over_wherever_they_stand() {
        let puzzle = ".".repeat(81);
        let comment = format!("#{}", &puzzle[1..]);
        let text = format!("\n{comment}\n{puzzle}\n\r\n#\r\n{puzzle}\r\n{puzzle}\n1\n\n{puzzle}");
        let puzzles = read(text.clone().into());
        let error = Malformed::in_field(0, ParseError::Length { found: 1 });
        let bytes = text.len() - 84..text.len() - 83;
        let expected = [
            Record::Puzzles { line: 3, numbers: 0..1 },
            Record::Puzzles { line: 6, numbers: 1..3 },
            Record::Malformed { line: 8, bytes, error },
            Record::Puzzles { line: 10, numbers: 3..4 },
        ];
        assert_eq!(puzzles.grids(), [Grid::EMPTY; 4]);
        assert_eq!(puzzles.records, expected);
        assert_eq!((puzzles.line_count(), puzzles.comments()), (10, 2));
    }

    #[test]
    fn an_overlong_line_is_malformed() {
        let found = 3 * MAX_LINE_BYTES;
        let mut text = vec![b'1'; 82];
        text[81] = b'\n';
        text.resize(82 + found, b'1');
        let error = Malformed::TooLong;
        let bytes = 82..82 + MAX_LINE_BYTES;
        assert_eq!(read(text).records[1..], [Record::Malformed { line: 2, bytes, error }]);
    }
}
