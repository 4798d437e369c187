//! A run of the pipeline: starts the threads and takes the outputs in order.

use super::control::Cancel;
use super::error::Error;
use super::flow::{Flow, Slot, Step};
use super::order::Reorder;
use super::pace::Pace;
use super::stage::{Chunk, Ordered, Panic, Source, Work};
use rayon::ThreadPoolBuilder;
use std::io;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::thread;

/// Chunks under way for each worker: one being worked on, one waiting for it, and two behind a
/// slower one that must be taken first.
pub const SLOTS_PER_THREAD: usize = 4;

/// The most workers that a run has: more cores than any machine has that this was built for, and
/// fewer threads than a system refuses to start.
pub const MAX_THREADS: usize = 1024;

/// How a run is divided.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pipeline {
    /// How many workers, [`MAX_THREADS`] at most; 0 for one on each core that this process may
    /// use.
    pub threads: usize,
    /// The largest size of a chunk, in the unit of the source: bytes of input, or puzzles to be
    /// made. `None` for the size that is best for the source. The results do not depend on it.
    pub chunk_size: Option<usize>,
}

impl Pipeline {
    /// Works on every chunk of the source with workers that `make` makes, one on each worker
    /// thread, and hands their outputs to the ordered stage.
    ///
    /// # Errors
    /// See [`Error`].
    ///
    /// # Example
    /// The numbers below 10,000, squared by all cores and added in order:
    pub fn run<S, W, K>(
        &self,
        mut source: S,
        make: impl Fn() -> W + Sync,
        stage: &mut K,
        cancel: &Cancel,
    ) -> Result<(), Error<S::Error>>
    where
        S: Source<Chunk: 'static, Error: 'static> + 'static,
        W: Work<Chunk = S::Chunk, Output: 'static, Error = S::Error>,
        K: Ordered<Chunk = S::Chunk, Output = W::Output, Error = S::Error>,
    {
        let threads = self.worker_threads();
        let pool = ThreadPoolBuilder::new().num_threads(threads).thread_name(worker_name).build();
        let pool = pool.map_err(|error| Error::Threads(io::Error::other(error.to_string())))?;
        let slots = threads * SLOTS_PER_THREAD;
        source.expect_slots(slots);
        let (least, most) = source.sizes().into_inner();
        let most = self.chunk_size.unwrap_or(most).max(1);
        let pace = Pace::between(least.min(most), most);
        let flow = Arc::new(Flow::new(slots, pace, cancel.abandon_flag()));
        cancel.attach(&flow);
        pool.in_place_scope(|scope| {
            // Whatever ends the ordered stage, a panic included, ends the other threads.
            let _stop = StopOnDrop(&flow);
            scope.spawn_broadcast(|_, _| flow.work(&make));
            spawn_reader(source, &flow).map_err(Error::Threads)?;
            take_all(&flow, slots, stage)
        })
    }

    /// The number of workers that a run has.
    ///
    /// The system reports the cores that this process may use: `taskset` and the limits
    /// of a container are respected.
    #[must_use]
    pub fn worker_threads(&self) -> usize {
        match self.threads {
            0 => thread::available_parallelism().map_or(1, NonZeroUsize::get),
            threads => threads.min(MAX_THREADS),
        }
    }
}

/// Takes the outputs in order until there are no more, or until something fails. At most `slots`
/// chunks are under way.
fn take_all<C: Chunk, O: Default + Send, E: Send>(
    flow: &Flow<C, O, E>,
    slots: usize,
    stage: &mut impl Ordered<Chunk = C, Output = O, Error = E>,
) -> Result<(), Error<E>> {
    // One place more than there are slots: the end has its place behind them.
    let mut reorder = Reorder::new(slots + 1);
    while let Some((index, step)) = flow.next_step() {
        reorder.push(index, step);
        while let Some(step) = reorder.pop() {
            match step {
                Step::Done(mut slot) => {
                    if take(stage, &mut slot)?.is_break() {
                        return Ok(());
                    }
                    flow.recycle(slot);
                }
                Step::Panicked(chunk, message) => {
                    let panic = Panic { chunk: chunk.as_ref(), message: &message };
                    return Err(Error::Failed(stage.panicked(panic)));
                }
                Step::Failed(error) => return Err(Error::Failed(error)),
                Step::Cancelled => return Err(Error::Cancelled),
                Step::Ended => return Ok(()),
            }
        }
    }
    unreachable!("only the ordered stage stops the flow")
}

fn take<C: Chunk, O, E>(
    stage: &mut impl Ordered<Chunk = C, Output = O, Error = E>,
    Slot { chunk, output }: &mut Slot<C, O>,
) -> Result<ControlFlow<()>, Error<E>> {
    stage.take(chunk, output).map_err(Error::Failed)
}

fn spawn_reader<S, O>(source: S, flow: &Arc<Flow<S::Chunk, O, S::Error>>) -> io::Result<()>
where
    S: Source<Chunk: 'static, Error: 'static> + 'static,
    O: Default + Send + 'static,
{
    let flow = Arc::clone(flow);
    let reader = thread::Builder::new().name("reader".to_owned());
    reader.spawn(move || flow.read(source)).map(drop)
}

/// What the system calls a worker.
fn worker_name(index: usize) -> String {
    format!("worker {index}")
}

/// Ends the loops of the reader and the workers.
struct StopOnDrop<'a, C: Chunk, O: Default + Send, E: Send>(&'a Flow<C, O, E>);

impl<C: Chunk, O: Default + Send, E: Send> Drop for StopOnDrop<'_, C, O, E> {
    fn drop(&mut self) {
        self.0.stop();
    }
}
