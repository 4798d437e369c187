//! Arrow values as Python objects and as arrays of numpy.

use crate::arrow::ArrayError;
use crate::module::classes::Array;
use crate::module::watch::take_turns;
use arrow_array::cast::AsArray;
use arrow_array::types::{Float64Type, Int64Type, UInt8Type, UInt16Type};
use arrow_array::{Array as _, make_array};
use arrow_buffer::{ArrowNativeType, Buffer};
use arrow_data::ArrayData;
use arrow_data::transform::MutableArrayData;
use arrow_schema::DataType;
use pyo3::IntoPyObjectExt;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyString, PyTuple};
use std::ops::Range;
use std::time::Instant;

/// Postpones the full collections of Python's garbage collector while many lists and dictionaries are made.
///
/// A full collection looks at all objects and holds the GIL. Python 3.11 has 10 of them while it makes 2 million
/// objects, and they take longer than the making. Young objects are collected as usual. Python 3.14.0 to 3.14.4 have
/// no full collections and ignore the threshold.
pub(super) fn without_full_collections<T>(
    py: Python<'_>,
    make: impl FnOnce() -> PyResult<T>,
) -> PyResult<T> {
    type Thresholds = (i32, i32, i32);
    let gc = py.import("gc")?;
    let (young, middle, usual): Thresholds = gc.call_method0("get_threshold")?.extract()?;
    gc.call_method1("set_threshold", (young, middle, i32::MAX))?;
    let made = make();
    // Thresholds that another thread has set meanwhile stay.
    if let (young, middle, i32::MAX) = gc.call_method0("get_threshold")?.extract::<Thresholds>()? {
        gc.call_method1("set_threshold", (young, middle, usual))?;
    }
    made
}

/// A list of the values of an array. Signal handlers and other threads run meanwhile.
pub(super) fn list<'py>(py: Python<'py>, data: &ArrayData) -> PyResult<Bound<'py, PyList>> {
    let (array, mut turn) = (make_array(data.clone()), Instant::now());
    let value = |place| take_turns(py, &mut turn).and_then(|()| value(py, array.as_ref(), place));
    let make = || PyList::new(py, (0..array.len()).map(value).collect::<PyResult<Vec<_>>>()?);
    if data.data_type().is_nested() { without_full_collections(py, make) } else { make() }
}

/// A list of some values of an array.
fn items<'py>(
    py: Python<'py>,
    array: &dyn arrow_array::Array,
    range: Range<usize>,
) -> PyResult<Bound<'py, PyAny>> {
    let values = range.map(|place| value(py, array, place)).collect::<PyResult<Vec<_>>>()?;
    Ok(PyList::new(py, values)?.into_any())
}

/// A value of an array.
pub(super) fn value<'py>(
    py: Python<'py>,
    array: &dyn arrow_array::Array,
    place: usize,
) -> PyResult<Bound<'py, PyAny>> {
    if array.is_null(place) {
        return Ok(py.None().into_bound(py));
    }
    let text = |text: &str| PyString::new(py, text).into_any();
    Ok(match array.data_type() {
        DataType::Utf8 => text(array.as_string::<i32>().value(place)),
        DataType::LargeUtf8 => text(array.as_string::<i64>().value(place)),
        DataType::Utf8View => text(array.as_string_view().value(place)),
        DataType::UInt8 => array.as_primitive::<UInt8Type>().value(place).into_bound_py_any(py)?,
        DataType::UInt16 => {
            array.as_primitive::<UInt16Type>().value(place).into_bound_py_any(py)?
        }
        DataType::Int64 => array.as_primitive::<Int64Type>().value(place).into_bound_py_any(py)?,
        DataType::Float64 => {
            array.as_primitive::<Float64Type>().value(place).into_bound_py_any(py)?
        }
        DataType::Boolean => array.as_boolean().value(place).into_bound_py_any(py)?,
        DataType::FixedSizeList(..) => {
            let lists = array.as_fixed_size_list();
            items(
                py,
                lists.values(),
                lists.value_offset_at(place)..lists.value_offset_at(place + 1),
            )?
        }
        DataType::List(_) => {
            let lists = array.as_list::<i32>();
            let [start, end] = [place, place + 1].map(|at| lists.offsets()[at].as_usize());
            items(py, lists.values(), start..end)?
        }
        DataType::Struct(fields) => {
            let dict = PyDict::new(py);
            for (field, column) in fields.iter().zip(array.as_struct().columns()) {
                let name = PyString::intern(py, field.name());
                dict.set_item(name, value(py, column.as_ref(), place)?)?;
            }
            dict.into_any()
        }
        other => return Err(PyTypeError::new_err(format!("no Python value for {other}"))),
    })
}

/// The rows of all pieces, which are of one type and at least one: a copy.
pub(super) fn joined(pieces: &[ArrayData]) -> Result<ArrayData, ArrayError> {
    let rows = pieces.iter().map(ArrayData::len).sum();
    let mut all = MutableArrayData::new(pieces.iter().collect(), false, rows);
    for (place, piece) in pieces.iter().enumerate() {
        all.try_extend(place, 0, piece.len())?;
    }
    Ok(all.freeze())
}

/// Numbers side by side, with the shape of their array: memory that an array of numpy uses.
#[pyclass(frozen)]
struct Plain {
    bytes: Buffer,
    /// Their type, as numpy writes it.
    kind: &'static str,
    shape: Vec<usize>,
}

/// The numbers of an array, unless it has other values or nulls. A row of numbers that is null has zeros.
fn plain(data: ArrayData) -> Result<Plain, Box<ArrayData>> {
    let rows = data.len();
    if let DataType::FixedSizeList(_, width) = data.data_type() {
        let width = usize::try_from(*width).unwrap_or_default();
        let child = data.child_data()[0].slice(data.offset() * width, rows * width);
        drop(data);
        return plain(child).map(|it| Plain { shape: vec![rows, width], ..it });
    }
    if data.null_count() > 0 {
        return Err(Box::new(data));
    }
    let (kind, size) = match data.data_type() {
        DataType::UInt8 => ("|u1", 1),
        DataType::UInt16 => ("<u2", 2),
        DataType::Int64 => ("<i8", 8),
        DataType::Float64 => ("<f8", 8),
        DataType::Boolean => {
            let flags: Vec<u8> =
                make_array(data).as_boolean().values().iter().map(u8::from).collect();
            return Ok(Plain { bytes: flags.into(), kind: "|b1", shape: vec![rows] });
        }
        _ => return Err(Box::new(data)),
    };
    let bytes = data.buffers()[0].slice_with_length(data.offset() * size, rows * size);
    Ok(Plain { bytes, kind, shape: vec![rows] })
}

#[pymethods]
impl Plain {
    /// <https://numpy.org/doc/stable/reference/arrays.interface.html>
    #[getter(__array_interface__)]
    fn interface<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let interface = PyDict::new(py);
        interface.set_item("version", 3)?;
        interface.set_item("shape", PyTuple::new(py, &self.shape)?)?;
        interface.set_item("typestr", self.kind)?;
        interface.set_item("data", (self.bytes.as_ptr().expose_provenance(), false))?;
        Ok(interface)
    }
}

impl Plain {
    /// The array of numpy, in this memory if nothing else uses it.
    fn numpy(mut self, py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
        if self.bytes.strong_count() > 1 {
            self.bytes = py.detach(|| Buffer::from_vec(self.bytes.to_vec()));
        }
        py.import("numpy")?.call_method1("asarray", (Bound::new(py, self)?,))
    }
}

/// An array as numpy has it: structs are structured arrays, and what has no type of numpy are objects.
pub(super) fn numpy(py: Python<'_>, data: ArrayData) -> PyResult<Bound<'_, PyAny>> {
    let numpy = py.import("numpy")?;
    let data = match plain(data) {
        Ok(plain) => return plain.numpy(py),
        Err(data) => *data,
    };
    if let DataType::Int64 | DataType::Float64 = data.data_type() {
        // Nulls are NaN.
        return numpy.call_method1("array", (list(py, &data)?, "f8"));
    }
    let DataType::Struct(fields) = data.data_type() else {
        return numpy.call_method1("fromiter", (list(py, &data)?, "O", data.len()));
    };
    let columns = PyDict::new(py);
    for (field, column) in fields.iter().zip(data.child_data()) {
        let column = column.slice(data.offset(), data.len());
        columns.set_item(field.name(), self::numpy(py, column)?)?;
    }
    py.import("ninefold._given")?.call_method1("structured", (columns, data.len()))
}

/// The result for digits of numpy: an array of numpy unless it needs an `Array`.
pub(super) fn like_numpy(py: Python<'_>, data: ArrayData) -> PyResult<Bound<'_, PyAny>> {
    let of_rows = |data: &ArrayData| matches!(data.data_type(), DataType::FixedSizeList(..));
    if let DataType::Struct(_) = data.data_type()
        && data.child_data().iter().all(of_rows)
    {
        let columns = data.child_data().to_vec();
        drop(data);
        let columns = columns.into_iter().map(|data| like_numpy(py, data));
        return Ok(PyTuple::new(py, columns.collect::<PyResult<Vec<_>>>()?)?.into_any());
    }
    match plain(data) {
        Ok(plain) => plain.numpy(py),
        Err(data) if *data.data_type() == DataType::Utf8 => {
            py.import("numpy")?.call_method1("array", (list(py, &data)?, "U"))
        }
        Err(data) => Ok(Bound::new(py, Array(*data))?.into_any()),
    }
}
