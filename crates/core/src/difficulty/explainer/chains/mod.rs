//! Chains: what is left when nothing up to 6.2 helps.
//!
//! ```text
//!  forcing    6.5   what a candidate implies about itself; cycles
//!  triplet    7.5   aligned triplet exclusion
//!  multiple   7.5   what one digit, all candidates of a cell, or all places of a house imply
//!    runs           all consequences of one assumption
//!    rules    9.0   what a run finds when it has no links left: with chains inside from 9.5 on
//! ```
//!
//! | search | base | in a run |
//! | --- | --- | --- |
//! | forcing chains and cycles | 6.5, 6.6, 7.0 | |
//! | aligned triplet exclusion | 7.5 | |
//! | Nishio | 7.5 | links of one digit, dynamic |
//! | multiple | 8.0 | static |
//! | dynamic | 8.5 | candidates that are off are removed |
//! | dynamic + | 9.0 | and locked candidates, pairs, X-wings |
//! | nested, level 2 | 9.5 | and forcing chains and cycles |
//! | nested, level 3 | 10.0 | and multiple chains |
//! | nested, level 4 | 10.5 | dynamic chains instead: plain, then of levels 1, 2 and 3 |
//!
//! A search is asked only if all before it found nothing. The length of a chain adds to the base.

mod forcing;
mod grid;
mod length;
mod multiple;
mod rules;
mod runs;
mod scratch;
mod sets;
mod spread;
mod triplet;

use super::board::{CellDigit, SolvingBoard};
use super::score::{Technique, tenths};
use super::step::Node;
use super::techniques::NoStep;
use crate::engine::Bounds;
use alloc::boxed::Box;
use alloc::vec::Vec;
use forcing::{ChainShape, ChainStep, Forcing, Rank};
use grid::{LinkPass, Numbered, Numbering, Pencilmarks};
use length::added;
use multiple::{Context, Layer, Options, RunSearch, STATIC};
use triplet::Triplets;

/// A hint of a chain.
#[derive(Debug)]
pub(super) struct ChainHint {
    pub(super) tenths: u8,
    pub(super) technique: Technique,
    /// Cells and the candidates that they lose.
    pub(super) removals: Vec<(u8, u16)>,
    /// A candidate that is proved: cell, digit.
    pub(super) placed: Option<CellDigit>,
}

/// The searches through runs, in order: tenths, options.
const MULTIPLE: [(u8, Options); 10] = [
    (75, Options { links: LinkPass::X, ..Options::dynamic(0) }),
    (80, STATIC),
    (85, Options::dynamic(0)),
    (90, Options::dynamic(1)),
    (95, Options::dynamic(2)),
    (100, Options::dynamic(3)),
    (105, Options::dynamic(4)),
    (105, Options { inner: 1, ..Options::dynamic(4) }),
    (105, Options { inner: 2, ..Options::dynamic(4) }),
    (105, Options { inner: 3, ..Options::dynamic(4) }),
];

/// Runs in runs in runs: dynamic ones of level 4, in these dynamic ones of level 3, then static ones.
const LAYERS: usize = 3;

/// Where the last hint is.
#[derive(Clone, Copy, Debug)]
enum HintOrigin {
    Forcing(Rank),
    /// Three cells.
    Triplet(u128),
    Runs(Options),
}

/// Memory of the searches with sets of `W` words.
#[derive(Debug)]
struct ChainSearches<const W: usize> {
    origin: HintOrigin,
    forcing: Forcing<W>,
    layers: [Layer<W>; LAYERS],
}

/// Memory of all searches for chains.
#[derive(Debug)]
pub(super) struct Chains {
    state: Pencilmarks,
    names: Numbering,
    triplets: Triplets,
    /// For up to 128, 192, 256 and 768 candidates: most sets of a step fit in two words.
    two: Option<Box<ChainSearches<2>>>,
    three: Option<Box<ChainSearches<3>>>,
    four: Option<Box<ChainSearches<4>>>,
    twelve: Option<Box<ChainSearches<12>>>,
}

/// Evaluates an expression with the searches whose sets have as many words as the candidates need.
macro_rules! with_searches {
    ($chains:ident, |$searches:ident| $result:expr) => {
        match $chains.names.count.div_ceil(64) {
            0..=2 => {
                let $searches = $chains.two.get_or_insert_with(ChainSearches::new);
                $result
            }
            3 => {
                let $searches = $chains.three.get_or_insert_with(ChainSearches::new);
                $result
            }
            4 => {
                let $searches = $chains.four.get_or_insert_with(ChainSearches::new);
                $result
            }
            _ => {
                let $searches = $chains.twelve.get_or_insert_with(ChainSearches::new);
                $result
            }
        }
    };
}

impl<const W: usize> ChainSearches<W> {
    fn new() -> Box<Self> {
        let (origin, forcing) = (HintOrigin::Triplet(0), Forcing::default());
        Box::new(Self { origin, forcing, layers: Default::default() })
    }
}

impl Chains {
    pub(super) const fn new() -> Self {
        Self {
            state: Pencilmarks::EMPTY,
            names: Numbering::EMPTY,
            triplets: Triplets::new(),
            two: None,
            three: None,
            four: None,
            twelve: None,
        }
    }

    /// The cells of the last hint that has no chains, and the chains of one that has.
    ///
    /// A chain begins with what is assumed. Each of its other nodes follows from some before it.
    /// `board` is that of the search.
    pub(super) fn trace(&mut self, board: &SolvingBoard) -> (u128, Vec<Vec<Node>>) {
        let context = Context { board, names: &self.names, bounds: &Bounds::NONE };
        with_searches!(self, |searches| searches.trace(&self.state, context))
    }

    /// The first hint, of `most` tenths at most. [`NoStep::Beyond`] if there is none.
    pub(super) fn find(
        &mut self,
        board: &SolvingBoard,
        most: u8,
        bounds: &Bounds,
    ) -> Result<ChainHint, NoStep> {
        self.state.load(board);
        self.names.load(&self.state);
        let context = Context { board, names: &self.names, bounds };
        let (state, triplets) = (&self.state, &mut self.triplets);
        with_searches!(self, |searches| searches.find(state, context, most, triplets))
    }
}

impl<const W: usize> ChainSearches<W> {
    fn find(
        &mut self,
        state: &Pencilmarks,
        context: Context<'_>,
        most: u8,
        triplets: &mut Triplets,
    ) -> Result<ChainHint, NoStep> {
        let Context { names, bounds, .. } = context;
        let marks = Numbered { state, names };
        let mut removals = Vec::new();
        let hint = |tenths, technique, removals, placed| {
            Ok(ChainHint { tenths, technique, removals, placed })
        };
        if most < 65 {
            return Err(NoStep::Above);
        }
        if let Some(rank) = self.forcing.easiest(marks) {
            self.origin = HintOrigin::Forcing(rank);
            self.forcing.add_removals(rank, marks, &mut removals);
            let is_placed = rank.shape == ChainShape::OffToOn;
            let placed = is_placed.then_some(names.candidate(rank.start));
            return hint(tenths(rank.score()), rank.technique(), removals, placed);
        }
        if most < 75 {
            return Err(NoStep::Above);
        }
        if let Some(cells) = triplets.first_exclusion(context.board, &mut removals) {
            self.origin = HintOrigin::Triplet(cells);
            return hint(75, Technique::AlignedTripletExclusion, removals, None);
        }
        for (base, options) in MULTIPLE {
            if most < base {
                return Err(NoStep::Above);
            }
            let [layer, deeper @ ..] = &mut self.layers;
            let search = RunSearch::of_step(context, state, options);
            layer.search(deeper, &search);
            if layer.is_stopped || bounds.is_stopped() {
                return Err(NoStep::Stopped);
            }
            if let Some(best) = layer.hints.first() {
                self.origin = HintOrigin::Runs(options);
                let score = f64::from(base) / 10.0 + added(best.complexity);
                let candidate = names.candidate(best.proved.number());
                removals.push(state.removal(candidate, best.proved.is_on()));
                let placed = best.proved.is_on().then_some(candidate);
                return hint(tenths(score), options.technique(), removals, placed);
            }
        }
        Err(NoStep::Beyond)
    }

    /// See [`Chains::trace`].
    fn trace(&mut self, state: &Pencilmarks, context: Context<'_>) -> (u128, Vec<Vec<Node>>) {
        let rank = match self.origin {
            HintOrigin::Triplet(cells) => return (cells, Vec::new()),
            HintOrigin::Runs(options) => {
                let [layer, deeper @ ..] = &mut self.layers;
                let targets = layer.hints[0].targets;
                let search = RunSearch::of_step(context, state, options);
                return (0, layer.trace(deeper, &search, targets.as_slice()));
            }
            HintOrigin::Forcing(rank) => rank,
        };
        let path = self.forcing.path(rank, Numbered { state, names: context.names });
        // The last node of a cycle is its start again.
        let path = if rank.shape == ChainShape::Cycle { &path[1..] } else { path };
        let node =
            |step: &ChainStep| Node::new(step.candidate.cell, step.candidate.digit, step.is_on);
        (0, [path.iter().rev().map(node).collect()].into())
    }
}
