//! Measures Sudoku solvers: engines, programs and C functions, every answer checked. This is
//! `ninefold bench`; [`measure`] is for an engine of your own.
//!
//! ```text
//!   args ─► lib ─► list      puzzles                 run ─► contender   engines, timed in this process
//!                  run ────► report ─► table, chart         outside     programs, by child and foreign
//!                  stages    ┘         export               check, judge   their answers
//! ```

mod args;
mod chart;
mod check;
mod child;
mod contender;
mod export;
mod foreign;
mod judge;
mod list;
mod noise;
mod numbers;
mod outside;
mod report;
mod run;
mod stages;
mod stats;
#[doc(hidden)]
pub mod svg;
mod table;
#[cfg(test)]
mod tests;

pub use args::MeasureArgs;
pub use check::Wrong;
pub use report::{Label, Mode, Report, Row};

use args::once;
use contender::Contender;
use export::{Export, Outputs};
use indicatif::{ProgressBar, ProgressStyle};
use list::List;
use ninefold_core::engine::lanes::SimdLevel;
use ninefold_core::engine::{Engine, EngineKind};
use ninefold_core::puzzle::Puzzle;
use ninefold_rows::input::Source;
use ninefold_rows::output::Sink;
use outside::Outside;
use run::{Bench, seconds_in_round};
use std::fmt;
use std::io::{self, IsTerminal, Write};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::thread;
use std::time::{Duration, Instant};

/// Why a measurement failed. [`Wrong`] is among these errors.
pub type Error = Box<dyn std::error::Error + Send + Sync>;

/// A built-in list: its name, a description of a few words, and its text.
pub type BuiltIn = (&'static str, &'static str, &'static str);

/// What the program lends to a measurement.
pub trait Host {
    /// The built-in lists, about from easy to hard.
    fn lists(&self) -> &[BuiltIn];
    /// The inputs as the user named them.
    fn inputs(&self) -> &[PathBuf];
    /// The character for a blank in the input of programs.
    fn blank(&self) -> u8;
    /// All inputs, opened, their layouts detected and reported.
    ///
    /// # Errors
    /// An input cannot be read.
    fn open(&self) -> Result<Vec<Source>, Error>;
    /// One input or another file, opened again.
    ///
    /// # Errors
    /// It cannot be read.
    fn reopen(&self, path: &Path) -> Result<Source, Error>;
    /// Checks the files for the results.
    ///
    /// # Errors
    /// A file is an input or `read`, too, or it exists and must not be replaced.
    fn check(&self, read: Option<&Path>, written: &[PathBuf]) -> Result<(), Error>;
    /// Opens a file for results. An existing file keeps its text until the new one is complete.
    ///
    /// # Errors
    /// It cannot be written.
    fn create(&self, path: &Path) -> Result<Sink, Error>;
    /// Solves an input on one thread with proof of uniqueness. Returns the number of puzzles.
    ///
    /// # Errors
    /// It cannot be read or written.
    fn solve(&self, from: Source, to: Sink, by: EngineKind, at: SimdLevel) -> Result<u64, Error>;
    /// From now on a signal does not end the process but the measurement.
    fn begin(&self);
    /// The exit code for the signal that came since then.
    fn signal(&self) -> Option<u8>;
}

/// The processes that a measurement starts: this program, with a command that users do not call. It
/// has no options, so its memory is that of little else than the program that it runs.
#[must_use]
pub fn hidden(words: &[String]) -> Option<ExitCode> {
    match words {
        [_, name, words @ ..] if name == outside::LIBRARY => Some(outside::run_library(words)),
        [_, name] if name == child::NAME => Some(child::run()),
        _ => None,
    }
}

/// Measures engines, each with a name, on lists, each with a name, for about this time in every mode.
///
/// # Errors
/// An engine gave a wrong answer.
pub fn measure<'a>(
    engines: impl IntoIterator<Item = (&'a str, Box<dyn Engine>)>,
    lists: impl IntoIterator<Item = (&'a str, Vec<Puzzle>)>,
    time: Duration,
) -> Result<Report, Error> {
    let engines = engines.into_iter();
    let contenders = engines.map(|(name, engine)| Contender::with_engines(name, vec![engine]));
    let lists = lists.into_iter().map(|(name, puzzles)| List::new(name, "", puzzles));
    let started = Instant::now();
    let bench = Bench {
        lists: lists.filter(|list| !list.puzzles.is_empty()).collect(),
        modes: Mode::ALL.to_vec(),
        contenders: contenders.collect::<Result<_, _>>()?,
        seed: 1,
        seconds: time.as_secs_f64(),
        clock: &|| started.elapsed(),
        cancelled: &|| false,
        progress: &mut |_, _| {},
    };
    bench.run()
}

/// Runs `ninefold bench`. Returns the exit code.
///
/// # Errors
/// The measurement failed, or an engine gave a wrong answer.
pub fn run(args: &MeasureArgs, host: &dyn Host) -> Result<u8, Error> {
    let baseline = baseline(args)?;
    let before = args.compare.as_deref().map(export::read).transpose()?;
    export::check(args, host)?;
    let bar = (!args.quiet && !args.no_progress && io::stderr().is_terminal()).then(bar);
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "0 to 1000")]
    let mut progress = |share: f64, next: &str| {
        if let Some(bar) = &bar {
            bar.set_position((share * STEPS) as u64);
            bar.set_message(next.to_owned());
        }
    };
    if args.stages {
        let outputs = Outputs::open(args, host)?;
        host.begin();
        return stages::run(args, host, outputs, &mut progress);
    }
    // This may wait for standard input.
    let lists = lists(args, host)?;
    check_time(args, lists.len())?;
    let (started, modes) = (Instant::now(), once(&args.modes));
    let bench = Bench {
        lists,
        modes,
        contenders: contenders(args, host.blank())?,
        seed: args.seed,
        seconds: args.seconds(),
        clock: &|| started.elapsed(),
        cancelled: &|| host.signal().is_some(),
        progress: &mut progress,
    };
    if let Some((before, path)) = before.as_ref().zip(args.compare.as_deref()) {
        check_comparable(before, path, &bench)?;
    }
    let outputs = Outputs::open(args, host)?;
    host.begin();
    let export = Export::new(bench.run()?, &baseline);
    let interrupted = host.signal();
    if let Some(bar) = bar {
        bar.finish_and_clear();
    }
    let changes = before.as_ref().map(|before| table::Changes::new(before, &export));
    let mut shown = table::render(&export);
    if let Some(changes) = &changes {
        shown += &changes.to_string();
    }
    // If one of them fails, the results still reach the other.
    let written = outputs.write(&export);
    let shown = export::write(Sink::stdout(), &shown);
    written?;
    shown?;
    let (rows, faults) = (&export.report.rows, export.report.has_faults());
    let no_round = rows.iter().all(|row| row.rounds.is_empty());
    if let Some(code) = interrupted {
        return Ok(code);
    }
    if no_round && !faults && rows.iter().any(Row::is_unmeasured) {
        return Err("no round was measured in this time: --seconds N gives more".into());
    }
    let changes = changes.filter(|_| args.fail_on_slower);
    if changes.as_ref().is_some_and(|changes| !changes.says_anything()) {
        return Err("--fail-on-slower: no row could be compared".into());
    }
    Ok(u8::from(faults || changes.is_some_and(|changes| changes.has_slower())))
}

/// The steps of the progress bar: tenths of a percent.
const STEPS: f64 = 1000.0;

fn bar() -> ProgressBar {
    let style = ProgressStyle::with_template("{bar:20.cyan/dim} {percent:>3} %  {wide_msg}");
    ProgressBar::new(1000).with_style(style.expect("the template is one of ours"))
}

/// The name of the contender that the others are compared with. Fails if there is none, or if two
/// contenders have the same name: their rows could not be told apart.
fn baseline(args: &MeasureArgs) -> Result<String, Error> {
    let engines = args.engines();
    let engines = engines.iter().map(|kind| kind.name());
    let others = args.program.iter().chain(&args.library).map(|named| &*named.name);
    let names: Vec<&str> = engines.chain(others).collect();
    let Some(first) = names.first() else {
        return Err("--no-engines: nothing to measure without --program or --library".into());
    };
    let default = EngineKind::Dlx.name();
    let baseline = match &args.baseline {
        Some(name) if names.contains(&&**name) => name,
        Some(name) => {
            let list = names.join(", ");
            let why = format!("--baseline {name}: is none of the engines measured ({list})");
            return Err(why.into());
        }
        None if names.contains(&default) => default,
        None => first,
    };
    let twice = names.iter().enumerate().find(|(place, name)| names[..*place].contains(name));
    match twice {
        Some((_, name)) => {
            Err(format!("two engines, programs or libraries have the name {name}").into())
        }
        None => Ok(baseline.to_owned()),
    }
}

/// Fails if no row of the measurement could be compared.
fn check_comparable(before: &Export, path: &Path, bench: &Bench) -> Result<(), Error> {
    let is_now = |row: &Row| {
        bench.lists.iter().any(|list| list.listed.name == row.list)
            && bench.modes.contains(&row.mode)
            && bench.contenders.iter().any(|contender| contender.label == row.label)
    };
    if before.report.rows.iter().any(is_now) {
        return Ok(());
    }
    let why = "has no list, mode and engine that are measured now";
    Err(format!("--compare {}: {why}", path.display()).into())
}

/// Fails if the time does not give every thread its part of a round. Threads are expensive to start, and
/// the first look at every row alone would take much longer.
fn check_time(args: &MeasureArgs, lists: usize) -> Result<(), Error> {
    /// Half a batch of `lanes`, which has 512 puzzles of about 0.2 µs.
    const LEAST: Duration = Duration::from_micros(50);
    let rows = lists * once(&args.modes).len() * args.variants().len();
    let cores = thread::available_parallelism().map_or(1, NonZeroUsize::get);
    let threads = args.threads.iter().copied().max().unwrap_or(1);
    // A thread has a core to itself, or waits for the others.
    let turns = u32::try_from(threads.div_ceil(cores)).unwrap_or(u32::MAX);
    let seconds = args.seconds();
    let part = Duration::from_secs_f64(seconds_in_round(seconds, rows)) / turns;
    if threads > cores && part < LEAST {
        let why = format!(
            "--threads {threads}: {seconds} s give each thread {part:?} in a round of {rows} rows on \
             {cores} cores, too little to measure: --seconds N gives more, or fewer --engines"
        );
        return Err(why.into());
    }
    Ok(())
}

/// The engines, then the programs and libraries.
fn contenders(args: &MeasureArgs, blank: u8) -> Result<Vec<Contender>, Error> {
    let engines = args.variants().into_iter();
    let engines = engines.map(|(kind, level, threads)| Contender::new(kind, level, threads));
    let mut contenders: Vec<_> = engines.collect::<Result<_, _>>()?;
    for solver in &args.program {
        contenders.push(Contender::outside(Outside::program(solver, blank, args.time_limit)?));
    }
    for solver in &args.library {
        contenders.push(Contender::outside(Outside::library(solver, args.time_limit)?));
    }
    Ok(contenders)
}

/// The built-in lists of `--lists` and the inputs; all built-in lists if there are neither.
fn lists(args: &MeasureArgs, host: &dyn Host) -> Result<Vec<List>, Error> {
    let all = args.lists.is_empty() && host.inputs().is_empty();
    let mut lists: Vec<List> = Vec::new();
    for (name, about, text) in host.lists() {
        if all || args.lists.iter().any(|list| list == name) {
            let source = Source::from_bytes(name, text.as_bytes().to_vec());
            lists.push(read(source, name, about, args)?);
        }
    }
    let sources = if host.inputs().is_empty() { Vec::new() } else { host.open()? };
    for (path, source) in host.inputs().iter().zip(sources) {
        let whole = source.name().to_string();
        // The file name, or the path if that is taken.
        let name = path.file_name().filter(|_| path.as_os_str() != "-");
        let short = name.map_or(whole.clone(), |name| name.to_string_lossy().into_owned());
        let short = short.replace(char::is_control, "\u{fffd}");
        let numbered = (2..).map(|number| format!("{whole} ({number})"));
        let mut names = [short, whole.clone()].into_iter().chain(numbered);
        let name = names.find(|name| lists.iter().all(|list| list.listed.name != *name));
        lists.push(read(source, &name.unwrap_or_default(), "", args)?);
    }
    Ok(lists)
}

/// The puzzles of an input.
fn read(source: Source, name: &str, about: &str, args: &MeasureArgs) -> Result<List, Error> {
    let (list, skipped, first) = List::read(name, about, source, args.seed)?;
    if list.puzzles.is_empty() {
        return Err(format!("{name}: there is no puzzle in it").into());
    }
    if skipped > 0 && !args.quiet {
        let what = match skipped {
            1 => format!("1 line that is no puzzle: line {first}"),
            _ => format!("{skipped} lines that are no puzzle, first line {first}"),
        };
        let _ = writeln!(io::stderr(), "ninefold: {name}: passing over {what}");
    }
    Ok(list)
}

/// An error about a file: an error of the system, or a text.
fn at(path: &Path, cause: impl Into<Error>) -> Error {
    At { name: path.display().to_string(), cause: cause.into() }.into()
}

#[derive(Debug)]
struct At {
    name: String,
    cause: Error,
}

impl fmt::Display for At {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)
    }
}

impl std::error::Error for At {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&*self.cause)
    }
}
