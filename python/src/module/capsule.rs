//! The capsules of the Arrow `PyCapsule` interface.
//! <https://arrow.apache.org/docs/format/CDataInterface/PyCapsuleInterface.html>
#![expect(unsafe_code, reason = "capsules hold pointers")]

use crate::arrow::{ArrayError, Input, importable};
use arrow_array::ffi::from_ffi_and_data_type;
use arrow_array::ffi_stream::FFI_ArrowArrayStream as Stream;
use arrow_buffer::Buffer;
use arrow_data::ArrayData;
use arrow_data::ffi::FFI_ArrowArray;
use arrow_schema::ffi::FFI_ArrowSchema;
use arrow_schema::{DataType, Field};
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyTuple};
use std::ffi::CStr;
use std::panic::RefUnwindSafe;
use std::ptr::{NonNull, with_exposed_provenance_mut};
use std::sync::Arc;

const SCHEMA: &CStr = c"arrow_schema";
const ARRAY: &CStr = c"arrow_array";
const STREAM: &CStr = c"arrow_array_stream";

/// The pointer of a capsule with this name.
fn pointer<T>(capsule: &Bound<'_, PyAny>, name: &CStr) -> PyResult<NonNull<T>> {
    Ok(capsule.cast::<PyCapsule>()?.pointer_checked(Some(name))?.cast())
}

/// The array of `__arrow_c_array__()`.
pub(super) fn take_array(capsules: &Bound<'_, PyAny>) -> PyResult<ArrayData> {
    let (schema, array): (Bound<'_, PyAny>, Bound<'_, PyAny>) = capsules.extract()?;
    let schema: NonNull<FFI_ArrowSchema> = pointer(&schema, SCHEMA)?;
    let array: NonNull<FFI_ArrowArray> = pointer(&array, ARRAY)?;
    // SAFETY: by the interface, a capsule of this name holds a valid `ArrowArray`. The GIL is held
    // and no Python code runs here, so this is the only use of it. It is moved out: what stays is released.
    let array = unsafe { FFI_ArrowArray::from_raw(array.as_ptr()) };
    if array.is_released() {
        return Err(ArrayError::stream("the array was already consumed").into());
    }
    // SAFETY: the same for `ArrowSchema`. It is only looked at; the capsule releases it.
    let schema = unsafe { schema.as_ref() };
    let data_type = DataType::try_from(schema).map_err(ArrayError::from)?;
    // SAFETY: the producer promises that the array has the type of the schema. `importable` asks for
    // no buffer that it does not have.
    let data = unsafe { from_ffi_and_data_type(array, importable(&data_type)) };
    Ok(data.map_err(ArrayError::from)?)
}

/// Keeps an object of Python. Nothing looks at it, so a panic leaves nothing half done.
struct Owner(#[expect(dead_code, reason = "it is dropped")] Py<PyAny>);

impl RefUnwindSafe for Owner {}

/// The bytes of an array of digits of numpy, which are not copied, and their type. `ninefold/_given.py` gives one in one
/// piece.
pub(super) fn numpy_bytes(array: &Bound<'_, PyAny>) -> PyResult<(Buffer, String)> {
    let interface = array.getattr("__array_interface__")?;
    let (address, _read_only): (usize, bool) = interface.get_item("data")?.extract()?;
    let kind = interface.get_item("typestr")?.extract()?;
    let length: usize = array.getattr("nbytes")?.extract()?;
    let pointer = with_exposed_provenance_mut::<u8>(address);
    let pointer = NonNull::new(pointer).unwrap_or(NonNull::dangling());
    let owner = Arc::new(Owner(array.clone().unbind()));
    // SAFETY: numpy promises that its array has this number of bytes in one piece at this address while it lives,
    // and `owner` keeps it. The caller does not write to it meanwhile, as with every Arrow array.
    Ok((unsafe { Buffer::from_custom_allocation(pointer, length, owner) }, kind))
}

/// The stream of `__arrow_c_stream__()`.
pub(super) fn take_stream(capsule: &Bound<'_, PyAny>) -> PyResult<Input> {
    let stream: NonNull<Stream> = pointer(capsule, STREAM)?;
    // SAFETY: by the interface, a capsule of this name holds a valid `ArrowArrayStream`. The GIL is
    // held and no Python code runs here, so this is the only use of it.
    let stream = unsafe { Stream::from_raw(stream.as_ptr()) };
    Ok(Input::new(stream)?)
}

/// The capsule of a type.
pub(super) fn schema<'py>(py: Python<'py>, field: &Field) -> PyResult<Bound<'py, PyCapsule>> {
    let schema = FFI_ArrowSchema::try_from(field).map_err(ArrayError::from)?;
    PyCapsule::new_with_value(py, schema, SCHEMA)
}

/// The capsules of an array. What a consumer does not take is released with the capsules.
pub(super) fn array<'py>(
    py: Python<'py>,
    field: &Field,
    data: &ArrayData,
) -> PyResult<Bound<'py, PyTuple>> {
    let array = PyCapsule::new_with_value(py, FFI_ArrowArray::new(data), ARRAY)?;
    (schema(py, field)?, array).into_pyobject(py)
}

/// The capsule of a stream.
pub(super) fn stream(py: Python<'_>, stream: Stream) -> PyResult<Bound<'_, PyCapsule>> {
    PyCapsule::new_with_value(py, stream, STREAM)
}
