//! Making puzzles: random full grids, and clues taken away as long as the promise is kept.
//!
//! ```text
//!   Random ──► full_grid ──► Dig ──► puzzle            Isomorphism: a puzzle ──► another
//!   (seed,     81 digits     fewer     │
//!   puzzle,                  clues     └─ proven: every test is an engine's
//!   attempt)
//! ```
//!
//! A puzzle depends on the recipe and its index alone, down to the byte: not on threads, on
//! vectors, on what is made beside it, or on which of several solutions an engine finds first.
#![forbid(unsafe_code)]

mod dig;
mod fill;
mod given;
mod make;
mod recipe;
mod run;
mod symmetry;
mod unavoidable;

pub use fill::full_grid;
pub use make::{Made, Maker, Task};
pub use recipe::{Recipe, Start};
pub use run::{Generator, Origin, Progress, Report};
pub use symmetry::Symmetry;
