//! Searches, one in each lane, none waiting for another.
//!
//! ```text
//!        ┌────────────────────── pass ◄──────────────────────────┐
//!        ▼                         ▲                             │
//!   still losing candidates ───────┘                             │
//!   stalled ──► branch: keep the other digit on the stack ───────┤
//!   solved  ──► count it ──┐                                     │
//!   dead    ───────────────┴─► back to the stack's last board ───┤
//!                              stack empty: next puzzle ─────────┘
//! ```
//!
//! Each lane walks its own puzzle's tree depth first on its own stack, so what it finds, in
//! which order and with how much work cannot depend on its neighbours.
//!
//! # When the puzzles run out
//! A free lane then takes over a part of another's tree: the board at the bottom of that lane's
//! stack, which stands for all that would be searched last. So the tree of one puzzle is cut
//! into *parts*, in the order of the depth-first walk, each in a lane:
//!
//! ```text
//!   part in lane 4 ─next─► part in lane 0 ─next─► part in lane 9
//! ```
//!
//! A part that ends hands what it found to the one before it, to be counted after that one's
//! own (`after`), or, if it is the first, to the one behind it, to be counted before. So the
//! count and the first solution are those of the undivided walk.
//!
//! # Memory
//! All of it is there from the start. A branch leaves a single in a cell that had more, and no
//! cell ever gets a candidate back on the way down, so no stack is deeper than the 81 cells.

use super::board::{Block, Board, CELLS};
use super::choose::choose;
use super::propagate::{pass, rows_and_columns_complete};
use super::word::Word;
use crate::engine::{Answer, Visit};
use crate::puzzle::Grid;
use std::ops::ControlFlow;

/// What a search is asked for.
pub(super) struct Job<'a, 'v> {
    pub(super) puzzles: &'a [Grid],
    /// Solutions after which a puzzle is left, at least 1.
    pub(super) limit: usize,
    /// One for each puzzle.
    pub(super) answers: &'a mut [Answer],
    /// Told of every solution, in order; then no tree is divided.
    pub(super) visit: Option<&'a mut Visit<'v>>,
}

/// The part of a puzzle's tree that a lane walks.
#[derive(Clone, Copy, Default)]
struct Part {
    puzzle: usize,
    /// Boards on the stack, from `base` to here, wait for their turn.
    depth: usize,
    /// Boards below have been taken over by others.
    base: usize,
    /// Found in this part, and by those before it that have ended.
    found: Answer,
    /// Found by parts that have ended, between this one and the next.
    after: Answer,
    previous: Option<usize>,
    next: Option<usize>,
}

/// The searches of all lanes.
pub(super) struct Search<W: Word> {
    blocks: [Block<W>; BLOCKS],
    stacks: Box<[[Board; CELLS]]>,
    parts: [Part; 32 * BLOCKS],
    /// Lanes that have a part to walk.
    live: u64,
    /// Lanes whose board is still on top of their stack.
    waiting: u64,
}

/// Blocks worked on in turn.
const BLOCKS: usize = 2;

impl Answer {
    /// What was found here, then there.
    fn then(self, later: Self) -> Self {
        Self { count: self.count.saturating_add(later.count), first: self.first.or(later.first) }
    }
}

/// The lanes whose bits are set.
#[inline(always)]
fn lanes_of(mut bits: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let lane = bits.trailing_zeros() as usize;
        bits &= bits.wrapping_sub(1);
        (lane < 64).then_some(lane)
    })
}

impl<W: Word> Search<W> {
    /// The lanes of a block, one bit each.
    const fn lanes_of_block(block: usize) -> u64 {
        (u64::MAX >> (64 - W::LANES)) << (block * W::LANES)
    }

    pub(super) fn new() -> Self {
        Self {
            blocks: std::array::from_fn(|_| Block::new()),
            stacks: vec![[Board::EMPTY; CELLS]; W::LANES * BLOCKS].into_boxed_slice(),
            parts: [Part::default(); 32 * BLOCKS],
            live: 0,
            waiting: 0,
        }
    }

    /// Answers every puzzle of the job.
    #[inline(always)]
    pub(super) fn run(&mut self, proof: W::Proof, mut job: Job) {
        let mut next_puzzle = 0;
        self.live = 0;
        self.waiting = 0;
        for block in (0..BLOCKS).cycle() {
            let block = std::hint::black_box(block) % BLOCKS;
            let own = Self::lanes_of_block(block);
            if self.live & own != 0 {
                self.step(proof, block, &mut job);
            }
            self.deal(&job, &mut next_puzzle, block);
            if self.live == 0 {
                return;
            }
            self.put_waiting(block);
        }
    }

    /// One pass over a block, and what follows from it for each of its lanes.
    #[inline(always)]
    fn step(&mut self, proof: W::Proof, block: usize, job: &mut Job) {
        let shift = block * W::LANES;
        let live = self.live & Self::lanes_of_block(block);
        let events = pass(proof, &mut self.blocks[block]);
        let of_live = |bits: u32| (u64::from(bits) << shift) & live;
        let dead = of_live(events.dead);
        let filled = of_live(events.filled) & !dead;
        let mut ended = dead | filled;
        let stalled = of_live(events.stalled) & !ended;
        for lane in lanes_of(stalled) {
            let board = &mut self.stacks[lane][self.parts[lane].depth];
            self.blocks[block].copy_board(lane, board);
        }
        for lane in lanes_of(stalled) {
            ended |= u64::from(!self.branch(proof, block, lane)) << lane;
        }
        if filled != 0 {
            let complete = rows_and_columns_complete(proof, &self.blocks[block]);
            for lane in lanes_of(filled & of_live(complete)) {
                self.count_solution(block, lane, job);
            }
        }
        for lane in lanes_of(ended) {
            if self.live >> lane & 1 != 0 {
                self.back(lane, job);
            }
        }
    }

    /// Gives the free lanes work: the next puzzles, or else parts of the trees of others.
    #[inline(always)]
    fn deal(&mut self, job: &Job, next_puzzle: &mut usize, block: usize) {
        let mut free = lanes_of(Self::lanes_of_block(block) & !self.live);
        while *next_puzzle < job.puzzles.len() {
            let Some(lane) = free.next() else { return };
            self.stacks[lane][0].start(&job.puzzles[*next_puzzle]);
            self.waiting |= 1 << lane;
            self.parts[lane] = Part { puzzle: *next_puzzle, ..Part::default() };
            self.live |= 1 << lane;
            *next_puzzle += 1;
        }
        if job.visit.is_none() {
            for (lane, giver) in free.zip(lanes_of(self.live)) {
                self.divide(giver, lane);
            }
        }
    }

    /// Puts the waiting boards, each on top of its lane's stack, into their lanes.
    #[inline(always)]
    fn put_waiting(&mut self, block: usize) {
        let own = Self::lanes_of_block(block);
        let mut lanes = lanes_of(self.waiting & own);
        self.waiting &= !own;
        let blk = &mut self.blocks[block];
        while let Some(a) = lanes.next() {
            let top = |lane: usize| (lane, &self.stacks[lane][self.parts[lane].depth]);
            if let Some(b) = lanes.next() {
                if let Some(c) = lanes.next() {
                    if let Some(d) = lanes.next() {
                        blk.put([top(a), top(b), top(c), top(d)]);
                    } else { blk.put([top(a), top(b), top(c)]); }
                } else { blk.put([top(a), top(b)]); }
            } else { blk.put([top(a)]); }
        }
    }

    /// Lets `lane` take over what `giver` would search last.
    #[cold]
    fn divide(&mut self, giver: usize, lane: usize) {
        let part = &mut self.parts[giver];
        if part.base == part.depth {
            return;
        }
        self.stacks[lane][0] = self.stacks[giver][part.base];
        self.waiting |= 1 << lane;
        part.base += 1;
        let taken = Part {
            puzzle: part.puzzle,
            after: std::mem::take(&mut part.after),
            previous: Some(giver),
            next: part.next.replace(lane),
            // A depth over 0 says that the puzzle's start has been looked at.
            ..Part::default()
        };
        if let Some(next) = taken.next {
            self.parts[next].previous = Some(lane);
        }
        self.parts[lane] = taken;
        self.live |= 1 << lane;
    }

    /// Takes one way at a stalled board and keeps the other; `false` if there is none.
    #[inline(always)]
    fn branch(&mut self, proof: W::Proof, block: usize, lane: usize) -> bool {
        let part = &mut self.parts[lane];
        let board = &mut self.stacks[lane][part.depth];
        if part.depth == 0 && part.base == 0 && board.has_clash_in_box() {
            return false;
        }
        let choice = choose::<W>(proof, board);
        let rest = board.cells[choice.cell] & !choice.digit;
        board.cells[choice.cell] = rest;
        if rest & (rest - 1) == 0 {
            W::take(proof, board, super::choose::PEERS[choice.cell], rest);
        }
        self.blocks[block].place(lane, choice.cell, choice.digit);
        part.depth += 1;
        true
    }

    /// Counts the solution in a lane; the part is cut short if that is enough.
    #[inline(always)]
    fn count_solution(&mut self, block: usize, lane: usize, job: &mut Job) {
        let solution = self.blocks[block].solution(lane);
        let part = &mut self.parts[lane];
        part.found = part.found.then(Answer { count: 1, first: Some(solution) });
        let enough = match &mut job.visit {
            Some(visit) => visit(&solution) == ControlFlow::Break(()),
            None => part.found.count >= job.limit,
        };
        if enough {
            part.base = part.depth;
            let next = part.next.take();
            self.cancel_from(next);
        }
    }

    /// Leaves a dead or solved board for the last one on the stack; without one the part ends.
    #[inline(always)]
    fn back(&mut self, lane: usize, job: &mut Job) {
        let part = &mut self.parts[lane];
        if part.depth == part.base {
            return self.end(lane, job);
        }
        part.depth -= 1;
        self.waiting |= 1 << lane;
    }

    /// Ends a part: what it found goes to its neighbour, or is the puzzle's answer.
    #[inline(always)]
    fn end(&mut self, mut lane: usize, job: &mut Job) {
        loop {
            self.live &= !(1 << lane);
            let part = self.parts[lane];
            let found = part.found.then(part.after);
            if let Some(previous) = part.previous {
                let before = &mut self.parts[previous];
                before.after = before.after.then(found);
                before.next = part.next;
                if let Some(next) = part.next {
                    self.parts[next].previous = Some(previous);
                }
                return;
            }
            let Some(next) = part.next.filter(|_| found.count < job.limit) else {
                self.cancel_from(part.next);
                let count = found.count.min(job.limit);
                job.answers[part.puzzle] = Answer { count, ..found };
                return;
            };
            let behind = &mut self.parts[next];
            behind.previous = None;
            behind.found = found.then(behind.found);
            if behind.found.count < job.limit {
                return;
            }
            lane = next;
        }
    }

    /// Drops a part and all behind it: enough has been found before them.
    #[inline(always)]
    fn cancel_from(&mut self, mut part: Option<usize>) {
        while let Some(lane) = part {
            self.live &= !(1 << lane);
            part = self.parts[lane].next;
        }
    }
}
