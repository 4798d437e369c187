//! The candidates of one puzzle, seen from the cells and from the houses.
//!
//! ```text
//!  cells[40]       = 0b000010010     cell 40 may hold 2 or 5
//!  places[4][0]    = 0b100000100     digit 5 fits positions 2 and 8 of row 0
//! ```
//!
//! A filled cell has no candidates. A removal updates one cell and three houses; if one candidate
//! or one position is left there, the single goes to a list. So singles are never searched for.

use super::tables::{BOXES, CELLS, HOUSE_BITS, HOUSES, HOUSES_OF, PEERS, POSITIONS, bits};
use crate::puzzle::{Cell, Grid, Puzzle, Sukaku};
use alloc::vec::Vec;

/// A cell and a digit (0 to 8).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct CellDigit {
    pub(super) cell: u8,
    pub(super) digit: u8,
}

impl CellDigit {
    #[expect(clippy::cast_possible_truncation, reason = "cells are below 81, digits below 9")]
    pub(super) const fn new(cell: usize, digit: usize) -> Self {
        Self { cell: cell as u8, digit: digit as u8 }
    }

    pub(super) fn cell(self) -> usize {
        usize::from(self.cell)
    }

    pub(super) fn digit(self) -> usize {
        usize::from(self.digit)
    }
}

/// The candidates, the empty cells and the singles found so far.
#[derive(Debug)]
pub(super) struct SolvingBoard {
    /// The candidates of each cell, a bit for each digit; none in a filled cell.
    pub(super) cells: [u16; 81],
    /// `places[digit][house]`: the positions at which the digit fits. 27 of 32 are used.
    pub(super) places: [[u16; 32]; 9],
    /// How many cells of each house are empty.
    pub(super) empty: [u8; HOUSES],
    /// How many cells hold each digit.
    pub(super) placed: [u8; 9],
    /// How many cells are empty.
    pub(super) unfilled: usize,
    /// Whether an empty cell has no candidate.
    pub(super) broken: bool,
    /// Hidden singles of boxes and of lines. An entry is void once its cell lost the digit.
    pub(super) box_singles: Vec<CellDigit>,
    pub(super) line_singles: Vec<CellDigit>,
    /// Cells with one candidate. An entry is void once its cell is filled.
    pub(super) naked_singles: Vec<u8>,
    /// Digits and houses with a removal since the caller cleared them.
    pub(super) changed_digits: u16,
    pub(super) changed_houses: u32,
}

/// The cells of a puzzle that are filled; of a sukaku those with one candidate that no cell that they see has.
pub(super) fn clues_of(puzzle: &Puzzle) -> Grid {
    let sukaku = match puzzle {
        Puzzle::Grid(grid) => return *grid,
        Puzzle::Sukaku(sukaku) => sukaku,
    };
    let mut clues = Grid::EMPTY;
    for cell in Cell::all() {
        let single = sukaku.get(cell);
        let is_seen = |peer: &Cell| !sukaku.get(*peer).intersection(single).is_empty();
        if single.len() == 1 && !cell.peers().iter().any(is_seen) {
            clues.set(cell, single.first());
        }
    }
    clues
}

impl SolvingBoard {
    pub(super) const fn new() -> Self {
        Self {
            cells: [0; 81],
            places: [[0; 32]; 9],
            empty: [9; HOUSES],
            placed: [0; 9],
            unfilled: 81,
            broken: false,
            box_singles: Vec::new(),
            line_singles: Vec::new(),
            naked_singles: Vec::new(),
            changed_digits: 0x1ff,
            changed_houses: (1 << HOUSES) - 1,
        }
    }

    /// Sets up a puzzle and finds its first singles.
    pub(super) fn load(&mut self, puzzle: &Puzzle) {
        match puzzle {
            Puzzle::Grid(grid) => self.fill(grid, None),
            Puzzle::Sukaku(sukaku) => self.fill(&clues_of(puzzle), Some(sukaku)),
        }
    }

    /// Sets up a grid whose blanks have the candidates of a sukaku, or all that the rules allow.
    #[inline]
    fn fill(&mut self, grid: &Grid, sukaku: Option<&Sukaku>) {
        let mut used = [0u16; HOUSES];
        self.empty = [9; HOUSES];
        self.placed = [0; 9];
        self.unfilled = 81;
        self.broken = false;
        for (cell, &value) in grid.values().iter().enumerate() {
            if value != 0 {
                for house in HOUSES_OF[cell].map(usize::from) {
                    self.broken |= used[house] >> (value - 1) & 1 != 0;
                    used[house] |= 1 << (value - 1);
                    self.empty[house] -= 1;
                }
                self.placed[usize::from(value) - 1] += 1;
                self.unfilled -= 1;
            }
        }
        self.box_singles.clear();
        self.line_singles.clear();
        self.naked_singles.clear();
        self.places = [[0; 32]; 9];
        for (cell, &value) in grid.values().iter().enumerate() {
            let [row, column, in_box] = HOUSES_OF[cell].map(usize::from);
            let allowed = sukaku.map_or(0x1ff, |sukaku| sukaku.values()[cell].bits());
            let free = !(used[row] | used[column] | used[in_box]) & allowed;
            let candidates = if value == 0 { free } else { 0 };
            self.cells[cell] = candidates;
            for digit in bits(candidates) {
                for (house, position) in HOUSES_OF[cell].into_iter().zip(POSITIONS[cell]) {
                    self.places[digit][usize::from(house)] |= 1 << position;
                }
            }
            if value == 0 {
                self.broken |= candidates == 0;
                if candidates.is_power_of_two() {
                    #[expect(clippy::cast_possible_truncation, reason = "under 81")]
                    self.naked_singles.push(cell as u8);
                }
            }
        }
        for digit in 0..9 {
            for house in 0..HOUSES {
                self.note_hidden_single(digit, house);
            }
        }
        self.changed_digits = 0x1ff;
        self.changed_houses = (1 << HOUSES) - 1;
    }

    #[inline]
    fn note_hidden_single(&mut self, digit: usize, house: usize) {
        let places = self.places[digit][house];
        if places.is_power_of_two() {
            let cell = CELLS[house][places.trailing_zeros() as usize];
            let single = CellDigit::new(usize::from(cell), digit);
            if house < BOXES {
                self.line_singles.push(single);
            } else {
                self.box_singles.push(single);
            }
        }
    }

    /// Removes a candidate if the cell has it.
    #[inline]
    pub(super) fn remove(&mut self, cell: usize, digit: usize) {
        let bit = 1 << digit;
        if self.cells[cell] & bit == 0 {
            return;
        }
        self.cells[cell] &= !bit;
        let left = self.cells[cell];
        self.broken |= left == 0;
        if left.is_power_of_two() {
            #[expect(clippy::cast_possible_truncation, reason = "under 81")]
            self.naked_singles.push(cell as u8);
        }
        self.changed_digits |= bit;
        self.changed_houses |= HOUSE_BITS[cell];
        self.clear_places(cell, digit);
    }

    /// Removes all candidates of a mask that the cell has. Returns whether it had one.
    #[inline]
    pub(super) fn remove_all(&mut self, cell: usize, digits: u16) -> bool {
        let gone = self.cells[cell] & digits;
        bits(gone).for_each(|digit| self.remove(cell, digit));
        gone != 0
    }

    /// Removes candidates of these cells. Returns whether one of them had any.
    pub(super) fn remove_each<C: Into<usize>>(
        &mut self,
        removals: impl IntoIterator<Item = (C, u16)>,
    ) -> bool {
        let mut any = false;
        for (cell, digits) in removals {
            any |= self.remove_all(cell.into(), digits);
        }
        any
    }

    #[inline]
    fn clear_places(&mut self, cell: usize, digit: usize) {
        for (house, position) in HOUSES_OF[cell].into_iter().zip(POSITIONS[cell]) {
            let house = usize::from(house);
            let places = &mut self.places[digit][house];
            // Placing clears the houses of the cell first: then nothing is left to note here.
            if *places != 0 {
                *places &= !(1 << position);
                self.note_hidden_single(digit, house);
            }
        }
    }

    /// Fills a cell with one of its candidates.
    pub(super) fn place(&mut self, cell: usize, digit: usize) {
        let others = self.cells[cell] & !(1 << digit);
        self.cells[cell] = 0;
        self.unfilled -= 1;
        self.placed[digit] += 1;
        self.changed_digits |= others | 1 << digit;
        self.changed_houses |= HOUSE_BITS[cell];
        for house in HOUSES_OF[cell].map(usize::from) {
            self.empty[house] -= 1;
            self.places[digit][house] = 0;
        }
        bits(others).for_each(|digit| self.clear_places(cell, digit));
        for peer in PEERS[cell] {
            self.remove(usize::from(peer), digit);
        }
    }

    /// The single of a house with one empty cell.
    pub(super) fn last_cell(&self) -> Option<CellDigit> {
        let house = self.empty.iter().position(|&empty| empty == 1)?;
        let mut cells = CELLS[house].into_iter().map(usize::from);
        let cell = cells.find(|&cell| self.cells[cell] != 0)?;
        Some(CellDigit::new(cell, self.cells[cell].trailing_zeros() as usize))
    }

    /// Whether a single found earlier can still be placed.
    pub(super) fn holds(&self, single: CellDigit) -> bool {
        self.cells[single.cell()] >> single.digit & 1 != 0
    }

    /// The candidates of the cells of a house, by position.
    #[inline]
    pub(super) fn house(&self, house: usize) -> [u16; 9] {
        CELLS[house].map(|cell| self.cells[usize::from(cell)])
    }

    /// The positions of the digits in a house, by digit.
    #[inline]
    pub(super) fn places_of_digits(&self, house: usize) -> [u16; 9] {
        core::array::from_fn(|digit| self.places[digit][house])
    }

    /// The cells that a predicate accepts, by their candidates.
    pub(super) fn cells_with(&self, accepts: impl Fn(u16) -> bool) -> u128 {
        cells_where(&self.cells, accepts)
    }

    /// The cells whose candidates are not these.
    pub(super) fn cells_unlike(&self, cells: &[u16; 81]) -> u128 {
        let changes = core::array::from_fn(|cell| self.cells[cell] ^ cells[cell]);
        cells_where(&changes, |change| change != 0)
    }

    /// The cells that can hold a digit.
    pub(super) fn cells_of_digit(&self, digit: usize) -> u128 {
        let rows = self.places[digit][..9].iter().rev();
        rows.fold(0, |set, &places| set << 9 | u128::from(places))
    }
}

/// The cells whose bits a predicate accepts.
fn cells_where(cells: &[u16; 81], accepts: impl Fn(u16) -> bool) -> u128 {
    let (low, high) = cells.split_at(64);
    let [low, high] = [low, high].map(|cells| {
        let accepted = |set, (cell, &bits)| set | u64::from(accepts(bits)) << cell;
        cells.iter().enumerate().fold(0u64, accepted)
    });
    u128::from(low) | u128::from(high) << 64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::puzzle::parse;
    use alloc::string::String;

    impl SolvingBoard {
        /// An empty grid in which some cells have these candidates only: `("r1c3", "257")`.
        pub(in super::super) fn of_candidates(cells: &[(&str, &str)]) -> Self {
            let mut board = Self::new();
            board.load(&Grid::EMPTY.into());
            for &(name, digits) in cells {
                let kept = digits.bytes().fold(0, |set, digit| set | 1 << (digit - b'1'));
                board.remove_all(cell_named(name), !kept);
            }
            board
        }

        /// The candidates of a cell.
        pub(in super::super) fn candidates(&self, name: &str) -> String {
            let digits = bits(self.cells[cell_named(name)]);
            digits.map(|digit| char::from(b"123456789"[digit])).collect()
        }

        /// Removes a digit from cells.
        pub(in super::super) fn strike(
            &mut self,
            digit: usize,
            names: impl IntoIterator<Item = usize>,
        ) {
            for cell in names {
                self.remove(cell, digit - 1);
            }
        }
    }

    /// The number of a cell: `r1c3` is 2.
    fn cell_named(name: &str) -> usize {
        let name = name.as_bytes();
        usize::from(name[1] - b'1') * 9 + usize::from(name[3] - b'1')
    }

    /// Everything that is kept up to date says the same as the cells.
    fn check(board: &SolvingBoard) {
        for (house, cells) in CELLS.iter().enumerate() {
            for digit in 0..9 {
                for (position, &cell) in cells.iter().enumerate() {
                    let fits = board.cells[usize::from(cell)] >> digit & 1 != 0;
                    assert_eq!(board.places[digit][house] >> position & 1 != 0, fits);
                }
            }
        }
    }

    #[test]
    fn cells_and_houses_agree_while_singles_are_placed() {
        let line =
            b"53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
        let mut board = SolvingBoard::new();
        board.load(&parse::line(line).unwrap().into());
        check(&board);
        assert_eq!(board.unfilled, 51);
        while let Some(single) = board.box_singles.pop().or_else(|| board.line_singles.pop()) {
            if board.holds(single) {
                board.place(usize::from(single.cell), usize::from(single.digit));
                check(&board);
            }
        }
        assert_eq!(board.unfilled, 0);
        assert_eq!(board.placed, [9; 9]);
    }

    #[test]
    fn the_last_empty_cell_of_a_house_is_found() {
        let line =
            b"12345678.........................................................................";
        let mut board = SolvingBoard::new();
        board.load(&parse::line(line).unwrap().into());
        let single = board.last_cell().unwrap();
        assert_eq!((single.cell, single.digit), (8, 8));
        assert_eq!(board.naked_singles, [8]);
    }
}
