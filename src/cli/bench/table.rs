//! The table, for people: a block for each list and mode, a line for each contender.

use super::lists::MULTIPLE;
use super::machine::{Export, PROGRAM};
use super::numbers::{percent, three_digits};
use indicatif::HumanCount;
use ninefold::bench::{Listed, Mode, Report, Row};
use std::fmt::Write;

/// Why writing to a string cannot fail.
const FULL: &str = "a string takes all that is written to it";

/// Stands for an unknown value.
pub(super) const NOTHING: &str = "–";

/// Head and cells of a table: the first column is text, the others are numbers.
pub(super) struct Columns {
    pub(super) heads: Vec<String>,
    pub(super) lines: Vec<Vec<String>>,
}

/// The columns of a block.
pub(super) fn columns(export: &Export, list: &Listed, mode: Mode) -> Columns {
    let report = &export.report;
    let threads = has_threads(report);
    let times = format!("× {}", export.baseline);
    let heads =
        ["engine", "puzzles/s", "ns/puzzle", "±", &times, "branches", "no search", "efficiency"];
    let kept = if threads { 8 } else { 7 };
    let lines = report.block(&list.name, mode).map(|row| {
        let mut cells = cells(export, row);
        cells.truncate(kept);
        cells
    });
    Columns {
        heads: heads[..kept].iter().map(|&head| head.to_owned()).collect(),
        lines: lines.collect(),
    }
}

/// The cells of a row.
fn cells(export: &Export, row: &Row) -> Vec<String> {
    let mark = if row.sample { "~ " } else { "" };
    let or_nothing = |text: Option<String>| text.unwrap_or_else(|| NOTHING.to_owned());
    let (rate, nanoseconds) = match (row.less_than_per_second(), row.nanoseconds()) {
        (Some(rate), _) => {
            (format!("< {}", three_digits(rate)), format!("> {}", three_digits(1e9 / rate)))
        }
        (None, Some(spread)) => {
            let rate = three_digits(1e9 / spread.middle);
            (format!("{mark}{rate}"), three_digits(spread.middle))
        }
        (None, None) => (NOTHING.to_owned(), NOTHING.to_owned()),
    };
    let rounds = row.nanoseconds().filter(|_| row.rounds.len() > 1);
    vec![
        row.label.to_string(),
        rate,
        nanoseconds,
        or_nothing(rounds.map(|spread| percent(spread.relative()))),
        or_nothing(export.report.ratio(row, &export.baseline).map(three_digits)),
        or_nothing(row.branches_per_puzzle().map(three_digits)),
        or_nothing(row.share_without_search().map(percent)),
        or_nothing(export.report.efficiency(row).map(percent)),
    ]
}

/// Whether rows differ in their threads.
fn has_threads(report: &Report) -> bool {
    let first = report.rows.first().map(|row| row.label.threads);
    report.rows.iter().any(|row| Some(row.label.threads) != first)
}

/// The title of a block: `easy, 1,000 puzzles (fall to naked singles): first solution`.
pub(super) fn title(list: &Listed, mode: Mode) -> String {
    let mode = match mode {
        Mode::First => "first solution",
        // The puzzles of this list have more than one solution.
        _ if list.about == MULTIPLE => "search for a second solution",
        _ => "proof that there is no other",
    };
    format!("{}: {mode}", list_title(list))
}

/// The title of a list: `easy, 1,000 puzzles (fall to naked singles)`.
pub(super) fn list_title(list: &Listed) -> String {
    let Listed { name, about, puzzles, kept, .. } = list;
    let plural = if *puzzles == 1 { "" } else { "s" };
    let mut title = format!("{name}, {} puzzle{plural}", HumanCount(*puzzles));
    if *puzzles > *kept as u64 {
        write!(title, ", {} of them by chance", HumanCount(*kept as u64)).expect(FULL);
    }
    if !about.is_empty() {
        write!(title, " ({about})").expect(FULL);
    }
    title
}

/// The meaning of the columns and of the marks in them.
pub(super) fn legend(export: &Export) -> Vec<(String, String)> {
    let report = &export.report;
    let mut legend = vec![
        (
            "puzzles/s".to_owned(),
            format!(
                "puzzles solved a second, the median of {} rounds; no reading, no writing",
                report.rounds
            ),
        ),
        (
            "±".to_owned(),
            "half the distance of the quartiles: runs that differ by less do not differ".to_owned(),
        ),
        (
            format!("× {}", export.baseline),
            "times as many puzzles a second as that engine".to_owned(),
        ),
        (
            "branches".to_owned(),
            "boards at which the engine had to choose how to go on, for each puzzle".to_owned(),
        ),
        ("no search".to_owned(), "puzzles for which it never had to choose".to_owned()),
    ];
    let mut add = |mark: &str, text: String| legend.push((mark.to_owned(), text));
    if has_threads(report) {
        add("efficiency", "puzzles a second of each thread, against the fewest threads".to_owned());
    }
    if report.rows.iter().any(|row| row.sample && row.given_up == 0) {
        add("~", "too slow for the whole list: a part of it, another in each round; the mean of the\nrounds, and for ± twice its standard error, as a factor: as many times less as more".to_owned());
    }
    if report.rows.iter().any(|row| row.given_up > 0) {
        let patience = three_digits(report.patience_seconds);
        add("<", format!("slower than this: some puzzles were given up on after {patience} s"));
    }
    if report.rows.iter().any(Row::is_unmeasured) {
        add(NOTHING, "not measured when it ended: --seconds N gives more time".to_owned());
    }
    legend
}

/// The whole table.
pub(super) fn render(export: &Export) -> String {
    let report = &export.report;
    let mut text = format!("{PROGRAM} on {}\n", export.machine.sentence());
    let blocks =
        report.lists.iter().flat_map(|list| Mode::ALL.iter().map(move |&mode| (list, mode)));
    for (list, mode) in blocks {
        let block = columns(export, list, mode);
        if !block.lines.is_empty() {
            write!(text, "\n{}\n{}", title(list, mode), align(&block)).expect(FULL);
        }
    }
    text.push('\n');
    let legend = legend(export);
    let width = legend.iter().map(|(mark, _)| mark.chars().count()).max().unwrap_or(0);
    for (mark, meaning) in legend {
        let meaning = meaning.replace('\n', &format!("\n{:width$}  ", ""));
        writeln!(text, "{mark:width$}  {meaning}").expect(FULL);
    }
    let rounds = report.rounds;
    write!(
        text,
        "\nEvery answer was right. {rounds} rounds, {:.1} s, seed {}.\n",
        report.seconds, report.seed
    )
    .expect(FULL);
    if report.interrupted {
        text.push_str("Interrupted: this is what was measured so far.\n");
    }
    text
}

/// Columns one under the other: text to the left, numbers to the right.
pub(super) fn align(columns: &Columns) -> String {
    let length = |text: &String| text.chars().count();
    let all = || std::iter::once(&columns.heads).chain(&columns.lines);
    let width = |column: usize| all().map(|line| length(&line[column])).max().unwrap_or(0);
    let widths: Vec<_> = (0..columns.heads.len()).map(width).collect();
    let mut text = String::new();
    for line in all() {
        for (column, (cell, width)) in line.iter().zip(&widths).enumerate() {
            match column {
                0 => write!(text, "  {cell:<width$}"),
                _ => write!(text, "  {cell:>width$}"),
            }
            .expect(FULL);
        }
        text.truncate(text.trim_end().len());
        text.push('\n');
    }
    text
}
