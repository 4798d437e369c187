//! Sukakus: puzzles that give the candidates of each cell.
//!
//! ```text
//!   grid        5  .  3 …           a clue is a cell with one candidate,
//!                                   a blank one with all nine
//!   sukaku    { 5 } {1 2 … 9} { 3 } …
//!             {1 5} {2 4 7 9} { 3 } …   a sukaku that is no grid
//! ```
//!
//! Players coined the name: a sudoku whose pencilmarks are the puzzle ("pencilmark sudoku").

use super::cell::{Cell, House};
use super::digit::{Digit, DigitSet};
use super::grid::Grid;
use core::ops::Index;

/// The candidates of each of the 81 cells: any sets of digits, also empty ones.
///
/// ```
/// use ninefold_core::puzzle::{Cell, Digit, DigitSet, Grid, Sukaku};
///
/// let mut sukaku = Sukaku::FULL;
/// let pair = DigitSet::of(Digit::ALL[0]).union(DigitSet::of(Digit::ALL[4]));
/// sukaku.set(Cell::new(0), pair);
/// assert_eq!((sukaku.get(Cell::new(0)).len(), sukaku[Cell::new(1)].len()), (2, 9));
/// assert_eq!((sukaku.candidates(), sukaku.singles()), (722, Grid::EMPTY));
/// assert!(sukaku.is_legal());
/// assert_eq!(sukaku.to_string().parse(), Ok(sukaku));
/// assert!(sukaku.to_string().starts_with("1...5....123456789"));
/// assert_eq!(Sukaku::from(&Grid::EMPTY), Sukaku::FULL);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[must_use]
pub struct Sukaku {
    cells: [DigitSet; Cell::COUNT],
}

impl Sukaku {
    /// Every digit in every cell: the empty grid.
    pub const FULL: Self = Self { cells: [DigitSet::FULL; Cell::COUNT] };

    /// The sukaku with these candidates, in reading order.
    #[inline]
    pub const fn new(cells: [DigitSet; Cell::COUNT]) -> Self {
        Self { cells }
    }

    /// The sukaku of a grid, with all candidates in `cell` except `digit`.
    pub(crate) fn with_another(grid: &Grid, cell: Cell, digit: Digit) -> Self {
        let mut sukaku = Self::from(grid);
        sukaku.set(cell, DigitSet::of(digit).complement());
        sukaku
    }

    /// The candidates in reading order.
    #[inline]
    pub const fn values(&self) -> &[DigitSet; Cell::COUNT] {
        &self.cells
    }

    /// The candidates of a cell.
    #[inline]
    pub const fn get(&self, cell: Cell) -> DigitSet {
        self.cells[cell.index()]
    }

    /// Sets the candidates of a cell.
    #[inline]
    pub const fn set(&mut self, cell: Cell, candidates: DigitSet) {
        self.cells[cell.index()] = candidates;
    }

    /// The number of candidates of all cells, 729 at most.
    pub fn candidates(&self) -> usize {
        self.cells.iter().map(|candidates| candidates.len()).sum()
    }

    /// The grid of the cells with one candidate; the others are blank.
    pub fn singles(&self) -> Grid {
        let mut grid = Grid::EMPTY;
        for (cell, candidates) in Cell::all().zip(self.cells) {
            if candidates.len() == 1 {
                grid.set(cell, candidates.first());
            }
        }
        grid
    }

    /// Whether every cell has a candidate, every digit has a place in every house, and no two cells
    /// of a house have the same single candidate. Without that there is no solution.
    ///
    /// For the sukaku of a grid this equals [`is_legal`](super::rules::is_legal): a blank is a place
    /// for any digit, and nine clues that lack a digit have another one twice.
    pub fn is_legal(&self) -> bool {
        let cells = self.cells.map(DigitSet::bits);
        let singles = cells.map(|cell| if cell.is_power_of_two() { cell } else { 0 });
        let empty = cells.contains(&0);
        !empty
            && House::all().all(|house| {
                let places = house.cells().map(Cell::index);
                let held = places.iter().fold(0, |all, &place| all | cells[place]);
                // Each single has a bit: the sum is their union unless a bit came twice.
                let sum = places.iter().map(|&place| singles[place]).sum::<u16>();
                let union = places.iter().fold(0, |all, &place| all | singles[place]);
                held == DigitSet::FULL.bits() && sum == union
            })
    }
}

impl Default for Sukaku {
    /// Every digit in every cell.
    fn default() -> Self {
        Self::FULL
    }
}

impl Index<Cell> for Sukaku {
    type Output = DigitSet;

    #[inline]
    fn index(&self, cell: Cell) -> &DigitSet {
        &self.cells[cell.index()]
    }
}

impl From<Grid> for Sukaku {
    fn from(grid: Grid) -> Self {
        Self::from(&grid)
    }
}

impl From<&Grid> for Sukaku {
    /// A clue leaves one candidate, a blank all nine.
    fn from(grid: &Grid) -> Self {
        let mut sukaku = Self::FULL;
        for (set, &value) in sukaku.cells.iter_mut().zip(grid.values()) {
            *set = Digit::new(value).map_or(DigitSet::FULL, DigitSet::of);
        }
        sukaku
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::puzzle::{Puzzle, Solution, parse, rules};

    const EASY: &[u8; 81] =
        b"53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
    const SOLVED: &[u8; 81] =
        b"534678912672195348198342567859761423426853791713924856961537284287419635345286179";

    #[test]
    fn the_sukaku_of_a_grid_has_its_clues_for_singles() {
        let grid = parse::line(EASY).unwrap();
        let sukaku = Sukaku::from(&grid);
        assert_eq!(sukaku.singles(), grid);
        assert_eq!(sukaku.candidates(), 30 + 51 * 9);
        assert_eq!(Sukaku::from(&Grid::EMPTY), Sukaku::FULL);
    }

    #[test]
    fn a_solution_keeps_candidates_until_one_of_its_own_is_out() {
        let solution = Solution::try_from(parse::line(SOLVED).unwrap()).unwrap();
        let mut sukaku = Sukaku::from(&parse::line(EASY).unwrap());
        let check = |sukaku| Puzzle::Sukaku(sukaku).check_answer(solution.grid());
        assert_eq!(check(sukaku), Ok(()));
        for cell in Cell::all() {
            let before = sukaku.get(cell);
            let mut without = before;
            without.remove(solution.get(cell));
            sukaku.set(cell, without);
            assert!(check(sukaku).is_err(), "{cell:?}");
            sukaku.set(cell, before);
        }
    }

    /// Any two cells with the same digit: `rules.rs`. And any grid cut from the same cloth.
    #[test]
    fn of_grids_the_same_are_legal() {
        let mut line = *SOLVED;
        for place in 0..81 {
            line[place] = b'1';
            let grid = parse::line(&line).unwrap();
            assert_eq!(Sukaku::from(&grid).is_legal(), rules::is_legal(&grid), "{grid}");
            line[place] = SOLVED[place];
        }
    }

    #[test]
    fn an_empty_cell_or_a_house_without_a_digit_is_not_legal() {
        assert!(Sukaku::FULL.is_legal());
        for cell in Cell::all() {
            let mut sukaku = Sukaku::FULL;
            sukaku.set(cell, DigitSet::EMPTY);
            assert!(!sukaku.is_legal(), "{cell:?}");
        }
        for house in House::all() {
            for digit in Digit::ALL {
                let mut sukaku = Sukaku::FULL;
                let mut without = DigitSet::FULL;
                without.remove(digit);
                for &cell in &house.cells()[1..] {
                    sukaku.set(cell, without);
                }
                assert!(sukaku.is_legal(), "{house}, {digit:?} in its first cell");
                sukaku.set(house.cells()[0], without);
                assert!(!sukaku.is_legal(), "{house}, {digit:?} nowhere");
            }
        }
    }
}
