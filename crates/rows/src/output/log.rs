//! The log beside a partial output: which run writes it, and how far that run has come.
//!
//! ```text
//! {"identity": {…}, "replaces": false}                                      the run
//! {"phase": {"writing": [{"file": …, "pending": ""}]}, "reached": {…}, …}   a checkpoint
//! {"phase": {"writing": …}, …}                                              the next one
//! {"phase": {"committing": …}, …}                                           all is written
//! {"phase": {"committing": {"is_done": true, …}}, …}                        all is named
//! ```
//!
//! Lines are appended and synced, after the bytes that they refer to. The last line counts; if it is torn,
//! the one before. A log is begun anew at the start of a run, when a run is continued, and when it has
//! grown: under another name, which is then given its own. So the first line is never torn.

use super::disk::{self, Written, if_found};
use super::error::Error;
use super::partial::{log_path, new_log_path};
use crate::extent::Extent;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Bytes of a log after which it is begun anew: hours of checkpoints of a run with one input. Tests of
/// crashes need several logs of few lines.
const MOST_BYTES: u64 = if cfg!(test) { 4000 } else { 4 << 20 };

/// The first line.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct LogHeader {
    /// All that the bytes of the outputs depend on.
    pub(super) identity: Value,
    /// Whether the run was started to replace existing files.
    pub(super) replaces: bool,
}

/// Each further line.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct LogEntry {
    pub(super) phase: Phase,
    /// The time that all runs so far took together.
    pub(super) time: Duration,
    /// How far the run has come, in the words of the command.
    pub(super) reached: Value,
}

/// What the run is doing with its outputs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Phase {
    /// They grow. A later run continues after what is kept of each.
    Writing(Vec<ValidPart>),
    /// They are complete and synced, and are named, the first one last.
    Committing {
        /// The content of each output.
        files: Vec<Extent>,
        /// The statistics, which are written after that.
        statistics: String,
        /// Whether all of this is done. The log of a run with `--resume` stays, so that the files are
        /// recognised.
        is_done: bool,
    },
}

/// What a later run keeps of an output.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct ValidPart {
    /// The bytes of its file.
    pub(super) file: Extent,
    /// Text after them that waits for the rest of its block, if the output is compressed. It may not be
    /// UTF-8, so each byte is the character of its number.
    pending: String,
}

impl ValidPart {
    pub(super) fn new(file: Extent, pending: &[u8]) -> Self {
        Self { file, pending: pending.iter().map(|&byte| char::from(byte)).collect() }
    }

    pub(super) fn pending(&self) -> Vec<u8> {
        self.pending.chars().filter_map(|byte| u8::try_from(byte).ok()).collect()
    }

    pub(super) const fn is_empty(&self) -> bool {
        self.file.bytes == 0 && self.pending.is_empty()
    }
}

/// A log.
pub(super) struct Log {
    path: PathBuf,
    new_path: PathBuf,
    pub(super) run: LogHeader,
    pub(super) line: LogEntry,
    /// The file to append to. None if it is to be begun anew.
    file: Option<Written>,
}

impl Log {
    /// The log beside this output. Nothing is written yet.
    pub(super) fn new(output: &Path, run: LogHeader, line: LogEntry) -> Self {
        Self { path: log_path(output), new_path: new_log_path(output), run, line, file: None }
    }

    /// The log beside this output, if there is one, which is of this run.
    pub(super) fn read(output: &Path, identity: &Value) -> Result<Option<Self>, Error> {
        let path = log_path(output);
        let text = if_found(disk::read(&path)).map_err(|cause| Error::new(&path, cause))?;
        // A file system may leave a new file empty after a power failure, though it was synced.
        let Some(text) = text.filter(|text| !text.is_empty()) else { return Ok(None) };
        let mut lines = text.split(|&byte| byte == b'\n').filter(|line| !line.is_empty());
        let run = serde_json::from_slice::<LogHeader>(lines.next().unwrap_or_default());
        let run = run.map_err(|error| malformed(&path, &error))?;
        if let Some(difference) = difference("", &run.identity, identity) {
            let why = format!("is of another run: {difference}; --force begins anew");
            return Err(Error::refused(&path, why));
        }
        let (last, before) = (lines.next_back().unwrap_or_default(), lines.next_back());
        let line = serde_json::from_slice(last)
            .or_else(|error| serde_json::from_slice(before.unwrap_or_default()).map_err(|_| error))
            .map_err(|error| malformed(&path, &error))?;
        Ok(Some(Self::new(output, run, line)))
    }

    /// Brings the line to the disk.
    pub(super) fn write(&mut self) -> Result<(), Error> {
        let mut text = json(&self.line);
        let is_short = |it: &Written| it.file.length().is_ok_and(|bytes| bytes < MOST_BYTES);
        // After an error the file is not used again: no line follows a torn one.
        let written = if let Some(file) = self.file.take().filter(is_short) {
            append(file, &text)
        } else {
            text.splice(0..0, json(&self.run));
            // What cannot be written, perhaps because the disk is full, is not left.
            self.begin(&text).inspect_err(|_| drop(disk::remove(&self.new_path)))
        };
        self.file = Some(written.map_err(|cause| self.error(cause))?);
        Ok(())
    }

    fn begin(&self, text: &[u8]) -> io::Result<Written> {
        // Created anew and not emptied: it might be a link to another file.
        disk::remove(&self.new_path)?;
        let file = append(Written::new(disk::create_new(&self.new_path)?, Some(0)), text)?;
        disk::rename(&self.new_path, &self.path)?;
        Ok(file)
    }

    /// Waits until the name of the log is on the disk.
    pub(super) fn sync_name(&self) -> Result<(), Error> {
        disk::sync_folder_of(&self.path).map_err(|cause| self.error(cause))
    }

    /// The commit is complete, or the run that it is of does not matter any more.
    pub(super) fn remove(output: &Path) -> Result<(), Error> {
        let path = log_path(output);
        disk::remove(&path).map_err(|cause| Error::new(&path, cause))
    }

    pub(super) fn error(&self, cause: io::Error) -> Error {
        Error::new(&self.path, cause)
    }
}

fn append(mut file: Written, text: &[u8]) -> io::Result<Written> {
    file.write_all(text)?;
    disk::sync(&file.file).map(|()| file)
}

fn json(value: &impl Serialize) -> Vec<u8> {
    let mut text = serde_json::to_vec(value).expect("keys are strings, and numbers are finite");
    text.push(b'\n');
    text
}

/// The error of a log that is damaged.
pub(super) fn malformed(path: &Path, error: &serde_json::Error) -> Error {
    Error::refused(path, format!("is not the log of a run: {error}; --force begins anew"))
}

/// The first difference between two runs, in words.
fn difference(place: &str, was: &Value, now: &Value) -> Option<String> {
    let within = |key: &str| match place {
        "" => key.to_owned(),
        place => format!("{place}, {key}"),
    };
    match (was, now) {
        (Value::Object(members), Value::Object(others)) => {
            let mut keys: Vec<_> = members.keys().chain(others.keys()).collect();
            // Another command has other options, and another file has another time.
            keys.sort_by_key(|key| !["command", "name"].contains(&key.as_str()));
            keys.into_iter().find_map(|key| difference(&within(key), &was[key], &now[key]))
        }
        (Value::Array(items), Value::Array(others)) if items.len() == others.len() => {
            let within = |place: usize| within(&format!("{}", place + 1));
            (0..items.len()).find_map(|it| difference(&within(it), &was[it], &now[it]))
        }
        _ if was == now => None,
        (Value::Array(was), Value::Array(now)) => {
            Some(format!("{place} were {}, and are {}", was.len(), now.len()))
        }
        _ => Some(format!("{place} was {}, and is {}", in_words(was), in_words(now))),
    }
}

fn in_words(value: &Value) -> String {
    match value {
        Value::Null => "not given".to_owned(),
        // Without JSON's escapes: a path of Windows has backslashes.
        Value::String(text) => format!("\"{text}\""),
        _ => value.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;
    use std::fs;

    #[test]
    fn the_last_whole_line_counts_and_a_missing_field_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        let output = folder.path().join("out");
        let kept = ValidPart::new(Extent { bytes: 7, xxh3: 17 }, &(0..=255).collect::<Vec<_>>());
        assert_eq!(kept.pending(), (0..=255).collect::<Vec<_>>());
        let run = LogHeader { identity: json!({"a": 1}), replaces: true };
        let line = |reached| {
            let phase = Phase::Writing(vec![kept.clone()]);
            LogEntry { phase, time: Duration::from_millis(1), reached: json!(reached) }
        };
        let mut log = Log::new(&output, run, line(0));
        let read = || Log::read(&output, &json!({"a": 1}));
        assert!(read().unwrap().is_none());
        for reached in 0..30 {
            log.line = line(reached);
            log.write().unwrap();
            let bytes = fs::metadata(log_path(&output)).unwrap().len();
            assert!(bytes < 2 * MOST_BYTES, "begun anew");
            let found = read().unwrap().unwrap();
            assert!(found.run.replaces && found.line == line(reached));
        }
        let text = fs::read_to_string(log_path(&output)).unwrap();
        let torn = text.len() - 17;
        for (end, reached) in [(text.len() - 1, 29), (torn, 28)] {
            fs::write(log_path(&output), &text[..end]).unwrap();
            assert_eq!(read().unwrap().unwrap().line, line(reached), "{end} bytes");
        }
        for field in [
            "identity", "replaces", "phase", "writing", "bytes", "xxh3", "pending", "time",
            "reached",
        ] {
            let without = text.replace(&format!("\"{field}\""), "\"other\"");
            fs::write(log_path(&output), without).unwrap();
            let error = read().err().unwrap().cause.to_string();
            assert!(error.starts_with("is not the log of a run: "), "{field}: {error}");
        }
    }
}
