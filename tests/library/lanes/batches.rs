//! A puzzle's answer does not depend on its batch, its place in it, or what came before.

use crate::lanes::{
    EASY, EMPTIED, MINIMAL, MULTIPLE, NAMED, NONE, assert_solves, in_release, solve_all,
};
use crate::support::{self, Random};
use ninefold::engine::{Answer, EngineKind};
use ninefold::puzzle::Grid;

/// Around every number of lanes there is, and around their multiples.
const SIZES: [usize; 19] =
    [0, 1, 2, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65, 255, 256, 257, 375];

const LIMITS: [usize; 6] = [1, 2, 3, 10, in_release(1000), 0];

/// Puzzles of every kind: easy, hard, with several solutions, without, illegal, full, empty.
fn mixed() -> Vec<Grid> {
    let mut puzzles = Vec::new();
    for (text, count) in
        [(EASY, 20), (MINIMAL, 20), (NAMED, 13), (MULTIPLE, 20), (NONE, 20), (EMPTIED, 13)]
    {
        puzzles.extend(support::list(text).into_iter().take(count));
    }
    let others = [support::SOLVED, support::TWO, support::FOUR, support::NONE, support::ILLEGAL];
    puzzles.extend(others.map(support::grid));
    puzzles.push(Grid::EMPTY);
    puzzles
}

/// The answers of `mrv` to these puzzles, to be compared with by their counts.
fn judged(puzzles: &[Grid], limit: usize) -> Vec<Answer> {
    solve_all(EngineKind::Mrv.build().as_mut(), puzzles, limit)
}

/// The answers to puzzles each alone, seen to be the same at every level, and right.
fn answers_alone(puzzles: &[Grid], limit: usize) -> Vec<Answer> {
    let judged = judged(puzzles, limit);
    let alone = |lanes: support::Contender| {
        let new = |puzzle: &Grid| lanes.build().solve(puzzle, limit);
        puzzles.iter().map(new).collect::<Vec<_>>()
    };
    let portable = alone(support::lanes()[0]);
    for lanes in support::lanes() {
        for (place, answer) in alone(lanes).into_iter().enumerate() {
            let puzzle = &puzzles[place];
            assert_eq!(answer.count, judged[place].count, "{lanes}, limit {limit}: {puzzle}");
            assert_eq!(answer, portable[place], "{lanes}, limit {limit}: {puzzle}");
            assert_eq!(answer.first.is_some(), answer.count > 0, "{lanes}: {puzzle}");
            if let Some(first) = &answer.first {
                assert_solves(first, puzzle, lanes);
            }
        }
    }
    portable
}

#[test]
fn a_puzzle_has_the_same_answer_in_every_batch_at_every_level() {
    let (seed, puzzles) = (11, mixed());
    // One engine for all of it: each batch comes after others of every kind.
    let mut engines: Vec<_> = support::lanes().into_iter().map(|it| (it, it.build())).collect();
    for limit in LIMITS {
        let alone = answers_alone(&puzzles, limit);
        let mut random = Random(seed);
        for size in SIZES {
            let mut picks: Vec<_> = (0..size).map(|_| random.below(puzzles.len())).collect();
            // Forwards, then backwards.
            for _ in 0..2 {
                picks.reverse();
                let batch: Vec<_> = picks.iter().map(|&pick| puzzles[pick]).collect();
                for (lanes, engine) in &mut engines {
                    let answers = solve_all(engine.as_mut(), &batch, limit);
                    for (place, &pick) in picks.iter().enumerate() {
                        let puzzle = puzzles[pick];
                        assert_eq!(
                            answers[place], alone[pick],
                            "seed {seed}: {lanes}, limit {limit}, place {place} of {size}: {puzzle}"
                        );
                    }
                }
            }
        }
    }
}
