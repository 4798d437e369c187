//! A chunk read as puzzles: the grids side by side, as engines need them, and the records in the order
//! of their lines.
//!
//! ```text
//! line  1  2  3  4  5  6  7  8         grids      p0 p1 p2 p3
//!       p  #  ␤  p  ?  p  p  s         sukakus    s             its number is 4: after all grids
//!                                      records    line 1: puzzles 0..1
//!                                                 line 2: 2 lines skipped
//!                                                 line 4: puzzles 1..2
//!                                                 line 5: malformed
//!                                                 line 6: puzzles 2..4
//!                                                 line 8: puzzles 4..5
//! ```
//!
//! So a plain puzzle costs its grid and nothing else: only the gaps between the grids are kept. The
//! lines themselves, or the solutions given with the puzzles, are kept if that is wanted ([`Want`]).

use super::chunk::Chunk;
use super::fields::{Delimiter, Fields, Rows, is_full, is_long_as_sukaku, is_open};
use super::forms;
use super::grids::{Scan, Step};
use super::json;
use super::layout::shape::{Layout, Shape};
use super::lines::{Line, Lines, Row, is_count, is_empty};
use super::malformed::Malformed;
use crate::puzzle::parse::{self, Blanks};
use crate::puzzle::{Cell, Grid, ParseError, Puzzle, Sukaku};
use std::ops::Range;

/// Lines of a chunk that follow each other: what [`Puzzles::records`] gives. Lines are counted from 1
/// at the start of the chunk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Record<'a> {
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
        error: &'a Malformed,
    },
    /// Lines that are empty, comments, or headers.
    Skipped {
        /// The first of them.
        line: u64,
        /// How many there are.
        lines: u64,
    },
}

impl Record<'_> {
    /// The first line.
    #[must_use]
    pub const fn line(&self) -> u64 {
        match self {
            Self::Puzzles { line, .. }
            | Self::Malformed { line, .. }
            | Self::Skipped { line, .. } => *line,
        }
    }

    /// How many lines there are.
    #[must_use]
    pub const fn lines(&self) -> u64 {
        match self {
            Self::Puzzles { numbers, .. } => (numbers.end - numbers.start) as u64,
            Self::Malformed { .. } => 1,
            Self::Skipped { lines, .. } => *lines,
        }
    }
}

/// The records of a chunk that are still to come.
#[derive(Clone, Debug)]
pub struct Records<'a> {
    grids: usize,
    gaps: &'a [Gap],
    /// The grids before the next record.
    grids_before: usize,
    /// The line of the next record.
    line: u64,
}

impl<'a> Iterator for Records<'a> {
    type Item = Record<'a>;

    #[inline]
    fn next(&mut self) -> Option<Record<'a>> {
        let line = self.line;
        let next_gap = self.gaps.first().map_or(self.grids, |gap| gap.grids_before);
        let record = if self.grids_before < next_gap {
            let numbers = self.grids_before..next_gap;
            self.grids_before = next_gap;
            Record::Puzzles { line, numbers }
        } else {
            let (gap, gaps) = self.gaps.split_first()?;
            self.gaps = gaps;
            match &gap.what {
                What::PassedOver(lines) => Record::Skipped { line, lines: *lines },
                What::Sukaku(place) => {
                    let number = self.grids + place;
                    Record::Puzzles { line, numbers: number..number + 1 }
                }
                What::Malformed(error, bytes) => {
                    Record::Malformed { line, bytes: bytes.clone(), error }
                }
            }
        };
        self.line += record.lines();
        Some(record)
    }
}

/// A line, or lines, that gave no grid.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Gap {
    /// How many grids came before.
    grids_before: usize,
    what: What,
}

/// The kinds of line that give no grid.
#[derive(Clone, Debug, PartialEq, Eq)]
enum What {
    /// So many lines that are empty, comments or headers, one after the other.
    PassedOver(u64),
    /// A puzzle that is no grid: its place in [`Puzzles::sukakus`](Puzzles::sukakus).
    Sukaku(usize),
    /// A line that should be a puzzle, and where it stands in the chunk's bytes.
    Malformed(Malformed, Range<usize>),
}

/// What is kept of each record besides its grid: nothing by default.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Want {
    /// Where its line stands.
    pub lines: bool,
    /// The solution given with it.
    pub solutions: bool,
    /// All of its line: one that is too long to be looked at as a whole is malformed.
    pub whole: bool,
}

impl Want {
    /// The same, and where each line stands.
    #[must_use]
    pub const fn with_lines(self) -> Self {
        Self { lines: true, ..self }
    }

    /// The same, and the solutions given with the puzzles.
    #[must_use]
    pub const fn with_solutions(self) -> Self {
        Self { solutions: true, ..self }
    }

    /// The same, and of each line all of it.
    #[must_use]
    pub const fn with_whole_lines(self) -> Self {
        Self { lines: true, whole: true, ..self }
    }

    /// What was read from the head of a line of so many bytes: what was not found there may be in
    /// the rest, which is not here.
    fn of_head<P>(
        self,
        read: Result<(P, Given), Malformed>,
        layout: &Layout,
        bytes: u64,
    ) -> Result<(P, Given), Malformed> {
        let too_long = Malformed::TooLong { bytes };
        match read {
            Ok(_) if self.whole => Err(too_long),
            Ok((puzzle, Given::Missing | Given::Malformed(_)))
                if self.solutions && layout.has_solutions() =>
            {
                Ok((puzzle, Given::Malformed(too_long)))
            }
            Err(Malformed::NoField { .. } | Malformed::NoObject { .. }) => Err(too_long),
            read => read,
        }
    }
}

/// The solution given with a puzzle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Given {
    /// There is none.
    Missing,
    /// These cells; whether they are right is another question.
    Cells(Grid),
    /// It is no grid.
    Malformed(Malformed),
}

/// Records that contradict the decision by which they are read: the head of the input has none of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Contradictions {
    /// Rows with another number of fields.
    pub widths: u64,
    /// Records with a full grid in a field that holds neither puzzles nor answers.
    pub elsewhere: u64,
    /// Full grids where the puzzles have blanks: solutions, perhaps.
    pub solved: u64,
}

impl Contradictions {
    /// All of them.
    #[must_use]
    pub const fn count(&self) -> u64 {
        self.widths + self.elsewhere + self.solved
    }
}

impl std::ops::AddAssign for Contradictions {
    fn add_assign(&mut self, other: Self) {
        self.widths += other.widths;
        self.elsewhere += other.elsewhere;
        self.solved += other.solved;
    }
}

/// The puzzles of one chunk, with the memory for them.
#[derive(Default)]
pub struct Puzzles {
    want: Want,
    contradictions: Contradictions,
    /// Every puzzle is expected to have a blank.
    is_open: bool,
    sukakus: Vec<Sukaku>,
    /// Where the line of each sukaku stands, and the solution given with it.
    beside_sukakus: Vec<(Range<usize>, Given)>,
    grids: Vec<Grid>,
    gaps: Vec<Gap>,
    /// Where the line of each grid stands, if wanted.
    lines: Vec<Range<usize>>,
    /// The solution given with each grid, if wanted.
    given: Vec<Given>,
    /// Comment lines.
    comments: u64,
    fields: Fields,
}

impl Puzzles {
    /// No puzzles, and nothing kept but the grids.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// No puzzles, and these things kept.
    #[must_use]
    pub fn keeping(want: Want) -> Self {
        Self { want, ..Self::default() }
    }

    /// The grids, in the order of their lines.
    #[must_use]
    pub fn grids(&self) -> &[Grid] {
        &self.grids
    }

    /// All records, in the order of their lines. Runs of grids are one record.
    #[must_use]
    pub fn records(&self) -> Records<'_> {
        Records { grids: self.grids.len(), gaps: &self.gaps, grids_before: 0, line: 1 }
    }

    /// How many puzzles there are. Their numbers are those of the grids, then those of the sukakus.
    #[must_use]
    pub fn count(&self) -> usize {
        self.grids.len() + self.sukakus.len()
    }

    /// How many lines of the chunk are comments.
    #[must_use]
    pub const fn comments(&self) -> u64 {
        self.comments
    }

    /// The records of the chunk that contradict the decision by which they are read.
    #[must_use]
    pub fn contradictions(&self) -> Contradictions {
        let is_full = |grid: &&Grid| Cell::all().all(|cell| grid.get(cell).is_some());
        let solved = if self.is_open { self.grids.iter().filter(is_full).count() } else { 0 };
        Contradictions { solved: solved as u64, ..self.contradictions }
    }

    /// The puzzle with this number.
    ///
    /// # Panics
    /// If there is no such puzzle.
    #[must_use]
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
    #[must_use]
    pub fn given_with(&self, number: usize) -> &Given {
        match number.checked_sub(self.grids.len()) {
            None => self.given.get(number).unwrap_or(&Given::Missing),
            Some(place) => &self.beside_sukakus[place].1,
        }
    }

    /// Where the puzzle with this number is in the bytes of the chunk; none for a grid if lines were not
    /// wanted.
    ///
    /// # Panics
    /// If there is no such puzzle.
    #[must_use]
    pub fn bytes_of(&self, number: usize) -> Option<Range<usize>> {
        match number.checked_sub(self.grids.len()) {
            None => self.lines.get(number).cloned(),
            Some(place) => Some(self.beside_sukakus[place].0.clone()),
        }
    }

    /// The puzzles that are no grids, in the order of their lines.
    #[must_use]
    pub fn sukakus(&self) -> &[Sukaku] {
        &self.sukakus
    }

    /// Where the line of each grid stands in the chunk's bytes, if that was wanted. A grid of nine
    /// lines stands in all of them.
    #[must_use]
    pub fn lines(&self) -> &[Range<usize>] {
        &self.lines
    }

    /// The solution given with each grid, if that was wanted.
    #[must_use]
    pub fn given(&self) -> &[Given] {
        &self.given
    }

    /// Reads a chunk, in place of what was read before.
    pub fn read(&mut self, chunk: &Chunk) {
        self.grids.clear();
        self.sukakus.clear();
        self.beside_sukakus.clear();
        self.gaps.clear();
        self.lines.clear();
        self.given.clear();
        self.comments = 0;
        self.contradictions = Contradictions::default();
        let layout = chunk.layout();
        self.is_open = layout.sampled.is_open;
        let mut lines = chunk.lines();
        let end = chunk.bytes().len();
        self.grids.reserve(lines.remaining_bytes() / (Cell::COUNT + 1) + 1);
        if layout.counted && chunk.starts_input() {
            let start = end - lines.remaining_bytes();
            if let Some(line) = lines.next() {
                if is_count(line.bytes) {
                    self.pass_over(1);
                } else {
                    self.add_line(layout, line, start);
                }
            }
        }
        match &layout.shape {
            // Where `.` divides fields it is no blank, and every line needs a second look.
            Shape::Rows(rows) if layout.blanks.has_dot_and_zero() => {
                self.read_rows(layout, rows, lines, end);
            }
            Shape::Grids => self.read_grids(layout, lines, end),
            _ => self.read_lines(layout, lines, end),
        }
    }

    /// Reads lines of which most are rows as they should be.
    fn read_rows(&mut self, layout: &Layout, rows: &Rows, mut lines: Lines, end: usize) {
        /// The fewest bytes of a line behind its puzzle that hold another grid.
        const GRID_AFTER: usize = Cell::COUNT + 1;
        let plain = rows.puzzle == 0 && self.want == Want::default();
        let solution_follows = rows.solution == Some(rows.puzzle + 1);
        let spans = layout.spans();
        loop {
            if plain {
                lines.take_plain(&mut self.grids);
            }
            let start = end - lines.remaining_bytes();
            let before = lines.clone();
            let row = lines.take_row(rows, spans.is_some());
            if let Some(row) = row {
                let is_short = row.line.len() < Cell::COUNT + GRID_AFTER;
                let given = match rows.solution {
                    // Another field may show that this is no puzzle.
                    _ if !is_short && row.is_full() => None,
                    _ if !self.want.solutions => Some(Given::Missing),
                    None if is_short => Some(Given::Missing),
                    Some(_) if solution_follows => given_after(row.line, row.after, rows.delimiter),
                    _ => None,
                };
                if let Some(given) = given {
                    self.compare(&row, rows, layout);
                    self.push(row.grid, start..start + row.line.len(), given);
                    continue;
                }
                lines = before;
            }
            let Some(line) = lines.next_record(spans) else { break };
            self.add_line(layout, line, start);
        }
    }

    /// Counts an ordinary row if it contradicts the layout.
    #[inline]
    fn compare(&mut self, row: &Row, rows: &Rows, layout: &Layout) {
        let (Some(width), Delimiter::Byte(byte)) = (layout.sampled.width, rows.delimiter) else {
            return;
        };
        let (rest, place) = (&row.line[row.after..], rows.puzzle + 1);
        let is_pair = rest.len() == Cell::COUNT + 1 && rows.solution == Some(place);
        if rest.is_empty() && width == place || is_pair && width == place + 1 {
            return;
        }
        let (mut found, mut elsewhere) = (rows.puzzle, false);
        for field in rest.split(|&it| it == byte) {
            elsewhere |= Some(found) != rows.solution && is_full(field);
            found += 1;
        }
        self.contradictions.widths += u64::from(found != width);
        self.contradictions.elsewhere += u64::from(elsewhere);
    }

    /// Reads lines of any kind.
    fn read_lines(&mut self, layout: &Layout, mut lines: Lines, end: usize) {
        loop {
            let start = end - lines.remaining_bytes();
            let Some(line) = lines.next_record(layout.spans()) else { break };
            self.add_line(layout, line, start);
        }
    }

    /// A line of any kind, that begins after so many bytes of the chunk.
    fn add_line(&mut self, layout: &Layout, line: Line, start: usize) {
        let end = start + line.bytes.len();
        let line = line.without_mark();
        if layout.is_comment(line.bytes) {
            self.comments += 1;
            return self.pass_over(1);
        }
        if layout.is_above_rows(line.bytes) || is_empty(line.bytes) {
            return self.pass_over(1 + memchr::memchr_iter(b'\n', line.bytes).count() as u64);
        }
        let place = end - line.bytes.len()..end;
        let read = match &layout.shape {
            Shape::Objects { puzzle, solution } => {
                self.object(line.bytes, puzzle, solution.as_deref(), layout)
            }
            Shape::Rows(rows) => self.row(line, rows, layout),
            Shape::Grids => self.row(line, &Rows::PLAIN, layout),
            Shape::Arrays => array(line.bytes, &layout.blanks),
            Shape::Hodoku => hodoku(line.bytes, &layout.blanks, &mut self.fields),
            Shape::Spaced => forms::spaced(line.bytes, &layout.blanks)
                .and_then(|cells| Ok((puzzle_of(&cells, 0, &layout.blanks)?, Given::Missing))),
            Shape::Joined { puzzle_first } => joined(line.bytes, *puzzle_first, &layout.blanks),
        };
        let is_cut = line.length > line.bytes.len() as u64;
        let read = if is_cut { self.want.of_head(read, layout, line.length) } else { read };
        match read {
            Ok((Puzzle::Grid(grid), given)) => self.push(grid, place, given),
            Ok((Puzzle::Sukaku(sukaku), given)) => {
                let what = What::Sukaku(self.sukakus.len());
                self.gaps.push(Gap { grids_before: self.grids.len(), what });
                self.sukakus.push(sukaku);
                self.beside_sukakus.push((place, given));
            }
            Err(malformed) => self.push_malformed(malformed, place),
        }
        if layout.spans().is_some() {
            self.pass_over(memchr::memchr_iter(b'\n', line.bytes).count() as u64);
        }
    }

    /// A row of fields.
    fn row(
        &mut self,
        line: Line,
        rows: &Rows,
        layout: &Layout,
    ) -> Result<(Puzzle, Given), Malformed> {
        let blanks = &layout.blanks;
        self.fields.split(line.bytes, rows.delimiter);
        let Some(field) = self.fields.get(line.bytes, rows.puzzle) else {
            return Err(Malformed::NoField { wanted: rows.puzzle + 1, found: self.fields.len() });
        };
        // The places of a value in Parquet are counted from its own start.
        let start = if layout.parquet.is_some() { 0 } else { self.fields.start(rows.puzzle) };
        let puzzle = puzzle_of(field, start, blanks).map_err(|error| match error {
            // Of an overlong line only the head is here.
            Malformed::Cells { column, error: ParseError::Length { .. } }
                if start + field.len() == line.bytes.len() =>
            {
                let found = line.length - start as u64;
                let found = usize::try_from(found).unwrap_or(usize::MAX);
                Malformed::Cells { column, error: ParseError::Length { found } }
            }
            error => error,
        })?;
        if let Some(width) = layout.sampled.width {
            let is_other = |place: &usize| *place != rows.puzzle && Some(*place) != rows.solution;
            let mut others = (0..self.fields.len()).filter(is_other);
            let elsewhere = others.any(|it| self.fields.get(line.bytes, it).is_some_and(is_full));
            self.contradictions.widths += u64::from(self.fields.len() != width);
            self.contradictions.elsewhere += u64::from(elsewhere);
        }
        // If fields were named, they are what the caller says.
        let others = self.fields.iter(line.bytes).enumerate();
        let mut others = others.filter(|(place, _)| *place != rows.puzzle);
        if !layout.is_told && is_full(field) && others.any(|(_, field)| is_open(field, blanks)) {
            return Err(Malformed::Swapped);
        }
        let given = if self.want.solutions {
            given_in_row(line.bytes, &self.fields, rows, blanks)
        } else {
            Given::Missing
        };
        Ok((puzzle, given))
    }

    /// An object.
    fn object(
        &self,
        line: &[u8],
        puzzle: &str,
        solution: Option<&str>,
        layout: &Layout,
    ) -> Result<(Puzzle, Given), Malformed> {
        let blanks = &layout.blanks;
        let object =
            json::object(line).map_err(|error| Malformed::NoObject { column: error.column })?;
        let is_text = |value: &&str| value.starts_with(['"', '[']);
        let Some(value) = object.at_path(puzzle).filter(is_text) else {
            return Err(Malformed::NoKey);
        };
        let text = json::cells(value);
        let key = puzzle;
        let puzzle = puzzle_of(text.as_bytes(), json::start(line, value), blanks)?;
        let is_full = is_full(text.as_bytes());
        if is_full && !layout.is_told {
            let others = object.paths().into_iter().filter(|(path, _)| path != key);
            let mut others = others.map(|(_, value)| json::cells(value));
            if others.any(|text| is_open(text.as_bytes(), blanks)) {
                return Err(Malformed::Swapped);
            }
        }
        let given = match solution {
            _ if !self.want.solutions => None,
            Some(key) => object.at_path(key),
            // The answer of this object alone.
            None => full_value(&object, key),
        };
        let given = given.map_or(Given::Missing, |value| {
            given_in(json::cells(value).as_bytes(), blanks, || json::start(line, value))
        });
        Ok((puzzle, given))
    }

    /// Grids of nine lines.
    fn read_grids(&mut self, layout: &Layout, mut lines: Lines, end: usize) {
        let mut scan = Scan::new(&layout.blanks);
        // Where the lines of a grid that is not complete begin, and the last of them ends.
        let (mut starts, mut last_stop) = (Vec::new(), 0);
        loop {
            let start = end - lines.remaining_bytes();
            let Some(line) = lines.next() else { break };
            let stop = start + line.bytes.len();
            self.comments += u64::from(line.without_mark().bytes.first() == Some(&b'#'));
            match scan.line(line.bytes) {
                found @ (Step::Inside | Step::First) => {
                    if found == Step::First {
                        self.pass_over(starts.len() as u64);
                        starts.clear();
                    }
                    starts.push(start);
                    last_stop = stop;
                }
                Step::Outside => {
                    self.pass_over(starts.len() as u64 + 1);
                    starts.clear();
                }
                Step::Grid(grid) => {
                    let first = starts.first().copied().unwrap_or(start);
                    self.push(grid, first..stop, Given::Missing);
                    self.pass_over(starts.len() as u64);
                    starts.clear();
                }
                Step::Malformed { lines_ago, what } => {
                    starts.push(start);
                    self.push_grid(&starts, lines_ago, what, stop);
                    starts.clear();
                }
                Step::Broken { lines_ago, what, and } => {
                    self.push_grid(&starts, lines_ago - 1, what, last_stop);
                    starts.clear();
                    match and {
                        Some(what) => self.push_malformed(what.of_whole(&line), start..stop),
                        None => self.pass_over(1),
                    }
                }
                Step::Alone(what) => {
                    self.pass_over(starts.len() as u64);
                    starts.clear();
                    self.push_malformed(what.of_whole(&line), start..stop);
                }
            }
        }
        match scan.end() {
            Some(Step::Broken { lines_ago, what, .. }) => {
                self.push_grid(&starts, lines_ago - 1, what, last_stop);
            }
            _ => self.pass_over(starts.len() as u64),
        }
    }

    /// A malformed grid of these lines, the last of which ends here; the message is about one that
    /// is so many lines before the last.
    fn push_grid(&mut self, starts: &[usize], lines_ago: usize, what: Malformed, end: usize) {
        let Some(&first) = starts.first() else { return };
        let before = starts.len().saturating_sub(lines_ago + 1);
        self.pass_over(before as u64);
        self.push_malformed(what, first..end);
        self.pass_over((starts.len() - before - 1) as u64);
    }

    fn push(&mut self, grid: Grid, line: Range<usize>, given: Given) {
        self.grids.push(grid);
        if self.want.lines {
            self.lines.push(line);
        }
        if self.want.solutions {
            self.given.push(given);
        }
    }

    fn push_malformed(&mut self, malformed: Malformed, line: Range<usize>) {
        let what = What::Malformed(malformed, line);
        self.gaps.push(Gap { grids_before: self.grids.len(), what });
    }

    /// Lines that are no records.
    fn pass_over(&mut self, more: u64) {
        let grids_before = self.grids.len();
        match self.gaps.last_mut() {
            _ if more == 0 => {}
            Some(Gap { grids_before: before, what: What::PassedOver(lines) })
                if *before == grids_before =>
            {
                *lines += more;
            }
            _ => self.gaps.push(Gap { grids_before, what: What::PassedOver(more) }),
        }
    }
}

/// The puzzle in a field that begins after so many bytes of the line.
///
/// What has about the 729 bytes of a sukaku is one, with a slip perhaps.
fn puzzle_of(field: &[u8], start: usize, blanks: &Blanks) -> Result<Puzzle, Malformed> {
    if is_long_as_sukaku(field) {
        let sukaku = parse::sukaku(field);
        return sukaku.map(Puzzle::Sukaku).map_err(|error| Malformed::in_marks(start, error));
    }
    let grid = parse::cells(field, blanks);
    grid.map(Puzzle::Grid).map_err(|error| Malformed::in_field(start, error))
}

/// The solution in a field that begins after so many bytes of the line.
pub(super) fn given_in(field: &[u8], blanks: &Blanks, start: impl FnOnce() -> usize) -> Given {
    if field.is_empty() {
        return Given::Missing;
    }
    match parse::cells(field, blanks) {
        Ok(grid) => Given::Cells(grid),
        Err(error) => Given::Malformed(Malformed::in_field(start(), error)),
    }
}

/// The solution in a row that has been divided: the one in its field, or if no field has them, a full
/// grid in any field but the puzzle's.
fn given_in_row(line: &[u8], fields: &Fields, rows: &Rows, blanks: &Blanks) -> Given {
    let is_answer =
        |&place: &usize| place != rows.puzzle && fields.get(line, place).is_some_and(is_full);
    let beside = || (0..fields.len()).find(is_answer);
    let Some(place) = rows.solution.or_else(beside) else { return Given::Missing };
    let field = fields.get(line, place).unwrap_or_default();
    given_in(field, blanks, || fields.start(place))
}

/// The first value of an object, other than the puzzle's, that is a full grid.
pub(super) fn full_value<'a>(object: &json::Object<'a>, puzzle: &str) -> Option<&'a str> {
    let paths = object.paths().into_iter().filter(|(path, _)| path != puzzle);
    let mut values = paths.map(|(_, value)| value);
    values.find(|value| is_full(json::cells(value).as_bytes()))
}

/// A JSON array.
fn array(line: &[u8], blanks: &Blanks) -> Result<(Puzzle, Given), Malformed> {
    let text = str::from_utf8(line).ok();
    let cells = text.and_then(forms::array).ok_or(Malformed::NoArray)?;
    Ok((puzzle_of(&cells, 0, blanks)?, Given::Missing))
}

/// A line of a `HoDoKu` library.
fn hodoku(line: &[u8], blanks: &Blanks, fields: &mut Fields) -> Result<(Puzzle, Given), Malformed> {
    let (cells, start) = forms::hodoku(line, fields)?;
    Ok((puzzle_of(&cells, start, blanks)?, Given::Missing))
}

/// A puzzle and its solution without a separator.
fn joined(line: &[u8], puzzle_first: bool, blanks: &Blanks) -> Result<(Puzzle, Given), Malformed> {
    let (puzzle, solution) = forms::joined(line, puzzle_first)?;
    let start = |half: &[u8]| half.as_ptr().addr() - line.as_ptr().addr();
    if is_full(puzzle) && is_open(solution, blanks) {
        return Err(Malformed::Swapped);
    }
    let given = given_in(solution, blanks, || start(solution));
    Ok((puzzle_of(puzzle, start(puzzle), blanks)?, given))
}

/// The solution that stands in the next field, if that needs no second look.
#[inline]
fn given_after(line: &[u8], after: usize, delimiter: Delimiter) -> Option<Given> {
    let field = line.get(after + 1..)?;
    let grid = parse::cells_to_grid(field.first_chunk()?)?;
    let ends = field.get(Cell::COUNT).is_none_or(|&byte| delimiter.divides(byte));
    ends.then_some(Given::Cells(grid))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::{ChunkBuffer, MAX_LINE_BYTES, Source};

    fn read(text: Vec<u8>) -> Puzzles {
        let mut buffer = ChunkBuffer::new();
        Source::from_bytes("text", text).into_chunks(usize::MAX).fill(&mut buffer).unwrap();
        let mut puzzles = Puzzles::new();
        buffer.read(|chunk| puzzles.read(chunk)).unwrap();
        puzzles
    }

    #[test]
    fn comments_and_empty_lines_are_passed_over_wherever_they_stand() {
        let puzzle = ".".repeat(81);
        let comment = format!("#{}", &puzzle[1..]);
        let text = format!("\n{comment}\n{puzzle}\n\r\n#\r\n{puzzle}\r\n{puzzle}\n1\n\n{puzzle}");
        let puzzles = read(text.clone().into());
        let passed = |grids_before, lines| Gap { grids_before, what: What::PassedOver(lines) };
        let short = Malformed::in_field(0, ParseError::Length { found: 1 });
        let place = text.len() - 84..text.len() - 83;
        let malformed = What::Malformed(short, place);
        let gaps = [passed(0, 2), passed(1, 2), Gap { grids_before: 3, what: malformed }];
        assert_eq!(puzzles.grids(), [Grid::EMPTY; 4]);
        assert_eq!(puzzles.gaps, [&gaps[..], &[passed(3, 1)]].concat());
    }

    #[test]
    fn an_overlong_line_is_malformed_by_its_full_length() {
        let found = 3 * MAX_LINE_BYTES;
        let mut text = vec![b'1'; 82];
        text[81] = b'\n';
        text.resize(82 + found, b'1');
        let error = Malformed::in_field(0, ParseError::Length { found });
        let what = What::Malformed(error, 82..82 + MAX_LINE_BYTES);
        assert_eq!(read(text).gaps, [Gap { grids_before: 1, what }]);
    }
}
