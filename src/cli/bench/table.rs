//! The table, for people: a block for each list and mode, a line for each contender.

use super::built_in::{MULTIPLE, NONE};
use super::machine::{Export, PROGRAM};
use super::numbers::{bytes, percent, seconds, three_digits};
use indicatif::HumanCount;
use crate::bench::{Listed, Mode, Process, Report, Row, Spread};
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
    let heads = [
        "engine",
        "puzzles/s",
        "ns/puzzle",
        "95 % interval",
        &times,
        "branches",
        "no search",
        "efficiency",
    ];
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
    let interval = row.interval().filter(|_| row.rounds.len() > 1);
    let interval =
        interval.map(|(low, high)| format!("{} … {}", three_digits(low), three_digits(high)));
    let fault = if row.has_faults() { FAULT } else { "" };
    vec![
        format!("{}{fault}", row.label),
        rate,
        nanoseconds,
        or_nothing(interval),
        or_nothing(export.report.ratio(row, &export.baseline).map(three_digits)),
        or_nothing(row.branches_per_puzzle().map(three_digits)),
        or_nothing(row.share_without_search().map(percent)),
        or_nothing(export.report.efficiency(row).map(percent)),
    ]
}

/// Stands behind the name of a contender that failed, or whose answers were wrong or missing.
const FAULT: &str = " !";

/// The columns about whole processes of a block; `None` if it has no programs and no libraries.
pub(super) fn process_columns(report: &Report, list: &Listed, mode: Mode) -> Option<Columns> {
    let heads = [
        "process",
        "puzzles/run",
        "wall",
        "user",
        "system",
        "peak memory",
        "start-up: empty",
        "1 puzzle",
        "puzzles/s without it",
    ];
    let rows = report.block(&list.name, mode);
    let lines: Vec<_> =
        rows.filter_map(|row| Some(process_cells(row, row.process.as_ref()?))).collect();
    let heads = heads.map(str::to_owned).to_vec();
    (!lines.is_empty()).then_some(Columns { heads, lines })
}

/// The cells about a whole process.
fn process_cells(row: &Row, process: &Process) -> Vec<String> {
    let time = |times: &[f64]| {
        Spread::of(times).map_or_else(|| NOTHING.to_owned(), |spread| seconds(spread.middle))
    };
    let without = row.rate_without_startup().filter(|_| row.nanoseconds().is_some());
    vec![
        row.label.to_string(),
        HumanCount(row.puzzles_per_round as u64).to_string(),
        time(&process.wall),
        time(&process.user),
        time(&process.system),
        process.peak_bytes.map_or_else(
            || NOTHING.to_owned(),
            |peak| format!("{}{}", if process.peak_is_bound { "< " } else { "" }, bytes(peak)),
        ),
        time(&process.startup_empty),
        time(&process.startup_one),
        without.map_or_else(|| NOTHING.to_owned(), three_digits),
    ]
}

/// The faults of a block, a line for each contender that has one.
pub(super) fn faults(report: &Report, list: &Listed, mode: Mode) -> Vec<String> {
    let rows = report.block(&list.name, mode);
    rows.filter_map(|row| fault(row, row.process.as_ref()?)).collect()
}

/// What went wrong with a program or library.
fn fault(row: &Row, process: &Process) -> Option<String> {
    let Process { checked, wrong, missing, .. } = *process;
    let of = format!("of {} answers", HumanCount(checked));
    let counts = match (wrong, missing) {
        (0, 0) => None,
        (0, missing) if missing == checked && process.failure.is_none() => {
            Some(format!("silent: all {of} missing"))
        }
        (0, missing) => Some(format!("{} {of} missing", HumanCount(missing))),
        (wrong, 0) => Some(format!("{} {of} wrong", HumanCount(wrong))),
        (wrong, missing) => {
            Some(format!("{} {of} wrong, {} missing", HumanCount(wrong), HumanCount(missing)))
        }
    };
    let first = process.fault.as_ref().map(|fault| format!("first: {fault}"));
    let parts = [process.failure.clone(), counts, first];
    let parts: Vec<_> = parts.into_iter().flatten().collect();
    (!parts.is_empty()).then(|| format!("{}: {}", row.label, parts.join("; ")))
}

/// The warnings about the machine.
pub(super) fn warnings(export: &Export) -> Vec<String> {
    let (report, mut warnings) = (&export.report, Vec::new());
    let noise = report.noise;
    if let Some(cpus) = noise.cpus_of_others.filter(|_| noise.is_busy()) {
        let cores = export.machine.cores;
        let average = noise.load_average;
        let load = average.map_or_else(String::new, |it| format!("; load average before: {it}"));
        warnings.push(format!(
            "other processes used {cpus:.1} of {cores} CPUs during the measurement{load}"
        ));
    }
    if let Some((low, high)) = noise.megahertz.filter(|_| noise.is_clock_unsteady()) {
        warnings.push(format!("the clock of the CPU changed between {low:.0} and {high:.0} MHz"));
    }
    let rounds = report.rows.iter().filter(|row| !row.sample && row.rounds.len() > 1);
    let spreads: Vec<_> =
        rounds.filter_map(|row| row.nanoseconds().map(Spread::relative)).collect();
    let wide = spreads.iter().filter(|spread| **spread > WIDE).count();
    if wide > 0 {
        warnings.push(format!(
            "{wide} of {} rows vary by more than {} between rounds (half the distance of the quartiles)",
            spreads.len(),
            percent(WIDE)
        ));
    }
    warnings
}

/// A spread that deserves a warning. On an idle machine the rounds of most rows vary by 1 to 3 %.
const WIDE: f64 = 0.1;

/// What a warning means for the results.
const ADVICE: &str =
    "Results of a quiet machine are more precise: end other programs and measure again.";

/// Whether rows differ in their threads.
fn has_threads(report: &Report) -> bool {
    let first = report.rows.first().map(|row| row.label.threads);
    report.rows.iter().any(|row| Some(row.label.threads) != first)
}

/// Whether a list lacks rows of some contenders.
fn is_partial(report: &Report, list: &Listed) -> bool {
    let count = |name: &str| report.rows.iter().filter(|row| row.list == name).count();
    report.lists.iter().any(|other| count(&other.name) > count(&list.name))
}

/// The title of a block: `easy, 1,000 puzzles (fall to naked singles): first solution`.
pub(super) fn title(list: &Listed, mode: Mode) -> String {
    let mode = match mode {
        Mode::First => "first solution",
        // The puzzles of this list have more than one solution.
        _ if list.about == MULTIPLE => "search for a second solution",
        _ if list.about == NONE => "proof that there is none",
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
                "puzzles solved a second, the median of {} rounds; engines and libraries\n\
                 without reading and writing, programs with all from start to end",
                report.rounds
            ),
        ),
        (
            "95 % interval".to_owned(),
            "of the ns/puzzle: the confidence interval of the median, and at least the quartiles"
                .to_owned(),
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
        add("~", "too slow for the whole list: a part of it, another in each round; the mean of the\nrounds, and as interval two standard errors".to_owned());
    }
    if report.rows.iter().any(|row| row.given_up > 0) {
        let patience = three_digits(report.patience_seconds);
        add(
            "<",
            format!("slower than this: given up on, an engine after {patience} s for a puzzle"),
        );
    }
    if report.rows.iter().any(|row| row.process.is_some()) {
        add(
            "process",
            "medians of whole processes; start-up: a run without a puzzle, and with one".to_owned(),
        );
    }
    if report.has_faults() {
        add(
            FAULT.trim(),
            "failed, or answers were wrong or missing: see below its table".to_owned(),
        );
    }
    if report.lists.iter().any(|list| is_partial(report, list)) {
        add(
            "sukakus",
            "only mrv, lanes and engines of yours: the others may take minutes for one".to_owned(),
        );
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
        if let Some(block) = process_columns(report, list, mode) {
            write!(text, "\n{}", align(&block)).expect(FULL);
        }
        for fault in faults(report, list, mode) {
            writeln!(text, "  ! {fault}").expect(FULL);
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
        "\n{} {rounds} rounds, {:.1} s, seed {}.\n",
        if report.has_faults() {
            "Not every answer was right: see !."
        } else {
            "Every answer was right."
        },
        report.seconds,
        report.seed
    )
    .expect(FULL);
    for warning in warnings(export) {
        writeln!(text, "Warning: {warning}.").expect(FULL);
    }
    if !warnings(export).is_empty() {
        writeln!(text, "{ADVICE}").expect(FULL);
    }
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
