//! The files for the results: opened before the measurement, written after it.

use super::args::BenchArgs;
use super::export::{self, Format};
use super::machine::Export;
use super::plot;
use crate::cli::exit::Error;
use crate::cli::open;
use ninefold::output::Sink;
use std::path::{Path, PathBuf};

/// The files for the results.
pub(super) struct Outputs {
    pub(super) exports: Vec<(Format, Sink)>,
    plot: Option<Sink>,
}

impl Outputs {
    /// Opens all files before the measurement, so that it does not end with an error. A file that is
    /// replaced keeps its text until the new one is complete.
    pub(super) fn open(args: &BenchArgs) -> Result<Self, Error> {
        let sink = |path: &Path| -> Result<Sink, Error> {
            Ok(open::sink(Some(path), open::opening(args.force))?.or_nothing())
        };
        let export = |path: &PathBuf| Ok((Format::of(path)?, sink(path)?));
        let exports = args.export.iter().map(export).collect::<Result<_, Error>>()?;
        let plot = args.plot.as_deref().map(sink).transpose()?;
        Ok(Self { exports, plot })
    }

    /// Writes the results.
    pub(super) fn write(self, export: &Export) -> Result<(), Error> {
        for (format, file) in self.exports {
            write(file, &export::render(export, format)?)?;
        }
        self.plot.map_or(Ok(()), |file| write(file, &plot::render(export)))
    }
}

/// Writes a whole output.
pub(super) fn write(mut sink: Sink, text: &str) -> Result<(), Error> {
    sink.write(text.as_bytes())?;
    Ok(sink.finish()?)
}

/// Refuses an unknown ending, a file that is also read, and a file that exists without `--force`.
pub(super) fn check(args: &BenchArgs) -> Result<(), Error> {
    if let Some(plot) = args.plot.as_deref().filter(|plot| plot.extension() != Some("svg".as_ref()))
    {
        return Err(Error::at(plot, "--plot writes SVG only: expected an ending of .svg"));
    }
    args.export.iter().try_for_each(|path| Format::of(path).map(drop))?;
    let read = args.reading.inputs.iter().chain(&args.compare);
    let claims = open::claims(read.map(PathBuf::as_path));
    let files: Vec<_> = args.export.iter().chain(&args.plot).cloned().map(Some).collect();
    let others: Vec<_> = files.iter().map(|file| ("--export", "results", file)).collect();
    open::check_written(claims, None, &others)?;
    files.iter().try_for_each(|path| open::check_free(path.as_deref(), args.force))
}
