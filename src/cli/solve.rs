//! `ninefold solve`: opens, runs, reports.

use super::args::SolveArgs;
use super::exit::{Error, Outcome, say};
use super::open::{self, StatsFile};
use super::progress::Bar;
use super::summary::Summary;
use ninefold::batch::{Batch, CHUNK_BYTES};
use ninefold::engine::lanes::SimdLevel;
use ninefold::input::Source;
use std::io::{self, IsTerminal};
use std::time::Instant;

/// Answers every puzzle of the inputs, in their order.
pub(super) fn run(args: &SolveArgs) -> Result<Outcome, Error> {
    let sources = open::sources(args)?;
    open::check_outputs(args)?;
    let stats_file = args.stats_json.as_deref().map(StatsFile::open).transpose()?;
    let sink = open::sink(args)?;

    let limit = args.limit();
    let (engine, threads) = (args.engine, args.threads);
    let simd = args.simd.unwrap_or_else(SimdLevel::best);
    let batch = Batch { engine, simd, limit, threads, chunk_bytes: CHUNK_BYTES };
    let mut bar = bar(args, &sources);
    let started = Instant::now();
    let report = batch.run(sources, sink, &mut bar)?;
    let time = started.elapsed();
    bar.finish(&report.total);

    let summary = Summary { report: &report, time, engine, simd, limit };
    if !args.quiet {
        say(&summary);
    }
    if let Some(file) = stats_file {
        file.write(&summary.to_json())?;
    }
    match report.total.unanswered() {
        0 => Ok(Outcome::AllAnswered),
        _ => Ok(Outcome::SomeUnanswered),
    }
}

/// The progress bar, if somebody sees it and nothing else is written in its place.
fn bar(args: &SolveArgs, sources: &[Source]) -> Bar {
    let typed = open::reads_stdin(args) && io::stdin().is_terminal();
    if typed && !args.quiet {
        say("ninefold: reading puzzles from the terminal, one a line; Ctrl-D ends");
    }
    let records_seen = open::output_path(args).is_none() && io::stdout().is_terminal();
    let wanted = !args.quiet && !args.no_progress;
    if !wanted || typed || records_seen || !io::stderr().is_terminal() {
        return Bar::hidden();
    }
    Bar::shown(sources.iter().map(Source::bytes).sum())
}
