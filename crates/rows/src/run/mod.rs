//! The run that all commands share: the chunks of several inputs, the records of each puzzle, counts,
//! checkpoints and reports.
#![forbid(unsafe_code)]

mod checkpoint;
mod counts;
mod error;
mod inputs;
mod output;
mod report;
#[expect(clippy::module_inception, reason = "the run itself")]
mod run;
mod slow;
mod writer;

pub use checkpoint::{Checkpoint, Reached};
pub use counts::Counts;
pub use error::Error;
pub use inputs::{CHUNK_BYTES, Inputs, Names, Piece, panicked};
pub use output::Output;
pub use report::{InputReport, Report};
pub use run::{Recorder, run_records, write_records};
pub use slow::{SLOW, SlowLine, SlowPlace};
pub use writer::{At, From, RecordWriter};
