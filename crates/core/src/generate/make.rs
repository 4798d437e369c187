//! One worker: many puzzles are dug at the same time, and all their questions are asked together.
//!
//! ```text
//!   tasks        slots, a digger each                 engine, all of its lanes
//!   17 18 19 …   [17: question] [18: question] … ───► solve_batch, find_others
//!                      ▲                                  │
//!                      └──────────── answers ─────────────┘
//!   dug ─► as requested? ─► yes: made         no: another grid for the same task
//! ```
//!
//! What is made for a task is its first attempt, by number, that is as requested. Where attempts
//! fail often, slots without a task of their own run ahead with later attempts of others: as many
//! of a task as have failed before. That keeps the lanes full even for a single rare puzzle, and
//! the result is still the first.

use super::dig::{Dig, DigQuestion};
use super::fill::full_grid;
use super::recipe::Recipe;
use crate::difficulty::{Gauge, Grade, Grader, Measured, Steps};
use crate::engine::{Answer, Bounds, Engine, Other, WorkerEngine};
use crate::names::NameSet;
use crate::puzzle::{CellSet, Grid, Random, Randomness, Solution};
use crate::questions::Questions;
use crate::simd::SimdLevel;
use alloc::boxed::Box;
use alloc::vec::Vec;
use core::{fmt, mem};

/// Puzzles that are dug at the same time.
///
/// Eight for each of 32 lanes, so that lanes are seldom without one: the diggers take 1.2 MB. With
/// 128 of them 5 % more time.
const SLOTS: usize = 256;

/// A puzzle to be made.
#[derive(Clone, Copy, Debug)]
pub struct Task {
    /// Its place in the run, from 0.
    pub index: u64,
    /// The first attempt to be made.
    pub attempt: u64,
    /// The full grid to be dug: a random one if there is none.
    pub start: Option<Solution>,
}

/// A puzzle that was made, and proven.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Made {
    /// A puzzle with one solution.
    pub puzzle: Grid,
    /// Its only solution.
    pub solution: Solution,
    /// The attempt that led to it.
    pub attempt: u64,
    /// How many clues it has too many or too few.
    pub distance: usize,
    /// Attempts before it of which a search took more branches than allowed.
    pub unknown: u64,
}

/// Makes puzzles; keeps the memory for it.
///
/// Each puzzle depends on the recipe, the seed and its index alone. A new maker with the same recipe and
/// seed makes the same puzzles, and so does `ninefold generate`. The full grids of two recipes are unrelated, even with
/// the same seed.
///
/// ```
/// use ninefold_core::generate::{Maker, Recipe};
/// use ninefold_core::is_minimal;
///
/// let mut maker = Maker::new(Recipe::default(), 1);
/// let first = maker.one().expect("a minimal puzzle");
/// assert!(is_minimal(first.puzzle)?);
/// let more = maker.many(10); // the second to the eleventh
/// assert_eq!(more.iter().flatten().count(), 10);
/// # Ok::<(), ninefold_core::Verdict>(())
/// ```
#[must_use]
pub struct Maker {
    recipe: Recipe,
    seed: u64,
    /// The index of the next puzzle.
    next: u64,
    engine: WorkerEngine,
    grader: Grader,
    /// Measures the difficulty, if that is requested.
    gauge: Gauge,
    /// Finds the steps of a puzzle, if a technique that they use is requested.
    explainer: Option<Box<Steps>>,
    steps: Vec<CellSet>,
    /// The random order of the steps of one attempt.
    order: Vec<u8>,
    slots: Vec<DigSlot>,
    /// Attempts that have begun, since the caller was told.
    begun: u64,
    /// Whether the promise holds for a puzzle, and whether a cell may hold another digit.
    puzzles: Questions<Grid, usize>,
    others: Questions<Other, usize>,
    /// The slots that have dug to the end.
    dug: Vec<usize>,
    answers: Vec<Answer>,
    grades: Vec<Grade>,
    made: Vec<Option<Made>>,
}

impl fmt::Debug for Maker {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { recipe, seed, next, .. } = self;
        f.debug_struct("Maker")
            .field("recipe", recipe)
            .field("seed", seed)
            .field("next", next)
            .finish()
    }
}

struct DigSlot {
    dig: Dig,
    solution: Solution,
    /// Whether a search took more branches than allowed: the attempt has failed.
    gave_up: bool,
    /// The place of its task, if it has one, and which attempt it makes.
    task: Option<usize>,
    attempt: u64,
}

/// How far a task has come.
struct TaskProgress {
    next_attempt: u64,
    /// How many there may be.
    attempts: u64,
    failed: u64,
    in_slots: u64,
    /// The attempts of which a search took more branches than allowed.
    unknown: Vec<u64>,
    /// The puzzle as requested, or the nearest to it, of the earliest attempt.
    best: Option<Made>,
    ended: bool,
}

impl TaskProgress {
    /// Whether a puzzle as requested has been found: earlier attempts may still be made.
    fn found(&self) -> bool {
        self.best.is_some_and(|made| made.distance == 0)
    }

    /// What was made. Later attempts than that one may have been made or not.
    fn made(self) -> Option<Made> {
        let Self { best, unknown, .. } = self;
        best.map(|made| {
            let is_counted = |attempt: &&u64| made.distance > 0 || **attempt < made.attempt;
            let unknown = unknown.iter().filter(is_counted).count() as u64;
            Made { unknown, ..made }
        })
    }

    /// Whether it should have one more slot: the first, or one to run ahead.
    fn may_try(&self, ahead: bool) -> bool {
        let most = if ahead { self.failed.min(SLOTS as u64) } else { 1 };
        let left = self.next_attempt < self.attempts;
        !self.ended && !self.found() && left && self.in_slots < most
    }
}

impl Maker {
    /// A maker for this recipe, with random numbers from a seed or a generator ([`Randomness`]).
    pub fn new(recipe: Recipe, random: impl Randomness) -> Self {
        let steps = recipe.steps();
        let most = recipe.most_er();
        Self {
            seed: recipe.seed(random.seed()),
            next: 0,
            engine: WorkerEngine::default(),
            grader: Grader::default(),
            gauge: Gauge::new().with_measures(recipe.measures().values()).with_max_er(most),
            explainer: recipe.uses.map(|_| Box::default()),
            recipe,
            order: Vec::new(),
            steps,
            slots: Vec::new(),
            begun: 0,
            puzzles: Questions::default(),
            others: Questions::default(),
            dug: Vec::new(),
            answers: Vec::new(),
            grades: Vec::new(),
            made: Vec::new(),
        }
    }

    /// Uses vectors of this level. The puzzles are the same at every level.
    pub fn with_level(self, level: SimdLevel) -> Self {
        Self { engine: self.engine.with_level(level), gauge: self.gauge.with_level(level), ..self }
    }

    /// Fails an attempt of which a search takes too many branches, or all attempts soon after a flag is set.
    pub fn with_bounds(self, bounds: Bounds) -> Self {
        let maker = self.measuring_within(&bounds);
        Self { engine: maker.engine.with_bounds(bounds), ..maker }
    }

    /// Uses an engine, which has bounds of its own, and these bounds.
    pub fn with_built(self, engine: Box<dyn Engine>, bounds: Bounds) -> Self {
        let maker = self.measuring_within(&bounds);
        Self { engine: maker.engine.with_built(engine, bounds), ..maker }
    }

    fn measuring_within(self, bounds: &Bounds) -> Self {
        let explainer = self.explainer.map(|steps| Box::new(steps.with_bounds(bounds.clone())));
        Self { gauge: self.gauge.with_bounds(bounds.clone()), explainer, ..self }
    }

    /// Makes the next puzzle. `None` if no attempt was as requested.
    ///
    /// # Panics
    /// Never: each puzzle has a result.
    pub fn one(&mut self) -> Option<Made> {
        self.many(1)[0]
    }

    /// Makes the next puzzles: much faster than one after the other.
    pub fn many(&mut self, count: usize) -> &[Option<Made>] {
        let first = self.next;
        self.next += count as u64;
        let task = |index| Task { index, attempt: 0, start: None };
        self.made = self.make(&(first..self.next).map(task).collect::<Vec<_>>(), &|_| false);
        for made in &mut self.made {
            *made = made.filter(|made| made.distance == 0);
        }
        &self.made
    }

    /// Makes the puzzles of all tasks. If no attempt was as requested, it is the nearest, or
    /// nothing. The result for a task depends on the recipe, the seed and that task alone.
    ///
    /// `is_cancelled` is called often, with the number of attempts that have begun since its last call. If it returns
    /// true, the result has only the tasks before the first that is not done.
    pub fn make(
        &mut self,
        tasks: &[Task],
        is_cancelled: &dyn Fn(u64) -> bool,
    ) -> Vec<Option<Made>> {
        let state = |task: &Task| TaskProgress {
            next_attempt: task.attempt,
            attempts: self.recipe.attempts_at(task.start.as_ref()),
            failed: 0,
            in_slots: 0,
            unknown: Vec::new(),
            best: None,
            ended: task.attempt >= self.recipe.attempts_at(task.start.as_ref()),
        };
        let mut states: Vec<_> = tasks.iter().map(state).collect();
        let mut next_task = 0;
        loop {
            self.deal(tasks, &mut states, &mut next_task);
            self.ask();
            if self.asked() == 0 && self.dug.is_empty() {
                return states.into_iter().map(TaskProgress::made).collect();
            }
            if is_cancelled(mem::take(&mut self.begun)) {
                self.slots.iter_mut().for_each(|slot| slot.task = None);
                let done = states.into_iter().take_while(|state| state.ended);
                return done.map(TaskProgress::made).collect();
            }
            self.judge(&mut states);
            self.answer();
        }
    }

    /// Gives free slots a task: a new one, or a further attempt at one that keeps failing.
    fn deal(&mut self, tasks: &[Task], states: &mut [TaskProgress], next_task: &mut usize) {
        let mut free = 0;
        while *next_task < tasks.len() {
            if !states[*next_task].ended {
                let Some(slot) = self.free_slot(&mut free) else { return };
                self.begin(slot, *next_task, tasks, states);
            }
            *next_task += 1;
        }
        // Failed tasks without an attempt in flight come first; then others run ahead.
        for ahead in [false, true] {
            for task in 0..tasks.len() {
                while states[task].may_try(ahead) {
                    let Some(slot) = self.free_slot(&mut free) else { return };
                    self.begin(slot, task, tasks, states);
                }
            }
        }
    }

    /// A slot that has no task, from this one on.
    fn free_slot(&mut self, from: &mut usize) -> Option<usize> {
        while *from < SLOTS {
            if *from == self.slots.len() {
                self.slots.push(DigSlot::new());
            }
            if self.slots[*from].task.is_none() {
                return Some(*from);
            }
            *from += 1;
        }
        None
    }

    /// Begins with the next attempt at a task.
    fn begin(&mut self, slot: usize, task: usize, tasks: &[Task], states: &mut [TaskProgress]) {
        let (slot, state) = (&mut self.slots[slot], &mut states[task]);
        (slot.task, slot.attempt, slot.gave_up) = (Some(task), state.next_attempt, false);
        state.next_attempt += 1;
        self.begun += 1;
        state.in_slots += 1;
        let mut random = Random::of(self.seed, tasks[task].index, slot.attempt);
        slot.solution = tasks[task].start.unwrap_or_else(|| full_grid(&mut random));
        self.order.clear();
        self.order.extend((0..=u8::MAX).take(self.steps.len()));
        random.shuffle(&mut self.order);
        let floor = self.recipe.floor(&mut random);
        slot.dig.begin(&slot.solution, &self.order, floor);
    }

    /// Gathers the questions of all slots, and the slots that have none left.
    fn ask(&mut self) {
        self.puzzles.clear();
        self.others.clear();
        self.dug.clear();
        // By the rules of a grade, what another digit leads to says nothing.
        let by_rules = self.recipe.kept_grade().is_some();
        for (place, slot) in self.slots.iter_mut().enumerate() {
            if slot.task.is_some() && slot.gave_up {
                self.dug.push(place);
            } else if slot.task.is_some() {
                match slot.dig.question(&self.steps) {
                    Some(DigQuestion { puzzle, without: Some(cell) }) if !by_rules => {
                        let digit = slot.solution.get(cell);
                        self.others.push(Other { grid: *puzzle, cell, digit }, place);
                    }
                    Some(DigQuestion { puzzle, .. }) => self.puzzles.push(*puzzle, place),
                    None => self.dug.push(place),
                }
            }
        }
    }

    /// How many questions there are.
    fn asked(&self) -> usize {
        self.puzzles.askers.len() + self.others.askers.len()
    }

    /// Ends the attempts that have dug to the end.
    fn judge(&mut self, states: &mut [TaskProgress]) {
        self.grades.clear();
        if self.recipe.grade.is_some() {
            let puzzles: Vec<_> =
                self.dug.iter().map(|&place| *self.slots[place].dig.puzzle()).collect();
            self.grades.extend(self.grader.many(self.engine.level, &puzzles));
        }
        let measured = self.measure_dug();
        for number in 0..self.dug.len() {
            let slot = &mut self.slots[self.dug[number]];
            // A slot is stopped if an earlier attempt at its task has succeeded.
            let Some(task) = slot.task.take() else { continue };
            let (state, puzzle) = (&mut states[task], *slot.dig.puzzle());
            let clues = CellSet::of_clues(&puzzle);
            let effort_gave_up = measured.get(number).is_some_and(|it| it.gave_up);
            if slot.gave_up || effort_gave_up {
                state.unknown.push(slot.attempt);
            }
            let fits = !slot.gave_up
                && self.recipe.pattern.is_none_or(|pattern| clues == pattern)
                && self.recipe.grade == self.grades.get(number).copied()
                && measured.get(number).is_none_or(|it| self.recipe.is_as_difficult(it));
            let made = Made {
                puzzle,
                solution: slot.solution,
                attempt: slot.attempt,
                distance: self.recipe.distance(clues.len()),
                unknown: 0,
            };
            let fits = fits && self.uses(&puzzle);
            let state = &mut states[task];
            state.in_slots -= 1;
            let rank = |made: &Made| (made.distance, made.attempt);
            if fits && state.best.is_none_or(|best| rank(&made) < rank(&best)) {
                state.best = Some(made);
            }
            if fits && made.distance == 0 {
                for slot in &mut self.slots {
                    if slot.task == Some(task) && slot.attempt > made.attempt {
                        slot.task = None;
                        state.in_slots -= 1;
                    }
                }
            } else {
                state.failed += 1;
            }
            let spent = state.next_attempt >= state.attempts;
            state.ended = state.in_slots == 0 && (state.found() || spent);
        }
    }

    /// The measures of the puzzles that are dug, if a difficulty is requested.
    fn measure_dug(&mut self) -> Vec<Measured> {
        if self.recipe.measures() == NameSet::EMPTY {
            return Vec::new();
        }
        let dug = self.dug.iter().map(|&place| *self.slots[place].dig.puzzle());
        self.gauge.many_unique(&dug.collect::<Vec<_>>(), &[]).to_vec()
    }

    /// Whether the steps of a puzzle use the technique that is requested, if there is one.
    fn uses(&mut self, puzzle: &Grid) -> bool {
        let Some((technique, steps)) = self.recipe.uses.zip(self.explainer.as_mut()) else {
            return true;
        };
        steps.restart_unique(*puzzle);
        steps.any(|step| step.technique == technique)
    }

    /// Has the questions answered.
    fn answer(&mut self) {
        let Questions { questions, askers } = &self.puzzles;
        if let Some(kept) = self.recipe.kept_grade() {
            let grades = self.grader.many(self.engine.level, questions);
            for (&place, &grade) in askers.iter().zip(grades) {
                self.slots[place].dig.answer(grade <= kept, None);
            }
            return;
        }
        let engine = self.engine.get();
        self.answers.clear();
        engine.solve_batch(questions, 2, &mut self.answers);
        tell(&mut self.slots, askers, &self.answers, 1);
        let Questions { questions, askers } = &self.others;
        self.answers.clear();
        engine.find_others(questions, &mut self.answers);
        tell(&mut self.slots, askers, &self.answers, 0);
    }
}

/// Writes the answer into the slots that asked: whether the puzzle has this number of solutions.
fn tell(slots: &mut [DigSlot], askers: &[usize], answers: &[Answer], solutions: usize) {
    for (&place, answer) in askers.iter().zip(answers) {
        let slot = &mut slots[place];
        slot.gave_up = answer.gave_up;
        if !answer.gave_up {
            slot.dig.answer(answer.count == solutions, answer.first.as_ref());
        }
    }
}

impl DigSlot {
    fn new() -> Self {
        let solution = full_grid(&mut Random::new(0));
        Self { dig: Dig::new(), solution, gave_up: false, task: None, attempt: 0 }
    }
}
