//! `--compare`: what changed since another run.

use crate::numbers::three_digits;
use crate::report::{BenchReport, BenchRow, ListFacts};
use crate::stats::{SampleSpread, median, rank_test};
use crate::table::{NOTHING, reach, table};
use std::cmp::Ordering;

/// The significance level of the Mann-Whitney test.
const LEVEL: f64 = 0.01;

pub(crate) struct SpeedChange<'a> {
    before: &'a BenchRow,
    now: &'a BenchRow,
    /// The time now as a multiple of the time before.
    times: Option<f64>,
    p_value: f64,
    /// The time now against the time before: `Less` is faster, and `Equal` no difference beyond noise. `None`
    /// with too few rounds, with an engine that was given up on, or if the list of this name had other puzzles.
    pub(crate) verdict: Option<Ordering>,
}

/// Compares every row of `now` that `before` has, too.
///
/// A change needs two facts: a Mann-Whitney test of the rounds with p <= 0.01, and quartile ranges
/// that do not overlap. The test alone is not enough. Rounds of one run are more alike than two
/// runs are, because the machine stays in one state during a run.
pub(crate) fn compare<'a>(before: &'a BenchReport, now: &'a BenchReport) -> Vec<SpeedChange<'a>> {
    let pairs = now.rows.iter().filter_map(|row| {
        let old = before.rows.iter().find(|old| old.name() == row.name())?;
        Some(change(old, row, other_puzzles(before, now).all(|(list, _)| list.name != row.list)))
    });
    pairs.collect()
}

/// The lists of `now` that had other puzzles before.
fn other_puzzles<'a>(
    before: &'a BenchReport,
    now: &'a BenchReport,
) -> impl Iterator<Item = (&'a ListFacts, &'a ListFacts)> {
    let pairs = now.lists.iter().flat_map(|list| before.lists.iter().map(move |old| (list, old)));
    pairs.filter(|(list, old)| list.name == old.name && list.fingerprint != old.fingerprint)
}

fn change<'a>(before: &'a BenchRow, now: &'a BenchRow, same_list: bool) -> SpeedChange<'a> {
    let p_value = rank_test(&before.rounds, &now.rounds);
    // The lowest p-value that so few rounds can have: 5 against 5 are enough.
    let lowest = rank_test(&vec![0.0; before.rounds.len()], &vec![1.0; now.rounds.len()]);
    let spreads = before.nanoseconds().zip(now.nanoseconds()).filter(|_| same_list);
    let verdict = match spreads {
        Some((old, new)) if p_value <= LEVEL && new.upper < old.lower => Some(Ordering::Less),
        Some((old, new)) if p_value <= LEVEL && old.upper < new.lower => Some(Ordering::Greater),
        Some(_) if lowest <= LEVEL => Some(Ordering::Equal),
        _ => None,
    };
    let times = spreads.map(|(old, new)| new.middle / old.middle);
    SpeedChange { before, now, times, p_value, verdict }
}

/// The verdict on each row, and the meaning of the words.
pub(crate) fn render(old: &BenchReport, new: &BenchReport) -> String {
    let changes = compare(old, new);
    let heads = ["list, engine", "ns then", "", "now", "", "change", "chance", "verdict"];
    let heads = heads.map(str::to_owned).to_vec();
    let lines: Vec<_> = [heads].into_iter().chain(changes.iter().map(line)).collect();
    let mut text = format!("\nSince {}\n", old.sentence());
    if old.machine != new.machine {
        text += &format!("Another machine before: {}.\n", old.machine.sentence());
    }
    text += &table(&lines);
    let verdicts = [Some(Ordering::Less), Some(Ordering::Greater), Some(Ordering::Equal), None];
    let [faster, slower, same, unknown] =
        verdicts.map(|verdict| changes.iter().filter(|it| it.verdict == verdict).count());
    text += &format!(
        "\n{faster} faster, {slower} slower, {same} the same within noise, {unknown} not known.\n"
    );
    for (list, then) in other_puzzles(old, new) {
        let (name, count, then) = (&list.name, list.puzzles, then.puzzles);
        text +=
            &format!("{name} has other puzzles now ({count}, then {then}): it is not compared.\n");
    }
    for (when, some, others) in [("then", old, new), ("now", new, old)] {
        let lacks = |row: &&BenchRow| !others.any(|other| other.name() == row.name());
        let names: Vec<_> = some.rows.iter().filter(lacks).map(BenchRow::name).collect();
        if !names.is_empty() {
            text += &format!("Only {when}: {}.\n", names.join("; "));
        }
    }
    // If all rows change alike, the machine has changed.
    let times: Vec<_> = changes.iter().filter_map(|change| change.times).collect();
    if let Some(middle) = median(&times).map(signed_percent) {
        text += &format!(
            "The row in the middle: {middle}. If all rows move alike, it is the machine.\n"
        );
    }
    text + &format!(
        "faster, slower: Mann-Whitney test of the rounds, p <= 1/{:.0} (chance), and the quartile\n\
         ranges (from … to …) do not overlap.\n",
        1.0 / LEVEL
    )
}

fn line(change: &SpeedChange) -> Vec<String> {
    let [before, now] = [change.before, change.now].map(BenchRow::nanoseconds);
    let middle = |spread: Option<SampleSpread>| spread.map(|it| three_digits(it.middle));
    // The quartiles of a verdict are not rounded further.
    let reach =
        |spread: Option<SampleSpread>| spread.map(|it| reach(it, |number| format!("{number:.1}")));
    let word = |verdict| match verdict {
        Ordering::Less => "faster",
        Ordering::Equal => "same",
        Ordering::Greater => "slower",
    };
    let cells = [
        Some(change.now.name()),
        middle(before),
        reach(before),
        middle(now),
        reach(now),
        change.times.map(signed_percent),
        Some(format!("{:.4}", change.p_value)),
        change.verdict.map(|it| word(it).to_owned()),
    ];
    cells.map(|cell| cell.unwrap_or_else(|| NOTHING.to_owned())).to_vec()
}

/// `+12.3 %` for 1.123 times the time.
fn signed_percent(times: f64) -> String {
    format!("{:+.1} %", (times - 1.0) * 100.0)
}
