//! A run of the pipeline: equal threads, each of which cuts a chunk, works on it, and takes its turn.
//!
//! ```text
//! each thread, until the end:
//!   free slot ──> claim ──────────> work ──────────> leave ──────────────> turn
//!   memory        the next chunk    its output       all that is ready     outputs in order
//!                 (one at a time)                    is taken by one       (one at a time)
//! ```
//!
//! Chunks are numbered. A thread puts its output on a list with the number of the chunk. If that number is next and
//! no other thread takes outputs, the thread takes this output and all that follow it on the list. Otherwise it
//! claims another chunk. So a thread waits only if all slots are in use behind a slow chunk.
//!
//! A thread that has filled a chunk gives it to one that waits for a chunk, and fills the next: what it needs to
//! decompress a stream is in its cache.
//!
//! # Sources that wait
//! A pipe may have nothing for hours, and a thread that reads it cannot be stopped. Such a source has a thread
//! of its own, which gives all chunks away. If the run ends meanwhile, it is left behind.
//!
//! # Parts
//! The output of a chunk may be larger than memory. Its thread waits until all chunks before are taken, and then
//! has it taken in parts.
//!
//! # Panics
//! A panic over a chunk, or of the source, is caught and has its place in the order. So the outputs before it
//! are taken, and no thread waits for what will not come.

use super::control::Cancel;
use super::pace::Pace;
use super::source::{Chunk, Filled, Source};
use super::times::{Spent, Times};
use crate::lock;
use rayon::ThreadPoolBuilder;
use std::any::Any;
use std::collections::VecDeque;
use std::io;
use std::mem;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// Chunks under way for each thread: one being worked on, and three that wait behind a slower one.
const SLOTS_PER_THREAD: usize = 4;

/// The most threads that a run has: more cores than any machine has that this was built for, and
/// fewer threads than a system refuses to start.
pub const MAX_THREADS: usize = 1024;

/// A chunk that took longer to fill was read from a stream: 128 KiB are decompressed in some hundred microseconds, and a
/// chunk of a file is cut in a few. What a decoder has decompressed before is there at once.
const SLOW_FILL: Duration = Duration::from_micros(50);

/// How often the calling thread has a look, and a thread that waits looks whether the run was cancelled.
const WAIT: Duration = Duration::from_millis(100);

/// How a run is divided.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pipeline {
    /// How many threads, [`MAX_THREADS`] at most; 0 for one on each core that this process may
    /// use.
    pub threads: usize,
    /// The largest size of a chunk, in the unit of the source: bytes of input, or puzzles to be
    /// made. `None` for the size that is best for the source. The results do not depend on it.
    pub chunk_size: Option<usize>,
}

/// What is taken, in order.
pub enum Given<'a, C, O> {
    /// A chunk and its output, or the rest of it.
    Chunk(&'a mut C, &'a mut O),
    /// A part of the output of the next chunk.
    Part(&'a mut O),
    /// Nothing: some time is over. Given on the calling thread.
    Nothing,
}

/// Has a part of the output of a chunk taken. `Break`: no more is wanted.
pub type HandOver<'a, O> = &'a mut dyn FnMut(&mut O) -> ControlFlow<()>;

/// Why a run ended before its source did. All chunks before are taken.
pub enum Stop<C, E> {
    /// The threads could not be started.
    Threads(io::Error),
    /// The run was cancelled: behind all chunks that had been cut, or at one that was given up.
    Cancelled,
    /// The source, the work on a chunk or the taking of outputs failed.
    Failed(E),
    /// A panic over this chunk, or of the source, over none, with this message.
    Panicked(Option<C>, String),
}

/// Memory for one chunk and its output.
#[derive(Default)]
struct ChunkSlot<C, O> {
    chunk: C,
    output: O,
}

/// The result of the work on a chunk.
enum Arrival<C, O, E> {
    Done(ChunkSlot<C, O>),
    /// It was given up. The output up to there is valid.
    GivenUp(ChunkSlot<C, O>),
    /// There is none with this number, or none is taken.
    Ended(Result<(), Stop<C, E>>),
}

type Slot<S, O> = ChunkSlot<<S as Source>::Chunk, O>;

type StopOf<S> = Stop<<S as Source>::Chunk, <S as Source>::Error>;

/// What a filled slot is, or why there is none.
type Fill<S, O> = Result<(Slot<S, O>, Filled), StopOf<S>>;

/// Where chunks are claimed.
struct Claims<S: Source, O> {
    state: Mutex<ClaimState<S, O>>,
    /// A chunk was given, or there are no more.
    given: Condvar,
    /// A slot was freed, or none is needed any more.
    freed: Condvar,
}

struct ClaimState<S: Source, O> {
    /// None while a thread has it to fill a chunk.
    source: Option<S>,
    /// Free slots. The one that was freed last is taken first: its memory may still be in a cache.
    free: Vec<Slot<S, O>>,
    /// Filled chunks, in order.
    given: VecDeque<(u64, Fill<S, O>)>,
    /// Threads that wait for a chunk.
    waiting: usize,
    /// The thread that filled the last one that took long: a stream was read.
    reader: Option<usize>,
    /// The number of the next chunk that is filled.
    next: u64,
    /// No more are claimed.
    has_ended: bool,
}

impl<S: Source, O> Claims<S, O> {
    /// Gives a chunk, or the end, to the thread that takes the next one. Returns whether more may follow.
    fn give(&self, claims: &mut ClaimState<S, O>, fill: Fill<S, O>) -> bool {
        let follows = matches!(fill, Ok((_, Filled::Chunk | Filled::Nothing)));
        if let Ok((slot, Filled::Nothing)) = fill {
            claims.free.push(slot);
        } else {
            claims.given.push_back((claims.next, fill));
            claims.next += 1;
            self.given.notify_one();
        }
        follows
    }

    fn end(&self, claims: &mut ClaimState<S, O>) {
        claims.has_ended = true;
        self.given.notify_all();
        self.freed.notify_all();
    }
}

/// Waits until there is something, or for some time.
fn wait<'a, T>(changed: &Condvar, state: MutexGuard<'a, T>) -> MutexGuard<'a, T> {
    changed.wait_timeout(state, WAIT).unwrap_or_else(PoisonError::into_inner).0
}

/// The outputs that were left, and whose turn it is.
struct TurnState<C, O, E> {
    /// No more than there are slots, and the end. A list is searched, because a tree allocates for each chunk.
    left: Vec<(u64, Arrival<C, O, E>)>,
    /// The number of the output that is to be taken next.
    next: u64,
    /// A thread takes an output.
    is_taken: bool,
    /// How the run ended.
    end: Option<End<C, E>>,
}

/// The end of a run, or a panic while outputs were taken.
type End<C, E> = Result<Result<(), Stop<C, E>>, Box<dyn Any + Send>>;

/// What the threads share.
struct Shared<'t, S: Source, O, T> {
    claims: Arc<Claims<S, O>>,
    turn: Mutex<TurnState<S::Chunk, O, S::Error>>,
    turned: Condvar,
    take: Mutex<T>,
    pace: Arc<Pace>,
    cancel: Cancel,
    times: &'t Times,
    /// Chunks that a reader fills before it works on one. Two threads solve a million rows of zst in 434 ms if there is
    /// none, in 326 with one and in 315 with four; of gz in 399, 394 and 330.
    ahead: usize,
}

impl Pipeline {
    /// Works on every chunk of the source and takes the outputs in order.
    ///
    /// `make` makes the function of a thread. It replaces the output by that of a chunk, which
    /// depends on this chunk alone: the memory of an output is used again. It may hand the output over in
    /// parts, and `Break` says that the chunk was given up. `take` is called by one thread at a time, whichever
    /// it is, and may end the run with `Break` after a chunk: no more output is needed. The calling thread does
    /// no work; ten times a second it gives [`Given::Nothing`] to `take`. `help` is other work that is waiting, a
    /// piece of it for each call, until it returns false: it comes before the next chunk. What threads do besides
    /// is added to `times`.
    ///
    /// # Errors
    /// See [`Stop`].
    pub fn run<S, W, O>(
        &self,
        mut source: S,
        make: impl Fn() -> W + Sync,
        take: impl FnMut(Given<'_, S::Chunk, O>) -> Result<ControlFlow<()>, S::Error> + Send,
        help: impl Fn() -> bool + Sync,
        cancel: &Cancel,
        times: &Times,
    ) -> Result<(), Stop<S::Chunk, S::Error>>
    where
        S: Source<Chunk: 'static, Error: 'static> + 'static,
        W: FnMut(&mut S::Chunk, &mut O, HandOver<'_, O>) -> Result<ControlFlow<()>, S::Error>,
        O: Default + Send + 'static,
    {
        let threads = self.worker_threads();
        let pool = ThreadPoolBuilder::new()
            .num_threads(threads)
            .thread_name(|index| format!("worker {index}"))
            .build();
        let pool = pool.map_err(|error| Stop::Threads(io::Error::other(error.to_string())))?;
        let slots = threads * SLOTS_PER_THREAD;
        let (least, most) = source.sizes(slots).into_inner();
        let most = self.chunk_size.unwrap_or(most).max(1);
        let pace = Arc::new(Pace::between(least.min(most), most));
        let free = (0..slots).map(|_| ChunkSlot::default()).collect();
        let (given, waiting, reader, next, has_ended) = (VecDeque::new(), 0, None, 0, false);
        let state = ClaimState { source: None, free, given, waiting, reader, next, has_ended };
        let (state, given, freed) = (Mutex::new(state), Condvar::new(), Condvar::new());
        let claims = Arc::new(Claims { state, given, freed });
        if source.may_wait() {
            let (pace, claims, cancel) = (Arc::clone(&pace), Arc::clone(&claims), cancel.clone());
            let feeder = thread::Builder::new().name("reader".to_owned());
            let feeder = feeder.spawn(move || feed(source, &claims, &pace, &cancel));
            feeder.map_err(Stop::Threads)?;
        } else {
            lock(&claims.state).source = Some(source);
        }
        let turn = TurnState { left: Vec::new(), next: 0, is_taken: false, end: None };
        let shared = Shared {
            claims,
            turn: Mutex::new(turn),
            turned: Condvar::new(),
            take: Mutex::new(take),
            pace,
            cancel: cancel.clone(),
            times,
            ahead: slots - SLOTS_PER_THREAD,
        };
        let end = pool.in_place_scope(|scope| {
            scope.spawn_broadcast(|_, _| shared.work(&make, &help));
            shared.wait_for_end()
        });
        end.unwrap_or_else(|panic| resume_unwind(panic))
    }

    /// The number of threads that a run has.
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

/// Fills a slot from the source. A panic is a reason why there is none.
fn fill<S: Source, O>(source: &mut S, mut slot: Slot<S, O>, size: usize) -> Fill<S, O> {
    match catch_unwind(AssertUnwindSafe(|| source.fill(&mut slot.chunk, size))) {
        Ok(Ok(filled)) => Ok((slot, filled)),
        Ok(Err(error)) => Err(Stop::Failed(error)),
        Err(panic) => Err(Stop::Panicked(None, message(panic.as_ref()))),
    }
}

/// The thread of a source that waits: fills slots as long as some are free. After a cancellation nothing more is
/// read or opened.
fn feed<S: Source, O>(mut source: S, shared: &Claims<S, O>, pace: &Pace, cancel: &Cancel) {
    let mut claims = lock(&shared.state);
    while !claims.has_ended && !cancel.is_requested() {
        let Some(slot) = claims.free.pop() else {
            claims = wait(&shared.freed, claims);
            continue;
        };
        drop(claims);
        let fill = fill(&mut source, slot, pace.chunk_size());
        claims = lock(&shared.state);
        if !shared.give(&mut claims, fill) {
            return;
        }
    }
}

impl<S, O, T> Shared<'_, S, O, T>
where
    S: Source,
    O: Default + Send,
    T: FnMut(Given<'_, S::Chunk, O>) -> Result<ControlFlow<()>, S::Error>,
{
    /// The loop of each thread.
    fn work<W>(&self, make: &impl Fn() -> W, help: &impl Fn() -> bool)
    where
        W: FnMut(&mut S::Chunk, &mut O, HandOver<'_, O>) -> Result<ControlFlow<()>, S::Error>,
    {
        let mut worker = None;
        while let Some((number, mut slot)) = self.claim(help) {
            let started = Instant::now();
            let ChunkSlot { chunk, output } = &mut slot;
            let mut hand_over = |output: &mut O| self.hand_over(number, output);
            let run = || worker.get_or_insert_with(make)(chunk, output, &mut hand_over);
            let arrival = match catch_unwind(AssertUnwindSafe(run)) {
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
            self.leave(number, arrival);
        }
    }

    /// Helps, and claims the next chunk; none when there are no more.
    fn claim(&self, help: &impl Fn() -> bool) -> Option<(u64, Slot<S, O>)> {
        while help() {}
        let mut asked = Instant::now();
        let mut spend = |spent| self.times.add(spent, mem::replace(&mut asked, Instant::now()));
        let mut claims = lock(&self.claims.state);
        let (number, fill) = loop {
            if claims.has_ended {
                return None;
            }
            if self.cancel.is_requested() {
                let number = claims.given.front().map_or(claims.next, |(number, _)| *number);
                break (number, Err(Stop::Cancelled));
            }
            // Those who wait have a chunk each, or will be given one by the thread that has the source.
            let is_reader = claims.reader == rayon::current_thread_index();
            let wanted = claims.waiting + if is_reader { self.ahead } else { 0 };
            let is_full = claims.free.is_empty() && !claims.given.is_empty();
            if claims.given.len() > wanted || claims.source.is_none() || is_full {
                if let Some(given) = claims.given.pop_front() {
                    break given;
                }
                claims.waiting += 1;
                claims = wait(&self.claims.given, claims);
                claims.waiting -= 1;
            } else if let Some(slot) = claims.free.pop() {
                let mut source = claims.source.take().expect("no other thread has it");
                drop(claims);
                spend(Spent::Input);
                let fill = fill(&mut source, slot, self.pace.chunk_size());
                let is_slow = spend(Spent::Cutting) > SLOW_FILL;
                claims = lock(&self.claims.state);
                claims.reader = rayon::current_thread_index().filter(|_| is_slow).or(claims.reader);
                if self.claims.give(&mut claims, fill) {
                    claims.source = Some(source);
                }
            } else {
                // All are in use behind a slow chunk, or behind outputs that are slow to be taken.
                spend(Spent::Input);
                let is_taken = lock(&self.turn).is_taken;
                claims = wait(&self.claims.freed, claims);
                spend(if is_taken { Spent::Output } else { Spent::Turn });
            }
        };
        spend(Spent::Input);
        let end = match fill {
            Ok((slot, Filled::Chunk)) => return Some((number, slot)),
            Ok(_) => Ok(()),
            Err(stop) => Err(stop),
        };
        self.claims.end(&mut claims);
        drop(claims);
        self.leave(number, Arrival::Ended(end));
        None
    }

    /// Puts the result of a chunk on the list, and takes all results that are ready.
    fn leave(&self, number: u64, arrival: Arrival<S::Chunk, O, S::Error>) {
        let mut turn = lock(&self.turn);
        turn.left.push((number, arrival));
        self.take_ready(turn);
    }

    /// Takes the outputs whose turn has come, unless another thread does.
    fn take_ready<'a>(&'a self, mut turn: MutexGuard<'a, TurnState<S::Chunk, O, S::Error>>) {
        while turn.end.is_none() && !turn.is_taken {
            let next = turn.next;
            let Some(place) = turn.left.iter().position(|(number, _)| *number == next) else {
                break;
            };
            let (_, arrival) = turn.left.swap_remove(place);
            turn = self.taking(turn, |take| match arrival {
                Arrival::Done(mut slot) => {
                    let ChunkSlot { chunk, output } = &mut slot;
                    let flow = take(Given::Chunk(chunk, output)).map_err(Stop::Failed);
                    lock(&self.claims.state).free.push(slot);
                    self.claims.freed.notify_one();
                    Ok(if flow?.is_break() { Some(()) } else { None })
                }
                Arrival::GivenUp(mut slot) => {
                    let _ = take(Given::Part(&mut slot.output)).map_err(Stop::Failed)?;
                    Err(Stop::Cancelled)
                }
                Arrival::Ended(result) => result.map(Some),
            });
            turn.next += 1;
        }
    }

    /// Takes something while no other thread does. `Some` ends the run, and so do an error and a panic.
    fn taking<'a>(
        &'a self,
        mut turn: MutexGuard<'a, TurnState<S::Chunk, O, S::Error>>,
        run: impl FnOnce(&mut T) -> Result<Option<()>, StopOf<S>>,
    ) -> MutexGuard<'a, TurnState<S::Chunk, O, S::Error>> {
        turn.is_taken = true;
        drop(turn);
        let asked = Instant::now();
        let taken = catch_unwind(AssertUnwindSafe(|| run(&mut lock(&self.take))));
        self.times.add(Spent::Taking, asked);
        let end = match taken {
            Ok(Ok(None)) => None,
            Ok(taken) => Some(Ok(taken.map(drop))),
            Err(panic) => Some(Err(panic)),
        };
        if end.is_some() {
            self.claims.end(&mut lock(&self.claims.state));
        }
        let mut turn = lock(&self.turn);
        (turn.is_taken, turn.end) = (false, end);
        self.turned.notify_all();
        turn
    }

    /// Waits for the turn of a chunk, and has a part of its output taken.
    fn hand_over(&self, number: u64, output: &mut O) -> ControlFlow<()> {
        let asked = Instant::now();
        let mut turn = lock(&self.turn);
        while (turn.next < number || turn.is_taken) && turn.end.is_none() {
            if self.cancel.is_abandoned() {
                return ControlFlow::Break(());
            }
            turn = wait(&self.turned, turn);
        }
        self.times.add(Spent::Turn, asked);
        if turn.end.is_some() {
            return ControlFlow::Break(());
        }
        let turn =
            self.taking(turn, |take| take(Given::Part(output)).map(|_| None).map_err(Stop::Failed));
        if turn.end.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    /// The calling thread's loop: gives nothing to be taken, now and then, until the end of the run.
    fn wait_for_end(&self) -> End<S::Chunk, S::Error> {
        let mut turn = lock(&self.turn);
        let mut last = Instant::now();
        loop {
            if let Some(end) = turn.end.take() {
                // Other threads must see that it has ended.
                turn.end = Some(Ok(Ok(())));
                return end;
            }
            if last.elapsed() >= WAIT && !turn.is_taken {
                turn = self
                    .taking(turn, |take| take(Given::Nothing).map(|_| None).map_err(Stop::Failed));
                last = Instant::now();
                // Outputs that were left meanwhile.
                self.take_ready(turn);
                turn = lock(&self.turn);
            } else {
                turn = wait(&self.turned, turn);
            }
        }
    }
}

/// The message of a panic, if it has one.
fn message(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().copied();
    let text = text.or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    text.unwrap_or("without a message").to_owned()
}
