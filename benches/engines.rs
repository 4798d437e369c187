//! Each engine on each class of puzzles, in puzzles per second; `lanes` at each level of this CPU.
//! Every answer is asserted.
//!
//! `cargo bench --bench engines -- mrv` runs one engine, `-- lanes-avx2` one level, `-- /minimal`
//! one class.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use ninefold::engine::EngineKind;
use ninefold::engine::lanes::SimdLevel;
use ninefold::puzzle::{Grid, parse};
use std::hint::black_box;
use std::time::Duration;

/// Name, puzzles, and how many solutions each has; 2 means two or more.
const CLASSES: [(&str, &str, usize); 6] = [
    ("easy", include_str!("../data/easy.txt"), 1),
    ("minimal", include_str!("../data/minimal.txt"), 1),
    ("hard", include_str!("../data/bench/hard.txt"), 1),
    ("named", include_str!("../data/named.txt"), 1),
    ("multiple", include_str!("../data/multiple.txt"), 2),
    ("none", include_str!("../data/none.txt"), 0),
];

/// Whether the engine takes the first blank, whatever it costs.
fn is_plain(kind: EngineKind) -> bool {
    matches!(kind, EngineKind::Scan | EngineKind::Flags | EngineKind::Masks)
}

/// The first puzzles of a class: as many as take 0.2 s at most in one pass: `scan` needs 17 ms
/// for a minimal puzzle, `dlx` 0.04 ms. The hard and the named ones are beyond the plain engines.
fn puzzles(kind: EngineKind, class: &str, text: &str) -> Vec<Grid> {
    let count = match (is_plain(kind), class) {
        (true, "hard" | "named") => 0,
        (true, _) => 10,
        (false, _) => 1000,
    };
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    let grids = lines.map(|line| parse::line(line.as_bytes()).expect("our own file"));
    grids.take(count).collect()
}

/// Every engine; `lanes`, which alone has a use for them, once for each level of this CPU.
fn rows() -> impl Iterator<Item = (EngineKind, SimdLevel, String)> {
    let others = EngineKind::ALL.iter().copied().filter(|&kind| kind != EngineKind::Lanes);
    let others = others.map(|kind| (kind, SimdLevel::Portable, kind.to_string()));
    let name = |level| format!("{}-{level}", EngineKind::Lanes);
    others.chain(SimdLevel::available().map(move |it| (EngineKind::Lanes, it, name(it))))
}

fn engines(criterion: &mut Criterion) {
    for (kind, level, name) in rows() {
        let mut group = criterion.benchmark_group(&name);
        for (class, text, count) in CLASSES {
            let puzzles = puzzles(kind, class, text);
            if puzzles.is_empty() {
                continue;
            }
            let mut engine = kind.build_at(level);
            let mut answers = Vec::with_capacity(puzzles.len());
            group.throughput(Throughput::Elements(puzzles.len() as u64));
            group.bench_function(class, |bencher| {
                bencher.iter(|| {
                    answers.clear();
                    engine.solve_batch(black_box(&puzzles), 2, &mut answers);
                });
                for (puzzle, answer) in puzzles.iter().zip(&answers) {
                    assert_eq!(answer.count, count, "{name} on {puzzle}");
                    assert_eq!(answer.first.is_some(), count > 0, "{name} on {puzzle}");
                    let keeps = answer.first.is_none_or(|first| first.keeps_clues_of(puzzle));
                    assert!(keeps, "{name} on {puzzle}");
                }
            });
        }
        group.finish();
    }
}

fn config() -> Criterion {
    let brief = Criterion::default().sample_size(20).warm_up_time(Duration::from_millis(500));
    brief.measurement_time(Duration::from_secs(2))
}

criterion_group!(name = benches; config = config(); targets = engines);
criterion_main!(benches);
