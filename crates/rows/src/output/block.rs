//! Records for people: grids of nine lines, divided into boxes.
//!
//! ```text
//! 5 3 . | . 7 . | . . .     5 3 4 | 6 7 8 | 9 1 2      with colour: the second grid alone,
//! 6 . . | 1 9 5 | . . .     6 7 2 | 1 9 5 | 3 4 8      clues bold, other digits green
//! …
//! ```

use super::record::Records;
use super::style::Style;
use crate::puzzle::{Cell, Solution};

/// The line between two bands.
const RULE: &[u8] = b"------+-------+------";

/// The gap between two grids side by side.
const GAP: &[u8] = b"     ";

const CLUE: &str = "\x1b[1m";
const FOUND: &str = "\x1b[32m";
const PLAIN: &[u8] = b"\x1b[0m";

impl Records {
    /// The cells of a puzzle as a grid. `puzzle` is its line.
    pub(super) fn push_grid(&mut self, style: &Style, puzzle: &[u8]) {
        push_grid(&clues(puzzle, style.blank), |_| "", &mut self.bytes);
    }

    /// The puzzle and its solution as grids. `puzzle` is its line.
    pub(super) fn push_solved_grid(&mut self, style: &Style, puzzle: &[u8], solution: &Solution) {
        let (clues, solution) = (clues(puzzle, style.blank), solution.line());
        if style.color {
            let color = |cell: usize| if clues[cell] == style.blank { FOUND } else { CLUE };
            return push_grid(&solution, color, &mut self.bytes);
        }
        push_grids(&[&clues, &solution], |_| "", &mut self.bytes);
    }
}

/// Appends cells as a grid of nine lines, and an empty line. A cell has the colour of an escape sequence
/// that is not empty.
pub fn push_grid(
    cells: &[u8; Cell::COUNT],
    color: impl Fn(usize) -> &'static str,
    bytes: &mut Vec<u8>,
) {
    push_grids(&[cells], color, bytes);
}

/// Appends grids side by side.
fn push_grids(
    grids: &[&[u8; Cell::COUNT]],
    color: impl Fn(usize) -> &'static str,
    bytes: &mut Vec<u8>,
) {
    for row in 0..9 {
        if row == 3 || row == 6 {
            bytes.extend(vec![RULE; grids.len()].join(GAP));
            bytes.push(b'\n');
        }
        for (place, cells) in grids.iter().enumerate() {
            bytes.extend_from_slice(if place == 0 { b"" } else { GAP });
            for column in 0..9 {
                bytes.extend_from_slice(match column {
                    0 => b"",
                    3 | 6 => b" | ",
                    _ => b" ",
                });
                let cell = 9 * row + column;
                let color = color(cell);
                bytes.extend_from_slice(color.as_bytes());
                bytes.push(cells[cell]);
                bytes.extend_from_slice(if color.is_empty() { b"" } else { PLAIN });
            }
        }
        bytes.push(b'\n');
    }
    bytes.push(b'\n');
}

/// The digit of each clue, and a character for each blank. A clue of a sukaku is a cell with one candidate.
fn clues(puzzle: &[u8], blank: u8) -> [u8; Cell::COUNT] {
    let is_digit = |mark: &&u8| (b'1'..=b'9').contains(*mark);
    let marks_per_cell = puzzle.len() / Cell::COUNT;
    let mut cells = [blank; Cell::COUNT];
    for (cell, marks) in cells.iter_mut().zip(puzzle.chunks(marks_per_cell.max(1))) {
        let mut digits = marks.iter().filter(is_digit);
        let digit = digits.next().filter(|_| digits.next().is_none());
        *cell = digit.copied().unwrap_or(blank);
    }
    cells
}

#[cfg(test)]
mod tests {
    use super::*;
    #[test]
    fn cells_of_a_sukaku_with_one_candidate_are_clues() {
        let sukaku = [&b"1........"[..], b"12......."].concat().repeat(40);
        let sukaku = [&sukaku[..], b"........9"].concat();
        let clues = clues(&sukaku, b'.');
        assert_eq!((clues[0], clues[1], clues[80]), (b'1', b'.', b'9'));
    }
}
