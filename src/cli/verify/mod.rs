//! `ninefold verify`: opens, runs, reports.

mod args;
mod table;

pub(super) use args::VerifyArgs;

use super::exit::{Error, Outcome, say};
use super::open;
use super::reading;
use super::signals::Signals;
use super::standard::is_standard;
use ninefold::input::Source;
use ninefold::output::Sink;
use ninefold::pipeline::{Control, Event, Pipeline};
use ninefold::verify::{Checks, FindingSet, Manner, Verify};
use std::fs;
use std::io::{self, IsTerminal};
use std::path::Path;
use table::Summary;

/// Judges every puzzle of the inputs.
pub(super) fn run(args: &VerifyArgs) -> Result<Outcome, Error> {
    if let Some(outcome) = args.reading.explain()? {
        return Ok(outcome);
    }
    let mut sources = args.reading.open()?;
    let answers = args.solutions.as_deref().map(|path| open_answers(args, path)).transpose()?;
    let others = [("--stats-json", "statistics", &args.running.stats_json)];
    open::check(&args.reading, args.solutions.as_deref(), args.output.as_deref(), &others)?;
    let path = args.output.as_deref().filter(|path| !is_standard(path));
    let plan = open::plan(path, args.running.stats_json.as_deref(), args.force);
    plan.check()?;
    args.reading.find_layouts(&mut sources, args.running.quiet)?;
    let signals = Signals::prepare();
    // Nothing is written if the answers belong to other puzzles.
    rehearse(args, &signals)?;
    let mut output = open::begin(plan)?;
    signals.run_begins();

    let verify = verify(args);
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
    let rehearsal = Verify { duplicates: false, show_two: false, ..rehearsal };
    let sink = Sink::from_writer("nothing", io::sink());
    let control = Control::new(signals.cancel());
    let ran = rehearsal.run(sources, Some(open_answers(args, answers)?), sink, control);
    ran.map(|_| ()).map_err(|error| signals.error(error))
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
