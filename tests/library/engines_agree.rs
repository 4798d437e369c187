//! Every engine before the same judge.
//!
//! The cases are data: `cases.txt` for every engine, `hard.txt` for those that choose where to
//! branch. What is random names its seed when it fails.

use crate::support::lists::CASES;
use crate::support::{Case, Contender, Random, assert_solves, contenders, handed_over};
use ninefold::engine::{Answer, Engine, EngineKind};
use ninefold::puzzle::{Cell, Digit, Grid, Solution};
use std::collections::HashSet;
use std::fmt;
use std::ops::ControlFlow;

const HARD: &str = include_str!("../data/hard.txt");

/// A solution from which random ones are made.
const KNOWN: &str =
    "534678912672195348198342567859761423426853791713924856961537284287419635345286179";

fn assert_answers(engine: &mut dyn Engine, case: &Case, who: Contender) {
    let Case { puzzle, count, solution, name } = case;
    let proven = engine.solve(puzzle, 2);
    assert_eq!(proven.count, *count, "{who} on {name}: {puzzle}");
    assert_eq!(proven.first.is_some(), *count > 0, "{who} on {name}: {puzzle}");
    if let Some(first) = &proven.first {
        assert_solves(first, puzzle, who);
        assert!(solution.is_none_or(|it| it == *first), "{who} on {name}: {puzzle}");
    }
    let solved = engine.solve(puzzle, 1);
    let expected = Answer { count: proven.count.min(1), first: proven.first, ..Answer::default() };
    assert_eq!(solved, expected, "{who} on {name}: {puzzle}");
    assert_eq!(engine.solve(puzzle, 0), Answer::default(), "{who} on {name}: {puzzle}");
}

#[test]
fn every_engine_answers_every_case() {
    for who in contenders() {
        let mut engine = who.build();
        for case in crate::support::cases(CASES) {
            assert_answers(engine.as_mut(), &case, who);
        }
    }
}

#[test]
fn engines_that_choose_where_to_branch_answer_the_hard_cases() {
    for who in contenders().into_iter().filter(|it| !it.is_plain()) {
        let mut engine = who.build();
        for case in crate::support::cases(HARD) {
            assert_answers(engine.as_mut(), &case, who);
        }
    }
}

/// Every solution of a puzzle, none of them twice.
fn all_solutions(
    engine: &mut dyn Engine,
    puzzle: &Grid,
    who: impl fmt::Display,
) -> HashSet<Solution> {
    let mut all = HashSet::new();
    for solution in handed_over(engine, puzzle, usize::MAX) {
        assert_solves(&solution, puzzle, &who);
        assert!(all.insert(solution), "{who} on {puzzle}: {solution} came twice");
    }
    all
}

/// Puzzles with 2 to 500 solutions, and how many.
fn puzzles_with_several_solutions(random: &mut Random) -> Vec<(Grid, usize)> {
    let mut judge = EngineKind::Candidates.build();
    let mut puzzles = Vec::new();
    while puzzles.len() < 8 {
        let solution = crate::support::transformed(&crate::support::solution_of(KNOWN), random);
        let puzzle = crate::support::with_clues(&solution, 29 + random.below(9), random);
        let count = judge.solve(&puzzle, 501).count;
        if (2..=500).contains(&count) {
            puzzles.push((puzzle, count));
        }
    }
    puzzles
}

#[test]
fn every_engine_hands_over_the_same_solutions_each_once() {
    let seed = 1;
    for (puzzle, count) in puzzles_with_several_solutions(&mut Random(seed)) {
        let expected = all_solutions(EngineKind::Dlx.build().as_mut(), &puzzle, "dlx");
        assert_eq!(expected.len(), count, "seed {seed}: {puzzle}");
        for who in contenders() {
            let found = all_solutions(who.build().as_mut(), &puzzle, who);
            assert!(found == expected, "seed {seed}: {who} on {puzzle}: {}", found.len());
        }
    }
}

#[test]
fn counting_stops_at_the_limit_and_not_before() {
    let seed = 2;
    for (puzzle, count) in puzzles_with_several_solutions(&mut Random(seed)).into_iter().take(6) {
        for who in contenders() {
            let mut engine = who.build();
            let first = engine.solve(&puzzle, 1).first;
            assert!(first.is_some(), "seed {seed}: {who} on {puzzle}");
            for limit in [1, 2, 3, count - 1, count, count + 1, usize::MAX] {
                let answer = engine.solve(&puzzle, limit);
                let expected = Answer { count: count.min(limit), first, ..Answer::default() };
                assert_eq!(answer, expected, "seed {seed}: {who} on {puzzle}, limit {limit}");
            }
            assert_eq!(engine.solve(&puzzle, 0), Answer::default(), "{who} on {puzzle}");
        }
    }
}

/// A broken-off search leaves nothing behind: the next puzzle's answer is that of a new engine.
#[test]
fn an_engine_is_as_new_after_a_search_broken_off() {
    let cases = crate::support::cases(CASES);
    for who in contenders() {
        let mut used = who.build();
        for (index, case) in cases.iter().enumerate() {
            let mut left = index % 3 + 1;
            used.each_solution(&Grid::EMPTY.into(), &mut |_| {
                left -= 1;
                if left == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            });
            assert_eq!(left, 0, "{who} on the empty grid");
            let expected = who.build().solve(&case.puzzle, 2);
            assert_eq!(used.solve(&case.puzzle, 2), expected, "{who} on {}", case.puzzle);
        }
    }
}

/// A puzzle made from a planted solution, and whether that still solves it.
fn random_puzzle(random: &mut Random, fewest_clues: usize) -> (Grid, Solution, bool) {
    let solution = crate::support::transformed(&crate::support::solution_of(KNOWN), random);
    let clues = fewest_clues + random.below(36 - fewest_clues);
    let mut puzzle = crate::support::with_clues(&solution, clues, random);
    let disturbed = random.below(3);
    let cell = Cell::new(random.below(81));
    match disturbed {
        // A digit more or another digit, which may be the planted one after all.
        1 => puzzle.set(cell, Some(Digit::ALL[random.below(9)])),
        // A clue changed for another.
        2 => {
            let clue = crate::support::random_clue(&puzzle, random);
            puzzle.set(clue, Some(Digit::ALL[random.below(9)]));
        }
        _ => {}
    }
    (puzzle, solution, solution.keeps_clues_of(&puzzle))
}

/// `count` in a release build; a third in a debug build, which is 10 to 30 times slower.
const fn in_release(count: u64) -> u64 {
    if cfg!(debug_assertions) { count / 3 } else { count }
}

/// All engines agree on random puzzles: illegal, without, with one, with more.
fn assert_agreement(all: &[Contender], seeds: std::ops::Range<u64>, fewest_clues: usize) {
    let mut engines: Vec<_> = all.iter().map(|&who| (who, who.build())).collect();
    let mut seen = [0; 3];
    for seed in seeds {
        let (puzzle, planted, stands) = random_puzzle(&mut Random(seed), fewest_clues);
        let expected = EngineKind::Candidates.build().solve(&puzzle, 2);
        seen[expected.count] += 1;
        assert!(expected.count > 0 || !stands, "seed {seed}: {puzzle} has {planted}");
        for (who, engine) in &mut engines {
            let answer = engine.solve(&puzzle, 2);
            assert_eq!(answer.count, expected.count, "seed {seed}: {who} on {puzzle}");
            if let Some(first) = &answer.first {
                assert_solves(first, &puzzle, *who);
            }
            if answer.count == 1 {
                let only = if stands { Some(planted) } else { expected.first };
                assert_eq!(answer.first, only, "seed {seed}: {who} on {puzzle}");
            }
        }
    }
    assert!(seen.iter().all(|&puzzles| puzzles > 0), "counts 0, 1, 2: {seen:?}");
}

#[test]
fn every_engine_agrees_on_random_puzzles() {
    assert_agreement(&contenders(), 0..in_release(100), 31);
}

#[test]
fn engines_that_choose_where_to_branch_agree_on_random_puzzles_with_fewer_clues() {
    let all: Vec<_> = contenders().into_iter().filter(|it| !it.is_plain()).collect();
    assert_agreement(&all, 1000..1000 + in_release(300), 25);
}
