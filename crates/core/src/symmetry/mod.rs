//! Symmetry: the transformations that keep the rules.
//!
//! ```
//! use ninefold_core::puzzle::{Grid, Random};
//! use ninefold_core::symmetry::Isomorphism;
//!
//! let change = Isomorphism::random(&mut Random::new(1));
//! assert_eq!(change.apply(&Grid::EMPTY), Grid::EMPTY);
//! ```
#![forbid(unsafe_code)]

mod isomorphism;

pub use isomorphism::Isomorphism;
