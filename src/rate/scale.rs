//! The counts of ratings: by bin of effort, by score, by technique, by grade.

use crate::difficulty::{Effort, Grade, Measured, Score, Technique};
use crate::puzzle::{Cell, Puzzle};
use crate::run::{Count, Rows, Shape};

/// The highest efforts of the bins. The last bin has no bound.
pub(crate) const BOUNDS: [u64; 18] =
    [0, 1, 2, 3, 5, 7, 10, 15, 20, 30, 50, 70, 100, 150, 200, 300, 500, 1000];

/// How many bins there are.
pub(crate) const BINS: usize = BOUNDS.len() + 1;

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

/// The declared counts that `verify --rate` has, too.
pub(crate) fn effort_and_er() -> [Count; 2] {
    [Count::of("effort", bins()), Count::of("er", scores())]
}

/// The place of an effort among the bins.
pub(crate) fn bin(effort: &Effort) -> usize {
    let below = |&bound: &u64| bound * effort.searches() < effort.guesses();
    BOUNDS.partition_point(below)
}

/// The place of a score among all.
pub(crate) fn place(score: Score) -> usize {
    usize::from(score.tenths().unwrap_or(u8::MAX).min(MOST_TENTHS + 1))
}

/// The declared counts.
pub(super) fn counts() -> Vec<Count> {
    vec![
        Count::of("clues", 0..=Cell::COUNT),
        Count::one("efforts.puzzles"),
        Count::one("efforts.guesses"),
        Count::one("efforts.searches"),
        Count::most("efforts.most_thousandths"),
        Count::of("effort", bins()),
        Count::of("er", scores()),
        Count::of("ep", scores()),
        Count::of("ed", scores()),
        Count::of("technique", Technique::ALL),
        Count::of("grade", Grade::ALL),
        Count::of("backdoor", 0..=MOST_CELLS),
    ]
}

/// Where the counts are.
pub(super) struct Scale {
    clues: usize,
    efforts: usize,
    bins: usize,
    scores: [usize; 3],
    techniques: usize,
    grades: usize,
    backdoors: usize,
}

impl Scale {
    pub(super) fn new(shape: &Shape) -> Self {
        Self {
            clues: shape.place("clues"),
            efforts: shape.place("efforts.puzzles"),
            bins: shape.place("effort"),
            scores: ["er", "ep", "ed"].map(|name| shape.place(name)),
            techniques: shape.place("technique"),
            grades: shape.place("grade"),
            backdoors: shape.place("backdoor"),
        }
    }

    /// Counts a puzzle with one solution.
    pub(super) fn count<K>(&self, puzzle: &Puzzle, measured: &Measured, rows: &mut Rows<'_, K>) {
        let own = &mut rows.output.counts.own;
        if let Puzzle::Grid(grid) = puzzle {
            own[self.clues + grid.clues()] += 1;
        }
        if let Some(effort) = &measured.effort {
            own[self.efforts] += 1;
            own[self.efforts + 1] += effort.guesses();
            own[self.efforts + 2] += effort.searches();
            let most = &mut own[self.efforts + 3];
            *most = (*most).max(effort.mean_thousandths());
            own[self.bins + bin(effort)] += 1;
        }
        if let Some(rating) = &measured.rating {
            for (first, score) in self.scores.iter().zip([rating.er, rating.ep, rating.ed]) {
                own[first + place(score)] += 1;
            }
            own[self.techniques + rating.technique as usize] += 1;
        }
        if let Some(grade) = measured.grade {
            own[self.grades + grade as usize] += 1;
        }
        if let Some(backdoor) = measured.backdoor {
            own[self.backdoors + usize::from(backdoor.cells).min(MOST_CELLS)] += 1;
        }
    }
}

#[cfg(feature = "cli")]
/// The mean effort of all puzzles in thousandths, rounded; `None` without puzzles.
pub(super) fn mean_thousandths(shape: &Shape, counts: &crate::run::Counts) -> Option<u64> {
    let of = |name| u128::from(shape.get(counts, name)[0]);
    let (guesses, searches) = (of("efforts.guesses"), of("efforts.searches"));
    let mean = (guesses * 1000 + searches / 2).checked_div(searches)?;
    u64::try_from(mean).ok()
}
