//! How a caller controls a run: cancellation, and an observer that receives events.
//!
//! ```text
//! chunks   0   1   2   3   4 ┆ 5 …       cancelled here: the end gets place 5, even if the
//! taken    ✓   ✓   ✓                     source is blocked; 0 to 4 are still taken
//!                      ┆ abandoned here: 3 is being worked on, so 0 to 2 are taken
//! ```

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Cancels runs, from any thread at any time. Clones cancel the same runs.
#[derive(Clone, Default)]
pub struct Cancel {
    requested: Arc<AtomicBool>,
    abandoned: Arc<AtomicBool>,
}

impl Cancel {
    /// Cancels the runs. Chunks that have been cut are still worked on and taken.
    pub fn request(&self) {
        self.requested.store(true, Ordering::SeqCst);
    }

    /// Cancels the runs, and gives up the chunks that are being worked on: their output is dropped.
    pub fn abandon(&self) {
        self.abandoned.store(true, Ordering::SeqCst);
        self.request();
    }

    /// Whether the runs are cancelled.
    pub fn is_requested(&self) -> bool {
        self.requested.load(Ordering::SeqCst)
    }

    /// Whether the chunks that are being worked on are given up.
    pub fn is_abandoned(&self) -> bool {
        self.abandoned.load(Ordering::SeqCst)
    }

    /// The flag that says so, for work that looks at it: an engine's
    /// `Bounds`.
    pub fn abandon_flag(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.abandoned)
    }
}

/// How far a run has come.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// Items done.
    pub items: u64,
    /// Bytes of input done; in a run without input, items.
    pub position: u64,
}

/// What an observer receives.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Event {
    /// The run begins here: after the work of earlier runs, if it is resumed.
    Began(Progress),
    /// Progress, earlier runs included. Sent after each chunk, in order.
    Advanced(Progress),
    /// Records are about to be written. A progress bar on the same terminal can be cleared.
    Writing,
    /// Attempts so far, earlier runs excluded, in a run that makes puzzles.
    Tried(u64),
    /// A tenth of a second is over.
    Waiting,
}

/// Controls a run: a token that cancels it, and an observer. By default nothing does either.
///
/// The observer is called by whichever thread has taken an output, one at a time, which waits for it; with
/// [`Event::Waiting`] by the thread that called `run`.
#[derive(Default)]
pub struct Control<'a> {
    cancel: Cancel,
    observer: Option<&'a mut (dyn FnMut(&Event) + Send)>,
}

impl<'a> Control<'a> {
    /// A run that this token cancels.
    pub fn new(cancel: &Cancel) -> Self {
        Self { cancel: cancel.clone(), observer: None }
    }

    /// The same, and the observer receives the events.
    pub fn observed_by(self, observer: &'a mut (dyn FnMut(&Event) + Send)) -> Self {
        Self { observer: Some(observer), ..self }
    }

    /// The token that cancels the run.
    pub const fn cancel(&self) -> &Cancel {
        &self.cancel
    }

    /// Passes the event to the observer, if there is one.
    pub fn tell(&mut self, event: &Event) {
        if let Some(observer) = &mut self.observer {
            observer(event);
        }
    }
}
