//! Brings checkpoints to the disk: at most one an interval, on a separate thread.
//!
//! ```text
//! writer ── checkpoint after each chunk ──> latest ── now and then ──> thread: sync outputs ─> append a line to the log
//! ```
//!
//! A compressed output lags behind the writer. Its checkpoint waits until the output has caught up,
//! and holds the beginning of the block that is being filled. A thread lives for one checkpoint.

use super::disk::{self, OpenFile};
use super::error::Error;
use super::log::{Log, LogEntry, Phase};
use super::press::Mark;
use super::sink::Sink;
use crate::lock;
use serde_json::Value;
use std::io;
use std::sync::{Arc, Mutex};
use std::thread::{Builder, JoinHandle};
use std::time::{Duration, Instant};

/// Keeps the log of a run.
pub(super) struct Keeper {
    log: Arc<Mutex<Log>>,
    /// The partial files, to be synced.
    files: Vec<OpenFile>,
    /// Writes a checkpoint, and has not been joined.
    thread: Option<JoinHandle<Result<(), Error>>>,
    interval: Duration,
    /// When the last checkpoint was given to a thread.
    last: Instant,
    reached: Value,
    /// The places in the outputs, if they are not on the disk yet.
    marks: Option<Vec<Mark>>,
    started: Instant,
    /// The time of earlier runs.
    before: Duration,
}

impl Keeper {
    /// Appends to this log. The outputs are synced before. Without an interval, a checkpoint is on the
    /// disk before the run continues.
    pub(super) fn start(log: Log, outputs: &[Sink], interval: Duration) -> Self {
        let partials = outputs.iter().filter_map(|output| output.partial.as_ref());
        let files = partials.map(|partial| partial.file.clone()).collect();
        let (before, reached, now) = (log.line.time, log.line.reached.clone(), Instant::now());
        let (log, thread, marks) = (Arc::new(Mutex::new(log)), None, None);
        Self { log, files, thread, interval, last: now, reached, marks, started: now, before }
    }

    /// The run has come further.
    pub(super) fn advance(
        &mut self,
        marks: Vec<Mark>,
        update: impl FnOnce(&mut Value),
    ) -> Result<(), Error> {
        update(&mut self.reached);
        self.marks = Some(marks);
        self.keep_if_due()
    }

    /// Begins to bring the latest checkpoint to the disk, if the interval is over.
    pub(super) fn keep_if_due(&mut self) -> Result<(), Error> {
        if self.thread.as_ref().is_some_and(JoinHandle::is_finished) {
            self.end()?;
        }
        if self.thread.is_some() || self.marks.is_none() || self.last.elapsed() < self.interval {
            return Ok(());
        }
        self.last = Instant::now();
        let keep = self.keep();
        if self.interval.is_zero() {
            return keep();
        }
        let thread = Builder::new().name("keeper".to_owned()).spawn(keep);
        self.thread = Some(thread.map_err(|cause| lock(&self.log).error(cause))?);
        Ok(())
    }

    /// Brings the latest checkpoint to the disk. If there is no new one, the time until now.
    fn keep(&mut self) -> impl FnOnce() -> Result<(), Error> + Send + use<> {
        let (log, files, time) = (Arc::clone(&self.log), self.files.clone(), self.time());
        let (marks, reached) = (self.marks.take(), self.reached.clone());
        move || {
            let mut log = lock(&log);
            if let Some(marks) = marks {
                let kept = marks.into_iter().map(Mark::kept).collect::<Option<Vec<_>>>();
                // If an output has failed, the checkpoint before this one stays.
                let Some(kept) = kept else { return Ok(()) };
                for (file, kept) in files.iter().zip(&kept) {
                    let synced = file.check(kept.file.bytes).and_then(|()| disk::sync(file));
                    synced.map_err(|cause| Error::new(&file.path, cause))?;
                }
                (log.line.phase, log.line.reached) = (Phase::Writing(kept), reached);
            }
            log.line.time = time;
            log.write()
        }
    }

    /// Writes the last checkpoint with the time until now.
    pub(super) fn suspend(&mut self) -> Result<(), Error> {
        self.end()?;
        self.keep()()
    }

    /// The bytes of each output that the log on the disk refers to.
    pub(super) fn kept(&self) -> Vec<u64> {
        match &lock(&self.log).line.phase {
            Phase::Writing(kept) => kept.iter().map(|kept| kept.file.bytes).collect(),
            Phase::Committing { files, .. } => files.iter().map(|file| file.bytes).collect(),
        }
    }

    /// The time of all runs so far.
    pub(super) fn time(&self) -> Duration {
        self.before + self.started.elapsed()
    }

    /// The outputs are complete and synced: from now on a later run only completes the commit.
    pub(super) fn commit(&mut self, phase: Phase) -> Result<(), Error> {
        self.end()?;
        let mut log = lock(&self.log);
        log.line = LogEntry { phase, time: self.time(), reached: self.reached.clone() };
        log.write()?;
        log.sync_name()
    }

    /// Waits for the thread.
    fn end(&mut self) -> Result<(), Error> {
        self.thread.take().map_or(Ok(()), |thread| {
            thread.join().unwrap_or_else(|_| {
                let cause = io::Error::other("the thread that writes it panicked");
                Err(lock(&self.log).error(cause))
            })
        })
    }
}

/// After a panic, nothing more is written.
impl Drop for Keeper {
    fn drop(&mut self) {
        // If it failed, the run has failed before.
        let _ = self.end();
    }
}
