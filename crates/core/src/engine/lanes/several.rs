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
    round: usize,
    /// Lanes that work on a board, a bit each.
    live: u32,
    /// Lanes that have found a solution.
    solved: u32,
    /// The boards of the lanes as they came.
    boards: [Left; MAX_LANES],
    rounds: [u8; MAX_LANES],
    pub(super) evidence: Evidence,
    /// Lanes that go back to the board in a slot.
    back_to: [u32; SLOTS],
    /// Lanes that have guessed in the last sweep.
    guessed: u32,
    /// Lanes that have got a new board.
    begun: u32,
    /// Boards for the search.
    failed: Vec<Left>,
    is_allowed: bool,
}

impl<W: Word> Several<W> {
    pub(super) fn new() -> Self {
        let block = Block::new();
        Self {
            kept: [block.cells; SLOTS],
            block,
            usable: [0; SLOTS],
            round: 0,
            live: 0,
            solved: 0,
            boards: [Left { puzzle: 0, board: Board::EMPTY }; MAX_LANES],
            rounds: [0; MAX_LANES],
            evidence: Evidence::default(),
            back_to: [0; SLOTS],
            guessed: 0,
            begun: 0,
            failed: Vec::with_capacity(PILE + 2 * MAX_LANES),
            is_allowed: false,
        }
    }

    /// Forgets the boards of an earlier job, and begins another if this kind of job may use it.
    pub(super) const fn restart(&mut self, is_allowed: bool) {
        (self.live, self.solved) = (0, 0);
        self.back_to = [0; SLOTS];
        self.is_allowed = is_allowed;
    }

    /// Whether boards are to go through it now.
    #[inline(always)]
    pub(super) const fn pays(&self) -> bool {
        self.is_allowed && self.evidence.suffices()
    }

    /// Whether it still has boards.
    #[inline(always)]
    pub(super) const fn is_busy(&self) -> bool {
        self.live != 0
    }

    /// Takes all boards. Those without two solutions here come back. The last lanes keep theirs, unless
    /// no more boards will come.
    #[inline(always)]
    pub(super) fn run(
        &mut self,
        proof: W::Proof,
        boards: &mut Vec<Left>,
        answers: &mut [Answer],
        more_to_come: bool,
    ) {
        loop {
            self.begin(boards);
            let lanes = self.live.count_ones() as usize;
            if lanes < W::LANES && (more_to_come || lanes < W::LANES / 4) {
                break;
            }
            self.step(proof, answers);
        }
        if !more_to_come {
            self.give_up(self.live);
            self.live = 0;
        }
        boards.append(&mut self.failed);
    }

    /// Gives boards to the free lanes.
    #[inline(always)]
    fn begin(&mut self, boards: &mut Vec<Left>) {
        let mut begun = 0;
        for lane in lanes_of(W::ALL_LANES & !self.live) {
            let Some(left) = boards.pop() else { break };
            self.boards[lane] = left;
            self.rounds[lane] = 0;
            begun |= 1 << lane;
        }
        let Self { block, boards, .. } = self;
        block.put_all(begun, |lane| &boards[lane].board);
        self.live |= begun;
        self.solved &= !begun;
        self.begun |= begun;
        for usable in &mut self.usable {
            *usable &= !begun;
        }
    }

    /// Leaves the boards of these lanes for the search.
    #[inline(always)]
    fn give_up(&mut self, lanes: u32) {
        for lane in lanes_of(lanes) {
            self.failed.push(self.boards[lane]);
        }
    }

    /// A sweep, two passes, and what follows from them for each lane.
    #[inline(always)]
    fn step(&mut self, proof: W::Proof, answers: &mut [Answer]) {
        self.sweep(proof);
        pass_unseen(proof, &mut self.block);
        let events = pass(proof, &mut self.block);
        let filled = events.filled & self.live & !events.dead;
        let solved = if filled == 0 { 0 } else { filled & complete(proof, &self.block) };
        let twice = solved & self.solved;
        for lane in lanes_of(twice) {
            answers[self.boards[lane].puzzle].count = 2;
            self.evidence.note(true);
        }
        self.solved |= solved;
        let back = (filled | events.dead) & self.live & !twice;
        let mut stuck = events.stalled & !self.guessed;
        for lane in lanes_of(self.live) {
            self.rounds[lane] += 1;
            stuck |= u32::from(self.rounds[lane] >= LAST_ROUND) << lane;
        }
        let failed = self.choose_slots(back) | (stuck & self.live & !twice & !back);
        self.give_up(failed);
        self.live &= !(twice | failed);
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
        self.round = self.round.wrapping_add(1);
        let slot = self.round % SLOTS;
        let back_to = core::mem::take(&mut self.back_to);
        let back = back_to.iter().fold(0, |all, lanes| all | lanes);
        let guessing = self.live & !back;
        let restored = back_to.map(|lanes| W::in_lanes(proof, lanes & self.live));
        let may_guess = W::in_lanes(proof, guessing);
        let mut guessed = W::splat(proof, 0);
        for (index, word) in self.block.cells.as_flattened_mut().iter_mut().enumerate() {
            let (band, place) = (index / 27, index % 27);
            let mut cell = W::load(proof, word);
            for k in 0..SLOTS {
                let kept = W::load(proof, &self.kept[k][band][place]);
                cell = cell.without(restored[k]) | (kept & restored[k]);
            }
            // Of two digits without the lowest one is left; of more than two, more.
            let high = cell.but_lowest().if_single() & may_guess;
            let guess = high.replaced_by(guessed).without(guessed);
            guessed = guessed | guess;
            cell.without(guess).store(&mut self.kept[slot][band][place]);
            cell.replaced_by(guess).store(word);
        }
        self.guessed = !guessed.equal(W::splat(proof, 0)) & guessing;
        self.usable[slot] = self.guessed;
        let fresh = back | core::mem::take(&mut self.begun);
        W::in_lanes(proof, fresh).store(&mut self.block.fresh);
    }
}
