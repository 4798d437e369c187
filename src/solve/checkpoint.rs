//! How far a run has come, as it is kept in a file beside a partial output.

use super::stats::Stats;
use crate::input::Tail;
use crate::output::Kept;
use crate::{Status, StatusCounts};
use serde_json::{Value, json};
use std::collections::HashMap;
use std::time::Duration;

/// How far a run has come: everything before has been written, nothing after it counts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Checkpoint {
    /// Each input, in their order.
    pub inputs: Vec<Reached>,
    /// Records.
    pub records: Kept,
    /// Lines that were not answered.
    pub rejects: Kept,
    /// The time that all workers together spent in their engines.
    pub solve_time: Duration,
    /// The time since the first run began, less that between runs.
    pub time: Duration,
    /// Whether nothing comes after it.
    pub complete: bool,
}

/// How far a run has come with one input.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Reached {
    /// What was found so far; `bytes` and `lines` say where it stands.
    pub stats: Stats,
    /// What stands before that place.
    pub tail: Tail,
}

impl Checkpoint {
    /// The start of a run with so many inputs.
    #[must_use]
    pub fn start(inputs: usize) -> Self {
        Self { inputs: vec![Reached::default(); inputs], ..Self::default() }
    }

    /// Whether nothing has been read or written.
    #[must_use]
    pub fn is_start(&self) -> bool {
        self.records.is_empty() && self.inputs.iter().all(|input| input.stats.bytes == 0)
    }

    pub(super) fn to_json(&self) -> Value {
        let inputs = self.inputs.iter().map(|Reached { stats, tail }| {
            json!({
                "bytes": stats.bytes, "lines": stats.lines, "puzzles": stats.puzzles,
                "statuses": stats.statuses.iter().map(|(status, count)| (status.name(), count)).collect::<HashMap<_, _>>(),
                "incomplete": stats.incomplete,
                "tail_bytes": tail.bytes, "tail_xxh3": tail.xxh3,
            })
        });
        json!({
            "inputs": inputs.collect::<Value>(),
            "records": json_of(&self.records),
            "rejects": json_of(&self.rejects),
            "solve_microseconds": microseconds(self.solve_time),
            "microseconds": microseconds(self.time),
            "complete": self.complete,
        })
    }

    /// Nothing if it is not what [`Self::to_json`] makes.
    pub(super) fn from_json(value: &Value) -> Option<Self> {
        let reached = |value: &Value| {
            let number = |key: &str| value[key].as_u64();
            let stats = Stats {
                bytes: number("bytes")?,
                lines: number("lines")?,
                puzzles: number("puzzles")?,
                statuses: statuses(&value["statuses"])?,
                incomplete: number("incomplete")?,
            };
            let tail = Tail { bytes: number("tail_bytes")?, xxh3: number("tail_xxh3")? };
            Some(Reached { stats, tail })
        };
        let number = |key: &str| value[key].as_u64();
        Some(Self {
            inputs: value["inputs"].as_array()?.iter().map(reached).collect::<Option<_>>()?,
            records: kept(&value["records"])?,
            rejects: kept(&value["rejects"])?,
            solve_time: Duration::from_micros(number("solve_microseconds")?),
            time: Duration::from_micros(number("microseconds")?),
            complete: value["complete"].as_bool()?,
        })
    }
}

/// What is pending may be no text, so a character stands for each byte: the one of its number.
fn json_of(kept: &Kept) -> Value {
    let pending = kept.pending.iter().map(|&byte| char::from(byte));
    json!({"bytes": kept.bytes, "pending": pending.collect::<String>()})
}

fn kept(value: &Value) -> Option<Kept> {
    let pending = value["pending"].as_str()?.chars().map(|byte| u8::try_from(byte).ok());
    Some(Kept { bytes: value["bytes"].as_u64()?, pending: pending.collect::<Option<_>>()? })
}

fn statuses(value: &Value) -> Option<StatusCounts> {
    let mut counts = StatusCounts::default();
    for &status in Status::ALL {
        counts[status] = value[status.name()].as_u64()?;
    }
    Some(counts)
}

fn microseconds(time: Duration) -> u64 {
    u64::try_from(time.as_micros()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_checkpoint_is_the_same_after_a_way_through_json() {
        let mut statuses = StatusCounts::default();
        for (&status, count) in Status::ALL.iter().zip(4..) {
            statuses[status] = count;
        }
        let stats = Stats { bytes: u64::MAX, lines: 2, puzzles: 3, statuses, incomplete: 11 };
        let tail = Tail::of(b"tail");
        let checkpoint = Checkpoint {
            inputs: vec![Reached { stats, tail }, Reached::default()],
            records: Kept { bytes: 10, pending: (0..=255).collect() },
            rejects: Kept { bytes: 11, pending: Vec::new() },
            solve_time: Duration::from_micros(12),
            time: Duration::from_micros(13),
            complete: true,
        };
        assert_eq!(Checkpoint::from_json(&checkpoint.to_json()), Some(checkpoint));
        assert_eq!(Checkpoint::from_json(&json!({"inputs": []})), None);
    }
}
