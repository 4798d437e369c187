//! Hints from runs: Nishio, multiple and dynamic chains (7.5 and more).
//!
//! ```text
//!  contradiction   a on ─> … ─> b on and b off            a goes
//!  double          a on ─> … ─> b,  a off ─> … ─> b       b is true in any case
//!  cell            each candidate of a cell ─> … ─> b     b
//!  region          each place of a digit in a house ─> b  b
//! ```
//!
//! The hint with the smallest (length, key, order of discovery) is used.

#![expect(clippy::cast_possible_truncation, reason = "numbers of candidates are below 2^16")]

use super::super::board::{CellDigit, SolvingBoard};
use super::super::few::Few;
use super::super::score::Technique;
use super::super::step::{Inner, Node};
use super::super::tables::{CELLS, COUNT, HOUSES, PEER_SETS, SETS_OF_HOUSES, bits, cells_of};
use super::forcing::Forcing;
use super::grid::{Link, LinkPass, Numbered, Numbering, Pencilmarks, each_gone, house_links};
use super::runs::{HintPlace, NO_POTENTIALS, Potential, RunNode, Runs, Target};
use super::scratch::Scratch;
use super::spread::RunFilter;
use crate::engine::Bounds;
use alloc::vec::Vec;
use core::ops::ControlFlow;

/// What a run follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Options {
    /// All links. Nishio has those in houses alone.
    pub(super) links: LinkPass,
    /// Candidates that are off are removed, which gives new links.
    pub(super) is_dynamic: bool,
    /// Which rules a run uses when it has no links left: none, simple ones (1), chains (2 to 4).
    pub(super) level: u8,
    /// The level of the runs inside a run of level 4.
    pub(super) inner: u8,
}

/// Static runs through all links.
pub(super) const STATIC: Options =
    Options { links: LinkPass::Xy, is_dynamic: false, level: 0, inner: 0 };

impl Options {
    pub(super) const fn dynamic(level: u8) -> Self {
        Self { links: LinkPass::Xy, is_dynamic: true, level, inner: 0 }
    }

    /// Whether [`RunFilter`](super::spread::RunFilter) finds beforehand what runs can give.
    const fn is_spread(self) -> bool {
        self.is_dynamic && self.level == 0
    }

    /// The technique of hints from such runs.
    pub(super) const fn technique(self) -> Technique {
        match self {
            Self { links: LinkPass::X, .. } => Technique::NishioForcingChain,
            Self { is_dynamic: false, .. } => Technique::MultipleForcingChain,
            Self { level: 0, .. } => Technique::DynamicForcingChain,
            Self { level: 1, .. } => Technique::DynamicForcingChainPlus,
            _ => Technique::NestedForcingChain,
        }
    }
}

/// What all searches of a step read.
#[derive(Clone, Copy)]
pub(super) struct Context<'a> {
    pub(super) board: &'a SolvingBoard,
    pub(super) names: &'a Numbering,
    pub(super) bounds: &'a Bounds,
}

/// The sort keys of hints.
const DOUBLE: u8 = 1;
const CELL: u8 = 5;
const REGION: u8 = 6;
const CONTRADICTION: u8 = 7;

/// A hint: some chains prove a potential.
#[derive(Clone, Copy, Debug)]
pub(super) struct RunHint {
    pub(super) complexity: u32,
    pub(super) key: u8,
    order: u32,
    pub(super) proved: Potential,
    pub(super) targets: Few<Target, 9>,
    /// The link of the starts of its chains.
    pub(super) starts: Link,
}

impl RunHint {
    fn rank(&self) -> (u32, u8, u32) {
        (self.complexity, self.key, self.order)
    }
}

/// The memory of one search through runs. Searches inside its runs use another one.
#[derive(Debug, Default)]
pub(super) struct Layer<const W: usize> {
    /// The candidates left in the run that is being made.
    pub(super) working: Pencilmarks,
    pub(super) runs: Runs,
    /// The nodes to be followed: those that are off, those that are on.
    queues: [Vec<u16>; 2],
    /// The run from each potential, plus 1. Those from a candidate that is off are kept if they can be
    /// continued.
    made: Vec<u32>,
    /// The runs of the search before, if they are to be continued.
    before: Runs,
    made_before: Vec<u32>,
    /// The level of the last search, if it found nothing: then each run of the next level continues the
    /// run from the same potential.
    without_hint: Option<u8>,
    pub(super) hints: Vec<RunHint>,
    /// For each set of removals, the number of its hint plus 1.
    slots: Vec<u32>,
    order: u32,
    spread: RunFilter<W>,
    pub(super) forcing: Forcing<W>,
    pub(super) rules: Scratch,
    /// Whether a search was stopped.
    pub(super) is_stopped: bool,
}

impl<const W: usize> Layer<W> {
    fn clear(&mut self, names: &Numbering) {
        self.runs.clear(names);
        self.made.clear();
        self.made.resize(2 * names.count, 0);
        self.hints.clear();
        self.slots.clear();
        self.slots.resize(2 * names.count, 0);
        self.order = 0;
        self.is_stopped = false;
    }

    /// Makes a run from a potential. Returns its number.
    fn make(&mut self, deeper: &mut [Self], search: &RunSearch<'_>, start: Potential) -> u32 {
        let RunSearch { context, options, state, .. } = *search;
        let names = context.names;
        self.is_stopped |= context.bounds.is_stopped();
        self.working.clone_from(state);
        self.queues.iter_mut().for_each(Vec::clear);
        let mut next = [0; 2];
        let mut first_rule = 1;
        if let Some(run) = self.made_before.get(start.index()).and_then(|run| run.checked_sub(1)) {
            self.runs.begin_as(&self.before, run);
            for number in self.before.offs(run, u16::MAX) {
                self.working.remove(names.candidate(number));
            }
            first_rule = options.level;
        } else {
            self.runs.begin();
            let first = self.runs.add(start, Link::Start, self.runs.open_parents(), 0);
            self.runs.enter(first);
            self.queues[usize::from(start.is_on())].push(first);
        }
        let mut contradiction = None;
        while contradiction.is_none() {
            // Those that are on come first.
            let is_on = next[1] < self.queues[1].len();
            let queue = usize::from(is_on);
            if let Some(&node) = self.queues[queue].get(next[queue]) {
                next[queue] += 1;
                contradiction = if is_on {
                    self.follow_on(node, search)
                } else {
                    self.follow_off(node, search)
                };
                continue;
            }
            let from = self.runs.node_count();
            if options.level > 0 {
                self.apply_rules(deeper, search, core::mem::replace(&mut first_rule, 1));
            }
            let to = self.runs.node_count();
            if from == to {
                break;
            }
            self.queues[0].extend(from..to);
        }
        self.runs.end(contradiction)
    }

    fn follow_on(&mut self, node: u16, search: &RunSearch<'_>) -> Option<[u16; 2]> {
        let RunSearch { context: Context { names, .. }, options, .. } = *search;
        let candidate = names.candidate(self.runs.node_of_last(node).potential.number());
        let (runs, [off_queue, _]) = (&mut self.runs, &mut self.queues);
        let mut contradiction = None;
        let _ = self.working.each_off(candidate, options.links, |to, link| {
            let number = names.number(to);
            let off = Potential::new(number, false);
            let [is_off, is_on] = runs.knows(number);
            if is_on {
                let on = runs.find(Potential::new(number, true)).expect("it is known");
                let parents = runs.open_parents();
                runs.push_parent(node);
                contradiction = Some([on, runs.add(off, link, parents, 0)]);
                return ControlFlow::Break(());
            }
            if !is_off {
                let parents = runs.open_parents();
                runs.push_parent(node);
                let new = runs.add(off, link, parents, 0);
                runs.enter(new);
                off_queue.push(new);
            }
            ControlFlow::Continue(())
        });
        contradiction
    }

    fn follow_off(&mut self, node: u16, search: &RunSearch<'_>) -> Option<[u16; 2]> {
        let RunSearch { context: Context { names, .. }, options, state, .. } = *search;
        let candidate = names.candidate(self.runs.node_of_last(node).potential.number());
        for &(to, link) in self.working.ons(candidate, options.links).as_slice() {
            let number = names.number(to);
            let on = Potential::new(number, true);
            let [is_off, is_on] = self.runs.knows(number);
            if is_on && !is_off {
                continue;
            }
            let parents = self.runs.open_parents();
            self.runs.push_parent(node);
            if options.is_dynamic {
                let runs = &mut self.runs;
                each_gone(state, &self.working, to, link, |gone| runs.push_gone(gone, names));
            }
            let new = self.runs.add(on, link, parents, 0);
            if is_off {
                let off = self.runs.find(Potential::new(number, false)).expect("it is known");
                return Some([new, off]);
            }
            self.runs.enter(new);
            self.queues[1].push(new);
        }
        if options.is_dynamic {
            self.working.remove(candidate);
        }
        None
    }

    /// The run from a candidate that is on.
    fn on_run(&mut self, deeper: &mut [Self], search: &RunSearch<'_>, number: u16) -> u32 {
        self.run(deeper, search, Potential::new(number, true))
    }

    fn run(&mut self, deeper: &mut [Self], search: &RunSearch<'_>, start: Potential) -> u32 {
        if self.made[start.index()] == 0 {
            self.made[start.index()] = self.make(deeper, search, start) + 1;
        }
        self.made[start.index()] - 1
    }

    /// Keeps a hint if it is better than those kept.
    fn offer(
        &mut self,
        search: &RunSearch<'_>,
        targets: &[Target],
        key: u8,
        proved: Potential,
        starts: Link,
    ) {
        let RunSearch { context: Context { names, .. }, state, base, .. } = *search;
        let candidate = names.candidate(proved.number());
        let others = state.cells[candidate.cell()] & !(1 << candidate.digit());
        let slot = match (proved.is_on(), COUNT[usize::from(others)]) {
            (true, 0) => return,
            // The other candidate of the cell has this removal, too.
            (true, 1) => {
                let other = names
                    .number(CellDigit::new(candidate.cell(), others.trailing_zeros() as usize));
                Potential::new(other, false).index()
            }
            _ => proved.index(),
        };
        let slot = if base.is_none() { 0 } else { slot };
        let known = self.slots[slot];
        let best = known.checked_sub(1).map(|known| self.hints[known as usize]);
        let bound = best.map_or((u32::MAX, u8::MAX), |best| (best.complexity, best.key));
        if (self.runs.least_length(targets), key) >= bound {
            return;
        }
        let complexity = self.runs.length(targets, bound.0);
        if (complexity, key) >= bound {
            return;
        }
        let mut all = Few::new(Target::default());
        for &target in targets {
            all.push(target);
        }
        let hint = RunHint { complexity, key, order: self.order, proved, targets: all, starts };
        self.order += 1;
        if known == 0 {
            self.hints.push(hint);
            self.slots[slot] = self.hints.len() as u32;
        } else {
            self.hints[known as usize - 1] = hint;
        }
    }

    /// Offers what all these runs have in common.
    fn reduce(&mut self, search: &RunSearch<'_>, runs: &[u32], key: u8, starts: Link) {
        let mut common = NO_POTENTIALS;
        if !self.runs.common(runs, &mut common) {
            return;
        }
        for is_on in [true, false] {
            for node in self.runs.range(runs[0]) {
                let potential = self.runs.nodes[node].potential;
                let index = potential.index();
                if potential.is_on() != is_on || common[index / 64] >> (index % 64) & 1 == 0 {
                    continue;
                }
                let mut targets = Few::<_, 9>::new(Target::default());
                for &run in runs {
                    targets.push(self.runs.target(run, potential));
                }
                self.offer(search, targets.as_slice(), key, potential, starts);
            }
        }
    }

    /// Offers the contradiction of a run.
    fn refute(&mut self, search: &RunSearch<'_>, run: u32, start: Potential) {
        if let Some(nodes) = self.runs.contradiction(run) {
            let targets = nodes.map(|node| Target { run, node });
            let opposite = Potential::new(start.number(), !start.is_on());
            self.offer(search, &targets, CONTRADICTION, opposite, Link::Start);
        }
    }

    /// Searches for hints from all cells and houses, and sorts them.
    ///
    /// A search of levels 1 to 3 that keeps the best hint continues the runs of the one before, on the
    /// same grid.
    pub(super) fn search(&mut self, deeper: &mut [Self], search: &RunSearch<'_>) {
        let RunSearch { context: Context { names, .. }, options, .. } = *search;
        self.made_before.clear();
        if options.level.checked_sub(1).is_some_and(|level| self.without_hint == Some(level)) {
            core::mem::swap(&mut self.runs, &mut self.before);
            core::mem::swap(&mut self.made, &mut self.made_before);
        }
        self.without_hint = None;
        self.clear(names);
        if options.links == LinkPass::X {
            self.search_nishio(deeper, search);
        } else {
            self.search_all(deeper, search);
        }
        self.hints.sort_unstable_by_key(RunHint::rank);
        if search.is_continued() && self.hints.is_empty() && !self.is_stopped {
            self.without_hint = Some(options.level);
        }
    }

    fn search_all(&mut self, deeper: &mut [Self], search: &RunSearch<'_>) {
        let RunSearch { context: Context { names, .. }, options, state, .. } = *search;
        if !options.is_dynamic {
            self.forcing.links.load(Numbered { state, names });
            let rows = self.forcing.links.all();
            self.spread.load_static((0..names.count as u16).map(|start| rows.closure(start)));
        }
        let is_spread = options.is_spread();
        if is_spread {
            self.spread.load(Numbered { state, names }, search.base);
            for number in 0..names.count as u16 {
                for is_on in [true, false] {
                    let start = Potential::new(number, is_on);
                    if self.spread.has_conflict(start) {
                        let run = self.run(deeper, search, start);
                        let nodes = &self.runs.nodes[self.runs.range(run)];
                        self.spread.set_row(start, nodes.iter().map(|node| node.potential));
                    }
                }
            }
        }
        let fewest = if options.is_dynamic { 2 } else { 3 };
        for (cell, &candidates) in state.cells.iter().enumerate() {
            let count = COUNT[usize::from(candidates)];
            if count < fewest {
                continue;
            }
            let number = |digit| names.number(CellDigit::new(cell, digit));
            for digit in bits(candidates) {
                if self.is_stopped {
                    return;
                }
                if is_spread {
                    let [on, off] = [true, false].map(|is_on| Potential::new(number(digit), is_on));
                    for start in [on, off] {
                        if self.spread.has_conflict(start) {
                            let run = self.run(deeper, search, start);
                            self.refute(search, run, start);
                        }
                    }
                    if count >= 3 && self.spread.have_common([on, off].into_iter()) {
                        let runs = [on, off].map(|start| self.run(deeper, search, start));
                        self.reduce(search, &runs, DOUBLE, Link::Start);
                    }
                } else if options.is_dynamic {
                    let on = Potential::new(number(digit), true);
                    let off = Potential::new(number(digit), false);
                    let if_on = self.on_run(deeper, search, number(digit));
                    self.refute(search, if_on, on);
                    let hints = self.order;
                    let if_off = self.make(deeper, search, off);
                    self.refute(search, if_off, off);
                    if count >= 3 {
                        self.reduce(search, &[if_on, if_off], DOUBLE, Link::Start);
                    }
                    if search.is_continued() && self.hints.is_empty() {
                        self.made[off.index()] = if_off + 1;
                    } else if self.order == hints {
                        self.runs.pop();
                    }
                }
                for (link, house, _) in house_links(cell) {
                    let places = state.places[digit][house];
                    let first = usize::from(CELLS[house][places.trailing_zeros() as usize]);
                    if COUNT[usize::from(places)] < 2 || first != cell {
                        continue;
                    }
                    let at = |place: usize| {
                        names.number(CellDigit::new(usize::from(CELLS[house][place]), digit))
                    };
                    self.reduce_all(deeper, search, bits(places).map(at), REGION, link);
                }
            }
            self.reduce_all(deeper, search, bits(candidates).map(number), CELL, Link::Cell);
        }
    }

    /// Offers what the runs from some candidates have in common, one of which is true.
    fn reduce_all(
        &mut self,
        deeper: &mut [Self],
        search: &RunSearch<'_>,
        starts: impl Iterator<Item = u16> + Clone,
        key: u8,
        link: Link,
    ) {
        let on = |number| Potential::new(number, true);
        if search.options.level == 0 && !self.spread.have_common(starts.clone().map(on)) {
            return;
        }
        let mut runs = Few::<_, 9>::new(0);
        starts.for_each(|number| runs.push(self.on_run(deeper, search, number)));
        self.reduce(search, runs.as_slice(), key, link);
    }

    /// The chains of some targets with those inside, which are searched again.
    pub(super) fn trace(
        &mut self,
        deeper: &mut [Self],
        search: &RunSearch<'_>,
        targets: &[Target],
    ) -> Vec<Vec<Node>> {
        let chain = |&target: &Target| {
            let nodes = self.runs.chain(target).into_iter();
            nodes.map(|node| self.trace_node(deeper, search, target.run, &node)).collect()
        };
        targets.iter().map(chain).collect()
    }

    fn trace_node(
        &self,
        deeper: &mut [Self],
        search: &RunSearch<'_>,
        run: u32,
        node: &RunNode,
    ) -> Node {
        let RunSearch { context: Context { names, .. }, state, .. } = *search;
        let mut traced = node.potential.node(names);
        let Link::Rule(technique) = node.link else { return traced };
        let mut chains = Vec::new();
        if node.nest > 0 {
            chains = match self.runs.found(node.nest) {
                None => alloc::vec![self.runs.nested_chain(node.nest, names)],
                Some(HintPlace { at, hint }) => {
                    let mut working = state.clone();
                    for number in self.runs.offs(run, at) {
                        working.remove(names.candidate(number));
                    }
                    let inside = search.inside(&working).expect("a hint was found inside");
                    let (inner, deeper) =
                        deeper.split_first_mut().expect("a hint was found inside");
                    inner.search(deeper, &inside);
                    let hint = inner.hints[usize::from(hint)];
                    inner.trace(deeper, &inside, hint.targets.as_slice())
                }
            };
        }
        traced.inner = Some(Inner { technique, chains });
        traced
    }

    /// Contradictions of one digit.
    fn search_nishio(&mut self, deeper: &mut [Self], search: &RunSearch<'_>) {
        let RunSearch { context: Context { names, .. }, state, .. } = *search;
        for number in 0..names.count as u16 {
            let CellDigit { cell, digit } = names.candidate(number);
            let places = &state.places[usize::from(digit)];
            if COUNT[usize::from(state.cells[usize::from(cell)])] < 2 {
                continue;
            }
            // Without the digit in the cell, another place follows only through a link.
            let ons = state.ons(names.candidate(number), LinkPass::X);
            let has_link = !ons.as_slice().is_empty();
            for is_on in [true, false] {
                if (is_on || has_link) && digit_fails(places, usize::from(cell), is_on) {
                    let start = Potential::new(number, is_on);
                    let run = self.make(deeper, search, start);
                    self.refute(search, run, start);
                }
            }
        }
    }
}

/// What a search looks at.
#[derive(Clone, Copy)]
pub(super) struct RunSearch<'a> {
    pub(super) context: Context<'a>,
    /// The candidates at its start.
    pub(super) state: &'a Pencilmarks,
    pub(super) options: Options,
    /// Inside a run, the candidates at the start of the search outside. There the best hint of each set of
    /// removals is kept; else the best one, of a grid without forcing chains.
    pub(super) base: Option<&'a Pencilmarks>,
}

impl<'a> RunSearch<'a> {
    /// A search of a step.
    pub(super) const fn of_step(
        context: Context<'a>,
        state: &'a Pencilmarks,
        options: Options,
    ) -> Self {
        Self { context, state, options, base: None }
    }

    /// The search through runs that rules do inside a run, if its level has one.
    pub(super) fn inside(&self, working: &'a Pencilmarks) -> Option<Self> {
        let options = match self.options.level {
            3 => STATIC,
            4 => Options::dynamic(self.options.inner),
            _ => return None,
        };
        Some(Self { state: working, options, base: Some(self.state), ..*self })
    }

    /// Whether the next search continues the runs of this one if it finds nothing.
    fn is_continued(&self) -> bool {
        let Self { options, base, .. } = *self;
        base.is_none() && options.is_dynamic && options.links == LinkPass::Xy && options.level < 3
    }
}

/// Whether hidden singles of a digit contradict each other if a place is on or off.
fn digit_fails(places: &[u16; 32], cell: usize, is_on: bool) -> bool {
    let rows = places[..9].iter().rev();
    let mut left = rows.fold(0u128, |set, &row| set << 9 | u128::from(row));
    let mut open = [0; HOUSES];
    let mut count = 0;
    for (house, &left) in places[..HOUSES].iter().enumerate() {
        if left != 0 {
            open[count] = house;
            count += 1;
        }
    }
    let (mut on, mut to_place) = (0u128, 0u128);
    if is_on {
        to_place = 1 << cell;
    } else {
        left &= !(1 << cell);
    }
    loop {
        for cell in cells_of(core::mem::take(&mut to_place)) {
            if left >> cell & 1 == 0 {
                return true;
            }
            on |= 1 << cell;
            left &= !PEER_SETS[cell];
        }
        for &house in &open[..count] {
            let of_house = left & SETS_OF_HOUSES[house];
            if of_house == 0 {
                return true;
            }
            if of_house.is_power_of_two() {
                to_place |= of_house & !on;
            }
        }
        if to_place == 0 {
            return false;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::puzzle::Puzzle;
    use alloc::string::String;

    /// See the first lines of the file.
    const NESTED: &str = include_str!("../../../../tests/data/nested_hints.txt");

    /// Not only the first one, which seldom needs a rule inside its runs.
    #[test]
    fn all_nested_hints_are_those_of_explainer() {
        let (mut board, mut state, mut names) =
            (SolvingBoard::new(), Pencilmarks::EMPTY, Numbering::EMPTY);
        let mut layers: Vec<_> = (0..3).map(|_| Layer::<3>::default()).collect();
        let mut compared = 0;
        for line in NESTED.lines().filter(|line| !line.starts_with('#')) {
            let Some((levels, expected)) = line.split_once(": ") else {
                board.load(&line.parse().unwrap());
                state.load(&board);
                names.load(&state);
                continue;
            };
            let (level, inner) = levels.split_once(' ').unwrap();
            let inner = inner.parse().unwrap();
            let options = Options { inner, ..Options::dynamic(level.parse().unwrap()) };
            let context = Context { board: &board, names: &names, bounds: &Bounds::NONE };
            let search =
                RunSearch { base: Some(&state), ..RunSearch::of_step(context, &state, options) };
            let [layer, deeper @ ..] = &mut layers[..] else { unreachable!() };
            layer.search(deeper, &search);
            let found = layer.hints.iter().map(|hint| {
                let candidate = names.candidate(hint.proved.number());
                let (cell, digits) = state.removal(candidate, hint.proved.is_on());
                alloc::format!("{},{cell},{digits}", hint.complexity)
            });
            let found: Vec<String> = found.collect();
            assert_eq!(found.join(" "), expected, "{levels}");
            compared += found.len();
        }
        assert_eq!(compared, 1031);
    }

    #[test]
    fn the_filter_leaves_out_no_run_that_matters() {
        let puzzle: Puzzle =
            "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4.."
                .parse()
                .unwrap();
        let (mut board, mut base, mut names) =
            (SolvingBoard::new(), Pencilmarks::EMPTY, Numbering::EMPTY);
        board.load(&puzzle);
        base.load(&board);
        names.load(&base);
        let context = Context { board: &board, names: &names, bounds: &Bounds::NONE };
        let mut layer = Layer::<12>::default();
        let mut state = base.clone();
        let mut conflicts = 0;
        for gone in 0..names.count as u16 / 3 {
            let is_base = gone == 0;
            let search = RunSearch {
                base: Some(&base).filter(|_| !is_base),
                ..RunSearch::of_step(context, &state, Options::dynamic(0))
            };
            layer.clear(&names);
            layer.spread.load(Numbered { state: &state, names: &names }, search.base);
            for index in 0..2 * names.count as u16 {
                let start = Potential::new(index / 2, index % 2 != 0);
                let CellDigit { cell, digit } = names.candidate(start.number());
                if state.cells[usize::from(cell)] >> digit & 1 == 0 {
                    continue;
                }
                let run = layer.make(&mut [], &search, start);
                let has_conflict = layer.runs.contradiction(run).is_some();
                let about = alloc::format!("{gone} gone: {start:?} of {cell}, {digit}");
                conflicts += u32::from(has_conflict);
                assert!(layer.spread.has_conflict(start) || !has_conflict, "{about}");
                assert!(!is_base || layer.spread.has_conflict(start) == has_conflict, "{about}");
                let entered = layer.runs.nodes[layer.runs.range(run)].iter().map(|it| it.potential);
                let is_row = layer.spread.is_row(start, entered, is_base);
                assert!(layer.spread.has_conflict(start) || is_row, "{about}");
                layer.runs.pop();
            }
            state.remove(names.candidate(gone * 7 % names.count as u16));
        }
        assert!(conflicts > 0);
    }
}
