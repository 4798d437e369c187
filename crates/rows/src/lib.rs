//! Bytes to rows, rows to bytes, and the run between them.
//!
//! ```text
//! input ──> chunks ──> workers of a command ──> records, in input order ──> output
//!           └─────────────── pipeline, driven by `run` ──────────────────┘
//! ```
//!
//! - [`input`]: files and streams, layouts, chunks, records.
//! - [`output`]: formats, compression, files that are complete or absent, resuming.
//! - [`pipeline`]: a source, N workers, one ordered stage. It knows no sudoku.
//! - [`run`]: the run that all commands share.
//! - `parquet`: values and schemas of Parquet columns, which `input` reads and `output` writes.
//!
//! No engine and no rule of sudoku is here: a command of the package `ninefold` brings them.

mod extent;
pub mod input;
pub mod output;
#[cfg(feature = "parquet")]
mod parquet;
pub mod pipeline;
pub mod run;

pub use extent::Extent;
use ninefold_core::{Grouped, puzzle};
