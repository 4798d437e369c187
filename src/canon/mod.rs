//! `ninefold canon`: the canonical form of every puzzle of the inputs, one record each, in their order.
//!
//! ```text
//! chunk ─> Worker: grids ─> forms ─────────────────────> records, rejects, counts
//!                      └──> answers ─> solution forms ─┘     on many threads, by
//!                           (--form solution)                `bulk::write_records`
//! ```
//!
//! [`Canonize`] is the run, [`FormKind`] the form, [`Outcome`] what became of a puzzle. The forms
//! themselves are in [`symmetry`](crate::symmetry).
#![forbid(unsafe_code)]

mod outcome;
mod run;
mod stats;
mod worker;

pub use outcome::{FormKind, Outcome};
pub use run::Canonize;
pub use stats::Stats;
pub use worker::Worker;
