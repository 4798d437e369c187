//! How commands search: the engine and its bounds, and what they find of the puzzles of a chunk.

use crate::Verdict;
use crate::difficulty::{Gauge, Measure, Measured};
use crate::engine::lanes::SimdLevel;
use crate::engine::{Answer, Bounds, Engine, EngineKind};
use crate::input::{Malformed, Puzzles};
use crate::minimal::{Minimality, Redundant};
use crate::pipeline::Cancel;
use crate::puzzle::{Grid, Puzzle, Solution, Sukaku};
use crate::run::SlowPlace;
use std::fmt;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Makes engines of one's own, one for each worker. They have bounds of their own.
pub type MakeEngine = Arc<dyn Fn() -> Box<dyn Engine> + Send + Sync>;

/// The engine of a command, and the bounds of its searches.
#[derive(Clone)]
#[non_exhaustive]
pub struct Search {
    /// The engine.
    pub engine: EngineKind,
    /// An engine that is used instead.
    pub own: Option<MakeEngine>,
    /// Which vectors may be used.
    pub simd: SimdLevel,
    /// The most branches of a puzzle. One that takes more is [`Verdict::Unknown`].
    pub max_branches: Option<u32>,
    /// Searches are given up when it is abandoned.
    pub cancel: Cancel,
}

impl Default for Search {
    fn default() -> Self {
        let (engine, simd, cancel) = (EngineKind::default(), SimdLevel::best(), Cancel::default());
        Self { engine, own: None, simd, max_branches: None, cancel }
    }
}

impl fmt::Debug for Search {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Search").field("engine", &self.engine).finish_non_exhaustive()
    }
}

impl Search {
    /// The bounds of all searches. Long searches are timed.
    pub(crate) fn bounds(&self) -> Bounds {
        let start = Instant::now();
        let bounds = Bounds::default().with_stop(self.cancel.abandon_flag());
        let bounds = bounds.with_clock(move || start.elapsed());
        match self.max_branches {
            Some(branches) => bounds.with_max_branches(branches),
            None => bounds,
        }
    }

    /// An engine with these bounds.
    pub(crate) fn build(&self) -> Box<dyn Engine> {
        match &self.own {
            Some(make) => make(),
            None => self.engine.build_bounded(self.simd, self.bounds()),
        }
    }

    /// Takes these measures within the bounds, and scores up to this one, in tenths.
    pub(crate) fn gauge(
        &self,
        measures: impl IntoIterator<Item = Measure>,
        max_er: Option<u8>,
    ) -> Gauge {
        let gauge = Gauge::new().with_measures(measures).with_max_er(max_er.unwrap_or(u8::MAX));
        gauge.with_level(self.simd).with_bounds(self.bounds())
    }
}

/// An engine, and its answers to the puzzles of a chunk.
pub(crate) struct Answers {
    pub(crate) engine: Box<dyn Engine>,
    /// How many solutions are looked for.
    pub(crate) limit: usize,
    pub(crate) found: Vec<Answer>,
}

impl Answers {
    pub(crate) const fn new(engine: Box<dyn Engine>, limit: usize) -> Self {
        Self { engine, limit, found: Vec::new() }
    }

    /// Answers all puzzles of a chunk: first the grids, then the sukakus. With a limit of 2, the solution
    /// is given only if there is no other: engines prove that sooner than they find the first of several.
    /// Returns the line that took longest.
    pub(crate) fn find(&mut self, puzzles: &Puzzles) -> Option<SlowPlace> {
        let (number, time) = self.search(puzzles.grids(), puzzles.sukakus())?;
        SlowPlace::of(puzzles, number, time)
    }

    /// As [`find`](Self::find), but only for these puzzles. All others have an empty answer.
    #[cfg(feature = "cli")]
    pub(crate) fn find_among(
        &mut self,
        puzzles: &Puzzles,
        numbers: impl Iterator<Item = usize>,
    ) -> Option<SlowPlace> {
        let Chosen { numbers, grids, sukakus } = Chosen::of(puzzles, numbers);
        let slowest = self.search(&grids, &sukakus);
        let mut found = vec![Answer::default(); puzzles.count()];
        numbers.iter().zip(&self.found).for_each(|(&number, answer)| found[number] = *answer);
        self.found = found;
        let (place, time) = slowest?;
        SlowPlace::of(puzzles, numbers[place], time)
    }

    /// Answers the grids, then the sukakus. Returns the place and the time of the longest search.
    fn search(&mut self, grids: &[Grid], sukakus: &[Sukaku]) -> Option<(usize, Duration)> {
        let Self { engine, limit, found: answers } = self;
        let all = grids.len() + sukakus.len();
        answers.clear();
        answers.reserve(all);
        match *limit {
            2 => engine.prove_batch(grids, answers),
            limit => engine.solve_batch(grids, limit, answers),
        }
        let of_grids = engine.slowest().map(|it| (it.index, it.time));
        engine.solve_sukakus(sukakus, *limit, answers);
        assert_eq!(answers.len(), all, "one answer for each puzzle");
        let of_sukakus = engine.slowest().map(|it| (grids.len() + it.index, it.time));
        of_grids.into_iter().chain(of_sukakus).max_by_key(|&(_, time)| time)
    }

    /// The verdict on a puzzle.
    pub(crate) fn verdict(&self, number: usize, puzzle: &Puzzle) -> Verdict<&Solution, &Malformed> {
        self.found[number].verdict(puzzle, self.limit, self.engine.max_branches())
    }

    /// The verdict on a puzzle one of whose searches was given up.
    pub(crate) fn unknown(&self, at_least: u64) -> Verdict<&Solution, &Malformed> {
        Verdict::Unknown { at_least, max_branches: self.engine.max_branches() }
    }

    /// The solution of a puzzle, if it was searched and exactly one was found.
    pub(crate) fn solution(&self, number: usize) -> Option<&Solution> {
        self.found.get(number)?.solution()
    }
}

/// The number of clues of a puzzle; of a sukaku its cells with one candidate.
pub(crate) fn clues(puzzles: &Puzzles, number: usize) -> usize {
    // Grids come first. A puzzle is not copied for its clues.
    puzzles.grids().get(number).map_or_else(|| puzzles.puzzle(number).givens().clues(), Grid::clues)
}

/// Some puzzles of a chunk as engines take them: the grids, then the sukakus.
struct Chosen {
    numbers: Vec<usize>,
    grids: Vec<Grid>,
    sukakus: Vec<Sukaku>,
}

impl Chosen {
    fn of(puzzles: &Puzzles, numbers: impl Iterator<Item = usize>) -> Self {
        let first = puzzles.grids().len();
        let (mut numbers, of_sukakus): (Vec<_>, Vec<_>) = numbers.partition(|&it| it < first);
        let grids = numbers.iter().map(|&it| puzzles.grids()[it]).collect();
        let sukakus = of_sukakus.iter().map(|&it| puzzles.sukakus()[it - first]).collect();
        numbers.extend(of_sukakus);
        Self { numbers, grids, sukakus }
    }
}

/// What is known of the puzzles of a chunk, by their numbers: the answers, and what was asked of those with
/// one solution.
pub(crate) struct Facts {
    pub(crate) answers: Answers,
    minimality: Minimality,
    /// Of all puzzles, once it was asked of some.
    measured: Vec<Measured>,
    redundant: Vec<Option<Redundant>>,
}

impl Facts {
    pub(crate) fn new(search: &Search) -> Self {
        Self {
            answers: Answers::new(search.build(), 2),
            minimality: Minimality::new(),
            measured: Vec::new(),
            redundant: Vec::new(),
        }
    }

    /// Forgets the puzzles of the chunk before.
    pub(crate) fn restart(&mut self) {
        self.answers.found.clear();
        self.measured.clear();
        self.redundant.clear();
    }

    /// What was measured of a puzzle.
    pub(crate) fn measured(&self, number: usize) -> Measured {
        self.measured.get(number).copied().unwrap_or_default()
    }

    /// Whether a search for any of this was given up. With a redundant clue a puzzle is certainly not minimal.
    #[cfg(feature = "cli")]
    pub(crate) fn gave_up(&self, number: usize) -> bool {
        self.answers.found.get(number).is_some_and(|it| it.gave_up)
            || self.measured.get(number).is_some_and(|it| it.gave_up)
            || self.redundant(number).is_some_and(|it| it.gave_up && it.clues.is_empty())
    }

    /// The redundant clues of a puzzle, if that was asked and it has one solution.
    pub(crate) fn redundant(&self, number: usize) -> Option<Redundant> {
        *self.redundant.get(number)?
    }

    /// Adds the measures of those of these puzzles that have one solution.
    pub(crate) fn measure(
        &mut self,
        gauge: &mut Gauge,
        puzzles: &Puzzles,
        numbers: impl Iterator<Item = usize>,
    ) {
        self.measured.resize(puzzles.count(), Measured::default());
        let unique = numbers.filter(|&number| self.answers.solution(number).is_some());
        let Chosen { numbers, grids, sukakus } = Chosen::of(puzzles, unique);
        for (number, found) in numbers.into_iter().zip(gauge.many_unique(&grids, &sukakus)) {
            let known = &mut self.measured[number];
            known.effort = known.effort.or(found.effort);
            known.rating = known.rating.or(found.rating);
            known.grade = known.grade.or(found.grade);
            known.backdoor = known.backdoor.or(found.backdoor);
            known.gave_up |= found.gave_up;
        }
    }

    /// Finds the redundant clues of those of these puzzles that have one solution.
    pub(crate) fn find_redundant(
        &mut self,
        puzzles: &Puzzles,
        numbers: impl Iterator<Item = usize>,
    ) {
        let Self { answers, minimality, redundant, .. } = self;
        redundant.resize(puzzles.count(), None);
        let unique = |number| Some((number, *answers.solution(number)?));
        let (numbers, solutions): (Vec<_>, Vec<_>) = numbers.filter_map(unique).unzip();
        let unique: Vec<_> = numbers.iter().map(|&number| puzzles.puzzle(number)).collect();
        let found = minimality.many_unique(answers.engine.as_mut(), &unique, &solutions);
        numbers.iter().zip(found).for_each(|(&number, found)| redundant[number] = Some(*found));
    }
}
