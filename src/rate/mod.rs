//! `ninefold rate`: how difficult each puzzle is, one record each, in their order.
//!
//! ```text
//! inputs ─> chunks ─> workers: one solution? ─> gauge ─> records ─> transaction
//! ```
//!
//! [`Rate`] is the run, and [`Stats`] what it counts. The measures themselves are in
//! [`difficulty`](crate::difficulty).
#![forbid(unsafe_code)]

mod options;
mod run;
mod stats;
mod worker;

pub use options::{COLUMNS, Question, Rate};
pub use stats::{Checkpoint, EffortCounts, Report, ScoreCounts, Stats};
pub use worker::Worker;
