//! What the commands on lists of puzzles share: the chunks of several inputs, the run that writes a
//! record for each puzzle, and the error.
//!
//! `pipeline` knows nothing of inputs, and `input` knows nothing of threads. Here they meet.
//!
//! | file | content |
//! | --- | --- |
//! | `inputs` | the chunks of several inputs |
//! | `run` | [`write_records`]: the run of all commands that write records |
//! | `counts`, `output`, `report` | what a run counts; what comes of a chunk and of a run |
//! | `checkpoint` | how far a run has come |
//! | `writer` | the parts of a record that all commands share |
//! | `answers` | the answers to the puzzles of a chunk |
//! | `bounds`, `slow` | the bounds of all searches; the line that took longest |
//! | `measures` | the fields of a difficulty |
//! | `status_names` | counts of statuses in a checkpoint |
#![forbid(unsafe_code)]

mod answers;
mod bounds;
mod checkpoint;
mod counts;
mod error;
mod inputs;
mod measures;
mod output;
mod report;
mod run;
mod slow;
pub(crate) mod status_names;
mod writer;

pub use checkpoint::{Checkpoint, Reached};
pub use counts::Counts;
pub use error::Error;
pub use inputs::CHUNK_BYTES;
pub use measures::MEASURE_COLUMNS;
pub use output::Output;
pub use report::{InputReport, Report};
pub use run::{Recorder, run_records, write_records};
pub use slow::{SLOW, SlowLine};

pub(crate) use answers::{answer_all, answer_grids};
pub(crate) use bounds::bounds;
pub(crate) use inputs::{Inputs, Names, Piece, panicked};
pub(crate) use measures::measure_fields;
pub(crate) use slow::SlowPlace;
pub(crate) use writer::{At, From, RecordWriter};
