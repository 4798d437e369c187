//! A job on all rows: in batches, on one thread or several, until it is interrupted.
//!
//! ```text
//! rows    │ batch │ batch │ batch │ …      each worker takes the next one
//!             └── parts, joined in order ──> table
//! ```
//!
//! The calling thread waits for the workers, and takes the pulse meanwhile: it says whether to continue.
//! Results do not depend on batches or threads.

use super::column::ArrayColumn;
use super::error::ArrayError;
use super::job::ArrayJob;
use super::table::ResultTable;
use ninefold::engine::Bounds;
use std::collections::BTreeMap;
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

/// Receives the number of rows that were answered since the last call, and says whether to continue.
pub(crate) type Pulse<'a> = &'a dyn Fn(usize) -> bool;

/// The time between two pulses: as long as a person waits for Ctrl-C.
const WAIT: Duration = Duration::from_millis(100);

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
    let (rows, batch) = (columns[0].rows(), job.question.batch);
    let cores = || thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let threads = if threads == 0 { cores() } else { threads };
    let threads = threads.min(rows.div_ceil(batch));
    let stop = Arc::new(AtomicBool::new(false));
    let (next, answered) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let joined =
        Mutex::new(JoinedParts { table: job.table(rows), rows: 0, early: BTreeMap::new() });
    let work = || {
        let mut worker = (job.question.worker)(Bounds::default().with_stop(Arc::clone(&stop)));
        while !stop.load(Ordering::Relaxed) {
            let start = next.fetch_add(batch, Ordering::Relaxed);
            if start >= rows {
                break;
            }
            let end = rows.min(start + batch);
            let lock = || joined.lock().unwrap_or_else(PoisonError::into_inner);
            let done = if threads == 1 {
                worker(columns, start..end, &mut lock().table)
            } else {
                let mut part = job.table(end - start);
                worker(columns, start..end, &mut part).map(|()| lock().add(start, end, part))
            };
            // An error ends the other workers, too.
            done.inspect_err(|_| next.store(rows, Ordering::Relaxed))?;
            answered.fetch_add(end - start, Ordering::Relaxed);
        }
        Ok(())
    };
    let work_on_all = || {
        thread::scope(|scope| {
            let others: Vec<_> = (1..threads).map(|_| scope.spawn(work)).collect();
            others.into_iter().fold(work(), |result, other| {
                result.and(other.join().unwrap_or_else(|panic| resume_unwind(panic)))
            })
        })
    };
    let pulse = || pulse(answered.swap(0, Ordering::Relaxed));
    if rows > batch || job.question.is_long {
        watched(&stop, &pulse, work_on_all).unwrap_or(Err(ArrayError::Interrupted))?;
    } else {
        work()?;
    }
    if !pulse() {
        return Err(ArrayError::Interrupted);
    }
    Ok(joined.into_inner().unwrap_or_else(PoisonError::into_inner).table)
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
            match result.recv_timeout(WAIT) {
                Ok(found) => break (!stop.load(Ordering::Relaxed)).then_some(found),
                // The work panicked: the end of the scope continues the panic.
                Err(RecvTimeoutError::Disconnected) => break None,
                Err(RecvTimeoutError::Timeout) if pulse() => {}
                Err(RecvTimeoutError::Timeout) => stop.store(true, Ordering::Relaxed),
            }
        }
    })
}

/// The answers to the first rows.
struct JoinedParts {
    table: ResultTable,
    /// The number of these rows.
    rows: usize,
    /// The answers to later rows, by the first row: with the row after the last.
    early: BTreeMap<usize, (usize, ResultTable)>,
}

impl JoinedParts {
    /// Adds the answers to some rows.
    fn add(&mut self, start: usize, end: usize, part: ResultTable) {
        self.early.insert(start, (end, part));
        while let Some((end, part)) = self.early.remove(&self.rows) {
            self.table.append(&part);
            self.rows = end;
        }
    }
}
