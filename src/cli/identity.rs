//! The identity of a run: all parsed arguments, except a short list that cannot change the records, and
//! the files that are read. `--resume` continues a run of the same identity only, and `merge` adds up
//! shards of the same one. A new option is a part of it by default.

use super::standard::{is_standard, stdin_file};
use clap::ArgMatches;
use serde_json::{Map, Value, json};
use std::fs::{self, Metadata};
use std::path::Path;
use std::time::SystemTime;

/// The arguments that cannot change the records.
const WITHOUT_EFFECT: [&str; 14] = [
    "exit_zero",
    "explain_input",
    "flush_interval",
    "force",
    "grace",
    "inputs",
    "no_mmap",
    "no_progress",
    "output",
    "quiet",
    "resume",
    "simd",
    "stats_json",
    "threads",
];

/// The arguments of a command by their long names.
pub(super) fn of(command: &str, matches: &ArgMatches) -> Map<String, Value> {
    let mut identity = Map::new();
    identity.insert("command".to_owned(), json!(command));
    identity.insert("version".to_owned(), json!(env!("CARGO_PKG_VERSION")));
    // The groups of arguments have identifiers, too: the names of their types.
    let ids = matches.ids().map(clap::Id::as_str).filter(|id| id.starts_with(char::is_lowercase));
    for id in ids.filter(|id| !WITHOUT_EFFECT.contains(id)) {
        let Ok(Some(values)) = matches.try_get_raw(id) else { continue };
        let words: Vec<_> = values.map(|word| of_word(&word.to_string_lossy())).collect();
        let value = if let [word] = &words[..] { word.clone() } else { json!(words) };
        identity.insert(format!("--{}", id.replace('_', "-")), value);
    }
    identity
}

/// A number, `true`, `false`, or text.
fn of_word(word: &str) -> Value {
    let number = word.parse::<u64>().map(Value::from);
    let plain = number.or_else(|_| word.parse::<bool>().map(Value::from));
    // 007 is text.
    plain.ok().filter(|value| value.to_string().as_str() == word).unwrap_or_else(|| json!(word))
}

/// The files that a run reads, as they are now.
pub(crate) fn of_files<'a>(paths: impl IntoIterator<Item = &'a Path>) -> Value {
    paths.into_iter().map(of_file).collect()
}

fn of_file(path: &Path) -> Value {
    let about = if is_standard(path) {
        stdin_file().and_then(|file| file.metadata())
    } else {
        fs::metadata(path)
    };
    let about = about.ok().filter(Metadata::is_file);
    let modified = about.as_ref().and_then(|about| about.modified().ok());
    let modified = modified.and_then(|time| time.duration_since(SystemTime::UNIX_EPOCH).ok());
    json!({
        "name": path.to_string_lossy(),
        "bytes": about.map(|about| about.len()),
        "modified": modified.map(|time| format!("{}.{:09}", time.as_secs(), time.subsec_nanos())),
    })
}
