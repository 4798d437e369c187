//! The arguments of `ninefold verify`.

use super::record::columns;
use super::summary::{self, Found};
use super::{Finding, MatchedBy, Verify};
use crate::bank::{Prepared, Same};
use crate::cli::banks::{BankArgs, Banks, open};
use crate::cli::exit::{Error, refuse};
use crate::cli::parsers;
use crate::cli::plot::PlotArgs;
use crate::cli::reading::InputArgs;
use crate::cli::run::{Declared, Job, Ran, Started, skipped_comments};
use crate::cli::signals::Signals;
use crate::cli::writing::{RecordsArgs, formats, terms};
use crate::difficulty::Gauge;
use crate::input::{Contradictions, Layout, Source};
use crate::output::{Format, Style};
use crate::rate::plot::difficulty;
use crate::run::{self, Command as _, Counts, Report, Shape};
use clap::Arg;
use indicatif::HumanCount;
use ninefold_bench::counted;
use serde_json::{Value, json};
use std::num::NonZeroUsize;
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
fn with_help(arg: Arg, text: &'static str) -> Arg {
    arg.help(text.lines().next().unwrap_or_default()).long_help(text)
}

/// An option about faults.
fn of_faults(arg: Arg, text: &'static str) -> Arg {
    with_help(terms::<Finding>(arg), text).value_name("FAULT").hide_possible_values(true)
}

/// `ninefold verify`
#[derive(clap::Args)]
#[command(long_about = ABOUT, after_long_help = AFTER)]
#[command(mut_arg("format", |arg| with_help(formats(FORMATS)(arg), FORMAT)))]
#[command(mut_arg("only", |arg| of_faults(arg, ONLY)))]
#[command(mut_arg("except", |arg| of_faults(arg, "Write all faults but these")))]
#[command(mut_arg("color", |arg| arg.hide(true)))]
#[command(mut_arg("rejects", |arg| arg.help("Write input lines with a fault to FILE")))]
#[command(next_help_heading = "Checks")]
pub(crate) struct VerifyArgs {
    /// Read the answers from FILE
    ///
    /// They are matched by a field `line`, by puzzle, or by position. FILE must be in the order of the
    /// puzzles. A FILE of another length or of other puzzles is refused.
    #[arg(long, value_name = "FILE")]
    solutions: Option<PathBuf>,

    /// Fail with exit code 2 if a puzzle has no answer
    #[arg(long)]
    require_answers: bool,

    #[command(flatten)]
    pub(super) verify: Verify,

    /// Report puzzles that BANK contains; repeatable
    ///
    /// BANK is any input of puzzles. Takes as much memory as --duplicates.
    #[arg(long, value_name = "BANK", group = "Banks")]
    pub(super) against: Vec<PathBuf>,

    /// Compare with the banks exactly or up to symmetry
    #[arg(long, value_name = "HOW", default_value = Same::Isomorphic.name())]
    #[arg(value_parser = parsers::named::<Same>(), requires = "against")]
    against_by: Same,

    #[command(flatten)]
    banks: BankArgs,

    #[command(flatten)]
    plot: PlotArgs,

    #[command(flatten)]
    pub(super) records: RecordsArgs,

    #[command(flatten)]
    reading: InputArgs,

    #[arg(skip)]
    answers: Option<Source>,
    #[arg(skip)]
    pub(super) matched_by: Option<MatchedBy>,
}

impl VerifyArgs {
    const fn found<'a>(&'a self, counts: &'a Counts) -> Found<'a> {
        Found { args: self, counts }
    }

    /// Refuses what does not go together.
    fn check(&self) -> Result<(), Error> {
        let (verify, form) = (&self.verify, self.banks.bank_form);
        let is_shard = self.records.shard.is_some_and(|shard| shard.count() > 1);
        let of_form = format!("--bank-form {form}");
        let reason = "the report has no columns; use --format csv or jsonl";
        refuse(verify.rate && self.format() == Format::Report, "--rate", reason)?;
        let reason = "the banks hold canonical forms, which --against-by exact does not compare";
        refuse(self.against_by == Same::Exact && form != Prepared::Any, &of_form, reason)?;
        let reason = "with --trust-unique nothing is solved, so puzzles have no such form";
        refuse(verify.trust_unique && form == Prepared::Solution, &of_form, reason)?;
        let reason = "a shard does not see the puzzles of the others; run without --shard";
        refuse(is_shard && verify.duplicates.is_some(), "--duplicates", reason)?;
        let reason = "answers are matched from the first puzzle on; run without --shard, or use a table that has \
                      puzzles and solutions";
        refuse(is_shard && self.solutions.is_some(), "--solutions", reason)
    }
}

/// Whether an input has a field for answers, or is empty.
fn has_answers(source: &Source) -> bool {
    let has = |layout: &Arc<Layout>| layout.has_solutions() || layout.sampled.answers > 0;
    source.length() == Some(0) || source.layout().is_some_and(has)
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
        Declared::of::<Finding>("verify", &self.verify, format)
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

    fn without_answers(&self) -> Option<&'static str> {
        self.solutions.is_none().then_some("answers are not checked")
    }

    fn prepare(&mut self, sources: &[Source], signals: &Signals) -> Result<(), Error> {
        let lacking = sources.iter().find(|source| !has_answers(source));
        if let Some(source) = lacking.filter(|_| self.require_answers && self.solutions.is_none()) {
            let option = format!("{}: --require-answers", source.name());
            return Err(Error::Failed(format!("{option}: no answers found; {}", summary::HOW)));
        }
        self.check()?;
        self.plot.check(self.records.writing.force)?;
        let mapping = self.reading.mapping();
        let answers = self.solutions.as_deref();
        let answers = answers.map(|path| open(path, "--solutions", "the answers", mapping));
        self.answers = answers.transpose()?;
        let banks = Banks {
            same: self.against_by,
            solved: !self.verify.trust_unique,
            ..Banks::new("--against", &self.against, &self.banks, &self.reading)
        };
        self.verify.bank = banks.load(&self.records.running, signals)?;
        Ok(())
    }

    fn restarts(&self) -> Option<&'static str> {
        match (self.verify.duplicates, &self.solutions) {
            (Some(_), _) => Some("duplicates are looked for among all puzzles"),
            (None, Some(_)) => {
                Some("the answers of --solutions are read in the order of the puzzles")
            }
            (None, None) => None,
        }
    }

    fn write(&mut self, run: Started<'_>) -> Result<Report, run::Error> {
        let Started { run, sources, output, control } = run;
        self.verify.search = self.records.running.search(control.cancel());
        let answers = self.answers.take();
        let report;
        (report, self.matched_by) = self.verify.run(run, sources, answers, output, control)?;
        Ok(report)
    }

    fn summary(&self, ran: &Ran<'_>) -> String {
        let mut text = self.found(&ran.report.total).table(ran.shape);
        if let Some(bank) = &self.verify.bank {
            text += &format!("bank: {} puzzles\n", HumanCount(bank.puzzles));
        }
        text += &skipped_comments(ran.report.total.comments);
        text.trim_end().to_owned()
    }

    fn last_words(&self, ran: &Ran<'_>) -> String {
        let engine = if self.verify.trust_unique {
            "nothing solved".to_owned()
        } else {
            self.records.running.engine_in_words()
        };
        engine + &self.found(&ran.report.total).unchecked()
    }

    fn describe(&self, ran: &Ran<'_>, object: &mut Value) {
        for (place, input) in ran.report.inputs.iter().enumerate() {
            self.found(&input.counts).describe(&mut object["inputs"][place]);
        }
        self.found(&ran.report.total).describe(object);
        object["answers_matched_by"] = json!(self.matched_by.map(MatchedBy::name));
        if let Some(bank) = &self.verify.bank {
            object["bank"] = json!({ "puzzles": bank.puzzles, "malformed": bank.malformed });
        }
    }

    fn finish(&self, shape: &Shape, inputs: &[(&str, &Counts)]) -> Result<(), Error> {
        let rated = NonZeroUsize::new(Gauge::DEFAULT_SHUFFLES).filter(|_| self.verify.rate);
        self.plot.write(self.records.writing.force, || difficulty(shape, inputs, rated))
    }

    fn is_complete(&self, shape: &Shape, total: &Counts) -> Result<bool, Error> {
        let missing = self.found(total).lacking();
        let have = if missing == 1 { "has" } else { "have" };
        let reason = format!("{} {have} no answer", counted(missing, "puzzle"));
        refuse(self.require_answers && missing > 0, "--require-answers", &reason)?;
        let is_as_decided = shape.contradictions(total) == Contradictions::default();
        Ok(is_as_decided && shape.get(total, "passed")[0] == total.puzzles)
    }
}
