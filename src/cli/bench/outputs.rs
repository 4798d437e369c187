//! The files that results go to: opened before the measurement, written after it.

use super::args::BenchArgs;
use super::export::{self, Format};
use super::machine::Export;
use super::plot;
use crate::cli::exit::Error;
use crate::cli::open::{self, StatsFile};
use std::path::PathBuf;

/// The files for the results.
pub(super) struct Outputs {
    pub(super) exports: Vec<(Format, StatsFile)>,
    plot: Option<StatsFile>,
}

impl Outputs {
    /// Opens all files, so that nobody waits for results that cannot be written. What they hold is
    /// left until there is something new.
    pub(super) fn open(args: &BenchArgs) -> Result<Self, Error> {
        let export = |path: &PathBuf| Ok((Format::of(path)?, StatsFile::open(path)?));
        let exports = args.export.iter().map(export).collect::<Result<_, Error>>()?;
        let plot = args.plot.as_deref().map(StatsFile::open).transpose()?;
        Ok(Self { exports, plot })
    }

    /// Writes the results.
    pub(super) fn write(self, export: &Export) -> Result<(), Error> {
        for (format, file) in self.exports {
            file.write(&export::render(export, format)?)?;
        }
        match self.plot {
            Some(file) => file.write(&plot::render(export)),
            None => Ok(()),
        }
    }
}

/// Refuses endings that say nothing, and to write over what is read.
pub(super) fn check(args: &BenchArgs) -> Result<(), Error> {
    if let Some(plot) = args.plot.as_deref().filter(|plot| plot.extension() != Some("svg".as_ref()))
    {
        let why = "--plot writes SVG only: expected an ending of .svg";
        return Err(Error::Failed(format!("{}: {why}", plot.display())));
    }
    args.export.iter().try_for_each(|path| Format::of(path).map(drop))?;
    let read = args.reading.inputs.iter().chain(&args.compare);
    let taken = read.filter_map(|path| open::identity_of_input(path)).collect();
    let files: Vec<_> = args.export.iter().chain(&args.plot).cloned().map(Some).collect();
    let others: Vec<_> = files.iter().map(|file| ("--export", "results", file)).collect();
    open::check_written(taken, None, &others)
}
