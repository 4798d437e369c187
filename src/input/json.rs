//! A line that is one JSON object.

use serde_json::{Map, Value};

/// Where a line stops being a JSON object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct NoObject {
    /// The column, counted from 1; 0 if it is JSON, but no object.
    pub(super) column: usize,
}

/// Reads a line as an object.
pub(super) fn object(line: &[u8]) -> Result<Map<String, Value>, NoObject> {
    if line.trim_ascii_start().first() != Some(&b'{') {
        return Err(NoObject { column: 0 });
    }
    serde_json::from_slice(line).map_err(|error| NoObject { column: error.column() })
}

/// A value as a field of a table: a string's text, nothing for null, else its JSON.
pub(super) fn field(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Null => String::new(),
        other => other.to_string(),
    }
}
