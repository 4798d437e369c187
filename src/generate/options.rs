//! What to make, and how to write it.

use super::make::Maker;
use super::recipe::Recipe;
use crate::bulk::bounds;
use crate::engine::EngineKind;
use crate::engine::lanes::SimdLevel;
use crate::output::Style;
use crate::pipeline::{Cancel, Pipeline};

/// Makes puzzles and writes them.
///
/// ```
/// use crate::engine::lanes::SimdLevel;
/// use crate::generate::{Generator, Origin, Recipe};
/// use crate::output::{Sink, Style};
/// use crate::pipeline::Control;
///
/// let generator = Generator {
///     recipe: Recipe::minimal(1),
///     count: 2,
///     distinct: true,
///     style: Style::default(),
///     threads: 0,
///     simd: SimdLevel::best(),
///     max_branches: None,
/// };
/// let report = generator.run(Origin::Random, Sink::stdout(), Control::default())?;
/// assert_eq!((report.puzzles, generator.worker_threads() > 0), (2, true));
/// # Ok::<(), crate::bulk::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Generator {
    /// How they are to be.
    pub recipe: Recipe,
    /// How many puzzles, or how many for each that is given.
    pub count: u64,
    /// Never the same twice.
    pub distinct: bool,
    /// How they are written: the puzzle by itself, or with its solution.
    pub style: Style,
    /// How many workers; 0 for one on each core.
    pub threads: usize,
    /// Which vectors the engine may use.
    pub simd: SimdLevel,
    /// The most branches of a search. A grid of which a search takes more is not used.
    pub max_branches: Option<u32>,
}

impl Generator {
    /// The number of workers that a run has.
    #[must_use]
    pub fn worker_threads(&self) -> usize {
        self.pipeline().worker_threads()
    }

    pub(super) const fn pipeline(&self) -> Pipeline {
        Pipeline { threads: self.threads, chunk_size: None }
    }

    /// A maker whose searches end when this run is abandoned.
    pub(super) fn maker(&self, cancel: &Cancel) -> Maker {
        let bounds = bounds(self.max_branches, cancel);
        let engine = EngineKind::default().build_bounded(self.simd, bounds.clone());
        Maker::bounded(self.recipe.clone(), engine, self.simd, bounds)
    }
}
