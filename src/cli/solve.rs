//! `ninefold solve`: opens, runs, reports.

use super::args::SolveArgs;
use super::exit::{Error, Outcome, say};
use super::open;
use super::resume;
use super::signals::Signals;
use super::summary::Summary;
use ninefold::Status;
use ninefold::bulk;
use ninefold::pipeline::{Control, Event, Pipeline};
use ninefold::solve::{Question, Solve};
use std::time::Instant;

/// Answers every puzzle of the inputs, in their order.
pub(super) fn run(args: &SolveArgs) -> Result<Outcome, Error> {
    if let Some(outcome) = args.reading.explain()? {
        return Ok(outcome);
    }
    let mut sources = args.reading.open()?;
    open::check_outputs(args)?;
    if resume::is_done(args)? {
        return Ok(Outcome::AllAnswered);
    }
    args.reading.find_layouts(&mut sources, args.running.quiet)?;
    if let Some(shard) = args.shard {
        sources = shard.cut(sources)?;
    }
    // Of several shards one has the header of all.
    let header = args.reading.writes_header() && args.shard.is_none_or(|shard| shard.index() == 1);
    let style = args.writing.style(&sources, args.reading.written_blank(), header)?;
    let stats_file = args.running.stats_file()?;
    let signals = Signals::prepare();
    let sinks = open::sinks(args, &sources)?;
    signals.run_begins();

    let (limit, every) = (args.limit(), args.all.then_some(args.max));
    let (select, rejects) = (args.writing.select(), args.rejects.is_some());
    let engine = args.engine;
    let simd = args.running.level();
    let question = Question { limit, every, style, select, rejects };
    let pipeline = Pipeline { threads: args.running.threads, ..Pipeline::default() };
    let solve = Solve { engine, simd, question, pipeline };
    let mut bar = args.running.bar(&args.reading, &sources, args.writing.path());
    let started = Instant::now();
    let mut observer = |event: &Event| bar.tell(event);
    let control = Control::new(signals.cancel()).observed_by(&mut observer);
    let ran = solve.run(sources, sinks, control);
    let report = ran.map_err(|error| failed(args, error, &signals))?;
    let time = report.earlier + started.elapsed();
    bar.finish();

    let (shard, identity) = (args.shard, resume::identity(args));
    let summary = Summary { report: &report, time, engine, simd, limit, every, shard, identity };
    if !args.running.quiet {
        say(&summary);
    }
    if let Some(file) = stats_file {
        let written = file.write(&summary.to_json());
        if matches!(written, Ok(()) | Err(Error::OutputClosed)) {
            resume::forget(args);
        }
        written.map_err(|error| error.with_hint(resume::hint(args, false)))?;
    }
    let total = &report.total;
    // With --all, a puzzle whose solutions were all written is answered.
    let complete = if args.all { total.statuses[Status::Multiple] - total.incomplete } else { 0 };
    match total.unanswered() - complete {
        0 => Ok(Outcome::AllAnswered),
        _ => Ok(Outcome::SomeUnanswered),
    }
}

/// Why a run did not come to its end, and what is left of it.
fn failed(args: &SolveArgs, error: bulk::Error, signals: &Signals) -> Error {
    let by_input = matches!(error, bulk::Error::Input(_));
    signals.error(error).with_hint(resume::hint(args, by_input))
}
