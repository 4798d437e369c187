//! All measures of many puzzles, or some of them.

use super::effort::{Effort, Meter};
use super::explainer::{Rater, Rating};
use super::grade::{Grade, Grader};
use crate::engine::lanes::SimdLevel;
use crate::engine::{Answer, Bounds, first_solutions};
use crate::names::NameSet;
use crate::puzzle::{Grid, Sukaku};
use crate::{Solver, Status};
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
    /// Whether the puzzle has one solution. There are no measures of any other. `None` if the caller
    /// knows it.
    pub status: Option<Status>,
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
    /// The vectors of the search for the number of solutions.
    level: SimdLevel,
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
            level,
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

    /// Appends the measures of each puzzle. One that does not have exactly one solution has a status, and
    /// no measures.
    ///
    /// ```
    /// use ninefold_core::Status;
    /// use ninefold_core::difficulty::Gauge;
    /// use ninefold_core::engine::lanes::SimdLevel;
    /// use ninefold_core::names::NameSet;
    /// use ninefold_core::puzzle::Grid;
    ///
    /// let mut measured = Vec::new();
    /// Gauge::new(NameSet::ALL, SimdLevel::best(), 10, 1).measure(&[Grid::EMPTY], &mut measured);
    /// assert_eq!(measured[0].status, Some(Status::Multiple));
    /// assert!(measured[0].effort.is_none() && measured[0].rating.is_none());
    /// ```
    pub fn measure(&mut self, puzzles: &[Grid], measured: &mut Vec<Measured>) {
        let mut solver = Solver::new().with_level(self.level);
        let answers = solver.many(puzzles);
        let status = |(answer, puzzle): (&Answer, &Grid)| answer.status_of(puzzle);
        let statuses: Vec<_> = answers.iter().zip(puzzles).map(status).collect();
        let is_unique = |it: &(&Grid, &Status)| *it.1 == Status::Unique;
        let unique = puzzles.iter().zip(&statuses).filter(is_unique).map(|it| *it.0);
        let mut found = Vec::new();
        self.measure_unique(&unique.collect::<Vec<_>>(), &[], &mut found);
        measured.extend(with_statuses(&statuses, found));
    }

    /// Appends the measures of each sukaku, as [`Gauge::measure`] does: a rating, but no effort and no grade.
    ///
    /// ```
    /// use ninefold_core::difficulty::Gauge;
    /// use ninefold_core::engine::lanes::SimdLevel;
    /// use ninefold_core::names::NameSet;
    /// use ninefold_core::puzzle::{Grid, Sukaku};
    ///
    /// let puzzle: Grid =
    ///     "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79".parse()?;
    /// let mut measured = Vec::new();
    /// let mut gauge = Gauge::new(NameSet::ALL, SimdLevel::best(), 10, 1);
    /// gauge.measure_sukakus(&[Sukaku::from(&puzzle)], &mut measured);
    /// assert!(measured[0].rating.is_some() && measured[0].grade.is_none());
    /// # Ok::<(), ninefold_core::puzzle::ParseError>(())
    /// ```
    pub fn measure_sukakus(&mut self, sukakus: &[Sukaku], measured: &mut Vec<Measured>) {
        let status = |it: &Sukaku| first_solutions(&it.into(), 2).status_of(it);
        let statuses: Vec<_> = sukakus.iter().map(status).collect();
        let is_unique = |it: &(&Sukaku, &Status)| *it.1 == Status::Unique;
        let unique = sukakus.iter().zip(&statuses).filter(is_unique).map(|it| *it.0);
        let mut found = Vec::new();
        self.measure_unique(&[], &unique.collect::<Vec<_>>(), &mut found);
        measured.extend(with_statuses(&statuses, found));
    }

    /// Appends the measures of grids and then of sukakus, of which the caller knows that each has one
    /// solution.
    #[doc(hidden)]
    pub fn measure_unique(
        &mut self,
        puzzles: &[Grid],
        sukakus: &[Sukaku],
        measured: &mut Vec<Measured>,
    ) {
        let start = measured.len();
        measured.resize(start + puzzles.len() + sukakus.len(), Measured::default());
        let (measured, of_sukakus) = measured[start..].split_at_mut(puzzles.len());
        for (measured, sukaku) in of_sukakus.iter_mut().zip(sukakus) {
            measured.rating = self.rater.as_mut().and_then(|rater| rater.rate(sukaku));
        }
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

/// Puts the measures of unique puzzles between the statuses of the others.
fn with_statuses(statuses: &[Status], found: Vec<Measured>) -> impl Iterator<Item = Measured> {
    let mut found = found.into_iter();
    statuses.iter().map(move |&status| {
        let measured = if status == Status::Unique { found.next() } else { None };
        Measured { status: Some(status), ..measured.unwrap_or_default() }
    })
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
            let Measured { effort, rating, grade, status, .. } = measured[0];
            assert_eq!(status, Some(Status::Unique));
            let taken = [effort.is_some(), rating.is_some(), grade.is_some()];
            assert_eq!(taken, Measure::ALL.iter().map(|&it| it == measure).collect::<Vec<_>>()[..]);
        }
    }
}
