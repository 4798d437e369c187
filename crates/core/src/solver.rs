//! The front door: solve, count and prove unique, one puzzle or many.
#![forbid(unsafe_code)]

use crate::engine::{Answer, Bounds, EngineKind, Solutions, WorkerEngine, first_solutions};
use crate::puzzle::{AnyPuzzle, IntoPuzzle, ParseError, Puzzle, Solution};
use crate::simd::SimdLevel;
use crate::verdict::{Verdict, unsolvable};
use alloc::vec::Vec;
use core::{fmt, slice};

/// Solves a puzzle: a line of 81 cells, 729 pencilmarks, a [`Grid`](crate::puzzle::Grid) or a
/// [`Sukaku`](crate::puzzle::Sukaku).
///
/// If the puzzle has several solutions, this returns the first in the order of the engine `mrv`,
/// which is always the same. [`is_unique`] proves that there is no other.
///
/// ```
/// use ninefold_core::{Verdict, solve};
///
/// let line = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
/// let solution = solve(line)?;
/// assert!(solution.to_string().starts_with("534678912"));
/// assert!(matches!(solve("53"), Err(Verdict::Malformed(_))));
/// assert!(matches!(solve(&line.replace('7', "5")), Err(Verdict::Conflict(_))));
/// # Ok::<(), Verdict>(())
/// ```
///
/// # Errors
/// [`Verdict::Malformed`], [`Verdict::Conflict`] or [`Verdict::None`].
pub fn solve(puzzle: impl IntoPuzzle) -> Result<Solution, Verdict> {
    let puzzle = puzzle.into_puzzle()?;
    first_solutions(&puzzle, 1).first.ok_or_else(|| unsolvable(&puzzle))
}

/// Counts the solutions of a puzzle up to a limit. A puzzle with conflicting clues has none.
///
/// ```
/// use ninefold_core::count;
/// use ninefold_core::puzzle::Grid;
///
/// assert_eq!(count(&Grid::EMPTY, 1000)?, 1000);
/// assert_eq!(count(&"55.......".repeat(9), 2)?, 0);
/// # Ok::<(), ninefold_core::puzzle::ParseError>(())
/// ```
///
/// # Errors
/// If the text is malformed.
pub fn count(puzzle: impl IntoPuzzle, limit: usize) -> Result<usize, ParseError> {
    Ok(first_solutions(&puzzle.into_puzzle()?, limit).count)
}

/// Whether a puzzle has exactly one solution.
///
/// ```
/// use ninefold_core::is_unique;
///
/// let line = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
/// assert!(is_unique(line)?);
/// assert!(!is_unique(&".".repeat(81))?);
/// # Ok::<(), ninefold_core::puzzle::ParseError>(())
/// ```
///
/// # Errors
/// If the text is malformed.
pub fn is_unique(puzzle: impl IntoPuzzle) -> Result<bool, ParseError> {
    Ok(count(puzzle, 2)? == 1)
}

/// The solutions of a puzzle in lexicographic order: an iterator in constant memory, which may be dropped
/// at any time. A puzzle with conflicting clues has none.
///
/// ```
/// let mut solutions = ninefold_core::solutions(&".".repeat(81))?;
/// assert!(solutions.next().unwrap().to_string().starts_with("123456789456789123789123456"));
/// assert_eq!(solutions.take(1000).count(), 1000);
/// # Ok::<(), ninefold_core::puzzle::ParseError>(())
/// ```
///
/// # Errors
/// If the text is malformed.
pub fn solutions(puzzle: impl IntoPuzzle) -> Result<Solutions, ParseError> {
    Ok(Solutions::new(puzzle.into_puzzle()?))
}

/// The outcome of a puzzle: one solution, several, none, conflicting clues, or no puzzle.
///
/// ```
/// use ninefold_core::{Verdict, verdict};
///
/// let line = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
/// assert!(matches!(verdict(line), Verdict::Unique(_)));
/// assert!(matches!(verdict(&".".repeat(81)), Verdict::Multiple { .. }));
/// assert_eq!(verdict("53").to_string(), "expected 81 cells, found 2");
/// ```
pub fn verdict(puzzle: impl IntoPuzzle) -> Verdict {
    match puzzle.into_puzzle() {
        Ok(puzzle) => verdict_of(&puzzle),
        Err(error) => Verdict::Malformed(error),
    }
}

pub(crate) fn verdict_of(puzzle: &Puzzle) -> Verdict {
    first_solutions(puzzle, 2).verdict(puzzle, 2, None).copied()
}

/// Solves many puzzles, and keeps the memory for it.
///
/// By default it uses the engine `lanes` with the widest vectors of this CPU, and proves uniqueness:
/// the limit is 2. It allocates memory for the first puzzles, and afterwards only for a batch that is
/// larger than all before. The answer to a puzzle does not depend on the other puzzles.
///
/// ```
/// use ninefold_core::Solver;
/// use ninefold_core::puzzle::Grid;
///
/// let puzzle: Grid =
///     "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79".parse()?;
/// let mut solver = Solver::new();
/// assert_eq!(solver.one(&puzzle).count, 1);
/// let counts: Vec<_> =
///     solver.many(&[puzzle, Grid::EMPTY]).iter().map(|answer| answer.count).collect();
/// assert_eq!(counts, [1, 2]);
/// # Ok::<(), ninefold_core::puzzle::ParseError>(())
/// ```
#[must_use]
pub struct Solver {
    engine: WorkerEngine,
    limit: usize,
    answers: Vec<Answer>,
}

impl Solver {
    /// A solver that proves uniqueness with the fastest engine of this CPU.
    pub fn new() -> Self {
        Self { engine: WorkerEngine::default(), limit: 2, answers: Vec::new() }
    }

    /// Ends the search of a puzzle after this number of solutions: 1 solves, 2 proves uniqueness,
    /// `n` counts.
    ///
    /// ```
    /// use ninefold_core::{Solver, puzzle::Grid};
    ///
    /// assert_eq!(Solver::new().with_limit(100).one(&Grid::EMPTY).count, 100);
    /// ```
    pub fn with_limit(self, limit: usize) -> Self {
        Self { limit, ..self }
    }

    /// Uses this engine. It decides which of several solutions is the first.
    ///
    /// ```
    /// use ninefold_core::{Solver, engine::EngineKind, puzzle::Grid};
    ///
    /// let mut solver = Solver::new().with_engine(EngineKind::Mrv);
    /// let first = solver.one(&Grid::EMPTY).first;
    /// assert_eq!(first, ninefold_core::solve(&Grid::EMPTY).ok());
    /// ```
    pub fn with_engine(self, kind: EngineKind) -> Self {
        Self { engine: self.engine.with_engine(kind), ..self }
    }

    /// Uses vectors of this level. The answers are the same at every level.
    ///
    /// ```
    /// use ninefold_core::engine::lanes::SimdLevel;
    /// use ninefold_core::{Solver, puzzle::Grid};
    ///
    /// let mut portable = Solver::new().with_level(SimdLevel::Portable);
    /// assert_eq!(portable.one(&Grid::EMPTY), Solver::new().one(&Grid::EMPTY));
    /// ```
    pub fn with_level(self, level: SimdLevel) -> Self {
        Self { engine: self.engine.with_level(level), ..self }
    }

    /// Gives up a puzzle that takes too many branches, or all puzzles soon after a flag is set by another
    /// thread or by a signal. Their answers say so.
    ///
    /// The same puzzle is given up whatever the level and the other puzzles. Each engine counts its own
    /// branches.
    ///
    /// ```
    /// use ninefold_core::engine::Bounds;
    /// use ninefold_core::{Solver, puzzle::Grid};
    /// use std::sync::Arc;
    /// use std::sync::atomic::{AtomicBool, Ordering};
    /// use std::thread;
    /// use std::time::Duration;
    ///
    /// let easy: Grid =
    ///     "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79".parse()?;
    /// let mut solver = Solver::new().with_bounds(Bounds::default().with_max_branches(10));
    /// assert!(!solver.one(&easy).gave_up);
    /// let answer = solver.one(&Grid::EMPTY);
    /// assert!(answer.gave_up && answer.count < 2); // fewer than the limit: nothing is proven
    ///
    /// let stop = Arc::new(AtomicBool::new(false));
    /// let bounds = Bounds::default().with_stop(Arc::clone(&stop));
    /// let mut endless = Solver::new().with_limit(usize::MAX).with_bounds(bounds);
    /// let search = thread::spawn(move || endless.one(&Grid::EMPTY));
    /// thread::sleep(Duration::from_millis(10));
    /// stop.store(true, Ordering::Relaxed);
    /// assert!(search.join().unwrap().gave_up);
    /// # Ok::<(), ninefold_core::puzzle::ParseError>(())
    /// ```
    pub fn with_bounds(self, bounds: Bounds) -> Self {
        Self { engine: self.engine.with_bounds(bounds), ..self }
    }

    /// Solves one puzzle.
    ///
    /// # Panics
    /// Never: an engine gives one answer for each puzzle.
    pub fn one<P: AnyPuzzle>(&mut self, puzzle: &P) -> Answer {
        self.many(slice::from_ref(puzzle))[0]
    }

    /// Solves puzzles; the answers have the order of the puzzles.
    ///
    /// A puzzle with conflicting clues has the count 0.
    pub fn many<P: AnyPuzzle>(&mut self, puzzles: &[P]) -> &[Answer] {
        self.engine.solve(puzzles, self.limit, &mut self.answers);
        &self.answers
    }
}

impl Default for Solver {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Debug for Solver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Solver({:?}, limit {})", self.engine, self.limit)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::puzzle::{Cell, Digit, Grid, Sukaku};
    use crate::status::Status;
    use alloc::format;
    use alloc::string::{String, ToString};

    const PUZZLE: &str =
        "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";

    #[test]
    #[expect(clippy::needless_borrows_for_generic_args, reason = "both are tested")]
    fn each_kind_of_puzzle_is_taken() {
        let solution = solve(PUZZLE).unwrap();
        let grid: Grid = PUZZLE.parse().unwrap();
        let sukaku = Sukaku::from(&grid);
        let marks = sukaku.to_string();
        assert_eq!(solve(PUZZLE.as_bytes()), Ok(solution));
        assert_eq!(solve(&grid), Ok(solution));
        assert_eq!(solve(grid), Ok(solution));
        assert_eq!(solve(&sukaku), Ok(solution));
        assert_eq!(solve(Puzzle::from(sukaku)), Ok(solution));
        assert_eq!(solve(&marks), Ok(solution));
        assert_eq!(solve(marks.as_str()), Ok(solution));
        assert_eq!(count(&grid, 5), Ok(1));
        assert_eq!(count(&grid, 0), Ok(0));
        assert_eq!(is_unique(&sukaku), Ok(true));
    }

    #[test]
    fn each_error_has_its_status_and_its_reason() {
        let clash = format!("1......1.{}", ".".repeat(72));
        // The first blank can hold neither 9 nor any other digit.
        let none = format!(".12345678{}9{}", ".".repeat(18), ".".repeat(53));
        let cases = [
            ("x", Status::Malformed, "column 1: expected 1 to 9, '.' or '0', found 'x'"),
            (&clash, Status::Conflict, "1 twice in row 1 (columns 1 and 8)"),
            (&none, Status::None, "no solution"),
        ];
        for (puzzle, status, reason) in cases {
            let verdict = solve(puzzle).unwrap_err();
            assert_eq!((verdict.status(), verdict.to_string()), (status, String::from(reason)));
            assert_eq!(count(puzzle, 1).is_err(), status == Status::Malformed);
            assert_ne!(is_unique(puzzle), Ok(true));
        }
        let mut empty = Sukaku::FULL;
        empty.set(Cell::new(7), crate::puzzle::DigitSet::EMPTY);
        assert_eq!(solve(empty), Err(Verdict::None));
    }

    #[test]
    fn a_solver_answers_as_its_engine_does() {
        let mut seven = Grid::EMPTY;
        seven.set(Cell::new(40), Some(Digit::ALL[6]));
        let puzzles = [PUZZLE.parse().unwrap(), Grid::EMPTY, seven];
        for &kind in &[EngineKind::Mrv, EngineKind::Lanes] {
            for level in SimdLevel::available() {
                let mut solver = Solver::new().with_engine(kind).with_level(level).with_limit(9);
                let name = format!("{solver:?}");
                let mut expected = Vec::new();
                kind.build().solve_batch(&puzzles, 9, &mut expected);
                assert_eq!(solver.many(&puzzles), expected, "{name}");
                assert_eq!(solver.one(&seven), expected[2], "{name}");
                assert_eq!(solver.many::<Grid>(&[]), [], "{name}");
                let mixed = puzzles.map(|grid| {
                    if grid == seven { Sukaku::from(&grid).into() } else { Puzzle::from(grid) }
                });
                let [one, two, three] = mixed;
                let in_order = [expected[2], expected[0], expected[1]];
                assert_eq!(solver.many(&[three, one, two]), in_order, "{name}");
                let sukakus = puzzles.map(|grid| Sukaku::from(&grid));
                assert_eq!(solver.many(&sukakus), expected, "{name}");
            }
        }
    }
}
