//! What the commands on lists of puzzles share: the run (of `ninefold-rows`), the answers to the puzzles
//! of a chunk, the bounds of searches, and the fields of a difficulty.
#![forbid(unsafe_code)]

mod answers;
mod bounds;
mod measures;
pub(crate) mod status_names;

pub use measures::MEASURE_COLUMNS;
pub use ninefold_rows::run::{
    CHUNK_BYTES, Checkpoint, Counts, Error, InputReport, Output, Reached, Recorder, Report, SLOW,
    SlowLine, run_records, write_records,
};

pub(crate) use answers::answer_all;
pub(crate) use bounds::bounds;
pub(crate) use measures::measure_fields;
pub(crate) use ninefold_rows::run::{
    At, From, Inputs, Names, Piece, RecordWriter, SlowPlace, panicked,
};
