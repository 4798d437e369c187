//! The texts of results.
//!
//! | input | texts of the result |
//! | --- | --- |
//! | utf8, large utf8, utf8 view | the same |
//! | fixed-size list of 81 uint8, list of integers | a fixed-size list of 81 uint8; zeros for no text |
//! | binary of any kind, dictionary, null | utf8 |

use super::error::ArrayError;
use super::table::Texts;
use arrow_array::types::{BinaryType, ByteArrayType, LargeUtf8Type, Utf8Type};
use arrow_array::{
    Array, ArrayRef, FixedSizeListArray, GenericByteArray, StringViewArray, make_array,
};
use arrow_buffer::{Buffer, NullBuffer, OffsetBuffer};
use arrow_data::ArrayData;
use arrow_schema::{DataType, Field, Fields};
use ninefold::puzzle::Cell;
use std::sync::Arc;

/// The type with which an array of this type is imported: a struct without fields stands for null.
///
/// A null array has no buffers. polars 2.1 exports one with a buffer, for the validity, and `arrow`
/// refuses it, even in a column that is not read. A struct may have that buffer, or none.
pub(crate) fn importable(found: &DataType) -> DataType {
    match found {
        DataType::Null => DataType::Struct(Fields::empty()),
        DataType::Struct(fields) => {
            let kept = |field: &Field| field.clone().with_data_type(importable(field.data_type()));
            DataType::Struct(fields.iter().map(|field| kept(field)).collect())
        }
        other => other.clone(),
    }
}

/// The type of rows of this number of values.
pub(super) fn rows_type(item: DataType, width: usize) -> DataType {
    let width = i32::try_from(width).expect("a few cells");
    DataType::FixedSizeList(Arc::new(Field::new("item", item, false)), width)
}

/// Rows of 81 digits, 0 for a blank: integers of a type that is written as numpy does, `|u1` or `<i8`.
///
/// # Errors
/// They are of another type, or there are not as many nulls as rows.
pub(crate) fn digits_array(
    digits: Buffer,
    kind: &str,
    nulls: Option<NullBuffer>,
) -> Result<ArrayData, ArrayError> {
    use DataType::{Int8, Int16, Int32, Int64, UInt8, UInt16, UInt32, UInt64};
    let kinds = [UInt8, UInt16, UInt32, UInt64, Int8, Int16, Int32, Int64];
    let names = ["u1", "u2", "u4", "u8", "i1", "i2", "i4", "i8"];
    let place = names.iter().position(|name| kind.ends_with(name));
    let kind =
        kinds[place.ok_or_else(|| ArrayError::Refused(format!("no digits: {kind}")))?].clone();
    let rows = digits.len() / kind.primitive_width().expect("integers");
    let data = ArrayData::builder(kind.clone()).len(rows).align_buffers(true);
    let digits = make_array(data.add_buffer(digits).build()?);
    let item = Arc::new(Field::new("item", kind, false));
    Ok(FixedSizeListArray::try_new(item, 81, digits, nulls)?.to_data())
}

/// The type of the texts of a result for an input of this type.
///
/// # Errors
/// Values of the type are not puzzles.
pub(super) fn text_type(found: &DataType) -> Result<DataType, ArrayError> {
    match found {
        DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View => Ok(found.clone()),
        DataType::Binary
        | DataType::LargeBinary
        | DataType::BinaryView
        | DataType::FixedSizeBinary(_)
        | DataType::Null => Ok(DataType::Utf8),
        DataType::List(field) | DataType::LargeList(field) | DataType::FixedSizeList(field, 81)
            if field.data_type().is_integer() =>
        {
            Ok(rows_type(DataType::UInt8, Cell::COUNT))
        }
        DataType::Dictionary(_, values) => text_type(values).map(|_| DataType::Utf8),
        DataType::Struct(fields) if fields.is_empty() => Ok(DataType::Utf8),
        _ if found.is_numeric() => Err(ArrayError::Refused(format!(
            "the puzzles are numbers; read the column as text, not as {found}"
        ))),
        _ => Err(ArrayError::Refused(format!(
            "expected strings, binary values or lists of 81 integers, found {found}"
        ))),
    }
}

/// An array of texts of this type.
///
/// # Errors
/// The texts of the field are too long for 32-bit offsets.
pub(super) fn array(
    kind: &DataType,
    field: &str,
    texts: Texts,
    nulls: Option<NullBuffer>,
) -> Result<ArrayRef, ArrayError> {
    match kind {
        DataType::LargeUtf8 => Ok(Arc::new(bytes::<LargeUtf8Type>(field, texts, nulls)?)),
        DataType::Binary => Ok(Arc::new(bytes::<BinaryType>(field, texts, nulls)?)),
        DataType::Utf8View => views(field, texts, nulls),
        _ => Ok(Arc::new(bytes::<Utf8Type>(field, texts, nulls)?)),
    }
}

/// Texts with offsets.
fn bytes<T: ByteArrayType>(
    field: &str,
    texts: Texts,
    nulls: Option<NullBuffer>,
) -> Result<GenericByteArray<T>, ArrayError> {
    let lengths = texts.lengths.iter().map(|&length| length as usize);
    let offsets = OffsetBuffer::try_from_lengths(lengths);
    let offsets = offsets.map_err(|_| ArrayError::too_long(field))?;
    Ok(GenericByteArray::try_new(offsets, Buffer::from_vec(texts.bytes), nulls)?)
}

/// Texts as views.
fn views(field: &str, texts: Texts, nulls: Option<NullBuffer>) -> Result<ArrayRef, ArrayError> {
    let texts = bytes::<LargeUtf8Type>(field, texts, nulls)?;
    // An offset in a view has 31 bits: more bytes are copied to several buffers.
    let is_long = i32::try_from(texts.values().len()).is_err();
    Ok(Arc::new(if is_long { texts.iter().collect() } else { StringViewArray::from(&texts) }))
}
