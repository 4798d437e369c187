//! Measures Sudoku solvers: engines, programs and C functions, every answer checked. This is
//! `ninefold bench`; [`measure`] is for an engine of your own.
//!
//! ```text
//!   args ─► lib ─► list      puzzles                      run ─► contender   engines, timed in this process
//!                  run ────► report ─► table, chart              outside     programs, by child and foreign
//!                                      export, changes           judge       their answers
//! ```

mod args;
mod changes;
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
mod stats;
#[doc(hidden)]
pub mod svg;
mod table;
#[cfg(test)]
mod tests;

pub use args::MeasureArgs;
pub use numbers::{counted, percent};
pub use report::cpu;

use changes::{Verdict, compare};
use contender::Contender;
use indicatif::{ProgressBar, ProgressStyle};
use list::List;
use ninefold_core::engine::{Engine, EngineKind};
use ninefold_core::puzzle::Puzzle;
use ninefold_rows::input::Source;
use ninefold_rows::output::Sink;
use outside::Outside;
use report::{Mode, Report, Row};
use run::{Bench, IN_A_ROUND};
use std::fmt;
use std::io::{self, IsTerminal, Write};
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
pub struct Host<'a> {
    /// The built-in lists, about from easy to hard.
    pub lists: &'a [BuiltIn],
    /// The inputs as the user named them.
    pub inputs: &'a [PathBuf],
    /// The character for a blank in the input of programs.
    pub blank: u8,
    /// All inputs, opened, their layouts detected and reported.
    pub open: &'a dyn Fn() -> Result<Vec<Source>, Error>,
    /// Fails if a file for results is an input or the other file, or if it exists and must not be replaced.
    #[expect(clippy::type_complexity, reason = "it is called once")]
    pub check: &'a dyn Fn(Option<&Path>, &[PathBuf]) -> Result<(), Error>,
    /// Opens a file for results. An existing file keeps its text until the new one is complete.
    pub create: &'a dyn Fn(&Path) -> Result<Sink, Error>,
    /// From now on a signal does not end the process but the measurement.
    pub begin: &'a dyn Fn(),
    /// The exit code for the signal that came since then.
    pub signal: &'a dyn Fn() -> Option<u8>,
}

/// The processes that a measurement starts: this program, with a command that users do not call. It
/// has no options, so its memory is that of little else than the program that it runs.
#[must_use]
pub fn hidden(words: &[String]) -> Option<ExitCode> {
    match words {
        [_, name, words @ ..] if name == foreign::NAME => Some(foreign::run(words)),
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
    let baseline = contenders.first().map_or("", |it| &it.label.engine);
    let started = Instant::now();
    let bench = Bench {
        lists: &lists,
        modes: &Mode::ALL,
        contenders: &contenders,
        baseline,
        seed: 1,
        seconds: time.as_secs_f64(),
        clock: &|| started.elapsed(),
        cancelled: &|| false,
        progress: &|_, _| {},
    };
    Ok(table::render(&bench.run()?, Form::Text))
}

/// Runs `ninefold bench`. Returns the exit code.
///
/// # Errors
/// The measurement failed, or an engine gave a wrong answer.
pub fn run(args: &MeasureArgs, host: &Host) -> Result<u8, Error> {
    let baseline = baseline(args)?;
    let before = args.compare.as_deref().map(Report::read).transpose()?;
    let files = export::files(args)?;
    let paths: Vec<_> = files.iter().map(|(path, _)| (*path).clone()).collect();
    (host.check)(args.compare.as_deref(), &paths)?;
    // This may wait for standard input.
    let lists = lists(args, host)?;
    check_time(args, lists.len())?;
    let contenders = contenders(args, host.blank)?;
    let is_shown = !args.quiet && !args.no_progress && io::stderr().is_terminal();
    let bar = if is_shown { ProgressBar::new(1000) } else { ProgressBar::hidden() };
    let style = ProgressStyle::with_template("{bar:20.cyan/dim} {percent:>3} %  {wide_msg}")?;
    bar.set_style(style);
    let started = Instant::now();
    let bench = Bench {
        lists: &lists,
        modes: &args.modes,
        contenders: &contenders,
        baseline: &baseline,
        seed: args.seed,
        seconds: args.seconds,
        clock: &|| started.elapsed(),
        cancelled: &|| (host.signal)().is_some(),
        progress: &|share, next| {
            bar.set_position(share);
            bar.set_message(next.to_owned());
        },
    };
    let names = bench.names();
    let is_unlike = |it: &Report| !it.any(|row| names.contains(&row.name()));
    if let Some(path) = args.compare.as_ref().filter(|_| before.as_ref().is_some_and(is_unlike)) {
        let why = "has no list, mode and engine that are measured now";
        return Err(format!("--compare {}: {why}", path.display()).into());
    }
    // Opened before the measurement, so that it does not end with an error.
    let sinks = paths.iter().map(|path| (host.create)(path)).collect::<Result<Vec<_>, _>>()?;
    (host.begin)();
    let report = bench.run()?;
    let interrupted = (host.signal)();
    bar.finish_and_clear();
    let changes = before.as_ref().map(|before| (before, compare(before, &report)));
    let changed = changes.as_ref().map(|(before, rows)| changes::render(before, &report, rows));
    let shown = table::render(&report, Form::Text) + &changed.unwrap_or_default();
    // If one of them fails, the results still reach the other.
    let mut outputs = files.iter().zip(sinks);
    let written = outputs.try_for_each(|((_, text), sink)| export::write(sink, &text(&report)));
    let shown = export::write(Sink::stdout(), &shown);
    written.and(shown)?;
    let faults = report.any(Row::has_faults);
    if let Some(code) = interrupted {
        return Ok(code);
    }
    if !faults && !report.any(|row| !row.rounds.is_empty()) && report.any(Row::is_unmeasured) {
        return Err("no round was measured in this time: --seconds N gives more".into());
    }
    let Some((_, changes)) = changes.filter(|_| args.fail_on_slower) else {
        return Ok(u8::from(faults));
    };
    if changes.iter().all(|change| change.verdict == Verdict::Unknown) {
        return Err("--fail-on-slower: no row could be compared".into());
    }
    Ok(u8::from(faults || changes.iter().any(|change| change.verdict == Verdict::Slower)))
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

/// Fails if the time does not give every thread its part of a round. Threads are expensive to start, and
/// the first look at every row alone would take much longer.
fn check_time(args: &MeasureArgs, lists: usize) -> Result<(), Error> {
    /// Half a batch of `lanes`, which has 512 puzzles of about 0.2 µs.
    const LEAST: Duration = Duration::from_micros(50);
    let rows = lists * args.modes.len() * args.variants().len();
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let (threads, seconds) = (args.threads.iter().copied().max().unwrap_or(1), args.seconds);
    // A thread has a core to itself, or waits for the others.
    let parts = u32::try_from(rows.max(1) * threads.div_ceil(cores)).unwrap_or(u32::MAX);
    let part = Duration::from_secs_f64(IN_A_ROUND * seconds) / parts;
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
    let others = args.program.iter().chain(&args.library);
    let others = others.map(|it| Ok(Contender::outside(Outside::new(it, blank, args.time_limit)?)));
    engines.chain(others).collect()
}

/// The built-in lists of `--lists` and the inputs; all built-in lists if there are neither.
fn lists(args: &MeasureArgs, host: &Host) -> Result<Vec<List>, Error> {
    let all = args.lists.is_empty() && host.inputs.is_empty();
    let mut lists: Vec<List> = Vec::new();
    for (name, about, text) in host.lists {
        if all || args.lists.iter().any(|list| list == name) {
            let source = Source::from_bytes(name, text.as_bytes().to_vec());
            lists.push(read(source, name, about, args)?);
        }
    }
    let sources = if host.inputs.is_empty() { Vec::new() } else { (host.open)()? };
    for (path, source) in host.inputs.iter().zip(sources) {
        let whole = source.name().to_string();
        // The file name, or the path if that is taken.
        let file = path.file_name().filter(|name| *name != "-");
        let short = file.map(|it| it.to_string_lossy().replace(char::is_control, "\u{fffd}"));
        let numbered = (2..).map(|number| format!("{whole} ({number})"));
        let mut names = short.into_iter().chain([whole.clone()]).chain(numbered);
        let name = names.find(|name| lists.iter().all(|list| list.listed.name != *name));
        lists.push(read(source, &name.unwrap_or_default(), "", args)?);
    }
    Ok(lists)
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
