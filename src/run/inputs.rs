//! The chunks of several inputs, one input after the other.

use super::error::Error;
use crate::input::{self, Chunk, ChunkBuffer, Chunks, ParquetValues, Source, Want};
use crate::pipeline::{self, Filled};
use std::io;
use std::ops::RangeInclusive;
use std::sync::Arc;
use std::vec::IntoIter;

/// Bytes given to one worker at a time, at most: fewer if it would take long for them.
///
/// A line is 82 bytes, so this is about 3,200 puzzles, 100 for each of 32 lanes: few lanes are
/// without a puzzle because the chunk runs out. Bytes, grids, answers and records take 1.1 MB, and
/// stay in a level 2 cache of 2 MiB. `cargo bench --bench pipeline`, one worker, an engine that
/// knows the answer, Xeon with such a cache: 31 ns a puzzle with chunks of 16 KiB, 24 with 64, 21
/// with 256, 24 with 1,024; 12 of them are the worker's.
///
/// There are four chunks for each worker. 256 KiB of records and, if they are streamed, as much of
/// input make 2 MiB a worker, if the lines are puzzles. Chunks of shorter lines are smaller: see
/// `SHORT_LINES`.
pub(crate) const CHUNK_BYTES: usize = 256 * 1024;

/// The first chunks have one line with one puzzle. Chunks of an engine that needs 20 ms for one
/// puzzle stay so. Twelve times twice as long is the longest chunk.
const LEAST_BYTES: usize = 82;

/// Short lines of all chunks that are under way, about.
///
/// Lines shorter than a puzzle are malformed. The record of one, its splice and its gap take about 130
/// bytes, 260 as memory grows by doubling: 16 MB for 60,000, on any number of threads. 5,000,000 lines
/// of one byte took 69 MB on one thread and 385 MB on 8 while a chunk had 131,072 of them.
const SHORT_LINES: usize = 60_000;

/// A chunk of one of the inputs.
#[derive(Default)]
pub(crate) struct Piece {
    /// Its bytes.
    pub(crate) chunk: ChunkBuffer,
    /// Which of the inputs it belongs to.
    pub(crate) input: usize,
    /// Its number among all chunks of the run, from 0.
    pub(super) number: u64,
}

impl pipeline::Chunk for Piece {
    fn size(&self) -> u64 {
        self.chunk.input_bytes()
    }
}

impl Piece {
    /// How many lines it has. If it cannot be read, none.
    pub(super) fn lines(&self) -> u64 {
        self.chunk.read(|chunk| chunk.lines().count() as u64).unwrap_or_default()
    }
}

/// Reads inputs one after the other. An input is opened when it is its turn.
pub(crate) struct Inputs {
    rest: IntoIter<Source>,
    current: Option<Chunks>,
    /// How many inputs have been begun.
    begun: usize,
    /// How many chunks have been filled.
    filled: u64,
    /// The most short lines of a chunk.
    short_lines: usize,
    want: Want,
}

impl Inputs {
    /// Reads these inputs, in their order. Of Parquet files, the columns that are wanted.
    pub(crate) fn new(sources: Vec<Source>, want: Want) -> Self {
        let (rest, short_lines) = (sources.into_iter(), SHORT_LINES);
        Self { rest, current: None, begun: 0, filled: 0, short_lines, want }
    }

    /// Whether one of them is a pipe or the like.
    pub(crate) fn may_wait(&self) -> bool {
        self.rest.as_slice().iter().any(|source| !source.is_stored())
    }

    /// Fills the piece with the next lines of the current input, about this many bytes. Those of Parquet files are
    /// still to be loaded.
    pub(crate) fn fill(&mut self, piece: &mut Piece, size: usize) -> Result<Filled, Error> {
        let Some(chunks) = &mut self.current else {
            let Some(mut source) = self.rest.next() else { return Ok(Filled::End) };
            if !self.want.lines {
                source.write_values(ParquetValues::IfNeeded { answers: self.want.solutions });
            }
            self.current = Some(source.into_chunks());
            piece.input = self.begun;
            self.begun += 1;
            return Ok(Filled::Nothing);
        };
        piece.input = self.begun - 1;
        if chunks.claim(&mut piece.chunk, size, self.short_lines)? {
            piece.number = self.filled;
            self.filled += 1;
            return Ok(Filled::Chunk);
        }
        self.current = None;
        Ok(Filled::Nothing)
    }
}

/// The chunks of a run, each filled from the inputs by a function.
pub(super) struct Feed<F> {
    pub(super) inputs: Inputs,
    pub(super) fill: F,
}

impl<F> pipeline::Source for Feed<F>
where
    F: FnMut(&mut Inputs, &mut Piece, usize) -> Result<Filled, Error> + Send,
{
    type Chunk = Piece;
    type Error = Error;

    fn sizes(&mut self, slots: usize) -> RangeInclusive<usize> {
        self.inputs.short_lines = (SHORT_LINES / slots.max(1)).max(1);
        LEAST_BYTES..=CHUNK_BYTES
    }

    fn may_wait(&self) -> bool {
        self.inputs.may_wait()
    }

    fn fill(&mut self, piece: &mut Piece, size: usize) -> Result<Filled, Error> {
        (self.fill)(&mut self.inputs, piece, size)
    }
}

/// The names of the inputs.
#[derive(Clone, Debug)]
pub(crate) struct Names(Arc<[Arc<str>]>);

impl Names {
    /// The names of these inputs.
    pub(crate) fn of(sources: &[Source]) -> Self {
        Self(sources.iter().map(|source| Arc::clone(source.name())).collect())
    }

    /// The name of an input.
    pub(crate) fn get(&self, input: usize) -> &Arc<str> {
        &self.0[input]
    }

    /// Whether there are several inputs, so that records must name theirs.
    pub(crate) fn are_several(&self) -> bool {
        self.0.len() > 1
    }

    /// Shows the bytes of the piece to `read`. The result counts only if they were those of the
    /// input.
    ///
    /// # Errors
    /// The file was shortened meanwhile.
    pub(crate) fn read<R>(
        &self,
        piece: &Piece,
        read: impl FnOnce(&Chunk<'_>) -> R,
    ) -> Result<R, Error> {
        piece.chunk.read(read).map_err(|cause| self.failed(piece.input, cause))
    }

    /// The error of an input.
    pub(super) fn failed(&self, input: usize, cause: io::Error) -> Error {
        input::Error { name: Arc::clone(self.get(input)), cause }.into()
    }
}
