//! Cells of a full grid of which one must be a clue, because their digits could be exchanged.
//!
//! ```text
//!   two digits              two rows of a band (or two columns of a stack)
//!   . 4 .|. . 7|            3 1 . | . . 8 |     in these columns
//!   . 7 .|. . 4|            1 3 . | . . 5 |     both rows have
//!   in rows that lead to    └─┘                 the same digits
//!   each other
//! ```
//!
//! A puzzle with one solution has a clue in each such *unavoidable set*. So a clue that is the
//! last one in a set cannot go, and no solver is needed. Every cell is in one set with each of
//! eight other digits, with each of two other rows and each of two other columns. Others come to
//! light with the second solutions that tests find.
//!
//! # How they are kept
//! All sets of two digits are parts of their 18 cells, two to a row; so a set is nine bits, one
//! for each of its rows, and so are the clues of a digit. Whether a set has a clue is one `&`:
//!
//! ```text
//!   (clues of digit 4 | clues of digit 7) & rows of the set
//! ```
//!
//! and the same with columns for two rows, and with rows for two columns.
//!
//! `verify::swaps` finds the same sets, for all clues of a puzzle at once and once only. Here the
//! sets of a grid are found once and used again and again, clue by clue, so they are kept
//! where a clue finds its own. With these tables `verify --minimal` takes 15 % longer.
//!
//! That puzzles hit all unavoidable sets is old lore of the players' forums; "There is no 16-clue
//! Sudoku" by Gary `McGuire`, Bastian Tugemann and Gilles Civario, 2012, made it a method.

use crate::puzzle::{Cell, CellSet, Solution};
use std::array;

/// Nine bits: rows or columns.
type Nine = u16;

/// A bit that stands for no row: all sets but those that are none lack it.
const NO_SET: Nine = 1 << 9;

/// Sets from second solutions that are kept: the latest ones.
const LEARNED: usize = 8;

/// The unavoidable sets known of a full grid.
#[derive(Clone, Debug)]
pub(super) struct Unavoidable {
    /// `[one][row][two]`: the set of digit `one` in this row with digit `two`, as rows. There are
    /// 16 where nine are needed, so that all nine are compared at once; [`NO_SET`] for those, and with the digit itself.
    digits: [[[Nine; 16]; 9]; 9],
    /// `[row][column][k]`: the set of this cell with the k-th other row of its band, as columns.
    rows: [[[Nine; 2]; 9]; 9],
    /// `[column][row][k]`: the same with the other columns of its stack, as rows.
    columns: [[[Nine; 2]; 9]; 9],
    learned: [CellSet; LEARNED],
    /// How many were learned, ever.
    lessons: usize,
}

/// The clues that are left of a full grid, each in three ways.
#[derive(Clone, Copy, Debug)]
pub(super) struct Left {
    /// The rows in which each digit is a clue; 0 after the nine.
    digits: [Nine; 16],
    /// The columns in which each row has a clue.
    rows: [Nine; 9],
    /// The rows in which each column has one.
    columns: [Nine; 9],
}

impl Left {
    /// Every cell is a clue.
    pub(super) const ALL: Self = {
        let (mut digits, mut digit) = ([0; 16], 0);
        while digit < 9 {
            digits[digit] = 0x1ff;
            digit += 1;
        }
        Self { digits, rows: [0x1ff; 9], columns: [0x1ff; 9] }
    };

    /// Takes away a clue of which the digit is counted from 0.
    #[inline]
    pub(super) fn take(&mut self, cell: Cell, digit: usize) {
        self.digits[digit] &= !(1 << cell.row());
        self.rows[cell.row()] &= !(1 << cell.column());
        self.columns[cell.column()] &= !(1 << cell.row());
    }
}

/// The two others of a line's band or stack.
const fn others(line: usize) -> [usize; 2] {
    let first = line / 3 * 3;
    [first + (line + 1) % 3, first + (line + 2) % 3]
}

impl Unavoidable {
    /// No sets, with the memory for them.
    pub(super) fn new() -> Self {
        Self {
            digits: [[[NO_SET; 16]; 9]; 9],
            rows: [[[0; 2]; 9]; 9],
            columns: [[[0; 2]; 9]; 9],
            learned: [CellSet::FULL; LEARNED],
            lessons: 0,
        }
    }

    /// The sets of this full grid, in place of those that were there.
    pub(super) fn find(&mut self, solution: &Solution) {
        self.lessons = 0;
        let places = Places::of(solution);
        for one in 0..9 {
            for two in one + 1..9 {
                for_each_group(places.leads(one, two), |rows| {
                    for row in bits(rows) {
                        self.digits[one][row][two] = rows;
                        self.digits[two][row][one] = rows;
                    }
                });
            }
        }
        for line in 0..9 {
            // The next one round: in three lines each pair is met once.
            let [next, _] = others(line);
            // Row `line` leads from a column to the one where the next row has its digit.
            let leads = array::from_fn(|column| {
                let digit = places.digit(line, column);
                1 << places.column_in_row[digit][next]
            });
            for_each_group(leads, |columns| {
                for column in bits(columns) {
                    self.rows[line][column][0] = columns;
                    self.rows[next][column][1] = columns;
                }
            });
            let leads = array::from_fn(|row| {
                let digit = places.digit(row, line);
                1 << places.row_in_column[digit][next]
            });
            for_each_group(leads, |rows| {
                for row in bits(rows) {
                    self.columns[line][row][0] = rows;
                    self.columns[next][row][1] = rows;
                }
            });
        }
    }

    /// Keeps the cells in which another solution differs.
    pub(super) fn learn(&mut self, set: CellSet) {
        self.learned[self.lessons % LEARNED] = set;
        self.lessons += 1;
    }

    /// Whether a set from another solution has none of these clues.
    #[inline]
    pub(super) fn lessons_forbid(&self, clues: CellSet) -> bool {
        let learned = &self.learned[..self.lessons.min(LEARNED)];
        learned.iter().any(|&set| (set & clues).is_empty())
    }

    /// Whether a set that holds this cell, with this digit counted from 0, has no clue left when
    /// this one is taken.
    #[inline]
    pub(super) fn forbid(&self, left: &Left, cell: Cell, digit: usize) -> bool {
        let (row, column) = (cell.row(), cell.column());
        let own = left.digits[digit] & !(1 << row) | NO_SET;
        let sets = &self.digits[digit][row];
        let mut unhit = false;
        for (set, other) in sets.iter().zip(left.digits) {
            unhit |= set & (own | other) == 0;
        }
        for (set, other) in self.rows[row][column].iter().zip(others(row)) {
            unhit |= set & (left.rows[row] & !(1 << column) | left.rows[other]) == 0;
        }
        for (set, other) in self.columns[column][row].iter().zip(others(column)) {
            unhit |= set & (left.columns[column] & !(1 << row) | left.columns[other]) == 0;
        }
        unhit
    }
}

/// Where each digit, counted from 0, stands.
struct Places<'a> {
    values: &'a [u8; Cell::COUNT],
    column_in_row: [[u8; 9]; 9],
    row_in_column: [[u8; 9]; 9],
    row_in_box: [[u8; 9]; 9],
}

impl<'a> Places<'a> {
    fn of(solution: &'a Solution) -> Self {
        let values = solution.grid().values();
        let mut places = Self {
            values,
            column_in_row: [[0; 9]; 9],
            row_in_column: [[0; 9]; 9],
            row_in_box: [[0; 9]; 9],
        };
        for cell in Cell::all() {
            let digit = places.digit(cell.row(), cell.column());
            #[expect(clippy::cast_possible_truncation, reason = "nine rows, nine columns")]
            let (row, column) = (cell.row() as u8, cell.column() as u8);
            places.column_in_row[digit][cell.row()] = column;
            places.row_in_column[digit][cell.column()] = row;
            places.row_in_box[digit][cell.box_index()] = row;
        }
        places
    }

    fn digit(&self, row: usize, column: usize) -> usize {
        usize::from(self.values[row * 9 + column]) - 1
    }

    /// Where each row leads that has both digits: through the column of the first, and its box.
    #[inline]
    fn leads(&self, one: usize, two: usize) -> [Nine; 9] {
        array::from_fn(|row| {
            let column = usize::from(self.column_in_row[one][row]);
            let box_index = row / 3 * 3 + column / 3;
            1 << self.row_in_column[two][column] | 1 << self.row_in_box[two][box_index]
        })
    }
}

/// The numbers of the bits that are set.
#[inline]
fn bits(mut set: Nine) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let bit = set.trailing_zeros() as usize;
        set &= set.wrapping_sub(1);
        (bit < 9).then_some(bit)
    })
}

/// Calls `each` with every group of those that lead to each other, in any number of steps.
///
/// Following the arrows alone finds a whole group. Each of the nine is led to as often as it leads
/// on, so no arrow leaves a group without one that leads back.
#[inline]
fn for_each_group(leads: [Nine; 9], mut each: impl FnMut(Nine)) {
    let mut rest: Nine = 0x1ff;
    while rest != 0 {
        let mut group = rest & rest.wrapping_neg();
        let mut new = group;
        while new != 0 {
            let reached = leads[new.trailing_zeros() as usize];
            new = new & (new - 1) | reached & !group;
            group |= reached;
        }
        rest &= !group;
        each(group);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::EngineKind;
    use crate::generate::full_grid;
    use crate::puzzle::Random;
    use std::collections::HashSet;

    /// The cells of every set that is kept, each with how often it stands in the tables.
    fn sets(known: &Unavoidable, solution: &Solution) -> Vec<CellSet> {
        let places = Places::of(solution);
        let mut sets = Vec::new();
        for cell in Cell::all() {
            let (row, column) = (cell.row(), cell.column());
            let one = places.digit(row, column);
            for two in (0..9).filter(|&two| two != one) {
                let cells = bits(known.digits[one][row][two]).flat_map(|row| {
                    [one, two].map(|it| row * 9 + usize::from(places.column_in_row[it][row]))
                });
                sets.push(cells.map(Cell::new).collect());
            }
            for k in 0..2 {
                let cells = bits(known.rows[row][column][k])
                    .flat_map(|column| [row, others(row)[k]].map(|row| row * 9 + column));
                sets.push(cells.map(Cell::new).collect());
                let cells = bits(known.columns[column][row][k])
                    .flat_map(|row| [column, others(column)[k]].map(|column| row * 9 + column));
                sets.push(cells.map(Cell::new).collect());
            }
        }
        sets
    }

    /// Without the cells of a set there is a second solution; with all but one set's worth of
    /// others taken too, it is still told by the set.
    #[test]
    fn a_puzzle_without_clues_in_a_set_has_a_second_solution() {
        let (mut random, mut engine) = (Random::new(1), EngineKind::Mrv.build());
        let mut known = Unavoidable::new();
        for _ in 0..20 {
            let solution = full_grid(&mut random);
            known.find(&solution);
            let sets = sets(&known, &solution);
            assert_eq!(sets.len(), 81 * 12);
            for set in sets.into_iter().collect::<HashSet<_>>() {
                assert!(set.len() >= 4 && set.len() % 2 == 0);
                let mut puzzle = *solution.grid();
                set.cells().for_each(|cell| puzzle.set(cell, None));
                assert_eq!(engine.solve(&puzzle, 2).count, 2, "{puzzle}");
            }
        }
    }

    /// The tables of nine bits say the same as the sets of cells that they stand for.
    #[test]
    fn the_last_clue_of_a_set_is_known() {
        let mut random = Random::new(2);
        let mut known = Unavoidable::new();
        let mut forbidden = 0;
        for _ in 0..200 {
            let solution = full_grid(&mut random);
            known.find(&solution);
            let sets = sets(&known, &solution);
            let order = random.order::<81>().map(Cell::new);
            let (mut left, mut clues) = (Left::ALL, CellSet::FULL);
            for cell in &order[..50] {
                let digit = usize::from(solution.get(*cell).value()) - 1;
                left.take(*cell, digit);
                clues &= !CellSet::of(*cell);
                let unhit = |set: &CellSet| set.contains(*cell) && (*set & clues).is_empty();
                let expected = sets.iter().any(unhit);
                assert_eq!(known.forbid(&left, *cell, digit), expected);
                forbidden += usize::from(expected);
            }
        }
        assert!(forbidden > 200, "too few to say anything: {forbidden}");
    }
}
