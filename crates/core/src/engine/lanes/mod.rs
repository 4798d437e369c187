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
//! use ninefold_core::engine::{EngineKind, lanes::SimdLevel};
//! use ninefold_core::puzzle::Grid;
//!
//! let mut answers = Vec::new();
//! let mut lanes = EngineKind::Lanes.build_at(SimdLevel::best());
//! lanes.solve_batch(&[Grid::EMPTY; 100], 1, &mut answers);
//! assert!(answers.iter().all(|answer| *answer == answers[0]));
//! ```
//!
//! | file | one concept |
//! | --- | --- |
//! | `word` | a vector of lanes: the few operations that the kernel needs; plain integers |
//! | `avx2`, `avx512`, `neon`, `simd128` | the same operations as single instructions |
//! | `board` | one board alone, and how boards lie in words |
//! | `block` | the boards of all lanes |
//! | `propagate` | the pass: one rule that does the work of three, and singles in a box |
//! | `front` | puzzles that need no search, all lanes in step |
//! | `several` | puzzles with two or more solutions, all lanes in step |
//! | `census` | which candidates of sparse puzzles are in several solutions, all lanes in step |
//! | `choose` | where to branch |
//! | `search` | lanes that stall, die or end; trees shared when puzzles run out |
//! | `bytes` | 16 bytes as a table, for `symmetry` |
//! | `logic` | rules alone, without search |
//! | `guesses` | the effort search: counts guesses up to the first solution |
//! | `level` | the level of this CPU, proven by a type |
//!
//! # Always the same answer
//! Solutions have the order of one depth-first walk, which depends only on the puzzle. The passes of a
//! lane do not read other lanes, the branch is chosen from the board alone, and the parts of a
//! divided tree are joined in the order of the walk. So every level, batch and number of threads
//! reports the same first solution (`tests/library/lanes/`).
//!
//! What was tried and not kept is in `docs/engine-notes.md`.

#![expect(clippy::inline_always, reason = "what is not inlined is compiled for the baseline CPU")]

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod block;
mod board;
mod bytes;
pub(super) mod census;
mod choose;
mod front;
pub(crate) mod guesses;
mod level;
pub(crate) mod logic;
#[cfg(target_arch = "aarch64")]
mod neon;
mod propagate;
mod search;
mod several;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod simd128;
mod word;

use super::bounds::{Bounds, Longest};
use super::contract::{
    Answer, Engine, Other, Slowest, Visit, forget_solutions, keep_only_solutions,
};
use super::mrv::Walk;
use super::observe::Branch;
use crate::puzzle::{Grid, Puzzle, Sukaku};
use alloc::boxed::Box;
use alloc::vec::Vec;
use board::Puzzles;
pub(crate) use bytes::Bytes;
use census::{Census, TakeCensus};
pub(crate) use level::ByteKernel;
pub use level::{SimdError, SimdLevel};
use search::{Job, Search};

/// The solutions of a puzzle after which the rest is left to a walk of `mrv`, which does without conclusions
/// near the end: there a solution costs less than a guess.
const MANY_SOLUTIONS: usize = 64;

/// The engine with the searches of all its lanes.
pub(crate) struct Lanes {
    searches: Searches,
    level: SimdLevel,
    bounds: Bounds,
    /// Counts what is left of puzzles with many solutions.
    counting: Walk,
    /// The puzzle of the last batch that was counted longest.
    longest: Longest,
}

enum Searches {
    Portable(Box<Search<word::Portable>>),
    #[cfg(target_arch = "x86_64")]
    Avx2(level::Avx2, Box<Search<avx2::Word256>>),
    #[cfg(target_arch = "x86_64")]
    Avx512(level::Avx512, Box<Search<avx512::Word512>>),
    #[cfg(target_arch = "aarch64")]
    Neon(level::Neon, Box<Search<neon::Word128>>),
    #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
    Simd128(level::Simd128, Box<Search<simd128::Word128>>),
}

impl Lanes {
    /// An engine for this level, with all its memory, and bounds for its searches.
    pub(crate) fn new(level: SimdLevel, bounds: Bounds) -> Self {
        let searches = match level {
            SimdLevel::Portable => Searches::Portable(Search::new()),
            #[cfg(target_arch = "x86_64")]
            SimdLevel::Avx2(proof) => Searches::Avx2(proof, Search::new()),
            #[cfg(target_arch = "x86_64")]
            SimdLevel::Avx512(proof) => Searches::Avx512(proof, Search::new()),
            #[cfg(target_arch = "aarch64")]
            SimdLevel::Neon(proof) => Searches::Neon(proof, Search::new()),
            #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
            SimdLevel::Simd128(proof) => Searches::Simd128(proof, Search::new()),
        };
        let counting = Walk::counting(bounds.clone());
        Self { searches, level, bounds, counting, longest: Longest::default() }
    }

    /// Visits every solution of one puzzle.
    #[inline]
    fn visit(&mut self, puzzles: Puzzles, visit: &mut Visit, observer: Option<&mut Branch>) {
        let answers = &mut [Answer::default()];
        let (limit, visit, bounds) = (usize::MAX, Some(visit), &self.bounds);
        let (wants_first, observer) = (true, observer.map(|observer| observer as &mut Branch));
        let job = Job { puzzles, limit, wants_first, answers, visit, bounds, observer };
        Self::run(&mut self.searches, job);
    }

    /// Appends one answer for each puzzle.
    #[inline]
    fn answer(
        &mut self,
        puzzles: Puzzles,
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
        let (new, visit, bounds) = (&mut answers[start..], None, &self.bounds);
        let observer = None;
        let job = Job { puzzles, limit: most, wants_first, answers: new, visit, bounds, observer };
        Self::run(&mut self.searches, job);
        if most < limit {
            self.count_on(&puzzles, limit, &mut answers[start..]);
        }
    }

    /// Completes the answers to puzzles with many solutions.
    #[cold]
    fn count_on(&mut self, puzzles: &Puzzles, limit: usize, answers: &mut [Answer]) {
        let many = |answer: &Answer| answer.count >= MANY_SOLUTIONS && !answer.gave_up;
        for (index, answer) in answers.iter_mut().enumerate().filter(|(_, answer)| many(answer)) {
            let puzzle = match puzzles {
                Puzzles::Grids(grids) => Puzzle::Grid(grids[index]),
                Puzzles::Sukakus(sukakus) => Puzzle::Sukaku(sukakus[index]),
                Puzzles::Others(others) => Puzzle::Sukaku(others[index].sukaku()),
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

    fn run(searches: &mut Searches, job: Job) {
        match searches {
            Searches::Portable(search) => level::run_portable(search, job),
            #[cfg(target_arch = "x86_64")]
            Searches::Avx2(proof, search) => proof.run(search, job),
            #[cfg(target_arch = "x86_64")]
            Searches::Avx512(proof, search) => proof.run(search, job),
            #[cfg(target_arch = "aarch64")]
            Searches::Neon(proof, search) => proof.run(search, job),
            #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
            Searches::Simd128(proof, search) => proof.run(search, job),
        }
    }
}

impl Engine for Lanes {
    fn each_solution_of(&mut self, sukaku: &Sukaku, visit: &mut Visit) {
        self.visit(Puzzles::Sukakus(core::slice::from_ref(sukaku)), visit, None);
    }

    fn each_solution(&mut self, puzzle: &Grid, visit: &mut Visit) {
        self.visit(Puzzles::Grids(core::slice::from_ref(puzzle)), visit, None);
    }

    fn each_solution_observed(
        &mut self,
        puzzle: &Puzzle,
        visit: &mut Visit,
        branch: &mut Branch,
    ) -> bool {
        let puzzles = match puzzle {
            Puzzle::Grid(grid) => Puzzles::Grids(core::slice::from_ref(grid)),
            Puzzle::Sukaku(sukaku) => Puzzles::Sukakus(core::slice::from_ref(sukaku)),
        };
        self.visit(puzzles, visit, Some(branch));
        true
    }

    fn solve_batch(&mut self, puzzles: &[Grid], limit: usize, answers: &mut Vec<Answer>) {
        self.answer(Puzzles::Grids(puzzles), limit, true, answers);
    }

    fn prove_batch(&mut self, puzzles: &[Grid], answers: &mut Vec<Answer>) {
        let start = answers.len();
        self.answer(Puzzles::Grids(puzzles), 2, false, answers);
        keep_only_solutions(&mut answers[start..]);
    }

    fn solve_sukakus(&mut self, sukakus: &[Sukaku], limit: usize, answers: &mut Vec<Answer>) {
        self.answer(Puzzles::Sukakus(sukakus), limit, true, answers);
    }

    fn find_others(&mut self, others: &[Other], answers: &mut Vec<Answer>) {
        let start = answers.len();
        self.answer(Puzzles::Others(others), 1, false, answers);
        forget_solutions(&mut answers[start..]);
    }

    fn settle(&mut self, puzzles: &mut [Census]) {
        // Its guesses are not counted.
        if self.bounds.max_branches().is_none() {
            self.level.run(TakeCensus(puzzles));
        }
    }

    fn max_branches(&self) -> Option<u32> {
        self.bounds.max_branches()
    }

    fn slowest(&self) -> Option<Slowest> {
        let searched = match &self.searches {
            Searches::Portable(search) => search.slowest(),
            #[cfg(target_arch = "x86_64")]
            Searches::Avx2(_, search) => search.slowest(),
            #[cfg(target_arch = "x86_64")]
            Searches::Avx512(_, search) => search.slowest(),
            #[cfg(target_arch = "aarch64")]
            Searches::Neon(_, search) => search.slowest(),
            #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
            Searches::Simd128(_, search) => search.slowest(),
        };
        searched.into_iter().chain(self.longest.get()).max_by_key(|slowest| slowest.time)
    }
}
