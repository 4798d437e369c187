//! What a run found.

use super::slow::SlowLine;
use crate::input::Part;
use std::sync::Arc;
use std::time::Duration;

/// What a run found.
///
/// ```
/// use ninefold::input::Source;
/// use ninefold::output::Sink;
/// use ninefold::pipeline::Control;
/// use ninefold::solve::Solve;
///
/// let line = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
/// let source = Source::from_bytes("one", line.into());
/// let sink = Sink::from_writer("nothing", std::io::sink());
/// let report = Solve::default().run(vec![source], sink, Control::default())?;
/// assert_eq!((report.total.puzzles, report.total.unanswered()), (1, 0));
/// assert!(report.threads > 0 && report.earlier.is_zero());
/// # Ok::<(), ninefold::bulk::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Report<C> {
    /// All inputs together.
    pub total: C,
    /// Each input, in their order.
    pub inputs: Vec<InputReport<C>>,
    /// How many workers there were.
    pub threads: usize,
    /// The time that all workers together spent on the puzzles. On cores of their own, this
    /// is the same for any number of workers.
    pub solve_time: Duration,
    /// The time that earlier runs took, if this run was resumed.
    pub earlier: Duration,
    /// The line that took longest in this run, if its search took [`SLOW`](super::SLOW) or more.
    pub slowest: Option<SlowLine>,
}

/// What a run found in one input.
///
/// ```
/// use ninefold::input::Source;
/// use ninefold::output::Sink;
/// use ninefold::pipeline::Control;
/// use ninefold::solve::Solve;
///
/// let line = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
/// let source = Source::from_bytes("one", line.into());
/// let sink = Sink::from_writer("nothing", std::io::sink());
/// let report = Solve::default().run(vec![source], sink, Control::default())?;
/// let input = &report.inputs[0];
/// assert_eq!((&*input.name, input.stats.puzzles, input.length), ("one", 1, Some(81)));
/// assert_eq!((input.part.start, input.part.end), (0, None));
/// # Ok::<(), ninefold::bulk::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct InputReport<C> {
    /// The input's name.
    pub name: Arc<str>,
    /// Its counts.
    pub stats: C,
    /// Which part of it was read.
    pub part: Part,
    /// How many bytes all of it has, if that is known.
    pub length: Option<u64>,
    /// How many rows all of it has, if it is a Parquet file: its part is one of rows.
    pub rows: Option<u64>,
}
