//! All measures of many puzzles, or some of them.

use super::backdoor::{Backdoor, BackdoorFinder};
use super::effort::Effort;
use super::explainer::{Rater, Rating};
use super::grade::{Grade, Grader};
use crate::Status;
use crate::engine::lanes::guesses::GuessCounter;
use crate::engine::{Answer, Bounds, WorkerEngine};
use crate::names::NameSet;
use crate::puzzle::{AnyPuzzle, Grid, ParseError, Random, Sukaku};
use crate::simd::SimdLevel;
use crate::symmetry::Isomorphism;
use alloc::vec::Vec;
use core::slice;

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
        Backdoor = "backdoor", "cells whose digits let singles solve the puzzle";
    }
}

impl Measure {
    /// Those that are taken if no others are named: all but backdoors.
    pub const USUAL: [Self; 3] = [Self::Effort, Self::Er, Self::Grade];
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
    /// The size and the number of its smallest backdoors.
    pub backdoor: Option<Backdoor>,
    /// Whether a bound ended a search for the effort, which is not known then.
    pub gave_up: bool,
    /// Whether the puzzle has one solution. There are no measures of any other. `None` if the caller
    /// knows it.
    pub status: Option<Status>,
}

/// Measures puzzles; keeps the memory for it.
///
/// ```
/// use ninefold_core::Status;
/// use ninefold_core::difficulty::{Gauge, Grade, Measure, Score};
/// use ninefold_core::puzzle::{Grid, Sukaku};
///
/// let puzzle: Grid =
///     "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79".parse()?;
/// let mut gauge = Gauge::new();
/// let measured = gauge.many(&[puzzle, Grid::EMPTY]);
/// assert_eq!(measured[0].effort.unwrap().guesses(), 0);
/// assert_eq!(measured[0].rating.unwrap().er, Score::Tenths(12));
/// assert_eq!(measured[0].grade, Some(Grade::NakedSingles));
/// assert_eq!((measured[1].status, measured[1].rating), (Some(Status::Multiple), None));
///
/// // A sukaku has a rating, but no effort, no grade and no backdoor.
/// let measured = gauge.one(&Sukaku::from(&puzzle));
/// assert!(measured.rating.is_some() && measured.grade.is_none());
///
/// let mut only_grades = Gauge::new().with_measures([Measure::Grade]);
/// assert_eq!(only_grades.one(&puzzle).rating, None);
/// # Ok::<(), ninefold_core::puzzle::ParseError>(())
/// ```
#[derive(Debug)]
#[must_use]
pub struct Gauge {
    measures: NameSet<Measure>,
    /// How many transformations an effort is the mean of, and the seed that they are drawn from.
    shuffles: usize,
    seed: u64,
    /// Made for the first puzzle.
    counter: Option<GuessCounter>,
    rater: Rater,
    grader: Grader,
    finder: BackdoorFinder,
    answers: Vec<Answer>,
    /// Finds the number of solutions.
    engine: WorkerEngine,
    /// Whether all searches are to end.
    bounds: Bounds,
    measured: Vec<Measured>,
}

impl Default for Gauge {
    fn default() -> Self {
        Self::new()
    }
}

impl Gauge {
    /// The usual number of shuffles of an effort.
    pub const DEFAULT_SHUFFLES: usize = 10;

    /// One that takes the [usual measures](Measure::USUAL).
    pub fn new() -> Self {
        Self {
            measures: NameSet::of(&Measure::USUAL),
            shuffles: Self::DEFAULT_SHUFFLES,
            seed: 1,
            counter: None,
            rater: Rater::new(),
            grader: Grader::default(),
            finder: BackdoorFinder::default(),
            answers: Vec::new(),
            engine: WorkerEngine::default(),
            bounds: Bounds::default(),
            measured: Vec::new(),
        }
    }

    /// Takes these measures only.
    pub fn with_measures(self, measures: impl IntoIterator<Item = Measure>) -> Self {
        Self { measures: measures.into_iter().fold(NameSet::EMPTY, NameSet::with), ..self }
    }

    /// Takes the effort as the mean over this number of shuffles; [`Gauge::DEFAULT_SHUFFLES`] by default.
    ///
    /// # Panics
    /// If `shuffles` is 0.
    pub fn with_shuffles(self, shuffles: usize) -> Self {
        assert!(shuffles > 0, "a mean of no numbers does not exist");
        Self { shuffles, counter: None, ..self }
    }

    /// Draws the shuffles from this seed; 1 by default.
    pub fn with_seed(self, seed: u64) -> Self {
        Self { seed, counter: None, ..self }
    }

    /// Rates up to a score in tenths: ratings above it are [`Score::Above`].
    ///
    /// [`Score::Above`]: super::Score::Above
    pub fn with_max_er(self, tenths: u8) -> Self {
        Self { rater: self.rater.with_max_er(tenths), ..self }
    }

    /// Uses vectors of this level. The measures are the same at every level.
    pub fn with_level(self, level: SimdLevel) -> Self {
        Self { engine: self.engine.with_level(level), counter: None, ..self }
    }

    /// Gives up a search of an effort at these bounds: a guess is a branch. When they are stopped, puzzles
    /// stay without measures.
    ///
    /// ```
    /// use ninefold_core::difficulty::{Gauge, Measure};
    /// use ninefold_core::engine::Bounds;
    /// use ninefold_core::puzzle::Grid;
    ///
    /// let hard: Grid =
    ///     "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..".parse()?;
    /// let bounds = Bounds::default().with_max_branches(3);
    /// let measured = Gauge::new().with_measures([Measure::Effort]).with_bounds(bounds).one(&hard);
    /// assert!(measured.gave_up && measured.effort.is_none());
    /// # Ok::<(), ninefold_core::puzzle::ParseError>(())
    /// ```
    pub fn with_bounds(self, bounds: Bounds) -> Self {
        Self { rater: self.rater.with_bounds(bounds.clone()), bounds, counter: None, ..self }
    }

    /// Measures a puzzle. One that does not have exactly one solution has a status, and no measures.
    ///
    /// # Panics
    /// Never: each puzzle has a result.
    pub fn one<P: AnyPuzzle>(&mut self, puzzle: &P) -> Measured {
        self.many(slice::from_ref(puzzle))[0]
    }

    /// Measures puzzles, as [`Gauge::one`] does.
    pub fn many<P: AnyPuzzle>(&mut self, puzzles: &[P]) -> &[Measured] {
        let answers = self.engine.prove(puzzles);
        let known = answers.iter().zip(puzzles).filter(|it| it.0.solution().is_some());
        let unique: Vec<_> = known.map(|(_, &puzzle)| puzzle).collect();
        let (grids, sukakus) = P::split(&unique);
        self.many_unique(&grids, &sukakus);
        P::restore(&unique, &mut self.measured);
        let mut found = self.measured.iter();
        let measured = |(answer, &puzzle): (&Answer, &P)| {
            let status = answer.verdict::<ParseError>(puzzle, 2, None).status();
            let found = if status == Status::Unique { found.next() } else { None };
            Measured { status: Some(status), ..found.copied().unwrap_or_default() }
        };
        self.measured = answers.iter().zip(puzzles).map(measured).collect();
        &self.measured
    }

    /// Measures grids and then sukakus, of which the caller knows that each has one solution.
    pub fn many_unique(&mut self, puzzles: &[Grid], sukakus: &[Sukaku]) -> &[Measured] {
        let wants = |measure| self.measures.contains(measure);
        let level = self.engine.level;
        self.measured.clear();
        self.measured.resize(puzzles.len() + sukakus.len(), Measured::default());
        let (measured, of_sukakus) = self.measured.split_at_mut(puzzles.len());
        if wants(Measure::Effort) {
            let random = |index| Isomorphism::random(&mut Random::of(self.seed, 0, index));
            let counter = self.counter.get_or_insert_with(|| {
                let maps: Vec<_> = (0..self.shuffles as u64).map(random).collect();
                GuessCounter::new(level, &maps, self.bounds.clone())
            });
            let unguessed = Effort::without_guesses(self.shuffles as u64);
            for measured in &mut *measured {
                measured.effort = Some(unguessed);
            }
            counter.count(puzzles, &mut |place, guesses| {
                let effort = &mut measured[place].effort;
                *effort = effort.zip(guesses).map(|(effort, guesses)| effort.with(guesses));
            });
            for measured in &mut *measured {
                measured.gave_up = measured.effort.is_none();
            }
        }
        if wants(Measure::Er) {
            for (measured, sukaku) in of_sukakus.iter_mut().zip(sukakus) {
                measured.rating = self.rater.one_unique(sukaku);
            }
            for (measured, puzzle) in measured.iter_mut().zip(puzzles) {
                if self.bounds.is_stopped() {
                    break;
                }
                measured.rating = self.rater.one_unique(puzzle);
            }
        }
        if wants(Measure::Grade) {
            for (measured, &grade) in measured.iter_mut().zip(self.grader.many(level, puzzles)) {
                measured.grade = Some(grade);
            }
        }
        if wants(Measure::Backdoor) {
            self.answers.clear();
            self.engine.get().solve_batch(puzzles, 1, &mut self.answers);
            for ((measured, puzzle), answer) in measured.iter_mut().zip(puzzles).zip(&self.answers)
            {
                if self.bounds.is_stopped() {
                    break;
                }
                let found = answer.first.map(|solution| self.finder.find(level, puzzle, &solution));
                measured.backdoor = found.map(|found| Backdoor::of(&found));
            }
        }
        &self.measured
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
            let mut gauge = Gauge::new().with_measures([measure]).with_shuffles(3);
            let measured = gauge.many(&[puzzle; 2]);
            assert_eq!(measured[0], measured[1]);
            let Measured { effort, rating, grade, backdoor, status, .. } = measured[0];
            assert_eq!(status, Some(Status::Unique));
            let taken = [effort.is_some(), rating.is_some(), grade.is_some(), backdoor.is_some()];
            assert_eq!(taken, Measure::ALL.iter().map(|&it| it == measure).collect::<Vec<_>>()[..]);
        }
    }
}
