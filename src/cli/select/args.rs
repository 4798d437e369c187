//! The arguments of `ninefold select`.

use super::super::parsers;
use super::super::rate::shuffles;
use super::super::reading::{self, InputArgs};
use super::super::running::RunArgs;
use clap::Args;
use clap::builder::TypedValueParser;
use crate::Status;
use crate::bank::{Prepared, Same};
use crate::difficulty::{EffortRange, Grade, Meter, ScoreRange, Technique};
use crate::engine::EngineKind;
use crate::input::Column;
use crate::names::{NameSet, Named};
use crate::select::{AnswerIs, Conditions, Order, Pick, SortBy, Split, Stratum};
use std::num::{NonZeroU64, NonZeroUsize};
use std::ops::RangeInclusive;
use std::path::PathBuf;

const SELECT_ABOUT: &str = "\
Copy the rows that meet conditions, byte for byte

Reads everything that solve reads. A row is a line that should be a puzzle, or
the nine lines of a grid. Rows that meet all conditions are copied unchanged,
below the header of the input. Comments and empty lines are not copied. All
inputs must have the same header.";

const SELECT_AFTER: &str = "\
Steps: conditions, then --unseen, --every, --sample, --sort, --head, --split.
Ranges include both ends: 2..10, 4.5.., ..3.4, 24, and '>6.2' for --er.
Malformed rows: --status unique,multiple,none,conflict removes them.
Exit code 0: the run is complete, whether rows were selected or not.
Techniques and other exit codes: ninefold help formats

Examples:
  ninefold select puzzles.txt --status unique --minimal -o minimal.txt
  ninefold select train.csv --er 3.0..4.2 --sample 10000 -o medium.csv
  ninefold select test.csv --not-in train.csv -o clean.csv
  ninefold select hard.txt --sort effort --order descending --head 100
  ninefold select all.csv --unseen --split train=0.9,test=0.1 -o new.csv
                                           # new.train.csv and new.test.csv";

/// `ninefold select`
#[derive(Debug, Args)]
#[command(long_about = SELECT_ABOUT, after_long_help = SELECT_AFTER)]
#[command(next_help_heading = "Conditions")]
pub(in crate::cli) struct SelectArgs {
    /// Select by status
    #[arg(long, value_name = "STATUS", value_delimiter = ',')]
    #[arg(value_parser = statuses())]
    status: Option<Vec<Status>>,

    /// Select this number of clues: 17..25, 30.. or 24
    #[arg(long, value_name = "MIN..MAX", value_parser = parsers::clues)]
    #[arg(allow_negative_numbers = true)]
    clues: Option<RangeInclusive<usize>>,

    /// Select by answer
    ///
    /// Answers are checked by the rules, without solving.
    #[arg(long, value_name = "ANSWER", value_delimiter = ',')]
    #[arg(value_parser = parsers::named::<AnswerIs>())]
    answer: Option<Vec<AnswerIs>>,

    /// Select puzzles that these rules solve
    #[arg(long, value_name = "GRADE", value_delimiter = ',')]
    #[arg(value_parser = parsers::named::<Grade>())]
    grade: Option<Vec<Grade>>,

    /// Select by effort; see ninefold rate
    #[arg(long, value_name = "MIN..MAX")]
    #[arg(allow_negative_numbers = true)]
    effort: Option<EffortRange>,

    /// Measure the effort over N shuffles
    #[arg(long, value_name = "N", value_parser = shuffles)]
    #[arg(default_value_t = NonZeroUsize::new(Meter::DEFAULT_SHUFFLES).expect("it is not 0"))]
    #[arg(allow_negative_numbers = true)]
    pub(super) shuffles: NonZeroUsize,

    /// Select by Explainer rating, the hardest step
    #[arg(long, value_name = "MIN..MAX")]
    #[arg(allow_negative_numbers = true)]
    er: Option<ScoreRange>,

    /// Select by hardest technique, such as x-wing
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    #[arg(value_parser = parsers::named::<Technique>(), hide_possible_values = true)]
    technique: Option<Vec<Technique>>,

    /// Select puzzles without a redundant clue
    #[arg(long)]
    minimal: bool,

    /// Select puzzles that BANK does not have; repeatable
    ///
    /// Isomorphic puzzles are the same.
    #[arg(long, value_name = "BANK")]
    pub(super) not_in: Vec<PathBuf>,

    /// Forms in the banks
    ///
    /// Canonical forms are not computed again.
    #[arg(long, value_name = "FORM", default_value = "any", hide_default_value = true)]
    #[arg(value_parser = parsers::named::<Prepared>(), requires = "not_in")]
    pub(super) bank_form: Prepared,

    /// Read the puzzles of the banks from this field
    #[arg(long, value_name = "COLUMN", value_parser = reading::column)]
    #[arg(requires = "not_in")]
    pub(super) bank_column: Option<Column>,

    /// Keep each puzzle once
    ///
    /// HOW is isomorphic if not given. Takes up to 38 bytes of memory per puzzle.
    #[arg(long, value_name = "HOW", num_args = 0..=1, require_equals = true)]
    #[arg(default_missing_value = "isomorphic", value_parser = parsers::named::<Same>())]
    unseen: Option<Same>,

    /// Keep the first of every K rows
    #[arg(long, value_name = "K", help_heading = "Rows", default_value = "1")]
    #[arg(value_parser = every, allow_negative_numbers = true)]
    every: NonZeroU64,

    /// Keep N random rows; with --stratify, N of each
    ///
    /// The rows are in memory until the end, and are written in input order.
    #[arg(long, value_name = "N", help_heading = "Rows")]
    #[arg(value_parser = parsers::whole, allow_negative_numbers = true)]
    sample: Option<u64>,

    /// Sample each of these strata alone
    #[arg(long, value_name = "BY", help_heading = "Rows", requires = "sample")]
    #[arg(value_parser = parsers::named::<Stratum>())]
    stratify: Option<Stratum>,

    /// Draw sample and split with this seed
    #[arg(long, value_name = "S", help_heading = "Rows", default_value_t = Pick::default().seed)]
    seed: u64,

    /// Sort the rows
    ///
    /// Rows without the key come last.
    #[arg(long, value_name = "KEY", help_heading = "Rows", value_parser = parsers::named::<SortBy>())]
    sort: Option<SortBy>,

    /// Sort in this order
    #[arg(
        long,
        value_name = "ORDER",
        help_heading = "Rows",
        default_value = "ascending",
        hide_default_value = true
    )]
    #[arg(value_parser = parsers::named::<Order>(), requires = "sort")]
    order: Order,

    /// Keep the first N rows
    ///
    /// Reading stops there if the rows are not sorted or sampled.
    #[arg(long, value_name = "N", help_heading = "Rows")]
    #[arg(value_parser = parsers::whole, allow_negative_numbers = true)]
    head: Option<u64>,

    /// Divide the rows into files: train=0.9,test=0.1
    ///
    /// Requires -o: parts of out.csv are out.train.csv and out.test.csv. Isomorphic puzzles are in the
    /// same part. The shares add up to 1.
    #[arg(long, value_name = "PARTS", help_heading = "Rows", requires = "output")]
    pub(super) split: Option<Split>,

    /// Solve with this engine; see ninefold engines
    #[arg(long, value_name = "NAME", default_value = EngineKind::default().name())]
    #[arg(value_parser = parsers::named::<EngineKind>(), hide_possible_values = true)]
    #[arg(help_heading = "Execution", hide_default_value = true)]
    pub(super) engine: EngineKind,

    /// Write rows to FILE instead of standard output
    ///
    /// FILE.partial has the rows until the run is complete. FILE is compressed if it ends in .gz
    /// or .zst, and Parquet if in .parquet.
    #[arg(short, long, value_name = "FILE", value_parser = parsers::output())]
    #[arg(help_heading = "Output")]
    pub(super) output: Option<PathBuf>,

    /// Replace existing output files
    #[arg(short, long, help_heading = "Output")]
    pub(super) force: bool,

    #[command(flatten)]
    pub(super) running: RunArgs,

    #[command(flatten)]
    pub(super) reading: InputArgs,
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
