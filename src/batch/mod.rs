//! The pipeline: inputs in, records out in the same order, on many threads, in fixed memory.
//!
//! ```text
//!              ┌──────────────── free slots ────────────────┐
//!              v                                            │
//! sources ─> reader ── chunks ─> workers ── records ─> writer ─> sink
//!            1 thread            N threads             the calling thread,
//!                                each an engine        puts chunks in order
//! ```
//!
//! A slot is the memory for one chunk: its bytes, if they are streamed, and its records. There
//! are [`SLOTS_PER_THREAD`] for each worker and never more, so memory does not grow with the
//! input; and a slot keeps what it has grown to, so after the first round nothing is allocated.
//! A chunk that takes long holds up the writer, and no worker until all slots wait behind it.
//! So chunks are as long as they are answered quickly, from one line to [`CHUNK_BYTES`]; workers
//! tell the reader.
//!
//! The reader has its own thread because it may wait for a pipe, and then what has been
//! answered must still be written. It is left behind if the output fails meanwhile.
#![forbid(unsafe_code)]

mod blame;
mod checkpoint;
mod error;
mod every;
mod flow;
mod halt;
mod journal;
mod order;
mod ordered;
mod pace;
mod progress;
mod queue;
mod render;
mod solve;
mod stats;
pub mod verify;
mod work;
mod write;

pub use checkpoint::{Checkpoint, Reached};
pub use error::Error;
pub use halt::Halt;
pub use journal::{FLUSH_INTERVAL, Journal};
pub use order::Reorder;
pub use ordered::{Ordered, Stop};
pub use progress::{Progress, Silent};
pub use solve::{Question, Worker};
pub use stats::Stats;
pub use work::{Output, Work};
pub use write::{Rejects, Sinks};

use crate::engine::lanes::SimdLevel;
use crate::engine::{Engine, EngineKind};
use crate::input::{Part, Source};
use flow::{Flow, Workshop};
use rayon::ThreadPoolBuilder;
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::thread;
use std::time::Duration;
use work::InOrder;
use write::Writer;

/// Bytes given to one worker at a time, at most: fewer if it would take long for them.
///
/// A line is 82 bytes, so this is about 3,200 puzzles, 100 for each of 32 lanes: little of the
/// time are lanes without a puzzle because the chunk runs out. Bytes, grids, answers and records
/// take 1.1 MB, and stay in a level 2 cache of 2 MiB. `cargo bench --bench pipeline`, one
/// worker, an engine that knows the answer, Xeon with such a cache: 31 ns a puzzle with chunks
/// of 16 KiB, 24 with 64, 21 with 256, 24 with 1,024; 12 of them are the worker's.
pub const CHUNK_BYTES: usize = 256 * 1024;

/// Chunks under way for each worker: one being answered, one waiting to be, and two behind a
/// slower one that must be written first.
///
/// 256 KiB of records and, if they are streamed, as much of input make 2 MiB a worker, if the
/// lines are puzzles. At worst every other byte ends a malformed line, of which the record and its
/// splice take 77 bytes: 10 MB a slot, and up to 64 MiB a worker as memory grows by doubling.
pub const SLOTS_PER_THREAD: usize = 4;

/// The most workers that a run has.
///
/// More cores than any machine that this was thought for, and less than a system refuses to start;
/// with the memory for their chunks, 3 GiB.
pub const MAX_THREADS: usize = 1024;

/// The pipeline: on how many threads, and in pieces of which size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pipeline {
    /// How many workers, [`MAX_THREADS`] at most; 0 for one on each core that this process may
    /// use.
    pub threads: usize,
    /// About how many bytes a worker is given at a time, at most: [`CHUNK_BYTES`], but for tests.
    pub chunk_bytes: usize,
}

impl Default for Pipeline {
    fn default() -> Self {
        Self { threads: 0, chunk_bytes: CHUNK_BYTES }
    }
}

/// How to answer puzzles.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Batch {
    /// What solves them.
    pub engine: EngineKind,
    /// Which vectors the engine may use.
    pub simd: SimdLevel,
    /// What is asked about each, and how it is answered.
    pub question: Question,
    /// On how many threads.
    pub pipeline: Pipeline,
}

impl Default for Batch {
    fn default() -> Self {
        Self {
            engine: EngineKind::default(),
            simd: SimdLevel::best(),
            question: Question::default(),
            pipeline: Pipeline::default(),
        }
    }
}

/// What a run found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// All inputs together.
    pub total: Stats,
    /// Each input, in their order.
    pub inputs: Vec<InputReport>,
    /// How many workers there were.
    pub threads: usize,
    /// The time that all workers together spent in their engines. On cores of their own, this
    /// is the same for any number of workers.
    pub solve_time: Duration,
    /// The time that earlier runs took, if this one went on with what they left.
    pub earlier: Duration,
}

/// What a run found in one input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InputReport {
    /// The input's name.
    pub name: Arc<str>,
    /// Its counts.
    pub stats: Stats,
    /// Which part of it was read.
    pub part: Part,
    /// How many bytes all of it has, if that is known.
    pub length: Option<u64>,
}

impl Batch {
    /// Answers every puzzle of the sources, in their order: one record each.
    ///
    /// # Errors
    /// See [`Error`]. Puzzles that are malformed or have no solution are no errors: they are
    /// counted in the report.
    pub fn run(
        &self,
        sources: Vec<Source>,
        sinks: impl Into<Sinks>,
        progress: &mut dyn Progress,
    ) -> Result<Report, Error> {
        self.run_with(&|| self.engine.build_at(self.simd), sources, sinks, progress)
    }

    /// As [`Batch::run`], but with engines that `engine` makes, one for each worker.
    ///
    /// # Errors
    /// See [`Error`].
    pub fn run_with(
        &self,
        engine: &(dyn Fn() -> Box<dyn Engine> + Sync),
        sources: Vec<Source>,
        sinks: impl Into<Sinks>,
        progress: &mut dyn Progress,
    ) -> Result<Report, Error> {
        let preamble = self.question.style.preamble();
        let worker = || -> Box<dyn Work> { Box::new(Worker::new(engine(), self.question.clone())) };
        self.pipeline.run(&worker, sources, sinks.into(), &preamble, progress)
    }
}

impl Pipeline {
    /// Does some work with every chunk of the sources, and writes what comes of it in their order,
    /// after the preamble. If there are several sources, the work is told their names.
    ///
    /// # Errors
    /// See [`Error`].
    pub fn run(
        &self,
        worker: &(dyn Fn() -> Box<dyn Work> + Sync),
        sources: Vec<Source>,
        sinks: Sinks,
        preamble: &[u8],
        progress: &mut dyn Progress,
    ) -> Result<Report, Error> {
        self.run_in_order(worker, sources, sinks, preamble, progress, None)
    }

    /// The same; if somebody wants to see what comes of each chunk in order, that one says what is
    /// written.
    fn run_in_order<'a>(
        &self,
        worker: &(dyn Fn() -> Box<dyn Work> + Sync),
        sources: Vec<Source>,
        sinks: Sinks,
        preamble: &[u8],
        progress: &'a mut dyn Progress,
        in_order: Option<&'a mut dyn InOrder>,
    ) -> Result<Report, Error> {
        let threads = self.worker_threads();
        let pool = ThreadPoolBuilder::new().num_threads(threads).thread_name(worker_name).build();
        let pool = pool.map_err(|error| Error::Threads(error.to_string()))?;
        let names: Vec<_> = sources.iter().map(|source| Arc::clone(source.name())).collect();
        let slots = threads * SLOTS_PER_THREAD;
        let flow = Arc::new(Flow::new(slots, self.chunk_bytes));
        progress.halt().iter().for_each(|halt| halt.attach(&flow));

        let (mut writer, sources) = Writer::new(sources, sinks, progress, in_order);
        writer.begin(preamble)?;
        let names = (names.len() > 1).then_some(&names[..]);
        let workshop = Workshop { worker, names };
        let written = pool.in_place_scope(|scope| {
            // Whatever ends the writer, a panic of `progress` included, ends the others.
            let _stop = StopOnDrop(&flow);
            scope.spawn_broadcast(|_, _| workshop.work(&flow));
            spawn_reader(sources, &flow)?;
            writer.write_all(&flow, slots)
        });
        match written {
            Ok(()) => writer.finish(threads),
            Err(error) => Err(writer.stop(error)),
        }
    }

    /// The number of workers that a run will have.
    ///
    /// The system is asked for the cores that this process may use: `taskset` and the limits
    /// of a container are kept.
    #[must_use]
    pub fn worker_threads(&self) -> usize {
        match self.threads {
            0 => thread::available_parallelism().map_or(1, NonZeroUsize::get),
            threads => threads.min(MAX_THREADS),
        }
    }
}

fn spawn_reader(sources: Vec<Source>, flow: &Arc<Flow>) -> Result<(), Error> {
    let flow = Arc::clone(flow);
    let reader = thread::Builder::new().name("reader".to_owned());
    let spawned = reader.spawn(move || flow.read(sources));
    spawned.map(drop).map_err(|error| Error::Threads(error.to_string()))
}

/// What the system calls a worker.
fn worker_name(index: usize) -> String {
    format!("worker {index}")
}

/// Ends the loops of reader and workers.
struct StopOnDrop<'a>(&'a Flow);

impl Drop for StopOnDrop<'_> {
    fn drop(&mut self) {
        self.0.stop();
    }
}
