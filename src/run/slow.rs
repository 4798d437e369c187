//! The line whose search took longest.
//!
//! Engines time a search from its 256th branch on, so a short one costs nothing. A line is looked up
//! only if its search took [`SLOW`].

use super::error::Error;
use super::output::LinesSoFar;
use crate::input::{Puzzles, Row};
use std::sync::Arc;
use std::time::Duration;

/// The time from which a search is named in a report.
pub const SLOW: Duration = Duration::from_secs(1);

/// The line whose search took longest, if that was [`SLOW`] or more.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SlowLine {
    /// The name of the input.
    pub input: Arc<str>,
    /// The line, counted from 1.
    pub line: u64,
    /// How long its search took. Other lines were searched at the same time.
    pub time: Duration,
}

impl SlowLine {
    /// Replaces the slowest line of a run by that of a chunk after these lines, if that one is slower.
    pub(super) fn update(
        slowest: &mut Option<Self>,
        of_chunk: Option<SlowPlace>,
        lines_before: &LinesSoFar,
    ) -> Result<(), Error> {
        if let Some(SlowPlace { line, time }) = of_chunk
            && slowest.as_ref().is_none_or(|slowest| slowest.time < time)
        {
            let (input, line) = (Arc::clone(&lines_before.input), lines_before.count()? + line);
            *slowest = Some(Self { input, line, time });
        }
        Ok(())
    }
}

/// The slowest line of a chunk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SlowPlace {
    /// Counted from 1 at the start of the chunk.
    pub line: u64,
    /// How long its search took.
    pub time: Duration,
}

impl SlowPlace {
    /// The line of a puzzle whose search took this long, if that is to be named.
    #[must_use]
    pub fn of(puzzles: &Puzzles, number: usize, time: Duration) -> Option<Self> {
        if time < SLOW {
            return None;
        }
        let (Row { line, .. }, _) = puzzles.rows().find(|(_, it)| *it == Ok(number))?;
        Some(Self { line, time })
    }
}
