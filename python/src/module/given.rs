//! Arguments: an Arrow array, an Arrow stream, a list of texts, or digits.
//!
//! Objects of pandas, numpy and torch, and lists, are turned into these by `ninefold/_given.py`.

use crate::arrow::{ColumnPick, InputPieces, digits_array};
use crate::module::capsule;
use crate::module::errors::python;
use crate::module::watch::take_turns;
use arrow_array::builder::LargeStringBuilder;
use arrow_array::{Array, LargeStringArray};
use arrow_buffer::NullBuffer;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList, PyString, PyTuple};
use std::time::Instant;

/// The form of an argument, which the result mirrors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum InputForm {
    /// An Arrow array.
    Array,
    /// An Arrow stream.
    Stream,
    /// Digits of numpy.
    Numpy,
}

/// The arguments of a call, the form of the result, what turns it into an object of the library that was given, and the
/// number of rows, if it is known.
type CallInputs<'py> = (Vec<InputPieces>, InputForm, Option<Bound<'py, PyAny>>, Option<usize>);

/// An object, the columns of it that are read, and a word for the values of each.
pub(super) type NamedInput<'a, 'py> = (&'a Bound<'py, PyAny>, Vec<ColumnPick>, &'static str);

/// The bytes of digits, their type, and which rows are valid, if not all are.
type ListedDigits = (Vec<u8>, String, Option<Vec<bool>>);

/// Takes the arguments of a call.
pub(super) fn take<'py>(
    py: Python<'py>,
    objects: Vec<NamedInput<'_, 'py>>,
    has_reason: bool,
) -> PyResult<CallInputs<'py>> {
    let named = |(object, picks, what): &NamedInput<'_, 'py>| {
        let names: Vec<_> =
            picks.iter().map(|it| it.name.as_deref().unwrap_or(it.usual).to_owned()).collect();
        (*object, names, *what).into_pyobject(py)
    };
    let named = objects.iter().map(named).collect::<PyResult<Vec<_>>>()?;
    let take = py.import("ninefold._given")?.getattr("take")?;
    let (given, back, rows): (Vec<Bound<'py, PyAny>>, Option<Bound<'py, PyAny>>, Option<usize>) =
        take.call1(PyTuple::new(py, named)?)?.extract()?;
    let inputs = given.iter().zip(objects).map(|(given, (_, picks, what))| {
        // Each cell of a prediction is judged by itself.
        input(given, picks, !has_reason && what != "predictions")
    });
    let (inputs, forms): (Vec<_>, Vec<_>) =
        inputs.collect::<PyResult<Vec<_>>>()?.into_iter().unzip();
    let form = if forms.contains(&InputForm::Stream) { InputForm::Stream } else { forms[0] };
    Ok((inputs, form, back, rows))
}

/// An argument, of which these columns are read; see [`InputPieces::of_array`].
fn input(
    object: &Bound<'_, PyAny>,
    picks: Vec<ColumnPick>,
    refuses: bool,
) -> PyResult<(InputPieces, InputForm)> {
    if let Ok(method) = object.getattr("__arrow_c_array__") {
        let array = capsule::take_array(&method.call0()?)?;
        return Ok((InputPieces::of_array(array, picks, refuses), InputForm::Array));
    }
    if let Ok(method) = object.getattr("__arrow_c_stream__") {
        let stream = capsule::take_stream(&method.call0()?)?;
        return Ok((InputPieces::of_stream(stream, picks), InputForm::Stream));
    }
    if picks.len() > 1 || picks.iter().any(|pick| pick.name.is_some()) {
        let message = "a list or an array without names has no columns";
        return Err(python::WrongTypeError::new_err(message));
    }
    let (array, form) = if let Ok(list) = object.cast::<PyList>() {
        (texts(list)?.to_data(), InputForm::Array)
    } else if let Ok((bytes, kind, valid)) = object.extract::<ListedDigits>() {
        (digits_array(bytes.into(), &kind, valid.map(NullBuffer::from))?, InputForm::Array)
    } else {
        let (bytes, kind) = capsule::numpy_bytes(object)?;
        (digits_array(bytes, &kind, None)?, InputForm::Numpy)
    };
    Ok((InputPieces::of_array(array, picks, refuses), form))
}

/// The texts of a list of strings or of bytes, and nulls.
fn texts(list: &Bound<'_, PyList>) -> PyResult<LargeStringArray> {
    let (mut texts, mut turn) = (LargeStringBuilder::new(), Instant::now());
    for text in list {
        take_turns(list.py(), &mut turn)?;
        // Neither a lone surrogate nor a byte that is not UTF-8 is a cell of a puzzle.
        if let Ok(text) = text.cast::<PyString>() {
            texts.append_value(text.to_string_lossy());
        } else if let Ok(bytes) = text.cast::<PyBytes>() {
            texts.append_value(String::from_utf8_lossy(bytes.as_bytes()));
        } else {
            texts.append_null();
        }
    }
    Ok(texts.finish())
}
