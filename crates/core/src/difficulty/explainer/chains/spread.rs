//! What all dynamic runs of a grid enter, side by side: a filter for the runs that are worth making.
//!
//! ```text
//!  potential   starts: one bit each, those that are on and those that are off
//!  a on        1 0 0 1 0 …
//!  b off       1 0 0 1 0 …      b is in a cell or house with a
//!  c on        0 0 0 1 0 …      all others of a cell or house are off
//! ```
//!
//! Nearly all runs inside a run have nothing in common with another one. So first all cells and houses
//! apply both rules for all starts at once, until nothing changes. A run that meets no contradiction
//! enters exactly these potentials. One that meets a contradiction depends on the order, and is made.

#![expect(clippy::inline_always, reason = "compiled for each level where it is used")]
#![expect(clippy::cast_possible_truncation, reason = "numbers of candidates are under 768")]

use super::super::board::CellDigit;
use super::super::tables::{HOUSES, HOUSES_OF, POSITIONS, bits};
use super::grid::{Numbered, Numbering, Pencilmarks};
use super::runs::Potential;
use super::sets::{Set, transpose};
use crate::simd::{ByteKernel, Bytes, SimdLevel};
use alloc::vec::Vec;

/// The cells, then each digit in the houses.
const GROUPS: usize = 81 + 9 * HOUSES;

/// Starts of runs: those that are off, those that are on.
type Starts<const W: usize> = [Set<W>; 2];

#[inline(always)]
fn both<const W: usize>(
    one: &Starts<W>,
    other: &Starts<W>,
    join: impl Fn(&Set<W>, &Set<W>) -> Set<W>,
) -> Starts<W> {
    [join(&one[0], &other[0]), join(&one[1], &other[1])]
}

/// The memory of the filter.
#[derive(Debug)]
pub(super) struct RunFilter<const W: usize> {
    /// The starts from which each potential follows.
    entered: Vec<Starts<W>>,
    /// The starts that meet a contradiction.
    conflicts: Starts<W>,
    /// The candidates of each group by their places in it, and the groups of each candidate.
    members: [[u16; 9]; GROUPS],
    groups: Vec<[u16; 4]>,
    /// Groups in which something changed.
    changed: [u64; GROUPS.div_ceil(64)],
    rows: Vec<[Set<W>; 2]>,
    /// The candidates of the last grid.
    cells: [u16; 81],
    alive: Set<W>,
    /// The grid with more candidates, and what follows there.
    base: Pencilmarks,
    of_base: Vec<Starts<W>>,
    conflicts_of_base: Starts<W>,
}

impl<const W: usize> Default for RunFilter<W> {
    fn default() -> Self {
        Self {
            entered: Vec::new(),
            conflicts: [Set::EMPTY; 2],
            members: [[0; 9]; GROUPS],
            groups: Vec::new(),
            changed: [0; GROUPS.div_ceil(64)],
            rows: Vec::new(),
            cells: [0; 81],
            alive: Set::EMPTY,
            base: Pencilmarks::EMPTY,
            of_base: Vec::new(),
            conflicts_of_base: [Set::EMPTY; 2],
        }
    }
}

impl<const W: usize> RunFilter<W> {
    /// Finds what the run from each potential enters, or that it meets a contradiction.
    ///
    /// `base` is a grid with more candidates: what follows there follows here, too, if it still has links.
    /// To find too much costs time only.
    pub(super) fn load(&mut self, marks: Numbered<'_>, base: Option<&Pencilmarks>) {
        SimdLevel::for_bytes().run_on_bytes(LoadFilter { spread: self, marks, base });
    }

    #[inline(always)]
    fn load_here(&mut self, marks: Numbered<'_>, base: Option<&Pencilmarks>) {
        let Numbered { state, names } = marks;
        if let Some(base) = base {
            if self.base.cells != base.cells {
                self.begin(base, names);
                self.alive = Set::FULL;
                self.settle(base);
                self.base.clone_from(base);
                self.of_base.clone_from(&self.entered);
                self.conflicts_of_base = self.conflicts;
                self.cells = base.cells;
            }
            let is_within =
                self.cells.iter().zip(&state.cells).all(|(before, now)| now & !before == 0);
            if !is_within {
                self.entered.clone_from(&self.of_base);
                self.conflicts = self.conflicts_of_base;
                self.cells = self.base.cells;
            }
            let cells = self.cells;
            for (cell, (&before, &now)) in cells.iter().zip(&state.cells).enumerate() {
                for digit in bits(before & !now) {
                    self.mark(usize::from(names.number(CellDigit::new(cell, digit))));
                }
            }
        } else {
            self.begin(state, names);
            self.base.cells = [0; 81];
        }
        self.cells = state.cells;
        self.alive = Set::EMPTY;
        state.candidates().for_each(|candidate| self.alive.insert(names.number(candidate)));
        self.settle(state);
        self.fill_rows(names);
    }

    /// Begins with the starts alone.
    fn begin(&mut self, state: &Pencilmarks, names: &Numbering) {
        self.groups.clear();
        self.groups.resize(names.count, [0; 4]);
        self.entered.clear();
        self.entered.resize(2 * names.count, [Set::EMPTY; 2]);
        self.conflicts = [Set::EMPTY; 2];
        for candidate in state.candidates() {
            let number = names.number(candidate);
            for is_on in [false, true] {
                let start = Potential::new(number, is_on);
                self.entered[start.index()][usize::from(is_on)].insert(number);
            }
            let cell = candidate.cell();
            let houses = HOUSES_OF[cell].map(usize::from);
            let first = 81 + candidate.digit() * HOUSES;
            self.members[cell][candidate.digit()] = number;
            for (house, place) in houses.into_iter().zip(POSITIONS[cell]) {
                self.members[first + house][usize::from(place)] = number;
            }
            let [row, column, in_box] = houses.map(|house| (first + house) as u16);
            self.groups[usize::from(number)] = [cell as u16, row, column, in_box];
            self.mark(usize::from(number));
        }
    }

    /// Marks the groups of a candidate.
    #[inline(always)]
    fn mark(&mut self, number: usize) {
        for &group in &self.groups[number] {
            self.changed[usize::from(group) / 64] |= 1 << (group % 64);
        }
    }

    /// Applies both rules to the groups that changed, until none does.
    #[inline(always)]
    fn settle(&mut self, state: &Pencilmarks) {
        let words = self.changed.len();
        let mut word = 0;
        while let Some(next) =
            (word..word + words).map(|it| it % words).find(|&it| self.changed[it] != 0)
        {
            word = next;
            let group = word * 64 + self.changed[word].trailing_zeros() as usize;
            self.apply(group, state);
            // Nothing more in the group itself follows from what it changed.
            self.changed[word] &= !(1 << (group % 64));
        }
    }

    /// Applies both rules to a group.
    #[inline(always)]
    fn apply(&mut self, group: usize, state: &Pencilmarks) {
        let mask = match group.checked_sub(81) {
            None => state.cells[group],
            Some(index) => state.places[index / HOUSES][index % HOUSES],
        };
        // A single candidate of a group has no links.
        if mask & mask.wrapping_sub(1) == 0 {
            return;
        }
        let numbers = bits(mask).map(|place| usize::from(self.members[group][place]));
        // Starts with a member that is on; with two; with all off; with all off but one at most; with each
        // member on or off.
        let (mut on, mut on_twice) = ([Set::EMPTY; 2], [Set::EMPTY; 2]);
        let (mut off_all, mut off_but_one, mut known) =
            ([Set::FULL; 2], [Set::FULL; 2], [Set::FULL; 2]);
        for number in numbers {
            let [is_off, is_on] = [&self.entered[2 * number], &self.entered[2 * number + 1]];
            on_twice = both(&on_twice, &both(&on, is_on, Set::and), Set::or);
            on = both(&on, is_on, Set::or);
            off_but_one = both(&both(&off_but_one, is_off, Set::and), &off_all, Set::or);
            off_all = both(&off_all, is_off, Set::and);
            known = both(&known, &both(is_on, is_off, Set::or), Set::and);
        }
        let conflicts = both(&self.conflicts, &both(&off_all, &on_twice, Set::or), Set::or);
        self.conflicts = conflicts;
        let open = conflicts.map(|conflicts| self.alive.without(&conflicts));
        let off_others = both(&both(&on, &known, Set::without), &open, Set::and);
        let on_last = both(&both(&off_but_one, &on, Set::without), &open, Set::and);
        let any = both(&off_others, &on_last, Set::or);
        if any[0].is_empty() && any[1].is_empty() {
            return;
        }
        for place in bits(mask) {
            let number = usize::from(self.members[group][place]);
            let [is_off, is_on] = [self.entered[2 * number], self.entered[2 * number + 1]];
            let new_off = both(&both(&off_others, &is_on, Set::without), &is_off, Set::without);
            let new_on = both(&on_last, &is_off, Set::without);
            let any = both(&new_off, &new_on, Set::or);
            if any[0].is_empty() && any[1].is_empty() {
                continue;
            }
            let (is_off, is_on) =
                (both(&is_off, &new_off, Set::or), both(&is_on, &new_on, Set::or));
            self.entered[2 * number] = is_off;
            self.entered[2 * number + 1] = is_on;
            self.conflicts = both(&self.conflicts, &both(&is_off, &is_on, Set::and), Set::or);
            self.mark(number);
        }
    }

    /// Turns starts of potentials into potentials of starts.
    #[inline(always)]
    fn fill_rows(&mut self, names: &Numbering) {
        self.rows.clear();
        self.rows.resize(2 * names.count, [Set::EMPTY; 2]);
        let words = names.count.div_ceil(64);
        for (kind, starts_kind) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
            for word in 0..words {
                for starts_word in 0..words {
                    let mut block = [0; 64];
                    let at = |word: usize, bit: usize, kind: usize| 2 * (64 * word + bit) + kind;
                    for (bit, row) in block.iter_mut().enumerate() {
                        if let Some(entered) = self.entered.get(at(word, bit, kind)) {
                            *row = entered[starts_kind].0[starts_word];
                        }
                    }
                    transpose(&mut block);
                    for (bit, &row) in block.iter().enumerate() {
                        if let Some(rows) = self.rows.get_mut(at(starts_word, bit, starts_kind)) {
                            rows[kind].0[word] = row;
                        }
                    }
                }
            }
        }
    }

    /// Takes what follows without removals from each candidate that is on: what is on and off then.
    pub(super) fn load_static(&mut self, closures: impl Iterator<Item = [Set<W>; 2]>) {
        self.alive = Set::FULL;
        self.rows.clear();
        self.rows.extend(closures.flat_map(|[on, off]| [[Set::EMPTY; 2], [off, on]]));
    }

    /// Whether the run from a potential meets a contradiction.
    pub(super) fn has_conflict(&self, start: Potential) -> bool {
        self.conflicts[usize::from(start.is_on())].and(&self.alive).contains(start.number())
    }

    /// Sets what a run with a contradiction entered before it.
    pub(super) fn set_row(
        &mut self,
        start: Potential,
        potentials: impl Iterator<Item = Potential>,
    ) {
        let row = &mut self.rows[start.index()];
        *row = [Set::EMPTY; 2];
        for it in potentials {
            row[usize::from(it.is_on())].insert(it.number());
        }
    }

    /// Whether the runs from some potentials have one in common.
    pub(super) fn have_common(&self, starts: impl Iterator<Item = Potential>) -> bool {
        let mut all = [self.alive; 2];
        for start in starts {
            all = both(&all, &self.rows[start.index()], Set::and);
            if all[0].is_empty() && all[1].is_empty() {
                return false;
            }
        }
        true
    }
}

/// The search of [`RunFilter::load`], compiled for each level. Its sets are words, not bytes.
struct LoadFilter<'a, const W: usize> {
    spread: &'a mut RunFilter<W>,
    marks: Numbered<'a>,
    base: Option<&'a Pencilmarks>,
}

impl<const W: usize> ByteKernel for LoadFilter<'_, W> {
    type Output = ();

    #[inline(always)]
    fn run<B: Bytes>(self, _: B::Proof) {
        self.spread.load_here(self.marks, self.base);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    impl<const W: usize> RunFilter<W> {
        /// Whether a run enters these potentials; with `exactly`, no others.
        pub(in super::super) fn is_row(
            &self,
            start: Potential,
            potentials: impl Iterator<Item = Potential>,
            exactly: bool,
        ) -> bool {
            let row = self.rows[start.index()].map(|row| row.and(&self.alive));
            let mut entered = [Set::EMPTY; 2];
            potentials.for_each(|it| entered[usize::from(it.is_on())].insert(it.number()));
            let is_within = both(&entered, &row, Set::without) == [Set::EMPTY; 2];
            is_within && (!exactly || entered == row)
        }
    }

    #[test]
    fn rows_and_columns_are_swapped() {
        let mut rows: [u64; 64] =
            core::array::from_fn(|row| 0x9e37_79b9_7f4a_7c15 << (row % 7) ^ row as u64);
        let before = rows;
        transpose(&mut rows);
        for (row, before) in before.iter().enumerate() {
            for (column, now) in rows.iter().enumerate() {
                assert_eq!(before >> column & 1, now >> row & 1, "{row} {column}");
            }
        }
    }
}
