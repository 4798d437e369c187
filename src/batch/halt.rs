//! A run that is asked to end before its end: no new chunks, and all that is under way is written.
//!
//! ```text
//! chunks    0   1   2   3   4 ┆ 5 …        asked here: the end has place 5, whatever the reader
//! written   ✓   ✓   ✓              does    is waiting for
//! ```

use super::flow::Flow;
use std::sync::{Arc, Mutex, PoisonError, Weak};

/// A wish that a run may be asked to end, by any thread at any time. Clones are of one wish.
#[derive(Clone, Default)]
pub struct Halt(Arc<Mutex<State>>);

#[derive(Default)]
struct State {
    requested: bool,
    flow: Weak<Flow>,
}

impl Halt {
    /// Asks the run to end. It answers what has been cut into chunks, and then gives
    /// [`Error::Stopped`](super::Error::Stopped), unless that was all.
    pub fn request(&self) {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        state.requested = true;
        if let Some(flow) = state.flow.upgrade() {
            flow.end_early();
        }
    }

    /// Whether it has been asked, for a run that looks by itself from time to time.
    #[must_use]
    pub fn is_requested(&self) -> bool {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).requested
    }

    /// Which run is meant.
    pub(super) fn attach(&self, flow: &Arc<Flow>) {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        state.flow = Arc::downgrade(flow);
        if state.requested {
            flow.end_early();
        }
    }
}
