//! The Python package `ninefold`.
//!
//! ```text
//! module   Python: functions on strings and arrays, classes, exceptions     feature `python`
//!   │
//! jobs     the question about each row: solve, count, rate, …
//!   │
//! arrow    arrays in, arrays out: columns, batches, threads, streams
//! ```

#![cfg_attr(
    not(feature = "python"),
    allow(dead_code, unused_imports, reason = "`module` uses them")
)]

mod arrow;
mod jobs;
#[cfg(feature = "python")]
mod module;
