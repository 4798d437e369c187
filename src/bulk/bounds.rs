//! The bounds of all searches of a run.

use crate::engine::Bounds;
use crate::pipeline::Cancel;
use std::time::Instant;

/// The bounds of a run: puzzles with more branches are given up, and all when the run is abandoned.
/// Long searches are timed.
pub(crate) fn bounds(max_branches: Option<u32>, cancel: &Cancel) -> Bounds {
    let start = Instant::now();
    let bounds = Bounds::default().with_stop(cancel.abandon_flag());
    let bounds = bounds.with_clock(move || start.elapsed());
    match max_branches {
        Some(branches) => bounds.with_max_branches(branches),
        None => bounds,
    }
}
