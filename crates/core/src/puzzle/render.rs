//! Grids as text: a line of 81 characters, or a block for people. Sukakus as 729 pencilmarks.

use super::cell::Cell;
use super::digit::Digit;
use super::grid::Grid;
use super::parse::PENCILMARKS;
use super::puzzle::Puzzle;
use super::solution::Solution;
use super::sukaku::Sukaku;
use core::fmt::{self, Write};

impl Grid {
    /// The line of the grid: `1` to `9`, and `blank` for a blank.
    ///
    /// ```
    /// use ninefold_core::puzzle::Grid;
    ///
    /// assert_eq!(Grid::EMPTY.line(b'_'), [b'_'; 81]);
    /// ```
    #[inline]
    pub fn line(&self, blank: u8) -> [u8; Cell::COUNT] {
        // A loop: `map` may call its closure for each cell if a dependent crate is built in many units.
        let mut line = [blank; Cell::COUNT];
        for (byte, &value) in line.iter_mut().zip(self.values()) {
            *byte = if value == 0 { blank } else { b'0' + value };
        }
        line
    }
}

impl Solution {
    /// The line of 81 digits.
    ///
    /// ```
    /// let solution = ninefold_core::solve(&".".repeat(81))?;
    /// assert!(solution.line().iter().all(u8::is_ascii_digit));
    /// # Ok::<(), ninefold_core::Verdict>(())
    /// ```
    #[inline]
    pub fn line(&self) -> [u8; Cell::COUNT] {
        let mut line = [0; Cell::COUNT];
        for (byte, &value) in line.iter_mut().zip(self.grid().values()) {
            *byte = b'0' + value;
        }
        line
    }
}

impl Sukaku {
    /// The line of pencilmarks: each candidate in its place. An absent candidate is `0` if `blank`
    /// is `0`, else `.`: the parser accepts nothing else there.
    ///
    /// ```
    /// use ninefold_core::puzzle::{Cell, DigitSet, Sukaku};
    ///
    /// let mut sukaku = Sukaku::FULL;
    /// sukaku.set(Cell::new(0), DigitSet::from_bits(0b1_1011_1111));
    /// assert!(sukaku.line(b'0').starts_with(b"123456089"));
    /// ```
    pub fn line(&self, blank: u8) -> [u8; PENCILMARKS] {
        let out = if blank == b'0' { b'0' } else { b'.' };
        let mut line = [out; PENCILMARKS];
        let (cells, _) = line.as_chunks_mut::<9>();
        for (marks, &candidates) in cells.iter_mut().zip(self.values()) {
            for (mark, digit) in marks.iter_mut().zip(Digit::ALL) {
                *mark = if candidates.contains(digit) { b'0' + digit.value() } else { out };
            }
        }
        line
    }
}

impl Puzzle {
    /// The line of the puzzle, written to `memory`: 81 cells with `blank` for a blank, or the
    /// pencilmarks of [`Sukaku::line`].
    pub fn line<'a>(&self, blank: u8, memory: &'a mut [u8; PENCILMARKS]) -> &'a [u8] {
        match self {
            Self::Grid(grid) => {
                let line = &mut memory[..Cell::COUNT];
                line.copy_from_slice(&grid.line(blank));
                line
            }
            Self::Sukaku(sukaku) => {
                *memory = sukaku.line(blank);
                memory
            }
        }
    }
}

impl fmt::Display for Puzzle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Grid(grid) => grid.fmt(f),
            Self::Sukaku(sukaku) => sukaku.fmt(f),
        }
    }
}

impl fmt::Display for Sukaku {
    /// The line, with `.` for an absent candidate.
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
