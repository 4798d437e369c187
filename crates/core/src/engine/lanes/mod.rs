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
//! | `avx2`, `avx512`, `neon` | the same operations as single instructions |
//! | `board` | one board alone, and how boards lie in words |
//! | `block` | the boards of all lanes |
//! | `propagate` | the pass: one rule that does the work of three, and singles in a box |
//! | `front` | puzzles that need no search, all lanes in step |
//! | `several` | puzzles with two or more solutions, all lanes in step |
//! | `choose` | where to branch |
//! | `search` | lanes that stall, die or end; trees shared when puzzles run out |
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
//! # What was tried and not kept
//! Measured on one pinned core of a Xeon with AVX-512 (3.9 GHz) with rustc 1.95; ns per puzzle
//! with proof of uniqueness, "hard" being 4,877 of the players' forum's puzzles rated above 11,
//! at the time of the attempt 8,300 with AVX-512 and 12,100 with AVX2.
//!
//! - *Arrays for the compiler to vectorise*, instead of `core::arch`: 19 to 42 % slower a pass,
//!   and a change that moved no operation made it 160 %. In 128 bits (SSE2) slower than plain
//!   64-bit integers. See `word`.
//! - *AVX-512 instructions on 256 bits*: 9.0 ns a lane and pass where 512 bits take 6.1.
//! - *Two blocks in turn*, so that no load waits for a store: -1 to +3 %.
//! - *Taking a placed digit out of its box's triads* at the branch, and the other digit out of
//!   the board on the stack: together 15 % fewer passes. But the next pass waits for the stores
//!   into the triads: with AVX-512 +12 % time against the second alone (`take`, which is kept and
//!   saves 7 %), with AVX2 0.
//! - *A bit board for each digit* to weigh cells, as the prototype had it: 0 with AVX2, +14 %
//!   with AVX-512 against testing all cells for the two digits at once.
//! - *Weighing the first 8 pairs* in reading order: as many nodes as the 3 first and 3 last, +8 %
//!   time. 4 pairs: 8 % more nodes, -2 % on hard, +5 % on magictour.
//! - *Trying the digit first that more peers hold*: two more tests of the board a branch. -7 %
//!   without it, and no more nodes to the first solution either, within 2 %.
//! - *More care near the root*: all pairs weighed on the first five levels, under 1 % fewer nodes
//!   on hard (8 % on magictour); both children of eight pairs propagated before choosing there,
//!   19 % fewer (45 %), at 16 propagations for each such branch.
//! - *Sweeping the boxes to and fro*: 2 to 6 % more passes than always forward. *Along the
//!   diagonals*: 4 % fewer on easy lists, 4 to 6 % more on hard ones. *Hidden singles in every
//!   other pass*: 11 to 26 % more passes.
//! - *Counting bilocal digits or bivalue cells by house* for a choice in all lanes at once: 25
//!   to 80 % more nodes than looking at each peer, before any cost.
//! - *Copying a board out* by scalar loads, for one lane or for four in turn: 20 and 21 ns;
//!   by transposing 8 by 8: 31 for all eight, of which one is wanted. A gather takes 12.
//! - *Putting boards into lanes by blends* of broadcast candidates, as the prototype does: 15 ns
//!   more for each of them with AVX2. *Loading a grid into its lane* without making a board of it
//!   first: 8 ns more.
//! - *A stack for each lane* and not a level for all: 0.
//! - *The front stage with 4 lanes in a plain integer*, and other limits for it: see `front`.
//! - *The greatest of six scores by `max`*: the compiler makes a branch of one of the comparisons, and
//!   which cell wins cannot be predicted. One instruction compares them instead (`Word::greatest`): 2 to
//!   5 % on hard lists. Scores that are cut to 16 bits one by one, and a cell taken modulo 81, cost
//!   more than the branch does: +5 %.
//!
//! - *Another choice after the first solution*, for lists with several solutions: 8.13 of the 8.78 branches
//!   come before it, so it can save no more than 7 %. What was tried for these lists is in `several`.

#![expect(clippy::inline_always, reason = "what is not inlined is compiled for the baseline CPU")]

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod block;
mod board;
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
mod word;

use super::bounds::Bounds;
use super::contract::{Answer, Engine, Slowest, Visit, keep_only_solutions};
use super::observe::{Branch, Unobserved};
use crate::puzzle::{Grid, Puzzle, Sukaku};
use alloc::boxed::Box;
use alloc::vec::Vec;
use board::Puzzles;
pub use level::{SimdError, SimdLevel};
use search::{Job, Search};

/// The engine with the searches of all its lanes.
pub(crate) struct Lanes {
    searches: Searches,
    bounds: Bounds,
    /// Made at the first use. The search of a lane does not depend on the level, so one level is
    /// enough.
    observed: Option<Box<Search<word::Portable>>>,
}

#[expect(clippy::large_enum_variant, reason = "there is one for each worker, boxed as a whole")]
enum Searches {
    Portable(Search<word::Portable>),
    #[cfg(target_arch = "x86_64")]
    Avx2(level::Avx2, Search<avx2::Word256>),
    #[cfg(target_arch = "x86_64")]
    Avx512(level::Avx512, Search<avx512::Word512>),
    #[cfg(target_arch = "aarch64")]
    Neon(level::Neon, Search<neon::Word128>),
}

impl Lanes {
    /// An engine for this level, with all its memory.
    pub(crate) fn new(level: SimdLevel) -> Box<Self> {
        Self::bounded(level, Bounds::default())
    }

    /// The same, with bounds for its searches.
    pub(crate) fn bounded(level: SimdLevel, bounds: Bounds) -> Box<Self> {
        let searches = match level {
            SimdLevel::Portable => Searches::Portable(Search::new()),
            #[cfg(target_arch = "x86_64")]
            SimdLevel::Avx2(proof) => Searches::Avx2(proof, Search::new()),
            #[cfg(target_arch = "x86_64")]
            SimdLevel::Avx512(proof) => Searches::Avx512(proof, Search::new()),
            #[cfg(target_arch = "aarch64")]
            SimdLevel::Neon(proof) => Searches::Neon(proof, Search::new()),
        };
        Box::new(Self { searches, bounds, observed: None })
    }

    /// Visits every solution of one puzzle.
    #[inline]
    fn visit(&mut self, puzzles: Puzzles, visit: &mut Visit) {
        let answers = &mut [Answer::default()];
        let (limit, visit, bounds) = (usize::MAX, Some(visit), &self.bounds);
        let (wants_first, observer) = (true, Unobserved);
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
        if limit > 0 {
            let (answers, visit, bounds) = (&mut answers[start..], None, &self.bounds);
            let observer = Unobserved;
            let job = Job { puzzles, limit, wants_first, answers, visit, bounds, observer };
            Self::run(&mut self.searches, job);
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
        }
    }
}

impl Engine for Lanes {
    fn each_solution_of(&mut self, sukaku: &Sukaku, visit: &mut Visit) {
        self.visit(Puzzles::Sukakus(core::slice::from_ref(sukaku)), visit);
    }

    fn each_solution(&mut self, puzzle: &Grid, visit: &mut Visit) {
        self.visit(Puzzles::Grids(core::slice::from_ref(puzzle)), visit);
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
        let answers = &mut [Answer::default()];
        let search = self.observed.get_or_insert_with(|| Box::new(Search::new()));
        let (limit, visit, bounds) = (usize::MAX, Some(visit), &self.bounds);
        let (wants_first, observer) = (true, branch);
        let job = Job { puzzles, limit, wants_first, answers, visit, bounds, observer };
        level::run_observed(search, job);
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

    fn max_branches(&self) -> Option<u32> {
        self.bounds.max_branches()
    }

    fn slowest(&self) -> Option<Slowest> {
        match &self.searches {
            Searches::Portable(search) => search.slowest(),
            #[cfg(target_arch = "x86_64")]
            Searches::Avx2(_, search) => search.slowest(),
            #[cfg(target_arch = "x86_64")]
            Searches::Avx512(_, search) => search.slowest(),
            #[cfg(target_arch = "aarch64")]
            Searches::Neon(_, search) => search.slowest(),
        }
    }
}
