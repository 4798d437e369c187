//! What a run counts.

use serde::Serialize;
use serde::de::DeserializeOwned;
use std::ops::AddAssign;

/// The counts of an input, or of a part of it. Each command has its own. Workers count their chunks;
/// `+=` adds them up, and a checkpoint keeps the sum.
///
/// ```
/// use ninefold::bulk::Counts;
/// use ninefold::solve::Stats;
///
/// let stats = Stats { bytes: 82, lines: 1, puzzles: 1, ..Stats::default() };
/// assert_eq!((stats.bytes(), stats.lines(), stats.puzzles()), (82, 1, 1));
/// ```
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
