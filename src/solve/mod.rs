//! `ninefold solve`: answers every puzzle of the inputs, one record each, in their order.
//!
//! ```text
//! inputs ─> chunks ─> workers: grids, answers, records ─> stage: line numbers ─> transaction
//!                     a `Worker` with an engine each      counts                 records, rejects,
//!                                                                                checkpoints
//! ```
//!
//! [`Solve`] is the run, [`Question`] the question about each puzzle, and [`Report`] the result.
#![forbid(unsafe_code)]

mod checkpoint;
mod every;
mod output;
mod question;
mod render;
mod report;
mod run;
mod stats;
mod worker;

pub use checkpoint::{Checkpoint, Reached};
pub use output::Output;
pub use question::Question;
pub use report::{InputReport, Report};
pub use run::Solve;
pub use stats::Stats;
pub use worker::Worker;
