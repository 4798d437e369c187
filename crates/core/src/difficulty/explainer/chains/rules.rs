//! What a run finds when it has no links left (9.0 and more): sets, fishes, and chains in chains.
//!
//! ```text
//!  run     a on ─> … ─> b off, c off            no link is left
//!  rule             the digit of b and c is locked in two cells now: d off
//!  node    d off, parents b off and c off       the candidates that had to go first
//! ```
//!
//! The rules are asked in order; the first with a result ends it. A result counts only if it needs a
//! candidate that is gone: these are its parents. All removals of a hint have the same parents.

#![expect(clippy::cast_possible_truncation, reason = "cells are below 81, digits below 9")]

use super::super::board::{CellDigit, SolvingBoard};
use super::super::score::Technique;
use super::super::tables::{
    BOXES, CELLS, COLUMNS, COUNT, HOUSES, HOUSES_OF, SETS_OF_HOUSES, SPREAD, THIRD, THIRD_ACROSS,
    bits,
};
use super::forcing::{ChainShape, ChainStep, Cycles};
use super::grid::{Link, Numbered, Numbering, Pencilmarks};
use super::multiple::{Context, Layer, RunSearch};
use super::runs::{END_OF_CHAIN, HintPlace, Potential, Runs, Target};
use super::scratch::Scratch;
use core::ops::Range;

/// The digits of each house that a simple rule can be about.
///
/// A result needs a candidate that is gone, so most houses have none.
struct OpenDigits {
    /// With two places.
    two: [u16; 32],
    /// With two or three places, and a place that is gone.
    few_and_gone: [u16; 32],
    /// With a place that is gone.
    gone: [u16; 32],
}

impl OpenDigits {
    fn new(start: &Pencilmarks, working: &Pencilmarks) -> Self {
        let mut open = Self { two: [0; 32], few_and_gone: [0; 32], gone: [0; 32] };
        for (digit, (before, left)) in start.places.iter().zip(&working.places).enumerate() {
            let bit = 1 << digit;
            for house in 0..32 {
                let places = left[house];
                // Without the lowest bit, without the two lowest, and without the three lowest.
                let second = places & places.wrapping_sub(1);
                let third = second & second.wrapping_sub(1);
                let fourth = third & third.wrapping_sub(1);
                let flag = |is: bool| if is { bit } else { 0 };
                let is_gone = flag(before[house] != places);
                open.two[house] |= flag(second != 0) & flag(third == 0);
                open.few_and_gone[house] |= flag(second != 0) & flag(fourth == 0) & is_gone;
                open.gone[house] |= is_gone;
            }
        }
        open
    }

    /// Visits digits, and for each its houses in a range where it has few places and one is gone.
    fn each_few(&self, houses: Range<usize>, mut visit: impl FnMut(usize, usize)) {
        let mut of_digits = [0u32; 9];
        for house in houses {
            bits(self.few_and_gone[house]).for_each(|digit| of_digits[digit] |= 1 << house);
        }
        for (digit, houses) in of_digits.into_iter().enumerate() {
            bits(houses).for_each(|house| visit(digit, house));
        }
    }
}

/// Removals and what is gone, of one hint of a simple rule.
struct Rule<'a> {
    board: &'a SolvingBoard,
    start: &'a Pencilmarks,
    working: &'a Pencilmarks,
    open: &'a OpenDigits,
    names: &'a Numbering,
    runs: &'a mut Runs,
    scratch: &'a mut Scratch,
}

impl Rule<'_> {
    fn begin(&mut self) {
        self.scratch.removals.clear();
        self.scratch.gone.clear();
    }

    fn record(&mut self, technique: Technique) {
        let Scratch { removals, gone, .. } = self.scratch;
        if !removals.is_empty() {
            self.runs.record(technique, removals, gone, 0, self.names);
        }
    }

    fn remove(&mut self, cell: u8, digits: u16) {
        let digits = self.working.cells[usize::from(cell)] & digits;
        if digits != 0 {
            self.scratch.removals.push((cell, digits));
        }
    }

    /// Adds those of some candidates of a cell that the start had.
    fn need_gone(&mut self, cell: u8, digits: u16) {
        for digit in bits(self.start.cells[usize::from(cell)] & digits) {
            self.scratch.gone.push(CellDigit { cell, digit: digit as u8 });
        }
    }

    /// Adds those places of a digit in a house that the start had, in these cells.
    fn need_places(&mut self, house: usize, digit: usize, is_needed: impl Fn(u8) -> bool) {
        let gone = self.start.places[digit][house] & !self.working.places[digit][house];
        let cells = bits(gone).map(|position| CELLS[house][position]).filter(|&it| is_needed(it));
        self.scratch.gone.extend(cells.map(|cell| CellDigit { cell, digit: digit as u8 }));
    }

    /// Removes a digit from the second house if all its places in the first one are in both.
    fn lock(&mut self, first: usize, second: usize, digit: usize) {
        self.begin();
        let of_first = |cell: u8| HOUSES_OF[usize::from(cell)].contains(&(first as u8));
        let of_second = |cell: u8| HOUSES_OF[usize::from(cell)].contains(&(second as u8));
        for position in bits(self.working.places[digit][second]) {
            let cell = CELLS[second][position];
            if !of_first(cell) {
                self.scratch.removals.push((cell, 1 << digit));
            }
        }
        if self.scratch.removals.is_empty() {
            return;
        }
        self.need_places(first, digit, |cell| !of_second(cell));
        let is_pointing = first >= BOXES;
        self.record(if is_pointing { Technique::Pointing } else { Technique::Claiming });
    }

    fn locked_candidates(&mut self) {
        let Self { open, working, .. } = *self;
        // From boxes to columns, then from boxes to rows.
        for across in [true, false] {
            open.each_few(BOXES..HOUSES, |digit, in_box| {
                let (index, places) = (in_box - BOXES, working.places[digit][in_box]);
                let table = if across { &THIRD_ACROSS } else { &THIRD };
                let third = table[usize::from(places)];
                if third != SPREAD {
                    let line = if across {
                        COLUMNS + index % 3 * 3 + usize::from(third)
                    } else {
                        index / 3 * 3 + usize::from(third)
                    };
                    self.lock(in_box, line, digit);
                }
            });
        }
        for lines in [COLUMNS, 0] {
            open.each_few(lines..lines + 9, |digit, line| {
                let places = working.places[digit][line];
                if THIRD[usize::from(places)] != SPREAD {
                    let cell = CELLS[line][places.trailing_zeros() as usize];
                    let in_box = HOUSES_OF[usize::from(cell)][2];
                    self.lock(line, usize::from(in_box), digit);
                }
            });
        }
    }

    fn hidden_pairs(&mut self) {
        let Self { board, open, working, .. } = *self;
        for house in houses().filter(|&house| board.empty[house] > 4) {
            let pairs = open.two[house];
            if pairs & pairs.wrapping_sub(1) == 0 || pairs & open.gone[house] == 0 {
                continue;
            }
            for second in bits(pairs) {
                let places = working.places[second][house];
                for first in bits(pairs).take_while(|&first| first < second) {
                    if working.places[first][house] != places {
                        continue;
                    }
                    self.begin();
                    let pair = 1 << first | 1 << second;
                    for position in bits(places) {
                        self.remove(CELLS[house][position], !pair);
                    }
                    for position in bits(!places & 0x1ff) {
                        self.need_gone(CELLS[house][position], pair);
                    }
                    self.record(Technique::HiddenPair);
                }
            }
        }
    }

    fn naked_pairs(&mut self) {
        let board = self.board;
        let (mut pairs, mut gone) = (0u128, 0u128);
        for (cell, (&left, &before)) in self.working.cells.iter().zip(&self.start.cells).enumerate()
        {
            let is_pair = COUNT[usize::from(left)] == 2;
            pairs |= u128::from(is_pair) << cell;
            gone |= u128::from(is_pair && left != before) << cell;
        }
        for house in houses().filter(|&house| board.empty[house] >= 4) {
            let of_house = pairs & SETS_OF_HOUSES[house];
            if of_house & of_house.wrapping_sub(1) == 0 || of_house & gone == 0 {
                continue;
            }
            let masks = CELLS[house].map(|cell| self.working.cells[usize::from(cell)]);
            for (second, &pair) in masks.iter().enumerate().skip(1) {
                if COUNT[usize::from(pair)] != 2 {
                    continue;
                }
                for (first, _) in masks[..second].iter().enumerate().filter(|it| *it.1 == pair) {
                    self.begin();
                    for position in (0..9).filter(|&at| at != first && at != second) {
                        self.remove(CELLS[house][position], pair);
                    }
                    for position in [first, second] {
                        self.need_gone(CELLS[house][position], !pair);
                    }
                    self.record(Technique::NakedPair);
                }
            }
        }
    }

    fn x_wings(&mut self) {
        let Self { board, open, working, .. } = *self;
        let is_open = |&digit: &usize| board.placed[digit] <= 5;
        let wanted = (0..9).filter(is_open).fold(0, |digits, digit| digits | 1u16 << digit);
        for (lines, across) in [(COLUMNS, 0), (0, COLUMNS)] {
            for second in 1..9 {
                for first in 0..second {
                    let (one, other) = (lines + first, lines + second);
                    let gone = open.gone[one] | open.gone[other];
                    for digit in bits(open.two[one] & open.two[other] & gone & wanted) {
                        let places = working.places[digit][one];
                        if places != working.places[digit][other] {
                            continue;
                        }
                        self.begin();
                        for position in bits(places) {
                            let crossed = working.places[digit][across + position];
                            for other in bits(crossed & !(1 << first | 1 << second)) {
                                let cell = CELLS[across + position][other];
                                self.scratch.removals.push((cell, 1 << digit));
                            }
                        }
                        for line in [one, other] {
                            self.need_places(line, digit, |_| true);
                        }
                        self.record(Technique::XWing);
                    }
                }
            }
        }
    }
}

/// All houses in the order of the pairs.
fn houses() -> impl Iterator<Item = usize> {
    (BOXES..HOUSES).chain(COLUMNS..BOXES).chain(0..COLUMNS)
}

impl<const W: usize> Layer<W> {
    /// Adds what the first rule with a result finds to the last run. Rules below a level are left out.
    pub(super) fn apply_rules(&mut self, deeper: &mut [Self], search: &RunSearch<'_>, from: u8) {
        let nodes = self.runs.node_count();
        if from <= 1 {
            self.apply_simple_rules(search);
        }
        if self.runs.node_count() > nodes {
            return;
        }
        if matches!(search.options.level, 2 | 3) && from <= 2 {
            self.forcing_chains(search);
        }
        if self.runs.node_count() == nodes {
            self.chains_of_runs(deeper, search);
        }
    }

    fn apply_simple_rules(&mut self, search: &RunSearch<'_>) {
        let RunSearch { context, state, .. } = *search;
        let nodes = self.runs.node_count();
        let Self { working, runs, rules, .. } = self;
        let Context { board, names, .. } = context;
        let open = &OpenDigits::new(state, working);
        let mut rule = Rule { board, start: state, working, open, names, runs, scratch: rules };
        for apply in [
            |rule: &mut Rule<'_>| rule.locked_candidates(),
            |rule: &mut Rule<'_>| rule.hidden_pairs(),
            |rule: &mut Rule<'_>| rule.naked_pairs(),
            |rule: &mut Rule<'_>| rule.x_wings(),
        ] {
            apply(&mut rule);
            if rule.runs.node_count() > nodes {
                return;
            }
        }
    }

    /// Forcing chains and cycles on the candidates left in a run.
    fn forcing_chains(&mut self, search: &RunSearch<'_>) {
        let RunSearch { context: Context { names, .. }, state, .. } = *search;
        let before = self.runs.node_count();
        for cycles in [Cycles::Short, Cycles::All] {
            let base = search.base.is_none().then_some(state);
            self.forcing.all(Numbered { state: &self.working, names }, base, cycles);
            self.record_forcing(search);
            let is_recorded = |number| self.runs.find(Potential::new(number, false)).is_some();
            if self.forcing.excluded().all(is_recorded) {
                return;
            }
            if cycles == Cycles::Short {
                self.runs.rewind(before);
            }
        }
    }

    fn record_forcing(&mut self, search: &RunSearch<'_>) {
        let RunSearch { context, state, .. } = *search;
        let names = context.names;
        let Self { working, runs, rules, forcing, .. } = self;
        let marks = Numbered { state: working, names };
        let ranks = core::mem::take(&mut forcing.ranks);
        rules.clear_seen();
        for &rank in &ranks {
            rules.removals.clear();
            forcing.add_removals(rank, marks, &mut rules.removals);
            if rules.is_seen() {
                continue;
            }
            rules.gone.clear();
            rules.names.clear();
            let steps = forcing.path(rank, marks);
            // A cycle ends with its start, which is there already.
            let is_cycle = rank.shape == ChainShape::Cycle;
            for &step in &steps[..steps.len() - usize::from(is_cycle)] {
                add_step(rules, state, marks, step, false);
            }
            rules.names.push(END_OF_CHAIN);
            if is_cycle {
                // Backwards, where on is off.
                for &step in steps[1..].iter().rev() {
                    add_step(rules, state, marks, step, true);
                }
                rules.names.push(END_OF_CHAIN);
            }
            if !rules.gone.is_empty() {
                // The names say all about a hint without branches.
                let nest = runs.nest(rank.nodes, &rules.names, None);
                runs.record(rank.technique(), &mut rules.removals, &rules.gone, nest, names);
            }
        }
        forcing.ranks = ranks;
    }

    /// Chains of runs on the candidates left in a run.
    fn chains_of_runs(&mut self, deeper: &mut [Self], search: &RunSearch<'_>) {
        let Some((inner, deeper)) = deeper.split_first_mut() else { return };
        let Self { working, runs, rules, is_stopped, .. } = self;
        let Some(inside) = search.inside(working) else { return };
        let RunSearch { context: Context { names, .. }, state, .. } = *search;
        let at = runs.node_count();
        inner.search(deeper, &inside);
        *is_stopped |= inner.is_stopped;
        let hints = core::mem::take(&mut inner.hints);
        for (place, hint) in hints.iter().enumerate() {
            rules.gone.clear();
            rules.names.clear();
            for &target in hint.targets.as_slice() {
                inner.runs.walk(target);
                for index in 0..inner.runs.walk.len() {
                    let node = inner.runs.walk[index];
                    let node = inner.runs.node(Target { node, ..target });
                    rules.names.push(node.potential.index() as u16);
                    if node.potential.is_on() {
                        let link = if node.link == Link::Start { hint.starts } else { node.link };
                        let to = names.candidate(node.potential.number());
                        rules.add_gone(state, working, to, link);
                    }
                }
                rules.names.push(END_OF_CHAIN);
            }
            if rules.gone.is_empty() {
                continue;
            }
            let proved = names.candidate(hint.proved.number());
            rules.removals.clear();
            rules.removals.push(working.removal(proved, hint.proved.is_on()));
            let found = HintPlace { at, hint: place as u16 };
            let nest = runs.nest(hint.complexity, &rules.names, Some(found));
            let technique = inside.options.technique();
            runs.record(technique, &mut rules.removals, &rules.gone, nest, names);
        }
        inner.hints = hints;
    }
}

/// Adds a node of a chain to the names of its hint, and what it needs to be gone.
fn add_step(
    rules: &mut Scratch,
    start: &Pencilmarks,
    working: Numbered<'_>,
    step: ChainStep,
    is_reversed: bool,
) {
    let is_on = step.is_on != is_reversed;
    rules.names.push(Potential::new(working.names.number(step.candidate), is_on).index() as u16);
    if is_on {
        rules.add_gone(start, working.state, step.candidate, step.link);
    }
}
