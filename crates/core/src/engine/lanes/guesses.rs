//! Counts the guesses of the effort search, one search in each lane.
//!
//! ```text
//!  puzzles ──> rules ───> stalled boards ──> relabel, once for each    ──> search ──> guesses
//!                │ solved: no guesses        transformation, and guess
//!                └ dead: no solution
//! ```
//!
//! The search is defined in `difficulty::effort`, whose tests compare the counts of this file with
//! a search in the words of the definition. Two facts lead from the definition to the pass of the
//! engine:
//!
//! - At a fixed point of the pass without a clash, naked singles, hidden singles and locked
//!   candidates find nothing either; and the pass removes nothing that they would not. So both have
//!   the same fixed point, or both find a contradiction. Clashes (two equal singles in a box, or two
//!   digits whose only place is the same cell) are the contradictions that the engine's own
//!   searches do not need to see at once, so here they are asked for.
//! - A transformation maps the fixed point of a puzzle to that of the transformed puzzle. So a
//!   puzzle reaches its fixed point once, and each of its searches begins with a guess.
//!
//! If the pass ever gets stronger rules, those tests fail: then this file needs a pass of its own.
#![forbid(unsafe_code)]

use super::block::Block;
use super::choose::smallest;
use super::propagate::{Events, PassWithClashes, complete};
use super::start::{StartBoard, UnsolvedBoard};
use crate::engine::bounds::Bounds;
use crate::puzzle::{Cell, DigitSet, Grid};
use crate::simd::{Board, CELLS, Kernel, MAX_LANES, SimdLevel, Word, lanes_of};
use crate::symmetry::Isomorphism;
use alloc::vec::Vec;

/// A transformation as tables for boards.
#[derive(Clone)]
struct Relabeling {
    /// The cell from which each cell comes.
    sources: [u8; CELLS],
    /// What each set of digits becomes.
    digits: [u16; 512],
}

impl Relabeling {
    fn new(map: &Isomorphism) -> Self {
        let mut sources = [0; CELLS];
        for (cell, source) in Cell::all().zip(&mut sources) {
            *source = u8::try_from(map.source_of(cell).index()).expect("under 81");
        }
        let mut digits = [0; 512];
        for (set, mapped) in (0..).zip(&mut digits) {
            *mapped = map.digits(DigitSet::from_bits(set)).bits();
        }
        Self { sources, digits }
    }

    #[inline(always)]
    fn apply(&self, from: &Board, to: &mut Board) {
        for (cell, &source) in to.cells[..CELLS].iter_mut().zip(&self.sources) {
            *cell = self.digits[usize::from(from.cells[usize::from(source % 96)] % 512)];
        }
    }
}

/// Counts guesses; keeps the memory for it.
pub(crate) struct GuessCounter {
    level: SimdLevel,
    relabelings: Vec<Relabeling>,
    stalled: Vec<UnsolvedBoard>,
    /// The stacks of all lanes, level by level.
    levels: Vec<[Board; MAX_LANES]>,
    bounds: Bounds,
}

impl core::fmt::Debug for GuessCounter {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("GuessCounter").field("level", &self.level).finish_non_exhaustive()
    }
}

/// Puzzles to which the rules are applied before their searches begin. 512 boards are 128 KiB, which stay in
/// the second cache, and leave the lanes waiting for the last searches seldom.
const BATCH: usize = 512;

impl GuessCounter {
    /// A counter for these transformations, with bounds for each search: a guess is a branch.
    pub(crate) fn new(level: SimdLevel, maps: &[Isomorphism], bounds: Bounds) -> Self {
        let relabelings = maps.iter().map(Relabeling::new).collect();
        Self { level, relabelings, stalled: Vec::new(), levels: Vec::new(), bounds }
    }

    /// Reports the place of each puzzle with its guesses, once if the rules decide it, else once for each
    /// transformation. They are `None` if there is no solution, or if a bound ended the search.
    pub(crate) fn count(&mut self, puzzles: &[Grid], report: &mut dyn FnMut(usize, Option<u64>)) {
        let Self { level, relabelings, stalled, levels, bounds } = self;
        if levels.is_empty() {
            levels.push([Board::EMPTY; MAX_LANES]);
        }
        for (batch, puzzles) in puzzles.chunks(BATCH).enumerate() {
            let mut report = |puzzle, outcome| report(batch * BATCH + puzzle, outcome);
            stalled.clear();
            level.run(Propagate { puzzles, stalled, report: &mut report });
            level.run(SearchUnsolved { stalled, relabelings, levels, bounds, report: &mut report });
        }
    }
}

/// Applies the rules to each puzzle until they find nothing.
struct Propagate<'a> {
    puzzles: &'a [Grid],
    stalled: &'a mut Vec<UnsolvedBoard>,
    report: &'a mut dyn FnMut(usize, Option<u64>),
}

impl Kernel for Propagate<'_> {
    type Output = ();

    #[inline(always)]
    fn run<W: Word>(self, proof: W::Proof) {
        let mut block = Block::<W>::new();
        let mut homes = [0; MAX_LANES];
        let (mut next, mut live) = (0, 0u32);
        let mut board = Board::EMPTY;
        loop {
            for lane in lanes_of(W::ALL_LANES & !live) {
                let Some(puzzle) = self.puzzles.get(next) else { break };
                puzzle.start::<W>(proof, &mut board);
                block.put([(lane, &board)]);
                homes[lane] = next;
                live |= 1 << lane;
                next += 1;
            }
            if live == 0 {
                return;
            }
            let Events { dead, stalled, filled } =
                W::call(proof, PassWithClashes(&mut block)).among(live);
            let solved = if filled == 0 { 0 } else { filled & complete(proof, &block) };
            for lane in lanes_of(dead | filled) {
                let is_solved = solved >> lane & 1 != 0;
                (self.report)(homes[lane], is_solved.then_some(0));
            }
            for lane in lanes_of(stalled) {
                let mut board = Board::EMPTY;
                W::copy_lane(proof, &block.cells, lane, &mut board);
                self.stalled.push(UnsolvedBoard { puzzle: homes[lane], board });
            }
            live &= !(dead | filled | stalled);
        }
    }
}

/// Searches for the first solution of each stalled board under each transformation.
struct SearchUnsolved<'a> {
    stalled: &'a [UnsolvedBoard],
    relabelings: &'a [Relabeling],
    levels: &'a mut Vec<[Board; MAX_LANES]>,
    bounds: &'a Bounds,
    report: &'a mut dyn FnMut(usize, Option<u64>),
}

/// The search in a lane.
#[derive(Clone, Copy, Default)]
struct LaneWalk {
    puzzle: usize,
    /// Boards below this level of the stack wait.
    depth: usize,
    guesses: u64,
}

impl Kernel for SearchUnsolved<'_> {
    type Output = ();

    #[inline(always)]
    fn run<W: Word>(self, proof: W::Proof) {
        let Self { stalled: puzzles, relabelings, levels, bounds, report } = self;
        let most = bounds.max_branches().map_or(u64::MAX, u64::from);
        let mut passes = 0u64;
        let mut block = Block::<W>::new();
        let mut walks = [LaneWalk::default(); MAX_LANES];
        // One transformation after the other, so that its tables stay in the first cache.
        let mut tasks = relabelings
            .iter()
            .flat_map(|relabeling| puzzles.iter().map(move |puzzle| (relabeling, puzzle)));
        let (mut live, mut waiting) = (0u32, 0u32);
        loop {
            let mut fresh = 0;
            for lane in lanes_of(W::ALL_LANES & !live) {
                let Some((relabeling, stalled)) = tasks.next() else { break };
                relabeling.apply(&stalled.board, &mut levels[0][lane]);
                walks[lane] = LaneWalk { puzzle: stalled.puzzle, ..LaneWalk::default() };
                fresh |= 1 << lane;
            }
            live |= fresh;
            if live == 0 {
                return;
            }
            for lane in lanes_of(core::mem::take(&mut waiting) | fresh) {
                block.put([(lane, &levels[walks[lane].depth][lane])]);
            }
            for lane in lanes_of(fresh) {
                guess(proof, &mut block, levels, &mut walks[lane], lane);
            }
            let Events { dead, stalled, filled } =
                W::call(proof, PassWithClashes(&mut block)).among(live);
            for lane in lanes_of(stalled) {
                let board = &mut levels[walks[lane].depth][lane];
                W::copy_lane(proof, &block.cells, lane, board);
            }
            for lane in lanes_of(stalled) {
                if walks[lane].guesses >= most {
                    report(walks[lane].puzzle, None);
                    live &= !(1 << lane);
                    continue;
                }
                guess(proof, &mut block, levels, &mut walks[lane], lane);
            }
            passes += 1;
            if bounds.is_stopped_at(passes) {
                // Of the searches that are left, none is complete.
                lanes_of(live).for_each(|lane| report(walks[lane].puzzle, None));
                tasks.for_each(|(_, stalled)| report(stalled.puzzle, None));
                return;
            }
            let solved = if filled == 0 { 0 } else { filled & complete(proof, &block) };
            for lane in lanes_of(solved) {
                report(walks[lane].puzzle, Some(walks[lane].guesses));
                live &= !(1 << lane);
            }
            for lane in lanes_of((dead | filled) & !solved) {
                if walks[lane].depth > 0 {
                    walks[lane].depth -= 1;
                    waiting |= 1 << lane;
                } else {
                    report(walks[lane].puzzle, None);
                    live &= !(1 << lane);
                }
            }
        }
    }
}

/// Guesses in a lane whose board is copied on its stack: the lane takes the guess, and the stack
/// keeps the board without it.
#[inline(always)]
fn guess<W: Word>(
    proof: W::Proof,
    block: &mut Block<W>,
    levels: &mut Vec<[Board; MAX_LANES]>,
    walk: &mut LaneWalk,
    lane: usize,
) {
    let board = &mut levels[walk.depth][lane];
    let pairs = W::cells_of::<2>(proof, board);
    let cell = if pairs == 0 { smallest(board).cell } else { pairs.trailing_zeros() as usize };
    let candidates = board.cells[cell];
    let rest = candidates & (candidates - 1);
    block.set_cell(lane, cell, candidates & !rest);
    board.cells[cell] = rest;
    if rest.is_power_of_two() {
        W::take_from_peers(proof, board, cell, rest);
    }
    walk.guesses += 1;
    walk.depth += 1;
    if walk.depth == levels.len() {
        levels.push([Board::EMPTY; MAX_LANES]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::puzzle::{Random, parse};
    use crate::simd::Portable;

    /// A relabeled board is that of the transformed puzzle.
    #[test]
    fn a_board_is_relabeled_as_the_puzzle_is_transformed() {
        let line =
            b"8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..";
        let puzzle = parse::line(line).unwrap();
        let (mut from, mut to, mut expected) = (Board::EMPTY, Board::EMPTY, Board::EMPTY);
        puzzle.start::<Portable>((), &mut from);
        for seed in 0..20 {
            let map = Isomorphism::random(&mut Random::new(seed));
            Relabeling::new(&map).apply(&from, &mut to);
            map.apply(&puzzle).start::<Portable>((), &mut expected);
            assert_eq!(to.cells, expected.cells, "seed {seed}");
        }
    }
}
