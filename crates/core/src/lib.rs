//! Sudoku in memory: puzzles, engines, symmetry, difficulty. No dependencies, no threads, no I/O.
//!
//! ```text
//! lib (solve, count, is_unique, Solver)
//!      │
//! difficulty, minimal ──> engine ──> puzzle <── symmetry
//! ```

extern crate alloc;

pub mod difficulty;
pub mod engine;
pub mod minimal;
pub mod names;
pub mod puzzle;
mod status;
pub mod symmetry;

pub use status::{Status, StatusCounts};
