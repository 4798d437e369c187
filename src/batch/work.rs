//! What is done with each chunk, and what comes of it.

use super::verify::Verdicts;
use super::{Error, Stats};
use crate::input::Chunk;
use crate::output::Records;
use std::time::Duration;

/// What comes of a chunk, with the memory for it.
#[derive(Debug, Default)]
pub struct Output {
    /// What is to be written.
    pub records: Records,
    /// The lines that were not answered, and why.
    pub rejects: Records,
    /// What was found of each line, if lines are verified.
    pub verdicts: Verdicts,
    /// What was found.
    pub stats: Stats,
    /// The time that the engine took.
    pub solve_time: Duration,
}

/// Something that is done with every chunk. Each thread has its own.
pub trait Work: Send {
    /// Reads a chunk, and puts what comes of it in place of what is there. If `input` has a name,
    /// records say it. What comes of a chunk depends on that chunk alone.
    fn run(&mut self, chunk: &Chunk, input: Option<&str>, output: &mut Output);
}

/// Sees what came of every chunk, in the order of the lines, before it is written: on one thread.
pub(super) trait InOrder {
    /// Takes what came of a chunk that begins after so many lines of its input, and appends to
    /// `bytes` what is to be written in place of records.
    fn take(
        &mut self,
        input: usize,
        chunk: &Chunk,
        lines_before: u64,
        output: &mut Output,
        bytes: &mut Vec<u8>,
    ) -> Result<(), Error>;

    /// There are no more chunks.
    fn end(&mut self, bytes: &mut Vec<u8>) -> Result<(), Error>;
}
