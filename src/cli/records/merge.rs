//! Adds up the statistics of the shards of a command, and checks that they are a whole.

use super::super::exit::{Error, Outcome, say};
use super::Ran;
use ninefold::bulk::Counts;
use ninefold::output::Sink;
use serde_json::{Map, Value, json};
use std::fs;
use std::path::{Path, PathBuf};

/// A command whose statistics are added up.
pub(in crate::cli) struct Merger<C> {
    /// Its name, the value of `command`.
    pub(in crate::cli) command: &'static str,
    /// The keys that all shards of a run share, apart from [`SHARED`].
    pub(in crate::cli) shared: &'static [&'static str],
    /// Reads the counts of an input from its object.
    pub(in crate::cli) read: fn(&Value) -> Result<C, serde_json::Error>,
    /// Writes them.
    pub(in crate::cli) write: fn(&C) -> Value,
    /// The first line of the summary.
    pub(in crate::cli) line: fn(&C) -> String,
}

/// The keys that all shards of a run share, whatever the command.
const SHARED: [&str; 4] = ["program", "command", "version", "options"];

/// The statistics of one shard, and the file that has them.
type Part<'a> = (&'a Path, Map<String, Value>);

impl<C: Counts> Merger<C> {
    /// Adds to the statistics of a run what merging needs.
    pub(in crate::cli) fn describe(&self, object: &mut Value, ran: &Ran<'_, C>) {
        let Ran { report, shard, identity, .. } = ran;
        let files = &identity["inputs"];
        // The inputs and the shard have keys of their own.
        let mut options: Map<_, _> = identity.as_object().cloned().unwrap_or_default();
        options.retain(|key, _| key.starts_with("--") && key != "--shard");
        let inputs = report.inputs.iter().enumerate().map(|(place, input)| {
            let mut object = (self.write)(&input.stats);
            object["name"] = json!(&*input.name);
            object["length"] = json!(input.length);
            object["modified"] = files[place]["modified"].clone();
            if let Some(rows) = input.rows {
                object["rows"] = json!(rows);
            }
            object["start"] = json!(input.part.start);
            object["lines_before"] = json!(input.part.lines_before);
            object
        });
        object["command"] = json!(self.command);
        object["inputs"] = inputs.collect();
        object["options"] = Value::Object(options);
        if let Some(shard) = shard {
            object["shard"] = json!({ "index": shard.index(), "count": shard.count() });
        }
    }

    /// Merges the statistics of these files, if one of them is of this command. Files that are not
    /// read here are refused by the caller.
    pub(in crate::cli) fn merge(
        &self,
        paths: &[PathBuf],
        quiet: bool,
    ) -> Result<Option<Outcome>, Error> {
        let read = |path: &PathBuf| serde_json::from_slice::<Map<_, _>>(&fs::read(path).ok()?).ok();
        let parts: Option<Vec<_>> = paths.iter().map(|path| Some((&**path, read(path)?))).collect();
        let is_ours = |(_, part): &Part| part.get("command") == Some(&json!(self.command));
        let Some(parts) = parts.filter(|parts| parts.iter().any(is_ours)) else { return Ok(None) };
        let (first_path, first) = &parts[0];
        let shared = || self.shared.iter().chain(&SHARED);
        for (path, part) in &parts[1..] {
            if let Some(key) = shared().find(|&&key| part.get(key) != first.get(key)) {
                let reason = format!("its {key} is not that of {}", first_path.display());
                return Err(Error::at(path, reason));
            }
        }
        check_shards(&parts)?;

        let count = inputs(&parts[0])?.len();
        check_sums(&parts, count)?;
        let (mut total, mut merged) = (C::default(), Vec::new());
        for place in 0..count {
            let (sum, object) = self.merge_input(&parts, place, count)?;
            total += sum;
            merged.push(object);
        }
        let seconds = |key: &str| -> Vec<f64> {
            parts.iter().filter_map(|(_, part)| part.get(key)?.as_f64()).collect()
        };
        let mut object = (self.write)(&total);
        for key in shared() {
            object[key] = first.get(*key).cloned().unwrap_or_default();
        }
        object["shards"] = json!(parts.len());
        object["seconds"] = json!(seconds("seconds").iter().sum::<f64>());
        object["longest_seconds"] = json!(seconds("seconds").into_iter().fold(0.0, f64::max));
        object["solve_seconds"] = json!(seconds("solve_seconds").iter().sum::<f64>());
        object["inputs"] = Value::Array(merged);
        let mut sink = Sink::stdout();
        sink.write(format!("{object:#}\n").as_bytes())?;
        sink.finish()?;
        if !quiet {
            say((self.line)(&total));
            say(format_args!("{} shards make a whole", parts.len()));
        }
        Ok(Some(Outcome::AllAnswered))
    }

    /// Adds up the parts of one input, if they have each byte of it once.
    fn merge_input(&self, parts: &[Part], place: usize, count: usize) -> Result<(C, Value), Error> {
        let mut pieces = Vec::new();
        for part in parts {
            let inputs = inputs(part)?;
            let same = |key: &str| inputs[place][key] == parts[0].1["inputs"][place][key];
            if inputs.len() != count
                || !["name", "length", "rows", "modified"].into_iter().all(same)
            {
                return Err(Error::at(part.0, "its inputs are not those of the other shards"));
            }
            let stats = (self.read)(&inputs[place])
                .map_err(|error| Error::at(part.0, format!("is not complete: {error}")))?;
            let number = |key: &str| inputs[place][key].as_u64();
            let (Some(start), Some(lines)) = (number("start"), number("lines_before")) else {
                return Err(Error::at(part.0, "is not complete: no place of an input"));
            };
            if stats.bytes() > 0 {
                pieces.push((start, lines, stats, part.0));
            }
        }
        pieces.sort_by_key(|(start, ..)| *start);
        let about = &parts[0].1["inputs"][place];
        let name = about["name"].as_str().unwrap_or_default();
        let mut sum = C::default();
        let rows = about["rows"].as_u64();
        let what = if rows.is_some() { "rows" } else { "bytes" };
        let end = |sum: &C| if rows.is_some() { sum.lines() } else { sum.bytes() };
        for (start, lines, stats, path) in pieces {
            let end = end(&sum);
            if start > end {
                let reason = format!("{name}: {what} {end} to {start} are in no shard");
                return Err(Error::Failed(reason));
            }
            if start < end {
                let reason = format!("{name}: {what} {start} to {end} are also in another");
                return Err(Error::at(path, reason));
            }
            if lines != sum.lines() {
                let reason = format!("{name}: has {lines} lines before it, not {}", sum.lines());
                return Err(Error::at(path, reason));
            }
            sum += stats;
        }
        // A pipe has one part, and its length is the number of bytes read.
        let end = end(&sum);
        let length = rows.or(about["length"].as_u64()).unwrap_or(end);
        if end < length {
            let reason = format!("{name}: {what} {end} to {length} are in no shard");
            return Err(Error::Failed(reason));
        }
        let mut object = (self.write)(&sum);
        for key in ["name", "length", "modified"] {
            object[key] = about[key].clone();
        }
        Ok((sum, object))
    }
}

/// Refuses parts that do not have each shard once.
fn check_shards(parts: &[Part]) -> Result<(), Error> {
    let number =
        |part: &Part, key: &str| part.1.get("shard").map_or(Some(1), |it| it[key].as_u64());
    let mut found = Vec::new();
    for part in parts {
        let (Some(index), Some(count)) = (number(part, "index"), number(part, "count")) else {
            return Err(Error::at(part.0, "has no shard number"));
        };
        found.push((index, count, part.0));
    }
    found.sort_unstable();
    let count = found[0].1;
    for (expected, &(index, of, path)) in (1..).zip(&found) {
        if of != count {
            return Err(Error::at(path, format!("is one of {of} shards, and others of {count}")));
        }
        if index < expected {
            return Err(Error::at(path, format!("shard {index}/{count} comes twice")));
        }
        if index > expected {
            return Err(Error::Failed(format!("shard {expected}/{count} is missing")));
        }
    }
    match found.len() as u64 {
        all if all < count => Err(Error::Failed(format!("shard {}/{count} is missing", all + 1))),
        _ => Ok(()),
    }
}

/// Refuses counts so large that a sum of all of them could overflow.
fn check_sums(parts: &[Part], inputs_of_a_part: usize) -> Result<(), Error> {
    fn largest(value: &Value) -> u64 {
        match value {
            Value::Object(object) => object.values().map(largest).max().unwrap_or(0),
            Value::Array(values) => values.iter().map(largest).max().unwrap_or(0),
            _ => value.as_u64().unwrap_or(0),
        }
    }
    let limit = u64::MAX / (parts.len() * inputs_of_a_part).max(1) as u64;
    for part in parts {
        if let Some(input) = inputs(part)?.iter().find(|input| largest(input) > limit) {
            let reason = format!("has a count that is too large: {}", largest(input));
            return Err(Error::at(part.0, reason));
        }
    }
    Ok(())
}

fn inputs<'a>((path, part): &'a Part) -> Result<&'a Vec<Value>, Error> {
    let inputs = part.get("inputs").and_then(Value::as_array);
    inputs.ok_or_else(|| Error::at(path, "has no list of inputs"))
}
