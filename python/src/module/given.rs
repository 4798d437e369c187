//! What a function was given: an Arrow array, an Arrow stream, or digits in a buffer.

use crate::arrow::{Chunks, Column, Given, Pick};
use crate::module::capsule;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyMemoryView};

/// An argument.
pub(super) struct Argument {
    pub(super) chunks: Chunks,
    pub(super) form: Form,
}

/// The form of an argument, which the result mirrors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// An Arrow array.
    Array,
    /// An Arrow stream.
    Stream,
    /// A buffer of digits, in 9 rows of 9 or in 81 cells.
    Buffer { numpy: bool, square: bool },
}

/// What is accepted.
const EXPECTED: &str = "expected an Arrow array or stream (of pyarrow, polars, pandas 3, DuckDB, …) \
    or a numpy array of uint8 with shape (n, 81) or (n, 9, 9)";

/// Takes an argument, of which these columns are read.
pub(super) fn argument(object: &Bound<'_, PyAny>, picks: Vec<Pick>) -> PyResult<Argument> {
    let (given, form) = if let Ok(method) = object.getattr("__arrow_c_array__") {
        (Given::Array(capsule::take_array(&method.call0()?)?), Form::Array)
    } else if let Ok(method) = object.getattr("__arrow_c_stream__") {
        (Given::Stream(capsule::take_stream(&method.call0()?)?), Form::Stream)
    } else {
        let (digits, form) = digits(object)?;
        if picks.len() > 1 || picks.iter().any(|pick| pick.name.is_some()) {
            return Err(PyTypeError::new_err("a numpy array has no columns"));
        }
        (Given::Digits(digits), form)
    };
    Ok(Argument { chunks: Chunks::new(given, picks), form })
}

/// The digits of a buffer.
fn digits(object: &Bound<'_, PyAny>) -> PyResult<(Column, Form)> {
    let name = object.get_type().fully_qualified_name()?;
    let Ok(view) = PyMemoryView::from(object) else {
        let hint = if name.to_str()? == "list" || name.to_str()? == "tuple" {
            "; make one with pyarrow.array(…) or polars.Series(…)"
        } else {
            ""
        };
        return Err(PyTypeError::new_err(format!("{EXPECTED}, found {name}{hint}")));
    };
    let format: String = view.getattr("format")?.extract()?;
    let shape: Vec<usize> = view.getattr("shape")?.extract()?;
    let square = match (&*format, &*shape) {
        ("B", [_, 81]) => false,
        ("B", [_, 9, 9]) => true,
        ("B", _) => {
            let message = format!("{EXPECTED}, found shape {:?}", view.getattr("shape")?.str()?);
            return Err(PyTypeError::new_err(message.replace('"', "")));
        }
        _ => {
            let message = format!("{EXPECTED}, found {name} with items of format '{format}'");
            return Err(PyTypeError::new_err(message));
        }
    };
    // Before Python 3.11 the stable interface has no buffers, so the bytes are copied.
    let bytes = view.call_method0("tobytes")?.cast_into::<PyBytes>()?;
    let numpy = object.get_type().mro().iter().any(|class| {
        class
            .getattr("__module__")
            .and_then(|it| it.extract::<String>())
            .is_ok_and(|it| it == "numpy")
    });
    Ok((Column::of_digits(bytes.as_bytes().to_vec()), Form::Buffer { numpy, square }))
}
