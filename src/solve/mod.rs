//! `ninefold solve`: answers every puzzle of the inputs, one record each, in their order.
//!
//! ```text
//! inputs ─> chunks ─> workers: grids, answers, records ─> stage: line numbers ─> writer
//!                     a `Worker` with an engine each      counts                 records, rejects,
//!                                                                                state of the run
//! ```
//!
//! [`Solve`] is the run, [`Question`] what is asked about each puzzle, and [`Report`] what was found.
#![forbid(unsafe_code)]

mod checkpoint;
mod every;
mod journal;
mod output;
mod question;
mod render;
mod report;
mod run;
mod stats;
mod worker;
mod writer;

pub use checkpoint::{Checkpoint, Reached};
pub use journal::{FLUSH_INTERVAL, Journal};
pub use output::Output;
pub use question::Question;
pub use report::{InputReport, Report};
pub use run::Solve;
pub use stats::Stats;
pub use worker::Worker;
pub use writer::{Rejects, Sinks};
