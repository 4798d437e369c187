//! The textbook engines, a page each, with no tricks and nothing shared between them.
//!
//! They are oracles for tests, baselines for benches, and reading for people. Each finds one
//! solution, counts to `n`, or hands over every one, by the same walk.
#![forbid(unsafe_code)]

mod candidates;
mod dlx;
mod flags;
mod masks;
mod scan;

pub use candidates::Candidates;
pub use dlx::Dlx;
pub use flags::Flags;
pub use masks::Masks;
pub use scan::Scan;
