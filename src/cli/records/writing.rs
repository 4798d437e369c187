//! The options that say how records are written: every command that answers puzzles has them.

use super::super::exit::Error;
use super::super::open;
use super::super::parsers;
use super::super::reading::InputArgs;
use super::super::standard::is_standard;
use clap::{Args, ColorChoice};
use ninefold::input::{ColumnTypes, Source};
use ninefold::names::{NameSet, Named};
use ninefold::output::{self, Format, Style, Table};
use std::env;
use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};

/// How records are written. `S` is what becomes of a puzzle, in one word.
#[derive(Debug, Args)]
#[command(next_help_heading = "Output")]
pub(in crate::cli) struct OutputArgs<S: Named> {
    /// Write records to FILE instead of standard output
    ///
    /// FILE.partial has the records until the run is complete. FILE is compressed if it ends in .gz
    /// or .zst, and Parquet if in .parquet.
    #[arg(short, long, value_name = "FILE", value_parser = parsers::output())]
    pub(in crate::cli) output: Option<PathBuf>,

    /// Replace existing output files
    ///
    /// Also replaces partial files of earlier runs. An old file stays until the new one is complete.
    #[arg(short, long)]
    pub(in crate::cli) force: bool,

    /// Write records in this format
    #[arg(long, value_name = "FORMAT", value_parser = parsers::named::<Format>())]
    format: Option<Format>,

    /// Use colours in --format grid
    ///
    /// auto: on a terminal, unless `NO_COLOR` is set.
    #[arg(long, value_name = "WHEN", default_value = "auto")]
    color: ColorChoice,

    /// Append the other fields of the input (csv, jsonl)
    #[arg(long)]
    pub(in crate::cli) keep_columns: bool,

    /// Write only records of these statuses
    ///
    /// A list separated by commas. Other records are still counted, also for the exit code.
    #[arg(long, value_name = "STATUS", value_delimiter = ',', value_parser = parsers::named::<S>())]
    #[arg(conflicts_with = "except")]
    pub(in crate::cli) only: Option<Vec<S>>,

    /// Write all records but those of these statuses
    #[arg(long, value_name = "STATUS", value_delimiter = ',', value_parser = parsers::named::<S>())]
    #[arg(hide_possible_values = true)]
    pub(in crate::cli) except: Option<Vec<S>>,
}

impl<S: Named> OutputArgs<S> {
    /// The file that records go to, if it has a name.
    pub(in crate::cli) fn path(&self) -> Option<&Path> {
        self.output.as_deref().filter(|path| !is_standard(path))
    }

    /// The format of the records: `line` if none is named.
    pub(in crate::cli) fn format(&self) -> Format {
        self.format.unwrap_or(if self.is_parquet() { Format::Csv } else { Format::Line })
    }

    /// Whether the records go to a Parquet file.
    pub(in crate::cli) fn is_parquet(&self) -> bool {
        open::is_parquet(self.path())
    }

    /// The same, but `grid` on a terminal if none is named and all inputs are puzzles themselves.
    pub(in crate::cli) fn format_or_grid(&self, reading: &InputArgs) -> Format {
        if self.is_parquet() {
            return self.format();
        }
        let is_seen = self.output.is_none() && io::stdout().is_terminal();
        let default = if is_seen && reading.are_puzzles() { Format::Grid } else { Format::Line };
        self.format.unwrap_or(default)
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

    /// Which records are written.
    pub(in crate::cli) fn select(&self) -> NameSet<S> {
        match (&self.only, &self.except) {
            (Some(only), _) => NameSet::of(only),
            (None, Some(except)) => NameSet::of(except).complement(),
            (None, None) => NameSet::ALL,
        }
    }

    /// How records of these inputs are written, with these columns of the command's own.
    pub(in crate::cli) fn style(
        &self,
        columns: &'static [&'static str],
        sources: &[Source],
        format: Format,
        blank: u8,
        header: bool,
    ) -> Result<Style, Error> {
        let names = self.keep_columns.then(|| Self::other_columns(sources, format)).transpose()?;
        let other_columns = names.as_ref().map(|names| output::kept_columns(columns, names));
        if self.keep_columns {
            sources.iter().try_for_each(Source::check_flat)?;
        }
        let input_names = sources.len() > 1;
        let color = format == Format::Grid && self.has_color();
        let marked = self.is_parquet();
        let header = header && !marked;
        Ok(Style { format, columns, blank, color, header, other_columns, input_names, marked })
    }

    /// The columns of a Parquet file of these records, if they go to one. The columns of the input are
    /// of the types that all inputs have for them; others are text.
    pub(in crate::cli) fn table(
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
        let types = open::types_of(sources, ColumnTypes::Others, rejects)?;
        Ok(Some(Table::of_style(style, &types)))
    }

    /// The columns to carry through, which all inputs have.
    fn other_columns(sources: &[Source], format: Format) -> Result<Vec<String>, Error> {
        if !matches!(format, Format::Csv | Format::Jsonl) {
            let reason = format!("records of --format {format} have no fields; use csv or jsonl");
            return Err(Error::Failed(format!("--keep-columns: {reason}")));
        }
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
                "--keep-columns: {one} and {other} have not the same columns"
            )));
        }
        Ok(columns)
    }
}
