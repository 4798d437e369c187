//! The summary of `rate`: distributions for people.

use super::args::RateArgs;
use super::scale::{self, BackdoorCells, EffortBin, EffortSum, Er};
use crate::cli::histogram::{self, HistogramPart};
use crate::difficulty::{Grade, Technique};
use crate::run::Counts;
use crate::run::declared::{Ran, count_line};
use indicatif::HumanCount;

/// Columns of the summary if standard error is no terminal.
const COLUMNS: usize = 80;

/// Counts and histograms.
pub(super) fn text(args: &RateArgs, ran: &Ran<'_>) -> String {
    let total = ran.total();
    let counts = ran.statuses().filter(|(name, _)| *name != "solved");
    let columns = histogram::columns().or(Some(COLUMNS));
    let table = histogram::table(&parts(total), columns);
    let mut text = count_line(total, counts) + "\n" + &table;
    if let Some(mean) = scale::mean_thousandths(total) {
        let (mean, most) = (thousandths(mean), thousandths(total[EffortSum::MostThousandths]));
        let shuffles = HumanCount(args.shuffles.get() as u64);
        text += &format!("mean effort {mean:.2}, highest {most:.2}, over {shuffles} shuffles");
    }
    text.trim_end().to_owned()
}

/// The histograms of what was measured.
fn parts(total: &Counts) -> Vec<HistogramPart> {
    let efforts = total.all::<EffortBin>().iter().copied();
    let end = efforts.clone().rposition(|count| count > 0).map_or(0, |last| last + 1);
    let efforts = scale::bins().into_iter().zip(efforts).take(end);
    let scores = scale::scores().zip(total.all::<Er>().iter().copied());
    let scores = scores.filter(|&(_, count)| count > 0);
    let grades = Grade::ALL.iter().map(|grade| (grade.to_string(), total[*grade]));
    let cells = ["0 cells", "1 cell", "2 cells", "more"].map(str::to_owned);
    let backdoors = cells.into_iter().zip(total.all::<BackdoorCells>().iter().copied());
    let rated = total.all::<Technique>().iter().sum();
    let graded = total.all::<Grade>().iter().sum();
    let with_backdoors = total.all::<BackdoorCells>().iter().sum();
    let mut parts = vec![
        HistogramPart { title: "effort", of: total[EffortSum::Puzzles], rows: efforts.collect() },
        HistogramPart { title: "er", of: rated, rows: scores.collect() },
        HistogramPart { title: "grade", of: graded, rows: grades.collect() },
        HistogramPart { title: "backdoor", of: with_backdoors, rows: backdoors.collect() },
    ];
    parts.retain(|part| part.of > 0);
    parts
}

/// A number of thousandths.
#[expect(clippy::cast_precision_loss, reason = "far below 2^53")]
pub(super) fn thousandths(number: u64) -> f64 {
    number as f64 / 1000.0
}
