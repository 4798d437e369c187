//! Which clues of a puzzle can be left out, each by itself, with its solution still the only one.
//! A puzzle is minimal if none can.
//!
//! ```text
//! puzzles, solutions ──> unavoidable sets: most clues of a minimal puzzle cannot go, seen without solving
//!                          │
//!                          └─ the others: another digit in its cell ──> lanes, thousands at a time
//!                                            a solution: it cannot go; none: it can
//! ```
//!
//! Of 49,158 puzzles with 17 clues, 835,686 questions, few have to be solved, and these in full
//! lanes.

mod unavoidable;

use crate::engine::{Answer, Engine};
use crate::puzzle::{Cell, CellSet, Grid, Solution, Sukaku};
use alloc::vec::Vec;

/// Puzzles solved together: 100 for each of 32 lanes.
const BATCH: usize = 3200;

/// Finds the clues that can go; keeps the memory for it.
#[derive(Debug, Default)]
pub struct Minimality {
    /// Which puzzle, and which of its clues has another digit in the sukaku of the same index.
    asked: Vec<(usize, Cell)>,
    others: Vec<Sukaku>,
    answers: Vec<Answer>,
}

impl Minimality {
    /// One with no memory yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Appends, for each puzzle, the clues of which any one can be left out. `solutions` has for
    /// each puzzle its only solution; whether it is one is not asked again.
    ///
    /// # Panics
    /// If there is not one solution for each puzzle, or the engine does not give one answer for
    /// each.
    pub fn superfluous(
        &mut self,
        engine: &mut dyn Engine,
        puzzles: &[Grid],
        solutions: &[Solution],
        found: &mut Vec<CellSet>,
    ) {
        assert_eq!(puzzles.len(), solutions.len(), "one solution for each puzzle");
        let start = found.len();
        found.resize(start + puzzles.len(), CellSet::EMPTY);
        let found = &mut found[start..];
        for (index, (puzzle, solution)) in puzzles.iter().zip(solutions).enumerate() {
            let open = CellSet::of_clues(puzzle) & !unavoidable::necessary(puzzle, solution);
            for cell in open.cells() {
                self.asked.push((index, cell));
                self.others.push(Sukaku::with_another(puzzle, cell, solution.get(cell)));
            }
            if self.others.len() >= BATCH {
                self.answer(engine, found);
            }
        }
        self.answer(engine, found);
    }

    /// Solves what has been asked.
    fn answer(&mut self, engine: &mut dyn Engine, found: &mut [CellSet]) {
        self.answers.clear();
        engine.solve_sukakus(&self.others, 1, &mut self.answers);
        assert_eq!(self.answers.len(), self.others.len(), "one answer for each puzzle");
        for (&(index, cell), answer) in self.asked.iter().zip(&self.answers) {
            if answer.count == 0 {
                found[index].insert(cell);
            }
        }
        self.asked.clear();
        self.others.clear();
    }
}
