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
//! Each lane walks the tree of its puzzle depth first with a stack of its own. So its solutions,
//! their order and its work do not depend on the other lanes.
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
//! A part that ends passes its solutions to the part before it, which counts them after its own
//! (`after`). The first part passes them to the next one, which counts them before its own. So the
//! count and the first solution are those of the undivided walk.
//!
//! # Memory
//! All of it is set aside at the start. A branch leaves a single in a cell that had more, and no
//! cell ever gets a candidate back on the way down, so below 80 branches there is no cell left to
//! branch on: no stack is deeper than 81 boards. (For the last of 81 to be branched on, its box
//! must have equal singles, or it would be a single itself or empty; a branch never makes those,
//! for its digit has left the other cells of the box, so two cells there were not branched on.)
#![forbid(unsafe_code)]

use super::block::Block;
use super::board::{Board, CELLS, PEERS, Puzzles};
use super::choose::choose;
use super::front::{Front, Left, lanes_of};
use super::propagate::{complete, pass};
use super::word::{MAX_LANES, Word};
use crate::engine::contract::{Answer, Visit};
use crate::engine::existence::{DOUBT_AFTER, Doubt, Remains};
use crate::engine::observe::{Observer, Unobserved};
use crate::puzzle::Sukaku;
use alloc::vec;
use alloc::vec::Vec;
use core::ops::ControlFlow;

/// The input and output of a search.
pub(super) struct Job<'a, 'v, O = Unobserved> {
    pub(super) puzzles: Puzzles<'a>,
    /// Solutions after which a puzzle is left, at least 1.
    pub(super) limit: usize,
    /// One for each puzzle, empty at the start.
    pub(super) answers: &'a mut [Answer],
    /// Receives every solution in order. Trees are not divided then.
    pub(super) visit: Option<&'a mut Visit<'v>>,
    /// Receives the branches. The job ends if it breaks.
    pub(super) observer: O,
}

/// The branches of a part of a grid's tree before each further board is checked for clashes.
///
/// A guess rarely causes a clash, but on a sparse grid the tree below it is practically endless: two
/// copies of a grid with 12 clues took four lanes 75 s. (With a limit by depth: 15 s.)
const BRANCHES_BEFORE_CLASH_CHECKS: u32 = 256;

/// The part of a puzzle's tree that a lane walks.
#[derive(Clone, Copy, Default)]
struct Part {
    /// Its place in the job.
    puzzle: usize,
    /// The level of the stack that the lane's own board has: those below wait for their turn.
    depth: usize,
    /// Levels below have been taken over by others.
    base: usize,
    /// How often it has branched, modulo 2^32.
    branches: u32,
    /// How often it had branched at its last solution.
    branches_at_solution: u32,
    /// Whether the lane's `Doubt` is of this puzzle.
    has_doubted: bool,
    /// The lane that walks what comes before in the tree; the first part has none.
    previous: Option<usize>,
    /// The lane that walks what comes next.
    next: Option<usize>,
}

/// The searches of all lanes.
pub(super) struct Search<W: Word> {
    block: Block<W>,
    front: Front<W>,
    /// The stacks of all lanes, level by level. There is room for all 81 levels from the start,
    /// but a level is written to, and so given memory by the system, when it is first needed:
    /// half a megabyte for each worker would cost 150 µs, more than a small file does.
    levels: Vec<[Board; MAX_LANES]>,
    parts: [Part; MAX_LANES],
    /// How often each part had branched when it branched at a level.
    branches_at: [[u32; MAX_LANES]; CELLS],
    /// One for each lane.
    doubts: Vec<Doubt>,
    /// What each part but the first has found; that one writes into the job's answer.
    found: [Answer; MAX_LANES],
    /// What was found by parts that have ended, between this one and the next.
    after: [Answer; MAX_LANES],
    /// Boards above this depth are checked for clashes before they branch.
    clash_depth: usize,
    /// Lanes that have a part to walk, a bit each.
    live: u32,
    /// Lanes whose board is still on their stack, at the part's depth.
    waiting: u32,
}

impl Answer {
    /// Counts what was found later in the tree.
    fn add(&mut self, later: Self) {
        self.count = self.count.saturating_add(later.count);
        self.first = self.first.or(later.first);
    }
}

impl<W: Word> Search<W> {
    pub(super) fn new() -> Self {
        let mut levels = Vec::with_capacity(CELLS);
        levels.push([Board::EMPTY; MAX_LANES]);
        Self {
            block: Block::new(),
            front: Front::new(),
            levels,
            parts: [Part::default(); MAX_LANES],
            branches_at: [[0; MAX_LANES]; CELLS],
            doubts: vec![Doubt::new(); W::LANES],
            found: [Answer::default(); MAX_LANES],
            after: [Answer::default(); MAX_LANES],
            clash_depth: 1,
            live: 0,
            waiting: 0,
        }
    }

    /// Answers every puzzle of the job.
    #[inline(always)]
    pub(super) fn run<O: Observer>(&mut self, proof: W::Proof, mut job: Job<O>) {
        // A job before this one may have ended in a panic of its visitor.
        (self.live, self.waiting) = (0, 0);
        self.front.restart(job.visit.is_none());
        self.clash_depth = job.puzzles.clash_depth();
        let mut next_puzzle = 0;
        loop {
            self.deal(proof, &mut job, &mut next_puzzle);
            if self.live == 0 {
                return;
            }
            self.put_waiting();
            self.step(proof, &mut job);
        }
    }

    /// One pass, and what follows from it for each lane.
    #[inline(always)]
    fn step<O: Observer>(&mut self, proof: W::Proof, job: &mut Job<O>) {
        let events = pass(proof, &mut self.block);
        let dead = events.dead & self.live;
        let filled = events.filled & self.live & !dead;
        let stalled = events.stalled & self.live & !dead & !filled;
        // All boards are copied before the first is read: a wide load of data that was just stored
        // in small pieces waits until the pieces have reached the cache.
        for lane in lanes_of(stalled) {
            let board = &mut self.levels[self.parts[lane].depth][lane];
            W::copy_lane(proof, &self.block.cells, lane, board);
        }
        let mut ended = dead | filled;
        for lane in lanes_of(stalled) {
            ended |= u32::from(!self.branch(proof, lane, &mut job.observer)) << lane;
        }
        if filled != 0 {
            for lane in lanes_of(filled & complete(proof, &self.block)) {
                if self.is_live(lane) {
                    self.count_solution(proof, lane, job);
                }
            }
        }
        for lane in lanes_of(ended) {
            if self.is_live(lane) {
                self.back(lane, job);
            }
        }
    }

    /// Whether a lane still has a part to walk: it may have been dropped for what another lane
    /// found in the same pass.
    #[inline(always)]
    fn is_live(&self, lane: usize) -> bool {
        self.live >> lane & 1 != 0
    }

    /// Gives the free lanes work: the next puzzles, or else parts of the trees of others.
    #[inline(always)]
    fn deal<O>(&mut self, proof: W::Proof, job: &mut Job<O>, next_puzzle: &mut usize) {
        let mut free = lanes_of(W::ALL_LANES & !self.live);
        match job.puzzles {
            Puzzles::Grids(grids) => loop {
                let Some(lane) = free.next() else { return };
                let remaining = &grids[*next_puzzle..];
                if self.front.is_wanted(remaining.len()) {
                    let answers = &mut job.answers[*next_puzzle..];
                    *next_puzzle += self.front.run(proof, remaining, answers, *next_puzzle);
                }
                let puzzle = if let Some(Left { puzzle, board }) = self.front.left.pop() {
                    self.levels[0][lane] = board;
                    puzzle
                } else if let Some(grid) = grids.get(*next_puzzle) {
                    self.levels[0][lane].start(grid);
                    *next_puzzle += 1;
                    *next_puzzle - 1
                } else {
                    free = lanes_of(W::ALL_LANES & !self.live);
                    break;
                };
                self.begin(lane, Part { puzzle, ..Part::default() });
            },
            Puzzles::Sukakus(sukakus) => {
                self.deal_sukakus(sukakus, next_puzzle);
                free = lanes_of(W::ALL_LANES & !self.live);
            }
        }
        if job.visit.is_none() {
            for (lane, giver) in free.zip(lanes_of(self.live)) {
                self.divide(giver, lane);
            }
        }
    }

    /// Gives the free lanes the next sukakus.
    ///
    /// Kept out of the kernel: with a choice between the two kinds inside its loop, grids took
    /// 14 ns more each with AVX2, 14 % of an easy one. Of a sukaku it is a plain copy.
    #[inline(never)]
    fn deal_sukakus(&mut self, sukakus: &[Sukaku], next_puzzle: &mut usize) {
        let free = lanes_of(W::ALL_LANES & !self.live);
        for (lane, sukaku) in free.zip(&sukakus[*next_puzzle..]) {
            self.levels[0][lane].start_sukaku(sukaku);
            self.begin(lane, Part { puzzle: *next_puzzle, ..Part::default() });
            *next_puzzle += 1;
        }
    }

    /// Lets a lane begin to walk the board at the bottom of its stack.
    #[inline(always)]
    fn begin(&mut self, lane: usize, part: Part) {
        self.parts[lane] = part;
        self.live |= 1 << lane;
        self.waiting |= 1 << lane;
    }

    /// Lets `lane` take over what `giver` would search last, if anything waits there.
    fn divide(&mut self, giver: usize, lane: usize) {
        let part = &mut self.parts[giver];
        if part.base == part.depth {
            return;
        }
        let board = self.levels[part.base][giver];
        part.base += 1;
        let next = part.next.replace(lane);
        let Part { puzzle, has_doubted, .. } = *part;
        let previous = Some(giver);
        let taken = Part { puzzle, has_doubted, previous, next, ..Part::default() };
        if has_doubted {
            self.doubts[lane] = self.doubts[giver].clone();
        }
        if let Some(next) = next {
            self.parts[next].previous = Some(lane);
        }
        self.after[lane] = core::mem::take(&mut self.after[giver]);
        self.levels[0][lane] = board;
        self.begin(lane, taken);
    }

    /// Puts the waiting boards into their lanes, four at a time.
    #[inline(always)]
    fn put_waiting(&mut self) {
        let mut lanes = lanes_of(core::mem::take(&mut self.waiting));
        let top = |lane: usize| (lane, &self.levels[self.parts[lane].depth][lane]);
        loop {
            match [lanes.next(), lanes.next(), lanes.next(), lanes.next()] {
                [Some(a), Some(b), Some(c), Some(d)] => {
                    self.block.put([top(a), top(b), top(c), top(d)]);
                    continue;
                }
                [Some(a), Some(b), Some(c), _] => self.block.put([top(a), top(b), top(c)]),
                [Some(a), Some(b), ..] => self.block.put([top(a), top(b)]),
                [Some(a), ..] => self.block.put([top(a)]),
                _ => {}
            }
            return;
        }
    }

    /// Branches on a stalled board, whose copy is on the stack: the lane takes one choice, and the
    /// stack keeps the other. `false` if the board has a clash.
    #[inline(always)]
    fn branch(&mut self, proof: W::Proof, lane: usize, observer: &mut impl Observer) -> bool {
        let part = &mut self.parts[lane];
        let board = &mut self.levels[part.depth][lane];
        part.branches = part.branches.wrapping_add(1);
        self.branches_at[part.depth][lane] = part.branches;
        let is_checked =
            part.depth < self.clash_depth || part.branches > BRANCHES_BEFORE_CLASH_CHECKS;
        if is_checked && board.has_clash_in_box() {
            return false;
        }
        // Each open cell of a stalled board has two candidates or more.
        if observer.on_branch(|| 2).is_break() {
            (self.live, self.waiting) = (0, 0);
            return true;
        }
        let choice = choose::<W>(proof, board);
        let rest = board.cells[choice.cell] & !choice.digit;
        if rest.is_power_of_two() {
            // Propagation would do it too, but later: a board that comes back has no triads yet
            // to carry the news to the boxes before its cell's (7 % of the time on hard lists).
            W::take(proof, board, PEERS[choice.cell], rest);
        }
        // After `take`, whose wide loads would wait for this narrow store.
        board.cells[choice.cell] = rest;
        self.block.set_cell(lane, choice.cell, choice.digit);
        part.depth += 1;
        if part.depth == self.levels.len() {
            self.levels.push([Board::EMPTY; MAX_LANES]);
        }
        true
    }

    /// Counts the solution in a lane. If that is enough, the part gives up what waits on its
    /// stack, and the parts behind it are dropped.
    #[inline(always)]
    fn count_solution<O>(&mut self, proof: W::Proof, lane: usize, job: &mut Job<O>) {
        let part = &mut self.parts[lane];
        let found = match part.previous {
            None => &mut job.answers[part.puzzle],
            Some(_) => &mut self.found[lane],
        };
        found.count += 1;
        part.branches_at_solution = part.branches;
        let solution = || W::solution(proof, &self.block.cells, lane);
        let enough = if let Some(visit) = &mut job.visit {
            visit(&solution()) == ControlFlow::Break(())
        } else {
            found.first.get_or_insert_with(solution);
            found.count >= job.limit
        };
        if enough {
            part.base = part.depth;
            let behind = part.next.take();
            self.drop_from(behind);
        }
    }

    /// Leaves a dead or solved board for the last one on the stack; without one the part ends.
    #[inline(always)]
    fn back<O: Observer>(&mut self, lane: usize, job: &mut Job<O>) {
        loop {
            let part = &mut self.parts[lane];
            if part.depth == part.base {
                return self.end(lane, job);
            }
            part.depth -= 1;
            let branches = part.branches.wrapping_sub(self.branches_at[part.depth][lane]);
            if branches < DOUBT_AFTER {
                break;
            }
            match self.doubt(lane, branches, job) {
                Remains::All => break,
                Remains::Earlier => {}
                Remains::Nothing => return self.drop_tree(lane),
            }
        }
        self.waiting |= self.live & 1 << lane;
    }

    /// What remains to be searched, with the board on top of a lane's stack. The first choice at its
    /// level took so many branches.
    #[cold]
    fn doubt<O: Observer>(&mut self, lane: usize, branches: u32, job: &mut Job<O>) -> Remains {
        let part = &mut self.parts[lane];
        if part.branches.wrapping_sub(part.branches_at_solution) < branches {
            return Remains::All;
        }
        let doubt = &mut self.doubts[lane];
        if !core::mem::replace(&mut part.has_doubted, true) {
            *doubt = Doubt::new();
        }
        let whole = || job.puzzles.cells(part.puzzle);
        let (second, _) =
            self.levels[part.depth][lane].cells.split_first_chunk().expect("96 cells");
        match doubt.ask(branches, whole, second, &mut job.observer) {
            ControlFlow::Continue(remains) => remains,
            ControlFlow::Break(()) => {
                (self.live, self.waiting) = (0, 0);
                Remains::All
            }
        }
    }

    /// Drops all parts of a tree that has no solution.
    fn drop_tree(&mut self, mut part: usize) {
        while let Some(previous) = self.parts[part].previous {
            part = previous;
        }
        self.drop_from(Some(part));
    }

    /// Ends a part: what was found is counted, in the order of the walk.
    #[inline(always)]
    fn end<O>(&mut self, lane: usize, job: &mut Job<O>) {
        self.live &= !(1 << lane);
        let Part { puzzle, previous, next, .. } = self.parts[lane];
        let Some(previous) = previous else {
            // Asked first, since an answer is 96 bytes and most puzzles have no parts: moving answers
            // that say nothing took 11 % of the time on easy lists.
            if self.after[lane].count > 0 {
                let after = core::mem::take(&mut self.after[lane]);
                let answer = &mut job.answers[puzzle];
                if answer.count < job.limit {
                    answer.add(after);
                    answer.count = answer.count.min(job.limit);
                }
            }
            if let Some(next) = next {
                self.make_first(next, job);
            }
            return;
        };
        let mut found = core::mem::take(&mut self.found[lane]);
        found.add(core::mem::take(&mut self.after[lane]));
        self.after[previous].add(found);
        self.parts[previous].next = next;
        if let Some(next) = next {
            self.parts[next].previous = Some(previous);
        }
    }

    /// Makes a part the first of its tree, since the one before it has ended; ends it if enough
    /// has been found.
    fn make_first<O>(&mut self, lane: usize, job: &mut Job<O>) {
        let part = &mut self.parts[lane];
        part.previous = None;
        let answer = &mut job.answers[part.puzzle];
        if answer.count < job.limit {
            answer.add(core::mem::take(&mut self.found[lane]));
            answer.count = answer.count.min(job.limit);
        }
        if answer.count >= job.limit {
            self.drop_from(Some(lane));
        }
    }

    /// Drops a part and all behind it: enough has been found before them.
    fn drop_from(&mut self, mut part: Option<usize>) {
        while let Some(lane) = part {
            self.live &= !(1 << lane);
            self.waiting &= !(1 << lane);
            self.found[lane] = Answer::default();
            self.after[lane] = Answer::default();
            part = self.parts[lane].next;
        }
    }
}
