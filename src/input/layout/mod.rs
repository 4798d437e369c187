//! How the puzzles of an input are found in its lines: found once, before anything is read for good.
//!
//! ```text
//! lines ──> detect ──> shape (Layout)        what every chunk is read by
//!              └─────> explain (Explanation) which readings there were, and why one was taken
//! ```
//!
//! The rules and their order are those of [`detect`].

pub(super) mod detect;
pub(super) mod explain;
pub(super) mod shape;
