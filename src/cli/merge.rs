//! `ninefold merge`: the statistics of shards added up, and seen to be those of the whole.
//!
//! ```text
//! stats.1.json   a.txt    0 ──────── 40
//! stats.2.json   a.txt             40 ──────── 83      each byte of each input once
//! ```

use super::exit::{Error, Outcome, say};
use super::summary::{CountLine, counts};
use clap::Args;
use ninefold::solve::Stats;
use ninefold::output::Sink;
use ninefold::{Status, StatusCounts};
use serde_json::{Value, json};
use std::fs;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

const MERGE_ABOUT: &str = "\
Add up the statistics of shards, and check that they make a whole

Takes the files that the shards of one run wrote with --stats-json. Checks that their options and
inputs are the same, that each shard is there once, and that together they have read every byte of
every input just once. Writes the sum as one JSON object to standard output, and a summary to
standard error. The exit code is 0, or 2 if a part is missing, comes twice, or belongs to another
run.";

/// `ninefold merge`
#[derive(Debug, Args)]
#[command(long_about = MERGE_ABOUT)]
pub(super) struct MergeArgs {
    /// What the shards wrote with --stats-json
    #[arg(value_name = "STATS", required = true)]
    pub(super) stats: Vec<PathBuf>,

    /// Write nothing on standard error but errors
    #[arg(short, long)]
    pub(super) quiet: bool,
}

/// What one shard has written.
struct Part<'a> {
    path: &'a Path,
    stats: Value,
}

/// Adds up, and checks.
pub(super) fn run(args: &MergeArgs) -> Result<Outcome, Error> {
    let parts = args.stats.iter().map(|path| read(path)).collect::<Result<Vec<_>, _>>()?;
    for other in &parts[1..] {
        check_same(&parts[0], other)?;
    }
    let inputs = (0..inputs(&parts[0]).len()).map(|place| merge_input(&parts, place));
    let inputs = inputs.collect::<Result<Vec<_>, _>>()?;
    check_shards(&parts)?;
    let mut total = Stats::default();
    for (_, stats) in &inputs {
        total += *stats;
    }
    let first = &parts[0].stats;
    let seconds = |key: &'static str| parts.iter().filter_map(move |part| part.stats[key].as_f64());

    let mut object = counts(&total);
    for key in ["program", "version", "engine", "limit", "options"] {
        object[key] = first[key].clone();
    }
    if let Some(most) = first["max"].as_u64() {
        let more = parts.iter().filter_map(|part| part.stats["more_than_max"].as_u64());
        total.incomplete = more.sum();
        object["max"] = json!(most);
        object["more_than_max"] = json!(total.incomplete);
    }
    object["shards"] = json!(parts.len());
    object["seconds"] = json!(seconds("seconds").sum::<f64>());
    object["longest_seconds"] = json!(seconds("seconds").fold(0.0, f64::max));
    object["solve_seconds"] = json!(seconds("solve_seconds").sum::<f64>());
    object["inputs"] = inputs.into_iter().map(|(input, _)| input).collect();
    let mut sink = Sink::stdout();
    sink.write(format!("{object:#}\n").as_bytes())?;
    sink.finish()?;

    if !args.quiet {
        let limit = first["limit"].as_u64().and_then(|limit| usize::try_from(limit).ok());
        let limit = limit.and_then(NonZeroUsize::new).unwrap_or(NonZeroUsize::MIN);
        let most = first["max"].as_u64().and_then(|most| usize::try_from(most).ok());
        let every = most.and_then(NonZeroUsize::new);
        say(CountLine { total: &total, every, limit });
        say(format_args!("{} shards make a whole", parts.len()));
    }
    Ok(Outcome::AllAnswered)
}

fn read(path: &Path) -> Result<Part<'_>, Error> {
    let text = fs::read(path).map_err(|cause| failed(path, &cause.to_string()))?;
    let stats: Value = serde_json::from_slice(&text)
        .map_err(|error| failed(path, &format!("is not what --stats-json writes: {error}")))?;
    let whole = stats["inputs"].as_array().is_some_and(|inputs| {
        inputs.iter().all(|input| input["start"].is_u64() && input["bytes"].is_u64())
    });
    if whole && stats["options"].is_object() {
        Ok(Part { path, stats })
    } else {
        Err(failed(path, "is not what ninefold solve --stats-json writes"))
    }
}

fn inputs<'a>(part: &'a Part) -> &'a [Value] {
    part.stats["inputs"].as_array().map_or(&[], Vec::as_slice)
}

/// Refuses parts of different runs.
fn check_same(one: &Part, other: &Part) -> Result<(), Error> {
    let differs = |what: &str| {
        let reason = format!("{what} not those of {}", one.path.display());
        Err(failed(other.path, &reason))
    };
    for key in ["version", "engine", "limit", "max"] {
        if one.stats[key] != other.stats[key] {
            return differs(&format!("its {key} ({}) is", other.stats[key]));
        }
    }
    let none = serde_json::Map::new();
    let options = [one, other].map(|part| part.stats["options"].as_object().unwrap_or(&none));
    for (key, value) in options[0] {
        if options[1].get(key) != Some(value) {
            return differs(&format!("its options ({key}) are"));
        }
    }
    let same = |(one, other): (&Value, &Value)| {
        ["name", "length", "modified"].iter().all(|key| one[*key] == other[*key])
    };
    let (ones, others) = (inputs(one), inputs(other));
    if ones.len() != others.len() || !ones.iter().zip(others).all(same) {
        return differs("its inputs are");
    }
    Ok(())
}

/// Refuses parts that are not each of the shards once: one that has read nothing, because there are
/// more shards than lines, is missed by nothing else.
fn check_shards(parts: &[Part]) -> Result<(), Error> {
    // What was not cut is all there is.
    let shard = |part: &Part| {
        let number = |key: &str| part.stats["shard"][key].as_u64().unwrap_or(1);
        (number("index"), number("count"))
    };
    let mut ordered: Vec<_> = parts.iter().map(|part| (shard(part), part.path)).collect();
    ordered.sort_unstable();
    let ((_, count), first) = ordered[0];
    let mut next = 1;
    for ((index, of), path) in ordered {
        if of != count {
            let reason = format!("is one of {of} shards, and {} of {count}", first.display());
            return Err(failed(path, &reason));
        }
        if index < next {
            return Err(failed(path, &format!("shard {index}/{of} comes twice")));
        }
        if index > next {
            return Err(Error::Failed(format!("shard {next}/{count} is missing")));
        }
        next += 1;
    }
    if next <= count {
        return Err(Error::Failed(format!("shard {next}/{count} is missing")));
    }
    Ok(())
}

/// Adds up what the parts have of one input, if they have each byte of it once.
fn merge_input(parts: &[Part], place: usize) -> Result<(Value, Stats), Error> {
    let number = |part: &Part, key: &str| inputs(part)[place][key].as_u64().unwrap_or(0);
    let about = &inputs(&parts[0])[place];
    let name = about["name"].as_str().unwrap_or_default();
    let mut ordered: Vec<&Part> = parts.iter().filter(|part| number(part, "bytes") > 0).collect();
    ordered.sort_by_key(|part| number(part, "start"));
    let (mut end, mut before, mut sum) = (0, None, Stats::default());
    for part in ordered {
        let start = number(part, "start");
        let at = part.path;
        if start > end {
            return Err(gap(name, end, start));
        }
        if start < end {
            let other = before.unwrap_or(at).display();
            let reason = format!("{name}: bytes {start} to {end} are also in {other}");
            return Err(failed(at, &reason));
        }
        let lines_before = number(part, "lines_before");
        if lines_before != sum.lines {
            let reason = format!("{name}: has {lines_before} lines before it, not {}", sum.lines);
            return Err(failed(at, &reason));
        }
        let mut statuses = StatusCounts::default();
        for &status in Status::ALL {
            statuses[status] = number(part, status.name());
        }
        sum += Stats {
            bytes: number(part, "bytes"),
            lines: number(part, "lines"),
            puzzles: number(part, "puzzles"),
            statuses,
            incomplete: 0,
        };
        end = start + number(part, "bytes");
        before = Some(at);
    }
    // Of a pipe there is just one part, and its length is what was read.
    let length = about["length"].as_u64().unwrap_or(end);
    if end < length {
        return Err(gap(name, end, length));
    }
    let mut object = counts(&sum);
    for key in ["name", "length", "modified"] {
        object[key] = about[key].clone();
    }
    Ok((object, sum))
}

fn gap(name: &str, start: u64, end: u64) -> Error {
    Error::Failed(format!("{name}: bytes {start} to {end} are in no shard"))
}

fn failed(path: &Path, reason: &str) -> Error {
    Error::Failed(format!("{}: {reason}", path.display()))
}
