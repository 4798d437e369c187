//! Arrow values as Python objects.

use crate::module::given::InputForm;
use arrow_array::cast::AsArray;
use arrow_array::types::{Float64Type, Int64Type, UInt8Type};
use arrow_array::{Array, make_array};
use arrow_data::ArrayData;
use arrow_schema::DataType;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyByteArray, PyDict, PyList, PyString, PyTuple};

/// A list of the values of an array.
pub(super) fn list<'py>(py: Python<'py>, data: &ArrayData) -> PyResult<Bound<'py, PyList>> {
    let array = make_array(data.clone());
    let values: PyResult<Vec<_>> =
        (0..array.len()).map(|place| value(py, array.as_ref(), place)).collect();
    PyList::new(py, values?)
}

/// A value of an array.
fn value<'py>(py: Python<'py>, array: &dyn Array, place: usize) -> PyResult<Bound<'py, PyAny>> {
    if array.is_null(place) {
        return Ok(py.None().into_bound(py));
    }
    let text = |text: &str| PyString::new(py, text).into_any();
    Ok(match array.data_type() {
        DataType::Utf8 => text(array.as_string::<i32>().value(place)),
        DataType::LargeUtf8 => text(array.as_string::<i64>().value(place)),
        DataType::Utf8View => text(array.as_string_view().value(place)),
        DataType::UInt8 => {
            array.as_primitive::<UInt8Type>().value(place).into_pyobject(py)?.into_any()
        }
        DataType::Int64 => {
            array.as_primitive::<Int64Type>().value(place).into_pyobject(py)?.into_any()
        }
        DataType::Float64 => {
            array.as_primitive::<Float64Type>().value(place).into_pyobject(py)?.into_any()
        }
        DataType::Boolean => PyBool::new(py, array.as_boolean().value(place)).to_owned().into_any(),
        DataType::FixedSizeList(..) => {
            list(py, &array.as_fixed_size_list().value(place).to_data())?.into_any()
        }
        DataType::List(_) => list(py, &array.as_list::<i32>().value(place).to_data())?.into_any(),
        DataType::Struct(fields) => {
            let dict = PyDict::new(py);
            for (field, column) in fields.iter().zip(array.as_struct().columns()) {
                dict.set_item(field.name(), value(py, column.as_ref(), place)?)?;
            }
            dict.into_any()
        }
        other => return Err(PyTypeError::new_err(format!("no Python value for {other}"))),
    })
}

/// The numpy array, or the memoryview, of an array that came from a buffer; `None` if its values are
/// not of a fixed size.
pub(super) fn buffer<'py>(
    py: Python<'py>,
    data: &ArrayData,
    form: InputForm,
) -> PyResult<Option<Bound<'py, PyAny>>> {
    let InputForm::Buffer { numpy, square } = form else { return Ok(None) };
    let array = make_array(data.clone());
    let rows = array.len();
    let (bytes, kind, shape) = match array.data_type() {
        DataType::FixedSizeList(..) => {
            let digits = array.as_fixed_size_list().values();
            let digits = digits.as_primitive::<UInt8Type>().values();
            let shape = if square { vec![rows, 9, 9] } else { vec![rows, 81] };
            (PyByteArray::new(py, digits), "B", shape)
        }
        DataType::Int64 => {
            let numbers = array.as_primitive::<Int64Type>().values().inner();
            (PyByteArray::new(py, numbers), "q", vec![rows])
        }
        DataType::Boolean => {
            let flags: Vec<u8> = array.as_boolean().values().iter().map(u8::from).collect();
            (PyByteArray::new(py, &flags), "?", vec![rows])
        }
        DataType::Struct(fields)
            if fields.iter().all(|it| matches!(it.data_type(), DataType::FixedSizeList(..))) =>
        {
            let columns = data.child_data().iter().map(|data| buffer(py, data, form));
            let columns: Option<Vec<_>> = columns.collect::<PyResult<_>>()?;
            return columns.map(|it| PyTuple::new(py, it).map(Bound::into_any)).transpose();
        }
        DataType::Utf8 if numpy => {
            let texts = list(py, data)?;
            return py.import("numpy")?.getattr("array")?.call1((texts,)).map(Some);
        }
        _ => return Ok(None),
    };
    if numpy {
        let ndarray = py.import("numpy")?.getattr("ndarray")?;
        return ndarray.call1((shape, kind, bytes)).map(Some);
    }
    let view = py.import("builtins")?.getattr("memoryview")?.call1((bytes,))?;
    if rows == 0 {
        // A view cannot be given a shape with 0.
        return view.call_method1("cast", (kind,)).map(Some);
    }
    view.call_method1("cast", (kind, shape)).map(Some)
}
