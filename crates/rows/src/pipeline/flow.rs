//! The ring of slots between the threads, and the loops of the reader and of each worker.
//!
//! A panic in either loop is caught and sent on in its place in the order. So the output of
//! everything before it is taken, and no thread waits for what will not come.

use super::control::Wake;
use super::pace::Pace;
use super::queue::Queue;
use super::source::{Chunk, Filled, Source};
use std::any::Any;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

/// Memory for one chunk and its output.
#[derive(Default)]
pub(super) struct Slot<C, O> {
    pub(super) chunk: C,
    pub(super) output: O,
}

/// A chunk to be worked on.
struct Job<C, O> {
    index: u64,
    slot: Slot<C, O>,
}

/// What comes to the ordered stage, each with its place in the order.
pub(super) enum Step<C, O, E> {
    /// A chunk has been worked on.
    Done(Slot<C, O>),
    /// There are no more chunks.
    Ended,
    /// There may be more chunks, but none is taken.
    Stopped(Stop<C, E>),
}

/// Why a run ended before its source did. All chunks before are taken.
pub(crate) enum Stop<C, E> {
    /// The threads could not be started.
    Threads(io::Error),
    /// The run was cancelled: behind all chunks that had been cut, or at one that was given up.
    Cancelled,
    /// The source, a worker or the ordered stage failed.
    Failed(E),
    /// A worker panicked over this chunk, or the source, over none, with this message.
    Panicked(Option<C>, String),
}

/// The queues that join the reader, the workers and the ordered stage to a ring.
pub(super) struct Flow<C, O, E> {
    pace: Pace,
    /// Chunks whose work has not ended are given up when it is set.
    abandoned: Arc<AtomicBool>,
    /// How many chunks have been cut; none when there will be no more.
    cut: Mutex<Option<u64>>,
    free: Queue<Slot<C, O>>,
    jobs: Queue<Job<C, O>>,
    done: Queue<(u64, Step<C, O, E>)>,
}

impl<C: Chunk, O: Default + Send, E: Send> Flow<C, O, E> {
    /// A ring with this many slots, all of them free.
    pub(super) fn new(slots: usize, pace: Pace, abandoned: Arc<AtomicBool>) -> Self {
        // Besides the slots, the end of all chunks is a step.
        let (free, jobs, done) = (Queue::new(slots), Queue::new(slots), Queue::new(slots + 1));
        (0..slots).for_each(|_| free.push(Slot::default()));
        Self { pace, abandoned, cut: Mutex::new(Some(0)), free, jobs, done }
    }

    /// Puts the end of all chunks behind those that have been cut, unless it is there.
    fn end(&self, step: Step<C, O, E>) {
        if let Some(index) = self.cut().take() {
            self.done.push((index, step));
            self.jobs.close();
        }
    }

    /// Sends a chunk to the workers, unless the run has ended.
    fn send(&self, slot: Slot<C, O>) {
        let mut cut = self.cut();
        if let Some(index) = *cut {
            *cut = Some(index + 1);
            self.jobs.push(Job { index, slot });
        }
    }

    fn cut(&self) -> MutexGuard<'_, Option<u64>> {
        self.cut.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The next step for the ordered stage, in any order.
    pub(super) fn next_step(&self) -> Option<(u64, Step<C, O, E>)> {
        self.done.pop()
    }

    /// Gives back a slot whose output has been taken.
    pub(super) fn recycle(&self, slot: Slot<C, O>) {
        self.free.push(slot);
    }

    /// Ends all loops as soon as they ask for more.
    pub(super) fn stop(&self) {
        self.free.abandon();
        self.jobs.abandon();
        self.done.abandon();
    }

    /// The reader's loop: cuts the input into chunks as long as there are free slots.
    pub(super) fn read(&self, mut source: impl Source<Chunk = C, Error = E>) {
        while let Some(mut slot) = self.free.pop() {
            // After a cancellation nothing more is read or opened.
            if self.cut().is_none() {
                return;
            }
            let size = self.pace.chunk_size();
            let filled = catch_unwind(AssertUnwindSafe(|| source.fill(&mut slot.chunk, size)));
            match filled {
                Ok(Ok(Filled::Chunk)) => self.send(slot),
                Ok(Ok(Filled::Nothing)) => self.free.push(slot),
                Ok(Ok(Filled::End)) => return self.end(Step::Ended),
                Ok(Err(error)) => return self.end(Step::Stopped(Stop::Failed(error))),
                Err(panic) => {
                    return self.end(Step::Stopped(Stop::Panicked(None, message(panic.as_ref()))));
                }
            }
        }
    }

    /// A worker's loop: works on chunks as long as there are any.
    pub(super) fn work<W>(&self, make: &impl Fn() -> W)
    where
        W: FnMut(&C, &mut O) -> Result<(), E>,
    {
        let mut worker = None;
        while let Some(Job { index, slot }) = self.jobs.pop() {
            let mut done = Err(Stop::Cancelled);
            if !self.is_abandoned() {
                done = self.work_on(&mut worker, make, slot);
            }
            self.done.push((index, done.map_or_else(Step::Stopped, Step::Done)));
        }
    }

    fn is_abandoned(&self) -> bool {
        self.abandoned.load(Ordering::SeqCst)
    }

    fn work_on<W>(
        &self,
        worker: &mut Option<W>,
        make: &impl Fn() -> W,
        mut slot: Slot<C, O>,
    ) -> Result<Slot<C, O>, Stop<C, E>>
    where
        W: FnMut(&C, &mut O) -> Result<(), E>,
    {
        let started = Instant::now();
        let run = || worker.get_or_insert_with(make)(&slot.chunk, &mut slot.output);
        match catch_unwind(AssertUnwindSafe(run)) {
            // What was worked on until then may be incomplete.
            Ok(_) if self.is_abandoned() => Err(Stop::Cancelled),
            Ok(Ok(())) => {
                self.pace.learn(slot.chunk.size(), started.elapsed());
                Ok(slot)
            }
            Ok(Err(error)) => Err(Stop::Failed(error)),
            Err(panic) => {
                *worker = None;
                Err(Stop::Panicked(Some(slot.chunk), message(panic.as_ref())))
            }
        }
    }
}

impl<C: Chunk, O: Default + Send, E: Send> Wake for Flow<C, O, E> {
    fn cancel(&self) {
        self.end(Step::Stopped(Stop::Cancelled));
    }
}

/// The message of a panic, if it has one.
fn message(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().copied();
    let text = text.or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    text.unwrap_or("without a message").to_owned()
}
