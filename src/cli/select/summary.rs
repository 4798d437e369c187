//! The summary of `select`: what removed how many rows, and one JSON object for programs.

use super::super::progress::per_second;
use super::super::slowest;
use super::args::SelectArgs;
use indicatif::HumanCount;
use crate::select::{Condition, Report, Select};
use serde_json::{Map, json};
use std::env;
use std::fmt::Write;
use std::time::Duration;

/// A run that came to its end.
pub(super) struct Summary<'a> {
    pub(super) report: &'a Report,
    pub(super) select: &'a Select,
    pub(super) args: &'a SelectArgs,
    pub(super) time: Duration,
}

impl Summary<'_> {
    /// Rows read, removed and written, without the last line end.
    pub(super) fn text(&self) -> String {
        let (report, mut text) = (self.report, String::new());
        let count = |count: u64| HumanCount(count).to_string();
        let mut rows = vec![("rows read".to_owned(), report.rows)];
        if report.comments > 0 {
            rows.push(("comment lines skipped".to_owned(), report.comments));
        }
        if report.cut > 0 {
            rows.push(("too long to be copied".to_owned(), report.cut));
        }
        let removed = Condition::ALL.iter().zip(report.removed).filter(|&(_, count)| count > 0);
        rows.extend(removed.map(|(condition, count)| (format!("removed by {condition}"), count)));
        let picked = report.met - report.selected;
        if picked > 0 {
            rows.push(("not picked".to_owned(), picked));
        }
        if self.select.max_branches.is_some() {
            rows.push(("unknown".to_owned(), report.unknown));
        }
        rows.push(("rows written".to_owned(), report.selected));
        let files = self.files();
        let parts = files.iter().zip(&report.parts);
        rows.extend(parts.map(|(file, &count)| (format!("  {}", file.display()), count)));
        let width = rows.iter().map(|(label, _)| label.chars().count()).max().unwrap_or_default();
        let digits = rows.iter().map(|&(_, it)| count(it).len()).max().unwrap_or_default();
        for (label, number) in rows {
            // A string takes all that is written to it.
            let _ = writeln!(text, "{label:width$}  {:>digits$}", count(number));
        }
        let threads = report.threads;
        let rate = HumanCount(per_second(report.rows, self.time));
        let _ = write!(text, "{:.3} s, {rate} rows/s", self.time.as_secs_f64());
        let plural = if threads == 1 { "" } else { "s" };
        let _ = write!(text, ", {threads} thread{plural} ({})", self.select.simd);
        if self.select.pick.sample.is_some() || self.select.split.is_some() {
            let _ = write!(text, ", seed {}", self.select.pick.seed);
        }
        slowest::in_text(&mut text, report.slowest.as_ref());
        text
    }

    /// The same and more as one JSON object, with a line end.
    pub(super) fn to_json(&self) -> String {
        let (report, select) = (self.report, self.select);
        let arguments: Vec<_> =
            env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned()).collect();
        let removed: Map<_, _> = Condition::ALL
            .iter()
            .zip(report.removed)
            .map(|(condition, count)| (condition.name().to_owned(), json!(count)))
            .collect();
        let files = self.files();
        let parts: Map<_, _> = files
            .iter()
            .zip(&report.parts)
            .map(|(file, count)| (file.display().to_string(), json!(count)))
            .collect();
        let mut object = json!({
            "program": "ninefold",
            "version": env!("CARGO_PKG_VERSION"),
            "arguments": arguments,
            "inputs": report.inputs.iter().map(|name| &**name).collect::<Vec<_>>(),
            "bytes": report.bytes,
            "lines": report.lines,
            "rows": report.rows,
            "comments": report.comments,
            "too_long": report.cut,
            "removed": removed,
            "met_all_conditions": report.met,
            "selected": report.selected,
            "parts": parts,
            "seed": select.pick.seed,
            "shuffles": select.shuffles,
            "engine": select.engine.name(),
            "simd": select.simd.name(),
            "threads": report.threads,
            "seconds": self.time.as_secs_f64(),
            "rows_per_second": per_second(report.rows, self.time),
        });
        if select.max_branches.is_some() {
            object["unknown"] = json!(report.unknown);
        }
        let (running, slowest) = (&self.args.running, report.slowest.as_ref());
        slowest::in_json(format!("{object:#}\n"), running, slowest)
    }
}
