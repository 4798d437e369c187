//! The sets of `data/` are what its README says, each puzzle by judges that had no part in it.

use super::judge;
use crate::support;
use crate::support::lists;
use ninefold::difficulty::Grade;
use ninefold::generate::Symmetry;
use ninefold::puzzle::{Cell, Grid, Sukaku, rules};
use std::collections::HashSet;

/// A set has `count` different puzzles, with `clues` clues; in a debug build, which is 30 times
/// slower, every tenth of them.
fn set(text: &str, count: usize, clues: std::ops::RangeInclusive<usize>) -> Vec<Grid> {
    let puzzles = support::list(text);
    assert_eq!(puzzles.iter().collect::<HashSet<_>>().len(), count);
    assert_eq!(puzzles.iter().map(Grid::clues).min(), Some(*clues.start()));
    assert_eq!(puzzles.iter().map(Grid::clues).max(), Some(*clues.end()));
    puzzles.into_iter().step_by(if cfg!(debug_assertions) { 10 } else { 1 }).collect()
}

#[test]
fn the_sets_are_what_they_are_said_to_be() {
    let mut engine = judge::engine();
    for puzzle in set(lists::EASY, 1000, 22..=30) {
        assert_eq!(judge::grade(&puzzle), Grade::NakedSingles, "{puzzle}");
        assert!(judge::is_unique(engine.as_mut(), &puzzle), "{puzzle}");
    }
    let steps = Symmetry::None.orbits();
    for puzzle in set(lists::MINIMAL, 1000, 21..=28) {
        assert!(judge::is_minimal(engine.as_mut(), &puzzle, &steps), "{puzzle}");
    }
    for puzzle in set(lists::MULTIPLE, 200, 19..=27) {
        assert_eq!(engine.solve(&puzzle, 2).count, 2, "{puzzle}");
    }
    for puzzle in set(lists::NONE, 200, 23..=29) {
        assert_eq!(engine.solve(&puzzle, 1).count, 0, "{puzzle}");
        assert!(rules::is_legal(&puzzle), "{puzzle}");
    }
}

/// The sets that only `bench` uses.
#[test]
fn the_sets_of_bench_are_what_they_are_said_to_be() {
    let mut engine = judge::engine();
    for puzzle in set(lists::SEVENTEEN, 100, 17..=17) {
        assert!(judge::is_unique(engine.as_mut(), &puzzle), "{puzzle}");
    }
    let lines = lists::SUKAKU.lines().filter(|line| !line.starts_with('#'));
    let sukakus: Vec<Sukaku> = lines.map(|line| line.parse().unwrap()).collect();
    assert_eq!(sukakus.iter().collect::<HashSet<_>>().len(), 200);
    for sukaku in sukakus.iter().step_by(if cfg!(debug_assertions) { 50 } else { 5 }) {
        let mut count = |sukaku: &Sukaku| {
            let mut answers = Vec::new();
            engine.solve_sukakus(std::slice::from_ref(sukaku), 2, &mut answers);
            answers[0].count
        };
        assert_eq!(count(sukaku), 1, "{sukaku}");
        for cell in Cell::all() {
            for digit in sukaku.get(cell).complement() {
                let mut more = *sukaku;
                let mut candidates = more.get(cell);
                candidates.insert(digit);
                more.set(cell, candidates);
                assert_eq!(count(&more), 2, "{digit} in {cell} of {sukaku}");
            }
        }
    }
}
