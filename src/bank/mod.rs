//! Banks: which of these puzzles came before, exactly or up to symmetry?
//!
//! ```text
//! puzzle ── Keys ──> Packed ──> Key ─┬─> Earlier::find ──> the first line of each puzzle
//!           form     41 or 92   128 bits
//!                    bytes           └─> Bank::find
//! ```
//!
//! | type | use |
//! | --- | --- |
//! | [`Same`] | which puzzles count as the same: exact or isomorphic |
//! | `Form` | what is compared: the puzzle itself, its minlex form, or the form of its solution |
//! | [`Keys`] | makes forms: `keys.of(&puzzle, solution)` is for a `Table`, `keys.stable_hash(…)` for all else |
//! | `Key` | a hash of 128 bits, keyed with a random secret |
//! | `Table` | keys, each with the least ordinal of its lines |
//! | `Earlier` | the table of a run, in which each puzzle is compared with all before |
//! | [`Known`] | a table of puzzles in memory, which another process can take over |
//! | [`Load`], [`Bank`] | a table of the puzzles of files, loaded on all threads |
//!
//! A worker looks its keys up in a bank, which no longer changes: `bank.find(key)` returns the name of the file
//! and the line. Lines are counted over all inputs: that is their ordinal.
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
pub(crate) use table::Earlier;
