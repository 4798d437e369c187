//! The file next to a partial output that says how much of it is valid, and what comes next.
//!
//! ```text
//! {"state_version": 3,
//!  "identity": {…},                                       inputs and options, as given
//!  "phase": {"writing": {"records": {"file": …, …}}},     or {"committing": {…}}
//!  "replaces": false, "microseconds": 17, "reached": {…}}
//! ```
//!
//! A new version is written next to it, synced, and renamed: there is always a complete one. It
//! never refers to bytes that are not on the disk.

use super::disk::{self, Written};
use super::error::Error;
use super::mark::Kept;
use super::partial::new_state_path;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::fs;
use std::io::{self, ErrorKind, Write};
use std::path::Path;

/// The version of the file's content.
const VERSION: u64 = 3;

/// The content of the file. A field that is missing is an error.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct State<P> {
    #[serde(rename = "state_version")]
    version: u64,
    /// All that the bytes of the outputs depend on.
    pub(super) identity: Value,
    pub(super) phase: Phase,
    /// Whether the run was started to replace existing files.
    pub(super) replaces: bool,
    /// The time that all runs so far took together.
    pub(super) microseconds: u64,
    /// How far the run has come, in the words of the command.
    pub(super) reached: P,
}

/// What the run is doing with its outputs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Phase {
    /// They grow. A later run continues after what is kept of each.
    Writing {
        records: Kept,
        // Without this, serde takes a missing field for `null`.
        #[serde(deserialize_with = "Option::deserialize")]
        rejects: Option<Kept>,
    },
    /// They are complete and synced. Rejects are renamed first, then records; then the statistics
    /// are written.
    Committing {
        records_bytes: u64,
        #[serde(deserialize_with = "Option::deserialize")]
        rejects_bytes: Option<u64>,
        statistics: String,
        /// Whether the run had an output for them.
        owes_statistics: bool,
    },
}

impl<P> State<P> {
    pub(super) const fn new(identity: Value, phase: Phase, replaces: bool, reached: P) -> Self {
        Self { version: VERSION, identity, phase, replaces, microseconds: 0, reached }
    }
}

impl<P: Serialize + DeserializeOwned> State<P> {
    /// The state in this file. Nothing if there is none, or an empty one.
    pub(super) fn read(path: &Path, identity: &Value) -> Result<Option<Self>, Error> {
        let text = match fs::read(path) {
            // A file system may leave a new file empty after a power failure, though it was synced.
            Ok(text) if text.is_empty() => return Ok(None),
            Ok(text) => text,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(Error::new(path, error)),
        };
        let invalid = |why: String| Error::new(path, io::Error::new(ErrorKind::InvalidData, why));
        let malformed =
            |error| invalid(format!("is not the state of a run: {error}; --force begins anew"));
        let state: Value = serde_json::from_slice(&text).map_err(malformed)?;
        if state["state_version"] != VERSION {
            let why = "is not the state of a run of this version; --force begins anew";
            return Err(invalid(why.to_owned()));
        }
        if let Some(difference) = difference("", &state["identity"], identity) {
            return Err(invalid(format!("is of another run: {difference}")));
        }
        serde_json::from_value(state).map(Some).map_err(malformed)
    }

    /// Puts this state in place of the last one.
    pub(super) fn write(&self, path: &Path) -> io::Result<()> {
        let new = new_state_path(path);
        let written = self.write_new(&new).and_then(|()| disk::rename(&new, path));
        // What cannot be written, perhaps because the disk is full, is not left.
        written.inspect_err(|_| drop(disk::remove(&new)))
    }

    fn write_new(&self, new: &Path) -> io::Result<()> {
        // Created anew and not emptied: it might be a link to another file.
        disk::remove(new)?;
        let mut file = Written::from(disk::create_new(new)?);
        let mut text = serde_json::to_vec_pretty(self).map_err(io::Error::from)?;
        text.push(b'\n');
        file.write_all(&text)?;
        disk::sync(&file.file)
    }
}

/// The first difference between two runs, in words.
fn difference(place: &str, was: &Value, now: &Value) -> Option<String> {
    let within = |key: &str| match place {
        "" => key.to_owned(),
        place => format!("{place}, {key}"),
    };
    match (was, now) {
        (Value::Object(was), Value::Object(now)) => {
            let keys = was.keys().chain(now.keys().filter(|key| !was.contains_key(*key)));
            keys.into_iter().find_map(|key| {
                let of = |map: &serde_json::Map<String, Value>| map.get(key).cloned();
                let (was, now) = (of(was).unwrap_or_default(), of(now).unwrap_or_default());
                difference(&within(key), &was, &now)
            })
        }
        (Value::Array(was), Value::Array(now)) if was.len() == now.len() => {
            let mut pairs = was.iter().zip(now).zip(1..);
            pairs.find_map(|((was, now), number)| {
                difference(&within(&format!("{number}")), was, now)
            })
        }
        _ if was == now => None,
        (Value::Array(was), Value::Array(now)) => {
            Some(format!("{place} were {}, and are {}", was.len(), now.len()))
        }
        _ => Some(format!("{place} was {}, and is {}", in_words(was), in_words(now))),
    }
}

fn in_words(value: &Value) -> String {
    if value.is_null() { "not given".to_owned() } else { value.to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::output::extent::Extent;
    use serde_json::json;

    #[test]
    fn a_difference_is_named_by_its_place() {
        let one = json!({"limit": 2, "inputs": [{"name": "a"}, {"name": "b", "bytes": 5}]});
        assert_eq!(difference("", &one, &one), None);
        let mut other = one.clone();
        other["inputs"][1]["bytes"] = json!(6);
        let found = difference("", &one, &other).unwrap();
        assert_eq!(found, "inputs, 2, bytes was 5, and is 6");
        other["inputs"] = json!([]);
        assert_eq!(difference("", &one, &other).unwrap(), "inputs were 2, and are 0");
        assert_eq!(
            difference("", &json!({}), &json!({"a": 1})).unwrap(),
            "a was not given, and is 1"
        );
    }

    #[test]
    fn a_missing_field_is_an_error_and_not_zero() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("state");
        let file = Extent { bytes: 7, xxh3: 17 };
        let records = Kept { file, pending: (0..=255).collect() };
        let phase = Phase::Writing { records, rejects: None };
        let state = State::new(json!({"a": 1}), phase.clone(), true, 17);
        state.write(&path).unwrap();
        let read = State::<u64>::read(&path, &json!({"a": 1})).unwrap().unwrap();
        assert_eq!((read.phase, read.reached, read.replaces), (phase, 17, true));
        let text = fs::read_to_string(&path).unwrap();
        for field in
            ["microseconds", "replaces", "reached", "phase", "records", "rejects", "bytes", "xxh3"]
        {
            let without = text.replace(&format!("\"{field}\""), "\"other\"");
            fs::write(&path, without).unwrap();
            let error = State::<u64>::read(&path, &json!({"a": 1})).unwrap_err();
            assert!(error.cause.to_string().starts_with("is not the state of a run: "), "{field}");
        }
    }
}
