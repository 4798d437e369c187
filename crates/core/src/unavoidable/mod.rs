//! Unavoidable sets: cells of a full grid whose digits can be exchanged for another full grid.
//!
//! A puzzle without a clue in such a set has a second solution, so every puzzle of the grid has a clue in
//! each.
//!
//! ```text
//! · 4 · │ · 7 ·      the smallest have 4 cells: two digits, two rows, two columns, two boxes
//! · 7 · │ · 4 ·
//! ```
//!
//! Two kinds of sets are found fast, by following cycles: those of two digits, and those of two rows of a
//! band or two columns of a stack. Tests of minimality and the generator use these (`pairs`, `known`).

mod known;
mod pairs;

pub(crate) use known::{CluesLeft, KnownSets};
pub(crate) use pairs::necessary;
