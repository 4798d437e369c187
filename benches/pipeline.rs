//! What the program costs besides solving, step by step and as a whole: an engine that knows the
//! answer takes the place of the others. `cargo bench --bench pipeline`; throughput is in puzzles.

use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use ninefold::Status;
use ninefold::engine::{Answer, Branch, Engine, EngineKind, Visit};
use ninefold::input::{Chunk, ChunkBuffer, Puzzles, Source};
use ninefold::output::{Records, Sink};
use ninefold::pipeline::{Control, Pipeline};
use ninefold::puzzle::{Grid, Puzzle, Solution, parse};
use ninefold::run::Run;
use ninefold::search::MakeEngine;
use ninefold::solve::Solve;
use std::hint::black_box;
use std::io;
use std::sync::Arc;

/// The length of the longest chunks of a run.
const CHUNK_BYTES: usize = 256 * 1024;

/// Easy: naked singles suffice.
const PUZZLE: &[u8; 81] =
    b"53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
const SOLVED: &[u8; 81] =
    b"534678912672195348198342567859761423426853791713924856961537284287419635345286179";

fn solution() -> Solution {
    Solution::try_from(parse::line(SOLVED).unwrap()).unwrap()
}

/// Gives the one answer that it knows to every puzzle.
struct Knows(Solution);

impl Engine for Knows {
    fn search(&mut self, _: &Puzzle, visit: &mut Visit, _: &mut Branch) {
        let _ = visit(&self.0);
    }

    fn solve_batch(&mut self, puzzles: &[Grid], _: usize, answers: &mut Vec<Answer>) {
        answers.extend(puzzles.iter().map(|_| Answer {
            count: 1,
            first: Some(self.0),
            ..Answer::default()
        }));
    }
}

/// `count` lines of the one puzzle.
fn lines(count: usize, end: &str) -> Vec<u8> {
    [PUZZLE, end.as_bytes()].concat().repeat(count)
}

fn chunk_of(bytes: Vec<u8>) -> ChunkBuffer {
    let mut chunk = ChunkBuffer::default();
    Source::from_bytes("memory", bytes).into_chunks().fill(&mut chunk, usize::MAX).unwrap();
    chunk
}

/// One thread, one chunk: each step alone, then all of them.
fn steps(criterion: &mut Criterion) {
    let count = CHUNK_BYTES / 82;
    let mut group = criterion.benchmark_group("chunk");
    group.throughput(Throughput::Elements(count as u64));
    for (name, end) in [("LF", "\n"), ("CRLF", "\r\n"), ("trailing space", " \n")] {
        let chunk = chunk_of(lines(count, end));
        group.bench_function(format!("lines, {name}"), |bencher| {
            bencher.iter(|| {
                let lines = |chunk: &Chunk| black_box(chunk).lines().count();
                assert_eq!(chunk.read(lines).unwrap(), count);
            });
        });
        let mut puzzles = Puzzles::default();
        group.bench_function(format!("parse, {name}"), |bencher| {
            bencher.iter(|| {
                chunk.read(|chunk| puzzles.read(black_box(chunk))).unwrap();
                assert_eq!(puzzles.count(), count);
            });
        });
    }
    let (solution, mut records) = (solution(), Records::default());
    group.bench_function("render", |bencher| {
        bencher.iter(|| {
            records.restart();
            (0..count).for_each(|_| records.push_solution(black_box(&solution)));
            assert_eq!(records.len(), count * 82);
        });
    });
    group.bench_function("render, no solution", |bencher| {
        bencher.iter(|| {
            records.restart();
            for line in 1..=count as u64 {
                records.push_comment(None, line, black_box(&"no solution"));
            }
            assert!(records.bytes().ends_with(format!("# line {count}: no solution\n").as_bytes()));
        });
    });
}

/// Memory to nowhere through the whole pipeline, with one worker, chunk by chunk.
fn pipeline(criterion: &mut Criterion) {
    let count = 1_000_000;
    let bytes = lines(count, "\n");
    let mut group = criterion.benchmark_group("pipeline");
    group.throughput(Throughput::Elements(count as u64)).sample_size(10);
    for kibibytes in [16, 64, 256, 1024] {
        let pipeline = Pipeline { threads: 1, chunk_size: Some(kibibytes << 10) };
        let knows: MakeEngine = Arc::new(|| Box::new(Knows(solution())));
        let mut solve = Solve::default();
        solve.search.own = Some(knows);
        group.bench_function(format!("know the answer, {kibibytes} KiB chunks"), |bencher| {
            let source = || vec![Source::from_bytes("memory", bytes.clone())];
            let run = |source| {
                let sink = Sink::from_writer("nowhere", io::sink());
                let run = Run { pipeline, ..Run::default() };
                let report = run.to(sink, &solve, source, Control::default()).unwrap();
                assert_eq!(report.count(Status::Solved), count as u64);
            };
            bencher.iter_batched(source, run, BatchSize::PerIteration);
        });
    }
    let count = 1000;
    group.throughput(Throughput::Elements(count as u64));
    for &engine in EngineKind::ALL {
        let pipeline = Pipeline { threads: 1, ..Pipeline::default() };
        let mut solve = Solve::default();
        solve.search.engine = engine;
        group.bench_function(format!("solve with {engine}"), |bencher| {
            bencher.iter(|| {
                let source = vec![Source::from_bytes("memory", lines(count, "\n"))];
                let sink = Sink::from_writer("nowhere", io::sink());
                let run = Run { pipeline, ..Run::default() };
                let report = run.to(sink, &solve, source, Control::default()).unwrap();
                assert_eq!(report.count(Status::Solved), count as u64);
            });
        });
    }
}

criterion_group!(benches, steps, pipeline);
criterion_main!(benches);
