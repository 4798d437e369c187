//! The array that answers a job.

use super::column::{Column, Keyed};
use super::error::ArrayError;
use super::job::{Job, Kind, Shape};
use super::mirror;
use super::run::{Plan, Pulse};
use super::table::Cells;
use arrow_array::{
    Array, ArrayRef, BooleanArray, Float64Array, Int64Array, ListArray, StructArray, make_array,
    new_empty_array,
};
use arrow_buffer::{BooleanBuffer, NullBuffer, OffsetBuffer};
use arrow_data::ArrayData;
use arrow_data::transform::MutableArrayData;
use arrow_schema::{DataType, Field, Fields};
use std::sync::Arc;

/// The type of values of the result, for an input of this type.
fn type_of(kind: Kind, input: &DataType) -> DataType {
    match (kind, input) {
        (Kind::List(_) | Kind::Copies(_), DataType::Dictionary(_, values)) => type_of(kind, values),
        (Kind::Mirrored(width) | Kind::Copies(width), _) => mirror::with_width(input, width),
        (Kind::List(item), _) => {
            DataType::List(Arc::new(Field::new("item", type_of(*item, input), true)))
        }
        (Kind::Struct(shapes), _) => DataType::Struct(fields(shapes, input)),
        (Kind::Text, _) => DataType::Utf8,
        (Kind::Bytes, _) => DataType::Binary,
        (Kind::Number, _) => DataType::Int64,
        (Kind::Float, _) => DataType::Float64,
        (Kind::Flag, _) => DataType::Boolean,
    }
}

/// The type of the result of a job on an input of this type.
pub(super) fn result_type(job: &Job, input: &DataType) -> DataType {
    if job.details {
        DataType::Struct(fields(job.columns(), input))
    } else {
        type_of(job.columns()[0].kind, input)
    }
}

fn fields(shapes: &[Shape], input: &DataType) -> Fields {
    let field = |shape: &Shape| Field::new(shape.name, type_of(shape.kind, input), true);
    shapes.iter().map(field).collect()
}

/// Runs a job on columns of the same length. The first has the type that the result mirrors.
///
/// # Errors
/// A row lies outside its array, texts are too long for the type of the result, or the run was
/// interrupted.
pub fn answer(
    job: &Job,
    columns: &[Column],
    plan: Plan,
    pulse: Pulse,
) -> Result<ArrayRef, ArrayError> {
    let input = columns[0].data_type();
    if columns[0].rows() == 0 {
        return Ok(new_empty_array(&result_type(job, input)));
    }
    let mut nulls = None;
    let copies = job.question.copies;
    for column in if copies.is_some() { &columns[..1] } else { columns } {
        nulls = NullBuffer::union(nulls.as_ref(), column.nulls()?.as_ref());
    }
    nulls = nulls.map(|nulls| nulls.expand(copies.unwrap_or(1)));
    let mut arrays = if let ([column], Some(keyed), None) = (columns, columns[0].keyed(), copies) {
        answer_keyed(job, column, keyed, plan, pulse)?
    } else {
        let (table, shapes) = (plan.run(job, columns, pulse)?, job.columns().iter());
        let array = |(shape, cells): (&Shape, _)| {
            let kind = type_of(shape.kind, input);
            array(shape.name, &kind, cells, nulls.as_ref(), job.details)
        };
        shapes.zip(table.columns).map(array).collect::<Result<_, _>>()?
    };
    if !job.details {
        return Ok(arrays.swap_remove(0));
    }
    Ok(Arc::new(StructArray::try_new(fields(job.columns(), input), arrays, nulls)?))
}

/// The columns for a dictionary: a value is worked on once, and only if a row has it.
fn answer_keyed(
    job: &Job,
    column: &Column,
    keyed: &Keyed,
    plan: Plan,
    pulse: Pulse,
) -> Result<Vec<ArrayRef>, ArrayError> {
    let places = column.places(keyed)?;
    let mut used = vec![false; keyed.values.rows()];
    places.iter().flatten().for_each(|&place| used[place] = true);
    let values = keyed.values.only(&NullBuffer::new(BooleanBuffer::from(used)));
    let answers = answer(job, &[values], plan, pulse)?.to_data();
    let columns = if job.details { answers.child_data() } else { std::slice::from_ref(&answers) };
    let array = |(shape, data): (&Shape, &ArrayData)| match shape.kind {
        Kind::Mirrored(_) => {
            column.with_values(keyed, type_of(shape.kind, column.data_type()), data.clone())
        }
        _ => taken(shape, data, &places),
    };
    job.columns().iter().zip(columns).map(array).collect()
}

/// The values at these places; null for a place that is not given.
fn taken(
    shape: &Shape,
    values: &ArrayData,
    places: &[Option<usize>],
) -> Result<ArrayRef, ArrayError> {
    let mut taken = MutableArrayData::new(vec![values], true, places.len());
    for place in places {
        match *place {
            Some(place) => taken.try_extend(0, place, place + 1),
            None => taken.try_extend_nulls(1),
        }
        .map_err(|_| ArrayError::TooLong { field: shape.name })?;
    }
    Ok(make_array(taken.freeze()))
}

/// The array of a column. Alone it is null where the input is; in a struct, also where it has none.
fn array(
    name: &'static str,
    kind: &DataType,
    cells: Cells,
    nulls: Option<&NullBuffer>,
    in_struct: bool,
) -> Result<ArrayRef, ArrayError> {
    let null_unless = |has: &mut dyn Iterator<Item = bool>| -> Option<NullBuffer> {
        let own = in_struct.then(|| NullBuffer::new(has.collect::<BooleanBuffer>()));
        NullBuffer::union(nulls, own.as_ref()).filter(|nulls| nulls.null_count() > 0)
    };
    Ok(match cells {
        Cells::Texts(texts) => {
            let nulls = null_unless(&mut texts.lengths.iter().map(|&length| length > 0));
            mirror::array(kind, name, texts, nulls)?
        }
        Cells::Lists { counts, items } => {
            let DataType::List(item) = kind else { unreachable!("the type of lists") };
            let items = array(name, item.data_type(), *items, None, false)?;
            let lengths = counts.iter().map(|&count| count as usize);
            let offsets = OffsetBuffer::try_from_lengths(lengths);
            let offsets = offsets.map_err(|_| ArrayError::TooLong { field: name })?;
            let nulls = nulls.filter(|nulls| nulls.null_count() > 0).cloned();
            Arc::new(ListArray::try_new(Arc::clone(item), offsets, items, nulls)?)
        }
        Cells::Structs { rows, fields } => {
            let DataType::Struct(kinds) = kind else { unreachable!("the type of structs") };
            let field =
                |(kind, cells): (&Arc<Field>, _)| array(name, kind.data_type(), cells, None, true);
            let arrays = kinds.iter().zip(fields).map(field).collect::<Result<_, _>>()?;
            Arc::new(StructArray::try_new_with_length(kinds.clone(), arrays, None, rows)?)
        }
        Cells::Numbers(numbers) => {
            let nulls = null_unless(&mut numbers.iter().map(|&number| number >= 0));
            Arc::new(Int64Array::try_new(numbers.into(), nulls)?)
        }
        Cells::Floats(floats) => {
            let nulls = null_unless(&mut floats.iter().map(|float| !float.is_nan()));
            Arc::new(Float64Array::try_new(floats.into(), nulls)?)
        }
        Cells::Flags(flags) => {
            let nulls = nulls.filter(|nulls| nulls.null_count() > 0).cloned();
            Arc::new(BooleanArray::new(BooleanBuffer::from(flags), nulls))
        }
    })
}
