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

use super::orders;
use super::partial::{Image, OpenMap, PaddedLine, PartialMap};
use crate::puzzle::Grid;
use crate::puzzle::tables::table;
use crate::simd::{ByteKernel, Bytes, SimdLevel};
use alloc::vec::Vec;

/// Partial maps that are kept for each depth.
///
/// One row can add 6 x 1,296 more, so 9 depths of 64 bytes for each map are under 7 MB. Random
/// minimal puzzles have 2.3 maps on average at the widest depth, puzzles with 17 clues 3.2.
const MOST_MAPS: usize = 4096;

/// What is looked up for each puzzle: its rows in both orientations.
#[derive(Clone, Debug, Default)]
struct PuzzleLines {
    /// The rows of the puzzle, and of the puzzle with rows and columns exchanged.
    lines: [[PaddedLine; 9]; 2],
    /// The places of each row that are not blank, a bit each; padded so that no index below needs a check.
    occupied: [[u16; 16]; 2],
    /// The rows that may come first.
    first_rows: [u16; 2],
    /// Whether a row holds a digit more than once.
    has_repeats: bool,
    /// The digits that each row holds more than once, a bit each.
    repeats: [[u16; 9]; 2],
    /// Whether rows of a band, or bands, may be equal.
    has_equal: bool,
    /// If so, for each row the rows of its band that are equal, itself included.
    equal_rows: [[u16; 9]; 2],
    /// If so, for each band the rows of the bands that are equal, first rows only.
    equal_bands: [[u16; 3]; 2],
}

/// The search, with its memory.
#[derive(Clone, Debug)]
pub(super) struct MinlexSearch {
    puzzle: PuzzleLines,
    /// The partial maps of each depth.
    maps: [Vec<PartialMap>; 10],
    /// How many of the maps of each depth were extended.
    extended: [usize; 9],
    /// The rows of the least form so far.
    best: [Image; 9],
    /// How many of these rows are known.
    known: usize,
    /// The first map to the least form so far.
    first: Option<PartialMap>,
    /// How many maps lead to it.
    count: u32,
    level: SimdLevel,
}

impl Default for MinlexSearch {
    fn default() -> Self {
        Self {
            puzzle: PuzzleLines::default(),
            maps: [const { Vec::new() }; 10],
            extended: [0; 9],
            best: [0; 9],
            known: 0,
            first: None,
            count: 0,
            level: SimdLevel::for_bytes(),
        }
    }
}

impl MinlexSearch {
    /// The least form, the first map to it, and the number of maps.
    pub(super) fn least(&mut self, grid: &Grid) -> ([u8; 81], PartialMap, u32) {
        self.level.run_on_bytes(Least(self, grid))
    }

    /// Searches depth by depth. All partial maps of a depth have the least form's first rows.
    #[inline(always)]
    fn run<B: Bytes>(&mut self, proof: B::Proof) {
        (self.first, self.count) = (None, 0);
        for maps in &mut self.maps {
            maps.clear();
        }
        self.maps[0].extend([PartialMap::start(0), PartialMap::start(1)]);
        self.extended[0] = 0;
        let mut depth = 0;
        loop {
            let maps = self.maps[depth].len();
            while self.extended[depth] < maps && self.maps[depth + 1].len() < MOST_MAPS {
                self.add_row::<B>(proof, self.extended[depth], depth);
                self.extended[depth] += 1;
            }
            if self.maps[depth + 1].is_empty() {
                // All maps of this depth were searched to the end.
                self.maps[depth].clear();
                if depth == 0 {
                    return;
                }
                depth -= 1;
            } else if depth < 8 {
                depth += 1;
                self.extended[depth] = 0;
            } else {
                for map in &self.maps[9] {
                    self.first.get_or_insert(*map);
                    self.count += map.weight * orders::count(map.tied);
                }
                self.maps[9].clear();
            }
        }
    }

    /// Extends a map by each row that may come next, and keeps what is least.
    #[inline(always)]
    fn add_row<B: Bytes>(&mut self, proof: B::Proof, index: usize, depth: usize) {
        let (maps, next) = self.maps.split_at_mut(depth + 1);
        let (map, next) = (&maps[depth][index], &mut next[0]);
        let open = OpenMap::<B>::new(proof, map);
        let side = usize::from(map.turned);
        let puzzle = &self.puzzle;
        // No row has an image as large as this.
        let mut least = if depth < self.known { self.best[depth] } else { Image::MAX };
        let mut better = false;
        let mut candidates = map.unused;
        if puzzle.has_equal {
            candidates &= puzzle.representatives(side, map.unused, depth);
        }
        if depth == 0 {
            candidates &= puzzle.first_rows[side];
        } else if !depth.is_multiple_of(3) {
            candidates &= 0b111 << (map.row(depth - 1) / 3 * 3);
        }
        // It takes as long as two or three images.
        if depth.is_multiple_of(3) && !candidates.is_power_of_two() {
            candidates = map.most_leading_blanks(&puzzle.occupied[1 - side], candidates);
        }
        while candidates != 0 {
            let row = candidates.trailing_zeros() as usize;
            candidates &= candidates - 1;
            let weight =
                if puzzle.has_equal { puzzle.weight(side, row, map.unused, depth) } else { 1 };
            let line = &puzzle.lines[side][row];
            if puzzle.has_repeats && map.has_new(puzzle.repeats[side][row]) {
                open.extend_repeated(row, depth, line, weight, |image, partial| {
                    if image < least {
                        (least, better) = (image, true);
                        next.clear();
                    }
                    if image == least {
                        next.push(partial);
                    }
                });
            } else {
                let fit = open.fit(line);
                let image = if puzzle.has_repeats { open.labelled(&fit) } else { fit.image };
                if image < least {
                    (least, better) = (image, true);
                    next.clear();
                }
                if image == least {
                    open.extend(row, depth, line, &fit, weight, next);
                }
            }
        }
        if better {
            self.best[depth] = least;
            self.known = depth + 1;
            (self.first, self.count) = (None, 0);
        }
    }
}

/// [`MinlexSearch::least`].
struct Least<'a>(&'a mut MinlexSearch, &'a Grid);

impl ByteKernel for Least<'_> {
    type Output = ([u8; 81], PartialMap, u32);

    #[inline(always)]
    fn run<B: Bytes>(self, proof: B::Proof) -> Self::Output {
        let Self(search, grid) = self;
        search.puzzle.read::<B>(proof, grid);
        search.known = 0;
        search.run::<B>(proof);
        let first = search.first.expect("the search has at least one map for every puzzle");
        let lines = &search.puzzle.lines[usize::from(first.turned)];
        (first.image::<B>(proof, lines), first, search.count)
    }
}

impl PuzzleLines {
    /// The empty puzzle; what is looked up is not filled in.
    /// Takes the place of the puzzle before.
    #[inline(always)]
    fn read<B: Bytes>(&mut self, proof: B::Proof, grid: &Grid) {
        for (row, values) in grid.values().as_chunks::<9>().0.iter().enumerate() {
            self.lines[0][row][..9].copy_from_slice(values);
            for (column, &value) in values.iter().enumerate() {
                self.lines[1][column][row] = value;
            }
        }
        (self.has_repeats, self.has_equal) = (false, false);
        let blank = B::splat(proof, 0);
        let tables = [B::load(proof, &LOW_BITS), B::load(proof, &HIGH_BITS)];
        for side in 0..2 {
            let mut blank_rows = 0u16;
            // The digits of each column that it holds, and that it holds more than once.
            let (mut once, mut again) = ([blank; 2], [blank; 2]);
            for row in 0..9 {
                let line = B::load(proof, &self.lines[side][row]);
                self.occupied[side][row] = line.equal(blank) ^ 0x1ff;
                blank_rows |= u16::from(self.occupied[side][row] == 0) << row;
                for (half, table) in tables.into_iter().enumerate() {
                    let bits = table.pick(line);
                    again[half] = again[half] | once[half] & bits;
                    once[half] = once[half] | bits;
                }
            }
            self.has_repeats |= (again[0] | again[1]).equal(blank) != 0x1ff;
            let [low, high] = again.map(B::to_array);
            for (column, repeats) in self.repeats[1 - side].iter_mut().enumerate() {
                *repeats = u16::from_le_bytes([low[column], high[column]]);
            }
            // Rows 0 and 1 of each band, 1 and 2, and 0 and 2.
            let pairs = blank_rows >> 1 & 0b011_011_011 | blank_rows >> 2 & 0b001_001_001;
            self.has_equal |= blank_rows & pairs != 0;
        }
        // Rows that hold no digit twice are equal only if they are blank.
        self.has_equal |= self.has_repeats;
        if self.has_equal {
            self.note_equal();
        }
        self.first_rows = if self.has_repeats { [0x1ff; 2] } else { self.least_first_rows() };
    }

    /// The rows that may come first if no row holds a digit twice: then the least image of a row depends on how
    /// many clues it has in each box.
    #[inline(always)]
    fn least_first_rows(&self) -> [u16; 2] {
        let (mut least, mut rows) = (u8::MAX, [0; 2]);
        for side in 0..2 {
            for row in 0..9 {
                let rank = FIRST_RANKS[usize::from(self.occupied[side][row] & 0x1ff)];
                if rank < least {
                    (least, rows) = (rank, [0; 2]);
                }
                rows[side] |= u16::from(rank == least) << row;
            }
        }
        rows
    }

    /// Notes equal rows and bands.
    fn note_equal(&mut self) {
        self.equal_rows = [[0; 9]; 2];
        self.equal_bands = [[0; 3]; 2];
        for side in 0..2 {
            let numbers = self.lines[side].map(u128::from_be_bytes);
            for row in 0..9 {
                let band = row / 3 * 3;
                for other in band..band + 3 {
                    self.equal_rows[side][row] |=
                        u16::from(numbers[other] == numbers[row]) << other;
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
}

/// A bit for each digit: the lower eight bits of `1 << digit`, without the lowest, and the upper.
const LOW_BITS: [u8; 16] = [0, 2, 4, 8, 16, 32, 64, 128, 0, 0, 0, 0, 0, 0, 0, 0];
const HIGH_BITS: [u8; 16] = [0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 0, 0, 0, 0, 0, 0];

/// For the places of a first row that are not blank, its image's place in the order of images.
#[expect(clippy::cast_possible_truncation, reason = "counts of 3 at most")]
const FIRST_RANKS: [u8; 512] = table!([0; 512], |mask| {
    let stacks: [usize; 3] = [mask & 7, mask >> 3 & 7, mask >> 6];
    let mut counts = table!([0; 3], |stack| stacks[stack].count_ones());
    let mut step = 0;
    while step < 3 {
        let one = step % 2;
        if counts[one] > counts[one + 1] {
            counts.swap(one, one + 1);
        }
        step += 1;
    }
    (counts[0] * 16 + counts[1] * 4 + counts[2]) as u8
});

#[cfg(test)]
mod tests {
    use super::*;
    use crate::puzzle::{Cell, Digit, Random};

    #[test]
    fn the_portable_level_finds_the_same_maps() {
        let mut random = Random::new(43);
        let (mut portable, mut widest) = (MinlexSearch::default(), MinlexSearch::default());
        portable.level = SimdLevel::Portable;
        for clues in (0..60).cycle().take(3000) {
            // Few digits are repeated in rows, many in both.
            let mut grid = Grid::EMPTY;
            let digits = 1 + random.below(9);
            for _ in 0..clues {
                let digit = Digit::ALL[random.below(digits)];
                grid.set(Cell::new(random.below(81)), Some(digit));
            }
            let found = [&mut portable, &mut widest].map(|search| {
                let (values, first, count) = search.least(&grid);
                (values, first.labels, first.columns, first.rows, first.turned, count)
            });
            assert_eq!(found[0], found[1], "{grid}");
        }
    }
}
