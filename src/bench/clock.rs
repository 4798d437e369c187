//! What the time is: asked for through a trait, so that a test can say how long things take.

use std::time::{Duration, Instant};

/// A clock that never goes back.
pub trait Clock {
    /// The time since some moment that stays the same.
    fn now(&self) -> Duration;

    /// The time since this clock showed `start`.
    fn since(&self, start: Duration) -> Duration {
        self.now().saturating_sub(start)
    }
}

/// The system's clock.
#[derive(Clone, Copy, Debug)]
pub struct SystemClock(Instant);

impl SystemClock {
    /// A clock that shows nought now.
    #[must_use]
    pub fn start() -> Self {
        Self(Instant::now())
    }
}

impl Clock for SystemClock {
    fn now(&self) -> Duration {
        self.0.elapsed()
    }
}
