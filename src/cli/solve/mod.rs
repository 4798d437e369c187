//! `ninefold solve`: opens, runs, reports.

mod args;
mod resume;

pub(super) use args::SolveArgs;

use super::exit::{Error, Outcome, say};
use super::open;
use super::signals::Signals;
use super::summary::Summary;
use ninefold::Status;
use ninefold::input::Source;
use ninefold::output::{Begun, Plan, Readiness, Transaction};
use ninefold::pipeline::{Control, Event, Pipeline};
use ninefold::solve::{Checkpoint, Question, Solve, Stats};
use std::ops::ControlFlow;

/// Answers every puzzle of the inputs, in their order.
pub(super) fn run(args: &SolveArgs) -> Result<Outcome, Error> {
    if let Some(outcome) = args.reading.explain()? {
        return Ok(outcome);
    }
    let mut sources = args.reading.open()?;
    check_outputs(args)?;
    let mut plan = resume::plan(args, sources.len());
    if plan.check()? != Readiness::Ready {
        // Everything was read by an earlier run.
        return match begin(args, plan)? {
            ControlFlow::Break(outcome) => Ok(outcome),
            ControlFlow::Continue(_) => {
                Err(Error::Failed("the outputs were removed by another program".to_owned()))
            }
        };
    }
    args.reading.find_layouts(&mut sources, args.running.quiet)?;
    if let Some(shard) = args.shard {
        sources = shard.cut(sources)?;
    }
    let format = args.writing.format(&args.reading);
    // Of several shards one has the header of all.
    let header = args.reading.writes_header() && args.shard.is_none_or(|shard| shard.index() == 1);
    let style = args.writing.style(&sources, format, args.reading.written_blank(), header)?;
    plan.rejects_header = header_of_rejects(args, &sources)?;
    let signals = Signals::prepare();
    let mut output = match begin(args, plan)? {
        ControlFlow::Continue(output) => output,
        ControlFlow::Break(outcome) => return Ok(outcome),
    };
    signals.run_begins();

    let (limit, every) = (args.limit(), args.all.then_some(args.max));
    let (select, rejects) = (args.writing.select(), args.rejects.is_some());
    let engine = args.engine;
    let simd = args.running.level();
    let question = Question { limit, every, style, select, rejects };
    let pipeline = Pipeline { threads: args.running.threads, ..Pipeline::default() };
    let solve = Solve { engine, simd, question, pipeline };
    let mut bar = args.running.bar(&args.reading, &sources, args.writing.path());
    let mut observer = |event: &Event| bar.tell(event);
    let control = Control::new(signals.cancel()).observed_by(&mut observer);
    let report = match solve.write(sources, &mut output, control) {
        Ok(report) => report,
        Err(error) => {
            let hint = resume::hint(&output.suspend(), &error);
            return Err(signals.error(error).with_hint(hint));
        }
    };
    bar.finish();

    let (shard, identity) = (args.shard, resume::identity(args));
    let mut said = String::new();
    output.commit(|time| {
        let report = &report;
        let summary = Summary { report, time, engine, simd, limit, every, shard, identity };
        said = summary.to_string();
        summary.to_json()
    })?;
    if !args.running.quiet {
        say(said);
    }
    Ok(outcome(args, &report.total))
}

/// Opens the outputs. `Break` if an earlier run has written everything.
fn begin(
    args: &SolveArgs,
    plan: Plan<Checkpoint>,
) -> Result<ControlFlow<Outcome, Transaction<Checkpoint>>, Error> {
    let name = args.writing.path().map(|path| path.display().to_string()).unwrap_or_default();
    Ok(match Transaction::begin(plan)? {
        Begun::Open(output) => ControlFlow::Continue(output),
        Begun::Committed { reached, .. } => {
            say(format_args!("ninefold: {name} is complete now"));
            ControlFlow::Break(outcome(args, &reached.total()))
        }
        _ => {
            say(format_args!("ninefold: {name} is complete: nothing to do"));
            ControlFlow::Break(Outcome::AllAnswered)
        }
    })
}

fn outcome(args: &SolveArgs, total: &Stats) -> Outcome {
    // With --all, a puzzle whose solutions were all written is answered.
    let complete = if args.all { total.statuses[Status::Multiple] - total.incomplete } else { 0 };
    match total.unanswered() - complete {
        0 => Outcome::AllAnswered,
        _ => Outcome::SomeUnanswered,
    }
}

/// Fails if an output is also read, or if two outputs are one file.
fn check_outputs(args: &SolveArgs) -> Result<(), Error> {
    let others = [
        ("--stats-json", "statistics", &args.running.stats_json),
        ("--rejects", "rejects", &args.rejects),
    ];
    open::check(&args.reading, None, args.writing.output.as_deref(), &others)
}

/// The header that rejects need to be read again: the header of all inputs, if their puzzles are in
/// the same field.
fn header_of_rejects(args: &SolveArgs, sources: &[Source]) -> Result<Option<Vec<u8>>, Error> {
    // An empty input has no layout of its own.
    let sources = sources.iter().filter(|source| source.length() != Some(0));
    let named = sources.map(|source| (source.name(), source.layout()));
    let mut layouts = named.filter_map(|(name, layout)| Some((name, layout?)));
    let Some((one, layout)) = layouts.next() else { return Ok(None) };
    match layouts.find(|(_, other)| !other.agrees_with(layout)) {
        Some((other, found)) if args.rejects.is_some() => {
            let what = if found.header() == layout.header() { "layout" } else { "header" };
            let reason = format!("{one} and {other} have not the same {what}");
            Err(Error::Failed(format!("--rejects: {reason}; run them one by one")))
        }
        _ => Ok(layout.header().map(<[u8]>::to_vec)),
    }
}
