//! The fast engine: many puzzles side by side, one in each lane.
//!
//! A solver for one puzzle spends its time on decisions: which cell next, is this a single, undo.
//! Here a decision comes only when no rule helps. A word holds the candidates of one cell in 4 to 32
//! puzzles. One *pass* applies every rule to every cell of all these puzzles, without any test:
//!
//! ```text
//!                 lane 0    lane 1    lane 2    lane 3  …  31
//!   cell 0      [ 2 5     | 1 to 9  | 3       | 8      ]
//!   cell 1      [ 2 5 7   | 1       | 4 9     | 1 to 9 ]    one `&`, `|` or `+` works on
//!     …         [         |         |         |        ]    a whole line at once
//!   cell 80     [ 9       | 6 7     | 4 9     | 2      ]
//!                    │         │         │         │
//!   pass:         stalled    changed    dead     solved
//!                    │                    │         │
//!   search:       branch             go back     next puzzle, into the lane at once
//! ```
//!
//! Puzzles that propagation alone solves do not reach the search: they pass through the front stage
//! (`front`), which moves a puzzle of each lane at once. A list of puzzles with several solutions passes
//! through a stage of its own (`several`), if only their number is asked for.
//!
//! A pass takes 195 ns with AVX-512, 6 for each of 32 puzzles, and 190 with AVX2, 12 for each of
//! 16. An easy puzzle needs 4 passes, a node of a hard one 3. Each lane walks a tree of its own and
//! never waits: a finished puzzle is replaced after the same pass.
//!
//! ```
//! use ninefold_core::engine::EngineKind;
//! use ninefold_core::puzzle::Grid;
//!
//! let mut answers = Vec::new();
//! let mut lanes = EngineKind::Lanes.build();
//! lanes.solve_batch(&[Grid::EMPTY; 100], 1, &mut answers);
//! assert!(answers.iter().all(|answer| *answer == answers[0]));
//! ```
//!
//! | file | one concept |
//! | --- | --- |
//! | `start` | puzzles, and the board that each begins with |
//! | `block` | the boards of all lanes |
//! | `propagate` | the pass: one rule that does the work of three, and singles in a box |
//! | `front` | puzzles that need no search, all lanes in step |
//! | `several` | puzzles with two or more solutions, all lanes in step |
//! | `census` | which candidates of sparse puzzles are in several solutions, all lanes in step |
//! | `slots` | boards that lanes go back to without a stack |
//! | `choose` | where to branch |
//! | `search` | lanes that stall, die or end; trees shared when puzzles run out |
//! | `logic` | rules alone, without search |
//! | `guesses` | the effort search: counts guesses up to the first solution |
//!
//! Words, boards and levels are in `simd`.
//!
//! # Always the same answer
//! Solutions have the order of one depth-first walk, which depends only on the puzzle. The passes of a
//! lane do not read other lanes, the branch is chosen from the board alone, and the parts of a
//! divided tree are joined in the order of the walk. So every level, batch and number of threads
//! reports the same first solution (`tests/library/lanes/`).
//!
//! What was tried and not kept is in `docs/engine-notes.md`.

#![expect(clippy::inline_always, reason = "what is not inlined is compiled for the baseline CPU")]

mod block;
pub(crate) mod census;
mod choose;
mod front;
pub(crate) mod guesses;
pub(crate) mod logic;
mod propagate;
mod search;
mod several;
mod slots;
mod start;
#[cfg(test)]
mod tests;

use super::bounds::{Bounds, Longest};
use super::contract::{
    Answer, Branch, Engine, Other, Slowest, Visit, forget_solutions, keep_only_solutions,
};
use super::mrv::SolutionWalk;
use crate::puzzle::{Grid, Puzzle, Sukaku};
pub use crate::simd::{SimdError, SimdLevel};
use alloc::boxed::Box;
use alloc::vec::Vec;
use core::slice;
use search::{AnySearch, SearchJob, Visitor, new_search};
use start::PuzzleBatch;

/// The solutions of a puzzle after which the rest is left to a walk of `mrv`, which does without conclusions
/// near the end: there a solution costs less than a guess.
const MANY_SOLUTIONS: usize = 64;

/// The engine with the searches of all its lanes.
pub(crate) struct Lanes {
    search: Box<dyn AnySearch>,
    bounds: Bounds,
    /// Counts what is left of puzzles with many solutions.
    counting: SolutionWalk,
    /// The puzzle of the last batch that was counted longest.
    longest: Longest,
}

impl Lanes {
    /// An engine for this level, with all its memory, and bounds for its searches.
    pub(crate) fn new(level: SimdLevel, bounds: Bounds) -> Self {
        let counting = SolutionWalk::counting(bounds.clone());
        Self { search: new_search(level), bounds, counting, longest: Longest::default() }
    }

    /// Appends one answer for each puzzle.
    #[inline]
    fn answer(
        &mut self,
        puzzles: PuzzleBatch,
        limit: usize,
        wants_first: bool,
        answers: &mut Vec<Answer>,
    ) {
        let start = answers.len();
        answers.resize(start + puzzles.len(), Answer::default());
        self.longest = Longest::default();
        if limit == 0 {
            return;
        }
        // Branches of the walk that counts are others.
        let most =
            if self.bounds.max_branches().is_some() { limit } else { limit.min(MANY_SOLUTIONS) };
        let (new, bounds, visitor) = (&mut answers[start..], &self.bounds, None);
        let job = SearchJob { puzzles, limit: most, wants_first, answers: new, bounds, visitor };
        self.search.run(job);
        if most < limit {
            self.count_on(&puzzles, limit, &mut answers[start..]);
        }
    }

    /// Completes the answers to puzzles with many solutions.
    #[cold]
    fn count_on(&mut self, puzzles: &PuzzleBatch, limit: usize, answers: &mut [Answer]) {
        let many = |answer: &Answer| answer.count >= MANY_SOLUTIONS && !answer.gave_up;
        for (index, answer) in answers.iter_mut().enumerate().filter(|(_, answer)| many(answer)) {
            let puzzle = match puzzles {
                PuzzleBatch::Grids(grids) => Puzzle::Grid(grids[index]),
                PuzzleBatch::Sukakus(sukakus) => Puzzle::Sukaku(sukakus[index]),
                PuzzleBatch::Others(others) => Puzzle::Sukaku(others[index].sukaku()),
            };
            let started = self.bounds.now();
            self.counting.begin(&puzzle);
            let most = limit as u64;
            let count = usize::try_from(self.counting.count(most).min(most));
            answer.count = count.unwrap_or(limit).max(answer.count);
            answer.gave_up = self.counting.gave_up;
            if let Some(started) = started {
                self.longest.note(index, started, &self.bounds);
            }
        }
    }
}

impl Engine for Lanes {
    fn search(&mut self, puzzle: &Puzzle, visit: &mut Visit, branch: &mut Branch) {
        let puzzles = match puzzle {
            Puzzle::Grid(grid) => PuzzleBatch::Grids(slice::from_ref(grid)),
            Puzzle::Sukaku(sukaku) => PuzzleBatch::Sukakus(slice::from_ref(sukaku)),
        };
        self.search.run(SearchJob {
            puzzles,
            limit: usize::MAX,
            wants_first: true,
            answers: &mut [Answer::default()],
            bounds: &self.bounds,
            visitor: Some(Visitor { visit, branch }),
        });
    }

    fn solve_batch(&mut self, puzzles: &[Grid], limit: usize, answers: &mut Vec<Answer>) {
        self.answer(PuzzleBatch::Grids(puzzles), limit, true, answers);
    }

    fn prove_batch(&mut self, puzzles: &[Grid], answers: &mut Vec<Answer>) {
        let start = answers.len();
        self.answer(PuzzleBatch::Grids(puzzles), 2, false, answers);
        keep_only_solutions(&mut answers[start..]);
    }

    fn solve_sukakus(&mut self, sukakus: &[Sukaku], limit: usize, answers: &mut Vec<Answer>) {
        self.answer(PuzzleBatch::Sukakus(sukakus), limit, true, answers);
    }

    fn find_others(&mut self, others: &[Other], answers: &mut Vec<Answer>) {
        let start = answers.len();
        self.answer(PuzzleBatch::Others(others), 1, false, answers);
        forget_solutions(&mut answers[start..]);
    }

    fn max_branches(&self) -> Option<u32> {
        self.bounds.max_branches()
    }

    fn slowest(&self) -> Option<Slowest> {
        let searched = self.search.slowest();
        searched.into_iter().chain(self.longest.get()).max_by_key(|slowest| slowest.time)
    }
}
