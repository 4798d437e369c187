//! The options that say how records are written: every command that answers puzzles has them.

use super::super::exit::Error;
use super::super::parsers;
use super::super::standard::is_standard;
use clap::Args;
use ninefold::input::Source;
use ninefold::names::{NameSet, Named};
use ninefold::output::{self, Format, Style};
use std::path::{Path, PathBuf};

/// How records are written. `S` is what becomes of a puzzle, in one word.
#[derive(Debug, Args)]
#[command(next_help_heading = "Writing")]
pub(in crate::cli) struct OutputArgs<S: Named> {
    /// Write the records to FILE, not to standard output
    ///
    /// FILE appears when the run is complete: until then the records are in FILE.partial. It
    /// cannot be one of the inputs. - is standard output; a device or a pipe is written directly.
    /// Compressed if it ends in .gz or .zst.
    #[arg(short, long, value_name = "FILE", value_parser = parsers::output())]
    pub(in crate::cli) output: Option<PathBuf>,

    /// Replace existing output files, and the partial files of earlier runs
    ///
    /// Without it an existing file is an error. An old file stays until the new one is complete.
    #[arg(long)]
    pub(in crate::cli) force: bool,

    /// What a record looks like
    #[arg(long, value_name = "FORMAT", default_value = "line", value_parser = parsers::named::<Format>())]
    pub(in crate::cli) format: Format,

    /// Carry the input's other columns through, behind those of csv and jsonl
    #[arg(long)]
    pub(in crate::cli) keep_columns: bool,

    /// Write only the records of these statuses, divided by commas
    ///
    /// What is left out is counted all the same, and in the exit code.
    #[arg(long, value_name = "STATUS", value_delimiter = ',', value_parser = parsers::named::<S>())]
    #[arg(conflicts_with = "except")]
    pub(in crate::cli) only: Option<Vec<S>>,

    /// Write the records of all but these statuses
    #[arg(long, value_name = "STATUS", value_delimiter = ',', value_parser = parsers::named::<S>())]
    pub(in crate::cli) except: Option<Vec<S>>,
}

impl<S: Named> OutputArgs<S> {
    /// The file that records go to, if it has a name.
    pub(in crate::cli) fn path(&self) -> Option<&Path> {
        self.output.as_deref().filter(|path| !is_standard(path))
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
        blank: u8,
        header: bool,
    ) -> Result<Style, Error> {
        let names = if self.keep_columns { Some(self.other_columns(sources)?) } else { None };
        let other_columns = names.as_ref().map(|names| output::kept_columns(columns, names));
        let input_names = sources.len() > 1;
        Ok(Style { format: self.format, columns, blank, header, other_columns, input_names })
    }

    /// The columns to carry through, which all inputs have.
    fn other_columns(&self, sources: &[Source]) -> Result<Vec<String>, Error> {
        if matches!(self.format, Format::Line | Format::Pair) {
            let reason = format!("a record of --format {} has no columns", self.format);
            return Err(Error::Failed(format!("--keep-columns: {reason}")));
        }
        // An object that becomes one keeps what it has, whatever others have.
        let objects = |source: &Source| source.layout().is_some_and(|layout| layout.has_objects());
        if self.format == Format::Jsonl && sources.iter().all(objects) {
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
