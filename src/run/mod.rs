//! The run of all commands.
//!
//! ```text
//! inputs ─> chunks ─> workers: records, rejects, counts ─> stage, in input order ─> outputs, checkpoints
//!                     on all threads                       counts, progress
//! ```
//!
//! | file | content |
//! | --- | --- |
//! | `command` | [`Command`]: what a command does |
//! | `counts` | [`Count`], [`Counts`]: what it counts |
//! | `rows` | [`Rows`]: what a worker writes for a chunk |
//! | `write` | [`Run`]: the run of a command over inputs |
//! | `stage`, `output` | `Stage`: what comes of chunks, in input order |
//! | `turn` | line numbers, and what else needs the chunks before |
//! | `inputs` | the chunks of several inputs |
//! | `checkpoint`, `report` | the progress of a run; its result |
//! | `slow` | the line whose search took longest |
#![forbid(unsafe_code)]

mod checkpoint;
mod command;
mod counts;
mod error;
mod inputs;
mod output;
mod report;
mod rows;
mod slow;
mod stage;
mod turn;
mod write;

pub use crate::output::{Column, Kind};
pub use checkpoint::Checkpoint;
pub use command::Command;
pub use counts::{Clues, Count, Countable, Counts};
pub use error::Error;
pub(crate) use inputs::{CHUNK_BYTES, Inputs, Names, Piece};
pub(crate) use output::{Firsts, Output};
pub use report::{InputReport, Report};
pub(crate) use rows::{Memory, NOT_UTF8};
pub use rows::{Rows, Terms, Writing};
pub(crate) use slow::SlowPlace;
pub use slow::{SLOW, SlowLine};
pub(crate) use stage::Stage;
#[cfg(test)]
pub(crate) use turn::Passing;
pub(crate) use turn::{InOrder, Turn};
pub use write::Run;
pub(crate) use write::Taken;
