//! The rows of an array, whatever its type.
//!
//! ```text
//! utf8, binary          offsets 0 81 162 …     bytes 53..7…6..195…
//! views                 (length, prefix, buffer, offset) …
//! fixed-size binary     bytes 53..7…6..195…
//! fixed-size list       digits 5 3 0 0 7 …     81 in a row, 0 for a blank: also numpy's
//! dictionary            keys 0 0 1 …           another column
//! ```
//!
//! Buffers are read with bounds checks, row by row: an array with wrong offsets or keys is an error
//! and not a fault. Texts stay bytes, so none is checked to be UTF-8.

use super::error::ArrayError;
use super::mirror::Mirror;
use arrow_buffer::{ArrowNativeType, BooleanBuffer, Buffer, NullBuffer, ScalarBuffer, ToByteSlice};
use arrow_data::ArrayData;
use arrow_schema::DataType;
use ninefold::puzzle::Cell;
use std::ops::Range;

/// A row of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Row<'a> {
    /// No puzzle.
    Null,
    /// A text.
    Text(&'a [u8]),
    /// 81 digits, 0 for a blank.
    Digits(&'a [u8; Cell::COUNT]),
}

/// The digit of a cell that is null in a row that is not: no digit, so the row is malformed.
pub const NULL_CELL: u8 = 255;

/// The rows of an array.
#[derive(Clone, Debug)]
pub struct Column {
    rows: usize,
    nulls: Option<NullBuffer>,
    values: Values,
    mirror: Mirror,
}

/// The values of the rows.
#[derive(Clone, Debug)]
enum Values {
    Small { offsets: ScalarBuffer<i32>, bytes: Buffer },
    Large { offsets: ScalarBuffer<i64>, bytes: Buffer },
    Views { views: ScalarBuffer<u128>, buffers: Vec<Buffer> },
    Fixed { width: usize, bytes: Buffer },
    Digits { bytes: Buffer },
    Keyed(Box<Keyed>),
    Nothing,
}

/// The keys and the values of a dictionary.
#[derive(Clone, Debug)]
pub struct Keyed {
    /// The whole array, for its keys.
    pub data: ArrayData,
    /// The place of the value of each row; too large for a key that is negative.
    pub keys: Vec<usize>,
    /// The values.
    pub values: Column,
}

impl Column {
    /// The rows of an array.
    ///
    /// # Errors
    /// The type of the array has no puzzles, or its buffers are too small for its length.
    pub fn new(data: &ArrayData) -> Result<Self, ArrayError> {
        let mirror = Mirror::of(data.data_type())?;
        if data.is_empty() {
            // An empty slice keeps its offset, and arrow imports it without the bytes before that.
            return Ok(Self { rows: 0, nulls: None, values: Values::Nothing, mirror });
        }
        data.validate()?;
        let (from, rows) = (data.offset(), data.len());
        // Counts the nulls again: the count of the producer decides nothing.
        let nulls = data.nulls().map(|nulls| NullBuffer::new(nulls.inner().clone()));
        let buffers = data.buffers();
        let values = match data.data_type() {
            DataType::Utf8 | DataType::Binary => {
                Values::Small { offsets: offsets(buffers, from, rows), bytes: buffers[1].clone() }
            }
            DataType::LargeUtf8 | DataType::LargeBinary => {
                Values::Large { offsets: offsets(buffers, from, rows), bytes: buffers[1].clone() }
            }
            DataType::Utf8View | DataType::BinaryView => Values::Views {
                views: ScalarBuffer::new(buffers[0].clone(), from, rows),
                buffers: buffers[1..].to_vec(),
            },
            DataType::FixedSizeBinary(width) => {
                let width = width.as_usize();
                let bytes = buffers[0].slice_with_length(from * width, rows * width);
                Values::Fixed { width, bytes }
            }
            DataType::FixedSizeList(..) => {
                let child = &data.child_data()[0];
                let (from, length) = (from * Cell::COUNT, rows * Cell::COUNT);
                let digits = child.buffers()[0].slice_with_length(child.offset() + from, length);
                let bytes = match child.nulls() {
                    None => digits,
                    Some(nulls) => with_nulls(&digits, &nulls.slice(from, length)),
                };
                Values::Digits { bytes }
            }
            DataType::Dictionary(key, _) => {
                let values = Self::new(&data.child_data()[0])?;
                let keys = keys(key, &buffers[0], from, rows);
                Values::Keyed(Box::new(Keyed { data: data.clone(), keys, values }))
            }
            _ => Values::Nothing,
        };
        Ok(Self { rows, nulls, values, mirror })
    }

    /// Rows of 81 digits, 0 for a blank. Bytes of an incomplete last row are ignored.
    #[must_use]
    pub fn of_digits(digits: Vec<u8>) -> Self {
        let rows = digits.len() / Cell::COUNT;
        let values = Values::Digits { bytes: Buffer::from_vec(digits) };
        Self { rows, nulls: None, values, mirror: Mirror::digits() }
    }

    /// The number of rows.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Which type mirrors the column's.
    #[must_use]
    pub fn mirror(&self) -> &Mirror {
        &self.mirror
    }

    /// The keys and values, if it is a dictionary.
    #[must_use]
    pub fn keyed(&self) -> Option<&Keyed> {
        if let Values::Keyed(keyed) = &self.values { Some(keyed) } else { None }
    }

    /// The rows that are null.
    ///
    /// # Errors
    /// A key of a dictionary is too large.
    pub fn nulls(&self) -> Result<Option<NullBuffer>, ArrayError> {
        Ok(match &self.values {
            Values::Nothing => Some(NullBuffer::new_null(self.rows)),
            Values::Keyed(keyed) => {
                let inner = keyed.values.nulls()?;
                let mut valid = Vec::with_capacity(self.rows);
                for row in 0..self.rows {
                    valid.push(match keyed.value_of(row, self.nulls.as_ref())? {
                        None => false,
                        Some(value) => inner.as_ref().is_none_or(|nulls| nulls.is_valid(value)),
                    });
                }
                Some(NullBuffer::new(BooleanBuffer::from(valid)))
            }
            _ => self.nulls.clone(),
        }
        .filter(|nulls| nulls.null_count() > 0))
    }

    /// Where each row of a dictionary has its value; `None` for a null.
    ///
    /// # Errors
    /// A key is too large.
    pub fn places(&self, keyed: &Keyed) -> Result<Vec<Option<usize>>, ArrayError> {
        (0..self.rows).map(|row| keyed.value_of(row, self.nulls.as_ref())).collect()
    }

    /// The same rows, those that are not `wanted` null.
    #[must_use]
    pub fn only(&self, wanted: &NullBuffer) -> Self {
        Self { nulls: NullBuffer::union(self.nulls.as_ref(), Some(wanted)), ..self.clone() }
    }

    /// Some of the rows.
    #[must_use]
    pub fn slice(&self, range: Range<usize>) -> Self {
        let (from, rows) = (range.start, range.len());
        let values = match &self.values {
            Values::Small { offsets, bytes } => {
                Values::Small { offsets: offsets.slice(from, rows + 1), bytes: bytes.clone() }
            }
            Values::Large { offsets, bytes } => {
                Values::Large { offsets: offsets.slice(from, rows + 1), bytes: bytes.clone() }
            }
            Values::Views { views, buffers } => {
                Values::Views { views: views.slice(from, rows), buffers: buffers.clone() }
            }
            Values::Fixed { width, bytes } => Values::Fixed {
                width: *width,
                bytes: bytes.slice_with_length(from * width, rows * width),
            },
            Values::Digits { bytes } => Values::Digits {
                bytes: bytes.slice_with_length(from * Cell::COUNT, rows * Cell::COUNT),
            },
            Values::Keyed(keyed) => Values::Keyed(Box::new(Keyed {
                data: keyed.data.slice(from, rows),
                keys: keyed.keys[range].to_vec(),
                values: keyed.values.clone(),
            })),
            Values::Nothing => Values::Nothing,
        };
        let nulls = self.nulls.as_ref().map(|nulls| nulls.slice(from, rows));
        Self { rows, nulls, values, mirror: self.mirror.clone() }
    }

    /// A row.
    ///
    /// # Errors
    /// The row lies outside the buffers.
    #[inline]
    pub fn row(&self, row: usize) -> Result<Row<'_>, ArrayError> {
        if self.nulls.as_ref().is_some_and(|nulls| nulls.is_null(row)) {
            return Ok(Row::Null);
        }
        let text = match &self.values {
            Values::Small { offsets, bytes } => {
                bytes.get(offsets[row].as_usize()..offsets[row + 1].as_usize())
            }
            Values::Large { offsets, bytes } => {
                bytes.get(offsets[row].as_usize()..offsets[row + 1].as_usize())
            }
            Values::Views { views, buffers } => view(&views[row], buffers),
            Values::Fixed { width, bytes } => bytes.get(row * width..(row + 1) * width),
            Values::Digits { bytes } => {
                let cells = bytes.get(row * Cell::COUNT..).and_then(<[u8]>::first_chunk);
                return cells.map(Row::Digits).ok_or(ArrayError::Row(row));
            }
            Values::Keyed(keyed) => {
                return keyed.value_of(row, None)?.map_or(Ok(Row::Null), |it| keyed.values.row(it));
            }
            Values::Nothing => return Ok(Row::Null),
        };
        text.map(Row::Text).ok_or(ArrayError::Row(row))
    }
}

impl Keyed {
    /// The place of a row's value; `None` for a null.
    fn value_of(
        &self,
        row: usize,
        nulls: Option<&NullBuffer>,
    ) -> Result<Option<usize>, ArrayError> {
        if nulls.is_some_and(|nulls| nulls.is_null(row)) {
            return Ok(None);
        }
        let place = self.keys[row];
        if place < self.values.rows { Ok(Some(place)) } else { Err(ArrayError::Row(row)) }
    }
}

/// Digits with `NULL_CELL` for those that are null.
fn with_nulls(digits: &[u8], nulls: &NullBuffer) -> Buffer {
    let digit = |(&digit, is_valid)| if is_valid { digit } else { NULL_CELL };
    Buffer::from_vec(digits.iter().zip(nulls.iter()).map(digit).collect::<Vec<_>>())
}

/// The offsets of rows.
fn offsets<O: ArrowNativeType>(buffers: &[Buffer], from: usize, rows: usize) -> ScalarBuffer<O> {
    ScalarBuffer::new(buffers[0].clone(), from, rows + 1)
}

/// The text of a view: in the view itself up to 12 bytes, else in a buffer.
fn view<'a>(view: &'a u128, buffers: &'a [Buffer]) -> Option<&'a [u8]> {
    #[expect(clippy::cast_possible_truncation, reason = "four numbers of 32 bits")]
    let part = |place: u32| (*view >> (32 * place)) as u32 as usize;
    let length = part(0);
    if length <= 12 {
        return view.to_byte_slice().get(4..4 + length);
    }
    let (buffer, start) = (buffers.get(part(2))?, part(3));
    buffer.get(start..start.checked_add(length)?)
}

/// The keys of rows as places.
fn keys(kind: &DataType, buffer: &Buffer, from: usize, rows: usize) -> Vec<usize> {
    fn places<K: ArrowNativeType>(buffer: &Buffer, from: usize, rows: usize) -> Vec<usize> {
        let keys = ScalarBuffer::<K>::new(buffer.clone(), from, rows);
        keys.iter().map(|key| key.to_usize().unwrap_or(usize::MAX)).collect()
    }
    match kind {
        DataType::Int8 => places::<i8>(buffer, from, rows),
        DataType::Int16 => places::<i16>(buffer, from, rows),
        DataType::Int32 => places::<i32>(buffer, from, rows),
        DataType::Int64 => places::<i64>(buffer, from, rows),
        DataType::UInt8 => places::<u8>(buffer, from, rows),
        DataType::UInt16 => places::<u16>(buffer, from, rows),
        DataType::UInt32 => places::<u32>(buffer, from, rows),
        _ => places::<u64>(buffer, from, rows),
    }
}
