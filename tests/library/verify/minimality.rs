//! Which clues can go, before a removal of each, judged by another engine.

use crate::support::{self, Random};
use ninefold::engine::{Engine, EngineKind};
use ninefold::minimal::Minimality;
use ninefold::puzzle::{Cell, CellSet, Digit, DigitSet, Grid, Puzzle, Solution, Sukaku};
use std::slice;

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
    let puzzles: Vec<_> = puzzles.iter().map(|&grid| Puzzle::Grid(grid)).collect();
    redundant(&puzzles, solutions)
}

fn redundant(puzzles: &[Puzzle], solutions: &[Solution]) -> Vec<CellSet> {
    let (mut engine, mut minimality) = (EngineKind::Lanes.build(), Minimality::new());
    let found = minimality.many_unique(engine.as_mut(), puzzles, solutions);
    assert_eq!(found.len(), puzzles.len());
    let found: Vec<_> = found.iter().map(|it| it.clues).collect();
    let proven: Result<Vec<_>, _> = minimality.many(puzzles).iter().copied().collect();
    assert_eq!(proven, Ok(found.clone()), "without the solutions");
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

/// Candidates of blank cells are removed and others are added to clues, at random.
#[test]
fn cells_of_sukakus_are_redundant_where_all_nine_candidates_say_so() {
    let minimal = support::list(crate::verify::MINIMAL);
    let mut mrv = EngineKind::Mrv.build();
    let solutions_of = |mrv: &mut dyn Engine, sukaku: &Sukaku| {
        let mut answers = Vec::new();
        mrv.solve_sukakus(slice::from_ref(sukaku), 2, &mut answers);
        answers[0]
    };
    let (mut puzzles, mut solutions, mut grids) = (Vec::new(), Vec::new(), Vec::new());
    for (seed, grid) in minimal.iter().take(60).enumerate() {
        let random = &mut Random(seed as u64);
        let solution = mrv.solve(grid, 1).first.expect("a good puzzle");
        let mut sukaku = Sukaku::from(grid);
        for cell in Cell::all().filter(|_| seed % 3 > 0) {
            let right = DigitSet::of(solution.get(cell));
            let other = DigitSet::of(Digit::ALL[(random.next() % 9) as usize]);
            match (grid.get(cell).is_some(), random.next() % 30) {
                (true, 0) => sukaku.set(cell, right.union(other)),
                (false, 0..10) => sukaku.set(cell, other.complement().union(right)),
                _ => {}
            }
        }
        if solutions_of(mrv.as_mut(), &sukaku).count == 1 {
            puzzles.push(Puzzle::Sukaku(sukaku));
            solutions.push(solution);
            grids.push(Puzzle::Grid(*grid));
        }
    }
    let found = redundant(&puzzles, &solutions);
    let (mut of_grids, mut with) = (0, 0);
    for ((puzzle, grid), found) in puzzles.iter().zip(&grids).zip(&found) {
        let Puzzle::Sukaku(sukaku) = puzzle else { unreachable!() };
        let is_redundant = |cell: &Cell| {
            let mut without = *sukaku;
            without.set(*cell, DigitSet::FULL);
            without != *sukaku && solutions_of(mrv.as_mut(), &without).count == 1
        };
        let expected: Vec<_> = Cell::all().filter(is_redundant).collect();
        assert_eq!(found.cells().collect::<Vec<_>>(), expected, "{sukaku}");
        with += usize::from(!expected.is_empty());
        of_grids += usize::from(Sukaku::from(&grid.givens()) == *sukaku && expected.is_empty());
    }
    assert!(of_grids == 20 && with > 5, "{of_grids} grids, {with} with redundant cells");
}
