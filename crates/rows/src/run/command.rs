//! What a command is: it declares its columns and counts, turns puzzles into records on many threads, and
//! may look at all of them in input order.
//!
//! ```text
//!             Worker (one a thread)                      Order (one, in input order)
//! chunk ─┬─> solve(batch)      all searches      ┌─> take    duplicates, banks, samples
//!        └─> record(puzzle)    one by one ─> Output      └─> finish
//! ```
//!
//! All else belongs to the run: reading, formats, the input's other columns, the choice of records,
//! rejects, statistics, shards, resuming, progress, cancellation. No command mentions them.

use super::column::Column;
use super::counts::{Count, Shape};
use super::error::Error;
use super::inputs::{Names, Piece};
use super::output::Output;
use super::rows::{Row, Rows};
use super::slow::SlowPlace;
use crate::input::{self, Chunk, LinesBefore, Malformed, Puzzles, Want};
use crate::output::{Format, Style, Transaction};
use crate::pipeline;
use serde_json::Value;
use std::ops::ControlFlow;
use std::sync::Arc;

/// A command on rows.
pub trait Command: Sync {
    /// Turns the puzzles of a chunk into records.
    type Worker: Worker;

    /// The step in input order. [`InOrder`] if there is none.
    type Order: Order<Kept = <Self::Worker as Worker>::Kept>;

    /// The columns of a table of records, without `input` and `line`.
    fn columns(&self, _format: Format) -> Vec<Column> {
        Vec::new()
    }

    /// The counts of its statistics.
    fn counts(&self) -> Vec<Count> {
        Vec::new()
    }

    /// What its workers need of each line besides the puzzle.
    fn want(&self) -> Want {
        Want { solutions: <Self::Worker as Worker>::WANTS_SOLUTIONS, ..Want::default() }
    }

    /// A worker, which counts in this shape.
    fn worker(&self, shape: &Shape) -> Self::Worker;
}

/// A chunk that was read.
pub struct Batch<'a> {
    /// Its puzzles: grids side by side, then sukakus.
    pub puzzles: &'a Puzzles,
    /// Its bytes and layout.
    pub chunk: &'a Chunk<'a>,
    /// The chunk with the answers of another file.
    pub piece: &'a Piece,
}

/// What a worker is given at a time: a chunk of an input, or tasks.
pub trait Place: pipeline::Chunk {
    /// The chunk and its input.
    fn piece(&self) -> &Piece;

    /// How many lines it has. If it cannot be read, none.
    fn lines(&self) -> u64 {
        self.piece().chunk.read(|chunk| chunk.lines().count() as u64).unwrap_or_default()
    }
}

/// Turns the puzzles of a chunk into records. What comes of a chunk depends on that chunk alone.
pub trait Worker {
    /// What the step in input order needs of a chunk, with its memory.
    type Kept: Default + Send;

    /// Whether the solutions given with the puzzles are kept.
    const WANTS_SOLUTIONS: bool = false;

    /// Answers a whole chunk without reading it as puzzles, if that is possible: it has no records.
    fn glance(
        &mut self,
        _piece: &Piece,
        _chunk: &Chunk,
        _style: &Style,
        _output: &mut Output<Self::Kept>,
    ) -> bool {
        false
    }

    /// Does all searches of a chunk. Returns the line that took longest.
    fn solve(&mut self, batch: &Batch<'_>, kept: &mut Self::Kept) -> Option<SlowPlace>;

    /// Makes the record of a puzzle in a short way, without its row, and counts it. `false` if it needs
    /// [`record`](Self::record).
    #[inline]
    fn short(&mut self, _number: usize, _rows: &mut Rows<'_, Self::Kept>) -> bool {
        false
    }

    /// Makes the record of a puzzle, and counts it.
    fn record(&mut self, number: usize, row: &Row<'_>, rows: &mut Rows<'_, Self::Kept>);

    /// Makes the record of a line that is no puzzle, and counts it.
    fn malformed(&mut self, error: &Malformed, row: &Row<'_>, rows: &mut Rows<'_, Self::Kept>);
}

/// The lines of an input before a chunk.
pub struct LinesSoFar {
    /// The name of the input.
    pub(super) input: Arc<str>,
    /// Those before the part of the input that is read.
    pub(super) before: LinesBefore,
    /// Those of the part.
    pub(super) read: u64,
}

impl LinesSoFar {
    /// Their number. In a shard this may read the whole input before it, so it is for records that have the
    /// number of a line.
    ///
    /// # Errors
    /// The input cannot be read.
    pub fn count(&self) -> Result<u64, Error> {
        let failed = |cause| input::Error { name: Arc::clone(&self.input), cause };
        Ok(self.before.count().map_err(failed)? + self.read)
    }

    /// Their number, if one of these records has that of its line; 0 otherwise.
    ///
    /// # Errors
    /// As [`LinesSoFar::count`].
    pub fn count_for<K>(&self, output: &Output<K>) -> Result<u64, Error> {
        let is_needed = output.records.is_numbered() || output.rejects.is_numbered();
        if is_needed { self.count() } else { Ok(0) }
    }
}

/// The output of a chunk, in input order.
pub struct Taken<'a, K> {
    /// The records and counts, and what the worker kept.
    pub output: &'a mut Output<K>,
    /// Which input the chunk belongs to.
    pub input: usize,
    /// The lines of that input before the chunk.
    pub lines_before: LinesSoFar,
    /// The names of the inputs.
    pub names: &'a Names,
    /// The chunk.
    pub piece: &'a Piece,
    /// Memory that is used again.
    pub memory: &'a mut Vec<u8>,
}

impl<K> Taken<'_, K> {
    /// Writes the records and rejects as they are.
    ///
    /// # Errors
    /// They cannot be written.
    pub fn write(&mut self, to: &mut Transaction) -> Result<(), Error> {
        self.output.write(&self.lines_before, self.memory, to)
    }
}

/// The step of a command in input order, on the calling thread.
pub trait Order {
    /// What workers keep for it.
    type Kept;

    /// Whether it makes the records: the workers make none.
    const MAKES_RECORDS: bool = false;

    /// Takes the output of the next chunk and writes it. `Break` ends the run: no more is needed.
    ///
    /// # Errors
    /// It cannot be written, or the run cannot continue.
    fn take(
        &mut self,
        taken: &mut Taken<'_, Self::Kept>,
        to: &mut Transaction,
    ) -> Result<ControlFlow<()>, Error>;

    /// What a later run needs to continue after the chunks that were taken, besides counts.
    fn state(&self) -> Option<Value> {
        None
    }

    /// Writes what was kept to the end of all inputs.
    ///
    /// # Errors
    /// It cannot be written.
    fn finish(&mut self, _to: &mut Transaction) -> Result<(), Error> {
        Ok(())
    }
}

/// The order of a command whose records depend on their chunk alone.
pub struct InOrder;

impl Order for InOrder {
    type Kept = ();

    fn take(
        &mut self,
        taken: &mut Taken<'_, ()>,
        to: &mut Transaction,
    ) -> Result<ControlFlow<()>, Error> {
        taken.write(to)?;
        Ok(ControlFlow::Continue(()))
    }
}
