//! What is asked about each puzzle.

use crate::Status;
use crate::names::NameSet;
use crate::output::Style;
use std::num::NonZeroUsize;

/// What is asked about each puzzle, and how the answer is written.
///
/// ```
/// use ninefold::Status;
/// use ninefold::input::Source;
/// use ninefold::output::Sink;
/// use ninefold::pipeline::Control;
/// use ninefold::solve::{Question, Solve};
/// use std::num::NonZeroUsize;
///
/// let question = Question { limit: NonZeroUsize::new(2).unwrap(), ..Question::default() };
/// let line = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
/// let source = Source::from_bytes("one", line.into());
/// let sink = Sink::from_writer("nothing", std::io::sink());
/// let solve = Solve { question, ..Solve::default() };
/// let report = solve.run(vec![source], sink, Control::default())?;
/// assert_eq!(report.total.statuses[Status::Unique], 1);
/// # Ok::<(), ninefold::bulk::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    /// How many solutions to look for: 1 solves, 2 proves that there is just one, `n` counts.
    pub limit: NonZeroUsize,
    /// Write every solution of each puzzle, up to this number; `limit` is then ignored.
    pub every: Option<NonZeroUsize>,
    /// How records are written.
    pub style: Style,
    /// Which records are written.
    pub select: NameSet<Status>,
    /// Whether the lines that were not answered are kept.
    pub rejects: bool,
}

impl Default for Question {
    /// One solution of each puzzle, as a line.
    fn default() -> Self {
        Self {
            limit: NonZeroUsize::MIN,
            every: None,
            style: Style::default(),
            select: NameSet::ALL,
            rejects: false,
        }
    }
}

impl Question {
    /// The status of a puzzle with one solution.
    pub(super) const fn answered(&self) -> Status {
        if self.limit.get() > 1 || self.every.is_some() { Status::Unique } else { Status::Solved }
    }
}
