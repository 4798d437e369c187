//! The array that answers a question.

use super::column::ArrayColumn;
use super::error::ArrayError;
use super::question::RowQuestion;
use super::run::{self, Pulse};
use super::table::{ResultCells, ResultColumn, ResultKind, ResultTable};
use super::text;
use arrow_array::{
    ArrayRef, BooleanArray, FixedSizeListArray, Float64Array, Int64Array, ListArray, StructArray,
    make_array, new_empty_array,
};
use arrow_buffer::{BooleanBuffer, Buffer, NullBuffer, OffsetBuffer};
use arrow_data::ArrayData;
use arrow_schema::{DataType, Field, Fields};
use std::sync::Arc;

/// The type of values of the result, for texts of this type.
fn type_of(kind: ResultKind, texts: &DataType) -> DataType {
    match kind {
        ResultKind::Puzzle => texts.clone(),
        ResultKind::List(item) => {
            DataType::List(Arc::new(Field::new("item", type_of(*item, texts), true)))
        }
        ResultKind::Struct(shapes) => DataType::Struct(fields(shapes, texts)),
        ResultKind::Text => DataType::Utf8,
        ResultKind::Bytes => DataType::Binary,
        ResultKind::Number => DataType::Int64,
        ResultKind::Float => DataType::Float64,
        ResultKind::Flag => DataType::Boolean,
        ResultKind::U8s(width) => rows_type(DataType::UInt8, width),
        ResultKind::U16s(width) => rows_type(DataType::UInt16, width),
    }
}

/// The type of rows of this number of values.
fn rows_type(item: DataType, width: usize) -> DataType {
    match width {
        1 => item,
        _ => text::rows_type(item, width),
    }
}

/// The type of the answer to a question, for texts of this type.
pub(super) fn result_type(question: &RowQuestion, texts: &DataType) -> DataType {
    if question.has_details() {
        DataType::Struct(fields(question.columns, texts))
    } else {
        type_of(question.columns[0].kind, texts)
    }
}

fn fields(shapes: &[ResultColumn], texts: &DataType) -> Fields {
    let field = |shape: &ResultColumn| Field::new(shape.name, type_of(shape.kind, texts), true);
    shapes.iter().map(field).collect()
}

/// Answers a question about columns of the same length. The first decides the type of the texts.
///
/// # Errors
/// A row lies outside its array, texts are too long for the type of the result, or the run was
/// interrupted.
pub(crate) fn answer(
    question: &RowQuestion,
    columns: &[ArrayColumn],
    threads: usize,
    pulse: Pulse,
) -> Result<ArrayRef, ArrayError> {
    let texts = columns[0].data_type();
    if columns[0].rows() == 0 {
        return Ok(new_empty_array(&result_type(question, texts)));
    }
    let mut nulls = None;
    let copies = question.copies;
    for column in if copies.is_some() { &columns[..1] } else { columns } {
        nulls = NullBuffer::union(nulls.as_ref(), column.nulls().as_ref());
    }
    nulls = nulls.map(|nulls| nulls.expand(copies.unwrap_or(1)));
    made(run::run(question, columns, threads, pulse)?, texts, nulls)
}

/// The array of these rows, with texts of this type: structs, or the values of the only column.
///
/// # Errors
/// Texts are too long for the type of the result.
pub(crate) fn made(
    table: ResultTable,
    texts: &DataType,
    nulls: Option<NullBuffer>,
) -> Result<ArrayRef, ArrayError> {
    let (fields, details) = (fields(table.shapes, texts), table.details());
    let array = |(field, cells): (&Arc<Field>, _)| {
        array(field.name(), field.data_type(), cells, nulls.as_ref(), details)
    };
    let arrays = fields.iter().zip(table.columns).map(array);
    let mut arrays = arrays.collect::<Result<Vec<_>, _>>()?;
    Ok(if details {
        Arc::new(StructArray::try_new(fields, arrays, nulls)?)
    } else {
        arrays.swap_remove(0)
    })
}

/// The array of a column. Alone it is null where the input is; in a struct, also where it has none.
fn array(
    name: &str,
    kind: &DataType,
    cells: ResultCells,
    nulls: Option<&NullBuffer>,
    in_struct: bool,
) -> Result<ArrayRef, ArrayError> {
    let null_unless = |has: &mut dyn Iterator<Item = bool>| -> Option<NullBuffer> {
        let own = in_struct.then(|| NullBuffer::new(has.collect::<BooleanBuffer>()));
        NullBuffer::union(nulls, own.as_ref()).filter(|nulls| nulls.null_count() > 0)
    };
    let nulls_alone = || nulls.filter(|nulls| nulls.null_count() > 0).cloned();
    Ok(match cells {
        ResultCells::Texts(texts) => {
            let nulls = null_unless(&mut texts.lengths.iter().map(|&length| length > 0));
            text::array(kind, name, texts, nulls)?
        }
        ResultCells::Lists { counts, items } => {
            let DataType::List(item) = kind else { unreachable!("the type of lists") };
            let items = array(name, item.data_type(), *items, None, false)?;
            let lengths = counts.iter().map(|&count| count as usize);
            let offsets = OffsetBuffer::try_from_lengths(lengths);
            let offsets = offsets.map_err(|_| ArrayError::too_long(name))?;
            Arc::new(ListArray::try_new(Arc::clone(item), offsets, items, nulls_alone())?)
        }
        ResultCells::Structs { rows, fields } => {
            let DataType::Struct(kinds) = kind else { unreachable!("the type of structs") };
            let field =
                |(kind, cells): (&Arc<Field>, _)| array(name, kind.data_type(), cells, None, true);
            let arrays = kinds.iter().zip(fields).map(field).collect::<Result<_, _>>()?;
            Arc::new(StructArray::try_new_with_length(kinds.clone(), arrays, None, rows)?)
        }
        ResultCells::Numbers(numbers) => {
            let nulls = null_unless(&mut numbers.iter().map(|&number| number >= 0));
            Arc::new(Int64Array::try_new(numbers.into(), nulls)?)
        }
        ResultCells::Floats(floats) => {
            let nulls = null_unless(&mut floats.iter().map(|float| !float.is_nan()));
            Arc::new(Float64Array::try_new(floats.into(), nulls)?)
        }
        ResultCells::Rows(rows) => {
            let nulls = null_unless(&mut rows.has.into_iter());
            number_rows(kind, rows.bytes, nulls)?
        }
        ResultCells::Flags(flags) => {
            Arc::new(BooleanArray::new(BooleanBuffer::from(flags), nulls_alone()))
        }
    })
}

/// Numbers in rows, or alone.
fn number_rows(
    kind: &DataType,
    bytes: Vec<u8>,
    nulls: Option<NullBuffer>,
) -> Result<ArrayRef, ArrayError> {
    let list =
        if let DataType::FixedSizeList(item, width) = kind { Some((item, *width)) } else { None };
    let item = list.map_or(kind, |(item, _)| item.data_type());
    let numbers = bytes.len() / item.primitive_width().expect("numbers");
    let data = ArrayData::builder(item.clone()).len(numbers).align_buffers(true);
    let data = data.add_buffer(Buffer::from_vec(bytes));
    let Some((item, width)) = list else { return Ok(make_array(data.nulls(nulls).build()?)) };
    let numbers = make_array(data.build()?);
    Ok(Arc::new(FixedSizeListArray::try_new(Arc::clone(item), width, numbers, nulls)?))
}
