//! Neighbors of a puzzle: puzzles with one solution that lack some of its clues and have others.
//!
//! ```text
//! puzzle ─ remove n clues ─> reduced puzzle ─> its solutions ─> candidates in one solution alone:
//!                            for each choice                    one clue more makes it unique
//!                                                └─> in several: the solutions that have the candidate
//!                                                    are those of the next step
//! ```
//!
//! For `{-n+m}` the solutions of the reduced puzzle answer everything. Added clues are taken in increasing
//! order, so each set comes once. Nothing is cut off:
//!
//! - The last clue needs the candidates that are in one solution (see `lone`). That search skips most of the
//!   solutions.
//! - The clues before it need a list of the solutions. If there are more than `MOST_LISTED`, each
//!   candidate is set, and the rest is searched for the larger puzzle.
//!
//! # Shared reduced puzzles
//! Puzzles near each other have many reduced puzzles in common, up to symmetry. If one is searched again, then
//! only sets with one of the clues that were removed the first time can be new: all others were found the
//! first time. See [`Neighbors::shared`].

mod lone;
mod shared;

use crate::bits::bits;
use crate::engine::places::{
    Ended, NO_PLACES, Places, SolutionList, both, candidates, solution, without,
};
use crate::engine::{Bounds, Engine, WorkerEngine};
use crate::puzzle::{Cell, Digit, Grid, Solution};
use crate::simd::SimdLevel;
use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;
use core::ops::ControlFlow::{self, Break, Continue};
use lone::Lone;
use shared::SharedReduced;

/// The most solutions that are listed.
const MOST_LISTED: usize = 1 << 11;

/// The most clues that are removed or added.
pub const MOST_CLUES: usize = 5;

/// Which puzzles are neighbors.
///
/// ```
/// use ninefold_core::neighbors::Around;
///
/// let around = Around { minus: 2, plus: 2, ..Around::default() };
/// assert!(!around.same_cells);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Around {
    /// How many clues are removed.
    pub minus: usize,
    /// How many others are added. A removed cell may get another digit.
    pub plus: usize,
    /// Whether the added clues are in the cells of the removed ones.
    pub same_cells: bool,
    /// Whether every added clue must be necessary: without it the puzzle has several solutions.
    pub needed: bool,
}

impl Default for Around {
    /// One clue is replaced.
    fn default() -> Self {
        Self { minus: 1, plus: 1, same_cells: false, needed: false }
    }
}

/// Finds neighbors; keeps the memory for it.
///
/// ```
/// use ninefold_core::neighbors::{Around, Neighbors};
/// use ninefold_core::puzzle::Grid;
///
/// let puzzle: Grid =
///     ".......1.4.........2...........5.4.7..8...3....1.9....3..4..2...5.1........8.6...".parse()?;
/// let mut found = Vec::new();
/// Neighbors::new(Around::default()).one(&puzzle, &mut |_, neighbor, solution| {
///     assert!(solution.keeps_clues_of(neighbor));
///     found.push(*neighbor);
/// });
/// for neighbor in found {
///     assert_eq!(neighbor.clues(), 17);
///     assert!(ninefold_core::is_unique(&neighbor)?);
/// }
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
#[must_use]
pub struct Neighbors {
    around: Around,
    list: SolutionList,
    lone: Lone,
    engine: WorkerEngine,
    shared: Option<SharedReduced>,
    /// The place of the puzzle whose neighbors are searched.
    source: usize,
    /// Memory for the solutions of reduced puzzles.
    listed: Vec<Places>,
}

/// What comes of the puzzles.
struct NeighborOutput<'a> {
    /// Is called with the place of a puzzle, a neighbor and its solution.
    found: &'a mut dyn FnMut(usize, &Grid, &Solution),
    given_up: &'a mut [u64],
}

impl Neighbors {
    /// Searches neighbors of this kind.
    ///
    /// # Panics
    /// If more than [`MOST_CLUES`] are removed or added.
    pub fn new(around: Around) -> Self {
        assert!(around.minus <= MOST_CLUES && around.plus <= MOST_CLUES, "few clues change");
        Self {
            around,
            list: SolutionList::bounded(&Bounds::default()),
            lone: Lone::default(),
            engine: WorkerEngine::default(),
            shared: None,
            source: 0,
            listed: Vec::new(),
        }
    }

    /// Uses vectors of this level. The neighbors are the same at every level.
    pub fn with_level(self, level: SimdLevel) -> Self {
        Self { engine: self.engine.with_level(level), ..self }
    }

    /// Gives up a reduced puzzle at these bounds.
    pub fn with_bounds(self, bounds: Bounds) -> Self {
        Self { engine: self.engine.with_bounds(bounds), ..self }.bounded()
    }

    /// Uses an engine, which has bounds of its own, and these bounds.
    pub fn with_built(self, engine: Box<dyn Engine>, bounds: Bounds) -> Self {
        Self { engine: self.engine.with_built(engine, bounds), ..self }.bounded()
    }

    fn bounded(mut self) -> Self {
        self.list = SolutionList::bounded(self.engine.bounds());
        // The neighbors of a reduced puzzle that was given up may be incomplete.
        self.shared = self.shared.filter(|_| self.engine.bounds().max_branches().is_none());
        self
    }

    /// With a memory of reduced puzzles: of a neighbor that is isomorphic to one of an earlier puzzle, not
    /// every place is found. All classes of neighbors are found at the first puzzle that has them.
    ///
    /// It takes 11 MB.
    pub fn shared(mut self) -> Self {
        self.shared = Some(SharedReduced::new());
        self.bounded()
    }

    /// Calls `found` with each neighbor of a puzzle, as [`Neighbors::many`] does.
    pub fn one(&mut self, puzzle: &Grid, found: &mut dyn FnMut(usize, &Grid, &Solution)) -> u64 {
        self.many(core::slice::from_ref(puzzle), found)[0]
    }

    /// Calls `found` with each neighbor of these puzzles: the place of the puzzle, the neighbor and its
    /// solution, in any order. Each is found once for each puzzle. Returns how many reduced puzzles of each
    /// were given up at a bound; their neighbors may be incomplete.
    pub fn many(
        &mut self,
        puzzles: &[Grid],
        found: &mut dyn FnMut(usize, &Grid, &Solution),
    ) -> Vec<u64> {
        let mut given_up = vec![0; puzzles.len()];
        for (source, puzzle) in puzzles.iter().enumerate() {
            self.source = source;
            self.reduce(puzzle, &mut NeighborOutput { found, given_up: &mut given_up });
        }
        self.find_lone(&mut NeighborOutput { found, given_up: &mut given_up });
        given_up
    }

    /// Searches all reduced puzzles of a puzzle.
    fn reduce(&mut self, puzzle: &Grid, output: &mut NeighborOutput<'_>) {
        let clues: Vec<_> = Cell::all().filter(|&cell| puzzle.get(cell).is_some()).collect();
        let Around { minus, plus, same_cells, .. } = self.around;
        if minus > clues.len() || same_cells && minus != plus {
            return;
        }
        let mut chosen = [0; MOST_CLUES];
        let chosen = &mut chosen[..minus];
        (0..minus).for_each(|place| chosen[place] = place);
        loop {
            let (mut reduced, mut removed) = (*puzzle, Grid::EMPTY);
            for &place in &*chosen {
                let cell = clues[place];
                reduced.set(cell, None);
                removed.set(cell, puzzle.get(cell));
            }
            if self.complete(&reduced, &removed, output).is_break() {
                output.given_up[self.source] += 1;
            }
            if self.engine.bounds().is_stopped() || !next_choice(chosen, clues.len()) {
                return;
            }
        }
    }

    /// Searches the puzzles that wait for their last clue.
    fn find_lone(&mut self, output: &mut NeighborOutput<'_>) {
        let level = self.engine.level;
        self.lone.run(self.engine.get(), level, self.around.needed, output);
    }

    /// Adds clues to a reduced puzzle.
    fn complete(
        &mut self,
        reduced: &Grid,
        removed: &Grid,
        output: &mut NeighborOutput<'_>,
    ) -> ControlFlow<Ended> {
        let Around { plus, same_cells, .. } = self.around;
        let gone = places_of(removed);
        let cells = if same_cells { &gone } else { &places_of(reduced) };
        let mut allowed = [[(1 << 27) - 1; 9]; 3];
        for (allowed, cells) in allowed.iter_mut().zip(cells) {
            let cells = cells.iter().fold(0, |all, cells| all | cells);
            let cells = if same_cells { cells } else { !cells };
            for allowed in allowed {
                *allowed &= cells;
            }
        }
        let mut allowed = without(&allowed, &gone);
        let before = self.shared.as_mut().and_then(|shared| shared.find(reduced, removed));
        let Some(before) = before else {
            self.add(reduced, plus, &allowed, output)?;
            if let Some(shared) = &mut self.shared {
                shared.keep();
            }
            return Continue(());
        };
        // Sets without any of the clues that were removed before were found then.
        for cell in Cell::all() {
            let Some(digit) = before.get(cell) else { continue };
            let (band, word, bit) = place(cell, digit);
            if plus == 0 || allowed[band][word] & bit == 0 {
                continue;
            }
            allowed[band][word] &= !bit;
            let larger = with(reduced, cell, digit);
            self.add(&larger, plus - 1, &without_cell(&allowed, band, bit), output)?;
        }
        Continue(())
    }

    /// Adds this many of the allowed candidates.
    fn add(
        &mut self,
        puzzle: &Grid,
        plus: usize,
        allowed: &Places,
        output: &mut NeighborOutput<'_>,
    ) -> ControlFlow<Ended> {
        if plus == 0 {
            if self.list.fill(puzzle, 1)? && self.list.solutions.len() == 1 {
                (output.found)(self.source, puzzle, &solution(&self.list.solutions[0]));
            }
            return Continue(());
        }
        if plus == 1 {
            if self.lone.push(self.source, puzzle, allowed) {
                self.find_lone(output);
            }
            return Continue(());
        }
        if self.list.fill(puzzle, MOST_LISTED)? {
            let mut listed = core::mem::take(&mut self.listed);
            listed.clear();
            listed.append(&mut self.list.solutions);
            let flow = self.choose(puzzle, &mut listed, 0, plus, allowed, output);
            self.listed = listed;
            return flow;
        }
        let Some(possible) = candidates(puzzle) else { return Continue(()) };
        let mut left = both(allowed, &possible);
        for (cell, digit) in each(&left.clone()) {
            let (band, word, bit) = place(cell, digit);
            left[band][word] &= !bit;
            let rest = without_cell(&left, band, bit);
            self.add(&with(puzzle, cell, digit), plus - 1, &rest, output)?;
        }
        Continue(())
    }

    /// Adds this many of the allowed candidates to a puzzle whose solutions are listed from `first` on.
    fn choose(
        &mut self,
        puzzle: &Grid,
        listed: &mut Vec<Places>,
        first: usize,
        plus: usize,
        allowed: &Places,
        output: &mut NeighborOutput<'_>,
    ) -> ControlFlow<Ended> {
        if self.engine.bounds().is_stopped() {
            return Break(Ended::Bound);
        }
        let (mut any, mut several) = (NO_PLACES, NO_PLACES);
        for places in &listed[first..] {
            for (band, places) in places.iter().enumerate() {
                for (digit, places) in places.iter().enumerate() {
                    several[band][digit] |= any[band][digit] & places;
                    any[band][digit] |= places;
                }
            }
        }
        let needed = self.around.needed;
        if plus == 1 {
            if needed && listed.len() - first < 2 {
                return Continue(());
            }
            let lone = both(&without(&any, &several), allowed);
            if lone == NO_PLACES {
                return Continue(());
            }
            for places in &listed[first..] {
                let own = both(places, &lone);
                if own != NO_PLACES {
                    let solution = solution(places);
                    for (cell, digit) in each(&own) {
                        (output.found)(self.source, &with(puzzle, cell, digit), &solution);
                    }
                }
            }
            return Continue(());
        }
        // A candidate in one solution makes the others redundant.
        let mut left = both(if needed { &several } else { &any }, allowed);
        for (cell, digit) in each(&left.clone()) {
            let (band, word, bit) = place(cell, digit);
            left[band][word] &= !bit;
            let next = listed.len();
            for index in first..next {
                if listed[index][band][word] & bit != 0 {
                    listed.push(listed[index]);
                }
            }
            self.choose(&with(puzzle, cell, digit), listed, next, plus - 1, &left, output)?;
            listed.truncate(next);
        }
        Continue(())
    }
}

/// The next choice of places in increasing order, of `count` places in all. `false` after the last.
fn next_choice(chosen: &mut [usize], count: usize) -> bool {
    let last = chosen.len();
    let Some(place) = (0..last).rfind(|&place| chosen[place] < count - last + place) else {
        return false;
    };
    chosen[place] += 1;
    (place + 1..last).for_each(|next| chosen[next] = chosen[next - 1] + 1);
    true
}

/// The word and the bit of a candidate.
fn place(cell: Cell, digit: Digit) -> (usize, usize, u32) {
    (cell.index() / 27, usize::from(digit.value()) - 1, 1 << (cell.index() % 27))
}

/// Places without those of one cell, which is a bit of a band.
fn without_cell(places: &Places, band: usize, bit: u32) -> Places {
    let mut rest = *places;
    rest[band].iter_mut().for_each(|cells| *cells &= !bit);
    rest
}

/// The clues of a grid.
fn places_of(grid: &Grid) -> Places {
    let mut places = NO_PLACES;
    for cell in Cell::all() {
        if let Some(digit) = grid.get(cell) {
            let (band, word, bit) = place(cell, digit);
            places[band][word] |= bit;
        }
    }
    places
}

fn with(puzzle: &Grid, cell: Cell, digit: Digit) -> Grid {
    let mut grid = *puzzle;
    grid.set(cell, Some(digit));
    grid
}

/// The candidates of a set, one after the other.
fn each(places: &Places) -> impl Iterator<Item = (Cell, Digit)> {
    places.iter().zip([0, 27, 54]).flat_map(|(band, first)| {
        Digit::ALL.iter().zip(band).flat_map(move |(&digit, &cells)| {
            bits(cells).map(move |cell| (Cell::new(first + cell), digit))
        })
    })
}

#[cfg(test)]
mod tests;
