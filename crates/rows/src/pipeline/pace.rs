//! The size of the next chunk: what a worker does in [`CHUNK_TIME`].
//!
//! An item may take half a microsecond or a minute. So chunks begin small and grow while they
//! are quick. Then the first results of slow work come soon, its progress is visible, and a short
//! input of slow items still keeps every worker busy.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

/// The time that a worker should take for a chunk.
///
/// A fifth of the time between two updates of the progress bar. The engines `lanes` and `mrv`
/// answer the longest chunk of 17-clue puzzles in 2 and 13 ms, so they always get that.
const CHUNK_TIME: Duration = Duration::from_millis(20);

/// The size of the next chunk, learned from those before.
pub(super) struct Pace {
    next: AtomicUsize,
    least: usize,
    most: usize,
}

impl Pace {
    /// First the least size, and never more than the most.
    pub(super) fn between(least: usize, most: usize) -> Self {
        Self { next: least.into(), least, most }
    }

    /// The size that the next chunk should have.
    pub(super) fn chunk_size(&self) -> usize {
        self.next.load(Ordering::Relaxed)
    }

    /// A chunk of this size took this time. Chunks shrink at once, and grow to twice their size at
    /// most. If two workers call this at once, either result may be kept.
    pub(super) fn learn(&self, size: u64, time: Duration) {
        let fitting = u128::from(size) * CHUNK_TIME.as_nanos() / time.as_nanos().max(1);
        let fitting = usize::try_from(fitting).unwrap_or(usize::MAX);
        let grown = self.chunk_size().saturating_mul(2).min(self.most);
        self.next.store(fitting.clamp(self.least, grown.max(self.least)), Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chunks_grow_while_they_are_quick_and_shrink_at_once() {
        let pace = Pace::between(82, 500);
        let mut lengths = Vec::new();
        for time in [0, 1, 10, 20, 40, 1_000_000_000, 0, 0] {
            lengths.push(pace.chunk_size());
            pace.learn(pace.chunk_size() as u64, Duration::from_millis(time));
        }
        assert_eq!(lengths, [82, 164, 328, 500, 500, 250, 82, 164]);
    }

    #[test]
    fn no_chunk_is_longer_than_the_longest() {
        for most in [1, 81, 82, 83, 1023, usize::MAX] {
            let pace = Pace::between(82.min(most), most);
            for time in [0, u64::MAX, 0, 5] {
                assert!((1..=most).contains(&pace.chunk_size()));
                pace.learn(u64::MAX, Duration::from_millis(time));
            }
        }
    }
}
