//! The functions on arrays.

use crate::arrow::{ArrayAnswers, ColumnPick, RowQuestion};
use crate::jobs;
use crate::module::classes::{Array, ArrayStream, WatchedAnswers};
use crate::module::errors::python;
use crate::module::given::{InputForm, NamedInput, take};
use crate::module::one::{gauge_of, named, names_of, positive, seed_of, threads_of};
use crate::module::values;
use crate::module::watch::Watch;
use arrow_array::{Array as _, new_empty_array};
use arrow_data::ArrayData;
use ninefold::minimize::Which;
use ninefold::neighbors::{Around, MOST_CLUES};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use std::sync::Arc;

/// How a question is answered.
pub(super) struct CallOptions<'py> {
    pub(super) column: Option<String>,
    pub(super) details: bool,
    pub(super) threads: i64,
    pub(super) progress: Option<Bound<'py, PyAny>>,
}

/// A question that was asked.
pub(super) struct PendingAnswers<'py> {
    answers: WatchedAnswers,
    form: InputForm,
    /// Turns the result into an object of the library that was given.
    back: Option<Bound<'py, PyAny>>,
}

/// Asks a question on these objects.
pub(super) fn ask<'py>(
    py: Python<'py>,
    objects: Vec<NamedInput<'_, 'py>>,
    question: RowQuestion,
    how: &CallOptions<'py>,
) -> PyResult<PendingAnswers<'py>> {
    let threads = threads_of(how.threads)?;
    let question = if how.details { question } else { question.without_details() };
    let has_reason = question.columns.iter().any(|column| column.name == "reason");
    let (inputs, form, back, rows) = take(py, objects, has_reason)?;
    let watch = Arc::new(Watch::showing(how.progress.as_ref(), rows, Arc::clone(&question.note))?);
    let watched = Arc::clone(&watch);
    let go_on = Box::new(move |rows| watched.go_on(rows));
    let answers = ArrayAnswers::new(inputs, question, threads, go_on)?;
    Ok(PendingAnswers { answers: WatchedAnswers { answers, watch }, form, back })
}

/// A column next to the puzzles: its object, or `None` for a column of the table that has the puzzles; its name there;
/// and a word for its values.
pub(super) type OtherColumn<'a, 'py> = (Option<&'a Bound<'py, PyAny>>, ColumnPick, &'static str);

/// The columns of puzzles and others.
pub(super) fn columns<'a, 'py>(
    puzzles: &'a Bound<'py, PyAny>,
    column: Option<String>,
    others: Vec<OtherColumn<'a, 'py>>,
) -> Vec<NamedInput<'a, 'py>> {
    let mut puzzle = ColumnPick { name: column, usual: "puzzle" };
    if others.iter().any(|(object, ..)| object.is_none()) {
        // All columns of a table have names, so that its only column is not several.
        puzzle = puzzle.named();
    }
    let mut objects = vec![(puzzles, vec![puzzle], "puzzles")];
    for (object, pick, what) in others {
        match object {
            Some(object) => objects.push((object, vec![pick], what)),
            None => objects[0].1.push(pick.named()),
        }
    }
    objects
}

/// Asks a question on one column.
pub(super) fn ask_one<'py>(
    puzzles: &Bound<'py, PyAny>,
    question: RowQuestion,
    mut how: CallOptions<'py>,
) -> PyResult<PendingAnswers<'py>> {
    ask(puzzles.py(), columns(puzzles, how.column.take(), Vec::new()), question, &how)
}

impl<'py> PendingAnswers<'py> {
    /// Takes all answers, piece by piece: at least one.
    pub(super) fn each(
        &mut self,
        py: Python<'py>,
        mut take: impl FnMut(ArrayData) + Send,
    ) -> PyResult<()> {
        let mut is_empty = true;
        while let Some(data) = self.answers.pull(py)? {
            is_empty = false;
            py.detach(|| take(data));
        }
        if is_empty {
            take(new_empty_array(self.answers.answers.field().data_type()).to_data());
        }
        Ok(())
    }

    /// The result, as the library of the argument has it.
    pub(super) fn result(mut self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        if self.form != InputForm::Stream {
            let data = self.answers.only(py)?;
            return self.finished(py, data);
        }
        let stream = Bound::new(py, ArrayStream::new(self.answers))?.into_any();
        self.back.map_or(Ok(stream.clone()), |back| back.call1((stream,)))
    }

    /// This result, as the library of the argument has it.
    pub(super) fn finished(self, py: Python<'py>, data: ArrayData) -> PyResult<Bound<'py, PyAny>> {
        let result = match self.form {
            InputForm::Numpy => values::like_numpy(py, data)?,
            _ => Bound::new(py, Array(data))?.into_any(),
        };
        self.back.map_or(Ok(result.clone()), |back| back.call1((result,)))
    }
}

/// Answers a question on one column.
pub(super) fn answer_one<'py>(
    puzzles: &Bound<'py, PyAny>,
    question: RowQuestion,
    how: CallOptions<'py>,
) -> PyResult<Bound<'py, PyAny>> {
    ask_one(puzzles, question, how)?.result(puzzles.py())
}

/// Answers a question on two columns, of one table or of two arrays.
pub(super) fn answer_two<'py>(
    puzzles: &Bound<'py, PyAny>,
    other: OtherColumn<'_, 'py>,
    question: RowQuestion,
    mut how: CallOptions<'py>,
) -> PyResult<Bound<'py, PyAny>> {
    let is_arrow = puzzles.hasattr("__arrow_c_array__")?;
    if other.0.is_none() && !is_arrow && !puzzles.hasattr("__arrow_c_stream__")? {
        let message = "expected a second array, or a table of both";
        return Err(python::WrongTypeError::new_err(message));
    }
    let objects = columns(puzzles, how.column.take(), vec![other]);
    ask(puzzles.py(), objects, question, &how)?.result(puzzles.py())
}

/// Functions on arrays: perhaps `[details]`, arguments by position, options with their defaults, perhaps the options
/// that name other columns, and the result.
macro_rules! functions {
    ($(
        $(#[$about:meta])*
        $name:ident $([$details:ident])?(
            $($(#[$of:meta])* $given:ident: $kind:ty $(= $default:tt)?),*;
            $($(#[$how:meta])* $option:ident: $type:ty = $usual:tt),*
            $(; $($other_column:ident),+)?
        ) => |$puzzles:ident, $call:ident| $result:expr;
    )*) => {$(
        $(#[$about])*
        #[pyfunction]
        #[pyo3(signature = (
            $puzzles, $($given $(= $default)?,)* *, $($option = $usual,)* column=None, $($($other_column=None,)+)?
            $($details=false,)? threads=1, progress=None
        ))]
        #[allow(clippy::too_many_arguments, reason = "one for each argument in Python")]
        pub(super) fn $name<'py>(
            $puzzles: &Bound<'py, PyAny>,
            $($(#[$of])* $given: $kind,)*
            $($(#[$how])* $option: $type,)*
            column: Option<String>,
            $($($other_column: Option<String>,)+)?
            $($details: bool,)?
            threads: i64,
            progress: Option<Bound<'py, PyAny>>,
        ) -> PyResult<Bound<'py, PyAny>> {
            let details = false $(|| $details)?;
            let $call = CallOptions { column, details, threads, progress };
            $result
        }
    )*};
}
pub(super) use functions;

functions! {
    /// Solves the puzzles of an array.
    ///
    /// Args:
    ///     puzzles: An Arrow array or stream (of pyarrow, polars, pandas 3, `DuckDB`, …) of strings or
    ///         binary values, a list of strings, or a numpy array of integers with shape (n, 81) or
    ///         (n, 9, 9), 0 for a blank. Of a table, the column `column`; without it the only column, or
    ///         the column "puzzle".
    ///     column: The name of the column.
    ///     limit: How many solutions to look for: 1 solves, 2 also proves that there is just one. A
    ///         puzzle with more than one solution then has none.
    ///     details: Return a struct of `solution`, `status`, `solutions` and `reason`.
    ///     threads: The number of threads: 1, the default, or more; 0 for one on each core.
    ///     progress: True shows a progress bar of tqdm, or without tqdm a line on stderr. A bar of tqdm is
    ///         updated.
    ///
    /// Returns:
    ///     The solutions, in the type of the input: an `Array` for an array, an `ArrayStream` for a
    ///     stream, a series with the same index for pandas, a numpy array for a numpy array, a list for a
    ///     list. A null stays null. A puzzle without a solution has
    ///     an empty string; in a type of fixed size, zeros. With `details`, a struct whose `status` is
    ///     "solved" ("unique" if the limit is 2 or more), "multiple", "none", "conflict" or "malformed".
    ///
    /// Example:
    ///     >>> import ninefold, pyarrow
    ///     >>> puzzles = pyarrow.array(["53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"])
    ///     >>> pyarrow.array(ninefold.solve_array(puzzles))[0].as_py()[:9]
    ///     '534678912'
    solve_array[details](; limit: i64 = 1) => |puzzles, how| {
        answer_one(puzzles, jobs::solve(positive("limit", limit)?.get()), how)
    };

    /// Counts the solutions of the puzzles of an array, up to a limit.
    ///
    /// Arguments as in `solve_array`.
    ///
    /// Returns:
    ///     int64, -1 for a malformed puzzle; with `details`, a struct of `count`, `status` and `reason`.
    ///
    /// Example:
    ///     >>> import ninefold, pyarrow
    ///     >>> ninefold.count_array(pyarrow.array(["." * 81, None]), 5).to_pylist()
    ///     [5, None]
    count_array[details](limit: i64;) => |puzzles, how| {
        answer_one(puzzles, jobs::count(positive("limit", limit)?.get()), how)
    };

    /// Tells which puzzles of an array have exactly one solution.
    ///
    /// Arguments as in `solve_array`.
    ///
    /// Returns:
    ///     bool, false for a malformed puzzle; with `details`, a struct of `unique`, `status` and
    ///     `reason`.
    ///
    /// Example:
    ///     >>> import ninefold, pyarrow
    ///     >>> ninefold.is_unique_array(pyarrow.array(["." * 81, None])).to_pylist()
    ///     [False, None]
    is_unique_array[details](;) => |puzzles, how| answer_one(puzzles, jobs::is_unique(), how);

    /// Lists the solutions of the puzzles of an array, up to a limit each, in lexicographic order.
    ///
    /// Arguments as in `solve_array`.
    ///
    /// Returns:
    ///     Lists of texts of the type of the input, empty for a malformed puzzle; with `details`, a
    ///     struct of `solutions`, `status` and `reason`.
    ///
    /// Example:
    ///     >>> import ninefold, pyarrow
    ///     >>> len(ninefold.solutions_array(pyarrow.array(["." * 81]), 3).to_pylist()[0])
    ///     3
    solutions_array[details](limit: i64;) => |puzzles, how| {
        answer_one(puzzles, jobs::solutions(positive("limit", limit)?), how)
    };

    /// Lists the neighbors of the puzzles of an array: all puzzles with one solution that lack `minus` of its clues
    /// and have `plus` others.
    ///
    /// A removed cell may get another digit. Arguments as in `solve_array`, and:
    ///
    /// Args:
    ///     minus: How many clues are removed, 0 to 5.
    ///     plus: How many are added, 0 to 5.
    ///     pattern: "same" adds the clues in the removed cells; `minus` and `plus` must be equal.
    ///     minimal: Only minimal puzzles.
    ///
    /// Returns:
    ///     Lists of texts of the type of the input, sorted; empty for a puzzle that does not have exactly one
    ///     solution. With `details`, a struct of `neighbors`, `status` ("unique", "multiple", "none",
    ///     "conflict", "sukaku" or "malformed") and `reason`.
    ///
    /// Example:
    ///     >>> import ninefold, pyarrow
    ///     >>> puzzle = ".......1.4.........2...........5.4.7..8...3....1.9....3..4..2...5.1........8.6..."
    ///     >>> len(ninefold.neighbors_array(pyarrow.array([puzzle])).to_pylist()[0])
    ///     3
    neighbors_array[details](; minus: i64 = 1, plus: i64 = 1, pattern: Option<&str> = None, minimal: bool = false) => |puzzles, how| {
        answer_one(puzzles, jobs::neighbors(around(minus, plus, pattern, minimal)?), how)
    };

    /// Lists minimal puzzles inside the puzzles of an array: puzzles with one solution of which no clue is redundant.
    ///
    /// Arguments as in `solve_array`, and:
    ///
    /// Args:
    ///     which: "one" tries clues in an order that depends on `seed` and the puzzle; "fewest" lists one with
    ///         the fewest clues, "all" all, but no more than `max`.
    ///     max: The most puzzles of each row, for "all".
    ///     seed: The seed, for "one".
    ///
    /// Returns:
    ///     Lists of texts of the type of the input; empty for a puzzle that does not have exactly one solution.
    ///     With `details`, a struct of `minimal`, `status` ("minimal", "more" if there are more than `max`,
    ///     "multiple", "none", "conflict", "sukaku" or "malformed") and `reason`.
    ///
    /// Example:
    ///     >>> import ninefold, pyarrow
    ///     >>> puzzles = pyarrow.array(["53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"])
    ///     >>> [81 - it.count(".") for it in ninefold.minimize_array(puzzles, which="fewest").to_pylist()[0]]
    ///     [20]
    minimize_array[details](; which: &str = "one", max: i64 = 1000, #[pyo3(from_py_with = seed_of)] seed: u64 = 1) => |puzzles, how| {
        answer_one(puzzles, jobs::minimize(which_of(which, max, seed)?), how)
    };

    /// Finds the canonical forms of the puzzles of an array.
    ///
    /// Isomorphic puzzles have the same form. Arguments as in `solve_array`, and:
    ///
    /// Args:
    ///     form: "minlex", the least isomorphic puzzle read as a number, or "solution", the clues under
    ///         the map that takes the solution to its minlex form; it needs a puzzle with one solution.
    ///
    /// Returns:
    ///     The forms, in the type of the input, empty (or zeros) where there is none; with `details`, a
    ///     struct of `form`, `status` ("canonical", "multiple", "none", "conflict", "sukaku" or
    ///     "malformed"), `automorphisms`, `map` and `reason`.
    ///
    /// Example:
    ///     >>> import ninefold, pyarrow
    ///     >>> ninefold.canonical_array(pyarrow.array(["7" + "." * 80])).to_pylist()[0][-9:]
    ///     '........1'
    canonical_array[details](; form: &str = "minlex") => |puzzles, how| {
        answer_one(puzzles, jobs::canonical(named("form", form)?), how)
    };

    /// Lists the candidates of the cells of puzzles: the digits that no clue in the same row, column or box has.
    ///
    /// Arguments as in `solve_array`. A clue is the only candidate of its cell. The candidates of a sukaku are
    /// those that it gives.
    ///
    /// Returns:
    ///     81 numbers (uint16) for each puzzle, whose bit 0 stands for the digit 1, bit 8 for 9; zeros for a malformed
    ///     puzzle. numpy arrays for numpy. With `details`, a struct of `candidates`, `status` ("candidates" or
    ///     "malformed") and `reason`.
    ///
    /// Example:
    ///     >>> import ninefold
    ///     >>> ninefold.candidates_array(["12345678" + "." * 73])[0][8:11]
    ///     [256, 504, 504]
    candidates_array[details](;) => |puzzles, how| answer_one(puzzles, jobs::candidates(), how);

    /// Lists the steps that solve the puzzles of an array that have one solution.
    ///
    /// Arguments as in `solve_array` and `steps`, and:
    ///
    /// Args:
    ///     as_numpy: Return arrays of numpy, a `StepArrays`. It has the boards and no details. A stream is consumed.
    ///
    /// Returns:
    ///     Lists of structs, the dictionaries of `steps`; empty for a puzzle without exactly one solution.
    ///     With `details`, a struct of `steps`, `status` and `reason`.
    ///
    /// Example:
    ///     >>> import ninefold, pyarrow
    ///     >>> puzzles = pyarrow.array(["53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"])
    ///     >>> ninefold.steps_array(puzzles).to_pylist()[0][0]["placement"]
    ///     'r1c6=8'
    steps_array[details](; boards: bool = false, as_numpy: bool = false) => |puzzles, how| {
        if !as_numpy {
            return answer_one(puzzles, jobs::steps(boards), how);
        }
        if boards || how.details {
            let message = "as_numpy=True has the boards, and no details: leave boards and details out";
            return Err(PyValueError::new_err(message));
        }
        let how = CallOptions { details: true, ..how };
        let (py, mut pieces) = (puzzles.py(), Vec::new());
        ask_one(puzzles, jobs::step_arrays(), how)?.each(py, |data| pieces.push(Array(data)))?;
        py.import("ninefold._steps")?.call_method1("as_numpy", (pieces,))
    };

    /// Measures the difficulty of the puzzles of an array that have one solution.
    ///
    /// Arguments as in `solve_array` and `rate`.
    ///
    /// Returns:
    ///     A struct of `effort`, `effort_se`, `er`, `ep`, `ed`, `technique`, `grade`, `backdoor`, `backdoors`,
    ///     `status` ("unique", "multiple", "none", "conflict" or "malformed") and `reason`. What was not measured is null,
    ///     and so is a score above `max_er`, for which `reason` is "above X".
    ///
    /// Example:
    ///     >>> import ninefold, pyarrow
    ///     >>> puzzles = pyarrow.array(["53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"])
    ///     >>> ninefold.rate_array(puzzles).to_pylist()[0]["er"]
    ///     1.2
    rate_array(
        ; #[pyo3(from_py_with = names_of)] measures: Option<Vec<String>> = None, shuffles: i64 = 10, #[pyo3(from_py_with = seed_of)] seed: u64 = 1,
        max_er: Option<f64> = None
    ) => |puzzles, how| {
        let question = jobs::rate(gauge_of(measures, shuffles, seed, max_er)?);
        answer_one(puzzles, question, CallOptions { details: true, ..how })
    };

    /// Tells which answers are solutions of their puzzles.
    ///
    /// An answer is right if it is full and legal and keeps the clues. Nothing is solved: whether it is
    /// the only solution is not checked.
    ///
    /// Args:
    ///     puzzles: As in `solve_array`, or a table that has both columns.
    ///     answers: The answers, as many as puzzles; not given for a table of both.
    ///     column: The name of the puzzles' column, "puzzle" if not given.
    ///     answer_column: The name of the answers' column, "solution" if not given.
    ///     details: Return a struct of `right`, `status` ("right", "wrong" or "malformed") and `reason`.
    ///     threads: The number of threads: 1, the default, or more; 0 for one on each core.
    ///     progress: True shows a progress bar of tqdm, or without tqdm a line on stderr. A bar of tqdm is
    ///         updated.
    ///
    /// Returns:
    ///     bool, false for a malformed puzzle or answer. Null if either is null.
    ///
    /// Example:
    ///     >>> import ninefold, pyarrow
    ///     >>> puzzles = pyarrow.array(["53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"])
    ///     >>> ninefold.verify_array(puzzles, ninefold.solve_array(puzzles)).to_pylist()
    ///     [True]
    verify_array[details](answers: Option<&Bound<'py, PyAny>> = None;; answer_column) => |puzzles, how| {
        let other = ColumnPick { name: answer_column, usual: "solution" };
        answer_two(puzzles, (answers, other, "answers"), jobs::verify(), how)
    };

    /// Finds a map from each puzzle to another that differs in looks only.
    ///
    /// Args:
    ///     puzzles: As in `solve_array`, or a table that has both columns.
    ///     others: The other puzzles, as many; not given for a table of both.
    ///     column: The name of the puzzles' column, "puzzle" if not given.
    ///     other_column: The name of the other puzzles' column, "other" if not given.
    ///     details: Return a struct of `map`, `status` ("isomorphic", "different" or "malformed") and
    ///         `reason`.
    ///     threads: The number of threads: 1, the default, or more; 0 for one on each core.
    ///     progress: True shows a progress bar of tqdm, or without tqdm a line on stderr. A bar of tqdm is
    ///         updated.
    ///
    /// Returns:
    ///     The text of each map, for `Isomorphism.parse`; empty if there is none. Null if either puzzle
    ///     is null.
    ///
    /// Example:
    ///     >>> import ninefold, pyarrow
    ///     >>> one, other = pyarrow.array(["1" + "." * 80]), pyarrow.array(["." * 80 + "9"])
    ///     >>> ninefold.isomorphism_array(one, other).to_pylist()[0][-10:]
    ///     'd912345678'
    isomorphism_array[details](others: Option<&Bound<'py, PyAny>> = None;; other_column) => |puzzles, how| {
        let other = ColumnPick { name: other_column, usual: "other" };
        answer_two(puzzles, (others, other, "other puzzles"), jobs::isomorphism(), how)
    };
}

/// What neighbors are wanted.
fn around(minus: i64, plus: i64, pattern: Option<&str>, needed: bool) -> PyResult<Around> {
    let change = |name: &str, clues: i64| {
        let clues = usize::try_from(clues).ok().filter(|&clues| clues <= MOST_CLUES);
        let message = || format!("{name}: expected 0 to {MOST_CLUES}");
        clues.ok_or_else(|| PyValueError::new_err(message()))
    };
    let (minus, plus) = (change("minus", minus)?, change("plus", plus)?);
    let same_cells = match pattern {
        None => false,
        Some("same") if minus == plus => true,
        Some("same") => {
            return Err(PyValueError::new_err("pattern=\"same\": minus and plus must be equal"));
        }
        Some(_) => return Err(PyValueError::new_err("pattern: expected \"same\" or None")),
    };
    Ok(Around { minus, plus, same_cells, needed })
}

/// Which minimal puzzles are wanted.
fn which_of(which: &str, max: i64, seed: u64) -> PyResult<Which> {
    Ok(match which {
        "one" => Which::One(seed),
        "fewest" => Which::Fewest,
        "all" => Which::All(positive("max", max)?.get() as u64),
        _ => {
            let message = "which: expected \"one\", \"fewest\" or \"all\"";
            return Err(PyValueError::new_err(message));
        }
    })
}
