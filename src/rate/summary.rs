//! The summary of `rate`: distributions for people.

use super::args::RateArgs;
use super::scale;
use crate::cli::histogram::{self, Part};
use crate::cli::run::{Ran, count_line};
use crate::difficulty::{Grade, Measure};
use indicatif::HumanCount;

/// Columns of the summary if standard error is no terminal.
const COLUMNS: usize = 80;

/// Counts and histograms.
pub(super) fn text(args: &RateArgs, ran: &Ran<'_>) -> String {
    let total = &ran.report.total;
    let counts = ran.statuses().filter(|(name, _)| *name != "solved");
    let columns = histogram::columns().or(Some(COLUMNS));
    let table = histogram::table(&parts(args, ran), columns);
    let mut text = count_line(total, counts) + "\n" + &table;
    if let Some(mean) = scale::mean_thousandths(ran.shape, total) {
        let (mean, most) = (thousandths(mean), thousandths(ran.total("efforts.most_thousandths")));
        let shuffles = HumanCount(args.shuffles.get() as u64);
        text += &format!("mean effort {mean:.2}, highest {most:.2}, over {shuffles} shuffles");
    }
    text.trim_end().to_owned()
}

/// The histograms of what was measured.
fn parts(args: &RateArgs, ran: &Ran<'_>) -> Vec<Part> {
    let get = |name: &str| ran.shape.get(&ran.report.total, name);
    let (measured, rated, graded) = (
        ran.total("efforts.puzzles"),
        get("technique").iter().sum::<u64>(),
        get("grade").iter().sum::<u64>(),
    );
    let mut parts = Vec::new();
    if args.measures().contains(Measure::Effort) && measured > 0 {
        let bins = get("effort");
        let end = bins.iter().rposition(|&count| count > 0).map_or(0, |last| last + 1);
        let rows = scale::bins().into_iter().zip(bins[..end].iter().copied()).collect();
        parts.push(Part { title: "effort", of: measured, rows });
    }
    if args.measures().contains(Measure::Er) && rated > 0 {
        let rows = scale::scores().zip(get("er").iter().copied()).filter(|&(_, count)| count > 0);
        let rows = rows.map(|(score, count)| (score.clone(), count)).collect();
        parts.push(Part { title: "er", of: rated, rows });
    }
    if args.measures().contains(Measure::Grade) && graded > 0 {
        let rows = Grade::ALL.iter().map(ToString::to_string).zip(get("grade").iter().copied());
        parts.push(Part { title: "grade", of: graded, rows: rows.collect() });
    }
    let found = get("backdoor").iter().sum::<u64>();
    if found > 0 {
        let labels = ["0 cells", "1 cell", "2 cells", "more"].map(str::to_owned);
        let rows = labels.into_iter().zip(get("backdoor").iter().copied()).collect();
        parts.push(Part { title: "backdoor", of: found, rows });
    }
    parts
}

/// A number of thousandths.
#[expect(clippy::cast_precision_loss, reason = "far below 2^53")]
pub(super) fn thousandths(number: u64) -> f64 {
    number as f64 / 1000.0
}
