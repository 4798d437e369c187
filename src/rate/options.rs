//! What to measure, and how to write it.

use crate::Status;
use crate::difficulty::{Measure, Meter};
use crate::engine::EngineKind;
use crate::engine::lanes::SimdLevel;
use crate::names::NameSet;
use crate::output::{Format, Style};
use crate::pipeline::Pipeline;
use std::num::NonZeroUsize;

/// The columns of a table of ratings, without the input's name.
///
/// ```
/// assert_eq!(ninefold::rate::COLUMNS[2..9], ninefold::bulk::MEASURE_COLUMNS);
/// ```
pub const COLUMNS: [&str; 10] =
    ["line", "status", "effort", "effort_se", "er", "ep", "ed", "technique", "grade", "puzzle"];

/// How to rate puzzles.
///
/// ```
/// use ninefold::input::Source;
/// use ninefold::output::Sink;
/// use ninefold::pipeline::Control;
/// use ninefold::rate::Rate;
///
/// let puzzle = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
/// let source = Source::from_bytes("one puzzle", puzzle.into());
/// // Writes: 1,unique,0,0,1.2,1.2,1.2,hidden-single-box,naked-singles,53..7....6..195...
/// let report = Rate::default().run(vec![source], Sink::stdout(), Control::default())?;
/// assert_eq!(report.total.er.most(), Some(ninefold::difficulty::Score::Tenths(12)));
/// # Ok::<(), ninefold::bulk::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rate {
    /// The engine that finds out whether a puzzle has one solution.
    pub engine: EngineKind,
    /// Which vectors may be used.
    pub simd: SimdLevel,
    /// The most branches of a puzzle, and the most guesses of a search for its effort. One that takes
    /// more is [`Status::Unknown`].
    pub max_branches: Option<u32>,
    /// What is measured, and how it is written.
    pub question: Question,
    /// On how many threads.
    pub pipeline: Pipeline,
}

impl Default for Rate {
    fn default() -> Self {
        Self {
            engine: EngineKind::default(),
            simd: SimdLevel::best(),
            max_branches: None,
            question: Question::default(),
            pipeline: Pipeline::default(),
        }
    }
}

/// What is measured of each puzzle, and how it is written.
///
/// ```
/// use ninefold::difficulty::Measure;
/// use ninefold::names::NameSet;
/// use ninefold::rate::Question;
///
/// let question = Question { measures: NameSet::of(&[Measure::Effort]), ..Question::default() };
/// assert_eq!(question.shuffles.get(), 10);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    /// What is measured.
    pub measures: NameSet<Measure>,
    /// The number of transformations over which an effort is the mean.
    pub shuffles: NonZeroUsize,
    /// The seed of these transformations.
    pub seed: u64,
    /// How records are written.
    pub style: Style,
    /// Which records are written.
    pub select: NameSet<Status>,
    /// Whether the lines that were not rated are kept.
    pub rejects: bool,
}

impl Question {
    /// The usual seed.
    pub const DEFAULT_SEED: u64 = 1;
}

impl Default for Question {
    /// All measures, as a table.
    ///
    /// # Panics
    /// Never: the usual number of shuffles is not 0.
    fn default() -> Self {
        Self {
            measures: NameSet::ALL,
            shuffles: NonZeroUsize::new(Meter::DEFAULT_SHUFFLES).expect("it is not 0"),
            seed: Self::DEFAULT_SEED,
            style: Style { format: Format::Csv, columns: &COLUMNS, ..Style::default() },
            select: NameSet::ALL,
            rejects: false,
        }
    }
}
