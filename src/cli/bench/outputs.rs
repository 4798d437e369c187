//! The files that results go to: opened before the measurement, written after it.

use super::args::BenchArgs;
use super::export::{self, Format};
use super::machine::Export;
use super::plot;
use crate::cli::exit::Error;
use crate::cli::open;
use ninefold::output::{Opening, Sink};
use std::path::{Path, PathBuf};

/// The files for the results.
pub(super) struct Outputs {
    pub(super) exports: Vec<(Format, Sink)>,
    plot: Option<Sink>,
}

impl Outputs {
    /// Opens all files, so that nobody waits for results that cannot be written. What they hold is
    /// left until there is something new.
    pub(super) fn open(args: &BenchArgs) -> Result<Self, Error> {
        let open = |path: &Path| -> Result<Sink, Error> {
            Ok(open::sink(Some(path), Opening::Replace)?.or_nothing())
        };
        let export = |path: &PathBuf| Ok((Format::of(path)?, open(path)?));
        let exports = args.export.iter().map(export).collect::<Result<_, Error>>()?;
        let plot = args.plot.as_deref().map(open).transpose()?;
        Ok(Self { exports, plot })
    }

    /// Writes the results.
    pub(super) fn write(self, export: &Export) -> Result<(), Error> {
        for (format, file) in self.exports {
            write(file, &export::render(export, format)?)?;
        }
        match self.plot {
            Some(file) => write(file, &plot::render(export)),
            None => Ok(()),
        }
    }
}

/// Writes a whole output.
pub(super) fn write(mut sink: Sink, text: &str) -> Result<(), Error> {
    sink.write(text.as_bytes())?;
    Ok(sink.finish()?)
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
    let claims = open::claims(read.map(PathBuf::as_path));
    let files: Vec<_> = args.export.iter().chain(&args.plot).cloned().map(Some).collect();
    let others: Vec<_> = files.iter().map(|file| ("--export", "results", file)).collect();
    open::check_written(claims, None, &others)
}
