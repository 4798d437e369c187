//! What leaves a puzzle the same puzzle: the transformations that keep the rules, and the
//! canonical forms of puzzles that differ by them only.
#![forbid(unsafe_code)]

mod band;
mod canon;
mod full;
mod isomorphism;
mod partial;
mod search;
mod text;

pub use canon::{Canon, Form, are_isomorphic};
pub use isomorphism::Isomorphism;
pub use text::IsomorphismError;
