//! `ninefold bench --stages`: the time of a whole run, split into its stages.

use super::args::BenchArgs;
use super::built_in::{BUILT_IN, BuiltIn};
use super::export::{self, Field, Format};
use super::folder::private_folder;
use super::lists::source;
use super::machine::{Machine, PROGRAM, arguments};
use super::numbers::{percent, three_digits};
use super::outputs::{Outputs, write};
use super::table::{Columns, align};
use super::watch::Watch;
use crate::cli::exit::{Error, Outcome};
use ninefold::bench::{Mode, Spread, Stages, StagesError};
use ninefold::engine::EngineKind;
use ninefold::output::{self, Sink};
use ninefold::pipeline::{Control, Event, Pipeline};
use ninefold::solve::{Question, Solve};
use serde::Serialize;
use std::fs;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// A built-in list is repeated up to this size: 1,000 puzzles would measure little but the opening of
/// files.
const LEAST_BYTES: usize = 8 << 20;

/// The fewest runs, unless a signal ends them.
const FEWEST_RUNS: usize = 3;

/// One stage of a run over one list.
#[derive(Clone, Debug, PartialEq, Serialize)]
struct Measured {
    list: String,
    stage: String,
    nanoseconds: f64,
    /// Of all stages together.
    share: Option<f64>,
    /// Half the distance of the quartiles, as a share of the median.
    spread: f64,
    runs: usize,
}

/// The fields that all lines of an export share.
#[derive(Clone, Debug, Serialize)]
struct About {
    engine: String,
    simd: Option<String>,
    version: &'static str,
    command: String,
    cpu: String,
    features: String,
    system: String,
}

/// A stage of one run, and nanoseconds per puzzle.
type Time = (&'static str, f64);

/// The name of the whole run among the stages.
const WHOLE: &str = "whole run";

/// Measures each list and prints the table.
pub(super) fn run(args: &BenchArgs, outputs: Outputs, watch: &Watch) -> Result<Outcome, Error> {
    let kind = args.engines.first().copied().unwrap_or_default();
    let folder = private_folder()?;
    let folder = folder.path();
    let inputs = inputs(args, folder)?;
    let mut measured = Vec::new();
    for (index, (name, path)) in inputs.iter().enumerate() {
        #[expect(clippy::cast_precision_loss, reason = "a few lists")]
        let share = index as f64 / inputs.len() as f64;
        watch.tell(&Event::Step { share, next: name });
        #[expect(clippy::cast_precision_loss, reason = "a few lists")]
        let seconds = args.seconds() / inputs.len() as f64;
        measured.extend(measure(args, kind, name, path, folder, seconds, watch)?);
    }
    let about = about(args, kind);
    let columns = columns(&measured);
    let shown =
        write(Sink::stdout(), &format!("{}\n{}\n{LEGEND}", heading(&about), align(&columns)));
    for (format, file) in outputs.exports {
        write(file, &render(&about, &measured, &columns, format))?;
    }
    shown?;
    Ok(watch.code().map_or(Outcome::AllAnswered, Outcome::Interrupted))
}

const LEGEND: &str = "\
ns/puzzle, the median of all runs, and the share of all stages together. One thread takes each
chunk through all stages, from a mapped file to a file in the folder for temporary files. Parsing
is measured once more by itself, and splitting lines is what is left of the two.
whole run: solve --unique -j 1, which reads and writes while it solves, on threads of their own.
";

/// The inputs, each with its name. A built-in list becomes a file.
fn inputs(args: &BenchArgs, folder: &Path) -> Result<Vec<(String, PathBuf)>, Error> {
    if let Some(path) = args.reading.inputs.iter().find(|path| path.as_os_str() == "-") {
        let path = path.display();
        return Err(Error::Failed(format!(
            "--stages {path}: a file is needed, to be read many times"
        )));
    }
    if !args.reading.inputs.is_empty() {
        let named = |path: &PathBuf| {
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            (name.replace(char::is_control, "\u{fffd}"), path.clone())
        };
        return Ok(args.reading.inputs.iter().map(named).collect());
    }
    let built_in = BUILT_IN.iter().map(|&BuiltIn { name, text, .. }| {
        let path = folder.join(format!("{name}.txt"));
        let times = LEAST_BYTES.div_ceil(text.len());
        fs::write(&path, text.repeat(times)).map_err(|error| Error::at(&path, error))?;
        Ok((name.to_owned(), path))
    });
    built_in.collect()
}

/// Takes an input through all stages and through the whole pipeline, repeatedly.
fn measure(
    args: &BenchArgs,
    kind: EngineKind,
    name: &str,
    path: &Path,
    folder: &Path,
    seconds: f64,
    watch: &Watch,
) -> Result<Vec<Measured>, Error> {
    let level = args.levels()[0];
    let mut engine = kind.build_at(level);
    let limit = NonZeroUsize::new(Mode::Unique.limit()).expect("2 is not 0");
    let solve = Solve {
        engine: kind,
        simd: level,
        max_branches: None,
        question: Question { limit, ..Question::default() },
        pipeline: Pipeline { threads: 1, ..Pipeline::default() },
    };
    let mut runs: Vec<Vec<Time>> = Vec::new();
    let begun = Instant::now();
    while (runs.len() < FEWEST_RUNS || begun.elapsed().as_secs_f64() < seconds)
        && watch.code().is_none()
    {
        let mut stages = Stages::default();
        let mut sink = Sink::open(&folder.join("records"), output::Mode::Replace)?;
        let ran = stages.run(source(path, args)?, &mut sink, engine.as_mut(), limit.get());
        ran.map_err(|error| match error {
            StagesError::Input(error) => Error::from(error),
            StagesError::Output(error) => Error::from(error),
            error => Error::caused(error),
        })?;
        sink.finish()?;
        if stages.puzzles == 0 {
            return Err(Error::Failed(format!("{name}: there is no puzzle in it")));
        }
        let sink = Sink::open(&folder.join("records"), output::Mode::Replace)?;
        let sources = vec![source(path, args)?];
        let started = Instant::now();
        let report = solve.run(sources, sink, Control::default())?;
        #[expect(clippy::cast_precision_loss, reason = "puzzles of a run")]
        let whole = started.elapsed().as_secs_f64() * 1e9 / report.total.puzzles.max(1) as f64;
        let each = stages.each().map(|stage| (stage.name, stage.nanoseconds));
        runs.push(each.into_iter().chain([(WHOLE, whole)]).collect());
    }
    Ok(summarise(name, &runs))
}

/// The median of each stage, and its share of all.
fn summarise(list: &str, runs: &[Vec<Time>]) -> Vec<Measured> {
    let Some(first) = runs.first() else { return Vec::new() };
    let spread_of = |place: usize| {
        let samples: Vec<_> = runs.iter().map(|run| run[place].1).collect();
        Spread::of(&samples).map(|spread| (spread.middle, spread.relative()))
    };
    let spreads: Vec<_> = (0..first.len()).filter_map(spread_of).collect();
    let all: f64 = spreads[..first.len() - 1].iter().map(|(median, _)| median).sum();
    let measured = first.iter().zip(spreads).map(|(&(stage, _), (nanoseconds, spread))| Measured {
        list: list.to_owned(),
        stage: stage.to_owned(),
        nanoseconds,
        share: (stage != WHOLE).then_some(nanoseconds / all),
        spread,
        runs: runs.len(),
    });
    measured.collect()
}

/// A line for each stage, two columns for each list.
fn columns(measured: &[Measured]) -> Columns {
    let mut lists: Vec<&str> = measured.iter().map(|it| &*it.list).collect();
    lists.dedup();
    let stages = measured.iter().take_while(|it| it.list == measured[0].list);
    let mut heads = vec!["stage".to_owned()];
    heads.extend(lists.iter().flat_map(|list| [(*list).to_owned(), String::new()]));
    let line = |stage: &Measured| {
        let cells = measured.iter().filter(|it| it.stage == stage.stage).flat_map(|it| {
            [three_digits(it.nanoseconds), it.share.map_or_else(String::new, percent)]
        });
        std::iter::once(stage.stage.clone()).chain(cells).collect()
    };
    Columns { heads, lines: stages.map(line).collect() }
}

fn about(args: &BenchArgs, kind: EngineKind) -> About {
    let machine = Machine::this();
    let simd = (kind == EngineKind::Lanes).then(|| args.levels()[0].name().to_owned());
    About {
        engine: kind.name().to_owned(),
        simd,
        version: env!("CARGO_PKG_VERSION"),
        command: format!("ninefold {}", arguments().join(" ")),
        features: machine.features.join(" "),
        cpu: machine.cpu,
        system: machine.system,
    }
}

fn heading(about: &About) -> String {
    let simd = about.simd.as_ref().map_or_else(String::new, |simd| format!(" ({simd})"));
    format!("{PROGRAM} on {}, {}, engine {}{simd}\n", about.cpu, about.system, about.engine)
}

/// The results in a format.
fn render(about: &About, measured: &[Measured], columns: &Columns, format: Format) -> String {
    match format {
        Format::Csv => {
            export::csv(&measured.iter().map(|it| fields(about, it)).collect::<Vec<_>>())
        }
        Format::Json => {
            let object = serde_json::json!({ "about": about, "stages": measured });
            format!("{object:#}\n")
        }
        Format::Markdown => {
            let table = export::markdown_table(columns);
            format!("{table}\n{}\n`{}`\n\n{LEGEND}", heading(about), about.command)
        }
    }
}

/// The fields of a CSV line: a stage and everything about the run.
fn fields(about: &About, measured: &Measured) -> Vec<Field> {
    vec![
        ("list", measured.list.clone()),
        ("stage", measured.stage.clone()),
        ("nanoseconds", export::number(Some(measured.nanoseconds))),
        ("share", export::number(measured.share)),
        ("spread", export::number(Some(measured.spread))),
        ("runs", measured.runs.to_string()),
        ("engine", about.engine.clone()),
        ("simd", about.simd.clone().unwrap_or_default()),
        ("cpu", about.cpu.clone()),
        ("features", about.features.clone()),
        ("system", about.system.clone()),
        ("version", about.version.to_owned()),
        ("command", about.command.clone()),
    ]
}
