//! What comes of a chunk.

use super::slow::SlowPlace;
use crate::output::Records;
use std::time::Duration;

/// What comes of a chunk, with the memory for it.
///
/// ```
/// use ninefold::Status;
/// use ninefold::bulk::Output;
/// use ninefold::engine::EngineKind;
/// use ninefold::input::{ChunkBuffer, Layout, Source};
/// use ninefold::solve::{Question, Stats, Worker};
///
/// let mut worker = Worker::new(EngineKind::default().build(), Question::default());
/// let (mut chunk, mut output) = (ChunkBuffer::new(), Output::<Stats>::default());
/// let source = Source::from_bytes("puzzles", b"12\n".to_vec());
/// source.with_layout(Layout::plain()).into_chunks(1000).fill(&mut chunk)?;
/// chunk.read(|chunk| worker.run(chunk, None, &mut output))?;
/// assert_eq!(output.stats.statuses[Status::Malformed], 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct Output<C> {
    /// The records.
    pub records: Records,
    /// The lines that were not answered, and why.
    pub rejects: Records,
    /// The counts.
    pub stats: C,
    /// The time that the work on the puzzles took, without reading and writing them.
    pub solve_time: Duration,
    /// The line that took longest.
    pub(crate) slowest: Option<SlowPlace>,
}
