//! Puzzles with several solutions: two of them found without a stack, all lanes in step.
//!
//! On a sparse board nearly every guess leads to a solution. Then the care of the search is wasted: it
//! copies the board before each guess, weighs cells, and waits until the lane has stalled. Here all
//! lanes guess at the same time, after every second pass, in one sweep over the cells:
//!
//! ```text
//!            boards left by the front stage
//!                   │ put
//!                   ▼
//!   ┌──► sweep: restore │ keep and guess ──► pass, pass ──┬─ solved twice ──► two solutions
//!   │               ▲                                     │
//!   │               └── dead, solved once: an earlier ────┤
//!   │                   board with the other digit        ├─ none kept ─────► left for the search
//!   └─────────────────────────────────────────────────────┘
//! ```
//!
//! A guess is the higher digit of the first cell with two candidates. The board with the lower one is
//! kept in the slot of this round, and the next sweeps overwrite the oldest slot. So a lane can go back
//! [`SLOTS`] guesses, and what is older is forgotten. This is a depth-first search with a hole: it
//! proves that there are two solutions, since they differ in the cell of the guess between them, but
//! never that there is only one. A board without two solutions here goes to the search as it came, so
//! the answer does not depend on this stage.
//!
//! # When it is used
//! Which solution comes first depends on whether this stage is used. So it is only for jobs that do
//! not ask for a first solution of several ([`Job::wants_first`](super::search::Job)).
//!
//! It is a loss for puzzles with one solution. The search notes whether its last puzzles had several,
//! and this stage runs while at least half of them had ([`Evidence`]).
#![forbid(unsafe_code)]

use super::block::Block;
use super::board::Board;
use super::front::{Left, PILE};
use super::propagate::{complete, pass, pass_unseen};
use super::word::{Cells, MAX_LANES, Word, lanes_of};
use crate::engine::contract::Answer;
use crate::puzzle::Grid;
use alloc::vec::Vec;

/// Boards that a lane can go back to.
const SLOTS: usize = 4;

/// Rounds of a board at most. Successful ones need 12 on average.
const LAST_ROUND: u8 = 40;

/// How many of the last searched puzzles had several solutions, each weighing 15/16 of the next: 256 for
/// all of them.
#[derive(Clone, Copy, Default)]
pub(super) struct Evidence(u32);

impl Evidence {
    #[inline(always)]
    pub(super) const fn note(&mut self, has_several: bool) {
        self.0 -= self.0 / 16;
        if has_several {
            self.0 += 16;
        }
    }

    /// Whether half of them had.
    #[inline(always)]
    pub(super) const fn suffices(self) -> bool {
        self.0 >= 128
    }
}

/// The lanes of this stage.
pub(super) struct Several<W: Word> {
    block: Block<W>,
    /// Boards to go back to, by the round that kept them.
    kept: [Cells<W>; SLOTS],
    /// The lanes whose board in a slot is of their puzzle, and was not gone back to yet.
    usable: [u32; SLOTS],
    /// The lanes that go back to the board in a slot.
    back_to: [u32; SLOTS],
    round: usize,
    /// Lanes that have a puzzle, a bit each.
    live: u32,
    /// Lanes whose puzzle is new: their boards have not been through a pass.
    begun: u32,
    /// Lanes that have guessed in the last round.
    guessed: u32,
    /// Lanes that have guessed for their puzzle.
    guessed_once: u32,
    /// Lanes that have found a solution.
    solved: u32,
    /// The puzzles of the lanes.
    puzzles: [usize; MAX_LANES],
    rounds: [u8; MAX_LANES],
    pub(super) evidence: Evidence,
    is_allowed: bool,
}

impl<W: Word> Several<W> {
    pub(super) fn new() -> Self {
        let block = Block::new();
        Self {
            kept: [block.cells; SLOTS],
            block,
            usable: [0; SLOTS],
            back_to: [0; SLOTS],
            round: 0,
            live: 0,
            begun: 0,
            guessed: 0,
            guessed_once: 0,
            solved: 0,
            puzzles: [0; MAX_LANES],
            rounds: [0; MAX_LANES],
            evidence: Evidence::default(),
            is_allowed: false,
        }
    }

    /// Forgets the puzzles of an earlier job, and begins another if this kind of job may use it.
    pub(super) const fn restart(&mut self, is_allowed: bool) {
        (self.live, self.begun) = (0, 0);
        self.is_allowed = is_allowed && W::HAS_FRONT;
    }

    /// Whether puzzles are to go through it now.
    #[inline(always)]
    pub(super) const fn is_wanted(&self) -> bool {
        self.live != 0 || self.is_allowed && self.evidence.suffices()
    }

    /// Answers puzzles in order, from the one with the number `next`, until it has left enough of them
    /// for the search. Returns the number of the next puzzle.
    #[inline(always)]
    pub(super) fn run(
        &mut self,
        proof: W::Proof,
        grids: &[Grid],
        answers: &mut [Answer],
        mut next: usize,
        left: &mut Vec<Left>,
    ) -> usize {
        while left.len() < PILE {
            if !self.evidence.suffices() {
                self.leave(self.live, grids, left);
                break;
            }
            next = self.begin(grids, next);
            if next == grids.len() && (self.live.count_ones() as usize) < W::LANES / 4 {
                self.leave(self.live, grids, left);
                break;
            }
            let failed = self.step(proof, answers);
            self.leave(failed, grids, left);
            self.sweep(proof);
        }
        next
    }

    /// Gives puzzles to the free lanes.
    #[inline(always)]
    fn begin(&mut self, grids: &[Grid], mut next: usize) -> usize {
        let mut boards = [Board::EMPTY; 4];
        let mut free = lanes_of(W::ALL_LANES & !self.live);
        loop {
            let mut lanes = [0; 4];
            let mut count = 0;
            while count < 4
                && next < grids.len()
                && let Some(lane) = free.next()
            {
                lanes[count] = lane;
                boards[count].start(&grids[next]);
                (self.puzzles[lane], self.rounds[lane]) = (next, 0);
                self.begun |= 1 << lane;
                (next, count) = (next + 1, count + 1);
            }
            let new = |k: usize| (lanes[k], &boards[k]);
            match count {
                0 => break,
                1 => self.block.put([new(0)]),
                2 => self.block.put([new(0), new(1)]),
                3 => self.block.put([new(0), new(1), new(2)]),
                _ => self.block.put([new(0), new(1), new(2), new(3)]),
            }
        }
        let begun = core::mem::take(&mut self.begun);
        self.live |= begun;
        self.solved &= !begun;
        self.guessed_once &= !begun;
        self.guessed |= begun;
        for usable in &mut self.usable {
            *usable &= !begun;
        }
        next
    }

    /// Leaves the puzzles of these lanes for the search.
    #[inline(always)]
    fn leave(&mut self, lanes: u32, grids: &[Grid], left: &mut Vec<Left>) {
        for lane in lanes_of(lanes) {
            let puzzle = self.puzzles[lane];
            let mut board = Board::EMPTY;
            board.start(&grids[puzzle]);
            left.push(Left { puzzle, board });
        }
        self.live &= !lanes;
    }

    /// Two passes, and what follows from them for each lane. Returns the lanes that have failed.
    #[inline(always)]
    fn step(&mut self, proof: W::Proof, answers: &mut [Answer]) -> u32 {
        pass_unseen(proof, &mut self.block);
        let events = pass(proof, &mut self.block);
        let filled = events.filled & self.live & !events.dead;
        let solved = if filled == 0 { 0 } else { filled & complete(proof, &self.block) };
        let unguessed = (filled | events.dead) & self.live & !self.guessed_once;
        for lane in lanes_of(unguessed & solved) {
            let solution = W::solution(proof, &self.block.cells, lane);
            answers[self.puzzles[lane]] = Answer { count: 1, first: Some(solution) };
        }
        let twice = solved & self.solved;
        for lane in lanes_of(twice) {
            answers[self.puzzles[lane]].count = 2;
            self.evidence.note(true);
        }
        self.live &= !(twice | unguessed);
        self.solved |= solved;
        let back = (filled | events.dead) & self.live;
        let mut stuck = events.stalled & !self.guessed;
        for (lane, rounds) in self.rounds.iter_mut().enumerate() {
            *rounds = rounds.saturating_add(1);
            stuck |= u32::from(*rounds >= LAST_ROUND) << lane;
        }
        let failed = self.choose_slots(back) | (stuck & self.live & !back);
        failed
    }

    /// Chooses the last usable board of each of these lanes. Returns the lanes that have none.
    #[inline(always)]
    fn choose_slots(&mut self, mut back: u32) -> u32 {
        for age in 0..SLOTS {
            let slot = self.round.wrapping_sub(age) % SLOTS;
            self.back_to[slot] = back & self.usable[slot];
            self.usable[slot] &= !back;
            back &= !self.back_to[slot];
        }
        back
    }

    /// Restores the boards of lanes that go back; the others guess, and their boards are kept.
    #[inline(always)]
    fn sweep(&mut self, proof: W::Proof) {
        let mut back = 0;
        for slot in 0..SLOTS {
            let lanes = core::mem::take(&mut self.back_to[slot]) & self.live;
            back |= lanes;
            if lanes != 0 {
                let lanes = W::in_lanes(proof, lanes);
                let kept = self.kept[slot].as_flattened();
                for (word, kept) in self.block.cells.as_flattened_mut().iter_mut().zip(kept) {
                    let kept = W::load(proof, kept) & lanes;
                    (W::load(proof, word).without(lanes) | kept).store(word);
                }
            }
        }
        W::in_lanes(proof, back).store(&mut self.block.fresh);

        self.round = self.round.wrapping_add(1);
        let slot = self.round % SLOTS;
        let guessing = self.live & !back;
        // Not 0 in the lanes that have guessed or do not guess.
        let mut over = W::in_lanes(proof, !guessing);
        let kept = self.kept[slot].as_flattened_mut();
        for (word, kept) in self.block.cells.as_flattened_mut().iter_mut().zip(kept) {
            let cell = W::load(proof, word);
            // Of two digits without the lowest one is left; of more than two, more.
            let high = cell.but_lowest().if_single();
            let guess = high.replaced_by(over).without(over);
            over = over | guess;
            cell.without(guess).store(kept);
            cell.replaced_by(guess).store(word);
        }
        self.guessed = !over.equal(W::splat(proof, 0)) & guessing;
        self.guessed_once |= self.guessed;
        self.usable[slot] = self.guessed;
    }
}
