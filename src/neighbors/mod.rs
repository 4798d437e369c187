//! `ninefold neighbors`: puzzles with one solution that differ from the puzzles of the input in a few clues.
//!
//! ```text
//! workers                                                  ordered stage: NearOrder
//! sources ─> neighbors ─> class known? minimal? er? ─> records ─> class new? ─> output
//!    ^                                                                 │
//!    └─────────────── found: the new puzzles, one more input <─────────┘  (--rounds)
//! ```
//!
//! The search itself is in [`neighbors`](ninefold_core::neighbors). Each class of isomorphic puzzles is written
//! once: at the first source, in input order, that has it. Its neighbors are sorted, so the output is the
//! same for any number of threads.
//!
//! The new puzzles are an input like any other, with the name `found`: its lines are the new puzzles in
//! their order. So a checkpoint says how many of them are searched, and a resumed run reads the new puzzles
//! and the known classes from its own output.

#[cfg(feature = "cli")]
mod args;
#[cfg(feature = "cli")]
mod columns;
#[cfg(feature = "cli")]
mod found;
#[cfg(feature = "cli")]
mod options;
#[cfg(feature = "cli")]
mod order;
#[cfg(feature = "cli")]
mod worker;

#[cfg(feature = "cli")]
pub(crate) use args::{NeighborsArgs, declared};
#[cfg(feature = "cli")]
pub use columns::{COLUMNS, Outcome};
pub use ninefold_core::neighbors::{Around, MOST_CLUES, Neighbors};
