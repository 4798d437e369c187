//! Puzzles in nine lines of nine cells, plain or framed.
//!
//! ```text
//! [Puzzle]              a title: passed over              53..7....       plain
//! .-------.-------.     a frame: passed over              6..195...
//! | 5 3 . | . 7 . |     a row: nine cells, whatever       …
//! │ 6 . . │ 1 9 5 │     spaces and bars stand between     .
//! | 9 2 346 | 45 …      a row of pencilmarks: nine        .
//! …                     groups of digits                  an empty line ends a grid
//! ```
//!
//! Lines are shown to a [`GridScan`] one by one. Between two grids it remembers nothing, so an input
//! may be cut there into chunks. However it is cut there is such a place soon: a grid has few lines,
//! and a long line ends it, whatever it is.

use super::lines::{BYTE_ORDER_MARK, Line, Lines, is_empty};
use super::malformed::{Malformed, may_be_blank};
use crate::puzzle::parse::{self, Blanks};
use crate::puzzle::rules::is_legal;
use crate::puzzle::{Cell, ParseError, Puzzle};
use ninefold_core::generate::Recipe;

/// Most lines from the first row of a grid to its last, with frames and comments between. More lines are not
/// a grid. Lines that are skipped up to an empty line end there, too.
const MOST_LINES: usize = 64;

/// A longer line is no row, and no comment within a grid.
///
/// So a grid has 64 of 202 bytes at most, with their ends: a fifth of the head of a line that a
/// stream keeps in any case.
const MOST_BYTES: usize = 200;

/// A row of blanks, or a part of a frame.
const DASHES: [u8; 9] = [b'-'; 9];

/// Pencilmarks of nine cells.
const MARKS_OF_ROW: usize = 9 * 9;

/// What a line turned out to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum GridStep {
    /// It belongs to no grid. It may have cells `alone` and be neither row nor title: a puzzle in one line, say.
    /// A grid before it may be `broken`, see [`GridScan::broken`].
    Outside { broken: Option<(usize, Malformed)>, alone: Option<usize> },
    /// It belongs to a grid that is not complete.
    Inside,
    /// It begins another grid: it is the first row, or a title of figures directly above that row. The lines before it
    /// were a frame, this number of `titles`, or a `broken` grid, see [`GridScan::broken`].
    First { titles: usize, broken: Option<(usize, Malformed)> },
    /// It is the last row of a grid.
    Grid(Puzzle),
    /// It is the last row of a grid with an error `lines_ago` lines before this one.
    Malformed { lines_ago: usize, what: Malformed },
}

impl GridStep {
    /// A line that says nothing.
    const OUTSIDE: Self = Self::Outside { broken: None, alone: None };
}

/// The lines of an input seen as grids.
#[derive(Default)]
pub(super) struct GridScan {
    blanks: Blanks,
    cells: [[u8; 9]; 9],
    /// Rows of pencilmarks.
    marks: Vec<(usize, [u8; MARKS_OF_ROW])>,
    rows: usize,
    /// Lines before a grid that may be titles: rows of four cells, such as `2024`, of which four are a puzzle of another
    /// size; or one line of other figures directly above a grid, which is `wrong` if it has nothing but cells.
    titles: usize,
    /// Lines of this grid so far.
    lines: usize,
    /// The first thing wrong, and in which line of the grid.
    wrong: Option<(usize, Malformed)>,
    /// A row of dashes is a row of blanks, not a frame: another row has dashes among its cells.
    dashes: bool,
    /// Rows of dashes before the first other one, which will tell what they are.
    first_dashes: usize,
    /// Bytes of the row before: one of dashes that is not as long is a frame.
    width: usize,
    /// How many rows stand above the last frame that was a row of dashes: the next one is to be
    /// expected between other boxes.
    ruled: Option<usize>,
    /// The next grid is not the puzzle but, for example, its partial solution.
    ignored: bool,
    /// How many of the known bytes may be behind a cut. The rows that showed that a line is no title are before it. 0 if
    /// more bytes have to show it.
    most_behind: usize,
}

impl GridScan {
    pub(super) fn new(blanks: Blanks) -> Self {
        Self { blanks, most_behind: usize::MAX, ..Self::default() }
    }

    /// Whether the next line may be shown to another.
    pub(super) const fn is_between(&self) -> bool {
        self.rows + self.first_dashes + self.titles == 0 && !self.ignored
    }

    /// What all lines of a text turn out to be.
    pub(super) fn steps(&mut self, text: &[u8]) -> impl Iterator<Item = GridStep> {
        let mut lines = Lines::new(text);
        std::iter::from_fn(move || lines.next().map(|line| self.line(line.bytes, &lines)))
    }

    /// Looks at the next line, and at those `after` it where it may be a title.
    pub(super) fn line(&mut self, line: &[u8], after: &Lines) -> GridStep {
        // The search for cuts does not skip it.
        let line = line.strip_prefix(BYTE_ORDER_MARK).unwrap_or(line);
        let inside = self.rows + self.first_dashes + self.titles > 0;
        let lines = self.lines + usize::from(!self.is_between());
        if lines >= MOST_LINES || ends_grid(line, &self.blanks) {
            let head = &line[..line.len().min(MOST_BYTES + 1)];
            // If it is no title.
            let has_cells = line.first() != Some(&b'#') && holds_row(head, &self.blanks);
            let (broken, alone) = (self.broken(), has_cells.then(|| cells_of(line).1));
            // Such a line may begin a chunk, so it cannot depend on what came before.
            *self = Self::new(self.blanks);
            self.ignored = is_no_puzzle(line);
            return GridStep::Outside { broken, alone };
        }
        self.lines = lines;
        if line.first() == Some(&b'#') {
            return if inside { GridStep::Inside } else { GridStep::OUTSIDE };
        }
        if let Some(marks) = marks_of(line) {
            self.marks.push((self.rows, marks));
            return self.row(line, &[b'1'; 9], 9);
        }
        let (cells, count) = cells_of(line);
        let dashes = count == 9 && cells == DASHES;
        if dashes && self.rows == 0 {
            self.first_dashes += 1;
            self.width = width(line);
            return self.inside();
        }
        let drawn = is_drawn(line, count);
        if drawn && (!dashes || line.contains(&b'|')) {
            self.take_back_rule();
        }
        if drawn && !(dashes && self.is_row_of_blanks(line)) {
            self.ruled = if dashes { Some(self.rows) } else { self.ruled };
            return if inside { GridStep::Inside } else { GridStep::OUTSIDE };
        }
        // What has hardly a cell in it, and stands before a grid, is no row gone wrong.
        let is_cell = |byte: &&u8| self.blanks.is_cell(**byte);
        let known = cells.iter().take(count).filter(is_cell).count();
        let (few, has_cells) = (known < 5, known == count.min(9));
        let is_row = || is_row_otherwise(line, &self.blanks) || holds_row(line, &self.blanks);
        if self.rows == 0 && few && !is_row() {
            let is_small = |cell: &u8| is_cell(&cell) && !matches!(cell, b'5'..=b'9');
            let is_small = count == 4 && cells.iter().all(is_small);
            if is_small && self.titles < 3 && !self.ignored {
                self.titles += 1;
                return GridStep::Inside;
            }
            let what = Malformed::in_field(0, ParseError::Size { side: 4 });
            let size = GridStep::Malformed { lines_ago: self.lines, what };
            if self.ignored {
                return GridStep::OUTSIDE;
            }
            *self = Self::new(self.blanks);
            return if is_small { size } else { GridStep::OUTSIDE };
        }
        let is_good = has_cells && count == 9 || self.ignored;
        // If the last row of every second grid were a title or not, there would be no place to cut.
        let is_last = self.rows == 8;
        if !is_good && !is_last && !is_row() && self.is_above_grid(after.clone()) {
            let broken = self.broken().map(|(lines, what)| (lines - 1, what));
            let most_behind = self.most_behind;
            // Cells and nothing else are a row too many.
            let wrong = has_cells.then_some((0, Malformed::Row { found: count }));
            *self = Self { titles: 1, wrong, most_behind, ..Self::new(self.blanks) };
            return GridStep::First { titles: 0, broken };
        }
        self.row(line, &cells, count)
    }

    /// Whether a legal grid follows: plain rows, nine and no more, with frames and comments between.
    fn is_above_grid(&mut self, mut after: Lines) -> bool {
        let mut rows = Vec::new();
        for _ in 0..MOST_LINES {
            let Some(Line { bytes, .. }) = after.next() else {
                self.most_behind = 0;
                break;
            };
            let (cells, count) = cells_of(bytes);
            let is_row = is_row(bytes, &self.blanks);
            let is_between = bytes.first() == Some(&b'#') || is_drawn(bytes, count);
            if ends_grid(bytes, &self.blanks) || !is_row && !is_between {
                break;
            }
            if is_row && rows.len() == Cell::COUNT {
                self.most_behind = after.remaining_bytes();
                return false;
            }
            rows.extend(cells.into_iter().filter(|_| is_row));
        }
        parse::cells(&rows, &self.blanks).is_ok_and(|grid| is_legal(&grid))
    }

    /// The step of a row. Rows of four cells before the first one were titles.
    fn inside(&mut self) -> GridStep {
        let titles = std::mem::take(&mut self.titles);
        if titles == 0 {
            return GridStep::Inside;
        }
        let broken = self.wrong.take().map(|(_, what)| (self.lines - 1, what));
        self.lines = 0;
        GridStep::First { titles: titles - usize::from(broken.is_some()), broken }
    }

    /// What is wrong if the grid ends here: it began this number of lines before its last line.
    pub(super) fn broken(&self) -> Option<(usize, Malformed)> {
        let is_grid = self.rows > 0 && !self.ignored;
        is_grid.then_some((self.lines, Malformed::Rows { found: self.rows }))
    }

    /// Whether nine dashes are a row of blanks: they are as long as the row above, which has dashes
    /// among its cells or one above it has, and do not stand where a rule is to be expected.
    fn is_row_of_blanks(&self, line: &[u8]) -> bool {
        let ruled = self.ruled.is_some_and(|above| above != self.rows);
        width(line) == self.width && !(self.rows.is_multiple_of(3) && (ruled || !self.dashes))
    }

    /// Before a line like `---|---|---`, or of another kind that is no row: nine dashes three rows
    /// above it, where a frame would be, were no blanks, and neither are these. (A puzzle with bars
    /// and without rules that has rows of blanks in just these places is not told from one with rules.)
    fn take_back_rule(&mut self) {
        let (above, below) = match self.rows {
            4 => (0, 1),
            7 => (3, 4),
            _ => return,
        };
        if self.cells[above] == DASHES {
            self.cells.copy_within(below..self.rows, above);
            self.marks.iter_mut().for_each(|(row, _)| *row -= usize::from(*row > above));
            self.rows -= 1;
            self.ruled = Some(above);
        }
    }

    /// The puzzle of nine rows.
    fn puzzle(&self) -> Option<Puzzle> {
        if self.marks.is_empty() {
            return parse::cells(self.cells.as_flattened(), &self.blanks).ok().map(Puzzle::Grid);
        }
        let mut text = Vec::with_capacity(parse::PENCILMARKS);
        for (row, cells) in self.cells.iter().enumerate() {
            match self.marks.iter().find(|(place, _)| *place == row) {
                Some((_, marks)) => text.extend_from_slice(marks),
                // A cell without pencilmarks has a digit, or says nothing.
                None => text.extend(cells.iter().flat_map(|&cell| {
                    let is_clue = matches!(cell, b'1'..=b'9');
                    (b'1'..=b'9').map(move |mark| if is_clue && mark != cell { b'.' } else { mark })
                })),
            }
        }
        parse::sukaku(&text).ok().map(Puzzle::Sukaku)
    }

    /// Takes a row, or the line in its place.
    fn row(&mut self, line: &[u8], cells: &[u8; 9], count: usize) -> GridStep {
        let mut step = self.inside();
        let has_dashes = cells.contains(&b'-');
        let first_dashes = std::mem::take(&mut self.first_dashes);
        let above = std::mem::replace(&mut self.width, width(line));
        if first_dashes > 0 && !(has_dashes && above == self.width) {
            (self.lines, step) = (0, GridStep::First { titles: 0, broken: None });
        } else {
            self.rows += first_dashes.min(8);
            self.cells[..first_dashes.min(8)].fill(DASHES);
        }
        let wrong = line.iter().position(|it| !self.blanks.is_cell(*it) && cells.contains(it));
        let is_row = wrong.is_none() && count == 9;
        // A grid has another size if none of its rows has nine cells.
        let size = if is_row || self.rows > 0 { None } else { parse::row_of_other_size(line) };
        let error = size.or_else(|| Some(ParseError::not_a_cell(line, wrong?)));
        let what = error.map(|error| Malformed::in_field(0, error));
        let what = what.or((!is_row).then_some(Malformed::Row { found: count }));
        if let Some((_, Malformed::Cells { error: ParseError::Size { side: found }, .. })) =
            self.wrong
            && is_row
        {
            self.wrong = self.wrong.map(|(at, _)| (at, Malformed::Row { found }));
        }
        self.wrong = self.wrong.or(what.map(|what| (self.lines, what)));
        self.dashes |= has_dashes;
        self.cells[self.rows] = *cells;
        self.rows += 1;
        if self.rows < 9 {
            return step;
        }
        let next = Self { most_behind: self.most_behind, ..Self::new(self.blanks) };
        let last = std::mem::replace(self, next);
        match (last.wrong, last.puzzle()) {
            _ if last.ignored => GridStep::OUTSIDE,
            (None, Some(puzzle)) => GridStep::Grid(puzzle),
            (wrong, _) => {
                let (at, what) = wrong.unwrap_or((last.lines, Malformed::Row { found: 9 }));
                GridStep::Malformed { lines_ago: last.lines - at, what }
            }
        }
    }
}

/// The 81 pencilmarks of a row of nine cells, if one of them has several. Other cells have a digit.
fn marks_of(line: &[u8]) -> Option<[u8; MARKS_OF_ROW]> {
    let mut marks = [b'.'; MARKS_OF_ROW];
    let divides = |&byte: &u8| byte == b':' || is_between_cells(byte);
    let groups = line.split(divides).filter(|group| !group.is_empty());
    let (mut cells, mut digits) = (0, 0);
    for group in groups {
        for &digit in group {
            let digit_place = usize::from(digit.checked_sub(b'1').filter(|&place| place < 9)?);
            let mark = marks.get_mut(9 * cells + digit_place).filter(|mark| **mark == b'.')?;
            *mark = digit;
            digits += 1;
        }
        cells += 1;
    }
    (cells == 9 && digits > 9).then_some(marks)
}

/// How many legible grids a text has.
pub(crate) fn count(text: &[u8], blanks: &Blanks) -> usize {
    let mut scan = GridScan::new(*blanks);
    scan.steps(text).filter(|step| matches!(step, GridStep::Grid(_))).count()
}

/// Whether an input begins with a grid of pencilmarks.
pub(super) fn begins_with_marks(head: &[u8], blanks: &Blanks) -> bool {
    let mut scan = GridScan::new(*blanks);
    let mut steps = scan.steps(head);
    let is_part = |step: &GridStep| {
        matches!(step, &GridStep::OUTSIDE | GridStep::Inside | GridStep::First { broken: None, .. })
    };
    matches!(steps.find(|step| !is_part(step)), Some(GridStep::Grid(Puzzle::Sukaku(_))))
}

/// Whether a line may be a part of a frame.
fn is_drawn(line: &[u8], count: usize) -> bool {
    // A frame with corners of other kinds differs from a row of blanks in its length.
    let cornered = count != 9
        && line.windows(3).any(|three| three == b"---")
        && line.iter().all(|byte| b"-+=|: \t*.'`".contains(byte));
    cornered || line.iter().all(|&byte| b"-+=|: \t".contains(&byte) || is_box(byte))
}

/// Bytes of a line without the spaces around it.
fn width(line: &[u8]) -> usize {
    line.trim_ascii().len()
}

/// Whether a line is a row of nine cells.
pub(super) fn is_row(line: &[u8], blanks: &Blanks) -> bool {
    let (cells, count) = cells_of(line);
    let is_row = count == 9 && cells.iter().all(|&byte| blanks.is_cell(byte)) && cells != DASHES;
    is_row || marks_of(line).is_some()
}

/// Whether a byte is a part of a character that draws a box, U+2500 to U+257F: the first of its bytes, or one that
/// is not the first of any character.
const fn is_box(byte: u8) -> bool {
    matches!(byte, 0xe2 | 0x80..=0xbf)
}

/// Whether a byte may stand between two cells of a row.
fn is_between_cells(byte: u8) -> bool {
    b"| \t,;".contains(&byte) || is_box(byte)
}

/// The bytes of a line that are not separators: the first nine, and the number of all.
fn cells_of(line: &[u8]) -> ([u8; 9], usize) {
    let (mut cells, mut count) = ([b'.'; 9], 0);
    for &byte in line.iter().filter(|&&byte| !is_between_cells(byte)) {
        if let Some(cell) = cells.get_mut(count) {
            *cell = byte;
        }
        count += 1;
    }
    (cells, count)
}

/// Whether a section says that it has something else than a puzzle. Any other name is a title: a
/// puzzle too many is seen, and one that is missing is not.
fn is_no_puzzle(section: &[u8]) -> bool {
    const NAMES: [&[u8]; 5] = [b"[state", b"[solution", b"[candidates", b"[pencil", b"[marks"];
    let section = section.to_ascii_lowercase();
    NAMES.iter().any(|name| section.starts_with(name))
}

/// Whether a line has words.
fn is_title(line: &[u8], blanks: &Blanks) -> bool {
    // A letter that is written for a blank makes no word.
    let is_letter = |byte: &&u8| byte.is_ascii_alphabetic() && !blanks.is_cell(**byte);
    let letters = line.iter().filter(is_letter).count();
    letters >= 3 && !is_row_otherwise(line, blanks) && parse::row_of_other_size(line).is_none()
}

/// Whether a line would be a row if blanks were written otherwise: as spaces, or as another byte,
/// which is always the same.
fn is_row_otherwise(line: &[u8], blanks: &Blanks) -> bool {
    let (cells, count) = cells_of(line);
    let cells = &cells[..count.min(9)];
    let mut others = cells.iter().filter(|&&byte| !blanks.is_cell(byte));
    match others.next() {
        None => line.len() >= 9 && count < 9 && cells.iter().any(|&byte| is_clue(byte)),
        Some(blank) => {
            let told = cells.iter().any(u8::is_ascii_digit) || blank.is_ascii_alphabetic();
            count == 9 && told && others.all(|other| other == blank)
        }
    }
}

/// Whether a part of a line may be a row, or has more cells than three rows: plain, pencilmarks, or of a JSON array,
/// where `null` is a blank; or is a puzzle with blanks of any kind; or has cells between marks of another kind, as in
/// HTML, `<td>5</td>`, and LaTeX, `5 & 3`. A number or a date in a title is not.
pub(super) fn holds_row(line: &[u8], blanks: &Blanks) -> bool {
    let is_of_array = |byte: u8| b"\"[]nul".contains(&byte);
    let is_part = |byte: u8| is_between_cells(byte) || blanks.is_cell(byte) || is_of_array(byte);
    let is_written = |byte: u8| blanks.is_cell(byte) || may_be_blank(byte);
    let mut words = line.split(|&byte| !is_written(byte));
    // A puzzle of a line whose blanks are written otherwise.
    let is_puzzle = |word: &[u8]| word.len() == Cell::COUNT && clues(word) >= Recipe::FEWEST_CLUES;
    // Nine cells have eight marks between them.
    let is_digit = |word: &[u8]| matches!(word, [digit] if is_clue(*digit));
    let times = |part, byte: u8| memchr::memchr_iter(byte, part).count();
    let runs = |mark| line.chunk_by(|one, other| one == other).filter(|run| run[0] == mark).count();
    let digits = |mark| line.split(|it| *it == mark).filter(|it| is_digit(it.trim_ascii())).count();
    let has_marks = |mark| runs(mark) > 7 || times(line, mark) > 7 && digits(mark) > 1;
    let is_mark = |&mark: &u8| mark.is_ascii_punctuation() && !is_part(mark) && has_marks(mark);
    let is_marked = || line.split(|byte| !byte.is_ascii_alphanumeric()).any(is_digit);
    // Nine values, each a digit or always the same word, as in `5 None 3 None`.
    let values = || line.split(|&byte| is_between_cells(byte)).filter(|value| !value.is_empty());
    let is_of_values = || {
        let mut blanks = values().filter(|value| !is_digit(value));
        let blank = blanks.next().unwrap_or_default();
        let is_alike = blank.is_ascii() && blanks.all(|value| value == blank);
        is_alike && values().count() == 9 && values().any(is_digit)
    };
    words.any(is_puzzle)
        || is_of_values()
        || is_marked() && line.iter().any(is_mark)
        || line.split(|&byte| !is_part(byte)).any(|part| {
            let cells =
                part.iter().filter(|&&byte| blanks.is_cell(byte)).count().max(times(part, b','));
            let marks = part.split(|&byte| !blanks.is_cell(byte)).filter(|it| !it.is_empty());
            // A date has a digit twice: 1.12.2024.
            let is_row = cells == 9 && (b'1'..=b'9').all(|digit| times(part, digit) < 2);
            clues(part) > 0 && (is_row || cells > 27 || cells > 9 && marks.count() == 9)
        })
}

/// How many of these bytes are digits from 1 to 9.
pub(super) fn clues(bytes: &[u8]) -> usize {
    bytes.iter().filter(|&&byte| is_clue(byte)).count()
}

pub(crate) const fn is_clue(byte: u8) -> bool {
    matches!(byte, b'1'..=b'9')
}

/// Whether two texts, if they are grids, have the same clues where both have one.
pub(super) fn agree(one: &[u8], other: &[u8]) -> bool {
    let is_same = |(clue, cell): (&u8, &u8)| clue == cell || !is_clue(*clue) || !is_clue(*cell);
    one.len() != other.len() || one.iter().zip(other).all(is_same)
}

/// Whether a text is a legal puzzle, and has another clue than this one in some cell.
pub(super) fn is_another(one: &[u8], other: &[u8], blanks: &Blanks) -> bool {
    let is_puzzle = |grid| is_legal(&grid) && clues(other) >= Recipe::FEWEST_CLUES;
    !agree(one, other) && parse::cells(other, blanks).is_ok_and(is_puzzle)
}

/// Whether a line ends a grid, whatever the lines before it are.
fn ends_grid(line: &[u8], blanks: &Blanks) -> bool {
    // A comment of this length is a part of the grid around it.
    let is_comment = line.first() == Some(&b'#') && line.len() <= MOST_BYTES;
    let is_section = line.first() == Some(&b'[');
    let ends = is_empty(line) || is_section || line.len() > MOST_BYTES || is_title(line, blanks);
    ends && !is_comment
}

/// The start of the last whole line that ends a grid, whatever the bytes before these are: a line before
/// which the bytes may be read anew.
pub(super) fn last_reset(bytes: &[u8], blanks: &Blanks) -> Option<usize> {
    let mut end = memchr::memrchr(b'\n', bytes)?;
    while let Some(before) = memchr::memrchr(b'\n', &bytes[..end]) {
        let line = Lines::new(&bytes[before + 1..=end]).next()?.without_mark();
        if ends_grid(line.bytes, blanks) {
            return Some(before + 1);
        }
        end = before;
    }
    None
}

/// The places where the bytes may be cut: they begin between two grids. A run of empty lines is not cut.
/// If the input has `ended` with these bytes, no line follows them.
pub(super) fn cuts(bytes: &[u8], blanks: &Blanks, ended: bool) -> impl Iterator<Item = usize> {
    let whole = memchr::memrchr(b'\n', bytes).map_or(0, |end| end + 1);
    // A line that long ends a grid, and does so as well if the grid ends the chunk before.
    let is_long = bytes.len() - whole > MOST_BYTES + BYTE_ORDER_MARK.len() + 1;
    let (mut scan, mut lines) = (GridScan::new(*blanks), Lines::new(&bytes[..whole]));
    let known = if ended { bytes } else { &bytes[..whole] };
    let between = std::iter::from_fn(move || {
        loop {
            let line = lines.next()?;
            scan.line(line.bytes, &Lines::new(&known[whole - lines.remaining_bytes()..]));
            if is_empty(line.bytes) {
                lines.skip_empty();
            }
            let cut = whole - lines.remaining_bytes();
            if scan.most_behind == 0 && !ended {
                return None;
            }
            if scan.is_between() && known.len() - cut <= scan.most_behind {
                return Some(cut);
            }
        }
    });
    between.chain((whole > 0 && is_long).then_some(whole))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rows that tell that a line is no title stay with it. If all grids do so, these end elsewhere.
    #[test]
    fn grids_without_a_line_between_are_cut_whichever_row_is_damaged() {
        let good = "53..7....\n6..195...\n.98....6.\n8...6...3\n4..8.3..1\n7...2...6\n.6....28.\n...419..5\n....8..79\n";
        for damaged in 0..9 {
            let mut rows: Vec<_> = good.lines().collect();
            rows[damaged] = "12345";
            let text = (rows.join("\n") + "\n" + good).repeat(20);
            assert!(cuts(text.as_bytes(), &Blanks::usual(), false).count() >= 19, "{damaged}");
        }
    }

    /// The first nine dashes look like a row of blanks until a rule stands where the next frame would be.
    #[test]
    fn pencilmarks_stay_in_their_row_when_a_rule_above_was_taken_for_blanks() {
        let lines = "---------\n12-456789\n1 2 3 4 5 6 7 8 12\n123456789\n---|---|---\n";
        let text = lines.to_owned() + &"123456789\n".repeat(6);
        let mut scan = GridScan::new(Blanks::usual());
        let steps: Vec<_> = scan.steps(text.as_bytes()).collect();
        let Some(GridStep::Grid(Puzzle::Sukaku(sukaku))) = steps.last() else {
            panic!("{steps:?}")
        };
        let marks = sukaku.line(b'.');
        assert_eq!(&marks[9 * 9 + 72..18 * 9], b"12.......");
        assert_eq!(&marks[18 * 9 + 72..27 * 9], b"........9");
    }
}
