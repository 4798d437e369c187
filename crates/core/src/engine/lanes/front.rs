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
//!   puzzle 9  [ 1 . . 8 . . … ] ─┴─► lanes ─► pass, 4 to 6 ─────┘
//!                                     ▲        │       │
//!                            next     │        │       └─ stalled ─► boards left ─► search
//!                            puzzles ─┴────────┘
//!                                      still losing candidates: the lane keeps its board
//! ```
//!
//! Lanes whose puzzle is over, solved or not, wait for the rest of the group; a group that waited
//! for its last lane would pass twice as often. So it ends when three quarters of the lanes are over,
//! and the other lanes keep their boards for the next group.
//!
//! A stalled board goes on a pile, with all that its passes have found. A full pile is for the search
//! to take from; then the front goes on. A group in which few puzzles were solved is the last one: the
//! search takes the other puzzles of the job from their grids.
//!
//! The answers are those of the search: a board is *solved* or *dead* by the same events.
#![forbid(unsafe_code)]

use super::block::Block;
use super::board::{Board, CELLS};
use super::propagate::{complete, pass};
use super::word::{MAX_LANES, Values, Word};
use crate::engine::contract::Answer;
use crate::puzzle::{Grid, Solution};
use alloc::vec::Vec;

/// Passes of a group before it is asked for the first time whether it is over: an easy puzzle takes
/// 4.1 on average.
const FIRST_PASS: u32 = 4;

/// Passes of a group at most.
const LAST_PASS: u32 = 6;

/// Boards on the pile that are enough work for the search.
const PILE: usize = 2 * MAX_LANES;

/// A board that propagation alone did not solve, and the number of its puzzle.
#[derive(Clone, Copy)]
pub(super) struct Left {
    pub(super) puzzle: usize,
    pub(super) board: Board,
}

/// The lanes of the front stage, and what it left.
pub(super) struct Front<W: Word> {
    block: Block<W>,
    /// Boards that propagation alone did not solve.
    pub(super) left: Vec<Left>,
    /// For the digits of lanes that are not solved. Nobody reads them.
    nowhere: [Values; MAX_LANES],
    /// Whether it solved enough of the job's puzzles so far.
    pub(super) pays: bool,
}

/// The lanes whose bits are set.
#[inline(always)]
pub(super) fn lanes_of(mut bits: u32) -> impl Iterator<Item = usize> {
    core::iter::from_fn(move || {
        let lane = bits.trailing_zeros() as usize;
        bits &= bits.wrapping_sub(1);
        (lane < MAX_LANES).then_some(lane)
    })
}

impl<W: Word> Front<W> {
    pub(super) fn new() -> Self {
        let left = Vec::with_capacity(PILE + MAX_LANES);
        Self { block: Block::new(), left, nowhere: [[0; CELLS]; MAX_LANES], pays: true }
    }

    /// Whether so many puzzles are to go through it now.
    #[inline(always)]
    pub(super) fn is_wanted(&self, puzzles: usize) -> bool {
        self.pays && self.left.is_empty() && puzzles >= W::LANES
    }

    /// Answers puzzles from the first on, until the pile is full or all are taken but a last few.
    /// Returns how many were taken; the first has this number.
    #[inline(always)]
    pub(super) fn run(
        &mut self,
        proof: W::Proof,
        grids: &[Grid],
        answers: &mut [Answer],
        first: usize,
    ) -> usize {
        let mut puzzles = grids.iter().zip(answers).zip(first..first + grids.len());
        // The answer and the number of the puzzle in each lane.
        let mut answers = [const { None::<&mut Answer> }; MAX_LANES];
        let mut numbers = [0; MAX_LANES];
        let mut free = W::ALL_LANES;
        while self.pays && self.left.len() < PILE && puzzles.len() >= free.count_ones() as usize {
            let mut from = [&Grid::EMPTY; MAX_LANES];
            for (lane, ((grid, answer), number)) in lanes_of(free).zip(&mut puzzles) {
                (from[lane], answers[lane], numbers[lane]) = (grid, Some(answer), number);
            }
            self.fill(proof, free, &from);
            let (solved, over) = self.propagate(proof);
            self.flush(proof, solved, &mut answers);
            free = over;
            for lane in lanes_of(over & !solved) {
                self.leave(proof, lane, numbers[lane]);
            }
            self.pays = solved.count_ones() as usize >= W::LANES / 2;
        }
        for lane in lanes_of(W::ALL_LANES & !free) {
            self.leave(proof, lane, numbers[lane]);
        }
        grids.len() - puzzles.len()
    }

    /// Puts grids into these lanes.
    #[inline(always)]
    fn fill(&mut self, proof: W::Proof, lanes: u32, grids: &[&Grid; MAX_LANES]) {
        let (tiles, last) = self.block.cells.as_flattened_mut().as_chunks_mut::<16>();
        for (tile, cells) in tiles.iter_mut().enumerate() {
            W::fill(proof, cells, lanes, |lane| &grids[lane].values().as_chunks().0[tile]);
        }
        for lane in lanes_of(lanes) {
            last[0].as_mut()[lane % W::LANES] = Board::candidates(grids[lane].values()[CELLS - 1]);
        }
        self.block.renew(lanes);
    }

    /// Passes until most lanes are over: those that are solved, and all that are over.
    #[inline(always)]
    fn propagate(&mut self, proof: W::Proof) -> (u32, u32) {
        let mut passes = 0;
        loop {
            let events = pass(proof, &mut self.block);
            passes += 1;
            if passes < FIRST_PASS {
                continue;
            }
            let filled = events.filled & !events.dead;
            let over = (events.dead | events.stalled | filled) & W::ALL_LANES;
            if over.count_ones() as usize >= W::LANES * 3 / 4 || passes == LAST_PASS {
                return (filled & complete(proof, &self.block) & W::ALL_LANES, over);
            }
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
        let mut to: [&mut Values; MAX_LANES] = self.nowhere.each_mut();
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
    }

    /// Leaves the board in a lane for the search.
    #[inline(always)]
    fn leave(&mut self, proof: W::Proof, lane: usize, puzzle: usize) {
        let mut left = Left { puzzle, board: Board::EMPTY };
        W::copy_lane(proof, &self.block.cells, lane, &mut left.board);
        self.left.push(left);
    }
}
