//! Runs: all consequences of one assumed potential, with the reasons of each.
//!
//! ```text
//!  nodes    a on ── b off ── c off ── d on ── …        of one run after the other: a stack
//!  parents          a        a        b, c
//!  lookup   potential ─> node                          one table a run
//! ```
//!
//! A node has the parents that made it follow first. The *ancestors* of a node, itself included, are
//! the chain that a hint shows; their number is its length.

#![expect(
    clippy::cast_possible_truncation,
    reason = "nodes of a run are below 2^16, all below 2^32"
)]

use super::super::board::CellDigit;
use super::super::step;
use super::grid::{Link, Numbering};
use alloc::vec::Vec;
use core::ops::Range;

/// A candidate that is on or off: twice its number, plus 1 if it is on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Potential(u16);

impl Potential {
    pub(super) const fn new(number: u16, is_on: bool) -> Self {
        Self(number * 2 + is_on as u16)
    }

    pub(super) const fn number(self) -> u16 {
        self.0 / 2
    }

    pub(super) const fn is_on(self) -> bool {
        self.0 & 1 != 0
    }

    pub(super) const fn index(self) -> usize {
        self.0 as usize
    }

    pub(super) fn node(self, names: &Numbering) -> step::Node {
        let CellDigit { cell, digit } = names.candidate(self.number());
        step::Node::new(cell, digit, self.is_on())
    }
}

#[derive(Clone, Copy, Debug)]
pub(super) struct RunNode {
    pub(super) potential: Potential,
    pub(super) link: Link,
    /// The nodes of the longest way from the start: a lower bound of the ancestors.
    pub(super) depth: u16,
    /// The number of ancestors, once it was counted; else 0.
    count: u16,
    parents_count: u16,
    parents_at: u32,
    /// The chain hint inside the run that made it follow, plus 1; 0 without one.
    pub(super) nest: u32,
}

/// The consequences of one potential.
#[derive(Clone, Copy, Debug)]
struct RunParts {
    nodes: u32,
    end: u32,
    parents: u32,
    nests: u32,
    /// Two nodes of one candidate, the first on, the other off.
    contradiction: Option<[u16; 2]>,
    has_nests: bool,
}

/// A node of a run.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Target {
    pub(super) run: u32,
    pub(super) node: u16,
}

/// A chain hint that a rule of a run used: two are one if their chains have the same potentials.
#[derive(Clone, Debug)]
struct Nest {
    complexity: u32,
    /// The potentials of its chains, independent of the run.
    names: Vec<u16>,
    found: Option<HintPlace>,
}

/// Where a rule of a run found a hint: a search there finds it again.
#[derive(Clone, Copy, Debug)]
pub(super) struct HintPlace {
    /// The number of nodes that the run had.
    pub(super) at: u16,
    /// The place of the hint among those of the search.
    pub(super) hint: u16,
}

/// No node. A run has fewer.
const NONE: u16 = u16::MAX;

/// Words for the potentials of 729 candidates.
const WORDS: usize = (2 * 729usize).div_ceil(64);

/// Ends a chain in the names of a nested hint. No potential.
pub(super) const END_OF_CHAIN: u16 = u16::MAX;

/// The runs of one search.
#[derive(Debug, Default)]
pub(super) struct Runs {
    all: Vec<RunParts>,
    /// Where the nodes and the tables of the last run begin.
    first: usize,
    lookup_from: usize,
    known_from: usize,
    pub(super) nodes: Vec<RunNode>,
    parents: Vec<u16>,
    lookup: Vec<u16>,
    known: Vec<u64>,
    nests: Vec<Nest>,
    /// A walk over ancestors.
    pub(super) walk: Vec<u16>,
    met: Vec<u32>,
    candidates: usize,
}

impl Runs {
    /// Forgets all runs.
    pub(super) fn clear(&mut self, names: &Numbering) {
        self.candidates = names.count;
        self.all.clear();
        self.nodes.clear();
        self.parents.clear();
        self.lookup.clear();
        self.known.clear();
        self.nests.clear();
    }

    fn words(&self) -> usize {
        (2 * self.candidates).div_ceil(64)
    }

    /// Begins a run without nodes.
    pub(super) fn begin(&mut self) {
        self.first = self.nodes.len();
        (self.lookup_from, self.known_from) = (self.lookup.len(), self.known.len());
        self.all.push(RunParts {
            nodes: self.nodes.len() as u32,
            end: self.nodes.len() as u32,
            parents: self.parents.len() as u32,
            nests: self.nests.len() as u32,
            contradiction: None,
            has_nests: false,
        });
        self.lookup.resize(self.lookup.len() + 2 * self.candidates, NONE);
        self.known.resize(self.known.len() + self.words(), 0);
    }

    /// Begins a run with the nodes of another one, which had no contradiction.
    pub(super) fn begin_as(&mut self, others: &Self, run: u32) {
        self.begin();
        let to = self.all[self.all.len() - 1];
        let from = others.all[run as usize];
        let next = others.all.get(run as usize + 1);
        let end = |of: fn(&RunParts) -> u32, all: usize| next.map_or(all, |next| of(next) as usize);
        let parents = from.parents as usize..end(|run| run.parents, others.parents.len());
        self.parents.extend_from_slice(&others.parents[parents]);
        let moved = |node: &RunNode| {
            let nest = if node.nest == 0 { 0 } else { node.nest - from.nests + to.nests };
            RunNode { parents_at: node.parents_at - from.parents + to.parents, nest, ..*node }
        };
        self.nodes.extend(others.nodes[from.nodes as usize..from.end as usize].iter().map(moved));
        let of_run = run as usize * 2 * self.candidates..(run as usize + 1) * 2 * self.candidates;
        self.lookup[self.lookup_from..].copy_from_slice(&others.lookup[of_run]);
        let of_run = run as usize * self.words()..(run as usize + 1) * self.words();
        self.known[self.known_from..].copy_from_slice(&others.known[of_run]);
        let nests = from.nests as usize..end(|run| run.nests, others.nests.len());
        self.nests.extend_from_slice(&others.nests[nests]);
    }

    /// The candidates that are off among the first nodes of a run.
    pub(super) fn offs(&self, run: u32, nodes: u16) -> impl Iterator<Item = u16> {
        let nodes = self.nodes[self.range(run)].iter().take(usize::from(nodes));
        nodes.filter(|node| !node.potential.is_on()).map(|node| node.potential.number())
    }

    /// The last run has all its nodes. Returns its number.
    pub(super) fn end(&mut self, contradiction: Option<[u16; 2]>) -> u32 {
        let last = self.all.len() - 1;
        let run = &mut self.all[last];
        run.contradiction = contradiction;
        run.end = self.nodes.len() as u32;
        run.has_nests = self.nests.len() as u32 > run.nests;
        last as u32
    }

    /// Forgets the last run. Another one has to begin before the next use.
    pub(super) fn pop(&mut self) {
        if let Some(run) = self.all.pop() {
            self.nodes.truncate(run.nodes as usize);
            self.parents.truncate(run.parents as usize);
            self.lookup.truncate(self.all.len() * 2 * self.candidates);
            self.known.truncate(self.all.len() * self.words());
            self.nests.truncate(run.nests as usize);
        }
    }

    /// Forgets the nodes of the last run from one on.
    pub(super) fn rewind(&mut self, node: u16) {
        let from = self.first + usize::from(node);
        for node in from..self.nodes.len() {
            let index = self.nodes[node].potential.index();
            self.lookup[self.lookup_from + index] = NONE;
            self.known[self.known_from + index / 64] &= !(1 << (index % 64));
        }
        self.nodes.truncate(from);
    }

    /// The node of a potential in the last run.
    pub(super) fn find(&self, potential: Potential) -> Option<u16> {
        let node = self.lookup[self.lookup_from + potential.index()];
        (node != NONE).then_some(node)
    }

    /// Whether the last run has a candidate off, and on.
    pub(super) fn knows(&self, number: u16) -> [bool; 2] {
        let index = Potential::new(number, false).index();
        let both = self.known[self.known_from + index / 64] >> (index % 64);
        [both & 1 != 0, both & 2 != 0]
    }

    /// Opens the list of parents of a node that is about to be added to the last run.
    pub(super) fn open_parents(&self) -> usize {
        self.parents.len()
    }

    pub(super) fn push_parent(&mut self, node: u16) {
        self.parents.push(node);
    }

    /// Adds the node of a candidate that is off as a parent.
    pub(super) fn push_gone(&mut self, candidate: CellDigit, names: &Numbering) {
        let off = Potential::new(names.number(candidate), false);
        let node = self.lookup[self.lookup_from + off.index()];
        debug_assert_ne!(node, NONE, "a candidate is gone only after it became known");
        self.parents.push(node);
    }

    /// Adds a node to the last run. Its parents are those from `parents_at` on.
    pub(super) fn add(
        &mut self,
        potential: Potential,
        link: Link,
        parents_at: usize,
        nest: u32,
    ) -> u16 {
        let first = self.first;
        let parents = &self.parents[parents_at..];
        let depth = |&parent: &u16| self.nodes[first + usize::from(parent)].depth;
        let depth = parents.iter().map(depth).max().unwrap_or(0) + 1;
        let parents_count = parents.len() as u16;
        let node = (self.nodes.len() - first) as u16;
        let parents_at = parents_at as u32;
        self.nodes.push(RunNode {
            potential,
            link,
            depth,
            count: 0,
            parents_count,
            parents_at,
            nest,
        });
        node
    }

    /// Makes a node of the last run the one of its potential.
    pub(super) fn enter(&mut self, node: u16) {
        let potential = self.nodes[self.first + usize::from(node)].potential;
        self.lookup[self.lookup_from + potential.index()] = node;
        self.known[self.known_from + potential.index() / 64] |= 1 << (potential.index() % 64);
    }

    /// How many nodes the last run has.
    pub(super) fn node_count(&self) -> u16 {
        (self.nodes.len() - self.first) as u16
    }

    pub(super) fn node_of_last(&self, node: u16) -> &RunNode {
        &self.nodes[self.first + usize::from(node)]
    }

    pub(super) fn node(&self, target: Target) -> &RunNode {
        &self.nodes[self.all[target.run as usize].nodes as usize + usize::from(target.node)]
    }

    /// The target of a potential that a run entered.
    pub(super) fn target(&self, run: u32, potential: Potential) -> Target {
        let node = self.lookup[run as usize * 2 * self.candidates + potential.index()];
        Target { run, node }
    }

    /// Two nodes of one candidate, the first on, the other off, that ended a run.
    pub(super) fn contradiction(&self, run: u32) -> Option<[u16; 2]> {
        self.all[run as usize].contradiction
    }

    /// The nodes of a run.
    pub(super) fn range(&self, run: u32) -> Range<usize> {
        let run = &self.all[run as usize];
        run.nodes as usize..run.end as usize
    }

    /// The potentials that all these runs entered. Returns whether there are any.
    pub(super) fn common(&self, runs: &[u32], common: &mut [u64; WORDS]) -> bool {
        let words = self.words();
        let mut any = 0;
        for (word, both) in common[..words].iter_mut().enumerate() {
            let entered = |&run: &u32| self.known[run as usize * words + word];
            *both = runs.iter().map(entered).fold(!0, |all, bits| all & bits);
            any |= *both;
        }
        any != 0
    }

    /// A lower bound of the length of some chains together.
    pub(super) fn least_length(&self, targets: &[Target]) -> u32 {
        let least = |&target: &Target| {
            let node = self.node(target);
            u32::from(if node.count > 0 { node.count } else { node.depth })
        };
        targets.iter().map(least).sum()
    }

    /// The length of some chains together, with the hints nested in them.
    ///
    /// Stops once the length is above `most`.
    pub(super) fn length(&mut self, targets: &[Target], most: u32) -> u32 {
        let mut left = self.least_length(targets);
        let mut length = 0;
        for &target in targets {
            left -= self.least_length(&[target]);
            length += self.count(target);
            if length + left > most {
                return length + left;
            }
        }
        length + self.length_of_nests(targets)
    }

    fn count(&mut self, target: Target) -> u32 {
        let count = self.node(target).count;
        if count > 0 {
            return u32::from(count);
        }
        self.walk(target);
        let count = self.walk.len() as u16;
        let first = self.all[target.run as usize].nodes as usize;
        self.nodes[first + usize::from(target.node)].count = count;
        u32::from(count)
    }

    /// Puts a node and its ancestors into `walk`, nearest first, each potential once.
    pub(super) fn walk(&mut self, target: Target) {
        let first = self.all[target.run as usize].nodes as usize;
        let nodes = &self.nodes[first..];
        let mut met = [0u64; WORDS];
        let mut enter = |node: u16, walk: &mut Vec<u16>| {
            let index = nodes[usize::from(node)].potential.index();
            if met[index / 64] >> (index % 64) & 1 == 0 {
                met[index / 64] |= 1 << (index % 64);
                walk.push(node);
            }
        };
        self.walk.clear();
        enter(target.node, &mut self.walk);
        let mut next = 0;
        while next < self.walk.len() {
            let node = &nodes[usize::from(self.walk[next])];
            let from = node.parents_at as usize;
            for &parent in &self.parents[from..from + usize::from(node.parents_count)] {
                enter(parent, &mut self.walk);
            }
            next += 1;
        }
    }

    /// A node and its ancestors, in the order in which they were added: parents come first.
    pub(super) fn chain(&mut self, target: Target) -> Vec<RunNode> {
        self.walk(target);
        self.walk.sort_unstable();
        self.walk.iter().map(|&node| *self.node(Target { node, ..target })).collect()
    }

    /// The length of the different hints that are nested in some chains.
    fn length_of_nests(&mut self, targets: &[Target]) -> u32 {
        let mut length = 0;
        self.met.clear();
        for &target in targets {
            if !self.all[target.run as usize].has_nests {
                continue;
            }
            self.walk(target);
            let first = self.all[target.run as usize].nodes as usize;
            for &node in &self.walk {
                let nest = self.nodes[first + usize::from(node)].nest;
                let names_of = |nest: u32| &self.nests[nest as usize - 1].names;
                let is_same = |&other: &u32| nest == other || names_of(nest) == names_of(other);
                if nest > 0 && !self.met.iter().any(is_same) {
                    length += self.nests[nest as usize - 1].complexity;
                    self.met.push(nest);
                }
            }
        }
        length
    }

    /// Remembers a hint that a rule of the last run uses; returns its number for nodes.
    pub(super) fn nest(&mut self, complexity: u32, names: &[u16], found: Option<HintPlace>) -> u32 {
        self.nests.push(Nest { complexity, names: names.to_vec(), found });
        self.nests.len() as u32
    }

    /// Where a nested hint was found. One without branches needs no search: see [`Runs::nested_chain`].
    pub(super) fn found(&self, nest: u32) -> Option<HintPlace> {
        self.nests[nest as usize - 1].found
    }

    /// The chain of a nested hint without branches.
    pub(super) fn nested_chain(&self, nest: u32, names: &Numbering) -> Vec<step::Node> {
        let mut chains = self.nests[nest as usize - 1].names.split(|&name| name == END_OF_CHAIN);
        let nodes = chains.next().unwrap_or_default().iter().rev();
        let mut chain: Vec<_> = nodes.map(|&name| Potential(name).node(names)).collect();
        // A second chain is that of a cycle backwards. The start of a cycle is written first.
        if chains.next().is_some_and(|backwards| !backwards.is_empty()) {
            chain.rotate_right(1);
        }
        chain
    }
}

/// A set of potentials for [`Runs::common`].
pub(super) const NO_POTENTIALS: [u64; WORDS] = [0; WORDS];
