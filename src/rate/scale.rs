//! The counts of ratings: by bin of effort, by score, by technique, by grade.

use crate::difficulty::{Effort, Grade, Measured, Score, Technique};
use crate::puzzle::{Cell, Puzzle};
use crate::run::{Clues, Count, Countable, Counts};

/// The highest efforts of the bins. The last bin has no bound.
pub(crate) const BOUNDS: [u64; 18] =
    [0, 1, 2, 3, 5, 7, 10, 15, 20, 30, 50, 70, 100, 150, 200, 300, 500, 1000];

/// The greatest score that is counted on its own. The hardest puzzle known has 11.9.
const MOST_TENTHS: u8 = 129;

/// Of a backdoor: of the largest that are searched, and one more.
const MOST_CELLS: usize = 3;

/// All scores in ascending order; the last is that of all others, and of those that are not known.
pub(crate) fn scores() -> impl Iterator<Item = String> {
    (0..=MOST_TENTHS).map(|tenths| Score::Tenths(tenths).to_string()).chain(["more".to_owned()])
}

/// The labels of the bins of effort.
pub(crate) fn bins() -> Vec<String> {
    let mut bins = vec!["0".to_owned()];
    bins.extend(BOUNDS[1..].iter().map(|bound| format!("up to {bound}")));
    bins.push(format!("more than {}", BOUNDS[BOUNDS.len() - 1]));
    bins
}

ninefold_core::named_enum! {
    /// The sums of the efforts of puzzles.
    pub(super) enum EffortSum, "count" {
        Puzzles = "efforts.puzzles", "puzzles whose effort was measured";
        Guesses = "efforts.guesses", "their guesses";
        Searches = "efforts.searches", "their searches";
        MostThousandths = "efforts.most_thousandths", "the highest mean";
    }
}

/// An effort, counted in its bin.
#[derive(Clone, Copy)]
pub(crate) struct EffortBin(pub(crate) Effort);

/// A score of a puzzle, by its place among [`scores`].
#[derive(Clone, Copy)]
pub(crate) struct ScoreOf<const WHICH: char>(pub(crate) Score);

/// Of the hardest step.
pub(crate) const ER: char = 'r';
/// Of the hardest step up to the first digit.
const EP: char = 'p';
/// Of the first step.
const ED: char = 'd';

/// The cells of the smallest backdoor.
#[derive(Clone, Copy)]
pub(crate) struct BackdoorCells(pub(crate) u8);

impl Countable for EffortBin {
    fn place(self) -> usize {
        let below = |&bound: &u64| bound * self.0.searches() < self.0.guesses();
        BOUNDS.partition_point(below)
    }
}

impl<const WHICH: char> Countable for ScoreOf<WHICH> {
    fn place(self) -> usize {
        usize::from(self.0.tenths().unwrap_or(u8::MAX).min(MOST_TENTHS + 1))
    }
}

impl Countable for BackdoorCells {
    fn place(self) -> usize {
        usize::from(self.0).min(MOST_CELLS)
    }
}

/// The declared counts that `verify --rate` has, too.
pub(crate) fn effort_and_er() -> [Count; 2] {
    [Count::of::<EffortBin>("effort", bins()), Count::of::<ScoreOf<ER>>("er", scores())]
}

/// The declared counts.
pub(super) fn counts() -> Vec<Count> {
    let [efforts, er] = effort_and_er();
    vec![
        Count::of::<Clues>("clues", 0..=Cell::COUNT),
        Count::each::<EffortSum>().most(&[EffortSum::MostThousandths]),
        efforts,
        er,
        Count::of::<ScoreOf<EP>>("ep", scores()),
        Count::of::<ScoreOf<ED>>("ed", scores()),
        Count::of::<Technique>("technique", Technique::ALL),
        Count::of::<Grade>("grade", Grade::ALL),
        Count::of::<BackdoorCells>("backdoor", 0..=MOST_CELLS),
    ]
}

/// Counts a puzzle with one solution.
pub(super) fn count(puzzle: &Puzzle, measured: &Measured, counts: &mut Counts) {
    if let Puzzle::Grid(grid) = puzzle {
        counts[Clues(grid.clues())] += 1;
    }
    if let Some(effort) = &measured.effort {
        counts[EffortSum::Puzzles] += 1;
        counts[EffortSum::Guesses] += effort.guesses();
        counts[EffortSum::Searches] += effort.searches();
        let most = &mut counts[EffortSum::MostThousandths];
        *most = (*most).max(effort.mean_thousandths());
        counts[EffortBin(*effort)] += 1;
    }
    if let Some(rating) = &measured.rating {
        counts[ScoreOf::<ER>(rating.er)] += 1;
        counts[ScoreOf::<EP>(rating.ep)] += 1;
        counts[ScoreOf::<ED>(rating.ed)] += 1;
        counts[rating.technique] += 1;
    }
    if let Some(grade) = measured.grade {
        counts[grade] += 1;
    }
    if let Some(backdoor) = measured.backdoor {
        counts[BackdoorCells(backdoor.cells)] += 1;
    }
}

/// The mean effort of all puzzles in thousandths, rounded; `None` without puzzles.
#[cfg(feature = "cli")]
pub(super) fn mean_thousandths(counts: &Counts) -> Option<u64> {
    let of = |sum| u128::from(counts[sum]);
    let (guesses, searches) = (of(EffortSum::Guesses), of(EffortSum::Searches));
    let mean = (guesses * 1000 + searches / 2).checked_div(searches)?;
    u64::try_from(mean).ok()
}
