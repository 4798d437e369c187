//! Taking clues away, one step after the other, as long as the puzzle keeps its promise.
//!
//! The promise is that there is one solution, or that simple rules solve it. A step is a clue,
//! or clues that go together. What comes out is what the plainest loop would give:
//!
//! ```text
//! for each step in order:
//!     unless fewer than `floor` clues would be left
//!     or the promise would be broken:
//!         take the step's clues away
//! ```
//!
//! but with fewer questions, since each must be answered by an engine:
//!
//! 1. A step that would empty a known unavoidable set is known to break the promise.
//! 2. Of the others, several are tried at once, as if all were to succeed. If the promise holds
//!    then, it held after each of them. If not, fewer are tried, and a step that fails alone stays.
//! 3. If that is one clue, what is asked is whether its cell may hold another digit: then a puzzle
//!    with one solution has got a second. The first need not be found once more.
//!
//! ```text
//! order  a b c d e f g h …     forbidden: c, f         question 1: without a b d e?   yes
//!        └─ settled ──┘                                question 2: without g h …
//! ```
//!
//! A digger has one question at a time, so that those of many diggers can be answered together.

use crate::puzzle::{Cell, CellSet, Grid, Solution};
use crate::unavoidable::{CluesLeft, KnownSets};
use alloc::vec::Vec;

/// How many steps to try at once with this many clues.
///
/// Half of what is above 32. Instructions for a puzzle (callgrind, AVX2, 2,048 tasks of one
/// `Maker`): a half above 32 or 34, 226,000; above 30, 229,000, as a third; above 28, 235,000;
/// above 26, 247,000. Before single clues had a question of their own, which is cheap, 28 was best.
fn stride(clues: usize) -> usize {
    (clues.saturating_sub(32) / 2).max(1)
}

/// A puzzle that is being dug.
pub(super) struct Dig {
    solution: Grid,
    /// The order of the steps, by their places in the recipe's: bytes, because hundreds of diggers share the
    /// caches.
    order: Vec<u8>,
    /// Steps before this one are settled.
    next: usize,
    /// The puzzle after those.
    settled: DugPuzzle,
    /// No fewer clues than these are left.
    floor: usize,
    /// How many steps to try at once.
    stride: usize,
    known: KnownSets,
    trial: DigTrial,
}

/// What must be known to go on.
pub(super) struct DigQuestion<'a> {
    /// Whether the promise holds for this puzzle.
    pub(super) puzzle: &'a Grid,
    /// If it lacks one clue of a puzzle for which the promise holds: that clue's cell.
    pub(super) without: Option<Cell>,
}

/// A puzzle, in as many ways as there are questions about it.
#[derive(Clone, Copy)]
struct DugPuzzle {
    puzzle: Grid,
    clues: CellSet,
    left: CluesLeft,
}

/// Steps that are taken as an experiment.
struct DigTrial {
    state: DugPuzzle,
    /// How many steps take clues away.
    taken: usize,
    /// Steps before this one are settled if the experiment succeeds,
    end: usize,
    /// and before this one if it fails with a single step.
    end_of_first: usize,
}

impl DugPuzzle {
    const EMPTY: Self = Self { puzzle: Grid::EMPTY, clues: CellSet::EMPTY, left: CluesLeft::ALL };

    /// Takes a step, unless it would leave too few clues, or a known unavoidable set without one.
    fn take(&mut self, step: CellSet, solution: &Grid, floor: usize, known: &KnownSets) -> bool {
        let clues = self.clues & !step;
        if clues.len() < floor || known.lessons_forbid(clues) {
            return false;
        }
        let digit = |cell: Cell| usize::from(solution.values()[cell.index()]) - 1;
        let forbids = |left: &CluesLeft, cell| known.forbid(left, cell, digit(cell));
        let before = self.left;
        // Asked before the clues are taken: what has just been written is slow to be read.
        if step.cells().next().is_some_and(|cell| forbids(&before, cell)) {
            return false;
        }
        step.cells().for_each(|cell| self.left.take(cell, digit(cell)));
        if step.len() > 1 && step.cells().any(|cell| forbids(&self.left, cell)) {
            self.left = before;
            return false;
        }
        self.clues = clues;
        step.cells().for_each(|cell| self.puzzle.set(cell, None));
        true
    }
}

impl Dig {
    /// Memory for a digger, with nothing to do.
    pub(super) fn new() -> Self {
        Self {
            solution: Grid::EMPTY,
            order: Vec::with_capacity(81),
            next: 0,
            settled: DugPuzzle::EMPTY,
            floor: 0,
            stride: 0,
            known: KnownSets::default(),
            trial: DigTrial { state: DugPuzzle::EMPTY, taken: 0, end: 0, end_of_first: 0 },
        }
    }

    /// Begins with a full grid, to take the steps in this order.
    pub(super) fn begin(&mut self, solution: &Solution, order: &[u8], floor: usize) {
        self.solution = *solution.grid();
        self.settled =
            DugPuzzle { puzzle: self.solution, clues: CellSet::FULL, left: CluesLeft::ALL };
        self.order.clear();
        self.order.extend_from_slice(order);
        (self.next, self.floor, self.stride) = (0, floor, stride(81));
        self.known.find(solution);
    }

    /// The puzzle as far as it is dug.
    pub(super) fn puzzle(&self) -> &Grid {
        &self.settled.puzzle
    }

    /// What is to be judged next; nothing if all of these steps are settled.
    pub(super) fn question(&mut self, steps: &[CellSet]) -> Option<DigQuestion<'_>> {
        let DigTrial { state, taken, end, end_of_first } = &mut self.trial;
        (*state, *taken, *end) = (self.settled, 0, self.next);
        for &step in &self.order[self.next..] {
            if *taken == self.stride {
                break;
            }
            *end += 1;
            if state.take(steps[usize::from(step)], &self.solution, self.floor, &self.known) {
                *taken += 1;
                if *taken == 1 {
                    *end_of_first = *end;
                }
            }
        }
        let gone = self.settled.clues & !state.clues;
        let without = gone.cells().next().filter(|_| gone.len() == 1);
        (*taken > 0).then_some(DigQuestion { puzzle: &state.puzzle, without })
    }

    /// Whether the promise holds for the puzzle of the last question; if not, another solution
    /// of it, if one is known.
    pub(super) fn answer(&mut self, holds: bool, other: Option<&Solution>) {
        let trial = &self.trial;
        if holds {
            (self.settled, self.next) = (trial.state, trial.end);
            self.stride = stride(self.settled.clues.len());
            return;
        }
        if trial.taken == 1 {
            // The steps before it were forbidden, and it has failed by itself.
            self.next = trial.end_of_first;
            return;
        }
        if let Some(other) = other.filter(|other| *other.grid() != self.solution) {
            self.known.learn(CellSet::of_differences(other.grid(), &self.solution));
        }
        self.stride = trial.taken / 2;
    }
}
