//! The arguments of `ninefold select`.

use super::super::parsers;
use super::super::rate::shuffles;
use super::super::reading::InputArgs;
use super::super::running::RunArgs;
use clap::Args;
use clap::builder::TypedValueParser;
use ninefold::Status;
use ninefold::bank::{Prepared, Same};
use ninefold::difficulty::{EffortRange, Grade, Meter, ScoreRange, Technique};
use ninefold::engine::EngineKind;
use ninefold::names::{NameSet, Named};
use ninefold::select::{AnswerIs, Conditions, Order, Pick, SortBy, Split, Stratum};
use std::num::{NonZeroU64, NonZeroUsize};
use std::ops::RangeInclusive;
use std::path::PathBuf;

const SELECT_ABOUT: &str = "\
Copy the rows that meet conditions, byte for byte

Reads everything that solve reads. A row is a line that should be a puzzle; in a
file of grids, the nine lines of a puzzle; in a JSON document, an object,
written on one line. Rows that meet all conditions are copied as they are
written, with all their fields, below the header of the input. Comments and
empty lines are not copied.";

const SELECT_AFTER: &str = "\
Steps, in this order:
  1. conditions   all of them must be met. The cheapest are tested first, and
                  nothing is computed that no condition needs. --grade,
                  --effort, --minimal, --er and --technique select only puzzles
                  with one solution
  2. --unseen     the first row of each puzzle among the rows that meet the
                  other conditions
  3. --every K    the first, row K + 1, row 2 K + 1, ...
  4. --sample N   N rows, each set of N equally likely, in the order of the
                  input
  5. --sort KEY   in memory up to 256 MiB, above that with a temporary file (in
                  TMPDIR)
  6. --head N     the first N rows
  7. --split      one output for each part

Malformed rows are copied, too, unless a condition is about the puzzle. Remove
them with --status unique,multiple,none,conflict.

Inputs must have the same header; it is written once to each output.

Ranges have both ends: --effort 2..10, --er 4.5.., --er ..3.4, --clues 24,
--er '>6.2'. Scores above 6.2 are not told apart.

Exit codes:
  0         the run is complete, whether rows were selected or not; or the
            reader of standard output closed it
  2         failed: wrong usage, an input without a puzzle, or an input or
            output that cannot be read or written
  130, 143  ended by SIGINT or SIGTERM

Examples:
  ninefold select puzzles.txt --status unique --minimal -o minimal.txt
  ninefold select train.csv --er 3.0..4.2 --sample 10000 --seed 7 -o medium.csv
  ninefold select test.csv --not-in train.csv -o clean-test.csv
  ninefold select hard.txt --sort effort --order descending --head 100
  ninefold select all.csv --status unique --answer right --unseen \\
      --split train=0.9,test=0.1 -o new.csv       # new.train.csv, new.test.csv";

/// `ninefold select`
#[derive(Debug, Args)]
#[command(long_about = SELECT_ABOUT, after_long_help = SELECT_AFTER)]
#[command(after_help = "--help shows more: the order of the steps, exit codes, examples.")]
pub(in crate::cli) struct SelectArgs {
    #[command(flatten)]
    pub(super) reading: InputArgs,

    /// Select puzzles of these statuses, separated by commas
    #[arg(long, value_name = "STATUS", value_delimiter = ',', help_heading = "Conditions")]
    #[arg(value_parser = statuses())]
    status: Option<Vec<Status>>,

    /// Select puzzles with so many clues: 17..25, 30.., ..22 or 24
    #[arg(long, value_name = "MIN..MAX", value_parser = parsers::clues, help_heading = "Conditions")]
    #[arg(allow_negative_numbers = true)]
    clues: Option<RangeInclusive<usize>>,

    /// Select puzzles with such answers in the field of the solution, separated by commas
    ///
    /// That is checked by the rules, without solving.
    #[arg(long, value_name = "ANSWER", value_delimiter = ',', help_heading = "Conditions")]
    #[arg(value_parser = parsers::named::<AnswerIs>())]
    answer: Option<Vec<AnswerIs>>,

    /// Select puzzles that these rules solve, separated by commas
    #[arg(long, value_name = "GRADE", value_delimiter = ',', help_heading = "Conditions")]
    #[arg(value_parser = parsers::named::<Grade>())]
    grade: Option<Vec<Grade>>,

    /// Select puzzles with an effort in this range: the mean number of guesses, as rate measures it
    #[arg(long, value_name = "MIN..MAX", help_heading = "Conditions")]
    #[arg(allow_negative_numbers = true)]
    effort: Option<EffortRange>,

    /// Measure the effort over N transformations of each puzzle
    #[arg(long, value_name = "N", value_parser = shuffles, help_heading = "Conditions")]
    #[arg(default_value_t = NonZeroUsize::new(Meter::DEFAULT_SHUFFLES).expect("it is not 0"))]
    #[arg(allow_negative_numbers = true)]
    pub(super) shuffles: NonZeroUsize,

    /// Select puzzles with an Explainer rating in this range: the score of the hardest step
    #[arg(long, value_name = "MIN..MAX", help_heading = "Conditions")]
    #[arg(allow_negative_numbers = true)]
    er: Option<ScoreRange>,

    /// Select puzzles with these hardest techniques, separated by commas
    #[arg(long, value_name = "NAME", value_delimiter = ',', help_heading = "Conditions")]
    #[arg(value_parser = parsers::named::<Technique>())]
    technique: Option<Vec<Technique>>,

    /// Select minimal puzzles: no clue is redundant
    #[arg(long, help_heading = "Conditions")]
    minimal: bool,

    /// Select puzzles that no file BANK has, exactly or up to symmetry; may be given several times
    #[arg(long, value_name = "BANK", help_heading = "Conditions")]
    pub(super) not_in: Vec<PathBuf>,

    /// What the banks hold; forms that ninefold canon wrote need not be computed again
    #[arg(long, value_name = "FORM", default_value = "any", help_heading = "Conditions")]
    #[arg(value_parser = parsers::named::<Prepared>(), requires = "not_in")]
    pub(super) bank_form: Prepared,

    /// Select the first of each puzzle, in all inputs
    ///
    /// By default puzzles that are isomorphic count as the same, too. Takes up to 31 bytes of memory for
    /// each puzzle, and 49 in a temporary file.
    #[arg(long, value_name = "SAME", num_args = 0..=1, require_equals = true)]
    #[arg(default_missing_value = "isomorphic", value_parser = parsers::named::<Same>())]
    #[arg(help_heading = "Conditions")]
    unseen: Option<Same>,

    /// Keep the first of every K rows
    #[arg(long, value_name = "K", help_heading = "Rows", default_value = "1")]
    #[arg(value_parser = every, allow_negative_numbers = true)]
    every: NonZeroU64,

    /// Keep N rows, drawn at random; with --stratify, N of each stratum
    ///
    /// Each set of N rows is equally likely. The rows are in memory until the end, and are written in
    /// the order of the input. If there are fewer than N, all are kept.
    #[arg(long, value_name = "N", help_heading = "Rows")]
    #[arg(value_parser = parsers::whole, allow_negative_numbers = true)]
    sample: Option<u64>,

    /// Sample each of these strata alone
    #[arg(long, value_name = "BY", help_heading = "Rows", requires = "sample")]
    #[arg(value_parser = parsers::named::<Stratum>())]
    stratify: Option<Stratum>,

    /// Draw the sample and the split with this seed
    #[arg(long, value_name = "S", help_heading = "Rows", default_value_t = Pick::default().seed)]
    seed: u64,

    /// Sort the rows; rows without the key come last
    #[arg(long, value_name = "KEY", help_heading = "Rows", value_parser = parsers::named::<SortBy>())]
    sort: Option<SortBy>,

    /// Sort in this order
    #[arg(long, value_name = "ORDER", help_heading = "Rows", default_value = "ascending")]
    #[arg(value_parser = parsers::named::<Order>(), requires = "sort")]
    order: Order,

    /// Keep the first N rows
    ///
    /// Without --sample and --sort the inputs are read no further.
    #[arg(long, value_name = "N", help_heading = "Rows")]
    #[arg(value_parser = parsers::whole, allow_negative_numbers = true)]
    head: Option<u64>,

    /// Divide the rows into parts, each in a file of its own: train=0.9,test=0.1
    ///
    /// Requires -o: with -o out.csv.gz the parts are out.train.csv.gz and out.test.csv.gz. The hash of
    /// the canonical form of a puzzle and --seed decide. So isomorphic puzzles are in the same part,
    /// in any file and in any order. The shares must add up to 1.
    #[arg(long, value_name = "NAME=SHARE,...", help_heading = "Rows", requires = "output")]
    pub(super) split: Option<Split>,

    /// Write the rows to FILE, not to standard output
    ///
    /// FILE appears when it is complete; until then it is FILE.partial. It cannot be one of the inputs.
    /// Compressed if it ends in .gz or .zst.
    #[arg(short, long, value_name = "FILE", value_parser = parsers::output())]
    #[arg(help_heading = "Writing")]
    pub(super) output: Option<PathBuf>,

    /// Replace existing output files, and the partial files of earlier runs
    #[arg(short, long, help_heading = "Writing")]
    pub(super) force: bool,

    /// Solve with this engine
    #[arg(long, value_name = "NAME", default_value = EngineKind::default().name())]
    #[arg(value_parser = parsers::named::<EngineKind>())]
    pub(super) engine: EngineKind,

    #[command(flatten)]
    pub(super) running: RunArgs,
}

/// Takes a status. No puzzle is `solved`: all solutions are proved to be unique, or not.
fn statuses() -> impl TypedValueParser<Value = Status> {
    parsers::named_of(Status::ALL.iter().copied().filter(|&status| status != Status::Solved))
}

/// Takes a step of rows.
fn every(text: &str) -> Result<NonZeroU64, String> {
    let number = parsers::positive(text)?;
    NonZeroU64::new(number).ok_or_else(|| "expected a whole number from 1".to_owned())
}

/// A set of the names that were given, if any were.
fn set<T: Named>(names: Option<&Vec<T>>) -> Option<NameSet<T>> {
    names.map(|names| NameSet::of(names))
}

impl SelectArgs {
    /// Which rows are meant.
    pub(super) fn conditions(&self) -> Conditions {
        Conditions {
            clues: self.clues.clone(),
            answers: set(self.answer.as_ref()),
            statuses: set(self.status.as_ref()),
            grades: set(self.grade.as_ref()),
            efforts: self.effort.clone(),
            minimal: self.minimal,
            er: self.er.clone(),
            techniques: set(self.technique.as_ref()),
            unseen: self.unseen,
        }
    }

    /// How many of them are written, and in which order.
    pub(super) fn pick(&self) -> Pick {
        Pick {
            every: self.every,
            // No input has more rows than addresses.
            sample: self.sample.map(|rows| usize::try_from(rows).unwrap_or(usize::MAX)),
            stratify: self.stratify,
            seed: self.seed,
            sort: self.sort,
            order: self.order,
            head: self.head,
        }
    }
}
