//! The questions about each row of an array, and the columns of their answers.
//!
//! A question is a function that makes a [`Question`](crate::arrow::Question) of its options. Without
//! `details`, the answer is the first column alone.

mod canonical;
mod isomorphism;
mod list;
mod puzzles;
mod rate;
mod solve;
mod verify;

pub use canonical::{Formed, NO_MINLEX, canonical, form_of};
pub use isomorphism::isomorphism;
pub use list::solutions;
pub use puzzles::{Entry, Malformed, Puzzles, parse};
pub use rate::{Rate, SUKAKU, number, rate};
pub use solve::{count, is_unique, solve};
pub use verify::{Wrong, check, verify};

/// Columns of results, one list for each question.
pub mod columns {
    use crate::arrow::{Kind, Shape};

    const fn column(name: &'static str, kind: Kind, help: &'static str) -> Shape {
        Shape { name, kind, help }
    }

    const STATUS: Shape = column("status", Kind::Text, "the outcome in one word");
    const REASON: Shape = column("reason", Kind::Text, "why there is no result");

    /// Of `solve`.
    pub const SOLVE: &[Shape] = &[
        column("solution", Kind::Mirrored(Some(81)), "the solution"),
        STATUS,
        column("solutions", Kind::Number, "the number of solutions found, up to the limit"),
        REASON,
    ];
    /// Of `count`.
    pub const COUNT: &[Shape] = &[
        column("count", Kind::Number, "the number of solutions, up to the limit"),
        STATUS,
        REASON,
    ];
    /// Of `is_unique`.
    pub const UNIQUE: &[Shape] =
        &[column("unique", Kind::Flag, "whether there is exactly one solution"), STATUS, REASON];
    /// Of `solutions`.
    pub const SOLUTIONS: &[Shape] = &[
        column("solutions", Kind::Lists(Some(81)), "the first solutions, up to the limit"),
        STATUS,
        REASON,
    ];
    /// Of `canonical`.
    pub const CANONICAL: &[Shape] = &[
        column("form", Kind::Mirrored(None), "the canonical form"),
        STATUS,
        column("automorphisms", Kind::Number, "symmetries that map the puzzle to itself"),
        column("map", Kind::Text, "the transformation of the puzzle to its form"),
        REASON,
    ];
    /// Of `isomorphism`.
    pub const ISOMORPHISM: &[Shape] = &[
        column("map", Kind::Text, "the transformation of the puzzle to the other one"),
        STATUS,
        REASON,
    ];
    /// Of `verify`.
    pub const VERIFY: &[Shape] =
        &[column("right", Kind::Flag, "whether the answer is a solution"), STATUS, REASON];
    /// Of `rate`.
    pub const RATE: &[Shape] = &[
        column("effort", Kind::Float, "mean number of guesses over transformations"),
        column("effort_se", Kind::Float, "the standard error of the effort"),
        column("er", Kind::Float, "the rating of Sudoku Explainer: the hardest step"),
        column("ep", Kind::Float, "the hardest step up to the first digit placed"),
        column("ed", Kind::Float, "the first step"),
        column("technique", Kind::Text, "the technique of the hardest step"),
        column("grade", Kind::Text, "the simplest list of rules that solves the puzzle"),
        STATUS,
        REASON,
    ];
}
