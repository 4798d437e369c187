//! The transformations that keep a puzzle the same puzzle, and canonical forms: one form for all
//! puzzles that such a transformation maps to each other.
//!
//! ```text
//!   digits     relabelled                                   9!
//!   bands      in another order; in each its three rows     3! * 3!^3
//!   stacks     in another order; in each its columns        3! * 3!^3
//!   the grid   rows for columns, or not                     2
//!
//!   puzzle ──────────── Isomorphism ───────────► puzzle
//!        └──► Canon::one ──► form ◄── Canon::one ◄──────┘
//! ```
//!
//! There are 2 * 6^8 = 3,359,232 positions, each with 9! labels: 1.2 * 10^12 transformations. They
//! keep the number of solutions and everything else that does not depend on order.
//!
//! # Forms
//! | form | defined for | method |
//! | --- | --- | --- |
//! | [`Canon::one`] | every grid | full grids: `full`; others: `search`, row by row |
//! | [`Canon::solution_minlex`] | a puzzle and its only solution | `full`, then the clues |
//! | [`Canon::form_of`] | any puzzle, perhaps with its only solution | one of these; of a sukaku `full`, then the candidates |
//!
//! *Puzzle minlex* is the least image of the puzzle, read as a number of 81 digits with 0 for
//! blanks. It is what lists on forums mean by "minlex". *Solution minlex* is the least image of
//! the clues among the maps that take the solution to its own minlex form. It shows the solution.
//!
//! # Sources
//! Minlex forms come from the New Sudoku Players' Forum; gsf's program `sudoku` prints both. That
//! few row pairs and bands can begin a least grid is from the forum's threads 30325 and 43190.
//! The search over partial maps with tied columns is our own, as is all code. It resembles
//! the refinement of ordered partitions in `nauty` (B. D. `McKay`, "Practical
//! graph isomorphism", 1981).
//!
//! # Tried
//! - Nine labels one by one, with the leading blanks of each row first: twice the time of rows in vectors
//!   (`simd::bytes`), which take 4,000 instructions for a random minimal puzzle instead of 14,000.
#![forbid(unsafe_code)]
#![expect(clippy::inline_always, reason = "what is not inlined is compiled for the baseline CPU")]

mod band;
mod canon;
mod full;
mod isomorphism;
mod orders;
mod partial;
mod search;
mod text;

pub use canon::{Canon, Form, isomorphism, minlex};
pub use isomorphism::{Change, Isomorphism};
pub use text::IsomorphismError;
