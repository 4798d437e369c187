//! `ninefold neighbors`: puzzles with one solution that differ from the puzzles of the input in a few clues.
//!
//! ```text
//! all threads                                              in order: NearOrder
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
pub(crate) mod args;
#[cfg(feature = "cli")]
mod found;
#[cfg(feature = "cli")]
mod options;
#[cfg(feature = "cli")]
mod order;
#[cfg(feature = "cli")]
mod worker;

pub use ninefold_core::neighbors::{Around, MOST_CLUES, Neighbors};

use crate::output::Column;

ninefold_core::named_enum! {
    /// The outcome of a source.
    pub enum Outcome, "status" {
        Unique = "unique", "has exactly one solution: a neighbor, or a source that was searched";
        Multiple = "multiple", "has more than one solution";
        None = "none", "is legal and has no solution";
        Conflict = "conflict", "has a digit twice in a house";
        Sukaku = "sukaku", "is a sukaku: it has no clues that could be removed";
        Malformed = "malformed", "is not a puzzle";
        Unknown = "unknown", "it or a neighbor takes more branches than allowed";
    }
}

/// The columns of a table of neighbors.
pub const COLUMNS: [Column; 7] = [
    Column::status("unique, or why the source is not searched"),
    Column::text("puzzle", "the neighbor: its canonical form, or as it was found"),
    Column::whole("clues", "the number of its clues"),
    Column::word("minimal", "true if no clue is redundant"),
    Column::decimal("er", "with --er, the score of the hardest step"),
    Column::whole("neighbors", "with --count, the number of neighbors of the neighbor"),
    Column::puzzle("source", "the cells of the source; if malformed, the text of the field"),
];

ninefold_core::named_enum! {
    /// What is counted of neighbors.
    pub enum Near, "count" {
        Found = "found", "a neighbor";
        Minimal = "minimal", "one without a redundant clue";
    }
}
