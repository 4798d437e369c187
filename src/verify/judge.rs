//! All that is asked of a puzzle, put together: one [`Judged`] for each.
//!
//! ```text
//! puzzles ──> legal? ──> one solution? ──> answers right? ──> clues that can go? ──> grade
//!                        (limit 2)         (rules alone)      (of those with one solution)
//! ```
//!
//! Each step is done for all puzzles of a chunk before the next begins, so that it has full lanes. What a
//! puzzle is not asked, or cannot be because it failed before, is left open.

use super::Verify;
use crate::Status;
use crate::difficulty::{Gauge, Grade, Grader, Measure, Measured};
use crate::engine::Answer;
use crate::input::{Given, Malformed, Puzzles};
use crate::minimal::Minimality;
use crate::names::NameSet;
use crate::puzzle::{CellSet, Grid, Puzzle, Solution, Sukaku, WrongAnswer, answer, rules};
use crate::run::SlowPlace;
use crate::search::Answers;
use std::num::NonZeroUsize;
use std::ops::{ControlFlow, RangeInclusive};

/// What was found of a puzzle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Judged {
    /// How many clues it has.
    pub(super) clues: usize,
    /// Whether that is in the range that was asked for.
    pub(super) clues_in_range: bool,
    /// That of its verdict. `None` if it is legal and was not solved ([`Verify::trust_unique`]).
    pub(super) status: Option<Status>,
    /// Whether the given answer is right, if there is one. A right one need not be the only one.
    pub(super) answer: Option<Result<(), WrongAnswer>>,
    /// The clues that can go; of a puzzle with one solution, if that was asked. `None` as well if none was
    /// found and a search was given up.
    pub(super) superfluous: Option<CellSet>,
    /// Whether a search for clues that can go took more branches than allowed.
    pub(super) undecided: bool,
    /// What it falls to; of a puzzle with one solution, if it was solved.
    pub(super) grade: Option<Grade>,
    /// Its effort and Explainer's rating; of a puzzle with one solution, if that was asked.
    pub(super) measured: Measured,
}

impl Judged {
    /// Whether nothing is wrong.
    pub(super) fn passes(&self) -> bool {
        matches!(self.status, Some(Status::Unique) | None)
            && self.clues_in_range
            && !matches!(self.answer, Some(Err(_)))
            && self.superfluous.is_none_or(CellSet::is_empty)
            && !self.undecided
            && !self.measured.gave_up
    }
}

/// The seed of the shuffles of an effort: the usual one of `ninefold rate`.
const EFFORT_SEED: u64 = crate::rate::Rate::SEED;

/// Judges puzzles; has an engine and keeps the memory for all checks.
pub(super) struct Judge {
    trust_unique: bool,
    minimal: bool,
    clues: RangeInclusive<usize>,
    answers: Answers,
    grader: Grader,
    minimality: Minimality,
    /// The grids with one solution: their places, themselves, and the solutions.
    places: Vec<usize>,
    puzzles: Vec<Grid>,
    solutions: Vec<Solution>,
    grades: Vec<Grade>,
    superfluous: Vec<CellSet>,
    /// Measures the difficulty, if that was asked.
    gauge: Option<Gauge>,
    measured: Vec<Measured>,
}

impl Judge {
    pub(super) fn new(verify: &Verify) -> Self {
        let search = &verify.search;
        let measures = NameSet::of(&[Measure::Effort, Measure::Er]);
        let gauge = |shuffles: NonZeroUsize| {
            let gauge = Gauge::new(measures, search.simd, shuffles.get(), EFFORT_SEED);
            gauge.bounded(search.bounds())
        };
        Self {
            trust_unique: verify.trust_unique,
            minimal: verify.minimal,
            clues: verify.clues.clone(),
            answers: Answers::new(search.build(), 2),
            grader: Grader::new(search.simd),
            minimality: Minimality::new(),
            places: Vec::new(),
            puzzles: Vec::new(),
            solutions: Vec::new(),
            grades: Vec::new(),
            superfluous: Vec::new(),
            gauge: verify.rate_over.map(gauge),
            measured: Vec::new(),
        }
    }

    /// Appends what is found of each puzzle: of the grids, then of the sukakus. `given` has an answer for
    /// each, or is empty. Returns the line that took longest to solve.
    ///
    /// Single candidates of sukakus count as clues; whether one can go has no meaning, and they are not
    /// graded.
    pub(super) fn judge(
        &mut self,
        puzzles: &Puzzles,
        given: &[Given],
        judged: &mut Vec<Judged>,
    ) -> Option<SlowPlace> {
        let (grids, sukakus) = (puzzles.grids(), puzzles.sukakus());
        self.answers.answers.clear();
        let solves = !self.trust_unique;
        let slowest = if solves { self.answers.find(puzzles) } else { None };
        let given = |number: usize| match given.get(number) {
            Some(Given::Cells(grid)) => Some(grid),
            _ => None,
        };
        for (number, grid) in grids.iter().enumerate() {
            let answer = given(number).map(|answer| answer::check_answer(grid, answer));
            judged.push(self.first_look(number, grid, grid, answer));
        }
        for (place, sukaku) in sukakus.iter().enumerate() {
            let (number, singles) = (grids.len() + place, &sukaku.singles());
            let answer = given(number).map(|answer| answer::check_answer_of(sukaku, answer));
            let mut found = self.first_look(number, singles, sukaku, answer);
            if found.status.is_none() && !sukaku.is_legal() {
                found.status = Some(Status::None);
            }
            judged.push(found);
        }
        if solves {
            self.look_closer(grids, judged);
        }
        slowest
    }

    /// What is known of a puzzle whose single candidates are these clues, once all are solved.
    fn first_look(
        &self,
        number: usize,
        clues: &Grid,
        puzzle: impl Into<Puzzle>,
        answer: Option<Result<(), WrongAnswer>>,
    ) -> Judged {
        let max_branches = self.answers.engine.max_branches();
        let verdict = |found: &Answer| found.verdict::<Malformed>(puzzle, 2, max_branches).status();
        let status = match self.answers.answers.get(number) {
            Some(found) => Some(verdict(found)),
            None => (!rules::is_legal(clues)).then_some(Status::Conflict),
        };
        let clues = clues.clues();
        Judged {
            clues,
            clues_in_range: self.clues.contains(&clues),
            status,
            answer,
            superfluous: None,
            undecided: false,
            grade: None,
            measured: Measured::default(),
        }
    }

    /// What is asked only of grids with one solution.
    fn look_closer(&mut self, grids: &[Grid], judged: &mut [Judged]) {
        let Self { answers, places, puzzles, solutions, grades, superfluous, measured, .. } = self;
        places.clear();
        puzzles.clear();
        solutions.clear();
        for (place, grid) in grids.iter().enumerate() {
            if let Some(solution) = answers.solution(place) {
                places.push(place);
                puzzles.push(*grid);
                solutions.push(*solution);
            }
        }
        grades.clear();
        self.grader.grade(puzzles, grades);
        for (&place, &grade) in places.iter().zip(&*grades) {
            judged[place].grade = Some(grade);
        }
        if let Some(gauge) = &mut self.gauge {
            measured.clear();
            gauge.measure(puzzles, measured);
            for (&place, &measured) in places.iter().zip(&*measured) {
                judged[place].measured = measured;
            }
        }
        if self.minimal {
            superfluous.clear();
            self.minimality.redundant(answers.engine.as_mut(), puzzles, solutions, superfluous);
            for (&place, &found) in places.iter().zip(&*superfluous) {
                judged[place].superfluous = Some(found);
            }
            for &undecided in self.minimality.undecided() {
                let judged = &mut judged[places[undecided]];
                judged.superfluous = judged.superfluous.filter(|cells| !cells.is_empty());
                judged.undecided = true;
            }
        }
    }

    /// The only solution of a puzzle of the chunk, if it is known.
    pub(super) fn solution(&self, number: usize) -> Option<&Solution> {
        self.answers.answers.get(number).and_then(Answer::solution)
    }

    /// Two solutions that differ, of a puzzle that has so many; else as many as there are.
    pub(super) fn two_solutions(&mut self, puzzle: &Sukaku) -> Vec<Solution> {
        let mut found = Vec::with_capacity(2);
        self.answers.engine.each_solution_of(puzzle, &mut |solution| {
            found.push(*solution);
            if found.len() < 2 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        found
    }
}
