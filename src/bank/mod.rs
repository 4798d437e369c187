//! Banks: which of these puzzles came before, exactly or up to symmetry?
//!
//! ```text
//! all threads, in any order                           one at a time, in input order
//! puzzle ── Keys ──> Packed ──> Key ──────────────────> Table::add ──> the first place of each
//!           form     41 or 92   128 bits                               puzzle, if it has one
//!                    bytes      └─> Bank::find
//! ```
//!
//! | type | use |
//! | --- | --- |
//! | [`Same`] | which puzzles count as the same: exact or isomorphic |
//! | `Form` | what is compared: the puzzle itself, its minlex form, or the form of its solution |
//! | [`Keys`] | makes forms: `keys.of(&puzzle, solution)` is for a `Table`, `keys.stable_hash(…)` for all else |
//! | `Key` | a hash of 128 bits, keyed with a random secret |
//! | `Table` | keys with the places where they were first added |
//! | [`Known`] | a table of puzzles in memory, which another process can take over |
//! | [`Load`], [`Bank`] | a table of the puzzles of files, loaded on all threads |
//!
//! A worker looks its keys up in a bank, which no longer changes: `bank.find(key)` returns the name of the file
//! and the line. Where chunks are taken in order, earlier puzzles are looked for: `table.add(input, &lines, &keys)` returns an
//! `Option<LinePlace>` for each key of a chunk. They may be in any order that keeps equal keys in the order of
//! their lines: all grids before all sukakus, say.
//!
//! Memory: 34 to 38 bytes for each different puzzle. Nothing is written to disk.
#![forbid(unsafe_code)]

mod forms;
mod known;
mod load;
mod table;

pub(crate) use forms::Form;
pub use forms::{Key, Keys, Same};
pub use known::Known;
pub use load::{Bank, Load};
pub(crate) use table::Table;
