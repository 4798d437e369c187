//! Making puzzles, in puzzles per second, at each level of this CPU; and the parts that no engine
//! does. What is made is asserted.
//!
//! `cargo bench --bench generate -- minimal` makes minimal puzzles alone.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use ninefold::difficulty::Grade;
use ninefold::engine::EngineKind;
use ninefold::engine::lanes::SimdLevel;
use ninefold::generate::{Maker, Recipe, Symmetry, Task, full_grid};
use ninefold::puzzle::{CellSet, Random, rules};
use ninefold::symmetry::Isomorphism;
use std::hint::black_box;
use std::time::Duration;

/// As many as a worker is given at a time.
const COUNT: u64 = 1024;

fn recipes() -> [(&'static str, Recipe); 4] {
    let minimal = Recipe::default();
    let (symmetry, grade) = (Symmetry::Rotate, Some(Grade::NakedSingles));
    [
        ("minimal", minimal.clone()),
        ("rotate", Recipe { symmetry, ..minimal.clone() }),
        ("clues-30", Recipe { clues: Some(30..=30), minimal: false, ..minimal.clone() }),
        ("easy", Recipe { grade, minimal: false, ..minimal }),
    ]
}

fn make(criterion: &mut Criterion) {
    let tasks: Vec<_> = (0..COUNT).map(|index| Task { index, attempt: 0, start: None }).collect();
    let mut judge = EngineKind::Mrv.build();
    for (name, recipe) in recipes() {
        let mut group = criterion.benchmark_group(name);
        group.throughput(Throughput::Elements(COUNT));
        for level in SimdLevel::available() {
            let mut maker = Maker::new(recipe.clone(), 1).with_level(level);
            let mut made = Vec::new();
            group.bench_function(level.name(), |bencher| {
                bencher.iter(|| made = maker.make(black_box(&tasks), &|_| false));
            });
            for made in made.iter().flatten() {
                let answer = judge.solve(&made.puzzle, 2);
                assert_eq!(answer.solution(), Some(&made.solution), "{name}");
                let clues = CellSet::of_clues(&made.puzzle).len();
                assert!(recipe.clues.as_ref().is_none_or(|range| range.contains(&clues)));
            }
        }
    }
}

fn parts(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("parts");
    group.throughput(Throughput::Elements(1));
    let mut random = Random::new(1);
    group.bench_function("full grid", |bencher| {
        bencher.iter(|| full_grid(black_box(&mut random)));
    });
    let grid = full_grid(&mut random);
    group.bench_function("transform", |bencher| {
        bencher.iter(|| Isomorphism::random(&mut random).apply(black_box(grid.grid())));
    });
    let other = Isomorphism::random(&mut random).apply(grid.grid());
    assert_eq!(rules::check_solved(&other), Ok(()));
}

fn config() -> Criterion {
    let brief = Criterion::default().sample_size(20).warm_up_time(Duration::from_millis(500));
    brief.measurement_time(Duration::from_secs(2))
}

criterion_group!(name = benches; config = config(); targets = make, parts);
criterion_main!(benches);
