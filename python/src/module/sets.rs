//! Data sets: copies, splits, and banks of puzzles.

use crate::arrow::ColumnPick;
use crate::jobs::{self, SharedBank, read};
use crate::module::arrays::{
    CallOptions, PendingAnswers, answer_one, answer_two, ask_one, functions,
};
use crate::module::errors::python;
use crate::module::one::{all_named, count_up_to, named, names_of, positive, puzzle_of, seed_of};
use crate::module::watch::warn;
use arrow_array::builder::{ArrayBuilder, BooleanBuilder};
use arrow_array::cast::AsArray;
use arrow_array::{Array, BooleanArray, make_array};
use ninefold::augment::Augment;
use ninefold::bank::{Key, Known, Same};
use ninefold::engine::Answer;
use ninefold::names::NameSet;
use ninefold::select::Split;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyTuple};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, PoisonError, RwLock};

functions! {
    /// Makes random isomorphic copies of the puzzles of an array, and of their answers alike.
    ///
    /// A copy has other digits, rows and columns, and may be transposed. Nothing is solved: a right answer stays
    /// right. The copies of a puzzle depend on the seed and its cells alone. They are those of
    /// `ninefold augment --seed`, and n=8 begins with the copies of n=4.
    ///
    /// Args:
    ///     puzzles: As in `solve_array`, or a table that has both columns.
    ///     answers: The answers, as many as puzzles. A null has no answer.
    ///     n: The number of copies of each row. They all differ.
    ///     seed: The seed of all transformations.
    ///     kinds: Change these alone: "digits", "rows", "columns", "transpose".
    ///     include_original: Put the row itself before its copies, so that it has n + 1 results.
    ///     column: The name of the puzzles' column, "puzzle" if not given.
    ///     answer_column: The name of the answers' column in a table of both.
    ///     details: Return a struct of `puzzle`, `solution`, `map` (for `Isomorphism.parse`), `status`
    ///         ("augmented", "few", "unreadable" or "malformed") and `reason`.
    ///     threads: The number of threads: 1, the default, or more; 0 for one on each core.
    ///     progress: True shows a progress bar of tqdm, or without tqdm a line on stderr. A bar of tqdm is
    ///         updated.
    ///
    /// Returns:
    ///     n results for each row, one row after the other, in the type of the input; pandas repeats the
    ///     index. With answers a struct of `puzzle` and `solution`, two arrays for numpy and torch. The copies of a
    ///     null are null; those of a malformed puzzle, or of one with fewer different copies, are empty (or
    ///     zeros), and so are those of a row whose answer is no grid, with a warning.
    ///
    /// Example:
    ///     >>> import ninefold, numpy
    ///     >>> puzzles = numpy.zeros((5, 9, 9), numpy.uint8)
    ///     >>> puzzles[:, 0, 0] = 1
    ///     >>> ninefold.augment_array(puzzles, n=4, seed=7).shape
    ///     (20, 9, 9)
    augment_array[details](
        answers: Option<&Bound<'py, PyAny>> = None, n: i64 = 1, #[pyo3(from_py_with = seed_of)] seed: u64 = 1;
        #[pyo3(from_py_with = names_of)] kinds: Option<Vec<String>> = None, include_original: bool = false;
        answer_column
    ) => |puzzles, how| {
        let changes = kinds.map_or(Ok(NameSet::ALL), |names| all_named("kinds", &names))?;
        let copies = positive("n", n)?.get() as u64;
        let augment = Augment { copies, seed, changes, include_original, map: true };
        augment.check().map_err(|error| PyValueError::new_err(format!("n={n}: {error}")))?;
        let mut question = jobs::augment(augment);
        if answers.is_none() && answer_column.is_none() {
            return answer_one(puzzles, question, how);
        }
        if !how.details {
            question.columns = &question.columns[..2];
        }
        let how = CallOptions { details: true, ..how };
        let other = ColumnPick { name: answer_column, usual: "solution" };
        answer_two(puzzles, (answers, other, "answers"), question, how)
    };

    /// Divides the puzzles of an array into parts, such as training and test data.
    ///
    /// Rows of a class are in the same part, so that no puzzle of one part is a disguised one of another. The hash
    /// of the class decides: a row is in the same part in every array, file, process and machine. The parts are
    /// those of `ninefold select --split --seed`.
    ///
    /// Args:
    ///     puzzles: As in `solve_array`.
    ///     parts: The share of each part, by its name. Shares add up to 1.
    ///     seed: The seed of the split.
    ///     group: The classes: "form", isomorphic puzzles; "solution", puzzles whose only solutions are
    ///         isomorphic; "row", equal puzzles, which are those of the program if `.` is their blank.
    ///     column: The name of the column.
    ///     threads: The number of threads: 1, the default, or more; 0 for one on each core.
    ///     progress: True shows a progress bar of tqdm, or without tqdm a line on stderr. A bar of tqdm is
    ///         updated.
    ///
    /// Returns:
    ///     The name of the part for each row, null for a null. A row that is not a puzzle has a part by its
    ///     text.
    ///
    /// Example:
    ///     >>> import ninefold
    ///     >>> puzzles = ["1" + "." * 80, "." * 80 + "2"]
    ///     >>> parts = ninefold.split_array(puzzles, {"train": 0.9, "test": 0.1})
    ///     >>> parts[0] == parts[1]
    ///     True
    split_array(
        parts: &Bound<'py, PyDict>, #[pyo3(from_py_with = seed_of)] seed: u64 = 1, group: &str = "form";
    ) => |puzzles, how| {
        let group = named("group", group)?;
        let shares = parts.iter().map(|(name, share)| Ok((name.extract()?, share.extract()?)));
        let split = Split::try_from(shares.collect::<PyResult<Vec<(String, f64)>>>()?);
        let split = split.map_err(|error| PyValueError::new_err(format!("parts: {error}")))?;
        answer_one(puzzles, jobs::parts(group, seed, split), how)
    };
}

/// Puzzles in which others are looked for: for leaks between data sets, and for duplicates.
///
/// It can be pickled and sent to workers; equal banks have equal pickles. It takes 34 to 38 bytes for each
/// different puzzle. Nulls and malformed rows are places without a puzzle. Malformed rows are counted in
/// `malformed`, with a warning; a bank without any puzzle of its rows is an `ArrayError`.
///
/// Args:
///     puzzles: As in `solve_array`.
///     same: "isomorphic", up to symmetry, or "exact", the same clues in the same cells.
///     column: The name of the column.
///     threads: The number of threads: 1, the default, or more; 0 for one on each core.
///     progress: True shows a progress bar of tqdm, or without tqdm a line on stderr. A bar of tqdm is
///         updated.
///
/// Example:
///     >>> import ninefold
///     >>> bank = ninefold.Bank(["1" + "." * 80, "12" + "." * 79, "." * 80 + "5"])
///     >>> len(bank), "7" + "." * 80 in bank
///     (2, True)
///     >>> bank.contains_array(["7" + "." * 80, "1" * 81])
///     [True, False]
///     >>> bank.first_array(["." * 9 + "34" + "." * 70, "." * 81])
///     [1, -1]
///     >>> bank.add_array(["5" + "." * 80, "." * 81, "." * 81])
///     [False, True, False]
#[pyclass(frozen, module = "ninefold")]
pub(super) struct Bank {
    known: SharedBank,
    malformed: AtomicU64,
}

impl Bank {
    /// Looks at the puzzles. Another thread may be adding some, so the GIL is released.
    fn look<T: Send>(&self, py: Python<'_>, at: impl FnOnce(&Known) -> T + Send) -> T {
        py.detach(|| at(&read(&self.known)))
    }

    /// Adds the puzzles of an array. Returns which are new, and what to say of rows without a puzzle.
    fn add<'py>(
        &self,
        puzzles: &Bound<'py, PyAny>,
        how: CallOptions<'py>,
    ) -> PyResult<(PendingAnswers<'py>, BooleanArray, Option<String>)> {
        let py = puzzles.py();
        let mut asked = ask_one(puzzles, jobs::keys(Arc::clone(&self.known)), how)?;
        let (mut new, mut refused, mut first) = (BooleanBuilder::new(), 0, None);
        asked.each(py, |data| {
            let rows = make_array(data);
            let (keys, reasons) = (rows.as_struct().column(0), rows.as_struct().column(1));
            let (keys, reasons) = (keys.as_binary::<i32>(), reasons.as_string::<i32>());
            for (number, reason) in reasons.iter().enumerate() {
                let Some(reason) = reason else { continue };
                first.get_or_insert_with(|| format!("row {}: {reason}", new.len() + number));
                refused += 1;
            }
            let key = |bytes: Option<&[u8]>| bytes?.try_into().ok().map(Key::from_bytes);
            let keys: Vec<_> = keys.iter().map(key).collect();
            let mut known = self.known.write().unwrap_or_else(PoisonError::into_inner);
            for (place, is_new) in known.add(&keys).into_iter().enumerate() {
                new.append_option(rows.is_valid(place).then_some(is_new));
            }
        })?;
        self.malformed.fetch_add(refused, Ordering::Relaxed);
        let rows = new.len();
        let message =
            first.map(|first| format!("{refused} of {rows} rows without a puzzle; {first}"));
        Ok((asked, new.finish(), message))
    }
}

#[pymethods]
impl Bank {
    #[new]
    #[pyo3(signature = (puzzles, *, same="isomorphic", column=None, threads=1, progress=None))]
    fn new<'py>(
        puzzles: &Bound<'py, PyAny>,
        same: &str,
        column: Option<String>,
        threads: i64,
        progress: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Self> {
        let known = Arc::new(RwLock::new(Known::new(named("same", same)?)));
        let bank = Self { known, malformed: AtomicU64::new(0) };
        let how = CallOptions { column, details: true, threads, progress };
        let (_, rows, message) = bank.add(puzzles, how)?;
        if !rows.is_empty() && bank.look(puzzles.py(), Known::is_empty) {
            let message = message.unwrap_or_else(|| "all rows are null".to_owned());
            return Err(python::ArrayError::new_err(format!("no puzzles: {message}")));
        }
        message.map_or(Ok(()), |message| warn(puzzles.py(), message))?;
        Ok(bank)
    }

    /// Adds puzzles, and tells which are new.
    ///
    /// Arguments as in `solve_array`. Their rows are counted on from those before. A stream is consumed.
    ///
    /// Returns:
    ///     bool, false for a malformed puzzle. Null for a null.
    #[pyo3(signature = (puzzles, *, column=None, threads=1, progress=None))]
    fn add_array<'py>(
        &self,
        puzzles: &Bound<'py, PyAny>,
        column: Option<String>,
        threads: i64,
        progress: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let how = CallOptions { column, details: true, threads, progress };
        let (asked, new, message) = self.add(puzzles, how)?;
        message.map_or(Ok(()), |message| warn(puzzles.py(), message))?;
        asked.finished(puzzles.py(), new.to_data())
    }

    /// Tells which puzzles the bank has.
    ///
    /// Arguments as in `solve_array`.
    ///
    /// Returns:
    ///     bool, false for a malformed puzzle. Null for a null.
    #[pyo3(signature = (puzzles, *, column=None, threads=1, progress=None))]
    fn contains_array<'py>(
        &self,
        puzzles: &Bound<'py, PyAny>,
        column: Option<String>,
        threads: i64,
        progress: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let how = CallOptions { column, details: false, threads, progress };
        answer_one(puzzles, jobs::contains(Arc::clone(&self.known)), how)
    }

    /// Finds the row of each puzzle in the bank, the first one, counted from 0.
    ///
    /// Arguments as in `solve_array`.
    ///
    /// Returns:
    ///     int64, -1 if the bank does not have it. Null for a null.
    #[pyo3(signature = (puzzles, *, column=None, threads=1, progress=None))]
    fn first_array<'py>(
        &self,
        puzzles: &Bound<'py, PyAny>,
        column: Option<String>,
        threads: i64,
        progress: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let how = CallOptions { column, details: false, threads, progress };
        answer_one(puzzles, jobs::first(Arc::clone(&self.known)), how)
    }

    /// Whether the bank has a puzzle.
    fn __contains__(&self, puzzle: &Bound<'_, PyAny>) -> PyResult<bool> {
        let (py, puzzle) = (puzzle.py(), puzzle_of(puzzle)?);
        let solved = match self.look(py, Known::same) {
            Same::Exact => None,
            Same::Isomorphic => Some(count_up_to(py, &puzzle, 2)?),
        };
        let solution = solved.as_ref().and_then(Answer::solution);
        Ok(self.look(py, |known| known.first(known.keys().of(&puzzle, solution)).is_some()))
    }

    /// The number of different puzzles.
    fn __len__(&self, py: Python<'_>) -> usize {
        self.look(py, Known::len)
    }

    /// The number of rows so far that were not puzzles.
    #[getter]
    fn malformed(&self) -> u64 {
        self.malformed.load(Ordering::Relaxed)
    }

    fn __repr__(&self, py: Python<'_>) -> String {
        let (puzzles, same) = self.look(py, |known| (known.len(), known.same()));
        format!("<ninefold.Bank of {puzzles} puzzles, {same}>")
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let restore = py.get_type::<Self>().getattr("_restored")?;
        let bytes = PyBytes::new(py, &self.look(py, Known::to_bytes));
        (restore, (bytes, self.malformed())).into_pyobject(py)
    }

    /// The bank that `__reduce__` describes.
    #[staticmethod]
    #[pyo3(name = "_restored")]
    fn restored(bytes: &[u8], malformed: u64) -> PyResult<Self> {
        let known = Known::from_bytes(bytes);
        let known = known.ok_or_else(|| PyValueError::new_err("not the bytes of a Bank"))?;
        Ok(Self { known: Arc::new(RwLock::new(known)), malformed: AtomicU64::new(malformed) })
    }
}
