//! The Python package `ninefold`.
//!
//! ```text
//! module   Python: functions on strings and arrays, classes, exceptions     feature `python`
//!   │
//! jobs     the question about each row: solve, count, rate, …
//!   │
//! arrow    arrays in, arrays out: columns, batches, threads, streams
//! ```

pub mod arrow;
pub mod jobs;
#[cfg(feature = "python")]
mod module;
