//! A line that is one JSON object, its values as they are written there.

use super::forms;
use crate::puzzle::Cell;
use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;

/// The longest path of keys to an object whose values are looked at.
const MOST_PREFIX_BYTES: usize = 200;

/// Where a line stops being a JSON object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoObject {
    /// The column, counted from 1; 0 if it is JSON, but no object.
    pub column: usize,
}

/// The values of an object by their keys. Of a key that comes twice it is the last.
#[derive(Default)]
pub struct Object<'a> {
    /// With each, how many keys came before.
    values: BTreeMap<String, (usize, &'a str)>,
}

impl<'a> Object<'a> {
    /// The JSON of a value.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<&'a str> {
        self.values.get(key).map(|(_, value)| *value)
    }

    /// The JSON of the value at a path of keys: `a.b` is the key `b` of the object at the key `a`,
    /// unless there is a key `a.b`.
    #[must_use]
    pub fn at_path(&self, path: &str) -> Option<&'a str> {
        self.get(path).or_else(|| {
            let mut dots = path.match_indices('.');
            dots.find_map(|(dot, _)| {
                let inner = self.get(&path[..dot])?;
                object(inner.as_bytes()).ok()?.at_path(&path[dot + 1..])
            })
        })
    }

    /// The paths to all values that are no objects, and the JSON of the values.
    #[must_use]
    pub fn paths(&self) -> Vec<(String, &'a str)> {
        fn add<'a>(object: &Object<'a>, prefix: &str, paths: &mut Vec<(String, &'a str)>) {
            for (key, value) in object.members() {
                let path = format!("{prefix}{key}");
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

    /// The keys and the JSON of their values, as they follow each other in the line.
    #[must_use]
    pub fn members(&self) -> Vec<(&str, &'a str)> {
        let mut members: Vec<_> = self.values.iter().collect();
        members.sort_unstable_by_key(|(_, (place, _))| *place);
        members.into_iter().map(|(key, (_, value))| (key.as_str(), *value)).collect()
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Object<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Members;
        impl<'de> Visitor<'de> for Members {
            type Value = Object<'de>;

            fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<Object<'de>, M::Error> {
                let mut object = Object::default();
                while let Some((key, value)) = map.next_entry::<String, &'de RawValue>()? {
                    let place = object.values.len();
                    object.values.entry(key).or_insert((place, "")).1 = value.get();
                }
                Ok(object)
            }
        }
        deserializer.deserialize_map(Members)
    }
}

/// Reads a line as an object.
///
/// # Errors
/// It is not one.
pub fn object(line: &[u8]) -> Result<Object<'_>, NoObject> {
    if line.trim_ascii_start().first() != Some(&b'{') {
        return Err(NoObject { column: 0 });
    }
    serde_json::from_slice(line).map_err(|error| NoObject { column: error.column() })
}

/// The text of a value that is a string.
pub fn text(value: &str) -> Option<Cow<'_, str>> {
    if !value.contains('\\') {
        return value.strip_prefix('"')?.strip_suffix('"').map(Cow::Borrowed);
    }
    serde_json::from_str(value).ok().map(Cow::Owned)
}

/// How many bytes of its line stand before the text of a value. Where a byte was escaped, what is behind
/// it stands further on than it is counted.
#[must_use]
pub fn start(line: &[u8], value: &str) -> usize {
    let quote = usize::from(value.starts_with('"'));
    value.as_ptr().addr() - line.as_ptr().addr() + quote
}

/// A value as a field of a table: a string's text, nothing for null, else its JSON.
#[must_use]
pub fn field(value: &str) -> Cow<'_, str> {
    match value {
        "null" => Cow::Borrowed(""),
        value => text(value).unwrap_or(Cow::Borrowed(value)),
    }
}

/// A value as the text of a grid: 81 numbers in an array are 81 cells.
#[must_use]
pub fn cells(value: &str) -> Cow<'_, str> {
    let array = forms::array(value).filter(|cells| cells.len() == Cell::COUNT);
    match array.and_then(|cells| String::from_utf8(cells).ok()) {
        Some(cells) => Cow::Owned(cells),
        None => field(value),
    }
}
