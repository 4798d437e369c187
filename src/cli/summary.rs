//! The summary of `solve`: two lines for people, one JSON object for programs.

use super::comments::SkippedComments;
use super::malformed::frequent_reasons;
use super::progress::per_second;
use indicatif::HumanCount;
use ninefold::engine::EngineKind;
use ninefold::engine::lanes::SimdLevel;
use ninefold::input::Shard;
use ninefold::solve::{InputReport, Report, Stats};
use ninefold::{Status, StatusCounts};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::env;
use std::fmt;
use std::num::NonZeroUsize;
use std::time::Duration;

/// A run that came to its end.
pub(super) struct Summary<'a> {
    pub(super) report: &'a Report,
    pub(super) time: Duration,
    pub(super) engine: EngineKind,
    pub(super) simd: SimdLevel,
    pub(super) limit: NonZeroUsize,
    /// The most solutions that were written of one puzzle, if every one was requested.
    pub(super) every: Option<NonZeroUsize>,
    /// Whether puzzles can be unknown.
    pub(super) is_bounded: bool,
    /// The part of the inputs that was read.
    pub(super) shard: Option<Shard>,
    /// The inputs and options that the records depend on.
    pub(super) identity: Value,
}

/// The counts in one line.
pub(super) struct CountLine<'a> {
    pub(super) total: &'a Stats,
    pub(super) every: Option<NonZeroUsize>,
    pub(super) limit: NonZeroUsize,
    /// Whether puzzles can be unknown.
    pub(super) is_bounded: bool,
}

impl fmt::Display for CountLine<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Stats { puzzles, statuses, incomplete, .. } = *self.total;
        write!(f, "{} puzzle{}: ", HumanCount(puzzles), plural(puzzles))?;
        let proven = self.every.is_some() || self.limit.get() > 1;
        let not_asked =
            if proven { [Status::Solved; 2] } else { [Status::Unique, Status::Multiple] };
        let can_be = |status| status != Status::Unknown || self.is_bounded;
        let asked = statuses.iter().filter(|(status, _)| !not_asked.contains(status));
        let asked = asked.filter(|&(status, _)| can_be(status));
        for (place, (status, count)) in asked.enumerate() {
            let comma = if place == 0 { "" } else { ", " };
            write!(f, "{comma}{} {status}", HumanCount(count))?;
            if let (Status::Multiple, Some(most)) = (status, self.every) {
                let most = HumanCount(most.get() as u64);
                write!(f, " ({} with more than {most})", HumanCount(incomplete))?;
            }
        }
        if !proven {
            f.write_str("; uniqueness not checked (use --unique)")?;
        }
        write!(f, "{}", SkippedComments(self.total.comments))
    }
}

impl fmt::Display for Summary<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { every, limit, is_bounded, .. } = *self;
        let line = CountLine { total: &self.report.total, every, limit, is_bounded };
        writeln!(f, "{line}")?;
        let Stats { puzzles, statuses, reasons, .. } = &self.report.total;
        if let Some(text) = frequent_reasons(*puzzles, statuses[Status::Malformed], reasons) {
            writeln!(f, "{text}")?;
        }
        let threads = self.report.threads;
        let (rate, megabytes) = (self.puzzles_per_second(), self.megabytes_per_second());
        write!(f, "{:.3} s", self.time.as_secs_f64())?;
        write!(f, ", {} puzzles/s, {megabytes:.1} MB/s", HumanCount(rate))?;
        write!(f, ", {threads} thread{}, engine {}", plural(threads as u64), self.engine)?;
        if self.engine == EngineKind::Lanes { write!(f, " ({})", self.simd) } else { Ok(()) }
    }
}

impl Summary<'_> {
    fn puzzles_per_second(&self) -> u64 {
        per_second(self.report.total.puzzles, self.time)
    }

    /// Millions of bytes read each second.
    #[expect(clippy::cast_precision_loss, reason = "shown to a tenth")]
    fn megabytes_per_second(&self) -> f64 {
        per_second(self.report.total.bytes, self.time) as f64 / 1e6
    }

    /// The optional features of this CPU that the engine used.
    fn cpu_features(&self) -> &'static [&'static str] {
        if self.engine == EngineKind::Lanes { self.simd.features() } else { &[] }
    }

    /// The summary and more as one JSON object, with a line end.
    pub(super) fn to_json(&self) -> String {
        let mut options = self.identity.clone();
        let files = options["inputs"].take();
        // The inputs and the shard have keys of their own.
        let mut options = options.as_object().cloned().unwrap_or_default();
        options.retain(|key, _| key.starts_with("--") && key != "--shard");
        let input = |(place, input): (usize, &InputReport)| InputStatistics {
            counts: (&input.stats).into(),
            name: input.name.to_string(),
            length: input.length,
            rows: input.rows,
            modified: files[place]["modified"].as_str().map(str::to_owned),
            start: input.part.start,
            lines_before: input.part.lines_before,
        };
        let (report, is_lanes) = (self.report, self.engine == EngineKind::Lanes);
        let statistics = Statistics {
            counts: (&report.total).into(),
            program: "ninefold".to_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            arguments: env::args_os()
                .skip(1)
                .map(|word| word.to_string_lossy().into_owned())
                .collect(),
            engine: self.engine.name().to_owned(),
            limit: self.limit,
            max: self.every,
            more_than_max: self.every.map(|_| report.total.incomplete),
            threads: report.threads,
            simd: is_lanes.then(|| self.simd.name().to_owned()),
            cpu_features: self.cpu_features().iter().map(|&it| it.to_owned()).collect(),
            seconds: self.time.as_secs_f64(),
            solve_seconds: report.solve_time.as_secs_f64(),
            puzzles_per_second: self.puzzles_per_second(),
            megabytes_per_second: self.megabytes_per_second(),
            inputs: report.inputs.iter().enumerate().map(input).collect(),
            options,
            shard: self.shard.map(|it| ShardNumber { index: it.index(), count: it.count() }),
        };
        json(&statistics)
    }
}

/// The statistics of a run: written by `--stats-json`, read by `merge`.
#[derive(Serialize, Deserialize)]
pub(super) struct Statistics {
    #[serde(flatten)]
    pub(super) counts: Counts,
    pub(super) program: String,
    pub(super) version: String,
    pub(super) arguments: Vec<String>,
    pub(super) engine: String,
    pub(super) limit: NonZeroUsize,
    /// The most solutions that were written of one puzzle, if all were requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) max: Option<NonZeroUsize>,
    /// The puzzles that have more solutions than that.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) more_than_max: Option<u64>,
    pub(super) threads: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) simd: Option<String>,
    pub(super) cpu_features: Vec<String>,
    pub(super) seconds: f64,
    pub(super) solve_seconds: f64,
    pub(super) puzzles_per_second: u64,
    pub(super) megabytes_per_second: f64,
    pub(super) inputs: Vec<InputStatistics>,
    pub(super) options: Map<String, Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) shard: Option<ShardNumber>,
}

/// The statistics of one input, or of the part of it that a shard has read.
#[derive(Serialize, Deserialize)]
pub(super) struct InputStatistics {
    #[serde(flatten)]
    pub(super) counts: Counts,
    pub(super) name: String,
    /// The bytes of the whole input, if it is not a pipe. Without `deserialize_with` serde would
    /// take a missing key for `null`.
    #[serde(deserialize_with = "Option::deserialize")]
    pub(super) length: Option<u64>,
    /// All rows, if its part is one of rows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) rows: Option<u64>,
    #[serde(deserialize_with = "Option::deserialize")]
    pub(super) modified: Option<String>,
    /// The first byte of the part.
    pub(super) start: u64,
    /// The lines of the input before the part.
    pub(super) lines_before: u64,
}

/// A shard: `index` of `count`, counted from 1.
#[derive(Clone, Copy, Serialize, Deserialize)]
pub(super) struct ShardNumber {
    pub(super) index: u64,
    pub(super) count: u64,
}

/// The counts, by their names in JSON. Every key is required: a missing count is not 0.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub(super) struct Counts {
    pub(super) bytes: u64,
    pub(super) lines: u64,
    pub(super) puzzles: u64,
    comments: u64,
    unique: u64,
    solved: u64,
    multiple: u64,
    none: u64,
    conflict: u64,
    malformed: u64,
    /// Without --max-branches there is none.
    #[serde(default, skip_serializing_if = "is_zero")]
    unknown: u64,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it")]
const fn is_zero(count: &u64) -> bool {
    *count == 0
}

impl From<&Stats> for Counts {
    fn from(stats: &Stats) -> Self {
        let Stats { bytes, lines, puzzles, comments, statuses, .. } = *stats;
        Self {
            bytes,
            lines,
            puzzles,
            comments,
            unique: statuses[Status::Unique],
            solved: statuses[Status::Solved],
            multiple: statuses[Status::Multiple],
            none: statuses[Status::None],
            conflict: statuses[Status::Conflict],
            malformed: statuses[Status::Malformed],
            unknown: statuses[Status::Unknown],
        }
    }
}

impl From<&Counts> for Stats {
    fn from(counts: &Counts) -> Self {
        let Counts { bytes, lines, puzzles, comments, .. } = *counts;
        let mut statuses = StatusCounts::default();
        statuses[Status::Unique] = counts.unique;
        statuses[Status::Solved] = counts.solved;
        statuses[Status::Multiple] = counts.multiple;
        statuses[Status::None] = counts.none;
        statuses[Status::Conflict] = counts.conflict;
        statuses[Status::Malformed] = counts.malformed;
        statuses[Status::Unknown] = counts.unknown;
        Self { bytes, lines, puzzles, comments, statuses, ..Self::default() }
    }
}

/// An object over several lines, its keys in alphabetical order, with a line end.
pub(super) fn json(object: &impl Serialize) -> String {
    let value = serde_json::to_value(object).expect("all keys are text");
    format!("{value:#}\n")
}

/// The ending of a noun.
fn plural(count: u64) -> &'static str {
    if count == 1 { "" } else { "s" }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_status_has_a_count_of_its_name() {
        let mut stats = Stats::default();
        for (&status, count) in Status::ALL.iter().zip(1..) {
            stats.statuses[status] = count;
        }
        let counts = Counts::from(&stats);
        let value = serde_json::to_value(counts).unwrap();
        for (&status, count) in Status::ALL.iter().zip(1..) {
            assert_eq!(value[status.name()], count, "{status}");
        }
        assert_eq!(value.as_object().unwrap().len(), 4 + Status::ALL.len());
        assert_eq!(Stats::from(&counts), stats);
    }
}
