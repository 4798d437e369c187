//! The rule for text: the grids of any text, as files of grids, forum posts, arrays, and answers of language models.
//!
//! ```text
//! Here it is:                 another line: ends a block
//! +-------+-------+-------+   drawn: does not count, or ends a block of whole grids
//! | 5 3 . | . 7 . | . . . |   a row: nine cells with marks between, and nothing else
//! …                           nine rows on end are a grid, 18 are two
//!                             an empty line ends a block
//! [[5,3,0,0,7,0,0,0,0],[6,…   81 cells, single or nine together, with marks between: a grid
//! id 7: 53..7....6..195…      81 cells without a mark: a grid
//! [State]                     lines up to the next line in brackets are not read
//! ```
//!
//! 1. A run of exactly 81 cells is a grid, and so are 81 cells with marks between. Several in a line are several.
//! 2. Nine rows on end are a grid, 18 are two. Another number of rows is malformed, and so are several grids of which one is
//!    not legal: a row may be missing. Drawn lines and comments between rows do not count, nor do empty lines behind each row
//!    or behind each three rows.
//! 3. Any other line with 17 cells is malformed, and so are nine values of which those that are no cells are equal.
//! 4. A title in brackets that names a state, a solution or notes ends reading up to the next title in brackets.
//!
//! A dash is a mark, unless it is among the blanks. Between two blocks nothing is remembered, so a text may be cut there
//! ([`cuts`]). Blocks and sections have a bounded number of lines, and a long line ends both, so such a place comes soon.

use super::parse::{self, Blanks};
use super::rules::is_legal;
use super::{Cell, Grid, ParseError};
use alloc::vec::Vec;
use core::ops::{Range, RangeInclusive};

/// A longer line is no row, no drawn line and no title. The longest row known has 41 bytes (`data-framed-ss`).
const MOST_BYTES: usize = 200;

/// Most lines of a block, and of a section that is not read: 32 grids. With 205 bytes a line, ends and marks included, they
/// are 59,040 bytes, fewer than a reader of streams keeps.
const MOST_LINES: usize = 288;

/// No grid is read from a longer line.
const LONGEST_LINE: usize = 64 * 1024;

/// Fewest cells of a line that are not passed over: the clues of the sparsest puzzle.
const FEWEST_CELLS: usize = 17;

/// Values of a row of which some were lost or added (`rules.txt`, damaged-rows-between-grids).
const NEARLY_NINE: RangeInclusive<usize> = 7..=11;

/// A row that is damaged: it keeps its place in a grid.
const NO_CELLS: [u8; 9] = [b'?'; 9];

/// Titles of sections that have no puzzle (`data-collection-sdk`). Any other title is above one.
const UNREAD: [&[u8]; 5] = [b"[state", b"[solution", b"[candidates", b"[pencil", b"[marks"];

/// A byte-order mark, with which each of several files that are put together may begin.
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// A grid in a text, or lines that should be one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextGrid {
    /// Its first line, counted from 0.
    pub line: usize,
    /// Its bytes in the text.
    pub bytes: Range<usize>,
    /// The grid, or what is wrong with the lines.
    pub cells: Result<Grid, ParseError>,
}

/// The grids of a text in their order, and the number of lines that belong to none.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TextGrids {
    /// Grids and malformed ones.
    pub grids: Vec<TextGrid>,
    /// All lines.
    pub lines: usize,
    /// Comments.
    pub comments: usize,
    /// Other lines that belong to no grid, without empty and drawn ones.
    pub between: usize,
}

/// The grids of a text.
///
/// ```
/// use ninefold_core::puzzle::parse::Blanks;
/// use ninefold_core::puzzle::text;
///
/// let answer = "The solution is\n\n".to_owned() + &"| 5 3 4 | 6 7 8 | 9 1 2 |\n".repeat(9);
/// let found = text::grids(answer.as_bytes(), &Blanks::usual().without(b'-'));
/// assert_eq!((found.grids.len(), found.grids[0].line), (1, 2));
/// assert!(found.grids[0].cells.is_ok());
/// ```
pub fn grids(text: &[u8], blanks: &Blanks) -> TextGrids {
    let mut scan = Scan::new(text, blanks);
    while scan.next_line() {}
    scan.close();
    scan.found
}

/// The places where a text may be cut: there no block is open. The grids of the pieces are those of the text.
///
/// ```
/// use ninefold_core::puzzle::parse::Blanks;
/// use ninefold_core::puzzle::text;
///
/// let text = "123456789\n".repeat(9) + "\n" + &"987654321\n".repeat(9) + "\n";
/// assert_eq!(text::cuts(text.as_bytes(), &Blanks::usual()).collect::<Vec<_>>(), [91, 182]);
/// ```
pub fn cuts<'a>(text: &'a [u8], blanks: &'a Blanks) -> impl Iterator<Item = usize> + 'a {
    let whole = text.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
    let mut scan = Scan::new(&text[..whole], blanks);
    let between = core::iter::from_fn(move || {
        loop {
            let start = scan.at;
            if !scan.next_line() {
                return None;
            }
            scan.found.grids.clear();
            if scan.is_between() {
                return Some(scan.at);
            }
            // A title in brackets ends all that is above it.
            if scan.unread == MOST_LINES && start > 0 {
                return Some(start);
            }
        }
    });
    // A long line ends the block before it, and so does the end of a piece.
    let is_long = text.len() - whole > MOST_BYTES + BYTE_ORDER_MARK.len() + 1;
    between.chain((whole > 0 && is_long).then_some(whole))
}

/// A row of a block.
struct Row {
    cells: [u8; 9],
    line: usize,
    bytes: Range<usize>,
}

/// A grid and where it is in its line.
type PlacedGrid = (Range<usize>, Result<Grid, ParseError>);

/// The lines of a text, seen one by one.
struct Scan<'a> {
    text: &'a [u8],
    blanks: &'a Blanks,
    /// The dash is a blank, and no mark.
    has_dashes: bool,
    /// Where the next line begins.
    at: usize,
    found: TextGrids,
    /// The rows of the open block.
    rows: Vec<Row>,
    /// The rows of it above the last empty line, in groups of this size.
    grouped: usize,
    group_rows: usize,
    /// Lines of the block.
    block_lines: usize,
    /// The line above was drawn.
    after_drawn: bool,
    /// How many lines are not read, unless a title in brackets comes before.
    unread: usize,
}

impl<'a> Scan<'a> {
    fn new(text: &'a [u8], blanks: &'a Blanks) -> Self {
        Self {
            text,
            blanks,
            has_dashes: blanks.is_cell(b'-'),
            at: 0,
            found: TextGrids::default(),
            rows: Vec::new(),
            grouped: 0,
            group_rows: 0,
            block_lines: 0,
            after_drawn: false,
            unread: 0,
        }
    }

    /// Takes the next line, and empty lines below an empty one.
    fn next_line(&mut self) -> bool {
        let (mut start, rest) = (self.at, &self.text[self.at..]);
        if rest.is_empty() {
            return false;
        }
        let end = rest.iter().position(|&byte| byte == b'\n');
        self.at += end.map_or(rest.len(), |end| end + 1);
        let mut line = &rest[..end.unwrap_or(rest.len())];
        line = line.strip_suffix(b"\r").unwrap_or(line);
        if let Some(bare) = line.strip_prefix(BYTE_ORDER_MARK) {
            (line, start) = (bare, start + BYTE_ORDER_MARK.len());
        }
        self.take(line, start);
        self.found.lines += 1;
        // There may be a gigabyte of empty lines.
        while is_empty(line) && self.is_between() && self.text[self.at..].starts_with(b"\n") {
            self.at += 1;
            self.found.lines += 1;
        }
        true
    }

    /// Whether nothing is remembered of the lines above.
    const fn is_between(&self) -> bool {
        self.rows.is_empty() && self.unread == 0
    }

    /// Takes a line that begins at this byte.
    fn take(&mut self, line: &[u8], start: usize) {
        let is_short = line.len() <= MOST_BYTES;
        let row = if is_short { self.row(line) } else { None };
        let title = title(line).filter(|_| is_short && row.is_none());
        if self.unread > 0 && is_short && title.is_none() {
            self.unread -= 1;
            self.found.between += usize::from(!is_empty(line));
            return;
        }
        self.unread = if title == Some(false) { MOST_LINES } else { 0 };
        self.block_lines += 1;
        let is_drawn = is_short && is_drawn(line) && !self.is_row_of_dashes(line);
        let is_second = core::mem::replace(&mut self.after_drawn, is_drawn);
        if is_short && is_empty(line) {
            self.empty_line();
        } else if is_drawn {
            // Below a whole grid it is the frame of the next one, and so is the second of two.
            if self.rows.len().is_multiple_of(9) || is_second || self.grouped > 0 {
                self.close();
            }
        } else if let Some(cells) = row {
            self.block_lines = if self.rows.is_empty() { 1 } else { self.block_lines };
            self.rows.push(Row { cells, line: self.found.lines, bytes: start..start + line.len() });
        } else {
            self.take_other(line, start);
        }
        if self.block_lines >= MOST_LINES {
            self.close();
        }
    }

    /// Takes a line that is neither a row nor between rows.
    fn take_other(&mut self, line: &[u8], start: usize) {
        let near = self.near_row(line);
        if near > 0 && !self.rows.len().is_multiple_of(9) {
            let bytes = start..start + line.len();
            return self.rows.push(Row { cells: NO_CELLS, line: self.found.lines, bytes });
        }
        let is_comment = line[0] == b'#';
        let (mut grids, mut rest) = self.alone(&line[..line.len().min(LONGEST_LINE)]);
        if line.len() > LONGEST_LINE {
            rest += grids.len() * Cell::COUNT;
            grids.clear();
        }
        let has_cells = rest >= FEWEST_CELLS && !is_comment;
        if has_cells || near == 9 {
            let strange = line
                .iter()
                .position(|byte| !byte.is_ascii() || byte.is_ascii_alphabetic() || *byte == b'-');
            let error = match strange.filter(|_| !has_cells) {
                Some(place) => ParseError::not_a_cell(line, place),
                None => ParseError::Length { found: rest },
            };
            grids.push((0..line.len(), Err(error)));
        }
        if !grids.is_empty() || !is_comment || line.len() > MOST_BYTES {
            self.close();
        }
        // A long line of spaces ends a block, too.
        let is_title = grids.is_empty() && !is_empty(line);
        self.found.comments += usize::from(is_title && is_comment);
        self.found.between += usize::from(is_title && !is_comment);
        for (place, cells) in grids {
            let bytes = start + place.start..start + place.end;
            self.found.grids.push(TextGrid { line: self.found.lines, bytes, cells });
        }
    }

    /// The grids of a line that is no row, and how many cells it has besides: runs of 81 cells, and chains of single cells or
    /// of nine cells.
    fn alone(&self, line: &[u8]) -> (Vec<PlacedGrid>, usize) {
        let (mut grids, mut rest, mut chain, mut begin) = (Vec::new(), 0, Vec::new(), 0);
        for word in words(line, self.has_dashes).chain([&line[line.len()..]]) {
            let mut place = word.as_ptr().addr() - line.as_ptr().addr();
            if matches!(word.len(), 1 | 9) && word.iter().all(|byte| self.blanks.is_cell(*byte)) {
                begin = if chain.is_empty() { place } else { begin };
                chain.extend_from_slice(word);
                continue;
            }
            rest += self.alone_grid(&chain, begin..place, &mut grids);
            chain.clear();
            for run in
                word.chunk_by(|one, two| self.blanks.is_cell(*one) == self.blanks.is_cell(*two))
            {
                if self.blanks.is_cell(run[0]) {
                    rest += self.alone_grid(run, place..place + run.len(), &mut grids);
                }
                place += run.len();
            }
        }
        (grids, rest)
    }

    /// Takes 81 cells as a grid, or counts others. Without a clue they are neither.
    fn alone_grid(&self, cells: &[u8], place: Range<usize>, grids: &mut Vec<PlacedGrid>) -> usize {
        match parse::cells(cells, self.blanks) {
            _ if !has_clue(cells) => 0,
            Ok(grid) => {
                grids.push((place, Ok(grid)));
                0
            }
            Err(_) => cells.len(),
        }
    }

    /// An empty line does not end a block whose rows are in equal groups of one or three.
    fn empty_line(&mut self) {
        let group_rows = self.rows.len() - self.grouped;
        let is_equal = self.grouped == 0 || group_rows == self.group_rows;
        if matches!(group_rows, 1 | 3) && is_equal && self.rows.len() < 9 {
            (self.grouped, self.group_rows) = (self.rows.len(), group_rows);
        } else {
            self.close();
        }
    }

    /// Ends the block: its rows are grids, or those below its last empty line, or they are malformed.
    fn close(&mut self) {
        let rows = core::mem::take(&mut self.rows);
        let (above, last) = rows.split_at(self.grouped);
        let are_groups = last.len() == self.group_rows && rows.len() == 9;
        if above.is_empty() || are_groups && self.are_legal(&rows) {
            self.push_grids(&rows);
        } else if last.len().is_multiple_of(9) {
            self.push_malformed(above);
            self.push_grids(last);
        } else {
            self.push_malformed(&rows);
        }
        (self.grouped, self.group_rows, self.block_lines) = (0, 0, 0);
    }

    /// Takes rows on end. Of several grids all must be legal, or a row may be missing.
    fn push_grids(&mut self, rows: &[Row]) {
        if rows.len() == 9 || rows.len().is_multiple_of(9) && self.are_legal(rows) {
            for rows in rows.chunks(9) {
                self.push(rows, self.grid(rows));
            }
        } else {
            self.push_malformed(rows);
        }
    }

    fn are_legal(&self, rows: &[Row]) -> bool {
        rows.chunks(9).all(|rows| self.grid(rows).is_ok_and(|grid| is_legal(&grid)))
    }

    /// The grid of nine rows.
    fn grid(&self, rows: &[Row]) -> Result<Grid, ParseError> {
        let damaged = rows.iter().filter(|row| row.cells == NO_CELLS).count();
        let cells: Vec<_> = rows.iter().flat_map(|row| row.cells).collect();
        if damaged > 0 {
            Err(ParseError::Rows { found: 9 - damaged })
        } else {
            parse::cells(&cells, self.blanks)
        }
    }

    /// Rows that are no grid. Without a clue they are ornaments.
    fn push_malformed(&mut self, rows: &[Row]) {
        if rows.iter().any(|row| has_clue(&row.cells)) {
            self.push(rows, Err(ParseError::Rows { found: rows.len() }));
        } else {
            self.found.between += rows.len();
        }
    }

    fn push(&mut self, rows: &[Row], cells: Result<Grid, ParseError>) {
        if let [Some(first), Some(last)] = [rows.first(), rows.last()] {
            let bytes = first.bytes.start..last.bytes.end;
            self.found.grids.push(TextGrid { line: first.line, bytes, cells });
        }
    }

    /// The nine cells of a row.
    fn row(&self, line: &[u8]) -> Option<[u8; 9]> {
        let (mut cells, mut count) = ([0; 9], 0);
        for &byte in words(line, self.has_dashes).flatten() {
            *cells.get_mut(count).filter(|_| self.blanks.is_cell(byte))? = byte;
            count += 1;
        }
        (count == 9).then_some(cells)
    }

    /// Whether a line that may be drawn is a row of blanks.
    fn is_row_of_dashes(&self, line: &[u8]) -> bool {
        self.has_dashes && !line.contains(&b'+') && self.row(line).is_some()
    }

    /// How many values a line has that is nearly a row: words or characters. All of them are cells, but for two, or but for
    /// blanks of another kind (`5 None 3 None …`, `53xx7xxxx`, `5 3 - - …`). 0 if it is none.
    fn near_row(&self, line: &[u8]) -> usize {
        if line.len() > MOST_BYTES || line[0] == b'#' || !has_clue(line) {
            return 0;
        }
        let words: Vec<_> = words(line, true).collect();
        let characters = words.iter().flat_map(|word| word.chunk_by(|_, next| next & 0xc0 == 0x80));
        self.near_values(&characters.collect::<Vec<_>>()).max(self.near_values(&words))
    }

    fn near_values(&self, values: &[&[u8]]) -> usize {
        let is_cell =
            |value: &&[u8]| matches!(value, [byte] if *byte != b'-' && self.blanks.is_cell(*byte));
        let others: Vec<_> = values.iter().filter(|value| !is_cell(value)).collect();
        let is_near = others.len() <= 2 || others.iter().all(|other| *other == others[0]);
        if is_near && NEARLY_NINE.contains(&values.len()) { values.len() } else { 0 }
    }
}

fn has_clue(cells: &[u8]) -> bool {
    cells.iter().any(|byte| matches!(byte, b'1'..=b'9'))
}

fn is_empty(line: &[u8]) -> bool {
    line.iter().all(|byte| matches!(byte, b' ' | b'\t'))
}

/// Whether a line is drawn: it has no clues, but marks and a piece of a line.
fn is_drawn(line: &[u8]) -> bool {
    let is_part = |byte: &u8| b"-+=|:*.'` \t".contains(byte) || matches!(byte, 0xe2 | 0x80..=0xbf);
    let is_piece = |two: &[u8]| matches!(two, b"--" | b"==" | b"+-" | [0xe2, _]);
    line.iter().all(is_part) && line.windows(2).any(is_piece)
}

/// Whether the lines below a title in brackets are read.
fn title(line: &[u8]) -> Option<bool> {
    let line = line.trim_ascii();
    let is_title =
        line.len() > 2 && line[0] == b'[' && line.ends_with(b"]") && !line[1..].contains(&b'[');
    let lower = line.to_ascii_lowercase();
    is_title.then(|| !UNREAD.iter().any(|name| lower.starts_with(name)))
}

/// The words of a line: all between marks. Dashes may be cells of words.
fn words(line: &[u8], has_dashes: bool) -> impl Iterator<Item = &[u8]> {
    let mut rest = line;
    core::iter::from_fn(move || {
        while let marks @ 1.. = mark(rest, has_dashes) {
            rest = &rest[marks..];
        }
        let is_end = |at: &usize| mark(&rest[*at..], has_dashes) > 0;
        let word = rest.split_off(..(0..rest.len()).find(is_end).unwrap_or(rest.len()))?;
        (!word.is_empty()).then_some(word)
    })
}

/// How many bytes the mark has with which a text begins. Characters that draw boxes are marks (U+2500 to U+257F), and so is
/// U+00A0.
fn mark(text: &[u8], has_dashes: bool) -> usize {
    match text {
        [0xe2, 0x94 | 0x95, _, ..] => 3,
        [0xc2, 0xa0, ..] => 2,
        [b'-', ..] => usize::from(!has_dashes),
        [
            b' ' | b'\t' | b',' | b';' | b'|' | b'+' | b'=' | b':' | b'/' | b'\\' | b'&' | b'<'
            | b'>' | b'[' | b']' | b'(' | b')' | b'{' | b'}' | b'"' | b'\'' | b'`',
            ..,
        ] => 1,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    use crate::puzzle::Random;
    use alloc::borrow::ToOwned;
    use alloc::format;
    use alloc::string::{String, ToString};

    const BLANKS: Blanks = Blanks::usual().without(b'-');

    const PUZZLE: &str =
        "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
    const OTHER: &str =
        "..3.2.6..9..3.5..1..18.64....81.29..7.......8..67.82....26.95..8..2.3..9..5.1.3..";
    const FULL: &str =
        "534678912672195348198342567859761423426853791713924856961537284287419635345286179";

    /// The rows of a puzzle, each written by a function.
    fn rows(puzzle: &str, write: impl Fn(&str) -> String) -> Vec<String> {
        (0..9).map(|row| write(&puzzle[9 * row..][..9])).collect()
    }

    fn plain(puzzle: &str) -> String {
        rows(puzzle, |row| format!("{row}\n")).concat()
    }

    /// The cells of a row with this between them.
    fn spaced(row: &str, between: &str) -> String {
        row.chars().map(String::from).collect::<Vec<_>>().join(between)
    }

    fn framed(puzzle: &str, rule: &str) -> String {
        let row = |row: &str| {
            let boxes = [&row[..3], &row[3..6], &row[6..]].map(|three| spaced(three, " "));
            format!("| {} |\n", boxes.join(" | "))
        };
        let boxes: Vec<_> = rows(puzzle, row).chunks(3).map(<[String]>::concat).collect();
        format!("{rule}\n{}{rule}\n", boxes.join(&format!("{rule}\n")))
    }

    /// What is found: the names of known grids, and the errors.
    fn found(text: &str) -> String {
        let name = |it: &TextGrid| match it.cells {
            Err(ParseError::Rows { .. }) => "Rows".to_owned(),
            Err(_) => "Length".to_owned(),
            Ok(grid) => grid.to_string(),
        };
        let found = grids(text.as_bytes(), &BLANKS).grids;
        let names = found.iter().map(name).collect::<Vec<_>>().join(" ");
        names.replace(PUZZLE, "P").replace(OTHER, "O").replace(FULL, "F")
    }

    #[test]
    fn grids_are_found_in_texts_of_all_kinds() {
        let zeros = PUZZLE.replace('.', "0");
        let arrays = rows(&zeros, |row| format!("[{}]", spaced(row, ",")));
        let (p, o) = (plain(PUZZLE), plain(OTHER));
        let lines = |puzzle: &str, write: &dyn Fn(&str) -> String| rows(puzzle, write).join("\n");
        let array = arrays.join(",");
        let numpy = rows(&zeros, |row| format!(" [{}]\n", spaced(row, " "))).concat();
        let table = |row: &str| format!("| {} |", spaced(row, " | "));
        let dashes = PUZZLE.replace('.', "-");
        let boxes = [&p[..30], &p[30..60], &p[60..]];
        let listed = |puzzle| lines(puzzle, &|row| format!("- {}", spaced(row, " ")));
        let damaged = p.replace("4..8.3..1", "4..8.x3..1");
        let markdown =
            lines(FULL, &table).replacen('\n', "\n|---|---|---|---|---|---|---|---|---|\n", 1);
        let nine = ["Length"; 9].join(" ");
        let long = format!("{PUZZLE} {}", "x".repeat(70_000));
        let cases: Vec<(String, &str)> = vec![
            (format!("{p}\n{o}"), "P O"),
            (format!("Here is it:\n\n```\n{p}```\nThe first row is 53..7.... and so on."), "P"),
            (framed(PUZZLE, "+-------+-------+-------+"), "P"),
            (framed(PUZZLE, ".-------.-------.-------."), "P"),
            (framed(PUZZLE, "*-----------*").repeat(3), "P P P"),
            (framed(PUZZLE, "├───────┼───────┼───────┤").replace('|', "│"), "P"),
            (numpy.repeat(2), "P P"),
            (format!("[{}]", arrays.join(",\n")), "P"),
            (format!("{{\"id\": 7, \"puzzle\": [{array}], \"n\": 3}}"), "P"),
            (format!("[{array}]").replace('0', "null"), "Length"),
            (format!("puzzle = {}", spaced(PUZZLE, " ")), "P"),
            (format!("\"{}\"", p.trim().replace('\n', "\\n")), "Length"),
            (markdown, "F"),
            (lines(FULL, &|row| format!("{} \\\\", spaced(row, " & "))), "F"),
            (listed(PUZZLE), "P"),
            (p.replace('\n', "\n\n").repeat(2), "P P"),
            (boxes.join("\n") + "\n" + &boxes.join("\n"), "P P"),
            // Groups of which one is lost are shifted.
            (boxes[..2].join("\n") + "\n" + &o.replacen("\n..8", "\n\n..8", 1), "Rows Rows"),
            (boxes[..2].join("\n") + "\n" + &o, "Rows O"),
            (boxes[0].to_owned() + "\n" + &boxes[1..].concat(), "Rows"),
            // Dashes are marks.
            (lines(&dashes, &|row| spaced(row, " ")), &nine),
            (dashes.clone(), "Length"),
            (listed(FULL).replace("4 2 6 8 5 ", "4 2 6 8 "), "Rows"),
            // Sections.
            (format!("[Puzzle]\n{p}[State]\n{o}\n[Puzzle]\n{o}"), "P O"),
            (format!("[Solution 1]\n{p}\n{p}[]\n{p}[x]\n{o}"), "O"),
            (format!("[State]\n{}{p}", "\n".repeat(MOST_LINES)), "P"),
            // Titles.
            (format!("2024-05-01\n{p}2024-05-02\n{o}"), "P O"),
            (format!("ER 7.2/1.2/1.2\n{p}\nER 8.3/1.2/1.2\n+---+\n{o}2024\n# c\n{p}"), "P O P"),
            (format!("1.12.2024\n{p}\n1.12.2024\n\n{o}"), "Rows Rows O"),
            // Damaged ones.
            (format!("{}\n{p}", &p[..10]), "Rows P"),
            (format!("{damaged}\n{o}"), "Rows O"),
            (p[..80].to_owned(), "Rows"),
            (lines(PUZZLE, &|row| spaced(row, " ").replace('.', "x")), &nine),
            (p.replace('.', "x"), &nine),
            (PUZZLE[1..].to_owned(), "Length"),
            (format!("{PUZZLE}1"), "Length"),
            (spaced(&format!("1{zeros}"), ","), "Length"),
            // Several in a line.
            (format!("{PUZZLE},{FULL} {OTHER}"), "P F O"),
            (format!("{PUZZLE} {}", &FULL[1..]), "P Length"),
            (format!("{PUZZLE} e.g. in the 1st row of 9"), "P"),
            (format!("# {PUZZLE}\n# {}", &PUZZLE[1..]), "P"),
            (long.clone(), "Length"),
            (long[82..].to_owned(), ""),
            // Below a missing row all rows are shifted.
            (p[10..].to_owned() + &o + &p, "Rows"),
            (p[10..].to_owned() + &o + &p + "53..7....\n", "Rows"),
            (p[10..].to_owned() + "\n" + &p + &o, "Rows P O"),
            // Nothing.
            (".".repeat(81), ""),
            ("_________\n.........\n".to_owned(), ""),
            ("*********\nDay 1, 2024-11-28 11:05:59.\n".to_owned(), ""),
        ];
        let is_other = |(text, expected): &(String, &str)| found(text) != *expected;
        for (text, expected) in cases.iter().filter(|case| is_other(case)) {
            eprintln!("expected {expected}, found {}\n{text}\n", found(text));
        }
        assert!(!cases.iter().any(is_other));
    }

    #[test]
    fn a_grid_has_its_lines_and_bytes() {
        let title = "\u{feff}# a\r\n\n\nTitle\n[State]\n1\n[Puzzle]\n---\n";
        let grid = framed(PUZZLE, "+---+").replace('\n', "\r\n");
        let text = format!("{title}{grid}x {OTHER}\n\n");
        let found = grids(text.as_bytes(), &BLANKS);
        let texts = found.grids.iter().map(|it| &text[it.bytes.clone()]).collect::<Vec<_>>();
        assert_eq!(texts, [&grid[7..grid.len() - 9], OTHER]);
        assert_eq!(found.grids[0].line, 9);
        assert_eq!(found.grids[1].line, 21);
        assert_eq!((found.lines, found.comments, found.between), (23, 1, 4));
    }

    /// A text of random pieces, of which some follow each other more often.
    fn random_text(random: &mut Random, pieces: &[String], bytes: usize) -> Vec<u8> {
        let (mut text, usual) = (Vec::new(), random.below(pieces.len()));
        while text.len() < bytes {
            let piece = if random.below(3) > 0 { usual } else { random.below(pieces.len()) };
            for _ in 0..[1, 1, 1, 3, 9][random.below(5)] {
                text.extend_from_slice(pieces[piece].as_bytes());
            }
        }
        text
    }

    fn pieces() -> Vec<String> {
        let p = plain(PUZZLE);
        let mut pieces = vec![
            p.clone(),
            format!("{p}\n"),
            p.replace('\n', "\n\n"),
            format!("Title 1\n{p}"),
            framed(OTHER, "+-------+-------+-------+"),
            framed(OTHER, "+-------+-------+-------+") + "\n",
            framed(OTHER, "---+---+---")[12..].to_owned(),
            format!("{FULL}\r\n"),
            format!("x {}\n", spaced(FULL, ", ")),
            p[..30].to_owned() + "\n",
            "#\n".repeat(70),
            "x".repeat(MOST_BYTES + 1) + "\n",
            " ".repeat(MOST_BYTES + 1) + "\n",
        ];
        let lines = "53..7....|53..7....|5 3 - - 7 - - - -|- 1 2 3 4 5 6 7 8 9|53..7...|53xx7xxxx||| \r|---+---+---|+---+|\
            [State]|[Puzzle]|# c|words 1 2 3|\u{feff}53..7....|2024";
        pieces.extend(lines.split('|').map(|line| format!("{line}\n")));
        pieces
    }

    /// What is found in pieces of a text, put together.
    fn put_together(pieces: &[&[u8]]) -> TextGrids {
        let (mut all, mut bytes) = (TextGrids::default(), 0);
        for piece in pieces {
            let found = grids(piece, &BLANKS);
            for mut grid in found.grids {
                grid.line += all.lines;
                grid.bytes = bytes + grid.bytes.start..bytes + grid.bytes.end;
                all.grids.push(grid);
            }
            all.lines += found.lines;
            all.comments += found.comments;
            all.between += found.between;
            bytes += piece.len();
        }
        all
    }

    #[test]
    fn a_text_has_the_same_grids_however_it_is_cut() {
        let pieces = pieces();
        for seed in 0..600 {
            let mut random = Random::new(seed);
            let bytes = if seed % 20 == 0 { 80_000 } else { 3_000 };
            let text = random_text(&mut random, &pieces, bytes);
            let whole = grids(&text, &BLANKS);
            // Bytes are known up to here, as in a stream.
            let known = random.below(text.len());
            let one_of = 1 + random.below(4);
            let chosen = cuts(&text[..known], &BLANKS).filter(|_| random.below(one_of) == 0);
            let (mut parts, mut at) = (Vec::new(), 0);
            for cut in chosen.chain([text.len()]) {
                parts.push(&text[at..cut]);
                at = cut;
            }
            assert_eq!(put_together(&parts), whole, "seed {seed}");
        }
    }

    #[test]
    fn a_place_to_cut_is_in_the_bytes_that_a_stream_keeps() {
        // A reader of streams keeps these bytes.
        const HEAD_BYTES: usize = 64 * 1024;
        let (blanks, long) = (BLANKS, "                    ".repeat(8));
        let mut texts: Vec<_> = pieces().iter().map(|it| it.repeat(200_000 / it.len())).collect();
        texts.push(format!("{long}53..7....{long}\n").repeat(1000));
        texts.push(format!("53..7....\n{}", format!("#{long}{}\n", &long[130..]).repeat(1000)));
        texts.push(format!("[State]\n{long}{}\n", &long[130..]).repeat(1000));
        for text in texts {
            let (text, mut at) = (text.as_bytes(), 0);
            while text.len() - at > HEAD_BYTES {
                let cut = cuts(&text[at..at + HEAD_BYTES], &blanks).last();
                at += cut.unwrap_or_else(|| panic!("{}", text[..300].escape_ascii()));
            }
        }
    }
}
