//! The candidates of one puzzle, and their propagation.
//!
//! One word of 27 bits for each digit in each band (three boxes side by side); bit `9 row +
//! column` of it is set while the digit is a candidate there.
//!
//! ```text
//! band 0, digit 5:   bit  0  1  2 |  3  4  5 |  6  7  8      a row has three triads,
//!                         9 10 11 | 12 13 14 | 15 16 17      a band has nine
//!                        18 19 20 | 21 22 23 | 24 25 26
//! ```
//!
//! For one digit, the rows and boxes of a band are a small pairing, and so are the columns and
//! bands of a stack (see `tables`). Cutting a digit down to what these pairings can use finds its
//! locked candidates and, as the only place of a row, its hidden singles. Between
//! digits, only one rule remains: a cell holds one digit.

use super::tables::{NINE, PAIRED, TRIADS, TURNED};
use crate::bits::bits;
use crate::puzzle::tables::{PEER_SETS, table};
use crate::puzzle::{Cell, Grid, Solution, Sukaku};

/// The 27 cells of a band.
pub(super) const ALL: u32 = (1 << 27) - 1;
/// The first cell of each row of a band.
const ROW_STARTS: u32 = 1 | 1 << 9 | 1 << 18;
/// A bit for each digit.
const DIGITS: u32 = 0o777;

/// The cells that a cell sees, and itself, in each band.
#[expect(clippy::cast_possible_truncation, reason = "a band has 27 cells")]
pub(super) const REACH: [[u32; 3]; Cell::COUNT] = table!([[0; 3]; Cell::COUNT], |index| {
    let reach = PEER_SETS[index] | 1 << index;
    [reach as u32 & ALL, (reach >> 27) as u32 & ALL, (reach >> 54) as u32]
});

/// The state of one puzzle.
#[derive(Clone, Copy, Debug)]
pub(super) struct BandBoard {
    /// The places of each digit: `[band][digit]`.
    pub(super) places: [[u32; 9]; 3],
    /// The cells whose digit is known, and taken from all other digits.
    pub(super) fixed: [u32; 3],
    /// A bit for each digit that lost a place since it was last cut down.
    dirty: u32,
}

impl BandBoard {
    /// The board of a legal puzzle.
    ///
    /// Each clue is taken from the other cells of its row and from the other digits of its
    /// cell; columns and boxes follow when its digit is first cut down.
    pub(super) fn new(puzzle: &Grid) -> Self {
        let mut board = Self { places: [[0; 9]; 3], fixed: [ALL; 3], dirty: DIGITS };
        for (band, values) in puzzle.values().chunks_exact(27).enumerate() {
            // Blanks have a word of their own: a branch would be guessed wrong every few cells.
            let mut clues = [0; 10];
            for (cell, &value) in values.iter().enumerate() {
                clues[usize::from(value)] |= 1 << cell;
            }
            let [blanks, clues @ ..] = clues;
            board.fixed[band] &= !blanks;
            board.places[band] = clues.map(|clues| clues | blanks & !filled_rows(clues));
        }
        board
    }

    /// The board of any sukaku.
    ///
    /// No cell is fixed: propagation finds the singles, fixes them and removes them from their peers.
    /// It does not assume that a cell or house has candidates, so nothing is checked here.
    pub(super) fn of(sukaku: &Sukaku) -> Self {
        let mut board = Self { places: [[0; 9]; 3], fixed: [0; 3], dirty: DIGITS };
        for (places, cells) in board.places.iter_mut().zip(sukaku.values().chunks_exact(27)) {
            for (cell, candidates) in cells.iter().enumerate() {
                for (digit, places) in places.iter_mut().enumerate() {
                    *places |= u32::from(candidates.bits() >> digit & 1) << cell;
                }
            }
        }
        board
    }

    /// Applies the rules until they find nothing more. `false` if the board has no solution.
    pub(super) fn propagate(&mut self) -> bool {
        loop {
            while self.dirty != 0 {
                let digit = self.dirty.trailing_zeros() as usize;
                self.dirty &= self.dirty - 1;
                if !self.cut_down(digit) {
                    return false;
                }
            }
            if !self.naked_singles() {
                return false;
            }
            if self.dirty == 0 {
                return true;
            }
        }
    }

    /// Keeps of one digit only the places that its rows, columns and boxes allow, and fixes the
    /// cells of rows that have one place left. `false` if a house has none.
    fn cut_down(&mut self, digit: usize) -> bool {
        let [mut top, mut middle, mut bottom] = self.places.map(|band| band[digit]);
        loop {
            top &= paired_rows(top);
            middle &= paired_rows(middle);
            bottom &= paired_rows(bottom);
            if top == 0 || middle == 0 || bottom == 0 {
                return false;
            }
            let columns = [top, middle, bottom].map(columns);
            let turned = columns.map(|columns| TURNED[columns as usize]);
            let keep_top = paired_columns(turned[1], turned[2]);
            let keep_middle = paired_columns(turned[0], turned[2]);
            let keep_bottom = paired_columns(turned[0], turned[1]);
            let gone =
                columns[0] & !keep_top | columns[1] & !keep_middle | columns[2] & !keep_bottom;
            if gone == 0 {
                break;
            }
            top &= keep_top * ROW_STARTS;
            middle &= keep_middle * ROW_STARTS;
            bottom &= keep_bottom * ROW_STARTS;
        }
        for (band, places) in [top, middle, bottom].into_iter().enumerate() {
            self.places[band][digit] = places;
            let new = lone_in_row(places) & !self.fixed[band];
            if new != 0 {
                self.fix(band, digit, new);
            }
        }
        true
    }

    /// Takes cells that belong to one digit from all others.
    fn fix(&mut self, band: usize, digit: usize, cells: u32) {
        self.fixed[band] |= cells;
        let own = self.places[band][digit];
        let mut changed = 0;
        for (other, places) in self.places[band].iter_mut().enumerate() {
            changed |= u32::from(*places & cells != 0) << other;
            *places &= !cells;
        }
        self.places[band][digit] = own;
        self.dirty |= changed & !(1 << digit);
    }

    /// Fixes the cells that have one candidate. `false` if a cell has none.
    fn naked_singles(&mut self) -> bool {
        for band in 0..3 {
            let (mut one, mut two) = (0, 0);
            for places in self.places[band] {
                two |= one & places;
                one |= places;
            }
            if one != ALL {
                return false;
            }
            let singles = one & !two & !self.fixed[band];
            if singles == 0 {
                continue;
            }
            self.fixed[band] |= singles;
            for digit in 0..9 {
                for cell in bits(self.places[band][digit] & singles) {
                    self.claim(27 * band + cell, digit);
                }
            }
        }
        true
    }

    /// Takes a digit from all cells that a cell sees, and keeps it in that cell.
    fn claim(&mut self, index: usize, digit: usize) {
        for (places, reach) in self.places.iter_mut().zip(REACH[index]) {
            places[digit] &= !reach;
        }
        self.places[index / 27][digit] |= 1 << (index % 27);
        self.dirty |= 1 << digit;
    }

    /// Places a digit in a blank.
    pub(super) fn place(&mut self, index: usize, digit: usize) {
        self.claim(index, digit);
        self.fix(index / 27, digit, 1 << (index % 27));
    }

    /// Takes all candidates of a blank away but these, a bit each.
    pub(super) fn keep(&mut self, index: usize, candidates: u16) {
        for digit in (0..9).filter(|digit| candidates >> digit & 1 == 0) {
            self.remove(index, digit);
        }
    }

    /// Takes a candidate away.
    pub(super) fn remove(&mut self, index: usize, digit: usize) {
        self.places[index / 27][digit] &= !(1 << (index % 27));
        self.dirty |= 1 << digit;
    }

    /// Whether every digit of a solution is a candidate.
    pub(super) fn has(&self, solution: &Solution) -> bool {
        let values = solution.grid().values();
        values.iter().enumerate().all(|(index, &value)| {
            self.places[index / 27][usize::from(value) - 1] >> (index % 27) & 1 != 0
        })
    }

    /// The candidates of each cell; bit `d` is the digit `d + 1`.
    pub(super) fn cells(&self) -> [u16; Cell::COUNT] {
        let mut cells = [0; Cell::COUNT];
        for (cells, places) in cells.chunks_exact_mut(27).zip(&self.places) {
            for (cell, candidates) in cells.iter_mut().enumerate() {
                for (digit, places) in places.iter().enumerate() {
                    *candidates |= u16::from(places >> cell & 1 != 0) << digit;
                }
            }
        }
        cells
    }

    /// The solution of a board on which every cell is fixed and no more conclusions can be drawn.
    ///
    /// Each cell then has one digit. Every digit was cut down after it last lost a place, so it
    /// has a place in each row: 81 places for 81 cells leave it just one in each, and the pairings
    /// put these into nine columns and nine boxes.
    pub(super) fn solution(&self) -> Solution {
        let grid = Grid::try_from(values_of(&self.places)).expect("digits");
        Solution::try_from(grid).expect("each digit has one place in every house")
    }
}

/// The digits that have these places. A cell without a place is blank.
pub(super) fn values_of(places: &[[u32; 9]; 3]) -> [u8; Cell::COUNT] {
    let mut values = [0; Cell::COUNT];
    for (values, places) in values.chunks_exact_mut(27).zip(places) {
        for (value, &places) in (1..).zip(places) {
            bits(places).for_each(|cell| values[cell] = value);
        }
    }
    values
}

/// The cells of a band's digit that some pairing of its rows with its boxes can use.
fn paired_rows(places: u32) -> u32 {
    let triads = |shift: u32| u32::from(TRIADS[(places >> shift & NINE) as usize]);
    PAIRED[(triads(0) | triads(9) << 3 | triads(18) << 6) as usize]
}

/// The columns in which a digit of a band has a place.
fn columns(places: u32) -> u32 {
    (places | places >> 9 | places >> 18) & NINE
}

/// The columns of a band that some pairing of columns with the bands of their stack can use,
/// given the columns of the other two bands, turned.
fn paired_columns(one: u32, two: u32) -> u32 {
    let both = one & two.rotate_left(16);
    (both | both >> 16) & NINE
}

/// The cells that are the only ones of their rows. No row may be empty.
fn lone_in_row(places: u32) -> u32 {
    // No row is empty, so that subtracting one from each borrows from none.
    places & !filled_rows(places & (places - ROW_STARTS))
}

/// All cells of the rows that hold at least one of these.
fn filled_rows(cells: u32) -> u32 {
    // Adding 511 to a row reaches bit 9 unless the row is empty.
    let row = |shift: u32| ((cells >> shift & NINE) + NINE) >> 9 << shift;
    (row(0) | row(9) | row(18)) * NINE
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::puzzle::parse;

    fn board(line: &[u8; 81]) -> BandBoard {
        BandBoard::new(&parse::line(line).unwrap())
    }

    #[test]
    fn singles_and_locked_candidates_solve_an_easy_puzzle() {
        let line =
            b"530070000600195000098000060800060003400803001700020006060000280000419005000080079";
        let mut board = board(line);
        assert!(board.propagate());
        assert_eq!(board.fixed, [ALL; 3]);
        assert!(board.solution().keeps_clues_of(&parse::line(line).unwrap()));
    }

    #[test]
    fn a_digit_without_a_place_ends_it() {
        let mut line = [b'.'; 81];
        line[..9].copy_from_slice(b"234567..8");
        // 1 or 9 in each of the two blanks; then 1 cannot stand in the first; then in neither.
        assert!(board(&line).propagate());
        line[33] = b'1';
        assert!(board(&line).propagate());
        line[61] = b'1';
        assert!(!board(&line).propagate());
    }
}
