//! `--compare`: what changed since another run.

use crate::report::{BenchReport, BenchRow};
use crate::stats::Estimate;
use crate::table::{NOTHING, reach, table, three_digits};

const MEANING: &str = "\
faster, slower: the 95 % intervals do not overlap. –: too few rounds, or not measured on these puzzles then.
If all rows change alike, the machine has changed.
";

/// Whether a row changed: it did if its two intervals do not overlap. `None` if an interval is not known.
pub(crate) fn verdict(then: Option<Estimate>, now: Option<Estimate>) -> Option<&'static str> {
    Some(match (then?, now?) {
        (then, now) if now.upper < then.lower => "faster",
        (then, now) if then.upper < now.lower => "slower",
        _ => "same",
    })
}

/// The rows of now beside those of then.
pub(crate) fn render(then: &BenchReport, now: &BenchReport) -> String {
    let mut text = format!("\nSince {}\n", then.sentence());
    if then.machine != now.machine {
        text += &format!("Another machine then: {}.\n", then.machine.sentence());
    }
    let heads = ["list, engine", "ns then", "interval", "ns now", "interval", "change", "verdict"];
    let mut lines = vec![heads.map(str::to_owned)];
    lines.extend(now.rows.iter().map(|row| line(row_then(then, now, row), row)));
    text += &table(&lines);
    let is_gone = |row: &&BenchRow| now.rows.iter().all(|other| other.name() != row.name());
    let gone: Vec<_> = then.rows.iter().filter(is_gone).map(BenchRow::name).collect();
    if !gone.is_empty() {
        text += &format!("Only then: {}.\n", gone.join("; "));
    }
    text + MEANING
}

/// The row of this name, if its list had the same puzzles.
fn row_then<'a>(then: &'a BenchReport, now: &BenchReport, row: &BenchRow) -> Option<&'a BenchRow> {
    let is_same = now.puzzles_of(&row.list) == then.puzzles_of(&row.list);
    then.rows.iter().find(|old| is_same && old.name() == row.name())
}

fn line(then: Option<&BenchRow>, now: &BenchRow) -> [String; 7] {
    let middles = [then.and_then(BenchRow::estimate), now.estimate()];
    let [middle_then, middle_now] = middles.map(|it| it.map(|it| it.middle));
    let change = middle_then.zip(middle_now).map(|(then, now)| (now / then - 1.0) * 100.0);
    let intervals = [then.and_then(BenchRow::interval), now.interval()];
    let [reach_then, reach_now] = intervals.map(|it| it.map(reach));
    let cells = [
        Some(now.name()),
        middle_then.map(three_digits),
        reach_then,
        middle_now.map(three_digits),
        reach_now,
        change.map(|percent| format!("{percent:+.1} %")),
        verdict(intervals[0], intervals[1]).map(str::to_owned),
    ];
    cells.map(|cell| cell.unwrap_or_else(|| NOTHING.to_owned()))
}
