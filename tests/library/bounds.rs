//! Searches that are given up: after the same branches whatever the level and the neighbours, and soon
//! after a flag is set.

use crate::support;
use crate::support::lists::{EASY, MINIMAL, MULTIPLE, NAMED};
use ninefold::Solver;
use ninefold::engine::lanes::SimdLevel;
use ninefold::engine::{Answer, Bounds, Engine, EngineKind};
use ninefold::puzzle::{Grid, Puzzle};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

/// Puzzles that the engines find hard, each after its number of solutions.
const WORST: &str = include_str!("lanes/worst.txt");

fn bounded(kind: EngineKind, level: SimdLevel, branches: u32) -> Box<dyn Engine> {
    kind.build_bounded(level, Bounds::default().with_max_branches(branches))
}

/// Of lists of every kind some grids, the empty one, and all that are found hard.
fn grids() -> Vec<Grid> {
    let mut grids = vec![Grid::EMPTY];
    for (text, count) in [(EASY, 20), (MINIMAL, 60), (MULTIPLE, 20), (NAMED, 20)] {
        grids.extend(support::list(text).into_iter().take(count));
    }
    grids.extend(worst().filter_map(|puzzle| match puzzle {
        Puzzle::Grid(grid) => Some(grid),
        Puzzle::Sukaku(_) => None,
    }));
    grids
}

fn worst() -> impl Iterator<Item = Puzzle> {
    let puzzle = |line: &str| line.split_once(' ').expect("a count before a puzzle").1.parse();
    WORST.lines().map(move |line| puzzle(line).expect("a puzzle"))
}

/// Answers one by one, by the level that every CPU has.
fn alone(grids: &[Grid], limit: usize, branches: u32) -> Vec<Answer> {
    let mut engine = bounded(EngineKind::Lanes, SimdLevel::Portable, branches);
    grids.iter().map(|grid| engine.solve(grid, limit)).collect()
}

fn together(engine: &mut dyn Engine, grids: &[Grid], limit: usize) -> Vec<Answer> {
    let mut answers = Vec::new();
    engine.solve_batch(grids, limit, &mut answers);
    answers
}

#[test]
fn a_puzzle_is_given_up_at_every_level_and_among_any_neighbours_alike() {
    let grids = grids();
    assert!(grids.len() > 100);
    let easy = support::list(EASY)[0];
    let (mut given_up, mut found) = (0, 0);
    for limit in [1, 2, 50] {
        for branches in [0, 1, 2, 7, 40, 255, 256, 257, 1500, 6000] {
            let expected = alone(&grids, limit, branches);
            given_up += expected.iter().filter(|answer| answer.gave_up).count();
            found += expected.iter().filter(|it| it.gave_up && it.count > 0).count();
            for level in SimdLevel::available() {
                let mut engine = bounded(EngineKind::Lanes, level, branches);
                let name = format!("{level}, limit {limit}, {branches} branches");
                assert_eq!(together(engine.as_mut(), &grids, limit), expected, "{name}");
                let backwards: Vec<_> = grids.iter().rev().copied().collect();
                let mut answers = together(engine.as_mut(), &backwards, limit);
                answers.reverse();
                assert_eq!(answers, expected, "{name}, backwards");
                // With these easy ones the front stage sees all of them.
                let among: Vec<_> = grids.iter().flat_map(|grid| [easy, *grid, easy]).collect();
                let answers = together(engine.as_mut(), &among, limit);
                let own: Vec<_> = answers.into_iter().skip(1).step_by(3).collect();
                assert_eq!(own, expected, "{name}, among easy ones");
            }
        }
    }
    assert!(given_up > 500 && found > 20, "{given_up} given up, {found} after a solution");
}

/// The answers to one puzzle with two solutions as the limit, as a sukaku if it is one.
fn answer(engine: &mut dyn Engine, puzzle: &Puzzle) -> Answer {
    let mut answers = Vec::new();
    match puzzle {
        Puzzle::Grid(grid) => engine.solve_batch(&[*grid], 2, &mut answers),
        Puzzle::Sukaku(sukaku) => engine.solve_sukakus(&[*sukaku], 2, &mut answers),
    }
    answers[0]
}

/// With one branch more it is not given up, and then its answer is the one without a bound.
#[test]
fn there_is_a_number_of_branches_from_which_on_a_puzzle_is_answered() {
    let mut doubted = 0;
    let puzzles = grids().into_iter().step_by(5).map(Puzzle::from).chain(worst());
    for puzzle in puzzles {
        for kind in [EngineKind::Lanes, EngineKind::Mrv] {
            let complete = answer(kind.build().as_mut(), &puzzle);
            let gives_up = |branches| {
                answer(bounded(kind, SimdLevel::Portable, branches).as_mut(), &puzzle).gave_up
            };
            // Found by halving: below `least` it is given up.
            let (mut least, mut enough) = (0, 1_000_000);
            assert!(!gives_up(enough), "{puzzle}");
            while least < enough {
                let middle = u32::midpoint(least, enough);
                if gives_up(middle) { least = middle + 1 } else { enough = middle }
            }
            doubted += u32::from(least > 1024);
            for level in SimdLevel::available() {
                let found = answer(bounded(kind, level, least).as_mut(), &puzzle);
                assert_eq!(found, complete, "{puzzle} at {level}");
                if let Some(fewer) = least.checked_sub(1) {
                    let found = answer(bounded(kind, level, fewer).as_mut(), &puzzle);
                    assert!(found.gave_up && found.count < 2, "{puzzle} at {level}");
                }
            }
        }
    }
    assert!(doubted > 0, "the search for the existence of a solution takes part");
}

/// A bound that is not reached changes nothing, and every engine can be bounded.
#[test]
fn every_engine_counts_its_own_branches() {
    let grids: Vec<_> = support::list(MINIMAL).into_iter().take(5).collect();
    for &kind in EngineKind::ALL {
        let complete = together(kind.build().as_mut(), &grids, 2);
        let mut bounded = bounded(kind, SimdLevel::best(), u32::MAX);
        assert_eq!(together(bounded.as_mut(), &grids, 2), complete, "{kind}");
        assert_eq!(bounded.max_branches(), Some(u32::MAX));
        let mut strict = self::bounded(kind, SimdLevel::best(), 0);
        assert!(strict.solve(&Grid::EMPTY, 2).gave_up, "{kind}");
        // A clash is found before the search is given up.
        let clash = support::grid(support::ILLEGAL);
        for most in [0, 1, 2, 7, 8, 9, 300] {
            let mut bounded = self::bounded(kind, SimdLevel::best(), most);
            assert_eq!(bounded.solve(&clash, 2), Answer::default(), "{kind}, {most} branches");
        }
    }
}

/// One endless search, more than there are lanes, and one that is divided among all lanes.
#[test]
fn an_endless_search_ends_when_the_flag_is_set() {
    let easy = support::list(EASY)[0];
    for kind in [EngineKind::Lanes, EngineKind::Mrv, EngineKind::Candidates] {
        for count in [1, 70] {
            let stop = Arc::new(AtomicBool::new(false));
            let bounds = Bounds::default().with_stop(Arc::clone(&stop));
            let solver = Solver::new().with_engine(kind).with_bounds(bounds);
            let mut solver = solver.with_limit(usize::MAX);
            let mut grids = vec![Grid::EMPTY; count];
            grids.push(easy);
            let search = thread::spawn(move || solver.many(&grids).to_vec());
            thread::sleep(Duration::from_millis(50));
            stop.store(true, Ordering::Relaxed);
            let answers = search.join().unwrap();
            assert!(answers[..count].iter().all(|answer| answer.gave_up), "{kind}, {count}");
            let last = answers[count];
            assert!(last.gave_up || last.count == 1, "{kind}, {count}");
        }
    }
}

/// After a search that was stopped or given up, the engine answers as before.
#[test]
fn an_engine_is_used_again_after_it_gave_up() {
    let grids = grids();
    for level in SimdLevel::available() {
        let stop = Arc::new(AtomicBool::new(true));
        let bounds = Bounds::default().with_stop(Arc::clone(&stop));
        let mut engine = EngineKind::Lanes.build_bounded(level, bounds);
        assert!(engine.solve(&Grid::EMPTY, usize::MAX).gave_up);
        let stopped = together(engine.as_mut(), &[Grid::EMPTY; 40], usize::MAX);
        assert!(stopped.iter().all(|answer| answer.gave_up), "{level}");
        stop.store(false, Ordering::Relaxed);
        let mut new = EngineKind::Lanes.build_bounded(level, Bounds::default());
        let expected = together(new.as_mut(), &grids, 50);
        assert_eq!(together(engine.as_mut(), &grids, 50), expected, "{level}");
    }
}
