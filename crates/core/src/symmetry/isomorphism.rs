//! One transformation of the group: new digits, rows and columns, and perhaps a transposition.
//!
//! ```text
//!          transpose?        rows, columns          digits
//!   grid ────────────► rows ─────────────► moved ─────────► result
//!
//!   result[r][c] = digits[ source[rows[r]][columns[c]] ]
//! ```
//!
//! The lists say where a line of the result *comes from*; the digits say what a value *becomes*.
//! The value has 29 bytes and is [`Copy`]. Composing and inverting touch 28 of them; only
//! applying it touches 81 cells.

use crate::names::NameSet;
use crate::puzzle::{Cell, Digit, DigitSet, Grid, Puzzle, Random, Randomness, Sukaku};

crate::named_enum! {
    /// A kind of change that a transformation makes.
    pub enum Change, "kind" {
        Digits = "digits", "relabel the digits";
        Rows = "rows", "permute the bands, and the rows in each";
        Columns = "columns", "permute the stacks, and the columns in each";
        Transpose = "transpose", "exchange rows and columns";
    }
}

/// A transformation that keeps the rules: it maps sudokus to sudokus.
///
/// The text form is described at [`FromStr`](#impl-FromStr-for-Isomorphism).
///
/// ```
/// use ninefold_core::puzzle::{Random, parse};
/// use ninefold_core::symmetry::Isomorphism;
///
/// let puzzle = parse::line(&[b'.'; 81])?;
/// let map = Isomorphism::random(&mut Random::new(1));
/// let back = map.inverse();
/// assert_eq!(map.then(&back), Isomorphism::IDENTITY);
/// assert_eq!(back.apply(&map.apply(&puzzle)), puzzle);
/// # Ok::<(), ninefold_core::puzzle::ParseError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Isomorphism {
    /// What each value becomes. A blank (0) stays a blank.
    values: [u8; 10],
    /// The source row of each row, after the transposition.
    rows: [u8; 9],
    /// The source column of each column, after the transposition.
    columns: [u8; 9],
    /// Whether the grid is transposed first.
    transposed: bool,
}

impl Isomorphism {
    /// Changes nothing.
    pub const IDENTITY: Self = Self {
        values: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
        rows: [0, 1, 2, 3, 4, 5, 6, 7, 8],
        columns: [0, 1, 2, 3, 4, 5, 6, 7, 8],
        transposed: false,
    };

    /// Exchanges rows and columns.
    pub const TRANSPOSE: Self = Self { transposed: true, ..Self::IDENTITY };

    /// The transformation by which digit `d` becomes `digits[d - 1]`, row `r` comes from row
    /// `rows[r]` and column `c` from column `columns[c]`.
    ///
    /// `TRANSPOSE.then(&new(…))` transposes first.
    ///
    /// Returns `None` if a digit, row or column is missing, or if lines of one band or stack do
    /// not stay together.
    pub fn new(digits: [Digit; 9], rows: [usize; 9], columns: [usize; 9]) -> Option<Self> {
        let all = digits.iter().fold(0, |all, digit| all | 1u16 << digit.value());
        if all != 0x3fe {
            return None;
        }
        let mut map = Self { rows: lines(rows)?, columns: lines(columns)?, ..Self::IDENTITY };
        for (value, digit) in map.values[1..].iter_mut().zip(digits) {
            *value = digit.value();
        }
        Some(map)
    }

    /// The transformation of parts that the caller has seen to be permutations that keep bands.
    pub(super) fn of_parts(
        values: [u8; 10],
        rows: [u8; 9],
        columns: [u8; 9],
        transposed: bool,
    ) -> Self {
        debug_assert!(lines(rows.map(usize::from)).is_some(), "{rows:?}");
        debug_assert!(lines(columns.map(usize::from)).is_some(), "{columns:?}");
        Self { values, rows, columns, transposed }
    }

    /// The transformation whose parts are the first bytes of tables, with what digits become in the upper halves.
    #[inline(always)]
    pub(super) fn of_tables(
        values: [u8; 16],
        rows: [u8; 9],
        columns: [u8; 16],
        transposed: bool,
    ) -> Self {
        let values = core::array::from_fn(|digit| values[digit] >> 4);
        Self::of_parts(values, rows, *columns.first_chunk().expect("16 bytes"), transposed)
    }

    /// What the values become, and the sources of rows and columns; padded for look-ups.
    #[inline(always)]
    pub(super) fn tables(&self) -> ([u8; 16], &[u8; 9], [u8; 16]) {
        let (mut values, mut columns) = ([0; 16], [0; 16]);
        values[..10].copy_from_slice(&self.values);
        columns[..9].copy_from_slice(&self.columns);
        (values, &self.rows, columns)
    }

    /// A random transformation, uniformly distributed, from a seed or a generator ([`Randomness`]).
    pub fn random(random: impl Randomness) -> Self {
        Self::random_of(NameSet::ALL, random)
    }

    /// A random transformation of these kinds, uniformly distributed.
    pub fn random_of(changes: NameSet<Change>, random: impl Randomness) -> Self {
        random.draw(|random| {
            let mut map = Self::IDENTITY;
            if changes.contains(Change::Digits) {
                let digits = random.order::<9>().map(|digit| Digit::ALL[digit].value());
                map.values[1..].copy_from_slice(&digits);
            }
            if changes.contains(Change::Rows) {
                map.rows = random_lines(random);
            }
            if changes.contains(Change::Columns) {
                map.columns = random_lines(random);
            }
            if changes.contains(Change::Transpose) {
                map.transposed = random.below(2) == 1;
            }
            map
        })
    }

    /// What a digit becomes.
    ///
    /// # Panics
    /// Never: a digit becomes a digit.
    pub fn digit(&self, digit: Digit) -> Digit {
        Digit::new(self.values[usize::from(digit.value())]).expect("a digit becomes a digit")
    }

    /// The source row of each row: a row of the grid, or a column if it is transposed first.
    pub fn rows(&self) -> [usize; 9] {
        self.rows.map(usize::from)
    }

    /// The source column of each column: a column of the grid, or a row if it is transposed first.
    pub fn columns(&self) -> [usize; 9] {
        self.columns.map(usize::from)
    }

    /// Whether the grid is transposed first.
    pub const fn is_transposed(&self) -> bool {
        self.transposed
    }

    /// The transformation that applies `self`, then `next`.
    pub fn then(&self, next: &Self) -> Self {
        // Two transpositions cancel; one exchanges what the rows and the columns of `self` are.
        let (rows, columns) =
            if next.transposed { (&self.columns, &self.rows) } else { (&self.rows, &self.columns) };
        Self {
            values: self.values.map(|value| next.values[usize::from(value)]),
            rows: next.rows.map(|row| rows[usize::from(row)]),
            columns: next.columns.map(|column| columns[usize::from(column)]),
            transposed: self.transposed != next.transposed,
        }
    }

    /// The transformation that undoes this one.
    pub fn inverse(&self) -> Self {
        let (rows, columns) = (inverted(&self.rows), inverted(&self.columns));
        let (rows, columns) = if self.transposed { (columns, rows) } else { (rows, columns) };
        Self { values: inverted(&self.values), rows, columns, transposed: self.transposed }
    }

    /// The grid after the transposition, the new order of rows and columns, and the new digits.
    pub fn apply(&self, grid: &Grid) -> Grid {
        // Rows of 16, so that no index below needs a check.
        let mut padded = [[0u8; 16]; 9];
        let (rows, _) = grid.values().as_chunks::<9>();
        if self.transposed {
            for (column, row) in rows.iter().enumerate() {
                for (padded, &value) in padded.iter_mut().zip(row) {
                    padded[column] = value;
                }
            }
        } else {
            for (padded, row) in padded.iter_mut().zip(rows) {
                padded[..9].copy_from_slice(row);
            }
        }
        let mut values = [0u8; 16];
        values[..10].copy_from_slice(&self.values);
        let mut moved = [0; Cell::COUNT];
        for (row, &source) in moved.as_chunks_mut::<9>().0.iter_mut().zip(&self.rows) {
            let source = &padded[usize::from(source)];
            for (value, &column) in row.iter_mut().zip(&self.columns) {
                *value = values[usize::from(source[usize::from(column & 15)] & 15)];
            }
        }
        Grid::from_checked_values(moved)
    }

    /// The transformed sukaku: candidates move with their cells and change with the digits.
    pub fn apply_to_sukaku(&self, sukaku: &Sukaku) -> Sukaku {
        let mut moved = Sukaku::FULL;
        for cell in Cell::all() {
            moved.set(cell, self.digits(sukaku.get(self.source_of(cell))));
        }
        moved
    }

    /// The transformed puzzle.
    pub fn apply_to_puzzle(&self, puzzle: &Puzzle) -> Puzzle {
        match puzzle {
            Puzzle::Grid(grid) => Puzzle::Grid(self.apply(grid)),
            Puzzle::Sukaku(sukaku) => Puzzle::Sukaku(self.apply_to_sukaku(sukaku)),
        }
    }

    /// What a set of digits becomes.
    pub(crate) fn digits(&self, set: DigitSet) -> DigitSet {
        set.into_iter().map(|digit| self.digit(digit)).collect()
    }

    /// The cell that moves to a cell.
    pub(crate) fn source_of(&self, cell: Cell) -> Cell {
        let row = usize::from(self.rows[cell.row()]);
        let column = usize::from(self.columns[cell.column()]);
        Cell::new(if self.transposed { 9 * column + row } else { 9 * row + column })
    }
}

impl Default for Isomorphism {
    /// Changes nothing.
    fn default() -> Self {
        Self::IDENTITY
    }
}

/// The inverse of a permutation of 0 to `N - 1`.
#[expect(clippy::cast_possible_truncation, reason = "N is 9 or 10")]
fn inverted<const N: usize>(order: &[u8; N]) -> [u8; N] {
    let mut inverse = [0; N];
    for (place, &from) in order.iter().enumerate() {
        inverse[usize::from(from)] = place as u8;
    }
    inverse
}

/// The lines, if each of the nine comes once and the three of each band stay together.
#[expect(clippy::cast_possible_truncation, reason = "under 9")]
fn lines(lines: [usize; 9]) -> Option<[u8; 9]> {
    let inside = lines.iter().all(|&line| line < 9);
    let once = lines.iter().fold(0, |all, &line| all | 1u16 << (line & 15)) == 0x1ff;
    let together = lines.chunks(3).all(|three| three.iter().all(|l| l / 3 == three[0] / 3));
    (inside && once && together).then(|| lines.map(|line| line as u8))
}

/// The source of each of nine rows, or columns.
#[expect(clippy::cast_possible_truncation, reason = "under 9")]
fn random_lines(random: &mut Random) -> [u8; 9] {
    let bands = random.order::<3>();
    let inner = [(); 3].map(|()| random.order::<3>());
    core::array::from_fn(|line| (bands[line / 3] * 3 + inner[line / 3][line % 3]) as u8)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::puzzle::{House, parse};
    use std::collections::HashSet;

    const PUZZLE: &[u8; 81] =
        b"53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
    const LINES: [usize; 9] = [0, 1, 2, 3, 4, 5, 6, 7, 8];

    impl Isomorphism {
        /// The cell to which a cell moves.
        fn apply_to_cell(&self, cell: Cell) -> Cell {
            let (row, column) = self.turned(cell);
            let place = |lines: &[u8; 9], line: usize| {
                lines.iter().position(|&other| usize::from(other) == line).expect("a permutation")
            };
            Cell::new(9 * place(&self.rows, row) + place(&self.columns, column))
        }

        /// The row and column of a cell after the transposition.
        const fn turned(&self, cell: Cell) -> (usize, usize) {
            let (row, column) = (cell.row(), cell.column());
            if self.transposed { (column, row) } else { (row, column) }
        }
    }

    fn grid(line: &[u8]) -> Grid {
        parse::line(line).unwrap()
    }

    #[test]
    fn isomorphisms_are_a_group() {
        let puzzle = grid(PUZZLE);
        let mut random = Random::new(1);
        let identity = Isomorphism::IDENTITY;
        assert_eq!(identity.apply(&puzzle), puzzle);
        for round in 0..1000 {
            let [one, two, three] = [(); 3].map(|()| Isomorphism::random(&mut random));
            assert_eq!(one.then(&two).apply(&puzzle), two.apply(&one.apply(&puzzle)), "{round}");
            assert_eq!(one.then(&two).then(&three), one.then(&two.then(&three)), "{round}");
            assert_eq!(one.then(&identity), one, "{round}");
            assert_eq!(identity.then(&one), one, "{round}");
            assert_eq!(one.then(&one.inverse()), identity, "{round}");
            assert_eq!(one.inverse().then(&one), identity, "{round}");
        }
    }

    #[test]
    fn cells_and_sukakus_move_as_grids_do() {
        let (puzzle, mut random) = (grid(PUZZLE), Random::new(2));
        for round in 0..100 {
            let map = Isomorphism::random(&mut random);
            let changed = map.apply(&puzzle);
            for cell in Cell::all() {
                let expected = puzzle.get(cell).map(|digit| map.digit(digit));
                assert_eq!(changed.get(map.apply_to_cell(cell)), expected, "{round}");
            }
            let sukaku = Sukaku::from(&puzzle);
            assert_eq!(map.apply_to_sukaku(&sukaku), Sukaku::from(&changed), "{round}");
            let mut some = Sukaku::FULL;
            for cell in Cell::all() {
                some.set(cell, DigitSet::from_bits(u16::try_from(random.below(512)).unwrap()));
            }
            let moved = map.apply_to_sukaku(&some);
            for cell in Cell::all() {
                for digit in Digit::ALL {
                    let there = moved.get(map.apply_to_cell(cell)).contains(map.digit(digit));
                    assert_eq!(there, some.get(cell).contains(digit), "{round}");
                }
            }
        }
    }

    /// Which cells share a house is what makes a sudoku; judged by the geometry alone.
    #[test]
    fn cells_that_share_a_house_share_one_afterwards() {
        let houses: HashSet<_> = House::all().map(House::cells).collect();
        for seed in 0..200 {
            let map = Isomorphism::random(&mut Random::new(seed));
            for house in House::all() {
                let mut cells = house.cells().map(|cell| map.apply_to_cell(cell));
                cells.sort();
                assert!(houses.contains(&cells), "seed {seed}, {house}");
            }
        }
    }

    /// `augment` and seeds in published files depend on this.
    #[test]
    fn random_isomorphisms_of_a_seed_never_change() {
        let mut random = Random::new(7);
        let (puzzle, mut hash) = (grid(PUZZLE), 0u64);
        for _ in 0..5000 {
            for &value in Isomorphism::random(&mut random).apply(&puzzle).values() {
                hash = hash.wrapping_mul(0x100_0000_01b3) ^ u64::from(value);
            }
        }
        assert_eq!((hash, random.next_u64()), (0x4560_ffea_1a86_0505, 16_821_652_019_373_885_153));
    }

    #[test]
    fn each_part_does_what_it_says() {
        let (swapped, bands) = ([1, 0, 2, 3, 4, 5, 6, 7, 8], [3, 4, 5, 0, 1, 2, 6, 7, 8]);
        let puzzle = grid(PUZZLE);
        let apply =
            |digits, rows, columns| Isomorphism::new(digits, rows, columns).unwrap().apply(&puzzle);
        let at = |row: usize, column: usize| puzzle.get(Cell::new(9 * row + column));
        let mut renamed = Digit::ALL;
        renamed.swap(4, 2);
        for cell in Cell::all() {
            let (row, column) = (cell.row(), cell.column());
            let all = Digit::ALL;
            assert_eq!(apply(all, swapped, LINES).get(cell), at(swapped[row], column));
            assert_eq!(apply(all, LINES, bands).get(cell), at(row, bands[column]));
            assert_eq!(Isomorphism::TRANSPOSE.apply(&puzzle).get(cell), at(column, row));
            let digit = at(row, column).map(|digit| renamed[usize::from(digit.value()) - 1]);
            assert_eq!(apply(renamed, LINES, LINES).get(cell), digit);
        }
    }

    #[test]
    fn parts_that_break_the_rules_are_refused() {
        let wrong = [
            [0, 0, 2, 3, 4, 5, 6, 7, 8],
            [0, 1, 3, 2, 4, 5, 6, 7, 8],
            [0, 1, 9, 3, 4, 5, 6, 7, 8],
            [0, 1, 18, 3, 4, 5, 6, 7, 8],
        ];
        for wrong in wrong {
            assert_eq!(Isomorphism::new(Digit::ALL, wrong, LINES), None, "{wrong:?}");
            assert_eq!(Isomorphism::new(Digit::ALL, LINES, wrong), None, "{wrong:?}");
        }
        let mut twice = Digit::ALL;
        twice[0] = twice[1];
        assert_eq!(Isomorphism::new(twice, LINES, LINES), None);
    }
}
