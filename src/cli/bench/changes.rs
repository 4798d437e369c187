//! The changes since another run: `--compare`.

use super::machine::Export;
use super::numbers::{exact, three_digits};
use super::table::{Columns, NOTHING, align};
use crate::cli::exit::Error;
use crate::bench::{Bench, Change, LEVEL, Row, Spread, Verdict, compare};
use std::path::Path;

/// Whether a row is slower by more than noise.
pub(super) fn has_slower(before: &Export, now: &Export) -> bool {
    let changes = compare(&before.report, &now.report);
    changes.iter().any(|change| change.verdict == Verdict::Slower)
}

/// Fails if no row of the measurement could be compared.
pub(super) fn check(before: &Export, path: &Path, bench: &Bench) -> Result<(), Error> {
    let is_now = |row: &&Row| {
        bench.lists.iter().any(|list| list.name == row.list)
            && bench.modes.contains(&row.mode)
            && bench.contenders.iter().any(|contender| *contender.label() == row.label)
    };
    if before.report.rows.iter().any(|row| is_now(&row)) {
        return Ok(());
    }
    let why = "has no list, mode and engine that are measured now";
    Err(Error::Failed(format!("--compare {}: {why}", path.display())))
}

/// Whether there is a verdict on any row.
pub(super) fn says_anything(before: &Export, now: &Export) -> bool {
    let changes = compare(&before.report, &now.report);
    changes.iter().any(|change| change.verdict != Verdict::Unknown)
}

/// Lists that have other puzzles now, and rows that there are on one side only.
fn not_compared(before: &Export, now: &Export) -> String {
    let (old, new) = (&before.report, &now.report);
    let other = new.lists.iter().filter_map(|list| {
        let then = old.list(&list.name).filter(|then| !then.may_be(list))?;
        let (name, count, then) = (&list.name, list.puzzles, then.puzzles);
        Some(format!(
            "{name} has other puzzles now ({count}, then {then}): nothing is said of it.\n"
        ))
    });
    let only = |when: &str, rows: &[Row], others: &[Row]| {
        let lacks = |row: &&Row| !others.iter().any(|other| other.is_about_the_same_as(row));
        let names: Vec<_> = rows.iter().filter(lacks).map(name).collect();
        if names.is_empty() {
            names.concat()
        } else {
            format!("Only {when}: {}.\n", names.join("; "))
        }
    };
    let sides = [only("then", &old.rows, &new.rows), only("now", &new.rows, &old.rows)];
    other.chain(sides).collect()
}

/// The name of a row.
fn name(row: &Row) -> String {
    format!("{}, {}, {}", row.list, row.mode, row.label)
}

/// The verdict on each row, and the meaning of the words.
pub(super) fn render(before: &Export, now: &Export) -> String {
    let changes = compare(&before.report, &now.report);
    let heads = ["list, mode, engine", "ns then", "", "now", "", "change", "chance", "verdict"];
    let table = Columns {
        heads: heads.map(str::to_owned).to_vec(),
        lines: changes.iter().map(line).collect(),
    };
    let count = |verdict| changes.iter().filter(|change| change.verdict == verdict).count();
    let counts = format!(
        "{} faster, {} slower, {} the same within noise, {} not known",
        count(Verdict::Faster),
        count(Verdict::Slower),
        count(Verdict::Same),
        count(Verdict::Unknown)
    );
    let machines = if before.machine == now.machine {
        String::new()
    } else {
        format!("Another machine before: {}.\n", before.machine.sentence())
    };
    format!(
        "\nSince {}\n{machines}{}\n{counts}.\n{}{}\
         faster, slower: Mann-Whitney test of the rounds, p <= 1/{:.0} (chance), and the quartile\n\
         ranges (from … to …) do not overlap.\n",
        before.sentence(),
        align(&table),
        not_compared(before, now),
        all_together(&changes),
        1.0 / LEVEL
    )
}

/// The median change: if all rows change alike, the machine has changed.
fn all_together(changes: &[Change]) -> String {
    let times: Vec<_> = changes.iter().filter_map(|change| change.times).collect();
    Spread::of(&times).map_or_else(String::new, |spread| {
        let middle = signed_percent(spread.middle);
        format!("The row in the middle: {middle}. If all rows move alike, it is the machine.\n")
    })
}

/// One row then and now.
fn line(change: &Change) -> Vec<String> {
    let Change { before, now, times, p_value, verdict, .. } = change;
    let nothing = || NOTHING.to_owned();
    let median = |row: &Row| row.nanoseconds().map_or_else(nothing, |it| three_digits(it.middle));
    let reach = |row: &Row| {
        row.nanoseconds()
            .map_or_else(String::new, |it| format!("{} … {}", exact(it.lower), exact(it.upper)))
    };
    vec![
        name(now),
        median(before),
        reach(before),
        median(now),
        reach(now),
        times.map_or_else(nothing, signed_percent),
        format!("{p_value:.4}"),
        match verdict {
            Verdict::Faster => "faster",
            Verdict::Slower => "slower",
            Verdict::Same => "same",
            _ => NOTHING,
        }
        .to_owned(),
    ]
}

/// `+12.3 %` for 1.123 times the time.
fn signed_percent(times: f64) -> String {
    format!("{:+.1} %", (times - 1.0) * 100.0)
}
