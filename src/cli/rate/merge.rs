//! The counts of `rate` as JSON, and how those of shards are added up.

use super::super::records::Merger;
use indicatif::HumanCount;
use ninefold::Status;
use ninefold::difficulty::{Grade, Score, Technique};
use ninefold::rate::{EffortCounts, ScoreCounts, Stats};
use serde::Deserialize;
use serde::de::Error;
use serde_json::{Map, Value, json};

pub(in crate::cli) const MERGER: Merger<Stats> = Merger {
    command: "rate",
    shared: &["measures", "effort_version", "shuffles", "seed"],
    read,
    write,
    line: |stats| {
        let (puzzles, rated) = (stats.puzzles, stats.puzzles - stats.unrated());
        format!("{} puzzles: {} unique", HumanCount(puzzles), HumanCount(rated))
    },
};

/// The bins of efforts up to the highest with a puzzle: a label for each, a short one, and the count.
pub(super) fn effort_bins(efforts: &EffortCounts) -> Vec<(String, String, u64)> {
    let bins: Vec<_> = efforts.bins().collect();
    let end = bins.iter().rposition(|&(_, count)| count > 0).map_or(0, |last| last + 1);
    let mut below = 0;
    let rows = bins[..end].iter().enumerate().map(|(place, &(bound, count))| {
        let (label, short) = match (place, bound) {
            (0, _) => ("0".to_owned(), "0".to_owned()),
            (_, u64::MAX) => (format!("more than {below}"), format!(">{below}")),
            _ => (format!("up to {bound}"), format!("≤{bound}")),
        };
        below = bound;
        (label, short, count)
    });
    rows.collect()
}

/// The counts by their names.
fn write(stats: &Stats) -> Value {
    let named = |names: &mut dyn Iterator<Item = (&'static str, u64)>| {
        let counted = names.filter(|&(_, count)| count > 0);
        Value::Object(counted.map(|(name, count)| (name.to_owned(), json!(count))).collect())
    };
    let scores = |counts: &mut dyn Iterator<Item = (Score, u64)>| {
        Value::Object(counts.map(|(score, count)| (score.to_string(), json!(count))).collect())
    };
    let bins: Map<_, _> = effort_bins(&stats.efforts)
        .into_iter()
        .map(|(name, _, count)| (name, json!(count)))
        .collect();
    let mut object = json!({
        "bytes": stats.bytes,
        "lines": stats.lines,
        "puzzles": stats.puzzles,
        "comments": stats.comments,
        "effort": bins,
        "efforts": stats.efforts,
        "mean_effort": stats.efforts.mean_thousandths().map(thousandths),
        "highest_effort": thousandths(stats.efforts.most_thousandths),
        "er": scores(&mut stats.er.scores()),
        "ep": scores(&mut stats.ep.scores()),
        "ed": scores(&mut stats.ed.scores()),
        "technique": named(&mut Technique::ALL.iter().map(|it| it.name()).zip(stats.techniques)),
        "grade": named(&mut Grade::ALL.iter().map(|it| it.name()).zip(stats.grades)),
    });
    for (status, count) in stats.statuses.iter().filter(|(status, _)| *status != Status::Solved) {
        // Without --max-branches there is none.
        if status != Status::Unknown || count > 0 {
            object[status.name()] = json!(count);
        }
    }
    object
}

/// The counts that [`write`] has written.
fn read(object: &Value) -> Result<Stats, serde_json::Error> {
    let number = |key: &str| {
        let number = object[key].as_u64();
        number.ok_or_else(|| serde_json::Error::custom(format!("no count is called {key}")))
    };
    // A name without a count has not occurred.
    let by_name = |key: &str, name: &str| object[key][name].as_u64().unwrap_or(0);
    let scores = |key: &str| ScoreCounts::deserialize(&object[key]);
    let mut stats = Stats {
        bytes: number("bytes")?,
        lines: number("lines")?,
        puzzles: number("puzzles")?,
        comments: number("comments")?,
        efforts: EffortCounts::deserialize(&object["efforts"])?,
        er: scores("er")?,
        ep: scores("ep")?,
        ed: scores("ed")?,
        ..Stats::default()
    };
    for &status in Status::ALL.iter().filter(|&&status| status != Status::Solved) {
        stats.statuses[status] = match status {
            Status::Unknown => object[status.name()].as_u64().unwrap_or(0),
            _ => number(status.name())?,
        };
    }
    let total: u128 = stats.statuses.iter().map(|(_, count)| u128::from(count)).sum();
    if total != u128::from(stats.puzzles) {
        let reason = format!("{} puzzles, and {total} of all statuses together", stats.puzzles);
        return Err(serde_json::Error::custom(reason));
    }
    for (&technique, count) in Technique::ALL.iter().zip(&mut stats.techniques) {
        *count = by_name("technique", technique.name());
    }
    for (&grade, count) in Grade::ALL.iter().zip(&mut stats.grades) {
        *count = by_name("grade", grade.name());
    }
    Ok(stats)
}

#[expect(clippy::cast_precision_loss, reason = "far below 2^53")]
pub(super) fn thousandths(number: u64) -> f64 {
    number as f64 / 1000.0
}
