//! No heap allocation per puzzle: after a first chunk of every kind of line, further chunks
//! allocate nothing at all.
//!
//! Allocations are counted for each thread apart, so that the test runner does not count; and
//! all together, for the pipeline with all its threads.
#![allow(unsafe_code, reason = "an allocator can only be wrapped by an unsafe impl")]

mod support;

use ninefold::engine::{Answer, Engine};
use ninefold::input::{self, ChunkBuffer, Chunks, Puzzles, Source};
use ninefold::output::Sink;
use ninefold::pipeline::{Control, Pipeline};
use ninefold::puzzle::Sukaku;
use ninefold::run::Run;
use ninefold::solve::Solve;
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::io::{self, Read};
use std::num::NonZeroUsize;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use support::{Contender, EASY, FOUR, HARD, NONE, contenders, strewn};

thread_local! {
    /// Allocations of this thread so far.
    static ALLOCATIONS: Cell<u64> = const { Cell::new(0) };
}

/// Allocations of all threads so far.
static ALL_ALLOCATIONS: AtomicU64 = AtomicU64::new(0);

/// Held by each test, so that none counts what another allocates.
static ALONE: Mutex<()> = Mutex::new(());

fn count() {
    ALLOCATIONS.set(ALLOCATIONS.get() + 1);
    ALL_ALLOCATIONS.fetch_add(1, Ordering::Relaxed);
}

/// The system's allocator, counted.
struct Counting;

// SAFETY: every call is handed on to the system's allocator as it came.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count();
        // SAFETY: the caller keeps the promises that the system's allocator asks for.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: the caller keeps the promises that the system's allocator asks for.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, bytes: usize) -> *mut u8 {
        count();
        // SAFETY: the caller keeps the promises that the system's allocator asks for.
        unsafe { System.realloc(pointer, layout, bytes) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// A text that is read again and again, one whole copy at a time if there is room.
struct Copies {
    text: Vec<u8>,
    start: usize,
    left: u32,
}

impl Copies {
    fn new(text: Vec<u8>, copies: u32) -> Self {
        Self { text, start: 0, left: copies }
    }
}

impl Read for Copies {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.left == 0 {
            return Ok(0);
        }
        let bytes = (&self.text[self.start..]).read(buffer)?;
        self.start += bytes;
        if self.start == self.text.len() {
            (self.start, self.left) = (0, self.left - 1);
        }
        Ok(bytes)
    }
}

/// Is each solution the only one?
fn unique() -> Solve {
    Solve { limit: NonZeroUsize::new(2).unwrap(), ..Solve::default() }
}

/// What reads a chunk and answers it, with its memory.
struct Round {
    engine: Box<dyn Engine>,
    chunk: ChunkBuffer,
    puzzles: Puzzles,
    answers: Vec<Answer>,
}

impl Round {
    fn new(who: Contender) -> Self {
        let (chunk, puzzles) = (ChunkBuffer::default(), Puzzles::default());
        Self { engine: who.build(), chunk, puzzles, answers: Vec::new() }
    }

    /// One chunk; gives its puzzles.
    fn go(&mut self, chunks: &mut Chunks, bytes: usize) -> usize {
        assert!(chunks.fill(&mut self.chunk, bytes).unwrap());
        let Self { engine, chunk, puzzles, answers } = self;
        chunk.read(|chunk| puzzles.read(chunk)).unwrap();
        answers.clear();
        engine.prove_batch(puzzles.grids(), answers);
        answers.len()
    }
}

/// Every kind of line, among them puzzles that must be searched, but not for long.
fn text() -> Vec<u8> {
    let hard = format!("{HARD}\n{EASY}\n{FOUR}\n{NONE}\n");
    [hard.as_bytes(), &strewn(60, "").0, b"\n"].concat()
}

#[test]
fn after_the_first_chunks_parsing_and_solving_allocate_nothing() {
    let _alone = ALONE.lock();
    let text = text();
    for who in contenders() {
        let copies = Copies::new(text.clone(), 8);
        let sources =
            [Source::from_bytes("memory", text.repeat(8)), Source::from_reader("stream", copies)];
        for source in sources {
            // Finding the layout of a stream reads ahead, and so cuts its first chunks elsewhere.
            let mut chunks = source.with_layout(input::Layout::default()).into_chunks();
            let mut round = Round::new(who);
            assert!((0..4).map(|_| round.go(&mut chunks, text.len())).sum::<usize>() > 100);
            let before = ALLOCATIONS.get();
            for _ in 0..3 {
                round.go(&mut chunks, text.len());
            }
            assert_eq!(ALLOCATIONS.get() - before, 0, "{who}");
        }
    }
}

/// Sukakus as grids have them, and one that is nothing but candidates.
#[test]
fn after_the_first_batch_sukakus_allocate_nothing() {
    let _alone = ALONE.lock();
    let grids = [HARD, EASY, FOUR, NONE].map(support::grid);
    let mut sukakus: Vec<_> = grids.iter().map(Sukaku::from).collect();
    sukakus.push(Sukaku::FULL);
    let sukakus = sukakus.repeat(10);
    for who in contenders() {
        let (mut engine, mut answers) = (who.build(), Vec::with_capacity(2 * sukakus.len()));
        engine.solve_sukakus(&sukakus, 2, &mut answers);
        let before = ALLOCATIONS.get();
        engine.solve_sukakus(&sukakus, 2, &mut answers);
        assert_eq!(ALLOCATIONS.get() - before, 0, "{who}");
    }
}

/// The allocations of a whole run over `chunks` chunks of every kind of line.
fn allocations_of_run(chunks: u32) -> u64 {
    let text = text();
    let pipeline = Pipeline { threads: 2, chunk_size: Some(text.len()) };
    let run = Run { pipeline, ..Run::default() };
    let source = Source::from_reader("stream", Copies::new(text, chunks));
    let sink = Sink::from_writer("nowhere", io::sink());
    let before = ALL_ALLOCATIONS.load(Ordering::Relaxed);
    let report = run.to(sink, &unique(), vec![source], Control::default()).unwrap();
    assert!(report.total.puzzles > 40 * u64::from(chunks));
    ALL_ALLOCATIONS.load(Ordering::Relaxed) - before
}

/// Less than one allocation for each further chunk. How many slots a run uses depends on its threads: the
/// memory of a slot is about 160 allocations, and two threads have at most 8.
#[test]
fn a_longer_run_allocates_no_more_than_a_short_one() {
    let _alone = ALONE.lock();
    let (short, long) = (allocations_of_run(16), allocations_of_run(2016));
    assert!(long < short + 2000, "{short} for 16 chunks, {long} for 2,016");
}

/// The front door: `solve`, `count` and `is_unique` never allocate, a `Solver` for its first puzzles only.
#[test]
fn one_puzzle_allocates_nothing_and_a_solver_for_its_first_puzzles_only() {
    let _alone = ALONE.lock();
    let clash = "1".repeat(2) + &".".repeat(79);
    let lines = [EASY, HARD, NONE, FOUR, &clash];
    let grids = lines.map(support::grid);
    let sukakus = grids.map(Sukaku::from);
    let before = ALLOCATIONS.get();
    let mut solved = 0;
    for (line, sukaku) in lines.iter().zip(&sukakus) {
        solved += usize::from(ninefold::solve(*line).is_ok());
        solved += usize::from(ninefold::count(sukaku, 10).is_ok_and(|count| count > 0));
        solved += usize::from(ninefold::is_unique(*line).is_ok_and(|unique| unique));
    }
    assert_eq!((ALLOCATIONS.get() - before, solved), (0, 3 + 3 + 2));
    let puzzles = grids.repeat(20);
    for who in contenders().into_iter().filter(|it| !it.is_plain()) {
        let mut solver = ninefold::Solver::new().with_engine(who.kind).with_level(who.level);
        solver.many(&puzzles);
        let before = ALLOCATIONS.get();
        solver.many(&puzzles);
        solver.one(&puzzles[0]);
        assert_eq!(ALLOCATIONS.get() - before, 0, "{who}");
    }
}
