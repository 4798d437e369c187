//! What a run found: a table for people, one JSON object for programs.

use super::super::histogram::{self, Bars, Part};
use super::super::malformed::frequent_reasons;
use super::super::progress::per_second;
use indicatif::HumanCount;
use crate::Status;
use crate::difficulty::Grade;
use crate::engine::EngineKind;
use crate::verify::{MatchedBy, Report, Tally, Verify};
use serde_json::{Value, json};
use std::env;
use std::fmt::Write;
use std::time::Duration;

/// A run that came to its end.
pub(super) struct Summary<'a> {
    pub(super) report: &'a Report,
    pub(super) verify: &'a Verify,
    pub(super) time: Duration,
}

impl Summary<'_> {
    /// All counts, aligned.
    pub(super) fn table(&self, bars: Bars) -> String {
        let mut text = histogram::table(&self.parts(), bars);
        if let Some(bytes) = self.report.table_bytes {
            let _ = writeln!(text, "table of duplicates: {} bytes", HumanCount(bytes as u64));
        }
        if let Some(bank) = &self.report.bank {
            let (puzzles, bytes) = (HumanCount(bank.puzzles), HumanCount(bank.table_bytes as u64));
            let _ = writeln!(text, "table of the bank: {puzzles} puzzles, {bytes} bytes");
        }
        let Tally { puzzles, statuses, reasons, comments, .. } = &self.report.total;
        if let Some(reasons) = frequent_reasons(*puzzles, statuses[Status::Malformed], reasons) {
            let _ = writeln!(text, "{reasons}");
        }
        if *comments > 0 {
            let plural = if *comments == 1 { "" } else { "s" };
            let _ = writeln!(text, "{} comment line{plural} skipped", HumanCount(*comments));
        }
        text.push_str(&self.last_line());
        if let Some(unchecked) = self.unchecked() {
            let _ = write!(text, "\n{unchecked}");
        }
        text
    }

    /// Which answers were not checked, because there are none.
    fn unchecked(&self) -> Option<String> {
        const HOW: &str = "--solutions FILE or --columns solution=COLUMN names them";
        let total = &self.report.total;
        let (checked, lacking) = (checked(total), lacking(total));
        if checked == 0 {
            return Some(format!("no answers found: answers were not checked ({HOW})"));
        }
        // Those that should have one are reported.
        match lacking - total.unanswered {
            0 => None,
            1 => Some("1 puzzle has no answer: it was not checked".to_owned()),
            lacking => Some(format!(
                "{} puzzles have no answer: it was not checked ({HOW})",
                HumanCount(lacking)
            )),
        }
    }

    /// The parts of the table that have something to say.
    fn parts(&self) -> Vec<Part> {
        let (tally, checks) = (&self.report.total, &self.verify.checks);
        let mut parts = vec![Part { title: "lines", of: tally.puzzles, rows: self.lines() }];
        let answers = answers(tally);
        if answers > 0 {
            let mut rows = vec![
                ("right".to_owned(), tally.right),
                ("valid but not unique".to_owned(), tally.not_only),
                ("wrong".to_owned(), tally.wrong),
                ("missing".to_owned(), tally.unanswered),
            ];
            if self.verify.max_branches.is_some() {
                rows.insert(2, ("valid but uniqueness unknown".to_owned(), tally.unproven));
            }
            parts.push(Part { title: "answers", of: answers, rows });
        }
        let mut asked = Vec::new();
        if checks.minimal {
            asked.push(("minimal".to_owned(), tally.minimal));
            asked.push(("not minimal".to_owned(), tally.not_minimal));
            if self.verify.max_branches.is_some() {
                asked.push(("minimality unknown".to_owned(), tally.minimal_unknown));
            }
        }
        if checks.clues != (0..=81) {
            asked.push(("wrong number of clues".to_owned(), tally.out_of_range));
        }
        if self.verify.duplicates.is_some() {
            asked.push(("duplicates".to_owned(), tally.duplicates));
        }
        if self.report.bank.is_some() {
            asked.push(("in a bank".to_owned(), tally.in_bank));
        }
        if !asked.is_empty() {
            parts.push(Part { title: "also asked", of: tally.puzzles, rows: asked });
        }
        let unique = tally.statuses[Status::Unique];
        if unique > 0 {
            let names = ["naked singles", "singles", "locked candidates", "search"];
            let mut rows: Vec<_> = names.into_iter().map(str::to_owned).zip(tally.grades).collect();
            let graded: u64 = tally.grades.iter().sum();
            if graded < unique {
                rows.push(("not asked (sukakus)".to_owned(), unique - graded));
            }
            parts.push(Part { title: "puzzles with one solution fall to", of: unique, rows });
        }
        let clues = tally.clues.iter().enumerate().filter(|&(_, &count)| count > 0);
        let rows: Vec<_> = clues.map(|(clues, &count)| (format!("{clues:>2}"), count)).collect();
        if !rows.is_empty() {
            let of = rows.iter().map(|(_, count)| count).sum();
            parts.push(Part { title: "clues", of, rows });
        }
        parts
    }

    fn lines(&self) -> Vec<(String, u64)> {
        let tally = &self.report.total;
        let mut rows = vec![("puzzles", tally.puzzles), ("pass", tally.passed)];
        if self.verify.checks.trust_unique {
            rows.push(("legal (not solved)", tally.not_solved));
        }
        let asked = |status: Status| match status {
            Status::Solved => false,
            Status::Unknown if self.verify.max_branches.is_none() => false,
            status => !(self.verify.checks.trust_unique && needs_solving(status)),
        };
        let counts = tally.statuses.iter().filter(|&(status, _)| asked(status));
        rows.extend(counts.map(|(status, count)| (status.name(), count)));
        rows.into_iter().map(|(label, count)| (label.to_owned(), count)).collect()
    }

    /// How fast it was.
    fn last_line(&self) -> String {
        let (threads, engine) = (self.report.threads, self.verify.engine);
        let plural = if threads == 1 { "" } else { "s" };
        let (rate, megabytes) =
            (HumanCount(self.puzzles_per_second()), self.megabytes_per_second());
        let mut text = format!(
            "{:.3} s, {rate} puzzles/s, {megabytes:.1} MB/s, {threads} thread{plural}",
            self.time.as_secs_f64()
        );
        if !self.verify.checks.trust_unique {
            let _ = write!(text, ", engine {engine}");
            if engine == EngineKind::Lanes {
                let _ = write!(text, " ({})", self.verify.simd);
            }
        }
        text
    }

    fn puzzles_per_second(&self) -> u64 {
        per_second(self.report.total.puzzles, self.time)
    }

    /// Millions of bytes read each second.
    #[expect(clippy::cast_precision_loss, reason = "shown to a tenth")]
    fn megabytes_per_second(&self) -> f64 {
        per_second(self.report.total.bytes, self.time) as f64 / 1e6
    }

    /// The same and more as one JSON object, with a line end.
    pub(super) fn to_json(&self) -> String {
        let Self { report, verify, time } = self;
        let arguments: Vec<_> =
            env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned()).collect();
        let mut object = counts(&report.total, verify, report.matched_by);
        object["answers_matched_by"] = json!(report.matched_by.map(MatchedBy::name));
        object["program"] = json!("ninefold");
        object["version"] = json!(env!("CARGO_PKG_VERSION"));
        object["arguments"] = json!(arguments);
        object["engine"] = json!(verify.engine.name());
        object["simd"] = json!(verify.simd.name());
        object["cpu_features"] = json!(verify.simd.features());
        object["threads"] = json!(report.threads);
        object["lines"] = json!(report.total.lines);
        object["bytes"] = json!(report.total.bytes);
        object["duplicate_table_bytes"] = json!(report.table_bytes);
        if let Some(bank) = &report.bank {
            object["in_bank"] = json!(report.total.in_bank);
            object["bank"] = json!({
                "puzzles": bank.puzzles,
                "malformed": bank.malformed,
                "table_bytes": bank.table_bytes,
            });
        }
        object["seconds"] = json!(time.as_secs_f64());
        object["solve_seconds"] = json!(report.solve_time.as_secs_f64());
        object["puzzles_per_second"] = json!(self.puzzles_per_second());
        object["megabytes_per_second"] = json!(self.megabytes_per_second());
        let inputs = report.inputs.iter().map(|input| {
            let mut object = counts(&input.tally, verify, report.matched_by);
            object["name"] = json!(&*input.name);
            if report.bank.is_some() {
                object["in_bank"] = json!(input.tally.in_bank);
            }
            object["lines"] = json!(input.tally.lines);
            object["bytes"] = json!(input.tally.bytes);
            object
        });
        object["inputs"] = inputs.collect();
        format!("{object:#}\n")
    }
}

/// Answers that were checked.
const fn checked(tally: &Tally) -> u64 {
    answers(tally) - tally.unanswered
}

/// Puzzles without an answer.
pub(super) fn lacking(tally: &Tally) -> u64 {
    tally.puzzles - tally.statuses[Status::Malformed] - checked(tally)
}

/// The counts by their names; null for checks that were not requested.
fn counts(tally: &Tally, verify: &Verify, matched_by: Option<MatchedBy>) -> Value {
    let checks = &verify.checks;
    let clues = tally.clues.iter().enumerate().filter(|&(_, &count)| count > 0);
    let clues = clues.map(|(clues, &count)| (clues.to_string(), json!(count)));
    let grades = Grade::ALL.iter().zip(tally.grades);
    let grades = grades.map(|(grade, count)| (grade.name().to_owned(), json!(count)));
    let given = answers(tally) > 0;
    let of_answers = |count: u64| (given || matched_by.is_some()).then_some(count);
    let mut object = json!({
        "puzzles": tally.puzzles,
        "passed": tally.passed,
        "legal_not_solved": checks.trust_unique.then_some(tally.not_solved),
        "answers": {
            "right": of_answers(tally.right),
            "valid_not_the_only_one": of_answers(tally.not_only).filter(|_| !checks.trust_unique),
            "wrong": of_answers(tally.wrong),
            "missing": of_answers(tally.unanswered),
        },
        "minimal": checks.minimal.then_some(tally.minimal),
        "not_minimal": checks.minimal.then_some(tally.not_minimal),
        "wrong_number_of_clues": (checks.clues != (0..=81)).then_some(tally.out_of_range),
        "duplicates": verify.duplicates.map(|_| tally.duplicates),
        "sukakus": tally.sukakus,
        "comments": tally.comments,
        "clues": Value::Object(clues.collect()),
        "falls_to": (!checks.trust_unique).then(|| Value::Object(grades.collect())),
    });
    if verify.max_branches.is_some() {
        object["answers"]["valid_uniqueness_unknown"] = json!(of_answers(tally.unproven));
        object["minimality_unknown"] = json!(checks.minimal.then_some(tally.minimal_unknown));
    }
    let can_be = |status| match status {
        Status::Solved => false,
        Status::Unknown => verify.max_branches.is_some(),
        _ => true,
    };
    for (status, count) in tally.statuses.iter().filter(|&(status, _)| can_be(status)) {
        let asked = !(checks.trust_unique && needs_solving(status));
        object[status.name()] = json!(asked.then_some(count));
    }
    object
}

/// Puzzles that have an answer, or should have one.
const fn answers(tally: &Tally) -> u64 {
    tally.right + tally.not_only + tally.unproven + tally.wrong + tally.unanswered
}

/// Whether a status is known of no puzzle that was not solved.
const fn needs_solving(status: Status) -> bool {
    matches!(status, Status::Unique | Status::Multiple | Status::None | Status::Unknown)
}
