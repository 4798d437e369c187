//! Sudoku in memory: puzzles, engines, symmetry, difficulty. No dependencies, no threads, no I/O.
//!
//! ```text
//! lib (solve, count, is_unique, Solver)
//!      │
//! difficulty, minimal ──> engine ──> puzzle <── symmetry
//! ```

pub mod difficulty;
pub mod engine;
pub mod minimal;
pub mod puzzle;
pub mod symmetry;
