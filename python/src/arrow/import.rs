//! Types as they can be imported.

use arrow_schema::{DataType, Field, Fields};
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

/// Whether a type stands for null.
#[must_use]
pub(super) fn is_nothing(found: &DataType) -> bool {
    match found {
        DataType::Null => true,
        DataType::Struct(fields) => fields.is_empty(),
        _ => false,
    }
}
