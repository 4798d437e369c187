//! `ninefold verify`: opens, runs, reports.

mod args;
mod table;

pub(super) use args::VerifyArgs;

use super::banks::{self, BankReading};
use super::exit::{Error, Outcome, say};
use super::histogram::Bars;
use super::open;
use super::progress::Bar;
use super::reading;
use super::signals::Signals;
use super::slowest;
use super::standard::is_standard;
use indicatif::HumanCount;
use crate::bank::{Bank, Load, Prepared, Same};
use crate::difficulty::Meter;
use crate::input::{Layout, Source};
use crate::output::{ColumnType, Sink, Table};
use crate::pipeline::{Control, Event, Pipeline};
use crate::verify::{Checks, Columns, FindingSet, Manner, Verify, View};
use std::fs;
use std::io;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use table::Summary;

/// Judges every puzzle of the inputs.
pub(super) fn run(args: &VerifyArgs) -> Result<Outcome, Error> {
    if let Some(outcome) = args.reading.explain_answers()? {
        return Ok(outcome);
    }
    if is_parquet(args) {
        open::check_csv(view(args))?;
    }
    if args.rate && view(args) == View::Report {
        let reason = "the report has no columns; use --format csv or jsonl";
        return Err(Error::Failed(format!("--rate: {reason}")));
    }
    let mut sources = args.reading.open()?;
    let answers = args.solutions.as_deref().map(|path| open_answers(args, path)).transpose()?;
    let others = [("--stats-json", "statistics", &args.running.stats_json)];
    let also_read: Vec<_> = args.solutions.iter().chain(&args.against).map(|p| &**p).collect();
    open::check(&args.reading, &also_read, args.output.as_deref(), &others)?;
    let path = args.output.as_deref().filter(|path| !is_standard(path));
    let mut plan = open::plan(path, args.running.stats_json.as_deref(), args.force);
    plan.check()?;
    let mut banks = open_banks(args)?;
    if answers.is_some() {
        args.reading.find_layouts(&mut sources, args.running.quiet)?;
    } else {
        args.reading.find_answers(&mut sources, args.running.quiet)?;
        require_answers(args, &sources)?;
    }
    let reading = BankReading {
        prepared: args.bank_form,
        column: args.bank_column.clone(),
        blanks: args.reading.hints().blanks,
    };
    reading.find_layouts(&mut banks, args.running.quiet)?;
    let signals = Signals::prepare(args.running.grace);
    // Nothing is written if the answers belong to other puzzles.
    rehearse(args, &signals)?;
    let verify = verify(args);
    let bank = if banks.is_empty() { None } else { Some(load(args, &verify, banks, &signals)?) };
    if is_parquet(args) {
        let names_files = sources.len() > 1 || args.solutions.is_some();
        let columns = Columns { names_files, rated: args.rate, in_bank: !args.against.is_empty() };
        let typed = |name: &str| (name.to_owned(), ColumnType::of_own(name));
        plan.outputs[0].table = Some(Table::new(columns.names().into_iter().map(typed).collect()));
    }
    let mut output = open::begin(plan)?;
    signals.run_begins();

    let mut bar = args.running.bar_among_records(&args.reading, &sources);
    let mut observer = |event: &Event| bar.tell(event);
    let control = Control::new(signals.cancel()).observed_by(&mut observer);
    let report = match verify.write_against(sources, answers, bank, &mut output, control) {
        Ok(report) => report,
        Err(error) => {
            return Err(open::left(signals.error(error), &output.suspend(), "records"));
        }
    };
    bar.finish();

    let mut said = String::new();
    output.commit(|time| {
        let summary = Summary { report: &report, verify: &verify, time };
        said = summary.table(Bars::on_stderr());
        let slowest = report.slowest.as_ref();
        if let Some(slowest) = slowest {
            said = format!("{said}\n{}", slowest::in_words(slowest));
        }
        slowest::in_json(summary.to_json(), &args.running, slowest)
    })?;
    if !args.running.quiet {
        say(said);
    }
    let missing = table::lacking(&report.total);
    if args.require_answers && missing > 0 {
        let puzzles = if missing == 1 { "puzzle has" } else { "puzzles have" };
        return Err(Error::Failed(format!(
            "--require-answers: {} {puzzles} no answer",
            HumanCount(missing)
        )));
    }
    Ok(if report.all_pass() { Outcome::AllAnswered } else { Outcome::SomeUnanswered })
}

/// Reads the answers beside the puzzles once before the run, if both can be read twice. An error then
/// comes before the first record.
fn rehearse(args: &VerifyArgs, signals: &Signals) -> Result<(), Error> {
    let Some(answers) = args.solutions.as_deref() else { return Ok(()) };
    let is_file = |path: &Path| fs::metadata(path).is_ok_and(|about| about.is_file());
    let mut inputs = args.reading.inputs.iter();
    if args.reading.reads_stdin() || !inputs.all(|path| is_file(path)) || !is_file(answers) {
        return Ok(());
    }
    let mut sources = args.reading.open()?;
    args.reading.find_layouts(&mut sources, true)?;
    let rehearsal = Verify {
        checks: Checks { trust_unique: true, ..Checks::default() },
        manner: Manner { select: FindingSet::EMPTY, ..Manner::default() },
        ..verify(args)
    };
    let rehearsal = Verify { duplicates: None, show_two: false, ..rehearsal };
    let sink = Sink::from_writer("nothing", io::sink());
    let control = Control::new(signals.cancel());
    let ran = rehearsal.run(sources, Some(open_answers(args, answers)?), sink, control);
    ran.map(|_| ()).map_err(|error| signals.error(error))
}

/// Fails if answers are required and an input has no field for them.
fn require_answers(args: &VerifyArgs, sources: &[Source]) -> Result<(), Error> {
    let has_none = |source: &&Source| {
        let layout = source.layout();
        let has_answers = |layout: &Layout| layout.has_solutions() || layout.answers().found > 0;
        source.length() != Some(0) && !layout.is_some_and(|layout| has_answers(layout))
    };
    match sources.iter().find(has_none).filter(|_| args.require_answers) {
        Some(source) => Err(Error::Failed(format!(
            "{}: --require-answers: no answers found; --solutions FILE or --columns \
             solution=COLUMN names them",
            source.name()
        ))),
        None => Ok(()),
    }
}

/// Whether records go to a Parquet file.
fn is_parquet(args: &VerifyArgs) -> bool {
    open::is_parquet(args.output.as_deref())
}

/// The format of the records.
fn view(args: &VerifyArgs) -> View {
    args.format.unwrap_or(if is_parquet(args) { View::Csv } else { View::Report })
}

/// What was asked for.
fn verify(args: &VerifyArgs) -> Verify {
    Verify {
        engine: args.engine,
        simd: args.running.level(),
        max_branches: args.running.max_branches,
        checks: Checks {
            trust_unique: args.trust_unique,
            minimal: args.minimal,
            clues: args.clues.clone(),
            rate_over: if args.rate { NonZeroUsize::new(Meter::DEFAULT_SHUFFLES) } else { None },
        },
        duplicates: args.duplicates,
        show_two: args.show_two,
        manner: Manner {
            view: view(args),
            blank: args.reading.written_blank(),
            header: args.reading.writes_header() && !is_parquet(args),
            select: args.select(),
        },
        pipeline: Pipeline { threads: args.running.threads, ..Pipeline::default() },
    }
}

/// The banks, opened.
fn open_banks(args: &VerifyArgs) -> Result<Vec<Source>, Error> {
    if args.against_by == Same::Exact && args.bank_form != Prepared::Any {
        let reason = "the banks hold canonical forms, which --against-by exact does not compare";
        return Err(Error::Failed(format!("--bank-form {}: {reason}", args.bank_form)));
    }
    if args.trust_unique && args.bank_form == Prepared::Solution {
        let reason = "with --trust-unique nothing is solved, so puzzles have no such form";
        return Err(Error::Failed(format!("--bank-form solution: {reason}")));
    }
    let open = |path: &PathBuf| {
        if is_standard(path) {
            let reason = "standard input cannot be a bank; name a file";
            return Err(Error::Failed(format!("--against -: {reason}")));
        }
        // Mapped pages would count as memory of the process: as many bytes as the bank has.
        reading::open(path, None)
    };
    args.against.iter().map(open).collect()
}

/// Loads the banks, and says which lines of them are not puzzles.
fn load(
    args: &VerifyArgs,
    verify: &Verify,
    banks: Vec<Source>,
    signals: &Signals,
) -> Result<Bank, Error> {
    let load = Load {
        same: args.against_by,
        solved: !args.trust_unique,
        prepared: args.bank_form,
        engine: args.engine,
        simd: verify.simd,
        max_branches: verify.max_branches,
        pipeline: verify.pipeline,
    };
    let shows_bar = args.running.shows_bar(args.output.as_deref().filter(|it| !is_standard(it)));
    let bytes = banks.iter().map(Source::bytes).sum();
    let mut bar = if shows_bar { Bar::shown(bytes) } else { Bar::hidden() };
    let mut observer = |event: &Event| bar.tell(event);
    let control = Control::new(signals.cancel()).observed_by(&mut observer);
    let bank = load.load(banks, control).map_err(|error| signals.error(error))?;
    bar.finish();
    if !args.running.quiet {
        banks::tell_malformed(&bank);
    }
    Ok(bank)
}

fn open_answers(args: &VerifyArgs, path: &Path) -> Result<Source, Error> {
    if is_standard(path) {
        let reason = "standard input cannot be the answers; name a file";
        return Err(Error::Failed(format!("--solutions -: {reason}")));
    }
    reading::open(path, args.reading.mapping())
}
