//! The results for programs and for documents: JSON, which `--compare` reads again, CSV, Markdown.

use super::machine::Export;
use super::table::{self, Columns};
use crate::cli::exit::Error;
use ninefold::bench::{Mode, Row};
use serde::Serialize;
use std::fmt::Write;
use std::fs;
use std::path::Path;

/// What a file's ending asks for.
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
    let failed = |error: &dyn std::fmt::Display| Error::Failed(error.to_string());
    match format {
        Format::Csv => csv(export.report.rows.iter().map(|row| Line::new(export, row))),
        Format::Json => {
            let json = serde_json::to_string_pretty(export).map_err(|error| failed(&error))?;
            Ok(json + "\n")
        }
        Format::Markdown => Ok(markdown(export)),
    }
}

/// A JSON file that was written before.
pub(super) fn read(path: &Path) -> Result<Export, Error> {
    let failed = |why: String| Error::Failed(format!("{}: {why}", path.display()));
    let text = fs::read_to_string(path).map_err(|error| failed(error.to_string()))?;
    serde_json::from_str(&text)
        .map_err(|error| failed(format!("expected what --export wrote as .json: {error}")))
}

/// One row of the CSV: all there is to say, in each line.
#[derive(Serialize)]
struct Line<'a> {
    list: &'a str,
    mode: &'static str,
    engine: &'a str,
    simd: Option<&'a str>,
    threads: usize,
    puzzles_per_second: Option<f64>,
    nanoseconds: Option<f64>,
    nanoseconds_lower: Option<f64>,
    nanoseconds_upper: Option<f64>,
    less_than_puzzles_per_second: Option<f64>,
    baseline: &'a str,
    times_baseline: Option<f64>,
    branches_per_puzzle: Option<f64>,
    share_without_search: Option<f64>,
    efficiency: Option<f64>,
    rounds: usize,
    puzzles_per_round: usize,
    sample: bool,
    given_up: usize,
    cpu: &'a str,
    features: String,
    system: &'a str,
    version: &'a str,
    command: String,
    seed: u64,
    interrupted: bool,
}

impl<'a> Line<'a> {
    fn new(export: &'a Export, row: &'a Row) -> Self {
        let Export { machine, report, .. } = export;
        let spread = row.nanoseconds();
        Self {
            list: &row.list,
            mode: row.mode.name(),
            engine: &row.label.engine,
            simd: row.label.simd.as_deref(),
            threads: row.label.threads,
            puzzles_per_second: row.puzzles_per_second(),
            nanoseconds: spread.map(|spread| spread.middle),
            nanoseconds_lower: spread.map(|spread| spread.lower),
            nanoseconds_upper: spread.map(|spread| spread.upper),
            less_than_puzzles_per_second: row.less_than_per_second(),
            baseline: &export.baseline,
            times_baseline: report.ratio(row, &export.baseline),
            branches_per_puzzle: row.branches_per_puzzle(),
            share_without_search: row.share_without_search(),
            efficiency: report.efficiency(row),
            rounds: row.rounds.len(),
            puzzles_per_round: row.puzzles_per_round,
            sample: row.sample,
            given_up: row.given_up,
            cpu: &machine.cpu,
            features: machine.features.join(" "),
            system: &machine.system,
            version: &export.version,
            command: export.command(),
            seed: report.seed,
            interrupted: report.interrupted,
        }
    }
}

/// Lines with a head.
pub(super) fn csv(lines: impl Iterator<Item = impl Serialize>) -> Result<String, Error> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    let failed = |error: &dyn std::fmt::Display| Error::Failed(error.to_string());
    for line in lines {
        writer.serialize(line).map_err(|error| failed(&error))?;
    }
    let bytes = writer.into_inner().map_err(|error| failed(&error))?;
    String::from_utf8(bytes).map_err(|error| failed(&error))
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
        }
    }
    for (mark, meaning) in table::legend(export) {
        writeln!(text, "- {}: {}", escape(&mark), escape(&meaning)).expect(FULL);
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

/// Text that means nothing to Markdown.
fn escape(text: &str) -> String {
    let special = |c: char| "\\`*_[]<>|~#".contains(c);
    let escaped = |c: char| special(c).then_some('\\').into_iter().chain([c]);
    text.chars().flat_map(escaped).collect()
}
