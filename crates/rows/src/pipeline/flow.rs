//! The ring of slots between the threads, and the loops of the reader and of each worker.
//!
//! A panic in either loop is caught and sent on in its place in the order. So the output of
//! everything before it is taken, and no thread waits for what will not come.
//!
//! # Parts
//! The output of a chunk may be larger than memory. Its worker hands it over in parts: it waits until all
//! chunks before are taken, and then exchanges a part of the output for an empty one.
//!
//! ```text
//! worker 1    chunk 4: part, part, part, rest     the turn of 4: parts are written as they come
//! worker 2    chunk 5: part … waits
//! ```
//!
//! # Idle workers
//! Where reading is the bound, as with a compressed input, one worker may keep up. A second one would take its turns,
//! and the core that the reader needs. So a chunk wakes a worker only if all of them are idle or another chunk waits:
//! the one that became idle last, whose memory may still be in a cache. A reader that works counts as a worker, if there
//! are several, and so does an ordered stage that is late.

use super::control::Cancel;
use super::pace::Pace;
use super::source::{Chunk, Filled, Source};
use crate::lock;
use std::any::Any;
use std::collections::VecDeque;
use std::io;
use std::mem;
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, Thread};
use std::time::{Duration, Instant};

/// How often the ordered stage says that it waits, a worker that waits for its turn looks whether the run was given
/// up, and an idle worker looks for a chunk.
pub(super) const WAIT: Duration = Duration::from_millis(100);

/// Parts of outputs between a worker and the ordered stage: one is filled while another is written.
const PARTS: usize = 2;

/// Hands a part of the output of a chunk over and empties the output. `Break`: no more is wanted.
pub type HandOver<'a, O> = &'a mut dyn FnMut(&mut O) -> ControlFlow<()>;

/// Memory for one chunk and its output.
#[derive(Default)]
pub(super) struct ChunkSlot<C, O> {
    pub(super) chunk: C,
    pub(super) output: O,
}

/// What comes to the ordered stage.
pub(super) enum Arrival<C, O, E> {
    /// A part of the output of the chunk whose turn it is. The chunk comes later.
    Part(O),
    /// A chunk has been worked on.
    Done(ChunkSlot<C, O>),
    /// A chunk was given up. The output up to there is valid.
    GivenUp(ChunkSlot<C, O>),
    /// There are no more chunks, or none is taken.
    Ended(Result<(), Stop<C, E>>),
}

/// Why a run ended before its source did. All chunks before are taken.
pub enum Stop<C, E> {
    /// The threads could not be started.
    Threads(io::Error),
    /// The run was cancelled: behind all chunks that had been cut, or at one that was given up.
    Cancelled,
    /// The source, a worker or the ordered stage failed.
    Failed(E),
    /// A worker panicked over this chunk, or the source, over none, with this message.
    Panicked(Option<C>, String),
}

/// A chunk to be worked on, and its place in the order.
type Job<C, O> = (u64, ChunkSlot<C, O>);

/// The chunks that wait for a worker.
struct Jobs<C, O> {
    waiting: VecDeque<Job<C, O>>,
    /// How many chunks have been cut.
    cut: u64,
    /// Whether there may be more.
    is_open: bool,
    /// How many workers have a chunk, or were woken to take one.
    busy: usize,
    /// Whether the reader works, too, and does not wait for a free slot.
    is_reading: bool,
    /// Whether the ordered stage works, too, and has several outputs to take.
    is_late: bool,
    /// The workers that wait for a chunk.
    idle: Vec<Thread>,
}

impl<C, O> Jobs<C, O> {
    /// Whether another worker may take a chunk.
    fn has_room(&self, threads: usize) -> bool {
        let others = usize::from(self.is_reading) + usize::from(self.is_late);
        self.busy == 0 || self.busy + others < threads
    }

    /// Wakes all workers: there are no more chunks.
    fn wake_all(&mut self) {
        self.busy += self.idle.len();
        self.idle.drain(..).for_each(|worker| worker.unpark());
    }
}

/// What the reader and the workers share. Channels are never full: each has room for all that there is.
pub(super) struct Flow<C, O, E> {
    threads: usize,
    pace: Pace,
    cancel: Cancel,
    jobs: Mutex<Jobs<C, O>>,
    /// Free slots. The reader takes the one that was freed last: its memory may still be in a cache. None after the
    /// end of the run.
    free: Mutex<Option<Vec<ChunkSlot<C, O>>>>,
    freed: Condvar,
    done: SyncSender<(u64, Arrival<C, O, E>)>,
    /// The chunk whose output is to be taken next, or the highest number if the run has ended.
    turn: Mutex<u64>,
    turned: Condvar,
    /// Empty outputs that workers take for the parts that they hand over.
    spare: Mutex<Receiver<O>>,
}

/// The ordered stage has these ends of the channels. When it drops them, no other thread waits for it any more.
pub(super) struct Ends<C, O, E> {
    /// What comes of the chunks, each with its place in the order.
    pub(super) done: Receiver<(u64, Arrival<C, O, E>)>,
    pub(super) spare: SyncSender<O>,
}

impl<C: Chunk, O: Default + Send, E: Send> Flow<C, O, E> {
    /// A ring with this many slots, all of them free, for this many workers.
    pub(super) fn new(
        slots: usize,
        threads: usize,
        pace: Pace,
        cancel: Cancel,
    ) -> (Self, Ends<C, O, E>) {
        let jobs = Jobs {
            waiting: VecDeque::with_capacity(slots),
            cut: 0,
            is_open: true,
            busy: 0,
            is_reading: false,
            is_late: false,
            idle: Vec::with_capacity(threads),
        };
        let free = (0..slots).map(|_| ChunkSlot::default()).collect();
        // Besides the slots, the end of all chunks is a step, and so are parts.
        let ((done, to_take), (spare, to_use)) =
            (sync_channel(slots + 1 + PARTS), sync_channel(PARTS));
        let ends = Ends { done: to_take, spare };
        (0..PARTS).for_each(|_| drop(ends.spare.send(O::default())));
        let flow = Self {
            threads,
            pace,
            cancel,
            jobs: Mutex::new(jobs),
            free: Mutex::new(Some(free)),
            freed: Condvar::new(),
            done,
            turn: Mutex::new(0),
            turned: Condvar::new(),
            spare: Mutex::new(to_use),
        };
        (flow, ends)
    }

    /// Puts the end of all chunks behind those that have been cut, unless it is there.
    fn end(&self, result: Result<(), Stop<C, E>>) {
        let mut jobs = lock(&self.jobs);
        jobs.is_reading = false;
        if mem::take(&mut jobs.is_open) {
            self.arrive(jobs.cut, Arrival::Ended(result));
            jobs.wake_all();
        }
    }

    /// Wakes a worker if there is a chunk that it may take.
    fn wake(&self, mut jobs: MutexGuard<'_, Jobs<C, O>>) {
        let is_needed = !jobs.waiting.is_empty() && jobs.has_room(self.threads);
        let worker = if is_needed { jobs.idle.pop() } else { None };
        jobs.busy += usize::from(worker.is_some());
        // It takes the lock.
        drop(jobs);
        worker.inspect(Thread::unpark);
    }

    /// Ends a run that is cancelled behind the chunks that have been cut.
    pub(super) fn end_if_cancelled(&self) {
        if self.cancel.is_requested() {
            self.end(Err(Stop::Cancelled));
        }
    }

    /// Sends a chunk to the workers, unless the run has ended.
    fn send(&self, slot: ChunkSlot<C, O>) {
        let mut jobs = lock(&self.jobs);
        if jobs.is_open {
            let index = jobs.cut;
            jobs.waiting.push_back((index, slot));
            jobs.cut += 1;
            if jobs.busy == 0 || jobs.waiting.len() > 1 {
                self.wake(jobs);
            }
        }
    }

    /// Waits for the next chunk; none when there are no more. `is_busy`: whether this worker had one.
    fn next_job(&self, is_busy: bool) -> Option<Job<C, O>> {
        let mut jobs = lock(&self.jobs);
        jobs.busy -= usize::from(is_busy);
        while jobs.is_open && (jobs.waiting.is_empty() || !jobs.has_room(self.threads)) {
            let own = thread::current();
            let id = own.id();
            jobs.idle.push(own);
            drop(jobs);
            // Looks again after some time, because the chunk of a busy worker may take minutes.
            thread::park_timeout(WAIT);
            jobs = lock(&self.jobs);
            match jobs.idle.iter().position(|worker| worker.id() == id) {
                Some(place) => drop(jobs.idle.remove(place)),
                None => jobs.busy -= 1,
            }
        }
        let job = jobs.waiting.pop_front()?;
        jobs.busy += 1;
        Some(job)
    }

    /// Sends a step to the ordered stage, unless that has ended.
    fn arrive(&self, index: u64, step: Arrival<C, O, E>) {
        let _ = self.done.send((index, step));
    }

    /// The output of this chunk is to be taken next: its worker may hand over parts.
    pub(super) fn set_turn(&self, index: u64) {
        *lock(&self.turn) = index;
        self.turned.notify_all();
    }

    /// Waits for the turn of a chunk, and hands over a part of its output.
    fn hand_over(&self, index: u64, output: &mut O) -> ControlFlow<()> {
        let mut turn = lock(&self.turn);
        while *turn < index && !self.cancel.is_abandoned() {
            let waited = self.turned.wait_timeout(turn, WAIT);
            (turn, _) = waited.unwrap_or_else(PoisonError::into_inner);
        }
        if *turn != index {
            return ControlFlow::Break(());
        }
        drop(turn);
        let Ok(spare) = lock(&self.spare).recv() else { return ControlFlow::Break(()) };
        self.arrive(index, Arrival::Part(mem::replace(output, spare)));
        ControlFlow::Continue(())
    }

    /// Ends all loops as soon as they ask for more, when the ends of the ordered stage are dropped.
    pub(super) fn stop(&self) {
        let mut jobs = lock(&self.jobs);
        jobs.is_open = false;
        // A reader that is left behind keeps no memory of them.
        jobs.waiting.clear();
        jobs.wake_all();
        drop(jobs);
        self.set_turn(u64::MAX);
        drop(lock(&self.free).take());
        self.freed.notify_all();
    }

    /// Waits for a free slot; none when the run has ended.
    fn free_slot(&self) -> Option<ChunkSlot<C, O>> {
        let is_waiting = |free: &mut Option<Vec<_>>| free.as_ref().is_some_and(Vec::is_empty);
        let waits = is_waiting(&mut lock(&self.free));
        if waits {
            self.set_reading(false);
        }
        let free = self.freed.wait_while(lock(&self.free), is_waiting);
        free.unwrap_or_else(PoisonError::into_inner).as_mut()?.pop()
    }

    /// Whether the reader has work that a worker might do in its place.
    fn set_reading(&self, is_reading: bool) {
        let mut jobs = lock(&self.jobs);
        jobs.is_reading = is_reading;
        self.wake(jobs);
    }

    /// The ordered stage takes the output of this chunk, or waits for one.
    pub(super) fn set_taking(&self, index: Option<u64>) {
        let mut jobs = lock(&self.jobs);
        let begun = (jobs.waiting.len() + jobs.busy) as u64;
        jobs.is_late = index.is_some_and(|index| jobs.cut - index > begun + 1);
        self.wake(jobs);
    }

    /// The reader may fill this slot, unless the run has ended.
    pub(super) fn set_free(&self, slot: ChunkSlot<C, O>) {
        let mut free = lock(&self.free);
        let Some(slots) = &mut *free else { return };
        slots.push(slot);
        // The reader slept when there were none. It cuts two chunks for each time that it is woken.
        let wakes = slots.len() == 2;
        drop(free);
        if wakes {
            self.freed.notify_one();
        }
    }

    /// The reader's loop: cuts the input into chunks as long as there are free slots.
    pub(super) fn read(&self, mut source: impl Source<Chunk = C, Error = E>) {
        while let Some(mut slot) = self.free_slot() {
            // After a cancellation nothing more is read or opened.
            self.end_if_cancelled();
            if !lock(&self.jobs).is_open {
                return;
            }
            self.set_reading(source.is_work());
            let size = self.pace.chunk_size();
            let filled = catch_unwind(AssertUnwindSafe(|| source.fill(&mut slot.chunk, size)));
            self.end_if_cancelled();
            match filled {
                Ok(Ok(Filled::Chunk)) => self.send(slot),
                Ok(Ok(Filled::Nothing)) => self.set_free(slot),
                Ok(Ok(Filled::End)) => return self.end(Ok(())),
                Ok(Err(error)) => return self.end(Err(Stop::Failed(error))),
                Err(panic) => {
                    return self.end(Err(Stop::Panicked(None, message(panic.as_ref()))));
                }
            }
        }
    }

    /// A worker's loop: works on chunks as long as there are any.
    pub(super) fn work<W>(&self, make: &impl Fn() -> W)
    where
        W: FnMut(&C, &mut O, HandOver<'_, O>) -> Result<ControlFlow<()>, E>,
    {
        let mut worker = None;
        let mut is_busy = false;
        while let Some((index, mut slot)) = self.next_job(mem::replace(&mut is_busy, true)) {
            if self.cancel.is_abandoned() {
                self.arrive(index, Arrival::Ended(Err(Stop::Cancelled)));
                continue;
            }
            let started = Instant::now();
            let mut hand_over = |output: &mut O| self.hand_over(index, output);
            let ChunkSlot { chunk, output } = &mut slot;
            let run = || worker.get_or_insert_with(make)(chunk, output, &mut hand_over);
            let step = match catch_unwind(AssertUnwindSafe(run)) {
                Ok(Ok(ControlFlow::Break(()))) => Arrival::GivenUp(slot),
                // What was worked on until then may be incomplete.
                Ok(_) if self.cancel.is_abandoned() => Arrival::Ended(Err(Stop::Cancelled)),
                Ok(Ok(ControlFlow::Continue(()))) => {
                    self.pace.learn(slot.chunk.size(), started.elapsed());
                    Arrival::Done(slot)
                }
                Ok(Err(error)) => Arrival::Ended(Err(Stop::Failed(error))),
                Err(panic) => {
                    worker = None;
                    let message = message(panic.as_ref());
                    Arrival::Ended(Err(Stop::Panicked(Some(slot.chunk), message)))
                }
            };
            self.arrive(index, step);
        }
    }
}

/// The message of a panic, if it has one.
fn message(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().copied();
    let text = text.or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    text.unwrap_or("without a message").to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_ordered_stage_that_is_late_is_one_of_the_threads() {
        let (flow, _ends) = Flow::<(), (), ()>::new(8, 2, Pace::between(1, 1), Cancel::default());
        let send = |chunks| (0..chunks).for_each(|_| flow.send(flow.free_slot().unwrap()));
        let next = |is_busy| flow.next_job(is_busy).map(|(index, _)| index);
        send(4);
        // Two workers, of which one is done with a chunk: one output.
        assert_eq!([next(false), next(false), next(true)], [Some(0), Some(1), Some(2)]);
        flow.set_taking(Some(0));
        assert!(lock(&flow.jobs).has_room(3) && !lock(&flow.jobs).is_late);
        // Two outputs: now two workers and the stage would be three.
        assert_eq!(next(true), Some(3));
        send(1);
        flow.set_taking(Some(0));
        thread::scope(|scope| {
            let waits = scope.spawn(|| next(true));
            while lock(&flow.jobs).idle.is_empty() {
                thread::yield_now();
            }
            assert_eq!(lock(&flow.jobs).waiting.len(), 1);
            flow.set_taking(None);
            assert_eq!(waits.join().unwrap(), Some(4));
        });
    }
}
