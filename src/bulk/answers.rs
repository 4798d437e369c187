//! The answers to the puzzles of a chunk.

use super::SlowPlace;
use crate::engine::{Answer, Engine};
use crate::input::Puzzles;
use crate::puzzle::Grid;

/// Replaces the answers by those to all puzzles of a chunk: first of the grids, then of the sukakus.
/// With a limit of 2, the solution is given only if there is no other. Returns the line that took
/// longest.
///
/// # Panics
/// If the engine does not give one answer for each puzzle.
pub(crate) fn answer_all(
    engine: &mut dyn Engine,
    puzzles: &Puzzles,
    limit: usize,
    answers: &mut Vec<Answer>,
) -> Option<SlowPlace> {
    let (grids, sukakus) = (puzzles.grids(), puzzles.sukakus());
    answers.clear();
    answers.reserve(puzzles.count());
    answer_grids(engine, grids, limit, answers);
    let of_grids = (0, engine.slowest());
    engine.solve_sukakus(sukakus, limit, answers);
    assert_eq!(answers.len(), puzzles.count(), "one answer for each puzzle");
    SlowPlace::find(puzzles, [of_grids, (grids.len(), engine.slowest())])
}

/// Appends one answer for each grid. With a limit of 2, the solution is given only if there is no
/// other: engines prove that sooner than they find the first of several.
pub(crate) fn answer_grids(
    engine: &mut dyn Engine,
    grids: &[Grid],
    limit: usize,
    answers: &mut Vec<Answer>,
) {
    match limit {
        2 => engine.prove_batch(grids, answers),
        _ => engine.solve_batch(grids, limit, answers),
    }
}
