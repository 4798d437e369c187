//! Clues that cannot be taken: the last ones of an unavoidable set, which needs no solver to know.
//!
//! [`Pairs`] finds the sets of two digits and of two lines. Every cell is in
//! one set with each of eight other digits, with each of two other rows and each of two other columns.
//! Others come to light with the second solutions that tests find.
//!
//! # How they are kept
//! The sets of a grid are found once and used again and again, clue by clue, so they are kept where a clue
//! finds its own. All sets of two digits are parts of their 18 cells, two to a row; so a set is nine bits,
//! one for each of its rows, and so are the clues of a digit. Whether a set has a clue is one `&`:
//!
//! ```text
//!   (clues of digit 4 | clues of digit 7) & rows of the set
//! ```
//!
//! and the same with columns for two rows, and with rows for two columns.

use super::pairs::{COLUMNS, DIGIT_PAIRS, LINE_PAIRS, Nine, ROWS, parts};
use crate::puzzle::tables::table;
use crate::puzzle::{Cell, CellSet, Solution};

/// A bit that stands for no row: all sets but those that are none lack it.
const NO_SET: Nine = 1 << 9;

/// Sets from second solutions that are kept: the latest ones.
const LEARNED: usize = 8;

/// The unavoidable sets known of a full grid.
#[derive(Clone, Debug)]
pub(crate) struct KnownSets {
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
pub(crate) struct CluesLeft {
    /// The rows in which each digit is a clue; 0 after the nine.
    digits: [Nine; 16],
    /// The columns in which each row has a clue.
    rows: [Nine; 9],
    /// The rows in which each column has one.
    columns: [Nine; 9],
}

impl CluesLeft {
    /// Every cell is a clue.
    pub(crate) const ALL: Self = Self {
        digits: table!([0; 16], |digit| if digit < 9 { 0x1ff } else { 0 }),
        rows: [0x1ff; 9],
        columns: [0x1ff; 9],
    };

    /// Takes away a clue of which the digit is counted from 0.
    pub(crate) fn take(&mut self, cell: Cell, digit: usize) {
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

/// The places of two lines, of which the second is the larger, among the [`others`] of each other.
const fn among_others(one: usize, two: usize) -> [usize; 2] {
    [two - one - 1, one + 2 - two]
}

impl Default for KnownSets {
    /// No sets, with the memory for them.
    fn default() -> Self {
        Self {
            digits: [[[NO_SET; 16]; 9]; 9],
            rows: [[[0; 2]; 9]; 9],
            columns: [[[0; 2]; 9]; 9],
            learned: [CellSet::FULL; LEARNED],
            lessons: 0,
        }
    }
}

impl KnownSets {
    /// The sets of this full grid, in place of those that were there.
    pub(crate) fn find(&mut self, solution: &Solution) {
        self.lessons = 0;
        for (node, parts) in parts(solution).0.iter().enumerate() {
            for ([one, two], &rows) in DIGIT_PAIRS.into_iter().zip(parts) {
                self.digits[one][node][two] = rows;
                self.digits[two][node][one] = rows;
            }
            for (pair, [one, two]) in LINE_PAIRS.into_iter().enumerate() {
                let [of_one, of_two] = among_others(one, two);
                self.rows[one][node][of_one] = parts[ROWS + pair];
                self.rows[two][node][of_two] = parts[ROWS + pair];
                self.columns[one][node][of_one] = parts[COLUMNS + pair];
                self.columns[two][node][of_two] = parts[COLUMNS + pair];
            }
        }
    }

    /// Keeps the cells in which another solution differs.
    pub(crate) fn learn(&mut self, set: CellSet) {
        self.learned[self.lessons % LEARNED] = set;
        self.lessons += 1;
    }

    /// Whether a set from another solution has none of these clues.
    pub(crate) fn lessons_forbid(&self, clues: CellSet) -> bool {
        let learned = &self.learned[..self.lessons.min(LEARNED)];
        learned.iter().any(|&set| (set & clues).is_empty())
    }

    /// Whether a set that holds this cell, with this digit counted from 0, has no clue left when
    /// this one is taken.
    pub(crate) fn forbid(&self, left: &CluesLeft, cell: Cell, digit: usize) -> bool {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::EngineKind;
    use crate::puzzle::Random;
    use std::collections::HashSet;

    /// Solutions of the first puzzles of a file.
    fn solutions(count: usize) -> impl Iterator<Item = Solution> {
        let lines = include_str!("../../tests/data/minimal.txt").lines().cycle().take(count);
        lines.map(|line| crate::solve(line).unwrap())
    }

    /// The cells of every set that is kept, each with how often it stands in the tables.
    fn sets(known: &KnownSets, solution: &Solution) -> Vec<CellSet> {
        let digit =
            |row, column| usize::from(solution.get(Cell::new(row * 9 + column)).value()) - 1;
        let column_of = |it, row| (0..9).find(|&column| digit(row, column) == it).unwrap();
        let bits = |set: Nine| (0..9).filter(move |bit| set >> bit & 1 == 1);
        let mut sets = Vec::new();
        for cell in Cell::all() {
            let (row, column) = (cell.row(), cell.column());
            let one = digit(row, column);
            for two in (0..9).filter(|&two| two != one) {
                let cells = bits(known.digits[one][row][two])
                    .flat_map(|row| [one, two].map(|it| row * 9 + column_of(it, row)));
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
        let mut engine = EngineKind::Mrv.build();
        let mut known = KnownSets::default();
        for solution in solutions(20) {
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
        let mut known = KnownSets::default();
        let mut forbidden = 0;
        for solution in solutions(200) {
            known.find(&solution);
            let sets = sets(&known, &solution);
            let order = random.order::<81>().map(Cell::new);
            let (mut left, mut clues) = (CluesLeft::ALL, CellSet::FULL);
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
