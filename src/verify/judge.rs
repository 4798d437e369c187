//! All that is asked of a puzzle, put together: one [`Verdict`] for each.
//!
//! ```text
//! puzzles ──> legal? ──> one solution? ──> answers right? ──> clues that can go? ──> grade
//!                        (limit 2)         (rules alone)      (of those with one solution)
//! ```
//!
//! Each step is done for all puzzles before the next begins, so that it has full lanes. What a
//! puzzle is not asked, or cannot be because it failed before, is left open in its verdict.
//!
//! With [`Checks::trust_unique`] nothing is solved at all.

use crate::Status;
use crate::difficulty::{Gauge, Grade, Grader, Measure, Measured};
use crate::engine::lanes::SimdLevel;
use crate::engine::{Answer, Bounds, Engine, Slowest};
use crate::minimal::Minimality;
use crate::names::NameSet;
use crate::puzzle::{CellSet, Grid, Solution, Sukaku, WrongAnswer, answer, rules};
use std::num::NonZeroUsize;
use std::ops::{ControlFlow, RangeInclusive};

/// What is asked.
///
/// ```
/// use crate::engine::EngineKind;
/// use crate::engine::lanes::SimdLevel;
/// use crate::verify::{Checks, Judge};
///
/// let checks = Checks { clues: 17..=25, ..Checks::default() };
/// let mut judge = Judge::new(checks, EngineKind::default().build(), SimdLevel::best());
/// let line = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
/// let mut verdicts = Vec::new();
/// judge.judge(&[line.parse()?], &[], &mut verdicts);
/// assert_eq!((verdicts[0].clues, verdicts[0].clues_in_range), (30, false));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checks {
    /// Takes it on trust that a legal puzzle has just one solution: nothing is solved, and
    /// nothing is known of minimality and grade.
    pub trust_unique: bool,
    /// Whether to look for clues that can go.
    pub minimal: bool,
    /// How many clues a puzzle should have.
    pub clues: RangeInclusive<usize>,
    /// Measure effort and Explainer's rating of puzzles with one solution, the effort over so many
    /// shuffles.
    pub rate_over: Option<NonZeroUsize>,
}

impl Default for Checks {
    /// Legal, and with one solution.
    fn default() -> Self {
        Self { trust_unique: false, minimal: false, clues: 0..=81, rate_over: None }
    }
}

/// What was found of a puzzle.
///
/// ```
/// use crate::engine::EngineKind;
/// use crate::engine::lanes::SimdLevel;
/// use crate::puzzle::Grid;
/// use crate::verify::{Checks, Judge};
///
/// let engine = EngineKind::default().build();
/// let mut judge = Judge::new(Checks::default(), engine, SimdLevel::best());
/// let line = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
/// let mut verdicts = Vec::new();
/// judge.judge(&[line.parse()?, Grid::EMPTY], &[], &mut verdicts);
/// assert_eq!((verdicts[0].passes(), verdicts[1].passes()), (true, false));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// How many clues it has.
    pub clues: usize,
    /// Whether that is in the range that was asked for.
    pub clues_in_range: bool,
    /// What became of it: unique, multiple, none, conflict or unknown. `None` if it is legal and was not
    /// solved ([`Checks::trust_unique`]).
    pub status: Option<Status>,
    /// Whether the given answer is right, if there is one. A right one need not be the only one.
    pub answer: Option<Result<(), WrongAnswer>>,
    /// The clues that can go; of a puzzle with one solution, if that was asked. `None` as well if none was
    /// found and a search was given up.
    pub superfluous: Option<CellSet>,
    /// Whether a search for clues that can go took more branches than allowed.
    pub undecided: bool,
    /// What it falls to; of a puzzle with one solution, if it was solved.
    pub grade: Option<Grade>,
    /// Its effort and Explainer's rating; of a puzzle with one solution, if that was asked.
    pub measured: Measured,
}

impl Verdict {
    /// Whether nothing is wrong.
    #[must_use]
    pub fn passes(&self) -> bool {
        matches!(self.status, Some(Status::Unique) | None)
            && self.clues_in_range
            && !matches!(self.answer, Some(Err(_)))
            && self.superfluous.is_none_or(CellSet::is_empty)
            && !self.undecided
            && !self.measured.gave_up
    }
}

/// The seed of the shuffles of an effort: the usual one of `ninefold rate`.
const EFFORT_SEED: u64 = 1;

/// Judges puzzles; has an engine and keeps the memory for all checks.
///
/// ```
/// use crate::Status;
/// use crate::engine::EngineKind;
/// use crate::engine::lanes::SimdLevel;
/// use crate::puzzle::Grid;
/// use crate::verify::{Checks, Judge};
///
/// let engine = EngineKind::default().build();
/// let mut judge = Judge::new(Checks::default(), engine, SimdLevel::best());
/// let mut verdicts = Vec::new();
/// // The blank grid is no answer to itself.
/// judge.judge(&[Grid::EMPTY], &[Some(Grid::EMPTY)], &mut verdicts);
/// assert_eq!(verdicts[0].status, Some(Status::Multiple));
/// assert!(verdicts[0].answer.unwrap().is_err());
/// assert_eq!(judge.two_solutions(&(&Grid::EMPTY).into()).len(), 2);
/// ```
pub struct Judge {
    checks: Checks,
    engine: Box<dyn Engine>,
    grader: Grader,
    minimality: Minimality,
    answers: Vec<Answer>,
    slowest: [Option<Slowest>; 2],
    /// The puzzles with one solution: their places, themselves, and the solutions.
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
    /// One that asks this, with an engine, and grades with the vectors of a level.
    #[must_use]
    pub fn new(checks: Checks, engine: Box<dyn Engine>, level: SimdLevel) -> Self {
        Self::bounded(checks, engine, level, &Bounds::default())
    }

    /// The same, with bounds for the searches of efforts. The engine has its own.
    pub(super) fn bounded(
        checks: Checks,
        engine: Box<dyn Engine>,
        level: SimdLevel,
        bounds: &Bounds,
    ) -> Self {
        let measures = NameSet::of(&[Measure::Effort, Measure::Er]);
        let gauge = |shuffles: NonZeroUsize| {
            Gauge::new(measures, level, shuffles.get(), EFFORT_SEED).bounded(bounds.clone())
        };
        Self {
            gauge: checks.rate_over.map(gauge),
            measured: Vec::new(),
            checks,
            engine,
            grader: Grader::new(level),
            minimality: Minimality::new(),
            answers: Vec::new(),
            slowest: [None; 2],
            places: Vec::new(),
            puzzles: Vec::new(),
            solutions: Vec::new(),
            grades: Vec::new(),
            superfluous: Vec::new(),
        }
    }

    /// Appends a verdict for each puzzle. `given` has an answer for each, where there is one, or
    /// is empty.
    ///
    /// # Panics
    /// If `given` has another length, or the engine does not give one answer for each puzzle.
    pub fn judge(&mut self, puzzles: &[Grid], given: &[Option<Grid>], verdicts: &mut Vec<Verdict>) {
        assert!(given.is_empty() || given.len() == puzzles.len(), "an answer for each puzzle");
        let start = verdicts.len();
        verdicts.extend(puzzles.iter().map(|puzzle| self.first_look(puzzle)));
        let verdicts = &mut verdicts[start..];
        for ((verdict, puzzle), answer) in verdicts.iter_mut().zip(puzzles).zip(given) {
            verdict.answer = answer.map(|answer| answer::check_answer(puzzle, &answer));
        }
        if !self.checks.trust_unique {
            self.solve(puzzles, verdicts);
            self.look_closer(verdicts);
        }
    }

    /// The same for sukakus. Their single candidates count as clues; whether one can go has no
    /// meaning, and they are not graded.
    ///
    /// # Panics
    /// As [`Judge::judge`].
    pub fn judge_sukakus(
        &mut self,
        sukakus: &[Sukaku],
        given: &[Option<Grid>],
        verdicts: &mut Vec<Verdict>,
    ) {
        assert!(given.is_empty() || given.len() == sukakus.len(), "an answer for each sukaku");
        self.answers.clear();
        if !self.checks.trust_unique {
            self.engine.solve_sukakus(sukakus, 2, &mut self.answers);
            self.slowest[1] = self.engine.slowest();
        }
        for (place, sukaku) in sukakus.iter().enumerate() {
            let mut verdict = self.first_look(&sukaku.singles());
            if verdict.status.is_none() {
                let answer = self.answers.get(place);
                verdict.status = match answer.map(|answer| answer.count) {
                    _ if answer.is_some_and(|answer| answer.gave_up) => Some(Status::Unknown),
                    None if sukaku.is_legal() => None,
                    None | Some(0) => Some(Status::None),
                    Some(1) => Some(Status::Unique),
                    Some(_) => Some(Status::Multiple),
                };
            }
            let answer = given.get(place).copied().flatten();
            verdict.answer = answer.map(|answer| answer::check_answer_of(sukaku, &answer));
            verdicts.push(verdict);
        }
    }

    /// What needs no solving.
    fn first_look(&self, puzzle: &Grid) -> Verdict {
        let clues = puzzle.clues();
        Verdict {
            clues,
            clues_in_range: self.checks.clues.contains(&clues),
            status: if rules::is_legal(puzzle) { None } else { Some(Status::Conflict) },
            answer: None,
            superfluous: None,
            undecided: false,
            grade: None,
            measured: Measured::default(),
        }
    }

    /// Counts solutions, and keeps the puzzles that have one.
    fn solve(&mut self, puzzles: &[Grid], verdicts: &mut [Verdict]) {
        self.answers.clear();
        self.engine.prove_batch(puzzles, &mut self.answers);
        self.slowest[0] = self.engine.slowest();
        assert_eq!(self.answers.len(), puzzles.len(), "one answer for each puzzle");
        self.places.clear();
        self.puzzles.clear();
        self.solutions.clear();
        for (place, (verdict, answer)) in verdicts.iter_mut().zip(&self.answers).enumerate() {
            verdict.status = match (answer.count, answer.first) {
                _ if answer.gave_up => Some(Status::Unknown),
                (1, Some(solution)) => {
                    self.places.push(place);
                    self.puzzles.push(puzzles[place]);
                    self.solutions.push(solution);
                    Some(Status::Unique)
                }
                (0, _) if verdict.status == Some(Status::Conflict) => Some(Status::Conflict),
                (0, _) => Some(Status::None),
                _ => Some(Status::Multiple),
            };
        }
    }

    /// What is asked only of puzzles with one solution.
    fn look_closer(&mut self, verdicts: &mut [Verdict]) {
        self.grades.clear();
        self.grader.grade(&self.puzzles, &mut self.grades);
        for (&place, &grade) in self.places.iter().zip(&self.grades) {
            verdicts[place].grade = Some(grade);
        }
        if let Some(gauge) = &mut self.gauge {
            self.measured.clear();
            gauge.measure(&self.puzzles, &mut self.measured);
            for (&place, &measured) in self.places.iter().zip(&self.measured) {
                verdicts[place].measured = measured;
            }
        }
        if self.checks.minimal {
            let (engine, found) = (self.engine.as_mut(), &mut self.superfluous);
            found.clear();
            self.minimality.redundant(engine, &self.puzzles, &self.solutions, found);
            for (&place, &found) in self.places.iter().zip(&self.superfluous) {
                verdicts[place].superfluous = Some(found);
            }
            for &undecided in self.minimality.undecided() {
                let verdict = &mut verdicts[self.places[undecided]];
                verdict.superfluous = verdict.superfluous.filter(|cells| !cells.is_empty());
                verdict.undecided = true;
            }
        }
    }

    /// The longest searches of the last [`Judge::judge`] and [`Judge::judge_sukakus`], each by the place of its puzzle.
    pub(super) const fn slowest(&self) -> [Option<Slowest>; 2] {
        self.slowest
    }

    /// The puzzles of the last [`Judge::judge`] that have one solution: their places, and the solutions.
    pub(super) fn solutions(&self) -> impl Iterator<Item = (usize, &Solution)> {
        self.places.iter().copied().zip(&self.solutions)
    }

    /// The solution of a sukaku of the last [`Judge::judge_sukakus`], if it has exactly one.
    pub(super) fn solution_of_sukaku(&self, place: usize) -> Option<&Solution> {
        let is_unique = |answer: &&Answer| answer.count == 1 && !answer.gave_up;
        let answer = self.answers.get(place).filter(is_unique);
        answer.and_then(|answer| answer.first.as_ref())
    }

    /// Two solutions that differ, of a puzzle that has so many; else as many as there are.
    #[must_use]
    pub fn two_solutions(&mut self, puzzle: &Sukaku) -> Vec<Solution> {
        let mut found = Vec::with_capacity(2);
        self.engine.each_solution_of(puzzle, &mut |solution| {
            found.push(*solution);
            if found.len() < 2 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::EngineKind;
    use crate::puzzle::{Cell, parse};

    const EASY: &str =
        "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
    const SOLVED: &str =
        "534678912672195348198342567859761423426853791713924856961537284287419635345286179";
    const TWO: &str =
        "534..8912672195348198342567859..1423426853791713924856961537284287419635345286179";
    const NONE: &str =
        "12345678.........9...............................................................";

    /// Of a good puzzle, [`TWO`], [`NONE`], an illegal one, and a full grid.
    const STATUSES: [Option<Status>; 5] = [
        Some(Status::Unique),
        Some(Status::Multiple),
        Some(Status::None),
        Some(Status::Conflict),
        Some(Status::Unique),
    ];

    fn grid(line: &str) -> Grid {
        parse::line(line.as_bytes()).unwrap()
    }

    fn judge(checks: Checks) -> Judge {
        Judge::new(checks, EngineKind::Lanes.build(), SimdLevel::best())
    }

    fn verdicts(checks: Checks, puzzles: &[&str], given: &[Option<Grid>]) -> Vec<Verdict> {
        let puzzles: Vec<_> = puzzles.iter().map(|line| grid(line)).collect();
        let mut verdicts = Vec::new();
        judge(checks).judge(&puzzles, given, &mut verdicts);
        verdicts
    }

    #[test]
    fn each_puzzle_has_its_verdict() {
        let illegal = EASY.replacen('3', "5", 1);
        let found = verdicts(Checks::default(), &[EASY, TWO, NONE, &illegal, SOLVED], &[]);
        let solutions: Vec<_> = found.iter().map(|verdict| verdict.status).collect();
        assert_eq!(solutions, STATUSES);
        let passing: Vec<_> = found.iter().map(Verdict::passes).collect();
        assert_eq!(passing, [true, false, false, false, true]);
        let clues: Vec<_> = found.iter().map(|verdict| verdict.clues).collect();
        assert_eq!(clues, [30, 77, 9, 30, 81]);
        assert_eq!(found[0].grade, Some(Grade::NakedSingles));
        assert_eq!(found[1].grade, None);
    }

    /// Of a puzzle with two solutions both are right answers, and the puzzle still does not pass.
    #[test]
    fn a_right_answer_need_not_be_the_only_one() {
        let both = judge(Checks::default()).two_solutions(&(&grid(TWO)).into());
        assert!(both.len() == 2 && both[0] != both[1]);
        let given: Vec<_> = both.iter().map(|solution| Some(*solution.grid())).collect();
        for trust_unique in [false, true] {
            let checks = Checks { trust_unique, ..Checks::default() };
            for verdict in verdicts(checks, &[TWO, TWO], &given) {
                assert_eq!(verdict.answer, Some(Ok(())));
                assert_eq!(verdict.passes(), trust_unique);
            }
        }
    }

    #[test]
    fn what_is_asked_for_makes_it_fail() {
        let asked = Checks { minimal: true, clues: 17..=29, ..Checks::default() };
        let wrong = Some(grid(&SOLVED.replacen('5', "4", 1)));
        let found = verdicts(asked, &[EASY, TWO], &[wrong, None]);
        assert!(found[0].superfluous.is_some_and(|cells| !cells.is_empty()));
        assert!(matches!(found[0].answer, Some(Err(WrongAnswer::Clash(_)))));
        assert!(!found[0].clues_in_range);
        // Which clue can go has no meaning where there are several solutions.
        assert_eq!((found[1].superfluous, found[1].answer), (None, None));
        let cells = found[0].superfluous.unwrap();
        assert!(cells.cells().all(|cell: Cell| grid(EASY).get(cell).is_some()));
    }

    #[test]
    fn on_trust_nothing_is_solved() {
        struct Never;
        impl Engine for Never {
            fn each_solution_of(&mut self, _: &Sukaku, _: &mut crate::engine::Visit) {
                panic!("asked to solve");
            }
        }
        let checks = Checks { trust_unique: true, ..Checks::default() };
        let mut judge = Judge::new(checks, Box::new(Never), SimdLevel::Portable);
        let mut verdicts = Vec::new();
        judge.judge(&[grid(EASY), grid(NONE)], &[Some(grid(SOLVED)), None], &mut verdicts);
        assert!(verdicts.iter().all(Verdict::passes));
        assert!(verdicts.iter().all(|verdict| verdict.status.is_none()));
    }
}
