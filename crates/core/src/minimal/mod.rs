//! Redundant clues: clues that a puzzle does not need to have one solution. A puzzle without any is
//! minimal.
//!
//! ```text
//! puzzles, solutions ──> unavoidable sets: they prove most necessary clues without solving
//!                          │
//!                          └─ other clues: another digit in the cell ──> lanes, thousands at a time
//!                                            a solution: necessary; none: redundant
//! ```
//!
//! Each clue is tested alone: two redundant clues may need each other.
//!
//! A cell of a sukaku with fewer than nine candidates is a clue. Without it, the cell has all nine.
#![forbid(unsafe_code)]

mod inside;

pub use inside::Minimizer;

use crate::engine::{Answer, Bounds, Engine, EngineKind, Other, WorkerEngine};
use crate::puzzle::{AnyPuzzle, Cell, CellSet, DigitSet, IntoPuzzle, Puzzle, Solution, Sukaku};
use crate::questions::Questions;
use crate::simd::SimdLevel;
use crate::unavoidable;
use crate::verdict::Verdict;
use alloc::vec::Vec;
use core::slice;

/// Puzzles that are solved together: 100 for each of 32 lanes.
const BATCH: usize = 3200;

/// The clues of a puzzle that it does not need: without one of them, it still has one solution.
///
/// Each clue is tested alone: two redundant clues may need each other. A cell of a sukaku with fewer than
/// nine candidates is a clue.
///
/// ```
/// use ninefold_core::puzzle::Grid;
/// use ninefold_core::{is_unique, redundant_clues};
///
/// let puzzle: Grid =
///     "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79".parse()?;
/// for cell in redundant_clues(puzzle)? {
///     let mut without = puzzle;
///     without.set(cell, None);
///     assert!(is_unique(without)?);
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If the puzzle does not have exactly one solution.
pub fn redundant_clues(puzzle: impl IntoPuzzle) -> Result<CellSet, Verdict> {
    let puzzle = puzzle.into_puzzle()?;
    let engine = WorkerEngine::default().with_engine(EngineKind::Mrv);
    Minimality { engine, ..Minimality::new() }.one(&puzzle)
}

/// Whether a puzzle has no redundant clue.
///
/// ```
/// use ninefold_core::{Verdict, is_minimal};
///
/// let minimal = "7...5.8..8.........9.4...319.6.....5..2615....3.2......4..6.........738.......2.7";
/// assert_eq!(is_minimal(minimal), Ok(true));
/// assert_eq!(is_minimal(&minimal.replacen('.', "2", 1)), Ok(false));
/// assert!(matches!(is_minimal(&".".repeat(81)), Err(Verdict::Multiple { .. })));
/// ```
///
/// # Errors
/// If the puzzle does not have exactly one solution.
pub fn is_minimal(puzzle: impl IntoPuzzle) -> Result<bool, Verdict> {
    Ok(redundant_clues(puzzle)?.is_empty())
}

/// Finds redundant clues, and keeps the memory for it.
///
/// ```
/// use ninefold_core::minimal::Minimality;
/// use ninefold_core::puzzle::Grid;
///
/// let puzzle: Grid =
///     "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79".parse()?;
/// let mut minimality = Minimality::new();
/// let found = minimality.many(&[puzzle, Grid::EMPTY]);
/// assert!(!found[0]?.is_empty());
/// assert_eq!(found[1].unwrap_err().to_string(), "more than one solution");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Default)]
pub struct Minimality {
    engine: WorkerEngine,
    /// The askers are the place of the puzzle and the clue that has another digit.
    others: Questions<Other, (usize, Cell)>,
    sukakus: Questions<Sukaku, (usize, Cell)>,
    answers: Vec<Answer>,
    redundant: Vec<Redundant>,
    results: Vec<Result<CellSet, Verdict>>,
}

/// The redundant clues of a puzzle, as far as they are known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Redundant {
    /// Those that were found.
    pub clues: CellSet,
    /// Whether the engine gave up a clue, which may be redundant, too.
    pub gave_up: bool,
}

impl Minimality {
    /// One without memory.
    pub fn new() -> Self {
        Self::default()
    }

    /// Uses vectors of this level. The results are the same at every level.
    pub fn with_level(self, level: SimdLevel) -> Self {
        Self { engine: self.engine.with_level(level), ..self }
    }

    /// Gives up a puzzle at these bounds: [`Verdict::Unknown`].
    ///
    /// ```
    /// use ninefold_core::Verdict;
    /// use ninefold_core::engine::Bounds;
    /// use ninefold_core::minimal::Minimality;
    /// use ninefold_core::puzzle::Grid;
    ///
    /// let puzzle: Grid =
    ///     "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..".parse()?;
    /// let mut minimality = Minimality::new().with_bounds(Bounds::default().with_max_branches(3));
    /// assert!(matches!(minimality.one(&puzzle), Err(Verdict::Unknown { .. })));
    /// # Ok::<(), ninefold_core::puzzle::ParseError>(())
    /// ```
    pub fn with_bounds(self, bounds: Bounds) -> Self {
        Self { engine: self.engine.with_bounds(bounds), ..self }
    }

    /// The redundant clues of a puzzle.
    ///
    /// # Errors
    /// If the puzzle does not have exactly one solution.
    ///
    /// # Panics
    /// Never: each puzzle has one result.
    pub fn one<P: AnyPuzzle>(&mut self, puzzle: &P) -> Result<CellSet, Verdict> {
        self.many(slice::from_ref(puzzle))[0]
    }

    /// The redundant clues of each puzzle, or why it has none to be asked for.
    pub fn many<P: AnyPuzzle>(&mut self, puzzles: &[P]) -> &[Result<CellSet, Verdict>] {
        let mut engine = core::mem::take(&mut self.engine);
        let found = engine.of_unique(puzzles, |engine, unique, solutions| {
            let unique: Vec<Puzzle> = unique.iter().map(|&puzzle| puzzle.into()).collect();
            let found = self.many_unique(engine.get(), &unique, solutions);
            found.iter().map(|it| (!it.gave_up).then_some(it.clues)).collect()
        });
        (self.engine, self.results) = (engine, found);
        &self.results
    }

    /// The redundant clues of each puzzle, with an engine of the caller. `solutions` holds the only solution
    /// of each puzzle; this is not checked.
    ///
    /// # Panics
    /// If the numbers of solutions and puzzles differ, or the engine does not give one answer for
    /// each sukaku.
    pub fn many_unique(
        &mut self,
        engine: &mut dyn Engine,
        puzzles: &[Puzzle],
        solutions: &[Solution],
    ) -> &[Redundant] {
        assert_eq!(puzzles.len(), solutions.len(), "one solution for each puzzle");
        self.redundant.clear();
        self.redundant.resize(puzzles.len(), Redundant::default());
        for (index, (puzzle, solution)) in puzzles.iter().zip(solutions).enumerate() {
            match puzzle {
                Puzzle::Grid(grid) => {
                    let open = CellSet::of_clues(grid) & !unavoidable::necessary(grid, solution);
                    for cell in open.cells() {
                        let digit = solution.get(cell);
                        self.others.push(Other { grid: *grid, cell, digit }, (index, cell));
                    }
                }
                Puzzle::Sukaku(sukaku) => {
                    for cell in Cell::all().filter(|cell| sukaku.get(*cell) != DigitSet::FULL) {
                        let mut other = *sukaku;
                        other.set(cell, sukaku.get(cell).complement());
                        self.sukakus.push(other, (index, cell));
                    }
                }
            }
            if self.others.askers.len() + self.sukakus.askers.len() >= BATCH {
                self.answer(engine);
            }
        }
        self.answer(engine);
        &self.redundant
    }

    /// Answers the questions.
    fn answer(&mut self, engine: &mut dyn Engine) {
        self.answers.clear();
        engine.find_others(&self.others.questions, &mut self.answers);
        engine.solve_sukakus(&self.sukakus.questions, 1, &mut self.answers);
        let asked = self.others.askers.iter().chain(&self.sukakus.askers);
        assert_eq!(self.answers.len(), asked.clone().count(), "one answer for each question");
        for (&(index, clue), answer) in asked.zip(&self.answers) {
            let found = &mut self.redundant[index];
            if answer.count == 0 && answer.gave_up {
                found.gave_up = true;
            } else if answer.count == 0 {
                found.clues.insert(clue);
            }
        }
        self.others.clear();
        self.sukakus.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::{Bounds, EngineKind};
    use crate::puzzle::Grid;
    use crate::simd::SimdLevel;

    /// Questions about every clue of puzzles, with more clues in each second puzzle, so that some are
    /// redundant.
    fn questions() -> Vec<Other> {
        let lines = include_str!("../../tests/data/minimal.txt").lines().cycle().take(240);
        let of_puzzle = |(number, line): (usize, &str)| {
            let mut grid: Grid = line.parse().unwrap();
            let solution = crate::solve(grid).unwrap();
            for cell in Cell::all().skip(number % 7).step_by(9).filter(|_| number % 2 == 1) {
                grid.set(cell, Some(solution.get(cell)));
            }
            let other = move |cell| Other { grid, cell, digit: solution.get(cell) };
            CellSet::of_clues(&grid).cells().map(other).collect::<Vec<_>>()
        };
        lines.enumerate().flat_map(of_puzzle).collect()
    }

    fn forget(answers: &mut [Answer]) {
        for answer in answers {
            answer.first = None;
        }
    }

    #[test]
    fn every_level_and_engine_finds_the_same_others() {
        let questions = questions();
        let sukakus: Vec<_> = questions.iter().map(Other::sukaku).collect();
        let mut expected = Vec::new();
        EngineKind::Mrv.build().solve_sukakus(&sukakus, 1, &mut expected);
        forget(&mut expected);
        let necessary = expected.iter().filter(|answer| answer.count == 1).count();
        assert!(necessary > 1000 && expected.len() - necessary > 1000);
        for level in SimdLevel::available() {
            let mut engine = EngineKind::Lanes.build_bounded(level, Bounds::default());
            // Whole, and in pieces that leave lanes without questions.
            for most in [questions.len(), 1, 33, 700] {
                let mut answers = Vec::new();
                for questions in questions.chunks(most).take(200) {
                    engine.find_others(questions, &mut answers);
                }
                assert_eq!(answers, expected[..answers.len()], "{level}, {most}");
            }
            let bounds = Bounds::default().with_max_branches(1);
            let mut engine = EngineKind::Lanes.build_bounded(level, bounds);
            let (mut found, mut bounded) = (Vec::new(), Vec::new());
            engine.find_others(&questions, &mut found);
            engine.solve_sukakus(&sukakus, 1, &mut bounded);
            forget(&mut bounded);
            assert_eq!(found, bounded, "{level}");
            assert!(bounded.iter().any(|answer| answer.gave_up));
        }
    }
}
