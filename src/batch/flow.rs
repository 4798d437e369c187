//! What goes round between the threads, and the two loops that take part: the reader's and
//! each worker's. The picture is in the room's own file.
//!
//! A panic in either loop is caught and sent on in its place in the order, so that whatever
//! came before it is written, and nobody waits for what will not come.

use super::blame::{self, Blame};
use super::pace::Pace;
use super::queue::Queue;
use super::work::{Output, Work};
use crate::input::{self, ChunkBuffer, Source};
use std::any::Any;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Memory for one chunk on its way round.
#[derive(Default)]
pub(super) struct Slot {
    pub(super) chunk: ChunkBuffer,
    pub(super) output: Output,
}

/// A chunk to be answered.
struct Job {
    index: u64,
    input: usize,
    slot: Slot,
}

/// What comes to the writer, each with its place in the order.
pub(super) enum Event {
    /// A chunk has been answered.
    Answered { input: usize, slot: Slot },
    /// The reader panicked over this input, with this message; or a worker that was to be made.
    Panicked { input: usize, message: String },
    /// A worker panicked over a chunk of this input.
    Blamed { input: usize, blame: Blame },
    /// A chunk's bytes were not those of this input.
    Broken { input: usize, cause: io::Error },
    /// There are no more chunks.
    Ended(Result<(), input::Error>),
    /// There may be more, but they are not wanted.
    Stopped,
}

/// The three queues that join reader, workers and writer to a ring, and what workers tell the
/// reader past them.
pub(super) struct Flow {
    pace: Pace,
    /// How many chunks have been cut; none when there will be no more.
    cut: Mutex<Option<u64>>,
    free: Queue<Slot>,
    jobs: Queue<Job>,
    done: Queue<(u64, Event)>,
}

impl Flow {
    /// A ring with so many slots, all of them free, for chunks of at most so many bytes.
    pub(super) fn new(slots: usize, chunk_bytes: usize) -> Self {
        // Besides the slots, the end of all chunks is an event.
        let (free, jobs, done) = (Queue::new(slots), Queue::new(slots), Queue::new(slots + 1));
        (0..slots).for_each(|_| free.push(Slot::default()));
        let cut = Mutex::new(Some(0));
        Self { pace: Pace::new(chunk_bytes.max(1)), cut, free, jobs, done }
    }

    /// Ends the run behind what has been cut so far, even if the reader waits for an input.
    pub(super) fn end_early(&self) {
        self.end(Event::Stopped);
    }

    /// Puts the end of all chunks behind those that have been cut, unless it is there.
    fn end(&self, event: Event) {
        if let Some(index) = self.cut().take() {
            self.done.push((index, event));
            self.jobs.close();
        }
    }

    /// Sends a chunk to be answered; false if there are to be no more.
    fn send(&self, input: usize, slot: Slot) -> bool {
        let mut cut = self.cut();
        let Some(index) = *cut else { return false };
        *cut = Some(index + 1);
        self.jobs.push(Job { index, input, slot });
        true
    }

    fn cut(&self) -> MutexGuard<'_, Option<u64>> {
        self.cut.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The next event for the writer, whatever its place in the order.
    pub(super) fn next_event(&self) -> Option<(u64, Event)> {
        self.done.pop()
    }

    /// Gives back a slot whose records are written.
    pub(super) fn recycle(&self, slot: Slot) {
        self.free.push(slot);
    }

    /// Ends all loops as soon as they ask for more.
    pub(super) fn stop(&self) {
        self.free.abandon();
        self.jobs.abandon();
        self.done.abandon();
    }

    /// The reader's loop: cuts the inputs into chunks, as long as there are free slots.
    pub(super) fn read(&self, sources: Vec<Source>) {
        let mut input = 0;
        let ended = catch_unwind(AssertUnwindSafe(|| {
            for (place, source) in sources.into_iter().enumerate() {
                input = place;
                self.read_source(source, place)?;
            }
            Ok(())
        }));
        self.end(match ended {
            Ok(result) => Event::Ended(result),
            Err(panic) => Event::Panicked { input, message: message(panic.as_ref()) },
        });
    }

    /// Cuts one input into chunks.
    fn read_source(&self, source: Source, input: usize) -> Result<(), input::Error> {
        let mut chunks = source.into_chunks(self.pace.chunk_bytes());
        while let Some(mut slot) = self.free.pop() {
            chunks.set_chunk_bytes(self.pace.chunk_bytes());
            if !chunks.fill(&mut slot.chunk)? {
                self.free.push(slot);
                break;
            }
            if !self.send(input, slot) {
                break;
            }
        }
        Ok(())
    }
}

/// How each worker of a run is made, and what it is told of the inputs.
pub(super) struct Workshop<'a> {
    pub(super) worker: &'a (dyn Fn() -> Box<dyn Work> + Sync),
    /// The inputs' names, if records are to say them.
    pub(super) names: Option<&'a [Arc<str>]>,
}

impl Workshop<'_> {
    /// A worker's loop: answers chunks as long as there are any.
    pub(super) fn work(&self, flow: &Flow) {
        let mut worker = None;
        while let Some(Job { index, input, mut slot }) = flow.jobs.pop() {
            let name = self.names.map(|names| &*names[input]);
            let made = catch_unwind(AssertUnwindSafe(|| {
                worker.get_or_insert_with(|| (self.worker)());
            }));
            if let Err(panic) = made {
                let message = message(panic.as_ref());
                flow.done.push((index, Event::Panicked { input, message }));
                continue;
            }
            let answered = catch_unwind(AssertUnwindSafe(|| {
                let worker = worker.as_mut().expect("it has just been made");
                let Slot { chunk, output } = &mut slot;
                let read = chunk.read(|chunk| worker.run(chunk, name, output));
                flow.pace.learn(chunk.input_bytes(), output.solve_time);
                read
            }));
            let event = match answered {
                Ok(Ok(())) => Event::Answered { input, slot },
                Ok(Err(cause)) => Event::Broken { input, cause },
                Err(panic) => {
                    worker = None;
                    let message = message(panic.as_ref());
                    match blame::find(self.worker, &slot.chunk, name, message) {
                        Ok(blame) => Event::Blamed { input, blame },
                        Err(cause) => Event::Broken { input, cause },
                    }
                }
            };
            flow.done.push((index, event));
        }
    }
}

/// What a panic said, if it said it in words.
pub(super) fn message(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().copied();
    let text = text.or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    text.unwrap_or("without a message").to_owned()
}
