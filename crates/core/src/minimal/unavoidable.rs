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
//! The generator has the same sets in tables, which answer for one clue after the other. Here every
//! clue is tested once: 200,000 puzzles of `generate --seed 1` take `verify --minimal -j1` 1.98 s of
//! user time, and 2.30 s with those tables (AVX-512, median of 4 runs on a busy machine).

use crate::puzzle::{Cell, CellSet, Grid, Solution};

/// A bit for each of nine nodes.
type Nine = u16;

/// 36 pairs of digits, 9 of rows, 9 of columns, and two without anything, to fill a vector.
const PAIRS: usize = 56;

/// The graphs of all pairs.
struct Pairs {
    /// `[node][pair]`: the nodes of the same part.
    parts: [[Nine; PAIRS]; 9],
    /// For each of the two lines or digits, the nodes where it has a clue.
    clues: [[Nine; PAIRS]; 2],
}

/// The solution by line: the place of each digit, and the cells with clues.
struct Lines {
    /// `[line][place]`: the digit, less one.
    digit: [[u8; 9]; 9],
    /// `[line][digit]`: the place of the digit in the line.
    place: [[u8; 9]; 9],
    /// For each line, its places that have a clue.
    clues: [Nine; 9],
}

/// Cells with necessary clues. There may be more.
pub(super) fn necessary(puzzle: &Grid, solution: &Solution) -> CellSet {
    let rows = Lines::new(puzzle, solution, |line, place| 9 * line + place);
    let columns = Lines::new(puzzle, solution, |line, place| 9 * place + line);
    let mut pairs = Pairs { parts: [[0; PAIRS]; 9], clues: [[0; PAIRS]; 2] };
    add_digits(&mut pairs, &rows);
    for (first, lines) in [(36, &rows), (45, &columns)] {
        for (pair, [one, two]) in (first..).zip(LINE_PAIRS) {
            add_lines(&mut pairs, pair, lines, one, two);
        }
    }
    join(&mut pairs.parts);
    let lone = lone_clues(&pairs);

    let mut necessary = CellSet::EMPTY;
    for (pair, digits) in DIGIT_PAIRS.into_iter().enumerate() {
        for (digit, nodes) in digits.into_iter().zip([lone[0][pair], lone[1][pair]]) {
            each_bit(nodes, |row| {
                necessary.insert(Cell::new(9 * row + usize::from(rows.place[row][digit])));
            });
        }
    }
    for (pair, lines) in (36..).zip(LINE_PAIRS) {
        for (line, side) in lines.into_iter().zip(&lone) {
            each_bit(side[pair], |column| necessary.insert(Cell::new(9 * line + column)));
            each_bit(side[pair + 9], |row| necessary.insert(Cell::new(9 * row + line)));
        }
    }
    necessary
}

/// Two lines that cross the same boxes.
const LINE_PAIRS: [[usize; 2]; 9] =
    [[0, 1], [0, 2], [1, 2], [3, 4], [3, 5], [4, 5], [6, 7], [6, 8], [7, 8]];

/// Two digits, each less one.
const DIGIT_PAIRS: [[usize; 2]; 36] = {
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

impl Lines {
    #[inline]
    fn new(puzzle: &Grid, solution: &Solution, cell: impl Fn(usize, usize) -> usize) -> Self {
        let mut lines = Self { digit: [[0; 9]; 9], place: [[0; 9]; 9], clues: [0; 9] };
        let (values, clues) = (solution.grid().values(), puzzle.values());
        for line in 0..9 {
            for (place, number) in (0..9).zip(0u8..) {
                let cell = cell(line, place);
                let digit = values[cell] - 1;
                lines.digit[line][place] = digit;
                lines.place[line][usize::from(digit)] = number;
                lines.clues[line] |= Nine::from(clues[cell] != 0) << place;
            }
        }
        lines
    }
}

/// Two lines: from a place of the one to where the other has its digit.
fn add_lines(pairs: &mut Pairs, pair: usize, lines: &Lines, one: usize, two: usize) {
    for (place, parts) in pairs.parts.iter_mut().enumerate() {
        parts[pair] = 1 << lines.place[two][usize::from(lines.digit[one][place])];
    }
    pairs.clues[0][pair] = lines.clues[one];
    pairs.clues[1][pair] = lines.clues[two];
}

/// All pairs of digits: from a row to the rows that have digit two in digit one's column, or box.
fn add_digits(pairs: &mut Pairs, rows: &Lines) {
    // For each digit: its row, as a bit, in each column and each box; its rows that have a clue.
    let (mut in_column, mut in_box) = ([[0; 9]; 9], [[0; 9]; 9]);
    let mut clues: [Nine; 9] = [0; 9];
    for row in 0..9 {
        for column in 0..9 {
            let digit = usize::from(rows.digit[row][column]);
            in_column[digit][column] = 1 << row;
            in_box[digit][row / 3 * 3 + column / 3] = 1 << row;
            clues[digit] |= (rows.clues[row] >> column & 1) << row;
        }
    }
    for (pair, [one, two]) in DIGIT_PAIRS.into_iter().enumerate() {
        for (row, parts) in pairs.parts.iter_mut().enumerate() {
            let column = usize::from(rows.place[row][one]);
            parts[pair] = in_column[two][column] | in_box[two][row / 3 * 3 + column / 3];
        }
        pairs.clues[0][pair] = clues[one];
        pairs.clues[1][pair] = clues[two];
    }
}

/// From steps to parts: the transitive closure (Warshall, 1962).
///
/// The steps of a graph are one or two permutations, so it is symmetric, too.
fn join(parts: &mut [[Nine; PAIRS]; 9]) {
    for by in 0..9 {
        let through = parts[by];
        for reached in parts.iter_mut() {
            for (reached, through) in reached.iter_mut().zip(&through) {
                let there = (*reached >> by & 1).wrapping_neg();
                *reached |= there & through;
            }
        }
    }
}

/// For both lines or digits of each pair, the nodes whose clue is the only one of its part.
fn lone_clues(pairs: &Pairs) -> [[Nine; PAIRS]; 2] {
    let [ones, twos] = &pairs.clues;
    let mut lone = [[0; PAIRS]; 2];
    let [lone_ones, lone_twos] = &mut lone;
    for parts in &pairs.parts {
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

/// The numbers of the bits that are set.
fn each_bit(mut bits: Nine, mut visit: impl FnMut(usize)) {
    while bits != 0 {
        visit(bits.trailing_zeros() as usize);
        bits &= bits - 1;
    }
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
