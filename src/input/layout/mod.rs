//! How the puzzles of an input are found in its lines: found once, before anything is read for good.
//!
//! ```text
//! samples ──> detect ──> evidence ──> rules ──> shape (Layout)      how every chunk is read
//!               header   what fields  which      └──> explain (Explanation)  why it is read so
//!                        hold         field
//! ```

pub(super) mod detect;
mod evidence;
pub(super) mod explain;
mod header;
mod rules;
pub(super) mod shape;
