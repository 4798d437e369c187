//! Symmetries of where the clues are: cells that come or go together.

use crate::puzzle::{Cell, CellSet};
use std::fmt;
use std::str::FromStr;

/// What the places of a puzzle's clues look the same after.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Symmetry {
    /// Nothing.
    #[default]
    None,
    /// Half a turn.
    Rotate,
    /// A quarter of a turn.
    Quarter,
    /// Left and right exchanged.
    Mirror,
    /// Top and bottom exchanged.
    Flip,
    /// Either of the two.
    Mirrors,
    /// Rows and columns exchanged.
    Diagonal,
    /// The same over the other diagonal.
    Antidiagonal,
    /// Either of the two.
    Diagonals,
    /// Each of these.
    Full,
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
    /// All of them.
    pub const ALL: [Self; 10] = [
        Self::None,
        Self::Rotate,
        Self::Quarter,
        Self::Mirror,
        Self::Flip,
        Self::Mirrors,
        Self::Diagonal,
        Self::Antidiagonal,
        Self::Diagonals,
        Self::Full,
    ];

    /// The name that `--symmetry` takes.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Rotate => "rotate",
            Self::Quarter => "quarter",
            Self::Mirror => "mirror",
            Self::Flip => "flip",
            Self::Mirrors => "mirrors",
            Self::Diagonal => "diagonal",
            Self::Antidiagonal => "antidiagonal",
            Self::Diagonals => "diagonals",
            Self::Full => "full",
        }
    }

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
    #[must_use]
    pub fn orbit(self, cell: Cell) -> CellSet {
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
    #[must_use]
    pub fn orbits(self) -> Vec<CellSet> {
        let firsts = Cell::all().map(|cell| (cell, self.orbit(cell)));
        firsts.filter(|(cell, orbit)| orbit.cells().next() == Some(*cell)).map(|it| it.1).collect()
    }
}

impl fmt::Display for Symmetry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// No symmetry has this name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownSymmetry(String);

impl fmt::Display for UnknownSymmetry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = Symmetry::ALL.map(Symmetry::name).join(", ");
        write!(f, "expected one of {names}, found '{}'", self.0)
    }
}

impl std::error::Error for UnknownSymmetry {}

impl FromStr for Symmetry {
    type Err = UnknownSymmetry;

    fn from_str(name: &str) -> Result<Self, UnknownSymmetry> {
        let mut all = Self::ALL.into_iter();
        all.find(|symmetry| symmetry.name() == name).ok_or_else(|| UnknownSymmetry(name.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How many orbits there are follows by counting cells that stay (Burnside).
    #[test]
    fn orbits_share_no_cell_and_cover_the_grid() {
        let counts = [81, 41, 21, 45, 45, 25, 45, 45, 25, 15];
        for (symmetry, count) in Symmetry::ALL.into_iter().zip(counts) {
            let orbits = symmetry.orbits();
            assert_eq!(orbits.len(), count, "{symmetry}");
            assert_eq!(orbits.iter().map(|orbit| orbit.len()).sum::<usize>(), Cell::COUNT);
            for orbit in orbits {
                assert!(orbit.cells().all(|cell| symmetry.orbit(cell) == orbit), "{symmetry}");
            }
        }
    }

    #[test]
    fn every_symmetry_is_found_by_its_name() {
        for symmetry in Symmetry::ALL {
            assert_eq!(symmetry.name().parse(), Ok(symmetry));
        }
        assert!("oblique".parse::<Symmetry>().is_err());
    }
}
