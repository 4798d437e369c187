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

use crate::engine::{Answer, Engine};
use crate::puzzle::{Cell, CellSet, DigitSet, Puzzle, Solution, Sukaku};
use crate::unavoidable;
use alloc::vec::Vec;

/// Puzzles that are solved together: 100 for each of 32 lanes.
const BATCH: usize = 3200;

/// Finds redundant clues, and keeps the memory for it.
///
/// ```
/// use ninefold_core::engine::EngineKind;
/// use ninefold_core::minimal::Minimality;
/// use ninefold_core::puzzle::{Cell, Grid, Puzzle};
///
/// let puzzle: Grid =
///     "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79".parse()?;
/// let solution = ninefold_core::solve(&puzzle)?;
/// let (mut engine, mut found) = (EngineKind::default().build(), Vec::new());
/// Minimality::new().redundant(engine.as_mut(), &[Puzzle::Grid(puzzle)], &[solution], &mut found);
///
/// for cell in found[0].cells() {
///     let mut without = puzzle;
///     without.set(cell, None);
///     assert!(ninefold_core::is_unique(&without)?);
/// }
/// assert!(!found[0].is_empty());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Default)]
pub struct Minimality {
    /// For each sukaku: its puzzle, and the clue that has another digit.
    asked: Vec<(usize, Cell)>,
    others: Vec<Sukaku>,
    answers: Vec<Answer>,
    /// The puzzles of the last call with a clue that is neither redundant nor necessary for all that is
    /// known.
    undecided: Vec<usize>,
}

impl Minimality {
    /// A new one, without memory.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Appends the redundant clues of each puzzle. `solutions` holds the only solution of each
    /// puzzle; this is not checked.
    ///
    /// # Panics
    /// If the numbers of solutions and puzzles differ, or the engine does not give one answer for
    /// each sukaku.
    pub fn redundant(
        &mut self,
        engine: &mut dyn Engine,
        puzzles: &[Puzzle],
        solutions: &[Solution],
        found: &mut Vec<CellSet>,
    ) {
        assert_eq!(puzzles.len(), solutions.len(), "one solution for each puzzle");
        let start = found.len();
        found.resize(start + puzzles.len(), CellSet::EMPTY);
        let found = &mut found[start..];
        self.undecided.clear();
        for (index, (puzzle, solution)) in puzzles.iter().zip(solutions).enumerate() {
            let (sukaku, open) = match puzzle {
                Puzzle::Grid(grid) => {
                    let open = CellSet::of_clues(grid) & !unavoidable::necessary(grid, solution);
                    (Sukaku::from(grid), open)
                }
                Puzzle::Sukaku(sukaku) => {
                    let is_clue = |cell: &Cell| sukaku.get(*cell) != DigitSet::FULL;
                    (*sukaku, Cell::all().filter(is_clue).collect())
                }
            };
            for cell in open.cells() {
                let mut other = sukaku;
                other.set(cell, sukaku.get(cell).complement());
                self.asked.push((index, cell));
                self.others.push(other);
            }
            if self.others.len() >= BATCH {
                self.answer(engine, found);
            }
        }
        self.answer(engine, found);
    }

    /// The puzzles of the last [`Minimality::redundant`], by their places, of which the engine gave up a
    /// clue: it is not known whether that clue is redundant. Such a clue is not among those found.
    ///
    /// ```
    /// use ninefold_core::engine::lanes::SimdLevel;
    /// use ninefold_core::engine::{Bounds, EngineKind};
    /// use ninefold_core::minimal::Minimality;
    /// use ninefold_core::puzzle::{Grid, Puzzle};
    ///
    /// let puzzle: Grid =
    ///     "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..".parse()?;
    /// let solution = ninefold_core::solve(&puzzle)?;
    /// let bounds = Bounds::default().with_max_branches(3);
    /// let mut engine = EngineKind::Lanes.build_bounded(SimdLevel::best(), bounds);
    /// let (mut minimality, mut found) = (Minimality::new(), Vec::new());
    /// minimality.redundant(engine.as_mut(), &[Puzzle::Grid(puzzle)], &[solution], &mut found);
    /// assert_eq!(minimality.undecided(), [0]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn undecided(&self) -> &[usize] {
        &self.undecided
    }

    /// Solves the sukakus.
    fn answer(&mut self, engine: &mut dyn Engine, found: &mut [CellSet]) {
        self.answers.clear();
        engine.solve_sukakus(&self.others, 1, &mut self.answers);
        assert_eq!(self.answers.len(), self.others.len(), "one answer for each puzzle");
        for (&(index, cell), answer) in self.asked.iter().zip(&self.answers) {
            if answer.count > 0 {
                continue;
            }
            if !answer.gave_up {
                found[index].insert(cell);
            } else if self.undecided.last() != Some(&index) {
                self.undecided.push(index);
            }
        }
        self.asked.clear();
        self.others.clear();
    }
}
