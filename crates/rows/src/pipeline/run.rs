//! A run of the pipeline: starts the threads and takes the outputs in order.

use super::control::Cancel;
use super::flow::{Arrival, ChunkSlot, Ends, Flow, HandOver, Stop, WAIT};
use super::pace::Pace;
use super::source::{Chunk, Source};
use rayon::ThreadPoolBuilder;
use std::io;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;
use std::thread;

/// Chunks under way for each worker: one being worked on, one waiting for it, and two behind a
/// slower one that must be taken first.
const SLOTS_PER_THREAD: usize = 4;

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

/// What the ordered stage takes.
pub enum Given<'a, C, O> {
    /// A chunk and its output, or the rest of it.
    Chunk(&'a mut C, &'a mut O),
    /// A part of the output of the next chunk.
    Part(&'a mut O),
    /// Nothing for some time: the next chunk is still being worked on.
    Nothing,
}

impl Pipeline {
    /// Works on every chunk of the source and takes the outputs in order, on the calling thread.
    ///
    /// `make` makes the function of a worker thread. It replaces the output by that of a chunk, which
    /// depends on this chunk alone: the memory of an output is used again. It may hand the output over in
    /// parts, and `Break` says that the chunk was given up. `take` may end the run with `Break` after a
    /// chunk: no more output is needed.
    ///
    /// # Errors
    /// See [`Stop`].
    pub fn run<S, W, O>(
        &self,
        mut source: S,
        make: impl Fn() -> W + Sync,
        take: impl FnMut(Given<'_, S::Chunk, O>) -> Result<ControlFlow<()>, S::Error>,
        cancel: &Cancel,
    ) -> Result<(), Stop<S::Chunk, S::Error>>
    where
        S: Source<Chunk: 'static, Error: 'static> + 'static,
        W: FnMut(&S::Chunk, &mut O, HandOver<'_, O>) -> Result<ControlFlow<()>, S::Error>,
        O: Default + Send + 'static,
    {
        let threads = self.worker_threads();
        let pool = ThreadPoolBuilder::new()
            .num_threads(threads)
            .thread_name(|index| format!("worker {index}"))
            .build();
        let pool = pool.map_err(|error| Stop::Threads(io::Error::other(error.to_string())))?;
        let slots = threads * SLOTS_PER_THREAD;
        source.expect_slots(slots);
        let (least, most) = source.sizes().into_inner();
        let most = self.chunk_size.unwrap_or(most).max(1);
        let pace = Pace::between(least.min(most), most);
        let (flow, ends) = Flow::new(slots, threads, pace, cancel.clone());
        let flow = Arc::new(flow);
        pool.in_place_scope(|scope| {
            scope.spawn_broadcast(|_, _| flow.work(&make));
            let to_read = Arc::clone(&flow);
            let reader = thread::Builder::new().name("reader".to_owned());
            let reader = reader.spawn(move || to_read.read(source)).map_err(Stop::Threads);
            let take_all = || reader.and_then(|_| take_all(&flow, ends, take));
            let taken = catch_unwind(AssertUnwindSafe(take_all));
            // Whatever ended the ordered stage, a panic included, ends the other threads.
            flow.stop();
            taken.unwrap_or_else(|panic| resume_unwind(panic))
        })
    }

    /// The number of workers that a run has.
    ///
    /// The system reports the cores that this process may use: `taskset` and the limits
    /// of a container are respected.
    pub fn worker_threads(&self) -> usize {
        match self.threads {
            0 => thread::available_parallelism().map_or(1, NonZeroUsize::get),
            threads => threads.min(MAX_THREADS),
        }
    }
}

/// Takes the outputs in order until there are no more, or until something fails.
///
/// ```text
/// next = 4     arrived { 4, 6 }     4 is taken, then 5 is waited for
/// ```
fn take_all<C: Chunk, O: Default + Send, E: Send>(
    flow: &Flow<C, O, E>,
    ends: Ends<C, O, E>,
    mut take: impl FnMut(Given<'_, C, O>) -> Result<ControlFlow<()>, E>,
) -> Result<(), Stop<C, E>> {
    let Ends { done, spare } = ends;
    // No more than there are slots, and the end. A list is searched, because a tree allocates for each chunk.
    let (mut arrived, mut next) = (Vec::new(), 0);
    loop {
        flow.end_if_cancelled();
        let Ok((index, step)) = done.recv_timeout(WAIT) else {
            let _ = take(Given::Nothing).map_err(Stop::Failed)?;
            continue;
        };
        if let Arrival::Part(mut part) = step {
            let _ = take(Given::Part(&mut part)).map_err(Stop::Failed)?;
            let _ = spare.send(part);
            continue;
        }
        arrived.push((index, step));
        flow.set_taking((index == next).then_some(next));
        while let Some(place) = arrived.iter().position(|(it, _)| *it == next) {
            let (_, step) = arrived.swap_remove(place);
            next += 1;
            match step {
                Arrival::Done(mut slot) => {
                    let ChunkSlot { chunk, output } = &mut slot;
                    if take(Given::Chunk(chunk, output)).map_err(Stop::Failed)?.is_break() {
                        return Ok(());
                    }
                    flow.set_free(slot);
                }
                Arrival::GivenUp(mut slot) => {
                    let _ = take(Given::Part(&mut slot.output)).map_err(Stop::Failed)?;
                    return Err(Stop::Cancelled);
                }
                Arrival::Part(_) => unreachable!("parts were taken as they came"),
                Arrival::Ended(result) => return result,
            }
        }
        flow.set_taking(None);
        flow.set_turn(next);
    }
}

#[cfg(test)]
mod tests {
    use super::super::source::Filled;
    use super::*;
    use std::convert::Infallible;
    use std::ops::RangeInclusive;
    use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
    use std::time::Duration;

    /// Some chunks, each of which takes a millisecond.
    struct Slow(usize, Arc<AtomicBool>);

    impl Source for Slow {
        type Chunk = ();
        type Error = Infallible;

        fn sizes(&self) -> RangeInclusive<usize> {
            1..=1
        }

        fn is_work(&self) -> bool {
            true
        }

        fn fill(&mut self, (): &mut (), _: usize) -> Result<Filled, Infallible> {
            thread::sleep(Duration::from_millis(1));
            let Some(left) = self.0.checked_sub(1) else {
                self.1.store(true, Ordering::SeqCst);
                return Ok(Filled::End);
            };
            self.0 = left;
            Ok(Filled::Chunk)
        }
    }

    #[test]
    fn a_reader_that_works_is_one_of_the_threads() {
        let (busy, most) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let has_ended = Arc::new(AtomicBool::new(false));
        let work = |(): &(), (): &mut (), _: HandOver<'_, ()>| {
            let now = 1 + busy.fetch_add(1, Ordering::SeqCst);
            if !has_ended.load(Ordering::SeqCst) {
                most.fetch_max(now, Ordering::SeqCst);
            }
            thread::sleep(Duration::from_millis(5));
            busy.fetch_sub(1, Ordering::SeqCst);
            Ok(ControlFlow::Continue(()))
        };
        // Fewer chunks than slots: the reader waits for none.
        let (threads, mut taken) = (3, 0);
        let source = Slow(threads * SLOTS_PER_THREAD - 1, Arc::clone(&has_ended));
        let take = |given: Given<'_, _, _>| {
            taken += usize::from(matches!(given, Given::Chunk(..)));
            Ok(ControlFlow::Continue(()))
        };
        let pipeline = Pipeline { threads, chunk_size: None };
        let ended = pipeline.run(source, || work, take, &Cancel::default());
        assert!(ended.is_ok() && taken == 11 && most.into_inner() == 2);
    }
}
