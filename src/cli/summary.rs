//! What a run found and how fast it was: two lines for people, one JSON object for programs.

use super::progress::per_second;
use indicatif::HumanCount;
use ninefold::Status;
use ninefold::engine::EngineKind;
use ninefold::engine::lanes::SimdLevel;
use ninefold::input::Shard;
use ninefold::solve::{Report, Stats};
use serde_json::{Value, json};
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
    /// The most solutions that were written of one puzzle, if every one was asked for.
    pub(super) every: Option<NonZeroUsize>,
    /// Which part of the inputs was read.
    pub(super) shard: Option<Shard>,
    /// The inputs and options that the records depend on.
    pub(super) identity: Value,
}

/// What was found, in one line.
pub(super) struct CountLine<'a> {
    pub(super) total: &'a Stats,
    pub(super) every: Option<NonZeroUsize>,
    pub(super) limit: NonZeroUsize,
}

impl fmt::Display for CountLine<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Stats { puzzles, statuses, incomplete, .. } = *self.total;
        write!(f, "{} puzzle{}: ", HumanCount(puzzles), plural(puzzles))?;
        let proven = self.every.is_some() || self.limit.get() > 1;
        let not_asked =
            if proven { [Status::Solved; 2] } else { [Status::Unique, Status::Multiple] };
        let asked = statuses.iter().filter(|(status, _)| !not_asked.contains(status));
        for (place, (status, count)) in asked.enumerate() {
            let comma = if place == 0 { "" } else { ", " };
            write!(f, "{comma}{} {status}", HumanCount(count))?;
            if let (Status::Multiple, Some(most)) = (status, self.every) {
                let most = HumanCount(most.get() as u64);
                write!(f, " ({} with more than {most})", HumanCount(incomplete))?;
            }
        }
        if proven { Ok(()) } else { f.write_str("; uniqueness not checked (use --unique)") }
    }
}

impl fmt::Display for Summary<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let line = CountLine { total: &self.report.total, every: self.every, limit: self.limit };
        writeln!(f, "{line}")?;
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

    /// What the engine used of this CPU that not every CPU has.
    fn cpu_features(&self) -> &'static [&'static str] {
        if self.engine == EngineKind::Lanes { self.simd.features() } else { &[] }
    }

    /// The same and more as one JSON object, with a line end.
    pub(super) fn to_json(&self) -> String {
        let arguments: Vec<_> =
            env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned()).collect();
        let mut options = self.identity.clone();
        let files = options["inputs"].take();
        if let Some(options) = options.as_object_mut() {
            // They have places of their own.
            options.retain(|key, _| key.starts_with("--") && key != "--shard");
        }
        let inputs = self.report.inputs.iter().enumerate().map(|(place, input)| {
            let mut object = counts(&input.stats);
            object["name"] = json!(&*input.name);
            object["length"] = json!(input.length);
            object["modified"] = files[place]["modified"].clone();
            object["start"] = json!(input.part.start);
            object["lines_before"] = json!(input.part.lines_before);
            object
        });
        let mut object = counts(&self.report.total);
        object["program"] = json!("ninefold");
        object["version"] = json!(env!("CARGO_PKG_VERSION"));
        object["arguments"] = json!(arguments);
        object["engine"] = json!(self.engine.name());
        object["limit"] = json!(self.limit);
        if let Some(most) = self.every {
            object["max"] = json!(most);
            object["more_than_max"] = json!(self.report.total.incomplete);
        }
        object["threads"] = json!(self.report.threads);
        if self.engine == EngineKind::Lanes {
            object["simd"] = json!(self.simd.name());
        }
        object["cpu_features"] = json!(self.cpu_features());
        object["seconds"] = json!(self.time.as_secs_f64());
        object["solve_seconds"] = json!(self.report.solve_time.as_secs_f64());
        object["puzzles_per_second"] = json!(self.puzzles_per_second());
        object["megabytes_per_second"] = json!(self.megabytes_per_second());
        object["inputs"] = inputs.collect();
        object["options"] = options;
        if let Some(shard) = self.shard {
            object["shard"] = json!({"index": shard.index(), "count": shard.count()});
        }
        format!("{object:#}\n")
    }
}

/// What follows a noun.
fn plural(count: u64) -> &'static str {
    if count == 1 { "" } else { "s" }
}

/// The counts by their names.
pub(super) fn counts(stats: &Stats) -> Value {
    let mut object = json!({
        "bytes": stats.bytes,
        "lines": stats.lines,
        "puzzles": stats.puzzles,
    });
    for (status, count) in stats.statuses.iter() {
        object[status.name()] = json!(count);
    }
    object
}
