//! Arrow arrays in, Arrow arrays out. This half of the package knows no Python.
//!
//! ```text
//! stream ──> chunks ──┐
//! array ──────────────┴─> pick ──> Column ──> run(Job) ──> Table ──> answer ──> array
//!                         by name  rows       batches      values    mirrored
//! ```
//!
//! `pyo3-arrow` 0.20 would replace `stream` and `module/capsule`, about 240 lines. It is not used: it
//! needs arrow 59 and `arrow-cast` (110 crates instead of 83, a throw-away wheel of 3.06 MB instead of
//! 0.55 MB), refuses a polars frame with a column of nulls, and aborts Python if a stream panics.

mod answer;
mod chunks;
mod column;
mod error;
mod job;
mod mirror;
mod pick;
mod run;
mod stream;
mod table;
#[cfg(test)]
mod tests;

pub use answer::answer;
pub use chunks::{Answers, Chunks, Continue, Given};
pub use column::{Column, NULL_CELL, Row};
pub use error::ArrayError;
pub use job::{Job, Kind, Question, Shape, Worker};
pub use mirror::importable;
pub use pick::Pick;
pub use run::{Plan, Pulse, watched};
pub use stream::{Arrays, Input, stream};
pub use table::{Items, Table, Value};
