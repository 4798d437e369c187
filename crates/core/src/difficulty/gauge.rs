//! All measures of many puzzles, or some of them.

use super::effort::{Effort, Meter};
use super::explainer::{Rater, Rating};
use super::grade::{Grade, Grader};
use crate::engine::Bounds;
use crate::engine::lanes::SimdLevel;
use crate::names::NameSet;
use crate::puzzle::Grid;
use alloc::vec::Vec;

crate::named_enum! {
    /// One measure of difficulty.
    ///
    /// ```
    /// use ninefold_core::difficulty::Measure;
    ///
    /// assert_eq!("er".parse(), Ok(Measure::Er));
    /// ```
    pub enum Measure, "measure" {
        Effort = "effort", "mean guesses of a search over shuffles, with its standard error";
        Er = "er", "er, ep, ed and technique of Sudoku Explainer 1.2.1";
        Grade = "grade", "naked-singles, singles, locked-candidates or search";
    }
}

/// What was measured of a puzzle.
///
/// ```
/// use ninefold_core::difficulty::Measured;
///
/// assert_eq!(Measured::default().effort, None);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Measured {
    /// The guesses of a search.
    pub effort: Option<Effort>,
    /// The rating of Sudoku Explainer.
    pub rating: Option<Rating>,
    /// The simplest set of rules that solves it.
    pub grade: Option<Grade>,
    /// Whether a bound ended a search for the effort, which is not known then.
    pub gave_up: bool,
}

/// Measures puzzles; keeps the memory for it.
///
/// ```
/// use ninefold_core::difficulty::{Gauge, Grade, Score};
/// use ninefold_core::engine::lanes::SimdLevel;
/// use ninefold_core::names::NameSet;
/// use ninefold_core::puzzle::Grid;
///
/// let puzzle: Grid =
///     "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79".parse()?;
/// let mut measured = Vec::new();
/// Gauge::new(NameSet::ALL, SimdLevel::best(), 10, 1).measure(&[puzzle], &mut measured);
/// assert_eq!(measured[0].effort.unwrap().guesses(), 0);
/// assert_eq!(measured[0].rating.unwrap().er, Score::Tenths(12));
/// assert_eq!(measured[0].grade, Some(Grade::NakedSingles));
/// # Ok::<(), ninefold_core::puzzle::ParseError>(())
/// ```
#[derive(Debug)]
pub struct Gauge {
    meter: Option<Meter>,
    rater: Option<Rater>,
    grader: Option<Grader>,
    /// Whether all searches are to end.
    bounds: Bounds,
    efforts: Vec<Option<Effort>>,
    grades: Vec<Grade>,
}

impl Gauge {
    /// One that takes these measures with the vectors of a level; the effort is the mean of
    /// `shuffles` runs, drawn from a seed.
    ///
    /// # Panics
    /// If efforts are measured, and `shuffles` is 0.
    #[must_use]
    pub fn new(measures: NameSet<Measure>, level: SimdLevel, shuffles: usize, seed: u64) -> Self {
        let wants = |measure| measures.contains(measure);
        Self {
            meter: wants(Measure::Effort).then(|| Meter::new_at(level, shuffles, seed)),
            rater: wants(Measure::Er).then(Rater::new),
            grader: wants(Measure::Grade).then(|| Grader::new(level)),
            bounds: Bounds::default(),
            efforts: Vec::new(),
            grades: Vec::new(),
        }
    }

    /// The same, with bounds for each search of an effort: a guess is a branch. When they are stopped,
    /// puzzles stay without measures.
    ///
    /// ```
    /// use ninefold_core::difficulty::{Gauge, Measure};
    /// use ninefold_core::engine::Bounds;
    /// use ninefold_core::engine::lanes::SimdLevel;
    /// use ninefold_core::names::NameSet;
    /// use ninefold_core::puzzle::Grid;
    ///
    /// let hard: Grid =
    ///     "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..".parse()?;
    /// let measures = NameSet::of(&[Measure::Effort]);
    /// let gauge = Gauge::new(measures, SimdLevel::best(), 10, 1);
    /// let mut measured = Vec::new();
    /// gauge.bounded(Bounds::default().with_max_branches(3)).measure(&[hard], &mut measured);
    /// assert!(measured[0].gave_up && measured[0].effort.is_none());
    /// # Ok::<(), ninefold_core::puzzle::ParseError>(())
    /// ```
    #[must_use]
    pub fn bounded(self, bounds: Bounds) -> Self {
        let meter = self.meter.map(|meter| meter.bounded(bounds.clone()));
        let rater = self.rater.map(|rater| rater.bounded(bounds.clone()));
        Self { meter, rater, bounds, ..self }
    }

    /// The same, with ratings up to a score in tenths: those above it are [`Score::Above`].
    ///
    /// [`Score::Above`]: super::Score::Above
    #[must_use]
    pub fn with_max_er(self, tenths: u8) -> Self {
        Self { rater: self.rater.map(|rater| rater.with_max_er(tenths)), ..self }
    }

    /// Appends the measures of each puzzle. Each must have one solution.
    pub fn measure(&mut self, puzzles: &[Grid], measured: &mut Vec<Measured>) {
        let start = measured.len();
        measured.resize(start + puzzles.len(), Measured::default());
        let measured = &mut measured[start..];
        if let Some(meter) = &mut self.meter {
            self.efforts.clear();
            meter.measure_all(puzzles, &mut self.efforts);
            for (measured, &effort) in measured.iter_mut().zip(&self.efforts) {
                (measured.effort, measured.gave_up) = (effort, effort.is_none());
            }
        }
        if let Some(rater) = &mut self.rater {
            for (measured, puzzle) in measured.iter_mut().zip(puzzles) {
                if self.bounds.is_stopped() {
                    break;
                }
                measured.rating = rater.rate(puzzle);
            }
        }
        if let Some(grader) = &mut self.grader {
            self.grades.clear();
            grader.grade(puzzles, &mut self.grades);
            for (measured, &grade) in measured.iter_mut().zip(&self.grades) {
                measured.grade = Some(grade);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_wanted_is_measured() {
        let puzzle =
            b"..143............2.596..8.3.9.3..6.1..3....9..8.7.....1.....7.........3.2...4...5";
        let puzzle = crate::puzzle::parse::line(puzzle).unwrap();
        for &measure in Measure::ALL {
            let mut measured = Vec::new();
            Gauge::new(NameSet::of(&[measure]), SimdLevel::best(), 3, 1)
                .measure(&[puzzle; 2], &mut measured);
            assert_eq!(measured[0], measured[1]);
            let Measured { effort, rating, grade, .. } = measured[0];
            let taken = [effort.is_some(), rating.is_some(), grade.is_some()];
            assert_eq!(taken, Measure::ALL.iter().map(|&it| it == measure).collect::<Vec<_>>()[..]);
        }
    }
}
