//! What a run has made.

use crate::puzzle::Cell;

/// What a run has made.
///
/// ```
/// use crate::engine::lanes::SimdLevel;
/// use crate::generate::{Generator, Origin, Recipe};
/// use crate::output::{Sink, Style};
/// use crate::pipeline::Control;
///
/// # let generator = Generator {
/// #     recipe: Recipe::minimal(1),
/// #     count: 2,
/// #     distinct: true,
/// #     style: Style::default(),
/// #     threads: 1,
/// #     simd: SimdLevel::best(),
/// #     max_branches: None,
/// # };
/// let sink = Sink::from_writer("nothing", std::io::sink());
/// let report = generator.run(Origin::Random, sink, Control::default())?;
/// assert!(report.is_complete());
/// assert_eq!((report.puzzles, report.clues.iter().sum::<u64>()), (2, 2));
/// assert!(report.mean_clues() >= 17.0);
/// # Ok::<(), crate::bulk::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Report {
    /// Puzzles written.
    pub puzzles: u64,
    /// Those of them that have more or fewer clues than requested.
    pub near: u64,
    /// Puzzles that could not be made.
    pub missing: u64,
    /// Those after them that were not tried: more could not be made than could, or a grid of the inputs
    /// gave nothing new.
    pub not_tried: u64,
    /// Those of them for which nothing was drawn but what had been there before.
    pub exhausted: u64,
    /// The most tries for one of the missing.
    pub tries: u64,
    /// Puzzles that were drawn again because they had been there before.
    pub repeated: u64,
    /// Grids or transformations tried for the puzzles written.
    pub attempts: u64,
    /// Of these, grids of which a search took more branches than allowed.
    pub unknown: u64,
    /// Lines of the inputs that nothing could be made from.
    pub refused: u64,
    /// How many puzzles have this many clues.
    pub clues: [u64; Cell::COUNT + 1],
}

impl Report {
    pub(super) const NOTHING: Self = Self {
        puzzles: 0,
        near: 0,
        missing: 0,
        not_tried: 0,
        exhausted: 0,
        tries: 0,
        repeated: 0,
        attempts: 0,
        unknown: 0,
        refused: 0,
        clues: [0; Cell::COUNT + 1],
    };

    /// Whether every requested puzzle was made, with the requested properties.
    #[must_use]
    pub const fn is_complete(&self) -> bool {
        self.near == 0 && self.missing == 0 && self.refused == 0
    }

    /// The mean number of clues.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "shown to a hundredth")]
    pub fn mean_clues(&self) -> f64 {
        let total: u64 = (0..).zip(self.clues).map(|(clues, count)| clues * count).sum();
        total as f64 / self.puzzles.max(1) as f64
    }
}
