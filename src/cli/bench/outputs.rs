//! The files that results go to: opened before the measurement, written after it.

use super::args::BenchArgs;
use super::export::{self, Format};
use super::machine::Export;
use super::plot;
use crate::cli::exit::Error;
use crate::cli::identity::Identity;
use crate::cli::open::StatsFile;
use std::path::{Path, PathBuf};

/// The files for the results.
pub(super) struct Outputs {
    pub(super) exports: Vec<(Format, StatsFile)>,
    plot: Option<StatsFile>,
}

impl Outputs {
    /// Opens all files, so that nobody waits for results that cannot be written. What they hold is
    /// left until there is something new.
    pub(super) fn open(args: &BenchArgs) -> Result<Self, Error> {
        check(args)?;
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
fn check(args: &BenchArgs) -> Result<(), Error> {
    let failed = |path: &Path, why: &str| Err(Error::Failed(format!("{}: {why}", path.display())));
    if let Some(plot) = args.plot.as_deref().filter(|plot| plot.extension() != Some("svg".as_ref()))
    {
        return failed(plot, "--plot writes SVG only: expected an ending of .svg");
    }
    args.export.iter().try_for_each(|path| Format::of(path).map(drop))?;
    let mut taken: Vec<_> =
        args.reading.inputs.iter().filter_map(|path| Identity::of_path(path)).collect();
    for path in args.export.iter().chain(&args.plot) {
        let Some(identity) = Identity::of_path(path) else { continue };
        if taken.contains(&identity) {
            return failed(path, "is also read, or written to, by this run");
        }
        taken.push(identity);
    }
    Ok(())
}
