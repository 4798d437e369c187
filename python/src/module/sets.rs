//! Data sets: copies, splits, and banks of puzzles.

use crate::arrow::ColumnPick;
use crate::jobs;
use crate::module::arrays::{CallOptions, answer_one, answer_two, ask_one};
use crate::module::one::{all_named, named, positive};
use arrow_array::cast::AsArray;
use arrow_array::make_array;
use ninefold::augment::Augment;
use ninefold::bank::{Key, Known};
use ninefold::names::NameSet;
use ninefold::select::Split;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use std::sync::Arc;

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
///     zeros).
///
/// Example:
///     >>> import ninefold, numpy
///     >>> puzzles = numpy.zeros((5, 9, 9), numpy.uint8)
///     >>> puzzles[:, 0, 0] = 1
///     >>> ninefold.augment_array(puzzles, n=4, seed=7).shape
///     (20, 9, 9)
#[pyfunction]
#[pyo3(signature = (puzzles, answers=None, n=1, seed=0, *, kinds=None, include_original=false, column=None, answer_column=None, details=false, threads=1, progress=None))]
#[expect(clippy::too_many_arguments, reason = "one for each argument in Python")]
pub(super) fn augment_array<'py>(
    puzzles: &Bound<'py, PyAny>,
    answers: Option<&Bound<'py, PyAny>>,
    n: i64,
    seed: u64,
    kinds: Option<Vec<String>>,
    include_original: bool,
    column: Option<String>,
    answer_column: Option<String>,
    details: bool,
    threads: i64,
    progress: Option<Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let changes = kinds.map_or(Ok(NameSet::ALL), |names| all_named("kinds", &names))?;
    let copies = positive("n", n)?.get() as u64;
    let augment = Augment { copies, seed, changes, include_original, map: true };
    augment.check().map_err(|error| PyValueError::new_err(format!("n={n}: {error}")))?;
    let mut question = jobs::augment(augment);
    if answers.is_none() && answer_column.is_none() {
        return answer_one(puzzles, question, CallOptions { column, details, threads, progress });
    }
    if !details {
        question.columns = &question.columns[..2];
    }
    let how = CallOptions { column, details: true, threads, progress };
    let other = ColumnPick { name: answer_column, usual: "solution" };
    answer_two(puzzles, (answers, "answers"), other, question, how)
}

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
///         isomorphic; "row", equal texts.
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
#[pyfunction]
#[pyo3(signature = (puzzles, parts, seed=0, group="form", *, column=None, threads=1, progress=None))]
pub(super) fn split_array<'py>(
    puzzles: &Bound<'py, PyAny>,
    parts: &Bound<'py, PyDict>,
    seed: u64,
    group: &str,
    column: Option<String>,
    threads: i64,
    progress: Option<Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let group = named("group", group)?;
    let shares = parts.iter().map(|(name, share)| Ok((name.extract()?, share.extract()?)));
    let split = Split::try_from(shares.collect::<PyResult<Vec<(String, f64)>>>()?);
    let split = split.map_err(|error| PyValueError::new_err(format!("parts: {error}")))?;
    let how = CallOptions { column, details: false, threads, progress };
    answer_one(puzzles, jobs::parts(group, seed, split), how)
}

/// Puzzles in which others are looked for: for leaks between data sets, and for duplicates.
///
/// A bank is built once. It can be pickled and sent to workers. It takes 34 to 38 bytes for each different
/// puzzle. Nulls and malformed rows are places without a puzzle.
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
///     >>> len(bank)
///     2
///     >>> bank.contains_array(["7" + "." * 80, "1" * 81])
///     [True, False]
///     >>> bank.first_array(["." * 9 + "34" + "." * 70, "." * 81])
///     [1, -1]
#[pyclass(frozen, module = "ninefold")]
pub(super) struct Bank(Arc<Known>);

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
        let mut known = Known::new(named("same", same)?);
        // The keys are made under the secret of the bank.
        let empty = Known::from_bytes(&known.to_bytes()).expect("its own bytes");
        let how = CallOptions { column, details: false, threads, progress };
        let asked = ask_one(puzzles, jobs::keys(Arc::new(empty)), how)?;
        asked.each(puzzles.py(), |data| {
            let keys = make_array(data.clone());
            if let Some(keys) = keys.as_binary_opt::<i32>() {
                let key = |bytes: Option<&[u8]>| bytes?.try_into().ok().map(Key::from_bytes);
                known.add(&keys.iter().map(key).collect::<Vec<_>>());
            }
        })?;
        Ok(Self(Arc::new(known)))
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
        answer_one(puzzles, jobs::contains(Arc::clone(&self.0)), how)
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
        answer_one(puzzles, jobs::first(Arc::clone(&self.0)), how)
    }

    /// The number of different puzzles.
    fn __len__(&self) -> usize {
        self.0.len()
    }

    fn __repr__(&self) -> String {
        format!("<ninefold.Bank of {} puzzles, {}>", self.0.len(), self.0.same())
    }

    fn __reduce__<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(Bound<'py, PyAny>, (Bound<'py, PyBytes>,))> {
        let restore = py.get_type::<Self>().getattr("_restored")?;
        Ok((restore, (PyBytes::new(py, &self.0.to_bytes()),)))
    }

    /// The bank that `__reduce__` describes.
    #[staticmethod]
    #[pyo3(name = "_restored")]
    fn restored(bytes: &[u8]) -> PyResult<Self> {
        let known = Known::from_bytes(bytes);
        let known = known.ok_or_else(|| PyValueError::new_err("not the bytes of a Bank"))?;
        Ok(Self(Arc::new(known)))
    }
}
