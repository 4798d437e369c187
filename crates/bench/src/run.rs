//! The whole measurement: a look at every contender, then rounds until the time is over. `docs/bench.md`
//! describes the method.
//!
//! ```text
//!            list by list                         all permuted anew for each round
//!          ┌──────────────────────────┐          ┌──────────────────────────┐
//!  look ─► │ A      B      C      …   │ ─ round ─► A      B      C      …   │ ─ round ─► …
//!          └──────────────────────────┘          └──────────────────────────┘
//!   each engine once over the puzzles,            each contender has a number of puzzles that
//!   observed: answers, branches, and              takes its share of the time; the clock stops
//!   puzzles that it does not finish               while answers are checked
//! ```
//!
//! A wrong answer of an engine ends the measurement. Those of a program are part of its row.
#![expect(clippy::cast_precision_loss, reason = "numbers of puzzles and rows")]

use crate::contender::{BATCH, BenchClock, Contender, Means, prove};
use crate::judge::{AnswerFault, fault};
use crate::list::{BenchList, grids_of};
use crate::program::{Program, ProgramEnd, ProgramRun};
use crate::report::{BenchReport, BenchRow, Machine, ProgramAnswers};
use crate::{Error, Wrong};
use ninefold_core::engine::{Answer, Engine, EngineKind};
use ninefold_core::puzzle::Puzzle;
use std::ops::ControlFlow;
use std::time::Duration;
use std::{env, ptr};

/// The share of the time for the first look at every engine. The warm-up takes about as much again.
const LOOK_SHARE: f64 = 0.15;

/// The share of the time for the rounds. The rest is a reserve for permuting, and for puzzles that
/// take longer than others.
const ROUND_SHARE: f64 = 0.6;

/// The planned number of rounds: the error of their median is about a third of their spread.
const PLANNED_ROUNDS: f64 = 15.0;

const IN_A_ROUND: f64 = ROUND_SHARE / PLANNED_ROUNDS;

/// The fewest rounds, unless the time is exceeded by [`OVERTIME`].
const FEWEST_ROUNDS: usize = 5;
const OVERTIME: f64 = 1.4;
/// The first round is begun up to this multiple of the time: on a busy machine, starting programs may take all of it.
const OVERTIME_OF_FIRST: f64 = 2.5;

/// The most rounds: more would not make the result more precise.
const MOST_ROUNDS: usize = 100;

/// The patience for one puzzle is this part of the time: 0.5 s of 40 s. `scan` takes 17 ms for a
/// minimal puzzle on average, and hours for some puzzles with 17 clues. Twice the time has twice the
/// puzzles, and the slowest of them is slower.
const PATIENCE_PART: u32 = 80;

/// A short measurement gives one puzzle a larger part of its time, up to this bound.
const SHORT_PATIENCE_PART: u32 = 10;
const LONGEST_SHORT_PATIENCE: Duration = Duration::from_millis(500);

/// The most puzzles of one round of an engine: `lanes` takes 8 ms for 100,000 easy ones.
const MOST_IN_A_ROUND: usize = 100_000;

/// The most puzzles of a run of a program: 41 MB. A program that solves ten million a second takes
/// 50 ms for them, many times the start-up time of most.
const MOST_IN_A_RUN: usize = 500_000;

/// A contender gets this many times as many puzzles in each run of its warm-up, until they take a quarter
/// of a round. A program begins with one puzzle: this run is taken for its start-up time.
const GROWTH: usize = 8;

/// A round of a program takes this many times its start-up time, if the time allows: at most
/// [`LONGEST_ROUND`] times as long as a round of an engine.
const STARTUPS_IN_A_ROUND: f64 = 20.0;
const LONGEST_ROUND: f64 = 8.0;

/// All answers to a list are checked once before the rounds if this takes a program no longer than
/// these seconds.
const LONGEST_CHECK: f64 = 2.0;

/// An engine whose slowest puzzle takes at most 1 / 100 of the patience is not observed before each
/// round. No permutation makes a puzzle 100 times as hard for an engine that chooses where to branch,
/// and other engines soon exceed this share.
const STEADY_SHARE: u32 = 100;

/// The assumed slowdown of an observed engine: `scan` counts the digits of a cell before it tries them.
const LOOK_COST: f64 = 2.0;

/// Branches between two looks at the clock: `scan` takes 0.1 to 1 µs for one.
pub(crate) const BRANCHES_BETWEEN_LOOKS: u64 = 64;

pub(crate) struct Bench<'a> {
    pub(crate) lists: &'a [BenchList],
    pub(crate) contenders: &'a [Contender],
    pub(crate) baseline: &'a str,
    pub(crate) seed: u64,
    /// The approximate seconds of the whole measurement.
    pub(crate) seconds: f64,
    /// The time since the measurement began.
    pub(crate) clock: BenchClock<'a>,
    pub(crate) cancelled: &'a dyn Fn() -> bool,
    /// Gets the thousandths of the time that are over, and what is measured next.
    pub(crate) progress: &'a dyn Fn(u64, &str),
}

fn nanoseconds(seconds: f64, puzzles: usize) -> f64 {
    seconds * 1e9 / puzzles.max(1) as f64
}

/// The number of puzzles that fit into a slice, if `puzzles` took `seconds`.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "saturates")]
fn in_time(puzzles: usize, seconds: f64, slice: f64) -> usize {
    (puzzles as f64 * slice / seconds.max(1e-9)) as usize
}

impl<'a> Bench<'a> {
    /// Measures every contender on every list. If the measurement is cancelled, the
    /// report has the rounds so far.
    pub(crate) fn run(&self) -> Result<BenchReport, Error> {
        let (mut trials, mut rounds) = (self.trials(), 0);
        for trial in &mut trials {
            trial.begin(self)?;
        }
        while !trials.is_empty() && self.goes_on(rounds) {
            rounds += 1;
            for trials in trials.chunk_by_mut(|one, other| ptr::eq(one.list, other.list)) {
                if (self.cancelled)() {
                    break;
                }
                let list = trials[0].list;
                // A part of the list may begin anywhere in it.
                let rest = |row: &BenchRow| if row.sample { list.puzzles.len() } else { 0 };
                let reach = trials.iter().map(|it| it.row.puzzles_per_round + rest(&it.row)).max();
                let puzzles = list.permuted(self.seed, rounds as u64).take(reach.unwrap_or(0));
                let puzzles: Vec<_> = puzzles.collect();
                trials.iter_mut().try_for_each(|trial| trial.round(self, rounds, &puzzles))?;
            }
        }
        Ok(BenchReport {
            program: "ninefold".to_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            arguments: env::args_os().skip(1).map(|it| it.to_string_lossy().into_owned()).collect(),
            machine: Machine::this(),
            baseline: self.baseline.to_owned(),
            seed: self.seed,
            rounds,
            seconds: self.now(),
            patience_seconds: self.patience().as_secs_f64(),
            interrupted: (self.cancelled)(),
            lists: self.lists.iter().map(|list| list.listed.clone()).collect(),
            rows: trials.into_iter().map(|trial| trial.row).collect(),
        })
    }

    /// The rows of the report, before they are measured.
    fn trials(&self) -> Vec<RowMeasurement<'a>> {
        let mut trials = Vec::new();
        for list in self.lists {
            let has_sukakus = list.has_sukakus();
            let able = self.contenders.iter().filter(|it| it.takes_sukakus || !has_sukakus);
            trials.extend(able.map(|contender| {
                let process = match &contender.means {
                    Means::Program(it) => {
                        let command = it.command.text.clone();
                        Some(ProgramAnswers { command, ..ProgramAnswers::default() })
                    }
                    Means::Engine(_) => None,
                };
                let (list_name, name) = (list.listed.name.clone(), contender.name.clone());
                let row =
                    BenchRow { list: list_name, contender: name, process, ..BenchRow::default() };
                RowMeasurement { list, contender, row, seconds: 0.0, steady: true, observed: 0.0 }
            }));
        }
        let seconds = self.seconds / trials.len().max(1) as f64;
        for trial in &mut trials {
            trial.seconds = seconds;
        }
        trials
    }

    pub(crate) fn names(&self) -> Vec<String> {
        self.trials().iter().map(|trial| trial.row.name()).collect()
    }

    fn now(&self) -> f64 {
        (self.clock)().as_secs_f64()
    }

    fn goes_on(&self, rounds: usize) -> bool {
        let (elapsed, time) = (self.now(), self.seconds);
        let overtime = if rounds == 0 { OVERTIME_OF_FIRST } else { OVERTIME };
        let enough = elapsed >= time && (rounds >= FEWEST_ROUNDS || elapsed >= overtime * time);
        !enough && rounds < MOST_ROUNDS && !(self.cancelled)()
    }

    /// The time for one puzzle after which an engine is given up on.
    fn patience(&self) -> Duration {
        let time = Duration::from_secs_f64(self.seconds);
        let short = LONGEST_SHORT_PATIENCE.min(time / SHORT_PATIENCE_PART);
        short.max(time / PATIENCE_PART)
    }

    /// Observes an engine that solves a puzzle.
    ///
    /// The time of the textbook engines has no useful bound: one puzzle of 17 clues can take `scan` an
    /// hour. So before an engine is timed, it solves each puzzle once while it is observed.
    pub(crate) fn look(&self, engine: &mut dyn Engine, puzzle: &Puzzle) -> Look {
        let (mut answer, mut branches, mut given_up) = (Answer::default(), 0, false);
        let (started, patience) = ((self.clock)(), self.patience());
        let since = || (self.clock)().saturating_sub(started);
        let mut visit = |solution: &_| {
            answer.first.get_or_insert(*solution);
            answer.count += 1;
            if answer.count < 2 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        };
        let mut branch = || {
            branches += 1;
            given_up = branches % BRANCHES_BETWEEN_LOOKS == 0
                && (since() > patience || (self.cancelled)());
            if given_up { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        engine.search(puzzle, &mut visit, &mut branch);
        let answer = (!given_up).then_some(answer);
        Look { answer, branches: Some(branches), time: since() }
    }

    fn tell(&self, round: usize, row: &BenchRow) {
        let stage = if round == 0 { "warm-up".to_owned() } else { format!("round {round}") };
        let over = in_time(1000, self.seconds, self.now()).min(1000);
        (self.progress)(over as u64, &format!("{stage}: {}", row.name()));
    }

    /// Counts the solutions of each puzzle of a list, up to 2, before they are permuted.
    fn count_solutions(&self, list: &BenchList, seconds: f64) -> Vec<usize> {
        let (mut dlx, mut answers) = (EngineKind::Dlx.build(), Vec::new());
        let until = self.now() + seconds;
        // Observing stops no engine on a sukaku, and `dlx` would take minutes for one.
        let observed = if list.has_sukakus() { &[][..] } else { &list.puzzles };
        for puzzle in observed.iter().take_while(|_| self.now() < until) {
            let Some(answer) = self.look(dlx.as_mut(), puzzle).answer else {
                break;
            };
            answers.push(answer);
        }
        let rest = &list.puzzles[answers.len()..];
        prove(EngineKind::Lanes.build().as_mut(), rest, self.clock, &mut answers);
        answers.iter().map(|answer| answer.count).collect()
    }
}

pub(crate) struct Look {
    /// The answer, unless the engine was stopped.
    pub(crate) answer: Option<Answer>,
    /// Boards at which the engine branched; `None` if it does not report them.
    pub(crate) branches: Option<u64>,
    time: Duration,
}

/// One row that is being measured.
struct RowMeasurement<'a> {
    list: &'a BenchList,
    contender: &'a Contender,
    row: BenchRow,
    /// Its part of the time.
    seconds: f64,
    /// Whether it can be timed without being observed first.
    steady: bool,
    /// Seconds in which it was observed.
    observed: f64,
}

/// Seconds of solving, and of everything. They are the same for a program.
struct Took {
    solving: f64,
    wall: f64,
}

impl RowMeasurement<'_> {
    /// Sets the puzzles of each round: whole lists, or a part if the solver is too slow for one.
    fn plan(&mut self, count: usize) {
        let all = self.list.puzzles.len();
        self.row.sample = count < all;
        self.row.puzzles_per_round = if count < all { count.max(1) } else { count - count % all };
    }

    /// Records why a program is not measured any more.
    fn fail(&mut self, failure: String) {
        self.row.process.get_or_insert_default().failure = Some(failure);
    }

    /// The number of solutions of a puzzle of the list, up to 2. `place` counts from the first
    /// puzzle of the list that is gone through again and again.
    fn expected(&self, place: usize) -> usize {
        let solutions = self.list.solutions.get().map_or(&[][..], |it| it);
        solutions[place % solutions.len()]
    }

    /// Fails if an engine did not answer all puzzles right.
    fn check(&self, from: usize, puzzles: &[Puzzle], answers: &[Answer]) -> Result<(), Error> {
        for (index, puzzle) in puzzles.iter().enumerate() {
            let expected = self.expected(from + index);
            let fault = match answers.get(index) {
                None => Some(AnswerFault::Missing),
                Some(Answer { count, .. }) if *count != expected => Some(AnswerFault::Wrong(
                    format!("{count} solutions counted, expected {expected}"),
                )),
                Some(answer) => fault(puzzle, expected, answer.first.map(|first| *first.grid())),
            };
            if let Some(fault) = fault {
                let label = &self.row.contender;
                return Err(Wrong(format!("{label}: {fault}; the puzzle is {puzzle}")).into());
            }
        }
        Ok(())
    }

    /// Observes an engine on the list. Then plans the puzzles of a round.
    fn begin(&mut self, bench: &Bench) -> Result<(), Error> {
        if (bench.cancelled)() {
            return Ok(());
        }
        bench.tell(0, &self.row);
        let (list, seconds) = (self.list, LOOK_SHARE * self.seconds);
        list.solutions.get_or_init(|| bench.count_solutions(list, seconds));
        let until = bench.now() + seconds;
        for (place, puzzle) in list.permuted(bench.seed, 0).take(list.puzzles.len()).enumerate() {
            let is_over = place > 0 && bench.now() >= until || (bench.cancelled)();
            if is_over || !self.look(bench, place, &puzzle)? && self.row.given_up == 0 {
                break;
            }
        }
        if (bench.cancelled)() || self.row.given_up > 0 { Ok(()) } else { self.warm_up(bench) }
    }

    /// Observes an engine on one puzzle. Returns whether it answered; a program is not observed.
    fn look(&mut self, bench: &Bench, place: usize, puzzle: &Puzzle) -> Result<bool, Error> {
        let Means::Engine(engine) = &self.contender.means else { return Ok(false) };
        let look = bench.look(engine.borrow_mut().as_mut(), puzzle);
        match look.answer {
            Some(answer) => self.check(place, &[*puzzle], &[answer])?,
            // It was stopped for that, and not given up on.
            None if (bench.cancelled)() => return Ok(false),
            None => self.row.given_up += 1,
        }
        self.observed += look.time.as_secs_f64();
        self.steady &= look.time <= bench.patience() / STEADY_SHARE;
        let row = &mut self.row;
        row.looked_at += 1;
        row.branches = look.branches.map(|branches| row.branches.unwrap_or(0) + branches);
        row.without_search += usize::from(look.branches == Some(0));
        if row.given_up > 0 {
            row.at_least = Some(nanoseconds(self.observed / LOOK_COST, row.looked_at));
        }
        Ok(look.answer.is_some())
    }

    /// Lets a contender solve more and more puzzles, until the puzzles of a round are known.
    fn warm_up(&mut self, bench: &Bench) -> Result<(), Error> {
        let all = self.list.puzzles.len();
        let is_program = self.row.process.is_some();
        let most = if is_program { MOST_IN_A_RUN } else { MOST_IN_A_ROUND }.max(all);
        let shortest = IN_A_ROUND * self.seconds;
        let mut count = self.row.looked_at.max(1);
        // The start-up time of a program is that of its first run.
        let mut startup = None;
        loop {
            let puzzles: Vec<_> = self.list.permuted(bench.seed, 0).take(count).collect();
            let Some(Took { wall, .. }) = self.measure(bench, 0, &puzzles)? else { return Ok(()) };
            let startup = *startup.get_or_insert(if is_program { wall } else { 0.0 });
            let slice = (STARTUPS_IN_A_ROUND * startup).clamp(shortest, LONGEST_ROUND * shortest);
            let rest = (wall - startup).max(wall / 10.0);
            // One wrong answer in a list should not stay unseen because the rounds are short.
            let next = all.min(GROWTH * count);
            let seconds = rest * next as f64 / count as f64 + startup;
            if is_program && count < all && seconds <= LONGEST_CHECK {
                count = next;
            } else if self.steady && rest < slice / 4.0 && count < most && !(bench.cancelled)() {
                count = (GROWTH * count).min(most);
            } else {
                // It will be observed in each round, too.
                let looks = if self.steady { 0.0 } else { self.observed };
                self.plan(in_time(count, rest + looks, slice - startup).min(most));
                return Ok(());
            }
        }
    }

    /// Times the contender. If some puzzles may take an engine too long, it is observed on each first.
    fn round(&mut self, bench: &Bench, round: usize, puzzles: &[Puzzle]) -> Result<(), Error> {
        let (count, all) = (self.row.puzzles_per_round, self.list.puzzles.len());
        let is_over = count == 0 || self.row.given_up > 0 || self.row.has_failed();
        if is_over || (bench.cancelled)() {
            return Ok(());
        }
        bench.tell(round, &self.row);
        let from = if self.row.sample { round * count % all } else { 0 };
        let puzzles = &puzzles[from..from + count];
        if !self.steady {
            for (place, puzzle) in (from..).zip(puzzles) {
                if !self.look(bench, place, puzzle)? || (bench.cancelled)() {
                    return Ok(());
                }
            }
        }
        if let Some(took) = self.measure(bench, from, puzzles)? {
            self.row.rounds.push(nanoseconds(took.solving, count));
        }
        Ok(())
    }

    /// Lets a contender solve puzzles, the first of which is number `from` of its list, and checks the
    /// answers. `None` if a program failed, or if the measurement was cancelled.
    fn measure(
        &mut self,
        bench: &Bench,
        from: usize,
        puzzles: &[Puzzle],
    ) -> Result<Option<Took>, Error> {
        let engine = match &self.contender.means {
            Means::Program(program) => return Ok(self.run_program(program, bench, from, puzzles)),
            Means::Engine(engine) => engine,
        };
        let (started, mut solving, mut answers) = (bench.now(), Duration::ZERO, Vec::new());
        for (number, batch) in puzzles.chunks(BATCH).enumerate() {
            answers.clear();
            solving += prove(engine.borrow_mut().as_mut(), batch, bench.clock, &mut answers);
            // The clock is stopped.
            self.check(from + number * BATCH, batch, &answers)?;
        }
        Ok(Some(Took { solving: solving.as_secs_f64(), wall: bench.now() - started }))
    }

    fn run_program(
        &mut self,
        program: &Program,
        bench: &Bench,
        from: usize,
        puzzles: &[Puzzle],
    ) -> Option<Took> {
        let ran = program.run(&grids_of(puzzles), bench.cancelled);
        let ran = ran.map_err(|error| self.fail(error.to_string())).ok()?;
        let ProgramRun { end, seconds: wall, answers, message } = ran;
        let message = if message.is_empty() { message } else { format!(": {message}") };
        match end {
            ProgramEnd::Cancelled => return None,
            ProgramEnd::TimeLimit(seconds) => {
                let count = puzzles.len();
                self.row.given_up += count;
                self.row.at_least = Some(nanoseconds(seconds, count));
                let plural = if count == 1 { "" } else { "s" };
                self.fail(format!("{end} with {count} puzzle{plural}"));
                return None;
            }
            ProgramEnd::Signal(_) | ProgramEnd::OutputLimit => {
                self.fail(format!("crashed: {end}{message}"));
                return None;
            }
            ProgramEnd::Code(_) => {}
        }
        let faults = (from..).zip(puzzles).zip(&answers).filter_map(|((place, puzzle), answer)| {
            Some((place, puzzle, fault(puzzle, self.expected(place), *answer)?))
        });
        let faults: Vec<_> = faults.collect();
        let missing = faults.iter().filter(|(.., fault)| *fault == AnswerFault::Missing).count();
        let process = self.row.process.get_or_insert_default();
        process.checked += puzzles.len() as u64;
        process.missing += missing as u64;
        process.wrong += (faults.len() - missing) as u64;
        if let Some((place, puzzle, fault)) = faults.first() {
            let (lines, name) = (&self.list.lines, &self.list.listed.name);
            let (line, number) = (lines[place % lines.len()], place - from + 1);
            process.fault.get_or_insert_with(|| {
                format!("line {line} of {name}, given as line {number}: {puzzle}: {fault}")
            });
            if end != ProgramEnd::Code(0) {
                self.fail(format!("{end}{message}"));
                return None;
            }
        }
        Some(Took { solving: wall, wall })
    }
}
