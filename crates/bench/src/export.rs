//! The files for the results: JSON, which `--compare` reads again, CSV, Markdown, and charts.

use crate::report::{Report, Row};
use crate::stats::median;
use crate::table::{self, Form};
use crate::{Error, MeasureArgs, at, chart};
use ninefold_rows::output::{Sink, push_csv_field};
use serde_json::{Value, json};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

/// What a file gets.
type Text = fn(&Report) -> String;

/// The files of the arguments, by their endings.
pub(crate) fn files(args: &MeasureArgs) -> Result<Vec<(&PathBuf, Text)>, Error> {
    let ending = |path: &Path| path.extension().and_then(OsStr::to_str).unwrap_or("").to_owned();
    let mut files: Vec<(_, Text)> = Vec::new();
    for path in &args.export {
        let text: Text = match &*ending(path) {
            "csv" => csv,
            "json" => {
                |report| serde_json::to_string_pretty(report).expect("texts and numbers") + "\n"
            }
            "md" => |report| table::render(report, Form::Markdown),
            _ => {
                let why = "expected an ending of .csv, .json or .md";
                return Err(format!("--export {}: {why}", path.display()).into());
            }
        };
        files.push((path, text));
    }
    let charts: [(_, Text); 3] = [
        (&args.plot, chart::rates),
        (&args.plot_threads, chart::against_threads),
        (&args.plot_difficulty, chart::against_difficulty),
    ];
    for (path, draw) in charts.into_iter().filter_map(|(path, draw)| Some((path.as_ref()?, draw))) {
        if ending(path) != "svg" {
            return Err(at(path, "charts are SVG only: expected an ending of .svg"));
        }
        files.push((path, draw));
    }
    Ok(files)
}

/// Writes a whole output.
pub(crate) fn write(mut sink: Sink, text: &str) -> Result<(), Error> {
    sink.write(text.as_bytes())?;
    Ok(sink.finish()?)
}

/// The columns of a CSV line with their values. An unknown one is null.
fn fields(report: &Report, row: &Row) -> [(&'static str, Value); 41] {
    let Report { machine, .. } = report;
    let (spread, interval) = (row.nanoseconds(), row.interval());
    let bound = row.rate().filter(|(_, is_bound)| *is_bound);
    let of = row.process.as_ref();
    let process = of.cloned().unwrap_or_default();
    [
        ("list", json!(row.list)),
        ("mode", json!(row.mode)),
        ("engine", json!(row.label.engine)),
        ("simd", json!(row.label.simd)),
        ("threads", json!(row.label.threads)),
        ("puzzles_per_second", json!(row.puzzles_per_second())),
        ("nanoseconds", json!(spread.map(|it| it.middle))),
        ("nanoseconds_lower", json!(spread.map(|it| it.lower))),
        ("nanoseconds_upper", json!(spread.map(|it| it.upper))),
        ("interval_lower", json!(interval.map(|it| it.lower))),
        ("interval_upper", json!(interval.map(|it| it.upper))),
        ("less_than_puzzles_per_second", json!(bound.map(|(rate, _)| rate))),
        ("baseline", json!(report.baseline)),
        ("times_baseline", json!(report.ratio(row, &report.baseline))),
        ("branches_per_puzzle", json!(row.branches_per_puzzle())),
        ("share_without_search", json!(row.share_without_search())),
        ("efficiency", json!(report.efficiency(row))),
        ("rounds", json!(row.rounds.len())),
        ("puzzles_per_round", json!(row.puzzles_per_round)),
        ("sample", json!(row.sample)),
        ("given_up", json!(row.given_up)),
        ("process", json!(process.command)),
        ("wall_seconds", json!(median(&process.wall))),
        ("user_seconds", json!(median(&process.user))),
        ("system_seconds", json!(median(&process.system))),
        ("peak_bytes", json!(process.peak_bytes)),
        ("startup_empty_seconds", json!(median(&process.startup_empty))),
        ("startup_one_seconds", json!(median(&process.startup_one))),
        ("puzzles_per_second_without_startup", json!(row.rate_without_startup())),
        ("answers_checked", json!(of.map(|it| it.checked))),
        ("answers_wrong", json!(of.map(|it| it.wrong))),
        ("answers_missing", json!(of.map(|it| it.missing))),
        ("failure", json!(process.failure)),
        ("cpus_of_others", json!(report.noise.cpus_of_others)),
        ("cpu", json!(machine.cpu)),
        ("features", json!(machine.features.join(" "))),
        ("system", json!(machine.system)),
        ("version", json!(report.version)),
        ("command", json!(report.command())),
        ("seed", json!(report.seed)),
        ("interrupted", json!(report.interrupted)),
    ]
}

/// A CSV table with a header. Every line has everything, so files can be concatenated.
fn csv(report: &Report) -> String {
    let mut table = Vec::new();
    for (number, row) in report.rows.iter().enumerate() {
        let (names, values): (Vec<_>, Vec<_>) = fields(report, row).into_iter().unzip();
        let text = |value| match value {
            Value::Null => String::new(),
            Value::String(text) => text,
            value => value.to_string(),
        };
        if number == 0 {
            table.extend((names.join(",") + "\n").into_bytes());
        }
        for (place, value) in values.into_iter().enumerate() {
            table.extend_from_slice(if place == 0 { b"" } else { b"," });
            push_csv_field(&mut table, text(value).as_bytes());
        }
        table.push(b'\n');
    }
    String::from_utf8(table).expect("every field is text")
}
