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
//! vectors, on what is made next to it, or on which of several solutions an engine finds first.
#![forbid(unsafe_code)]

mod dig;
mod fill;
mod make;
mod options;
mod recipe;
mod report;
mod run;
mod source;
mod stage;
mod symmetry;
mod unavoidable;

pub use fill::full_grid;
pub use make::{Made, Maker, Task};
pub use options::Generator;
pub use recipe::{Recipe, Start};
pub use report::Report;
pub use run::Origin;
pub use symmetry::Symmetry;
