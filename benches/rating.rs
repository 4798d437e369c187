//! Ratings of Sudoku Explainer by score: time per puzzle. The scores are asserted.
//!
//! `cargo bench --bench rating -- 'up to 6.2'` rates one class alone. `NINEFOLD_SE_SAMPLE` has the paths
//! of larger lists `puzzle,er,ep,ed`, separated by colons, for the classes above 6.2.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use ninefold::difficulty::{Rater, Rating};
use ninefold::generate::{Maker, Recipe};
use ninefold::puzzle::{Grid, parse};
use std::hint::black_box;
use std::time::Duration;
use std::{env, fs};

/// Random minimal puzzles of seed 1, and the sum of their er in tenths.
const COUNT: usize = 2000;
const SUM: u32 = 77_046;

/// Two puzzles of each score above 6.2, as `SukakuExplainer` rates them, and two at the top.
const CHAINS: &str = include_str!("../crates/core/tests/rating_chains.csv");
const HARDEST: &str = "\
.......39.....1..5..3.5.8....8.9...6.7...2...1..4.......9.8..5..2....6..4..7.....,11.9,11.9,11.3
1.......2.9.4...5...6...7...5.9.3.......7.......85..4.7.....6...3...9.8...2.....1,11.6,11.6,10.8
";

/// The classes in tenths of er.
const CLASSES: [(u8, u8); 9] =
    [(65, 69), (70, 74), (75, 79), (80, 84), (85, 89), (90, 94), (95, 99), (100, 109), (110, 120)];

fn minimal() -> Vec<Grid> {
    let mut maker = Maker::new(Recipe::default(), 1);
    maker.many(COUNT).iter().flatten().map(|made| made.puzzle).collect()
}

/// Puzzles above 6.2 with their scores.
fn listed() -> Vec<(String, Grid, String)> {
    let texts = match env::var("NINEFOLD_SE_SAMPLE") {
        Ok(paths) => paths.split(':').map(|path| fs::read_to_string(path).unwrap()).collect(),
        Err(_) => vec![CHAINS.to_owned(), HARDEST.to_owned()],
    };
    let lines =
        texts.iter().flat_map(|text| text.lines()).filter(|line| !line.starts_with("puzzle"));
    lines
        .map(|line| {
            let (puzzle, scores) = line.split_once(',').unwrap();
            (puzzle.to_owned(), parse::line(puzzle.as_bytes()).unwrap(), scores.to_owned())
        })
        .collect()
}

fn tenths(rating: Rating) -> u8 {
    rating.er.tenths().expect("no greatest score was set")
}

fn measure(criterion: &mut Criterion, name: &str, puzzles: &[Grid]) {
    let mut rater = Rater::new();
    let mut group = criterion.benchmark_group("rating");
    group.throughput(Throughput::Elements(puzzles.len() as u64));
    group.bench_function(name, |bencher| {
        bencher.iter(|| {
            for puzzle in puzzles {
                let _ = black_box(rater.one(black_box(puzzle)));
            }
        });
    });
}

fn random(criterion: &mut Criterion) {
    let puzzles = minimal();
    let mut rater = Rater::new();
    let scores: Vec<_> =
        puzzles.iter().map(|puzzle| tenths(rater.one(puzzle).expect("one solution"))).collect();
    assert_eq!(scores.iter().copied().map(u32::from).sum::<u32>(), SUM);
    measure(criterion, "random minimal", &puzzles);
    let easy = puzzles.iter().zip(&scores).filter(|&(_, &er)| er <= 62).map(|(&puzzle, _)| puzzle);
    measure(criterion, "up to 6.2", &easy.collect::<Vec<_>>());
}

fn chains(criterion: &mut Criterion) {
    let mut rater = Rater::new();
    let mut classes = CLASSES.map(|_| Vec::new());
    for (line, puzzle, expected) in listed() {
        let rating = rater.one(&puzzle).expect("one solution");
        let Rating { er, ep, ed, .. } = rating;
        assert_eq!(format!("{er},{ep},{ed}"), expected, "{line}");
        let class = |&(from, to): &(u8, u8)| (from..=to).contains(&tenths(rating));
        classes[CLASSES.iter().position(class).expect("above 6.2")].push(puzzle);
    }
    for ((from, to), puzzles) in CLASSES.into_iter().zip(&classes) {
        if !puzzles.is_empty() {
            let score = |tenths: u8| format!("{}.{}", tenths / 10, tenths % 10);
            measure(criterion, &format!("{} to {}", score(from), score(to)), puzzles);
        }
    }
}

fn config() -> Criterion {
    let brief = Criterion::default().sample_size(10).warm_up_time(Duration::from_millis(500));
    brief.measurement_time(Duration::from_secs(2))
}

criterion_group!(name = benches; config = config(); targets = random, chains);
criterion_main!(benches);
