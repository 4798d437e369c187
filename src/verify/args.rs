//! The arguments of `ninefold verify`.

use super::super::parsers;
use super::super::reading::{self, InputArgs};
use super::super::running::RunArgs;
use clap::Args;
use crate::bank::{Prepared, Same};
use crate::engine::EngineKind;
use crate::input::Column;
use crate::verify::{Finding, FindingSet, View};
use std::ops::RangeInclusive;
use std::path::PathBuf;

const ABOUT: &str = "\
Check a collection: is every puzzle legal, unique, correctly answered, new?

Reads everything that solve reads. Each puzzle must be well-formed and legal,
and have exactly one solution. An answer from a field of solutions or from
--solutions must be full, legal, and keep every clue. Answers are checked by the
rules, without solving. Writes one line per fault, and a summary.";

const AFTER: &str = "\
Record formats, faults and exit codes: ninefold help formats

Examples:
  ninefold verify puzzles.txt
  ninefold verify --trust-unique sudoku.csv      # only the answers
  ninefold verify puzzles.txt --solutions solutions.txt
  ninefold verify test.csv --against train.csv  # leaks of a test set
  ninefold verify --format csv puzzles.txt -o verdicts.csv";

/// `ninefold verify`
#[derive(Debug, Args)]
#[command(long_about = ABOUT, after_long_help = AFTER)]
#[command(next_help_heading = "Checks")]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch that the user may set")]
pub(crate) struct VerifyArgs {
    /// Read the answers from FILE
    ///
    /// They are matched by a field `line`, by puzzle, or by position. FILE must be in the order of the
    /// puzzles. A FILE of another length or of other puzzles is refused.
    #[arg(long, value_name = "FILE")]
    pub(super) solutions: Option<PathBuf>,

    /// Fail with exit code 2 if a puzzle has no answer
    #[arg(long)]
    pub(super) require_answers: bool,

    /// Do not solve; trust that legal puzzles are unique
    ///
    /// Checks form, rules and answers only, near memory speed. Puzzles are not graded.
    #[arg(long, conflicts_with_all = ["minimal", "show_two"])]
    pub(super) trust_unique: bool,

    /// Report redundant clues
    ///
    /// A clue is redundant if the puzzle is still unique without it. Sukakus are not checked.
    #[arg(long)]
    pub(super) minimal: bool,

    /// Report puzzles that occur twice, in any input
    ///
    /// HOW is exact if not given; isomorphic compares up to symmetry (see ninefold canon). Takes up to
    /// 38 bytes of memory per puzzle.
    #[arg(long, value_name = "HOW", num_args = 0..=1, require_equals = true)]
    #[arg(default_missing_value = Same::Exact.name(), value_parser = parsers::named::<Same>())]
    pub(super) duplicates: Option<Same>,

    /// Report puzzles that BANK contains; repeatable
    ///
    /// BANK is any input of puzzles. Takes as much memory as --duplicates.
    #[arg(long, value_name = "BANK")]
    pub(super) against: Vec<PathBuf>,

    /// Compare with the banks exactly or up to symmetry
    #[arg(long, value_name = "HOW", default_value = Same::Isomorphic.name())]
    #[arg(value_parser = parsers::named::<Same>(), requires = "against")]
    pub(super) against_by: Same,

    /// The banks hold canonical forms of this kind
    ///
    /// Loading is faster, because forms are not computed. A sample of them is checked.
    #[arg(long, value_name = "FORM", default_value = Prepared::default().name())]
    #[arg(value_parser = parsers::named::<Prepared>(), requires = "against")]
    pub(super) bank_form: Prepared,

    /// Read the puzzles of the banks from this field
    #[arg(long, value_name = "COLUMN", value_parser = reading::column, requires = "against")]
    pub(super) bank_column: Option<Column>,

    /// Add effort and Explainer rating to the records
    ///
    /// See ninefold rate. Requires --format csv or jsonl. Takes about 30 µs per puzzle.
    #[arg(long, conflicts_with = "trust_unique")]
    pub(super) rate: bool,

    /// Require this number of clues: 17..30, 17.., ..30 or 17
    #[arg(long, value_name = "MIN..MAX", value_parser = parsers::clues, default_value = "0..81")]
    #[arg(hide_default_value = true)]
    pub(super) clues: RangeInclusive<usize>,

    /// Show two solutions of a puzzle that has several
    #[arg(long)]
    pub(super) show_two: bool,

    /// Solve with this engine; see ninefold engines
    #[arg(long, value_name = "NAME", default_value = EngineKind::default().name())]
    #[arg(value_parser = parsers::named::<EngineKind>(), hide_possible_values = true)]
    pub(super) engine: EngineKind,

    /// Write records to FILE instead of standard output
    ///
    /// FILE.partial has the records until the run is complete. FILE is compressed if it ends in .gz
    /// or .zst, and Parquet if in .parquet.
    #[arg(short, long, value_name = "FILE", value_parser = parsers::output(), help_heading = "Output")]
    pub(super) output: Option<PathBuf>,

    /// Replace existing output files
    ///
    /// Also replaces partial files of earlier runs. An old file stays until the new one is complete.
    #[arg(short, long, help_heading = "Output")]
    pub(super) force: bool,

    /// Write records in this format [default: report]
    ///
    /// report has a line for each fault; csv and jsonl have a record for every puzzle.
    #[arg(long, value_name = "FORMAT", value_parser = parsers::named::<View>())]
    #[arg(help_heading = "Output")]
    pub(super) format: Option<View>,

    /// Write only these faults; see ninefold help formats
    ///
    /// A list separated by commas. csv and jsonl have the lines with one of these faults. Other
    /// faults are still counted, also for the exit code.
    #[arg(long, value_name = "FAULT", value_delimiter = ',', value_parser = parsers::named::<Finding>())]
    #[arg(conflicts_with = "except", hide_possible_values = true, help_heading = "Output")]
    pub(super) only: Option<Vec<Finding>>,

    /// Write all faults but these
    #[arg(long, value_name = "FAULT", value_delimiter = ',', value_parser = parsers::named::<Finding>())]
    #[arg(hide_possible_values = true, help_heading = "Output")]
    pub(super) except: Option<Vec<Finding>>,

    #[command(flatten)]
    pub(super) running: RunArgs,

    #[command(flatten)]
    pub(super) reading: InputArgs,
}

impl VerifyArgs {
    /// Which faults, or lines, are written.
    pub(super) fn select(&self) -> FindingSet {
        match (&self.only, &self.except) {
            (Some(only), _) => FindingSet::of(only),
            (None, Some(except)) => FindingSet::of(except).complement(),
            (None, None) => FindingSet::ALL,
        }
    }
}
