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
use crate::support::{assert_solves, handed_over};
use ninefold::engine::{Answer, Engine};
use ninefold::puzzle::Grid;

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

/// What `.ci/run` shows: a level that this CPU lacks is not tested here.
#[test]
fn the_levels_that_are_tested_are_named() {
    let levels: Vec<_> = crate::support::lanes().iter().map(|lanes| lanes.level.name()).collect();
    println!("levels of this CPU: {}", levels.join(", "));
    assert_eq!(levels[0], "portable");
}
