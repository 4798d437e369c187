//! What threads did while they did not work on chunks.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// What a thread waited for, or did while others could not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spent {
    /// Waited for the next chunk: for the source, or for the thread that cuts one.
    Input,
    /// Waited for a chunk before its own.
    Turn,
    /// Waited while outputs were taken.
    Output,
    /// Cut a chunk, or filled it from a stream. One thread at a time does that.
    Cutting,
    /// Took an output. One thread at a time does that.
    Taking,
}

/// The time that all threads of a run together spent so.
#[derive(Debug, Default)]
pub struct Times([AtomicU64; 5]);

impl Times {
    /// The time spent so.
    pub fn get(&self, spent: Spent) -> Duration {
        Duration::from_nanos(self.0[spent as usize].load(Ordering::Relaxed))
    }

    /// Adds the time since this moment, and returns it.
    pub fn add(&self, spent: Spent, since: Instant) -> Duration {
        let time = since.elapsed();
        let nanoseconds = time.as_nanos().try_into().unwrap_or(u64::MAX);
        self.0[spent as usize].fetch_add(nanoseconds, Ordering::Relaxed);
        time
    }
}
