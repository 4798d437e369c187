//! What the tests share: [`puzzles`] from lists and from seeds, [`files`] strewn with them, [`labels`]
//! for files of which no two lines are the same, the project's [`lists`], [`contenders`] to solve them, and the built
//! [`program`].
#![allow(
    dead_code,
    unused_imports,
    unreachable_pub,
    reason = "each test program uses its own part of this"
)]

mod contenders;
pub(crate) mod corpus;
mod files;
mod labels;
pub(crate) mod lists;
mod program;
mod puzzles;

pub(crate) use contenders::*;
pub(crate) use files::*;
pub(crate) use labels::*;
pub(crate) use program::*;
pub(crate) use puzzles::*;
