//! The run that all commands share.
//!
//! | file | content |
//! | --- | --- |
//! | `column`, `counts` | what a command declares: its columns, its counts |
//! | `command` | [`Command`], [`Worker`], [`Order`]: what a command does |
//! | `run` | [`Run`]: the run of a command |
//! | `rows` | [`Rows`]: the records of a chunk, row by row |
//! | `inputs`, `matcher` | the chunks of several inputs, and their answers from another file |
//! | `checkpoint`, `report` | how far a run has come; what it found |
//! | `slow` | the line whose search took longest |
#![forbid(unsafe_code)]

mod checkpoint;
mod column;
mod command;
mod counts;
mod error;
mod inputs;
mod matcher;
mod output;
mod report;
mod rows;
#[expect(clippy::module_inception, reason = "the run itself")]
mod run;
mod slow;

pub use checkpoint::Checkpoint;
pub use column::{Column, Kind};
pub use command::{Batch, Command, InOrder, LinesSoFar, Order, Place, Taken, Worker};
pub use counts::{Count, Counts, Shape};
pub use error::Error;
pub use inputs::{Inputs, Matched, Names, Piece};
pub use matcher::Matcher;
pub use output::Output;
pub use report::{InputReport, Report};
pub use rows::{Memory, Row, Rows, Short, Terms, Writing};
pub use run::{Begun, Run, drive};
pub use slow::{SLOW, SlowLine, SlowPlace};
