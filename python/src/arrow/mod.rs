//! Arrow arrays in, Arrow arrays out. This half of the package knows no Python.
//!
//! ```text
//! stream ──> chunks ──┐
//! array ──────────────┴─> pick ──> Column ──> run(Job) ──> Cells ──> table ──> array
//!                         by name  rows       batches      columns   mirrored
//! ```

mod cells;
mod chunks;
mod column;
mod error;
mod import;
mod job;
mod mirror;
mod pick;
mod run;
mod stream;
mod table;
#[cfg(test)]
mod tests;

pub use cells::{Cells, Kind, Texts};
pub use chunks::{Answers, Chunks, Continue, Given};
pub use column::{Column, NULL_CELL, Row};
pub use error::ArrayError;
pub use import::importable;
pub use job::{Header, Job, Shape, Worker};
pub use mirror::Mirror;
pub use pick::Pick;
pub use run::{Plan, Pulse};
pub use stream::{Arrays, Input, Stream};
pub use table::answer;
