//! The summary of `rate`: distributions for people.

use super::args::RateArgs;
use super::scale;
use crate::cli::histogram::{self, HistogramPart};
use crate::cli::run::{Ran, count_line};
use crate::difficulty::Grade;
use indicatif::HumanCount;

/// Columns of the summary if standard error is no terminal.
const COLUMNS: usize = 80;

/// Counts and histograms.
pub(super) fn text(args: &RateArgs, ran: &Ran<'_>) -> String {
    let total = &ran.report.total;
    let counts = ran.statuses().filter(|(name, _)| *name != "solved");
    let columns = histogram::columns().or(Some(COLUMNS));
    let table = histogram::table(&parts(ran), columns);
    let mut text = count_line(total, counts) + "\n" + &table;
    if let Some(mean) = scale::mean_thousandths(ran.shape, total) {
        let (mean, most) = (thousandths(mean), thousandths(ran.total("efforts.most_thousandths")));
        let shuffles = HumanCount(args.shuffles.get() as u64);
        text += &format!("mean effort {mean:.2}, highest {most:.2}, over {shuffles} shuffles");
    }
    text.trim_end().to_owned()
}

/// The histograms of what was measured.
fn parts(ran: &Ran<'_>) -> Vec<HistogramPart> {
    let get = |name: &str| ran.shape.get(&ran.report.total, name).iter().copied();
    let sum = |name: &str| get(name).sum::<u64>();
    let end = get("effort").rposition(|count| count > 0).map_or(0, |last| last + 1);
    let efforts = scale::bins().into_iter().zip(get("effort")).take(end);
    let scores = scale::scores().zip(get("er")).filter(|&(_, count)| count > 0);
    let grades = Grade::ALL.iter().map(ToString::to_string).zip(get("grade"));
    let cells = ["0 cells", "1 cell", "2 cells", "more"].map(str::to_owned);
    let backdoors = cells.into_iter().zip(get("backdoor"));
    let mut parts = vec![
        HistogramPart {
            title: "effort",
            of: ran.total("efforts.puzzles"),
            rows: efforts.collect(),
        },
        HistogramPart { title: "er", of: sum("technique"), rows: scores.collect() },
        HistogramPart { title: "grade", of: sum("grade"), rows: grades.collect() },
        HistogramPart { title: "backdoor", of: sum("backdoor"), rows: backdoors.collect() },
    ];
    parts.retain(|part| part.of > 0);
    parts
}

/// A number of thousandths.
#[expect(clippy::cast_precision_loss, reason = "far below 2^53")]
pub(super) fn thousandths(number: u64) -> f64 {
    number as f64 / 1000.0
}
