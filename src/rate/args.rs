//! The arguments of `ninefold rate`.

use super::Rate;
use super::scale::{self, BackdoorCells, ER, EffortBin, EffortSum, ScoreOf};
use crate::cli::{
    Declared, Error, HistogramPart, Job, Ran, SolverArgs, Started, Typed, count_line, formats,
    histogram, parsers,
};
use crate::difficulty::{Effort, Gauge, Grade, Measure};
use crate::names::NameSet;
use crate::output::Format;
use crate::run::{self, Counts, Report};
use crate::search::Search;
use indicatif::HumanCount;
use serde_json::{Value, json};
use std::num::NonZeroUsize;

/// The formats of records: measures do not fit in grids.
const FORMATS: &[Format] = &[Format::Line, Format::Pair, Format::Csv, Format::Jsonl];

const RATE_AFTER: &str = "\
Record formats, statuses and exit codes: ninefold help formats

Examples:
  ninefold rate puzzles.txt
  ninefold rate train.csv --keep-columns -o rated.csv
  ninefold rate --measure effort --shuffles 100 hard.txt --format jsonl
  ninefold rate -q puzzles.txt | sort -t, -k3,3g | tail";

/// Measure how difficult each puzzle is
///
/// Reads everything that solve reads. Puzzles with one solution are measured in
/// three ways: effort is the mean number of guesses of a search over seeded shuffles
/// of the puzzle; er, ep and ed are the scale of Sudoku Explainer 1.2.1;
/// grade is the set of rules that solves the puzzle without search.
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment, after_long_help = RATE_AFTER)]
#[command(mut_arg("format", |arg| formats(FORMATS)(arg).default_value("csv")))]
#[command(next_help_heading = "Measures")]
pub(crate) struct RateArgs {
    /// Take only these measures, separated by commas
    ///
    /// All but backdoors if not given. The fields of the others are empty. Efforts take about 3 µs per puzzle, er
    /// 150 µs, grades 1 µs.
    #[arg(long, value_name = "MEASURE", value_delimiter = ',')]
    #[arg(value_parser = parsers::named::<Measure>())]
    pub(super) measure: Option<Vec<Measure>>,

    /// Measure the effort over N shuffles
    #[arg(long, value_name = "N", value_parser = shuffles, allow_negative_numbers = true)]
    #[arg(default_value_t = NonZeroUsize::new(Gauge::DEFAULT_SHUFFLES).expect("it is not 0"))]
    pub(super) shuffles: NonZeroUsize,

    /// Draw the shuffles with this seed
    ///
    /// They are the same for all puzzles.
    #[arg(long, value_name = "S", default_value_t = crate::SEED)]
    pub(super) seed: u64,

    /// Rate up to a score of X: a puzzle above has no er, and a column says so
    ///
    /// The column `er_bound` is `above X` then. Puzzles above 9.5 take long to rate.
    #[arg(long, value_name = "X", value_parser = parsers::score)]
    pub(super) max_er: Option<u8>,

    #[command(flatten)]
    pub(super) options: SolverArgs<()>,
}

impl RateArgs {
    /// What is measured.
    pub(super) fn measures(&self) -> NameSet<Measure> {
        NameSet::of(self.measure.as_deref().unwrap_or(&Measure::USUAL))
    }

    fn command(&self, search: Search) -> Rate {
        let (measures, shuffles, seed) = (self.measures(), self.shuffles, self.seed);
        Rate { measures, shuffles, seed, max_er: self.max_er, search }
    }
}

/// The declaration of the records.
pub(crate) fn declared(rate: &Rate, format: Format) -> Declared {
    let declared = Declared::of("rate", rate, format);
    Declared { derive: describe_efforts, ..declared }
}

impl Job for RateArgs {
    fn typed(&self) -> Result<Typed, Error> {
        let args = self.options.common();
        let format = args.format(Format::Line);
        Ok(Typed::new(args, declared(&self.command(Search::default()), format), format))
    }

    fn write(&mut self, run: Started<'_>) -> Result<Report, run::Error> {
        run.in_order(|search| self.command(search))
    }

    /// Counts and histograms.
    fn summary(&self, ran: &Ran<'_>) -> String {
        let total = ran.total();
        let counts = ran.statuses().filter(|(name, _)| *name != "solved");
        let columns = histogram::columns().or(Some(COLUMNS));
        let table = histogram::table(&parts(total), columns);
        let mut text = count_line(total, counts) + "\n" + &table;
        if let Some(mean) = scale::mean_thousandths(total) {
            let (mean, most) = (thousandths(mean), thousandths(total[EffortSum::MostThousandths]));
            let shuffles = HumanCount(self.shuffles.get() as u64);
            text += &format!("mean effort {mean:.2}, highest {most:.2}, over {shuffles} shuffles");
        }
        text.trim_end().to_owned()
    }

    fn last_words(&self, _: &Ran<'_>) -> Option<String> {
        Some(format!("{}, seed {}", self.options.search.engine_in_words(), self.seed))
    }

    fn describe(&self, _: &Ran<'_>, object: &mut Value) {
        let measures = Measure::ALL.iter().filter(|it| self.measures().contains(**it));
        object["measures"] = measures.map(|it| it.name()).collect();
        object["effort_version"] = json!(Effort::VERSION);
        object["shuffles"] = json!(self.shuffles);
        object["seed"] = json!(self.seed);
    }
}

/// Adds the mean effort, the highest one, and the bins up to the last that is not empty.
fn describe_efforts(counts: &Counts, object: &mut Value) {
    let most = counts[EffortSum::MostThousandths];
    let mean = scale::mean_thousandths(counts);
    object["mean_effort"] = json!(mean.map(thousandths));
    object["highest_effort"] = json!(thousandths(most));
    object["efforts"]["counts"] = json!(counts.all::<EffortBin>());
    object["effort"] = efforts(counts).collect();
}

/// The bins of efforts up to the last that is not empty.
fn efforts(counts: &Counts) -> impl Iterator<Item = (String, u64)> {
    let bins = counts.all::<EffortBin>();
    let end = bins.iter().rposition(|&count| count > 0).map_or(0, |last| last + 1);
    scale::bins().into_iter().zip(bins[..end].iter().copied())
}

/// The most transformations: their tables take a kilobyte each in every worker.
const MOST_SHUFFLES: usize = 100_000;

/// Takes a number of transformations.
pub(crate) fn shuffles(text: &str) -> Result<NonZeroUsize, String> {
    let number = text.parse().ok().filter(|number: &NonZeroUsize| number.get() <= MOST_SHUFFLES);
    number.ok_or_else(|| format!("expected a whole number from 1 to {MOST_SHUFFLES}"))
}

/// Columns of the summary if standard error is no terminal.
const COLUMNS: usize = 80;

/// The histograms of what was measured.
fn parts(total: &Counts) -> Vec<HistogramPart> {
    let scores = scale::scores().zip(total.all::<ScoreOf<ER>>().iter().copied());
    let scores = scores.filter(|&(_, count)| count > 0);
    let grades = Grade::ALL.iter().map(|grade| (grade.to_string(), total[*grade]));
    let cells = ["0 cells", "1 cell", "2 cells", "more"].map(str::to_owned);
    let backdoors = cells.into_iter().zip(total.all::<BackdoorCells>().iter().copied());
    let mut parts = vec![
        HistogramPart::whole("effort", efforts(total).collect()),
        HistogramPart::whole("er", scores.collect()),
        HistogramPart::whole("grade", grades.collect()),
        HistogramPart::whole("backdoor", backdoors.collect()),
    ];
    parts.retain(|part| part.of > 0);
    parts
}

/// A number of thousandths.
#[expect(clippy::cast_precision_loss, reason = "far below 2^53")]
fn thousandths(number: u64) -> f64 {
    number as f64 / 1000.0
}
