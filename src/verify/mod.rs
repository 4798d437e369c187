//! `ninefold verify`: judges puzzles and answers, and tells what is wrong with each line.
//!
//! ```text
//! inputs ──┬─> chunks ─> workers: `Judge`, records, counts ─> stage: duplicates, line numbers
//! answers ─┘
//! ```
//!
//! [`Verify`] is the run and [`Report`] what it found. Its parts can be used alone:
//!
//! | type | question |
//! | --- | --- |
//! | [`Judge`] | what is wrong with these puzzles and their answers? |
//! | [`Duplicates`] | did the same puzzle come before? [`Spool`] keeps puzzles that cannot be read again |
//! | [`Tally`] | how many of each verdict are there? |
#![forbid(unsafe_code)]

mod answers;
mod duplicate;
mod finding;
mod found;
mod judge;
mod matching;
mod options;
mod packed;
mod render;
mod report;
mod rows;
mod run;
mod source;
mod spool;
mod stage;
mod tally;
mod worker;

pub use answers::MatchedBy;
pub use duplicate::{DuplicateError, Duplicates, Earlier};
pub use finding::{Finding, FindingSet};
pub use judge::{Checks, Judge, Verdict};
pub use options::Verify;
pub use packed::{GRID_BYTES, Packed, PackedGrid, PackedSukaku, SUKAKU_BYTES};
pub use render::{Manner, View};
pub use report::{InputReport, Report};
pub use spool::Spool;
pub use tally::Tally;
