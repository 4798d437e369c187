//! The pipeline: work on many threads, results in the order of the input, in fixed memory.
//!
//! ```text
//!              ┌──────────────── free slots ────────────────┐
//!              v                                            │
//! source ── chunks ──> workers ── outputs ──> reorder ──> ordered stage
//! 1 thread             N threads              the calling thread
//! ```
//!
//! The pipeline is generic. It does not know what a chunk holds or what is written: a command
//! gives a [`Source`] of [`Chunk`]s, and the functions that work on a chunk and take its output.
//!
//! A slot is the memory for one chunk and its output. There are `SLOTS_PER_THREAD` slots for
//! each worker, so memory does not grow with the input. A slot keeps its memory when it is
//! reused, so nothing is allocated after the first round.
//!
//! The size of chunks is learned: a chunk is as long as a worker needs 20 ms for it, within the
//! limits of the source. No output may depend on how the input is cut into chunks.
//!
//! The source has a separate thread because it may block on a pipe. Results that are finished
//! meanwhile are taken by the ordered stage. If the run ends while the source is blocked, the
//! thread is left behind.
#![forbid(unsafe_code)]

mod control;
mod flow;
mod pace;
mod run;
mod source;

pub use control::{Cancel, Control, Event, Progress};
pub use flow::{HandOver, Stop};
pub use run::{Given, MAX_THREADS, Pipeline};
pub use source::{Chunk, Filled, Source};
