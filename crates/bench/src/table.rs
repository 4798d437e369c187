//! The results for people: a table for each list and mode, as aligned text and as Markdown; and what
//! changed since another run.

use crate::export::Export;
use crate::numbers::{counted, percent, seconds, three_digits};
use crate::report::{Change, LEVEL, Listed, Mode, Process, Report, Row, Verdict};
use crate::report::{compare, other_puzzles};
use crate::stats::Spread;
use indicatif::HumanCount;
use std::iter::once;

/// Stands for an unknown value.
const NOTHING: &str = "–";

/// How results are written.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Form {
    Text,
    Markdown,
}

/// Head and cells of a table: the first column is text, the others are numbers.
pub(crate) struct Table {
    pub(crate) heads: Vec<String>,
    pub(crate) lines: Vec<Vec<String>>,
}

impl Table {
    pub(crate) fn render(&self, form: Form) -> String {
        match form {
            Form::Text => self.aligned(),
            Form::Markdown => {
                let line = |cells: &Vec<String>| {
                    let cells: Vec<_> = cells.iter().map(|cell| escape(cell)).collect();
                    format!("| {} |\n", cells.join(" | "))
                };
                let rule = format!("| --- |{}\n", " ---: |".repeat(self.heads.len() - 1));
                line(&self.heads) + &rule + &self.lines.iter().map(line).collect::<String>()
            }
        }
    }

    /// One under the other: text to the left, numbers to the right.
    fn aligned(&self) -> String {
        let all = || once(&self.heads).chain(&self.lines);
        let mut widths = vec![0; self.heads.len()];
        for line in all() {
            for (width, cell) in widths.iter_mut().zip(line) {
                *width = cell.chars().count().max(*width);
            }
        }
        let line = |line: &Vec<String>| {
            let mut text = format!("  {:<1$}", line[0], widths[0]);
            for (cell, width) in line.iter().zip(&widths).skip(1) {
                text += &format!("  {cell:>width$}");
            }
            format!("{}\n", text.trim_end())
        };
        all().map(line).collect()
    }
}

/// The text with Markdown's special characters escaped.
fn escape(text: &str) -> String {
    let special = |c: char| "\\`*_[]<>|~#".contains(c);
    let escaped = |c: char| special(c).then_some('\\').into_iter().chain([c]);
    text.chars().flat_map(escaped).collect()
}

/// A column of the tables of a measurement: its head, in which `{}` stands for the baseline; its meaning
/// in the legend, in which `{}` stands for the number of rounds, or nothing; and the cell of a row.
type Column = (&'static str, &'static str, fn(&Export, &Row) -> Option<String>);

/// The columns of every row. The last one is shown if rows differ in their threads.
const COLUMNS: [Column; 8] = [
    ("engine", "", |_, row| {
        Some(format!("{}{}", row.label, if row.has_faults() { " !" } else { "" }))
    }),
    (
        "puzzles/s",
        "puzzles solved a second, the median of {} rounds; engines and libraries\n\
         without reading and writing, programs with all from start to end",
        |_, row| {
            let mark = if row.sample { "~ " } else { "" };
            let less = row.less_than_per_second().map(|rate| format!("< {}", three_digits(rate)));
            less.or_else(|| Some(format!("{mark}{}", three_digits(row.puzzles_per_second()?))))
        },
    ),
    ("ns/puzzle", "", |_, row| {
        let more = row.less_than_per_second().map(|rate| format!("> {}", three_digits(1e9 / rate)));
        more.or_else(|| Some(three_digits(row.nanoseconds()?.middle)))
    }),
    (
        "95 % interval",
        "of the ns/puzzle: the confidence interval of the median, and at least the quartiles",
        |_, row| row.interval().map(|it| reach(it, three_digits)),
    ),
    ("× {}", "times as many puzzles a second as that engine", |export, row| {
        export.report.ratio(row, &export.baseline).map(three_digits)
    }),
    (
        "branches",
        "boards at which the engine had to choose how to go on, for each puzzle",
        |_, row| row.branches_per_puzzle().map(three_digits),
    ),
    ("no search", "puzzles for which it never had to choose", |_, row| {
        row.share_without_search().map(percent)
    }),
    ("efficiency", "puzzles a second of each thread, against the fewest threads", |export, row| {
        export.report.efficiency(row).map(percent)
    }),
];

/// The columns about whole processes.
const PROCESS: [Column; 9] = [
    ("process", "", |_, row| Some(row.label.to_string())),
    ("puzzles/run", "", |_, row| Some(HumanCount(row.puzzles_per_round as u64).to_string())),
    ("wall", "", |_, row| median(row, |it| &it.wall)),
    ("user", "", |_, row| median(row, |it| &it.user)),
    ("system", "", |_, row| median(row, |it| &it.system)),
    ("peak memory", "", |_, row| {
        let process = row.process.as_ref()?;
        let bound = if process.peak_is_bound { "< " } else { "" };
        #[expect(clippy::cast_precision_loss, reason = "three digits of it are shown")]
        let megabytes = three_digits(process.peak_bytes? as f64 / 1e6);
        Some(format!("{bound}{megabytes} MB"))
    }),
    ("start-up: empty", "", |_, row| median(row, |it| &it.startup_empty)),
    ("1 puzzle", "", |_, row| median(row, |it| &it.startup_one)),
    ("puzzles/s without it", "", |_, row| {
        row.nanoseconds().and(row.rate_without_startup()).map(three_digits)
    }),
];

fn median(row: &Row, times: fn(&Process) -> &Vec<f64>) -> Option<String> {
    Spread::median(times(row.process.as_ref()?)).map(seconds)
}

fn reach(spread: Spread, show: fn(f64) -> String) -> String {
    format!("{} … {}", show(spread.lower), show(spread.upper))
}

/// The columns of the table of engines that are shown.
fn shown(report: &Report) -> &'static [Column] {
    let threads = |row: &Row| row.label.threads;
    let differ = report.rows.iter().any(|row| threads(row) != threads(&report.rows[0]));
    &COLUMNS[..if differ { 8 } else { 7 }]
}

fn table<'a>(export: &Export, columns: &[Column], rows: impl Iterator<Item = &'a Row>) -> Table {
    let heads = columns.iter().map(|(head, ..)| head.replace("{}", &export.baseline));
    let cells = |row: &Row| {
        let cells = columns.iter().map(|(.., cell)| cell(export, row));
        cells.map(|cell| cell.unwrap_or_else(|| NOTHING.to_owned())).collect()
    };
    Table { heads: heads.collect(), lines: rows.map(cells).collect() }
}

/// What went wrong with a program or library.
fn fault(row: &Row) -> Option<String> {
    let Process { checked, wrong, missing, failure, fault, .. } = row.process.as_ref()?;
    let of = format!("of {} answers", HumanCount(*checked));
    let counts = match (wrong, missing) {
        (0, 0) => None,
        (0, missing) if missing == checked && failure.is_none() => {
            Some(format!("silent: all {of} missing"))
        }
        (0, missing) => Some(format!("{} {of} missing", HumanCount(*missing))),
        (wrong, 0) => Some(format!("{} {of} wrong", HumanCount(*wrong))),
        (wrong, missing) => {
            Some(format!("{} {of} wrong, {} missing", HumanCount(*wrong), HumanCount(*missing)))
        }
    };
    let first = fault.as_ref().map(|fault| format!("first: {fault}"));
    let parts: Vec<_> = [failure.clone(), counts, first].into_iter().flatten().collect();
    (!parts.is_empty()).then(|| format!("{}: {}", row.label, parts.join("; ")))
}

/// The title of a block: `easy, 1,000 puzzles (solved by naked singles): first solution`.
fn title(list: &Listed, mode: Mode) -> String {
    let mode = match mode {
        Mode::First => "first solution",
        // The puzzles of this list have more than one solution.
        _ if list.about == "more than one solution" => "search for a second solution",
        _ if list.about == "no solution" => "proof that there is none",
        Mode::Unique => "proof that there is no other",
    };
    format!("{}: {mode}", list_title(list))
}

/// The title of a list: `easy, 1,000 puzzles (solved by naked singles)`.
pub(crate) fn list_title(list: &Listed) -> String {
    let Listed { name, about, puzzles, kept, .. } = list;
    let kept = *kept as u64;
    let part = format!(", {} of them by chance", HumanCount(kept));
    let part = if *puzzles > kept { &*part } else { "" };
    let about = if about.is_empty() { String::new() } else { format!(" ({about})") };
    format!("{name}, {}{part}{about}", counted(*puzzles, "puzzle"))
}

/// A spread that deserves a warning. On an idle machine the rounds of most rows vary by 1 to 3 %.
const WIDE: f64 = 0.1;

/// The warnings about the machine.
fn warnings(export: &Export) -> Vec<String> {
    let report = &export.report;
    let noise = report.noise;
    let busy = noise.cpus_of_others.filter(|_| noise.is_busy()).map(|cpus| {
        let cores = export.machine.cores;
        format!("other processes used {cpus:.1} of {cores} CPUs during the measurement")
    });
    let clock = noise.megahertz.filter(|_| noise.is_clock_unsteady()).map(|(low, high)| {
        format!("the clock of the CPU changed between {low:.0} and {high:.0} MHz")
    });
    let rounds = report.rows.iter().filter(|row| !row.sample && row.rounds.len() > 1);
    let spreads: Vec<_> = rounds.filter_map(|row| Some(row.nanoseconds()?.relative())).collect();
    let wide = spreads.iter().filter(|spread| **spread > WIDE).count();
    let wide = (wide > 0).then(|| {
        let (rows, share) = (spreads.len(), percent(WIDE));
        format!("{wide} of {rows} rows vary by more than {share} between rounds (half the distance of the quartiles)")
    });
    [busy, clock, wide].into_iter().flatten().collect()
}

/// The meaning of the columns and of the marks in them.
fn legend(export: &Export) -> Vec<(String, String)> {
    let report = &export.report;
    let columns = shown(report).iter().filter(|(_, meaning, _)| !meaning.is_empty());
    let columns = columns.map(|(head, meaning, _)| {
        let meaning = meaning.replace("{}", &report.rounds.to_string());
        (head.replace("{}", &export.baseline), meaning)
    });
    let any = |is: fn(&Row) -> bool| report.rows.iter().any(is);
    let count = |list: &Listed| report.rows.iter().filter(|row| row.list == list.name).count();
    let most = report.lists.iter().map(count).max();
    let patience = three_digits(report.patience_seconds);
    let slower =
        format!("slower than this: given up on, an engine after {patience} s for a puzzle");
    let marks = [
        (
            any(|row| row.sample && row.given_up == 0),
            "~",
            "too slow for the whole list: a part of it, another in each round; the mean of the\n\
             rounds, and as interval two standard errors",
        ),
        (any(|row| row.given_up > 0), "<", &slower),
        (
            any(|row| row.process.is_some()),
            "process",
            "medians of whole processes; start-up: a run without a puzzle, and with one",
        ),
        (report.has_faults(), "!", "failed, or answers were wrong or missing: see below its table"),
        (
            report.lists.iter().any(|list| Some(count(list)) < most),
            "sukakus",
            "only mrv, lanes and engines of yours: the others may take minutes for one",
        ),
        (
            any(Row::is_unmeasured),
            NOTHING,
            "not measured when it ended: --seconds N gives more time",
        ),
    ];
    let marks = marks.into_iter().filter(|(is_used, ..)| *is_used);
    columns.chain(marks.map(|(_, mark, text)| (mark.to_owned(), text.to_owned()))).collect()
}

/// All results.
pub(crate) fn render(export: &Export, form: Form) -> String {
    let (report, is_text) = (&export.report, form == Form::Text);
    let mut text = String::new();
    if is_text {
        text += &format!("ninefold {} on {}\n\n", export.version, export.machine.sentence());
    }
    for (list, mode) in report.blocks() {
        let (title, block) = (title(list, mode), || report.block(&list.name, mode));
        text += &if is_text { format!("{title}\n") } else { format!("**{}**\n\n", escape(&title)) };
        text += &table(export, shown(report), block()).render(form);
        let processes = table(export, &PROCESS, block().filter(|row| row.process.is_some()));
        if !processes.lines.is_empty() {
            text += &format!("\n{}", processes.render(form));
        }
        let faults = block().filter_map(fault).map(|fault| match form {
            Form::Text => format!("  ! {fault}\n"),
            Form::Markdown => format!("\n- \\! {}\n", escape(&fault)),
        });
        text.extend(faults);
        text.push('\n');
    }
    let legend = legend(export);
    let warnings = warnings(export);
    if !is_text {
        let notes = legend.into_iter().chain(warnings.into_iter().map(|it| ("Warning".into(), it)));
        text.extend(notes.map(|(mark, text)| format!("- {}: {}\n", escape(&mark), escape(&text))));
        let (machine, sentence) = (export.machine.sentence(), export.sentence());
        return text + &format!("\n{}. {}.\n", escape(&machine), escape(&sentence));
    }
    let width = legend.iter().map(|(mark, _)| mark.chars().count()).max().unwrap_or(0);
    for (mark, meaning) in legend {
        let meaning = meaning.replace('\n', &format!("\n{:width$}  ", ""));
        text += &format!("{mark:width$}  {meaning}\n");
    }
    let not = "Not every answer was right: see !.";
    let right = if report.has_faults() { not } else { "Every answer was right." };
    let Report { rounds, seconds, seed, .. } = report;
    text += &format!("\n{right} {rounds} rounds, {seconds:.1} s, seed {seed}.\n");
    text.extend(warnings.iter().map(|warning| format!("Warning: {warning}.\n")));
    if !warnings.is_empty() {
        text +=
            "Results of a quiet machine are more precise: end other programs and measure again.\n";
    }
    if report.interrupted {
        text += "Interrupted: this is what was measured so far.\n";
    }
    text
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

    pub(crate) fn count(&self, verdict: Verdict) -> usize {
        self.rows.iter().filter(|change| change.verdict == verdict).count()
    }

    /// Whether there is a verdict on any row.
    pub(crate) fn says_anything(&self) -> bool {
        self.count(Verdict::Unknown) < self.rows.len()
    }

    /// Lists that have other puzzles now, and rows that there are on one side only.
    fn not_compared(&self) -> String {
        let (old, new) = (&self.before.report, &self.now.report);
        let other = other_puzzles(old, new).map(|(list, then)| {
            let (name, count, then) = (&list.name, list.puzzles, then.puzzles);
            format!("{name} has other puzzles now ({count}, then {then}): it is not compared.\n")
        });
        let only = [("then", old, new), ("now", new, old)].map(|(when, some, others)| {
            let lacks = |row: &&Row| others.rows.iter().all(|other| other.name() != row.name());
            let names: Vec<_> = some.rows.iter().filter(lacks).map(Row::name).collect();
            let line = format!("Only {when}: {}.\n", names.join("; "));
            if names.is_empty() { String::new() } else { line }
        });
        other.chain(only).collect()
    }

    /// The verdict on each row, and the meaning of the words.
    pub(crate) fn render(&self) -> String {
        let heads = ["list, mode, engine", "ns then", "", "now", "", "change", "chance", "verdict"];
        let heads = heads.map(str::to_owned).to_vec();
        let table = Table { heads, lines: self.rows.iter().map(line).collect() };
        let mut text = format!("\nSince {}\n", self.before.sentence());
        if self.before.machine != self.now.machine {
            let machine = self.before.machine.sentence();
            text += &format!("Another machine before: {machine}.\n");
        }
        let verdicts = [Verdict::Faster, Verdict::Slower, Verdict::Same, Verdict::Unknown];
        let [faster, slower, same, unknown] = verdicts.map(|verdict| self.count(verdict));
        text += &table.aligned();
        text += &format!(
            "\n{faster} faster, {slower} slower, {same} the same within noise, {unknown} not known.\n"
        );
        text += &self.not_compared();
        // If all rows change alike, the machine has changed.
        let times: Vec<_> = self.rows.iter().filter_map(|change| change.times).collect();
        if let Some(middle) = Spread::median(&times).map(signed_percent) {
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
}

/// One row then and now.
fn line(change: &Change) -> Vec<String> {
    let (before, now) = (change.before.nanoseconds(), change.now.nanoseconds());
    let median = |spread: Option<Spread>| spread.map(|it| three_digits(it.middle));
    // The quartiles of a verdict are not rounded further.
    let reach =
        |spread: Option<Spread>| spread.map(|it| reach(it, |number| format!("{number:.1}")));
    let verdict = match change.verdict {
        Verdict::Faster => Some("faster"),
        Verdict::Slower => Some("slower"),
        Verdict::Same => Some("same"),
        Verdict::Unknown => None,
    };
    let cells = [
        Some(change.now.name()),
        median(before),
        reach(before),
        median(now),
        reach(now),
        change.times.map(signed_percent),
        Some(format!("{:.4}", change.p_value)),
        verdict.map(str::to_owned),
    ];
    cells.map(|cell| cell.unwrap_or_else(|| NOTHING.to_owned())).to_vec()
}

/// `+12.3 %` for 1.123 times the time.
fn signed_percent(times: f64) -> String {
    format!("{:+.1} %", (times - 1.0) * 100.0)
}
