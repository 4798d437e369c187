//! Links as rows of bits: a wave of a search is the OR of the rows of the wave before.
//!
//! ```text
//!  front = {3, 17}       row 3    0 0 1 0 1 …
//!                     OR row 17   0 1 1 0 0 …
//!                      = next     0 1 1 0 1 …      minus those already entered
//! ```
//!
//! `W` words hold 64 candidates each. A stuck puzzle has about 200, but a sukaku has up to 729.

#![expect(clippy::inline_always, reason = "compiled for each level where it is used")]
#![expect(clippy::cast_possible_truncation, reason = "numbers of candidates are under 768")]

use super::super::board::CellDigit;
use super::super::few::Few;
use super::super::tables::{BOXES, CELLS, COLUMNS, HOUSES, bits};
use super::grid::Numbered;
use alloc::vec::Vec;

/// A set of numbers of candidates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Set<const W: usize>(pub(super) [u64; W]);

impl<const W: usize> Default for Set<W> {
    fn default() -> Self {
        Self::EMPTY
    }
}

impl<const W: usize> Set<W> {
    pub(super) const EMPTY: Self = Self([0; W]);
    pub(super) const FULL: Self = Self([!0; W]);

    pub(super) fn of(number: u16) -> Self {
        let mut set = Self::EMPTY;
        set.insert(number);
        set
    }

    pub(super) fn insert(&mut self, number: u16) {
        self.0[usize::from(number) / 64] |= 1 << (number % 64);
    }

    pub(super) fn remove(&mut self, number: u16) {
        self.0[usize::from(number) / 64] &= !(1 << (number % 64));
    }

    pub(super) fn contains(&self, number: u16) -> bool {
        self.0[usize::from(number) / 64] >> (number % 64) & 1 != 0
    }

    #[inline(always)]
    pub(super) fn is_empty(&self) -> bool {
        self.0.iter().fold(0, |all, word| all | word) == 0
    }

    /// The least member.
    pub(super) fn first(&self) -> Option<u16> {
        let word = self.0.iter().position(|&word| word != 0)?;
        Some((word * 64) as u16 + self.0[word].trailing_zeros() as u16)
    }

    #[inline(always)]
    pub(super) fn and(&self, other: &Self) -> Self {
        Self(core::array::from_fn(|word| self.0[word] & other.0[word]))
    }

    #[inline(always)]
    pub(super) fn or(&self, other: &Self) -> Self {
        Self(core::array::from_fn(|word| self.0[word] | other.0[word]))
    }

    #[inline(always)]
    pub(super) fn without(&self, other: &Self) -> Self {
        Self(core::array::from_fn(|word| self.0[word] & !other.0[word]))
    }

    /// Calls a function for each member in ascending order.
    pub(super) fn each(&self, mut visit: impl FnMut(u16)) {
        for (word, &set) in self.0.iter().enumerate() {
            for bit in bits(set) {
                visit((word * 64 + bit) as u16);
            }
        }
    }

    /// The union of the rows of all members.
    #[inline]
    pub(super) fn spread(&self, rows: &[Self]) -> Self {
        let mut union = Self::EMPTY;
        for (word, &set) in self.0.iter().enumerate() {
            for bit in bits(set) {
                for (all, part) in union.0.iter_mut().zip(&rows[word * 64 + bit].0) {
                    *all |= part;
                }
            }
        }
        union
    }
}

/// Swaps rows and columns of 64 by 64 bits.
#[inline(always)]
pub(super) fn transpose(rows: &mut [u64; 64]) {
    let (mut width, mut mask) = (32, 0xffff_ffff_u64);
    while width > 0 {
        let mut row = 0;
        while row < 64 {
            let swapped = (rows[row] >> width ^ rows[row + width]) & mask;
            rows[row] ^= swapped << width;
            rows[row + width] ^= swapped;
            row = (row + width + 1) & !width;
        }
        width /= 2;
        mask ^= mask << width;
    }
}

/// All links of a grid.
#[derive(Debug, Default)]
pub(super) struct Links<const W: usize> {
    /// From on to off within houses, and within houses and cells.
    weak_houses: Vec<Set<W>>,
    weak: Vec<Set<W>>,
    /// From off to on within houses, within cells, and within both.
    strong_houses: Vec<Set<W>>,
    strong_cells: Vec<Set<W>>,
    strong: Vec<Set<W>>,
    /// The candidates with strong links within houses, within cells, and within any of both.
    paired: [Set<W>; 3],
}

/// The links of one pass.
#[derive(Clone, Copy)]
pub(super) struct LinkRows<'a, const W: usize> {
    pub(super) weak: &'a [Set<W>],
    strong: &'a [Set<W>],
    /// The candidates with strong links: most have none.
    pub(super) paired: &'a Set<W>,
}

impl<const W: usize> Links<W> {
    /// Finds the links of a grid whose candidates have numbers.
    pub(super) fn load(&mut self, marks: Numbered<'_>) {
        let Numbered { state, names } = marks;
        for rows in [
            &mut self.weak_houses,
            &mut self.weak,
            &mut self.strong_houses,
            &mut self.strong_cells,
            &mut self.strong,
        ] {
            rows.clear();
            rows.resize(names.count, Set::EMPTY);
        }
        for digit in 0..9 {
            for house in (BOXES..HOUSES).chain(0..COLUMNS).chain(COLUMNS..BOXES) {
                let places = state.places[digit][house];
                let members = members(places, |position| {
                    names.number(CellDigit::new(usize::from(CELLS[house][position]), digit))
                });
                join(&mut self.weak_houses, &mut self.strong_houses, members.as_slice());
            }
        }
        self.weak.copy_from_slice(&self.weak_houses);
        for (cell, &candidates) in state.cells.iter().enumerate() {
            let members = members(candidates, |digit| names.number(CellDigit::new(cell, digit)));
            join(&mut self.weak, &mut self.strong_cells, members.as_slice());
        }
        for ((all, houses), cells) in
            self.strong.iter_mut().zip(&self.strong_houses).zip(&self.strong_cells)
        {
            *all = houses.or(cells);
        }
        let with_links = |rows: &[Set<W>]| {
            let mut paired = Set::EMPTY;
            for (number, _) in rows.iter().enumerate().filter(|(_, row)| !row.is_empty()) {
                paired.insert(number as u16);
            }
            paired
        };
        let [in_houses, in_cells] =
            [&self.strong_houses, &self.strong_cells].map(|rows| with_links(rows));
        self.paired = [in_houses, in_cells, in_houses.or(&in_cells)];
    }

    pub(super) fn in_houses(&self) -> LinkRows<'_, W> {
        LinkRows { weak: &self.weak_houses, strong: &self.strong_houses, paired: &self.paired[0] }
    }

    pub(super) fn in_cells(&self) -> LinkRows<'_, W> {
        LinkRows { weak: &self.weak, strong: &self.strong_cells, paired: &self.paired[1] }
    }

    pub(super) fn all(&self) -> LinkRows<'_, W> {
        LinkRows { weak: &self.weak, strong: &self.strong, paired: &self.paired[2] }
    }
}

/// The numbers of the candidates of a cell or house.
fn members(mask: u16, number: impl Fn(usize) -> u16) -> Few<u16, 9> {
    let mut members = Few::new(0);
    bits(mask).for_each(|place| members.push(number(place)));
    members
}

/// Links candidates of which one is on at most, and exactly one if they are all of a cell or house.
fn join<const W: usize>(weak: &mut [Set<W>], strong: &mut [Set<W>], members: &[u16]) {
    if let &[one, other] = members {
        strong[usize::from(one)].insert(other);
        strong[usize::from(other)].insert(one);
        weak[usize::from(one)].insert(other);
        weak[usize::from(other)].insert(one);
        return;
    }
    let mut all = Set::EMPTY;
    for &member in members {
        all.insert(member);
    }
    for &member in members {
        let row = &mut weak[usize::from(member)];
        *row = row.or(&all);
        row.remove(member);
    }
}

impl<'a, const W: usize> LinkRows<'a, W> {
    /// What is on if a candidate is off.
    pub(super) fn ons(&self, number: u16) -> &'a Set<W> {
        &self.strong[usize::from(number)]
    }

    /// What is on if any of some candidates is off.
    #[inline]
    pub(super) fn spread_offs(&self, offs: &Set<W>) -> Set<W> {
        offs.and(self.paired).spread(self.strong)
    }

    /// What is on and off if a candidate is on.
    pub(super) fn closure(&self, start: u16) -> [Set<W>; 2] {
        let (mut on, mut off) = (Set::of(start), Set::EMPTY);
        let mut front = on;
        while !front.is_empty() {
            let offs = front.spread(self.weak).without(&off);
            off = off.or(&offs);
            front = self.spread_offs(&offs).without(&on);
            on = on.or(&front);
        }
        [on, off]
    }
}
