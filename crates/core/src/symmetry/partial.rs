//! A partial map of the search for a puzzle's minlex form, and one more row for it.
//!
//! A partial map has fixed the first rows of the form. Of the columns it knows only as much as
//! these rows tell: columns that look alike so far are *tied*, and so are stacks.
//!
//! ```text
//!   place      0 1 2   3 4 5   6 7 8
//!   tied         ~ ~ ~   ~ ~ |   ~ |      ~ tied with the place before   | not tied
//!              └───── ~ ─────┘            stacks 0 and 1 are tied, stack 2 comes last
//!
//!   next row   . 7 .   . . 4   . 5 7      as it is; 5 has label 1, 7 has 2, 4 has none
//!   its image  0 0 2   0 0 3   0 1 2      tied columns sorted, then tied stacks, then 4 gets 3
//! ```
//!
//! The least image of a row is found by sorting. A label that is new is larger than all others,
//! so it does not matter for the order which one it will be. Only if two digits without labels
//! stand in tied columns, or in tied stacks that look alike, there are several maps to the same
//! image: they are all kept as further partial maps.

use super::orders::{self, ALL_TIES, EACH, STACK_TIES, Ties};
use crate::simd::Bytes;
use alloc::vec::Vec;

/// The label of a digit that has none yet: larger than all labels.
pub(super) const NEW: u8 = 15;

/// One row as packed labels, four bits each, the first place in the highest bits.
pub(super) type Image = u64;

/// Nine values of a row or a column, padded.
pub(super) type PaddedLine = [u8; 16];

/// The upper and the lower half of a byte.
const UPPER: u8 = 0xf0;
const LOWER: u8 = 0x0f;

/// The first rows of a form, and what they say about columns and digits.
#[derive(Clone, Copy, Debug)]
#[repr(align(16))]
pub(super) struct PartialMap {
    /// The label of each digit in the upper half of a byte; 0 for a blank.
    pub(super) labels: [u8; 16],
    /// The source column of each place.
    pub(super) columns: [u8; 16],
    /// The source rows of the form's first rows, four bits each, the first in the lowest.
    pub(super) rows: u64,
    /// How many maps this one stands for, those apart that differ in tied places only.
    pub(super) weight: u32,
    /// The rows that are not used, a bit each.
    pub(super) unused: u16,
    /// Which columns and stacks look alike.
    pub(super) tied: Ties,
    /// How many labels are given.
    pub(super) used: u8,
    /// 1 if rows and columns are exchanged first.
    pub(super) turned: u8,
}

/// A partial map in registers.
#[derive(Clone, Copy)]
pub(super) struct OpenMap<'a, B: Bytes> {
    proof: B::Proof,
    map: &'a PartialMap,
    labels: B,
    columns: B,
    ties: B::Ties,
}

/// The least image of a row, and how it comes about.
#[derive(Clone, Copy)]
pub(super) struct RowFit<B> {
    /// The image. Digits without a label are [`NEW`].
    pub(super) image: Image,
    /// For each place the label in the upper half and the source column in the lower.
    entries: B,
}

impl PartialMap {
    /// Nothing is known.
    pub(super) const fn start(turned: u8) -> Self {
        let mut labels = [NEW << 4; 16];
        labels[0] = 0;
        Self {
            labels,
            columns: EACH,
            rows: 0,
            weight: 1,
            unused: 0x1ff,
            tied: ALL_TIES,
            used: 0,
            turned,
        }
    }

    /// Whether one of these digits has no label yet.
    pub(super) fn has_new(&self, digits: u16) -> bool {
        digits != 0
            && (1..10).any(|digit| digits >> digit & 1 != 0 && self.labels[digit] == NEW << 4)
    }

    /// The source row of the row at this depth.
    #[inline(always)]
    pub(super) fn source_row(&self, depth: usize) -> u8 {
        (self.rows >> (4 * depth) & 15) as u8
    }

    /// It as an index.
    #[inline(always)]
    pub(super) fn row(&self, depth: usize) -> usize {
        usize::from(self.source_row(depth))
    }

    /// Of these rows those whose image begins with the most blanks. `crossing` has for each column
    /// the rows that are not blank there, a bit each.
    #[inline(always)]
    pub(super) fn most_leading_blanks(&self, crossing: &[u16; 16], mut rows: u16) -> u16 {
        let mut places = [0u16; 9];
        for (place, column) in places.iter_mut().zip(&self.columns) {
            *place = crossing[usize::from(column & 15)];
        }
        // Sorts the places of all rows at once: of two places that are tied, the later one is
        // not blank if one of them is not.
        let exchange = |places: &mut [u16; 9], place: usize| {
            let tied = 0u16.wrapping_sub(self.tied >> place & 1);
            let (one, two) = (places[place - 1], places[place]);
            places[place - 1] = one & (two | !tied);
            places[place] = two | one & tied;
        };
        for place in [1, 2, 1, 4, 5, 4, 7, 8, 7] {
            exchange(&mut places, place);
        }
        if self.tied & STACK_TIES != 0 {
            for stack in [1, 2, 1] {
                if self.tied >> (3 * stack) & 1 != 0 {
                    exchange_stacks(&mut places, stack);
                }
            }
        }
        for place in places {
            let blank = rows & !place;
            if blank == 0 {
                break;
            }
            rows = blank;
        }
        rows
    }

    /// The source columns.
    pub(super) fn source_columns(&self) -> &[u8; 9] {
        self.columns.first_chunk().expect("9 of 16")
    }

    /// The image of the puzzle with these rows under a map that has all rows.
    #[inline(always)]
    pub(super) fn image<B: Bytes>(&self, proof: B::Proof, lines: &[PaddedLine; 9]) -> [u8; 81] {
        let labels = B::load(proof, &self.labels.map(|label| label >> 4));
        let columns = B::load(proof, &self.columns);
        // Each row ends with blanks, which the next one overwrites.
        let mut values = [0; 88];
        for depth in 0..9 {
            let line = B::load(proof, &lines[self.row(depth) % 9]);
            let image = labels.pick(line.pick(columns)).to_array();
            values[9 * depth..9 * depth + 16].copy_from_slice(&image);
        }
        *values.first_chunk().expect("81 of 88")
    }

    /// The map with one more row.
    #[inline(always)]
    fn with_row(&self, row: usize, depth: usize, weight: u32) -> Self {
        Self {
            rows: self.rows | (row as u64) << (4 * depth),
            unused: self.unused & !(1 << row),
            weight: self.weight * weight,
            ..*self
        }
    }
}

/// Exchanges a stack and the one before in the rows in which it is smaller.
fn exchange_stacks(places: &mut [u16; 9], stack: usize) {
    let (mut less, mut equal) = (0, !0);
    for place in 3 * stack..3 * stack + 3 {
        let (one, two) = (places[place - 3], places[place]);
        less |= equal & one & !two;
        equal &= !(one ^ two);
    }
    for place in 3 * stack..3 * stack + 3 {
        let change = (places[place - 3] ^ places[place]) & less;
        places[place - 3] ^= change;
        places[place] ^= change;
    }
}

impl<'a, B: Bytes> OpenMap<'a, B> {
    #[inline(always)]
    pub(super) fn new(proof: B::Proof, map: &'a PartialMap) -> Self {
        Self {
            proof,
            map,
            labels: B::load(proof, &map.labels),
            columns: B::load(proof, &map.columns),
            ties: B::ties(proof, map.tied),
        }
    }

    /// The least image that a row can have. No digit without a label may be in it twice.
    #[inline(always)]
    pub(super) fn fit(&self, line: &PaddedLine) -> RowFit<B> {
        let digits = B::load(self.proof, line).pick(self.columns);
        let entries = self.sorted(self.labels.pick(digits) | self.columns);
        RowFit { image: entries.upper_halves(), entries }
    }

    /// Sorts tied columns, then tied stacks, by the upper halves of the entries.
    #[inline(always)]
    fn sorted(&self, mut entries: B) -> B {
        let tied = self.map.tied;
        if tied != 0 {
            entries = entries.sorted(self.ties);
        }
        if tied & STACK_TIES != 0 {
            entries = orders::sort_stacks(self.proof, entries, tied, keys(entries.upper_halves()));
        }
        entries
    }

    /// Appends each partial map that has this row, too, in the image of `fit`.
    #[inline(always)]
    pub(super) fn extend(
        &self,
        row: usize,
        depth: usize,
        line: &PaddedLine,
        fit: &RowFit<B>,
        weight: u32,
        next: &mut Vec<PartialMap>,
    ) {
        let entries = fit.entries;
        let labels = entries & B::splat(self.proof, UPPER);
        let new = labels.equal(B::splat(self.proof, NEW << 4));
        let columns = entries & B::splat(self.proof, LOWER);
        let mut partial = self.map.with_row(row, depth, weight);
        if self.map.tied == 0 {
            self.label::<false>(&mut partial, line, columns, new);
            next.push(partial);
            return;
        }
        // Places that look alike now; those that hold different digits without a label.
        let mut tied = labels.equal_to_previous() & self.map.tied & !STACK_TIES;
        let mut split = tied & new;
        if self.map.tied & STACK_TIES != 0 {
            let alike = equal_stacks(keys(fit.image)) & self.map.tied;
            let new_stacks = (new | new >> 1 | new >> 2) & STACK_TIES;
            tied |= alike;
            split |= alike & new_stacks;
        }
        partial.tied = tied & !split;
        let mut push = |columns: B| {
            let mut partial = partial;
            partial.columns = columns.to_array();
            self.label::<false>(&mut partial, line, columns, new);
            next.push(partial);
        };
        if split == 0 {
            push(columns);
        } else {
            orders::each(self.proof, columns, split, None, push);
        }
    }

    /// Gives labels to the digits that have none, in the order of their places. A bit of `new` is
    /// set for each of these places. Returns all labels.
    #[inline(always)]
    fn label<const REPEATED: bool>(
        &self,
        partial: &mut PartialMap,
        line: &PaddedLine,
        columns: B,
        mut new: u16,
    ) -> B {
        let mut labels = self.labels;
        if new != 0 {
            let digits = B::load(self.proof, line).pick(columns).to_array();
            let mut seen = 0u16;
            while new != 0 {
                let digit = digits[new.trailing_zeros() as usize & 15];
                new &= new - 1;
                if REPEATED {
                    if seen >> digit & 1 != 0 {
                        continue;
                    }
                    seen |= 1 << digit;
                }
                partial.used += 1;
                labels = labels.with(digit, NEW << 4, partial.used << 4);
            }
            partial.labels = labels.to_array();
        }
        labels
    }

    /// The image of a fit with the labels that its new digits get. Different digits are new in it.
    #[inline(always)]
    pub(super) fn labelled(&self, fit: &RowFit<B>) -> Image {
        let (mut image, mut label) = (fit.image, self.map.used);
        for place in (0..9).rev() {
            if image >> (4 * place) & 15 == Image::from(NEW) {
                label += 1;
                image ^= Image::from(NEW ^ label) << (4 * place);
            }
        }
        image
    }

    /// As [`Self::fit`] and [`Self::extend`], for a row that has a digit without a label more
    /// than once: tries every order of tied columns and stacks that makes a difference.
    /// Calls `next` with the image and the partial map of each.
    #[inline(always)]
    pub(super) fn extend_repeated(
        &self,
        row: usize,
        depth: usize,
        line: &PaddedLine,
        weight: u32,
        mut next: impl FnMut(Image, PartialMap),
    ) {
        // Sorted by digit: each order below leaves equal digits as they are.
        let digits = B::load(self.proof, line);
        let upper = B::load(self.proof, &EACH.map(|digit| digit << 4));
        let entries = self.sorted(upper.pick(digits.pick(self.columns)) | self.columns);
        let sorted = entries.to_array();
        let of_stack = |stack: usize| [0, 1, 2].map(|k| u16::from(sorted[3 * stack + k] >> 4));
        let values = [of_stack(0), of_stack(1), of_stack(2), keys(entries.upper_halves())];
        let partial = self.map.with_row(row, depth, weight);
        orders::each(self.proof, entries, self.map.tied, Some(&values), |entries| {
            let mut partial = partial;
            let alike = (entries & B::splat(self.proof, UPPER)).equal_to_previous() & !STACK_TIES;
            partial.tied &= alike | equal_stacks(keys(entries.upper_halves()));
            let columns = entries & B::splat(self.proof, LOWER);
            partial.columns = columns.to_array();
            let digits = digits.pick(columns);
            let new = self.labels.pick(digits).equal(B::splat(self.proof, NEW << 4));
            let labels = self.label::<true>(&mut partial, line, columns, new);
            next(labels.pick(digits).upper_halves(), partial);
        });
    }
}

/// The labels of each stack as one number.
#[inline(always)]
#[expect(clippy::cast_possible_truncation, reason = "twelve bits")]
fn keys(image: Image) -> [u16; 3] {
    [image >> 24, image >> 12, image].map(|stack| stack as u16 & 0xfff)
}

/// The ties of stacks that are equal.
#[inline(always)]
fn equal_stacks([one, two, three]: [u16; 3]) -> Ties {
    u16::from(one == two) << 3 | u16::from(two == three) << 6
}
