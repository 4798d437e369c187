//! Lone candidates: those of a puzzle that are in exactly one of its solutions. Each makes it unique.
//!
//! ```text
//! puzzles ─> census: candidates in several solutions, or in none ─> a question for each of the others:
//!                                                                   how many solutions have it?
//! ```
//!
//! A puzzle with 16 clues has 170,000 solutions on average. The census (`engine::lanes::census`) settles nearly all
//! of its 330 candidates with a few dozen of them. Many puzzles are searched side by side, so
//! that the lanes of the engine are filled.

use super::{NeighborOutput, each, with};
use crate::engine::lanes::census::{Census, take_census};
use crate::engine::places::{NO_PLACES, Places, both, candidates};
use crate::engine::{Answer, Engine};
use crate::puzzle::{Cell, Digit, DigitSet, Grid, Solution, Sukaku};
use crate::questions::Questions;
use crate::simd::SimdLevel;
use alloc::vec::Vec;

/// Puzzles that are searched side by side.
const BATCH: usize = 1024;

/// Questions that are asked at a time.
const QUESTIONS: usize = 4096;

/// A puzzle that waits for its last clue.
#[derive(Clone, Copy, Debug)]
struct LoneJob {
    puzzle: Grid,
    /// The place of the puzzle whose neighbors are searched.
    source: usize,
    has_lone: bool,
    gave_up: bool,
}

/// Finds lone candidates; keeps the memory for it.
#[derive(Debug, Default)]
pub(super) struct Lone {
    jobs: Vec<LoneJob>,
    /// Of each puzzle.
    census: Vec<Census>,
    /// The askers are the place of the puzzle and the candidate.
    questions: Questions<Sukaku, (usize, Cell, Digit)>,
    answers: Vec<Answer>,
    /// The puzzle, the lone candidate, and the solution.
    found: Vec<(usize, Cell, Digit, Solution)>,
}

impl Lone {
    /// Adds a puzzle with the candidates that are asked for. Returns whether there should be no more before
    /// [`Lone::run`].
    pub(super) fn push(&mut self, source: usize, puzzle: &Grid, allowed: &Places) -> bool {
        let Some(left) = candidates(puzzle) else { return false };
        let open = both(&left, allowed);
        if open == NO_PLACES {
            return false;
        }
        let census = Census { root: cells_of(&left), open: cells_of(&open), has_several: false };
        self.census.push(census);
        self.jobs.push(LoneJob { puzzle: *puzzle, source, has_lone: false, gave_up: false });
        self.jobs.len() >= BATCH
    }

    /// Finds the lone candidates of all puzzles. `needed`: candidates of puzzles with one solution are left
    /// out.
    pub(super) fn run(
        &mut self,
        engine: &mut dyn Engine,
        level: SimdLevel,
        needed: bool,
        output: &mut NeighborOutput<'_>,
    ) {
        // Its guesses would not be counted.
        if engine.max_branches().is_none() {
            take_census(level, &mut self.census);
        }
        for place in 0..self.census.len() {
            let Census { root, open, .. } = self.census[place];
            let root = Sukaku::new(root.map(DigitSet::from_bits));
            for (cell, open) in Cell::all().zip(open) {
                for digit in DigitSet::from_bits(open) {
                    let mut with = root;
                    with.set(cell, DigitSet::of(digit));
                    self.questions.push(with, (place, cell, digit));
                }
            }
            if self.questions.askers.len() >= QUESTIONS {
                self.ask(engine);
            }
        }
        self.ask(engine);
        for (job, census) in self.jobs.iter_mut().zip(&self.census) {
            if needed && job.has_lone && !census.has_several {
                let answer = engine.solve(&job.puzzle, 2);
                job.gave_up |= answer.gave_up;
                job.has_lone = answer.count == 2;
            }
            if job.gave_up {
                output.given_up[job.source] += 1;
            }
        }
        for (place, cell, digit, solution) in self.found.drain(..) {
            let job = &self.jobs[place];
            if job.has_lone {
                (output.found)(job.source, &with(&job.puzzle, cell, digit), &solution);
            }
        }
        self.jobs.clear();
        self.census.clear();
    }

    /// Asks for the candidates that the census left open.
    fn ask(&mut self, engine: &mut dyn Engine) {
        let Self { jobs, census, questions, answers, found } = self;
        answers.clear();
        engine.solve_sukakus(&questions.questions, 2, answers);
        for (&(place, cell, digit), answer) in questions.askers.iter().zip(&*answers) {
            let job = &mut jobs[place];
            job.gave_up |= answer.gave_up;
            census[place].has_several |= answer.count > 1;
            if let (1, false, Some(solution)) = (answer.count, answer.gave_up, answer.first) {
                found.push((place, cell, digit, solution));
                job.has_lone = true;
            }
        }
        questions.clear();
    }
}

/// The candidates of each cell, a bit each.
fn cells_of(places: &Places) -> [u16; Cell::COUNT] {
    let mut cells = [0; Cell::COUNT];
    each(places).for_each(|(cell, digit)| cells[cell.index()] |= 1 << (digit.value() - 1));
    cells
}
