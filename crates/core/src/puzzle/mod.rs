//! What a Sudoku is: cells, digits, houses, grids, sukakus, their text form, and the rules.
//!
//! Uses no other room. Everything that other rooms claim about a puzzle is judged here, by
//! [`rules`], which knows nothing of solving.
#![forbid(unsafe_code)]

pub mod answer;
mod cell;
mod cells;
mod digit;
mod grid;
pub mod parse;
mod random;
mod render;
pub mod rules;
mod sukaku;

pub use answer::{WrongAnswer, check_answer, check_answer_of};
pub use cell::{Cell, House};
pub use cells::CellSet;
pub use digit::{Digit, DigitSet};
pub use grid::{Grid, Solution, Unsolved};
pub use parse::{ParseError, SukakuError};
pub use random::Random;
pub use rules::Clash;
pub use sukaku::Sukaku;
