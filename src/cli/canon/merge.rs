//! How the statistics of the shards of `canon` are added up.

use super::super::comments::SkippedComments;
use super::super::records::Merger;
use indicatif::HumanCount;
use ninefold::canon::Stats;
use serde::Deserialize;
use serde_json::json;

pub(in crate::cli) const MERGER: Merger<Stats> = Merger {
    command: "canon",
    shared: &["form"],
    read: |object| Stats::deserialize(object),
    write: |stats| json!(stats),
    line: |stats| {
        let (puzzles, canonical) = (HumanCount(stats.puzzles), HumanCount(stats.canonical));
        format!("{puzzles} puzzles: {canonical} canonical{}", SkippedComments(stats.comments))
    },
};
