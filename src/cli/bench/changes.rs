//! What has changed since another run: `--compare`.

use super::machine::Export;
use super::numbers::{percent, three_digits};
use super::table::{Columns, NOTHING, align};
use ninefold::measure::{Change, LEVEL, Spread, Verdict, compare};

/// Whether anything is slower by more than noise.
pub(super) fn has_slower(before: &Export, now: &Export) -> bool {
    let changes = compare(&before.report, &now.report);
    changes.iter().any(|change| change.verdict == Verdict::Slower)
}

/// What became of each row, and what the words mean.
pub(super) fn render(before: &Export, now: &Export) -> String {
    let changes = compare(&before.report, &now.report);
    let heads = ["list, mode, engine", "ns before", "now", "change", "±", "chance", "verdict"];
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
        "\nSince {}\n{machines}{}\n{counts}.\n{}\
         faster, slower: the ranks of the rounds differ as chance alone would have it in at most\n\
         1 of {:.0} pairs of runs (chance), and their spreads (±, both together) do not overlap.\n",
        before.sentence(),
        align(&table),
        all_together(&changes),
        1.0 / LEVEL
    )
}

/// How the row in the middle has changed: if all have changed alike, it is the machine.
fn all_together(changes: &[Change]) -> String {
    let times: Vec<_> = changes.iter().filter_map(|change| change.times).collect();
    Spread::of(&times).map_or_else(String::new, |spread| {
        let middle = signed_percent(spread.middle);
        format!("The row in the middle: {middle}. If all rows move alike, it is the machine.\n")
    })
}

/// One row then and now.
fn line(change: &Change) -> Vec<String> {
    let Change { before, now, times, chance, verdict } = change;
    let spread = before.nanoseconds().zip(now.nanoseconds());
    let nothing = || NOTHING.to_owned();
    let both = spread.map(|(old, new)| (old.half_width() + new.half_width()) / old.middle);
    let median = |row: &ninefold::measure::Row| row.nanoseconds().map(|it| three_digits(it.middle));
    vec![
        format!("{}, {}, {}", now.list, now.mode, now.label),
        median(before).unwrap_or_else(nothing),
        median(now).unwrap_or_else(nothing),
        times.map_or_else(nothing, signed_percent),
        both.map_or_else(nothing, percent),
        format!("{chance:.4}"),
        match verdict {
            Verdict::Faster => "faster",
            Verdict::Slower => "slower",
            Verdict::Same => "same",
            Verdict::Unknown => NOTHING,
        }
        .to_owned(),
    ]
}

/// `+12.3 %` for 1.123 times the time.
fn signed_percent(times: f64) -> String {
    format!("{:+.1} %", (times - 1.0) * 100.0)
}
