//! The 416 classes of bands, and the map of any band to the least of its class.
//!
//! ```text
//!   row 1   1 2 3   4 5 6   7 8 9     digits named by their places in row 1
//!   row 2   7 1 9   8 3 2   4 6 5     12,096 of these: 15 classes, a *rank* each
//!   row 3   5 4 6   1 9 7   3 2 8     its boxes hold what is left, in 6^3 orders
//!                                     15 x 216 = 3,240 bands, 416 classes
//! ```
//!
//! An *arrangement* is an order of the columns that keeps the stacks: 1,296 of them. The first
//! table knows for each second row its rank and an arrangement to the least row of that rank. The
//! second one knows for each third row below a least second row the code of the least band of
//! its class, and all ways to it: an order of the three rows and an arrangement. So a band costs
//! two look-ups and no search. Codes are in the order of the bands as numbers.
//!
//! That few row pairs and bands can begin a least grid, and that tables of them make a grid
//! cheap, is known from the New Sudoku Players' Forum (threads 30325 and 43190). These tables
//! are computed when they are first needed, in a few milliseconds; they take about 150 KB.

use crate::simd::Bytes;
use alloc::vec::Vec;

/// Nine places: a row, given by the places that its digits have in row 1, or an arrangement, by
/// the source of each place.
pub(super) type LinePlaces = [u8; 9];

/// The orders of the three rows of a band.
pub(super) const ROW_ORDERS: [[u8; 3]; 6] =
    [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];

const SECOND_ROWS: usize = 56 * 216;
/// Classes of row pairs. Published counts of grids by their least rank name 14, which together are
/// all 5,472,730,538 classes of grids: one rank is the least of no grid.
const RANKS: usize = 15;
const ARRANGEMENTS: usize = 1296;

/// A way to the least band of a class.
#[derive(Clone, Copy, Debug)]
pub(super) struct BandWay {
    /// The row order, an index of [`ROW_ORDERS`].
    pub(super) rows: u8,
    /// The place of the arrangement that each column comes from.
    pub(super) columns: [u8; 16],
}

/// What the tables know of a band.
#[derive(Clone, Copy, Debug)]
pub(super) struct BandClass {
    /// The code of the least band: smaller for a smaller band.
    pub(super) code: u16,
    /// The third row's entry.
    entry: u16,
    /// The arrangement that comes before those of the ways.
    arrangement: u16,
}

#[derive(Clone, Debug)]
pub(super) struct BandTables {
    /// For three places of a box in their order: which set (0 to 19) and which order (0 to 5).
    triples: [[(u8, u8); 729]; 3],
    /// For the sets of the first two boxes: which of the 56 patterns.
    patterns: [u8; 400],
    /// For each second row, `rank * 2048 + arrangement`.
    second_rows: Vec<u16>,
    /// All arrangements, padded so that no index below needs a check.
    arrangements: Vec<[u8; 16]>,
    /// The inverse of each.
    inverses: Vec<[u8; 16]>,
    /// For each third row, the code of its class.
    codes: Vec<u16>,
    /// Where the ways of each third row begin; one more at the end.
    starts: Vec<u32>,
    ways: Vec<BandWay>,
}

impl BandTables {
    #[expect(clippy::cast_possible_truncation, reason = "small tables")]
    pub(super) fn new() -> Self {
        let arrangements = arrangements();
        let mut tables = Self {
            triples: [[(0, 0); 729]; 3],
            patterns: [u8::MAX; 400],
            second_rows: alloc::vec![u16::MAX; SECOND_ROWS],
            inverses: arrangements.iter().map(inverse).collect(),
            arrangements,
            codes: Vec::new(),
            starts: Vec::new(),
            ways: Vec::new(),
        };
        let boxes = tables.fill_triples();
        let least = tables.fill_second_rows(&boxes);
        debug_assert_eq!(least.len(), RANKS);
        for (second, _) in &least {
            for third in third_rows(second) {
                tables.starts.push(tables.ways.len() as u32);
                let code = tables.add_ways(&[IDENTITY, *second, third], &least);
                tables.codes.push(code);
            }
        }
        tables.starts.push(tables.ways.len() as u32);
        tables
    }

    /// The class of a band, whose rows are lists of digits.
    #[inline(always)]
    pub(super) fn find<B: Bytes>(
        &self,
        proof: B::Proof,
        [first, second, third]: [B; 3],
    ) -> BandClass {
        let places = first.spread(IDENTITY);
        let value = self.second_rows[self.index(places.pick(second).triples())];
        let (rank, arrangement) = (value >> 11, value & 0x7ff);
        let order = B::load(proof, &self.arrangements[usize::from(arrangement)]);
        let inverse = B::load(proof, &self.inverses[usize::from(arrangement)]);
        let third = inverse.pick(places.pick(third).pick(order));
        let entry = rank * 216 + self.order(third.triples());
        BandClass { code: self.codes[usize::from(entry)], entry, arrangement }
    }

    /// As `find`, by look-ups in arrays.
    pub(super) fn find_in_arrays(&self, band: [&[u8; 9]; 3]) -> BandClass {
        let mut places = [0; 16];
        for (place, &digit) in (0..9).zip(band[0]) {
            places[usize::from(digit & 15)] = place;
        }
        let second = band[1].map(|digit| places[usize::from(digit & 15)]);
        let third = band[2].map(|digit| places[usize::from(digit & 15)]);
        let value = self.second_rows[self.index(triples(&second))];
        let (rank, arrangement) = (value >> 11, value & 0x7ff);
        let third = conjugate(&third, &self.arrangements[usize::from(arrangement)]);
        let entry = rank * 216 + self.order(triples(&third));
        BandClass { code: self.codes[usize::from(entry)], entry, arrangement }
    }

    /// An arrangement of the columns, and all ways from there to the least band of the class.
    #[inline(always)]
    pub(super) fn ways(&self, found: BandClass) -> (&[u8; 16], &[BandWay]) {
        let entry = usize::from(found.entry);
        let range = self.starts[entry] as usize..self.starts[entry + 1] as usize;
        (&self.arrangements[usize::from(found.arrangement)], &self.ways[range])
    }

    /// The number of a second row, 0 to 12,095.
    #[inline(always)]
    fn index(&self, row: [usize; 3]) -> usize {
        let [one, two, three] = self.boxes(row);
        let pattern = self.patterns[usize::from(one.0) * 20 + usize::from(two.0)];
        usize::from(pattern) * 216 + usize::from(one.1) * 36 + usize::from(two.1 * 6 + three.1)
    }

    /// The orders of the digits in the boxes as one number, 0 to 215.
    #[inline(always)]
    fn order(&self, row: [usize; 3]) -> u16 {
        let [one, two, three] = self.boxes(row);
        u16::from(one.1) * 36 + u16::from(two.1 * 6 + three.1)
    }

    #[inline(always)]
    fn boxes(&self, [one, two, three]: [usize; 3]) -> [(u8, u8); 3] {
        [self.triples[0][one], self.triples[1][two], self.triples[2][three]]
    }

    /// Fills the tables of triples; returns for each box its triples in order.
    #[expect(clippy::cast_possible_truncation, reason = "20 sets, 6 orders")]
    fn fill_triples(&mut self) -> [Vec<[u8; 3]>; 3] {
        [0u8, 1, 2].map(|stack| {
            let others = || (0..9u8).filter(move |place| place / 3 != stack);
            let mut sets: Vec<[u8; 3]> = Vec::new();
            let mut all = Vec::new();
            for one in others() {
                for two in others().filter(|&two| two != one) {
                    for three in others().filter(|&three| three != one && three != two) {
                        let row = [one, two, three];
                        let mut set = row;
                        set.sort_unstable();
                        let known = sets.iter().position(|other| *other == set);
                        let index = known.unwrap_or_else(|| {
                            sets.push(set);
                            sets.len() - 1
                        });
                        let rank = |place: u8| set.iter().position(|&p| p == place).unwrap_or(0);
                        let order = rank(one) * 2 + usize::from(two > three);
                        self.triples[usize::from(stack)][triple(row)] = (index as u8, order as u8);
                        all.push(row);
                    }
                }
            }
            all
        })
    }

    /// Fills the table of second rows; returns for each rank its least row and the arrangements
    /// that leave it as it is.
    fn fill_second_rows(&mut self, boxes: &[Vec<[u8; 3]>; 3]) -> Vec<(LinePlaces, Vec<u16>)> {
        // The first two boxes, and what is left for the third: nothing of its own.
        let (mut tops, mut patterns) = (Vec::new(), 0);
        for one in &boxes[0] {
            for two in boxes[1].iter().filter(|two| two.iter().all(|place| !one.contains(place))) {
                let mut rest = (0..9).filter(|place| !one.contains(place) && !two.contains(place));
                let rest = [(); 3].map(|()| rest.next().unwrap_or(0));
                if rest[2] < 6 {
                    let sets = [self.triples[0][triple(*one)].0, self.triples[1][triple(*two)].0];
                    let pattern =
                        &mut self.patterns[usize::from(sets[0]) * 20 + usize::from(sets[1])];
                    if *pattern == u8::MAX {
                        *pattern = patterns;
                        patterns += 1;
                    }
                    tops.push((one, two, rest));
                }
            }
        }
        // In order, so that the first row of each rank is its least.
        let mut least = Vec::new();
        for (one, two, rest) in tops {
            for order in &ROW_ORDERS {
                let three = order.map(|place| rest[usize::from(place)]);
                let mut row = [0; 9];
                for (to, from) in row.as_chunks_mut::<3>().0.iter_mut().zip([one, two, &three]) {
                    *to = *from;
                }
                if self.second_rows[self.index(triples(&row))] == u16::MAX {
                    let stabilizer = self.add_rank(&row, least.len());
                    least.push((row, stabilizer));
                }
            }
        }
        least
    }

    /// Enters all second rows of a rank; returns the arrangements that keep its least row.
    #[expect(clippy::cast_possible_truncation, reason = "15 ranks, 1,296 arrangements")]
    fn add_rank(&mut self, least: &LinePlaces, rank: usize) -> Vec<u16> {
        let mut stabilizer = Vec::new();
        for number in 0..ARRANGEMENTS {
            let arrangement = &self.arrangements[number];
            let mut row = [0; 9];
            for (place, &value) in least.iter().enumerate() {
                row[usize::from(arrangement[place])] = arrangement[usize::from(value)];
            }
            let index = self.index(triples(&row));
            self.second_rows[index] = (rank << 11 | number) as u16;
            if row == *least {
                stabilizer.push(number as u16);
            }
        }
        stabilizer
    }

    /// Adds all ways from a band to the least of its class; returns the code of that.
    #[expect(clippy::cast_possible_truncation, reason = "6 orders of rows")]
    fn add_ways(&mut self, band: &[LinePlaces; 3], least: &[(LinePlaces, Vec<u16>)]) -> u16 {
        let (start, mut best) = (self.ways.len(), u16::MAX);
        for (rows, order) in ROW_ORDERS.iter().enumerate() {
            let [first, second, third] = order.map(|row| &band[usize::from(row)]);
            let mut places = [0; 9];
            for (place, &digit) in (0..9).zip(first) {
                places[usize::from(digit)] = place;
            }
            let second = second.map(|digit| places[usize::from(digit)]);
            let third = third.map(|digit| places[usize::from(digit)]);
            let value = self.second_rows[self.index(triples(&second))];
            let (rank, arrangement) = (value >> 11, &self.arrangements[usize::from(value & 0x7ff)]);
            if rank * 216 > best {
                continue;
            }
            let third = conjugate(&third, arrangement);
            for &kept in &least[usize::from(rank)].1 {
                let kept = &self.arrangements[usize::from(kept)];
                let code = rank * 216 + self.order(triples(&conjugate(&third, kept)));
                if code < best {
                    best = code;
                    self.ways.truncate(start);
                }
                if code == best {
                    let columns = kept.map(|place| arrangement[usize::from(place)]);
                    self.ways.push(BandWay { rows: rows as u8, columns });
                }
            }
        }
        best
    }
}

const IDENTITY: LinePlaces = [0, 1, 2, 3, 4, 5, 6, 7, 8];

/// Three places of a box as one number, 0 to 728.
fn triple([one, two, three]: [u8; 3]) -> usize {
    (usize::from(one) * 9 + usize::from(two)) * 9 + usize::from(three)
}

/// The places of each box of a row as numbers.
fn triples(row: &LinePlaces) -> [usize; 3] {
    [0, 1, 2].map(|stack| triple(row.as_chunks::<3>().0[stack]))
}

/// A row of places after the columns are arranged, again by places of row 1.
fn conjugate(row: &LinePlaces, arrangement: &[u8; 16]) -> LinePlaces {
    let inverse = inverse(arrangement);
    let mut padded = [0; 16];
    padded[..9].copy_from_slice(row);
    core::array::from_fn(|place| {
        inverse[usize::from(padded[usize::from(arrangement[place] & 15)] & 15)]
    })
}

/// The places of the columns of an arrangement.
fn inverse(arrangement: &[u8; 16]) -> [u8; 16] {
    let mut inverse = [0u8; 16];
    for (place, &column) in (0..9).zip(arrangement) {
        inverse[usize::from(column & 15)] = place;
    }
    inverse
}

/// All 1,296 arrangements.
fn arrangements() -> Vec<[u8; 16]> {
    let mut all = Vec::with_capacity(ARRANGEMENTS);
    for number in 0..ARRANGEMENTS {
        let orders = [number / 216, number / 36 % 6, number / 6 % 6, number % 6];
        let [stacks, inner @ ..] = orders.map(|order| ROW_ORDERS[order]);
        let mut arrangement = [0; 16];
        for (place, source) in arrangement[..9].iter_mut().enumerate() {
            *source = stacks[place / 3] * 3 + inner[place / 3][place % 3];
        }
        all.push(arrangement);
    }
    all
}

/// The 216 third rows below a second row, in order.
fn third_rows(second: &LinePlaces) -> impl Iterator<Item = LinePlaces> {
    let (boxes, _) = second.as_chunks::<3>();
    let boxes: [[u8; 3]; 3] = core::array::from_fn(|stack| {
        let mut rest = (0..9u8)
            .filter(|place| usize::from(place / 3) != stack && !boxes[stack].contains(place));
        [(); 3].map(|()| rest.next().unwrap_or(0))
    });
    (0..216).map(move |number| {
        let orders = [number / 36, number / 6 % 6, number % 6].map(|order| ROW_ORDERS[order]);
        core::array::from_fn(|place| boxes[place / 3][usize::from(orders[place / 3][place % 3])])
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn there_are_416_classes_of_bands() {
        let tables = BandTables::new();
        let classes: HashSet<_> = tables.codes.iter().collect();
        assert_eq!(tables.codes.len(), RANKS * 216);
        assert_eq!(classes.len(), 416);
        assert!(tables.second_rows.iter().all(|&value| usize::from(value >> 11) < RANKS));
    }
}
