//! `ninefold solve`: answers every puzzle of the inputs, one record each, in their order.
//!
//! ```text
//! chunk ─> Worker: grids ─> engine ─> answers ─> records, rejects, counts     on many threads, by
//!                                                                             `bulk::write_records`
//! ```
//!
//! [`Solve`] is the run, [`Question`] the question about each puzzle, and [`Report`] the result.
#![forbid(unsafe_code)]

mod every;
mod question;
mod render;
mod run;
mod stats;
mod worker;

pub use every::first_solutions;
pub use question::Question;
pub use run::Solve;
pub use stats::{Checkpoint, InputReport, Output, Reached, Report, Stats};
pub use worker::Worker;
