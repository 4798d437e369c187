//! Whole runs: what is written, in which order, and what is said of it.

use super::{generator, judge, run};
use crate::support::{self, Random, SOLVED, contenders};
use ninefold::difficulty::Grade;
use ninefold::engine::EngineKind;
use ninefold::generate::{Origin, Recipe, Report, Symmetry};
use ninefold::input::Source;
use ninefold::output::Format;
use ninefold::puzzle::{Cell, CellSet, Grid, Solution};
use std::collections::HashSet;
use std::ops::RangeInclusive;

fn grids(text: &str) -> Vec<Grid> {
    text.lines().map(support::grid).collect()
}

fn source(text: &str) -> Vec<Source> {
    vec![Source::from_bytes("given", text.as_bytes().to_vec())]
}

/// Runs a recipe from random grids.
fn made(recipe: &Recipe, count: u64) -> (Vec<Grid>, Report) {
    let (text, report, _) = run(&generator(recipe.clone(), count), Origin::Random);
    (grids(&text), report)
}

/// The first puzzles of seed 1. If these change, so do everybody's puzzles.
const FIRST: [&str; 2] = [
    "7...5.8..8.........9.4...319.6.....5..2615....3.2......4..6.........738.......2.7",
    "........2..4..5.1721.86..5..5....1....36..9.....3.4..56..........7..34.....17....",
];

#[test]
fn the_puzzles_of_a_seed_stay_the_same() {
    let (puzzles, _) = made(&Recipe::minimal(1), 2);
    assert_eq!(puzzles.iter().map(Grid::to_string).collect::<Vec<_>>(), FIRST);
}

/// A debug build is 30 times slower.
const COUNTS: [u64; 3] = if cfg!(debug_assertions) { [40, 4, 6] } else { [3000, 60, 300] };

#[test]
fn threads_vectors_and_length_change_no_byte() {
    let recipes = [
        Recipe::minimal(2),
        Recipe { clues: Some(22..=23), minimal: false, ..Recipe::minimal(3) },
        Recipe { grade: Some(Grade::Search), ..Recipe::minimal(4) },
    ];
    for (recipe, count) in recipes.into_iter().zip(COUNTS) {
        let mut one = generator(recipe, count);
        let (text, report, _) = run(&one, Origin::Random);
        for contender in contenders().iter().filter(|it| it.kind == EngineKind::Lanes) {
            for threads in [1, 2, 5] {
                (one.threads, one.simd) = (threads, contender.level);
                let again = run(&one, Origin::Random);
                assert_eq!((&again.0, &again.1), (&text, &report), "{threads}, {contender}");
            }
        }
        one.count = count / 3;
        let (start, _, _) = run(&one, Origin::Random);
        assert!(!start.is_empty() && text.starts_with(&start));
    }
}

#[test]
fn every_puzzle_has_one_solution_and_no_clue_can_go() {
    let mut pairs = generator(Recipe::minimal(5), 200);
    pairs.style.format = Format::Pair;
    let (text, report, _) = run(&pairs, Origin::Random);
    let (mut engine, steps) = (judge::engine(), Symmetry::None.orbits());
    let mut clues = 0;
    for line in text.lines() {
        let (puzzle, solution) = line.split_once(',').unwrap();
        let (puzzle, solution) = (support::grid(puzzle), support::solution_of(solution));
        assert!(judge::is_minimal(engine.as_mut(), &puzzle, &steps), "{puzzle}");
        assert!(solution.keeps_clues_of(&puzzle), "{puzzle}");
        clues += puzzle.clues();
    }
    assert_eq!((text.lines().count(), report.puzzles), (200, 200));
    assert_eq!(
        report.clues.iter().zip(0..).map(|(count, clues)| count * clues).sum::<u64>(),
        clues as u64
    );
    // The mean is 24.38 with a deviation of 1.1: of 200, within six deviations of the mean.
    assert!((23.9..24.9).contains(&report.mean_clues()), "{}", report.mean_clues());
}

#[test]
fn a_symmetry_is_kept_and_no_orbit_can_go() {
    let mut engine = judge::engine();
    for &symmetry in Symmetry::ALL {
        let recipe = Recipe { symmetry, ..Recipe::minimal(6) };
        let steps = symmetry.orbits();
        for puzzle in made(&recipe, 10).0 {
            let clues = CellSet::of_clues(&puzzle);
            let whole = |&step: &CellSet| (step & clues).is_empty() || step & clues == step;
            assert!(steps.iter().all(whole), "{symmetry}: {puzzle}");
            assert!(judge::is_minimal(engine.as_mut(), &puzzle, &steps), "{symmetry}: {puzzle}");
        }
    }
}

#[test]
fn a_grade_is_what_an_independent_judge_gives() {
    let mut engine = judge::engine();
    for (grade, count) in [
        (Grade::NakedSingles, 20),
        (Grade::Singles, 20),
        (Grade::LockedCandidates, 5),
        (Grade::Search, 20),
    ] {
        let recipe = Recipe { grade: Some(grade), minimal: false, ..Recipe::minimal(7) };
        for puzzle in made(&recipe, count).0 {
            assert_eq!(judge::grade(&puzzle), grade, "{puzzle}");
            assert!(judge::is_unique(engine.as_mut(), &puzzle), "{puzzle}");
        }
    }
}

#[test]
fn clues_are_as_many_as_asked_for() {
    let mut engine = judge::engine();
    for range in [24..=24, 30..=30, 22..=60, 81..=81, 80..=81] {
        let recipe = with_clues(range.clone());
        let (puzzles, report) = made(&recipe, 30);
        assert_eq!((puzzles.len(), report.is_complete()), (30, true));
        for puzzle in puzzles {
            assert!(range.contains(&puzzle.clues()), "{puzzle}");
            assert!(judge::is_unique(engine.as_mut(), &puzzle), "{puzzle}");
        }
    }
    let (puzzles, report) = made(&Recipe { attempts: 20, ..with_clues(17..=17) }, 5);
    assert_eq!((puzzles.len(), report.near, report.attempts), (5, 5, 100));
    assert!(!report.is_complete());
}

fn with_clues(range: RangeInclusive<usize>) -> Recipe {
    Recipe { clues: Some(range), minimal: false, ..Recipe::minimal(8) }
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
        ..Recipe::minimal(9)
    };
    let (puzzles, report) = made(&recipe(pattern, 100_000), 5);
    assert_eq!((puzzles.len(), report.missing), (5, 0));
    let mut engine = judge::engine();
    for puzzle in puzzles {
        assert_eq!(CellSet::of_clues(&puzzle), pattern);
        assert!(judge::is_unique(engine.as_mut(), &puzzle));
    }
    // Two rows of a band are empty: the first puzzle that cannot be made ends the run,
    // and none of the five is there.
    let empty: CellSet = Cell::all().filter(|cell| cell.row() > 1).collect();
    let (puzzles, report) = made(&recipe(empty, 50), 5);
    assert_eq!((puzzles.len(), report.missing, report.attempts), (0, 1, 50));
    assert_eq!(report.not_tried, 4);
}

#[test]
fn a_puzzle_that_cannot_be_made_does_not_end_a_run_in_which_others_can() {
    let recipe = Recipe { grade: Some(Grade::Search), attempts: 2, ..Recipe::minimal(1) };
    let (puzzles, report) = made(&recipe, 20);
    assert!(report.missing > 0 && report.not_tried == 0, "{report:?}");
    assert_eq!(puzzles.len() as u64 + report.missing, 20);
}

#[test]
fn given_grids_are_dug_and_what_is_none_is_named() {
    let other = SOLVED.replace('1', "x").replace('2', "1").replace('x', "2");
    let clash = format!("5{}", &SOLVED[..80]);
    let blank = SOLVED.replacen('3', ".", 1);
    let text = format!("# grids\n{SOLVED}\n{blank}\n\n12\n{clash}\n{other}\n");
    let (text, report, refused) =
        run(&generator(Recipe::minimal(10), 3), Origin::Grids(source(&text)));
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
    assert_eq!((report.refused, report.is_complete()), (3, false));
}

#[test]
fn copies_are_other_puzzles_with_as_many_solutions() {
    let originals = support::list(support::lists::MULTIPLE);
    let originals = &originals[..20];
    let text = originals.iter().map(Grid::to_string).collect::<Vec<_>>().join("\n");
    let (text, report, _) = run(&generator(Recipe::minimal(11), 5), Origin::Puzzles(source(&text)));
    let copies = grids(&text);
    assert_eq!((copies.len(), report.puzzles), (100, 100));
    assert_eq!(copies.iter().collect::<HashSet<_>>().len(), 100);
    let mut engine = judge::engine();
    for (copy, original) in copies.iter().zip(originals.iter().flat_map(|it| [it; 5])) {
        assert_ne!(copy, original);
        assert_eq!(copy.clues(), original.clues());
        assert_eq!(engine.solve(copy, 100).count, engine.solve(original, 100).count, "{copy}");
    }
}

/// A puzzle whose 81 cells are blank but one has 729 copies, and no more are given.
#[test]
fn no_puzzle_comes_twice_even_if_there_are_few() {
    let one = format!("5{}\n", ".".repeat(80));
    let mut few = generator(Recipe { attempts: 20_000, ..Recipe::minimal(12) }, 731);
    let (text, report, _) = run(&few, Origin::Puzzles(source(&one)));
    let puzzles: HashSet<_> = text.lines().collect();
    assert_eq!((puzzles.len(), report.puzzles, report.missing), (729, 729, 2));
    assert!(report.repeated > 0);
    few.distinct = false;
    let (text, report, _) = run(&few, Origin::Puzzles(source(&one)));
    assert_eq!((text.lines().count(), report.repeated), (731, 0));
    // A copy that is not kept is not solved: of the blank grid there is only one.
    (few.distinct, few.count, few.style.format) = (true, 2, Format::Pair);
    let (text, report, _) = run(&few, Origin::Puzzles(source(&format!("{}\n", ".".repeat(81)))));
    assert_eq!((text, report.missing), (format!("{},\n", ".".repeat(81)), 1));
    few.style.format = Format::Line;
    for threads in [2, 5] {
        (few.distinct, few.threads) = (true, threads);
        few.count = 700;
        let (again, _, _) = run(&few, Origin::Puzzles(source(&one)));
        few.threads = 1;
        assert_eq!(run(&few, Origin::Puzzles(source(&one))).0, again);
    }
}

/// The solutions of copies: of those that have one.
#[test]
fn copies_come_with_their_solutions() {
    let text = format!("{}\n{}\n", support::EASY, support::TWO);
    let mut pairs = generator(Recipe::minimal(13), 3);
    pairs.style.format = Format::Pair;
    let (text, _, _) = run(&pairs, Origin::Puzzles(source(&text)));
    for (place, line) in text.lines().enumerate() {
        let (puzzle, solution) = line.split_once(',').unwrap();
        if place < 3 {
            let solution: Solution = support::solution_of(solution);
            assert!(solution.keeps_clues_of(&support::grid(puzzle)));
        } else {
            assert_eq!(solution, "");
        }
    }
}

/// A million minimal puzzles, each judged by an engine that took no part: 25 tests each, about
/// five minutes on one core in a release build.
///
/// `cargo test --release --test generate -- --ignored --nocapture`
#[test]
#[ignore = "takes minutes"]
fn a_million_puzzles_are_minimal_and_differ() {
    let mut million = generator(Recipe::minimal(1), 1_000_000);
    million.threads = 0;
    let (text, report, _) = run(&million, Origin::Random);
    let mut puzzles = grids(&text);
    drop(text);
    println!("mean {}, {:?}", report.mean_clues(), report.clues);
    let threads = million.worker_threads();
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
    assert!((24.3..24.5).contains(&report.mean_clues()));
}
