//! `prove_batch`: none, one or several, and the solution if it is the only one. The stage for lists
//! with several solutions begins and ends between the puzzles of a batch, and changes no answer.

use crate::lanes::{EASY, EMPTIED, MINIMAL, MULTIPLE, NAMED, NONE, assert_solves, in_release};
use crate::support::{self, Random};
use ninefold::engine::{Answer, EngineKind};
use ninefold::puzzle::Grid;

/// Transformed puzzles of one list.
fn some_of(text: &str, count: usize, random: &mut Random) -> Vec<Grid> {
    let list = support::list(text);
    (0..count).map(|_| support::transformed_grid(&list[random.below(list.len())], random)).collect()
}

/// The answers of `mrv` are those to expect.
fn assert_proven(puzzles: &[Grid], batch: usize, what: &str) {
    let mut expected = Vec::new();
    EngineKind::Mrv.build().prove_batch(puzzles, &mut expected);
    for lanes in support::lanes() {
        let mut engine = lanes.build();
        let mut answers = Vec::new();
        for puzzles in puzzles.chunks(batch) {
            engine.prove_batch(puzzles, &mut answers);
        }
        for (place, puzzle) in puzzles.iter().enumerate() {
            let Answer { count, first, .. } = answers[place];
            assert_eq!(count, expected[place].count, "{what}: {lanes}, place {place}: {puzzle}");
            assert_eq!(first, expected[place].first, "{what}: {lanes}, place {place}: {puzzle}");
            if let Some(first) = &first {
                assert_solves(first, puzzle, lanes);
            }
        }
        assert_eq!(answers.len(), puzzles.len(), "{what}: {lanes}");
    }
}

/// A sparse grid is a puzzle of 17 to 30 clues from which some were taken.
fn sparse(count: usize, random: &mut Random) -> Vec<Grid> {
    let mut grids = some_of(MINIMAL, count, random);
    for grid in &mut grids {
        for _ in 0..=random.below(6) {
            grid.set(support::random_clue(grid, random), None);
        }
    }
    grids
}

/// A batch has runs of every kind, some shorter and some longer than the stage needs to begin.
#[test]
fn a_proof_does_not_depend_on_the_puzzles_before_it() {
    for seed in 0..in_release(100) {
        let random = &mut Random(seed as u64);
        let mut puzzles = Vec::new();
        while puzzles.len() < 1500 {
            let length = 1 + random.below(150);
            puzzles.extend(match random.below(8) {
                0 => some_of(EASY, length, random),
                1 => some_of(MINIMAL, length, random),
                2 => some_of(NONE, length.min(20), random),
                3 => some_of(EMPTIED, length, random),
                4 => some_of(NAMED, length.min(10), random),
                5 => {
                    vec![support::grid(support::ILLEGAL), Grid::EMPTY, support::grid(support::TWO)]
                }
                6 => some_of(MULTIPLE, length, random),
                _ => sparse(length, random),
            });
        }
        assert_proven(&puzzles, 1 + random.below(2000), &format!("seed {seed}"));
    }
}
