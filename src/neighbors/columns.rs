//! The columns and counts of neighbors.

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
