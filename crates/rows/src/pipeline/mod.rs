//! The pipeline: work on many threads, results in the order of the input, in fixed memory.
//!
//! ```text
//! each of N threads     claim ──> work ──> leave ──> take what is ready
//!                       source    output             in order, one thread at a time
//! ```
//!
//! The pipeline is generic. It does not know what a chunk holds or what is written: a command
//! gives a [`Source`] of [`Chunk`]s, and the functions that work on a chunk and take its output.
//!
//! A slot is the memory for one chunk and its output. There are `SLOTS_PER_THREAD` slots for
//! each thread, so memory does not grow with the input. A slot keeps its memory when it is
//! reused, so nothing is allocated after the first round.
//!
//! The size of chunks is learned: a chunk is as long as a thread needs 20 ms for it, within the
//! limits of the source. No output may depend on how the input is cut into chunks.
#![forbid(unsafe_code)]

mod control;
mod pace;
mod run;
mod source;
mod times;

pub use control::{Cancel, Control, Event, Progress};
pub use run::{Given, HandOver, MAX_THREADS, Pipeline, Stop};
pub use source::{Chunk, Filled, Source};
pub use times::{Spent, Times};
