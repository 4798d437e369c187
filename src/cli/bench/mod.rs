//! `ninefold bench`: measures, prints, compares. The measurement is that of `crate::bench`.

mod args;
mod axis;
mod built_in;
mod changes;
mod child;
mod curves;
mod export;
mod folder;
mod foreign;
mod library;
mod lists;
mod machine;
mod numbers;
mod outputs;
mod plot;
mod program;
mod runner;
mod stages;
mod table;
mod watch;

pub(super) use args::BenchArgs;
pub(super) use machine::Machine;

use super::exit::{Error, Outcome};
use library::Library;
use machine::Export;
use crate::bench::{Bench, Contender, Row};
use crate::engine::EngineKind;
use crate::output::Sink;
use crate::pipeline::{Control, Event};
use outputs::Outputs;
use program::Program;
use std::num::NonZeroUsize;
use std::process::ExitCode;
use std::thread;
use std::time::Duration;
use watch::Watch;

/// The processes that a measurement starts: this program, with a command that users do not call. It
/// has no options, so its memory is that of little else than the program that it runs.
pub(super) fn hidden(words: &[String]) -> Option<ExitCode> {
    match words {
        [_, name, words @ ..] if name == library::NAME => Some(library::run(words)),
        [_, name] if name == child::NAME => Some(child::run()),
        _ => None,
    }
}

/// Measures what was requested.
pub(super) fn run(args: &BenchArgs) -> Result<Outcome, Error> {
    if let Some(outcome) = args.reading.explain()? {
        return Ok(outcome);
    }
    let baseline = baseline(args)?;
    check_names(args)?;
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
    let export = Export::new(report, &baseline);
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
    let faults = export.report.has_faults();
    if no_round && !faults && rows.iter().any(Row::is_unmeasured) && interrupted.is_none() {
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
        None if faults => Outcome::SomeUnanswered,
        None => Outcome::AllAnswered,
    })
}

/// The names of all engines, programs and libraries.
fn names(args: &BenchArgs) -> Vec<String> {
    let engines = args.engines();
    let engines = engines.iter().map(|kind| kind.name().to_owned());
    let programs = args.program.iter().map(|program| program.name.clone());
    let libraries = args.library.iter().map(|library| library.name.clone());
    engines.chain(programs).chain(libraries).collect()
}

/// The name of the contender that the others are compared with.
fn baseline(args: &BenchArgs) -> Result<String, Error> {
    let names = names(args);
    let Some(first) = names.first() else {
        let why = "--no-engines: nothing to measure without --program or --library";
        return Err(Error::Failed(why.to_owned()));
    };
    let has = |wanted: &str| names.iter().any(|name| name == wanted);
    match &args.baseline {
        Some(name) if has(name) => Ok(name.clone()),
        Some(name) => {
            let list = names.join(", ");
            let why = format!("--baseline {name}: is none of the engines measured ({list})");
            Err(Error::Failed(why))
        }
        None if has(EngineKind::Dlx.name()) => Ok(EngineKind::Dlx.name().to_owned()),
        None => Ok(first.clone()),
    }
}

/// Fails if two contenders have the same name: their rows could not be told apart.
fn check_names(args: &BenchArgs) -> Result<(), Error> {
    let names = names(args);
    let twice = names.iter().enumerate().find(|(place, name)| names[..*place].contains(name));
    twice.map_or(Ok(()), |(_, name)| {
        Err(Error::Failed(format!("two engines, programs or libraries have the name {name}")))
    })
}

/// The measurement that the arguments describe.
fn bench(args: &BenchArgs) -> Result<Bench, Error> {
    let lists = lists::lists(args)?;
    check_time(args, lists.len())?;
    let mut bench = Bench::new(lists, contenders(args)?);
    (bench.modes, bench.seed) = (args.modes(), args.seed);
    bench.time = Duration::from_secs_f64(args.seconds());
    Ok(bench)
}

/// Fails if the time does not give every thread its part of a round. Threads are expensive to start, and
/// the first look at every row alone would take much longer.
fn check_time(args: &BenchArgs, lists: usize) -> Result<(), Error> {
    /// Half a batch of `lanes`, which has 512 puzzles of about 0.2 µs.
    const LEAST: Duration = Duration::from_micros(50);
    let levels = args.levels().len();
    let of_engine = |kind| if kind == EngineKind::Lanes { levels } else { 1 };
    let engines: usize = args.engines().into_iter().map(of_engine).sum();
    let rows = lists * args.modes().len() * engines * args.threads().len();
    let cores = thread::available_parallelism().map_or(1, NonZeroUsize::get);
    let in_round = Bench::time_in_round(Duration::from_secs_f64(args.seconds()), rows);
    // A thread has a core to itself, or waits for the others.
    let turns = |threads: usize| u32::try_from(threads.div_ceil(cores)).unwrap_or(u32::MAX);
    match args.threads().into_iter().max() {
        Some(threads) if threads > cores && in_round / turns(threads) < LEAST => {
            let (seconds, part) = (args.seconds(), in_round / turns(threads));
            Err(Error::Failed(format!(
                "--threads {threads}: {seconds} s give each thread {part:?} in a round of {rows} rows on \
                 {cores} cores, too little to measure: --seconds N gives more, or fewer --engines"
            )))
        }
        _ => Ok(()),
    }
}

/// Each engine, on each number of threads; `lanes` at each level, because no other engine has levels.
/// Then the programs and libraries.
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
    let limit = Duration::from_secs_f64(args.time_limit);
    for command in &args.program {
        let program = Program::new(command.clone(), args.blank(), limit)?;
        contenders.push(Contender::outside(&command.name, Box::new(program)));
    }
    for function in &args.library {
        let library = Library::new(function, limit)?;
        contenders.push(Contender::outside(&function.name, Box::new(library)));
    }
    Ok(contenders)
}
