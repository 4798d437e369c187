//! What leaves a puzzle the same puzzle: the transformations that keep the rules.
#![forbid(unsafe_code)]

mod isomorphism;

pub use isomorphism::Isomorphism;
