//! The summary of `generate`: some lines for people, one JSON object for programs.

use super::super::progress::per_second;
use indicatif::HumanCount;
use crate::generate::{Generator, Report};
use serde_json::{Map, json};
use std::env;
use std::fmt;
use std::time::Duration;

/// A run that came to its end.
pub(super) struct Summary<'a> {
    pub(super) report: &'a Report,
    pub(super) generator: &'a Generator,
    pub(super) time: Duration,
}

impl fmt::Display for Summary<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (report, attempts) = (self.report, HumanCount(self.generator.recipe.attempts));
        let plural = |count: u64| if count == 1 { "" } else { "s" };
        if report.near > 0 {
            let count = HumanCount(report.near);
            write!(
                f,
                "{count} puzzle{} without the requested number of clues",
                plural(report.near)
            )?;
            writeln!(f, ": the nearest of {attempts} grids each (--attempts)")?;
        }
        if report.missing > 0 {
            let count = HumanCount(report.missing);
            write!(f, "{count} puzzle{} not made: ", plural(report.missing))?;
            let tries = HumanCount(report.tries);
            if report.exhausted == 0 {
                write!(f, "none of {tries} tries gave a requested puzzle")?;
            } else {
                write!(f, "{tries} tries gave no new puzzle")?;
            }
            match report.not_tried {
                0 => writeln!(f)?,
                rest => writeln!(f, "; {} more not tried", HumanCount(rest))?,
            }
        }
        if report.refused > 0 {
            let count = HumanCount(report.refused);
            writeln!(f, "{count} line{} without a usable puzzle or grid", plural(report.refused))?;
        }
        write!(f, "{} puzzle{} made", HumanCount(report.puzzles), plural(report.puzzles))?;
        if let Some((least, most)) = self.least_and_most() {
            write!(f, ", {least} to {most} clues, mean {:.2}", report.mean_clues())?;
        }
        write!(f, "; {} tried", HumanCount(report.attempts))?;
        write!(f, ", {} drawn again", HumanCount(report.repeated))?;
        if self.generator.max_branches.is_some() {
            write!(f, ", {} unknown", HumanCount(report.unknown))?;
        }
        writeln!(f)?;
        let (threads, seed) = (self.generator.worker_threads(), self.generator.recipe.seed);
        let rate = HumanCount(per_second(report.puzzles, self.time));
        write!(f, "{:.3} s, {rate} puzzles/s", self.time.as_secs_f64())?;
        write!(f, ", {threads} thread{} ({})", plural(threads as u64), self.generator.simd)?;
        write!(f, ", seed {seed}")
    }
}

impl Summary<'_> {
    /// The fewest and the most clues of a puzzle.
    fn least_and_most(&self) -> Option<(usize, usize)> {
        let has = |&(_, &count): &(usize, &u64)| count > 0;
        let mut clues = self.report.clues.iter().enumerate().filter(has).map(|(clues, _)| clues);
        let least = clues.next()?;
        Some((least, clues.next_back().unwrap_or(least)))
    }

    /// The same and more as one JSON object, with a line end.
    pub(super) fn to_json(&self) -> String {
        let (report, generator) = (self.report, self.generator);
        let arguments: Vec<_> =
            env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned()).collect();
        let clues = report.clues.iter().enumerate().filter(|&(_, &count)| count > 0);
        let clues: Map<_, _> =
            clues.map(|(clues, count)| (clues.to_string(), json!(count))).collect();
        let mut object = json!({
            "program": "ninefold",
            "version": env!("CARGO_PKG_VERSION"),
            "arguments": arguments,
            "seed": generator.recipe.seed,
            "puzzles": report.puzzles,
            "near": report.near,
            "missing": report.missing,
            "not_tried": report.not_tried,
            "exhausted": report.exhausted,
            "drawn_again": report.repeated,
            "tried": report.attempts,
            "refused_lines": report.refused,
            "mean_clues": report.mean_clues(),
            "clues": clues,
            "threads": generator.worker_threads(),
            "simd": generator.simd.name(),
            "seconds": self.time.as_secs_f64(),
            "puzzles_per_second": per_second(report.puzzles, self.time),
        });
        if generator.max_branches.is_some() {
            object["unknown"] = json!(report.unknown);
        }
        format!("{object:#}\n")
    }
}
