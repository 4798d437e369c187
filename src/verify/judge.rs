//! Judges the puzzles of a chunk: one [`Judged`] for each.
//!
//! ```text
//! puzzles ──> one solution? ──> grade, effort, redundant clues ──> faults
//!             (limit 2)         (of those with one solution)       (with the answers given)
//! ```
//!
//! Each search is done for all puzzles of a chunk before the next begins, so that it has full lanes.

use super::source::Job;
use super::tally::Tally;
use super::{Finding, Verify};
use crate::bank::Same;
use crate::difficulty::{Gauge, Grade, Grader, Measure, Measured};
use crate::input::{Given, Malformed};
use crate::minimal::{Minimality, Redundant};
use crate::puzzle::answer::check_answer;
use crate::puzzle::rules::{self, check_solved};
use crate::puzzle::{CellSet, Clashes, Grid, Puzzle, Solution, Unsolved};
use crate::run::{Batch, SlowPlace};
use crate::search::Answers;
use crate::{Status, Verdict};
use std::borrow::Cow;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;

/// The faults of a puzzle, each with its reason, in the order of a report.
#[derive(Debug, Default)]
pub(super) struct Faults(pub(super) Vec<(Finding, Cow<'static, str>)>);

impl Faults {
    pub(super) fn push(&mut self, finding: Finding, reason: impl Into<Cow<'static, str>>) {
        self.0.push((finding, reason.into()));
    }

    /// Adds that the same puzzle is also at this place. A missing answer stays the last fault.
    pub(super) fn push_place(&mut self, finding: Finding, same: Same, place: &str) {
        let what = match same {
            Same::Exact => "same puzzle as",
            Same::Isomorphic => "isomorphic to",
        };
        let is_last = self.0.last().is_some_and(|(last, _)| *last == Finding::NoAnswer);
        let at = self.0.len() - usize::from(is_last);
        self.0.insert(at, (finding, format!("{what} {place}").into()));
    }
}

/// What was found of a puzzle, or of a malformed line.
#[derive(Debug, Default)]
pub(super) struct Judged {
    /// How many clues it has, if it is a puzzle.
    pub(super) clues: Option<usize>,
    /// `None` if it is legal and was not solved ([`Verify::trust_unique`]).
    pub(super) status: Option<Status>,
    /// What its answer is, if there is one.
    pub(super) answer: Option<Tally>,
    /// Whether it is minimal, if that was asked and it has one solution.
    pub(super) minimality: Option<Tally>,
    /// Its grade, and its other measures if they were asked, if it has one solution.
    pub(super) measured: Measured,
    pub(super) faults: Faults,
}

/// Judges puzzles; has an engine and keeps the memory for all checks.
pub(super) struct Judge {
    verify: Verify,
    answers: Answers,
    /// Grades, if that was asked.
    grader: Option<Grader>,
    minimality: Minimality,
    /// Measures the difficulty, if that was asked.
    gauge: Option<Gauge>,
    /// The grids with one solution, and what is known of them. The last is known of sukakus, too.
    grids: Vec<Grid>,
    grades: Vec<Grade>,
    measured: Vec<Measured>,
    redundant: Vec<Redundant>,
}

impl Judged {
    pub(super) fn malformed(error: &Malformed) -> Self {
        let mut judged = Self { status: Some(Status::Malformed), ..Self::default() };
        judged.faults.push(Finding::Malformed, error.to_string());
        judged
    }
}

impl Judge {
    pub(super) fn new(verify: &Verify) -> Self {
        let search = &verify.search;
        let gauge = |shuffles: NonZeroUsize| {
            // The seed is the default of `ninefold rate`.
            let seed = crate::rate::Rate::SEED;
            let gauge = Gauge::new().with_measures([Measure::Effort, Measure::Er]);
            let gauge = gauge.with_level(search.simd).with_bounds(search.bounds());
            let gauge = gauge.with_max_er(verify.max_er.unwrap_or(u8::MAX));
            gauge.with_shuffles(shuffles.get()).with_seed(seed)
        };
        Self {
            answers: Answers::new(search.build(), 2),
            grader: verify.grade.then(|| Grader::new().with_level(search.simd)),
            minimality: Minimality::new(),
            gauge: verify.rate_over.map(gauge),
            grids: Vec::new(),
            grades: Vec::new(),
            measured: Vec::new(),
            redundant: Vec::new(),
            verify: verify.clone(),
        }
    }

    /// Judges all puzzles: the grids, then the sukakus. Single candidates of sukakus count as clues, and
    /// they are not graded. Returns the line that took longest to solve.
    pub(super) fn judge(
        &mut self,
        batch: &Batch<'_, Job>,
        judged: &mut Vec<Judged>,
    ) -> Option<SlowPlace> {
        let slowest = if self.verify.trust_unique { None } else { self.search(batch) };
        let mut known = 0..;
        judged.clear();
        judged.extend((0..batch.puzzles.count()).map(|number| {
            let place = self.solution(number).and_then(|_| known.next());
            self.passed(number, batch).unwrap_or_else(|| self.judge_one(number, place, batch))
        }));
        slowest
    }

    /// Whether more than the solution and the answer is asked of a puzzle with one solution.
    const fn asks_more(&self) -> bool {
        self.grader.is_some() || self.gauge.is_some() || self.verify.minimal
    }

    /// The short way for nearly all puzzles: a grid with one solution (legal, if nothing is solved), whose
    /// answer, if it has one, is that solution. `None` if more is asked, or something may be wrong.
    fn passed(&self, number: usize, batch: &Batch<'_, Job>) -> Option<Judged> {
        if self.asks_more() || batch.piece.file.is_some() {
            return None;
        }
        let (grid, solution) = (batch.puzzles.grids().get(number)?, self.solution(number));
        let is_trusted = self.verify.trust_unique;
        let (status, answer) = match (solution, batch.puzzles.given_with(number)) {
            (_, Given::Missing) if batch.chunk.layout().has_solutions() => return None,
            (Some(_), Given::Missing) => (Some(Status::Unique), None),
            (Some(only), Given::Cells(answer)) if answer == only.grid() => {
                (Some(Status::Unique), Some(Tally::Right))
            }
            (None, Given::Missing) if is_trusted && rules::is_legal(grid) => (None, None),
            // The clues are those of a right answer, so they are legal.
            (None, Given::Cells(answer)) if is_trusted && check_answer(grid, answer).is_ok() => {
                (None, Some(Tally::Right))
            }
            _ => return None,
        };
        let clues = grid.clues();
        let is_in_range = self.verify.clues.contains(&clues);
        is_in_range.then(|| Judged { clues: Some(clues), status, answer, ..Judged::default() })
    }

    /// Finds the solutions of the puzzles, and what is asked of those with one.
    fn search(&mut self, batch: &Batch<'_, Job>) -> Option<SlowPlace> {
        let asks_more = self.asks_more();
        let Self { answers, grids, grades, measured, redundant, .. } = self;
        grids.clear();
        grades.clear();
        measured.clear();
        redundant.clear();
        let slowest = answers.find(batch.puzzles);
        if !asks_more {
            return slowest;
        }
        let unique =
            (0..batch.puzzles.count()).filter(|&number| answers.solution(number).is_some());
        let unique: Vec<_> = unique.map(|number| batch.puzzles.puzzle(number)).collect();
        grids.extend(unique.iter().map_while(|puzzle| match puzzle {
            Puzzle::Grid(grid) => Some(grid),
            Puzzle::Sukaku(_) => None,
        }));
        if let Some(grader) = &mut self.grader {
            grades.extend(grader.many(grids));
        }
        if let Some(gauge) = &mut self.gauge {
            let sukaku = |puzzle: &Puzzle| match puzzle {
                Puzzle::Grid(_) => None,
                Puzzle::Sukaku(sukaku) => Some(*sukaku),
            };
            let sukakus: Vec<_> = unique.iter().filter_map(sukaku).collect();
            measured.extend(gauge.many_unique(grids, &sukakus));
        }
        if self.verify.minimal {
            let solutions: Vec<_> =
                answers.found.iter().filter_map(|answer| answer.solution().copied()).collect();
            let engine = answers.engine.as_mut();
            redundant.extend(self.minimality.many_unique(engine, &unique, &solutions));
        }
        slowest
    }

    /// Puts together what is known of a puzzle: the one at `place` among those with one solution.
    fn judge_one(&mut self, number: usize, place: Option<usize>, batch: &Batch<'_, Job>) -> Judged {
        let puzzle = batch.puzzles.puzzle(number);
        let grid = puzzle.givens();
        let mut faults = Faults::default();
        let checked = Checked::of(number, &puzzle, batch);
        let status = self.status(number, &puzzle, &grid, checked.answer, &mut faults);
        let mut measured =
            place.and_then(|place| self.measured.get(place).copied()).unwrap_or_default();
        measured.grade = place.and_then(|place| self.grades.get(place).copied());
        let redundant = place.and_then(|place| self.redundant.get(place).copied());
        let gave_up = redundant.is_some_and(|it| it.gave_up);
        if gave_up {
            let why = self.gave_up();
            faults.push(Finding::Unknown, format!("redundant clues not known: {why}"));
        }
        if measured.gave_up {
            faults.push(Finding::Unknown, format!("effort not known: {}", self.gave_up()));
        }
        for wrong in checked.wrong {
            faults.push(Finding::WrongAnswer, wrong);
        }
        let minimality = match redundant.map(|it| it.clues.is_empty()) {
            Some(false) => Some(Tally::NotMinimal),
            Some(true) if gave_up => Some(Tally::MinimalUnknown),
            Some(true) => Some(Tally::Minimal),
            None => None,
        };
        if let Some(cells) = redundant.map(|it| it.clues).filter(|cells| !cells.is_empty()) {
            faults.push(Finding::NotMinimal, not_minimal(&puzzle, cells));
        }
        let (clues, range) = (grid.clues(), &self.verify.clues);
        if !range.contains(&clues) {
            let (least, most) = (range.start(), range.end());
            faults.push(Finding::Clues, format!("expected {least} to {most} clues, found {clues}"));
        }
        let expects_answer = batch.piece.file.is_some() || batch.chunk.layout().has_solutions();
        if expects_answer && checked.answer.is_none() {
            faults.push(Finding::NoAnswer, "no answer given");
        }
        let answer = match (checked.answer, status) {
            (Some(Tally::Right), Some(Status::Multiple)) => Some(Tally::NotOnly),
            (Some(Tally::Right), Some(Status::Unknown)) => Some(Tally::Unproven),
            (answer, _) => answer,
        };
        Judged { clues: Some(clues), status, answer, minimality, measured, faults }
    }

    /// The status of a puzzle, if it was solved or cannot have a solution.
    fn status(
        &mut self,
        number: usize,
        puzzle: &Puzzle,
        clues: &Grid,
        answer: Option<Tally>,
        faults: &mut Faults,
    ) -> Option<Status> {
        let verdict = if self.verify.trust_unique {
            match (Clashes::of(clues), puzzle) {
                (Some(clashes), _) => Verdict::Conflict(clashes),
                (None, Puzzle::Sukaku(sukaku)) if !sukaku.is_legal() => Verdict::None,
                (None, _) => return None,
            }
        } else {
            self.answers.verdict(number, puzzle)
        };
        let status = verdict.status();
        let finding = match status {
            Status::Unique | Status::Solved => return Some(status),
            Status::Multiple => Finding::Multiple,
            Status::None => Finding::None,
            Status::Conflict => Finding::Conflict,
            Status::Malformed => Finding::Malformed,
            Status::Unknown => Finding::Unknown,
        };
        let mut reason = verdict.to_string();
        if status == Status::Unknown {
            reason = self.gave_up();
        }
        if status == Status::Multiple && answer == Some(Tally::Right) {
            reason += "; the answer is valid but not unique";
        }
        if status == Status::Multiple
            && self.verify.show_two
            && let [one, two] = &self.two_solutions(puzzle)[..]
        {
            reason += &format!(": {one} and {two}");
        }
        faults.push(finding, reason);
        Some(status)
    }

    /// Why a search was given up.
    fn gave_up(&self) -> String {
        let max_branches = self.verify.search.max_branches;
        Verdict::<Solution>::Unknown { at_least: 0, max_branches }.to_string()
    }

    /// The only solution of a puzzle of the chunk, if it is known.
    pub(super) fn solution(&self, number: usize) -> Option<&Solution> {
        self.answers.found.get(number).and_then(|answer| answer.solution())
    }

    /// Two solutions of a puzzle; fewer if it does not have two.
    fn two_solutions(&mut self, puzzle: &Puzzle) -> Vec<Solution> {
        let sukaku = match puzzle {
            Puzzle::Grid(grid) => grid.into(),
            Puzzle::Sukaku(sukaku) => *sukaku,
        };
        let mut found = Vec::with_capacity(2);
        self.answers.engine.each_solution_of(&sukaku, &mut |solution| {
            found.push(*solution);
            if found.len() < 2 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        found
    }
}

/// The answers given with a puzzle, checked by the rules.
#[derive(Default)]
struct Checked {
    /// Wrong if one of them is wrong.
    answer: Option<Tally>,
    /// Why they are wrong.
    wrong: Vec<String>,
}

impl Checked {
    fn of(number: usize, puzzle: &Puzzle, batch: &Batch<'_, Job>) -> Self {
        let mut checked = Self::default();
        let Job { file, answers, .. } = batch.piece;
        let Some(file) = file else {
            checked.add(puzzle, batch.puzzles.given_with(number), || "answer".to_owned());
            return checked;
        };
        let start = answers.partition_point(|answer| answer.number < number);
        for answer in answers[start..].iter().take_while(|answer| answer.number == number) {
            let line = answer.line;
            checked.add(puzzle, &answer.given, || format!("answer {file}:{line}"));
        }
        checked
    }

    /// Checks an answer.
    fn add(&mut self, puzzle: &Puzzle, given: &Given, place: impl Fn() -> String) {
        let wrong = match given {
            Given::Missing => return,
            Given::Malformed(error) => Err(error.to_string()),
            Given::Cells(answer) => puzzle.check_answer(answer).map_err(|wrong| {
                match (check_solved(answer), Clashes::of(answer)) {
                    (Err(Unsolved::Clash(_)), Some(clashes)) => clashes.to_string(),
                    _ => wrong.to_string(),
                }
            }),
        };
        match wrong {
            Ok(()) => {
                self.answer.get_or_insert(Tally::Right);
            }
            Err(reason) => {
                self.answer = Some(Tally::Wrong);
                self.wrong.push(format!("{}: {reason}", place()));
            }
        }
    }
}

/// Which clues can go.
fn not_minimal(puzzle: &Puzzle, cells: CellSet) -> String {
    let is_sukaku = matches!(puzzle, Puzzle::Sukaku(_));
    let which = match (is_sukaku, cells.len()) {
        (false, 1) => "this clue can be left out".to_owned(),
        (false, count) => format!("any one of {count} clues can be left out"),
        (true, 1) => "this cell can have all nine candidates".to_owned(),
        (true, count) => format!("any one of {count} cells can have all nine candidates"),
    };
    let clues = puzzle.givens();
    let place = |cell: crate::puzzle::Cell| {
        let place = format!("row {} column {}", cell.row() + 1, cell.column() + 1);
        clues.get(cell).map_or(place.clone(), |digit| format!("{} in {place}", digit.value()))
    };
    let places: Vec<_> = cells.cells().map(place).collect();
    format!("not minimal: {which}: {}", places.join(", "))
}
