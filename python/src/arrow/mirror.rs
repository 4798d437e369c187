//! Results of the same type as the input.
//!
//! | input | texts of the result |
//! | --- | --- |
//! | utf8, large utf8, utf8 view, binary, large binary, binary view | the same |
//! | fixed-size binary | the same with the width of the texts; zeros for no text |
//! | fixed-size list of 81 uint8 | the same; zeros for no text |
//! | list of integers | a fixed-size list of 81 uint8 |
//! | dictionary | the same keys, other values |
//! | null | null |
//!
//! The texts of a result have at most as many bytes as those of the input, so 32-bit offsets that
//! were enough for the input are enough for the result. Reasons can be longer than what they are
//! about.

use super::error::ArrayError;
use super::table::Texts;
use arrow_array::builder::make_view;
use arrow_array::types::{
    BinaryType, BinaryViewType, ByteArrayType, ByteViewType, LargeBinaryType, LargeUtf8Type,
    StringViewType, Utf8Type,
};
use arrow_array::{
    ArrayRef, FixedSizeBinaryArray, FixedSizeListArray, GenericByteArray, GenericByteViewArray,
    NullArray, UInt8Array,
};
use arrow_buffer::{Buffer, NullBuffer, OffsetBuffer, ScalarBuffer};
use arrow_schema::{DataType, Field, Fields};
use ninefold::puzzle::Cell;
use std::sync::Arc;

/// The type with which an array of this type is imported: a struct without fields stands for null.
///
/// A null array has no buffers. polars 2.1 exports one with a buffer, for the validity, and `arrow`
/// refuses it, even in a column that is not read. A struct may have that buffer, or none.
#[must_use]
pub fn importable(found: &DataType) -> DataType {
    match found {
        DataType::Null => DataType::Struct(Fields::empty()),
        DataType::Struct(fields) => DataType::Struct(
            fields
                .iter()
                .map(|field| match importable(field.data_type()) {
                    same if same == *field.data_type() => Arc::clone(field),
                    other => Arc::new(Field::new(field.name(), other, true)),
                })
                .collect(),
        ),
        other => other.clone(),
    }
}

/// Fixed-size lists of 81 digits.
pub(super) fn digits() -> DataType {
    DataType::FixedSizeList(Arc::new(Field::new("item", DataType::UInt8, false)), 81)
}

/// Whether values of this type are lists of integers of some width, but not [`digits`].
pub(super) fn is_list_of_integers(found: &DataType) -> bool {
    match found {
        DataType::List(field) | DataType::LargeList(field) => field.data_type().is_integer(),
        DataType::FixedSizeList(field, 81) => {
            field.data_type().is_integer() && *field.data_type() != DataType::UInt8
        }
        _ => false,
    }
}

/// The type that mirrors a type.
///
/// # Errors
/// Values of the type are not puzzles.
pub(super) fn mirror_of(found: &DataType) -> Result<DataType, ArrayError> {
    match found {
        DataType::Utf8
        | DataType::LargeUtf8
        | DataType::Utf8View
        | DataType::Binary
        | DataType::LargeBinary
        | DataType::BinaryView
        | DataType::FixedSizeBinary(_) => Ok(found.clone()),
        DataType::FixedSizeList(field, 81) if *field.data_type() == DataType::UInt8 => {
            Ok(found.clone())
        }
        list if is_list_of_integers(list) => Ok(digits()),
        DataType::Dictionary(key, values) => {
            Ok(DataType::Dictionary(key.clone(), Box::new(mirror_of(values)?)))
        }
        DataType::Null => Ok(DataType::Null),
        DataType::Struct(fields) if fields.is_empty() => Ok(DataType::Null),
        _ => Err(ArrayError::Type(found.clone())),
    }
}

/// A mirrored type with this width, if it has a fixed one.
pub(super) fn with_width(mirror: &DataType, width: Option<usize>) -> DataType {
    match (mirror, width) {
        (DataType::FixedSizeBinary(_), Some(width)) => {
            DataType::FixedSizeBinary(i32::try_from(width).expect("a short text"))
        }
        (DataType::Dictionary(key, values), _) => {
            DataType::Dictionary(key.clone(), Box::new(with_width(values, width)))
        }
        _ => mirror.clone(),
    }
}

/// An array of this type, which mirrors another and is no dictionary.
///
/// # Errors
/// The texts of the field are too long for 32-bit offsets.
pub(super) fn array(
    kind: &DataType,
    field: &'static str,
    texts: Texts,
    nulls: Option<NullBuffer>,
) -> Result<ArrayRef, ArrayError> {
    let rows = texts.lengths.len();
    Ok(match kind {
        DataType::Utf8 => bytes::<Utf8Type>(field, texts, nulls)?,
        DataType::LargeUtf8 => bytes::<LargeUtf8Type>(field, texts, nulls)?,
        DataType::Binary => bytes::<BinaryType>(field, texts, nulls)?,
        DataType::LargeBinary => bytes::<LargeBinaryType>(field, texts, nulls)?,
        DataType::Utf8View => views::<StringViewType>(texts, nulls)?,
        DataType::BinaryView => views::<BinaryViewType>(texts, nulls)?,
        DataType::FixedSizeBinary(width) => {
            let bytes = fixed(&texts, usize::try_from(*width).unwrap_or(0), |byte| byte);
            Arc::new(FixedSizeBinaryArray::try_new_with_len(*width, bytes.into(), nulls, rows)?)
        }
        DataType::FixedSizeList(field, width) => {
            let digit = |byte| if matches!(byte, b'1'..=b'9') { byte - b'0' } else { 0 };
            let digits = Arc::new(UInt8Array::from(fixed(&texts, Cell::COUNT, digit)));
            let field = Arc::clone(field);
            Arc::new(FixedSizeListArray::try_new_with_length(field, *width, digits, nulls, rows)?)
        }
        _ => Arc::new(NullArray::new(rows)),
    })
}

/// Texts with offsets.
fn bytes<T: ByteArrayType>(
    field: &'static str,
    texts: Texts,
    nulls: Option<NullBuffer>,
) -> Result<ArrayRef, ArrayError> {
    let lengths = texts.lengths.iter().map(|&length| length as usize);
    let offsets = OffsetBuffer::try_from_lengths(lengths);
    let offsets = offsets.map_err(|_| ArrayError::TooLong { field })?;
    Ok(Arc::new(GenericByteArray::<T>::try_new(offsets, Buffer::from_vec(texts.bytes), nulls)?))
}

/// Bytes of the buffers that views point into: an offset in one has 31 bits.
const VIEWED_BYTES: usize = 1 << 30;

/// Texts as views.
fn views<T: ByteViewType + ?Sized>(
    texts: Texts,
    nulls: Option<NullBuffer>,
) -> Result<ArrayRef, ArrayError> {
    let Texts { bytes, lengths } = texts;
    let bytes = Buffer::from_vec(bytes);
    let number = |value: usize| u32::try_from(value).expect("less than 2^31");
    let mut views = Vec::with_capacity(lengths.len());
    let (mut buffers, mut start, mut end) = (Vec::new(), 0, 0);
    for &length in &lengths {
        let text = &bytes[end..end + length as usize];
        if end + text.len() - start > VIEWED_BYTES {
            buffers.push(bytes.slice_with_length(start, end - start));
            start = end;
        }
        views.push(make_view(text, number(buffers.len()), number(end - start)));
        end += text.len();
    }
    if end > start {
        buffers.push(bytes.slice_with_length(start, end - start));
    }
    let views = ScalarBuffer::from(views);
    Ok(Arc::new(GenericByteViewArray::<T>::try_new(views, buffers, nulls)?))
}

/// The texts with this width; zeros for one with another length.
fn fixed(texts: &Texts, width: usize, byte: impl Fn(u8) -> u8) -> Vec<u8> {
    let mut fixed = Vec::with_capacity(texts.lengths.len() * width);
    let mut rest = &texts.bytes[..];
    for &length in &texts.lengths {
        let (text, others) = rest.split_at(length as usize);
        rest = others;
        if text.len() == width {
            fixed.extend(text.iter().map(|&it| byte(it)));
        } else {
            fixed.resize(fixed.len() + width, 0);
        }
    }
    fixed
}
