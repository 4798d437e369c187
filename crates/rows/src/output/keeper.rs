//! Brings checkpoints to the disk: at most one an interval, on a separate thread.
//!
//! ```text
//! writer ── checkpoint after each chunk ──> [ latest ] ──> thread: sync outputs ─> write state
//! ```
//!
//! A compressed output lags behind the writer. Its checkpoint waits until the output has caught up,
//! and holds the beginning of the block that is being filled. The thread has its own clock, so the
//! last checkpoint is kept even if the input blocks after it.

use super::disk;
use super::error::Error;
use super::mark::Mark;
use super::partial::state_path;
use super::state::{Phase, State};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{Builder, JoinHandle};
use std::time::{Duration, Instant};

/// When a checkpoint is written to the disk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flush {
    /// By a thread, at most once in this time.
    Every(Duration),
    /// Before [`Transaction::checkpoint`](super::Transaction::checkpoint) returns.
    AtOnce,
}

/// How often a checkpoint is written by default. A kill costs the work of this time, and of the
/// time that the disk takes.
pub const FLUSH_INTERVAL: Duration = Duration::from_secs(1);

impl Default for Flush {
    fn default() -> Self {
        Self::Every(FLUSH_INTERVAL)
    }
}

/// A place in the outputs.
#[derive(Clone)]
pub(super) struct Marks {
    pub(super) records: Mark,
    pub(super) rejects: Option<Mark>,
}

/// Keeps the state file of a run.
pub(super) struct Keeper<P> {
    shared: Arc<Shared<P>>,
    flush: Flush,
    /// None when it has been joined.
    thread: Option<JoinHandle<io::Result<()>>>,
}

struct Shared<P> {
    latest: Mutex<Latest<P>>,
    changed: Condvar,
    /// The state file.
    path: PathBuf,
    /// The partial files, to be synced.
    files: Vec<File>,
    started: Instant,
    /// The time of earlier runs.
    before: Duration,
}

struct Latest<P> {
    state: State<P>,
    /// Nothing if no checkpoint has been made.
    marks: Option<Marks>,
    /// Whether the state is not on the disk yet.
    is_news: bool,
    /// Whether no more will come.
    is_over: bool,
}

impl<P: Clone + Serialize + DeserializeOwned + Send + 'static> Keeper<P> {
    /// Keeps the state next to this output. These files are synced before.
    pub(super) fn start(
        output: &Path,
        state: State<P>,
        files: Vec<File>,
        flush: Flush,
    ) -> Result<Self, Error> {
        let path = state_path(output);
        let before = Duration::from_micros(state.microseconds);
        let latest = Latest { state, marks: None, is_news: false, is_over: false };
        let (latest, changed, started) = (latest.into(), Condvar::new(), Instant::now());
        let shared = Arc::new(Shared { latest, changed, path, files, started, before });
        let thread = match flush {
            Flush::AtOnce => None,
            Flush::Every(interval) => {
                let (builder, to_keep) = (Builder::new().name("keeper".to_owned()), shared.clone());
                let thread = builder.spawn(move || to_keep.run(interval));
                Some(thread.map_err(|cause| Error::new(&shared.path, cause))?)
            }
        };
        Ok(Self { shared, flush, thread })
    }

    /// Writes a state before anything has been written to the outputs.
    pub(super) fn write_first(&self) -> Result<(), Error> {
        let written = self.shared.lock().state.write(&self.shared.path);
        written.map_err(|cause| self.error(cause))
    }

    /// The run has come further.
    pub(super) fn advance(
        &mut self,
        marks: Marks,
        update: impl FnOnce(&mut P),
    ) -> Result<(), Error> {
        if self.thread.as_ref().is_some_and(JoinHandle::is_finished) {
            // It runs until the end, unless something fails.
            return self.close();
        }
        let mut latest = self.shared.lock();
        update(&mut latest.state.reached);
        latest.marks = Some(marks);
        let is_first = !std::mem::replace(&mut latest.is_news, true);
        drop(latest);
        if self.flush == Flush::AtOnce {
            return self.shared.keep().map_err(|cause| self.error(cause));
        }
        if is_first {
            self.shared.changed.notify_one();
        }
        Ok(())
    }

    /// Writes the last checkpoint with the time until now, and ends the thread.
    pub(super) fn suspend(&mut self) -> Result<(), Error> {
        // The time is news, even if nothing was written since the last checkpoint.
        self.shared.lock().is_news = true;
        self.close()
    }

    /// Writes the last checkpoint if it is not written yet, and ends the thread.
    pub(super) fn close(&mut self) -> Result<(), Error> {
        self.shared.lock().is_over = true;
        self.shared.changed.notify_one();
        let ended = match self.thread.take().map(JoinHandle::join) {
            Some(Ok(result)) => result,
            Some(Err(_)) => Err(io::Error::other("the thread that writes it panicked")),
            None => Ok(()),
        };
        ended.map_err(|cause| self.error(cause))
    }

    /// The outputs are complete and synced: from now on a later run only completes the commit.
    pub(super) fn commit(&mut self, phase: Phase) -> Result<(), Error> {
        self.discard_news();
        self.close()?;
        let mut latest = self.shared.lock();
        latest.state.phase = phase;
        latest.state.microseconds = microseconds(self.elapsed());
        let written = latest.state.write(&self.shared.path);
        let synced = written.and_then(|()| disk::sync_folder_of(&self.shared.path));
        synced.map_err(|cause| self.error(cause))
    }

    /// The commit is complete.
    pub(super) fn remove(self) -> Result<(), Error> {
        disk::remove(&self.shared.path).map_err(|cause| self.error(cause))
    }

    /// The time of all runs so far.
    pub(super) fn elapsed(&self) -> Duration {
        self.shared.elapsed()
    }

    fn discard_news(&self) {
        self.shared.lock().is_news = false;
    }

    fn error(&self, cause: io::Error) -> Error {
        Error::new(&self.shared.path, cause)
    }
}

/// After a panic, nothing more is written.
impl<P> Drop for Keeper<P> {
    fn drop(&mut self) {
        let mut latest = self.shared.lock();
        latest.is_news = false;
        latest.is_over = true;
        drop(latest);
        self.shared.changed.notify_one();
        // If it failed, the run has failed before.
        let _ = self.thread.take().map(JoinHandle::join);
    }
}

impl<P> Shared<P> {
    fn lock(&self) -> MutexGuard<'_, Latest<P>> {
        self.latest.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn elapsed(&self) -> Duration {
        self.before + self.started.elapsed()
    }
}

impl<P: Clone + Serialize + DeserializeOwned> Shared<P> {
    /// The thread: writes at most one checkpoint per interval.
    fn run(&self, interval: Duration) -> io::Result<()> {
        let mut last = Instant::now();
        loop {
            let wait = interval.saturating_sub(last.elapsed());
            let goes_on = |latest: &mut Latest<P>| !latest.is_over;
            let waited = self.changed.wait_timeout_while(self.lock(), wait, goes_on);
            let (latest, _) = waited.unwrap_or_else(PoisonError::into_inner);
            let is_idle = |latest: &mut Latest<P>| !latest.is_news && !latest.is_over;
            let latest = self.changed.wait_while(latest, is_idle);
            let is_over = !latest.unwrap_or_else(PoisonError::into_inner).is_news;
            if is_over {
                return Ok(());
            }
            last = Instant::now();
            self.keep()?;
        }
    }

    /// Brings the latest checkpoint to the disk.
    fn keep(&self) -> io::Result<()> {
        let mut latest = self.lock();
        latest.is_news = false;
        latest.state.microseconds = microseconds(self.elapsed());
        let (mut state, marks) = (latest.state.clone(), latest.marks.clone());
        drop(latest);
        if let Some(Marks { records, rejects }) = marks {
            let (records, rejects) = (records.kept(), rejects.map(Mark::kept));
            let (Some(records), None | Some(Some(_))) = (records, &rejects) else {
                // An output has failed. The checkpoint before this one stays.
                return Ok(());
            };
            state.phase = Phase::Writing { records, rejects: rejects.flatten() };
        }
        self.files.iter().try_for_each(disk::sync)?;
        state.write(&self.path)
    }
}

fn microseconds(time: Duration) -> u64 {
    u64::try_from(time.as_micros()).unwrap_or(u64::MAX)
}
