//! Random full grids.
//!
//! ```text
//!   box 1 | band           1. any order of the nine digits
//!   ------+-------------   2. any of the 56 x 6^6 ways to go on to the right,
//!   stack | search            and of as many to go on downwards
//!         |                3. the other 36 cells by a search in random order
//! ```
//!
//! Box, band and stack are drawn without bias: each of the 9! x (56 x 6⁶)² beginnings is as
//! likely as any other. The search is not: a full grid is the likelier, the fewer others share
//! its beginning and the fewer digits stood next to its own on the way. So every grid can come,
//! but they are not equally likely; what the search leans to is neither a digit nor a place
//! beyond the order in which cells are looked at.
//!
//! How many ways a band can go on is from Felgenhauer and Jarvis, "Mathematics of Sudoku I",
//! 2006: of the three digits in each row of box 1, `k` go one way round and the rest the other.

use crate::puzzle::{Cell, Grid, Random, Randomness, Solution};

/// A random full grid, from a seed or a generator ([`Randomness`]).
///
/// ```
/// use ninefold_core::generate::full_grid;
///
/// assert_eq!(full_grid(7), full_grid(7));
/// assert_ne!(full_grid(7), full_grid(8));
/// ```
///
/// # Panics
/// Never: what the search has filled keeps the rules.
#[must_use]
pub fn full_grid(random: impl Randomness) -> Solution {
    random.draw(|random| {
        loop {
            let mut filling = Filling::begin(random);
            if filling.search(random) {
                return solution_of(&filling.values);
            }
        }
    })
}

/// The proof that the search kept the rules.
fn solution_of(values: &[u8; Cell::COUNT]) -> Solution {
    let grid = Grid::try_from(*values).expect("the search fills in digits");
    grid.try_into().expect("the search keeps the rules")
}

/// Choices after which a beginning is given up.
///
/// Of 20,000 beginnings each could be completed, by 41 choices on average and 227 at most. That
/// every one can be, and soon, is not proven: so there is a limit.
const MOST_CHOICES: u32 = 400;

/// Rows below the top band, and columns right of the left stack: the four boxes to search.
const SEARCHED: usize = 36;

/// A grid that is being filled, with the digits that are used up in each house, a bit each.
struct Filling {
    values: [u8; Cell::COUNT],
    rows: [u16; 9],
    columns: [u16; 9],
    boxes: [u16; 9],
    /// The cells without a digit: the first `open` of these.
    blanks: [Cell; SEARCHED],
    open: usize,
    choices: u32,
}

impl Filling {
    /// Box 1, the rest of its band and the rest of its stack.
    fn begin(random: &mut Random) -> Self {
        // One loop: 36 calls of `next` are 36 loops in a row, which LLVM analyses for minutes.
        let mut blanks = [Cell::new(0); SEARCHED];
        let four_boxes = Cell::all().filter(|cell| cell.row() > 2 && cell.column() > 2);
        blanks.iter_mut().zip(four_boxes).for_each(|(blank, cell)| *blank = cell);
        let mut filling = Self {
            values: [0; Cell::COUNT],
            rows: [0; 9],
            columns: [0; 9],
            boxes: [0; 9],
            blanks,
            open: SEARCHED,
            choices: 0,
        };
        let first = random.order::<9>();
        let mut by_rows = [[0; 3]; 3];
        let mut by_columns = [[0; 3]; 3];
        for (place, digit) in first.into_iter().enumerate() {
            by_rows[place / 3][place % 3] = digit;
            by_columns[place % 3][place / 3] = digit;
        }
        for (row, digits) in band(by_rows, random).into_iter().enumerate() {
            for (column, digit) in digits.into_iter().enumerate() {
                filling.put(Cell::new(row * 9 + column), 1 << digit);
            }
        }
        for (column, digits) in band(by_columns, random).into_iter().enumerate() {
            for (row, digit) in digits.into_iter().enumerate().skip(3) {
                filling.put(Cell::new(row * 9 + column), 1 << digit);
            }
        }
        filling
    }

    #[inline]
    fn put(&mut self, cell: Cell, digit: u16) {
        #[expect(clippy::cast_possible_truncation, reason = "nine digits")]
        let value = digit.trailing_zeros() as u8 + 1;
        self.values[cell.index()] = value;
        self.rows[cell.row()] |= digit;
        self.columns[cell.column()] |= digit;
        self.boxes[cell.box_index()] |= digit;
    }

    #[inline]
    fn take_back(&mut self, cell: Cell, digit: u16) {
        self.rows[cell.row()] &= !digit;
        self.columns[cell.column()] &= !digit;
        self.boxes[cell.box_index()] &= !digit;
    }

    #[inline]
    fn candidates(&self, cell: Cell) -> u16 {
        let used = self.rows[cell.row()] | self.columns[cell.column()];
        !(used | self.boxes[cell.box_index()]) & 0x1ff
    }

    /// Fills what is open, the cell with the fewest candidates first, its digits in random order.
    fn search(&mut self, random: &mut Random) -> bool {
        let Some(place) = self.tightest() else { return true };
        let cell = self.blanks[place];
        let mut candidates = self.candidates(cell);
        self.open -= 1;
        self.blanks.swap(place, self.open);
        while candidates != 0 && self.choices < MOST_CHOICES {
            let digit = draw(candidates, random);
            candidates &= !digit;
            self.choices += 1;
            self.put(cell, digit);
            if self.search(random) {
                return true;
            }
            self.take_back(cell, digit);
        }
        self.blanks.swap(place, self.open);
        self.open += 1;
        false
    }

    /// Where in `blanks` a cell has the fewest candidates; the first with one or none will do.
    fn tightest(&self) -> Option<usize> {
        let (mut best, mut fewest) = (None, u32::MAX);
        for (place, &cell) in self.blanks[..self.open].iter().enumerate() {
            let count = self.candidates(cell).count_ones();
            if count < fewest {
                (best, fewest) = (Some(place), count);
                if count <= 1 {
                    break;
                }
            }
        }
        best
    }
}

/// One of these digits, each as likely. No number is drawn where there is nothing to choose.
#[inline]
fn draw(mut digits: u16, random: &mut Random) -> u16 {
    let count = digits.count_ones() as usize;
    if count > 1 {
        for _ in 0..random.below(count) {
            digits &= digits - 1;
        }
    }
    digits & digits.wrapping_neg()
}

/// Three rows of nine that begin with these three: any of the ways to go on.
///
/// In the next box, the row of `a` takes `k` digits of `b`'s row and the rest from `c`'s, and so
/// round; the last box gets what is left. There are C(3, k)³ ways for each `k`: 1, 27, 27, 1.
fn band(first: [[usize; 3]; 3], random: &mut Random) -> [[usize; 9]; 3] {
    let k = match random.below(56) {
        0 => 0,
        1..28 => 1,
        28..55 => 2,
        _ => 3,
    };
    let mut parts = first;
    for digits in &mut parts {
        random.shuffle(digits);
    }
    let mut rows = [[0; 9]; 3];
    for (index, row) in rows.iter_mut().enumerate() {
        let (next, last) = (parts[(index + 1) % 3], parts[(index + 2) % 3]);
        row[..3].copy_from_slice(&first[index]);
        row[3..3 + k].copy_from_slice(&next[..k]);
        row[3 + k..6].copy_from_slice(&last[k..]);
        row[6..6 + k].copy_from_slice(&last[..k]);
        row[6 + k..].copy_from_slice(&next[k..]);
        random.shuffle(&mut row[3..6]);
        random.shuffle(&mut row[6..]);
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::puzzle::{Digit, rules};
    use std::collections::HashSet;

    #[test]
    fn grids_are_full_and_legal_and_differ() {
        let mut random = Random::new(1);
        let grids: Vec<_> = (0..1000).map(|_| full_grid(&mut random)).collect();
        for grid in &grids {
            assert_eq!(rules::check_solved(grid.grid()), Ok(()), "{grid}");
        }
        assert_eq!(grids.into_iter().collect::<HashSet<_>>().len(), 1000);
    }

    /// 9,000 grids: each digit in each cell within six standard deviations (31) of 1,000.
    #[test]
    fn no_cell_prefers_a_digit() {
        let mut random = Random::new(2);
        let mut counts = [[0; 9]; Cell::COUNT];
        for _ in 0..9_000 {
            let grid = full_grid(&mut random);
            for cell in Cell::all() {
                counts[cell.index()][usize::from(grid.get(cell).value()) - 1] += 1;
            }
        }
        for cell in Cell::all() {
            for digit in Digit::ALL {
                let count = counts[cell.index()][usize::from(digit.value()) - 1];
                assert!((815..1_185).contains(&count), "{cell:?}, {digit:?}: {count}");
            }
        }
    }

    /// All bands that begin with one box and sorted rows of the others: 56, as counted by others.
    #[test]
    fn every_way_to_go_on_comes_and_no_other() {
        let mut random = Random::new(3);
        let first = [[0, 1, 2], [3, 4, 5], [6, 7, 8]];
        let mut seen = HashSet::new();
        for _ in 0..2_000 {
            let mut rows = band(first, &mut random);
            for row in &mut rows {
                let mut digits = *row;
                digits.sort_unstable();
                assert_eq!(digits, [0, 1, 2, 3, 4, 5, 6, 7, 8]);
                row[3..6].sort_unstable();
                row[6..].sort_unstable();
            }
            seen.insert(rows);
        }
        assert_eq!(seen.len(), 56);
    }
}
