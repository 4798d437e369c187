//! Arrays as plain Python values, for `pickle`.
//!
//! A type is a tuple of its format string in the Arrow C interface, its name and flags, and the types in it.
//! <https://arrow.apache.org/docs/format/CDataInterface.html#data-type-description-format-strings>

use crate::arrow::ArrayError;
use crate::module::values::joined;
use arrow_buffer::{BooleanBuffer, Buffer, NullBuffer};
use arrow_data::ArrayData;
use arrow_schema::DataType;
use arrow_schema::ffi::{FFI_ArrowSchema, Flags};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyTuple};
use std::slice;

/// An array as a tuple of its type and its values, without the rows before and after a slice.
pub(super) fn pickled<'py>(py: Python<'py>, data: &ArrayData) -> PyResult<Bound<'py, PyTuple>> {
    let schema = FFI_ArrowSchema::try_from(data.data_type()).map_err(ArrayError::from)?;
    (kind(py, &schema)?, values(py, &joined(slice::from_ref(data))?)?).into_pyobject(py)
}

/// The array of such a tuple. Its buffers are checked.
pub(super) fn restored(pickled: &Bound<'_, PyAny>) -> PyResult<ArrayData> {
    let (kind, values): (Bound<'_, PyAny>, Bound<'_, PyAny>) = pickled.extract()?;
    let data_type = DataType::try_from(&kind_from(&kind)?).map_err(ArrayError::from)?;
    values_from(&data_type, &values)
}

fn kind<'py>(py: Python<'py>, schema: &FFI_ArrowSchema) -> PyResult<Bound<'py, PyTuple>> {
    let fields = schema.children().map(|field| kind(py, field)).collect::<PyResult<Vec<_>>>()?;
    let flags = schema.flags().map_or(0, |flags| flags.bits());
    (schema.format(), schema.name(), flags, fields).into_pyobject(py)
}

fn kind_from(kind: &Bound<'_, PyAny>) -> PyResult<FFI_ArrowSchema> {
    let (format, name, flags, fields): (String, Option<String>, i64, Vec<Bound<'_, PyAny>>) =
        kind.extract()?;
    let fields = fields.iter().map(kind_from).collect::<PyResult<Vec<_>>>()?;
    let schema = FFI_ArrowSchema::try_new(&format, fields, None)
        .and_then(|schema| schema.with_name(name.as_deref().unwrap_or_default()))
        .and_then(|schema| schema.with_flags(Flags::from_bits_truncate(flags)));
    Ok(schema.map_err(ArrayError::from)?)
}

fn values<'py>(py: Python<'py>, data: &ArrayData) -> PyResult<Bound<'py, PyTuple>> {
    let nulls = data.nulls().map(|nulls| PyBytes::new(py, &nulls.inner().sliced()));
    let buffers: Vec<_> = data.buffers().iter().map(|buffer| PyBytes::new(py, buffer)).collect();
    let children = data.child_data().iter().map(|child| values(py, child));
    let children = children.collect::<PyResult<Vec<_>>>()?;
    (data.len(), nulls, buffers, children).into_pyobject(py)
}

fn values_from(data_type: &DataType, values: &Bound<'_, PyAny>) -> PyResult<ArrayData> {
    type Values<'py> =
        (usize, Option<Bound<'py, PyBytes>>, Vec<Bound<'py, PyBytes>>, Vec<Bound<'py, PyAny>>);
    let (rows, nulls, buffers, children): Values<'_> = values.extract()?;
    let types: Vec<&DataType> = match data_type {
        DataType::Struct(fields) => fields.iter().map(|field| field.data_type()).collect(),
        DataType::List(field) | DataType::FixedSizeList(field, _) => vec![field.data_type()],
        _ => Vec::new(),
    };
    let children = types.into_iter().zip(&children).map(|(kind, child)| values_from(kind, child));
    let buffer = |bytes: &Bound<'_, PyBytes>| Buffer::from(bytes.as_bytes());
    let valid = nulls.as_ref().map(buffer).filter(|bits| bits.len() * 8 >= rows);
    let data = ArrayData::builder(data_type.clone())
        .len(rows)
        .nulls(valid.map(|bits| NullBuffer::new(BooleanBuffer::new(bits, 0, rows))))
        .buffers(buffers.iter().map(buffer).collect())
        .child_data(children.collect::<PyResult<_>>()?)
        .align_buffers(true)
        .build();
    Ok(data.map_err(ArrayError::from)?)
}
