//! The textbook engines, a page each, with no tricks and nothing shared between them.
//!
//! They are oracles for tests, baselines for benches, and reading for people. Each finds one
//! solution, counts to `n`, or hands over every one, by the same walk.

mod scan;

pub use scan::Scan;
