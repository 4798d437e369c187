//! `ninefold verify`: opens, runs, reports.

mod args;
mod table;

pub(super) use args::VerifyArgs;

use super::exit::{Error, Outcome, say};
use super::open;
use super::reading;
use super::signals::Signals;
use super::standard::is_standard;
use indicatif::HumanCount;
use ninefold::input::Source;
use ninefold::pipeline::{Control, Event, Pipeline};
use ninefold::verify::{Checks, Manner, Verify};
use std::io::{self, IsTerminal};
use std::path::Path;
use table::Summary;

/// Judges every puzzle of the inputs.
pub(super) fn run(args: &VerifyArgs) -> Result<Outcome, Error> {
    if let Some(outcome) = args.reading.explain_answers()? {
        return Ok(outcome);
    }
    let mut sources = args.reading.open()?;
    let answers = args.solutions.as_deref().map(|path| open_answers(args, path)).transpose()?;
    let others = [("--stats-json", "statistics", &args.running.stats_json)];
    open::check(&args.reading, args.solutions.as_deref(), args.output.as_deref(), &others)?;
    let path = args.output.as_deref().filter(|path| !is_standard(path));
    let plan = open::plan(path, args.running.stats_json.as_deref(), args.force);
    plan.check()?;
    if answers.is_some() {
        args.reading.find_layouts(&mut sources, args.running.quiet)?;
    } else {
        args.reading.find_answers(&mut sources, args.running.quiet)?;
        require_answers(args, &sources)?;
    }
    let mut output = open::begin(plan)?;

    let verify = verify(args);
    let signals = Signals::listen();
    let mut bar = args.running.bar(&args.reading, &sources, path);
    let mut observer = |event: &Event| bar.tell(event);
    let control = Control::new(signals.cancel()).observed_by(&mut observer);
    let report = match verify.write(sources, answers, &mut output, control) {
        Ok(report) => report,
        Err(error) => {
            return Err(open::left(signals.error(error), &output.suspend(), "records"));
        }
    };
    bar.finish();

    let mut said = String::new();
    output.commit(|time| {
        let summary = Summary { report: &report, verify: &verify, time };
        said = summary.table(io::stderr().is_terminal());
        summary.to_json()
    })?;
    if !args.running.quiet {
        say(said);
    }
    let missing = report.total.unanswered;
    if args.require_answers && missing > 0 {
        let puzzles = if missing == 1 { "puzzle has" } else { "puzzles have" };
        return Err(Error::Failed(format!(
            "--require-answers: {} {puzzles} no answer",
            HumanCount(missing)
        )));
    }
    Ok(if report.all_pass() { Outcome::AllAnswered } else { Outcome::SomeUnanswered })
}

/// Fails if answers are required and an input has no field for them.
fn require_answers(args: &VerifyArgs, sources: &[Source]) -> Result<(), Error> {
    let has_none = |source: &&Source| {
        let layout = source.layout();
        source.length() != Some(0) && !layout.is_some_and(|layout| layout.has_solutions())
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

/// What was asked for.
fn verify(args: &VerifyArgs) -> Verify {
    Verify {
        engine: args.engine,
        simd: args.running.level(),
        checks: Checks {
            trust_unique: args.trust_unique,
            minimal: args.minimal,
            clues: args.clues.clone(),
        },
        duplicates: args.duplicates,
        show_two: args.show_two,
        manner: Manner {
            view: args.format,
            blank: args.reading.written_blank(),
            header: args.reading.writes_header(),
            select: args.select(),
        },
        pipeline: Pipeline { threads: args.running.threads, ..Pipeline::default() },
    }
}

fn open_answers(args: &VerifyArgs, path: &Path) -> Result<Source, Error> {
    if is_standard(path) {
        let reason = "standard input cannot be the answers; name a file";
        return Err(Error::Failed(format!("--solutions -: {reason}")));
    }
    reading::open(path, args.reading.mapping())
}
