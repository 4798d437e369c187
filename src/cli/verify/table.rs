//! What a run found: a table for people, one JSON object for programs.

use super::super::progress::per_second;
use indicatif::HumanCount;
use ninefold::Status;
use ninefold::difficulty::Grade;
use ninefold::engine::EngineKind;
use ninefold::verify::{Report, Tally, Verify};
use serde_json::{Value, json};
use std::env;
use std::fmt::Write;
use std::time::Duration;

/// Columns of the bar of all, on a wide terminal.
const MOST_BAR: usize = 30;

/// On narrower terminals than for this bar there is none.
const LEAST_BAR: usize = 4;

/// A run that came to its end.
pub(super) struct Summary<'a> {
    pub(super) report: &'a Report,
    pub(super) verify: &'a Verify,
    pub(super) time: Duration,
}

/// Rows of counts under a title, and their total.
struct Part {
    title: &'static str,
    of: u64,
    rows: Vec<(String, u64)>,
}

impl Summary<'_> {
    /// All counts, aligned; with a bar for each on a terminal, which has this many columns.
    pub(super) fn table(&self, columns: Option<usize>) -> String {
        let parts = self.parts();
        let labels = parts.iter().flat_map(|part| part.rows.iter().map(|(label, _)| label.len()));
        let width = labels.max().unwrap_or_default();
        let number = |count: u64| HumanCount(count).to_string();
        let numbers = parts.iter().flat_map(|part| &part.rows).map(|&(_, it)| number(it).len());
        let digits = numbers.max().unwrap_or_default();
        // The columns before a bar: two spaces between the parts of a row, and `100.0 %`.
        let before = 2 + width + 2 + digits + 2 + 7 + 2;
        let most = columns.map_or(0, |columns| columns.saturating_sub(before)).min(MOST_BAR);
        let mut text = String::new();
        for part in parts {
            // A string takes all that is written to it.
            let _ = writeln!(text, "{}", part.title);
            for (label, count) in part.rows {
                let share = tenths(count, part.of);
                let (whole, tenth) = (share / 10, share % 10);
                let count_text = number(count);
                let _ = write!(text, "  {label:width$}  {count_text:>digits$}");
                let _ = write!(text, "  {whole:>3}.{tenth} %");
                if most >= LEAST_BAR && count > 0 {
                    let _ = write!(text, "  {}", bar(count, part.of, most));
                }
                text.push('\n');
            }
        }
        if let Some(bytes) = self.report.table_bytes {
            let _ = writeln!(text, "table of duplicates: {} bytes", HumanCount(bytes as u64));
        }
        text.push_str(&self.last_line());
        text
    }

    /// The parts of the table that have something to say.
    fn parts(&self) -> Vec<Part> {
        let (tally, checks) = (&self.report.total, &self.verify.checks);
        let mut parts = vec![Part { title: "lines", of: tally.puzzles, rows: self.lines() }];
        let answers = tally.right + tally.not_only + tally.wrong + tally.unanswered;
        if answers + self.report.left_over > 0 {
            let mut rows = vec![
                ("right".to_owned(), tally.right),
                ("valid but not unique".to_owned(), tally.not_only),
                ("wrong".to_owned(), tally.wrong),
                ("missing".to_owned(), tally.unanswered),
            ];
            if self.report.left_over > 0 {
                rows.push(("without a puzzle".to_owned(), self.report.left_over));
            }
            parts.push(Part { title: "answers", of: answers + self.report.left_over, rows });
        }
        let mut asked = Vec::new();
        if checks.minimal {
            asked.push(("minimal".to_owned(), tally.minimal));
            asked.push(("not minimal".to_owned(), tally.not_minimal));
        }
        if checks.clues != (0..=81) {
            asked.push(("wrong number of clues".to_owned(), tally.out_of_range));
        }
        if self.verify.duplicates {
            asked.push(("duplicates".to_owned(), tally.duplicates));
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
            Status::Unique | Status::Multiple | Status::None => !self.verify.checks.trust_unique,
            _ => true,
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
        let mut object = counts(&report.total, verify);
        object["answers"]["without_a_puzzle"] = json!(report.left_over);
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
        object["seconds"] = json!(time.as_secs_f64());
        object["solve_seconds"] = json!(report.solve_time.as_secs_f64());
        object["puzzles_per_second"] = json!(self.puzzles_per_second());
        object["megabytes_per_second"] = json!(self.megabytes_per_second());
        let inputs = report.inputs.iter().map(|input| {
            let mut object = counts(&input.tally, verify);
            object["name"] = json!(&*input.name);
            object["lines"] = json!(input.tally.lines);
            object["bytes"] = json!(input.tally.bytes);
            object
        });
        object["inputs"] = inputs.collect();
        format!("{object:#}\n")
    }
}

/// The counts by their names; null for checks that were not requested.
fn counts(tally: &Tally, verify: &Verify) -> Value {
    let checks = &verify.checks;
    let clues = tally.clues.iter().enumerate().filter(|&(_, &count)| count > 0);
    let clues = clues.map(|(clues, &count)| (clues.to_string(), json!(count)));
    let grades = Grade::ALL.iter().zip(tally.grades);
    let grades = grades.map(|(grade, count)| (grade.name().to_owned(), json!(count)));
    let mut object = json!({
        "puzzles": tally.puzzles,
        "passed": tally.passed,
        "legal_not_solved": tally.not_solved,
        "answers": {
            "right": tally.right,
            "valid_not_the_only_one": tally.not_only,
            "wrong": tally.wrong,
            "missing": tally.unanswered,
        },
        "minimal": checks.minimal.then_some(tally.minimal),
        "not_minimal": checks.minimal.then_some(tally.not_minimal),
        "wrong_number_of_clues": tally.out_of_range,
        "duplicates": verify.duplicates.then_some(tally.duplicates),
        "sukakus": tally.sukakus,
        "clues": Value::Object(clues.collect()),
        "falls_to": (!checks.trust_unique).then(|| Value::Object(grades.collect())),
    });
    for (status, count) in tally.statuses.iter().filter(|(status, _)| *status != Status::Solved) {
        object[status.name()] = json!(count);
    }
    object
}

/// Tenths of a percent, rounded; but all only of all, and none of none.
fn tenths(count: u64, of: u64) -> u128 {
    let rounded = (u128::from(count) * 1000 + u128::from(of / 2)) / u128::from(of.max(1));
    if count == 0 || count >= of { rounded } else { rounded.clamp(1, 999) }
}

/// A bar as long as the share of `most` columns, to an eighth of a column, and never empty.
fn bar(count: u64, of: u64, most: usize) -> String {
    const PARTS: [char; 7] = ['▏', '▎', '▍', '▌', '▋', '▊', '▉'];
    let eighths = u128::from(count) * most as u128 * 8 / u128::from(of.max(1));
    let eighths = usize::try_from(eighths).unwrap_or_default().max(1);
    let mut bar = "█".repeat(eighths / 8);
    bar.extend((eighths % 8).checked_sub(1).map(|part| PARTS[part]));
    bar
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bar_is_as_long_as_its_share_and_never_nothing() {
        assert_eq!(bar(1, 1_000_000, 30), "▏");
        assert_eq!(bar(1, 2, 30), "█".repeat(15));
        assert_eq!(bar(7, 7, 30), "█".repeat(30));
        assert_eq!(bar(1, 16, 30), "█▉");
        assert_eq!(bar(1, 2, 5), "██▌");
        assert_eq!([tenths(1, 3), tenths(2, 3), tenths(0, 0)], [333, 667, 0]);
        assert_eq!([tenths(99_999, 100_000), tenths(7, 7)], [999, 1000]);
        assert_eq!([tenths(1, 100_000), tenths(0, 7)], [1, 0]);
    }
}
