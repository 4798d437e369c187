//! All solutions in lexicographic order: the same as collecting and sorting, in constant memory, and ended
//! by its bounds. What is random names its seed when it fails.

use crate::support::lists::{CASES, EASY, MINIMAL, MULTIPLE};
use crate::support::{Random, handed_over};
use ninefold::engine::{Bounds, EngineKind};
use ninefold::puzzle::{Cell, Digit, DigitSet, Grid, Puzzle, Solution, Sukaku, parse};
use ninefold::{Solutions, count};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// All solutions of a puzzle, sorted by their digits; `None` if there are more than `most`.
fn sorted(puzzle: &Puzzle, most: usize) -> Option<Vec<Solution>> {
    let mut all = handed_over(EngineKind::default().build().as_mut(), *puzzle, most + 1);
    all.sort_unstable_by_key(|solution| *solution.grid().values());
    (all.len() <= most).then_some(all)
}

/// The first `most` solutions in order, seen to be right; all of them are compared with a sorted list.
fn assert_in_order(puzzle: impl Into<Puzzle>, most: usize, who: &str) {
    let puzzle = puzzle.into();
    let listed: Vec<_> = Solutions::new(puzzle).take(most).collect();
    match sorted(&puzzle, most) {
        Some(all) => assert_eq!(listed, all, "{who}: {puzzle:?}"),
        None => assert_eq!(listed.len(), most, "{who}: {puzzle:?}"),
    }
    let values = |at: usize| listed[at].grid().values();
    assert!((1..listed.len()).all(|at| values(at - 1) < values(at)), "{who}: {puzzle:?}");
    for solution in &listed {
        assert_eq!(puzzle.check_answer(solution.grid()), Ok(()));
    }
}

fn grids() -> Vec<Grid> {
    let lists = [CASES, EASY, MINIMAL, MULTIPLE];
    let lines = lists.iter().flat_map(|text| text.lines());
    lines.filter_map(|line| parse::line(line.get(..81)?.as_bytes()).ok()).collect()
}

#[test]
fn the_list_is_that_of_collecting_and_sorting() {
    let grids = grids();
    assert!(grids.len() > 500, "{}", grids.len());
    for grid in grids.iter().step_by(if cfg!(debug_assertions) { 7 } else { 1 }) {
        assert_in_order(*grid, 3000, "grid");
        assert_in_order(Sukaku::from(grid), 300, "sukaku of a grid");
    }
}

/// Fewer clues make lists of every length; a candidate less of some cells makes sukakus.
#[test]
fn lists_of_sparse_grids_and_of_sukakus_are_in_order() {
    let random = &mut Random(1);
    let grids = grids();
    for seed in 0..60 {
        let mut grid = grids[random.below(grids.len())];
        for _ in 0..random.below(5) {
            grid.set(Cell::new(random.below(81)), None);
        }
        assert_in_order(grid, 20_000, &format!("step {seed}"));
        let mut sukaku = Sukaku::from(&grid);
        for _ in 0..random.below(40) {
            let cell = Cell::new(random.below(81));
            let less = sukaku.get(cell).bits() & !(1 << random.below(9));
            sukaku.set(cell, DigitSet::from_bits(less));
        }
        assert_in_order(sukaku, 5000, &format!("sukaku of step {seed}"));
    }
}

/// The first list of a sparse grid is that of its first solutions: each begins as the one before, or later.
#[test]
fn the_first_solutions_of_the_empty_grid_come_first() {
    let listed: Vec<_> = Solutions::new(Grid::EMPTY).take(5000).collect();
    let mut prefix = Grid::EMPTY;
    for cell in Cell::all().take(54) {
        prefix.set(cell, Some(listed[0].get(cell)));
    }
    // The first two bands of the first solution have these completions, and they come first.
    let completions = sorted(&prefix.into(), 5000).expect("a band has fewer");
    assert!(completions.len() > 10);
    assert_eq!(listed[..completions.len()], completions);
    assert_eq!(listed[0].get(Cell::new(80)), Digit::ALL[1]);
}

/// A walk in reading order alone takes minutes for this one: its first row is blank, and its digits are
/// decided by the last clues.
#[test]
fn a_puzzle_against_reading_order_is_quick() {
    let line = "..............3.85..1.2.......5.7.....4...1...9.......5......73..2.1........4...9";
    let bounds = Bounds::default().with_max_branches(100_000);
    let mut solutions = Solutions::new(parse::line(line.as_bytes()).unwrap()).with_bounds(bounds);
    assert!(solutions.next().unwrap().to_string().starts_with("987654321"));
    assert_eq!((solutions.next(), solutions.gave_up()), (None, false));
}

#[test]
fn illegal_puzzles_have_no_solution() {
    let clash = format!("55{}", ".".repeat(79));
    assert_eq!(Solutions::new(clash.parse::<Grid>().unwrap()).next(), None);
    let mut emptied = Sukaku::FULL;
    emptied.set(Cell::new(7), DigitSet::from_bits(0));
    assert_eq!(Solutions::new(emptied).next(), None);
}

#[test]
fn bounds_end_a_list() {
    let bounded = |branches| {
        let bounds = Bounds::default().with_max_branches(branches);
        let mut list = Solutions::new(Grid::EMPTY).with_bounds(bounds);
        (list.by_ref().take(1000).count(), list.gave_up())
    };
    assert_eq!(bounded(10), (0, true));
    assert_eq!(bounded(u32::MAX), (1000, false));
    let stop = Arc::new(AtomicBool::new(false));
    let mut list =
        Solutions::new(Grid::EMPTY).with_bounds(Bounds::default().with_stop(Arc::clone(&stop)));
    assert_eq!(list.by_ref().take(100).count(), 100);
    stop.store(true, std::sync::atomic::Ordering::Relaxed);
    // The last board with few blanks is still walked.
    assert!(list.by_ref().count() < 100_000 && list.gave_up());
    assert_eq!(count(Grid::EMPTY, 100), Ok(100));
}
