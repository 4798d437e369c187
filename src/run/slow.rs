//! The line whose search took longest.
//!
//! Engines time a search from its 256th branch on, so a short one costs nothing. A line is looked up
//! only if its search took [`SLOW`].

use crate::input::Puzzles;
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

/// The slowest line of a chunk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SlowPlace {
    /// Counted from 1 at the start of the chunk.
    pub(crate) line: u64,
    /// How long its search took.
    pub(crate) time: Duration,
}

impl SlowPlace {
    /// The line of a puzzle whose search took this long, if that is to be named.
    pub(crate) fn of(puzzles: &Puzzles, number: usize, time: Duration) -> Option<Self> {
        if time < SLOW {
            return None;
        }
        let place = puzzles.places().find(|it| it.number == Ok(number))?;
        Some(Self { line: place.line, time })
    }
}
