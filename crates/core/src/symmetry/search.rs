//! The search for the least form of a puzzle, row by row.
//!
//! ```text
//!   depth 0   1 map for each orientation
//!             │ all rows; the least image stays             000000001
//!   depth 1   ├── ── ── a few partial maps
//!             │ the other two rows of the band              000002030
//!   depth 2   ├── ──
//!             ⋮        rows of a new band at depth 3 and 6
//!   depth 9   └ all maps of the puzzle to its form
//! ```
//!
//! The maps of one depth all have the same image so far, so only those with the least next row
//! stay. This is exact: the form is the least, read from its first cell on, and every map that
//! could lead to it is kept. At the end one map is left for each automorphism of the puzzle.
//!
//! Breadth first finds the least row before anything else is done with it. But it keeps all maps
//! of a depth, so no more than [`MOST_MAPS`] are kept: if there are more, these are first
//! searched to the end, and the least form so far bounds the rest.
//!
//! Three things keep sparse and symmetric puzzles cheap: tied columns are not told apart until a
//! row does it (see `partial`), of rows of a band that are equal only the first is taken, and of
//! equal bands, too. The weight of the map counts the omitted orders.

use super::partial::{Image, Line, Partial};
use crate::puzzle::Grid;
use alloc::vec::Vec;
use core::ops::ControlFlow;

/// Partial maps that are kept for each depth.
///
/// One row can add 6 x 1,296 more, so 9 depths of 44 bytes for each map are under 5 MB. Random
/// minimal puzzles have 2.3 maps on average at the widest depth, puzzles with 17 clues 3.2.
const MOST_MAPS: usize = 4096;

/// What is looked up for each puzzle: its rows in both orientations.
#[derive(Clone, Debug)]
struct Puzzle {
    /// The rows of the puzzle, and of the puzzle with rows and columns exchanged.
    lines: [[Line; 9]; 2],
    /// The places of each row that are not blank, a bit each.
    occupied: [[u16; 9]; 2],
    /// The digits that each row holds more than once, a bit each.
    repeats: [[u16; 9]; 2],
    /// For each row the rows of its band that are equal, itself included.
    equal_rows: [[u16; 9]; 2],
    /// For each band the rows of the bands that are equal, first rows only.
    equal_bands: [[u16; 3]; 2],
    /// The rows that may come first.
    first_rows: [u16; 2],
}

/// What becomes of a map of the whole puzzle.
type Leaf<'a> = dyn FnMut(&Partial) -> ControlFlow<()> + 'a;

/// The search, with its memory.
#[derive(Clone, Debug)]
pub(super) struct Search {
    puzzle: Puzzle,
    /// The partial maps of each depth.
    maps: [Vec<Partial>; 10],
    /// The rows of the least form so far.
    best: [Image; 9],
    /// The first map to the least form so far.
    first: Option<Partial>,
    /// How many maps lead to it.
    count: u32,
    /// Whether equal rows and bands are told apart.
    every: bool,
}

/// No row has an image as large.
const UNKNOWN: Image = Image::MAX;

impl Search {
    pub(super) fn new() -> Self {
        Self {
            puzzle: Puzzle::of(&Grid::EMPTY),
            maps: [const { Vec::new() }; 10],
            best: [UNKNOWN; 9],
            first: None,
            count: 0,
            every: false,
        }
    }

    /// The rows of the least form, the first map to it, and the number of maps.
    pub(super) fn least(&mut self, grid: &Grid) -> ([Image; 9], Partial, u32) {
        self.puzzle = Puzzle::of(grid);
        self.best = [UNKNOWN; 9];
        self.every = false;
        let _ = self.run(&mut |_| ControlFlow::Continue(()));
        let first = self.first.expect("the search has at least one map for every puzzle");
        (self.best, first, self.count)
    }

    /// Calls `visit` with each map of a grid to its least form, the rows of which are known.
    /// Maps that differ in tied columns only come once.
    pub(super) fn each(
        &mut self,
        grid: &Grid,
        rows: &[Image; 9],
        visit: &mut Leaf,
    ) -> ControlFlow<()> {
        self.puzzle = Puzzle::of(grid);
        self.best = *rows;
        self.every = true;
        self.run(visit)
    }

    fn run(&mut self, leaf: &mut Leaf) -> ControlFlow<()> {
        (self.first, self.count) = (None, 0);
        for maps in &mut self.maps {
            maps.clear();
        }
        self.maps[0].extend([Partial::start(0), Partial::start(1)]);
        self.deepen(0, leaf)
    }

    /// Searches from the partial maps of a depth, all of which have the least form's first rows.
    fn deepen(&mut self, depth: usize, leaf: &mut Leaf) -> ControlFlow<()> {
        let maps = core::mem::take(&mut self.maps[depth]);
        let mut flow = ControlFlow::Continue(());
        if depth == 9 {
            for map in &maps {
                self.first.get_or_insert(*map);
                self.count += map.weight * map.orders_of_columns();
                if flow.is_continue() {
                    flow = leaf(map);
                }
            }
        } else {
            for map in &maps {
                self.add_row(map, depth);
                if self.maps[depth + 1].len() >= MOST_MAPS && flow.is_continue() {
                    flow = self.deepen(depth + 1, leaf);
                }
            }
            if !self.maps[depth + 1].is_empty() && flow.is_continue() {
                flow = self.deepen(depth + 1, leaf);
            }
        }
        self.maps[depth] = maps;
        self.maps[depth].clear();
        flow
    }

    /// Extends a map by each row that may come next, and keeps what is least.
    fn add_row(&mut self, map: &Partial, depth: usize) {
        let side = usize::from(map.turned);
        let puzzle = &self.puzzle;
        let next = &mut self.maps[depth + 1];
        let mut least = self.best[depth];
        let mut better = false;
        let mut candidates = if self.every {
            map.unused
        } else {
            map.unused & puzzle.representatives(side, map.unused, depth)
        };
        if !depth.is_multiple_of(3) {
            candidates &= 0b111 << (map.rows[depth - 1] / 3 * 3);
        } else if depth == 0 {
            candidates &= puzzle.first_rows[side];
        }
        candidates = puzzle.most_leading_blanks(map, side, candidates);
        while candidates != 0 {
            let row = candidates.trailing_zeros() as usize;
            candidates &= candidates - 1;
            let weight = if self.every { 1 } else { puzzle.weight(side, row, map.unused, depth) };
            let line = &puzzle.lines[side][row];
            if puzzle.repeats[side][row] != 0 && map.has_new(puzzle.repeats[side][row]) {
                map.extend_repeated(row, depth, line, weight, &mut |image, partial| {
                    if image < least {
                        (least, better) = (image, true);
                        next.clear();
                    }
                    if image == least {
                        next.push(partial);
                    }
                });
            } else {
                let fit = map.fit(line);
                if fit.image < least {
                    (least, better) = (fit.image, true);
                    next.clear();
                }
                if fit.image == least {
                    map.extend(row, depth, line, &fit, weight, next);
                }
            }
        }
        if better {
            self.best[depth] = least;
            self.best[depth + 1..].fill(UNKNOWN);
            (self.first, self.count) = (None, 0);
        }
    }
}

impl Puzzle {
    #[expect(clippy::needless_range_loop, reason = "sides and rows are indices of several lists")]
    fn of(grid: &Grid) -> Self {
        let mut lines = [[[0; 16]; 9]; 2];
        // A count of four bits for each digit of each line.
        let mut counts = [[0u64; 9]; 2];
        for (row, values) in grid.values().as_chunks::<9>().0.iter().enumerate() {
            lines[0][row][..9].copy_from_slice(values);
            for (column, &value) in values.iter().enumerate() {
                lines[1][column][row] = value;
                let bit = 1 << (4 * value);
                counts[0][row] += bit;
                counts[1][column] += bit;
            }
        }
        let mut puzzle = Self {
            lines,
            occupied: [[0; 9]; 2],
            repeats: [[0; 9]; 2],
            equal_rows: [[0; 9]; 2],
            equal_bands: [[0; 3]; 2],
            first_rows: [0x1ff; 2],
        };
        let mut repeated = 0;
        let mut blank = [0u16; 2];
        for side in 0..2 {
            for row in 0..9 {
                repeated |= counts[side][row] & MORE_THAN_ONE;
                let mask = occupied(&puzzle.lines[side][row]);
                puzzle.occupied[side][row] = mask;
                blank[side] |= u16::from(mask == 0) << row;
            }
        }
        if repeated != 0 {
            puzzle.note_repeats(&counts);
            return puzzle;
        }
        // Without repeats no two rows are equal but blank ones, and the least image of a row
        // depends on how many clues it has in each box.
        let ranks = puzzle.occupied.map(|rows| rows.map(|mask| FIRST_RANKS[usize::from(mask)]));
        let least = ranks.as_flattened().iter().min().copied().unwrap_or(0);
        for side in 0..2 {
            puzzle.first_rows[side] = 0;
            for row in 0..9 {
                let bit = 1 << row;
                let equal = blank[side] & 0b111 << (row / 3 * 3);
                puzzle.equal_rows[side][row] = if blank[side] & bit == 0 { bit } else { equal };
                puzzle.first_rows[side] |= u16::from(ranks[side][row] == least) << row;
            }
            let bands = blank[side] & blank[side] >> 1 & blank[side] >> 2 & 0b100_1001;
            for band in 0..3 {
                let bit = 1 << (3 * band);
                puzzle.equal_bands[side][band] = if bands & bit == 0 { bit } else { bands };
            }
        }
        puzzle
    }

    /// Notes equal rows and bands, and digits that a row holds more than once.
    #[expect(clippy::needless_range_loop, reason = "sides are indices of several lists")]
    fn note_repeats(&mut self, counts: &[[u64; 9]; 2]) {
        for side in 0..2 {
            let numbers = self.lines[side].map(u128::from_be_bytes);
            for row in 0..9 {
                let band = row / 3 * 3;
                for other in band..band + 3 {
                    self.equal_rows[side][row] |=
                        u16::from(numbers[other] == numbers[row]) << other;
                }
                for digit in 1..10 {
                    let again = counts[side][row] >> (4 * digit) & 15 > 1;
                    self.repeats[side][row] |= u16::from(again) << digit;
                }
            }
            let bands = [0, 3, 6].map(|row| {
                let mut band = [numbers[row], numbers[row + 1], numbers[row + 2]];
                band.sort_unstable();
                band
            });
            for one in 0..3 {
                for other in 0..3 {
                    self.equal_bands[side][one] |=
                        u16::from(bands[one] == bands[other]) << (3 * other);
                }
            }
        }
    }

    /// The first of each set of unused rows that are equal, in the first of equal bands.
    fn representatives(&self, side: usize, unused: u16, depth: usize) -> u16 {
        let mut first = 0;
        for row in 0..9 {
            let before = (1 << row) - 1;
            let again = self.equal_rows[side][row] & unused & before != 0;
            first |= u16::from(!again) << row;
        }
        if depth.is_multiple_of(3) {
            for band in 0..3 {
                let before = (1 << (3 * band)) - 1;
                if self.equal_bands[side][band] & unused & before != 0 {
                    first &= !(0b111 << (3 * band));
                }
            }
        }
        first
    }

    /// How many unused rows a representative stands for.
    fn weight(&self, side: usize, row: usize, unused: u16, depth: usize) -> u32 {
        let rows = (self.equal_rows[side][row] & unused).count_ones();
        if depth.is_multiple_of(3) {
            rows * (self.equal_bands[side][row / 3] & unused).count_ones()
        } else {
            rows
        }
    }

    /// Those of the rows whose image begins with the most blanks: no other can be the least.
    fn most_leading_blanks(&self, map: &Partial, side: usize, rows: u16) -> u16 {
        if rows.is_power_of_two() {
            return rows;
        }
        let (mut rest, mut least, mut kept) = (rows, u32::MAX, 0);
        while rest != 0 {
            let row = rest.trailing_zeros();
            rest &= rest - 1;
            let length = map.length(self.occupied[side][row as usize]);
            if length < least {
                (least, kept) = (length, 0);
            }
            kept |= u16::from(length == least) << row;
        }
        kept
    }
}

/// The bits of counts of four bits that are over 1; the lowest, of blanks, is left out.
const MORE_THAN_ONE: u64 = 0xee_eeee_eee0;

/// The places of a line that are not blank, a bit each.
#[expect(clippy::cast_possible_truncation, reason = "nine bits")]
fn occupied(line: &Line) -> u16 {
    let mut mask = 0;
    for (place, &value) in line[..9].iter().enumerate() {
        mask |= u32::from(value != 0) << place;
    }
    mask as u16
}

/// For the places of a first row that are not blank, its image's place in the order of images.
const FIRST_RANKS: [u8; 512] = {
    let mut ranks = [0; 512];
    let mut mask = 0usize;
    while mask < 512 {
        let mut counts =
            [(mask & 7).count_ones(), (mask >> 3 & 7).count_ones(), (mask >> 6).count_ones()];
        let mut step = 0;
        while step < 3 {
            let one = step % 2;
            if counts[one] > counts[one + 1] {
                counts.swap(one, one + 1);
            }
            step += 1;
        }
        #[expect(clippy::cast_possible_truncation, reason = "counts of 3 at most")]
        let rank = (counts[0] * 16 + counts[1] * 4 + counts[2]) as u8;
        ranks[mask] = rank;
        mask += 1;
    }
    ranks
};
