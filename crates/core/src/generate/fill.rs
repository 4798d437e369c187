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

use crate::puzzle::tables::table;
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

/// The searched cells with padding: whole vectors.
const LANES: usize = 40;

/// More than any place: the place of a cell that has a digit.
const FILLED: i16 = 1 << 12;

/// A searched cell, counted in reading order among those.
const fn searched(index: usize) -> Cell {
    Cell::new((index / 6 + 3) * 9 + index % 6 + 3)
}

/// All digits for the searched cells that each of them sees, and for itself.
const SEEN: [[u16; LANES]; SEARCHED] = table!([[0; LANES]; SEARCHED], |one| {
    table!([0; LANES], |two| {
        let is_seen = two < SEARCHED && (one == two || searched(one).sees(searched(two)));
        if is_seen { 0x1ff } else { 0 }
    })
});

/// A grid that is being filled. What is known of the searched cells lies side by side, so that each step
/// looks at all of them in a few vectors.
struct Filling {
    values: [u8; Cell::COUNT],
    /// The digits that each searched cell sees, a bit each.
    used: [u16; LANES],
    /// The place of each searched cell in `blanks`, or [`FILLED`].
    places: [i16; LANES],
    /// The searched cells without a digit: the first `open` of these.
    blanks: [u8; SEARCHED],
    open: usize,
    choices: u32,
}

impl Filling {
    /// Box 1, the rest of its band and the rest of its stack.
    fn begin(random: &mut Random) -> Self {
        let mut filling = Self {
            values: [0; Cell::COUNT],
            used: [0; LANES],
            places: [FILLED; LANES],
            blanks: [0; SEARCHED],
            open: SEARCHED,
            choices: 0,
        };
        for (place, index) in (0..).zip(0..SEARCHED) {
            filling.places[index] = place;
            filling.blanks[index] = place.cast_unsigned().to_le_bytes()[0];
        }
        let first = random.order::<9>();
        let mut by_rows = [[0; 3]; 3];
        let mut by_columns = [[0; 3]; 3];
        for (place, digit) in first.into_iter().enumerate() {
            by_rows[place / 3][place % 3] = digit;
            by_columns[place % 3][place / 3] = digit;
        }
        let (mut in_rows, mut in_columns) = ([0; 9], [0; 9]);
        for (row, digits) in band(by_rows, random).into_iter().enumerate() {
            for (column, digit) in digits.into_iter().enumerate() {
                filling.set(Cell::new(row * 9 + column), 1 << digit);
                in_columns[column] |= 1 << digit;
            }
        }
        for (column, digits) in band(by_columns, random).into_iter().enumerate() {
            for (row, digit) in digits.into_iter().enumerate().skip(3) {
                filling.set(Cell::new(row * 9 + column), 1 << digit);
                in_rows[row] |= 1 << digit;
            }
        }
        for (index, used) in filling.used[..SEARCHED].iter_mut().enumerate() {
            let cell = searched(index);
            *used = in_rows[cell.row()] | in_columns[cell.column()];
        }
        filling
    }

    fn set(&mut self, cell: Cell, digit: u16) {
        #[expect(clippy::cast_possible_truncation, reason = "nine digits")]
        let value = digit.trailing_zeros() as u8 + 1;
        self.values[cell.index()] = value;
    }

    /// Fills what is open, the cell with the fewest candidates first, its digits in random order.
    fn search(&mut self, random: &mut Random) -> bool {
        let Some(place) = self.tightest() else { return true };
        self.open -= 1;
        let (blank, last) = (self.blanks[place], self.blanks[self.open]);
        let index = usize::from(blank);
        let (of_blank, of_last) = (self.places[index], self.places[usize::from(last)]);
        (self.blanks[place], self.blanks[self.open]) = (last, blank);
        self.places[usize::from(last)] = of_blank;
        self.places[index] = FILLED;
        let before = self.used;
        let mut candidates = !before[index] & 0x1ff;
        while candidates != 0 && self.choices < MOST_CHOICES {
            let digit = draw(candidates, random);
            candidates &= !digit;
            self.choices += 1;
            self.set(searched(index), digit);
            for ((used, before), seen) in self.used.iter_mut().zip(before).zip(&SEEN[index]) {
                *used = before | digit & seen;
            }
            if self.search(random) {
                return true;
            }
        }
        self.used = before;
        (self.blanks[place], self.blanks[self.open]) = (blank, last);
        self.places[usize::from(last)] = of_last;
        self.places[index] = of_blank;
        self.open += 1;
        false
    }

    /// Where in `blanks` a cell has the fewest candidates; the first with one or none will do.
    fn tightest(&self) -> Option<usize> {
        let mut least = FILLED;
        for (used, place) in self.used.iter().zip(self.places) {
            let count = (!used & 0x1ff).count_ones().max(1);
            #[expect(clippy::cast_possible_truncation, reason = "nine at most")]
            let score = (count as i16) << 6 | place;
            least = least.min(score);
        }
        (least < FILLED).then_some(usize::from(least.cast_unsigned() & 63))
    }
}

/// One of these digits, each as likely. No number is drawn where there is nothing to choose.
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
