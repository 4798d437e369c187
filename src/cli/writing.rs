//! The options of every command that writes records: where they go, in which format, which of them, and
//! how a run is divided and continued.

use super::{Error, InputArgs, RunArgs, SearchArgs, is_standard, parsers, refuse};
use crate::Status;
use crate::input::{Shard, Source};
use crate::names::Named;
use crate::output::{self, Format, Style};
use crate::run::Terms;
use clap::builder::TypedValueParser;
use clap::{Arg, Args, ColorChoice};
use std::env;
use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The options of every command that writes records.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Output")]
pub(crate) struct RecordsArgs {
    /// Write records to FILE instead of standard output
    ///
    /// FILE.partial has the records until the run is complete. FILE is compressed if it ends in .gz
    /// or .zst, and Parquet if in .parquet.
    #[arg(short, long, value_name = "FILE", value_parser = parsers::output())]
    pub(super) output: Option<PathBuf>,

    /// Replace existing output files
    ///
    /// Also replaces partial files of earlier runs. An old file stays until the new one is complete.
    #[arg(short, long)]
    pub(crate) force: bool,

    /// Write unanswered input lines to FILE
    ///
    /// A comment before each line has the reason. FILE can be corrected and read again.
    #[arg(long, value_name = "FILE", value_parser = parsers::output())]
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
    pub(crate) flush_interval: Duration,

    /// Read only part I of N of the inputs
    ///
    /// The outputs of all parts, concatenated in order, are the output of one run. Pipes and
    /// compressed files cannot be split. See ninefold merge.
    #[arg(long, value_name = "I/N", help_heading = "Execution")]
    pub(crate) shard: Option<Shard>,
}

/// The formats of most commands.
const FORMATS: &[Format] = &[Format::Line, Format::Pair, Format::Csv, Format::Jsonl, Format::Grid];

/// Other formats of a command: for `#[command(mut_arg("format", …))]`.
pub(crate) fn formats(formats: &'static [Format]) -> impl Fn(Arg) -> Arg {
    |arg| arg.value_parser(parsers::named_of(formats.iter().copied()))
}

/// The terms of a command that are no [`Status`], for its `only`.
pub(crate) fn terms<S: Named>(arg: Arg) -> Arg {
    arg.value_parser(parsers::named::<S>().map(Terms::of))
}

/// Fails if records of this format have no fields, which an option needs.
pub(crate) fn check_fields(option: &str, format: Format) -> Result<(), Error> {
    let reason = format!("records of --format {format} have no fields; use csv or jsonl");
    refuse(!matches!(format, Format::Csv | Format::Jsonl), option, &reason)
}

/// Which records a command writes, and in which format.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "Output")]
pub(crate) struct FormatArgs {
    /// Write records in this format
    #[arg(long, value_name = "FORMAT", value_parser = parsers::named_of(FORMATS.iter().copied()))]
    format: Option<Format>,

    /// Write only records of these statuses
    ///
    /// A list separated by commas. Other records are still counted, also for the exit code.
    #[arg(long, value_name = "STATUS", value_delimiter = ',')]
    #[arg(value_parser = parsers::named::<Status>().map(Terms::of))]
    only: Option<Vec<Terms>>,

    /// Write these columns only, in this order; csv by default
    #[arg(long, value_name = "COLUMNS", value_delimiter = ',')]
    write: Option<Vec<String>>,
}

/// The option of a command that writes grids of several lines.
#[derive(Debug, Args)]
#[command(next_help_heading = "Output")]
pub(crate) struct ColorArgs {
    /// Use colours in --format grid
    ///
    /// auto: on a terminal, unless `NO_COLOR` is set.
    #[arg(long, value_name = "WHEN", default_value = "auto")]
    pub(crate) color: ColorChoice,
}

/// The options of a command that solves puzzles and writes a record for each. `C` is [`ColorArgs`] if it
/// writes grids.
#[derive(Debug, Args)]
pub(crate) struct SolverArgs<C: Args = ColorArgs> {
    #[command(flatten)]
    pub(crate) reading: InputArgs,
    #[command(flatten)]
    pub(crate) records: RecordsArgs,
    #[command(flatten)]
    pub(crate) format: FormatArgs,
    #[command(flatten)]
    color: C,
    /// Append the other fields of the input (csv, jsonl)
    #[arg(long, help_heading = "Output", conflicts_with = "write")]
    pub(crate) keep_columns: bool,
    #[command(flatten)]
    pub(crate) search: SearchArgs,
}

impl<C: Args> SolverArgs<C> {
    fn with_color(&self, color: ColorChoice) -> CommonArgs {
        CommonArgs {
            records: self.records.clone(),
            reading: Some(self.reading.clone()),
            format: self.format.clone(),
            color,
            keep_columns: self.keep_columns,
            search: self.search.clone(),
        }
    }
}

impl SolverArgs {
    pub(crate) fn common(&self) -> CommonArgs {
        self.with_color(self.color.color)
    }
}

impl SolverArgs<()> {
    pub(crate) fn common(&self) -> CommonArgs {
        self.with_color(ColorChoice::Never)
    }
}

/// What the run needs of the options of a command. Those that it does not have are as by default.
pub(crate) struct CommonArgs {
    pub(crate) records: RecordsArgs,
    /// Those of its inputs, if it reads any.
    pub(crate) reading: Option<InputArgs>,
    pub(crate) format: FormatArgs,
    pub(crate) color: ColorChoice,
    pub(crate) keep_columns: bool,
    pub(crate) search: SearchArgs,
}

impl RecordsArgs {
    /// Whether the records go to a terminal.
    pub(crate) fn are_seen(&self) -> bool {
        self.path().is_none() && io::stdout().is_terminal()
    }

    /// The file that records go to, if it has a name.
    pub(crate) fn path(&self) -> Option<&Path> {
        self.output.as_deref().filter(|path| !is_standard(path))
    }

    /// Whether the records go to a Parquet file.
    pub(crate) fn is_parquet(&self) -> bool {
        self.path().is_some_and(output::is_parquet)
    }
}

impl FormatArgs {
    /// Whether the puzzles of these terms can be read from the records.
    pub(crate) fn writes_puzzles(&self, terms: Terms) -> bool {
        let is_puzzle = |name: &String| name == "puzzle";
        terms.meets(self.select())
            && self.write.as_ref().is_none_or(|names| names.iter().any(is_puzzle))
    }

    /// The terms whose records are written.
    pub(crate) fn select(&self) -> Terms {
        let only = self.only.as_ref();
        only.map_or_else(Terms::default, |only| Terms(only.iter().fold(0, |all, it| all | it.0)))
    }
}

impl CommonArgs {
    /// The format of the records: this one if none is named.
    pub(crate) fn format(&self, default: Format) -> Format {
        let has_columns = self.records.is_parquet() || self.format.write.is_some();
        self.format.format.unwrap_or(if has_columns { Format::Csv } else { default })
    }

    /// The format if none is named: `grid` on a terminal if all inputs are puzzles themselves, else this one.
    pub(crate) fn or_grid(&self, default: Format) -> Format {
        let is_seen = self.records.output.is_none() && io::stdout().is_terminal();
        let are_puzzles = self.reading.as_ref().is_some_and(InputArgs::are_puzzles);
        if is_seen && are_puzzles { Format::Grid } else { default }
    }

    /// Whether grids have colours.
    pub(crate) fn has_color(&self) -> bool {
        let is_named = |name: &str| env::var_os(name).is_some_and(|value| !value.is_empty());
        match self.color {
            ColorChoice::Always => true,
            ColorChoice::Never => false,
            ColorChoice::Auto => {
                let is_dumb = env::var_os("TERM").is_some_and(|term| term == "dumb");
                self.records.are_seen() && !is_dumb && !is_named("NO_COLOR")
            }
        }
    }

    /// Chooses the columns of records: those of the command, or with them those of the input, or those that are named.
    pub(crate) fn choose_columns(
        &self,
        style: &mut Style,
        sources: &[Source],
    ) -> Result<(), Error> {
        let chosen = self.format.write.as_deref();
        let option = if chosen.is_some() { "--write" } else { "--keep-columns" };
        if chosen.is_none() && !self.keep_columns {
            return Ok(());
        }
        check_fields(option, style.format)?;
        let named = |name| chosen.is_some_and(|names| names.iter().any(|it| it == name));
        style.input_names |= named("input") && !sources.is_empty();
        let mut names: Vec<_> = style.own_columns().map(|it| it.name.to_owned()).collect();
        names.extend((style.format == Format::Jsonl).then(|| "reason".to_owned()));
        if chosen.is_none_or(|chosen| chosen.iter().any(|it| !names.contains(it))) {
            let others = self.other_columns(option, sources, style.format)?;
            let others = output::kept_columns(&style.columns, &others);
            names.extend_from_slice(&others);
            style.other_columns = Some(others);
        }
        for (place, name) in chosen.into_iter().flatten().enumerate() {
            let columns = names.join(", ");
            let unknown = format!("no column is called {name:?}; the columns are {columns}");
            refuse(!names.contains(name), option, &unknown)?;
            let is_double = chosen.is_some_and(|names| names[..place].contains(name));
            refuse(is_double, option, &format!("column {name:?} is named twice"))?;
        }
        style.chosen = chosen.map(<[_]>::to_vec);
        Ok(())
    }

    /// The other columns of the inputs, which all have them.
    fn other_columns(
        &self,
        option: &str,
        sources: &[Source],
        format: Format,
    ) -> Result<Vec<String>, Error> {
        // From objects to objects every member is kept: these are the members of the first objects.
        let objects = |source: &Source| source.layout().is_some_and(|layout| layout.has_objects());
        let of = |source: &Source| source.layout().map(|layout| layout.other_columns());
        if format == Format::Jsonl && sources.iter().all(objects) {
            let is_chosen = self.format.write.is_some();
            return Ok(sources.iter().filter(|_| is_chosen).filter_map(of).flatten().collect());
        }
        let columns = sources.first().and_then(of).unwrap_or_default();
        let differs = |source: &&Source| of(source).is_some_and(|other| other != columns);
        if let Some(source) = sources.iter().find(differs) {
            let (one, other) = (sources[0].name(), source.name());
            return Err(Error::Failed(format!(
                "{option}: {one} and {other} have different columns"
            )));
        }
        Ok(columns)
    }
}
