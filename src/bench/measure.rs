//! One call that measures engines of your own.

use super::check::Wrong;
use super::contender::Contender;
use super::list::List;
use super::report::Report;
use super::run::Bench;
use crate::engine::Engine;
use crate::pipeline::Control;
use std::error::Error;
use std::fmt;
use std::io;
use std::time::Duration;

/// Why [`measure`] failed.
///
/// ```
/// use crate::bench::MeasureError;
///
/// let error = MeasureError::Start(std::io::Error::other("no thread"));
/// assert_eq!(error.to_string(), "the measurement could not start");
/// ```
#[derive(Debug)]
#[non_exhaustive]
pub enum MeasureError {
    /// A contender could not be made.
    Start(io::Error),
    /// An engine gave a wrong answer.
    Wrong(Box<Wrong>),
}

impl fmt::Display for MeasureError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Start(_) => f.write_str("the measurement could not start"),
            Self::Wrong(_) => f.write_str("wrong answer"),
        }
    }
}

impl Error for MeasureError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::Start(error) => Some(error),
            Self::Wrong(wrong) => Some(wrong),
        }
    }
}

/// Measures engines, each with a name, on lists, for about this time, in every mode.
///
/// [`Bench`] has more choices: modes, seed, threads, progress and cancellation.
///
/// ```
/// use crate::bench::{List, measure};
/// use crate::engine::EngineKind;
/// use std::time::Duration;
///
/// let line = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
/// let lists = vec![List::new("easy", "", [line.parse()?])];
/// let engines = vec![("mine", EngineKind::Mrv.build()), ("dlx", EngineKind::Dlx.build())];
/// let report = measure(engines, lists, Duration::from_millis(20))?;
/// assert_eq!(report.rows.len(), 4);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// An engine gave a wrong answer.
pub fn measure<'a>(
    engines: impl IntoIterator<Item = (&'a str, Box<dyn Engine>)>,
    lists: Vec<List>,
    time: Duration,
) -> Result<Report, MeasureError> {
    let contenders = engines.into_iter().map(|(name, engine)| {
        Contender::with_engines(name, None, vec![engine]).map_err(MeasureError::Start)
    });
    let mut bench = Bench::new(lists, contenders.collect::<Result<_, _>>()?);
    bench.time = time;
    bench.run(Control::default()).map_err(MeasureError::Wrong)
}
