//! The textbook engines, a page each, without tricks. Their searches share no code.
//!
//! They are oracles for tests, baselines for benches, and reading for people. Each finds one
//! solution, counts to `n`, or visits every solution, by the same walk.
#![forbid(unsafe_code)]

pub(super) mod candidates;
pub(super) mod dlx;
pub(super) mod scan;
pub(super) mod search;
