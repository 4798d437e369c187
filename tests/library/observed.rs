//! A search that is looked at finds what it finds otherwise, and can be ended at each branch.

use crate::support::lists::{CASES, EASY};
use crate::support::{Random, contenders};
use ninefold::engine::{Answer, Engine};
use ninefold::puzzle::{Grid, Solution};
use std::ops::ControlFlow;

/// The solutions up to a limit, and the branches; ended after `most` branches.
fn observe(
    engine: &mut dyn Engine,
    puzzle: &Grid,
    limit: usize,
    most: usize,
) -> (Vec<Solution>, usize) {
    let (mut found, mut branches) = (Vec::new(), 0);
    let mut visit = |solution: &Solution| {
        found.push(*solution);
        if found.len() < limit { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    };
    let mut branch = || {
        branches += 1;
        if branches < most { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    };
    engine.search(&puzzle.into(), &mut visit, &mut branch);
    (found, branches)
}

#[test]
fn a_search_that_is_looked_at_finds_the_same() {
    for who in contenders() {
        let mut engine = who.build();
        for case in crate::support::cases(CASES) {
            for limit in if who.is_plain() { 2..=2 } else { 1..=2 } {
                let Answer { count, first, .. } = engine.solve(&case.puzzle, limit);
                let (found, _) = observe(engine.as_mut(), &case.puzzle, limit, usize::MAX);
                assert_eq!(found.len(), count, "{who} on {}", case.puzzle);
                assert_eq!(found.first(), first.as_ref(), "{who} on {}", case.puzzle);
            }
        }
    }
}

/// A puzzle that naked singles solve needs no branch where singles are looked for, and the first blank
/// of a plain walk is seldom one.
#[test]
fn naked_singles_are_no_branches() {
    let puzzles = crate::support::list(EASY);
    for who in contenders() {
        let mut engine = who.build();
        let searched = puzzles.iter().take(5).filter(|puzzle| {
            let (found, branches) = observe(engine.as_mut(), puzzle, 2, usize::MAX);
            assert_eq!(found.len(), 1, "{who} on {puzzle}");
            branches > 0
        });
        let expected = if who.is_plain() { 5 } else { 0 };
        assert_eq!(searched.count(), expected, "{who}");
    }
}

/// Two candidates in each of two cells that see each other, and nothing else to choose: one board
/// at which there are two ways. An empty grid has one at each of many.
#[test]
fn branches_are_boards_with_more_than_one_way() {
    let two = crate::support::grid(crate::support::TWO);
    for who in contenders() {
        let mut engine = who.build();
        let (found, branches) = observe(engine.as_mut(), &two, usize::MAX, usize::MAX);
        assert_eq!((found.len(), branches), (2, 1), "{who}");
        let (_, branches) = observe(engine.as_mut(), &Grid::EMPTY, 1, usize::MAX);
        // The last cells follow from the others; who takes the first blank must go back, too.
        assert!(branches >= 9 && (who.is_plain() || branches <= 72), "{who}: {branches}");
    }
}

#[test]
fn a_search_ended_at_a_branch_stops_there_and_leaves_nothing_behind() {
    for who in contenders() {
        let (mut engine, mut random) = (who.build(), Random(1));
        for case in crate::support::cases(CASES) {
            let most = 1 + random.below(5);
            let (found, branches) = observe(engine.as_mut(), &Grid::EMPTY, usize::MAX, most);
            assert_eq!((found.len(), branches), (0, most), "{who}");
            let expected = who.build().solve(&case.puzzle, 2);
            assert_eq!(engine.solve(&case.puzzle, 2), expected, "{who} on {}", case.puzzle);
            let (again, _) = observe(engine.as_mut(), &case.puzzle, 2, usize::MAX);
            assert_eq!(again.len(), expected.count, "{who} on {}", case.puzzle);
        }
    }
}
