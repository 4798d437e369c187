//! Solving Sudoku in bulk.
//!
//! From the inside out: [`puzzle`] is what a Sudoku is, [`input`] brings bytes in, [`output`]
//! takes records out, [`engine`] holds the ways to solve, and [`batch`] is the pipeline that
//! leads from one to the other on many threads.

pub mod engine;
pub mod input;
pub mod puzzle;
