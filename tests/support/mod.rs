//! What the tests share: [`puzzles`] from lists and from seeds, [`files`] strewn with them, and
//! [`contenders`] to solve them.
#![allow(unused_imports, reason = "each test program uses its own part of this")]

mod contenders;
mod files;
mod puzzles;

pub(crate) use contenders::*;
pub(crate) use files::*;
pub(crate) use puzzles::*;
