//! The bounds of all searches of a run.

use crate::engine::Bounds;
use crate::pipeline::Cancel;
use std::sync::LazyLock;
use std::time::{Duration, Instant};

/// The moment from which the clock of the engines counts.
static START: LazyLock<Instant> = LazyLock::new(Instant::now);

/// The bounds of a run: puzzles with more branches are given up, and all when the run is abandoned.
/// Long searches are timed.
pub(crate) fn bounds(max_branches: Option<u32>, cancel: &Cancel) -> Bounds {
    let bounds = Bounds::default().with_stop(cancel.abandon_flag()).with_clock(now);
    match max_branches {
        Some(branches) => bounds.with_max_branches(branches),
        None => bounds,
    }
}

fn now() -> Duration {
    START.elapsed()
}
