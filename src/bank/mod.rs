//! Banks of puzzles: is this puzzle, or one that is isomorphic to it, among a hundred million?
//!
//! ```text
//! puzzle ── Forms ──> form, packed ── key: 128 bits ──> Seen ──> the place of the first, or none
//!                                     XXH3              Bank: the same, loaded from files
//! ```
//!
//! | type | use |
//! | --- | --- |
//! | [`Same`] | which puzzles count as the same: exact or isomorphic |
//! | [`Form`], [`Forms`] | the form by which puzzles are compared; isomorphic puzzles have one |
//! | [`PackedGrid`] | a form in 41 bytes; [`Packed::key`] is its hash of 128 bits |
//! | [`Seen`] | puzzles with their places; adds and finds [`Batch`]es |
//! | [`Load`], [`Bank`] | the puzzles of files, loaded on all threads |
//! | [`Duplicates`], [`Spool`] | the table and the temporary file of `Seen` |
//!
//! To compare puzzles of a run with a bank, a worker makes the forms of its chunk
//! (`forms.grid(&grid, solution)`, pushed to a [`Batch`]), and the ordered stage asks
//! [`Bank::find`], then [`Bank::place`] for each puzzle. To split a collection so that isomorphic
//! puzzles stay together, take the remainder of [`Packed::key`] of the form.
//!
//! Memory: up to 31 bytes a puzzle, and 49 bytes in a temporary file (a sukaku 100).
#![forbid(unsafe_code)]

#[expect(clippy::module_inception, reason = "the bank itself")]
mod bank;
mod forms;
mod packed;
mod seen;
mod spool;
mod table;

pub use bank::{Bank, Load, Prepared};
pub use forms::{Form, Forms, Same};
pub use packed::{GRID_BYTES, Packed, PackedGrid, PackedSukaku, SUKAKU_BYTES};
pub use seen::{Batch, Place, Seen};
pub use spool::Spool;
pub use table::{DuplicateError, Duplicates, Earlier};
