//! The candidates of a search, their numbers, and the links between them.
//!
//! ```text
//!  on => off   the other digits of the cell; the other places of the digit in box, row, column
//!  off => on   the other digit of a cell with two; the other place in a house with two
//! ```
//!
//! The order of the links decides which of several chains is found first, so it is part of the
//! rating: cell, box, row outside the box, column outside the box; digits and places ascend.

#![expect(clippy::cast_possible_truncation, reason = "cells, digits and numbers are below 1024")]

use super::super::board::{CellDigit, SolvingBoard};
use super::super::few::Few;
use super::super::score::Technique;
use super::super::tables::{CELLS, HOUSES_OF, POSITIONS, bits};
use core::ops::ControlFlow;

/// The candidates of a grid, from the cells and from the houses. See [`SolvingBoard`].
#[derive(Clone, Debug)]
pub(super) struct Pencilmarks {
    pub(super) cells: [u16; 81],
    pub(super) places: [[u16; 32]; 9],
}

/// How a potential follows from its first parent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Link {
    /// It is assumed.
    Start,
    Cell,
    Box,
    Row,
    Column,
    /// A rule of a run found it with this technique, not a link.
    Rule(Technique),
}

/// The houses of a cell and its positions there, in the order of the links.
#[inline]
pub(super) fn house_links(cell: usize) -> [(Link, usize, u8); 3] {
    let [row, column, in_box] = HOUSES_OF[cell].map(usize::from);
    let [at_row, at_column, at_box] = POSITIONS[cell];
    [(Link::Box, in_box, at_box), (Link::Row, row, at_row), (Link::Column, column, at_column)]
}

/// Which links a search follows, in cells and from off to on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum LinkPass {
    /// Those in houses.
    X,
    /// Those in cells.
    Y,
    /// Both.
    Xy,
}

impl Default for Pencilmarks {
    fn default() -> Self {
        Self::EMPTY
    }
}

impl Pencilmarks {
    pub(super) const EMPTY: Self = Self { cells: [0; 81], places: [[0; 32]; 9] };

    pub(super) fn load(&mut self, board: &SolvingBoard) {
        self.cells = board.cells;
        self.places = board.places;
    }

    /// All candidates, by cell, then by digit.
    pub(super) fn candidates(&self) -> impl Iterator<Item = CellDigit> {
        let of_cell = |(cell, &digits)| bits(digits).map(move |it| CellDigit::new(cell, it));
        self.cells.iter().enumerate().flat_map(of_cell)
    }

    /// What a step removes that proves a candidate on (the others of its cell) or off (itself).
    pub(super) fn removal(&self, candidate: CellDigit, is_on: bool) -> (u8, u16) {
        let bit = 1 << candidate.digit;
        let others = self.cells[candidate.cell()] & !bit;
        (candidate.cell, if is_on { others } else { bit })
    }

    /// Removes a candidate.
    #[inline]
    pub(super) fn remove(&mut self, candidate: CellDigit) {
        let (cell, digit) = (candidate.cell(), candidate.digit());
        self.cells[cell] &= !(1 << digit);
        for (house, position) in HOUSES_OF[cell].into_iter().zip(POSITIONS[cell]) {
            self.places[digit][usize::from(house) & 31] &= !(1 << position);
        }
    }

    /// Visits what is off if a candidate is on, in Explainer's order.
    #[inline]
    pub(super) fn each_off(
        &self,
        from: CellDigit,
        pass: LinkPass,
        mut visit: impl FnMut(CellDigit, Link) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let (cell, digit) = (from.cell(), from.digit());
        if pass != LinkPass::X {
            for other in bits(self.cells[cell] & !(1 << digit)) {
                visit(CellDigit::new(cell, other), Link::Cell)?;
            }
        }
        for (link, house, at) in house_links(cell) {
            // Of a line, the three positions that the box shares are left out.
            let known = if link == Link::Box { 1 << at } else { 7 << (at / 3 * 3) };
            for position in bits(self.places[digit][house] & !known) {
                visit(CellDigit { cell: CELLS[house][position], digit: from.digit }, link)?;
            }
        }
        ControlFlow::Continue(())
    }

    /// What is on if a candidate is off, in Explainer's order, each target once.
    #[inline]
    pub(super) fn ons(&self, from: CellDigit, pass: LinkPass) -> Few<(CellDigit, Link), 4> {
        let (cell, digit) = (from.cell(), from.digit());
        let mut ons = Few::new((from, Link::Start));
        if pass != LinkPass::X {
            let others = self.cells[cell] & !(1 << digit);
            if others.is_power_of_two() && self.cells[cell] != others {
                ons.push((CellDigit::new(cell, others.trailing_zeros() as usize), Link::Cell));
            }
        }
        if pass != LinkPass::Y {
            for (link, house, at) in house_links(cell) {
                let others = self.places[digit][house] & !(1 << at);
                if others.is_power_of_two() {
                    let to = CellDigit {
                        cell: CELLS[house][others.trailing_zeros() as usize],
                        digit: from.digit,
                    };
                    if !ons.as_slice().iter().any(|&(known, _)| known == to) {
                        ons.push((to, link));
                    }
                }
            }
        }
        ons
    }
}

/// The candidates of the grid of a step, numbered by cell, then by digit.
///
/// Searches inside a run have fewer candidates; these keep their numbers.
#[derive(Debug)]
pub(super) struct Numbering {
    numbers: [[u16; 9]; 81],
    candidates: [CellDigit; 729],
    pub(super) count: usize,
}

impl Numbering {
    pub(super) const EMPTY: Self =
        Self { numbers: [[0; 9]; 81], candidates: [CellDigit::new(0, 0); 729], count: 0 };

    pub(super) fn load(&mut self, state: &Pencilmarks) {
        self.count = 0;
        for candidate in state.candidates() {
            self.numbers[candidate.cell()][candidate.digit()] = self.count as u16;
            self.candidates[self.count] = candidate;
            self.count += 1;
        }
    }

    pub(super) fn number(&self, candidate: CellDigit) -> u16 {
        self.numbers[candidate.cell()][candidate.digit()]
    }

    pub(super) fn candidate(&self, number: u16) -> CellDigit {
        self.candidates[usize::from(number)]
    }
}

/// The candidates of a search and their numbers.
#[derive(Clone, Copy)]
pub(super) struct Numbered<'a> {
    pub(super) state: &'a Pencilmarks,
    pub(super) names: &'a Numbering,
}

/// Visits the candidates that are gone from the cell or house of a link to a candidate.
#[inline]
pub(super) fn each_gone(
    start: &Pencilmarks,
    working: &Pencilmarks,
    to: CellDigit,
    link: Link,
    mut visit: impl FnMut(CellDigit),
) {
    let (cell, digit) = (to.cell(), to.digit());
    if link == Link::Cell {
        let gone = start.cells[cell] & !working.cells[cell];
        bits(gone).for_each(|digit| visit(CellDigit::new(cell, digit)));
    } else if let Some((_, house, _)) = house_links(cell).into_iter().find(|it| it.0 == link) {
        let gone = start.places[digit][house] & !working.places[digit][house];
        bits(gone).for_each(|it| visit(CellDigit { cell: CELLS[house][it], digit: to.digit }));
    }
}
