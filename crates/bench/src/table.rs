//! The results for people: a table for each list and mode, as aligned text and as Markdown.

use crate::numbers::{percent, seconds, three_digits};
use crate::report::{Listed, Mode, Process, Report, Row};
use crate::stats::{Spread, median};
use indicatif::HumanCount;

/// Stands for an unknown value.
pub(crate) const NOTHING: &str = "–";

#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Form {
    Text,
    Markdown,
}

/// A table whose first line is its head: the first column is text, the others are numbers.
pub(crate) fn table(form: Form, lines: &[Vec<String>]) -> String {
    if form == Form::Markdown {
        let cell = |cell: &String| format!("| {} ", escape(cell));
        let line = |cells: &Vec<String>| cells.iter().map(cell).collect::<String>() + "|\n";
        let rule = format!("| --- |{}\n", " ---: |".repeat(lines[0].len() - 1));
        return line(&lines[0]) + &rule + &lines[1..].iter().map(line).collect::<String>();
    }
    let width = |column: usize| lines.iter().map(|line| line[column].chars().count()).max();
    let widths: Vec<_> = (0..lines[0].len()).map(|column| width(column).unwrap_or(0)).collect();
    let line = |line: &Vec<String>| {
        let mut text = format!("  {:<1$}", line[0], widths[0]);
        for (cell, width) in line.iter().zip(&widths).skip(1) {
            text += &format!("  {cell:>width$}");
        }
        format!("{}\n", text.trim_end())
    };
    lines.iter().map(line).collect()
}

/// The text with Markdown's special characters escaped.
fn escape(text: &str) -> String {
    let special = |c: char| "\\`*_[]<>|~#".contains(c);
    let escaped = |c: char| special(c).then_some('\\').into_iter().chain([c]);
    text.chars().flat_map(escaped).collect()
}

/// A column of the tables of a measurement: its head, in which `{}` stands for the baseline; its meaning
/// in the legend, in which `{}` stands for the number of rounds, or nothing; and the cell of a row.
type Column = (&'static str, &'static str, fn(&Report, &Row) -> Option<String>);

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
            let (rate, less) = row.rate()?;
            let mark = ["", "~ ", "< "][if less { 2 } else { usize::from(row.sample) }];
            Some(format!("{mark}{}", three_digits(rate)))
        },
    ),
    ("ns/puzzle", "", |_, row| {
        let (rate, less) = row.rate()?;
        Some(format!("{}{}", if less { "> " } else { "" }, three_digits(1e9 / rate)))
    }),
    (
        "95 % interval",
        "of the ns/puzzle: the confidence interval of the median, and at least the quartiles",
        |_, row| row.interval().map(|it| reach(it, three_digits)),
    ),
    ("× {}", "times as many puzzles a second as that engine", |report, row| {
        report.ratio(row, &report.baseline).map(three_digits)
    }),
    (
        "branches",
        "boards at which the engine had to choose how to go on, for each puzzle",
        |_, row| row.branches_per_puzzle().map(three_digits),
    ),
    ("no search", "puzzles for which it never had to choose", |_, row| {
        row.share_without_search().map(percent)
    }),
    ("efficiency", "puzzles a second of each thread, against the fewest threads", |report, row| {
        report.efficiency(row).map(percent)
    }),
];

/// The columns about whole processes.
const PROCESS: [Column; 9] = [
    ("process", "", |_, row| Some(row.label.to_string())),
    ("puzzles/run", "", |_, row| Some(HumanCount(row.puzzles_per_round as u64).to_string())),
    ("wall", "", |_, row| middle(row, |it| &it.wall)),
    ("user", "", |_, row| middle(row, |it| &it.user)),
    ("system", "", |_, row| middle(row, |it| &it.system)),
    ("peak memory", "", |_, row| {
        let process = row.process.as_ref()?;
        let bound = if process.peak_is_bound { "< " } else { "" };
        #[expect(clippy::cast_precision_loss, reason = "three digits of it are shown")]
        let megabytes = three_digits(process.peak_bytes? as f64 / 1e6);
        Some(format!("{bound}{megabytes} MB"))
    }),
    ("start-up: empty", "", |_, row| middle(row, |it| &it.startup_empty)),
    ("1 puzzle", "", |_, row| middle(row, |it| &it.startup_one)),
    ("puzzles/s without it", "", |_, row| {
        row.nanoseconds().and(row.rate_without_startup()).map(three_digits)
    }),
];

fn middle(row: &Row, times: fn(&Process) -> &Vec<f64>) -> Option<String> {
    median(times(row.process.as_ref()?)).map(seconds)
}

/// A spread from its lower to its upper end.
pub(crate) fn reach(spread: Spread, show: fn(f64) -> String) -> String {
    format!("{} … {}", show(spread.lower), show(spread.upper))
}

/// The columns of the table of engines that are shown.
fn shown(report: &Report) -> &'static [Column] {
    let differ = report.any(|row| row.label.threads != report.rows[0].label.threads);
    &COLUMNS[..if differ { 8 } else { 7 }]
}

/// A table of rows, if there are any.
fn of_rows<'a>(
    report: &Report,
    columns: &[Column],
    rows: impl Iterator<Item = &'a Row>,
    form: Form,
) -> Option<String> {
    let heads = columns.iter().map(|(head, ..)| head.replace("{}", &report.baseline)).collect();
    let cells = |row: &Row| {
        let cells = columns.iter().map(|(.., cell)| cell(report, row));
        cells.map(|cell| cell.unwrap_or_else(|| NOTHING.to_owned())).collect()
    };
    let lines: Vec<_> = [heads].into_iter().chain(rows.map(cells)).collect();
    (lines.len() > 1).then(|| table(form, &lines))
}

fn fault(row: &Row) -> Option<String> {
    let Process { checked, wrong, missing, failure, fault, .. } = row.process.as_ref()?;
    let [wrongs, gaps, all] = [wrong, missing, checked].map(|it| HumanCount(*it).to_string());
    let counts = match (wrong, missing) {
        (0, 0) => None,
        (0, missing) if missing == checked && failure.is_none() => {
            Some(format!("silent: all of {all} answers missing"))
        }
        (0, _) => Some(format!("{gaps} of {all} answers missing")),
        (_, 0) => Some(format!("{wrongs} of {all} answers wrong")),
        _ => Some(format!("{wrongs} of {all} answers wrong, {gaps} missing")),
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
    format!("{}: {mode}", list.title())
}

/// A spread that deserves a warning. On an idle machine the rounds of most rows vary by 1 to 3 %.
const WIDE: f64 = 0.1;

/// Other processes may use this many CPUs: the kernel's own threads use some when the files of programs
/// are written. The clock may vary by this share.
const MOST_BY_OTHERS: f64 = 0.2;
const MOST_CHANGE_OF_CLOCK: f64 = 0.1;

/// The warnings about the machine.
fn warnings(report: &Report) -> Vec<String> {
    let (noise, cores) = (report.noise, report.machine.cores);
    let busy = noise.cpus_of_others.filter(|cpus| *cpus > MOST_BY_OTHERS).map(|cpus| {
        format!("other processes used {cpus:.1} of {cores} CPUs during the measurement")
    });
    let steady = 1.0 - MOST_CHANGE_OF_CLOCK;
    let clock = noise.megahertz.filter(|(low, high)| *low < high * steady).map(|(low, high)| {
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
pub(crate) fn legend(report: &Report) -> Vec<(String, String)> {
    let columns = shown(report).iter().filter(|(_, meaning, _)| !meaning.is_empty());
    let columns = columns.map(|(head, meaning, _)| {
        let rounds = report.rounds.to_string();
        (head.replace("{}", &report.baseline), meaning.replace("{}", &rounds))
    });
    let count = |list: &Listed| report.rows.iter().filter(|row| row.list == list.name).count();
    let most = report.lists.iter().map(count).max();
    let patience = three_digits(report.patience_seconds);
    let slower =
        format!("slower than this: given up on, an engine after {patience} s for a puzzle");
    let marks = [
        (
            report.any(|row| row.sample && row.given_up == 0),
            "~",
            "too slow for the whole list: a part of it, another in each round; the mean of the\n\
             rounds, and as interval two standard errors",
        ),
        (report.any(|row| row.given_up > 0), "<", &slower),
        (
            report.any(|row| row.process.is_some()),
            "process",
            "medians of whole processes; start-up: a run without a puzzle, and with one",
        ),
        (report.any(Row::has_faults), "!", "failed, or answers were wrong or missing"),
        (
            report.lists.iter().any(|list| Some(count(list)) < most),
            "sukakus",
            "only mrv, lanes and engines of yours: the others may take minutes for one",
        ),
        (
            report.any(Row::is_unmeasured),
            NOTHING,
            "not measured when it ended: --seconds N gives more time",
        ),
    ];
    let marks = marks.into_iter().filter(|(is_used, ..)| *is_used);
    columns.chain(marks.map(|(_, mark, text)| (mark.to_owned(), text.to_owned()))).collect()
}

pub(crate) fn render(report: &Report, form: Form) -> String {
    let is_text = form == Form::Text;
    let mut text = String::new();
    if is_text {
        text += &format!("ninefold {} on {}\n\n", report.version, report.machine.sentence());
    }
    for (list, mode) in report.blocks() {
        let (title, block) = (title(list, mode), || report.block(&list.name, mode));
        text += &if is_text { format!("{title}\n") } else { format!("**{}**\n\n", escape(&title)) };
        text.extend(of_rows(report, shown(report), block(), form));
        let outside = block().filter(|row| row.process.is_some());
        text.extend(of_rows(report, &PROCESS, outside, form).map(|table| format!("\n{table}")));
        let faults = block().filter_map(fault).map(|fault| match form {
            Form::Text => format!("  ! {fault}\n"),
            Form::Markdown => format!("\n- \\! {}\n", escape(&fault)),
        });
        text.extend(faults);
        text.push('\n');
    }
    let (legend, warnings) = (legend(report), warnings(report));
    if !is_text {
        let notes = legend.into_iter().chain(warnings.into_iter().map(|it| ("Warning".into(), it)));
        text.extend(notes.map(|(mark, text)| format!("- {}: {}\n", escape(&mark), escape(&text))));
        let (machine, sentence) = (report.machine.sentence(), report.sentence());
        return text + &format!("\n{}. {}.\n", escape(&machine), escape(&sentence));
    }
    let width = legend.iter().map(|(mark, _)| mark.chars().count()).max().unwrap_or(0);
    for (mark, meaning) in legend {
        let meaning = meaning.replace('\n', &format!("\n{:width$}  ", ""));
        text += &format!("{mark:width$}  {meaning}\n");
    }
    let not = "Not every answer was right: see !.";
    let right = if report.any(Row::has_faults) { not } else { "Every answer was right." };
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
