//! `ninefold select`: copies the input rows that meet conditions, byte for byte.
//!
//! ```text
//! chunks ─> workers: conditions, banks ─> duplicates ─> sample ─> head ─> split ─> outputs
//!           cheapest first                in input order
//! ```
//!
//! | file | content |
//! | --- | --- |
//! | `args`, `options` | the command as typed; its conditions and counts |
//! | `expression` | conditions on columns of the input |
//! | `column` | the names of these columns in options |
//! | `worker` | the conditions that depend on a row alone |
//! | `picker` | duplicates, and the choice of rows, in input order |
//! | `sample`, `split` | its steps |
#![forbid(unsafe_code)]

#[cfg(feature = "cli")]
pub(crate) mod args;
mod column;
#[cfg(feature = "cli")]
mod expression;
#[cfg(feature = "cli")]
mod options;
#[cfg(feature = "cli")]
mod picker;
#[cfg(feature = "cli")]
mod sample;
mod split;
#[cfg(feature = "cli")]
mod worker;

pub(crate) use column::column_name;
pub use split::{Classes, Split};

ninefold_core::named_enum! {
    /// Which rows of a split are in the same part: the classes.
    pub enum Group, "group" {
        @default Form = "form", "isomorphic puzzles";
        Solution = "solution", "puzzles whose only solutions are isomorphic; others as form";
        Row = "row", "equal rows";
    }
}
