//! Puzzles as digits, as texts and as candidates.

use crate::arrow::RowQuestion;
use crate::jobs;
use crate::module::arrays::{CallOptions, ask_one};
use crate::module::errors::python;
use crate::module::values;
use arrow_array::cast::AsArray;
use arrow_array::{Array as _, make_array};
use arrow_data::ArrayData;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyList;

/// The digits of puzzles, 0 for a blank.
///
/// Args:
///     texts: As in `solve_array`.
///     column: The name of the column.
///     threads: The number of threads: 1, the default, or more; 0 for one on each core.
///
/// Returns:
///     A numpy array of uint8 with shape (n, 81).
///
/// Raises:
///     MalformedError: A row is not a puzzle of 81 cells; the message has its number.
///
/// Example:
///     >>> import ninefold
///     >>> ninefold.tokens(["53" + "." * 79]).shape
///     (1, 81)
#[pyfunction]
#[pyo3(signature = (texts, *, column=None, threads=1))]
pub(super) fn tokens<'py>(
    texts: &Bound<'py, PyAny>,
    column: Option<String>,
    threads: i64,
) -> PyResult<Bound<'py, PyAny>> {
    let mut pieces = all(texts, jobs::tokens(), column, threads)?;
    let data = if pieces.len() == 1 { pieces.remove(0) } else { values::joined(&pieces)? };
    values::numpy(texts.py(), data)
}

/// The texts of puzzles, of arrays of digits for instance.
///
/// Args:
///     tokens: As in `solve_array`.
///     blank: The character of a blank: "0", or ".", "_", "*" or "-".
///     column: The name of the column.
///     threads: The number of threads: 1, the default, or more; 0 for one on each core.
///
/// Returns:
///     A list of strings.
///
/// Raises:
///     MalformedError: A row is not a puzzle; the message has its number.
///
/// Example:
///     >>> import ninefold
///     >>> ninefold.texts(ninefold.tokens(["53" + "." * 79]))[0][:4]
///     '5300'
#[pyfunction]
#[pyo3(signature = (tokens, *, blank='0', column=None, threads=1))]
pub(super) fn texts<'py>(
    tokens: &Bound<'py, PyAny>,
    blank: char,
    column: Option<String>,
    threads: i64,
) -> PyResult<Bound<'py, PyList>> {
    let blank = u8::try_from(blank).ok().filter(|byte| b".0_*-".contains(byte));
    let wrong = || PyValueError::new_err("blank: expected \"0\", \".\", \"_\", \"*\" or \"-\"");
    let blank = blank.ok_or_else(wrong)?;
    let list = PyList::empty(tokens.py());
    for data in all(tokens, jobs::texts(blank), column, threads)? {
        list.call_method1("extend", (values::list(tokens.py(), &data)?,))?;
    }
    Ok(list)
}

/// The results for all rows, piece by piece. Each has one.
fn all(
    puzzles: &Bound<'_, PyAny>,
    question: RowQuestion,
    column: Option<String>,
    threads: i64,
) -> PyResult<Vec<ArrayData>> {
    let how = CallOptions { column, details: true, threads, progress: None };
    let (mut pieces, mut rows) = (Vec::new(), 0);
    ask_one(puzzles, question, how)?.each(puzzles.py(), |data| pieces.push(data))?;
    for data in &mut pieces {
        let piece = make_array(data.clone());
        let [found, reasons] = [0, 1].map(|column| piece.as_struct().column(column));
        if let Some(row) = (0..piece.len()).find(|&row| found.is_null(row)) {
            let reason = reasons.as_string_opt::<i32>().filter(|reasons| reasons.is_valid(row));
            let reason = reason.map_or("null", |reasons| reasons.value(row));
            return Err(python::MalformedError::new_err(format!("row {}: {reason}", rows + row)));
        }
        rows += piece.len();
        *data = found.to_data();
    }
    Ok(pieces)
}
