//! `ninefold verify`: judges puzzles and answers, and tells what is wrong with each line.
//!
//! ```text
//! inputs ──┬─> chunks ─> workers: `Judge`, records, counts ─> stage: duplicates, leaks, line numbers
//! answers ─┘                                                 └─ `Table`, `Bank`
//! ```
//!
//! [`Verify`] is the run and [`Report`] what it found. Its parts can be used alone:
//!
//! | type | question |
//! | --- | --- |
//! | [`Judge`] | what is wrong with these puzzles and their answers? |
//! | [`Tally`] | how many of each verdict are there? |
#![forbid(unsafe_code)]

mod answers;
mod finding;
mod found;
mod judge;
mod matching;
mod options;

mod render;
mod report;
mod rows;
mod run;
mod source;

mod stage;
mod tally;
mod worker;

pub use answers::MatchedBy;
pub use finding::{Finding, FindingSet};
pub use judge::{Checks, Judge, Verdict};
pub use options::Verify;
pub use render::{Columns, Manner, View};
pub use report::{BankReport, InputReport, Report};
pub use tally::Tally;
