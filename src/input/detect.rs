//! Finds the layout of an input in its first lines.
//!
//! Lines are shown one by one until one settles it; so a slow pipe is asked for no more than is
//! needed, and the layout depends on the lines alone, not on how they arrive.
//!
//! ```text
//! # a comment           says nothing
//! 49151                 on line 1: a count
//! id,puzzle,rating      a header, if it names a column of puzzles: what divides it divides all
//! --+------+------      a rule below it says nothing
//! 1f 53..7…79 9.3       the first puzzle: the field of 81 cells; what stands beside it divides
//! 53..7…79,5346…17      that may have a slip: a later row says it, if one is without doubt
//! ```

use super::beside::{beside_puzzle, delimiter_beside};
use super::doubt::{Doubt, doubt, is_full, resembles_puzzle};
use super::fields::{Delimiter, Fields};
use super::grids;
use super::header::{Header, is_rule, position};
use super::json;
use super::layout::{Column, Hints, Layout, PUZZLE_NAMES, Rows, Shape};
use super::lines::{BYTE_ORDER_MARK, is_count, is_empty};
use super::no_puzzle::{NoPuzzle, Remark, SHOWN_BYTES, Wanted};
use crate::puzzle::Cell;
use crate::puzzle::parse::{self, Blanks};

/// Is shown the lines of an input until one settles its layout.
pub(super) struct Detector<'a> {
    hints: &'a Hints,
    fields: Fields,
    lines: u64,
    /// The first line that is not empty.
    first_line: Option<Vec<u8>>,
    /// Lines that are neither empty, nor a comment, a count or a header.
    records: u64,
    /// The first of them: it may be a header whose names say nothing.
    first_record: Option<Vec<u8>>,
    header: Option<Header>,
    counted: bool,
    /// A line that should be a puzzle by its looks.
    resembling: bool,
    /// What stands beside 81 cells, and may divide fields for all that is known.
    beside: Option<u8>,
    /// Lines of nine cells.
    grid_rows: u64,
    /// Why the lines may be none.
    remark: Option<Remark>,
    /// There was a puzzle, but no column for its solution where the caller said.
    no_solution: bool,
    /// What a row looks like that may have a slip.
    doubt: Option<Doubt>,
    /// What a row below a header looks like that has a puzzle elsewhere than in the column named.
    elsewhere: Option<Rows>,
    /// What a record looks like, as soon as that is known.
    shape: Option<Shape>,
    /// The keys of the first object.
    keys: Vec<String>,
}

impl<'a> Detector<'a> {
    pub(super) fn new(hints: &'a Hints) -> Self {
        Self {
            hints,
            fields: Fields::default(),
            lines: 0,
            first_line: None,
            records: 0,
            first_record: None,
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
    pub(super) fn line(&mut self, line: &[u8]) -> bool {
        let line = line.strip_prefix(BYTE_ORDER_MARK).unwrap_or(line);
        self.lines += 1;
        if is_empty(line) {
            return false;
        }
        if self.first_line.is_none() {
            self.first_line = Some(line[..line.len().min(SHOWN_BYTES + 1)].to_vec());
        }
        // Where zeros stand is told by the first line that has them.
        if self.remark <= Some(Remark::Returns) {
            self.remark = self.remark.max(Remark::of(line));
        }
        if line[0] == b'#' {
            return false;
        }
        // The first row of a grid may have digits alone, too.
        if self.lines == 1 && !self.hints.grids && is_count(line) {
            self.counted = true;
            return false;
        }
        if self.header.is_none() && self.records == 0 && !self.hints.grids {
            self.header = Header::of(line, self.hints, &mut self.fields);
            if self.header.is_some() {
                return false;
            }
        } else if let Some(header) = self.header.as_mut().filter(|_| self.records == 0)
            && header.rule.is_none()
            && is_rule(line, &self.hints.blanks)
        {
            header.rule = Some(line.to_vec());
            return false;
        }
        let is_grid_row = grids::is_row(line, &self.hints.blanks);
        self.shape = if self.hints.grids {
            is_grid_row.then_some(Shape::Grids)
        } else {
            self.object(line).or_else(|| self.rows(line).map(Shape::Rows))
        };
        self.grid_rows += u64::from(is_grid_row);
        self.records += 1;
        self.first_record.get_or_insert_with(|| line.to_vec());
        self.shape.is_some()
    }

    /// Looks at the head of a line whose end is too far off.
    pub(super) fn unended_line(&mut self, head: &[u8]) {
        self.first_line.get_or_insert_with(|| head[..head.len().min(SHOWN_BYTES + 1)].to_vec());
    }

    /// The layout, when it is settled or when there are no more lines to look at: in all, if the input
    /// has `ended`.
    pub(super) fn end(mut self, ended: bool) -> Result<Layout, NoPuzzle> {
        let nothing_to_read = self.records == 0 && !self.counted;
        // What the caller says of columns is never passed over for the looks of a line.
        let told =
            self.hints.puzzle.is_some() || self.hints.delimiter.is_some() || self.no_solution;
        if self.shape.is_none() {
            self.take_what_is_left();
        }
        let shape = match (self.shape.take(), &self.header) {
            (Some(shape), _) => Some(shape),
            (None, Some(header)) if self.resembling || nothing_to_read => {
                header.rows(self.hints).ok().map(Shape::Rows)
            }
            (None, None) if self.hints.grids && nothing_to_read => ended.then_some(Shape::Grids),
            (None, None)
                if self.resembling && !told && self.beside.is_none() || nothing_to_read =>
            {
                Some(Shape::Rows(Rows::PLAIN))
            }
            (None, _) => None,
        };
        let Some(shape) = shape else {
            let (lines, wanted) = (self.lines, self.wanted());
            let grids = (self.grid_rows >= 9).then_some(Remark::Grids);
            let remark = grids.or(self.beside.map(Remark::Beside)).or(self.remark);
            let (delimiter, first_line) =
                (self.hints.delimiter, self.first_line.unwrap_or_default());
            return Err(NoPuzzle { lines, wanted, delimiter, first_line, remark });
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

    /// Reads by a row that did not settle it, if no better one came.
    fn take_what_is_left(&mut self) {
        if let Some(Doubt { rows, header }) = self.doubt.take() {
            (self.shape, self.header) = (Some(Shape::Rows(rows)), header);
        } else if let Some(rows) = self.elsewhere.filter(|_| !self.resembling) {
            // The name that was known is that of something else.
            self.shape = Some(Shape::Rows(rows));
            self.header = self.header.take().and_then(|Header { line, rule, .. }| {
                let blanks = &self.hints.blanks;
                let header = Header::without_meaning(line, rows, blanks, &mut self.fields)?;
                Some(Header { rule, ..header })
            });
        }
    }

    /// What was looked for.
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

    /// The keys of objects, if this line is one that has a puzzle.
    fn object(&mut self, line: &[u8]) -> Option<Shape> {
        let object = json::object(line).ok()?;
        let keys: Vec<_> = object.members().iter().map(|(key, _)| (*key).to_owned()).collect();
        let key = |names: &[&str]| position(&keys, names).map(|place| keys[place].clone());
        let puzzle = match &self.hints.puzzle {
            Some(Column::Name(name)) => key(&[name])?,
            Some(Column::Place(_)) => return None,
            None => key(&PUZZLE_NAMES)?,
        };
        let solution = match &self.hints.solution {
            Some(Column::Name(name)) => key(&[name]),
            Some(Column::Place(_)) => None,
            None => object.solution_key().map(str::to_owned),
        };
        if self.hints.solution.is_some() && solution.is_none() {
            self.no_solution = true;
            return None;
        }
        self.keys = keys;
        Some(Shape::Objects { puzzle, solution })
    }

    /// Where the puzzle of this line stands, if it has one.
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
        if let Some(earlier) = &mut self.doubt {
            rows.solution?;
            header = earlier.header.take();
        } else if let Some(rows) = doubt {
            self.doubt = Some(Doubt { rows, header });
            return None;
        }
        self.header = header;
        Some(rows)
    }

    /// Where the puzzle stands in the first line after what was taken for a header, but is some
    /// words of which one is `sudoku`, say.
    fn rows_under_title(&mut self, line: &[u8]) -> Option<Rows> {
        let told = self.hints.puzzle.is_some() || self.hints.solution.is_some();
        let title = self.header.take_if(|header| header.delimiter == Delimiter::Spaces)?;
        let rows = if told || self.records > 0 { None } else { self.rows_by_content(line) };
        if rows.is_none() {
            self.header = Some(title);
        } else {
            // It is a record, and no puzzle.
            (self.records, self.first_record) = (1, Some(title.line));
        }
        rows
    }

    /// The same if it is where the header says.
    fn rows_by_name(&mut self, line: &[u8]) -> Option<Rows> {
        let header = self.header.as_ref()?;
        let mut rows = header.rows(self.hints).ok()?;
        self.fields.split(line, rows.delimiter);
        let field = self.fields.get(line, rows.puzzle)?;
        if self.hints.solution.is_none() {
            rows.solution = header.solution(line, &self.fields);
        }
        is_puzzle(field, &self.hints.blanks).then_some(rows)
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
            self.elsewhere = self.rows_by_content(line).filter(|rows| {
                self.fields.split(line, rows.delimiter);
                !self.fields.get(line, rows.puzzle).is_some_and(is_full)
            });
        }
    }

    /// Where the puzzle stands in a line, told by its cells.
    fn rows_by_content(&mut self, line: &[u8]) -> Option<Rows> {
        if let Some(Column::Name(_)) = self.hints.puzzle {
            return None;
        }
        let quoted = memchr::memchr(b'"', line).is_some();
        let blanks = &self.hints.blanks;
        let beside = if quoted { None } else { delimiter_beside(line, &mut self.fields, blanks) };
        let known = self.hints.delimiter.as_ref().or(beside.as_ref());
        let guesses = known.map_or(&Delimiter::GUESSES[..], std::slice::from_ref);
        let rows = guesses.iter().find_map(|&delimiter| self.rows_divided(line, delimiter))?;
        let hinted = self.hints.delimiter.is_some() || self.hints.puzzle.is_some();
        if hinted || quoted || rows.puzzle > 0 || rows.solution.is_some() {
            return Some(rows);
        }
        // The puzzle comes first and nothing else matters: whatever ends it may.
        self.fields.split(line, Delimiter::Any);
        Some(Rows { fields: self.fields.len(), ..Rows::PLAIN })
    }

    /// Where the puzzle stands in a line that is divided like this.
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
        Header::without_meaning(line, rows, &self.hints.blanks, &mut self.fields)
    }

    /// Whether a line has a field that was a puzzle before somebody's slip.
    fn resembles_puzzle(&mut self, line: &[u8]) -> bool {
        self.fields.split(line, Delimiter::Any);
        self.fields.iter(line).any(|field| resembles_puzzle(field, &self.hints.blanks))
    }
}

/// Whether a field is 81 cells, or the 729 pencilmarks of a sukaku.
pub(super) fn is_puzzle(field: &[u8], blanks: &Blanks) -> bool {
    let cells = field.len() == Cell::COUNT && field.iter().all(|&byte| blanks.is_cell(byte));
    cells || parse::sukaku(field).is_ok()
}
