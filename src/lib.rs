//! Solving Sudoku in bulk.
//!
//! From the inside out: [`puzzle`] is what a Sudoku is, [`engine`] the ways to solve one.

pub mod engine;
pub mod puzzle;
