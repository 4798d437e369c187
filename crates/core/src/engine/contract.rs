//! The trait of all engines, with its callbacks and its result.
#![forbid(unsafe_code)]

use crate::puzzle::{Cell, Digit, Grid, Puzzle, Solution, Sukaku};
use alloc::vec::Vec;
use core::ops::ControlFlow;
use core::slice;
use core::time::Duration;

/// The result of solving one puzzle.
///
/// ```
/// use ninefold_core::engine::EngineKind;
/// use ninefold_core::puzzle::Grid;
///
/// let answer = EngineKind::Mrv.build().solve(&Grid::EMPTY, 5);
/// assert_eq!(answer.count, 5);
/// assert!(answer.first.is_some());
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Answer {
    /// The number of solutions, counted up to the limit of the search.
    pub count: usize,
    /// The first solution in the order of the engine.
    pub first: Option<Solution>,
    /// Whether a bound ended the search ([`Bounds`](super::Bounds)). The puzzle has the solutions that
    /// were counted, and it may have more.
    pub gave_up: bool,
}

/// The search of a batch that took longest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Slowest {
    /// The place of the puzzle in the batch.
    pub index: usize,
    /// The time from its 256th branch to its end. Its neighbours in other lanes were searched at the
    /// same time.
    pub time: Duration,
}

/// A question to [`Engine::find_others`]: has the grid a solution with another digit in this cell?
///
/// Asked of a puzzle's clue, it is whether the clue is necessary.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Other {
    /// The grid. It may have a clue in the cell, which does not count.
    pub grid: Grid,
    /// The cell.
    pub cell: Cell,
    /// The digit that the cell does not hold.
    pub digit: Digit,
}

impl Other {
    /// The question as a sukaku: all candidates in the cell except the digit.
    pub fn sukaku(&self) -> Sukaku {
        Sukaku::with_another(&self.grid, self.cell, self.digit)
    }
}

/// A callback that receives each solution. `ControlFlow::Break` ends the search.
///
/// ```
/// use ninefold_core::engine::EngineKind;
/// use ninefold_core::puzzle::Grid;
/// use std::ops::ControlFlow;
///
/// // The first three solutions of the empty grid.
/// let mut found = Vec::new();
/// EngineKind::Mrv.build().each_solution(&Grid::EMPTY.into(), &mut |solution| {
///     found.push(*solution);
///     if found.len() < 3 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
/// });
/// assert_eq!(found.len(), 3);
/// ```
pub type Visit<'a> = dyn FnMut(&Solution) -> ControlFlow<()> + 'a;

/// A callback at each board where a search has two or more choices. `ControlFlow::Break` ends the
/// search.
///
/// ```
/// use ninefold_core::engine::EngineKind;
/// use ninefold_core::puzzle::Grid;
/// use std::ops::ControlFlow;
///
/// let mut branches = 0;
/// EngineKind::Mrv.build().search(
///     &Grid::EMPTY.into(),
///     &mut |_| ControlFlow::Break(()),
///     &mut || {
///         branches += 1;
///         ControlFlow::Continue(())
///     },
/// );
/// assert!(branches > 0);
/// ```
pub type Branch<'a> = dyn FnMut() -> ControlFlow<()> + 'a;

/// A solver with its scratch memory. Each worker thread owns one.
///
/// Every implementation keeps the contract of the [module](crate::engine#the-contract).
///
/// ```
/// use ninefold_core::engine::{Engine, EngineKind};
/// use ninefold_core::puzzle::Grid;
///
/// let mut engine: Box<dyn Engine> = EngineKind::default().build();
/// let puzzle: Grid =
///     "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79".parse()?;
/// let mut answers = Vec::new();
/// engine.solve_batch(&[puzzle, Grid::EMPTY], 2, &mut answers);
/// assert_eq!((answers[0].count, answers[1].count), (1, 2));
/// # Ok::<(), ninefold_core::puzzle::ParseError>(())
/// ```
pub trait Engine: Send {
    /// Passes each solution of a puzzle to `visit`, and calls `branch` at each board where the search has two
    /// or more choices, until there are no more solutions or one of them breaks. The branches depend only on
    /// the puzzle and on where `visit` breaks.
    fn search(&mut self, puzzle: &Puzzle, visit: &mut Visit, branch: &mut Branch);

    /// Passes each solution of a puzzle to `visit`, until there are no more or `visit` breaks.
    fn each_solution(&mut self, puzzle: &Puzzle, visit: &mut Visit) {
        self.search(puzzle, visit, &mut || ControlFlow::Continue(()));
    }

    /// Appends one answer for each grid. The search of a grid ends after `limit` solutions: 1
    /// solves, 2 proves uniqueness, `n` counts.
    fn solve_batch(&mut self, grids: &[Grid], limit: usize, answers: &mut Vec<Answer>) {
        let puzzles = grids.iter().map(Puzzle::from);
        answers.extend(puzzles.map(|it| count(limit, |visit| self.each_solution(&it, visit))));
    }

    /// Appends for each grid whether it has no solution, one or several: a count of 0, 1 or 2. The
    /// solution is given only if there is no other.
    ///
    /// This may be faster than [`Engine::solve_batch`] with a limit of 2, which must find a certain
    /// solution of several. By default it calls that.
    ///
    /// ```
    /// use ninefold_core::engine::EngineKind;
    /// use ninefold_core::puzzle::Grid;
    ///
    /// let mut answers = Vec::new();
    /// EngineKind::default().build().prove_batch(&[Grid::EMPTY], &mut answers);
    /// assert_eq!((answers[0].count, answers[0].first), (2, None));
    /// ```
    fn prove_batch(&mut self, grids: &[Grid], answers: &mut Vec<Answer>) {
        let start = answers.len();
        self.solve_batch(grids, 2, answers);
        keep_only_solutions(&mut answers[start..]);
    }

    /// Appends one answer for each sukaku, as [`Engine::solve_batch`] does for grids.
    fn solve_sukakus(&mut self, sukakus: &[Sukaku], limit: usize, answers: &mut Vec<Answer>) {
        let puzzles = sukakus.iter().map(Puzzle::from);
        answers.extend(puzzles.map(|it| count(limit, |visit| self.each_solution(&it, visit))));
    }

    /// Appends for each grid whether it has a solution with another digit in a cell: a count of 0 or 1. The
    /// solution is not given.
    ///
    /// This may be faster than [`Engine::solve_sukakus`], which must find a certain solution of several. By
    /// default it calls that.
    ///
    /// ```
    /// use ninefold_core::engine::{EngineKind, Other};
    /// use ninefold_core::puzzle::{Cell, Digit, Grid};
    ///
    /// let other = Other { grid: Grid::EMPTY, cell: Cell::new(40), digit: Digit::ALL[6] };
    /// let mut answers = Vec::new();
    /// EngineKind::default().build().find_others(&[other], &mut answers);
    /// assert_eq!((answers[0].count, answers[0].first), (1, None));
    /// ```
    fn find_others(&mut self, others: &[Other], answers: &mut Vec<Answer>) {
        let sukakus: Vec<_> = others.iter().map(Other::sukaku).collect();
        let start = answers.len();
        self.solve_sukakus(&sukakus, 1, answers);
        forget_solutions(&mut answers[start..]);
    }

    /// The answer to one grid, as [`Engine::solve_batch`] gives it.
    ///
    /// # Panics
    /// If `solve_batch` appends no answer.
    fn solve(&mut self, grid: &Grid, limit: usize) -> Answer {
        let mut answers = Vec::with_capacity(1);
        self.solve_batch(slice::from_ref(grid), limit, &mut answers);
        answers.pop().expect("one puzzle, one answer")
    }

    /// The branches of a puzzle after which [`Engine::solve_batch`] and [`Engine::solve_sukakus`] give
    /// it up. `None` if they never do, which is the default.
    fn max_branches(&self) -> Option<u32> {
        None
    }

    /// The longest search of the last [`Engine::solve_batch`] or [`Engine::solve_sukakus`]. `None` if the
    /// engine has no clock, or if all searches were short.
    #[doc(hidden)]
    fn slowest(&self) -> Option<Slowest> {
        None
    }
}

/// Removes the first of several solutions.
pub(super) fn keep_only_solutions(answers: &mut [Answer]) {
    for answer in answers {
        if answer.count > 1 {
            answer.first = None;
        }
    }
}

/// Removes all solutions.
pub(super) fn forget_solutions(answers: &mut [Answer]) {
    for answer in answers {
        answer.first = None;
    }
}

/// Counts the solutions that `search` visits, and breaks at the limit.
pub(super) fn count(limit: usize, search: impl FnOnce(&mut Visit)) -> Answer {
    let mut answer = Answer::default();
    if limit > 0 {
        search(&mut |solution| {
            answer.first.get_or_insert(*solution);
            answer.count += 1;
            if answer.count < limit { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
    }
    answer
}
