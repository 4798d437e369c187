//! Grids: any 81 cells, and the proven kind.

use super::{Cell, Digit, rules};
use rules::Clash;

/// Any 81 cells, each a digit or a blank. It may break every rule there is.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Grid {
    /// 0 for a blank, else the digit; never over 9.
    cells: [u8; Cell::COUNT],
}

impl Grid {
    /// 81 blanks.
    pub const EMPTY: Self = Self { cells: [0; Cell::COUNT] };

    /// The grid of these values in reading order, 0 for a blank; `None` if one is over 9.
    #[must_use]
    pub fn from_values(values: &[u8; Cell::COUNT]) -> Option<Self> {
        values.iter().all(|&value| value <= 9).then_some(Self { cells: *values })
    }

    /// The grid of values that the caller has seen to be 9 or less.
    pub(crate) fn from_checked_values(cells: [u8; Cell::COUNT]) -> Self {
        debug_assert!(cells.iter().all(|&value| value <= 9));
        Self { cells }
    }

    /// The values in reading order, 0 for a blank.
    #[must_use]
    pub const fn values(&self) -> &[u8; Cell::COUNT] {
        &self.cells
    }

    /// What a cell holds.
    #[must_use]
    pub const fn get(&self, cell: Cell) -> Option<Digit> {
        Digit::new(self.cells[cell.index()])
    }

    /// Puts a digit, or a blank, into a cell.
    pub const fn set(&mut self, cell: Cell, digit: Option<Digit>) {
        self.cells[cell.index()] = match digit {
            Some(digit) => digit.value(),
            None => 0,
        };
    }

    /// How many cells are not blank.
    #[must_use]
    pub fn clues(&self) -> usize {
        self.cells.iter().filter(|&&value| value != 0).count()
    }
}

/// A full grid in which every house holds 1 to 9 once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Solution(Grid);

impl Solution {
    /// The grid.
    #[must_use]
    pub const fn grid(&self) -> &Grid {
        &self.0
    }

    /// The digit in a cell.
    ///
    /// # Panics
    /// Never: a solution has no blank.
    #[must_use]
    pub const fn get(&self, cell: Cell) -> Digit {
        self.0.get(cell).expect("a solution has no blank")
    }

    /// Whether it has the puzzle's digit wherever the puzzle has one.
    #[must_use]
    pub fn keeps_clues_of(&self, puzzle: &Grid) -> bool {
        let mut pairs = self.0.cells.iter().zip(&puzzle.cells);
        pairs.all(|(&own, &clue)| clue == 0 || clue == own)
    }

    /// The solution with these values in reading order.
    ///
    /// For an engine that has proven all 27 houses by other means; debug builds check it again.
    #[must_use]
    pub(crate) fn from_proven_values(values: [u8; Cell::COUNT]) -> Self {
        let grid = Grid { cells: values };
        debug_assert_eq!(rules::check_solved(&grid), Ok(()), "{grid}");
        Self(grid)
    }
}

/// Why a grid is not a solution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unsolved {
    /// A cell is blank: the first of them.
    Blank(Cell),
    /// A digit stands twice in a house.
    Clash(Clash),
}

impl TryFrom<Grid> for Solution {
    type Error = Unsolved;

    fn try_from(grid: Grid) -> Result<Self, Unsolved> {
        rules::check_solved(&grid)?;
        Ok(Self(grid))
    }
}

impl From<Clash> for Unsolved {
    fn from(clash: Clash) -> Self {
        Self::Clash(clash)
    }
}
