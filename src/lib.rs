//! Solving Sudoku in bulk.
//!
//! From the inside out: [`puzzle`] is what a Sudoku is, [`engine`] holds the ways to solve,
//! [`input`] brings bytes in, [`output`] takes records out, and [`run`] leads from one to the
//! other on many threads. The commands are modules with their names in the program, from
//! [`mod@augment`] to [`verify`].
//!
//! ```
//! use ninefold::input::Source;
//! use ninefold::output::Sink;
//! use ninefold::pipeline::Control;
//! use ninefold::run::Run;
//! use ninefold::solve::Solve;
//!
//! let puzzles = b"53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79\n";
//! let source = Source::from_bytes("one puzzle", puzzles.to_vec());
//! let report = Run::default().to(Sink::stdout(), &Solve::default(), vec![source], Control::default())?;
//! assert_eq!(report.total.puzzles, 1);
//! # Ok::<(), ninefold::run::Error>(())
//! ```

pub mod augment;
pub mod bank;
pub mod canon;
#[cfg(feature = "cli")]
#[doc(hidden)]
pub mod cli;
pub mod generate;
pub mod minimize;
pub mod neighbors;
pub mod rate;
pub mod run;
pub mod search;
pub mod select;
pub mod solve;
pub mod steps;
pub mod verify;
mod written;

pub use ninefold_core::{Grouped, Solutions, Solver, Status, Verdict, count, is_unique, solve};
pub use ninefold_core::{difficulty, engine, minimal, names, puzzle, symmetry};
use ninefold_rows::Extent;
pub use ninefold_rows::{input, output, pipeline};

/// The seed of all random numbers unless another one is given, in the program and in the Python package.
pub const SEED: u64 = 1;

/// Runs the examples of docs/library.md.
#[cfg(doctest)]
#[doc = include_str!("../docs/library.md")]
struct LibraryGuide;

/// Runs the examples of the guide for games.
#[cfg(doctest)]
#[doc = include_str!("../docs/guide/game.md")]
struct GameGuide;

/// Runs the examples of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
