//! Brings checkpoints to the disk: at most one an interval, on a separate thread.
//!
//! ```text
//! writer ── checkpoint after each chunk ──> [ latest ] ──> thread: sync outputs ─> append a line to the log
//! ```
//!
//! A compressed output lags behind the writer. Its checkpoint waits until the output has caught up,
//! and holds the beginning of the block that is being filled. The thread has its own clock, so the
//! last checkpoint is kept even if the input blocks after it.

use super::disk;
use super::error::Error;
use super::log::{Log, Phase};
use super::press::Mark;
use serde_json::Value;
use std::fs::File;
use std::io;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{Builder, JoinHandle};
use std::time::{Duration, Instant};

/// Keeps the log of a run.
pub(super) struct Keeper {
    shared: Arc<KeeperState>,
    /// None when it has been joined, or if checkpoints are written at once.
    thread: Option<JoinHandle<Result<(), Error>>>,
}

struct KeeperState {
    latest: Mutex<Latest>,
    changed: Condvar,
    log: Mutex<Log>,
    /// The partial files, to be synced.
    files: Vec<File>,
    started: Instant,
    /// The time of earlier runs.
    before: Duration,
}

struct Latest {
    reached: Value,
    /// The places in the outputs, if they are not on the disk yet.
    marks: Option<Vec<Mark>>,
    /// Whether no more will come.
    is_over: bool,
}

impl Keeper {
    /// Appends to this log. These files are synced before. Without an interval, a checkpoint is on the
    /// disk before the run continues.
    pub(super) fn start(log: Log, files: Vec<File>, interval: Duration) -> Result<Self, Error> {
        let (before, reached) = (log.line.time, log.line.reached.clone());
        let latest = Mutex::new(Latest { reached, marks: None, is_over: false });
        let (changed, log, started) = (Condvar::new(), Mutex::new(log), Instant::now());
        let shared = Arc::new(KeeperState { latest, changed, log, files, started, before });
        let to_keep = Arc::clone(&shared);
        let spawn =
            || Builder::new().name("keeper".to_owned()).spawn(move || to_keep.run(interval));
        let thread = (!interval.is_zero()).then(spawn).transpose();
        let thread = thread.map_err(|cause| lock(&shared.log).error(cause))?;
        Ok(Self { shared, thread })
    }

    /// The run has come further.
    pub(super) fn advance(
        &mut self,
        marks: Vec<Mark>,
        update: impl FnOnce(&mut Value),
    ) -> Result<(), Error> {
        if self.thread.as_ref().is_some_and(JoinHandle::is_finished) {
            // It runs until the end, unless something fails.
            return self.end();
        }
        let mut latest = lock(&self.shared.latest);
        update(&mut latest.reached);
        latest.marks = Some(marks);
        drop(latest);
        if self.thread.is_none() {
            return self.shared.keep();
        }
        self.shared.changed.notify_one();
        Ok(())
    }

    /// Writes the last checkpoint with the time until now.
    pub(super) fn suspend(&mut self) -> Result<(), Error> {
        self.end()?;
        self.shared.keep()
    }

    /// The time of all runs so far.
    pub(super) fn time(&self) -> Duration {
        self.shared.time()
    }

    /// The outputs are complete and synced: from now on a later run only completes the commit.
    pub(super) fn commit(&mut self, phase: Phase) -> Result<(), Error> {
        self.end()?;
        let mut log = lock(&self.shared.log);
        log.line.phase = phase;
        log.line.reached.clone_from(&lock(&self.shared.latest).reached);
        log.line.time = self.shared.time();
        log.write()?;
        log.sync_name()
    }

    /// Ends the thread.
    fn end(&mut self) -> Result<(), Error> {
        lock(&self.shared.latest).is_over = true;
        self.shared.changed.notify_one();
        match self.thread.take().map(JoinHandle::join) {
            Some(Err(_)) => {
                let cause = io::Error::other("the thread that writes it panicked");
                Err(lock(&self.shared.log).error(cause))
            }
            Some(Ok(result)) => result,
            None => Ok(()),
        }
    }
}

/// After a panic, nothing more is written.
impl Drop for Keeper {
    fn drop(&mut self) {
        // If it failed, the run has failed before.
        let _ = self.end();
    }
}

impl KeeperState {
    /// The time of all runs so far.
    fn time(&self) -> Duration {
        self.before + self.started.elapsed()
    }

    /// The thread: writes at most one checkpoint per interval.
    fn run(&self, interval: Duration) -> Result<(), Error> {
        let mut last = Instant::now();
        loop {
            let wait = interval.saturating_sub(last.elapsed());
            let latest = lock(&self.latest);
            let waited = self.changed.wait_timeout_while(latest, wait, |latest| !latest.is_over);
            let (latest, _) = waited.unwrap_or_else(PoisonError::into_inner);
            let is_idle = |latest: &mut Latest| latest.marks.is_none() && !latest.is_over;
            let latest = self.changed.wait_while(latest, is_idle);
            if latest.unwrap_or_else(PoisonError::into_inner).is_over {
                return Ok(());
            }
            last = Instant::now();
            self.keep()?;
        }
    }

    /// Brings the latest checkpoint to the disk. If there is no new one, the time until now.
    fn keep(&self) -> Result<(), Error> {
        let mut latest = lock(&self.latest);
        let (marks, reached) = (latest.marks.take(), latest.reached.clone());
        drop(latest);
        let mut log = lock(&self.log);
        if let Some(marks) = marks {
            let kept = marks.into_iter().map(Mark::kept).collect::<Option<_>>();
            // If an output has failed, the checkpoint before this one stays.
            let Some(kept) = kept else { return Ok(()) };
            let synced = self.files.iter().try_for_each(disk::sync);
            synced.map_err(|cause| log.error(cause))?;
            (log.line.phase, log.line.reached) = (Phase::Writing(kept), reached);
        }
        log.line.time = self.time();
        log.write()
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
