//! The arguments of `ninefold verify`.

use super::record::columns;
use super::summary::{self, Found};
use super::{Finding, Verified, Verify};
use crate::bank::{Bank, Prepared, Same};
use crate::cli::banks::{Banks, open};
use crate::cli::exit::Error;
use crate::cli::parsers;
use crate::cli::plot::PlotArgs;
use crate::cli::reading::{self, InputArgs};
use crate::cli::run::{Declared, Job, Ran, Started};
use crate::cli::signals::Signals;
use crate::cli::writing::{RecordsArgs, formats, terms};
use crate::difficulty::Meter;
use crate::input::{Column as InputColumn, Contradictions, Layout, Source};
use crate::output::{Format, Style};
use crate::pipeline::Cancel;
use crate::rate::plot::difficulty;
use crate::run::{self, Command as _, Counts, Report, Shape};
use indicatif::HumanCount;
use serde_json::Value;
use std::num::NonZeroUsize;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The formats of records.
const FORMATS: &[Format] = &[Format::Report, Format::Csv, Format::Jsonl];

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

const FORMAT: &str = "\
Write records in this format [default: report]

report has a line for each fault; csv and jsonl have a record for every puzzle.";

const ONLY: &str = "\
Write only these faults; see ninefold help formats

A list separated by commas. csv and jsonl have the lines with one of these faults. Other faults are \
still counted, also for the exit code.";

/// The option with another text, whose first line is the short one.
fn with_help(arg: clap::Arg, text: &'static str) -> clap::Arg {
    arg.help(text.lines().next().unwrap_or_default()).long_help(text)
}

/// `ninefold verify`
#[derive(clap::Args)]
#[command(long_about = ABOUT, after_long_help = AFTER)]
#[command(mut_arg("format", |arg| with_help(formats(FORMATS)(arg), FORMAT)))]
#[command(mut_arg("only", |arg| {
    with_help(terms::<Finding>(arg), ONLY).value_name("FAULT").hide_possible_values(true)
}))]
#[command(mut_arg("except", |arg| {
    with_help(terms::<Finding>(arg), "Write all faults but these").value_name("FAULT")
}))]
#[command(mut_arg("color", |arg| arg.hide(true)))]
#[command(mut_arg("rejects", |arg| arg.help("Write input lines with a fault to FILE")))]
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
    require_answers: bool,

    /// Do not solve; trust that legal puzzles are unique
    ///
    /// Checks form, rules and answers only, near memory speed.
    #[arg(long, conflicts_with_all = ["minimal", "show_two", "grade"])]
    pub(super) trust_unique: bool,

    /// Report redundant clues
    ///
    /// A clue is redundant if the puzzle is still unique without it. A cell of a
    /// sukaku is redundant if it can have all nine candidates.
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
    against_by: Same,

    /// The banks hold canonical forms of this kind
    ///
    /// Loading is faster, because forms are not computed. A sample of them is checked.
    #[arg(long, value_name = "FORM", default_value = Prepared::default().name())]
    #[arg(value_parser = parsers::named::<Prepared>(), requires = "against")]
    bank_form: Prepared,

    /// Read the puzzles of the banks from this field
    #[arg(long, value_name = "COLUMN", value_parser = reading::column, requires = "against", hide_short_help = true)]
    bank_column: Option<InputColumn>,

    /// Add the simplest rules that solve each puzzle
    ///
    /// The summary counts the puzzles that naked singles, singles, and locked candidates solve, and those that
    /// need search; csv and jsonl have the column grade. Doubles the time of a run.
    #[arg(long)]
    pub(super) grade: bool,

    /// Add effort, Explainer rating and grade
    ///
    /// See ninefold rate. Requires --format csv or jsonl. Takes about 150 µs per puzzle.
    #[arg(long, conflicts_with = "trust_unique")]
    pub(super) rate: bool,

    /// Rate up to a score of X: a puzzle above has no er, and a column says so
    ///
    /// The column `er_bound` is `above X` then.
    #[arg(long, value_name = "X", value_parser = parsers::score, requires = "rate", hide_short_help = true)]
    max_er: Option<u8>,

    /// Require this number of clues: 17..30, 17.., ..30 or 17
    #[arg(long, value_name = "MIN..MAX", value_parser = parsers::clues, default_value = "0..81")]
    #[arg(hide_default_value = true)]
    pub(super) clues: RangeInclusive<usize>,

    /// Show two solutions of a puzzle that has several
    #[arg(long)]
    show_two: bool,

    #[command(flatten)]
    plot: PlotArgs,

    #[command(flatten)]
    pub(super) records: RecordsArgs,

    #[command(flatten)]
    reading: InputArgs,

    /// What is read besides the inputs, once it is opened, and what was found with it.
    #[arg(skip)]
    answers: Option<Source>,
    #[arg(skip)]
    pub(super) bank: Option<Arc<Bank>>,
    #[arg(skip)]
    pub(super) verified: Option<Verified>,
}

impl VerifyArgs {
    fn verify(&self, cancel: &Cancel) -> Verify {
        Verify {
            trust_unique: self.trust_unique,
            minimal: self.minimal,
            clues: self.clues.clone(),
            grade: self.grades(),
            rate: self.rate,
            max_er: self.max_er,
            duplicates: self.duplicates,
            bank: self.bank.clone(),
            show_two: self.show_two,
            search: self.records.running.search(cancel),
        }
    }

    /// Whether puzzles are graded.
    pub(super) const fn grades(&self) -> bool {
        self.grade || self.rate
    }

    /// Fails if answers are required and an input has no field for them.
    fn check_answers(&self, sources: &[Source]) -> Result<(), Error> {
        let has_none = |source: &&Source| {
            let layout = source.layout();
            let has_answers =
                |layout: &Layout| layout.has_solutions() || layout.sampled().answers > 0;
            source.length() != Some(0) && !layout.is_some_and(|it| has_answers(it))
        };
        match sources.iter().find(has_none).filter(|_| self.require_answers) {
            Some(source) => Err(Error::Failed(format!(
                "{}: --require-answers: no answers found; --solutions FILE or --columns \
                 solution=COLUMN names them",
                source.name()
            ))),
            None => Ok(()),
        }
    }

    /// Refuses what does not go together.
    fn check(&self) -> Result<(), Error> {
        let failed = |what: String| Err(Error::Failed(what));
        if self.rate && self.format() == Format::Report {
            let reason = "the report has no columns; use --format csv or jsonl";
            return failed(format!("--rate: {reason}"));
        }
        if self.against_by == Same::Exact && self.bank_form != Prepared::Any {
            let reason =
                "the banks hold canonical forms, which --against-by exact does not compare";
            return failed(format!("--bank-form {}: {reason}", self.bank_form));
        }
        if self.trust_unique && self.bank_form == Prepared::Solution {
            let reason = "with --trust-unique nothing is solved, so puzzles have no such form";
            return failed(format!("--bank-form solution: {reason}"));
        }
        let shard = self.records.shard.filter(|shard| shard.count() > 1);
        if shard.is_some() && self.duplicates.is_some() {
            let reason = "a shard does not see the puzzles of the others; run without --shard";
            return failed(format!("--duplicates: {reason}"));
        }
        if shard.is_some() && self.solutions.is_some() {
            let reason = "answers are matched from the first puzzle on; run without --shard, or use a \
                          table that has puzzles and solutions";
            return failed(format!("--solutions: {reason}"));
        }
        Ok(())
    }
}

/// The declaration of the records, and of the counts with or without `--rate`.
pub(crate) fn declared(rate: bool) -> Declared {
    let verify = Verify { rate, ..Verify::default() };
    Declared::new::<Finding>("verify", columns(), verify.counts())
}

impl Job for VerifyArgs {
    fn args(&self) -> (&RecordsArgs, Option<&InputArgs>) {
        (&self.records, Some(&self.reading))
    }

    fn declared(&self, format: Format) -> Declared {
        Declared::of::<Finding>("verify", &self.verify(&Cancel::default()), format)
    }

    fn format(&self) -> Format {
        self.records.writing.format(Format::Report)
    }

    fn style(&self, style: &mut Style) {
        style.input_names |= self.solutions.is_some();
    }

    fn also_read(&self) -> Vec<&Path> {
        self.solutions.iter().chain(&self.against).map(PathBuf::as_path).collect()
    }

    fn other_output(&self) -> Option<(&'static str, &'static str, &Option<PathBuf>)> {
        Some(("--plot", "chart", &self.plot.plot))
    }

    fn reads_answers(&self) -> bool {
        self.solutions.is_none()
    }

    fn prepare(&mut self, sources: &[Source], signals: &Signals) -> Result<(), Error> {
        if self.solutions.is_none() {
            self.check_answers(sources)?;
        }
        self.check()?;
        self.plot.check(self.records.writing.force)?;
        let mapping = self.reading.mapping();
        let answers = self.solutions.as_deref();
        let answers = answers.map(|path| open(path, "--solutions", "the answers", mapping));
        self.answers = answers.transpose()?;
        let banks = Banks {
            same: self.against_by,
            solved: !self.trust_unique,
            prepared: self.bank_form,
            column: self.bank_column.as_ref(),
            ..Banks::new("--against", &self.against, &self.reading)
        };
        self.bank = banks.load(&self.records.running, signals)?;
        Ok(())
    }

    fn restarts(&self) -> Option<&'static str> {
        match (self.duplicates, &self.solutions) {
            (Some(_), _) => Some("duplicates are looked for among all puzzles"),
            (None, Some(_)) => {
                Some("the answers of --solutions are read in the order of the puzzles")
            }
            (None, None) => None,
        }
    }

    fn write(&mut self, run: Started<'_>) -> Result<Report, run::Error> {
        let Started { run, sources, output, control } = run;
        let verify = self.verify(control.cancel());
        let answers = self.answers.take();
        let verified = verify.run(run, sources, answers, output, control)?;
        Ok(self.verified.insert(verified).report.clone())
    }

    fn summary(&self, ran: &Ran<'_>) -> String {
        summary::text(self, ran)
    }

    fn last_words(&self, ran: &Ran<'_>) -> String {
        let engine = if self.trust_unique {
            "nothing solved".to_owned()
        } else {
            self.records.running.engine_in_words()
        };
        match (Found { args: self, counts: &ran.report.total }).unchecked() {
            Some(unchecked) => format!("{engine}\n{unchecked}"),
            None => engine,
        }
    }

    fn describe(&self, ran: &Ran<'_>, object: &mut Value) {
        summary::describe(self, ran, object);
    }

    fn finish(&self, shape: &Shape, inputs: &[(&str, &Counts)]) -> Result<(), Error> {
        let rated = NonZeroUsize::new(Meter::DEFAULT_SHUFFLES).filter(|_| self.rate);
        self.plot.write(self.records.writing.force, || difficulty(shape, inputs, rated))
    }

    fn is_complete(&self, shape: &Shape, total: &Counts) -> Result<bool, Error> {
        let missing = Found { args: self, counts: total }.lacking();
        if self.require_answers && missing > 0 {
            let puzzles = if missing == 1 { "puzzle has" } else { "puzzles have" };
            return Err(Error::Failed(format!(
                "--require-answers: {} {puzzles} no answer",
                HumanCount(missing)
            )));
        }
        let is_as_decided = shape.contradictions(total) == Contradictions::default();
        Ok(is_as_decided && shape.get(total, "passed")[0] == total.puzzles)
    }
}
