//! What functions and workers take as a puzzle.

use super::error::ParseError;
use super::grid::Grid;
use super::puzzle::Puzzle;
use super::sukaku::Sukaku;
use alloc::borrow::Cow;
use alloc::vec::Vec;

/// A puzzle as functions take it: a [`Grid`], a [`Sukaku`] or a [`Puzzle`], text or 81 values.
///
/// ```
/// use ninefold_core::is_unique;
/// use ninefold_core::puzzle::Grid;
///
/// assert!(!is_unique(&".".repeat(81))? && !is_unique([0; 81])? && !is_unique(Grid::EMPTY)?);
/// # Ok::<(), ninefold_core::puzzle::ParseError>(())
/// ```
pub trait IntoPuzzle {
    /// The puzzle.
    ///
    /// # Errors
    /// If the text or the values are no puzzle.
    fn into_puzzle(self) -> Result<Puzzle, ParseError>;
}

impl<P: TryInto<Puzzle>> IntoPuzzle for P
where
    ParseError: From<P::Error>,
{
    fn into_puzzle(self) -> Result<Puzzle, ParseError> {
        Ok(self.try_into()?)
    }
}

/// A puzzle as workers take it: a [`Grid`], a [`Sukaku`] or a [`Puzzle`]. Slices of the first two are
/// read where they are.
///
/// ```
/// use ninefold_core::Solver;
/// use ninefold_core::puzzle::{Grid, Puzzle, Sukaku};
///
/// let mut solver = Solver::new();
/// assert_eq!(solver.one(&Grid::EMPTY), solver.one(&Sukaku::FULL));
/// let both = [Puzzle::from(Sukaku::FULL), Puzzle::from(Grid::EMPTY)];
/// assert_eq!(solver.many(&both).len(), 2);
/// ```
pub trait AnyPuzzle: Copy + Into<Puzzle> {
    /// The grids and the sukakus of these puzzles, each in their order.
    #[doc(hidden)]
    fn split(puzzles: &[Self]) -> (Cow<'_, [Grid]>, Cow<'_, [Sukaku]>);

    /// Puts results into the order of the puzzles. They have the order of [`AnyPuzzle::split`]: first those of the
    /// grids, then those of the sukakus.
    #[doc(hidden)]
    fn restore<T: Copy>(puzzles: &[Self], results: &mut [T]) {
        let _ = (puzzles, results);
    }
}

impl AnyPuzzle for Grid {
    #[inline]
    fn split(puzzles: &[Self]) -> (Cow<'_, [Grid]>, Cow<'_, [Sukaku]>) {
        (puzzles.into(), (&[][..]).into())
    }
}

impl AnyPuzzle for Sukaku {
    #[inline]
    fn split(puzzles: &[Self]) -> (Cow<'_, [Grid]>, Cow<'_, [Sukaku]>) {
        ((&[][..]).into(), puzzles.into())
    }
}

impl AnyPuzzle for Puzzle {
    fn split(puzzles: &[Self]) -> (Cow<'_, [Grid]>, Cow<'_, [Sukaku]>) {
        let (mut grids, mut sukakus) = (Vec::new(), Vec::new());
        for puzzle in puzzles {
            match puzzle {
                Self::Grid(grid) => grids.push(*grid),
                Self::Sukaku(sukaku) => sukakus.push(*sukaku),
            }
        }
        (grids.into(), sukakus.into())
    }

    fn restore<T: Copy>(puzzles: &[Self], results: &mut [T]) {
        let split = results.to_vec();
        let grids = puzzles.iter().filter(|it| matches!(it, Self::Grid(_))).count();
        let (mut next_grid, mut next_sukaku) = (0..grids, grids..results.len());
        for (puzzle, result) in puzzles.iter().zip(results) {
            let next = match puzzle {
                Self::Grid(_) => &mut next_grid,
                Self::Sukaku(_) => &mut next_sukaku,
            };
            *result = split[next.next().expect("one result for each puzzle")];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_return_to_the_order_of_the_puzzles() {
        for kinds in 0..1 << 6 {
            let kind = |place: u32| kinds >> place & 1 == 0;
            let puzzle = |place| if kind(place) { Grid::EMPTY.into() } else { Sukaku::FULL.into() };
            let puzzles: Vec<Puzzle> = (0..6).map(puzzle).collect();
            let (grids, sukakus) = Puzzle::split(&puzzles);
            assert_eq!(grids.len() + sukakus.len(), 6);
            let mut places: Vec<_> = (0..6).filter(|&it| kind(it)).collect();
            assert_eq!(places.len(), grids.len());
            places.extend((0..6).filter(|&it| !kind(it)));
            Puzzle::restore(&puzzles, &mut places);
            assert_eq!(places, [0, 1, 2, 3, 4, 5]);
        }
    }
}
