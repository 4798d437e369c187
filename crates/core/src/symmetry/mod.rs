//! Symmetry: the transformations that keep the rules.
#![forbid(unsafe_code)]

mod isomorphism;

pub use isomorphism::Isomorphism;
