//! What a command is: it declares its columns and counts, and its workers write the records of chunks.

use super::{CHUNK_BYTES, Count, Rows, Writing};
use crate::input::{Chunk, Want};
use crate::output::{Column, Format};
use std::ops::ControlFlow;

/// A command on rows. Formats, the input's other columns, the choice of records, rejects, statistics, shards,
/// resuming, progress and cancellation belong to the run.
pub trait Command: Sync {
    /// What the step in input order needs of a chunk, with its memory.
    type Kept: Default + Send + 'static;

    /// The columns of a table of records, without `input` and `line`.
    fn columns(&self, _format: Format) -> Vec<Column> {
        Vec::new()
    }

    /// The counts of its statistics.
    fn counts(&self) -> Vec<Count> {
        Vec::new()
    }

    /// Bytes of input for a worker at a time, at most: fewer if a row has many records, because a chunk with more of them
    /// than memory should hold waits for its turn.
    fn chunk_bytes(&self) -> usize {
        CHUNK_BYTES
    }

    /// What its workers need of each line, if records are written like this.
    fn want(&self, writing: &Writing) -> Want {
        writing.want()
    }

    /// Answers the puzzles of chunks: a function for each thread. It reads a chunk, and writes the records of
    /// its rows, which depend on this chunk alone. `Break` gives up the rest of the chunk: a search was
    /// stopped, or no more records are wanted.
    fn worker(&self) -> impl FnMut(&Chunk<'_>, &mut Rows<'_, Self::Kept>) -> ControlFlow<()>;
}
