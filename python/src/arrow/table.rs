//! The array that is made of the cells of a job.

use super::cells::{Cells, Kind};
use super::column::Column;
use super::error::ArrayError;
use super::job::{Header, Job, Shape};
use super::mirror::Mirror;
use super::run::{Plan, Pulse};
use arrow_array::{
    ArrayRef, BooleanArray, Float64Array, Int64Array, ListArray, StringArray, StructArray,
    new_empty_array,
};
use arrow_buffer::{BooleanBuffer, NullBuffer, OffsetBuffer, ScalarBuffer};
use arrow_schema::{DataType, Field, Fields};
use std::sync::Arc;

/// The type of a column of the result.
fn type_of(shape: &Shape, mirror: &Mirror) -> DataType {
    match shape.kind {
        Kind::Mirrored(width) => mirror.data_type(width),
        Kind::Lists(width) => DataType::List(Arc::new(item(mirror.values(), width))),
        Kind::Text | Kind::Name => DataType::Utf8,
        Kind::Number => DataType::Int64,
        Kind::Float => DataType::Float64,
        Kind::Flag => DataType::Boolean,
    }
}

/// The field of the texts of a list.
fn item(mirror: &Mirror, width: Option<usize>) -> Field {
    Field::new("item", mirror.data_type(width), true)
}

/// The type of the result of a job on columns of this type.
pub(super) fn result_type(job: &dyn Job, mirror: &Mirror) -> DataType {
    match job.header() {
        Header::Plain => type_of(&job.shapes()[0], mirror),
        Header::Struct => DataType::Struct(fields(job, mirror)),
    }
}

fn fields(job: &dyn Job, mirror: &Mirror) -> Fields {
    let field = |shape: &Shape| Field::new(shape.name, type_of(shape, mirror), true);
    job.shapes().iter().map(field).collect()
}

/// Runs a job on columns of the same length.
///
/// # Errors
/// A row lies outside its array, texts are too long for the type of the result, or the run was
/// interrupted.
pub fn answer(
    job: &dyn Job,
    columns: &[Column],
    plan: Plan,
    pulse: Pulse,
) -> Result<ArrayRef, ArrayError> {
    let [column, others @ ..] = columns else { unreachable!("a job has a column") };
    let mirror = column.mirror();
    if column.rows() == 0 {
        return Ok(new_empty_array(&result_type(job, mirror)));
    }
    let (keyed, mut nulls) = (column.keyed(), column.nulls()?);
    for other in others {
        nulls = NullBuffer::union(nulls.as_ref(), other.nulls()?.as_ref());
    }
    let (Some(keyed), []) = (keyed, others) else {
        let cells = plan.run(job, columns, pulse)?;
        let array =
            |shape: &Shape, cells| array(shape, cells, mirror, nulls.as_ref(), job.header());
        let arrays: Result<Vec<_>, _> =
            job.shapes().iter().zip(cells).map(|(shape, cells)| array(shape, cells)).collect();
        return joined(job, mirror, arrays?, nulls);
    };
    // A value of a dictionary is worked on once, and only if a row has it.
    let places = column.places(keyed)?;
    let mut used = vec![false; keyed.values.rows()];
    places.iter().flatten().for_each(|&place| used[place] = true);
    let values = keyed.values.only(&NullBuffer::new(BooleanBuffer::from(used)));
    let value_nulls = values.nulls()?;
    let cells = plan.run(job, std::slice::from_ref(&values), pulse)?;
    let arrays: Result<Vec<_>, ArrayError> = job
        .shapes()
        .iter()
        .zip(cells)
        .map(|(shape, cells)| match shape.kind {
            Kind::Mirrored(width) => {
                let header = job.header();
                let values = array(shape, cells, values.mirror(), value_nulls.as_ref(), header)?;
                mirror.with_keys_of(&keyed.data, &values, width)
            }
            Kind::Lists(_) => {
                let cells = cells.take(&places);
                array(shape, cells, values.mirror(), nulls.as_ref(), job.header())
            }
            _ => array(shape, cells.take(&places), mirror, nulls.as_ref(), job.header()),
        })
        .collect();
    joined(job, mirror, arrays?, nulls)
}

/// The columns as one array.
fn joined(
    job: &dyn Job,
    mirror: &Mirror,
    mut arrays: Vec<ArrayRef>,
    nulls: Option<NullBuffer>,
) -> Result<ArrayRef, ArrayError> {
    Ok(match job.header() {
        Header::Plain => arrays.swap_remove(0),
        Header::Struct => Arc::new(StructArray::try_new(fields(job, mirror), arrays, nulls)?),
    })
}

/// The array of a column. Alone it is null where the input is; in a struct, also where it has none.
fn array(
    shape: &Shape,
    cells: Cells,
    mirror: &Mirror,
    nulls: Option<&NullBuffer>,
    header: Header,
) -> Result<ArrayRef, ArrayError> {
    let null_where = |has: &mut dyn Iterator<Item = bool>| -> Option<NullBuffer> {
        let own = match header {
            Header::Plain => None,
            Header::Struct => Some(NullBuffer::new(has.collect::<BooleanBuffer>())),
        };
        NullBuffer::union(nulls, own.as_ref()).filter(|nulls| nulls.null_count() > 0)
    };
    Ok(match cells {
        Cells::Texts(texts) => {
            let nulls = null_where(&mut texts.lengths.iter().map(|&length| length > 0));
            match shape.kind {
                Kind::Mirrored(width) => mirror.array(shape.name, texts, width, nulls)?,
                _ => Mirror::utf8().array(shape.name, texts, None, nulls)?,
            }
        }
        Cells::Lists { counts, texts } => {
            let width = if let Kind::Lists(width) = shape.kind { width } else { None };
            let item = item(mirror, width);
            let mut ends = Vec::with_capacity(counts.len() + 1);
            let mut end = 0u32;
            ends.push(0);
            for count in &counts {
                end = end.saturating_add(*count);
                let end = i32::try_from(end);
                ends.push(end.map_err(|_| ArrayError::TooLong { field: shape.name })?);
            }
            let texts = mirror.array(shape.name, texts, width, None)?;
            let nulls = null_where(&mut counts.iter().map(|_| true));
            let offsets = OffsetBuffer::new(ScalarBuffer::from(ends));
            Arc::new(ListArray::try_new(Arc::new(item), offsets, texts, nulls)?)
        }
        Cells::Names(names) => {
            let nulls = null_where(&mut names.iter().map(|name| !name.is_empty()));
            let lengths = names.iter().map(|name| name.len());
            let total: usize = lengths.clone().sum();
            if i32::try_from(total).is_err() {
                return Err(ArrayError::TooLong { field: shape.name });
            }
            let offsets = OffsetBuffer::from_lengths(lengths);
            let mut bytes = Vec::with_capacity(total);
            for name in &names {
                bytes.extend_from_slice(name.as_bytes());
            }
            Arc::new(StringArray::try_new(offsets, bytes.into(), nulls)?)
        }
        Cells::Numbers(numbers) => {
            let nulls = null_where(&mut numbers.iter().map(|&number| number >= 0));
            Arc::new(Int64Array::try_new(numbers.into(), nulls)?)
        }
        Cells::Floats(floats) => {
            let nulls = null_where(&mut floats.iter().map(|float| !float.is_nan()));
            Arc::new(Float64Array::try_new(floats.into(), nulls)?)
        }
        Cells::Flags(flags) => {
            let nulls = null_where(&mut flags.iter().map(|_| true));
            Arc::new(BooleanArray::new(BooleanBuffer::from(flags), nulls))
        }
    })
}

/// The rows of an array are those of its columns.
pub(super) fn same_length(columns: &[Column]) -> Result<(), ArrayError> {
    match columns {
        [one, other] if one.rows() != other.rows() => {
            Err(ArrayError::Lengths { one: one.rows(), other: other.rows() })
        }
        _ => Ok(()),
    }
}
