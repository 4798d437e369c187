//! The results for people: a table for each list.

use crate::report::{BenchReport, BenchRow, ProgramAnswers};
use crate::stats::Estimate;
use indicatif::HumanCount;
use std::array;

/// Stands for an unknown value.
pub(crate) const NOTHING: &str = "–";

/// The meaning of the columns and of the marks in them.
const MEANING: &str = "\
puzzles/s: the median of the rounds; engines without reading and writing, programs from start to end.
start-up: the time for an empty list. Under 10 % if --seconds and --time-limit allow it.
95 % interval: of the ns/puzzle. ×: times as many puzzles/s as that one.
~ the mean of parts of the list, because it is too slow for all of it. < slower than this, and given up on.
! failed, or answers were wrong or missing. – not known; --seconds N gives more time.
";

/// `5,920,000`: rounded to three digits, thousands apart. Under 100, as many decimals as that leaves.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "saturates")]
pub(crate) fn three_digits(number: f64) -> String {
    if !number.is_finite() || number == 0.0 {
        return if number == 0.0 { "0" } else { NOTHING }.to_owned();
    }
    let unit = 10f64.powf(number.abs().log10().floor() - 2.0);
    let rounded = (number / unit).round() * unit;
    let decimals = match rounded {
        r if r >= 100.0 => return HumanCount(rounded.round() as u64).to_string(),
        r if r >= 10.0 => 1,
        r if r >= 1.0 => 2,
        r if r >= 0.1 => 3,
        _ => 4,
    };
    format!("{rounded:.decimals$}")
}

/// A table whose first line is its head: the first column is text, the others are numbers.
pub(crate) fn table<const COLUMNS: usize>(lines: &[[String; COLUMNS]]) -> String {
    let widths: [_; COLUMNS] = array::from_fn(|column| {
        lines.iter().map(|line| line[column].chars().count()).max().unwrap_or(0)
    });
    let mut text = String::new();
    for line in lines {
        text += &format!("  {:<1$}", line[0], widths[0]);
        for (cell, width) in line.iter().zip(widths).skip(1) {
            text += &format!("  {cell:>width$}");
        }
        text.push('\n');
    }
    text
}

/// An interval from its lower to its upper end.
pub(crate) fn reach(interval: Estimate) -> String {
    format!("{} … {}", three_digits(interval.lower), three_digits(interval.upper))
}

/// `~ 94.3`: the puzzles per second, with a mark if they are of parts of the list, or an upper bound.
pub(crate) fn speed(row: &BenchRow) -> Option<String> {
    let rate = three_digits(row.rate()?);
    Some(match row {
        BenchRow { at_least: Some(_), .. } => format!("< {rate}"),
        BenchRow { sample: true, .. } => format!("~ {rate}"),
        _ => rate,
    })
}

fn cells(report: &BenchReport, row: &BenchRow) -> [String; 5] {
    let cells = [
        Some(format!("{}{}", row.solver(), if row.has_faults() { " !" } else { "" })),
        speed(row),
        row.estimate().map(|it| three_digits(it.middle)),
        row.interval().map(reach),
        report.ratio(row).map(three_digits),
    ];
    cells.map(|cell| cell.unwrap_or_else(|| NOTHING.to_owned()))
}

/// The line about the start-up of a program.
#[expect(clippy::cast_precision_loss, reason = "a number of puzzles")]
fn startup(row: &BenchRow) -> Option<String> {
    let seconds = row.process.as_ref()?.startup_seconds;
    let round = row.estimate()?.middle * row.puzzles_per_round as f64 / 1e9;
    let percent = 100.0 * seconds / round;
    Some(format!("  {}: start-up is {percent:.0} % of this, {seconds:.3} s\n", row.engine))
}

/// The line about a program that failed, or whose answers were not all right.
fn faults(row: &BenchRow) -> Option<String> {
    let ProgramAnswers { checked, wrong, missing, failure, fault, .. } = row.process.as_ref()?;
    let [wrong, missing, checked] = [wrong, missing, checked].map(|it| HumanCount(*it));
    let counts = format!("answers wrong: {wrong}, missing: {missing}, of {checked}");
    let first = fault.as_ref().map(|fault| format!("{counts}; first: {fault}"));
    let parts: Vec<_> = [failure.clone(), first].into_iter().flatten().collect();
    row.has_faults().then(|| format!("  ! {}: {}\n", row.solver(), parts.join("; ")))
}

pub(crate) fn render(report: &BenchReport) -> String {
    let BenchReport { version, baseline, rounds, seconds, seed, .. } = report;
    let mut text = format!("ninefold {version} on {}\n\n", report.machine.sentence());
    let ratio = format!("× {baseline}");
    for list in &report.lists {
        let heads = ["engine", "puzzles/s", "ns/puzzle", "95 % interval", &ratio];
        let mut lines = vec![heads.map(str::to_owned)];
        lines.extend(report.rows_of(&list.name).map(|row| cells(report, row)));
        text += &format!("{}\n{}", list.title(), table(&lines));
        text.extend(report.rows_of(&list.name).filter_map(startup));
        text.extend(report.rows_of(&list.name).filter_map(faults));
        text.push('\n');
    }
    let not = "Not every answer was right: see !.";
    let right = if report.any(BenchRow::has_faults) { not } else { "Every answer was right." };
    text += &format!("{MEANING}\n{right} {rounds} rounds, {seconds:.1} s, seed {seed}.\n");
    if report.interrupted {
        text += "Interrupted: this is what was measured so far.\n";
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_digits_are_kept() {
        let numbers = [5_923_456.0, 999_600.0, 139.4, 99.96, 16.94, 0.5678, 0.01234, 0.0, f64::NAN];
        let texts = numbers.map(three_digits).join(" ");
        assert_eq!(texts, "5,920,000 1,000,000 139 100 16.9 0.568 0.0123 0 –");
    }
}
