//! Whole runs: what is written, in which order, and what is said of it.

use super::{Job, clues, job, judge};
use crate::support::{self, Random, SOLVED, contenders};
use ninefold::difficulty::Grade;
use ninefold::engine::{Branch, Engine, EngineKind, Visit};
use ninefold::generate::{Making, Recipe, Symmetry};
use ninefold::input::Source;
use ninefold::output::Format;
use ninefold::puzzle::{Cell, CellSet, Grid, Puzzle};
use ninefold::run::Counts;
use std::collections::HashSet;
use std::ops::RangeInclusive;
use std::sync::Arc;

fn grids(text: &str) -> Vec<Grid> {
    text.lines().map(support::grid).collect()
}

fn source(text: &str) -> Vec<Source> {
    vec![Source::from_bytes("given", text.as_bytes().to_vec())]
}

/// Runs a recipe from random grids.
fn made(recipe: &Recipe, puzzles: u64) -> (Vec<Grid>, Counts) {
    let (text, counts, _) = job(recipe.clone(), puzzles).run(Vec::new());
    (grids(&text), counts)
}

/// With one seed: a set that is mixed of several requests would have some grids many times.
#[test]
fn the_grids_of_different_recipes_are_unrelated() {
    let recipe = Recipe::default;
    let symmetries = [Symmetry::None, Symmetry::Rotate, Symmetry::Diagonal];
    let mut recipes = symmetries.map(|symmetry| Recipe { symmetry, ..recipe() }).to_vec();
    recipes.push(Recipe { grade: Some(Grade::Singles), ..recipe() });
    recipes.extend([28..=28, 28..=29].map(with_clues));
    recipes.push(Recipe { minimal: true, ..with_clues(28..=29) });
    let mut seen = HashSet::new();
    for recipe in &recipes {
        let (puzzles, _) = made(recipe, 50);
        seen.extend(puzzles.iter().map(|it| ninefold::solve(*it).unwrap().line()));
    }
    assert_eq!(seen.len(), 50 * recipes.len());
}

/// The first puzzles of seed 1. If these change, so do everybody's puzzles.
const FIRST: [&str; 2] = [
    "7...5.8..8.........9.4...319.6.....5..2615....3.2......4..6.........738.......2.7",
    "........2..4..5.1721.86..5..5....1....36..9.....3.4..56..........7..34.....17....",
];

#[test]
fn the_puzzles_of_a_seed_stay_the_same() {
    let (puzzles, _) = made(&Recipe::default(), 2);
    assert_eq!(puzzles.iter().map(Grid::to_string).collect::<Vec<_>>(), FIRST);
}

/// A debug build is 30 times slower.
const COUNTS: [u64; 3] = if cfg!(debug_assertions) { [40, 4, 6] } else { [3000, 60, 300] };

#[test]
fn threads_vectors_and_length_change_no_byte() {
    let recipes = [
        Recipe::default(),
        Recipe { clues: Some(22..=23), minimal: false, ..Recipe::default() },
        Recipe { grade: Some(Grade::Search), ..Recipe::default() },
    ];
    for (recipe, count) in recipes.into_iter().zip(COUNTS) {
        let mut one = job(recipe, count);
        let (text, counts, _) = one.run(Vec::new());
        for contender in contenders().iter().filter(|it| it.kind == EngineKind::Lanes) {
            for threads in [1, 2, 5] {
                (one.run.pipeline.threads, one.command.search.simd) = (threads, contender.level);
                let again = one.run(Vec::new());
                assert_eq!((&again.0, &again.1), (&text, &counts), "{threads}, {contender}");
            }
        }
        one.command.count = count / 3;
        let (start, _, _) = one.run(Vec::new());
        assert!(!start.is_empty() && text.starts_with(&start));
    }
}

#[test]
fn every_puzzle_has_one_solution_and_no_clue_can_go() {
    let mut pairs = job(Recipe::default(), 200);
    pairs.run.writing.style.format = Format::Pair;
    let (text, counts, _) = pairs.run(Vec::new());
    let (mut engine, steps) = (judge::engine(), Symmetry::None.orbits());
    let mut sum = 0;
    for line in text.lines() {
        let (puzzle, solution) = line.split_once(',').unwrap();
        let (puzzle, solution) = (support::grid(puzzle), support::solution_of(solution));
        assert!(judge::is_minimal(engine.as_mut(), &puzzle, &steps), "{puzzle}");
        assert!(solution.keeps_clues_of(&puzzle), "{puzzle}");
        sum += puzzle.clues() as u64;
    }
    assert_eq!((text.lines().count(), counts.puzzles), (200, 200));
    assert_eq!(clues(&counts), sum);
    // The mean is 24.38 with a deviation of 1.1: of 200, within six deviations of the mean.
    assert!((23 * 200 + 180..24 * 200 + 180).contains(&sum), "{sum}");
}

#[test]
fn clues_are_as_many_as_asked_for() {
    let mut engine = judge::engine();
    for range in [24..=24, 30..=30, 22..=60, 81..=81, 80..=81] {
        let recipe = with_clues(range.clone());
        let (puzzles, counts) = made(&recipe, 30);
        assert_eq!((puzzles.len(), counts[Making::Near]), (30, 0));
        for puzzle in puzzles {
            assert!(range.contains(&puzzle.clues()), "{puzzle}");
            assert!(judge::is_unique(engine.as_mut(), &puzzle), "{puzzle}");
        }
    }
    let (puzzles, counts) = made(&Recipe { attempts: 20, ..with_clues(17..=17) }, 5);
    assert_eq!((puzzles.len(), counts[Making::Near], counts[Making::Tried]), (5, 5, 100));
}

fn with_clues(range: RangeInclusive<usize>) -> Recipe {
    Recipe { clues: Some(range), minimal: false, ..Recipe::default() }
}

#[test]
fn a_pattern_is_filled_or_given_up() {
    let mut random = Random(1);
    let mut cells: Vec<_> = random.order::<81>().map(Cell::new).to_vec();
    cells.truncate(34);
    let pattern: CellSet = cells.iter().copied().collect();
    let recipe = |pattern, attempts| Recipe {
        pattern: Some(pattern),
        minimal: false,
        attempts,
        ..Recipe::default()
    };
    let (puzzles, counts) = made(&recipe(pattern, 100_000), 5);
    assert_eq!((puzzles.len(), counts[Making::Missing]), (5, 0));
    let mut engine = judge::engine();
    for puzzle in puzzles {
        assert_eq!(CellSet::of_clues(&puzzle), pattern);
        assert!(judge::is_unique(engine.as_mut(), &puzzle));
    }
    // Two rows of a band are empty: the first puzzle that cannot be made ends the run,
    // and none of the five is there.
    let empty: CellSet = Cell::all().filter(|cell| cell.row() > 1).collect();
    let (puzzles, counts) = made(&recipe(empty, 50), 5);
    let found = [Making::Missing, Making::Tried, Making::NotTried].map(|it| counts[it]);
    assert_eq!((puzzles.len(), found), (0, [1, 50, 4]));
}

#[test]
fn a_puzzle_that_cannot_be_made_does_not_end_a_run_in_which_others_can() {
    let recipe = Recipe { grade: Some(Grade::LockedCandidates), attempts: 6, ..Recipe::default() };
    let (puzzles, counts) = made(&recipe, 200);
    let missing = counts[Making::Missing];
    assert!(missing > 0 && counts[Making::NotTried] == 0, "{counts:?}");
    assert_eq!(puzzles.len() as u64 + missing, 200);
}

#[test]
fn given_grids_are_dug_and_what_is_none_is_named() {
    let other = SOLVED.replace('1', "x").replace('2', "1").replace('x', "2");
    let clash = format!("5{}", &SOLVED[..80]);
    let blank = SOLVED.replacen('3', ".", 1);
    let text = format!("# grids\n{SOLVED}\n{blank}\n\n12\n{clash}\n{other}\n");
    let (text, counts, refused) = job(Recipe::default(), 3).run(source(&text));
    let puzzles = grids(&text);
    let solutions = [SOLVED; 3].into_iter().chain([&*other; 3]);
    let (mut engine, steps) = (judge::engine(), Symmetry::None.orbits());
    assert_eq!(puzzles.len(), 6);
    for (puzzle, solution) in puzzles.iter().zip(solutions) {
        assert!(judge::is_minimal(engine.as_mut(), puzzle, &steps));
        assert!(support::solution_of(solution).keeps_clues_of(puzzle));
    }
    let expected = [
        "given: line 3: expected a full grid, row 1 column 2 is blank",
        "given: line 5: expected 81 cells, found 2",
        "given: line 6: 5 twice in row 1 (columns 1 and 2)",
    ];
    assert_eq!(refused[..2], expected[..2]);
    assert!(refused[2].starts_with(expected[2]), "{}", refused[2]);
    assert_eq!(counts[Making::RefusedLine], 3);
}

/// A full grid has 81 puzzles with 80 clues, and no more are given.
#[test]
fn no_puzzle_comes_twice_even_if_there_are_few() {
    let recipe = Recipe { clues: Some(80..=80), minimal: false, ..Recipe::default() };
    let mut few = job(Recipe { attempts: 3_000, ..recipe }, 83);
    let made = |few: &Job| few.run(source(SOLVED));
    let (text, counts, _) = made(&few);
    let puzzles: HashSet<_> = text.lines().collect();
    assert_eq!((puzzles.len(), counts.puzzles, counts[Making::Missing]), (81, 81, 2));
    assert!(counts[Making::DrawnAgain] > 0);
    few.command.distinct = false;
    let (text, counts, _) = made(&few);
    assert_eq!((text.lines().count(), counts[Making::DrawnAgain]), (83, 0));
    few.command.distinct = true;
    few.command.count = 78;
    let (text, counts, _) = made(&few);
    for threads in [2, 5] {
        few.run.pipeline.threads = threads;
        let again = made(&few);
        assert_eq!((&again.0, &again.1), (&text, &counts), "{threads}");
    }
}

/// The tasks of a run in parts: without repeated puzzles, the parts together are the whole.
#[test]
fn shares_of_the_tasks_are_the_whole_run() {
    type Given = fn(&str) -> Vec<Source>;
    let text = format!("{SOLVED}\nno grid\n{SOLVED}\nneither\n");
    let origins: [Given; 2] = [|_| Vec::new(), |text| source(text)];
    for (origin, all) in origins.into_iter().zip([7, 14]) {
        let job = job(Recipe::default(), 7);
        let (whole, _, lines) = job.run(origin(&text));
        let (mut parts, mut refused) = (String::new(), Vec::new());
        for tasks in [0..3, 3..3, 3..all - 1, all - 1..all] {
            let (part, counts, told) = job.try_run(origin(&text), Some((tasks, all)));
            assert_eq!(part.lines().count() as u64, counts.unwrap().puzzles);
            parts += &part;
            refused.extend(told);
        }
        assert_eq!((parts, refused), (whole, lines));
    }
}

/// Panics over whatever it is asked.
struct Faulty;

impl Engine for Faulty {
    fn search(&mut self, _: &Puzzle, _: &mut Visit, _: &mut Branch) {
        panic!("it is broken");
    }
}

#[test]
fn a_panic_ends_the_run_and_names_the_tasks() {
    let mut faulty = job(Recipe::default(), 5);
    faulty.command.search.own = Some(Arc::new(|| Box::new(Faulty)));
    for (threads, tasks) in [(1, 0..5), (1, 3..5), (3, 3..5)] {
        faulty.run.pipeline.threads = threads;
        let first = tasks.start + 1;
        let (text, ran, _) = faulty.try_run(Vec::new(), Some((tasks, 5)));
        let expected = format!("tasks: lines {first} to {first}: a thread panicked: it is broken");
        assert_eq!((text.as_str(), ran.unwrap_err().to_string()), ("", expected));
    }
}

/// A million minimal puzzles, each judged by an engine that took no part: 25 tests each, about
/// five minutes on one core in a release build.
///
/// `cargo test --release --test library a_million_puzzles -- --ignored --nocapture`
#[test]
#[ignore = "takes minutes"]
fn a_million_puzzles_are_minimal_and_differ() {
    let mut million = job(Recipe::default(), 1_000_000);
    million.run.pipeline.threads = 0;
    let (text, counts, _) = million.run(Vec::new());
    let mut puzzles = grids(&text);
    drop(text);
    println!("{counts:?}");
    let threads = million.run.pipeline.worker_threads();
    std::thread::scope(|scope| {
        for part in puzzles.chunks(puzzles.len().div_ceil(threads)) {
            scope.spawn(move || {
                let (mut engine, steps) = (judge::engine(), Symmetry::None.orbits());
                for puzzle in part {
                    assert!(judge::is_minimal(engine.as_mut(), puzzle, &steps), "{puzzle}");
                }
            });
        }
    });
    puzzles.sort_unstable_by_key(|puzzle| *puzzle.values());
    puzzles.dedup();
    assert_eq!(puzzles.len(), 1_000_000);
    assert!((24_300_000..24_500_000).contains(&clues(&counts)));
}
