//! The usual lines, read by their places: a line of 81 cells, and a row whose puzzle is where it should be.
//!
//! What is taken here would give the same by the slow way of `row`, which the laws of the reader test.

use super::class::{CELLS_OF_A_PUZZLE, is_clue, is_full};
use super::delimiter::Delimiter;
use super::fields::{Given, RecordLayout};
use super::lines::{BYTE_ORDER_MARK, Lines, MAX_LINE_BYTES};
use crate::puzzle::{Cell, Grid, parse};

impl<'a> Lines<'a> {
    /// Takes plain puzzles, 81 cells and a line end, as long as one follows the other.
    ///
    /// The usual line: its end is not looked for but expected at byte 81, and 81 cells cannot
    /// hide an earlier one. What is left is a line of another kind, or the last line.
    #[inline]
    pub(super) fn take_plain(&mut self, grids: &mut Vec<Grid>) {
        // 6.9 ns a puzzle. Cells that are written to their place in `grids`, which is made longer by 64
        // blank grids at a time, take 8.4.
        /// A line's cells and both bytes of the longer line end.
        const WINDOW: usize = Cell::COUNT + 2;
        while let Some(window) = self.rest.first_chunk::<WINDOW>() {
            let length = match window[Cell::COUNT..] {
                [b'\n', _] => Cell::COUNT + 1,
                [b'\r', b'\n'] => Cell::COUNT + 2,
                _ => return,
            };
            let cells = window.first_chunk().expect("a window is longer than a line's cells");
            let Some(grid) = parse::cells_to_grid(cells) else { return };
            grids.push(grid);
            self.rest = &self.rest[length..];
        }
    }

    /// Takes the next line if it is a row whose puzzle stands where it should and needs no second
    /// look: neither quotation marks nor unusual spaces or blanks before its end. `None` is not to
    /// say that it is no such row.
    #[inline]
    pub(super) fn take_row(&mut self, puzzle: usize, delimiter: Delimiter) -> Option<PlainRow<'a>> {
        // The mark is no part of the first field.
        if puzzle > 0 && self.rest.starts_with(BYTE_ORDER_MARK) {
            return None;
        }
        let mut start = 0;
        for _ in 0..puzzle {
            start += self.end_of_field(start, delimiter)? + 1;
        }
        let is_divided = |byte: u8| delimiter.divides(byte);
        let grid = parse::cells_to_grid(self.rest.get(start..)?.first_chunk()?)?;
        let after = start + Cell::COUNT;
        let end = after + memchr::memchr2(b'\n', b'"', &self.rest[after..])?;
        if self.rest[end] != b'\n' {
            return None;
        }
        let line = &self.rest[..end];
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        if line.len() > MAX_LINE_BYTES || line.len() > after && !is_divided(line[after]) {
            return None;
        }
        self.rest = &self.rest[end + 1..];
        Some(PlainRow { grid, line, after })
    }

    /// The length in bytes of the field that begins at byte `start` of the line, if the field is plain and
    /// another follows.
    #[inline]
    fn end_of_field(&self, start: usize, delimiter: Delimiter) -> Option<usize> {
        let rest = self.rest.get(start..)?;
        let ends = |&byte: &u8| {
            delimiter.divides(byte) || matches!(byte, b'\n' | b'"' | b'#' | b'\t' | b' ')
        };
        let end = rest.iter().position(ends)?;
        let may_be_empty = delimiter == Delimiter::Byte(b',');
        ((end > 0 || may_be_empty) && delimiter.divides(rest[end])).then_some(end)
    }
}

/// An ordinary row.
pub(super) struct PlainRow<'a> {
    pub(super) grid: Grid,
    /// The whole line.
    pub(super) line: &'a [u8],
    /// Where in the line the field of the puzzle ends.
    pub(super) after: usize,
}

impl PlainRow<'_> {
    /// The answer given with the puzzle, if answers are wanted; none if the row needs a second look: another field may be a
    /// puzzle, or the full grid is no puzzle.
    #[inline]
    pub(super) fn given(
        &self,
        record: &RecordLayout,
        delimiter: Delimiter,
        is_wanted: bool,
    ) -> Option<Given> {
        /// The fewest bytes of a line besides its puzzle that hold another grid.
        const ANOTHER_GRID: usize = Cell::COUNT + 1;
        let follows = record.solution == Some(record.puzzle + 1);
        let answer = if follows && self.is_answered() { ANOTHER_GRID } else { 0 };
        let others = self.line.len() - Cell::COUNT - answer;
        if others >= ANOTHER_GRID && self.has_other_grid(record, delimiter)
            || others > CELLS_OF_A_PUZZLE && self.may_be_full()
        {
            return None;
        }
        match record.solution {
            Some(_) if is_wanted => {
                if follows {
                    self.answer(delimiter)
                } else {
                    None
                }
            }
            _ => Some(Given::Missing),
        }
    }

    /// Whether the first cells have no blank.
    #[inline]
    fn may_be_full(&self) -> bool {
        self.line[self.after - Cell::COUNT..][..16].iter().all(|byte| is_clue(*byte))
    }

    /// Whether a full grid is next to its puzzle.
    #[inline]
    fn is_answered(&self) -> bool {
        self.line.get(self.after + 1..=self.after + Cell::COUNT).is_some_and(is_full)
    }

    /// Whether another field may be a grid, apart from a full one that is the answer.
    fn has_other_grid(&self, record: &RecordLayout, delimiter: Delimiter) -> bool {
        let Delimiter::Byte(byte) = delimiter else { return true };
        let (ends, mut start) = (memchr::memchr_iter(byte, self.line).chain([self.line.len()]), 0);
        (0..).zip(ends).any(|(place, end)| {
            let field = &self.line[start..end];
            start = end + 1;
            let is_answer = Some(place) == record.solution && is_full(field);
            place != record.puzzle && field.len() >= Cell::COUNT && !is_answer
        })
    }

    /// The answer in the next field, if that needs no second look.
    #[inline]
    fn answer(&self, delimiter: Delimiter) -> Option<Given> {
        let field = self.line.get(self.after + 1..)?;
        let grid = parse::cells_to_grid(field.first_chunk()?)?;
        let ends = field.get(Cell::COUNT).is_none_or(|&byte| delimiter.divides(byte));
        ends.then_some(Given::Cells(grid))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_puzzles_are_taken_up_to_the_first_other_line() {
        let puzzle = [b'.'; 81];
        let text = [&puzzle[..], b"\r\n", &puzzle, b"\n", &puzzle, b" \n", &puzzle].concat();
        let mut grids = Vec::new();
        let mut lines = Lines::new(&text);
        lines.take_plain(&mut grids);
        assert_eq!(grids.len(), 2);
        assert_eq!(lines.next().unwrap().len(), 82);
        lines.take_plain(&mut grids);
        assert_eq!(grids.len(), 2, "the last line has no end to expect");
        assert_eq!(lines.next().unwrap(), puzzle);
    }
}
