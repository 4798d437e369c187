//! Where chunks come from.

use std::ops::RangeInclusive;

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

/// Cuts the input into chunks. One thread at a time does that, whichever needs a chunk.
pub trait Source: Send {
    /// What a worker gets at a time.
    type Chunk: Chunk;

    /// Why there can be no more chunks.
    type Error: Send;

    /// The smallest and the largest size of a chunk, in the unit of [`Chunk::size`]. The first chunks have the smallest
    /// size. At most `slots` chunks are under way at a time. It is called once, before the first chunk is filled.
    fn sizes(&mut self, slots: usize) -> RangeInclusive<usize>;

    /// Whether it may wait for bytes for a long time, as a pipe does. Then it has a thread of its own.
    fn may_wait(&self) -> bool {
        false
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

/// The chunk of tests, which holds nothing.
#[cfg(test)]
impl Chunk for () {
    fn size(&self) -> u64 {
        1
    }
}
