//! The front stage: puzzles that need no search, all lanes in step.
//!
//! Most puzzles of most lists are solved by propagation alone. For these a search is a detour: each
//! goes into its lane cell by cell, and comes out of it cell by cell. Here many puzzles go in at once,
//! and many solutions come out, by transposing 16 cells of all lanes at a time:
//!
//! ```text
//!                      grids                                             answers
//!   puzzle 7  [ 5 3 . . 7 . … ] ─┐                              ┌─► [ 5 3 4 6 7 8 … ]
//!   puzzle 8  [ . . 4 . . 2 … ] ─┤   fill               flush   ├─► [ 9 1 4 3 8 2 … ]
//!   puzzle 9  [ 1 . . 8 . . … ] ─┴─► open ─► pass, 3 to 10 ─────┘
//!                                     ▲        │       │
//!                            next     │        │       └─ stalled ─► boards left ─► search
//!                            puzzles ─┴────────┘
//!                                      still losing candidates: the lane keeps its board
//! ```
//!
//! All new puzzles begin at the same time, so their clues are taken from the cells that see them in one
//! sweep (`open`), which costs two fifths of a pass and saves one.
//!
//! A lane whose puzzle is over waits for the rest of its group. A group that waited for its last lane
//! would need many more passes, so it ends when three quarters of the lanes are over. The other lanes
//! keep their boards and join the next group. Passes before that are cheaper without their events. So a
//! group is first looked at after as many passes as the last group took.
//!
//! A stalled board goes on a pile as its passes left it. When the pile is full, the search takes the
//! boards, and the front stage runs again when the pile is empty. A group with few solved puzzles
//! ends the front stage for this job: the search then starts from the grids.
//!
//! The answers are those of the search. A solution is proven by what every house holds (`solved`). A dead
//! board is not noticed here: it stalls and goes to the search.
//!
//! With it, easy lists take 0.60 (AVX-512) and 0.80 (AVX2) of the time, minimal puzzles and 17 clues 0.97.
//! `docs/engine-notes.md` has the parts, and what was tried and not kept.
#![forbid(unsafe_code)]

use super::block::Block;
use super::propagate::{open, pass_summed, pass_unseen, solved};
use super::start::UnsolvedBoard;
use crate::engine::contract::Answer;
use crate::puzzle::{Grid, Solution, rules};
use crate::simd::{Board, BoardValues, CELLS, Cells, MAX_LANES, Routine, Word, lanes_of};
use alloc::vec::Vec;

/// The earliest pass of a group after which its events are looked at.
const FIRST_LOOK: u32 = 3;

/// Passes of a group at most. Between 6 and 10 the time of easy lists differs by less than 2 %; with 10
/// instead of 8 that of lists with 17 clues is 2 to 3 % less (Zen 4).
const LAST_PASS: u32 = 10;

/// The size of a full pile: 12 KB. Between 32 and 256 boards the time is the same.
pub(super) const PILE: usize = 2 * MAX_LANES;

/// The lanes of the front stage, and what it left.
pub(super) struct Front<W: Word> {
    block: Block<W>,
    /// The clues of new puzzles, on their way into lanes.
    clues: Cells<W>,
    /// Boards that propagation alone did not solve.
    pub(super) left: Vec<UnsolvedBoard>,
    /// For the digits of lanes that are not solved. They are not read.
    nowhere: [BoardValues; MAX_LANES],
    /// Whether the last group had enough solved puzzles: three eighths of the lanes.
    pays: bool,
    /// The pass after which the next group is first looked at.
    first_look: u32,
}

/// Whether these are the values of a solution, by the rules and not by events of passes.
fn is_solution(values: &BoardValues) -> bool {
    Grid::try_from(*values).is_ok_and(|grid| rules::check_solved(&grid).is_ok())
}

/// Answers puzzles in order until the pile is full or too few remain for a group. Returns how many
/// were taken.
pub(super) struct RunFront<'a, W: Word> {
    pub(super) front: &'a mut Front<W>,
    pub(super) grids: &'a [Grid],
    pub(super) answers: &'a mut [Answer],
    /// The number of the first puzzle.
    pub(super) first: usize,
}

impl<W: Word> Routine<W> for RunFront<'_, W> {
    type Output = usize;

    #[inline(always)]
    fn run(self, proof: W::Proof) -> usize {
        let Self { front, grids, answers, first } = self;
        let mut puzzles = grids.iter().zip(answers).zip(first..first + grids.len());
        // The answer and the number of the puzzle in each lane.
        let mut answers = [const { None::<&mut Answer> }; MAX_LANES];
        let mut numbers = [0; MAX_LANES];
        let mut free = W::ALL_LANES;
        while front.pays && front.left.len() < PILE && puzzles.len() >= free.count_ones() as usize {
            let mut from = [&Grid::EMPTY; MAX_LANES];
            for (lane, ((grid, answer), number)) in lanes_of(free).zip(&mut puzzles) {
                (from[lane], answers[lane], numbers[lane]) = (grid, Some(answer), number);
            }
            front.fill(proof, free, &from);
            let (solved, over) = front.propagate(proof);
            front.flush(proof, solved, &mut answers);
            free = over;
            for lane in lanes_of(over & !solved) {
                front.leave(proof, lane, numbers[lane]);
            }
            front.pays = 8 * solved.count_ones() as usize >= 3 * W::LANES;
        }
        for lane in lanes_of(W::ALL_LANES & !free) {
            front.leave(proof, lane, numbers[lane]);
        }
        grids.len() - puzzles.len()
    }
}

impl<W: Word> Front<W> {
    #[inline(never)]
    pub(super) fn new() -> Self {
        let left = Vec::with_capacity(PILE + MAX_LANES);
        let block = Block::new();
        Self {
            clues: block.cells,
            block,
            left,
            nowhere: [[0; CELLS]; MAX_LANES],
            pays: false,
            first_look: FIRST_LOOK,
        }
    }

    /// Forgets what an earlier job left, and begins another if this kind of job may use it.
    pub(super) fn restart(&mut self, is_allowed: bool) {
        self.left.clear();
        self.pays = W::HAS_FRONT && is_allowed;
    }

    /// Whether a batch of this many puzzles should go through this stage.
    #[inline(always)]
    pub(super) fn is_wanted(&self, puzzles: usize) -> bool {
        self.pays && self.left.is_empty() && puzzles >= W::LANES
    }

    /// Puts grids into these lanes.
    #[inline(always)]
    fn fill(&mut self, proof: W::Proof, lanes: u32, grids: &[&Grid; MAX_LANES]) {
        let (tiles, last) = self.clues.as_flattened_mut().as_chunks_mut::<16>();
        for (tile, clues) in tiles.iter_mut().enumerate() {
            W::fill(proof, clues, |lane| &grids[lane].values().as_chunks().0[tile]);
        }
        for (clue, grid) in last[0].as_mut().iter_mut().zip(grids) {
            *clue = Board::clue(grid.values()[CELLS - 1]);
        }
        open(proof, &mut self.block, lanes, &self.clues);
    }

    /// Passes until most lanes are over. Returns the solved lanes, then all that are over.
    #[inline(always)]
    fn propagate(&mut self, proof: W::Proof) -> (u32, u32) {
        // The sum of the pass before the first look is needed too: a board has stalled if it stays.
        let mut passes = self.first_look - 2;
        for _ in 0..passes {
            pass_unseen(proof, &mut self.block, 0);
        }
        loop {
            let (stalled, filled) = pass_summed(proof, &mut self.block);
            passes += 1;
            if passes < self.first_look {
                continue;
            }
            let over = (stalled | filled) & W::ALL_LANES;
            let count = over.count_ones() as usize;
            if count >= W::LANES * 3 / 4 || passes == LAST_PASS {
                self.learn(passes, count);
                return (filled & solved(proof, &self.block) & W::ALL_LANES, over);
            }
        }
    }

    /// Looks at the next group later if this one was not over at the first look, and earlier if nearly
    /// all of its lanes were.
    #[inline(always)]
    const fn learn(&mut self, passes: u32, over: usize) {
        if passes > self.first_look {
            self.first_look += 1;
        } else if over >= W::LANES * 7 / 8 && self.first_look > FIRST_LOOK {
            self.first_look -= 1;
        }
    }

    /// Writes the solutions of these lanes into their answers.
    #[inline(always)]
    fn flush(
        &mut self,
        proof: W::Proof,
        lanes: u32,
        answers: &mut [Option<&mut Answer>; MAX_LANES],
    ) {
        let mut to: [&mut BoardValues; MAX_LANES] = self.nowhere.each_mut();
        for lane in lanes_of(lanes) {
            if let Some(answer) = answers[lane].take() {
                answer.count = 1;
                to[lane] = Solution::place(&mut answer.first);
            }
        }
        let (tiles, last) = self.block.cells.as_flattened().as_chunks::<16>();
        for (tile, cells) in tiles.iter().enumerate() {
            W::flush(proof, cells, |lane, digits| to[lane].as_chunks_mut().0[tile] = digits);
        }
        for (values, &set) in to.iter_mut().zip(last[0].as_ref()) {
            values[CELLS - 1] = Board::digit(set);
        }
        debug_assert!(lanes_of(lanes).all(|lane| is_solution(to[lane])), "{lanes:b}");
    }

    /// Leaves the board in a lane for the search.
    #[inline(always)]
    fn leave(&mut self, proof: W::Proof, lane: usize, puzzle: usize) {
        let mut left = UnsolvedBoard { puzzle, board: Board::EMPTY };
        W::copy_lane(proof, &self.block.cells, lane, &mut left.board);
        self.left.push(left);
    }
}
