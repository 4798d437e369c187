//! A job on all rows: in batches, on one thread or several, until it is interrupted.
//!
//! ```text
//! rows    │ batch │ batch │ batch │ …      one thread: appended to the same table
//!         └─ wave: on all threads ┘        several: a part for each batch, joined in order
//! ```
//!
//! After each wave the pulse says whether to continue. Waves are made as long as a person waits for
//! Ctrl-C. If one row can take longer, all is done on other threads, and the pulse is taken meanwhile.
//! Results do not depend on batches, waves or threads.

use super::column::ArrayColumn;
use super::error::ArrayError;
use super::job::{ArrayJob, BatchWorker};
use super::table::ResultTable;
use rayon::prelude::*;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// Receives the number of rows that were answered since the last call, and says whether to continue.
pub(crate) type Pulse<'a> = &'a (dyn Fn(usize) -> bool + Sync);

/// The time of a wave.
const WAVE: Duration = Duration::from_millis(100);

/// The answers to all rows. `threads`: 0 for one on each core.
///
/// # Errors
/// A row lies outside its array, or the run was interrupted.
pub(super) fn run(
    job: &ArrayJob,
    columns: &[ArrayColumn],
    threads: usize,
    pulse: Pulse,
) -> Result<ResultTable, ArrayError> {
    let cores = || thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let threads = if threads == 0 { cores() } else { threads };
    let threads = threads.min(columns[0].rows().div_ceil(job.question.batch));
    let run = |pulse: Pulse| {
        if threads > 1 {
            on_many(job, columns, threads, pulse)
        } else {
            on_one(job, columns, pulse)
        }
    };
    let Some(stop) = &job.question.stop else { return run(pulse) };
    let answered = AtomicUsize::new(0);
    let count = |rows| {
        answered.fetch_add(rows, Ordering::Relaxed);
        !stop.load(Ordering::Relaxed)
    };
    watched(stop, &|| pulse(answered.swap(0, Ordering::Relaxed)), || run(&count))
        .unwrap_or(Err(ArrayError::Interrupted))
}

/// Does something on another thread. Sets the flag when the pulse says so; there is no result then.
pub(crate) fn watched<T: Send>(
    stop: &AtomicBool,
    pulse: &dyn Fn() -> bool,
    work: impl FnOnce() -> T + Send,
) -> Option<T> {
    let (sender, result) = channel();
    thread::scope(|scope| {
        scope.spawn(move || sender.send(work()));
        loop {
            match result.recv_timeout(WAVE) {
                Ok(found) => break (!stop.load(Ordering::Relaxed)).then_some(found),
                // The work panicked: the end of the scope continues the panic.
                Err(RecvTimeoutError::Disconnected) => break None,
                Err(RecvTimeoutError::Timeout) if pulse() => {}
                Err(RecvTimeoutError::Timeout) => stop.store(true, Ordering::Relaxed),
            }
        }
    })
}

fn on_one(
    job: &ArrayJob,
    columns: &[ArrayColumn],
    pulse: Pulse,
) -> Result<ResultTable, ArrayError> {
    let rows = columns[0].rows();
    let mut worker = (job.question.worker)();
    let mut table = ResultTable::new(job.columns(), rows * job.question.copies.unwrap_or(1));
    let mut waves = RowWaves::new(job.question.batch, rows, job.question.batch);
    while let Some(range) = waves.next() {
        worker(columns, range, &mut table)?;
        waves.end(pulse)?;
    }
    Ok(table)
}

fn on_many(
    job: &ArrayJob,
    columns: &[ArrayColumn],
    threads: usize,
    pulse: Pulse,
) -> Result<ResultTable, ArrayError> {
    let (rows, batch) = (columns[0].rows(), job.question.batch);
    let workers: Vec<Mutex<BatchWorker>> =
        (0..threads).map(|_| Mutex::new((job.question.worker)())).collect();
    // A pool of this call alone: one that is kept would not survive a fork of the process.
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    let Ok(pool) = pool else { return on_one(job, columns, pulse) };
    let mut all = ResultTable::new(job.columns(), rows * job.question.copies.unwrap_or(1));
    let mut waves = RowWaves::new(batch * threads * 4, rows, usize::MAX);
    while let Some(wave) = waves.next() {
        let starts: Vec<_> = wave.clone().step_by(batch).collect();
        let parts: Result<Vec<_>, _> = pool.install(|| {
            let part = |start: usize| {
                let worker = &workers[rayon::current_thread_index().unwrap_or(0)];
                let mut worker = worker.lock().unwrap_or_else(PoisonError::into_inner);
                let range = start..(start + batch).min(wave.end);
                let mut part =
                    ResultTable::new(job.columns(), range.len() * job.question.copies.unwrap_or(1));
                worker(columns, range, &mut part).map(|()| part)
            };
            starts.into_par_iter().with_max_len(1).map(part).collect()
        });
        parts?.iter().for_each(|part| all.append(part));
        waves.end(pulse)?;
    }
    Ok(all)
}

/// Rows in waves of about the same time.
struct RowWaves {
    next: usize,
    rows: usize,
    size: usize,
    most: usize,
    began: Instant,
    pulsed: Instant,
    /// Rows of which the pulse knows.
    counted: usize,
}

impl RowWaves {
    fn new(size: usize, rows: usize, most: usize) -> Self {
        let now = Instant::now();
        Self { next: 0, rows, size, most, began: now, pulsed: now, counted: 0 }
    }

    fn next(&mut self) -> Option<Range<usize>> {
        let start = self.next;
        self.next = start.saturating_add(self.size).min(self.rows);
        self.began = Instant::now();
        (start < self.rows).then_some(start..self.next)
    }

    /// Sets the size of the next wave, and takes the pulse if that is due.
    fn end(&mut self, pulse: Pulse) -> Result<(), ArrayError> {
        let time = self.began.elapsed();
        if time > 2 * WAVE {
            self.size = (self.size / 2).max(1);
        } else if time < WAVE / 2 {
            self.size = self.size.saturating_mul(2).min(self.most);
        }
        if self.pulsed.elapsed() > WAVE / 2 {
            if !pulse(self.next - self.counted) {
                return Err(ArrayError::Interrupted);
            }
            self.counted = self.next;
            self.pulsed = Instant::now();
        }
        Ok(())
    }
}
