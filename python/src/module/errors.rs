//! Exceptions. Their classes are in `ninefold/_errors.py`.

use crate::arrow::ArrayError;
use pyo3::PyErr;
use std::fmt::Display;

pub(super) mod python {
    //! The classes.
    pyo3::import_exception!(ninefold._errors, ArrayError);
    pyo3::import_exception!(ninefold._errors, ConflictError);
    pyo3::import_exception!(ninefold._errors, IncompleteError);
    pyo3::import_exception!(ninefold._errors, MalformedError);
    pyo3::import_exception!(ninefold._errors, MultipleSolutionsError);
    pyo3::import_exception!(ninefold._errors, NoSolutionError);
    pyo3::import_exception!(ninefold._errors, WrongAnswerError);
    pyo3::import_exception!(ninefold._errors, WrongTypeError);
}

/// A text is not a puzzle.
pub(super) fn malformed(reason: &dyn Display) -> PyErr {
    python::MalformedError::new_err(format!("malformed puzzle: {reason}"))
}

/// An array has no answer.
impl From<ArrayError> for PyErr {
    fn from(error: ArrayError) -> Self {
        python::ArrayError::new_err(error.to_string())
    }
}
