//! The clock of a measurement: a trait, so that a test can set the time.

use std::time::{Duration, Instant};

/// A monotonic clock.
pub(super) trait Clock {
    /// The time since a fixed moment.
    fn now(&self) -> Duration;

    /// The time since this clock showed `start`.
    fn since(&self, start: Duration) -> Duration {
        self.now().saturating_sub(start)
    }
}

/// The system's clock.
#[derive(Clone, Copy, Debug)]
pub(super) struct SystemClock(Instant);

impl SystemClock {
    /// A clock that shows 0 now.
    pub(super) fn start() -> Self {
        Self(Instant::now())
    }
}

impl Clock for SystemClock {
    fn now(&self) -> Duration {
        self.0.elapsed()
    }
}
