//! The parts that a command puts into the pipeline.

use std::ops::{ControlFlow, RangeInclusive};

/// What [`Source::fill`] did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Filled {
    /// The chunk is filled.
    Chunk,
    /// There is no chunk yet; ask again. A source says so between two inputs, so that a
    /// cancelled run does not open the next one.
    Nothing,
    /// There are no more chunks.
    End,
}

/// Cuts the input into chunks, on a separate thread.
pub trait Source: Send {
    /// What a worker gets at a time.
    type Chunk: Chunk;

    /// Why there can be no more chunks.
    type Error: Send;

    /// The smallest and the largest size of a chunk, in the unit of [`Chunk::size`]. The first
    /// chunks have the smallest size.
    fn sizes(&self) -> RangeInclusive<usize>;

    /// At most `slots` chunks are under way at a time. Called before the first is filled.
    fn expect_slots(&mut self, slots: usize) {
        let _ = slots;
    }

    /// Fills the chunk with the next piece of the input, of about this size. It may block until
    /// there is one.
    ///
    /// # Errors
    /// The input cannot be read. All chunks before are worked on and taken.
    fn fill(&mut self, chunk: &mut Self::Chunk, size: usize) -> Result<Filled, Self::Error>;
}

/// A piece of the input, with its memory. It is filled again and again.
pub trait Chunk: Default + Send {
    /// Its size, in any unit.
    fn size(&self) -> u64;
}

/// Works on chunks. Each worker thread makes its own, so it may hold any memory.
pub trait Work {
    /// What is worked on.
    type Chunk: Chunk;

    /// What comes of a chunk, with its memory. It is reused for another chunk.
    type Output: Default + Send;

    /// Why a chunk cannot be worked on.
    type Error: Send;

    /// Works on a chunk and replaces the output. The output depends on this chunk alone.
    ///
    /// # Errors
    /// The chunk cannot be worked on. The outputs of all chunks before are taken.
    fn run(&mut self, chunk: &Self::Chunk, output: &mut Self::Output) -> Result<(), Self::Error>;
}

/// Takes the outputs in the order of their chunks, on the calling thread.
pub trait Ordered {
    /// What was worked on.
    type Chunk: Chunk;

    /// What came of it.
    type Output;

    /// Why no more can be taken.
    type Error;

    /// Takes the output of the next chunk. `Break` ends the run: no more output is needed.
    ///
    /// # Errors
    /// The output cannot be taken. The run ends.
    fn take(
        &mut self,
        chunk: &mut Self::Chunk,
        output: &mut Self::Output,
    ) -> Result<ControlFlow<()>, Self::Error>;

    /// The error for a panic, which ends the run. All chunks before this one are taken.
    fn panicked(&mut self, panic: Panic<'_, Self::Chunk>) -> Self::Error;
}

/// A panic of the source or of a worker.
#[derive(Clone, Debug)]
pub struct Panic<'a, C> {
    /// The chunk that was being worked on. `None` for the source.
    pub chunk: Option<&'a C>,
    /// The message of the panic.
    pub message: &'a str,
}
