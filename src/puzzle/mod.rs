//! What a Sudoku is: cells, digits, houses, grids, their text form, and the rules.
//!
//! Uses no other room. Everything that other rooms claim about a puzzle is judged here, by
//! [`rules`], which knows nothing of solving.

mod cell;
mod digit;
mod grid;
pub mod parse;
mod render;
pub mod rules;

pub use cell::{Cell, House};
pub use digit::{Digit, DigitSet};
pub use grid::{Grid, Solution, Unsolved};
pub use parse::ParseError;
pub use rules::Clash;
