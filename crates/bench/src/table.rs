//! The results for people: a table for each list and mode, and what changed since another run.

use crate::export::Export;
use crate::numbers::{exact, percent, seconds, three_digits};
use crate::report::{Change, LEVEL, Listed, Mode, Process, Report, Row, Verdict, compare};
use crate::stats::Spread;
use indicatif::HumanCount;
use std::fmt::{self, Write};

/// Why writing to a string cannot fail.
const FULL: &str = "a string takes all that is written to it";

/// Stands for an unknown value.
pub(crate) const NOTHING: &str = "–";

/// Stands behind the name of a contender that failed, or whose answers were wrong or missing.
const FAULT: &str = " !";

/// Head and cells of a table: the first column is text, the others are numbers.
pub(crate) struct Columns {
    heads: Vec<String>,
    lines: Vec<Vec<String>>,
}

impl Columns {
    pub(crate) fn new(heads: &[&str], lines: Vec<Vec<String>>) -> Self {
        Self { heads: heads.iter().map(|&head| head.to_owned()).collect(), lines }
    }

    /// One under the other: text to the left, numbers to the right.
    pub(crate) fn aligned(&self) -> String {
        let all = || std::iter::once(&self.heads).chain(&self.lines);
        let length = |text: &String| text.chars().count();
        let width = |column: usize| all().map(|line| length(&line[column])).max().unwrap_or(0);
        let widths: Vec<_> = (0..self.heads.len()).map(width).collect();
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

    pub(crate) fn markdown(&self) -> String {
        let line = |cells: &Vec<String>| {
            let cells: Vec<_> = cells.iter().map(|cell| escape(cell)).collect();
            format!("| {} |\n", cells.join(" | "))
        };
        let rule = format!("| --- |{}\n", " ---: |".repeat(self.heads.len() - 1));
        line(&self.heads) + &rule + &self.lines.iter().map(line).collect::<String>()
    }
}

/// The text with Markdown's special characters escaped.
fn escape(text: &str) -> String {
    let special = |c: char| "\\`*_[]<>|~#".contains(c);
    let escaped = |c: char| special(c).then_some('\\').into_iter().chain([c]);
    text.chars().flat_map(escaped).collect()
}

/// The columns of a block.
fn columns(export: &Export, list: &Listed, mode: Mode) -> Columns {
    let report = &export.report;
    let times = format!("× {}", export.baseline);
    let (rate, interval) = ("puzzles/s", "95 % interval");
    let heads =
        ["engine", rate, "ns/puzzle", interval, &times, "branches", "no search", "efficiency"];
    let kept = if has_threads(report) { 8 } else { 7 };
    let rows = report.block(&list.name, mode);
    Columns::new(&heads[..kept], rows.map(|row| cells(export, row)[..kept].to_vec()).collect())
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

/// The columns about whole processes of a block; `None` if it has no programs and no libraries.
fn process_columns(report: &Report, list: &Listed, mode: Mode) -> Option<Columns> {
    let heads = "process|puzzles/run|wall|user|system|peak memory|start-up: empty|1 puzzle|\
                 puzzles/s without it";
    let heads: Vec<_> = heads.split('|').collect();
    let rows = report.block(&list.name, mode);
    let lines: Vec<_> = rows.filter_map(process_cells).collect();
    (!lines.is_empty()).then(|| Columns::new(&heads, lines))
}

/// The cells about a whole process.
fn process_cells(row: &Row) -> Option<Vec<String>> {
    let process = row.process.as_ref()?;
    let or_nothing = |text: Option<String>| text.unwrap_or_else(|| NOTHING.to_owned());
    let time = |times: &[f64]| or_nothing(Spread::median(times).map(seconds));
    let bound = if process.peak_is_bound { "< " } else { "" };
    #[expect(clippy::cast_precision_loss, reason = "three digits of it are shown")]
    let peak = |bytes: u64| format!("{bound}{} MB", three_digits(bytes as f64 / 1e6));
    let without = row.rate_without_startup().filter(|_| row.nanoseconds().is_some());
    Some(vec![
        row.label.to_string(),
        HumanCount(row.puzzles_per_round as u64).to_string(),
        time(&process.wall),
        time(&process.user),
        time(&process.system),
        or_nothing(process.peak_bytes.map(peak)),
        time(&process.startup_empty),
        time(&process.startup_one),
        or_nothing(without.map(three_digits)),
    ])
}

/// The faults of a block, a line for each contender that has one.
fn faults(report: &Report, list: &Listed, mode: Mode) -> impl Iterator<Item = String> {
    let rows = report.block(&list.name, mode);
    rows.filter_map(|row| fault(row, row.process.as_ref()?))
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
pub(crate) fn warnings(export: &Export) -> Vec<String> {
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
    report.rows.iter().any(|row| row.label.threads != report.rows[0].label.threads)
}

/// Whether a list lacks rows of some contenders.
fn is_partial(report: &Report, list: &Listed) -> bool {
    let count = |name: &str| report.rows.iter().filter(|row| row.list == name).count();
    report.lists.iter().any(|other| count(&other.name) > count(&list.name))
}

/// The title of a block: `easy, 1,000 puzzles (fall to naked singles): first solution`.
pub(crate) fn title(list: &Listed, mode: Mode) -> String {
    let mode = match mode {
        Mode::First => "first solution",
        // The puzzles of this list have more than one solution.
        _ if list.about == "more than one solution" => "search for a second solution",
        _ if list.about == "no solution" => "proof that there is none",
        Mode::Unique => "proof that there is no other",
    };
    format!("{}: {mode}", list_title(list))
}

/// The title of a list: `easy, 1,000 puzzles (fall to naked singles)`.
pub(crate) fn list_title(list: &Listed) -> String {
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
pub(crate) fn legend(export: &Export) -> Vec<(String, String)> {
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
pub(crate) fn render(export: &Export) -> String {
    let report = &export.report;
    let mut text = format!("ninefold {} on {}\n", export.version, export.machine.sentence());
    for (list, mode) in report.blocks() {
        let block = columns(export, list, mode);
        if !block.lines.is_empty() {
            write!(text, "\n{}\n{}", title(list, mode), block.aligned()).expect(FULL);
        }
        if let Some(block) = process_columns(report, list, mode) {
            write!(text, "\n{}", block.aligned()).expect(FULL);
        }
        text.extend(faults(report, list, mode).map(|fault| format!("  ! {fault}\n")));
    }
    text.push('\n');
    let legend = legend(export);
    let width = legend.iter().map(|(mark, _)| mark.chars().count()).max().unwrap_or(0);
    for (mark, meaning) in legend {
        let meaning = meaning.replace('\n', &format!("\n{:width$}  ", ""));
        writeln!(text, "{mark:width$}  {meaning}").expect(FULL);
    }
    let faulty = report.has_faults();
    let right =
        if faulty { "Not every answer was right: see !." } else { "Every answer was right." };
    let Report { rounds, seconds, seed, .. } = report;
    writeln!(text, "\n{right} {rounds} rounds, {seconds:.1} s, seed {seed}.").expect(FULL);
    let warnings = warnings(export);
    text.extend(warnings.iter().map(|warning| format!("Warning: {warning}.\n")));
    if !warnings.is_empty() {
        writeln!(text, "{ADVICE}").expect(FULL);
    }
    if report.interrupted {
        text.push_str("Interrupted: this is what was measured so far.\n");
    }
    text
}

/// A section for each list and mode.
pub(crate) fn markdown(export: &Export) -> String {
    let (report, mut text) = (&export.report, String::new());
    for (list, mode) in report.blocks() {
        let block = columns(export, list, mode);
        if !block.lines.is_empty() {
            write!(text, "**{}**\n\n{}\n", escape(&title(list, mode)), block.markdown())
                .expect(FULL);
        }
        if let Some(block) = process_columns(report, list, mode) {
            writeln!(text, "{}", block.markdown()).expect(FULL);
        }
        let faults: Vec<_> = faults(report, list, mode).collect();
        text.extend(faults.iter().map(|fault| format!("- \\! {}\n", escape(fault))));
        text.extend((!faults.is_empty()).then_some("\n"));
    }
    for (mark, meaning) in legend(export) {
        writeln!(text, "- {}: {}", escape(&mark), escape(&meaning)).expect(FULL);
    }
    text.extend(warnings(export).iter().map(|it| format!("- Warning: {}\n", escape(it))));
    let (machine, sentence) = (export.machine.sentence(), export.sentence());
    text + &format!("\n{}. {}.\n", escape(&machine), escape(&sentence))
}

/// The changes since another run: `--compare`.
pub(crate) struct Changes<'a> {
    before: &'a Export,
    now: &'a Export,
    rows: Vec<Change<'a>>,
}

impl<'a> Changes<'a> {
    pub(crate) fn new(before: &'a Export, now: &'a Export) -> Self {
        Self { before, now, rows: compare(&before.report, &now.report) }
    }

    fn count(&self, verdict: Verdict) -> usize {
        self.rows.iter().filter(|change| change.verdict == verdict).count()
    }

    /// Whether a row is slower by more than noise.
    pub(crate) fn has_slower(&self) -> bool {
        self.count(Verdict::Slower) > 0
    }

    /// Whether there is a verdict on any row.
    pub(crate) fn says_anything(&self) -> bool {
        self.count(Verdict::Unknown) < self.rows.len()
    }

    /// Lists that have other puzzles now, and rows that there are on one side only.
    fn not_compared(&self) -> String {
        let (old, new) = (&self.before.report, &self.now.report);
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
            let line = format!("Only {when}: {}.\n", names.join("; "));
            if names.is_empty() { String::new() } else { line }
        };
        let sides = [only("then", &old.rows, &new.rows), only("now", &new.rows, &old.rows)];
        other.chain(sides).collect()
    }
}

impl fmt::Display for Changes<'_> {
    /// The verdict on each row, and the meaning of the words.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let heads = ["list, mode, engine", "ns then", "", "now", "", "change", "chance", "verdict"];
        let table = Columns::new(&heads, self.rows.iter().map(line).collect());
        writeln!(f, "\nSince {}", self.before.sentence())?;
        if self.before.machine != self.now.machine {
            writeln!(f, "Another machine before: {}.", self.before.machine.sentence())?;
        }
        let verdicts = [Verdict::Faster, Verdict::Slower, Verdict::Same, Verdict::Unknown];
        let [faster, slower, same, unknown] = verdicts.map(|verdict| self.count(verdict));
        writeln!(
            f,
            "{}\n{faster} faster, {slower} slower, {same} the same within noise, {unknown} not \
             known.",
            table.aligned()
        )?;
        f.write_str(&self.not_compared())?;
        // If all rows change alike, the machine has changed.
        let times: Vec<_> = self.rows.iter().filter_map(|change| change.times).collect();
        if let Some(middle) = Spread::median(&times).map(signed_percent) {
            writeln!(
                f,
                "The row in the middle: {middle}. If all rows move alike, it is the machine."
            )?;
        }
        writeln!(
            f,
            "faster, slower: Mann-Whitney test of the rounds, p <= 1/{:.0} (chance), and the quartile\n\
             ranges (from … to …) do not overlap.",
            1.0 / LEVEL
        )
    }
}

/// The name of a row.
fn name(row: &Row) -> String {
    format!("{}, {}, {}", row.list, row.mode, row.label)
}

/// One row then and now.
fn line(change: &Change) -> Vec<String> {
    let nothing = || NOTHING.to_owned();
    let median = |row: &Row| row.nanoseconds().map_or_else(nothing, |it| three_digits(it.middle));
    let reach = |row: &Row| {
        let reach = |it: Spread| format!("{} … {}", exact(it.lower), exact(it.upper));
        row.nanoseconds().map_or_else(String::new, reach)
    };
    let verdict = match change.verdict {
        Verdict::Faster => "faster",
        Verdict::Slower => "slower",
        Verdict::Same => "same",
        Verdict::Unknown => NOTHING,
    };
    vec![
        name(change.now),
        median(change.before),
        reach(change.before),
        median(change.now),
        reach(change.now),
        change.times.map_or_else(nothing, signed_percent),
        format!("{:.4}", change.p_value),
        verdict.to_owned(),
    ]
}

/// `+12.3 %` for 1.123 times the time.
fn signed_percent(times: f64) -> String {
    format!("{:+.1} %", (times - 1.0) * 100.0)
}
