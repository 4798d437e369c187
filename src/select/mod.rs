//! `ninefold select`: copies the input rows that meet conditions, byte for byte.
//!
//! ```text
//! inputs ─> chunks ─> workers: conditions ─> stage: banks, duplicates ─> every ─> sample ─> sort
//!                     cheapest first                                        ─> head ─> split ─> outputs
//! ```
//!
//! [`Select`] is the run: [`Conditions`] say which rows are meant, and [`Pick`] how many of them, in
//! which order. [`Split`] divides them. [`Report`] counts what was removed, and why.
#![forbid(unsafe_code)]

mod condition;
mod options;
mod pick;
mod report;
mod row;
mod run;
mod sample;
mod sorter;
mod split;
mod stage;
mod worker;

pub use condition::{AnswerIs, Condition, Conditions};
pub use options::Select;
pub use pick::{Order, Pick, SortBy, Stratum};
pub use report::Report;
pub use split::{Split, SplitError};
