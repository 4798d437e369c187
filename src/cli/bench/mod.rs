//! `ninefold bench`: measures, prints, compares. The measurement is that of `ninefold::bench`.

mod args;
mod changes;
mod export;
mod lists;
mod machine;
mod numbers;
mod outputs;
mod plot;
mod stages;
mod table;
mod watch;

pub(super) use args::BenchArgs;
pub(super) use machine::Machine;

use super::exit::{Error, Outcome};
use machine::Export;
use ninefold::bench::{Bench, Contender, Row};
use ninefold::engine::EngineKind;
use ninefold::output::Sink;
use ninefold::pipeline::{Control, Event};
use outputs::Outputs;
use std::time::Duration;
use watch::Watch;

/// Measures what was requested.
pub(super) fn run(args: &BenchArgs) -> Result<Outcome, Error> {
    if let Some(outcome) = args.reading.explain()? {
        return Ok(outcome);
    }
    let baseline = baseline(args)?;
    let before = args.compare.as_deref().map(export::read).transpose()?;
    outputs::check(args)?;
    let watch = Watch::start(!args.quiet && !args.no_progress);
    if args.stages {
        let outputs = Outputs::open(args)?;
        watch.begin();
        return stages::run(args, outputs, &watch);
    }
    // This may wait for standard input.
    let bench = bench(args)?;
    if let Some((before, path)) = before.as_ref().zip(args.compare.as_deref()) {
        changes::check(before, path, &bench)?;
    }
    let outputs = Outputs::open(args)?;
    watch.begin();
    let mut observer = |event: &Event| watch.tell(event);
    let control = Control::new(watch.cancel()).observed_by(&mut observer);
    let report = bench.run(control).map_err(|wrong| Error::Wrong(wrong))?;
    let export = Export::new(report, baseline.name());
    let interrupted = watch.code();
    drop(watch);

    let changes = before.as_ref().map(|before| changes::render(before, &export));
    // If one of them fails, the results still reach the other.
    let written = outputs.write(&export);
    let shown =
        outputs::write(Sink::stdout(), &(table::render(&export) + &changes.unwrap_or_default()));
    written?;
    shown?;
    let rows = &export.report.rows;
    let no_round = rows.iter().all(|row| row.rounds.is_empty());
    if no_round && rows.iter().any(Row::is_unmeasured) && interrupted.is_none() {
        let why = "no round was measured in this time: --seconds N gives more";
        return Err(Error::Failed(why.to_owned()));
    }
    let silent = before.as_ref().is_some_and(|before| !changes::says_anything(before, &export));
    if silent && args.fail_on_slower && interrupted.is_none() {
        return Err(Error::Failed("--fail-on-slower: no row could be compared".to_owned()));
    }
    let slower = before.is_some_and(|before| changes::has_slower(&before, &export));
    Ok(match interrupted {
        Some(code) => Outcome::Interrupted(code),
        None if slower && args.fail_on_slower => Outcome::Slower,
        None => Outcome::AllAnswered,
    })
}

/// The engine that the others are compared with.
fn baseline(args: &BenchArgs) -> Result<EngineKind, Error> {
    let engines = args.engines();
    let wanted = args.baseline.unwrap_or(EngineKind::Dlx);
    match (engines.contains(&wanted), args.baseline) {
        (true, _) => Ok(wanted),
        (false, None) => Ok(engines[0]),
        (false, Some(_)) => {
            Err(Error::Failed(format!("--baseline {wanted}: is none of the engines measured")))
        }
    }
}

/// The measurement that the arguments describe.
fn bench(args: &BenchArgs) -> Result<Bench, Error> {
    let mut bench = Bench::new(lists::lists(args)?, contenders(args)?);
    (bench.modes, bench.seed) = (args.modes(), args.seed);
    bench.time = Duration::from_secs_f64(args.seconds());
    Ok(bench)
}

/// Each engine; `lanes`, which alone has a use for it, at each level; and that on each number of
/// threads.
fn contenders(args: &BenchArgs) -> Result<Vec<Contender>, Error> {
    let mut contenders = Vec::new();
    for kind in args.engines() {
        let levels = args.levels();
        let levels = if kind == EngineKind::Lanes { &levels[..] } else { &levels[..1] };
        for &level in levels {
            for threads in args.threads() {
                contenders.push(Contender::new(kind, level, threads).map_err(Error::caused)?);
            }
        }
    }
    Ok(contenders)
}
