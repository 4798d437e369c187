//! Symmetries of the cells that have a clue: clues are removed orbit by orbit.

use crate::puzzle::{Cell, CellSet};
use alloc::vec::Vec;

crate::named_enum! {
    /// The symmetry of the cells that have a clue.
    ///
    /// ```
    /// use ninefold_core::generate::Symmetry;
    /// use ninefold_core::puzzle::Cell;
    ///
    /// assert_eq!(Symmetry::Rotate.orbits()[0].cells().last(), Some(Cell::new(80)));
    /// assert_eq!("rotate".parse(), Ok(Symmetry::Rotate));
    /// ```
    pub enum Symmetry, "symmetry" {
        @default None = "none", "no symmetry";
        Rotate = "rotate", "half a turn";
        Quarter = "quarter", "a quarter of a turn";
        Mirror = "mirror", "left and right exchanged";
        Flip = "flip", "top and bottom exchanged";
        Mirrors = "mirrors", "mirror and flip";
        Diagonal = "diagonal", "rows and columns exchanged";
        Antidiagonal = "antidiagonal", "rows and columns exchanged, over the other diagonal";
        Diagonals = "diagonals", "diagonal and antidiagonal";
        Full = "full", "all of these";
    }
}

/// Where a cell goes, by row and column.
type Move = fn(usize, usize) -> (usize, usize);

const QUARTER: Move = |row, column| (column, 8 - row);
const HALF: Move = |row, column| (8 - row, 8 - column);
const MIRROR: Move = |row, column| (row, 8 - column);
const FLIP: Move = |row, column| (8 - row, column);
const DIAGONAL: Move = |row, column| (column, row);
const ANTIDIAGONAL: Move = |row, column| (8 - column, 8 - row);

impl Symmetry {
    /// The moves that all others are made of.
    fn moves(self) -> &'static [Move] {
        match self {
            Self::None => &[],
            Self::Rotate => &[HALF],
            Self::Quarter => &[QUARTER],
            Self::Mirror => &[MIRROR],
            Self::Flip => &[FLIP],
            Self::Mirrors => &[MIRROR, FLIP],
            Self::Diagonal => &[DIAGONAL],
            Self::Antidiagonal => &[ANTIDIAGONAL],
            Self::Diagonals => &[DIAGONAL, ANTIDIAGONAL],
            Self::Full => &[QUARTER, MIRROR],
        }
    }

    /// The cells that a cell comes or goes with, itself among them.
    fn orbit(self, cell: Cell) -> CellSet {
        let mut orbit = CellSet::of(cell);
        loop {
            let moved = self.moves().iter().flat_map(|step| {
                orbit.cells().map(move |cell| {
                    let (row, column) = step(cell.row(), cell.column());
                    Cell::new(row * 9 + column)
                })
            });
            let larger = orbit | moved.collect();
            if larger == orbit {
                return orbit;
            }
            orbit = larger;
        }
    }

    /// All orbits, in the order of their first cells. Together they are the grid.
    pub fn orbits(self) -> Vec<CellSet> {
        let firsts = Cell::all().map(|cell| (cell, self.orbit(cell)));
        firsts.filter(|(cell, orbit)| orbit.cells().next() == Some(*cell)).map(|it| it.1).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How many orbits there are follows by counting cells that stay (Burnside).
    #[test]
    fn orbits_share_no_cell_and_cover_the_grid() {
        let counts = [81, 41, 21, 45, 45, 25, 45, 45, 25, 15];
        for (symmetry, count) in Symmetry::ALL.iter().zip(counts) {
            let orbits = symmetry.orbits();
            assert_eq!(orbits.len(), count, "{symmetry}");
            assert_eq!(orbits.iter().map(|orbit| orbit.len()).sum::<usize>(), Cell::COUNT);
            for orbit in orbits {
                assert!(orbit.cells().all(|cell| symmetry.orbit(cell) == orbit), "{symmetry}");
            }
        }
    }
}
