//! How the puzzles of an input are found in its lines: decided once, before anything is read for good.
//!
//! ```text
//! 64 KiB ──> head ──> table (one for each form) ──> rule ──┬─> shape (Layout)   how every chunk is read
//!            lines    classes and tallies of fields        └─> why              what --explain-input prints
//! ```

mod head;
pub(super) mod hints;
pub(super) mod rule;
pub(super) mod shape;
mod table;
mod tally;
pub(super) mod why;
