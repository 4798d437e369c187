//! The options of every command that writes records: where they go, in which format, which of them, and
//! how a run is divided and continued.

use super::exit::{Error, refuse};
use super::open;
use super::parsers;
use super::reading::InputArgs;
use super::running::RunArgs;
use super::standard::is_standard;
use crate::input::{Layout, Shard, Source};
use crate::names::Named;
use crate::output::{self, Format, Style, Table};
use crate::run::{Column, Terms};
use clap::{Arg, Args, ColorChoice};
use std::env;
use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The options of a command that writes records, besides those of its inputs.
#[derive(Debug, Args)]
pub(crate) struct RecordsArgs {
    #[command(flatten)]
    pub(crate) writing: OutputArgs,

    /// Write unanswered input lines to FILE
    ///
    /// A comment before each line has the reason. FILE can be corrected and read again.
    #[arg(long, value_name = "FILE", value_parser = parsers::output(), help_heading = "Output")]
    pub(crate) rejects: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) running: RunArgs,

    /// Continue an interrupted run of the same command
    ///
    /// Requires -o FILE. Starts from the beginning if there is nothing to continue, and does nothing
    /// if FILE is complete. FILE.partial.log stays, by which FILE is recognised.
    #[arg(long, requires = "output", conflicts_with = "force", help_heading = "Execution")]
    pub(crate) resume: bool,

    /// Write a checkpoint every S seconds
    #[arg(long, value_name = "S", default_value = "1", value_parser = parsers::seconds)]
    #[arg(help_heading = "Execution", hide_short_help = true)]
    pub(super) flush_interval: Duration,

    /// Read only part I of N of the inputs
    ///
    /// The outputs of all parts, concatenated in order, are the output of one run. Pipes and
    /// compressed files cannot be split. See ninefold merge.
    #[arg(long, value_name = "I/N", help_heading = "Execution")]
    pub(crate) shard: Option<Shard>,
}

/// The formats of most commands.
pub(crate) const FORMATS: &[Format] =
    &[Format::Line, Format::Pair, Format::Csv, Format::Jsonl, Format::Grid];

/// The formats of a command: for `#[command(mut_arg("format", …))]`.
pub(crate) fn formats(formats: &'static [Format]) -> impl Fn(Arg) -> Arg {
    |arg| arg.value_parser(parsers::named_of(formats.iter().copied()))
}

/// The terms of a command, for its `only` and `except`.
pub(crate) fn terms<S: Named>(arg: Arg) -> Arg {
    arg.value_parser(parsers::words::<S>())
}

/// Fails if records of this format have no fields, which an option needs.
pub(crate) fn check_fields(option: &str, format: Format) -> Result<(), Error> {
    let reason = format!("records of --format {format} have no fields; use csv or jsonl");
    refuse(!matches!(format, Format::Csv | Format::Jsonl), option, &reason)
}

/// Where records go, and how they are written.
#[derive(Debug, Args)]
#[command(next_help_heading = "Output")]
pub(crate) struct OutputArgs {
    /// Write records to FILE instead of standard output
    ///
    /// FILE.partial has the records until the run is complete. FILE is compressed if it ends in .gz
    /// or .zst, and Parquet if in .parquet.
    #[arg(short, long, value_name = "FILE", value_parser = parsers::output())]
    pub(crate) output: Option<PathBuf>,

    /// Replace existing output files
    ///
    /// Also replaces partial files of earlier runs. An old file stays until the new one is complete.
    #[arg(short, long)]
    pub(crate) force: bool,

    /// Write records in this format
    #[arg(long, value_name = "FORMAT")]
    format: Option<Format>,

    /// Use colours in --format grid
    ///
    /// auto: on a terminal, unless `NO_COLOR` is set.
    #[arg(long, value_name = "WHEN", default_value = "auto")]
    color: ColorChoice,

    /// Append the other fields of the input (csv, jsonl)
    #[arg(long)]
    pub(crate) keep_columns: bool,

    /// Write only records of these statuses
    ///
    /// A list separated by commas. Other records are still counted, also for the exit code.
    #[arg(long, value_name = "STATUS", value_delimiter = ',')]
    #[arg(conflicts_with = "except")]
    pub(crate) only: Option<Vec<String>>,

    /// Write all records but those of these statuses
    #[arg(long, value_name = "STATUS", value_delimiter = ',')]
    #[arg(hide_possible_values = true)]
    pub(crate) except: Option<Vec<String>>,
}

impl OutputArgs {
    /// The file that records go to, if it has a name.
    pub(crate) fn path(&self) -> Option<&Path> {
        self.output.as_deref().filter(|path| !is_standard(path))
    }

    /// Refuses the options that say how records are made, for a command that copies rows.
    pub(crate) fn refuse_formats(&self) -> Result<(), Error> {
        let typed = [
            ("--format", self.format.is_some()),
            ("--color", self.color != ColorChoice::Auto),
            ("--keep-columns", self.keep_columns),
            ("--only", self.only.is_some()),
            ("--except", self.except.is_some()),
        ];
        let reason = "rows are copied as they are; leave the option out";
        typed.into_iter().try_for_each(|(option, is_typed)| refuse(is_typed, option, reason))
    }

    /// The format of the records: this one if none is named.
    pub(crate) fn format(&self, default: Format) -> Format {
        self.format.unwrap_or(if self.is_parquet() { Format::Csv } else { default })
    }

    /// Whether the records go to a Parquet file.
    pub(crate) fn is_parquet(&self) -> bool {
        open::is_parquet(self.path())
    }

    /// The format of the records: `grid` on a terminal if all inputs are puzzles themselves, else this one.
    pub(crate) fn format_or_grid(&self, reading: &InputArgs, default: Format) -> Format {
        let is_seen = self.output.is_none() && io::stdout().is_terminal();
        self.format(if is_seen && reading.are_puzzles() { Format::Grid } else { default })
    }

    /// Whether grids have colours.
    pub(super) fn has_color(&self) -> bool {
        let is_named = |name: &str| env::var_os(name).is_some_and(|value| !value.is_empty());
        match self.color {
            ColorChoice::Always => true,
            ColorChoice::Never => false,
            ColorChoice::Auto => {
                let is_dumb = env::var_os("TERM").is_some_and(|term| term == "dumb");
                let is_seen = self.path().is_none() && io::stdout().is_terminal();
                is_seen && !is_dumb && !is_named("NO_COLOR")
            }
        }
    }

    /// The terms whose records are written.
    pub(crate) fn select(&self, terms: &[&str]) -> Terms {
        let set = |names: &[String]| {
            let is_named = |term: &str| names.iter().any(|name| name == term);
            let places = (0..terms.len()).filter(|&place| is_named(terms[place]));
            places.fold(0, |bits, place| bits | 1 << place)
        };
        match (&self.only, &self.except) {
            (Some(only), _) => Terms(set(only)),
            (None, Some(except)) => Terms(!set(except)),
            (None, None) => Terms::default(),
        }
    }

    /// How records of these inputs are written, with these columns of the command's own.
    pub(super) fn style(
        &self,
        columns: Vec<Column>,
        sources: &[Source],
        format: Format,
    ) -> Result<Style, Error> {
        let names = self.keep_columns.then(|| Self::other_columns(sources, format)).transpose()?;
        let other_columns = names.as_ref().map(|names| output::kept_columns(&columns, names));
        let input_names = sources.len() > 1;
        let color = format == Format::Grid && self.has_color();
        let (blank, header, marked) = (b'.', true, self.is_parquet());
        Ok(Style { format, columns, blank, color, header, other_columns, input_names, marked })
    }

    /// The columns of a Parquet file of these records, if they go to one. The columns of the input are
    /// of the types that all inputs have for them; others are text.
    pub(crate) fn table(
        &self,
        style: &Style,
        sources: &mut Vec<Source>,
        rejects: Option<&Path>,
    ) -> Result<Option<Table>, Error> {
        if !self.is_parquet() {
            return Ok(None);
        }
        open::check_csv(style.format)?;
        if !self.keep_columns {
            return Ok(Some(Table::of_style(style, &[])));
        }
        let types = open::types_of(sources, Layout::is_other, rejects)?;
        Ok(Some(Table::of_style(style, &types)))
    }

    /// The columns to carry through, which all inputs have.
    fn other_columns(sources: &[Source], format: Format) -> Result<Vec<String>, Error> {
        check_fields("--keep-columns", format)?;
        // From objects to objects every member is kept.
        let objects = |source: &Source| source.layout().is_some_and(|layout| layout.has_objects());
        if format == Format::Jsonl && sources.iter().all(objects) {
            return Ok(Vec::new());
        }
        let of = |source: &Source| source.layout().map(|layout| layout.other_columns());
        let columns = sources.first().and_then(of).unwrap_or_default();
        let differs = |source: &&Source| of(source).is_some_and(|other| other != columns);
        if let Some(source) = sources.iter().find(differs) {
            let (one, other) = (sources[0].name(), source.name());
            return Err(Error::Failed(format!(
                "--keep-columns: {one} and {other} have different columns"
            )));
        }
        Ok(columns)
    }
}
