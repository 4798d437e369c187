//! Forcing chains and cycles: what a candidate implies about itself (6.5 to 8).
//!
//! ```text
//!  chain   a on ─> b off ─> c on ─> … ─> a off      a candidate that excludes itself
//!          a off ─> … ─> a on                       one that proves itself
//!  cycle   a on ─> b off ─> c on ─> … ─> a on       on and off alternate around the cycle:
//!                                                   a peer of an on and of an off node goes
//! ```
//!
//! | pass | links off => on | score of cycles | of chains | key |
//! | --- | --- | --- | --- | --- |
//! | X | houses | 6.5 | 6.6 | 2 |
//! | Y | cells with two candidates | 6.5 | none | 3 |
//! | XY | both | 7.0 | 7.0 | 4 |
//!
//! The number of nodes adds to the score. Ties go to the shorter hint, the smaller key, the earlier
//! start; for one start to cycles, then to the chain from on to off.
//!
//! # Lengths without paths
//! Each link has a reverse: `a on ─> b off` is `b on ─> a off`. A chain goes through a link from off to
//! on in its middle, between two *partners*. So it is as long as the two ways from the partners to its
//! start, and a search needs half of the waves of the chain:
//!
//! ```text
//!  a on ─> b off ─> c on ─> d off        6 nodes
//!          c on ─> b off ─> a on …       d off ─> e on is the link in the middle
//!          d on ─> c off ─> b on ─> a off
//!          e on ─> a off
//! ```
//!
//! All partners go on together, a wave at a time, until a start has a chain.
//!
//! # Cycles are searched last
//! A candidate that a cycle of `k` nodes removes has a chain itself, around the cycle: of `k + 2`
//! nodes at most. So the shortest chain bounds the cycles from below, and the easiest hint bounds
//! them from above.

#![expect(
    clippy::cast_possible_truncation,
    reason = "numbers of candidates and nodes are below 2^16"
)]

use super::super::board::CellDigit;
use super::super::score::Technique;
use super::super::tables::{CELLS, COUNT, PEER_SETS, cells_of};
use super::grid::{Link, LinkPass, Numbered, Pencilmarks};
use super::length::added;
use super::sets::{LinkRows, Links, Set};
use alloc::vec::Vec;
use core::ops::ControlFlow;

impl LinkPass {
    /// The score of a cycle.
    fn cycle(self, nodes: u32) -> f64 {
        added(nodes) + if self == Self::Xy { 7.0 } else { 6.5 }
    }

    /// The score of a chain.
    fn chain(self, nodes: u32) -> f64 {
        added(nodes) + if self == Self::X { 6.6 } else { 7.0 }
    }
}

impl Numbered<'_> {
    /// How many candidates the cell of a candidate has.
    fn digits_beside(self, number: u16) -> u8 {
        COUNT[usize::from(self.state.cells[self.names.candidate(number).cell()])]
    }

    /// Whether the cell of a candidate has others.
    fn is_open(self, number: u16) -> bool {
        self.digits_beside(number) >= 2
    }

    /// Visits the two candidates of each cell and house that has two, and had more in `base`.
    fn each_pair(self, base: Option<&Pencilmarks>, mut visit: impl FnMut([u16; 2])) {
        let Self { state, names } = self;
        let is_new = |left: u16, before: Option<u16>| {
            COUNT[usize::from(left)] == 2 && before.is_none_or(|before| before != left)
        };
        for (cell, &left) in state.cells.iter().enumerate() {
            if is_new(left, base.map(|base| base.cells[cell])) {
                let [one, other] = [left.trailing_zeros(), left.ilog2()];
                visit([one, other].map(|digit| names.number(CellDigit::new(cell, digit as usize))));
            }
        }
        for digit in 0..9 {
            for (house, cells) in CELLS.iter().enumerate() {
                let left = state.places[digit][house];
                if is_new(left, base.map(|base| base.places[digit][house])) {
                    visit([left.trailing_zeros(), left.ilog2()].map(|position| {
                        let cell = cells[position as usize];
                        names.number(CellDigit::new(usize::from(cell), digit))
                    }));
                }
            }
        }
    }
}

/// What kind of hint it is, in the order of the searches from one start.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum ChainShape {
    Cycle,
    OnToOff,
    OffToOn,
}

/// A hint without its path. The order is that of Explainer: the least comes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Rank {
    /// The bits of a positive double are in the order of its value.
    score: u64,
    pub(super) nodes: u32,
    pub(super) pass: LinkPass,
    pub(super) start: u16,
    pub(super) shape: ChainShape,
    /// The number of a cycle that was kept: several have the same start and length.
    pub(super) cycle: u32,
}

impl Rank {
    fn new(pass: LinkPass, shape: ChainShape, nodes: u32, start: u16) -> Self {
        let score = if shape == ChainShape::Cycle { pass.cycle(nodes) } else { pass.chain(nodes) };
        Self { score: score.to_bits(), nodes, pass, start, shape, cycle: 0 }
    }

    pub(super) fn score(&self) -> f64 {
        f64::from_bits(self.score)
    }

    pub(super) fn technique(&self) -> Technique {
        match (self.shape, self.pass) {
            (ChainShape::Cycle, LinkPass::X) => Technique::BidirectionalXCycle,
            (ChainShape::Cycle, LinkPass::Y) => Technique::BidirectionalYCycle,
            (ChainShape::Cycle, LinkPass::Xy) => Technique::BidirectionalCycle,
            (_, LinkPass::X) => Technique::ForcingXChain,
            (_, _) => Technique::ForcingChain,
        }
    }
}

/// What is implied by one potential so far.
#[derive(Clone, Copy, Debug)]
struct LinkWaves<const W: usize> {
    on: Set<W>,
    off: Set<W>,
    /// The potentials of the last wave.
    front: Set<W>,
}

impl<const W: usize> LinkWaves<W> {
    const NONE: Self = Self { on: Set::EMPTY, off: Set::EMPTY, front: Set::EMPTY };

    /// The first wave from a start, which is not entered itself.
    fn from_on(start: u16, rows: LinkRows<'_, W>) -> Self {
        let front = rows.weak[usize::from(start)];
        Self { on: Set::of(start), off: front, front }
    }

    fn from_off(start: u16, rows: LinkRows<'_, W>) -> Self {
        let front = *rows.ons(start);
        Self { on: front, off: Set::of(start), front }
    }

    /// Adds a wave. Returns whether it has the opposite of a potential of the wave before.
    #[inline]
    fn advance(&mut self, to_on: bool, rows: LinkRows<'_, W>) -> bool {
        if to_on {
            self.front = rows.spread_offs(&self.front).without(&self.on);
            self.on = self.on.or(&self.front);
            !self.front.and(&self.off).is_empty()
        } else {
            self.front = self.front.spread(rows.weak).without(&self.off);
            self.off = self.off.or(&self.front);
            !self.front.and(&self.on).is_empty()
        }
    }
}

/// A potential of an ordered search.
#[derive(Clone, Copy, Debug)]
pub(super) struct ChainStep {
    pub(super) candidate: CellDigit,
    pub(super) is_on: bool,
    pub(super) link: Link,
    parent: u16,
}

const NO_PARENT: u16 = u16::MAX;

impl ChainStep {
    fn start(candidate: CellDigit, is_on: bool) -> Self {
        Self { candidate, is_on, link: Link::Start, parent: NO_PARENT }
    }
}

/// A cycle that was kept.
#[derive(Clone, Debug)]
struct Cycle {
    removals: Vec<(u8, u16)>,
    /// From its end back to its start, which are the same candidate.
    path: Vec<ChainStep>,
}

/// From which potentials the start of a cycle follows.
///
/// Reversed, these are the opposites of what follows if the start is off.
#[derive(Debug, Default)]
struct WaysBack<const W: usize>(Vec<[Set<W>; 2]>);

impl<const W: usize> WaysBack<W> {
    /// Finds the ways back to a start of cycles with at most `most` nodes.
    fn find(&mut self, start: u16, most: u32, rows: LinkRows<'_, W>) {
        let mut waves = LinkWaves::from_off(start, rows);
        self.0.clear();
        self.0.push([waves.off, waves.on]);
        let mut nodes = 4;
        while nodes <= most && !waves.front.is_empty() {
            waves.advance(false, rows);
            waves.advance(true, rows);
            self.0.push([waves.off, waves.on]);
            nodes += 2;
        }
    }

    /// The potentials from which the start follows: on within some links, off within one more.
    fn within(&self, links: u32) -> &[Set<W>; 2] {
        &self.0[(links as usize / 2).min(self.0.len() - 1)]
    }
}

/// The memory of the searches.
#[derive(Debug, Default)]
pub(super) struct Forcing<const W: usize> {
    pub(super) links: Links<W>,
    /// The waves from each candidate with a partner, and what had followed one wave earlier.
    waves: Vec<LinkWaves<W>>,
    before: Vec<Set<W>>,
    partners: Vec<[u16; 2]>,
    /// The places of the digits in the last grid without a hint of pass X.
    without_x: [[u16; 32]; 9],
    /// Nodes of an ordered search; at the same time its queue.
    steps: Vec<ChainStep>,
    ways_back: WaysBack<W>,
    cycles: Vec<Cycle>,
    /// All hints, easiest first.
    pub(super) ranks: Vec<Rank>,
    /// The path of a hint.
    path: Vec<ChainStep>,
    /// Candidates that a chain removes, and those that one proves.
    excluded: Set<W>,
    proved: Set<W>,
    closures: Vec<[Set<W>; 2]>,
    has_closure: Set<W>,
}

/// Which cycles a search for all hints reports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Cycles {
    /// All of pass Y; of the others those that come before the longest chain that removes something.
    Short,
    All,
}

impl<const W: usize> Forcing<W> {
    /// The easiest hint.
    pub(super) fn easiest(&mut self, marks: Numbered<'_>) -> Option<Rank> {
        self.links.load(marks);
        self.cycles.clear();
        let mut best = None;
        for pass in [LinkPass::X, LinkPass::Y, LinkPass::Xy] {
            if pass == LinkPass::Xy && best.is_some_and(|best: Rank| best.score() < 7.0) {
                break;
            }
            let least = self.shortest_chain(pass, marks, &mut best);
            if let Some(chain) = least {
                self.search_cycles(pass, least_nodes_of_cycle(chain), marks, &mut best);
            }
        }
        best
    }

    /// Offers the shortest chains of a pass. Returns a lower bound of the nodes of all chains from on
    /// to off, unless there is none.
    fn shortest_chain(
        &mut self,
        pass: LinkPass,
        marks: Numbered<'_>,
        best: &mut Option<Rank>,
    ) -> Option<u32> {
        let Numbered { state, names } = marks;
        let rows = rows_of(&self.links, pass);
        let Self { waves, before, partners, without_x, .. } = self;
        let mut paired = *rows.paired;
        if pass == LinkPass::X {
            // A chain of one digit depends on its places alone.
            let is_changed: [bool; 9] =
                core::array::from_fn(|digit| without_x[digit] != state.places[digit]);
            let mut changed = Set::EMPTY;
            for number in 0..names.count as u16 {
                if is_changed[names.candidate(number).digit()] {
                    changed.insert(number);
                }
            }
            paired = paired.and(&changed);
            if paired.is_empty() {
                return None;
            }
        }
        let mut open = Set::<W>::EMPTY;
        for start in 0..names.count as u16 {
            if marks.is_open(start) {
                open.insert(start);
            }
        }
        waves.resize(names.count, LinkWaves::NONE);
        before.resize(names.count, Set::EMPTY);
        partners.clear();
        paired.each(|one| {
            waves[usize::from(one)] = LinkWaves::from_on(one, rows);
            rows.ons(one).each(|other| {
                if one < other {
                    partners.push([one, other]);
                }
            });
        });
        let mut to_on = true;
        for nodes in (4..).step_by(2) {
            // What a chain of this wave could give at best.
            let chain = Rank::new(pass, ChainShape::OnToOff, nodes, 0);
            let cycle = Rank::new(pass, ChainShape::Cycle, least_nodes_of_cycle(nodes), 0);
            if best.is_some_and(|best| best < cycle && (pass == LinkPass::Y || best < chain)) {
                return None;
            }
            let mut is_alive = false;
            paired.each(|number| {
                let waves = &mut waves[usize::from(number)];
                before[usize::from(number)] = if to_on { waves.on } else { waves.off };
                waves.advance(to_on, rows);
                is_alive |= !waves.front.is_empty();
            });
            // Both ways together have these nodes: as many waves each, or one way has a wave more.
            let (mut excluded, mut proved) = (Set::EMPTY, Set::EMPTY);
            for pair in &*partners {
                let [one, other] = pair.map(|number| &waves[usize::from(number)]);
                let [one_before, other_before] = pair.map(|number| &before[usize::from(number)]);
                if to_on {
                    excluded = excluded.or(&one.off.and(&other.off));
                    let unequal = one.on.and(other_before).or(&one_before.and(&other.on));
                    proved = proved.or(&unequal);
                } else {
                    let unequal = one.off.and(other_before).or(&one_before.and(&other.off));
                    excluded = excluded.or(&unequal);
                    proved = proved.or(&one.on.and(&other.on));
                }
            }
            let (excluded, proved) = (excluded.and(&open).first(), proved.and(&open).first());
            if pass != LinkPass::Y {
                for (start, shape) in
                    [(excluded, ChainShape::OnToOff), (proved, ChainShape::OffToOn)]
                {
                    if let Some(start) = start {
                        offer(best, Rank::new(pass, shape, nodes, start));
                    }
                }
            }
            if excluded.is_some() {
                return Some(nodes);
            }
            if proved.is_some() && pass != LinkPass::Y {
                // The chains from on to off are longer, if there are any.
                return Some(nodes + 2);
            }
            if !is_alive {
                break;
            }
            to_on = !to_on;
        }
        if pass == LinkPass::X {
            *without_x = state.places;
        }
        None
    }

    /// Offers the cycles of a pass with at least a number of nodes.
    fn search_cycles(
        &mut self,
        pass: LinkPass,
        least: u32,
        marks: Numbered<'_>,
        best: &mut Option<Rank>,
    ) {
        // From a later start than that of the best hint, only a shorter cycle comes before it.
        let bounds = |best: &Option<Rank>| {
            let last = best.map_or(u16::MAX, |best| best.start);
            [last, u16::MAX].map(|start| (start, most_nodes_of_cycle(pass, *best, start)))
        };
        let mut most_up_to = bounds(best);
        for start in 0..marks.names.count as u16 {
            let [(last, most), (_, most_after)] = most_up_to;
            let most = if start <= last { most } else { most_after };
            if most < least {
                break;
            }
            if !self.may_remove(pass, start, most, marks) {
                continue;
            }
            let before = *best;
            self.cycles_from(pass, start, least..=most, marks, |rank| offer(best, rank));
            if *best != before {
                most_up_to = bounds(best);
            }
        }
    }

    /// Whether a cycle from a start may remove something: a candidate that sees one that is on, on some
    /// way around, and one that is off. Leaves the ways back to the start for the search.
    fn may_remove(&mut self, pass: LinkPass, start: u16, most: u32, marks: Numbered<'_>) -> bool {
        let rows = rows_of(&self.links, pass);
        let digits = marks.digits_beside(start);
        if rows.ons(start).is_empty() || digits < 2 || (pass == LinkPass::Y && digits > 2) {
            return false;
        }
        self.ways_back.find(start, most, rows);
        let (mut on, mut off) = (Set::of(start), Set::EMPTY);
        let mut front = on;
        let mut nodes = 2;
        while nodes <= most && !front.is_empty() {
            let [from_on, from_off] = self.ways_back.within(most - nodes);
            let offs = front.spread(rows.weak).without(&off).and(from_off);
            off = off.or(&offs);
            front = rows.spread_offs(&offs).without(&on).and(from_on);
            on = on.or(&front);
            nodes += 2;
        }
        let weak = self.links.in_houses().weak;
        !on.spread(weak).and(&off.spread(weak)).is_empty()
    }

    /// Finds the cycles from a start in Explainer's order, and keeps those that are accepted.
    pub(super) fn cycles_from(
        &mut self,
        pass: LinkPass,
        start: u16,
        nodes: core::ops::RangeInclusive<u32>,
        marks: Numbered<'_>,
        mut accept: impl FnMut(Rank) -> bool,
    ) {
        let Numbered { state, names } = marks;
        let most = *nodes.end();
        let mut entered = Set::<W>::of(start);
        self.steps.clear();
        self.steps.push(ChainStep::start(names.candidate(start), true));
        let mut wave = 0..1;
        let mut length = 0;
        while !wave.is_empty() && length + 2 <= most {
            length += 2;
            let ons_from = self.steps.len();
            let rows = rows_of(&self.links, pass);
            let [_, near] = self.ways_back.within(most - length);
            // An off node matters if the start is near enough, and one of its partners is not
            // entered, or is the start.
            for index in wave.clone() {
                let steps = &mut self.steps;
                let _ = state.each_off(steps[index].candidate, pass, |candidate, link| {
                    let number = names.number(candidate);
                    let partners = rows.ons(number);
                    let is_useful = near.contains(number)
                        && (partners.contains(start) || !partners.without(&entered).is_empty());
                    if is_useful && !is_ancestor(steps, index, candidate) {
                        let parent = index as u16;
                        steps.push(ChainStep { candidate, is_on: false, link, parent });
                    }
                    ControlFlow::Continue(())
                });
            }
            let offs = ons_from..self.steps.len();
            let next_from = self.steps.len();
            for index in offs {
                for &(candidate, link) in state.ons(self.steps[index].candidate, pass).as_slice() {
                    let number = names.number(candidate);
                    let step = ChainStep { candidate, is_on: true, link, parent: index as u16 };
                    if number == start && length >= 4 && nodes.contains(&length) {
                        let mut rank = Rank::new(pass, ChainShape::Cycle, length, start);
                        rank.cycle = self.cycles.len() as u32;
                        self.keep_cycle(rank, step, state, &mut accept);
                    }
                    if !entered.contains(number) {
                        entered.insert(number);
                        self.steps.push(step);
                    }
                }
            }
            wave = next_from..self.steps.len();
        }
    }

    /// Keeps a cycle that removes something, and is accepted.
    fn keep_cycle(
        &mut self,
        rank: Rank,
        last: ChainStep,
        state: &Pencilmarks,
        accept: &mut impl FnMut(Rank) -> bool,
    ) {
        self.path.clear();
        self.path.push(last);
        let mut parent = last.parent;
        while parent != NO_PARENT {
            let step = self.steps[usize::from(parent)];
            self.path.push(step);
            parent = step.parent;
        }
        // The start is the first and the last node.
        let chain = &self.path[..self.path.len() - 1];
        let mut removals: Vec<(u8, u16)> = Vec::new();
        let mut cells = 0u128;
        let (mut near_on, mut near_off) = ([0u128; 9], [0u128; 9]);
        for step in chain {
            cells |= 1 << step.candidate.cell;
            let near = if step.is_on { &mut near_on } else { &mut near_off };
            near[step.candidate.digit()] |= PEER_SETS[step.candidate.cell()];
        }
        // The order of the cells is that of the on nodes and their peers.
        for step in chain.iter().filter(|step| step.is_on) {
            let digit = step.candidate.digit();
            let both = near_on[digit] & near_off[digit] & !cells;
            for cell in cells_of(both & PEER_SETS[step.candidate.cell()]) {
                let bit = state.cells[cell] & 1 << digit;
                let mut known = removals.iter_mut();
                match known.find(|removal| usize::from(removal.0) == cell) {
                    Some(removal) => removal.1 |= bit,
                    None if bit != 0 => removals.push((cell as u8, bit)),
                    None => {}
                }
            }
        }
        if !removals.is_empty() && accept(rank) {
            self.cycles.push(Cycle { removals, path: self.path.clone() });
        }
    }

    /// Finds all hints that can have an effect as rules of a run, easiest first.
    ///
    /// `base` is a grid without chains that had more candidates: then a chain needs a link that is
    /// new since.
    ///
    /// A cycle that comes after the chains of all its removals has an effect only if one of these has
    /// no result.
    pub(super) fn all(&mut self, marks: Numbered<'_>, base: Option<&Pencilmarks>, cycles: Cycles) {
        self.ranks.clear();
        self.cycles.clear();
        self.links.load(marks);
        self.find_provable(marks, base);
        if self.excluded.is_empty() && self.proved.is_empty() {
            return;
        }
        for pass in [LinkPass::X, LinkPass::Y, LinkPass::Xy] {
            let (mut least, mut longest) = (u32::MAX, 0);
            let rows = rows_of(&self.links, pass);
            let ranks = &mut self.ranks;
            self.excluded.each(|start| {
                let Some(nodes) = chain_length(LinkWaves::from_on(start, rows), true, rows) else {
                    return;
                };
                (least, longest) = (least.min(nodes), longest.max(nodes));
                if pass != LinkPass::Y && marks.is_open(start) {
                    ranks.push(Rank::new(pass, ChainShape::OnToOff, nodes, start));
                }
            });
            if pass != LinkPass::Y {
                self.proved.each(|start| {
                    let waves = LinkWaves::from_off(start, rows);
                    if let Some(nodes) =
                        chain_length(waves, false, rows).filter(|_| marks.is_open(start))
                    {
                        ranks.push(Rank::new(pass, ChainShape::OffToOn, nodes, start));
                    }
                });
            }
            if least == u32::MAX {
                continue;
            }
            let last = Rank::new(pass, ChainShape::OnToOff, longest, u16::MAX);
            let most = match cycles {
                Cycles::Short if pass != LinkPass::Y => most_nodes_of_cycle(pass, Some(last), 0),
                _ => u32::MAX,
            };
            let least = least_nodes_of_cycle(least);
            let mut found = core::mem::take(&mut self.ranks);
            for start in 0..marks.names.count as u16 {
                if self.may_remove(pass, start, most, marks) {
                    self.cycles_from(pass, start, least..=most, marks, |rank| {
                        found.push(rank);
                        true
                    });
                }
            }
            self.ranks = found;
        }
        self.ranks.sort_unstable();
    }

    /// The candidates that a chain of the last search for all hints removes.
    pub(super) fn excluded(&self) -> impl Iterator<Item = u16> + '_ {
        (0..self.closures.len() as u16).filter(|&number| self.excluded.contains(number))
    }

    /// Finds the candidates that have chains.
    ///
    /// A chain from a candidate to its opposite leads through a link from off to on, between `a` and
    /// `b`: so the start excludes both, or both prove the start.
    fn find_provable(&mut self, marks: Numbered<'_>, base: Option<&Pencilmarks>) {
        let Self { links, closures, has_closure, excluded, proved, .. } = self;
        closures.resize(marks.names.count, [Set::EMPTY; 2]);
        *has_closure = Set::EMPTY;
        (*excluded, *proved) = (Set::EMPTY, Set::EMPTY);
        let rows = links.all();
        let mut closure = |start: u16| {
            if !has_closure.contains(start) {
                has_closure.insert(start);
                closures[usize::from(start)] = rows.closure(start);
            }
            closures[usize::from(start)]
        };
        marks.each_pair(base, |[one, other]| {
            let ([on, off], [other_on, other_off]) = (closure(one), closure(other));
            *excluded = excluded.or(&off.and(&other_off));
            *proved = proved.or(&on.and(&other_on));
        });
    }

    /// Adds what a hint removes.
    pub(super) fn add_removals(
        &self,
        rank: Rank,
        marks: Numbered<'_>,
        removals: &mut Vec<(u8, u16)>,
    ) {
        if rank.shape == ChainShape::Cycle {
            removals.extend_from_slice(&self.cycles[rank.cycle as usize].removals);
        } else {
            let is_on = rank.shape == ChainShape::OffToOn;
            removals.push(marks.state.removal(marks.names.candidate(rank.start), is_on));
        }
    }

    /// The path of a hint, which for a chain is the first in Explainer's order: from its end back to its
    /// start.
    pub(super) fn path(&mut self, rank: Rank, marks: Numbered<'_>) -> &[ChainStep] {
        let Numbered { state, names } = marks;
        if rank.shape == ChainShape::Cycle {
            return &self.cycles[rank.cycle as usize].path;
        }
        let starts_on = rank.shape == ChainShape::OnToOff;
        let mut entered = [Set::<W>::EMPTY; 2];
        entered[usize::from(starts_on)].insert(rank.start);
        self.steps.clear();
        self.path.clear();
        self.steps.push(ChainStep::start(names.candidate(rank.start), starts_on));
        let mut index = 0;
        let mut end = None;
        while end.is_none() && index < self.steps.len() {
            let from = self.steps[index];
            let (steps, known) = (&mut self.steps, &mut entered[usize::from(!from.is_on)]);
            let mut visit = |candidate: CellDigit, link| {
                let step = ChainStep { candidate, is_on: !from.is_on, link, parent: index as u16 };
                let number = names.number(candidate);
                if number == rank.start && from.is_on == starts_on {
                    end = Some(step);
                    return ControlFlow::Break(());
                }
                if !known.contains(number) {
                    known.insert(number);
                    steps.push(step);
                }
                ControlFlow::Continue(())
            };
            if from.is_on {
                let _ = state.each_off(from.candidate, rank.pass, visit);
            } else {
                let ons = state.ons(from.candidate, rank.pass);
                let _ = ons.as_slice().iter().try_for_each(|&(to, link)| visit(to, link));
            }
            index += 1;
        }
        let mut next = end;
        while let Some(step) = next {
            self.path.push(step);
            next = self.steps.get(usize::from(step.parent)).copied();
        }
        &self.path
    }
}

/// The nodes of the shortest chain from a start to its opposite.
fn chain_length<const W: usize>(
    mut waves: LinkWaves<W>,
    starts_on: bool,
    rows: LinkRows<'_, W>,
) -> Option<u32> {
    let (mut nodes, mut to_on) = (4, starts_on);
    while !waves.front.is_empty() {
        if waves.advance(to_on, rows) {
            return Some(nodes);
        }
        (nodes, to_on) = (nodes + 2, !to_on);
    }
    None
}

/// The most nodes of a cycle from a start that could come before the best hint.
fn most_nodes_of_cycle(pass: LinkPass, best: Option<Rank>, start: u16) -> u32 {
    let Some(best) = best else { return u32::MAX };
    let comes_before = |nodes| Rank::new(pass, ChainShape::Cycle, nodes, start) < best;
    (4..).step_by(2).take_while(|&nodes| comes_before(nodes)).last().unwrap_or(0)
}

/// The fewest nodes of a cycle if no chain from on to off is shorter than `chain`.
fn least_nodes_of_cycle(chain: u32) -> u32 {
    chain.saturating_sub(2).max(4)
}

fn rows_of<const W: usize>(links: &Links<W>, pass: LinkPass) -> LinkRows<'_, W> {
    match pass {
        LinkPass::X => links.in_houses(),
        LinkPass::Y => links.in_cells(),
        LinkPass::Xy => links.all(),
    }
}

fn offer(best: &mut Option<Rank>, rank: Rank) -> bool {
    let is_better = best.is_none_or(|best| rank < best);
    if is_better {
        *best = Some(rank);
    }
    is_better
}

/// Whether a candidate is off among the ancestors of a node that is on.
fn is_ancestor(steps: &[ChainStep], index: usize, candidate: CellDigit) -> bool {
    let mut parent = steps[index].parent;
    while parent != NO_PARENT {
        let off = &steps[usize::from(parent)];
        if off.candidate == candidate {
            return true;
        }
        parent = steps[usize::from(off.parent)].parent;
    }
    false
}
