//! The whole measurement: a look at every contender, then rounds until the time is over. `docs/bench.md`
//! describes the method.
//!
//! ```text
//!            list by list                         all permuted anew for each round
//!          ┌──────────────────────────┐          ┌──────────────────────────┐
//!  look ─► │ A      B      C      …   │ ─ round ─► A      B      C      …   │ ─ round ─► …
//!          └──────────────────────────┘          └──────────────────────────┘
//!   each engine over the puzzles, observed:       each contender has a number of puzzles that
//!   does it finish them in time?                  takes its share of the time; the clock stops
//!                                                 while answers are checked
//! ```
//!
//! A wrong answer of an engine ends the measurement. Those of a program are part of its row.
#![expect(clippy::cast_precision_loss, reason = "numbers of puzzles and rows")]

use crate::contender::{BATCH, BenchClock, Contender, Solver, prove};
use crate::judge;
use crate::list::{BenchList, grids_of};
use crate::program::Program;
use crate::report::{BenchReport, BenchRow, Machine, ProgramAnswers};
use crate::stats::FEWEST;
use crate::{Error, Wrong};
use ninefold_core::engine::{Answer, Engine, EngineKind};
use ninefold_core::puzzle::Puzzle;
use std::ops::ControlFlow;
use std::{env, ptr};

/// The share of the time for the first look at every engine. The warm-up takes about as much again.
const LOOK_SHARE: f64 = 0.15;

/// The share of the time for the rounds. The rest is a reserve for permuting, and for puzzles that
/// take longer than others.
const ROUND_SHARE: f64 = 0.6;

/// The planned number of rounds: the error of their median is about a third of their spread.
const PLANNED_ROUNDS: f64 = 15.0;

const IN_A_ROUND: f64 = ROUND_SHARE / PLANNED_ROUNDS;

/// There are [`FEWEST`] rounds or more, unless the time is exceeded by this.
const OVERTIME: f64 = 1.4;
/// The first rounds are begun up to this multiple of the time. On a busy machine, starting programs may take all of it,
/// and a median of three leaves out a disturbed round.
const OVERTIME_OF_FIRST: f64 = 2.5;
const FIRST_ROUNDS: usize = 3;

/// The most rounds: more would not make the result more precise.
const MOST_ROUNDS: usize = 100;

/// The patience for one puzzle is this part of the time: 0.5 s of 40 s. `scan` takes 17 ms for a
/// minimal puzzle on average, and hours for some puzzles with 17 clues. Twice the time has twice the
/// puzzles, and the slowest of them is slower.
const PATIENCE_PART: f64 = 80.0;

/// A short measurement gives one puzzle a larger part of its time, up to this bound.
const SHORT_PATIENCE_PART: f64 = 10.0;
const LONGEST_SHORT_PATIENCE: f64 = 0.5;

/// The most puzzles of one round of an engine: `lanes` takes 8 ms for 100,000 easy ones.
const MOST_IN_A_ROUND: usize = 100_000;

/// The most puzzles of a run of a program, rounded up to whole lists: 41 MB. A program that solves ten million a second
/// takes 50 ms for them, many times the start-up time of most.
const MOST_IN_A_RUN: usize = 500_000;

/// A contender gets this many times as many puzzles in each run of its warm-up, until they take a quarter
/// of a round. A program begins with one puzzle.
const GROWTH: usize = 8;

/// A round of a program takes this many times its start-up time, if there is time for one such round. So start-up is
/// less than a tenth of the round, also if it takes a fifth longer than on the empty list.
const STARTUPS_IN_A_ROUND: f64 = 12.0;

/// A round of a program is planned for this part of its time limit at most, because some rounds take longer.
const TIME_LIMIT_SHARE: f64 = 0.5;

/// All answers to a list are checked once before the rounds if this takes a program no longer than
/// these seconds.
const LONGEST_CHECK: f64 = 2.0;

/// An engine whose slowest puzzle takes at most 1 / 100 of the patience is not observed before each
/// round. No permutation makes a puzzle 100 times as hard for an engine that chooses where to branch,
/// and other engines soon exceed this share.
const STEADY_SHARE: f64 = 100.0;

/// The puzzles of a list whose solutions are counted by `dlx`, which shares no code with the fast engines. It
/// takes 0.2 s for as many hard ones. `lanes` counts those of the others.
const COUNTED_BY_DLX: usize = 1000;

/// The assumed slowdown of an observed engine: `scan` counts the digits of a cell before it tries them.
const LOOK_COST: f64 = 2.0;

/// Branches between two looks at the clock: `scan` takes 0.1 to 1 µs for one.
const BRANCHES_BETWEEN_LOOKS: u64 = 64;

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
    pub(crate) progress: &'a dyn Fn(usize, &str),
}

fn nanoseconds(seconds: f64, puzzles: usize) -> f64 {
    seconds * 1e9 / puzzles.max(1) as f64
}

/// The number of puzzles that fit into a slice, if `puzzles` took `seconds`.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "saturates")]
fn in_time(puzzles: usize, seconds: f64, slice: f64) -> usize {
    (puzzles as f64 * slice / seconds.max(1e-9)) as usize
}

impl Bench<'_> {
    /// Measures every contender on every list. If the measurement is cancelled, the
    /// report has the rounds so far.
    pub(crate) fn run(&self) -> Result<BenchReport, Error> {
        let mut trials = Vec::new();
        for list in self.lists {
            let has_sukakus = list.has_sukakus();
            let able = self.contenders.iter().filter(|it| it.takes_sukakus || !has_sukakus);
            trials.extend(able.map(|contender| Trial::new(list, contender)));
        }
        let programs = trials.iter().filter(|it| it.row.process.is_some()).count();
        let all = trials.len();
        for trial in &mut trials {
            // The number of engines changes no figure of a program.
            let sharing = if trial.row.process.is_some() { programs } else { all };
            trial.begin(self, self.seconds / sharing as f64)?;
        }
        let mut rounds = 0;
        while !trials.is_empty() && self.goes_on(rounds) {
            rounds += 1;
            for trials in trials.chunk_by_mut(|one, other| ptr::eq(one.list, other.list)) {
                let reach = trials.iter().map(|it| it.start(rounds) + it.row.puzzles_per_round);
                let puzzles = trials[0].list.permuted(self.seed, rounds as u64);
                let puzzles: Vec<_> = puzzles.take(reach.max().unwrap_or(0)).collect();
                trials.iter_mut().try_for_each(|trial| trial.round(self, rounds, &puzzles))?;
            }
        }
        Ok(BenchReport {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            arguments: env::args_os().skip(1).map(|it| it.to_string_lossy().into_owned()).collect(),
            machine: Machine::this(),
            baseline: self.baseline.to_owned(),
            seed: self.seed,
            rounds,
            seconds: (self.clock)(),
            interrupted: (self.cancelled)(),
            lists: self.lists.iter().map(|list| list.listed.clone()).collect(),
            rows: trials.into_iter().map(|trial| trial.row).collect(),
        })
    }

    fn goes_on(&self, rounds: usize) -> bool {
        let (elapsed, time) = ((self.clock)(), self.seconds);
        let overtime = if rounds < FIRST_ROUNDS { OVERTIME_OF_FIRST } else { OVERTIME };
        let enough = elapsed >= time && (rounds >= FEWEST || elapsed >= overtime * time);
        !enough && rounds < MOST_ROUNDS && !(self.cancelled)()
    }

    /// The seconds for one puzzle after which an engine is given up on.
    fn patience(&self) -> f64 {
        let short = LONGEST_SHORT_PATIENCE.min(self.seconds / SHORT_PATIENCE_PART);
        short.max(self.seconds / PATIENCE_PART)
    }

    /// Observes an engine that solves a puzzle. Returns its answer, unless it was stopped.
    ///
    /// The time of the textbook engines has no useful bound: one puzzle of 17 clues can take `scan` an
    /// hour. So before an engine is timed, it solves each puzzle once while it is observed.
    pub(crate) fn look(&self, engine: &mut dyn Engine, puzzle: &Puzzle) -> Option<Answer> {
        let (mut answer, mut branches, mut given_up) = (Answer::default(), 0, false);
        let until = (self.clock)() + self.patience();
        let mut visit = |solution: &_| {
            answer.first.get_or_insert(*solution);
            answer.count += 1;
            if answer.count < 2 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        };
        let mut branch = || {
            branches += 1;
            given_up = branches % BRANCHES_BETWEEN_LOOKS == 0
                && ((self.clock)() > until || (self.cancelled)());
            if given_up { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        engine.search(puzzle, &mut visit, &mut branch);
        (!given_up).then_some(answer)
    }

    fn tell(&self, stage: &str, row: &BenchRow) {
        let over = in_time(1000, self.seconds, (self.clock)()).min(1000);
        (self.progress)(over, &format!("{stage}: {}", row.name()));
    }

    /// Counts the solutions of each puzzle of a list, up to 2, before they are permuted.
    fn count_solutions(&self, list: &BenchList) -> Vec<usize> {
        // Observing stops no engine on a sukaku, and `dlx` would take minutes for one.
        let by_dlx = if list.has_sukakus() { 0 } else { COUNTED_BY_DLX };
        let mut dlx = EngineKind::Dlx.build();
        let observed = list.puzzles.iter().take(by_dlx);
        let answers = observed.map_while(|puzzle| self.look(dlx.as_mut(), puzzle));
        let mut answers: Vec<_> = answers.collect();
        let rest = &list.puzzles[answers.len()..];
        prove(EngineKind::Lanes.build().as_mut(), rest, self.clock, &mut answers);
        answers.iter().map(|answer| answer.count).collect()
    }
}

/// One row that is being measured.
struct Trial<'a> {
    list: &'a BenchList,
    contender: &'a Contender,
    row: BenchRow,
    /// Puzzles on which it was observed, and the seconds that they took.
    looked_at: usize,
    observed: f64,
    /// Whether it can be timed without being observed first.
    steady: bool,
}

impl<'a> Trial<'a> {
    fn new(list: &'a BenchList, contender: &'a Contender) -> Self {
        let process = match &contender.solver {
            Solver::Engine(_) => None,
            Solver::Program(Program { startup_seconds, .. }) => {
                Some(ProgramAnswers { startup_seconds: *startup_seconds, ..Default::default() })
            }
        };
        let row = BenchRow {
            list: list.listed.name.clone(),
            engine: contender.name.clone(),
            simd: contender.simd.map(|level| level.name().to_owned()),
            process,
            ..BenchRow::default()
        };
        Self { list, contender, row, looked_at: 0, observed: 0.0, steady: true }
    }

    /// Observes an engine on the list. Then plans the puzzles of a round, which is a part of `share` seconds.
    fn begin(&mut self, bench: &Bench, share: f64) -> Result<(), Error> {
        if (bench.cancelled)() {
            return Ok(());
        }
        bench.tell("warm-up", &self.row);
        let list = self.list;
        list.solutions.get_or_init(|| bench.count_solutions(list));
        let until = (bench.clock)() + LOOK_SHARE * share;
        for (place, puzzle) in list.permuted(bench.seed, 0).take(list.puzzles.len()).enumerate() {
            if !self.look(bench, place, &puzzle)? || (bench.clock)() >= until {
                break;
            }
        }
        if self.is_over(bench) { Ok(()) } else { self.warm_up(bench, share) }
    }

    /// Whether it is not measured any more.
    fn is_over(&self, bench: &Bench) -> bool {
        self.row.at_least.is_some() || self.row.has_failed() || (bench.cancelled)()
    }

    fn give_up(&mut self, seconds: f64, puzzles: usize) {
        self.row.at_least = Some(nanoseconds(seconds, puzzles));
        self.row.rounds.clear();
    }

    /// Observes an engine on one puzzle. Returns whether it answered; a program is not observed.
    fn look(&mut self, bench: &Bench, place: usize, puzzle: &Puzzle) -> Result<bool, Error> {
        let Solver::Engine(engine) = &self.contender.solver else { return Ok(false) };
        let started = (bench.clock)();
        let answer = bench.look(engine.borrow_mut().as_mut(), puzzle);
        let seconds = (bench.clock)() - started;
        // It may have been stopped for that, which is not to be given up on.
        if (bench.cancelled)() {
            return Ok(false);
        }
        self.looked_at += 1;
        self.observed += seconds;
        self.steady &= seconds <= bench.patience() / STEADY_SHARE;
        match &answer {
            Some(answer) => self.check(place, puzzle, Some(answer))?,
            None => self.give_up(self.observed / LOOK_COST, self.looked_at),
        }
        Ok(answer.is_some())
    }

    /// Fails if an engine did not answer a puzzle right.
    fn check(&self, place: usize, puzzle: &Puzzle, answer: Option<&Answer>) -> Result<(), Error> {
        let expected = self.list.expected(place);
        let checked = match answer {
            Some(Answer { count, .. }) if *count != expected => {
                Err(format!("{count} solutions counted, expected {expected}"))
            }
            _ => {
                let first = answer.and_then(|answer| answer.first);
                judge::check(puzzle, expected, first.map(|first| *first.grid()))
            }
        };
        let name = self.row.solver();
        Ok(checked.map_err(|why| Wrong(format!("{name}: {why}; the puzzle is {puzzle}")))?)
    }

    /// Lets a contender solve more and more puzzles, until the puzzles of a round are known.
    fn warm_up(&mut self, bench: &Bench, share: f64) -> Result<(), Error> {
        let all = self.list.puzzles.len();
        let shortest = IN_A_ROUND * share;
        let (most, longest) = match &self.contender.solver {
            Solver::Engine(_) => (MOST_IN_A_ROUND.max(all), shortest),
            Solver::Program(Program { time_limit, .. }) => {
                (MOST_IN_A_RUN.max(all), (ROUND_SHARE * share).min(TIME_LIMIT_SHARE * time_limit))
            }
        };
        let mut count = self.looked_at.max(1);
        loop {
            let puzzles: Vec<_> = self.list.permuted(bench.seed, 0).take(count).collect();
            // Without the time for permuting and checking: it is longer than that of a fast program.
            let Some(wall) = self.measure(bench, 0, &puzzles)? else { return Ok(()) };
            let startup = self.row.process.as_ref().map_or(0.0, |it| it.startup_seconds);
            let slice = (STARTUPS_IN_A_ROUND * startup).max(shortest).min(longest);
            let rest = (wall - startup).max(wall / 10.0);
            // One wrong answer in a list should not stay unseen because the rounds are short.
            let next = all.min(GROWTH * count);
            let seconds = rest * next as f64 / count as f64 + startup;
            if self.row.process.is_some() && count < all && seconds <= LONGEST_CHECK {
                count = next;
                continue;
            }
            if self.steady && rest < slice / 4.0 && count < most && !(bench.cancelled)() {
                count = in_time(count, rest, slice / 2.0).min(GROWTH * count).min(most);
                continue;
            }
            // It will be observed in each round, too.
            let looks = if self.steady { 0.0 } else { self.observed };
            let fitting = in_time(count, rest + looks, slice - startup).clamp(1, most);
            self.row.sample = fitting < all;
            self.row.puzzles_per_round =
                if self.row.sample { fitting } else { fitting.next_multiple_of(all) };
            return Ok(());
        }
    }

    /// The place in the list where the puzzles of a round begin.
    fn start(&self, round: usize) -> usize {
        round * self.row.puzzles_per_round % self.list.puzzles.len()
    }

    /// Times the contender. If some puzzles may take an engine too long, it is observed on each first.
    fn round(&mut self, bench: &Bench, round: usize, puzzles: &[Puzzle]) -> Result<(), Error> {
        let (from, count) = (self.start(round), self.row.puzzles_per_round);
        if count == 0 || self.is_over(bench) {
            return Ok(());
        }
        bench.tell(&format!("round {round}"), &self.row);
        let puzzles = &puzzles[from..from + count];
        if !self.steady {
            for (place, puzzle) in (from..).zip(puzzles) {
                if !self.look(bench, place, puzzle)? {
                    return Ok(());
                }
            }
        }
        if let Some(seconds) = self.measure(bench, from, puzzles)? {
            self.row.rounds.push(nanoseconds(seconds, count));
        }
        Ok(())
    }

    /// Lets a contender solve puzzles, the first of which is number `from` of its list, and checks the
    /// answers. Returns the seconds; `None` if a program failed, or if the measurement was cancelled.
    fn measure(
        &mut self,
        bench: &Bench,
        from: usize,
        puzzles: &[Puzzle],
    ) -> Result<Option<f64>, Error> {
        let engine = match &self.contender.solver {
            Solver::Program(program) => return self.run_program(program, bench, from, puzzles),
            Solver::Engine(engine) => engine,
        };
        let (mut seconds, mut answers, mut place) = (0.0, Vec::new(), from);
        for batch in puzzles.chunks(BATCH) {
            answers.clear();
            seconds += prove(engine.borrow_mut().as_mut(), batch, bench.clock, &mut answers);
            // The clock is stopped.
            for (number, puzzle) in batch.iter().enumerate() {
                self.check(place, puzzle, answers.get(number))?;
                place += 1;
            }
        }
        Ok(Some(seconds))
    }

    fn run_program(
        &mut self,
        program: &Program,
        bench: &Bench,
        from: usize,
        puzzles: &[Puzzle],
    ) -> Result<Option<f64>, Error> {
        let ran = program.run(&grids_of(puzzles), bench.cancelled)?;
        if (bench.cancelled)() {
            return Ok(None);
        }
        let process = self.row.process.get_or_insert_default();
        let Some(answers) = ran.answers else {
            process.failure = ran.failure;
            if ran.seconds > program.time_limit {
                self.give_up(ran.seconds, puzzles.len());
            }
            return Ok(None);
        };
        process.startup_seconds = process.startup_seconds.min(ran.seconds);
        for ((place, puzzle), answer) in (from..).zip(puzzles).zip(answers) {
            process.checked += 1;
            let expected = self.list.expected(place);
            let Err(why) = judge::check(puzzle, expected, answer) else { continue };
            let count = if answer.is_some() { &mut process.wrong } else { &mut process.missing };
            *count += 1;
            process.fault.get_or_insert_with(|| format!("{puzzle}: {why}"));
        }
        // An exit code matters only if the answers are not right.
        process.failure = ran.failure.filter(|_| process.fault.is_some());
        Ok(process.failure.is_none().then_some(ran.seconds))
    }
}
