//! Random full grids, and puzzles that are made of them: clues are removed while the puzzle has one
//! solution.
//!
//! ```text
//!   Random ──► full_grid ──► Dig ──► puzzle
//!   (seed,     81 digits     fewer     │
//!   puzzle,                  clues     └─ proven: every test is an engine's
//!   attempt)
//! ```
//!
//! A puzzle depends on the recipe, the seed and its index alone, down to the byte: not on vectors, on
//! what is made next to it, or on which of several solutions an engine finds first.
#![forbid(unsafe_code)]

mod dig;
mod fill;
mod make;
mod pattern;
mod recipe;
mod symmetry;

pub use fill::full_grid;
pub use make::{Made, Maker, Task};
pub use pattern::{PatternError, parse_pattern, pattern_cell};
pub use recipe::Recipe;
pub use symmetry::Symmetry;

use crate::puzzle::Randomness;

/// Makes a puzzle, with random numbers from a seed or a generator ([`Randomness`]). `None` if no attempt
/// was as requested.
///
/// The same recipe and seed give the same puzzle, on every machine. A [`Maker`] makes many.
///
/// ```
/// use ninefold_core::generate::{Recipe, generate};
///
/// let made = generate(&Recipe::default(), 7).expect("a minimal puzzle");
/// assert_eq!(ninefold_core::solve(made.puzzle)?, made.solution);
/// # Ok::<(), ninefold_core::Verdict>(())
/// ```
pub fn generate(recipe: &Recipe, random: impl Randomness) -> Option<Made> {
    Maker::new(recipe.clone(), random).one()
}
