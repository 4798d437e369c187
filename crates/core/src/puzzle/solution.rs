//! Solutions: full grids that are proven to keep the rules.

use super::cell::Cell;
use super::digit::Digit;
use super::grid::{Clues, Grid};
use super::rules;
use super::rules::WrongAnswer;
use core::ops::Index;

/// A full grid in which every house holds 1 to 9 once.
///
/// ```
/// use ninefold_core::puzzle::{Cell, Grid, Solution, WrongAnswer};
///
/// let line = "534678912672195348198342567859761423426853791713924856961537284287419635345286179";
/// let solution: Solution = line.parse()?;
/// assert_eq!((solution.get(Cell::new(3)).value(), solution[Cell::new(4)].value()), (6, 7));
/// assert_eq!(Grid::from(solution), *solution.grid());
/// assert_eq!(solution.to_string(), line);
///
/// let mut puzzle = *solution.grid();
/// puzzle.set(Cell::new(0), None);
/// assert!(solution.keeps_clues_of(&puzzle));
/// assert_eq!(Solution::try_from(puzzle), Err(WrongAnswer::Blank(Cell::new(0))));
/// # Ok::<(), ninefold_core::puzzle::SolutionError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Solution(Grid);

impl Solution {
    /// The solution as a grid, in which no cell is blank.
    #[inline]
    pub const fn grid(&self) -> &Grid {
        &self.0
    }

    /// The digit in a cell.
    ///
    /// # Panics
    /// Never: a solution has no blank.
    #[inline]
    pub const fn get(&self, cell: Cell) -> Digit {
        self.0.get(cell).expect("a solution has no blank")
    }

    /// Whether it keeps every clue of a grid.
    #[inline]
    pub fn keeps_clues_of(&self, puzzle: &Grid) -> bool {
        let mut pairs = self.0.values().iter().zip(puzzle.values());
        pairs.all(|(&own, &clue)| clue == 0 || clue == own)
    }

    /// The solution with these values in reading order.
    ///
    /// For an engine that has proven all 27 houses by other means. Debug builds check it again.
    #[inline]
    pub(crate) fn from_proven_values(values: [u8; Cell::COUNT]) -> Self {
        let grid = Grid::from_checked_values(values);
        debug_assert_eq!(rules::check_solved(&grid), Ok(()), "{grid}");
        Self(grid)
    }

    /// Puts a solution here, and gives the values of its cells to write at once, so that nothing need
    /// be copied. Until all are written they are not a solution's.
    #[inline]
    pub(crate) fn place(solution: &mut Option<Self>) -> &mut [u8; Cell::COUNT] {
        solution.insert(Self(Grid::EMPTY)).0.values_mut()
    }
}

impl TryFrom<Grid> for Solution {
    type Error = WrongAnswer;

    fn try_from(grid: Grid) -> Result<Self, WrongAnswer> {
        rules::check_solved(&grid)?;
        Ok(Self(grid))
    }
}

impl From<Solution> for Grid {
    fn from(solution: Solution) -> Self {
        solution.0
    }
}

impl Index<Cell> for Solution {
    type Output = Digit;

    /// The digit in a cell.
    #[inline]
    fn index(&self, cell: Cell) -> &Digit {
        &Digit::ALL[usize::from(self.get(cell).value()) - 1]
    }
}

impl IntoIterator for Solution {
    type Item = (Cell, Digit);
    type IntoIter = Clues;

    /// Its cells and digits in reading order.
    fn into_iter(self) -> Clues {
        self.0.into_iter()
    }
}
