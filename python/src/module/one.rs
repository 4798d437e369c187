//! The functions on one puzzle.

use crate::arrow::{ArrayColumn, ArrayError, ArrayJob, ArrayRow, answer, watched};
use crate::jobs::{self, AnswerError, NO_MINLEX, RateOptions, check, unknown};
use crate::module::errors::{malformed, of_array, python, unsolved};
use crate::module::values;
use crate::module::watch::{Watch, WatchedEngine};
use arrow_array::{Array, StringArray};
use ninefold::canon::FormKind;
use ninefold::difficulty::{Measure, Score};
use ninefold::engine::{Answer, Engine, EngineKind};
use ninefold::names::NameSet;
use ninefold::puzzle::{Puzzle, Solution};
use ninefold::rate::backdoor_numbers;
use ninefold::symmetry::Canon;
use ninefold::{Solutions, Verdict};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyString;
use std::cell::RefCell;
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

thread_local! {
    /// The engine of this thread, unless it is in use.
    static ENGINE: RefCell<Option<Box<dyn Engine>>> = const { RefCell::new(None) };
}

/// Asks the engine of this thread, without the GIL. Signal handlers may raise.
fn ask<T: Send>(py: Python<'_>, question: impl FnOnce(&mut dyn Engine) -> T + Send) -> PyResult<T> {
    let watch = Watch::default();
    let answer = py.detach(|| {
        // Taken out, because a signal handler may ask something else meanwhile.
        let kept = ENGINE.take();
        let mut engine = kept.unwrap_or_else(|| EngineKind::default().build());
        let answer = question(&mut WatchedEngine::new(engine.as_mut(), &watch));
        ENGINE.set(Some(engine));
        answer
    });
    watch.take().map_or(Ok(answer), Err)
}

/// Counts the solutions of a puzzle up to a limit.
fn count_up_to(engine: &mut dyn Engine, puzzle: &Puzzle, limit: usize) -> Answer {
    match puzzle {
        Puzzle::Grid(grid) => engine.solve(grid, limit),
        Puzzle::Sukaku(sukaku) => {
            let mut answers = Vec::with_capacity(1);
            engine.solve_sukakus(std::slice::from_ref(sukaku), limit, &mut answers);
            answers[0]
        }
    }
}

/// The text of an argument.
fn text_of(object: &Bound<'_, PyAny>) -> PyResult<String> {
    if let Ok(text) = object.cast::<PyString>() {
        return Ok(text.to_string_lossy().into_owned());
    }
    let given = object.py().import("ninefold._given")?;
    Err(PyErr::from_value(given.call_method1("one", (object,))?))
}

/// The puzzle of an argument.
pub(super) fn puzzle_of(object: &Bound<'_, PyAny>) -> PyResult<Puzzle> {
    Puzzle::try_from(text_of(object)?.as_str()).map_err(|error| malformed(&error))
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

/// A form by its name.
pub(super) fn form_of_name(name: &str) -> PyResult<FormKind> {
    name.parse().map_err(|error| PyValueError::new_err(format!("form: {error}")))
}

/// Measures by their names.
pub(super) fn measures_of_names(names: Option<Vec<String>>) -> PyResult<NameSet<Measure>> {
    let Some(names) = names else { return Ok(NameSet::of(&Measure::USUAL)) };
    names.iter().try_fold(NameSet::of(&[]), |set, name| {
        let measure = name.parse::<Measure>();
        Ok(set.with(measure.map_err(|error| PyValueError::new_err(format!("measures: {error}")))?))
    })
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
    let puzzle = puzzle_of(puzzle)?;
    let answer = ask(py, |engine| count_up_to(engine, &puzzle, 1))?;
    let verdict = answer.verdict(puzzle, 1, None);
    verdict.solution().map(ToString::to_string).ok_or_else(|| unsolved(&verdict))
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
    Ok(ask(py, |engine| count_up_to(engine, &puzzle, limit))?.count)
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
    Ok(ask(py, |engine| count_up_to(engine, &puzzle, 2))?.count == 1)
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

/// The only solution of a puzzle.
fn only_solution(py: Python<'_>, puzzle: &Puzzle) -> PyResult<Solution> {
    let answer = ask(py, |engine| count_up_to(engine, puzzle, 2))?;
    let verdict: Verdict<_> = answer.verdict(puzzle, 2, None);
    match verdict {
        Verdict::Unique(solution) => Ok(*solution),
        Verdict::Conflict(_) => {
            Err(python::ConflictError::new_err(format!("conflicting clues: {verdict}")))
        }
        Verdict::None => Err(python::NoSolutionError::new_err(verdict.to_string())),
        _ => Err(python::MultipleSolutionsError::new_err(verdict.to_string())),
    }
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
    let (puzzle, form) = (puzzle_of(puzzle)?, form_of_name(form)?);
    let solution = match form {
        FormKind::Solution => Some(only_solution(py, &puzzle)?),
        FormKind::Minlex => None,
    };
    let formed = py.detach(|| Canon::new().form_of(&puzzle, solution.as_ref()));
    let formed = formed.ok_or_else(|| python::MalformedError::new_err(NO_MINLEX))?;
    Ok(formed.grid.to_string())
}

/// Measures the difficulty of a puzzle with one solution. A sukaku has a rating, but no effort and no grade.
///
/// Args:
///     puzzle: The puzzle.
///     measures: Any of "effort", "er", "grade" and "backdoor"; the first three if not given.
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
    measures: Option<Vec<String>>,
    shuffles: i64,
    seed: u64,
    max_er: Option<f64>,
) -> PyResult<Bound<'py, PyAny>> {
    let measures = measures_of_names(measures)?;
    let (shuffles, max_er) = (positive("shuffles", shuffles)?, tenths("max_er", max_er)?);
    let rate = RateOptions { measures, shuffles, seed, max_er };
    let puzzle = puzzle_of(puzzle)?;
    only_solution(py, &puzzle)?;
    let (stop, watch) = (Arc::new(AtomicBool::new(false)), Watch::default());
    let measure = || match puzzle {
        Puzzle::Grid(grid) => rate.gauge(&stop).many_unique(&[grid], &[])[0],
        Puzzle::Sukaku(sukaku) => rate.gauge(&stop).many_unique(&[], &[sukaku])[0],
    };
    let measured = py.detach(|| watched(&stop, &|| watch.go_on(0), measure));
    let measured = measured.ok_or_else(|| watch.error(ArrayError::Interrupted))?;
    let ([effort, effort_se, er, ep, ed], [technique, grade]) = jobs::values(&measured);
    let reason = unknown(&measured).map(ToString::to_string);
    let [backdoor, backdoors] = backdoor_numbers(measured.backdoor);
    py.import("ninefold._rating")?
        .getattr("Rating")?
        .call1((effort, effort_se, er, ep, ed, technique, grade, reason, backdoor, backdoors))
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
    only_solution(py, &puzzle)?;
    let text = StringArray::from_iter_values([puzzle.to_string()]);
    let column = ArrayColumn::new(&text.to_data()).map_err(of_array)?;
    let job = ArrayJob { question: jobs::steps(boards), details: false };
    let watch = Watch::default();
    let found = py.detach(|| answer(&job, &[column], 1, &|rows| watch.go_on(rows)));
    let found = found.map_err(|error| watch.error(error))?;
    values::list(py, &found.to_data())?.get_item(0)
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
        Err(AnswerError::Malformed(reason)) => {
            Err(python::MalformedError::new_err(format!("malformed {reason}")))
        }
        Err(AnswerError::Answer(reason)) => {
            Err(python::WrongAnswerError::new_err(format!("wrong answer: {reason}")))
        }
    }
}
