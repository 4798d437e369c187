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
pub use numbers::{counted, percent};

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
use report::{Mode, Row, Verdict};
use run::{Bench, seconds_in_round};
use std::fmt;
use std::io::{self, IsTerminal, Write};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::thread;
use std::time::{Duration, Instant};
use table::Form;

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
#[expect(clippy::missing_errors_doc, reason = "each fails if a file cannot be read or written")]
pub trait Host {
    /// The built-in lists, about from easy to hard.
    fn lists(&self) -> &[BuiltIn];
    /// The inputs as the user named them.
    fn inputs(&self) -> &[PathBuf];
    /// The character for a blank in the input of programs.
    fn blank(&self) -> u8;
    /// All inputs, opened, their layouts detected and reported.
    fn open(&self) -> Result<Vec<Source>, Error>;
    /// One input or another file, opened again.
    fn reopen(&self, path: &Path) -> Result<Source, Error>;
    /// Fails if a file for results is an input or `read`, or if it exists and must not be replaced.
    fn check(&self, read: Option<&Path>, written: &[PathBuf]) -> Result<(), Error>;
    /// Opens a file for results. An existing file keeps its text until the new one is complete.
    fn create(&self, path: &Path) -> Result<Sink, Error>;
    /// Solves an input on one thread with proof of uniqueness. Returns the number of puzzles.
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
    let engines = engines.into_iter();
    let contenders = engines.map(|(name, engine)| Contender::with_engines(name, vec![engine]));
    let contenders = contenders.collect::<Result<Vec<_>, _>>()?;
    let lists = lists.into_iter().map(|(name, puzzles)| List::new(name, "", puzzles));
    let lists: Vec<_> = lists.filter(|list| !list.puzzles.is_empty()).collect();
    let started = Instant::now();
    let bench = Bench {
        lists: &lists,
        modes: &Mode::ALL,
        contenders: &contenders,
        seed: 1,
        seconds: time.as_secs_f64(),
        clock: &|| started.elapsed(),
        cancelled: &|| false,
        progress: &mut |_, _| {},
    };
    let baseline = contenders.first().map(|it| it.label.engine.clone()).unwrap_or_default();
    Ok(table::render(&Export::new(bench.run()?, &baseline), Form::Text))
}

/// Runs `ninefold bench`. Returns the exit code.
///
/// # Errors
/// The measurement failed, or an engine gave a wrong answer.
pub fn run(args: &MeasureArgs, host: &dyn Host) -> Result<u8, Error> {
    let baseline = baseline(args)?;
    let before = args.compare.as_deref().map(Export::read).transpose()?;
    export::check(args, host)?;
    let bar = (!args.quiet && !args.no_progress && io::stderr().is_terminal()).then(bar);
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "0 to 1000")]
    let mut progress = |share: f64, next: &str| {
        if let Some(bar) = &bar {
            bar.set_position((share * 1000.0) as u64);
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
    let contenders = contenders(args, host.blank())?;
    let started = Instant::now();
    let bench = Bench {
        lists: &lists,
        modes: &args.modes,
        contenders: &contenders,
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
    let changed = changes.as_ref().map(table::Changes::render).unwrap_or_default();
    let shown = table::render(&export, Form::Text) + &changed;
    // If one of them fails, the results still reach the other.
    let written = outputs.write(&export);
    let shown = export::write(Sink::stdout(), &shown);
    written.and(shown)?;
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
    let slower = changes.is_some_and(|changes| changes.count(Verdict::Slower) > 0);
    Ok(u8::from(faults || slower))
}

fn bar() -> ProgressBar {
    let style = ProgressStyle::with_template("{bar:20.cyan/dim} {percent:>3} %  {wide_msg}");
    ProgressBar::new(1000).with_style(style.expect("the template is one of ours"))
}

/// The name of the contender that the others are compared with. Fails if there is none, or if two
/// contenders have the same name: their rows could not be told apart.
fn baseline(args: &MeasureArgs) -> Result<String, Error> {
    let others = args.program.iter().chain(&args.library).map(|named| &*named.name);
    let names: Vec<&str> = args.engines().iter().map(|kind| kind.name()).chain(others).collect();
    let Some(first) = names.first() else {
        return Err("--no-engines: nothing to measure without --program or --library".into());
    };
    let mut places = names.iter().enumerate();
    if let Some((_, name)) = places.find(|(place, name)| names[..*place].contains(name)) {
        let why = format!("two engines, programs or libraries have the name {name}");
        return Err(why.into());
    }
    let dlx = EngineKind::Dlx.name();
    match &args.baseline {
        Some(name) if names.contains(&&**name) => Ok(name.clone()),
        Some(name) => {
            let list = names.join(", ");
            Err(format!("--baseline {name}: is not one of the measured engines ({list})").into())
        }
        None => Ok((if names.contains(&dlx) { dlx } else { first }).to_owned()),
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
    let rows = lists * args.modes.len() * args.variants().len();
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
    let program = |it| Ok(Contender::outside(Outside::program(it, blank, args.time_limit)?));
    let library = |it| Ok(Contender::outside(Outside::library(it, args.time_limit)?));
    let others = args.program.iter().map(program).chain(args.library.iter().map(library));
    engines.chain(others).collect()
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
        let short = if path.as_os_str() == "-" { whole.clone() } else { base_name(path) };
        let numbered = (2..).map(|number| format!("{whole} ({number})"));
        let mut names = [short, whole.clone()].into_iter().chain(numbered);
        let name = names.find(|name| lists.iter().all(|list| list.listed.name != *name));
        lists.push(read(source, &name.unwrap_or_default(), "", args)?);
    }
    Ok(lists)
}

/// The name of a file without its folders.
fn base_name(path: &Path) -> String {
    let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy();
    name.replace(char::is_control, "\u{fffd}")
}

/// The puzzles of an input.
fn read(source: Source, name: &str, about: &str, args: &MeasureArgs) -> Result<List, Error> {
    let (list, (skipped, first)) = List::read(name, about, source, args.seed)?;
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

/// An error about a file.
fn at(path: &Path, cause: impl fmt::Display) -> Error {
    format!("{}: {cause}", path.display()).into()
}
