//! The one type for a puzzle of either kind.

use super::grid::Grid;
use super::rules;
use super::solution::Solution;
use super::sukaku::Sukaku;

/// A grid or a sukaku.
///
/// ```
/// use ninefold_core::puzzle::parse::PENCILMARKS;
/// use ninefold_core::puzzle::{Grid, Puzzle, Sukaku};
///
/// let grid: Puzzle = ".".repeat(81).parse()?;
/// let sukaku: Puzzle = "123456789".repeat(81).parse()?;
/// assert_eq!((grid, sukaku), (Grid::EMPTY.into(), Sukaku::FULL.into()));
/// assert_eq!(sukaku.givens(), Grid::EMPTY);
/// assert!(sukaku.is_legal());
/// assert!(sukaku.line(b'.', &mut [0; PENCILMARKS]).starts_with(b"123456789123"));
/// assert!(sukaku.check_answer(&Grid::EMPTY).is_err());
/// # Ok::<(), ninefold_core::puzzle::ParseError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[must_use]
pub enum Puzzle {
    /// 81 cells, each a digit or a blank.
    Grid(Grid),
    /// 81 cells, each a set of candidates.
    Sukaku(Sukaku),
}

impl Puzzle {
    /// The cells that are given: the clues of a grid, the single candidates of a sukaku.
    pub fn givens(&self) -> Grid {
        match self {
            Self::Grid(grid) => *grid,
            Self::Sukaku(sukaku) => sukaku.singles(),
        }
    }

    /// Whether the puzzle is legal: [`rules::is_legal`] or [`Sukaku::is_legal`].
    pub fn is_legal(&self) -> bool {
        match self {
            Self::Grid(grid) => rules::is_legal(grid),
            Self::Sukaku(sukaku) => sukaku.is_legal(),
        }
    }
}

macro_rules! from {
    ($($of:ty: |$of_this:ident| $puzzle:expr;)+) => {$(
        impl From<$of> for Puzzle {
            #[inline]
            fn from($of_this: $of) -> Self {
                $puzzle
            }
        }
    )+};
}
from! {
    Grid: |grid| Self::Grid(grid);
    &Grid: |grid| Self::Grid(*grid);
    Sukaku: |sukaku| Self::Sukaku(sukaku);
    &Sukaku: |sukaku| Self::Sukaku(*sukaku);
    Solution: |solution| Self::Grid(solution.into());
    &Self: |puzzle| *puzzle;
}
