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
three ways. effort is the mean number of guesses of a search over seeded
shuffles of the puzzle. er, ep and ed are on the scale of Sudoku Explainer
1.2.1, up to 6.2. grade is the simplest set of rules that solves the puzzle:
search if none does without guesses.";

const RATE_AFTER: &str = "\
Records:
  One for each puzzle, in the order of the puzzles. --format csv (the default)
  and jsonl have
    line       its line in the input (with several inputs, input comes before
               it)
    status     unique if it is measured; otherwise multiple, none, conflict or
               malformed
    effort     mean number of guesses over --shuffles transformations of the
               puzzle
    effort_se  standard error of this mean
    er         Explainer rating: the score of the hardest step, 1.0 to 6.2, or
               >6.2 for chains
    ep, ed     the hardest step up to the first digit placed, and the first step
    technique  the first technique whose score is er
    grade      naked-singles, singles, locked-candidates or search
    puzzle     its cells; if malformed, the text of the field
  and jsonl a reason if the puzzle is not measured. In jsonl er, ep and ed are
  strings. pair has the puzzle and the fields from effort to grade, line these
  fields alone; of other puzzles both have a comment, as solve does. Sukakus
  have a status and no measures.

Effort (version 1):
  The search uses naked singles, hidden singles and locked candidates until they
  find nothing. Then the first of the cells with the fewest candidates gets its
  smallest candidate: one guess. The search ends with the first solution.
  Shuffles are drawn with --seed, and are the same for all puzzles.

Exit codes:
  0         every puzzle is measured; or the reader of standard output closed it
  1         the run is complete, but some puzzles do not have one solution
  2         failed: wrong usage, an input without a puzzle, or an input or
            output that cannot be read or written
  130, 143  ended by SIGINT or SIGTERM: the records so far are written; --resume
            continues

Examples:
  ninefold rate puzzles.txt
  ninefold rate train.csv --keep-columns -o rated.csv --plot rated.svg
  ninefold rate --measure effort --shuffles 100 hard.txt --format jsonl
  ninefold rate puzzles.txt --quiet | sort -t, -k3,3g | tail";

/// `ninefold rate`
#[derive(Debug, clap::Args)]
#[command(long_about = RATE_ABOUT, after_long_help = RATE_AFTER)]
#[command(after_help = "--help shows more: records, measures, exit codes, examples.")]
#[command(mut_arg("format", |arg| arg.default_value("csv")))]
pub(in crate::cli) struct RateArgs {
    #[command(flatten)]
    pub(super) records: RecordsArgs<Status>,

    /// Take only these measures, separated by commas
    ///
    /// The fields of the others are empty. Efforts take about 3 µs a puzzle, er 30 µs, grades 1 µs.
    #[arg(long, value_name = "MEASURE", value_delimiter = ',')]
    #[arg(value_parser = parsers::named::<Measure>())]
    pub(super) measure: Option<Vec<Measure>>,

    /// Measure the effort over N transformations of each puzzle
    #[arg(long, value_name = "N", value_parser = shuffles, allow_negative_numbers = true)]
    #[arg(default_value_t = NonZeroUsize::new(Meter::DEFAULT_SHUFFLES).expect("it is not 0"))]
    pub(super) shuffles: NonZeroUsize,

    /// Draw the transformations with this seed
    #[arg(long, value_name = "S", default_value_t = Question::DEFAULT_SEED)]
    pub(super) seed: u64,

    /// Draw the distributions of effort and er to FILE.svg
    ///
    /// FILE is written when the run is complete. An existing FILE needs --force.
    #[arg(long, value_name = "FILE.svg")]
    pub(super) plot: Option<PathBuf>,

    /// Find out with this engine whether a puzzle has one solution
    #[arg(long, value_name = "NAME", default_value = EngineKind::default().name())]
    #[arg(value_parser = parsers::named::<EngineKind>())]
    pub(super) engine: EngineKind,
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
