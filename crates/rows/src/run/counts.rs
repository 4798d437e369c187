//! What a run counts.

use serde::Serialize;
use serde::de::DeserializeOwned;
use std::ops::AddAssign;

/// The counts of an input, or of a part of it. Each command has its own. Workers count their chunks;
/// `+=` adds them up, and a checkpoint keeps the sum.
pub trait Counts:
    Copy + Default + AddAssign + Serialize + DeserializeOwned + Send + 'static
{
    /// Bytes read.
    fn bytes(&self) -> u64;

    /// Lines of any kind.
    fn lines(&self) -> u64;

    /// Lines that should be a puzzle.
    fn puzzles(&self) -> u64;
}
