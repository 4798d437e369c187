//! Grids as text: the 81-character line, and a block for people; sukakus as 729 pencilmarks.

use super::parse::PENCILMARKS;
use super::{Cell, Digit, Grid, Solution, Sukaku};
use std::fmt::{self, Write};

impl Grid {
    /// Its line: `1` to `9`, and `blank` where a cell has no digit.
    #[must_use]
    pub fn line(&self, blank: u8) -> [u8; Cell::COUNT] {
        self.values().map(|value| if value == 0 { blank } else { b'0' + value })
    }
}

impl Solution {
    /// Its line of 81 digits.
    #[must_use]
    pub fn line(&self) -> [u8; Cell::COUNT] {
        self.grid().values().map(|value| b'0' + value)
    }
}

impl Sukaku {
    /// Its line of pencilmarks: each digit in its place, and `0` where it is out if blanks are
    /// written so, else `.`: nothing else is read there.
    #[must_use]
    pub fn line(&self, blank: u8) -> [u8; PENCILMARKS] {
        let out = if blank == b'0' { b'0' } else { b'.' };
        let mut line = [out; PENCILMARKS];
        let (cells, _) = line.as_chunks_mut::<9>();
        for (marks, &candidates) in cells.iter_mut().zip(self.cells()) {
            for (mark, digit) in marks.iter_mut().zip(Digit::ALL) {
                *mark = if candidates.contains(digit) { b'0' + digit.value() } else { out };
            }
        }
        line
    }
}

impl fmt::Display for Sukaku {
    /// The line, with `.` for a candidate that is out.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.line(b'.').into_iter().try_for_each(|mark| f.write_char(char::from(mark)))
    }
}

impl fmt::Debug for Sukaku {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Sukaku({self})")
    }
}

impl fmt::Display for Grid {
    /// The line with `.` for a blank; with `{:#}`, nine rows in a frame.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let line = self.line(b'.').map(char::from);
        if !f.alternate() {
            return line.into_iter().try_for_each(|cell| f.write_char(cell));
        }
        for (row, cells) in line.chunks(9).enumerate() {
            if row % 3 == 0 && row > 0 {
                f.write_str("------+-------+------\n")?;
            }
            for (column, cell) in cells.iter().enumerate() {
                f.write_str(match column {
                    0 => "",
                    3 | 6 => " | ",
                    _ => " ",
                })?;
                f.write_char(*cell)?;
            }
            f.write_char('\n')?;
        }
        Ok(())
    }
}

impl fmt::Debug for Grid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Grid({self})")
    }
}

impl fmt::Display for Solution {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.grid().fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use crate::puzzle::parse;

    #[test]
    fn the_block_has_nine_rows_in_a_frame() {
        let mut line = [b'.'; 81];
        line[0] = b'5';
        line[80] = b'7';
        let block = format!("{:#}", parse::line(&line).unwrap());
        let rows: Vec<_> = block.lines().collect();
        assert_eq!(rows[0], "5 . . | . . . | . . .");
        assert_eq!(rows[3], "------+-------+------");
        assert_eq!(rows[10], ". . . | . . . | . . 7");
        assert_eq!(rows.len(), 11);
    }
}
