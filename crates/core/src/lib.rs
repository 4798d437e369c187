//! Sudoku in memory: solve, count, prove unique, grade and transform. No dependencies, no threads,
//! no I/O, no `std`.
//!
//! ```
//! use ninefold_core::puzzle::Grid;
//! use ninefold_core::{Solver, is_unique, solve};
//!
//! let line = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
//! let solution = solve(line)?;
//! assert!(solution.to_string().starts_with("534678912"));
//! assert!(is_unique(line)?);
//!
//! // Many puzzles side by side in the lanes of vectors: millions a second on one core.
//! let puzzles: Vec<Grid> = vec![line.parse()?; 1000];
//! let mut solver = Solver::new();
//! assert!(solver.solve_many(&puzzles).iter().all(|answer| answer.first == Some(solution)));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Modules
//! ```text
//! front door      solve, count, is_unique, Solver, Solutions, Verdict
//!                        │
//! difficulty, minimal ──> engine ──> puzzle <── symmetry, unavoidable
//! ```
//!
//! - [`puzzle`]: cells, digits, grids, sukakus and solutions, their text, and the rules.
//! - [`engine`]: the ways to solve, behind one trait. `lanes` solves many puzzles at once, `mrv` one.
//! - [`difficulty`]: the simplest set of rules that solves a puzzle without search.
//! - [`minimal`]: redundant clues.
//! - [`unavoidable`]: sets of cells in which every puzzle of a grid has a clue.
//! - [`symmetry`]: transformations that keep the rules.
//!
//! # Features
//! - `std` (default): detects the vector instructions of an x86-64 CPU at run time. Only the standard
//!   library can ask for them: the operating system must support AVX-512 as well. Without the
//!   feature, the crate is `no_std` and uses the instructions of the compiler's target
//!   (`-C target-cpu`). NEON is in the baseline of aarch64. Nothing else needs `std`; `alloc` is
//!   always needed.
//! - `reference`: the textbook engines `scan`, `flags`, `masks`, `candidates` and `dlx`. They are slow
//!   and readable, and judge the others.
#![cfg_attr(not(test), no_std)]

extern crate alloc;
#[cfg(feature = "std")]
extern crate std;

pub mod difficulty;
pub mod engine;
pub mod generate;
mod grouped;
pub mod minimal;
#[doc(hidden)] // for the crates of the workspace, as all hidden items
pub mod names;
pub mod puzzle;
mod solver;
mod status;
pub mod symmetry;
pub mod unavoidable;
mod verdict;

pub use engine::Solutions;
#[doc(hidden)]
pub use grouped::Grouped;
pub use names::UnknownName;
pub use solver::{Solver, count, is_unique, solve};
pub use status::Status;
#[doc(hidden)]
pub use status::StatusCounts;
pub use verdict::Verdict;

/// Runs the examples of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
