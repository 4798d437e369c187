//! The candidates of the effort search, and its three rules.
//!
//! Each digit has a word of 27 bits for each band: bit `9 r + c` for row `r` of the band and
//! column `c`.
//!
//! ```text
//!  one digit, one band        a row's part in a box is a *segment*
//!  . x . | . . . | x . x      segments      1 0 1      columns   0 1 0 | 0 0 1 | 1 0 1
//!  . . . | . . x | . . .      that have     0 1 0      that have a place, for
//!  . . . | . . . | . . x      a place       0 0 1      the stacks
//! ```
//!
//! A placement of the digit picks one segment in each row and each box: one of six permutations of
//! three. So segments that are in none of the permutations left go: these are locked candidates.
//! For a stack, the same with columns for rows. Where that is done, and a digit has a single place
//! in a box or a column, it has a single place in its row, too; and it is gone from all cells that
//! this place sees. So hidden singles are looked for in rows only.

use crate::puzzle::{Cell, Grid};

/// Nine bits for each row of a band.
const BAND: u32 = (1 << 27) - 1;

/// The candidates of a grid.
#[derive(Clone, Debug)]
pub(super) struct State {
    /// `bands[digit][band]`: the cells that may hold the digit.
    bands: [[u32; 3]; 9],
    /// Digits whose bands changed since the rules last looked at them.
    changed: u16,
}

/// A digit, 0 to 8, in a cell.
#[derive(Clone, Copy, Debug)]
pub(super) struct Guess {
    digit: usize,
    band: usize,
    bit: u32,
}

/// Which three segments a row of nine bits occupies.
static SEGMENTS: [u8; 512] = {
    let mut segments = [0; 512];
    let mut row = 0;
    while row < 512 {
        let mut third = 0;
        while third < 3 {
            if row >> (3 * third) & 7 != 0 {
                segments[row] |= 1 << third;
            }
            third += 1;
        }
        row += 1;
    }
    segments
};

/// Nine bits, three for each row: those that are in a permutation of three that is left.
static PERMUTED: [u16; 512] = {
    const PERMUTATIONS: [u16; 6] =
        [0b100_010_001, 0b010_100_001, 0b100_001_010, 0b001_100_010, 0b010_001_100, 0b001_010_100];
    let mut permuted = [0; 512];
    let mut occupied = 0u16;
    while occupied < 512 {
        let mut index = 0;
        while index < 6 {
            if PERMUTATIONS[index] & !occupied == 0 {
                permuted[occupied as usize] |= PERMUTATIONS[index];
            }
            index += 1;
        }
        occupied += 1;
    }
    permuted
};

/// Nine bits, one for each segment, as the 27 bits of a band.
static SPREAD: [u32; 512] = {
    let mut spread = [0; 512];
    let mut mask = 0;
    while mask < 512 {
        let mut bit = 0;
        while bit < 9 {
            if mask >> bit & 1 != 0 {
                spread[mask] |= 7 << (3 * bit);
            }
            bit += 1;
        }
        mask += 1;
    }
    spread
};

/// The cells that each cell sees, by band.
static PEERS: [[u32; 3]; 81] = {
    let mut peers = [[0; 3]; 81];
    let mut index = 0;
    while index < 81 {
        let of_cell = Cell::new(index).peers();
        let mut place = 0;
        while place < 20 {
            let peer = of_cell[place].index();
            peers[index][peer / 27] |= 1 << (peer % 27);
            place += 1;
        }
        index += 1;
    }
    peers
};

/// The rows of a band that have one bit, as that bit.
fn single_rows(band: u32) -> u32 {
    let mut singles = 0;
    for row in [0, 9, 18] {
        let bits = band & 0x1ff << row;
        singles |= if bits & bits.wrapping_sub(1) == 0 { bits } else { 0 };
    }
    singles
}

/// Locked candidates of a digit. `None` if a row, column or box has no place for it.
#[inline]
fn lock(mut bands: [u32; 3]) -> Option<[u32; 3]> {
    loop {
        let before = bands;
        let mut columns = [0u32; 3];
        for (band, columns) in bands.iter_mut().zip(&mut columns) {
            let segment = |shift: u32| u32::from(SEGMENTS[(*band >> shift & 0x1ff) as usize]);
            let occupied = segment(0) | segment(9) << 3 | segment(18) << 6;
            let left = PERMUTED[occupied as usize];
            if left == 0 {
                return None;
            }
            *band &= SPREAD[usize::from(left)];
            *columns = (*band | *band >> 9 | *band >> 18) & 0x1ff;
        }
        let mut kept = [0u32; 3];
        for stack in [0, 3, 6] {
            let part = |band: usize| columns[band] >> stack & 7;
            let occupied = part(0) | part(1) << 3 | part(2) << 6;
            let left = u32::from(PERMUTED[occupied as usize]);
            if left == 0 {
                return None;
            }
            for (band, kept) in kept.iter_mut().enumerate() {
                *kept |= (left >> (3 * band) & 7) << stack;
            }
        }
        for (band, kept) in bands.iter_mut().zip(kept) {
            *band &= kept * (1 | 1 << 9 | 1 << 18);
        }
        if bands == before {
            return Some(bands);
        }
    }
}

impl State {
    /// The state of a puzzle before any rule.
    pub(super) fn new(puzzle: &Grid) -> Self {
        let mut allowed = [[BAND; 3]; 9];
        let mut blank = [BAND; 3];
        for (index, &value) in puzzle.values().iter().enumerate() {
            if value != 0 {
                let digit = usize::from(value) - 1;
                for (band, peers) in allowed[digit].iter_mut().zip(PEERS[index]) {
                    *band &= !peers;
                }
                blank[index / 27] &= !(1 << (index % 27));
            }
        }
        let mut bands = allowed.map(|bands| [0, 1, 2].map(|band| bands[band] & blank[band]));
        for (index, &value) in puzzle.values().iter().enumerate() {
            if value != 0 {
                let (digit, bit) = (usize::from(value) - 1, 1 << (index % 27));
                bands[digit][index / 27] |= bit & allowed[digit][index / 27];
            }
        }
        Self { bands, changed: 0x1ff }
    }

    /// Uses the rules until they remove nothing. Returns false on a contradiction.
    pub(super) fn propagate(&mut self) -> bool {
        loop {
            while self.changed != 0 {
                let digit = self.changed.trailing_zeros() as usize;
                self.changed &= self.changed - 1;
                let Some(bands) = lock(self.bands[digit]) else { return false };
                self.bands[digit] = bands;
                // A hidden single takes all other digits from its cell.
                let singles = bands.map(single_rows);
                for (other, bands) in self.bands.iter_mut().enumerate() {
                    if other != digit {
                        let lost =
                            bands[0] & singles[0] | bands[1] & singles[1] | bands[2] & singles[2];
                        for (band, single) in bands.iter_mut().zip(singles) {
                            *band &= !single;
                        }
                        self.changed |= u16::from(lost != 0) << other;
                    }
                }
            }
            if !self.naked_singles() {
                return false;
            }
            if self.changed == 0 {
                return true;
            }
        }
    }

    /// Removes the digits of naked singles from the cells that they see. Returns false if a cell
    /// has no candidate.
    fn naked_singles(&mut self) -> bool {
        for band in 0..3 {
            let (mut once, mut twice) = (0, 0);
            for bands in &self.bands {
                twice |= once & bands[band];
                once |= bands[band];
            }
            if once != BAND {
                return false;
            }
            let naked = once & !twice;
            for digit in 0..9 {
                let mut singles = self.bands[digit][band] & naked;
                // A single row is done: its cell lost all other digits because of that.
                singles &= !single_rows(self.bands[digit][band]);
                while singles != 0 {
                    let cell = 27 * band + singles.trailing_zeros() as usize;
                    singles &= singles - 1;
                    for (band, peers) in self.bands[digit].iter_mut().zip(PEERS[cell]) {
                        *band &= !peers;
                    }
                    self.changed |= 1 << digit;
                }
            }
        }
        true
    }

    /// Whether each cell has one candidate. Call it after [`State::propagate`] returned true.
    pub(super) fn is_solved(&self) -> bool {
        self.bands.iter().flatten().map(|band| band.count_ones()).sum::<u32>() == 81
    }

    /// The cells that have one candidate, as a puzzle.
    pub(super) fn filled(&self) -> Grid {
        let mut values = [0; 81];
        for (index, value) in values.iter_mut().enumerate() {
            let (band, bit) = (index / 27, index % 27);
            let (mut found, mut count) = (0, 0);
            for (digit, bands) in (1u8..).zip(&self.bands) {
                if bands[band] >> bit & 1 != 0 {
                    (found, count) = (digit, count + 1);
                }
            }
            if count == 1 {
                *value = found;
            }
        }
        Grid::from_checked_values(values)
    }

    /// The guess of the branching rule, or `None` if the state is solved.
    pub(super) fn next_guess(&self) -> Option<Guess> {
        // How many candidates, as far as nine: `counts[k]` are cells with more than k.
        let mut fewest: Option<(u32, usize, u32)> = None;
        for band in 0..3 {
            let mut counts = [0u32; 4];
            for bands in &self.bands {
                let cells = bands[band];
                counts[3] |= counts[2] & cells;
                counts[2] |= counts[1] & cells;
                counts[1] |= counts[0] & cells;
                counts[0] |= cells;
            }
            let (two, three, open) = (counts[1] & !counts[2], counts[2] & !counts[3], counts[1]);
            let (count, cells) = if two != 0 {
                (2, two)
            } else if three != 0 {
                (3, three)
            } else if open != 0 {
                self.fewest_above_three(band, open)
            } else {
                continue;
            };
            if fewest.is_none_or(|(least, ..)| count < least) {
                fewest = Some((count, band, cells & cells.wrapping_neg()));
            }
            if count == 2 {
                break;
            }
        }
        let (_, band, bit) = fewest?;
        let digit = self.bands.iter().position(|bands| bands[band] & bit != 0)?;
        Some(Guess { digit, band, bit })
    }

    /// The least number of candidates of these cells, and the first cell that has it.
    fn fewest_above_three(&self, band: usize, cells: u32) -> (u32, u32) {
        let mut fewest = (10, 0);
        let mut rest = cells;
        while rest != 0 {
            let bit = rest & rest.wrapping_neg();
            rest &= rest - 1;
            let count: u32 = self.bands.iter().map(|bands| u32::from(bands[band] & bit != 0)).sum();
            if count < fewest.0 {
                fewest = (count, bit);
            }
        }
        fewest
    }

    /// Removes a candidate.
    pub(super) fn remove(&mut self, guess: Guess) {
        self.bands[guess.digit][guess.band] &= !guess.bit;
        self.changed |= 1 << guess.digit;
    }

    /// Fills a cell.
    pub(super) fn assume(&mut self, guess: Guess) {
        let cell = 27 * guess.band + guess.bit.trailing_zeros() as usize;
        for (digit, bands) in self.bands.iter_mut().enumerate() {
            if digit != guess.digit && bands[guess.band] & guess.bit != 0 {
                bands[guess.band] &= !guess.bit;
                self.changed |= 1 << digit;
            }
        }
        for (band, peers) in self.bands[guess.digit].iter_mut().zip(PEERS[cell]) {
            *band &= !peers;
        }
        self.changed |= 1 << guess.digit;
    }
}
