//! The array that answers a question.

use super::column::ArrayColumn;
use super::error::ArrayError;
use super::question::{Pulse, RowQuestion, run};
use super::table::{ResultCells, ResultTable};
use super::text;
use arrow_array::{
    ArrayRef, BooleanArray, FixedSizeListArray, ListArray, StructArray, make_array, new_empty_array,
};
use arrow_buffer::{BooleanBuffer, Buffer, NullBuffer, OffsetBuffer};
use arrow_data::ArrayData;
use arrow_schema::{DataType, FieldRef};
use std::sync::Arc;

/// Answers a question about columns of the same length. The first decides the type of the texts.
///
/// # Errors
/// Texts are too long for the type of the result, or the run was interrupted.
pub(crate) fn answer(
    question: &RowQuestion,
    columns: &[ArrayColumn],
    threads: usize,
    pulse: Pulse,
) -> Result<ArrayRef, ArrayError> {
    if columns[0].rows == 0 {
        return Ok(new_empty_array(&question.result_type(&columns[0].data_type)));
    }
    let mut nulls = None;
    let copies = question.copies;
    for column in if copies.is_some() { &columns[..1] } else { columns } {
        nulls = NullBuffer::union(nulls.as_ref(), column.nulls().as_ref());
    }
    nulls = nulls.map(|nulls| nulls.expand(copies.unwrap_or(1)));
    made(run(question, columns, threads, pulse)?, nulls)
}

/// The array of these rows: structs, or the values of the only column.
///
/// # Errors
/// Texts are too long for the type of the result.
pub(crate) fn made(table: ResultTable, nulls: Option<NullBuffer>) -> Result<ArrayRef, ArrayError> {
    let (details, ResultTable { fields, columns }) = (table.details(), table);
    let array = |(field, cells): (&FieldRef, _)| {
        array(field.name(), field.data_type(), cells, nulls.as_ref(), details)
    };
    let mut arrays = fields.iter().zip(columns).map(array).collect::<Result<Vec<_>, _>>()?;
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
    let nulls = nulls.filter(|nulls| nulls.null_count() > 0);
    let null_unless = |has: &mut dyn Iterator<Item = bool>| -> Option<NullBuffer> {
        let own = in_struct.then(|| NullBuffer::new(has.collect::<BooleanBuffer>()));
        NullBuffer::union(nulls, own.as_ref()).filter(|nulls| nulls.null_count() > 0)
    };
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
            Arc::new(ListArray::try_new(Arc::clone(item), offsets, items, nulls.cloned())?)
        }
        ResultCells::Structs(table) => made(table, None)?,
        ResultCells::Rows(rows) if *kind == DataType::Boolean => {
            let flags = rows.bytes.iter().map(|&flag| flag > 0).collect::<BooleanBuffer>();
            Arc::new(BooleanArray::new(flags, nulls.cloned()))
        }
        ResultCells::Rows(rows) => {
            let nulls = null_unless(&mut rows.has.into_iter());
            numbers(kind, rows.bytes, nulls)?
        }
    })
}

/// Numbers in rows, or alone.
fn numbers(
    kind: &DataType,
    bytes: Vec<u8>,
    nulls: Option<NullBuffer>,
) -> Result<ArrayRef, ArrayError> {
    if let DataType::FixedSizeList(item, width) = kind {
        let items = numbers(item.data_type(), bytes, None)?;
        return Ok(Arc::new(FixedSizeListArray::try_new(Arc::clone(item), *width, items, nulls)?));
    }
    let rows = bytes.len() / kind.primitive_width().expect("numbers");
    let data = ArrayData::builder(kind.clone()).len(rows).nulls(nulls).align_buffers(true);
    Ok(make_array(data.add_buffer(Buffer::from_vec(bytes)).build()?))
}
