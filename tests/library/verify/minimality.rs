//! Which clues can go, before a removal of each, judged by another engine.

use crate::support::{self, Random};
use ninefold::engine::{Engine, EngineKind};
use ninefold::minimal::Minimality;
use ninefold::puzzle::{Cell, CellSet, Grid, Solution};

const PUZZLES: usize = if cfg!(debug_assertions) { 500 } else { 100_000 };

/// Puzzles judged together.
const BATCH: usize = 500;

/// The clues without which there is still one solution.
fn judge(engine: &mut dyn Engine, puzzle: &Grid) -> Vec<Cell> {
    let clues = Cell::all().filter(|&cell| puzzle.get(cell).is_some());
    clues
        .filter(|&cell| {
            let mut without = *puzzle;
            without.set(cell, None);
            engine.solve(&without, 2).count == 1
        })
        .collect()
}

fn superfluous(puzzles: &[Grid], solutions: &[Solution]) -> Vec<CellSet> {
    let mut found = Vec::new();
    let mut engine = EngineKind::Lanes.build();
    Minimality::new().redundant(engine.as_mut(), puzzles, solutions, &mut found);
    assert_eq!(found.len(), puzzles.len());
    found
}

/// Minimal puzzles in other forms with 0 to 3 clues more, and easy ones: a release build needs
/// 8 s of one core for them.
#[test]
fn clues_can_go_where_a_removal_of_each_says_so() {
    let minimal = support::list(crate::verify::MINIMAL);
    let mut mrv = EngineKind::Mrv.build();
    let (mut with, mut without) = (0, 0);
    for seed in 0..(PUZZLES / BATCH) as u64 {
        let random = &mut Random(seed);
        let (mut puzzles, mut solutions) = (Vec::new(), Vec::new());
        for place in 0..BATCH {
            let mut puzzle = crate::verify::changed_form(&minimal, random);
            let solution = mrv.solve(&puzzle, 1).first.expect("a good puzzle");
            for _ in 0..place % 4 {
                let blank = support::random_blank(&puzzle, random);
                puzzle.set(blank, Some(solution.get(blank)));
            }
            puzzles.push(puzzle);
            solutions.push(solution);
        }
        for (puzzle, found) in puzzles.iter().zip(superfluous(&puzzles, &solutions)) {
            let expected = judge(mrv.as_mut(), puzzle);
            assert_eq!(found.cells().collect::<Vec<_>>(), expected, "seed {seed}: {puzzle}");
            *(if expected.is_empty() { &mut without } else { &mut with }) += 1;
        }
    }
    assert!(with > PUZZLES / 4 && without > PUZZLES / 8, "{with} with, {without} without");
}

#[test]
fn puzzles_that_are_no_longer_minimal_are_told() {
    let solution = support::solution_of(support::SOLVED);
    let full = *solution.grid();
    let mut one_blank = full;
    one_blank.set(Cell::new(40), None);
    let puzzles = [full, one_blank, support::grid(support::EASY), support::grid(support::LIGHT)];
    let found = superfluous(&puzzles, &[solution; 4]);
    assert_eq!((found[0].len(), found[1].len()), (81, 80));
    for (puzzle, found) in puzzles.iter().zip(found) {
        let expected = judge(EngineKind::Dlx.build().as_mut(), puzzle);
        assert_eq!(found.cells().collect::<Vec<_>>(), expected, "{puzzle}");
    }
}
