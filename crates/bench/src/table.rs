//! The results for people: a table for each list.

use crate::numbers::{percent, three_digits};
use crate::report::{BenchReport, BenchRow, ListFacts, ProgramAnswers};
use crate::stats::SampleSpread;
use indicatif::HumanCount;

/// Stands for an unknown value.
pub(crate) const NOTHING: &str = "–";

/// A table whose first line is its head: the first column is text, the others are numbers.
pub(crate) fn table(lines: &[Vec<String>]) -> String {
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

/// A column of the tables of a measurement: its head, in which `{}` stands for the baseline; its meaning
/// in the legend, in which `{}` stands for the number of rounds, or nothing; and the cell of a row.
type TableColumn = (&'static str, &'static str, fn(&BenchReport, &BenchRow) -> Option<String>);

const COLUMNS: [TableColumn; 7] = [
    ("engine", "", |_, row| {
        Some(format!("{}{}", row.contender, if row.has_faults() { " !" } else { "" }))
    }),
    (
        "puzzles/s",
        "puzzles solved a second, the median of {} rounds; engines without reading and\n\
         writing, programs with all from start to end",
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
];

/// A spread from its lower to its upper end.
pub(crate) fn reach(spread: SampleSpread, show: fn(f64) -> String) -> String {
    format!("{} … {}", show(spread.lower), show(spread.upper))
}

fn fault(row: &BenchRow) -> Option<String> {
    let ProgramAnswers { checked, wrong, missing, failure, fault, .. } = row.process.as_ref()?;
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
    (!parts.is_empty()).then(|| format!("{}: {}", row.contender, parts.join("; ")))
}

/// The title of a list: `easy, 1,000 puzzles (solved by naked singles): proof that there is no other`.
fn title(list: &ListFacts) -> String {
    let proof = match &*list.about {
        "more than one solution" => "search for a second solution",
        "no solution" => "proof that there is none",
        _ => "proof that there is no other",
    };
    format!("{}: {proof}", list.title())
}

/// A spread that deserves a warning. On an idle machine the rounds of most rows vary by 1 to 3 %.
const WIDE: f64 = 0.1;

/// The warning about rows that vary between rounds.
fn warning(report: &BenchReport) -> Option<String> {
    let rounds = report.rows.iter().filter(|row| !row.sample && row.rounds.len() > 1);
    let spreads: Vec<_> = rounds.filter_map(|row| Some(row.nanoseconds()?.relative())).collect();
    let wide = spreads.iter().filter(|spread| **spread > WIDE).count();
    let (rows, share) = (spreads.len(), percent(WIDE));
    (wide > 0).then(|| {
        format!(
            "Warning: {wide} of {rows} rows vary by more than {share} between rounds (half the distance of the quartiles).\n\
             Results of a quiet machine are more precise: end other programs and measure again.\n"
        )
    })
}

/// The meaning of the columns and of the marks in them.
pub(crate) fn legend(report: &BenchReport) -> Vec<(String, String)> {
    let columns = COLUMNS.iter().filter(|(_, meaning, _)| !meaning.is_empty());
    let columns = columns.map(|(head, meaning, _)| {
        let rounds = report.rounds.to_string();
        (head.replace("{}", &report.baseline), meaning.replace("{}", &rounds))
    });
    let count = |list: &ListFacts| report.rows_of(&list.name).count();
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
        (report.any(BenchRow::has_faults), "!", "failed, or answers were wrong or missing"),
        (
            report.lists.iter().any(|list| Some(count(list)) < most),
            "sukakus",
            "only mrv, lanes and engines of yours: the others may take minutes for one",
        ),
        (
            report.any(BenchRow::is_unmeasured),
            NOTHING,
            "not measured when it ended: --seconds N gives more time",
        ),
    ];
    let marks = marks.into_iter().filter(|(is_used, ..)| *is_used);
    columns.chain(marks.map(|(_, mark, text)| (mark.to_owned(), text.to_owned()))).collect()
}

pub(crate) fn render(report: &BenchReport) -> String {
    let mut text = format!("ninefold {} on {}\n\n", report.version, report.machine.sentence());
    let heads = COLUMNS.map(|(head, ..)| head.replace("{}", &report.baseline)).to_vec();
    for list in &report.lists {
        let cells = |row: &BenchRow| {
            let cells = COLUMNS.map(|(.., cell)| cell(report, row));
            cells.map(|cell| cell.unwrap_or_else(|| NOTHING.to_owned())).to_vec()
        };
        let rows = || report.rows_of(&list.name);
        let lines: Vec<_> = [heads.clone()].into_iter().chain(rows().map(cells)).collect();
        text += &format!("{}\n{}", title(list), table(&lines));
        text.extend(rows().filter_map(fault).map(|fault| format!("  ! {fault}\n")));
        text.push('\n');
    }
    let legend = legend(report);
    let width = legend.iter().map(|(mark, _)| mark.chars().count()).max().unwrap_or(0);
    for (mark, meaning) in legend {
        let meaning = meaning.replace('\n', &format!("\n{:width$}  ", ""));
        text += &format!("{mark:width$}  {meaning}\n");
    }
    let not = "Not every answer was right: see !.";
    let right = if report.any(BenchRow::has_faults) { not } else { "Every answer was right." };
    let BenchReport { rounds, seconds, seed, .. } = report;
    text += &format!("\n{right} {rounds} rounds, {seconds:.1} s, seed {seed}.\n");
    text.extend(warning(report));
    if report.interrupted {
        text += "Interrupted: this is what was measured so far.\n";
    }
    text
}
