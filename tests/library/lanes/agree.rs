//! Issue 3's proof: counts of 0, 1, 2 or more agree with two other engines on 100,000 puzzles.

use crate::lanes::{EASY, MINIMAL, assert_solves, handed_over, solve_all};
use crate::support::{self, Random};
use ninefold::engine::EngineKind;
use ninefold::puzzle::Grid;

/// A release build needs 3.6 s of one core for them with three levels, a debug build 7 s
/// for 3,000 (Xeon with AVX-512).
const PUZZLES: usize = if cfg!(debug_assertions) { 3_000 } else { 100_000 };

/// Puzzles solved together.
const BATCH: usize = 1000;

/// Clears, changes or adds a clue.
fn spoiled(puzzle: &Grid, how: usize, random: &mut Random) -> Grid {
    let mut puzzle = *puzzle;
    match how {
        0 => puzzle.set(support::random_clue(&puzzle, random), None),
        1 => {
            let cell = support::random_clue(&puzzle, random);
            puzzle.set(cell, Some(support::other_digit(puzzle.get(cell), random)));
        }
        _ => {
            let cell = support::random_blank(&puzzle, random);
            let only = EngineKind::Mrv.build().solve(&puzzle, 1).first.expect("a good puzzle");
            puzzle.set(cell, Some(support::other_digit(Some(only.get(cell)), random)));
        }
    }
    puzzle
}

/// Every engine that takes part answers this batch with the same counts; each solution, the
/// second too, is judged. Gives the counts.
fn assert_agreement(puzzles: &[Grid], what: &str) -> Vec<usize> {
    let mrv = solve_all(EngineKind::Mrv.build().as_mut(), puzzles, 2);
    let dlx = solve_all(EngineKind::Dlx.build().as_mut(), puzzles, 2);
    for lanes in support::lanes() {
        let mut engine = lanes.build();
        for (place, answer) in solve_all(engine.as_mut(), puzzles, 2).into_iter().enumerate() {
            let puzzle = &puzzles[place];
            assert_eq!(answer.count, mrv[place].count, "{what}: {lanes}, mrv on {puzzle}");
            assert_eq!(answer.count, dlx[place].count, "{what}: {lanes}, dlx on {puzzle}");
            let both = handed_over(engine.as_mut(), puzzle, 2);
            assert_eq!(both.len(), answer.count, "{what}: {lanes} on {puzzle}");
            assert_eq!(both.first(), answer.first.as_ref(), "{what}: {lanes} on {puzzle}");
            for solution in &both {
                assert_solves(solution, puzzle, lanes);
            }
            assert!(both.len() < 2 || both[0] != both[1], "{what}: {lanes} on {puzzle}");
            if answer.count == 1 {
                assert_eq!(answer.first, dlx[place].first, "{what}: {lanes} on {puzzle}");
            }
        }
    }
    mrv.into_iter().map(|answer| answer.count).collect()
}

#[test]
fn counts_agree_with_mrv_and_dlx_on_100_000_spoiled_puzzles() {
    let bases = [support::list(MINIMAL), support::list(EASY)].concat();
    // By what was done to the puzzle: with no solution, with one, with more.
    let mut seen = [[0; 3]; 3];
    for seed in 0..PUZZLES / BATCH {
        let random = &mut Random(seed as u64);
        let puzzles: Vec<_> = (0..BATCH)
            .map(|place| {
                let base = &bases[random.below(bases.len())];
                spoiled(&support::transformed_grid(base, random), place % 3, random)
            })
            .collect();
        let counts = assert_agreement(&puzzles, &format!("seed {seed}"));
        for (place, count) in counts.into_iter().enumerate() {
            seen[place % 3][count] += 1;
        }
    }
    println!("clue dropped, changed, wrong one added; none, one, more solutions: {seen:?}");
    // A puzzle with a wrong digit more has no solution: that the digit is wrong was proven.
    let [dropped, changed, added] = seen;
    assert!(dropped[0] == 0 && dropped[1] > 0 && dropped[2] > PUZZLES / 10, "{seen:?}");
    assert!(changed[0] > PUZZLES / 10 && changed[2] > 0, "{seen:?}");
    assert!(added[0] > PUZZLES / 4 && added[1] + added[2] == 0, "{seen:?}");
}
