//! `ninefold merge`: adds up the statistics of shards, and checks that none is missing.
//!
//! ```text
//! stats.1.json   a.txt    0 ──────── 40
//! stats.2.json   a.txt             40 ──────── 83      each byte of each input once
//! ```

use super::canon;
use super::exit::{Error, Outcome, say};
use super::rate;
use super::summary::{CountLine, Counts, InputStatistics, Statistics, json};
use clap::Args;
use indicatif::HumanCount;
use ninefold::Status;
use ninefold::output::Sink;
use ninefold::solve::Stats;
use serde::Serialize;
use serde_json::{Map, Value};
use std::fs;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

const MERGE_ABOUT: &str = "\
Add up the statistics of shards and check that none is missing

Reads the files that the shards of one run wrote with --stats-json. Checks that
the counts of each file agree, that the options and inputs of all are the same,
that each shard occurs once, and that together they read every byte of every
input once. Writes the sum as one JSON object to standard output, and a summary
to standard error. The exit code is 2 if a shard is missing, repeated,
incomplete, inconsistent or of another run.";

/// `ninefold merge`
#[derive(Debug, Args)]
#[command(long_about = MERGE_ABOUT)]
pub(super) struct MergeArgs {
    /// The files that the shards wrote with --stats-json
    #[arg(value_name = "STATS", required = true)]
    pub(super) stats: Vec<PathBuf>,

    /// Write only errors to standard error
    #[arg(short, long)]
    pub(super) quiet: bool,
}

/// The statistics of one shard, and the file that has them.
struct Part<'a> {
    path: &'a Path,
    stats: Statistics,
}

/// The sum of all shards.
#[derive(Serialize)]
struct Merged<'a> {
    #[serde(flatten)]
    counts: Counts,
    program: &'a str,
    version: &'a str,
    engine: &'a str,
    limit: NonZeroUsize,
    #[serde(skip_serializing_if = "Option::is_none")]
    max: Option<NonZeroUsize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    more_than_max: Option<u64>,
    options: &'a Map<String, Value>,
    shards: usize,
    seconds: f64,
    longest_seconds: f64,
    solve_seconds: f64,
    inputs: Vec<MergedInput<'a>>,
}

/// The sum of all parts of one input.
#[derive(Serialize)]
struct MergedInput<'a> {
    #[serde(flatten)]
    counts: Counts,
    name: &'a str,
    length: Option<u64>,
    modified: Option<&'a str>,
}

/// Adds up the statistics and checks them.
pub(super) fn run(args: &MergeArgs) -> Result<Outcome, Error> {
    let (paths, quiet) = (&args.stats, args.quiet);
    let merged = match canon::MERGER.merge(paths, quiet)? {
        None => rate::MERGER.merge(paths, quiet)?,
        merged => merged,
    };
    if let Some(outcome) = merged {
        return Ok(outcome);
    }
    let parts = args.stats.iter().map(|path| read(path)).collect::<Result<Vec<_>, _>>()?;
    for other in &parts[1..] {
        check_same(&parts[0], other)?;
    }
    let first = &parts[0].stats;
    let mut total = Stats::default();
    let mut inputs = Vec::new();
    for (place, about) in first.inputs.iter().enumerate() {
        let sum = merge_input(&parts, place)?;
        add(&mut total, &sum).ok_or_else(|| too_large("all inputs"))?;
        inputs.push(MergedInput {
            counts: (&sum).into(),
            name: &about.name,
            length: about.length,
            modified: about.modified.as_deref(),
        });
    }
    check_shards(&parts)?;
    let incomplete = parts.iter().filter_map(|part| part.stats.more_than_max);
    let incomplete = incomplete.map(Some).reduce(|sum, more| sum?.checked_add(more?));
    total.incomplete = incomplete.unwrap_or(Some(0)).ok_or_else(|| too_large("all inputs"))?;
    let seconds = || parts.iter().map(|part| part.stats.seconds);
    let merged = Merged {
        counts: (&total).into(),
        program: &first.program,
        version: &first.version,
        engine: &first.engine,
        limit: first.limit,
        max: first.max,
        more_than_max: first.max.map(|_| total.incomplete),
        options: &first.options,
        shards: parts.len(),
        seconds: seconds().sum(),
        longest_seconds: seconds().fold(0.0, f64::max),
        solve_seconds: parts.iter().map(|part| part.stats.solve_seconds).sum(),
        inputs,
    };
    let mut sink = Sink::stdout();
    sink.write(json(&merged).as_bytes())?;
    sink.finish()?;

    if !args.quiet {
        let is_bounded = first.options.contains_key("--max-branches");
        say(CountLine { total: &total, every: first.max, limit: first.limit, is_bounded });
        say(format_args!("{} shards are complete", HumanCount(parts.len() as u64)));
    }
    Ok(Outcome::AllAnswered)
}

fn read(path: &Path) -> Result<Part<'_>, Error> {
    let text = fs::read(path).map_err(|cause| Error::at(path, cause))?;
    let wrong = |why: &str| {
        Error::at(path, format!("is not what --stats-json of solve, canon or rate writes: {why}"))
    };
    let stats: Statistics =
        serde_json::from_slice(&text).map_err(|error| wrong(&in_words(&error.to_string())))?;
    if stats.max.is_some() && stats.more_than_max.is_none() {
        return Err(wrong("missing field `more_than_max`"));
    }
    let inconsistent = |why: &str| Error::at(path, format!("has counts that do not agree: {why}"));
    check_counts(&stats).map_err(|why| inconsistent(&why))?;
    Ok(Part { path, stats })
}

/// The message of the parser without names of Rust types.
fn in_words(message: &str) -> String {
    const TYPES: [(&str, &str); 9] = [
        ("expected u64", "expected a whole number"),
        ("expected usize", "expected a whole number"),
        ("expected a nonzero usize", "expected a whole number from 1"),
        ("expected f64", "expected a number"),
        ("expected struct Statistics", "expected an object"),
        ("expected struct InputStatistics", "expected an object"),
        ("expected struct ShardNumber", "expected an object"),
        ("expected a sequence", "expected a list"),
        ("expected a map", "expected an object"),
    ];
    let replace = |text: String, (of_rust, word): &(&str, &str)| text.replace(of_rust, word);
    TYPES.iter().fold(message.to_owned(), replace)
}

/// Says which counts of a file contradict each other, if some do.
fn check_counts(stats: &Statistics) -> Result<(), String> {
    let mut sum = Some(Stats::default());
    for input in &stats.inputs {
        let its = Stats::from(&input.counts);
        check_stats(&its).map_err(|why| format!("{}: {why}", input.name))?;
        if let Some(length) = input.length
            && input.start.checked_add(its.bytes).is_none_or(|end| end > length)
        {
            let (start, bytes) = (input.start, its.bytes);
            return Err(format!("{}: {bytes} bytes from byte {start} on, of {length}", input.name));
        }
        if input.lines_before > input.start {
            let (lines, start) = (input.lines_before, input.start);
            return Err(format!("{}: {lines} lines in the {start} bytes before", input.name));
        }
        sum = sum.and_then(|mut sum| add(&mut sum, &its).map(|()| sum));
    }
    let total = Stats::from(&stats.counts);
    check_stats(&total)?;
    let sum = sum.ok_or("the sum of the inputs is too large")?;
    let counts = |stats: &Stats| {
        let named = [("bytes", stats.bytes), ("lines", stats.lines), ("puzzles", stats.puzzles)];
        let statuses = stats.statuses.iter().map(|(status, count)| (status.name(), count));
        named.into_iter().chain(statuses).collect::<Vec<_>>()
    };
    for ((name, all), (_, of_inputs)) in counts(&total).into_iter().zip(counts(&sum)) {
        if all != of_inputs {
            return Err(format!("`{name}` is {all}, and that of its inputs together {of_inputs}"));
        }
    }
    let multiple = total.statuses[Status::Multiple];
    match stats.more_than_max {
        Some(more) if more > multiple => {
            Err(format!("`more_than_max` is {more}, and `multiple` {multiple}"))
        }
        _ => Ok(()),
    }
}

/// The same of one input, or of all.
fn check_stats(stats: &Stats) -> Result<(), String> {
    let &Stats { bytes, lines, puzzles, statuses, .. } = stats;
    // The sum of six counts does not overflow.
    let total: u128 = statuses.iter().map(|(_, count)| u128::from(count)).sum();
    if total != u128::from(puzzles) {
        return Err(format!("{puzzles} puzzles, and {total} of all statuses together"));
    }
    if puzzles > lines {
        return Err(format!("{puzzles} puzzles in {lines} lines"));
    }
    if lines > bytes {
        return Err(format!("{lines} lines in {bytes} bytes"));
    }
    Ok(())
}

/// Adds counts; nothing if one becomes too large.
fn add(sum: &mut Stats, more: &Stats) -> Option<()> {
    let mut statuses = sum.statuses;
    for &status in Status::ALL {
        statuses[status] = statuses[status].checked_add(more.statuses[status])?;
    }
    let mut reasons = sum.reasons;
    for (reason, more) in reasons.iter_mut().zip(more.reasons) {
        *reason = reason.checked_add(more)?;
    }
    *sum = Stats {
        bytes: sum.bytes.checked_add(more.bytes)?,
        lines: sum.lines.checked_add(more.lines)?,
        puzzles: sum.puzzles.checked_add(more.puzzles)?,
        statuses,
        incomplete: sum.incomplete.checked_add(more.incomplete)?,
        comments: sum.comments.checked_add(more.comments)?,
        reasons,
    };
    Some(())
}

fn too_large(what: &str) -> Error {
    Error::Failed(format!("{what}: the sum of the counts is too large"))
}

/// Refuses parts of different runs.
fn check_same(one: &Part, other: &Part) -> Result<(), Error> {
    let differs = |what: &str| {
        Err(Error::at(other.path, format!("{what} not those of {}", one.path.display())))
    };
    let keys = |part: &Part| {
        let Statistics { version, engine, limit, max, .. } = &part.stats;
        let values: [Value; 4] = [
            version.as_str().into(),
            engine.as_str().into(),
            limit.get().into(),
            max.map(NonZeroUsize::get).into(),
        ];
        ["version", "engine", "limit", "max"].into_iter().zip(values)
    };
    for ((key, value), (_, of_other)) in keys(one).zip(keys(other)) {
        if value != of_other {
            return differs(&format!("its {key} ({of_other}) is"));
        }
    }
    for (key, value) in &one.stats.options {
        if other.stats.options.get(key) != Some(value) {
            return differs(&format!("its options ({key}) are"));
        }
    }
    let same = |(one, other): (&InputStatistics, &InputStatistics)| {
        (&one.name, one.length, one.rows, &one.modified)
            == (&other.name, other.length, other.rows, &other.modified)
    };
    let (ones, others) = (&one.stats.inputs, &other.stats.inputs);
    if ones.len() != others.len() || !ones.iter().zip(others).all(same) {
        return differs("its inputs are");
    }
    Ok(())
}

/// Refuses parts that do not have each shard once. The bytes alone do not tell: if there are more
/// shards than lines, some shards have read nothing.
fn check_shards(parts: &[Part]) -> Result<(), Error> {
    // A run without --shard is a whole.
    let shard = |part: &Part| part.stats.shard.map_or((1, 1), |it| (it.index, it.count));
    let mut ordered: Vec<_> = parts.iter().map(|part| (shard(part), part.path)).collect();
    ordered.sort_unstable();
    let ((_, count), first) = ordered[0];
    let mut next = 1;
    for ((index, of), path) in ordered {
        if of != count {
            let reason = format!("is one of {of} shards, and {} of {count}", first.display());
            return Err(Error::at(path, reason));
        }
        if index < next {
            return Err(Error::at(path, format!("shard {index}/{count} comes twice")));
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

/// Adds up the parts of one input, if they have each byte of it once.
fn merge_input(parts: &[Part], place: usize) -> Result<Stats, Error> {
    let about = &parts[0].stats.inputs[place];
    let name = &about.name;
    let of_input = parts.iter().map(|part| (part.path, &part.stats.inputs[place]));
    let mut ordered: Vec<_> = of_input.filter(|(_, input)| input.counts.bytes > 0).collect();
    ordered.sort_by_key(|(_, input)| input.start);
    let (mut end, mut before, mut sum) = (0, None, Stats::default());
    let what = if about.rows.is_some() { "rows" } else { "bytes" };
    for (at, &InputStatistics { ref counts, start, lines_before, .. }) in ordered {
        if start > end {
            return Err(gap(name, what, end, start));
        }
        if start < end {
            let other = before.unwrap_or(at).display();
            let reason = format!(
                "{name}: {what} {} to {} are also in {other}",
                HumanCount(start),
                HumanCount(end)
            );
            return Err(Error::at(at, reason));
        }
        if lines_before != sum.lines {
            let reason = format!(
                "{name}: has {} lines before it, not {}",
                HumanCount(lines_before),
                HumanCount(sum.lines)
            );
            return Err(Error::at(at, reason));
        }
        add(&mut sum, &Stats::from(counts)).ok_or_else(|| too_large(name))?;
        end = start.saturating_add(if about.rows.is_some() { counts.lines } else { counts.bytes });
        before = Some(at);
    }
    // A pipe has one part, and its length is the number of bytes read.
    let length = about.rows.or(about.length).unwrap_or(end);
    if end < length {
        return Err(gap(name, what, end, length));
    }
    Ok(sum)
}

fn gap(name: &str, what: &str, start: u64, end: u64) -> Error {
    let (start, end) = (HumanCount(start), HumanCount(end));
    Error::Failed(format!("{name}: {what} {start} to {end} are in no shard"))
}
