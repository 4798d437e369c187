//! The arguments of `ninefold rate`.

use super::super::parsers;
use super::super::records::RecordsArgs;
use ninefold::Status;
use ninefold::difficulty::{Measure, Meter};
use ninefold::engine::EngineKind;
use ninefold::names::NameSet;
use ninefold::rate::Question;
use std::num::NonZeroUsize;
use std::path::PathBuf;

const RATE_ABOUT: &str = "\
Measure how difficult each puzzle is

Reads everything that solve reads. Puzzles with one solution are measured in
three ways: effort is the mean number of guesses of a search over seeded shuffles
of the puzzle; er, ep and ed are the scale of Sudoku Explainer 1.2.1 up to 6.2;
grade is the set of rules that solves the puzzle without search.";

const RATE_AFTER: &str = "\
Record formats, statuses and exit codes: ninefold help formats

Examples:
  ninefold rate puzzles.txt
  ninefold rate train.csv --keep-columns -o rated.csv --plot rated.svg
  ninefold rate --measure effort --shuffles 100 hard.txt --format jsonl
  ninefold rate -q puzzles.txt | sort -t, -k3,3g | tail";

/// `ninefold rate`
#[derive(Debug, clap::Args)]
#[command(long_about = RATE_ABOUT, after_long_help = RATE_AFTER)]
#[command(mut_arg("format", |arg| arg.default_value("csv")))]
#[command(next_help_heading = "Measures")]
pub(in crate::cli) struct RateArgs {
    /// Take only these measures, separated by commas
    ///
    /// The fields of the others are empty. Efforts take about 3 µs per puzzle, er 30 µs, grades 1 µs.
    #[arg(long, value_name = "MEASURE", value_delimiter = ',')]
    #[arg(value_parser = parsers::named::<Measure>())]
    pub(super) measure: Option<Vec<Measure>>,

    /// Measure the effort over N shuffles
    #[arg(long, value_name = "N", value_parser = shuffles, allow_negative_numbers = true)]
    #[arg(default_value_t = NonZeroUsize::new(Meter::DEFAULT_SHUFFLES).expect("it is not 0"))]
    pub(super) shuffles: NonZeroUsize,

    /// Draw the shuffles with this seed
    ///
    /// They are the same for all puzzles.
    #[arg(long, value_name = "S", default_value_t = Question::DEFAULT_SEED)]
    pub(super) seed: u64,

    /// Draw distributions of effort and er to FILE.svg
    ///
    /// FILE is written when the run is complete. An existing FILE needs --force.
    #[arg(long, value_name = "FILE.svg", help_heading = "Output")]
    pub(super) plot: Option<PathBuf>,

    /// Solve with this engine; see ninefold engines
    #[arg(long, value_name = "NAME", default_value = EngineKind::default().name())]
    #[arg(value_parser = parsers::named::<EngineKind>(), hide_possible_values = true)]
    pub(super) engine: EngineKind,

    #[command(flatten)]
    pub(super) records: RecordsArgs<Status>,
}

impl RateArgs {
    /// What is measured.
    pub(super) fn measures(&self) -> NameSet<Measure> {
        self.measure.as_ref().map_or(NameSet::ALL, |measures| NameSet::of(measures))
    }
}

/// The most transformations: their tables take a kilobyte each in every worker.
const MOST_SHUFFLES: usize = 100_000;

/// Takes a number of transformations.
pub(in crate::cli) fn shuffles(text: &str) -> Result<NonZeroUsize, String> {
    let number = text.parse().ok().filter(|number: &NonZeroUsize| number.get() <= MOST_SHUFFLES);
    number.ok_or_else(|| format!("expected a whole number from 1 to {MOST_SHUFFLES}"))
}
