//! Bytes to rows, and rows to bytes.
//!
//! ```text
//! input ──> chunks ──> workers ──> records, in input order ──> output
//!           └──────────────── pipeline ───────────────┘
//! ```
//!
//! - [`input`]: files and streams, layouts, chunks, records.
//! - [`output`]: formats, compression, files that are complete or absent, resuming.
//! - [`pipeline`]: a source, N equal threads, outputs in order. It knows no sudoku.
//! - `parquet`: values and schemas of Parquet columns, which `input` reads and `output` writes.
//!
//! No engine and no rule of sudoku is here: a command of the package `ninefold` brings them.

mod extent;
pub mod input;
pub mod output;
#[cfg(feature = "parquet")]
mod parquet;
pub mod pipeline;

pub use extent::Extent;
use ninefold_core::{Grouped, puzzle};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Locks something that nothing in here leaves half done, also if another thread has panicked.
pub fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
