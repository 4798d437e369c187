//! The steps of a puzzle, one at a time: the easiest technique that finds something.
//!
//! ```text
//!  board ──> 1.0, 1.2, 1.5 … 4.4 ──> 4.5 … 6.2 ──> 6.5 …      the first with a hint
//!    ^                                                │
//!    └──────────── one hint is used ──────────────────┘
//! ```
//!
//! The searches are those of a rating, which stop at their first hint here. The rating of the steps is
//! that of [`Rater`](super::Rater), which uses all hints up to 4.4 at once.

use super::board::{CellDigit, SolvingBoard, clues_of};
use super::chains::Chains;
use super::ordered::Ordered;
use super::pattern::Pattern;
use super::rater::ScoreRecord;
use super::score::{Rating, Technique};
use super::step::{Candidate, Step};
use super::tables::{BOXES, CELLS, COUNT, HOUSES};
use super::techniques::{DIRECT, Hint, NoStep, REMOVING, Scope, direct, remove};
use crate::Verdict;
use crate::engine::{Bounds, first_solutions};
use crate::puzzle::{Cell, DigitSet, Grid, IntoPuzzle, Puzzle, Sukaku};
use crate::verdict::unsolvable;
use core::ops::Range;

/// The steps that solve a puzzle, in the order of Sudoku Explainer: each uses the easiest technique
/// that finds something.
///
/// Of several hints with the same technique and score, the first in reading order of boxes, columns
/// and rows is used up to 4.4. There the choice changes no score. From 4.5 on, it is that of Explainer.
///
/// ```
/// use ninefold_core::difficulty::{Score, Steps};
///
/// let puzzle = "..143............2.596..8.3.9.3..6.1..3....9..8.7.....1.....7.........3.2...4...5";
/// let mut steps = Steps::new(puzzle)?;
/// let hardest = steps.by_ref().max_by_key(|step| step.score).unwrap();
/// assert_eq!(hardest.score, Score::Tenths(28));
/// let text = "Claiming: 6 in column 1 must be in box 4; remove 6 from r6c3";
/// assert_eq!(hardest.to_string(), text);
/// assert_eq!(*steps.grid(), *ninefold_core::solve(puzzle)?.grid());
/// # Ok::<(), ninefold_core::Verdict>(())
/// ```
#[derive(Debug)]
pub struct Steps {
    board: SolvingBoard,
    record: ScoreRecord,
    ordered: Ordered,
    chains: Chains,
    bounds: Bounds,
    grid: Grid,
    /// Why there is no next step; `None` if there is one, or if the grid is full.
    end: Option<NoStep>,
}

impl Default for Steps {
    /// No steps, before a puzzle is loaded with [`Steps::restart`].
    fn default() -> Self {
        let mut board = SolvingBoard::new();
        board.unfilled = 0;
        Self {
            board,
            record: ScoreRecord::NEW,
            ordered: Ordered::new(),
            chains: Chains::new(),
            bounds: Bounds::NONE,
            grid: Grid::EMPTY,
            end: None,
        }
    }
}

impl Steps {
    /// The steps of a grid, a sukaku, or its text.
    ///
    /// # Errors
    /// If the puzzle does not have exactly one solution.
    pub fn new(puzzle: impl IntoPuzzle) -> Result<Self, Verdict> {
        let mut steps = Self::default();
        steps.restart(puzzle)?;
        Ok(steps)
    }

    /// Ends soon after the flag of these bounds is set, before the grid is full.
    pub fn with_bounds(self, bounds: Bounds) -> Self {
        Self { bounds, ..self }
    }

    /// Begins with another puzzle, and keeps the memory.
    ///
    /// ```
    /// use ninefold_core::difficulty::Steps;
    ///
    /// let puzzle = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
    /// let mut steps = Steps::new(puzzle)?;
    /// let all: Vec<_> = steps.by_ref().collect();
    /// steps.restart(puzzle)?;
    /// assert!(steps.eq(all));
    /// # Ok::<(), ninefold_core::Verdict>(())
    /// ```
    ///
    /// # Errors
    /// If the puzzle does not have exactly one solution.
    pub fn restart(&mut self, puzzle: impl IntoPuzzle) -> Result<(), Verdict> {
        let puzzle = puzzle.into_puzzle()?;
        match first_solutions(&puzzle, 2).count {
            0 => return Err(unsolvable(&puzzle)),
            1 => {}
            _ => return Err(Verdict::Multiple { at_least: 2, exact: false }),
        }
        self.restart_unique(puzzle);
        Ok(())
    }

    /// As [`restart`](Self::restart), with a puzzle of which the caller knows that it has one solution. Those of
    /// another puzzle may be wrong, and end anywhere.
    pub fn restart_unique(&mut self, puzzle: impl Into<Puzzle>) {
        let puzzle = puzzle.into();
        self.board.load(&puzzle);
        (self.record, self.end) = (ScoreRecord::NEW, None);
        self.grid = clues_of(&puzzle);
    }

    /// The grid after the steps so far.
    pub const fn grid(&self) -> &Grid {
        &self.grid
    }

    /// The candidates after the steps so far: one in each cell that is filled.
    ///
    /// ```
    /// use ninefold_core::difficulty::{Steps, next_step};
    ///
    /// let puzzle = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
    /// let mut steps = Steps::new(puzzle)?;
    /// steps.next();
    /// assert_eq!(next_step(steps.sukaku())?, steps.next());
    /// # Ok::<(), ninefold_core::Verdict>(())
    /// ```
    pub fn sukaku(&self) -> Sukaku {
        let of_cell = |cell: Cell| {
            let open = DigitSet::from_bits(self.board.cells[cell.index()]);
            self.grid.get(cell).map_or(open, DigitSet::of)
        };
        Sukaku::new(core::array::from_fn(|index| of_cell(Cell::new(index))))
    }

    /// The rating of the steps so far. After the last one it is that of [`Rater`](super::Rater).
    ///
    /// ```
    /// use ninefold_core::difficulty::Steps;
    ///
    /// let puzzle = "..143............2.596..8.3.9.3..6.1..3....9..8.7.....1.....7.........3.2...4...5";
    /// let mut steps = Steps::new(puzzle)?;
    /// while steps.next().is_some() {}
    /// assert_eq!(steps.rating(), ninefold_core::rate(puzzle)?);
    /// # Ok::<(), ninefold_core::Verdict>(())
    /// ```
    pub fn rating(&self) -> Rating {
        match self.end {
            Some(NoStep::Beyond) => self.record.rating_beyond(),
            _ => self.record.rating(),
        }
    }

    /// Whether a bound ended the steps before the grid was full.
    pub fn is_stopped(&self) -> bool {
        self.end == Some(NoStep::Stopped)
    }

    /// Uses the first hint that places a digit without a removal on paper.
    fn placing(&mut self) -> Option<Step> {
        let ((tenths, technique, pattern), single) = first_single(&self.board)?;
        let mut step = Step::new(technique, tenths, pattern);
        self.place(single, &mut step, tenths);
        Some(step)
    }

    fn place(&mut self, single: CellDigit, step: &mut Step, tenths: u8) {
        self.board.place(single.cell(), single.digit());
        let placed = Candidate::of(single.cell, single.digit);
        self.grid.set(placed.cell, Some(placed.digit));
        step.placement = Some(placed);
        self.record.placing_step(tenths, step.technique);
    }

    /// Uses the first hint up to 6.2 that removes candidates.
    fn removing(&mut self) -> Option<Step> {
        let before = self.board.cells;
        let (tenths, technique, pattern) =
            first_removal(&mut self.board).or_else(|| self.ordered.first(&mut self.board))?;
        let mut step = Step::new(technique, tenths, pattern);
        step.set_eliminations(&before, &self.board.cells);
        self.record.step(tenths, technique);
        Some(step)
    }

    /// Uses the first hint of chains.
    fn chaining(&mut self) -> Option<Step> {
        let found = self.chains.find(&self.board, u8::MAX, &self.bounds);
        let hint = found.map_err(|end| self.end = Some(end)).ok()?;
        let (tenths, technique, placed) = (hint.tenths, hint.technique, hint.placed);
        let (cells, chains) = self.chains.trace(&self.board);
        let before = self.board.cells;
        self.board.remove_each(hint.removals);
        let mut step = Step::new(technique, tenths, Pattern::of(cells, 0));
        step.set_chains(chains);
        if let Some(placed) = placed {
            self.place(placed, &mut step, tenths);
        } else {
            step.set_eliminations(&before, &self.board.cells);
            self.record.step(tenths, technique);
        }
        Some(step)
    }
}

impl Iterator for Steps {
    type Item = Step;

    fn next(&mut self) -> Option<Step> {
        if self.board.unfilled == 0 || self.end.is_some() {
            return None;
        }
        if self.bounds.is_stopped() {
            self.end = Some(NoStep::Stopped);
            return None;
        }
        self.placing().or_else(|| self.removing()).or_else(|| self.chaining())
    }
}

/// The next step of a puzzle, or of a grid that is partly solved: a hint. `None` if the grid is full, or
/// if no technique helps.
///
/// A cell of a sukaku is filled if it has one candidate that no cell that it sees has.
///
/// ```
/// use ninefold_core::difficulty::{Technique, next_step};
///
/// let puzzle = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
/// let step = next_step(puzzle)?.unwrap();
/// assert_eq!(step.technique, Technique::HiddenSingleBox);
/// assert_eq!(step.to_string(), "Hidden Single Box: 8 in box 2 can only be in r1c6; place 8 in r1c6");
///
/// // One of the digits is wrong.
/// assert!(next_step(&puzzle.replacen('.', "1", 1)).is_err());
/// # Ok::<(), ninefold_core::Verdict>(())
/// ```
///
/// # Errors
/// If the puzzle does not have exactly one solution.
pub fn next_step(puzzle: impl IntoPuzzle) -> Result<Option<Step>, Verdict> {
    Ok(Steps::new(puzzle)?.next())
}

/// The first hint from 1.0 to 2.5, which all place a digit.
fn first_single(board: &SolvingBoard) -> Option<(Hint, CellDigit)> {
    if let Some(single) = board.last_cell() {
        let house = board.empty.iter().position(|&empty| empty == 1)?;
        return Some((of_single(10, Technique::LastCell, single, house), single));
    }
    for (tenths, technique, houses) in [
        (12, Technique::HiddenSingleBox, BOXES..HOUSES),
        (15, Technique::HiddenSingleLine, 0..BOXES),
    ] {
        if let Some((house, single)) = hidden_single(board, houses) {
            return Some((of_single(tenths, technique, single, house), single));
        }
    }
    DIRECT.into_iter().find_map(|(tenths, technique, _)| {
        let (single, pattern) = match technique {
            Technique::NakedSingle => naked_single(board)?,
            _ => direct(board, technique, &mut { Scope::ALL })?,
        };
        Some(((tenths, technique, pattern), single))
    })
}

fn of_single(tenths: u8, technique: Technique, single: CellDigit, house: usize) -> Hint {
    let pattern = Pattern::of(1 << single.cell, 1 << single.digit);
    (tenths, technique, Pattern { houses: 1 << house, ..pattern })
}

fn hidden_single(board: &SolvingBoard, mut houses: Range<usize>) -> Option<(usize, CellDigit)> {
    houses.find_map(|house| {
        let places = board.places_of_digits(house);
        let digit = places.iter().position(|places| places.is_power_of_two())?;
        let cell = CELLS[house][places[digit].trailing_zeros() as usize];
        Some((house, CellDigit::new(usize::from(cell), digit)))
    })
}

fn naked_single(board: &SolvingBoard) -> Option<(CellDigit, Pattern)> {
    let cell = board.cells.iter().position(|&it| COUNT[usize::from(it)] == 1)?;
    let candidate = board.cells[cell];
    let single = CellDigit::new(cell, candidate.trailing_zeros() as usize);
    Some((single, Pattern::of(1 << cell, candidate)))
}

/// Uses the first hint from 2.6 to 4.4.
fn first_removal(board: &mut SolvingBoard) -> Option<Hint> {
    let mut pattern = Pattern::NONE;
    let mut is_found = |technique| {
        remove(board, technique, Scope::ALL, |found| {
            pattern = found;
            true
        })
    };
    let (tenths, technique) = REMOVING.into_iter().find(|it| is_found(it.1))?;
    Some((tenths, technique, pattern))
}
