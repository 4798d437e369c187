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

use alloc::vec::Vec;
use core::ops::ControlFlow;

/// The label of a digit that has none yet: larger than all labels.
pub(super) const NEW: u8 = 15;

/// One row as packed labels, four bits each, the first place in the highest bits.
pub(super) type Image = u64;

/// Nine values of a row or a column, padded so that no index below needs a check.
pub(super) type Line = [u8; 16];

/// The first rows of a form, and what they say about columns and digits.
#[derive(Clone, Copy, Debug)]
pub(super) struct Partial {
    /// The label of each digit; 0 for a blank.
    pub(super) labels: [u8; 16],
    /// The source column of each place.
    pub(super) columns: [u8; 9],
    /// The source rows of the form's first rows.
    pub(super) rows: [u8; 9],
    /// The rows that are not used, a bit each.
    pub(super) unused: u16,
    /// Bit `p`: place `p` may be exchanged with the one before it. At 3 and 6, the stacks that
    /// begin there and before.
    pub(super) tied: u16,
    /// How many labels are given.
    pub(super) used: u8,
    /// 1 if rows and columns are exchanged first.
    pub(super) turned: u8,
    /// How many maps this one stands for, those apart that differ in tied places only.
    pub(super) weight: u32,
}

/// The least image of a row, and how it comes about.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fit {
    /// The image.
    pub(super) image: Image,
    /// For each place the label in the upper four bits and the source column in the lower.
    entries: [u8; 9],
}

impl Partial {
    /// Nothing is known.
    pub(super) const fn start(turned: u8) -> Self {
        let mut labels = [NEW; 16];
        labels[0] = 0;
        Self {
            labels,
            columns: [0, 1, 2, 3, 4, 5, 6, 7, 8],
            rows: [0; 9],
            unused: 0x1ff,
            tied: 0x1fe,
            used: 0,
            turned,
            weight: 1,
        }
    }

    /// Whether one of these digits has no label yet.
    pub(super) fn has_new(&self, digits: u16) -> bool {
        (1..10).any(|digit| digits >> digit & 1 != 0 && self.labels[digit] == NEW)
    }

    /// The length of a row's least image without the blanks with which it begins.
    #[inline]
    pub(super) fn length(&self, occupied: u16) -> u32 {
        let mut stacks = [0usize; 3];
        for (stack, columns) in stacks.iter_mut().zip(self.columns.as_chunks::<3>().0) {
            for column in columns {
                *stack = *stack << 1 | usize::from(occupied >> (column & 15) & 1);
            }
        }
        let ties = usize::from(self.tied >> 1);
        let [one, two, three] = [0, 1, 2]
            .map(|stack| u32::from(SORTED[(ties >> (3 * stack) & 3) << 3 | stacks[stack] & 7]));
        let places = match self.tied & 0b100_1000 {
            0 => one << 6 | two << 3 | three,
            0b1000 => one.min(two) << 6 | one.max(two) << 3 | three,
            0b100_0000 => one << 6 | two.min(three) << 3 | two.max(three),
            // Only the place of the first clue matters.
            _ => {
                let (low, high) = (one.min(two), one.max(two));
                low.min(three) << 6 | high.min(low.max(three)) << 3 | high.max(three)
            }
        };
        u32::BITS - places.leading_zeros()
    }

    /// The least image that a row can have. No digit without a label may be in it twice.
    #[inline]
    pub(super) fn fit(&self, line: &Line) -> Fit {
        let mut entries = [0u8; 9];
        for (entry, &column) in entries.iter_mut().zip(&self.columns) {
            let label = self.labels[usize::from(line[usize::from(column & 15)] & 15)];
            *entry = label << 4 | column;
        }
        for (stack, three) in entries.as_chunks_mut::<3>().0.iter_mut().enumerate() {
            *three = sorted(*three, self.tied >> (3 * stack));
        }
        if self.tied & 0b100_1000 != 0 {
            self.sort_stacks(&mut entries);
        }
        Fit { image: self.image(&entries), entries }
    }

    /// Sorts tied stacks by their labels.
    fn sort_stacks(&self, entries: &mut [u8; 9]) {
        let (stacks, _) = entries.as_chunks_mut::<3>();
        let (first, second) = (self.tied & 1 << 3 != 0, self.tied & 1 << 6 != 0);
        let mut sort = |one: usize, condition: bool| {
            if condition && key(stacks[one]) > key(stacks[one + 1]) {
                stacks.swap(one, one + 1);
            }
        };
        sort(0, first);
        sort(1, second);
        sort(0, first && second);
    }

    /// The labels of these entries; digits without one get theirs in order.
    fn image(&self, entries: &[u8; 9]) -> Image {
        let (mut image, mut used) = (0, self.used);
        for entry in entries {
            let label = entry >> 4;
            used += u8::from(label == NEW);
            let label = if label == NEW { used } else { label };
            image = image << 4 | Image::from(label);
        }
        image
    }

    /// Appends each partial map that has this row, too, in the image of `fit`.
    #[inline]
    pub(super) fn extend(
        &self,
        row: usize,
        depth: usize,
        line: &Line,
        fit: &Fit,
        weight: u32,
        next: &mut Vec<Self>,
    ) {
        let entries = &fit.entries;
        if self.tied == 0 {
            next.push(self.with_row(row, depth, weight).with_columns(entries, line));
            return;
        }
        // Places that look alike now; those that hold different digits without a label.
        let (mut tied, mut split) = (0u16, 0u16);
        for place in 1..9 {
            let (one, two) = (entries[place - 1] >> 4, entries[place] >> 4);
            tied |= u16::from(one == two) << place;
            split |= u16::from(one == two && one == NEW) << place;
        }
        tied &= self.tied;
        split &= self.tied & 0b1_1011_0110;
        let (stacks, _) = entries.as_chunks::<3>();
        for second in 1..3 {
            let bit = 1 << (3 * second);
            let equal = key(stacks[second - 1]) == key(stacks[second]);
            let new = stacks[second].iter().any(|entry| entry >> 4 == NEW);
            tied = if self.tied & bit != 0 && equal && !new { tied | bit } else { tied & !bit };
            split |= if self.tied & bit != 0 && equal && new { bit } else { 0 };
        }
        let mut partial = self.with_row(row, depth, weight);
        partial.tied = tied & !(split & 0b1_1011_0110);
        if split == 0 {
            next.push(partial.with_columns(entries, line));
        } else {
            let digits = entries.map(|entry| line[usize::from(entry & 15)] << 4 | entry & 15);
            each_order(&digits, split, &mut |entries| {
                next.push(partial.with_columns(entries, line));
            });
        }
    }

    /// The map with one more row.
    fn with_row(mut self, row: usize, depth: usize, weight: u32) -> Self {
        self.rows[depth] = u8::try_from(row).unwrap_or(0);
        self.unused &= !(1 << row);
        self.weight *= weight;
        self
    }

    /// Takes over an order of columns, and gives labels to the digits that have none.
    fn with_columns(mut self, entries: &[u8; 9], line: &Line) -> Self {
        for (column, entry) in self.columns.iter_mut().zip(entries) {
            *column = entry & 15;
            let label = &mut self.labels[usize::from(line[usize::from(entry & 15)] & 15)];
            if *label == NEW {
                self.used += 1;
                *label = self.used;
            }
        }
        self
    }

    /// As [`Partial::fit`] and [`Partial::extend`], for a row that has a digit without a label
    /// more than once: tries every order of tied columns and stacks that makes a difference.
    /// Calls `next` with the image and the partial map of each.
    pub(super) fn extend_repeated(
        &self,
        row: usize,
        depth: usize,
        line: &Line,
        weight: u32,
        next: &mut dyn FnMut(Image, Self),
    ) {
        let mut entries = [0u8; 9];
        for (entry, &column) in entries.iter_mut().zip(&self.columns) {
            // Sorted by digit: each order below leaves equal digits as they are.
            *entry = line[usize::from(column & 15)] << 4 | column;
        }
        for (stack, three) in entries.as_chunks_mut::<3>().0.iter_mut().enumerate() {
            *three = sorted(*three, self.tied >> (3 * stack));
        }
        self.sort_stacks(&mut entries);
        let partial = self.with_row(row, depth, weight);
        each_order(&entries, self.tied, &mut |entries| {
            let mut partial = partial.with_columns(entries, line);
            let mut image = 0;
            for entry in entries {
                image = image << 4 | Image::from(partial.labels[usize::from(entry >> 4)]);
            }
            let (stacks, _) = entries.as_chunks::<3>();
            for place in 1..9 {
                let equal = if place % 3 == 0 {
                    key(stacks[place / 3 - 1]) == key(stacks[place / 3])
                } else {
                    entries[place - 1] >> 4 == entries[place] >> 4
                };
                partial.tied &= !(u16::from(!equal) << place);
            }
            next(image, partial);
        });
    }

    /// Calls `visit` with each order of the columns that the ties allow.
    pub(super) fn each_order_of_columns(
        &self,
        visit: &mut dyn FnMut(&[u8; 9]) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let mut flow = ControlFlow::Continue(());
        // Different values: no order is left out.
        let mut entries = [0; 9];
        for (place, entry) in entries.iter_mut().enumerate() {
            *entry = u8::try_from(place << 4 & 0xf0).unwrap_or(0) | self.columns[place];
        }
        each_order(&entries, self.tied, &mut |entries| {
            if flow.is_continue() {
                flow = visit(&entries.map(|entry| entry & 15));
            }
        });
        flow
    }

    /// How many orders of the columns the ties allow.
    pub(super) fn orders_of_columns(&self) -> u32 {
        let orders = |bits: u16| [1, 2, 2, 6][usize::from(bits & 3)];
        let inside: u32 = (0..3).map(|stack| orders(self.tied >> (3 * stack + 1))).product();
        inside * orders(self.tied >> 3 & 1 | self.tied >> 5 & 2)
    }
}

/// For ties (bit 0: the first two places, bit 1: the last two) and the places that are not blank
/// (bit 2: the first): these places after sorting.
const SORTED: [u8; 32] = [
    0, 1, 2, 3, 4, 5, 6, 7, // no ties
    0, 1, 2, 3, 2, 3, 6, 7, // the first two
    0, 1, 1, 3, 4, 5, 5, 7, // the last two
    0, 1, 1, 3, 1, 3, 3, 7, // all
];

/// The labels of a stack as one number.
fn key(stack: [u8; 3]) -> u16 {
    let [one, two, three] = stack.map(|entry| u16::from(entry >> 4));
    one << 8 | two << 4 | three
}

/// Three entries, sorted where bit 1 (with the one before) and bit 2 of `tied` allow it.
#[inline]
fn sorted([mut one, mut two, mut three]: [u8; 3], tied: u16) -> [u8; 3] {
    let exchange = |one: &mut u8, two: &mut u8, condition: bool| {
        let (low, high) = ((*one).min(*two), (*one).max(*two));
        *one = if condition { low } else { *one };
        *two = if condition { high } else { *two };
    };
    let (first, second) = (tied & 2 != 0, tied & 4 != 0);
    exchange(&mut one, &mut two, first);
    exchange(&mut two, &mut three, second);
    exchange(&mut one, &mut two, first && second);
    [one, two, three]
}

/// The orders of three; the first two leave the last in place.
const ORDERS: [[usize; 3]; 6] = [[0, 1, 2], [1, 0, 2], [0, 2, 1], [1, 2, 0], [2, 0, 1], [2, 1, 0]];

/// The orders that exchange only what is tied: bit 0 of `tied` for the first two, bit 1 for the
/// last two.
fn orders(tied: u16) -> &'static [[usize; 3]] {
    match tied & 3 {
        0 => &ORDERS[..1],
        1 => &ORDERS[..2],
        2 => &[ORDERS[0], ORDERS[2]],
        _ => &ORDERS,
    }
}

/// Calls `visit` with each different order of the entries that exchanges only tied places.
///
/// The upper half of an entry is its digit, and equal digits are not exchanged. They must be
/// next to each other where they are tied, and so must stacks with the same digits.
fn each_order(entries: &[u8; 9], tied: u16, visit: &mut dyn FnMut(&[u8; 9])) {
    let (stacks, _) = entries.as_chunks::<3>();
    let keys = [0, 1, 2].map(|stack| key(stacks[stack]));
    let inner_ties = [0, 1, 2].map(|stack| tied >> (3 * stack + 1));
    let inner = |stack: usize| {
        let digits = stacks[stack].map(|entry| u16::from(entry >> 4));
        orders(inner_ties[stack]).iter().filter(move |order| changes(order, digits))
    };
    for order in orders(tied >> 3 & 1 | tied >> 5 & 2).iter().filter(|order| changes(order, keys)) {
        for first in inner(order[0]) {
            for second in inner(order[1]) {
                for third in inner(order[2]) {
                    let mut moved = [0; 9];
                    let (places, _) = moved.as_chunks_mut::<3>();
                    for (place, (three, stack)) in
                        places.iter_mut().zip([first, second, third].into_iter().zip(order))
                    {
                        *place = three.map(|index| stacks[*stack][index]);
                    }
                    visit(&moved);
                }
            }
        }
    }
}

/// Whether an order exchanges no equal values.
fn changes(order: &[usize; 3], values: [u16; 3]) -> bool {
    [(0, 1), (0, 2), (1, 2)]
        .iter()
        .all(|&(one, two)| order[one] < order[two] || values[order[one]] != values[order[two]])
}
