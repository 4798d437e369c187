//! The functions on one puzzle.

use crate::arrow::{ArrayRow, ResultColumn, ResultTable, made};
use crate::jobs::columns::{RATE, STEPS, STEPS_WITH_BOARDS};
use crate::jobs::{self, check};
use crate::module::errors::{malformed, python};
use crate::module::values;
use crate::module::watch::Watch;
use arrow_schema::DataType;
use ninefold::canon::FormKind;
use ninefold::difficulty::{Gauge, Measure, Score, Steps};
use ninefold::engine::{Answer, Bounds, Engine, EngineKind};
use ninefold::names::{NameSet, Named};
use ninefold::puzzle::{AnyPuzzle, Puzzle, Solution};
use ninefold::symmetry::Canon;
use ninefold::{Solutions, Verdict};
use pyo3::exceptions::{PyOverflowError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};
use std::cell::RefCell;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::slice;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

thread_local! {
    /// The engine of this thread, unless it is in use.
    static ENGINE: RefCell<Option<Box<dyn Engine>>> = const { RefCell::new(None) };
}

/// Solutions between two looks at signals: a fraction of a second.
const UNWATCHED: usize = 1 << 15;

/// Counts the solutions of a puzzle up to a limit, without the GIL. Signal handlers may raise.
pub(super) fn count_up_to(py: Python<'_>, puzzle: &Puzzle, limit: usize) -> PyResult<Answer> {
    let (watch, mut answer) = (Watch::default(), Answer::default());
    py.detach(|| {
        // Taken out, because a signal handler may ask something else meanwhile.
        let mut engine = ENGINE.take().unwrap_or_else(|| EngineKind::default().build());
        engine.each_solution(puzzle, &mut |solution| {
            answer.first.get_or_insert(*solution);
            answer.count += 1;
            let is_stopped = answer.count.is_multiple_of(UNWATCHED) && !watch.go_on(0);
            if is_stopped || answer.count == limit {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        });
        ENGINE.set(Some(engine));
    });
    watch.take().map_or(Ok(answer), Err)
}

/// The only solution of a puzzle, or with the limit 1 a solution.
fn solution_of(py: Python<'_>, puzzle: &Puzzle, limit: usize) -> PyResult<Solution> {
    let answer = count_up_to(py, puzzle, limit)?;
    let verdict: Verdict<_> = answer.verdict(*puzzle, limit, None);
    Err(match verdict {
        Verdict::Solved(solution) | Verdict::Unique(solution) => return Ok(*solution),
        Verdict::Conflict(clashes) => {
            let first = if limit == 1 { clashes.first().to_string() } else { clashes.to_string() };
            python::ConflictError::new_err(format!("conflicting clues: {first}"))
        }
        Verdict::Multiple { .. } => python::MultipleSolutionsError::new_err(verdict.to_string()),
        _ => python::NoSolutionError::new_err(verdict.to_string()),
    })
}

/// The row that `push` appends, as a dictionary. It may take long: signal handlers may raise.
fn row<'py>(
    py: Python<'py>,
    columns: &'static [ResultColumn],
    push: impl FnOnce(Bounds, &mut ResultTable) + Send,
) -> PyResult<Bound<'py, PyDict>> {
    let (watch, stop) = (Watch::default(), Arc::new(AtomicBool::new(false)));
    let bounds = Bounds::default().with_stop(Arc::clone(&stop));
    let mut table = ResultTable::new(columns, &DataType::Utf8, 1);
    py.detach(|| {
        thread::scope(|scope| {
            let (sender, ended) = channel::<()>();
            let table = &mut table;
            scope.spawn(move || {
                let _sender = sender;
                push(bounds, table);
            });
            // A panic ends the work, too, and the end of the scope continues it.
            while ended.recv_timeout(Duration::from_millis(100)) == Err(RecvTimeoutError::Timeout) {
                if !watch.go_on(0) {
                    stop.store(true, Ordering::Relaxed);
                }
            }
        });
    });
    watch.take().map_or(Ok(()), Err)?;
    Ok(values::value(py, &made(table, None)?, 0)?.cast_into()?)
}

/// The text of an argument.
fn text_of(object: &Bound<'_, PyAny>) -> PyResult<String> {
    if let Ok(text) = object.cast::<PyString>() {
        let text = text.to_string_lossy();
        let text = text.strip_suffix('\n').unwrap_or(&text);
        return Ok(text.strip_suffix('\r').unwrap_or(text).to_owned());
    }
    let given = object.py().import("ninefold._given")?;
    Err(PyErr::from_value(given.call_method1("one", (object,))?))
}

/// The puzzle of an argument.
pub(super) fn puzzle_of(object: &Bound<'_, PyAny>) -> PyResult<Puzzle> {
    Puzzle::try_from(text_of(object)?.as_str()).map_err(|error| malformed(&error))
}

/// A seed.
pub(super) fn seed_of(object: &Bound<'_, PyAny>) -> PyResult<u64> {
    object.extract().map_err(|error: PyErr| {
        if !error.is_instance_of::<PyOverflowError>(object.py()) {
            return error;
        }
        PyValueError::new_err(format!("seed: expected 0 to {}, found {object}", u64::MAX))
    })
}

/// A number of threads, 0 for one on each core.
pub(super) fn threads_of(number: i64) -> PyResult<usize> {
    usize::try_from(number).map_err(|_| {
        let message = format!("threads: expected 0 (one on each core) or more, found {number}");
        PyValueError::new_err(message)
    })
}

/// A number that is not 0.
pub(super) fn positive(name: &str, number: i64) -> PyResult<NonZeroUsize> {
    usize::try_from(number)
        .ok()
        .and_then(NonZeroUsize::new)
        .ok_or_else(|| PyValueError::new_err(format!("{name}: expected 1 or more, found {number}")))
}

/// The greatest score wanted, in tenths.
#[expect(clippy::float_cmp, reason = "both are the number that is nearest to the same tenth")]
pub(super) fn tenths(name: &str, score: Option<f64>) -> PyResult<u8> {
    let Some(score) = score else { return Ok(u8::MAX) };
    let is_score = |tenths: &u8| f64::from(*tenths) / 10.0 == score;
    (0..=Score::BEYOND).find(is_score).ok_or_else(|| {
        PyValueError::new_err(format!("{name}: expected a score such as 9.0, found {score}"))
    })
}

/// A value by its name.
pub(super) fn named<T: Named>(what: &str, name: &str) -> PyResult<T> {
    T::by_name(name).map_err(|error| PyValueError::new_err(format!("{what}: {error}")))
}

/// Names in a sequence, or one alone.
pub(super) fn names_of(object: &Bound<'_, PyAny>) -> PyResult<Option<Vec<String>>> {
    let name = object.cast::<PyString>().map(|name| vec![name.to_string()]);
    name.map_or_else(|_| object.extract(), |names| Ok(Some(names)))
}

/// Values by their names.
pub(super) fn all_named<T: Named>(what: &str, names: &[String]) -> PyResult<NameSet<T>> {
    let values = names.iter().map(|name| named(what, name)).collect::<PyResult<Vec<_>>>()?;
    Ok(NameSet::of(&values))
}

/// Solves a puzzle: 81 cells in a string, 1 to 9 for a clue and . 0 _ * or - for a blank, or the 729
/// pencilmarks of a sukaku.
///
/// If there are several solutions, one of them is returned, always the same; see `is_unique`.
///
/// Raises:
///     MalformedError: The string is not a puzzle.
///     ConflictError: A digit is given twice in a row, column or box.
///     NoSolutionError: The puzzle has no solution.
///
/// Example:
///     >>> import ninefold
///     >>> ninefold.solve("53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79")
///     '534678912672195348198342567859761423426853791713924856961537284287419635345286179'
#[pyfunction]
pub(super) fn solve(py: Python<'_>, puzzle: &Bound<'_, PyAny>) -> PyResult<String> {
    Ok(solution_of(py, &puzzle_of(puzzle)?, 1)?.to_string())
}

/// Counts the solutions of a puzzle, up to a limit. A puzzle with conflicting clues has none.
///
/// Raises:
///     MalformedError: The string is not a puzzle.
///
/// Example:
///     >>> import ninefold
///     >>> ninefold.count("." * 81, 1000)
///     1000
#[pyfunction]
pub(super) fn count(py: Python<'_>, puzzle: &Bound<'_, PyAny>, limit: i64) -> PyResult<usize> {
    let (puzzle, limit) = (puzzle_of(puzzle)?, positive("limit", limit)?.get());
    Ok(count_up_to(py, &puzzle, limit)?.count)
}

/// Tells whether a puzzle has exactly one solution.
///
/// Raises:
///     MalformedError: The string is not a puzzle.
///
/// Example:
///     >>> import ninefold
///     >>> ninefold.is_unique("." * 81)
///     False
#[pyfunction]
pub(super) fn is_unique(py: Python<'_>, puzzle: &Bound<'_, PyAny>) -> PyResult<bool> {
    let puzzle = puzzle_of(puzzle)?;
    Ok(count_up_to(py, &puzzle, 2)?.count == 1)
}

/// Lists the first solutions of a puzzle in lexicographic order, up to a limit.
///
/// Raises:
///     MalformedError: The string is not a puzzle.
///
/// Example:
///     >>> import ninefold
///     >>> [solution[:27] for solution in ninefold.solutions("." * 81, 2)]
///     ['123456789456789123789123456', '123456789456789123789123456']
#[pyfunction]
pub(super) fn solutions(
    py: Python<'_>,
    puzzle: &Bound<'_, PyAny>,
    limit: i64,
) -> PyResult<Vec<String>> {
    let (puzzle, limit) = (puzzle_of(puzzle)?, positive("limit", limit)?);
    let watch = Watch::default();
    let lines = py.detach(|| {
        let first = Solutions::new(puzzle).take(limit.get()).enumerate();
        let watched = first.take_while(|(number, _)| number % 4096 != 4095 || watch.go_on(0));
        watched.map(|(_, solution)| solution.to_string()).collect()
    });
    watch.take().map_or(Ok(lines), Err)
}

/// The canonical form of a puzzle: isomorphic puzzles have the same one, others do not.
///
/// Args:
///     puzzle: The puzzle.
///     form: "minlex", the least isomorphic puzzle read as a number, for any grid; or "solution",
///         the clues under the map that takes the solution to its minlex form.
///
/// Raises:
///     MalformedError: The string is not a puzzle, or a sukaku, which has no minlex form.
///     ConflictError, NoSolutionError, MultipleSolutionsError: The form "solution" needs a puzzle
///         with one solution.
///
/// Example:
///     >>> import ninefold
///     >>> ninefold.canonical("7" + "." * 80) == "." * 80 + "1"
///     True
#[pyfunction]
#[pyo3(signature = (puzzle, form="minlex"))]
pub(super) fn canonical(py: Python<'_>, puzzle: &Bound<'_, PyAny>, form: &str) -> PyResult<String> {
    let (puzzle, form) = (puzzle_of(puzzle)?, named::<FormKind>("form", form)?);
    let solution = match form {
        FormKind::Minlex => None,
        FormKind::Solution => Some(solution_of(py, &puzzle, 2)?),
    };
    let form = py.detach(|| Canon::new().form_of(&puzzle, solution.as_ref()));
    let form = form.ok_or_else(|| python::MalformedError::new_err(jobs::NO_MINLEX))?;
    Ok(form.grid.to_string())
}

/// Measures the difficulty of a puzzle with one solution. A sukaku has a rating, but no effort and no grade.
///
/// Args:
///     puzzle: The puzzle.
///     measures: One or more of "effort", "er", "grade" and "backdoor"; the first three if not given.
///     shuffles: The number of transformations over which `effort` is the mean.
///     seed: The seed of these transformations.
///     max_er: The greatest score wanted. A puzzle above it has no `er`, and `reason` says so.
///
/// Raises:
///     MalformedError: The string is not a puzzle.
///     ConflictError, NoSolutionError, MultipleSolutionsError: There is not one solution.
///
/// Example:
///     >>> import ninefold
///     >>> rating = ninefold.rate("53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79")
///     >>> rating.er, rating.technique, rating.grade
///     (1.2, 'hidden-single-box', 'naked-singles')
#[pyfunction]
#[pyo3(signature = (puzzle, *, measures=None, shuffles=10, seed=1, max_er=None))]
pub(super) fn rate<'py>(
    py: Python<'py>,
    puzzle: &Bound<'py, PyAny>,
    #[pyo3(from_py_with = names_of)] measures: Option<Vec<String>>,
    shuffles: i64,
    #[pyo3(from_py_with = seed_of)] seed: u64,
    max_er: Option<f64>,
) -> PyResult<Bound<'py, PyAny>> {
    let puzzle = puzzle_of(puzzle)?;
    let gauge = gauge_of(measures, shuffles, seed, max_er)?;
    solution_of(py, &puzzle, 2)?;
    let details = row(py, RATE, |bounds, table| {
        let (grids, sukakus) = AnyPuzzle::split(slice::from_ref(&puzzle));
        jobs::push_measured(table, &gauge(bounds).many_unique(&grids, &sukakus)[0]);
    })?;
    details.del_item("status")?;
    py.import("ninefold._rating")?.getattr("Rating")?.call((), Some(&details))
}

/// Makes gauges with these options of `rate`.
pub(super) fn gauge_of(
    measures: Option<Vec<String>>,
    shuffles: i64,
    seed: u64,
    max_er: Option<f64>,
) -> PyResult<impl Fn(Bounds) -> Gauge + Send + Sync + 'static> {
    let usual = || Ok(NameSet::of(&Measure::USUAL));
    let measures = measures.map_or_else(usual, |names| all_named("measures", &names))?;
    let (shuffles, max_er) = (positive("shuffles", shuffles)?.get(), tenths("max_er", max_er)?);
    Ok(move |bounds| {
        let gauge = Gauge::new().with_measures(measures.values()).with_max_er(max_er);
        gauge.with_shuffles(shuffles).with_seed(seed).with_bounds(bounds)
    })
}

/// Lists the steps that solve a puzzle: each uses the easiest technique of Sudoku Explainer 1.2.1 that finds
/// something.
///
/// Args:
///     puzzle: The puzzle, or a sukaku.
///     boards: Add the grid after each step that places a digit.
///
/// Returns:
///     A dictionary for each step: `technique`, `score`; `cells` and `digits` that it is about;
///     `eliminations`, candidates as "r2c3<>4"; `placement`, "r2c3=4" or `None`; `chains`, lists of nodes;
///     and `board`. `ninefold steps --format jsonl` writes them likewise.
///
/// Raises:
///     MalformedError: The string is not a puzzle.
///     ConflictError, NoSolutionError, MultipleSolutionsError: There is not one solution.
///
/// Example:
///     >>> import ninefold
///     >>> puzzle = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
///     >>> steps = ninefold.steps(puzzle)
///     >>> steps[0]["technique"], steps[0]["score"], steps[0]["placement"]
///     ('hidden-single-box', 1.2, 'r1c6=8')
#[pyfunction]
#[pyo3(signature = (puzzle, *, boards=false))]
pub(super) fn steps<'py>(
    py: Python<'py>,
    puzzle: &Bound<'py, PyAny>,
    boards: bool,
) -> PyResult<Bound<'py, PyAny>> {
    let puzzle = puzzle_of(puzzle)?;
    solution_of(py, &puzzle, 2)?;
    let columns = if boards { STEPS_WITH_BOARDS } else { STEPS };
    let details = row(py, columns, |bounds, table| {
        let mut steps = Steps::default().with_bounds(bounds);
        steps.restart_unique(puzzle);
        jobs::push_steps(table, &mut steps, boards);
    })?;
    details.as_any().get_item("steps")
}

/// Checks that an answer is a solution of a puzzle: full, legal, and with every clue.
///
/// Nothing is solved: whether it is the only solution is not checked (see `is_unique`).
///
/// Returns:
///     True. A wrong answer raises.
///
/// Raises:
///     WrongAnswerError: The answer is wrong; the message says where.
///     MalformedError: The puzzle or the answer is not 81 cells.
///
/// Example:
///     >>> import ninefold
///     >>> puzzle = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
///     >>> ninefold.verify(puzzle, ninefold.solve(puzzle))
///     True
///     >>> ninefold.verify(puzzle, puzzle)
///     Traceback (most recent call last):
///     ...
///     ninefold.WrongAnswerError: wrong answer: row 1 column 3 is blank
#[pyfunction]
pub(super) fn verify(puzzle: &Bound<'_, PyAny>, answer: &Bound<'_, PyAny>) -> PyResult<bool> {
    let (puzzle, answer) = (text_of(puzzle)?, text_of(answer)?);
    match check(ArrayRow::Text(puzzle.as_bytes()), ArrayRow::Text(answer.as_bytes())) {
        Ok(()) => Ok(true),
        Err(("wrong", reason)) => {
            Err(python::WrongAnswerError::new_err(format!("wrong answer: {reason}")))
        }
        Err((_, reason)) => Err(python::MalformedError::new_err(format!("malformed {reason}"))),
    }
}
