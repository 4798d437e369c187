//! Work on many threads, results in order: for whatever is not a chunk of an input.
//!
//! ```text
//!   next(size) ──► jobs ──► workers ──► Reorder ──► each(result)
//!   └─ the calling thread: gives out, and takes back ──┘
//! ```
//!
//! There are [`SLOTS_PER_THREAD`] jobs under way for each worker and never more, so memory does
//! not grow with the work. Jobs begin small, and grow as long as they are quick, as chunks do;
//! so no result may depend on how work is cut into jobs.

use super::pace::Pace;
use super::queue::Queue;
use super::{Error, Reorder, SLOTS_PER_THREAD};
use rayon::ThreadPoolBuilder;
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::time::Instant;

/// Why no further results are taken.
#[derive(Debug)]
pub enum Stop<E> {
    /// Enough is known.
    Enough,
    /// Something failed.
    Failed(E),
}

impl<E> From<E> for Stop<E> {
    fn from(error: E) -> Self {
        Self::Failed(error)
    }
}

/// How many threads work, and on how much at a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ordered {
    /// How many workers, at least one.
    pub threads: usize,
    /// The most items of a job.
    pub most_items: usize,
}

type Panic = Box<dyn Any + Send>;

/// Ends the workers' loops, whatever ends the calling thread's.
struct StopOnDrop<'a, J, R>(&'a Queue<(u64, J)>, &'a Queue<(u64, Result<R, Panic>)>);

impl<J, R> Drop for StopOnDrop<'_, J, R> {
    fn drop(&mut self) {
        self.0.abandon();
        self.1.abandon();
    }
}

impl Ordered {
    /// Calls `next` for jobs of about so many items, as long as there are any; has them done by
    /// workers, each of which `worker` makes on its own thread; and hands over the results, in
    /// the order of the jobs, to `each`. `items` says how many items a job has.
    ///
    /// `next` and `each` are called on the calling thread. A panic of a worker goes on here.
    ///
    /// # Errors
    /// What `next` or `each` fails with, or [`Error::Threads`].
    ///
    /// # Panics
    /// If a worker does.
    pub fn run<J, R, W, E>(
        &self,
        mut next: impl FnMut(usize) -> Result<Option<J>, E>,
        items: impl Fn(&J) -> usize + Sync,
        worker: impl Fn() -> W + Sync,
        mut each: impl FnMut(R) -> Result<(), Stop<E>>,
    ) -> Result<(), E>
    where
        J: Send,
        R: Send,
        W: FnMut(J) -> R,
        E: From<Error> + Send,
    {
        let threads = self.threads.max(1);
        let pool = ThreadPoolBuilder::new().num_threads(threads).build();
        let pool = pool.map_err(|error| Error::Threads(error.to_string()))?;
        let slots = threads * SLOTS_PER_THREAD;
        let pace = Pace::between(1, self.most_items.max(1));
        let (jobs, done) = (Queue::new(slots), Queue::new(slots));
        let work = || {
            let mut made = None;
            while let Some((index, job)) = jobs.pop() {
                let result = catch_unwind(AssertUnwindSafe(|| {
                    let (started, size) = (Instant::now(), items(&job));
                    let result = made.get_or_insert_with(&worker)(job);
                    pace.learn(size as u64, started.elapsed());
                    result
                }));
                done.push((index, result));
            }
        };
        pool.in_place_scope(|scope| {
            let _stop = StopOnDrop(&jobs, &done);
            scope.spawn_broadcast(|_, _| work());
            let mut reorder = Reorder::new(slots);
            let (mut given, mut taken, mut more) = (0, 0, true);
            loop {
                while more && given - taken < slots as u64 {
                    match next(pace.chunk_bytes())? {
                        Some(job) => {
                            jobs.push((given, job));
                            given += 1;
                        }
                        None => more = false,
                    }
                }
                if given == taken {
                    return Ok(());
                }
                let (index, result) = done.pop().expect("it is abandoned after this loop");
                reorder.push(index, result);
                while let Some(result) = reorder.pop() {
                    taken += 1;
                    match each(result.unwrap_or_else(|panic| resume_unwind(panic))) {
                        Ok(()) => {}
                        Err(Stop::Enough) => return Ok(()),
                        Err(Stop::Failed(error)) => return Err(error),
                    }
                }
            }
        })
    }
}
