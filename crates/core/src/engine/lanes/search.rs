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
//! With a bound on the branches of a puzzle no tree is divided: the walk must not depend on idle lanes.
//!
//! # Memory
//! All of it is set aside at the start. A branch leaves a single in a cell that had more, and no
//! cell ever gets a candidate back on the way down, so below 80 branches there is no cell left to
//! branch on: no stack is deeper than 81 boards. (For the last of 81 to be branched on, its box
//! must have equal singles, or it would be a single itself or empty; a branch never makes those,
//! for its digit has left the other cells of the box, so two cells there were not branched on.)
#![forbid(unsafe_code)]

use super::block::Block;
use super::choose::choose;
use super::front::{Front, RunFront};
use super::propagate::{BoxPass, Events, complete};
use super::several::{RunSeveral, Several};
use super::start::{PuzzleBatch, StartBoard, UnsolvedBoard, start_other, start_sukaku};
use crate::engine::bounds::{Bounds, EXISTENCE_STOP_INTERVAL, Longest, WATCHED_AFTER};
use crate::engine::contract::{Answer, Branch, Other, Slowest, Visit};
use crate::engine::existence::{DOUBT_AFTER, Doubt};
use crate::puzzle::{Grid, Solution, Sukaku};
use crate::simd::{Board, CELLS, Kernel, MAX_LANES, Routine, SimdLevel, Word, lanes_of};
use alloc::boxed::Box;
use alloc::vec::Vec;
use core::ops::ControlFlow;
use core::time::Duration;

/// The input and output of a search.
pub(super) struct SearchJob<'a, 'v> {
    pub(super) puzzles: PuzzleBatch<'a>,
    /// Solutions after which a puzzle is left, at least 1.
    pub(super) limit: usize,
    /// Whether the first of several solutions is asked for. If not, it may be missing.
    pub(super) wants_first: bool,
    /// One for each puzzle, empty at the start.
    pub(super) answers: &'a mut [Answer],
    pub(super) bounds: &'a Bounds,
    /// Receives all that is found, in order. Trees are not divided then.
    pub(super) visitor: Option<Visitor<'a, 'v>>,
}

/// The callbacks of a search for one puzzle. The job ends if one of them breaks.
pub(super) struct Visitor<'a, 'v> {
    pub(super) visit: &'a mut Visit<'v>,
    pub(super) branch: &'a mut Branch<'v>,
}

/// The branches of a grid's tree before a board is checked for clashes, since the grid may give a digit twice. Most
/// trees have fewer: before the first branch, the check took 6 % of the time of minimal puzzles.
///
/// The boards of a sukaku are all checked: many cells may have two candidates while all others have nine, and
/// without it `tests/library/sukakus.rs` has cases that do not finish.
const BRANCHES_BEFORE_FIRST_CHECK: u64 = 7;

/// The branches of a part of a grid's tree before each further board is checked for clashes.
///
/// A guess rarely causes a clash, but on a sparse grid the tree below it is practically endless: two
/// copies of a grid with 12 clues took four lanes 75 s. (With a limit by depth: 15 s.)
const BRANCHES_BEFORE_CLASH_CHECKS: u64 = 256;

/// The part of a puzzle's tree that a lane walks.
#[derive(Clone, Copy, Default)]
struct TreePart {
    /// Its place in the job.
    puzzle: usize,
    /// The level of the stack that the lane's own board has: those below wait for their turn.
    depth: usize,
    /// Levels below have been taken over by others.
    base: usize,
    /// How often it has branched.
    branches: u64,
    /// How often it had branched at its last solution.
    branches_at_solution: u64,
    /// How often it may branch before its boards are checked for clashes: [`BRANCHES_BEFORE_FIRST_CHECK`] at
    /// most, and once a board has passed the check, as often as [`LaneSearch::unchecked_branches`] says.
    unchecked_branches: u64,
    /// How often it will have branched when it is doubted, if it finds no solution until then.
    doubted_at: u64,
    /// Whether the lane's `started` is of this puzzle.
    is_timed: bool,
    /// Whether the lane's `Doubt` is of this puzzle.
    has_doubted: bool,
    /// The lane that walks what comes before in the tree; the first part has none.
    previous: Option<usize>,
    /// The lane that walks what comes next.
    next: Option<usize>,
}

/// The searches of all lanes, whatever their words.
pub(super) trait AnySearch: Send {
    /// Answers every puzzle of a job.
    fn run(&mut self, job: SearchJob);

    /// The longest search of the last job.
    fn slowest(&self) -> Option<Slowest>;
}

/// The searches of all lanes.
struct LaneSearch<W: Word> {
    proof: W::Proof,
    block: Block<W>,
    front: Front<W>,
    several: Several<W>,
    /// The stacks of all lanes, level by level. There is room for all 81 levels from the start,
    /// but a level is written to, and so given memory by the system, when it is first needed:
    /// half a megabyte for each worker would cost 150 µs, more than a small file does.
    levels: Vec<[Board; MAX_LANES]>,
    parts: [TreePart; MAX_LANES],
    /// One for each lane, used by the first part of a tree. Empty until the first doubt: 46 KB for each
    /// worker would cost time even if no search is long.
    doubts: Vec<Doubt>,
    /// The branches of each lane's `Doubt`.
    doubt_branches: [u64; MAX_LANES],
    /// When the puzzle in each lane had branched more than [`WATCHED_AFTER`] times.
    started: [Duration; MAX_LANES],
    /// What each part but the first has found; that one writes into the job's answer.
    found: [Answer; MAX_LANES],
    /// What was found by parts that have ended, between this one and the next.
    after: [Answer; MAX_LANES],
    /// The branches of a part before each further board is checked, and the bounds are looked at.
    unchecked_branches: u64,
    /// The most branches of a puzzle, those of its `Doubt` included.
    max_branches: Option<u64>,
    /// Whether the flag of the bounds was seen set.
    is_stopped: bool,
    /// The puzzle of this job that was searched longest.
    longest: Longest,
    /// Lanes that have a part to walk, a bit each.
    live: u32,
    /// Lanes whose board is still on their stack, at the part's depth.
    waiting: u32,
}

impl TreePart {
    /// The whole tree of a puzzle.
    #[inline(always)]
    fn of(puzzle: usize, unchecked_branches: u64) -> Self {
        let unchecked_branches = unchecked_branches.min(BRANCHES_BEFORE_FIRST_CHECK);
        Self { puzzle, unchecked_branches, doubted_at: DOUBT_AFTER, ..Self::default() }
    }
}

impl Answer {
    /// Counts what was found later in the tree.
    fn add(&mut self, later: Self) {
        self.count = self.count.saturating_add(later.count);
        self.first = self.first.or(later.first);
    }
}

/// The same for each lane.
///
/// Not inlined, nor are the parts of a [`LaneSearch`]: its 100 arrays in one function, each of them divided
/// by the optimizer, were a fifth of the time to build the crate.
#[inline(never)]
fn in_each_lane<T: Copy>(value: T) -> [T; MAX_LANES] {
    [value; MAX_LANES]
}

/// Searches with words of this level, with all their memory.
pub(super) fn new_search(level: SimdLevel) -> Box<dyn AnySearch> {
    level.run(NewSearch)
}

struct NewSearch;

impl Kernel for NewSearch {
    type Output = Box<dyn AnySearch>;

    #[inline(always)]
    fn run<W: Word>(self, proof: W::Proof) -> Box<dyn AnySearch> {
        LaneSearch::<W>::new(proof)
    }
}

impl<W: Word> AnySearch for LaneSearch<W> {
    fn run(&mut self, job: SearchJob) {
        W::call(self.proof, RunJob { search: self, job });
    }

    fn slowest(&self) -> Option<Slowest> {
        self.longest.get()
    }
}

/// Answers every puzzle of a job.
struct RunJob<'a, 'j, 'v, W: Word> {
    search: &'a mut LaneSearch<W>,
    job: SearchJob<'j, 'v>,
}

impl<W: Word> Routine<W> for RunJob<'_, '_, '_, W> {
    type Output = ();

    #[inline(always)]
    fn run(self, proof: W::Proof) {
        let Self { search, mut job } = self;
        search.begin_job(&job);
        if search.is_stopped {
            return search.give_up_all(&mut job, 0);
        }
        let mut next_puzzle = 0;
        loop {
            search.deal(proof, &mut job, &mut next_puzzle);
            if search.live == 0 {
                return;
            }
            search.put_waiting(proof);
            search.step(proof, &mut job);
            if search.is_stopped {
                return search.give_up_all(&mut job, next_puzzle);
            }
        }
    }
}

impl<W: Word> LaneSearch<W> {
    #[inline(never)]
    fn new(proof: W::Proof) -> Box<Self> {
        let mut levels = Vec::with_capacity(CELLS);
        levels.push(in_each_lane(Board::EMPTY));
        Box::new(Self {
            proof,
            block: Block::new(),
            front: Front::new(),
            several: Several::new(),
            levels,
            parts: in_each_lane(TreePart::default()),
            doubts: Vec::new(),
            doubt_branches: in_each_lane(0),
            started: in_each_lane(Duration::ZERO),
            found: in_each_lane(Answer::default()),
            after: in_each_lane(Answer::default()),
            unchecked_branches: BRANCHES_BEFORE_CLASH_CHECKS,
            max_branches: None,
            is_stopped: false,
            longest: Longest::default(),
            live: 0,
            waiting: 0,
        })
    }

    /// Forgets an earlier job.
    #[inline(always)]
    fn begin_job(&mut self, job: &SearchJob) {
        // A job before this one may have ended in a panic of its visitor.
        (self.live, self.waiting) = (0, 0);
        self.front.restart(job.visitor.is_none());
        // A visitor does not learn that a puzzle was given up: its search is complete or stopped.
        self.max_branches = match job.visitor {
            None => job.bounds.max_branches().map(u64::from),
            Some(_) => None,
        };
        // The stage for several solutions does not count its guesses.
        let enough = if let PuzzleBatch::Others(_) = job.puzzles { 1 } else { 2 };
        let may_prove = !job.wants_first && job.limit == enough && self.max_branches.is_none();
        self.several.restart(may_prove, enough);
        let most = self.max_branches.unwrap_or(u64::MAX);
        self.unchecked_branches = match job.puzzles {
            PuzzleBatch::Grids(_) => most.min(BRANCHES_BEFORE_CLASH_CHECKS),
            PuzzleBatch::Sukakus(_) | PuzzleBatch::Others(_) => 0,
        };
        (self.is_stopped, self.longest) = (job.bounds.is_stopped(), Longest::default());
    }

    /// Gives up all puzzles that have no complete answer.
    #[cold]
    fn give_up_all(&mut self, job: &mut SearchJob, next_puzzle: usize) {
        let searched = lanes_of(self.live).map(|lane| self.parts[lane].puzzle);
        let left = self.front.left.iter().map(|left| left.puzzle);
        let several = self.several.searched();
        for puzzle in searched.chain(left).chain(several).chain(next_puzzle..job.answers.len()) {
            job.answers[puzzle].gave_up = true;
        }
        for lane in lanes_of(self.live) {
            self.note_time(lane, job);
            self.drop_from(Some(lane));
        }
    }

    /// One pass, and what follows from it for each lane.
    #[inline(always)]
    fn step(&mut self, proof: W::Proof, job: &mut SearchJob) {
        let Events { dead, stalled, filled } =
            W::call(proof, BoxPass(&mut self.block)).among(self.live);
        // All boards are copied before the first is read: a wide load of data that was just stored
        // in small pieces waits until the pieces have reached the cache.
        for lane in lanes_of(stalled) {
            let board = &mut self.levels[self.parts[lane].depth][lane];
            W::copy_lane(proof, &self.block.cells, lane, board);
        }
        let mut ended = dead | filled;
        for lane in lanes_of(stalled) {
            ended |= u32::from(!self.branch(proof, lane, job)) << lane;
        }
        if filled != 0 {
            for lane in lanes_of(filled & complete(proof, &self.block)) {
                if self.is_live(lane) {
                    self.count_solution(proof, lane, job);
                }
            }
        }
        for lane in lanes_of(ended) {
            // A doubt of another lane may have given it a board already.
            if (self.live & !self.waiting) >> lane & 1 != 0 {
                self.back(lane, job);
            }
        }
    }

    /// Whether a lane still has a part to walk. In the same pass, a solution of another lane may have
    /// ended it.
    #[inline(always)]
    fn is_live(&self, lane: usize) -> bool {
        self.live >> lane & 1 != 0
    }

    /// Gives the free lanes work: the next puzzles, or else parts of the trees of others.
    #[inline(always)]
    fn deal(&mut self, proof: W::Proof, job: &mut SearchJob, next_puzzle: &mut usize) {
        let mut free = lanes_of(W::ALL_LANES & !self.live);
        match job.puzzles {
            PuzzleBatch::Grids(grids) => loop {
                let Some(lane) = free.next() else { return };
                if self.front.left.is_empty() {
                    *next_puzzle = self.refill(proof, grids, job.answers, *next_puzzle);
                }
                let puzzle = if let Some(UnsolvedBoard { puzzle, board }) = self.front.left.pop() {
                    self.levels[0][lane] = board;
                    puzzle
                } else if let Some(grid) = grids.get(*next_puzzle) {
                    grid.start::<W>(proof, &mut self.levels[0][lane]);
                    *next_puzzle += 1;
                    *next_puzzle - 1
                } else {
                    free = lanes_of(W::ALL_LANES & !self.live);
                    break;
                };
                self.begin(lane, TreePart::of(puzzle, self.unchecked_branches));
            },
            PuzzleBatch::Sukakus(sukakus) => {
                self.deal_sukakus(sukakus, next_puzzle);
                free = lanes_of(W::ALL_LANES & !self.live);
            }
            PuzzleBatch::Others(others) => {
                self.deal_others(proof, others, job.answers, next_puzzle);
                free = lanes_of(W::ALL_LANES & !self.live);
            }
        }
        if job.visitor.is_none() && self.max_branches.is_none() {
            for (lane, giver) in free.zip(lanes_of(self.live)) {
                self.divide(giver, lane, job.bounds);
            }
        }
    }

    /// Runs a stage before the search, which may leave boards. Returns the next puzzle.
    #[inline(always)]
    fn refill(
        &mut self,
        proof: W::Proof,
        grids: &[Grid],
        answers: &mut [Answer],
        next: usize,
    ) -> usize {
        if self.several.is_wanted() {
            let (several, left) = (&mut self.several, &mut self.front.left);
            W::call(proof, RunSeveral { several, puzzles: grids, answers, next, left })
        } else if self.front.is_wanted(grids.len() - next) {
            let (front, first) = (&mut self.front, next);
            let (grids, answers) = (&grids[next..], &mut answers[next..]);
            next + W::call(proof, RunFront { front, grids, answers, first })
        } else {
            next
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
            start_sukaku(sukaku, &mut self.levels[0][lane]);
            self.begin(lane, TreePart::of(*next_puzzle, self.unchecked_branches));
            *next_puzzle += 1;
        }
    }

    /// Gives the free lanes the next questions, after the stage for several solutions if it is wanted. Kept out
    /// of the kernel as `deal_sukakus` is.
    #[inline(never)]
    fn deal_others(
        &mut self,
        proof: W::Proof,
        others: &[Other],
        answers: &mut [Answer],
        next_puzzle: &mut usize,
    ) {
        for lane in lanes_of(W::ALL_LANES & !self.live) {
            if self.front.left.is_empty() && self.several.is_wanted() {
                let (several, left, next) = (&mut self.several, &mut self.front.left, *next_puzzle);
                let routine = RunSeveral { several, puzzles: others, answers, next, left };
                *next_puzzle = W::call(proof, routine);
            }
            let puzzle = if let Some(UnsolvedBoard { puzzle, board }) = self.front.left.pop() {
                self.levels[0][lane] = board;
                puzzle
            } else if let Some(other) = others.get(*next_puzzle) {
                start_other(other, &mut self.levels[0][lane]);
                *next_puzzle += 1;
                *next_puzzle - 1
            } else {
                return;
            };
            self.begin(lane, TreePart::of(puzzle, self.unchecked_branches));
        }
    }

    /// Lets a lane begin to walk the board at the bottom of its stack.
    #[inline(always)]
    fn begin(&mut self, lane: usize, part: TreePart) {
        self.parts[lane] = part;
        self.live |= 1 << lane;
        self.waiting |= 1 << lane;
    }

    /// Lets `lane` take over what `giver` would search last, if anything waits there.
    fn divide(&mut self, giver: usize, lane: usize, bounds: &Bounds) {
        let part = &mut self.parts[giver];
        if part.base == part.depth {
            return;
        }
        let board = self.levels[part.base][giver];
        part.base += 1;
        let next = part.next.replace(lane);
        // With the branches of its giver, so that a tree is doubted as early as if one lane walked it.
        let previous = Some(giver);
        let taken = TreePart { depth: 0, base: 0, has_doubted: false, previous, next, ..*part };
        self.started[lane] = self.started[giver];
        // Parts may all be short.
        self.is_stopped |= bounds.is_stopped();
        if let Some(next) = next {
            self.parts[next].previous = Some(lane);
        }
        self.after[lane] = core::mem::take(&mut self.after[giver]);
        self.levels[0][lane] = board;
        self.begin(lane, taken);
    }

    /// Puts the waiting boards into their lanes, four at a time.
    #[inline(always)]
    fn put_waiting(&mut self, proof: W::Proof) {
        let waiting = core::mem::take(&mut self.waiting);
        let Self { block, levels, parts, .. } = self;
        block.put_all(proof, waiting, |lane| &levels[parts[lane].depth][lane]);
    }

    /// Branches on a stalled board, whose copy is on the stack: the lane takes one choice, and the
    /// stack keeps the other. `false` if the board has a clash.
    #[inline(always)]
    fn branch(&mut self, proof: W::Proof, lane: usize, job: &mut SearchJob) -> bool {
        let part = &mut self.parts[lane];
        let board = &mut self.levels[part.depth][lane];
        part.branches += 1;
        if part.branches > part.unchecked_branches {
            if board.has_clash_in_box() {
                return false;
            }
            part.unchecked_branches = self.unchecked_branches;
            let doubt_branches = if part.has_doubted { self.doubt_branches[lane] } else { 0 };
            let branches = part.branches + doubt_branches;
            if self.max_branches.is_some_and(|most| branches > most) {
                self.give_up(lane, job);
                return true;
            }
            if part.branches > WATCHED_AFTER {
                if !part.is_timed
                    && let Some(now) = job.bounds.now()
                {
                    (part.is_timed, self.started[lane]) = (true, now);
                }
                self.is_stopped |= job.bounds.is_stopped_at(part.branches);
            }
        }
        // Each open cell of a stalled board has two candidates or more.
        if let Some(visitor) = &mut job.visitor
            && (visitor.branch)().is_break()
        {
            (self.live, self.waiting) = (0, 0);
            return true;
        }
        let choice = choose::<W>(proof, board);
        let rest = board.cells[choice.cell] & !choice.digit;
        if rest.is_power_of_two() {
            // Propagation would do it too, but later: a board that comes back has no triads yet
            // to carry the news to the boxes before its cell's (7 % of the time on hard lists).
            W::take_from_peers(proof, board, choice.cell, rest);
        }
        // After `take_from_peers`, whose wide loads would wait for this narrow store.
        board.cells[choice.cell] = rest;
        self.block.set_cell(lane, choice.cell, choice.digit);
        part.depth += 1;
        if part.depth == self.levels.len() {
            self.levels.push([Board::EMPTY; MAX_LANES]);
        }
        true
    }

    /// Gives up the puzzle in a lane, whose tree is not divided.
    #[cold]
    fn give_up(&mut self, lane: usize, job: &mut SearchJob) {
        job.answers[self.parts[lane].puzzle].gave_up = true;
        self.note_time(lane, job);
        self.drop_from(Some(lane));
    }

    /// Notes how long the puzzle in a lane was searched.
    #[inline(always)]
    fn note_time(&mut self, lane: usize, job: &SearchJob) {
        let TreePart { puzzle, is_timed, .. } = self.parts[lane];
        if is_timed {
            self.longest.note(puzzle, self.started[lane], job.bounds);
        }
    }

    /// Counts the solution in a lane. If that is enough, the part gives up what waits on its
    /// stack, and the parts behind it are dropped.
    #[inline(always)]
    fn count_solution(&mut self, proof: W::Proof, lane: usize, job: &mut SearchJob) {
        let part = &mut self.parts[lane];
        let found = match part.previous {
            None => &mut job.answers[part.puzzle],
            Some(_) => &mut self.found[lane],
        };
        found.count += 1;
        part.branches_at_solution = part.branches;
        part.doubted_at = part.branches + DOUBT_AFTER;
        let cells = &self.block.cells;
        let enough = if let Some(visitor) = &mut job.visitor {
            (visitor.visit)(&W::solution(proof, cells, lane)) == ControlFlow::Break(())
        } else {
            if found.count == 1 {
                *Solution::place(&mut found.first) = W::solved_values(proof, cells, lane);
            }
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
    fn back(&mut self, lane: usize, job: &mut SearchJob) {
        let part = &mut self.parts[lane];
        if part.depth == part.base {
            self.end(lane, job);
            return;
        }
        part.depth -= 1;
        self.waiting |= 1 << lane;
        if part.branches >= part.doubted_at {
            self.doubt(lane, job);
        }
    }

    /// Asks which of the boards that wait in the tree of a lane have no solution, and drops these.
    ///
    /// The boards of the first part come first in the order of the walk, then those of the next part,
    /// and so on.
    #[cold]
    #[inline(never)]
    fn doubt(&mut self, lane: usize, job: &mut SearchJob) {
        let first = self.first_part(lane);
        self.doubts.resize(W::LANES, Doubt::new());
        if !core::mem::replace(&mut self.parts[first].has_doubted, true) {
            self.doubts[first] = Doubt::new();
            self.doubt_branches[first] = 0;
        }
        // The boards that lanes work on wait too.
        let mut next = Some(first);
        while let Some(lane) = next {
            let part = &self.parts[lane];
            if self.waiting >> lane & 1 == 0 {
                self.block.copy_board(lane, &mut self.levels[part.depth][lane]);
            }
            next = part.next;
        }
        let (parts, levels) = (&self.parts, &self.levels);
        let lanes = core::iter::successors(Some(first), |&lane| parts[lane].next);
        let walkers = lanes.clone().count() as u64;
        let waiting = lanes.flat_map(|lane| {
            let part = &parts[lane];
            let boards = (part.base..=part.depth).rev().map(move |level| &levels[level][lane]);
            boards.map(|board| *board.cells.first_chunk().expect("96 cells"))
        });
        let barren = parts[lane].branches - parts[lane].branches_at_solution;
        let doubt = &mut self.doubts[first];
        let most = match self.max_branches {
            Some(most) => most.saturating_sub(parts[lane].branches),
            None => u64::MAX,
        };
        let spent = &mut self.doubt_branches[first];
        let mut on_branch = || {
            if let Some(visitor) = &mut job.visitor {
                (visitor.branch)()?;
            }
            *spent += 1;
            let is_stopped =
                spent.is_multiple_of(EXISTENCE_STOP_INTERVAL) && job.bounds.is_stopped();
            if *spent > most || is_stopped {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        };
        let ControlFlow::Continue(advice) = doubt.ask(barren, walkers, &waiting, &mut on_branch)
        else {
            if job.bounds.is_stopped() {
                self.is_stopped = true;
            } else if self.doubt_branches[first] > most {
                self.give_up(lane, job);
            } else {
                (self.live, self.waiting) = (0, 0);
            }
            return;
        };
        self.parts[lane].doubted_at = self.parts[lane].branches + advice.next;
        if advice.is_unknown {
            // Another lane of the tree would ask nearly the same, and learn as little.
            let mut next = Some(first);
            while let Some(lane) = next {
                let part = &mut self.parts[lane];
                part.doubted_at = part.doubted_at.max(part.branches + advice.next);
                next = part.next;
            }
        }
        self.drop_dead(first, advice.dead, job);
    }

    /// The lane that walks the first part of a tree.
    fn first_part(&self, mut lane: usize) -> usize {
        while let Some(previous) = self.parts[lane].previous {
            lane = previous;
        }
        lane
    }

    /// Drops the first boards that wait in the parts of a tree.
    fn drop_dead(&mut self, lane: usize, mut dead: usize, job: &mut SearchJob) {
        let mut next = Some(lane);
        // The end of one part may drop the others: enough has been found.
        while let Some(lane) = next.filter(|&lane| dead > 0 && self.is_live(lane)) {
            let part = &mut self.parts[lane];
            next = part.next;
            let boards = part.depth + 1 - part.base;
            if dead < boards {
                part.depth -= dead;
                self.waiting |= 1 << lane;
                return;
            }
            dead -= boards;
            self.waiting &= !(1 << lane);
            self.end(lane, job);
        }
    }

    /// Ends a part: what was found is counted, in the order of the walk.
    #[inline(always)]
    fn end(&mut self, lane: usize, job: &mut SearchJob) {
        self.live &= !(1 << lane);
        if self.parts[lane].is_timed {
            self.note_time(lane, job);
        }
        let TreePart { puzzle, previous, next, has_doubted, .. } = self.parts[lane];
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
                if has_doubted {
                    self.doubts[next] = self.doubts[lane].clone();
                    self.parts[next].has_doubted = true;
                }
                self.make_first(next, job);
            } else {
                self.several.note(job.answers[puzzle].count);
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
    fn make_first(&mut self, lane: usize, job: &mut SearchJob) {
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
