//! A line that is one JSON object, its values as they are written there.

use super::malformed::Malformed;
use crate::puzzle::Cell;
use serde::Deserialize;
use serde::de::{Deserializer, MapAccess, Visitor};
use serde_json::Value;
use serde_json::value::RawValue;
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// The longest path of keys to an object whose values are looked at.
const MOST_PREFIX_BYTES: usize = 200;

/// The keys of an object and the JSON of their values, as they follow each other in the line.
#[derive(Default)]
pub(super) struct Object<'a>(Vec<(Cow<'a, str>, &'a str)>);

/// A string that is borrowed from its JSON, if nothing in it is escaped.
#[derive(Deserialize)]
struct Text<'a>(#[serde(borrow)] Cow<'a, str>);

impl<'a> Object<'a> {
    /// The JSON of a value.
    pub(super) fn get(&self, key: &str) -> Option<&'a str> {
        self.0.iter().rfind(|(other, _)| other == key).map(|(_, value)| *value)
    }

    /// The paths to all values that are no objects, and the JSON of the values.
    pub(super) fn paths(&self) -> Vec<(Cow<'a, str>, &'a str)> {
        fn add<'a>(object: &Object<'a>, prefix: &str, paths: &mut Vec<(Cow<'a, str>, &'a str)>) {
            for &(ref key, value) in &object.0 {
                let path = match prefix {
                    "" => key.clone(),
                    prefix => format!("{prefix}{key}").into(),
                };
                let inner = (value.starts_with('{') && prefix.len() < MOST_PREFIX_BYTES)
                    .then(|| self::object(value.as_bytes()).ok());
                match inner.flatten() {
                    Some(inner) => add(&inner, &format!("{path}."), paths),
                    None => paths.push((path, value)),
                }
            }
        }
        let mut paths = Vec::new();
        add(self, "", &mut paths);
        paths
    }

    /// The keys and the JSON of their values. Of a key that comes twice it is the last value.
    pub(super) fn members(&self) -> Vec<(&Cow<'a, str>, &'a str)> {
        let last: BTreeMap<_, _> = self.0.iter().map(|(key, value)| (key, *value)).collect();
        let mut seen = BTreeSet::new();
        let firsts = self.0.iter().filter(|(key, _)| seen.insert(key));
        firsts.map(|(key, _)| (key, last[key])).collect()
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Object<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct ObjectVisitor;
        impl<'de> Visitor<'de> for ObjectVisitor {
            type Value = Object<'de>;

            fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<Object<'de>, M::Error> {
                let mut object = Object::default();
                while let Some((Text(key), value)) = map.next_entry::<Text, &'de RawValue>()? {
                    object.0.push((key, value.get()));
                }
                Ok(object)
            }
        }
        deserializer.deserialize_map(ObjectVisitor)
    }
}

/// Reads a line as an object.
///
/// # Errors
/// It is not one.
pub(super) fn object(line: &[u8]) -> Result<Object<'_>, Malformed> {
    if line.trim_ascii_start().first() != Some(&b'{') {
        return Err(Malformed::NoObject { column: 0 });
    }
    serde_json::from_slice(line).map_err(|error| Malformed::NoObject { column: error.column() })
}

/// A value as a field of a table: a string's text, nothing for null, else its JSON.
pub(super) fn field(value: &str) -> Cow<'_, [u8]> {
    if value == "null" {
        return Cow::Borrowed(b"");
    }
    match value.starts_with('"').then(|| serde_json::from_str(value)) {
        Some(Ok(Text(Cow::Borrowed(text)))) => text.as_bytes().into(),
        Some(Ok(Text(Cow::Owned(text)))) => text.into_bytes().into(),
        // A half of a surrogate pair is JSON, and no text.
        Some(Err(_)) | None => value.as_bytes().into(),
    }
}

/// A value as the text of a grid: 81 numbers in an array are 81 cells.
pub(super) fn cells(value: &str) -> Cow<'_, [u8]> {
    let array = array(value).filter(|cells| cells.len() == Cell::COUNT);
    array.map_or_else(|| field(value), Cow::Owned)
}

/// The cells of a JSON array: numbers, one-character strings or null, or strings and arrays of them.
/// `None` if it has something else.
pub(super) fn array(json: &str) -> Option<Vec<u8>> {
    fn add(value: &Value, cells: &mut Vec<u8>) -> Option<()> {
        // An array of other numbers may be long.
        if cells.len() > 2 * Cell::COUNT {
            return None;
        }
        match value {
            Value::Null => cells.push(b'.'),
            Value::Number(number) => {
                let digit = number.as_u64().filter(|&digit| digit <= 9)?;
                cells.push(b'0' + u8::try_from(digit).ok()?);
            }
            Value::String(text) if text.is_empty() || text == " " => cells.push(b'.'),
            Value::String(text) => cells.extend_from_slice(text.as_bytes()),
            Value::Array(values) => values.iter().try_for_each(|value| add(value, cells))?,
            Value::Bool(_) | Value::Object(_) => return None,
        }
        Some(())
    }
    if !json.trim_ascii_start().starts_with('[') {
        return None;
    }
    let values: Vec<Value> = serde_json::from_str(json).ok()?;
    // A list of one puzzle may be beside longer ones.
    if let [Value::String(_)] = values[..] {
        return None;
    }
    let mut cells = Vec::new();
    values.iter().try_for_each(|value| add(value, &mut cells))?;
    Some(cells)
}

/// Whether an array of cells has null as well as the number 0. If null is a blank, 0 is a digit, and the digits are
/// perhaps 0 to 8.
pub(super) fn has_two_blanks(json: &str) -> bool {
    let is_name = |c: char| c.is_ascii_alphanumeric() || c == '"';
    json.starts_with('[')
        && json.contains("null")
        && json.split(|c| !is_name(c)).any(|word| word == "0")
}

#[cfg(test)]
mod tests {
    use super::*;

    const EASY: &str =
        "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";

    #[test]
    fn an_array_has_numbers_rows_or_strings() {
        let zeros = EASY.replace('.', "0");
        let digits: Vec<_> = zeros.chars().map(String::from).collect();
        let rows: Vec<_> = digits.chunks(9).map(|row| format!("[{}]", row.join(","))).collect();
        let strings: Vec<_> = zeros
            .as_bytes()
            .chunks(9)
            .map(|row| format!("\"{}\"", String::from_utf8_lossy(row)))
            .collect();
        for text in [digits.join(", "), rows.join(","), strings.join(",")] {
            assert_eq!(array(&format!("[{text}]")).unwrap(), zeros.as_bytes());
        }
        assert_eq!(array("[null, \"\"]").unwrap(), b"..");
        assert!(has_two_blanks("[[0, null], 8]"));
        assert!(!["[0, 1]", "[null, 10]", "[null, \"0\"]"].map(has_two_blanks).contains(&true));
        assert_eq!(
            [array("[10]"), array("[true]"), array("7"), array("[1")],
            [None, None, None, None]
        );
    }
}
