//! The files for the results: opened before the measurement, written after it.

use super::args::{BenchArgs, Chart};
use super::curves;
use super::export::{self, Format};
use super::machine::Export;
use super::plot;
use crate::cli::exit::Error;
use crate::cli::open;
use crate::output::Sink;
use std::path::{Path, PathBuf};

/// The files for the results.
pub(super) struct Outputs {
    pub(super) exports: Vec<(Format, Sink)>,
    plots: Vec<(Chart, Sink)>,
}

impl Outputs {
    /// Opens all files before the measurement, so that it does not end with an error. A file that is
    /// replaced keeps its text until the new one is complete.
    pub(super) fn open(args: &BenchArgs) -> Result<Self, Error> {
        let sink = |path: &Path| -> Result<Sink, Error> {
            Ok(open::sink(Some(path), open::mode(args.force))?.or_nothing())
        };
        let export = |path: &PathBuf| Ok((Format::of(path)?, sink(path)?));
        let exports = args.export.iter().map(export).collect::<Result<_, Error>>()?;
        let plot = |(chart, path): (Chart, &PathBuf)| Ok((chart, sink(path)?));
        let plots = args.plots().map(plot).collect::<Result<_, Error>>()?;
        Ok(Self { exports, plots })
    }

    /// Writes the results.
    pub(super) fn write(self, export: &Export) -> Result<(), Error> {
        for (format, file) in self.exports {
            write(file, &export::render(export, format)?)?;
        }
        for (chart, file) in self.plots {
            let drawn = match chart {
                Chart::Rates => plot::render(export),
                Chart::Threads => curves::against_threads(export),
                Chart::Difficulty => curves::against_difficulty(export),
            };
            write(file, &drawn)?;
        }
        Ok(())
    }
}

/// Writes a whole output.
pub(super) fn write(mut sink: Sink, text: &str) -> Result<(), Error> {
    sink.write(text.as_bytes())?;
    Ok(sink.finish()?)
}

/// Refuses an unknown ending, a file that is also read, and a file that exists without `--force`.
pub(super) fn check(args: &BenchArgs) -> Result<(), Error> {
    let is_svg = |path: &PathBuf| path.extension() == Some("svg".as_ref());
    if let Some((_, plot)) = args.plots().find(|(_, path)| !is_svg(path)) {
        return Err(Error::at(plot, "charts are SVG only: expected an ending of .svg"));
    }
    let threads = args.threads();
    if args.plot_threads.is_some() && threads.len() < 2 {
        let why = "--plot-threads: expected two numbers or more in --threads, as in --threads 1,2";
        return Err(Error::Failed(why.to_owned()));
    }
    args.export.iter().try_for_each(|path| Format::of(path).map(drop))?;
    let read = args.reading.inputs.iter().chain(&args.compare);
    let claims = open::claims(read.map(PathBuf::as_path));
    let files: Vec<_> = {
        let plots = args.plots().map(|(_, path)| path);
        args.export.iter().chain(plots).cloned().map(Some).collect()
    };
    let others: Vec<_> = files.iter().map(|file| ("--export", "results", file)).collect();
    open::check_written(claims, None, &others)?;
    files.iter().try_for_each(|path| open::check_free(path.as_deref(), args.force))
}
