//! Canonical forms on one core, in puzzles per second. Every form is asserted: it is that of another
//! position of the same puzzle.
//!
//! `cargo bench --bench canon`; `-- minlex` for puzzle minlex alone. The list of puzzles with 17 clues is not in
//! this repository: `NINEFOLD_LIST=17_clue.txt` names it; without it the class has two of them.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use ninefold::engine::EngineKind;
use ninefold::puzzle::{Grid, Random, Solution, parse};
use ninefold::symmetry::{Canon, Isomorphism};
use std::hint::black_box;
use std::time::Duration;

const MINIMAL: &str = include_str!("../data/minimal.txt");
const SEVENTEEN: &str = "\
000000010400000000020000000000050407008000300001090000300400200050100000000806000
..................1.....2.3......3.2...1.4......5....6..3......4.7..8...962...7..";

/// The grid with the most automorphisms: 648.
const MOST_SYMMETRIC: &str =
    "123456789456789123789123456231564897564897231897231564312645978645978312978312645";

fn list(text: &str) -> Vec<Grid> {
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    lines.map(|line| parse::line(line.as_bytes()).expect("our own file")).collect()
}

/// The puzzles, each in a random position.
fn moved(puzzles: &[Grid]) -> Vec<Grid> {
    let mut random = Random::new(1);
    puzzles.iter().map(|puzzle| Isomorphism::random(&mut random).apply(puzzle)).collect()
}

fn solutions(puzzles: &[Grid]) -> Vec<Solution> {
    let mut answers = Vec::new();
    EngineKind::default().build().solve_batch(puzzles, 1, &mut answers);
    answers.into_iter().map(|answer| answer.first.expect("it has a solution")).collect()
}

/// The list that is named, or two puzzles.
fn seventeen() -> Vec<Grid> {
    match std::env::var("NINEFOLD_LIST") {
        Ok(path) => list(&std::fs::read_to_string(path).expect("NINEFOLD_LIST names a file")),
        Err(_) => list(SEVENTEEN),
    }
}

/// Puzzles of few clues, of one full house, and of many automorphisms.
fn sparse() -> Vec<Grid> {
    let mut puzzles = vec![Grid::EMPTY, list(MOST_SYMMETRIC)[0]];
    let full = list(MOST_SYMMETRIC)[0];
    for clues in 1..8 {
        let mut puzzle = Grid::EMPTY;
        let mut cells: Vec<_> = ninefold::puzzle::Cell::all().collect();
        Random::new(clues as u64).shuffle(&mut cells);
        cells[..clues].iter().for_each(|&cell| puzzle.set(cell, full.get(cell)));
        puzzles.push(puzzle);
    }
    for house in ninefold::puzzle::House::all().step_by(9) {
        let mut puzzle = Grid::EMPTY;
        house.cells().iter().for_each(|&cell| puzzle.set(cell, full.get(cell)));
        puzzles.push(puzzle);
    }
    puzzles
}

fn minlex(criterion: &mut Criterion) {
    let minimal = list(MINIMAL);
    let full: Vec<_> = solutions(&minimal).iter().map(|solution| *solution.grid()).collect();
    let classes = [("full", full), ("minimal", minimal), ("17", seventeen()), ("sparse", sparse())];
    let mut group = criterion.benchmark_group("minlex");
    let mut canon = Canon::new();
    for (class, puzzles) in classes {
        let other = moved(&puzzles);
        let expected: Vec<_> = puzzles.iter().map(|puzzle| canon.one(puzzle).grid).collect();
        group.throughput(Throughput::Elements(puzzles.len() as u64));
        group.bench_function(class, |bencher| {
            let mut found = Vec::with_capacity(other.len());
            bencher.iter(|| {
                found.clear();
                found.extend(black_box(&other).iter().map(|puzzle| canon.one(puzzle).grid));
            });
            assert!(found == expected, "{class}");
        });
    }
    group.finish();
}

/// The form by the solution: with solving, as `canon --form solution` and `verify` need it.
fn solution(criterion: &mut Criterion) {
    let puzzles = list(MINIMAL);
    let other = moved(&puzzles);
    let mut canon = Canon::new();
    let expected = puzzles.iter().zip(solutions(&puzzles));
    let expected: Vec<_> =
        expected.map(|(puzzle, solution)| canon.solution_minlex(puzzle, &solution).grid).collect();
    let (mut engine, mut answers) = (EngineKind::default().build(), Vec::new());
    let mut group = criterion.benchmark_group("solution");
    group.throughput(Throughput::Elements(puzzles.len() as u64));
    group.bench_function("minimal", |bencher| {
        let mut found = Vec::with_capacity(other.len());
        bencher.iter(|| {
            answers.clear();
            engine.solve_batch(black_box(&other), 2, &mut answers);
            found.clear();
            found.extend(other.iter().zip(&answers).map(|(puzzle, answer)| {
                let solution = answer.first.expect("it has one solution");
                canon.solution_minlex(puzzle, &solution).grid
            }));
        });
        assert!(found == expected);
    });
    group.finish();
}

fn config() -> Criterion {
    let brief = Criterion::default().sample_size(20).warm_up_time(Duration::from_millis(500));
    brief.measurement_time(Duration::from_secs(2))
}

criterion_group!(name = benches; config = config(); targets = minlex, solution);
criterion_main!(benches);
