//! Sudoku in memory: solve, enumerate, generate, rate, explain and transform. No threads, no I/O, no `std`,
//! and no dependencies unless a feature asks for one.
//!
//! A puzzle is a text of 81 cells, rows of numbers, a [`Grid`](puzzle::Grid), or a
//! [`Sukaku`](puzzle::Sukaku), which gives candidates.
//!
//! ```
//! use ninefold_core::difficulty::Steps;
//! use ninefold_core::generate::{Recipe, generate};
//! use ninefold_core::{count, is_unique, next_step, rate, solutions, solve};
//!
//! let puzzle = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
//!
//! // Solve, and prove that there is no other solution.
//! assert!(solve(puzzle)?.to_string().starts_with("534678912"));
//! assert!(is_unique(puzzle)?);
//!
//! // Enumerate (`solve` finds one of several): an iterator in lexicographic order. Or only count, up to a limit.
//! let several = puzzle.replace(['5', '6'], ".");
//! for solution in solutions(&several)?.take(3) {
//!     assert!(solution.keeps_clues_of(&several.parse()?));
//! }
//! assert_eq!(count(&several, 1000)?, solutions(&several)?.take(1000).count());
//!
//! // Generate: the same recipe and seed give the same puzzle. Feature `rand`: any generator.
//! let made = generate(&Recipe { clues: Some(26..=28), ..Recipe::default() }, 7).expect("common");
//! assert_eq!(solve(made.puzzle)?, made.solution);
//!
//! // Rate: Sudoku Explainer's scores er, ep and ed, and the hardest technique.
//! assert_eq!(rate(puzzle)?.to_string(), "1.2,1.2,1.2,hidden-single-box");
//!
//! // Hint: the next step of a patient player.
//! let step = next_step(puzzle)?.expect("a blank");
//! assert_eq!(step.to_string(), "Hidden Single Box: 8 in box 2 can only be in r1c6; place 8 in r1c6");
//! let filled = step.placement.expect("other techniques have `eliminations`");
//! assert_eq!(solve(puzzle)?[filled.cell], filled.digit);
//!
//! // All steps: an iterator, which keeps the candidates.
//! assert_eq!(Steps::new(puzzle)?.count(), 51);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # One puzzle or many
//! | question | one puzzle | many puzzles | sukakus |
//! | --- | --- | --- | --- |
//! | its solution; the number of solutions | [`solve`], [`is_unique`], [`count`] | [`Solver`] | yes |
//! | its solutions, one after the other | [`solutions()`] | an iterator, [`Solutions`] | yes |
//! | the outcome with its reason | [`verdict()`] | [`Answer::verdict`](engine::Answer::verdict) | yes |
//! | redundant clues | [`is_minimal`], [`redundant_clues`] | [`Minimality`](minimal::Minimality) | yes |
//! | a minimal puzzle inside it | | [`Minimizer`](minimal::Minimizer) | no: which clues are removed is defined for grids |
//! | its rating | [`rate`] | [`Rater`](difficulty::Rater) | yes |
//! | its rating, effort, grade and backdoors | [`backdoors`](difficulty::backdoors) | [`Gauge`](difficulty::Gauge) | the rating only |
//! | the next step; all steps | [`next_step`] | an iterator, [`Steps`](difficulty::Steps) | yes |
//! | its canonical form; a map to another puzzle | [`minlex`], [`isomorphism`] | [`Canon`](symmetry::Canon) | no minlex form: [`Canon::form_of`](symmetry::Canon::form_of) |
//! | a new puzzle; a full grid | [`generate()`](generate::generate), [`full_grid`](generate::full_grid) | [`Maker`](generate::Maker) | |
//!
//! All workers have one shape. `new()` has the usual settings, and methods `with_…` change them. `one(&puzzle)`
//! gives one result. `many(&puzzles)` gives a slice of results in the order of the puzzles; it is valid until
//! the next call. A worker keeps its memory, and some solve puzzles side by side in the lanes of vectors:
//! millions a second on one core. Threads need a worker each.
//!
//! ```
//! use ninefold_core::Solver;
//! use ninefold_core::difficulty::Rater;
//! use ninefold_core::puzzle::Grid;
//!
//! let easy: Grid =
//!     "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79".parse()?;
//! let puzzles = vec![easy; 1000];
//! let mut solver = Solver::new();
//! assert_eq!(solver.one(&easy).count, 1);
//! assert!(solver.many(&puzzles).iter().all(|answer| answer.count == 1));
//!
//! let mut rater = Rater::new().with_max_er(70);
//! assert!(rater.many(&puzzles).iter().all(Result::is_ok));
//! # Ok::<(), ninefold_core::puzzle::ParseError>(())
//! ```
//!
//! # Modules
//! ```text
//! generate                                        a row uses the rows below it
//! difficulty     minimal     neighbors
//! solve, count, is_unique, Solver
//! engine, Solutions, Verdict
//! symmetry
//! simd     unavoidable
//! puzzle     names
//! ```
//!
//! - [`puzzle`]: cells, digits, grids, sukakus and solutions, their text, and the rules.
//! - [`engine`]: the ways to solve, behind one trait. `lanes` solves many puzzles at once, `mrv` one.
//! - [`difficulty`]: the simplest set of rules that solves a puzzle without search.
//! - [`generate`](mod@generate): full grids, and puzzles that are made of them.
//! - [`minimal`]: redundant clues.
//! - [`names`]: enums whose values have names, and sets of them.
//! - [`neighbors`]: puzzles that differ in a few clues.
//! - [`symmetry`]: transformations that keep the rules.
//!
//! # Features
//! - `std` (default): detects the vector instructions of an x86-64 CPU at run time. Only the standard
//!   library can ask for them: the operating system must support AVX-512 as well. Without the
//!   feature, the crate is `no_std` and uses the instructions of the compiler's target
//!   (`-C target-cpu`). NEON is in the baseline of aarch64. Nothing else needs `std`; `alloc` is
//!   always needed.
//! - `rand`: random puzzles and transformations from any generator of `rand_core` 0.10. Seeds need no
//!   feature.
//! - `serde`: `Serialize` and `Deserialize` for cells, digits, grids, sukakus and solutions; text in
//!   readable formats, bytes in others.
//! - `reference`: the textbook engines `scan`, `candidates` and `dlx`. They are slow
//!   and readable, and judge the others.
#![cfg_attr(not(test), no_std)]

extern crate alloc;
#[cfg(feature = "std")]
extern crate std;

mod bits;
pub mod difficulty;
pub mod engine;
pub mod generate;
mod grouped;
pub mod minimal;
pub mod names;
pub mod neighbors;
pub mod puzzle;
mod questions;
mod simd;
mod solver;
mod status;
pub mod symmetry;
mod unavoidable;
mod verdict;

pub use difficulty::{next_step, rate};
pub use engine::Solutions;
pub use grouped::Grouped;
pub use minimal::{is_minimal, redundant_clues};
pub use names::UnknownName;
pub use solver::{Solver, count, is_unique, solutions, solve, verdict};
pub use status::Status;
pub use symmetry::{isomorphism, minlex};
pub use verdict::Verdict;

/// Runs the examples of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct CoreReadme;
