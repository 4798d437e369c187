//! Results of the same type as the input.
//!
//! | input | texts of the result |
//! | --- | --- |
//! | utf8, large utf8, utf8 view, binary, large binary, binary view | the same |
//! | fixed-size binary | the same with the width of the texts; zeros for no text |
//! | fixed-size list of 81 uint8 | the same; zeros for no text |
//! | dictionary | the same keys, other values |
//! | null | null |
//!
//! The texts of a result have at most as many bytes as those of the input, so 32-bit offsets that
//! were enough for the input are enough for the result. Reasons can be longer than what they are
//! about.

use super::cells::Texts;
use super::error::ArrayError;
use super::import::is_nothing;
use arrow_array::types::{BinaryViewType, ByteViewType, StringViewType};
use arrow_array::{
    Array, ArrayRef, BinaryArray, FixedSizeBinaryArray, FixedSizeListArray, GenericByteViewArray,
    LargeBinaryArray, LargeStringArray, NullArray, StringArray, UInt8Array, make_array,
};
use arrow_buffer::{ArrowNativeType, Buffer, NullBuffer, OffsetBuffer, ScalarBuffer};
use arrow_data::{ArrayData, ByteView};
use arrow_schema::{DataType, Field, FieldRef};
use ninefold::puzzle::Cell;
use std::sync::Arc;

/// A type of texts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Mirror {
    /// Utf8, binary, their large forms and their views.
    Texts(DataType),
    /// Fixed-size binary of this width.
    Fixed(usize),
    /// Fixed-size lists of 81 digits.
    Digits(FieldRef),
    /// A dictionary: its whole type, and the type of its values.
    Keyed(DataType, Box<Self>),
    /// Nulls alone.
    Nothing,
}

impl Mirror {
    /// What mirrors a type.
    ///
    /// # Errors
    /// Values of the type are not puzzles.
    pub fn of(found: &DataType) -> Result<Self, ArrayError> {
        Ok(match found {
            DataType::Utf8
            | DataType::LargeUtf8
            | DataType::Utf8View
            | DataType::Binary
            | DataType::LargeBinary
            | DataType::BinaryView => Self::Texts(found.clone()),
            DataType::FixedSizeBinary(width) => Self::Fixed(width.as_usize()),
            DataType::FixedSizeList(field, 81) if *field.data_type() == DataType::UInt8 => {
                Self::Digits(Arc::clone(field))
            }
            DataType::Dictionary(_, values) => {
                Self::Keyed(found.clone(), Box::new(Self::of(values)?))
            }
            nothing if is_nothing(nothing) => Self::Nothing,
            _ => return Err(ArrayError::Type(found.clone())),
        })
    }

    /// Fixed-size lists of digits.
    #[must_use]
    pub fn digits() -> Self {
        Self::Digits(Arc::new(Field::new("item", DataType::UInt8, false)))
    }

    /// The type of the values of a dictionary, or this one.
    #[must_use]
    pub fn values(&self) -> &Self {
        if let Self::Keyed(_, values) = self { values } else { self }
    }

    /// Utf8.
    #[must_use]
    pub const fn utf8() -> Self {
        Self::Texts(DataType::Utf8)
    }

    /// The type of texts that have this width where the width is fixed; without one, the width of the
    /// input.
    ///
    /// # Panics
    /// If the width is larger than 2^31.
    #[must_use]
    pub fn data_type(&self, width: Option<usize>) -> DataType {
        match self {
            Self::Texts(kind) => kind.clone(),
            Self::Fixed(own) => {
                let width = width.unwrap_or(*own);
                DataType::FixedSizeBinary(i32::try_from(width).expect("a short text"))
            }
            Self::Digits(field) => DataType::FixedSizeList(Arc::clone(field), 81),
            Self::Keyed(DataType::Dictionary(key, _), values) => {
                DataType::Dictionary(key.clone(), Box::new(values.data_type(width)))
            }
            Self::Keyed(other, _) => other.clone(),
            Self::Nothing => DataType::Null,
        }
    }

    /// An array of texts, which are ASCII.
    ///
    /// # Errors
    /// The texts of the field are too long for 32-bit offsets.
    pub(super) fn array(
        &self,
        field: &'static str,
        texts: Texts,
        width: Option<usize>,
        nulls: Option<NullBuffer>,
    ) -> Result<ArrayRef, ArrayError> {
        let rows = texts.lengths.len();
        Ok(match self {
            Self::Texts(DataType::Utf8) => {
                let (offsets, bytes) = texts.small(field)?;
                Arc::new(StringArray::try_new(offsets, bytes, nulls)?)
            }
            Self::Texts(DataType::Binary) => {
                let (offsets, bytes) = texts.small(field)?;
                Arc::new(BinaryArray::try_new(offsets, bytes, nulls)?)
            }
            Self::Texts(DataType::LargeUtf8) => {
                let (offsets, bytes) = texts.large();
                Arc::new(LargeStringArray::try_new(offsets, bytes, nulls)?)
            }
            Self::Texts(DataType::LargeBinary) => {
                let (offsets, bytes) = texts.large();
                Arc::new(LargeBinaryArray::try_new(offsets, bytes, nulls)?)
            }
            Self::Texts(DataType::Utf8View) => views::<StringViewType>(texts, nulls)?,
            Self::Texts(_) => views::<BinaryViewType>(texts, nulls)?,
            Self::Fixed(own) => {
                let width = width.unwrap_or(*own);
                let bytes = Buffer::from_vec(texts.fixed(width, |byte| byte));
                let width = i32::try_from(width).expect("a short text");
                let array = FixedSizeBinaryArray::try_new_with_len(width, bytes, nulls, rows)?;
                Arc::new(array)
            }
            Self::Digits(field) => {
                let digits = texts.fixed(Cell::COUNT, |byte| match byte {
                    b'1'..=b'9' => byte - b'0',
                    _ => 0,
                });
                let digits = Arc::new(UInt8Array::from(digits));
                let field = Arc::clone(field);
                Arc::new(FixedSizeListArray::try_new_with_length(field, 81, digits, nulls, rows)?)
            }
            Self::Keyed(_, values) => values.array(field, texts, width, nulls)?,
            Self::Nothing => Arc::new(NullArray::new(rows)),
        })
    }

    /// A dictionary with the keys of another, and these values.
    ///
    /// # Errors
    /// A key has no value.
    pub(super) fn with_keys_of(
        &self,
        data: &ArrayData,
        values: &dyn Array,
        width: Option<usize>,
    ) -> Result<ArrayRef, ArrayError> {
        let keyed = ArrayData::builder(self.data_type(width))
            .len(data.len())
            .offset(data.offset())
            .buffers(data.buffers().to_vec())
            .nulls(data.nulls().map(|nulls| NullBuffer::new(nulls.inner().clone())))
            .child_data(vec![values.to_data()])
            .build()?;
        Ok(make_array(keyed))
    }
}

/// Bytes of the buffers that views point into: an offset in one has 31 bits.
const VIEWED_BYTES: usize = 1 << 30;

/// An array of views.
fn views<T: ByteViewType + ?Sized>(
    texts: Texts,
    nulls: Option<NullBuffer>,
) -> Result<ArrayRef, ArrayError> {
    let Texts { bytes, lengths } = texts;
    let bytes = Buffer::from_vec(bytes);
    let mut views = Vec::with_capacity(lengths.len());
    let (mut buffers, mut start, mut end) = (Vec::new(), 0, 0);
    for &length in &lengths {
        let text = &bytes[end..end + length as usize];
        if length <= 12 {
            let mut inline = [0; 16];
            inline[..4].copy_from_slice(&length.to_le_bytes());
            inline[4..4 + text.len()].copy_from_slice(text);
            views.push(u128::from_le_bytes(inline));
        } else {
            if end + text.len() - start > VIEWED_BYTES {
                buffers.push(bytes.slice_with_length(start, end - start));
                start = end;
            }
            let number = |value: usize| u32::try_from(value).expect("less than 2^31");
            views.push(u128::from(ByteView {
                length,
                prefix: u32::from_le_bytes([text[0], text[1], text[2], text[3]]),
                buffer_index: number(buffers.len()),
                offset: number(end - start),
            }));
        }
        end += text.len();
    }
    if end > start {
        buffers.push(bytes.slice_with_length(start, end - start));
    }
    let views = ScalarBuffer::from(views);
    Ok(Arc::new(GenericByteViewArray::<T>::try_new(views, buffers, nulls)?))
}

impl Texts {
    /// Offsets of 32 bits, and the bytes.
    fn small(self, field: &'static str) -> Result<(OffsetBuffer<i32>, Buffer), ArrayError> {
        if i32::try_from(self.bytes.len()).is_err() {
            return Err(ArrayError::TooLong { field });
        }
        let offsets = self.offsets(|sum| i32::try_from(sum).expect("no more than all bytes"));
        Ok((OffsetBuffer::new(offsets), Buffer::from_vec(self.bytes)))
    }

    /// Offsets of 64 bits, and the bytes.
    fn large(self) -> (OffsetBuffer<i64>, Buffer) {
        let offsets = self.offsets(|sum| i64::try_from(sum).expect("no more than all bytes"));
        (OffsetBuffer::new(offsets), Buffer::from_vec(self.bytes))
    }

    fn offsets<O: ArrowNativeType>(&self, offset: impl Fn(usize) -> O) -> ScalarBuffer<O> {
        let mut offsets = Vec::with_capacity(self.lengths.len() + 1);
        let mut sum = 0;
        offsets.push(offset(0));
        offsets.extend(self.lengths.iter().map(|&length| {
            sum += length as usize;
            offset(sum)
        }));
        ScalarBuffer::from(offsets)
    }

    /// The texts with this width; zeros for one with another length.
    fn fixed(self, width: usize, byte: impl Fn(u8) -> u8) -> Vec<u8> {
        let mut fixed = Vec::with_capacity(self.lengths.len() * width);
        let mut rest = &self.bytes[..];
        for length in self.lengths {
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
}
