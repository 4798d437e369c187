//! Measures engines: rounds over lists of puzzles, every answer checked.
//!
//! ```text
//!            list by list, mode by mode           all permuted anew for each round
//!          ┌──────────────────────────┐          ┌──────────────────────────┐
//!  look ─► │ A      B      C      …   │ ─ round ─► A      B      C      …   │ ─ round ─► …
//!          └──────────────────────────┘          └──────────────────────────┘
//!   each engine once over the puzzles,            as many puzzles for each engine as its share
//!   observed: answers, branches, and              of the time allows; the clock runs while the
//!   puzzles that it does not finish               engine solves and stops while answers are
//!                                                 checked
//! ```
//!
//! - Rounds are interleaved: a disturbance of the machine hits all engines alike and shows in the
//!   spread of each.
//! - An [`Isomorphism`](crate::symmetry::Isomorphism) changes every puzzle before each round, the
//!   same one for all engines. No engine is lucky twice.
//! - An engine too slow for the list gets a part of it, another one in each round. An engine that
//!   does not finish a puzzle in a given time is given up on; the report has a lower bound of its time.
//! - Every answer is checked. A [`Wrong`] answer of an engine ends the measurement.
//! - A solver outside of this process (see [`Outside`]) gets its puzzles in a file. Its time is that
//!   of the whole process; the start-up time is measured apart. Wrong and missing answers, crashes
//!   and the time limit are part of its row.
//!
//! ```
//! use crate::bench::{Bench, Contender, List};
//! use crate::engine::EngineKind;
//! use crate::engine::lanes::SimdLevel;
//! use crate::pipeline::Control;
//! use std::time::Duration;
//!
//! let line = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
//! let lists = vec![List::new("one puzzle", "", [line.parse()?])];
//! let contenders = vec![Contender::new(EngineKind::Mrv, SimdLevel::best(), 1)?];
//! let mut bench = Bench::new(lists, contenders);
//! bench.time = Duration::from_millis(50);
//! let report = bench.run(Control::default())?;
//! assert!(report.rows[0].nanoseconds().is_some_and(|spread| spread.middle > 0.0));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![forbid(unsafe_code)]

mod answers;
mod check;
mod classics;
mod clock;
mod compare;
mod contender;
mod list;
mod measure;
mod noise;
mod outside;
mod probe;
mod report;
mod run;
mod stages;
mod stats;
#[cfg(test)]
mod tests;
mod trial;

pub use check::Wrong;
pub use compare::{Change, LEVEL, Verdict, compare};
pub use contender::{Contender, Label};
pub use list::{List, Skipped};
pub use measure::{MeasureError, measure};
pub use noise::Noise;
pub use outside::{Answers, End, Job, Outside, Ran, Usage};
pub use report::{Listed, Mode, Process, Report, Row};
pub use run::Bench;
pub use stages::{Stage, Stages, StagesError};
pub use stats::Spread;
