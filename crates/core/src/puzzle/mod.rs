//! Cells, digits, houses, grids, sukakus, solutions: their rules and their text.
//!
//! This module uses no other one. [`rules`] defines what is legal, and knows nothing of solving.
//!
//! ```
//! use ninefold_core::puzzle::{Cell, Grid, check_answer};
//!
//! let puzzle: Grid =
//!     "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79".parse()?;
//! let blank = Cell::all().find(|&cell| puzzle.get(cell).is_none());
//! assert_eq!(blank, Some(Cell::new(2)));
//! let solution = ninefold_core::solve(&puzzle)?;
//! assert_eq!(check_answer(&puzzle, solution.grid()), Ok(()));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![forbid(unsafe_code)]

pub mod answer;
mod any;
mod cell;
mod cells;
mod digit;
mod error;
mod grid;
pub mod parse;
#[expect(clippy::module_inception, reason = "the type of a puzzle")]
mod puzzle;
mod random;
mod render;
pub mod rules;
#[cfg(feature = "serde")]
mod serde;
mod solution;
mod sukaku;
pub(crate) mod tables;
pub mod text;

pub use answer::check_answer;
pub use any::{AnyPuzzle, IntoPuzzle};
pub use cell::{Cell, House};
pub use cells::{CellSet, CellSetIter};
pub use digit::{Digit, DigitSet, DigitSetIter};
pub use error::ParseError;
pub use grid::{Clues, Grid};
pub use parse::SolutionError;
pub use puzzle::Puzzle;
pub use random::{Random, Randomness};
pub use rules::{Clash, Clashes, WrongAnswer};
pub use solution::Solution;
pub use sukaku::Sukaku;
