//! The statistics of a run as one JSON object, and how those of shards are added up.
//!
//! ```text
//! stats.1.json   a.txt    0 ──────── 40
//! stats.2.json   a.txt             40 ──────── 83      each byte of each input once
//! ```

use super::{CommonArgs, Declared, Error, Files, Ran, Typed, count_line, print, say};
use crate::Extent;
use crate::engine::EngineKind;
use crate::engine::lanes::SimdLevel;
use crate::input::open_file;
use crate::pipeline::Spent;
use crate::run::Counts;
use clap::{Args, ValueHint};
use indicatif::HumanCount;
use serde_json::{Map, Value, json};
use std::env;
use std::fs::File;
use std::io;
use std::ops::Range;
use std::path::Path;
use std::process::ExitCode;

/// The statistics of a run.
pub(super) fn of_run(ran: &Ran<'_>, identity: &Map<String, Value>) -> Value {
    let Ran {
        typed: Typed { args: CommonArgs { records, search, .. }, declared, .. }, report, ..
    } = *ran;
    let spent = |spent| report.times.get(spent).as_secs_f64();
    let arguments: Vec<_> =
        env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned()).collect();
    // Other engines have no levels.
    let level = (search.engine == EngineKind::Lanes).then(|| search.level());
    let mut object = json!({
        "program": "ninefold",
        "command": identity["command"],
        "version": env!("CARGO_PKG_VERSION"),
        "arguments": arguments,
        "engine": search.engine.name(),
        "cpu_features": level.map_or(&[][..], SimdLevel::features),
        "threads": report.threads,
        "seconds": ran.time.as_secs_f64(),
        "solve_seconds": report.solve_time.as_secs_f64(),
        "waited_seconds": {
            "input": spent(Spent::Input),
            "turn": spent(Spent::Turn),
            "output": spent(Spent::Output),
        },
        "serial_seconds": { "input": spent(Spent::Cutting), "output": spent(Spent::Taking) },
        "puzzles_per_second": ran.puzzles_per_second(),
        "megabytes_per_second": ran.megabytes_per_second(),
    });
    if let Some(level) = level {
        object["simd"] = level.name().into();
    }
    let describe = |counts: &Counts, object: &mut Value| {
        counts.describe(object);
        (declared.derive)(counts, object);
        if search.max_branches.is_none() {
            // Without a bound no puzzle is unknown.
            object.as_object_mut().map(|it| it.remove("unknown"));
        }
    };
    describe(&report.total, &mut object);
    let inputs = report.inputs.iter().enumerate().map(|(place, input)| {
        let mut object = json!({
            "name": &*input.name,
            "length": input.length,
            "modified": identity["inputs"][place]["modified"],
            "start": input.part.start,
            "lines_before": input.lines_before.known(),
        });
        if let Some(rows) = input.rows {
            object["rows"] = json!(rows);
        }
        describe(&input.counts, &mut object);
        object
    });
    object["inputs"] = inputs.collect();
    // The inputs and the shard have keys of their own, and each shard has rejects of its own.
    let options = identity.iter().filter(|(key, _)| key.starts_with("--"));
    let options = options.filter(|(key, _)| !["--shard", "--rejects"].contains(&key.as_str()));
    object["options"] = options.map(|(key, value)| (key.clone(), value.clone())).collect();
    if let Some(shard) = records.shard {
        object["shard"] = json!({ "index": shard.index(), "count": shard.count() });
    }
    if let Some(branches) = search.max_branches {
        object["max_branches"] = json!(branches);
    }
    if let Some(slowest) = &report.slowest {
        let seconds = slowest.time.as_secs_f64();
        object["slowest"] =
            json!({ "input": &*slowest.input, "line": slowest.line, "seconds": seconds });
    }
    object
}

/// The names of the outputs, and their bytes.
pub(super) fn of_outputs(typed: &Typed, files: &[Extent]) -> Value {
    let rejects = typed.args.records.rejects.iter().map(Some);
    let paths = typed.outputs.iter().map(Option::as_ref).chain(rejects);
    paths.zip(files).filter_map(|(path, file)| Some(of_output(path?, file))).collect()
}

fn of_output(path: &Path, file: &Extent) -> Value {
    let xxh3 = format!("{:016x}", file.xxh3);
    json!({ "name": path.to_string_lossy(), "bytes": file.bytes, "xxh3": xxh3 })
}

/// Fails if an output that a shard names has other bytes now. It may have been moved away.
fn check_outputs(part: &ShardStatistics) -> Result<(), Error> {
    for output in part.object["outputs"].as_array().into_iter().flatten() {
        let path = Path::new(output["name"].as_str().unwrap_or_default());
        if path.is_file() {
            let found = File::open(path).and_then(Extent::of_all);
            if *output != of_output(path, &found.map_err(|error| Error::at(path, error))?) {
                let shard = part.path.display();
                let reason = format!("has other bytes than those in {shard}");
                return Err(Error::at(path, reason));
            }
        }
    }
    Ok(())
}

/// Add up the statistics of shards and check that none is missing
///
/// Reads the files that the shards of one run wrote with --stats-json. Checks that
/// the counts of each file agree, that the options and inputs of all are the same,
/// that each shard occurs once, and that together they read every byte of every
/// input once. Outputs that are found must have the bytes that were written. Writes
/// the sum as one JSON object to standard output, and a summary to standard error.
/// The exit code is 2 if a shard is missing, repeated, incomplete, inconsistent or
/// of another run.
///
/// Example:
///   ninefold merge stats.*.json > stats.json
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub(super) struct MergeArgs {
    /// The files that the shards wrote with --stats-json
    #[arg(value_name = "STATS", required = true, value_hint = ValueHint::AnyPath)]
    stats: Vec<Files>,

    /// Write only errors to standard error
    #[arg(short, long)]
    quiet: bool,
}

/// The keys that all shards of a run share.
const SHARED: [&str; 5] = ["program", "command", "version", "engine", "options"];

/// The keys of each shard that say nothing about all of them.
const PER_SHARD: [&str; 9] = [
    "arguments",
    "megabytes_per_second",
    "puzzles_per_second",
    "rows",
    "rows_per_second",
    "serial_seconds",
    "shard",
    "slowest",
    "waited_seconds",
];

/// The statistics of one shard, and the file that has them.
struct ShardStatistics<'a> {
    path: &'a Path,
    object: Value,
}

impl ShardStatistics<'_> {
    fn inputs(&self) -> Result<&[Value], Error> {
        let inputs = self.object["inputs"].as_array();
        inputs.map(Vec::as_slice).ok_or_else(|| Error::at(self.path, "has no list of inputs"))
    }

    fn counts(&self, zero: &Counts, object: &Value) -> Result<Counts, Error> {
        zero.read(object).map_err(|why| Error::at(self.path, format!("is not complete: {why}")))
    }
}

/// Adds up the statistics of shards of one of these commands, and checks them.
pub(super) fn merge(
    args: &MergeArgs,
    declared: fn(&Value) -> Vec<Declared>,
) -> Result<ExitCode, Error> {
    let parts = args.stats.iter().flatten().map(read).collect::<Result<Vec<_>, _>>()?;
    let first = &parts[0];
    let commands = declared(&first.object["options"]);
    let is_first = |it: &&Declared| first.object["command"] == it.name;
    let Some(Declared { counts: zero, derive, .. }) = commands.iter().find(is_first) else {
        return Err(Error::at(first.path, "is not statistics of a command that has shards"));
    };
    for part in &parts {
        if let Some(key) = SHARED.iter().find(|&&key| part.object[key] != first.object[key]) {
            let [found, expected] = [part, first].map(|it| &it.object["options"]);
            let options = [found, expected].into_iter().filter_map(Value::as_object);
            let option = options.flat_map(Map::keys).find(|&it| found.get(it) != expected.get(it));
            let key = option.map_or(*key, |option| if *key == "options" { option } else { *key });
            let reason = format!("its {key} is not that of {}", first.path.display());
            return Err(Error::at(part.path, reason));
        }
        let (mut sum, total) = (zero.zero(), part.counts(zero, &part.object)?);
        for input in part.inputs()? {
            add(&mut sum, &part.counts(zero, input)?)?;
        }
        if sum != total {
            return Err(Error::at(part.path, "its counts are not the sum of those of its inputs"));
        }
    }
    check_shards(&parts)?;
    parts.iter().try_for_each(check_outputs)?;
    let (mut total, mut inputs) = (zero.zero(), Vec::new());
    for place in 0..first.inputs()?.len() {
        let (sum, mut object) = merge_input(&parts, place, zero)?;
        derive(&sum, &mut object);
        let of_input: Vec<_> = parts.iter().map(|part| &part.object["inputs"][place]).collect();
        keep_asked(&mut object, &of_input);
        add(&mut total, &sum)?;
        inputs.push(object);
    }
    let seconds = |key| parts.iter().filter_map(move |part| part.object[key].as_f64());
    let mut object = json!({});
    total.describe(&mut object);
    derive(&total, &mut object);
    keep_asked(&mut object, &parts.iter().map(|part| &part.object).collect::<Vec<_>>());
    object["shards"] = json!(parts.len());
    object["seconds"] = json!(seconds("seconds").sum::<f64>());
    object["longest_seconds"] = json!(seconds("seconds").fold(0.0, f64::max));
    object["solve_seconds"] = json!(seconds("solve_seconds").sum::<f64>());
    object["inputs"] = json!(inputs);
    let outputs = parts.iter().filter_map(|part| part.object["outputs"].as_array());
    object["outputs"] = outputs.flatten().cloned().collect();
    // What the command adds of its own is the same in all shards, too, for their options are.
    for (key, value) in first.object.as_object().into_iter().flatten() {
        let of_all = !PER_SHARD.contains(&&**key) && object.get(key).is_none();
        if of_all && parts.iter().all(|part| part.object[key] == *value) {
            object[key] = value.clone();
        }
    }
    print(format!("{object:#}\n").as_bytes())?;
    if !args.quiet {
        let named = total.listed().filter(|&(_, count)| count > 0);
        say(count_line(&total, named));
        say(format_args!("{} shards make a whole", parts.len()));
    }
    Ok(ExitCode::SUCCESS)
}

fn read(path: &Path) -> Result<ShardStatistics<'_>, Error> {
    let text = open_file(path).and_then(io::read_to_string);
    let object = serde_json::from_str(&text.map_err(|error| Error::at(path, error))?);
    let object =
        object.map_err(|why| Error::at(path, format!("is not statistics of a run: {why}")))?;
    Ok(ShardStatistics { path, object })
}

/// Leaves out what no shard has, and replaces counts that none was asked for by null.
fn keep_asked(object: &mut Value, shards: &[&Value]) {
    let Some(members) = object.as_object_mut() else { return };
    members.retain(|key, _| shards.iter().any(|shard| shard.get(key).is_some()));
    for (key, value) in members {
        let shards: Vec<_> = shards.iter().filter_map(|shard| shard.get(key)).collect();
        if shards.iter().all(|it| it.is_null()) {
            *value = Value::Null;
        } else {
            keep_asked(value, &shards);
        }
    }
}

fn add(sum: &mut Counts, more: &Counts) -> Result<(), Error> {
    let added = sum.add(more);
    added.ok_or_else(|| Error::Failed("the sum of the counts is too large".to_owned()))
}

/// Adds up the parts of one input, if they have each byte of it once.
fn merge_input(
    parts: &[ShardStatistics],
    place: usize,
    zero: &Counts,
) -> Result<(Counts, Value), Error> {
    let about = &parts[0].inputs()?[place];
    let rows = about["rows"].as_u64();
    let (mut sum, mut pieces) = (zero.zero(), Vec::new());
    for part in parts {
        let inputs = part.inputs()?;
        let same = |key: &str| inputs.get(place).is_some_and(|input| input[key] == about[key]);
        let differs = [
            ("name", "another name"),
            ("length", "another length"),
            ("rows", "another number of rows"),
            ("modified", "another time of change, which cp -p and rsync -t keep"),
        ];
        let differs = differs.into_iter().find(|(key, _)| !same(key)).map(|(_, what)| what);
        if inputs.len() != parts[0].inputs()?.len() || differs.is_some() {
            let what = differs.unwrap_or("another number of inputs");
            let name = about["name"].as_str().unwrap_or_default();
            let reason = format!("its inputs are not those of the other shards: {name} has {what}");
            return Err(Error::at(part.path, reason));
        }
        let input = &inputs[place];
        let counts = part.counts(zero, input)?;
        let [start, lines, length] = ["start", "lines_before", "length"].map(|it| input.get(it));
        let (Some(start), Some(lines), Some(_)) = (start.and_then(Value::as_u64), lines, length)
        else {
            let reason = "is not complete: no start, lines_before or length";
            return Err(Error::at(part.path, reason));
        };
        add(&mut sum, &counts)?;
        if counts.bytes > 0 || counts.lines > 0 {
            let size = if rows.is_some() { counts.lines } else { counts.bytes };
            // A shard whose records have no line numbers has not counted the lines before it.
            let lines = (lines.as_u64(), counts.lines);
            pieces.push((start..start.saturating_add(size), part.path, lines));
        }
    }
    let name = about["name"].as_str().unwrap_or_default();
    let mut object = json!({ "name": about["name"], "length": about["length"] });
    sum.describe(&mut object);
    if about["length"].is_null() && pieces.len() > 1 {
        // No other file is cut without its length: these are inputs that each shard made for itself.
        return Ok((sum, object));
    }
    pieces.sort_by_key(|(piece, ..)| piece.start);
    let what = if rows.is_some() { "rows" } else { "bytes" };
    let place = |start, end| format!("{name}: {what} {} to {}", HumanCount(start), HumanCount(end));
    let gap = |start, end| Error::Failed(format!("{} are in no shard", place(start, end)));
    let (mut reached, mut before, mut lines_before) = (0, None, 0);
    for (Range { start, end }, path, (found, lines)) in pieces {
        if start > reached {
            return Err(gap(reached, start));
        }
        if start < reached {
            let (place, other) = (place(start, reached), before.unwrap_or(path).display());
            return Err(Error::at(path, format!("{place} are also in {other}")));
        }
        if let Some(found) = found.filter(|&found| found != lines_before) {
            let (found, expected) = (HumanCount(found), HumanCount(lines_before));
            let reason = format!("{name}: has {found} lines before it, not {expected}");
            return Err(Error::at(path, reason));
        }
        (reached, before) = (end, Some(path));
        lines_before += lines;
    }
    // A pipe has one part, and no length.
    let length = rows.or(about["length"].as_u64()).unwrap_or_default();
    if reached < length {
        return Err(gap(reached, length));
    }
    object["modified"] = about["modified"].clone();
    Ok((sum, object))
}

/// Refuses parts that do not have each shard once. The bytes alone do not tell: if there are more
/// shards than lines, some shards have read nothing.
fn check_shards(parts: &[ShardStatistics]) -> Result<(), Error> {
    let mut found = Vec::new();
    for ShardStatistics { path, object } in parts {
        // A run without --shard is a whole.
        let number = |key: &str| object.get("shard").map_or(Some(1), |it| it[key].as_u64());
        let (Some(index), Some(count)) = (number("index"), number("count")) else {
            return Err(Error::at(path, "has no shard number"));
        };
        found.push((index, count, *path));
    }
    found.sort_unstable();
    let (_, count, first) = found[0];
    let missing = |index| Error::Failed(format!("shard {index}/{count} is missing"));
    for (expected, &(index, of, path)) in (1..).zip(&found) {
        if of != count {
            let reason = format!("is one of {of} shards, and {} of {count}", first.display());
            return Err(Error::at(path, reason));
        }
        if index < expected {
            return Err(Error::at(path, format!("shard {index}/{count} comes twice")));
        }
        if index > expected {
            return Err(missing(expected));
        }
    }
    let next = found.len() as u64 + 1;
    if next <= count { Err(missing(next)) } else { Ok(()) }
}
