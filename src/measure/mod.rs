//! How fast is it? Measured so that it can be believed.
//!
//! ```text
//!            list by list, mode by mode           all permuted anew for each round
//!          ┌──────────────────────────┐          ┌──────────────────────────┐
//!  look ─► │ A      B      C      …   │ ─ round ─► A      B      C      …   │ ─ round ─► …
//!          └──────────────────────────┘          └──────────────────────────┘
//!   each engine once over the puzzles,            as many puzzles for each as its share of
//!   looked at: answers, branches, and             the time allows; the clock runs while the
//!   what it does not finish                       engine solves, and stands while answers
//!                                                 are checked
//! ```
//!
//! - Rounds go over everything, so that whatever the machine does meanwhile hits all alike, and
//!   shows in the spread of each.
//! - Puzzles are changed in looks by an [`Isomorphism`](crate::symmetry::Isomorphism) before each
//!   round: no engine is lucky twice. All contenders get the same.
//! - An engine too slow for the list gets a part of it, another in each round. One that does not
//!   finish a puzzle in a given time is given up on: what it needs at least is all that is said.
//! - Every answer is checked ([`Wrong`] ends everything).
//!
//! Apart from clocks, which are asked for through [`Clock`], all is a function of its arguments.
#![forbid(unsafe_code)]

mod bench;
mod check;
mod clock;
mod compare;
mod contender;
mod list;
mod probe;
mod report;
mod stages;
mod stats;
mod trial;

pub use bench::Bench;
pub use check::{Fault, Wrong};
pub use clock::{Clock, SystemClock};
pub use compare::{Change, LEVEL, Verdict, compare};
pub use contender::{BATCH, Contender, Label};
pub use list::{List, MOST_PUZZLES, Sampler};
pub use report::{Listed, Mode, Report, Row};
pub use stages::{Error as StagesError, Stage, Stages};
pub use stats::{Spread, rank_test};
