//! The summary of `rate`: distributions for people, one JSON object for programs.

use super::super::comments::SkippedComments;
use super::super::histogram::{self, Bars, Part};
use super::super::progress::per_second;
use super::super::records::Ran;
use super::args::RateArgs;
use super::merge::{MERGER, effort_bins, thousandths};
use indicatif::HumanCount;
use ninefold::Status;
use ninefold::difficulty::{EFFORT_VERSION, Grade, Measure};
use ninefold::rate::{EffortCounts, Stats};
use serde_json::json;
use std::env;
use std::fmt::Write;

/// Columns of the summary if standard error is no terminal.
const COLUMNS: usize = 80;

/// A run that came to its end.
pub(super) struct Summary<'a> {
    pub(super) ran: &'a Ran<'a, Stats>,
    pub(super) args: &'a RateArgs,
}

impl Summary<'_> {
    /// Counts, histograms and the speed, without the last line end.
    pub(super) fn text(&self) -> String {
        let report = self.ran.report;
        let total = &report.total;
        let mut text = String::new();
        let puzzles = HumanCount(total.puzzles);
        // A string takes all that is written to it.
        let _ = write!(text, "{puzzles} puzzle{}: ", if total.puzzles == 1 { "" } else { "s" });
        let is_bounded = self.args.records.running.max_branches.is_some();
        let counts = total.statuses.iter().filter(|&(status, _)| match status {
            Status::Solved => false,
            Status::Unknown => is_bounded,
            _ => true,
        });
        for (place, (status, count)) in counts.enumerate() {
            let comma = if place == 0 { "" } else { ", " };
            let _ = write!(text, "{comma}{} {status}", HumanCount(count));
        }
        let _ = writeln!(text, "{}", SkippedComments(total.comments));
        let bars = match Bars::on_stderr() {
            Bars::Hidden => Bars::Within(COLUMNS),
            Bars::Within(columns) => Bars::Within(columns),
        };
        text.push_str(&histogram::table(&self.parts(), bars));
        if let Some(mean) = total.efforts.mean_thousandths() {
            let (mean, most) = (decimal(mean), decimal(total.efforts.most_thousandths));
            let shuffles = HumanCount(self.args.shuffles.get() as u64);
            let _ = writeln!(text, "mean effort {mean}, highest {most}, over {shuffles} shuffles");
        }
        let threads = report.threads;
        let rate = HumanCount(per_second(total.puzzles, self.ran.time));
        let _ = write!(text, "{:.3} s, {rate} puzzles/s", self.ran.time.as_secs_f64());
        let plural = if threads == 1 { "" } else { "s" };
        let simd = self.args.records.running.level();
        let _ = write!(text, ", {threads} thread{plural} ({simd}), seed {}", self.args.seed);
        text
    }

    /// The histograms of what was measured.
    fn parts(&self) -> Vec<Part> {
        let total = &self.ran.report.total;
        let measures = self.args.measures();
        let mut parts = Vec::new();
        if measures.contains(Measure::Effort) && total.efforts.puzzles > 0 {
            let rows = effort_rows(&total.efforts);
            parts.push(Part { title: "effort", of: total.efforts.puzzles, rows });
        }
        let rated = total.techniques.iter().sum();
        if measures.contains(Measure::Er) && rated > 0 {
            let rows = total.er.scores().map(|(score, count)| (score.to_string(), count));
            parts.push(Part { title: "er", of: rated, rows: rows.collect() });
        }
        let graded = total.grades.iter().sum();
        if measures.contains(Measure::Grade) && graded > 0 {
            let rows = Grade::ALL.iter().zip(total.grades);
            let rows = rows.map(|(grade, count)| (grade.to_string(), count)).collect();
            parts.push(Part { title: "grade", of: graded, rows });
        }
        parts
    }

    /// The same and more as one JSON object, with a line end.
    pub(super) fn to_json(&self) -> String {
        let (ran, args) = (self.ran, self.args);
        let report = ran.report;
        let arguments: Vec<_> =
            env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned()).collect();
        let mut object = (MERGER.write)(&report.total);
        object["program"] = json!("ninefold");
        object["version"] = json!(env!("CARGO_PKG_VERSION"));
        object["arguments"] = json!(arguments);
        object["measures"] = json!(
            Measure::ALL
                .iter()
                .filter(|it| args.measures().contains(**it))
                .map(|it| it.name())
                .collect::<Vec<_>>()
        );
        object["effort_version"] = json!(EFFORT_VERSION);
        object["shuffles"] = json!(args.shuffles);
        object["seed"] = json!(args.seed);
        object["engine"] = json!(args.engine.name());
        object["simd"] = json!(args.records.running.level().name());
        object["threads"] = json!(report.threads);
        object["seconds"] = json!(ran.time.as_secs_f64());
        object["solve_seconds"] = json!(report.solve_time.as_secs_f64());
        object["puzzles_per_second"] = json!(per_second(report.total.puzzles, ran.time));
        MERGER.describe(&mut object, ran);
        format!("{object:#}\n")
    }
}

/// The rows of efforts, from the lowest bin with a puzzle to the highest.
fn effort_rows(efforts: &EffortCounts) -> Vec<(String, u64)> {
    effort_bins(efforts).into_iter().map(|(label, _, count)| (label, count)).collect()
}

/// `4.317`, with two decimal places at most.
fn decimal(number: u64) -> String {
    format!("{:.2}", thousandths(number))
}
