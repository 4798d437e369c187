//! Judging: whether an answer is right, what a puzzle needs, which clues can go, and whether it
//! was there before.
//!
//! Uses `engine` and `puzzle`. Each file answers one question, for many puzzles at a time:
//!
//! | file | question |
//! | --- | --- |
//! | [`solved`] | is this answer full and legal, and does it keep every clue? Never solves |
//! | [`grade`] | does the puzzle fall to singles, to locked candidates? |
//! | [`minimal`] | which clues can be left out, and the solution is still the only one? (`swaps` spares most of the solving) |
//! | [`duplicate`] | did the same puzzle come before? (`spool` keeps puzzles that cannot be read again) |
//!
//! [`judge`] puts all of them but the last together, and [`tally`] counts what it finds.
//!
//! Whether a puzzle is legal says [`crate::puzzle::rules`], and how many solutions it has an
//! [`Engine`](crate::engine::Engine) with a limit of 2.
#![forbid(unsafe_code)]

pub mod duplicate;
pub mod judge;
mod packed;
pub mod rows;
mod spool;
pub mod tally;

pub use duplicate::{DuplicateError, Duplicates, Earlier};
pub use judge::{Checks, Judge, Verdict};
pub use packed::{GRID_BYTES, Packed, PackedGrid, PackedSukaku, SUKAKU_BYTES};
pub use spool::Spool;
pub use tally::Tally;
