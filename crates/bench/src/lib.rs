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
mod numbers;
mod program;
mod report;
mod run;
mod stats;
mod table;
#[cfg(test)]
mod tests;

pub use args::MeasureArgs;
pub use report::cpu;

use contender::{Contender, Means};
use indicatif::{ProgressBar, ProgressStyle};
use list::BenchList;
use ninefold_core::engine::{Engine, EngineKind};
use ninefold_core::puzzle::Puzzle;
use ninefold_rows::input::Source;
use ninefold_rows::output::Sink;
use program::Program;
use report::{BenchReport, BenchRow};
use run::Bench;
use std::fmt;
use std::io::{self, IsTerminal, Write};
use std::path::Path;
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
    /// The inputs as the user named them, opened.
    pub inputs: Vec<(&'a Path, Source)>,
    /// The character for a blank in the input of programs.
    pub blank: u8,
    /// Opens a file for results. An existing file keeps its text until the new one is complete.
    pub create: &'a dyn Fn(&Path) -> Result<Sink, Error>,
    /// From now on a signal does not end the process but the measurement.
    pub begin: &'a dyn Fn(),
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
    let lists = lists.into_iter().map(|(name, puzzles)| BenchList::new(name, "", puzzles));
    let lists: Vec<_> = lists.filter(|list| !list.puzzles.is_empty()).collect();
    let baseline = contenders.first().map_or("", |it| &it.name.engine);
    let started = Instant::now();
    let bench = Bench {
        lists: &lists,
        contenders: &contenders,
        baseline,
        seed: 1,
        seconds: time.as_secs_f64(),
        clock: &|| started.elapsed(),
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
    let Host { lists: built_in, inputs, blank, create, begin, signal } = host;
    let baseline = baseline(args)?;
    let before = args.compare.as_deref().map(BenchReport::read).transpose()?;
    let lists = lists(args, built_in, inputs)?;
    let contenders = contenders(args, blank);
    let is_shown = !args.quiet && !args.no_progress && io::stderr().is_terminal();
    let bar = if is_shown { ProgressBar::new(1000) } else { ProgressBar::hidden() };
    let style = ProgressStyle::with_template("{bar:20.cyan/dim} {percent:>3} %  {wide_msg}")?;
    bar.set_style(style);
    let started = Instant::now();
    let bench = Bench {
        lists: &lists,
        contenders: &contenders,
        baseline: &baseline,
        seed: args.seed,
        seconds: args.seconds,
        clock: &|| started.elapsed(),
        cancelled: &|| signal().is_some(),
        progress: &|share, next| {
            bar.set_position(share);
            bar.set_message(next.to_owned());
        },
    };
    let names = bench.names();
    let is_unlike = |it: &BenchReport| !it.any(|row| names.contains(&row.name()));
    if let Some(path) = args.compare.as_ref().filter(|_| before.as_ref().is_some_and(is_unlike)) {
        let why = "has no list and engine that are measured now";
        return Err(format!("--compare {}: {why}", path.display()).into());
    }
    // Opened before the measurement, so that it does not end with an error.
    let [results, drawing] =
        [&args.export, &args.plot].map(|path| path.as_deref().map(create).transpose());
    let (results, drawing) = (results?, drawing?);
    begin();
    for contender in &contenders {
        if let Means::Program(program) = &contender.means {
            program.try_to_start(bench.cancelled)?;
        }
    }
    let report = bench.run()?;
    let interrupted = signal();
    bar.finish_and_clear();
    let changed = before.map(|before| changes::render(&before, &report)).unwrap_or_default();
    // If one of them fails, the results still reach the others.
    let written = results.map_or(Ok(()), |sink| write(sink, &report.to_json()));
    let drawn = drawing.map_or(Ok(()), |sink| write(sink, &chart::render(&report)));
    let shown = write(Sink::stdout(), &(table::render(&report) + &changed));
    written.and(drawn).and(shown)?;
    let faults = report.any(BenchRow::has_faults);
    if let Some(code) = interrupted {
        return Ok(code);
    }
    if !faults && !report.any(|row| !row.rounds.is_empty()) && report.any(BenchRow::is_unmeasured) {
        return Err("no round was measured in this time: --seconds N gives more".into());
    }
    Ok(u8::from(faults))
}

/// The name of the contender that the others are compared with. Fails if there is none, or if two
/// contenders have the same name: their rows could not be told apart.
fn baseline(args: &MeasureArgs) -> Result<String, Error> {
    let programs = args.program.iter().map(|program| &*program.name);
    let names: Vec<&str> = args.engines().iter().map(|kind| kind.name()).chain(programs).collect();
    let mut places = names.iter().enumerate();
    if let Some((_, name)) = places.find(|(place, name)| names[..*place].contains(name)) {
        return Err(format!("two engines or programs have the name {name}").into());
    }
    let dlx = EngineKind::Dlx.name();
    match &args.baseline {
        Some(name) if names.contains(&&**name) => Ok(name.clone()),
        Some(name) => {
            let list = names.join(", ");
            Err(format!("--baseline {name}: is not one of the measured engines ({list})").into())
        }
        None => Ok((if names.contains(&dlx) { dlx } else { names[0] }).to_owned()),
    }
}

/// Writes a whole output.
fn write(mut sink: Sink, text: &str) -> Result<(), Error> {
    sink.write(text.as_bytes())?;
    Ok(sink.finish()?)
}

/// The engines, then the programs.
fn contenders(args: &MeasureArgs, blank: u8) -> Vec<Contender> {
    let engines = args.variants().into_iter();
    let engines = engines.map(|(kind, level)| Contender::built_in(kind, level));
    let programs = args.program.iter().map(|it| Program::new(it, blank, args.time_limit));
    engines.chain(programs.map(Contender::program)).collect()
}

/// The built-in lists of `--lists` and the inputs; all built-in lists if there are neither.
fn lists(
    args: &MeasureArgs,
    built_in: &[BuiltIn],
    inputs: Vec<(&Path, Source)>,
) -> Result<Vec<BenchList>, Error> {
    let all = args.lists.is_empty() && inputs.is_empty();
    let mut lists: Vec<BenchList> = Vec::new();
    for (name, about, text) in built_in {
        if all || args.lists.iter().any(|list| list == name) {
            let source = Source::from_bytes(name, text.as_bytes().to_vec());
            lists.push(read(source, name, about, args)?);
        }
    }
    for (path, source) in inputs {
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
fn read(source: Source, name: &str, about: &str, args: &MeasureArgs) -> Result<BenchList, Error> {
    let (list, (skipped, first)) = BenchList::read(name, about, source, args.seed)?;
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
