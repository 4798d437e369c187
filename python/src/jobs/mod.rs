//! The questions about each row of an array.

mod canonical;
mod isomorphism;
mod list;
mod puzzles;
mod rate;
mod solve;
mod verify;

pub use canonical::{Canonical, Formed, form_of};
pub use isomorphism::Isomorphisms;
pub use list::Solutions;
pub use puzzles::{Entry, Malformed, Puzzles, failure, parse};
pub use rate::{Rate, SUKAKU, number};
pub use solve::{Ask, Solve};
pub use verify::{Verify, Wrong, check};
