//! Necessary clues, found without solving: the only clue of an unavoidable set.
//!
//! A set of cells of a solution is *unavoidable* if its digits can be exchanged among its cells
//! without breaking a rule. A puzzle without a clue in the set has a second solution. So if the set
//! has only one clue, that clue is necessary. Two kinds of sets are found by following cycles:
//!
//! ```text
//! two rows of a band (or columns of a stack)      two digits
//!   row 1   3 · · 8 · · 5 · ·                     · 4 · | · · 7        every row, column and box
//!   row 2   5 · · 3 · · 8 · ·                     · · · | 4 · ·  …     of the part has both, so
//!           └─────┴─────┘                         · 7 · | · · ·        they can be exchanged
//!   the same digits in the same columns:
//!   the rows can exchange them
//! ```
//!
//! There are 18 pairs of lines and 36 pairs of digits. Each pair is a graph of nine *nodes* (the
//! columns of two rows, the rows of two digits) with one or two steps from each node. A connected
//! component is a *part*, which is an unavoidable set. The loops treat all 54 pairs side by side, so
//! that the compiler vectorises them. Of the clues of 49,158 puzzles with 17 clues they prove 13.5 on
//! average; of the 24.4 clues of random minimal puzzles, 13.
//!
//! The generator keeps the sets of a solution in tables, which answer for one clue after the other. Here
//! every clue is tested once: 200,000 puzzles of `generate --seed 1` take `verify --minimal -j1` 1.98 s
//! of user time, and 2.30 s with those tables (AVX-512, median of 4 runs on a busy machine).
//!
//! That puzzles hit all unavoidable sets is old lore of the players' forums; "There is no 16-clue
//! Sudoku" by Gary `McGuire`, Bastian Tugemann and Gilles Civario, 2012, made it a method.

use crate::bits::bits;
use crate::puzzle::{Cell, CellSet, Grid, Solution};

/// A bit for each of nine nodes: rows or columns.
pub(super) type Nine = u16;

/// 36 pairs of digits, 9 of rows, 9 of columns, and two without anything, to fill a vector.
const PAIRS: usize = 56;

/// The solution by line: the place of each digit.
pub(super) struct SolutionLines {
    /// `[line][place]`: the digit, less one.
    digit: [[u8; 9]; 9],
    /// `[line][digit]`: the place of the digit in the line.
    place: [[u8; 9]; 9],
}

/// The first pairs of rows and of columns, after those of digits.
pub(super) const ROWS: usize = 36;
pub(super) const COLUMNS: usize = 45;

/// The unavoidable sets of two digits, of two rows of a band and of two columns of a stack.
///
/// A set of two digits is given by its rows, in which it has the cells of both digits. A set of two rows
/// is given by its columns, and one of two columns by its rows: bit `i` stands for line `i`.
///
/// `[node][pair]`: the nodes of the same part. The pairs are [`DIGIT_PAIRS`], and from [`ROWS`] and [`COLUMNS`] on
/// [`LINE_PAIRS`].
pub(super) fn parts(solution: &Solution) -> ([[Nine; PAIRS]; 9], SolutionLines) {
    let rows = SolutionLines::new(solution, |line, place| 9 * line + place);
    let columns = SolutionLines::new(solution, |line, place| 9 * place + line);
    let mut parts = [[0; PAIRS]; 9];
    add_digits(&mut parts, &rows);
    for (first, lines) in [(ROWS, &rows), (COLUMNS, &columns)] {
        for (pair, [one, two]) in (first..).zip(LINE_PAIRS) {
            add_lines(&mut parts, pair, lines, one, two);
        }
    }
    join(&mut parts);
    (parts, rows)
}

/// Cells with necessary clues. There may be more.
pub(crate) fn necessary(puzzle: &Grid, solution: &Solution) -> CellSet {
    let (parts, rows) = parts(solution);
    let lone = lone_clues(&parts, &clues(puzzle, &rows));

    let mut necessary = CellSet::EMPTY;
    for (pair, digits) in DIGIT_PAIRS.into_iter().enumerate() {
        for (digit, nodes) in digits.into_iter().zip([lone[0][pair], lone[1][pair]]) {
            for row in bits(nodes) {
                necessary.insert(Cell::new(9 * row + usize::from(rows.place[row][digit])));
            }
        }
    }
    for (pair, lines) in (ROWS..).zip(LINE_PAIRS) {
        for (line, side) in lines.into_iter().zip(&lone) {
            bits(side[pair]).for_each(|column| necessary.insert(Cell::new(9 * line + column)));
            bits(side[pair + 9]).for_each(|row| necessary.insert(Cell::new(9 * row + line)));
        }
    }
    necessary
}

/// Two lines that cross the same boxes.
pub(super) const LINE_PAIRS: [[usize; 2]; 9] =
    [[0, 1], [0, 2], [1, 2], [3, 4], [3, 5], [4, 5], [6, 7], [6, 8], [7, 8]];

/// Two digits, each less one.
pub(super) const DIGIT_PAIRS: [[usize; 2]; 36] = {
    let mut pairs = [[0; 2]; 36];
    let (mut pair, mut one) = (0, 0);
    while one < 9 {
        let mut two = 0;
        while two < one {
            pairs[pair] = [one, two];
            pair += 1;
            two += 1;
        }
        one += 1;
    }
    pairs
};

impl SolutionLines {
    fn new(solution: &Solution, cell: impl Fn(usize, usize) -> usize) -> Self {
        let mut lines = Self { digit: [[0; 9]; 9], place: [[0; 9]; 9] };
        let values = solution.grid().values();
        for line in 0..9 {
            for (place, number) in (0..9).zip(0u8..) {
                let digit = values[cell(line, place)] - 1;
                lines.digit[line][place] = digit;
                lines.place[line][usize::from(digit)] = number;
            }
        }
        lines
    }
}

/// Two lines: from a place of the one to where the other has its digit.
fn add_lines(
    parts: &mut [[Nine; PAIRS]; 9],
    pair: usize,
    lines: &SolutionLines,
    one: usize,
    two: usize,
) {
    for (place, parts) in parts.iter_mut().enumerate() {
        parts[pair] = 1 << lines.place[two][usize::from(lines.digit[one][place])];
    }
}

/// All pairs of digits: from a row to the rows that have digit two in digit one's column, or box.
///
/// The pairs of one digit with all lower ones lie side by side. They are written eight at a time; those that are
/// too many belong to the next digit, which overwrites them.
fn add_digits(parts: &mut [[Nine; PAIRS]; 9], rows: &SolutionLines) {
    // In each column and each box: the row of each digit, as a bit.
    let (mut in_column, mut in_box): ([[Nine; 9]; 9], [[Nine; 9]; 9]) = Default::default();
    for row in 0..9 {
        for column in 0..9 {
            let digit = usize::from(rows.digit[row][column]);
            in_column[column][digit] = 1 << row;
            in_box[row / 3 * 3 + column / 3][digit] = 1 << row;
        }
    }
    for (row, parts) in parts.iter_mut().enumerate() {
        for one in 1..9 {
            let column = usize::from(rows.place[row][one]);
            let boxes = &in_box[row / 3 * 3 + column / 3];
            let first = one * (one - 1) / 2;
            let twos = in_column[column].iter().zip(boxes);
            for (part, (in_column, in_box)) in parts[first..first + 8].iter_mut().zip(twos) {
                *part = in_column | in_box;
            }
        }
    }
}

/// For each of the two lines or digits of each pair, the nodes where it has a clue.
fn clues(puzzle: &Grid, rows: &SolutionLines) -> [[Nine; PAIRS]; 2] {
    let [mut in_row, mut in_column, mut of_digit]: [[Nine; 9]; 3] = Default::default();
    for row in 0..9 {
        for column in 0..9 {
            let clue = Nine::from(puzzle.values()[9 * row + column] != 0);
            in_row[row] |= clue << column;
            in_column[column] |= clue << row;
            of_digit[usize::from(rows.digit[row][column])] |= clue << row;
        }
    }
    let mut clues = [[0; PAIRS]; 2];
    for (pair, both) in DIGIT_PAIRS.into_iter().enumerate() {
        (0..2).for_each(|side| clues[side][pair] = of_digit[both[side]]);
    }
    for (pair, both) in (ROWS..).zip(LINE_PAIRS) {
        for side in 0..2 {
            clues[side][pair] = in_row[both[side]];
            clues[side][pair + 9] = in_column[both[side]];
        }
    }
    clues
}

/// From steps to parts: the transitive closure (Warshall, 1962).
///
/// The steps of a graph are one or two permutations, so it is symmetric, too.
fn join(parts: &mut [[Nine; PAIRS]; 9]) {
    // Eight pairs at a time: all of their nodes stay in registers.
    for first in (0..PAIRS).step_by(8) {
        let mut eight = [[0; 8]; 9];
        for (eight, parts) in eight.iter_mut().zip(parts.iter()) {
            eight.copy_from_slice(&parts[first..first + 8]);
        }
        for by in 0..9 {
            let through = eight[by];
            for reached in &mut eight {
                for (reached, through) in reached.iter_mut().zip(through) {
                    // The bit of the node, on all places.
                    let there = ((*reached << (15 - by)).cast_signed() >> 15).cast_unsigned();
                    *reached |= there & through;
                }
            }
        }
        for (eight, parts) in eight.iter().zip(parts.iter_mut()) {
            parts[first..first + 8].copy_from_slice(eight);
        }
    }
}

/// For both lines or digits of each pair, the nodes whose clue is the only one of its part.
fn lone_clues(parts: &[[Nine; PAIRS]; 9], clues: &[[Nine; PAIRS]; 2]) -> [[Nine; PAIRS]; 2] {
    let [ones, twos] = clues;
    let mut lone = [[0; PAIRS]; 2];
    let [lone_ones, lone_twos] = &mut lone;
    for parts in parts {
        for pair in 0..PAIRS {
            let (one, two) = (ones[pair] & parts[pair], twos[pair] & parts[pair]);
            let any = one | two;
            let several = (one & two) | (any & any.wrapping_sub(1));
            let keep = Nine::from(several == 0).wrapping_neg();
            lone_ones[pair] |= one & keep;
            lone_twos[pair] |= two & keep;
        }
    }
    lone
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::EngineKind;
    use crate::puzzle::parse;

    /// Solving without a clue proves that it is necessary. Most necessary clues are found.
    #[test]
    fn clues_that_are_reported_necessary_are() {
        let mut engine = EngineKind::Lanes.build();
        let (mut found, mut clues) = (0, 0);
        let text = include_str!("../../tests/data/minimal.txt");
        for line in text.lines() {
            let puzzle = parse::line(line.as_bytes()).unwrap();
            let solution = engine.solve(&puzzle, 2).first.unwrap();
            // With a few clues more, not every clue is necessary.
            for more in [0, 2, 5] {
                let mut puzzle = puzzle;
                let blanks: Vec<_> =
                    Cell::all().filter(|&cell| puzzle.get(cell).is_none()).collect();
                for &cell in blanks.iter().step_by(7).take(more) {
                    puzzle.set(cell, Some(solution.get(cell)));
                }
                let necessary = necessary(&puzzle, &solution);
                for cell in necessary.cells() {
                    assert!(puzzle.get(cell).is_some(), "{cell:?} of {puzzle}");
                    let mut without = puzzle;
                    without.set(cell, None);
                    assert_eq!(engine.solve(&without, 2).count, 2, "{cell:?} of {puzzle}");
                }
                if more == 0 {
                    found += necessary.len();
                    clues += puzzle.clues();
                }
            }
        }
        assert!(found * 2 > clues, "{found} of {clues}");
    }
}
