//! The results for programs and for documents: JSON, which `--compare` reads again, CSV, Markdown.

use super::machine::Export;
use super::table::{self, Columns};
use crate::cli::exit::Error;
use crate::bench::{Mode, Row, Spread};
use crate::output::push_csv_field;
use std::fmt::Write;
use std::fs;
use std::path::Path;

/// The format that a file's ending stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Format {
    Csv,
    Json,
    Markdown,
}

impl Format {
    /// The format by the ending of a name.
    pub(super) fn of(path: &Path) -> Result<Self, Error> {
        match path.extension().and_then(|ending| ending.to_str()) {
            Some("csv") => Ok(Self::Csv),
            Some("json") => Ok(Self::Json),
            Some("md") => Ok(Self::Markdown),
            _ => {
                let path = path.display();
                Err(Error::Failed(format!(
                    "--export {path}: expected an ending of .csv, .json or .md"
                )))
            }
        }
    }
}

/// The results in a format.
pub(super) fn render(export: &Export, format: Format) -> Result<String, Error> {
    Ok(match format {
        Format::Csv => {
            csv(&export.report.rows.iter().map(|row| fields(export, row)).collect::<Vec<_>>())
        }
        Format::Json => serde_json::to_string_pretty(export).map_err(Error::caused)? + "\n",
        Format::Markdown => markdown(export),
    })
}

/// A JSON file that was written before.
pub(super) fn read(path: &Path) -> Result<Export, Error> {
    let text = fs::read_to_string(path).map_err(|error| Error::at(path, error))?;
    serde_json::from_str(&text)
        .map_err(|error| Error::at(path, format!("expected what --export wrote as .json: {error}")))
}

/// A field of a CSV line: the name of its column, and its text.
pub(super) type Field = (&'static str, String);

/// The fields of a row. Every line has everything, so files can be concatenated.
fn fields(export: &Export, row: &Row) -> Vec<Field> {
    let Export { machine, report, .. } = export;
    let (spread, interval) = (row.nanoseconds(), row.interval());
    let process = row.process.clone().unwrap_or_default();
    let is_process = row.process.is_some();
    let middle = |times: &[f64]| number(Spread::of(times).map(|spread| spread.middle));
    let count = |count: u64| if is_process { count.to_string() } else { String::new() };
    vec![
        ("list", row.list.clone()),
        ("mode", row.mode.name().to_owned()),
        ("engine", row.label.engine.clone()),
        ("simd", row.label.simd.clone().unwrap_or_default()),
        ("threads", row.label.threads.to_string()),
        ("puzzles_per_second", number(row.puzzles_per_second())),
        ("nanoseconds", number(spread.map(|spread| spread.middle))),
        ("nanoseconds_lower", number(spread.map(|spread| spread.lower))),
        ("nanoseconds_upper", number(spread.map(|spread| spread.upper))),
        ("interval_lower", number(interval.map(|(low, _)| low))),
        ("interval_upper", number(interval.map(|(_, high)| high))),
        ("less_than_puzzles_per_second", number(row.less_than_per_second())),
        ("baseline", export.baseline.clone()),
        ("times_baseline", number(report.ratio(row, &export.baseline))),
        ("branches_per_puzzle", number(row.branches_per_puzzle())),
        ("share_without_search", number(row.share_without_search())),
        ("efficiency", number(report.efficiency(row))),
        ("rounds", row.rounds.len().to_string()),
        ("puzzles_per_round", row.puzzles_per_round.to_string()),
        ("sample", row.sample.to_string()),
        ("given_up", row.given_up.to_string()),
        ("process", process.command.clone()),
        ("wall_seconds", middle(&process.wall)),
        ("user_seconds", middle(&process.user)),
        ("system_seconds", middle(&process.system)),
        ("peak_bytes", process.peak_bytes.map_or_else(String::new, |bytes| bytes.to_string())),
        ("startup_empty_seconds", middle(&process.startup_empty)),
        ("startup_one_seconds", middle(&process.startup_one)),
        ("puzzles_per_second_without_startup", number(row.rate_without_startup())),
        ("answers_checked", count(process.checked)),
        ("answers_wrong", count(process.wrong)),
        ("answers_missing", count(process.missing)),
        ("failure", process.failure.clone().unwrap_or_default()),
        ("cpus_of_others", number(report.noise.cpus_of_others)),
        ("cpu", machine.cpu.clone()),
        ("features", machine.features.join(" ")),
        ("system", machine.system.clone()),
        ("version", export.version.clone()),
        ("command", export.command()),
        ("seed", report.seed.to_string()),
        ("interrupted", report.interrupted.to_string()),
    ]
}

/// A number as JSON writes it; an unknown number is an empty field.
pub(super) fn number(number: Option<f64>) -> String {
    number.map_or_else(String::new, |number| serde_json::json!(number).to_string())
}

/// A CSV table with a header.
pub(super) fn csv(lines: &[Vec<Field>]) -> String {
    let mut table = Vec::new();
    let mut push = |fields: &mut dyn Iterator<Item = &str>| {
        for (place, field) in fields.enumerate() {
            table.extend_from_slice(if place == 0 { b"" } else { b"," });
            push_csv_field(&mut table, field.as_bytes());
        }
        table.push(b'\n');
    };
    if let Some(line) = lines.first() {
        push(&mut line.iter().map(|(name, _)| *name));
    }
    for line in lines {
        push(&mut line.iter().map(|(_, text)| &**text));
    }
    String::from_utf8(table).expect("every field is text")
}

/// A section for each list and mode.
fn markdown(export: &Export) -> String {
    const FULL: &str = "a string takes all that is written to it";
    let mut text = String::new();
    for list in &export.report.lists {
        for &mode in Mode::ALL {
            let block = table::columns(export, list, mode);
            if !block.lines.is_empty() {
                let title = escape(&table::title(list, mode));
                write!(text, "**{title}**\n\n{}\n", markdown_table(&block)).expect(FULL);
            }
            if let Some(block) = table::process_columns(&export.report, list, mode) {
                writeln!(text, "{}", markdown_table(&block)).expect(FULL);
            }
            let faults = table::faults(&export.report, list, mode);
            for fault in &faults {
                writeln!(text, "- \\! {}", escape(fault)).expect(FULL);
            }
            if !faults.is_empty() {
                text.push('\n');
            }
        }
    }
    for (mark, meaning) in table::legend(export) {
        writeln!(text, "- {}: {}", escape(&mark), escape(&meaning)).expect(FULL);
    }
    for warning in table::warnings(export) {
        writeln!(text, "- Warning: {}", escape(&warning)).expect(FULL);
    }
    let (machine, sentence) = (export.machine.sentence(), export.sentence());
    writeln!(text, "\n{}. {}.", escape(&machine), escape(&sentence)).expect(FULL);
    text
}

/// A table with numbers to the right.
pub(super) fn markdown_table(columns: &Columns) -> String {
    let line = |cells: &[String]| {
        let cells: Vec<_> = cells.iter().map(|cell| escape(cell)).collect();
        format!("| {} |\n", cells.join(" | "))
    };
    let rule = format!("| --- |{}\n", " ---: |".repeat(columns.heads.len() - 1));
    let lines: String = columns.lines.iter().map(|cells| line(cells)).collect();
    line(&columns.heads) + &rule + &lines
}

/// The text with Markdown's special characters escaped.
fn escape(text: &str) -> String {
    let special = |c: char| "\\`*_[]<>|~#".contains(c);
    let escaped = |c: char| special(c).then_some('\\').into_iter().chain([c]);
    text.chars().flat_map(escaped).collect()
}
