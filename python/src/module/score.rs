//! Predictions judged.

use crate::arrow::ColumnPick;
use crate::jobs::{self, Totals};
use crate::module::arrays::{CallOptions, ask, columns, functions};
use crate::module::values::joined;
use crate::module::watch::lock;
use ninefold::verify::{Accuracy, By, ScoreCount, Scores};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};
use std::sync::{Arc, Mutex};

functions! {
    /// Tells how good predictions are, such as those of a model.
    ///
    /// The truth of a row is its answer, if answers are given and this one is right by the rules; else the only solution of
    /// the puzzle, which is searched. A row has no score if its truth is not known or no cell is blank.
    ///
    /// A prediction is 81 cells. White space around a text is ignored. A cell that is no digit is blank, and so wrong. A
    /// prediction that is null, or has another length, is missing: none of its cells is right.
    ///
    /// Args:
    ///     puzzles: As in `solve_array`, or a table that has all columns.
    ///     predictions: As many as puzzles; not given for a table.
    ///     answers: The answers of the set, as many as puzzles, or None.
    ///     by: Also count each bucket of rows: "clues", "grade", "er", or "er:0.5" for ratings in buckets of this width; the
    ///         name of another column of the table; or a sequence with a value for each row.
    ///     column: The name of the puzzles' column, "puzzle" if not given.
    ///     prediction_column: The name of the predictions' column, "prediction" if not given.
    ///     answer_column: The name of the column of a table that has the answers; without it, puzzles are solved.
    ///     details: Return a pair: the totals, and a struct of `cells` (the share of the blank cells that are right),
    ///         `right_cells`, `blank_cells`, `complete`, `legal`, `keeps_clues` and `exact` for each row.
    ///     threads: The number of threads: 1, the default, or more; 0 for one on each core.
    ///     progress: True shows a progress bar of tqdm, or without tqdm a line on stderr. A bar of tqdm is
    ///         updated.
    ///
    /// Returns:
    ///     A dict. `exact_accuracy` is the share of rows that are exact, `cell_accuracy` that of the blank cells of all rows
    ///     together, and `mean_cell_accuracy_of_rows` the mean of the shares of all rows; None without rows. The other keys
    ///     are counts: `rows` with a score, of which `exact`, `complete`, `legal`, `keeps_clues`, `missing` and `valid` (solutions,
    ///     exact or not); `right_cells`, `blank_cells`; `unscored` rows; `wrong_answers`. With `by`, the key `by` has such a dict for each bucket.
    ///
    /// Example:
    ///     >>> import ninefold
    ///     >>> puzzle = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
    ///     >>> totals = ninefold.evaluate([puzzle, puzzle], [ninefold.solve(puzzle), puzzle])
    ///     >>> totals["exact_accuracy"], totals["right_cells"], totals["blank_cells"]
    ///     (0.5, 51, 102)
    evaluate[details](
        predictions: Option<&Bound<'py, PyAny>> = None, answers: Option<&Bound<'py, PyAny>> = None;
        by: Option<&Bound<'py, PyAny>> = None; prediction_column, answer_column
    ) => |puzzles, how| {
        let (py, mut how) = (puzzles.py(), how);
        let (by, names) = buckets(puzzles, by)?;
        let has_answers = answers.is_some() || answer_column.is_some();
        if predictions.is_some() && answers.is_none() && has_answers {
            let message = "answer_column names a column of a table that has all columns; give answers=";
            return Err(PyValueError::new_err(message));
        }
        let pick = |name: Option<String>, usual| ColumnPick { name, usual };
        let mut others = vec![(predictions, pick(prediction_column, "prediction"), "predictions")];
        if has_answers {
            others.push((answers, pick(answer_column, "solution"), "answers"));
        }
        if names.is_some() {
            others.push((names.as_ref(), pick(None, "by"), "buckets"));
        }
        let totals = Arc::new(Mutex::new(Totals::default()));
        let question = jobs::score(by, has_answers, Arc::clone(&totals));
        let objects = columns(puzzles, how.column.take(), others);
        let mut asked = ask(py, objects, question, &how)?;
        // All of a stream is read now, because the totals are returned with the rows.
        let mut pieces = Vec::new();
        asked.each(py, |piece| {
            if how.details {
                pieces.push(piece);
            }
        })?;
        let totals = lock(&totals);
        let found = described(py, &totals.all)?;
        if !totals.buckets.is_empty() {
            let buckets = PyDict::new(py);
            for (name, counts) in &totals.buckets {
                buckets.set_item(name, described(py, counts)?)?;
            }
            found.set_item("by", buckets)?;
        }
        if !how.details {
            return Ok(found.into_any());
        }
        Ok((found, asked.finished(py, joined(&pieces)?)?).into_pyobject(py)?.into_any())
    };
}

/// What defines the buckets, and their names if they do not follow from the puzzles.
fn buckets<'py>(
    puzzles: &Bound<'py, PyAny>,
    by: Option<&Bound<'py, PyAny>>,
) -> PyResult<(Option<By>, Option<Bound<'py, PyAny>>)> {
    let Some(given_by) = by else { return Ok((None, None)) };
    let (by, values) = match given_by.cast::<PyString>() {
        Ok(text) => (text.to_str()?.parse().map_err(PyValueError::new_err)?, puzzles),
        Err(_) => (By::Column(String::new()), given_by),
    };
    let By::Column(name) = &by else { return Ok((Some(by), None)) };
    let given = puzzles.py().import("ninefold._given")?;
    let name = (!values.is(given_by)).then_some(name);
    let names = given.call_method1("bucket_names", (values, name))?;
    Ok((Some(by), Some(names)))
}

/// Counts and shares as a dict.
fn described<'py>(py: Python<'py>, counts: &Scores) -> PyResult<Bound<'py, PyDict>> {
    let found = PyDict::new(py);
    let accuracy = Accuracy::of(counts);
    found.set_item("exact_accuracy", accuracy.map(|it| it.exact))?;
    found.set_item("cell_accuracy", accuracy.map(|it| it.cells))?;
    found.set_item("mean_cell_accuracy_of_rows", accuracy.map(|it| it.mean_of_rows))?;
    for (count, number) in ScoreCount::ALL.iter().zip(counts) {
        // Whether an answer is the only one is not searched.
        if ![ScoreCount::Shares, ScoreCount::NotOnly].contains(count) {
            found.set_item(count.name().trim_start_matches("score."), number)?;
        }
    }
    Ok(found)
}
