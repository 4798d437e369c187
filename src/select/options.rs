//! What to select.

use super::condition::Conditions;
use super::pick::Pick;
use super::split::Split;
use crate::difficulty::Meter;
use crate::engine::EngineKind;
use crate::engine::lanes::SimdLevel;
use crate::pipeline::Pipeline;
use std::num::NonZeroUsize;

/// What to select.
///
/// ```
/// use crate::input::Source;
/// use crate::output::{Sink, Transaction};
/// use crate::pipeline::Control;
/// use crate::select::{Conditions, Select};
///
/// let puzzle = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
/// let text = format!("id,puzzle\n1,{puzzle}\n2,{}\n", ".".repeat(81));
/// let source = Source::from_bytes("two.csv", text.into());
/// let conditions = Conditions { clues: Some(17..=81), ..Conditions::default() };
/// let select = Select { conditions, ..Select::default() };
/// let mut outputs = Transaction::from(Sink::stdout());
/// // Writes the header and the first row.
/// let report = select.write(vec![source], None, &mut outputs, Control::default())?;
/// assert_eq!((report.rows, report.selected), (2, 1));
/// # Ok::<(), crate::bulk::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Select {
    /// Which rows are meant.
    pub conditions: Conditions,
    /// How many of them are written, and in which order.
    pub pick: Pick,
    /// Whether the header of the input is copied to each output.
    pub header: bool,
    /// Into which parts they are divided. Each has an output of its own.
    pub split: Option<Split>,
    /// The number of transformations over which an effort is the mean.
    pub shuffles: NonZeroUsize,
    /// The engine that solves.
    pub engine: EngineKind,
    /// Which vectors may be used.
    pub simd: SimdLevel,
    /// The most branches of a puzzle, and the most guesses of a search for its effort. One that takes
    /// more is [`Status::Unknown`](crate::Status::Unknown).
    pub max_branches: Option<u32>,
    /// On how many threads.
    pub pipeline: Pipeline,
}

impl Select {
    /// The seed of the transformations: the same as that of `rate`, so that efforts are the same.
    pub const EFFORT_SEED: u64 = 1;
}

impl Default for Select {
    /// All rows.
    ///
    /// # Panics
    /// Never: the usual number of shuffles is not 0.
    fn default() -> Self {
        Self {
            conditions: Conditions::default(),
            pick: Pick::default(),
            header: true,
            split: None,
            shuffles: NonZeroUsize::new(Meter::DEFAULT_SHUFFLES).expect("it is not 0"),
            engine: EngineKind::default(),
            simd: SimdLevel::best(),
            max_branches: None,
            pipeline: Pipeline::default(),
        }
    }
}
