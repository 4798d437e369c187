//! The lanes engine at every level of this CPU: an answer is that of its puzzle alone, however
//! many lie beside it, whichever lanes search parts of its tree, and whatever came before.
//!
//! The lists and the random numbers are the same in every run; what fails names its seed.

mod agree;
mod batches;
mod divided;
mod pathological;
mod proofs;
mod visits;

use crate::support::lists::{EASY, EMPTIED, MINIMAL, MULTIPLE, NAMED, NONE};
use ninefold::engine::{Answer, Engine};
use ninefold::puzzle::{Grid, Solution, rules};
use std::ops::ControlFlow;

/// `count` in a release build; a tenth in a debug build, which is 10 to 30 times slower.
const fn in_release(count: usize) -> usize {
    if cfg!(debug_assertions) { count / 20 } else { count }
}

/// The answers to a batch.
fn solve_all(engine: &mut dyn Engine, puzzles: &[Grid], limit: usize) -> Vec<Answer> {
    let mut answers = Vec::new();
    engine.solve_batch(puzzles, limit, &mut answers);
    assert_eq!(answers.len(), puzzles.len());
    answers
}

/// The first solutions that an engine hands over, `most` at most.
fn handed_over(engine: &mut dyn Engine, puzzle: &Grid, most: usize) -> Vec<Solution> {
    let mut all = Vec::new();
    engine.each_solution(&puzzle.into(), &mut |solution| {
        all.push(*solution);
        if all.len() < most { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    });
    all
}

/// Judges a solution by the rules themselves and by the puzzle, whatever its type promises.
fn assert_solves(solution: &Solution, puzzle: &Grid, who: impl std::fmt::Display) {
    assert_eq!(rules::check_solved(solution.grid()), Ok(()), "{who} on {puzzle}");
    assert!(solution.keeps_clues_of(puzzle), "{who} on {puzzle}");
}

/// What `.ci/run` shows: a level that this CPU lacks is not tested here.
#[test]
fn the_levels_that_are_tested_are_named() {
    let levels: Vec<_> = crate::support::lanes().iter().map(|lanes| lanes.level.name()).collect();
    println!("levels of this CPU: {}", levels.join(", "));
    assert_eq!(levels[0], "portable");
}
