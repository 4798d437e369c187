//! A question about all rows: in batches, on one thread or several, until it is interrupted.
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
use super::question::RowQuestion;
use super::table::ResultTable;
use ninefold::engine::Bounds;
use std::collections::BTreeMap;
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
    question: &RowQuestion,
    columns: &[ArrayColumn],
    threads: usize,
    pulse: Pulse,
) -> Result<ResultTable, ArrayError> {
    let (rows, batch) = (columns[0].rows(), question.batch);
    let cores = || thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let threads = if threads == 0 { cores() } else { threads };
    let threads = threads.min(rows.div_ceil(batch));
    let stop = Arc::new(AtomicBool::new(false));
    let (next, answered) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let joined =
        Mutex::new(JoinedParts { table: question.table(rows), rows: 0, early: BTreeMap::new() });
    let work = || -> Result<(), ArrayError> {
        let mut worker = (question.worker)(Bounds::default().with_stop(Arc::clone(&stop)));
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
                let mut part = question.table(end - start);
                worker(columns, start..end, &mut part).map(|()| lock().add(start, end, part))
            };
            // An error ends the other workers, too.
            done.inspect_err(|_| next.store(rows, Ordering::Relaxed))?;
            answered.fetch_add(end - start, Ordering::Relaxed);
        }
        Ok(())
    };
    let pulse = || pulse(answered.swap(0, Ordering::Relaxed));
    // One batch of short rows needs no other thread.
    if rows > batch || question.is_long {
        thread::scope(|scope| {
            let (sender, results) = channel();
            for sender in vec![sender; threads] {
                let work = &work;
                scope.spawn(move || sender.send(work()));
            }
            let mut ended = 0;
            while ended < threads {
                match results.recv_timeout(WAIT) {
                    Ok(result) => {
                        result?;
                        ended += 1;
                    }
                    // One panicked: the end of the scope continues the panic.
                    Err(RecvTimeoutError::Disconnected) => break,
                    Err(RecvTimeoutError::Timeout) if pulse() => {}
                    Err(RecvTimeoutError::Timeout) => stop.store(true, Ordering::Relaxed),
                }
            }
            Ok::<_, ArrayError>(())
        })?;
    } else {
        work()?;
    }
    if stop.load(Ordering::Relaxed) || !pulse() {
        return Err(ArrayError::Interrupted);
    }
    Ok(joined.into_inner().unwrap_or_else(PoisonError::into_inner).table)
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
