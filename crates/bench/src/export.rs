//! The files for the results: JSON, which `--compare` reads again, CSV, Markdown, and charts.

use crate::report::{Report, Row};
use crate::stats::Spread;
use crate::table::{self, Form};
use crate::{Error, Host, MeasureArgs, at, chart};
use ninefold_core::engine::lanes::SimdLevel;
use ninefold_rows::output::{Sink, push_csv_field};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::env;
use std::ffi::OsStr;
use std::fs;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::thread;

/// The machine.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Machine {
    pub(crate) cpu: String,
    /// The CPU features of the widest SIMD level.
    pub(crate) features: Vec<String>,
    /// The cores that this process may use.
    pub(crate) cores: usize,
    pub(crate) system: String,
}

impl Machine {
    fn this() -> Self {
        // The system's name of the CPU, or its family.
        let text = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
        let named = |key: &str| {
            let line = text.lines().find(|line| line.starts_with(key))?;
            Some(line.split_once(':')?.1.trim().to_owned()).filter(|name| !name.is_empty())
        };
        let name = ["model name", "Hardware", "Model", "cpu model"].into_iter().find_map(named);
        Self {
            cpu: name.unwrap_or_else(|| format!("a CPU of the family {}", env::consts::ARCH)),
            features: SimdLevel::best().features().iter().map(|&it| it.to_owned()).collect(),
            cores: thread::available_parallelism().map_or(1, NonZeroUsize::get),
            system: format!("{} {}", env::consts::OS, env::consts::ARCH),
        }
    }

    /// `Intel Xeon, 2 cores, linux x86_64, with avx2, bmi1`.
    pub(crate) fn sentence(&self) -> String {
        let Self { cpu, features, cores, system } = self;
        let cores = if *cores == 1 { "1 core".to_owned() } else { format!("{cores} cores") };
        let with = if features.is_empty() { "" } else { ", with " };
        format!("{cpu}, {cores}, {system}{with}{}", features.join(", "))
    }
}

/// A measurement with machine, program and arguments.
#[derive(Serialize, Deserialize)]
pub(crate) struct Export {
    program: String,
    pub(crate) version: String,
    arguments: Vec<String>,
    pub(crate) machine: Machine,
    /// The engine that the others are compared with.
    pub(crate) baseline: String,
    #[serde(flatten)]
    pub(crate) report: Report,
}

impl Export {
    /// The results of this run.
    pub(crate) fn new(report: Report, baseline: &str) -> Self {
        Self {
            program: "ninefold".to_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            arguments: env::args_os().skip(1).map(|it| it.to_string_lossy().into_owned()).collect(),
            machine: Machine::this(),
            baseline: baseline.to_owned(),
            report,
        }
    }

    /// `ninefold 0.1.0, seed 1, 15 rounds: ninefold bench --seconds 20`.
    pub(crate) fn sentence(&self) -> String {
        let Self { program, version, report, .. } = self;
        let (seed, rounds, arguments) = (report.seed, report.rounds, self.arguments.join(" "));
        let ended = if report.interrupted { ", interrupted" } else { "" };
        format!("{program} {version}, seed {seed}, {rounds} rounds{ended}: {program} {arguments}")
    }

    /// A JSON file that was written before.
    pub(crate) fn read(path: &Path) -> Result<Self, Error> {
        let text = fs::read_to_string(path).map_err(|error| at(path, error))?;
        let why = |error| at(path, format!("expected what --export wrote as .json: {error}"));
        serde_json::from_str(&text).map_err(why)
    }
}

/// A chart of a measurement.
type Draw = fn(&Export) -> String;

/// The files of the arguments, with the charts that they get.
fn files(args: &MeasureArgs) -> Vec<(Option<Draw>, &PathBuf)> {
    let plots: [(Draw, _); 3] = [
        (chart::rates, &args.plot),
        (chart::against_threads, &args.plot_threads),
        (chart::against_difficulty, &args.plot_difficulty),
    ];
    let plots = plots.into_iter().filter_map(|(draw, path)| Some((Some(draw), path.as_ref()?)));
    args.export.iter().map(|path| (None, path)).chain(plots).collect()
}

fn ending(path: &Path) -> &str {
    path.extension().and_then(OsStr::to_str).unwrap_or("")
}

/// Refuses an unknown ending, a file that is also read, and a file that exists without `--force`.
pub(crate) fn check(args: &MeasureArgs, host: &dyn Host) -> Result<(), Error> {
    for (draw, path) in files(args) {
        if draw.is_some() && ending(path) != "svg" {
            return Err(at(path, "charts are SVG only: expected an ending of .svg"));
        } else if draw.is_none() && !["csv", "json", "md"].contains(&ending(path)) {
            let path = path.display();
            return Err(format!("--export {path}: expected an ending of .csv, .json or .md").into());
        }
    }
    if args.plot_threads.is_some() && args.threads.len() < 2 {
        let why = "--plot-threads: expected two numbers or more in --threads, as in --threads 1,2";
        return Err(why.into());
    }
    let written: Vec<_> = files(args).into_iter().map(|(_, path)| path.clone()).collect();
    host.check(args.compare.as_deref(), &written)
}

/// The files for the results, opened before the measurement, so that it does not end with an error.
pub(crate) struct Outputs<'a>(Vec<(Option<Draw>, &'a Path, Sink)>);

impl<'a> Outputs<'a> {
    pub(crate) fn open(args: &'a MeasureArgs, host: &dyn Host) -> Result<Self, Error> {
        let open = |(draw, path): (_, &'a PathBuf)| Ok((draw, &**path, host.create(path)?));
        files(args).into_iter().map(open).collect::<Result<_, Error>>().map(Self)
    }

    /// Writes the results in the formats that the endings of the names stand for.
    pub(crate) fn write(self, export: &Export) -> Result<(), Error> {
        self.0.into_iter().try_for_each(|(draw, path, sink)| match (draw, ending(path)) {
            (Some(draw), _) => write(sink, &draw(export)),
            (_, "csv") => write(sink, &csv(export)),
            (_, "json") => write(sink, &(serde_json::to_string_pretty(export)? + "\n")),
            _ => write(sink, &table::render(export, Form::Markdown)),
        })
    }
}

/// Writes a whole output.
pub(crate) fn write(mut sink: Sink, text: &str) -> Result<(), Error> {
    sink.write(text.as_bytes())?;
    Ok(sink.finish()?)
}

/// A field of a CSV line: the name of its column, and its value. An unknown one is null.
type Field = (&'static str, Value);

/// The fields of a row.
fn fields(export: &Export, row: &Row) -> Vec<Field> {
    let Export { report, machine, .. } = export;
    let (spread, interval) = (row.nanoseconds(), row.interval());
    let of = row.process.as_ref();
    let process = of.cloned().unwrap_or_default();
    let middle = |times: &[f64]| json!(Spread::median(times));
    vec![
        ("list", json!(row.list)),
        ("mode", json!(row.mode)),
        ("engine", json!(row.label.engine)),
        ("simd", json!(row.label.simd)),
        ("threads", json!(row.label.threads)),
        ("puzzles_per_second", json!(row.puzzles_per_second())),
        ("nanoseconds", json!(spread.map(|spread| spread.middle))),
        ("nanoseconds_lower", json!(spread.map(|spread| spread.lower))),
        ("nanoseconds_upper", json!(spread.map(|spread| spread.upper))),
        ("interval_lower", json!(interval.map(|interval| interval.lower))),
        ("interval_upper", json!(interval.map(|interval| interval.upper))),
        ("less_than_puzzles_per_second", json!(row.less_than_per_second())),
        ("baseline", json!(export.baseline)),
        ("times_baseline", json!(report.ratio(row, &export.baseline))),
        ("branches_per_puzzle", json!(row.branches_per_puzzle())),
        ("share_without_search", json!(row.share_without_search())),
        ("efficiency", json!(report.efficiency(row))),
        ("rounds", json!(row.rounds.len())),
        ("puzzles_per_round", json!(row.puzzles_per_round)),
        ("sample", json!(row.sample)),
        ("given_up", json!(row.given_up)),
        ("process", json!(process.command)),
        ("wall_seconds", middle(&process.wall)),
        ("user_seconds", middle(&process.user)),
        ("system_seconds", middle(&process.system)),
        ("peak_bytes", json!(process.peak_bytes)),
        ("startup_empty_seconds", middle(&process.startup_empty)),
        ("startup_one_seconds", middle(&process.startup_one)),
        ("puzzles_per_second_without_startup", json!(row.rate_without_startup())),
        ("answers_checked", json!(of.map(|process| process.checked))),
        ("answers_wrong", json!(of.map(|process| process.wrong))),
        ("answers_missing", json!(of.map(|process| process.missing))),
        ("failure", json!(process.failure)),
        ("cpus_of_others", json!(report.noise.cpus_of_others)),
        ("cpu", json!(machine.cpu)),
        ("features", json!(machine.features.join(" "))),
        ("system", json!(machine.system)),
        ("version", json!(export.version)),
        ("command", json!(format!("{} {}", export.program, export.arguments.join(" ")))),
        ("seed", json!(report.seed)),
        ("interrupted", json!(report.interrupted)),
    ]
}

/// A CSV table with a header. Every line has everything, so files can be concatenated.
fn csv(export: &Export) -> String {
    let text = |value: &Value| match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        value => value.to_string(),
    };
    let lines: Vec<_> = export.report.rows.iter().map(|row| fields(export, row)).collect();
    let names = lines.first().map(|line| line.iter().map(|(name, _)| (*name).to_owned()).collect());
    let values = lines.iter().map(|line| line.iter().map(|(_, value)| text(value)).collect());
    let mut table = Vec::new();
    for line in names.into_iter().chain::<Vec<Vec<String>>>(values.collect()) {
        for (place, field) in line.iter().enumerate() {
            table.extend_from_slice(if place == 0 { b"" } else { b"," });
            push_csv_field(&mut table, field.as_bytes());
        }
        table.push(b'\n');
    }
    String::from_utf8(table).expect("every field is text")
}
