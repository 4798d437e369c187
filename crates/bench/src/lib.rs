//! Measures Sudoku solvers: engines and programs, every answer checked. This is `ninefold bench`;
//! [`measure`] is for an engine of your own.
//!
//! ```text
//!   args ─► lib ─► list      puzzles                      run ─► contender   engines, timed in this process
//!                  run ────► report ─► table, chart              program     programs
//!                                      changes                   judge       their answers
//! ```

mod args;
mod changes;
mod chart;
mod contender;
mod judge;
mod list;
mod machine;
mod program;
mod report;
mod run;
mod stats;
mod table;
#[cfg(test)]
mod tests;
#[cfg(windows)]
mod windows;

pub use args::MeasureArgs;
pub use machine::{cpu, memory, system};

use contender::Contender;
use indicatif::{ProgressBar, ProgressStyle};
use list::BenchList;
use ninefold_core::engine::lanes::SimdLevel;
use ninefold_core::engine::{Engine, EngineKind};
use ninefold_core::puzzle::Puzzle;
use ninefold_rows::input::Source;
use ninefold_rows::output::Sink;
use program::Program;
use report::{BenchReport, BenchRow};
use run::Bench;
use std::fmt;
use std::io::{self, IsTerminal};
use std::path::is_separator;
use std::time::{Duration, Instant};

/// Why a measurement failed. [`Wrong`] is among these errors.
pub type Error = Box<dyn std::error::Error + Send + Sync>;

/// An engine gave a wrong answer.
#[derive(Debug)]
pub struct Wrong(String);

impl fmt::Display for Wrong {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Wrong {}

/// A built-in list: its name, a description of a few words, and its text.
pub type BuiltIn = (&'static str, &'static str, &'static str);

/// What the program lends to a measurement.
pub struct Host<'a> {
    /// The built-in lists, about from easy to hard.
    pub lists: &'a [BuiltIn],
    /// The inputs, opened.
    pub inputs: Vec<Source>,
    /// The character for a blank in the input of programs.
    pub blank: u8,
    /// Opens the files for the results and the chart, if they are wanted. From now on a signal does not end
    /// the process but the measurement.
    pub begin: &'a dyn Fn() -> Result<[Option<Sink>; 2], Error>,
    /// The exit code for the signal that came since then.
    pub signal: &'a dyn Fn() -> Option<u8>,
}

/// Measures engines, each with a name, on lists, each with a name, for about this time. Returns the
/// tables as the program shows them. The first engine is the baseline.
///
/// # Errors
/// An engine gave a wrong answer.
pub fn measure<'a>(
    engines: impl IntoIterator<Item = (&'a str, Box<dyn Engine>)>,
    lists: impl IntoIterator<Item = (&'a str, Vec<Puzzle>)>,
    time: Duration,
) -> Result<String, Error> {
    let contenders = engines.into_iter().map(|(name, engine)| Contender::engine(name, engine));
    let contenders: Vec<_> = contenders.collect();
    let lists = lists.into_iter().filter(|(_, puzzles)| !puzzles.is_empty());
    let lists: Vec<_> = lists.map(|(name, puzzles)| BenchList::new(name, "", puzzles, 1)).collect();
    let started = Instant::now();
    let bench = Bench {
        lists: &lists,
        contenders: &contenders,
        baseline: contenders.first().map_or("", |it| &it.name),
        seed: 1,
        seconds: time.as_secs_f64(),
        clock: &|| started.elapsed().as_secs_f64(),
        cancelled: &|| false,
        progress: &|_, _| {},
    };
    Ok(table::render(&bench.run()?))
}

/// Runs `ninefold bench`. Returns the exit code.
///
/// # Errors
/// The measurement failed, or an engine gave a wrong answer.
pub fn run(args: &MeasureArgs, host: Host) -> Result<u8, Error> {
    let Host { lists: built_in, inputs, blank, begin, signal } = host;
    let baseline = baseline(args)?;
    let then = args.compare.as_deref().map(BenchReport::read).transpose()?;
    let lists = lists(args, built_in, inputs)?;
    // Opened before the measurement, so that it does not end with an error.
    let [results, drawing] = begin()?;
    let cancelled = || signal().is_some();
    let contenders = contenders(args, blank, &cancelled)?;
    let is_shown = !args.quiet && !args.no_progress && io::stderr().is_terminal();
    let bar = if is_shown { ProgressBar::new(1000) } else { ProgressBar::hidden() };
    let style = ProgressStyle::with_template("{bar:20.cyan/dim} {percent:>3} %  {wide_msg}")?;
    bar.set_style(style);
    let started = Instant::now();
    let bench = Bench {
        lists: &lists,
        contenders: &contenders,
        baseline,
        seed: args.seed,
        seconds: args.seconds,
        clock: &|| started.elapsed().as_secs_f64(),
        cancelled: &cancelled,
        progress: &|share, next| {
            bar.set_position(share as u64);
            bar.set_message(next.to_owned());
        },
    };
    let report = bench.run()?;
    let interrupted = signal();
    bar.finish_and_clear();
    let changes = then.map(|then| changes::render(&then, &report)).unwrap_or_default();
    // If one of them fails, the results still reach the others.
    let written = results.map_or(Ok(()), |sink| write(sink, &report.to_json()));
    let drawn = drawing.map_or(Ok(()), |sink| write(sink, &chart::render(&report)));
    let shown = write(Sink::stdout(), &(table::render(&report) + &changes));
    written.and(drawn).and(shown)?;
    if let Some(code) = interrupted {
        return Ok(code);
    }
    let faults = report.any(BenchRow::has_faults);
    let has_round = report.any(|row| !row.rounds.is_empty());
    if !faults && !has_round && report.any(|row| row.rate().is_none()) {
        return Err("no round was measured in this time: --seconds N gives more".into());
    }
    Ok(u8::from(faults))
}

/// The name of the contender that the others are compared with. Fails if there is none, or if two
/// contenders have the same name: their rows could not be told apart.
fn baseline(args: &MeasureArgs) -> Result<&str, Error> {
    let programs = args.program.iter().map(|program| &*program.name);
    let names: Vec<&str> = args.engines().iter().map(|kind| kind.name()).chain(programs).collect();
    let mut places = names.iter().enumerate();
    if let Some((_, name)) = places.find(|(place, name)| names[..*place].contains(name)) {
        return Err(format!("two engines or programs have the name {name}").into());
    }
    let dlx = EngineKind::Dlx.name();
    match &args.baseline {
        Some(name) if names.contains(&&**name) => Ok(name),
        Some(name) => {
            let list = names.join(", ");
            Err(format!("--baseline {name}: is not one of the measured engines ({list})").into())
        }
        None => Ok(if names.contains(&dlx) { dlx } else { names[0] }),
    }
}

/// Writes a whole output.
fn write(mut sink: Sink, text: &str) -> Result<(), Error> {
    sink.write(text.as_bytes())?;
    Ok(sink.finish()?)
}

/// Each engine, `lanes` at each level because no other engine has levels; then the programs.
fn contenders(
    args: &MeasureArgs,
    blank: u8,
    cancelled: &dyn Fn() -> bool,
) -> Result<Vec<Contender>, Error> {
    let best = [SimdLevel::best()];
    let mut contenders = Vec::new();
    for &kind in args.engines() {
        let has_levels = kind == EngineKind::Lanes && !args.simd.is_empty();
        let levels = if has_levels { &args.simd[..] } else { &best };
        contenders.extend(levels.iter().map(|&level| Contender::built_in(kind, level)));
    }
    for command in &args.program {
        let (command, time_limit) = (command.clone(), args.time_limit);
        let mut program = Program { command, blank, time_limit, startup_seconds: 0.0 };
        program.startup_seconds = program.startup(cancelled)?;
        contenders.push(Contender::program(program));
    }
    Ok(contenders)
}

/// The built-in lists of `--lists` and the inputs; all built-in lists if there are neither.
fn lists(
    args: &MeasureArgs,
    built_in: &[BuiltIn],
    inputs: Vec<Source>,
) -> Result<Vec<BenchList>, Error> {
    let all = args.lists.is_empty() && inputs.is_empty();
    let mut lists: Vec<BenchList> = Vec::new();
    for (name, about, text) in built_in {
        if all || args.lists.iter().any(|list| list == name) {
            let source = Source::from_bytes(name, text.as_bytes().to_vec());
            lists.push(BenchList::read(name, about, source, args.seed, args.quiet)?);
        }
    }
    for source in inputs {
        let path = source.name().to_string();
        let mut name = path.rsplit(is_separator).next().unwrap_or_default().to_owned();
        while lists.iter().any(|list| list.listed.name == name) {
            name += " (again)";
        }
        lists.push(BenchList::read(&name, "", source, args.seed, args.quiet)?);
    }
    Ok(lists)
}
