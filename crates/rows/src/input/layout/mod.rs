//! How the puzzles of an input are found in its lines: decided once, before anything is read for good.
//!
//! ```text
//! 64 KiB ──> lines ──> fields ──> decide ──┬─> shape (Layout)   how every chunk is read
//!            head                 rules    └─> why              what --explain-input prints
//! ```

pub(super) mod decide;
mod evidence;
mod head;
mod rules;
pub(super) mod shape;
pub(super) mod why;
