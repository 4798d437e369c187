//! Arrow arrays in, Arrow arrays out. This half of the package knows no Python.
//!
//! ```text
//! stream ──> chunks ──┐
//! array ──────────────┴─> pick ──> ArrayColumn ──> question ─────────> ResultTable ──> answer ──> array
//!                         by name  rows            batches           values          by type
//! ```
//!
//! `pyo3-arrow` 0.20 would replace `stream` and `module/capsule`, about 240 lines. It is not used: it
//! needs arrow 59 and `arrow-cast` (110 crates instead of 83, a throw-away wheel of 3.06 MB instead of
//! 0.55 MB), refuses a polars frame with a column of nulls, and aborts Python if a stream panics.

mod answer;
mod chunks;
mod column;
mod error;
mod pick;
mod question;
mod stream;
mod table;
#[cfg(test)]
mod tests;
mod text;

pub(crate) use answer::made;
pub(crate) use chunks::{ArrayAnswers, InputPieces};
pub(crate) use column::{ArrayColumn, ArrayRow, NULL_CELL};
pub(crate) use error::ArrayError;
pub(crate) use pick::ColumnPick;
pub(crate) use question::RowQuestion;
pub(crate) use stream::{Input, stream};
pub(crate) use table::{ResultColumn, ResultKind, ResultTable, ResultValue};
pub(crate) use text::{digits_array, importable};
