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
use ninefold::pipeline::{Control, Event, Pipeline};
use ninefold::verify::{Checks, Manner, Verify};
use std::io;
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
    let mut output = open::begin(plan)?;

    let verify = verify(args);
    let signals = Signals::listen();
    let mut bar = args.running.bar_among_records(&args.reading, &sources);
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
        let terminal = terminal_size::terminal_size_of(io::stderr());
        said = summary.table(terminal.map(|(width, _)| width.0.into()));
        summary.to_json()
    })?;
    if !args.running.quiet {
        say(said);
    }
    Ok(if report.all_pass() { Outcome::AllAnswered } else { Outcome::SomeUnanswered })
}

/// What was requested.
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
