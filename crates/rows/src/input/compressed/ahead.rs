//! Decompression on other threads, ahead of the reader: one for an input that is one member, several
//! for one of several members.
//!
//! ```text
//!             ┌ job: members ─ pieces ─> decompress ─> blocks ┐
//! read ahead ─┼ job: members ─ pieces ─> decompress ─> blocks ┼──> reader, job by job
//! 1 thread    └ job: members ─ pieces ─>      …       blocks ┘
//! ```
//!
//! A job ends at a start of a member that [`Starts`] finds, so any thread can decompress it. A start
//! may be wrong. So the job after it keeps its pieces until the job before has ended there. If that
//! job is still inside a member, it takes over the pieces, and the text of the wrong job is dropped.
//! The text is therefore that of one thread, errors included.
//!
//! All that waits is bounded ([`Sizes`]). The first job never waits for the others: its pieces are
//! read first and dropped when they are read, and it has room for blocks of its own. A thread gives
//! a piece on as soon as it is read, and its text as soon as there are no more pieces.

use super::codec;
use super::format::Format;
use super::members::{Codec, Feed, Members, RAW_BYTES, Stop, Text};
use super::starts::Starts;
use std::collections::VecDeque;
use std::io::{self, ErrorKind, Read};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{Builder, JoinHandle};

/// The most threads that decompress one input. The thread that cuts the text into chunks copies it
/// at about eight times the rate at which one thread decompresses.
const MOST_THREADS: usize = 8;

/// How many threads may decompress. It may be changed at any time.
#[derive(Clone)]
pub(in crate::input) struct Threads(Arc<AtomicUsize>);

impl Default for Threads {
    /// One.
    fn default() -> Self {
        Self(Arc::new(AtomicUsize::new(1)))
    }
}

impl Threads {
    pub(in crate::input) fn set(&self, threads: usize) {
        self.0.store(threads, Ordering::Relaxed);
    }

    fn get(&self) -> usize {
        self.0.load(Ordering::Relaxed).clamp(1, MOST_THREADS)
    }
}

/// How much waits at most.
#[derive(Clone, Copy)]
pub(super) struct Sizes {
    /// Compressed bytes read ahead for each thread. A member that is longer than those of all
    /// threads is decompressed by one thread alone.
    pub(super) raw: usize,
    /// Compressed bytes of a job, at least, unless it is the last.
    pub(super) job: usize,
    /// Bytes of a block of text.
    pub(super) block: usize,
    /// Blocks of the first job.
    pub(super) first: usize,
    /// Blocks of all jobs for each thread.
    pub(super) all: usize,
    /// What a member may look back on if it is decompressed before its turn.
    pub(super) window: u64,
}

/// pzstd(1) writes frames of 8 MiB of text at its default level, of lists of puzzles 2.7 MiB.
impl Default for Sizes {
    fn default() -> Self {
        let (raw, job, block) = (4 << 20, 256 << 10, 256 << 10);
        Self { raw, job, block, first: 4, all: 32, window: 8 << 20 }
    }
}

/// Some of the text.
#[derive(Default)]
struct Block {
    memory: Vec<u8>,
    filled: usize,
    /// How many bytes the reader has.
    read: usize,
}

/// Members that one thread decompresses.
struct Job {
    id: u64,
    /// Bytes of the input before it.
    before: u64,
    /// Its bytes, as far as they have been read and not dropped.
    pieces: VecDeque<Arc<[u8]>>,
    /// How many of the pieces have been decompressed, and how many bytes of the next.
    at: (usize, usize),
    /// Whether it has all its bytes.
    is_closed: bool,
    /// Why the input ended there, if not at its end.
    error: Option<Stop>,
    /// The most that one of its members looks back on.
    window: u64,
    /// Whether a thread decompresses it.
    is_taken: bool,
    /// Whether it begins at the start of a member.
    is_certain: bool,
    /// Its text that is waiting.
    blocks: VecDeque<Block>,
    /// How its text ended.
    end: Option<Result<(), Stop>>,
}

impl Job {
    fn new(id: u64, before: u64, is_certain: bool) -> Self {
        Self {
            id,
            before,
            pieces: VecDeque::new(),
            at: (0, 0),
            is_closed: false,
            error: None,
            window: 0,
            is_taken: false,
            is_certain,
            blocks: VecDeque::new(),
            end: None,
        }
    }
}

/// What a piece is counted as: its bytes, and memory for itself.
fn cost(piece: &[u8]) -> usize {
    piece.len() + 64
}

/// What the threads share.
struct State {
    /// In the order of the input. The last may still grow.
    jobs: VecDeque<Job>,
    next_id: u64,
    /// The cost of all pieces.
    raw: usize,
    /// Blocks that wait.
    blocks: usize,
    /// Blocks that are free.
    spare: Vec<Block>,
    /// Whether all of the input has been read.
    is_over: bool,
    /// Whether no text is needed any more.
    is_stopped: bool,
    /// Whether starts are believed: until the first wrong one.
    is_split: bool,
    threads: Vec<JoinHandle<()>>,
}

impl State {
    fn index(&self, id: u64) -> Option<usize> {
        self.jobs.iter().position(|job| job.id == id)
    }

    /// Closes the last job, and opens one.
    fn open(&mut self, before: u64) {
        if let Some(last) = self.jobs.back_mut() {
            last.is_closed = true;
        }
        let job = Job::new(self.next_id, before, self.jobs.is_empty());
        self.next_id += 1;
        self.jobs.push_back(job);
    }

    /// Drops the pieces that have been decompressed, if they are not needed again.
    fn drop_pieces(&mut self, index: usize) {
        let job = &mut self.jobs[index];
        if job.is_certain {
            for piece in job.pieces.drain(..job.at.0) {
                self.raw -= cost(&piece);
            }
            job.at.0 = 0;
        }
    }

    /// Notes how the text of a job ended.
    fn end(&mut self, index: usize, end: Result<(), Stop>) {
        self.jobs[index].end = Some(end);
        // What begins where a certain job ended is certain.
        for next in index + 1..self.jobs.len() {
            let before = &self.jobs[next - 1];
            if !before.is_certain || !matches!(before.end, Some(Ok(()))) {
                break;
            }
            self.jobs[next].is_certain = true;
            self.drop_pieces(next);
        }
    }

    /// Appends the next job, which does not begin at a start, to this one. It has kept its pieces.
    fn merge(&mut self, index: usize) {
        let Some(next) = self.jobs.remove(index + 1) else { return };
        self.is_split = false;
        self.blocks -= next.blocks.len();
        self.spare.extend(next.blocks);
        let job = &mut self.jobs[index];
        job.pieces.extend(next.pieces);
        job.is_closed = next.is_closed;
        job.error = next.error;
        job.window = job.window.max(next.window);
    }

    /// Whether a thread may add a block to a job.
    fn has_room(&self, index: usize, sizes: &Sizes, threads: usize) -> bool {
        let is_first = index == 0 && self.jobs[index].blocks.len() < sizes.first;
        is_first || self.blocks < sizes.all * threads
    }
}

/// The state, and what is waited for.
struct Shared {
    state: Mutex<State>,
    /// The threads that decompress: for jobs, pieces, room, and their turn.
    work: Condvar,
    /// The thread that reads: for pieces to be dropped.
    room: Condvar,
    /// The reader of the text.
    text: Condvar,
    format: Format,
    sizes: Sizes,
    allowed: Threads,
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn stop(&self) {
        self.lock().is_stopped = true;
        self.work.notify_all();
        self.room.notify_all();
        self.text.notify_all();
    }

    /// Waits until more may be read; false if no more is needed.
    fn wait_for_room(&self) -> bool {
        let is_full = |state: &mut State| {
            let (threads, sizes) = (self.allowed.get(), self.sizes);
            let is_full =
                state.raw >= sizes.raw * threads || state.jobs.len() > sizes.all * threads;
            is_full && !state.is_stopped
        };
        let state = self.room.wait_while(self.lock(), is_full);
        !state.unwrap_or_else(PoisonError::into_inner).is_stopped
    }

    /// Adds a piece to the last job, or to a new one that begins after so many bytes of the input.
    fn add(self: &Arc<Self>, piece: &[u8], window: u64, new: Option<u64>) {
        let mut state = self.lock();
        if let Some(before) = new.filter(|_| state.is_split || state.jobs.is_empty()) {
            state.open(before);
        }
        state.raw += cost(piece);
        let Some(job) = state.jobs.back_mut() else { return };
        job.window = job.window.max(window);
        job.pieces.push_back(piece.into());
        self.employ(&mut state);
        drop(state);
        self.work.notify_all();
    }

    /// The input has ended, after so many bytes.
    fn close(self: &Arc<Self>, offset: u64, error: Option<Stop>) {
        let mut state = self.lock();
        if state.jobs.back().is_none_or(|job| job.is_closed) {
            state.open(offset);
        }
        state.is_over = true;
        if let Some(job) = state.jobs.back_mut() {
            (job.is_closed, job.error) = (true, error);
        }
        self.employ(&mut state);
        drop(state);
        self.work.notify_all();
    }

    /// Starts a thread if there are more jobs than threads.
    fn employ(self: &Arc<Self>, state: &mut State) {
        let unended = state.jobs.iter().filter(|job| job.end.is_none()).count();
        let threads = state.threads.len();
        if state.is_stopped || threads >= unended.min(self.allowed.get()) {
            return;
        }
        let shared = Arc::clone(self);
        match Builder::new().name("decompress".to_owned()).spawn(move || shared.work()) {
            Ok(thread) => state.threads.push(thread),
            Err(error) if threads == 0 => {
                let Some(job) = state.jobs.front_mut() else { return };
                job.end = Some(Err(Stop::Failed(error)));
                self.text.notify_all();
            }
            // Those that there are do it.
            Err(_) => {}
        }
    }

    /// A thread that decompresses: job by job.
    fn work(self: &Arc<Self>) {
        let mut codec = None;
        while let Some((id, before)) = self.take_job() {
            let run = || self.decompress(id, before, codec.take());
            let end = match catch_unwind(AssertUnwindSafe(run)) {
                Ok((end, used)) => {
                    codec = used;
                    end
                }
                Err(payload) => Err(Stop::Panicked(payload)),
            };
            let mut state = self.lock();
            if let Some(index) = state.index(id) {
                state.end(index, end);
            }
            drop(state);
            self.room.notify_all();
            self.text.notify_all();
            self.work.notify_all();
        }
    }

    /// Waits for a job; none if no more is needed.
    fn take_job(&self) -> Option<(u64, u64)> {
        let mut state = self.lock();
        while !state.is_stopped {
            if let Some(job) = state.jobs.iter_mut().find(|job| !job.is_taken) {
                job.is_taken = true;
                return Some((job.id, job.before));
            }
            state = self.work.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        None
    }

    /// Decompresses a job. Gives how it ended, and the codec for another one.
    fn decompress(
        self: &Arc<Self>,
        id: u64,
        before: u64,
        codec: Option<Box<dyn Codec>>,
    ) -> (Result<(), Stop>, Option<Box<dyn Codec>>) {
        let codec = match codec.map_or_else(|| codec::of(self.format), Ok) {
            Ok(codec) => codec,
            Err(error) => return (Err(error.into()), None),
        };
        let pieces = Pieces { shared: Arc::clone(self), id };
        let mut members = Members::new(pieces, before, self.format, codec);
        let end = loop {
            let Some(mut block) = self.free_block(id) else { break Err(Stop::Abandoned) };
            match members.read(&mut block.memory) {
                Ok(0) => break Ok(()),
                Ok(bytes) => {
                    (block.filled, block.read) = (bytes, 0);
                    self.add_block(id, block);
                }
                Err(stop) => break Err(stop),
            }
        };
        // What it has looked back on is not kept by several threads.
        let is_small = |state: &State| {
            state.index(id).is_some_and(|index| state.jobs[index].window <= self.sizes.window)
        };
        let is_small = is_small(&self.lock());
        (end, is_small.then(|| members.into_codec()))
    }

    /// Waits for room for a block of a job; none if the job is abandoned.
    fn free_block(&self, id: u64) -> Option<Block> {
        let mut state = self.lock();
        loop {
            let index = state.index(id).filter(|_| !state.is_stopped)?;
            if state.has_room(index, &self.sizes, self.allowed.get()) {
                break;
            }
            state = self.work.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        let block = state.spare.pop();
        drop(state);
        let new = || Block { memory: vec![0; self.sizes.block], ..Block::default() };
        Some(block.unwrap_or_else(new))
    }

    fn add_block(&self, id: u64, block: Block) {
        let mut state = self.lock();
        let Some(index) = state.index(id) else { return };
        state.blocks += 1;
        state.jobs[index].blocks.push_back(block);
        drop(state);
        self.text.notify_all();
    }
}

/// The compressed bytes of a job.
struct Pieces {
    shared: Arc<Shared>,
    id: u64,
}

impl Feed for Pieces {
    fn feed(&mut self, buffer: &mut [u8], is_between: bool) -> Result<usize, Stop> {
        let shared = &self.shared;
        let mut state = shared.lock();
        loop {
            let index = state.index(self.id).filter(|_| !state.is_stopped);
            let index = index.ok_or(Stop::Abandoned)?;
            let is_last = index + 1 == state.jobs.len();
            let job = &mut state.jobs[index];
            let is_its_turn = index == 0 || job.window <= shared.sizes.window;
            let (piece, start) = job.at;
            if let Some(bytes) = job.pieces.get(piece) {
                if is_its_turn {
                    let read = (bytes.len() - start).min(buffer.len());
                    buffer[..read].copy_from_slice(&bytes[start..start + read]);
                    job.at.1 += read;
                    if job.at.1 == bytes.len() {
                        job.at = (piece + 1, 0);
                        state.drop_pieces(index);
                        drop(state);
                        shared.room.notify_one();
                    }
                    return Ok(read);
                }
            } else if job.is_closed {
                if let Some(error) = job.error.take() {
                    return Err(error);
                }
                if is_last || is_between {
                    return Ok(0);
                }
                state.merge(index);
                // The thread of the job that is gone, and those that wait for room.
                shared.work.notify_all();
                continue;
            }
            state = shared.work.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

/// The text of compressed bytes that other threads decompress.
pub(super) struct Ahead {
    shared: Arc<Shared>,
    /// The block that is being read.
    block: Block,
    /// How the text ended, if it has.
    end: Option<Result<(), Stop>>,
}

impl Ahead {
    /// Starts reading, from the first byte of a member on.
    pub(super) fn start(
        reader: impl Read + Send + 'static,
        format: Format,
        allowed: Threads,
        sizes: Sizes,
    ) -> io::Result<Self> {
        let state = State {
            jobs: VecDeque::new(),
            next_id: 0,
            raw: 0,
            blocks: 0,
            spare: Vec::new(),
            is_over: false,
            is_stopped: false,
            is_split: true,
            threads: Vec::new(),
        };
        let shared = Arc::new(Shared {
            state: Mutex::new(state),
            work: Condvar::new(),
            room: Condvar::new(),
            text: Condvar::new(),
            format,
            sizes,
            allowed,
        });
        let cutter = Cutter::new(Arc::clone(&shared));
        Builder::new().name("read ahead".to_owned()).spawn(move || cutter.run(reader))?;
        Ok(Self { shared, block: Block::default(), end: None })
    }

    /// How many blocks wait.
    #[cfg(test)]
    pub(super) fn waiting(&self) -> usize {
        self.shared.lock().blocks
    }

    /// Takes the next block, waiting for it if that may be; false if there is none.
    fn next_block(&mut self, may_wait: bool) -> bool {
        let mut state = self.shared.lock();
        let used = std::mem::take(&mut self.block);
        if !used.memory.is_empty() {
            state.spare.push(used);
        }
        while self.end.is_none() {
            let over = state.is_over;
            match state.jobs.front_mut() {
                Some(job) => {
                    if let Some(block) = job.blocks.pop_front() {
                        state.blocks -= 1;
                        self.block = block;
                        break;
                    }
                    if let Some(end) = job.end.take() {
                        state.jobs.pop_front();
                        if end.is_err() {
                            self.end = Some(end);
                        }
                        self.shared.room.notify_one();
                        continue;
                    }
                }
                None if over => {
                    self.end = Some(Ok(()));
                    break;
                }
                None => {}
            }
            // Another job may be the first.
            self.shared.work.notify_all();
            if !may_wait {
                return false;
            }
            state = self.shared.text.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        drop(state);
        // There is room, and another job may be the first.
        self.shared.work.notify_all();
        if self.end.is_some() {
            self.shared.stop();
        }
        self.end.is_none()
    }
}

impl Text for Ahead {
    fn read(&mut self, output: &mut [u8]) -> Result<usize, Stop> {
        let mut filled = 0;
        while filled < output.len() {
            let block = &mut self.block;
            if block.read == block.filled {
                // What there is is handed over before more is waited for.
                if self.next_block(filled == 0) {
                    continue;
                }
                break;
            }
            let bytes = (block.filled - block.read).min(output.len() - filled);
            let text = &block.memory[block.read..block.read + bytes];
            output[filled..filled + bytes].copy_from_slice(text);
            (block.read, filled) = (block.read + bytes, filled + bytes);
        }
        match &mut self.end {
            Some(end) if filled == 0 => std::mem::replace(end, Ok(())).map(|()| 0),
            _ => Ok(filled),
        }
    }
}

/// The thread that reads may be blocked, and ends when it has read.
impl Drop for Ahead {
    fn drop(&mut self) {
        self.shared.stop();
        let threads = std::mem::take(&mut self.shared.lock().threads);
        for thread in threads {
            // A panic was caught, and has been told.
            let _ = thread.join();
        }
    }
}

/// The thread that reads: cuts the input into jobs.
struct Cutter {
    shared: Arc<Shared>,
    starts: Starts,
    /// How many bytes were read.
    offset: u64,
    /// How many of them the last job has.
    length: usize,
    /// Whether the last job ends here.
    is_cut: bool,
}

impl Cutter {
    fn new(shared: Arc<Shared>) -> Self {
        let starts = Starts::of(shared.format);
        Self { shared, starts, offset: 0, length: 0, is_cut: true }
    }

    fn run(mut self, mut reader: impl Read) {
        let mut buffer = vec![0; RAW_BYTES];
        while self.shared.wait_for_room() {
            let error = match catch_unwind(AssertUnwindSafe(|| reader.read(&mut buffer))) {
                Ok(Err(error)) if error.kind() == ErrorKind::Interrupted => continue,
                Ok(Ok(0)) => None,
                Ok(Ok(bytes)) => {
                    self.cut(&buffer[..bytes]);
                    continue;
                }
                Ok(Err(error)) => Some(Stop::Failed(error)),
                Err(payload) => Some(Stop::Panicked(payload)),
            };
            return self.shared.close(self.offset, error);
        }
    }

    /// Adds bytes to the last job, and to jobs after it.
    fn cut(&mut self, bytes: &[u8]) {
        let (mut begun, mut at, mut window) = (0, 0, 0);
        while begun < bytes.len() {
            let found = self.starts.next(&bytes[at..]);
            at = found.map_or(bytes.len(), |found| at + found);
            window = self.starts.take_window().max(window);
            if found.is_some() && self.length + (at - begun) < self.shared.sizes.job {
                continue;
            }
            // The start of a piece may be that of a member.
            if at > begun {
                let new = self.is_cut.then_some(self.offset + begun as u64);
                self.shared.add(&bytes[begun..at], window, new);
            }
            self.length = if found.is_some() { 0 } else { self.length + (at - begun) };
            (begun, window, self.is_cut) = (at, 0, found.is_some());
        }
        self.offset += bytes.len() as u64;
    }
}
