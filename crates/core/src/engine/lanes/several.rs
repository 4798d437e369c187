//! Puzzles with several solutions: two of them found without a stack, all lanes in step.
//!
//! On a sparse grid nearly every guess leads to a solution. The care of the search is wasted there: it
//! waits until a lane has stalled, copies the board, and weighs cells. Here all lanes guess at the same
//! time, after every second pass, in one sweep over the cells:
//!
//! ```text
//!                                grids
//!                                  │ begin
//!                                  ▼
//!   ┌─► sweep: guess, or go back ─► pass, pass ─┬─ solved twice ──► several solutions
//!   │              ▲                            ├─ nothing to go back to, or many rounds ──► search
//!   │              └────── dead or solved ──────┤
//!   └────────────────── neither ────────────────┘
//! ```
//!
//! A guess is the higher digit of the first cell with two candidates. The board with the lower one is
//! kept in the slot of this round (`slots`), for all lanes at once.
//!
//! The search proves that there are two solutions: the second one comes from a board that lacks a digit
//! of the first. It never proves that there is only one. A puzzle without two solutions here goes to
//! the search as it came, so no answer depends on this stage.
//!
//! The questions of [`Engine::find_others`](crate::engine::Engine::find_others) need one solution, and any will
//! do. They leave this stage at their first.
//!
//! # When it is used
//! The solutions that it finds are not the first in the order of the search. So it is for jobs
//! that do not ask for the first of several solutions (`SearchJob::wants_first`).
//!
//! It is a loss for puzzles with one solution. The search notes whether its puzzles had several, and
//! this stage runs while half of the last ones had ([`RecentShare`]). Of questions it notes whether they had one.
//! Other lists pay nothing.
//!
//! With it, lists with several solutions take 0.44 to 0.51 of the time: a puzzle needs 13 rounds with 26
//! passes, where the search needs 36 passes and 9 branches. `docs/engine-notes.md` has what was tried and
//! not kept.
#![forbid(unsafe_code)]

use super::block::Block;
use super::front::PILE;
use super::propagate::two_passes;
use super::slots::Slots;
use super::start::{StartBoard, UnsolvedBoard};
use crate::engine::contract::Answer;
use crate::simd::{Board, MAX_LANES, Routine, Word, lanes_of};
use alloc::vec::Vec;

/// Boards that a lane can go back to.
const SLOTS: usize = 4;

/// Rounds, up to twice this number, after which a puzzle goes to the search. Puzzles that succeed here need
/// 13 on average.
const MANY_ROUNDS: usize = 24;

/// How many of the last searched puzzles had several solutions, each weighing 15/16 of the next: 256 for
/// all of them.
#[derive(Clone, Copy, Default)]
struct RecentShare(u32);

impl RecentShare {
    #[inline(always)]
    const fn note(&mut self, has_several: bool) {
        self.0 -= self.0 / 16;
        if has_several {
            self.0 += 16;
        }
    }

    /// Whether half of them had.
    #[inline(always)]
    const fn suffices(self) -> bool {
        self.0 >= 128
    }
}

/// The lanes of this stage.
pub(super) struct Several<W: Word> {
    block: Block<W>,
    slots: Slots<W, SLOTS>,
    /// Lanes that have a puzzle, a bit each.
    live: u32,
    /// Lanes whose puzzle has been there for [`MANY_ROUNDS`] or will be soon.
    old: u32,
    /// Lanes that found no cell with two candidates in the last sweep.
    without_pair: u32,
    /// Lanes that found none with three either.
    hopeless: u32,
    /// Lanes that have guessed for their puzzle.
    guessed_once: u32,
    /// Lanes that have found a solution.
    solved: u32,
    /// The puzzles of the lanes.
    puzzles: [usize; MAX_LANES],
    /// Boards on their way into lanes.
    boards: [Board; MAX_LANES],
    /// Of puzzles of which one solution is looked for, and two.
    evidence: [RecentShare; 2],
    /// The solutions that are looked for.
    enough: usize,
    is_allowed: bool,
}

/// Answers puzzles in order until the stage has left enough of them for the search. Returns the number of the
/// next puzzle.
pub(super) struct RunSeveral<'a, W: Word, P> {
    pub(super) several: &'a mut Several<W>,
    pub(super) puzzles: &'a [P],
    pub(super) answers: &'a mut [Answer],
    /// The number of the next puzzle.
    pub(super) next: usize,
    pub(super) left: &'a mut Vec<UnsolvedBoard>,
}

impl<W: Word, P: StartBoard> Routine<W> for RunSeveral<'_, W, P> {
    type Output = usize;

    #[inline(always)]
    fn run(self, proof: W::Proof) -> usize {
        let Self { several, puzzles, answers, mut next, left } = self;
        while left.len() < PILE {
            if !several.evidence().suffices() {
                several.leave(proof, several.live, puzzles, left);
                break;
            }
            next = several.begin(proof, puzzles, next);
            if next == puzzles.len() && (several.live.count_ones() as usize) < W::LANES / 4 {
                several.leave(proof, several.live, puzzles, left);
                break;
            }
            let failed = several.step(proof, answers);
            several.leave(proof, failed, puzzles, left);
            several.sweep(proof);
        }
        next
    }
}

impl<W: Word> Several<W> {
    #[inline(never)]
    pub(super) fn new() -> Self {
        Self {
            block: Block::new(),
            slots: Slots::new(),
            live: 0,
            old: 0,
            without_pair: 0,
            hopeless: 0,
            guessed_once: 0,
            solved: 0,
            puzzles: [0; MAX_LANES],
            boards: [Board::EMPTY; MAX_LANES],
            evidence: [RecentShare::default(); 2],
            enough: 2,
            is_allowed: false,
        }
    }

    /// Forgets the puzzles of an earlier job, and begins another if this kind of job may use it: one that
    /// looks for one or two solutions.
    pub(super) const fn restart(&mut self, is_allowed: bool, enough: usize) {
        self.live = 0;
        self.enough = enough;
        self.is_allowed = is_allowed && W::HAS_FRONT;
    }

    #[inline(always)]
    const fn evidence(&mut self) -> &mut RecentShare {
        &mut self.evidence[self.enough - 1]
    }

    /// The puzzles of its lanes.
    pub(super) fn searched(&self) -> impl Iterator<Item = usize> {
        lanes_of(self.live).map(|lane| self.puzzles[lane])
    }

    /// Notes how many solutions the search found of a puzzle.
    #[inline(always)]
    pub(super) const fn note(&mut self, solutions: usize) {
        if self.is_allowed {
            let has_enough = solutions >= self.enough;
            self.evidence().note(has_enough);
        }
    }

    /// Whether puzzles are to go through it now.
    #[inline(always)]
    pub(super) const fn is_wanted(&self) -> bool {
        self.live != 0 || self.is_allowed && self.evidence[self.enough - 1].suffices()
    }

    /// Gives puzzles to the free lanes.
    #[inline(always)]
    fn begin(&mut self, proof: W::Proof, puzzles: &[impl StartBoard], mut next: usize) -> usize {
        let mut begun = 0;
        for (lane, puzzle) in lanes_of(W::ALL_LANES & !self.live).zip(next..puzzles.len()) {
            puzzles[puzzle].start::<W>(proof, &mut self.boards[lane]);
            self.puzzles[lane] = puzzle;
            begun |= 1 << lane;
            next += 1;
        }
        let Self { block, boards, .. } = self;
        block.put_all(proof, begun, |lane| &boards[lane]);
        self.live |= begun;
        self.without_pair &= !begun;
        self.solved &= !begun;
        self.guessed_once &= !begun;
        self.old &= !begun;
        self.slots.forget(begun);
        next
    }

    /// Leaves the puzzles of these lanes for the search.
    #[inline(always)]
    fn leave(
        &mut self,
        proof: W::Proof,
        lanes: u32,
        puzzles: &[impl StartBoard],
        left: &mut Vec<UnsolvedBoard>,
    ) {
        for lane in lanes_of(lanes) {
            let puzzle = self.puzzles[lane];
            let mut board = Board::EMPTY;
            puzzles[puzzle].start::<W>(proof, &mut board);
            left.push(UnsolvedBoard { puzzle, board });
        }
        self.live &= !lanes;
    }

    /// Two passes, and what follows from them for each lane. Returns the lanes that have failed.
    #[inline(always)]
    fn step(&mut self, proof: W::Proof, answers: &mut [Answer]) -> u32 {
        let (over, solved) = two_passes(proof, &mut self.block, self.live);
        let unguessed = over & !self.guessed_once;
        for lane in lanes_of(unguessed & solved) {
            let solution = W::solution(proof, &self.block.cells, lane);
            answers[self.puzzles[lane]] =
                Answer { count: 1, first: Some(solution), gave_up: false };
        }
        let enough = if self.enough == 1 { solved } else { solved & self.solved };
        for lane in lanes_of(enough) {
            answers[self.puzzles[lane]].count = self.enough;
            self.evidence().note(true);
        }
        self.live &= !(enough | unguessed);
        self.solved |= solved;
        let back = over & self.live;
        let mut stuck = self.hopeless;
        if self.slots.round.is_multiple_of(MANY_ROUNDS) {
            stuck |= self.old;
            self.old = self.live;
        }
        self.slots.go_back(proof, &mut self.block, back) | (stuck & self.live & !back)
    }

    /// Guesses in the lanes that did not go back, and keeps their boards.
    #[inline(always)]
    fn sweep(&mut self, proof: W::Proof) {
        let guessing = self.live & !self.block.fresh;
        // A lane without a pair is rare. It tries cells with three candidates in the next round.
        match self.without_pair & guessing {
            0 => self.guess::<false>(proof, guessing, 0),
            in_threes => self.guess::<true>(proof, guessing, in_threes),
        }
    }

    /// Guesses in these lanes, and keeps their boards without the guess: in the first cell with two
    /// candidates, or, in some of the lanes, with three.
    #[inline(always)]
    fn guess<const THREES: bool>(&mut self, proof: W::Proof, guessing: u32, tries_threes: u32) {
        let slot = self.slots.next_round();
        let (zero, in_threes) = (W::splat(proof, 0), W::in_lanes(proof, tries_threes));
        // Not 0 in the lanes that have guessed or do not guess.
        let mut over = W::in_lanes(proof, !guessing);
        let (rows, _) = self.block.cells.as_flattened_mut().as_chunks_mut::<9>();
        let (kept_rows, _) = self.slots.kept[slot].as_flattened_mut().as_chunks_mut::<9>();
        let mut rows = rows.iter_mut().zip(kept_rows);
        for (row, kept) in rows.by_ref() {
            for (word, kept) in row.iter_mut().zip(kept) {
                let cell = W::load(proof, word);
                // Of two digits without the lowest one is left; of more than two, more.
                let mut high = cell.but_lowest();
                if THREES {
                    high = high.without(in_threes) | (high.but_lowest() & in_threes);
                }
                let guess = high.if_single().where_zero(over);
                over = over | guess;
                cell.without(guess).store(kept);
                cell.replaced_by(guess).store(word);
            }
            if over.equal(zero) == 0 {
                break;
            }
        }
        for (row, kept) in rows {
            *kept = *row;
        }
        let without = over.equal(zero) & guessing;
        self.hopeless = without & tries_threes;
        self.without_pair = without;
        self.slots.usable[slot] = guessing & !without;
        self.guessed_once |= guessing & !without;
    }
}
