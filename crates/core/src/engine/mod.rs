//! Engines: the ways to solve. All keep one contract, and one test suite judges them all.
//!
//! # The contract
//! A puzzle is a [`Grid`](crate::puzzle::Grid) or a [`Sukaku`](crate::puzzle::Sukaku); all of this
//! holds for both.
//!
//! 1. The answer to a puzzle depends only on the puzzle, the limit and the most branches. It does not depend on the
//!    batch, on earlier puzzles, or on the CPU.
//! 2. Every visited solution is full, legal, and keeps every clue, or every candidate set of a
//!    sukaku. [`Solution`](crate::puzzle::Solution) is the proof of the first two.
//! 3. No solution is visited twice, and none is missing below the limit.
//! 4. A puzzle with a digit twice in a house has no solution, and this is found before any search.
//!    The same holds for a sukaku that is not legal
//!    ([`Sukaku::is_legal`](crate::puzzle::Sukaku::is_legal)).
//! 5. Solving a puzzle allocates nothing, except to grow the caller's `Vec`.
//! 6. A sukaku whose cells all have one candidate or nine has the same solutions as the grid of
//!    its singles.
//!
//! Each engine visits several solutions in its own order, which never changes.
//!
//! # Bounds
//! [`EngineKind::build_bounded`] makes an engine that gives up a puzzle after a number of branches, or all
//! puzzles when a flag is set. A branch is a board on which the engine guesses; those of the search
//! for the existence of a solution, which `lanes` and `mrv` ask in long searches, count too. The number
//! of branches of a puzzle depends only on the engine, the puzzle and the limit of solutions: with a
//! bound, `lanes` does not divide the tree of a puzzle among idle lanes.
//!
//! # The engines
//! [`EngineKind::ALL`] lists them.
//!
//! ```
//! use ninefold_core::engine::EngineKind;
//! use ninefold_core::puzzle::Grid;
//!
//! for &kind in EngineKind::ALL {
//!     assert_eq!(kind.build().solve(&Grid::EMPTY, 2).count, 2, "{kind}");
//! }
//! ```
//!
//! ```text
//! reference   scan, candidates, dlx: textbook solvers, a page each (feature `reference`)
//! mrv         portable, no memory but the stack: bit masks, singles, most constrained cell next
//! lanes       many puzzles side by side, one in each lane of a vector: the default
//! ```
//!
//! A new engine is one file with an [`Engine`] and one line in `kind.rs`. `tests/library/engines_agree.rs`
//! judges it without a new test.

mod bounds;
mod contract;
mod existence;
mod kind;
pub mod lanes;
mod mrv;
#[cfg(feature = "reference")]
mod reference;
mod worker;

pub use bounds::Bounds;
#[doc(hidden)]
pub use contract::Slowest;
pub use contract::{Answer, Branch, Engine, Other, Visit};
pub use kind::EngineKind;
pub use mrv::Solutions;
pub(crate) use mrv::{first_solutions, places};
pub(crate) use worker::WorkerEngine;
