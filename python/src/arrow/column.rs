//! The rows of an array, whatever its type.
//!
//! ```text
//! utf8, binary          offsets 0 81 162 …     bytes 53..7…6..195…
//! views                 (length, prefix, buffer, offset) …
//! fixed-size binary     bytes 53..7…6..195…
//! fixed-size list       digits 5 3 0 0 7 …     81 in a row, 0 for a blank: also numpy's
//! list of integers      offsets 0 81 162 …     digits 5 3 0 0 7 …
//! dictionary            places 0 0 1 …         another column
//! ```
//!
//! Offsets, views and keys are checked once: an array with wrong ones is an error and not a fault. Texts are read as
//! bytes, so none is checked to be UTF-8. The line end of a text is no part of it.

use super::error::ArrayError;
use super::text::text_type;
use arrow_array::cast::AsArray;
use arrow_array::types::UInt8Type;
use arrow_array::{
    Array, ArrayRef, BinaryArray, BinaryViewArray, FixedSizeBinaryArray, GenericListArray,
    LargeBinaryArray, OffsetSizeTrait, downcast_integer_array, make_array,
};
use arrow_buffer::{ArrowNativeType, Buffer, NullBuffer};
use arrow_data::ArrayData;
use arrow_schema::DataType;
use ninefold::puzzle::Cell;
use std::ops::Range;
use std::sync::Arc;

/// A row of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ArrayRow<'a> {
    /// No puzzle.
    Null,
    /// A text.
    Text(&'a [u8]),
    /// 81 digits, 0 for a blank.
    Digits(&'a [u8; Cell::COUNT]),
    /// A list of another length.
    Length(usize),
}

/// The digit of a cell that is null in a row that is not, or of an integer that is not a byte: no digit, so
/// the row is malformed.
pub(crate) const NULL_CELL: u8 = 255;

/// The rows of an array.
#[derive(Clone, Debug)]
pub(crate) struct ArrayColumn {
    /// The place of the first row among the values.
    start: usize,
    pub(super) rows: usize,
    nulls: Option<NullBuffer>,
    values: Arc<ColumnValues>,
    /// The type of the texts of results.
    pub(super) data_type: DataType,
    /// If each row has a number that is no digit: the first such number.
    pub(super) no_digit: Option<String>,
}

/// The values of the rows, texts as bytes.
#[derive(Debug)]
enum ColumnValues {
    Small(BinaryArray),
    Large(LargeBinaryArray),
    Views(BinaryViewArray),
    Fixed(FixedSizeBinaryArray),
    Digits(Buffer),
    Lists(Vec<Range<usize>>, Vec<u8>),
    /// The place of each row in another column.
    Places(Vec<usize>, ArrayColumn),
    Nothing,
}

impl ArrayColumn {
    /// The rows of an array.
    ///
    /// # Errors
    /// The type of the array has no puzzles, or its offsets, views or keys lie outside its buffers.
    pub(crate) fn new(data: &ArrayData) -> Result<Self, ArrayError> {
        let (data_type, rows) = (text_type(data.data_type())?, data.len());
        if data.is_empty() {
            // An empty slice keeps its offset, and arrow imports it without the bytes before that.
            let values = Arc::new(ColumnValues::Nothing);
            return Ok(Self { start: 0, rows, nulls: None, values, data_type, no_digit: None });
        }
        if let DataType::Dictionary(..) = data.data_type() {
            return Self::of_dictionary(data);
        }
        let bytes = match data.data_type() {
            DataType::Utf8 => DataType::Binary,
            DataType::LargeUtf8 => DataType::LargeBinary,
            DataType::Utf8View => DataType::BinaryView,
            other => other.clone(),
        };
        // Counts the nulls again: the count of the producer decides nothing.
        let nulls = data.nulls().map(|nulls| NullBuffer::new(nulls.inner().clone()));
        let data = data.clone().into_builder().data_type(bytes).nulls(nulls.clone());
        let array = make_array(data.align_buffers(true).build()?);
        let values = match array.data_type() {
            DataType::Binary => ColumnValues::Small(array.as_binary().clone()),
            DataType::LargeBinary => ColumnValues::Large(array.as_binary().clone()),
            DataType::BinaryView => ColumnValues::Views(array.as_binary_view().clone()),
            DataType::FixedSizeBinary(_) => {
                ColumnValues::Fixed(array.as_fixed_size_binary().clone())
            }
            DataType::FixedSizeList(..) => {
                let cells = array.as_fixed_size_list().values();
                ColumnValues::Digits(match cells.as_primitive_opt::<UInt8Type>() {
                    Some(cells) if cells.nulls().is_none() => cells.values().inner().clone(),
                    _ => Buffer::from_vec(digits(cells)),
                })
            }
            DataType::List(_) => lists(array.as_list::<i32>()),
            DataType::LargeList(_) => lists(array.as_list::<i64>()),
            _ => ColumnValues::Nothing,
        };
        let mut column =
            Self { start: 0, rows, nulls, values: Arc::new(values), data_type, no_digit: None };
        if column.has_no_digits() {
            column.no_digit = no_digit(&array);
        }
        Ok(column)
    }

    /// The rows of a dictionary. A row whose value is null is null.
    fn of_dictionary(data: &ArrayData) -> Result<Self, ArrayError> {
        // Every key has a value.
        data.validate_values()?;
        let array = make_array(data.clone());
        let (dictionary, nulls) = (array.as_any_dictionary(), array.logical_nulls());
        let (rows, data_type) = (array.len(), text_type(data.data_type())?);
        let values = Self::new(&dictionary.values().to_data())?;
        let places = if values.rows == 0 { Vec::new() } else { dictionary.normalized_keys() };
        let values = Arc::new(ColumnValues::Places(places, values));
        Ok(Self { start: 0, rows, nulls, values, data_type, no_digit: None })
    }

    /// The rows that are null.
    pub(crate) fn nulls(&self) -> Option<NullBuffer> {
        let nulls = match &*self.values {
            ColumnValues::Nothing => Some(NullBuffer::new_null(self.rows)),
            _ => self.nulls.clone(),
        };
        nulls.filter(|nulls| nulls.null_count() > 0)
    }

    /// Whether each row has a number that is no digit. Null rows say nothing, and are not alone.
    fn has_no_digits(&self) -> bool {
        let is_wrong = |row: ArrayRow| match row {
            ArrayRow::Digits(cells) => cells.iter().any(|&digit| digit > 9),
            row => row == ArrayRow::Null,
        };
        (0..self.rows).all(|row| is_wrong(self.row(row)))
    }

    /// The same rows, those that are not `wanted` null.
    pub(crate) fn only(&self, wanted: &NullBuffer) -> Self {
        Self { nulls: NullBuffer::union(self.nulls.as_ref(), Some(wanted)), ..self.clone() }
    }

    /// Some of the rows.
    pub(crate) fn slice(&self, range: Range<usize>) -> Self {
        let nulls = self.nulls.as_ref().map(|nulls| nulls.slice(range.start, range.len()));
        Self { start: self.start + range.start, rows: range.len(), nulls, ..self.clone() }
    }

    /// A row.
    pub(crate) fn row(&self, row: usize) -> ArrayRow<'_> {
        if self.nulls.as_ref().is_some_and(|nulls| nulls.is_null(row)) {
            return ArrayRow::Null;
        }
        let place = self.start + row;
        ArrayRow::Text(without_line_end(match &*self.values {
            ColumnValues::Small(texts) => texts.value(place),
            ColumnValues::Large(texts) => texts.value(place),
            ColumnValues::Views(texts) => texts.value(place),
            ColumnValues::Fixed(texts) => texts.value(place),
            ColumnValues::Digits(digits) => {
                let cells = digits[place * Cell::COUNT..].first_chunk();
                return ArrayRow::Digits(cells.expect("81 cells for each row"));
            }
            ColumnValues::Lists(ranges, digits) => {
                let list = &digits[ranges[place].clone()];
                return list.try_into().map_or(ArrayRow::Length(list.len()), ArrayRow::Digits);
            }
            ColumnValues::Places(places, values) => return values.row(places[place]),
            ColumnValues::Nothing => return ArrayRow::Null,
        }))
    }
}

/// The text without its line end, as lines of a file have one.
pub(crate) fn without_line_end(text: &[u8]) -> &[u8] {
    let text = text.strip_suffix(b"\n").unwrap_or(text);
    text.strip_suffix(b"\r").unwrap_or(text)
}

/// The lists of an array.
fn lists<O: OffsetSizeTrait>(array: &GenericListArray<O>) -> ColumnValues {
    let ranges = array.offsets().windows(2).map(|it| it[0].as_usize()..it[1].as_usize());
    ColumnValues::Lists(ranges.collect(), digits(array.values()))
}

/// The first number in lists that is no digit.
fn no_digit(lists: &ArrayRef) -> Option<String> {
    let cells = match lists.data_type() {
        DataType::FixedSizeList(..) => lists.as_fixed_size_list().values(),
        DataType::List(_) => lists.as_list::<i32>().values(),
        DataType::LargeList(_) => lists.as_list::<i64>().values(),
        _ => return None,
    };
    downcast_integer_array!(
        cells => {
            let is_digit = |it: &_| ArrowNativeType::to_usize(*it).is_some_and(|it| it < 10);
            cells.iter().flatten().find(|it| !is_digit(it)).map(|it| it.to_string())
        }
        _ => None
    )
}

/// Integers as digits, with `NULL_CELL` for those that are null or no bytes.
fn digits(array: &ArrayRef) -> Vec<u8> {
    fn digit(number: impl ArrowNativeType) -> u8 {
        number.to_usize().and_then(|it| u8::try_from(it).ok()).unwrap_or(NULL_CELL)
    }
    downcast_integer_array!(
        array => match array.null_count() {
            // 3 times as fast.
            0 => array.values().iter().map(|&it| digit(it)).collect(),
            _ => array.iter().map(|it| it.map_or(NULL_CELL, digit)).collect(),
        },
        _ => unreachable!("a list of integers")
    )
}
