//! Isomorphisms: they change a puzzle's appearance, but neither its number of solutions nor its
//! difficulty for a solver that treats all cells alike.
//!
//! ```text
//!   digits     renamed                                     9!
//!   bands      permuted; the three rows in each as well    3! · 3!^3
//!   stacks     permuted; the columns in each as well       3! · 3!^3
//!   the grid   transposed, or not                          2
//! ```
//!
//! There are `9! · 6^8 · 2`, 1.2 · 10^12 of them. Random ones show the average speed of solvers that
//! are lucky in one orientation.

use crate::puzzle::{Cell, Digit, Grid, Random, Solution};

/// A permutation of digits, rows and columns that keeps the rules.
///
/// ```
/// use ninefold_core::puzzle::{Grid, Random};
/// use ninefold_core::symmetry::Isomorphism;
///
/// let puzzle: Grid =
///     "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79".parse()?;
/// let change = Isomorphism::random(&mut Random::new(1));
/// let other = change.apply(&puzzle);
/// assert_eq!((other.clues(), ninefold_core::is_unique(&other)?), (30, true));
/// assert_eq!(change.inverse().apply(&other), puzzle);
///
/// let solution = ninefold_core::solve(&puzzle)?;
/// assert!(change.apply_to_solution(&solution).keeps_clues_of(&other));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Isomorphism {
    /// The new value of each value; a blank (0) stays a blank.
    values: [u8; 10],
    /// The cell that each cell's value comes from.
    sources: [u8; Cell::COUNT],
}

impl Isomorphism {
    /// The isomorphism that changes nothing.
    pub const IDENTITY: Self = {
        let (mut values, mut sources) = ([0; 10], [0; Cell::COUNT]);
        let mut index = 0;
        #[expect(clippy::cast_possible_truncation, reason = "under 81")]
        while index < Cell::COUNT {
            if index < 10 {
                values[index] = index as u8;
            }
            sources[index] = index as u8;
            index += 1;
        }
        Self { values, sources }
    };

    /// The isomorphism that replaces digit `d` by `digits[d - 1]`. Row `r` of the result comes from
    /// row `rows[r]`, and column `c` from column `columns[c]`.
    ///
    /// `None` if a digit, row or column is missing, or if lines of one band or stack are separated:
    /// then the rules would not be kept.
    ///
    /// ```
    /// use ninefold_core::puzzle::{Cell, Digit, Grid};
    /// use ninefold_core::symmetry::Isomorphism;
    ///
    /// let lines = [0, 1, 2, 3, 4, 5, 6, 7, 8];
    /// let swapped = [1, 0, 2, 3, 4, 5, 6, 7, 8];
    /// let change = Isomorphism::new(Digit::ALL, swapped, lines).expect("rows 1 and 2 share a band");
    /// let mut grid = Grid::EMPTY;
    /// grid.set(Cell::new(9), Digit::new(5));
    /// assert_eq!(change.apply(&grid).get(Cell::new(0)), Digit::new(5));
    /// assert_eq!(Isomorphism::new(Digit::ALL, [0, 1, 3, 2, 4, 5, 6, 7, 8], lines), None);
    /// ```
    #[must_use]
    pub fn new(digits: [Digit; 9], rows: [usize; 9], columns: [usize; 9]) -> Option<Self> {
        let all = digits.iter().fold(0, |all, digit| all | 1u16 << digit.value());
        if all != 0x3fe || !keeps_bands(&rows) || !keeps_bands(&columns) {
            return None;
        }
        let mut change = Self::IDENTITY;
        for (value, digit) in change.values[1..].iter_mut().zip(digits) {
            *value = digit.value();
        }
        for (cell, source) in Cell::all().zip(&mut change.sources) {
            let (row, column) = (rows[cell.row()], columns[cell.column()]);
            *source = u8::try_from(row * 9 + column).ok()?;
        }
        Some(change)
    }

    /// This isomorphism after a transposition: row `r` of the result comes from column `rows[r]` of
    /// the grid, and column `c` from row `columns[c]`.
    ///
    /// ```
    /// use ninefold_core::puzzle::{Cell, Digit, Grid};
    /// use ninefold_core::symmetry::Isomorphism;
    ///
    /// let mut grid = Grid::EMPTY;
    /// grid.set(Cell::new(1), Digit::new(5));
    /// let transposed = Isomorphism::IDENTITY.transposed().apply(&grid);
    /// assert_eq!(transposed.get(Cell::new(9)), Digit::new(5));
    /// ```
    #[must_use]
    pub fn transposed(mut self) -> Self {
        for source in &mut self.sources {
            *source = *source % 9 * 9 + *source / 9;
        }
        self
    }

    /// A random isomorphism; all have the same probability.
    ///
    /// # Panics
    /// Never: [`Isomorphism::new`] gets permutations that keep bands and stacks together.
    #[must_use]
    pub fn random(random: &mut Random) -> Self {
        let digits = random.order::<9>().map(|digit| Digit::ALL[digit]);
        let (rows, columns) = (random_lines(random), random_lines(random));
        let change = Self::new(digits, rows, columns).expect("bands and stacks stay together");
        if random.below(2) == 1 { change.transposed() } else { change }
    }

    /// The image of a grid.
    #[must_use]
    pub fn apply(&self, grid: &Grid) -> Grid {
        let values = grid.values();
        let moved = self.sources.map(|source| values[usize::from(source)]);
        Grid::from_checked_values(moved.map(|value| self.values[usize::from(value)]))
    }

    /// The image of a solution. It solves the image of each puzzle that the solution solves.
    #[must_use]
    pub fn apply_to_solution(&self, solution: &Solution) -> Solution {
        Solution::from_proven_values(*self.apply(solution.grid()).values())
    }

    /// The isomorphism that reverts this one.
    #[must_use]
    #[expect(clippy::cast_possible_truncation, reason = "under 81")]
    pub fn inverse(&self) -> Self {
        let mut inverse = Self::IDENTITY;
        for (value, &becomes) in self.values.iter().enumerate() {
            inverse.values[usize::from(becomes)] = value as u8;
        }
        for (cell, &source) in self.sources.iter().enumerate() {
            inverse.sources[usize::from(source)] = cell as u8;
        }
        inverse
    }
}

/// Whether each of nine lines comes once, and three of one band come together.
fn keeps_bands(lines: &[usize; 9]) -> bool {
    let inside = lines.iter().all(|&line| line < 9);
    let once = lines.iter().fold(0, |all, &line| all | 1u16 << (line & 15)) == 0x1ff;
    inside && once && lines.chunks(3).all(|three| three.iter().all(|l| l / 3 == three[0] / 3))
}

/// Where each of nine rows, or columns, comes from.
fn random_lines(random: &mut Random) -> [usize; 9] {
    let bands = random.order::<3>();
    let inner = [(); 3].map(|()| random.order::<3>());
    core::array::from_fn(|line| bands[line / 3] * 3 + inner[line / 3][line % 3])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::puzzle::{House, parse, rules};
    use std::collections::HashSet;

    const PUZZLE: &[u8; 81] =
        b"53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
    const SOLVED: &[u8; 81] =
        b"534678912672195348198342567859761423426853791713924856961537284287419635345286179";

    fn grid(line: &[u8]) -> Grid {
        parse::line(line).unwrap()
    }

    #[test]
    fn a_solution_stays_one_and_keeps_the_clues() {
        let (puzzle, solution) = (grid(PUZZLE), Solution::try_from(grid(SOLVED)).unwrap());
        for seed in 0..1000 {
            let change = Isomorphism::random(&mut Random::new(seed));
            let changed = change.apply_to_solution(&solution);
            assert_eq!(rules::check_solved(changed.grid()), Ok(()), "seed {seed}");
            assert!(changed.keeps_clues_of(&change.apply(&puzzle)), "seed {seed}");
            assert_eq!(change.apply(&puzzle).clues(), puzzle.clues(), "seed {seed}");
        }
    }

    #[test]
    fn the_inverse_undoes_it_and_the_identity_does_nothing() {
        let puzzle = grid(PUZZLE);
        assert_eq!(Isomorphism::IDENTITY.apply(&puzzle), puzzle);
        for seed in 0..1000 {
            let change = Isomorphism::random(&mut Random::new(seed));
            assert_eq!(change.inverse().apply(&change.apply(&puzzle)), puzzle, "seed {seed}");
            assert_eq!(change.inverse().inverse(), change, "seed {seed}");
        }
    }

    #[test]
    fn random_ones_differ() {
        let mut random = Random::new(1);
        let seen: HashSet<_> =
            (0..1000).map(|_| Isomorphism::random(&mut random).sources).collect();
        // Of 3,359,232 moves of cells, a thousand are drawn: 0.15 are expected to come twice.
        assert!(seen.len() > 990);
    }

    /// Which cells share a house is what makes a Sudoku; judged by the geometry alone.
    #[test]
    fn cells_that_share_a_house_share_one_afterwards() {
        let houses: HashSet<_> = House::all().map(House::cells).collect();
        for seed in 0..200 {
            let change = Isomorphism::random(&mut Random::new(seed)).inverse();
            for house in House::all() {
                let mut cells =
                    house.cells().map(|cell| Cell::new(usize::from(change.sources[cell.index()])));
                cells.sort();
                assert!(houses.contains(&cells), "seed {seed}, {house}");
            }
        }
    }

    #[test]
    fn each_part_does_what_it_says() {
        let lines = [0, 1, 2, 3, 4, 5, 6, 7, 8];
        let (swapped, bands) = ([1, 0, 2, 3, 4, 5, 6, 7, 8], [3, 4, 5, 0, 1, 2, 6, 7, 8]);
        let puzzle = grid(PUZZLE);
        let change = |digits, rows, columns| Isomorphism::new(digits, rows, columns).unwrap();
        let apply = |digits, rows, columns| change(digits, rows, columns).apply(&puzzle);
        let at = |row: usize, column: usize| Cell::new(9 * row + column);
        let mut renamed = Digit::ALL;
        renamed.swap(4, 2);
        for cell in Cell::all() {
            let (row, column) = (cell.row(), cell.column());
            let all = Digit::ALL;
            assert_eq!(apply(all, swapped, lines).get(cell), puzzle.get(at(swapped[row], column)));
            assert_eq!(apply(all, lines, bands).get(cell), puzzle.get(at(row, bands[column])));
            assert_eq!(
                change(all, swapped, bands).transposed().apply(&puzzle).get(cell),
                puzzle.get(at(bands[column], swapped[row]))
            );
            let digit = puzzle.get(cell).map(|digit| renamed[usize::from(digit.value()) - 1]);
            assert_eq!(apply(renamed, lines, lines).get(cell), digit);
        }
    }

    #[test]
    fn what_breaks_the_rules_is_refused() {
        let lines = [0, 1, 2, 3, 4, 5, 6, 7, 8];
        let wrong = [
            [0, 0, 2, 3, 4, 5, 6, 7, 8],
            [0, 1, 3, 2, 4, 5, 6, 7, 8],
            [0, 1, 9, 3, 4, 5, 6, 7, 8],
            [0, 1, 18, 3, 4, 5, 6, 7, 8],
        ];
        for wrong in wrong {
            assert_eq!(Isomorphism::new(Digit::ALL, wrong, lines), None, "{wrong:?}");
            assert_eq!(Isomorphism::new(Digit::ALL, lines, wrong), None, "{wrong:?}");
        }
        let mut twice = Digit::ALL;
        twice[0] = twice[1];
        assert_eq!(Isomorphism::new(twice, lines, lines), None);
    }
}
