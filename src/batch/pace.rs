//! How long the next chunk should be: as long as a worker answers it in [`CHUNK_TIME`].
//!
//! An engine may take half a microsecond for a puzzle or a minute. So chunks begin short, and
//! grow as long as they are answered quickly: then the first records of a slow engine come soon,
//! its progress is seen, and a short input of hard puzzles still keeps every worker busy.

use crate::puzzle::Cell;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

/// The time that a worker should take for a chunk.
///
/// A fifth of the time between two looks of the progress bar. `lanes` and `mrv` answer the longest
/// chunk of 17-clue puzzles in 2 and 13 ms, so they are not held back.
const CHUNK_TIME: Duration = Duration::from_millis(20);

/// A line with one puzzle: the first chunks are no longer, and those of an engine that needs
/// [`CHUNK_TIME`] for one puzzle stay so. Twelve times twice as long is the longest chunk.
const LEAST_BYTES: usize = Cell::COUNT + 1;

/// The length of the next chunk, learned from those before.
pub(super) struct Pace {
    next: AtomicUsize,
    least: usize,
    most: usize,
}

impl Pace {
    /// Never more bytes than `most`.
    pub(super) fn new(most: usize) -> Self {
        Self::between(LEAST_BYTES.min(most), most)
    }

    /// For whatever is worked on: first so much of it at a time, and never more than `most`.
    pub(super) fn between(least: usize, most: usize) -> Self {
        Self { next: least.into(), least, most }
    }

    /// How many bytes the next chunk should have.
    pub(super) fn chunk_bytes(&self) -> usize {
        self.next.load(Ordering::Relaxed)
    }

    /// So many bytes were answered in this time: chunks shrink at once, and grow to twice their
    /// length at most. If two workers tell at once, either may be heard.
    pub(super) fn learn(&self, bytes: u64, time: Duration) {
        let fitting = u128::from(bytes) * CHUNK_TIME.as_nanos() / time.as_nanos().max(1);
        let fitting = usize::try_from(fitting).unwrap_or(usize::MAX);
        let grown = self.chunk_bytes().saturating_mul(2).min(self.most);
        self.next.store(fitting.clamp(self.least, grown.max(self.least)), Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chunks_grow_while_they_are_quick_and_shrink_at_once() {
        let pace = Pace::new(500);
        let mut lengths = Vec::new();
        for time in [0, 1, 10, 20, 40, 1_000_000_000, 0, 0] {
            lengths.push(pace.chunk_bytes());
            pace.learn(pace.chunk_bytes() as u64, Duration::from_millis(time));
        }
        assert_eq!(lengths, [82, 164, 328, 500, 500, 250, 82, 164]);
    }

    #[test]
    fn no_chunk_is_longer_than_the_longest() {
        for most in [1, 81, 82, 83, 1023, usize::MAX] {
            let pace = Pace::new(most);
            for time in [0, u64::MAX, 0, 5] {
                assert!((1..=most).contains(&pace.chunk_bytes()));
                pace.learn(u64::MAX, Duration::from_millis(time));
            }
        }
    }
}
