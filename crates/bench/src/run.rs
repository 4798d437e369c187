//! The whole measurement: a look at every contender, then rounds until the time is over. `docs/bench.md`
//! describes the method.
//!
//! ```text
//!            list by list, mode by mode           all permuted anew for each round
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

use crate::child::{End, Outcome, Used};
use crate::contender::{Batch, Clock, Contender, Means};
use crate::judge::{Fault, Given, fault};
use crate::list::{List, grids_of};
use crate::noise::Watch;
use crate::outside::{Outside, Ran};
use crate::report::{Machine, Mode, Process, Report, Row};
use crate::stats::median;
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

pub(crate) const IN_A_ROUND: f64 = ROUND_SHARE / PLANNED_ROUNDS;

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

/// In the first rounds, a row that takes less time than planned gets more puzzles, and its rounds so
/// far count as warm-up.
const TRIAL_ROUNDS: usize = 3;

/// The most puzzles of one round of an engine: `lanes` takes 8 ms for 100,000 easy ones.
const MOST_IN_A_ROUND: usize = 100_000;

/// The most puzzles of a run of a program: 41 MB. A program that solves ten million a second takes
/// 50 ms for them, many times the start-up time of most.
const MOST_IN_A_RUN: usize = 500_000;

/// The puzzles of the first run of a program. Each further one has [`GROWTH`] times as many, until it
/// takes a quarter of a round.
const FIRST_RUN: usize = 16;
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
    pub(crate) lists: &'a [List],
    pub(crate) modes: &'a [Mode],
    pub(crate) contenders: &'a [Contender],
    pub(crate) baseline: &'a str,
    pub(crate) seed: u64,
    /// The approximate seconds of the whole measurement.
    pub(crate) seconds: f64,
    /// The time since the measurement began.
    pub(crate) clock: Clock<'a>,
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
    /// Measures every contender on every list in every mode. If the measurement is cancelled, the
    /// report has the rounds so far.
    pub(crate) fn run(&self) -> Result<Report, Error> {
        let (mut noise, mut trials, mut rounds) = (Watch::start(), self.trials(), 0);
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
                let rest = |row: &Row| if row.sample { list.puzzles.len() } else { 0 };
                let reach = trials.iter().map(|it| it.row.puzzles_per_round + rest(&it.row)).max();
                let puzzles = list.permuted(self.seed, rounds as u64).take(reach.unwrap_or(0));
                let puzzles: Vec<_> = puzzles.collect();
                trials.iter_mut().try_for_each(|trial| trial.round(self, rounds, &puzzles))?;
                noise.look();
            }
        }
        Ok(Report {
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
            noise: noise.state(),
            rows: trials.into_iter().map(|trial| trial.row).collect(),
        })
    }

    fn trials(&self) -> Vec<Trial<'a>> {
        let mut trials = Vec::new();
        for list in self.lists {
            let has_sukakus = list.has_sukakus();
            let able = |it: &&Contender| it.takes_sukakus || !has_sukakus;
            for &mode in self.modes {
                trials.extend(self.contenders.iter().filter(able).map(|contender| {
                    let (name, label) = (list.listed.name.clone(), contender.label.clone());
                    let process = match &contender.means {
                        Means::Outside(it) => {
                            Some(Process { command: it.solver.text.clone(), ..Process::default() })
                        }
                        Means::Engines(_) => None,
                    };
                    let row = Row { list: name, mode, label, process, ..Row::default() };
                    Trial { list, contender, row, seconds: 0.0, steady: true, observed: 0.0 }
                }));
            }
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
    pub(crate) fn look(&self, engine: &mut dyn Engine, puzzle: &Puzzle, limit: usize) -> Look {
        let (mut answer, mut branches, mut given_up) = (Answer::default(), 0, false);
        let (started, patience) = ((self.clock)(), self.patience());
        let since = || (self.clock)().saturating_sub(started);
        let mut visit = |solution: &_| {
            answer.first.get_or_insert(*solution);
            answer.count += 1;
            if answer.count < limit { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        };
        let mut branch = || {
            branches += 1;
            given_up = branches % BRANCHES_BETWEEN_LOOKS == 0
                && (since() > patience || (self.cancelled)());
            if given_up { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let told = engine.each_solution_observed(puzzle, &mut visit, &mut branch);
        let answer = (!given_up).then_some(answer);
        Look { answer, branches: told.then_some(branches), time: since() }
    }

    fn tell(&self, round: usize, row: &Row) {
        let stage = if round == 0 { "warm-up".to_owned() } else { format!("round {round}") };
        let over = in_time(1000, self.seconds, self.now()).min(1000);
        (self.progress)(over as u64, &format!("{stage}: {}", row.name()));
    }

    /// Counts the solutions of each puzzle of a list, up to 2, before they are permuted.
    fn count_solutions(&self, list: &List, seconds: f64) -> Vec<usize> {
        let (mut dlx, mut answers) = (EngineKind::Dlx.build(), Vec::new());
        let until = self.now() + seconds;
        // Observing stops no engine on a sukaku, and `dlx` would take minutes for one.
        let observed = if list.has_sukakus() { &[][..] } else { &list.puzzles };
        for puzzle in observed.iter().take_while(|_| self.now() < until) {
            let Some(answer) = self.look(dlx.as_mut(), puzzle, 2).answer else {
                break;
            };
            answers.push(answer);
        }
        let rest = Batch::of(&list.puzzles[answers.len()..]);
        rest.solve(EngineKind::Lanes.build().as_mut(), 2, &mut answers);
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
struct Trial<'a> {
    list: &'a List,
    contender: &'a Contender,
    row: Row,
    /// Its part of the time.
    seconds: f64,
    /// Whether it can be timed without being observed first.
    steady: bool,
    /// Seconds in which it was observed.
    observed: f64,
}

/// Seconds of solving and of everything, and what a process used.
struct Took {
    solving: f64,
    wall: f64,
    used: Option<(Used, Used)>,
}

impl Trial<'_> {
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

    /// Records that a program was killed at the time limit.
    fn give_up(&mut self, seconds: f64, puzzles: usize) {
        self.row.given_up += puzzles;
        self.row.at_least = Some(nanoseconds(seconds, puzzles));
        let plural = if puzzles == 1 { "" } else { "s" };
        self.fail(format!("{} with {puzzles} puzzle{plural}", End::TimeLimit(seconds)));
    }

    /// The fault of an answer to a permuted puzzle. `place` counts from the first puzzle of the list
    /// that is gone through again and again.
    fn fault(&self, place: usize, puzzle: &Puzzle, given: &Given) -> Option<Fault> {
        let solutions = self.list.solutions.get().map_or(&[][..], |it| it);
        fault(puzzle, solutions[place % solutions.len()].min(self.row.mode.limit()), given)
    }

    /// Fails if an engine did not answer all puzzles right.
    fn check(&self, from: usize, puzzles: &[Puzzle], answers: &[Answer]) -> Result<(), Error> {
        for (index, puzzle) in puzzles.iter().enumerate() {
            let given = answers.get(index).map(|answer| Given {
                count: Some(answer.count),
                solution: answer.first.map(|first| *first.grid()),
                counts_only: false,
            });
            let fault = self.fault(from + index, puzzle, &given.unwrap_or_default());
            if let Some(fault) = fault.or(given.is_none().then_some(Fault::Missing)) {
                let label = &self.row.label;
                return Err(Wrong(format!("{label}: {fault}; the puzzle is {puzzle}")).into());
            }
        }
        Ok(())
    }

    /// Observes an engine on the list, or measures the start-up time of a program. Then plans the
    /// puzzles of a round.
    fn begin(&mut self, bench: &Bench) -> Result<(), Error> {
        if (bench.cancelled)() {
            return Ok(());
        }
        bench.tell(0, &self.row);
        let (list, seconds) = (self.list, LOOK_SHARE * self.seconds);
        list.solutions.get_or_init(|| bench.count_solutions(list, seconds));
        if let Means::Outside(outside) = &self.contender.means {
            let one: Vec<_> = list.permuted(bench.seed, 0).take(1).collect();
            let limit = self.row.mode.limit();
            let startup = outside.start_up(&grids_of(&one), limit, bench.cancelled);
            let process = self.row.process.get_or_insert_default();
            [process.startup_empty, process.startup_one] = startup.times.clone();
            if let Some(seconds) = startup.hangs {
                self.give_up(seconds, 1);
            }
        } else {
            let until = bench.now() + seconds;
            let puzzles = list.permuted(bench.seed, 0).take(list.puzzles.len());
            for (place, puzzle) in puzzles.enumerate() {
                if place > 0 && bench.now() >= until || (bench.cancelled)() {
                    break;
                }
                self.look(bench, place, &puzzle)?;
            }
        }
        if (bench.cancelled)() || self.row.given_up > 0 { Ok(()) } else { self.warm_up(bench) }
    }

    /// Observes an engine on one puzzle. Returns whether it answered.
    fn look(&mut self, bench: &Bench, place: usize, puzzle: &Puzzle) -> Result<bool, Error> {
        let Means::Engines(engines) = &self.contender.means else { return Ok(true) };
        let look = bench.look(engines.first().as_mut(), puzzle, self.row.mode.limit());
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
        let (slice, all) = (IN_A_ROUND * self.seconds, self.list.puzzles.len());
        let (mut empty, mut longer) = (0.0, slice);
        let (mut most, mut count) = (MOST_IN_A_ROUND.max(all), self.row.looked_at);
        let process = self.row.process.as_ref();
        if let Some(Process { startup_empty, startup_one, .. }) = process {
            empty = median(startup_empty).unwrap_or(0.0);
            longer = (STARTUPS_IN_A_ROUND * empty).min(LONGEST_ROUND * slice).max(slice);
            // A program that needs seconds for a puzzle begins with one.
            let one = median(startup_one).unwrap_or(0.0) - empty;
            (most, count) = (MOST_IN_A_RUN.max(all), in_time(1, one, longer).clamp(1, FIRST_RUN));
        }
        let is_outside = process.is_some();
        loop {
            let puzzles: Vec<_> = self.list.permuted(bench.seed, 0).take(count).collect();
            let Some(took) = self.measure(bench, 0, &puzzles)? else { return Ok(()) };
            let rest = (took.wall - empty).max(took.wall / 10.0);
            // One wrong answer in a list should not stay unseen because the rounds are short.
            let next = all.min(GROWTH * count);
            let seconds = rest * next as f64 / count as f64 + empty;
            if is_outside && count < all && seconds <= LONGEST_CHECK {
                count = next;
            } else if self.steady && rest < longer / 4.0 && count < most && !(bench.cancelled)() {
                count = (GROWTH * count).min(most);
            } else {
                // It will be observed in each round, too.
                let looks = if self.steady { 0.0 } else { self.observed };
                self.plan(in_time(count, rest + looks, longer - empty).min(most));
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
        let Some(took) = self.measure(bench, from, puzzles)? else { return Ok(()) };
        let (more, row) = (GROWTH / 2 * count, &mut self.row);
        let most = if row.process.is_some() { MOST_IN_A_RUN } else { MOST_IN_A_ROUND };
        let is_short = took.wall < IN_A_ROUND * self.seconds / 4.0;
        if is_short && self.steady && round <= TRIAL_ROUNDS && more <= most {
            // The first look at it was disturbed.
            row.rounds.clear();
            if let Some(Process { wall, user, system, .. }) = &mut row.process {
                [wall, user, system].into_iter().for_each(Vec::clear);
            }
            self.plan(more);
            return Ok(());
        }
        row.rounds.push(nanoseconds(took.solving, count));
        if let Some(process) = &mut row.process {
            process.wall.push(took.wall);
            if let Some((used, Used { peak_bytes: floor, .. })) = took.used {
                process.user.push(used.user);
                process.system.push(used.system);
                let peak = process.peak_bytes.get_or_insert_default();
                *peak = used.peak_bytes.max(*peak);
                // Page tables and the like make a small difference.
                process.peak_is_bound = *peak <= floor + floor / 50;
            }
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
        let engines = match &self.contender.means {
            Means::Outside(outside) => return Ok(self.run_outside(outside, bench, from, puzzles)),
            Means::Engines(engines) => engines,
        };
        let (started, limit) = (bench.now(), self.row.mode.limit());
        let mut check =
            |place, batch: &[Puzzle], answers: &[Answer]| self.check(from + place, batch, answers);
        let solving = engines.time(puzzles, limit, bench.clock, &mut check)?.as_secs_f64();
        Ok(Some(Took { solving, wall: bench.now() - started, used: None }))
    }

    fn run_outside(
        &mut self,
        outside: &Outside,
        bench: &Bench,
        from: usize,
        puzzles: &[Puzzle],
    ) -> Option<Took> {
        let (grids, limit) = (grids_of(puzzles), self.row.mode.limit());
        let ran = outside.run(&grids, limit, bench.cancelled);
        let ran = ran.map_err(|error| self.fail(error.to_string())).ok()?;
        let Ran { outcome: Outcome { end, wall, used }, solving, answers, message } = ran;
        let message = if message.is_empty() { message } else { format!(": {message}") };
        match end {
            End::Cancelled => return None,
            End::TimeLimit(seconds) => {
                self.give_up(seconds, puzzles.len());
                return None;
            }
            End::Signal(_) => {
                self.fail(format!("crashed: {end}{message}"));
                return None;
            }
            End::Code(_) => {}
        }
        let faults = (from..).zip(puzzles).zip(&answers).filter_map(|((place, puzzle), given)| {
            Some((place, puzzle, self.fault(place, puzzle, given)?))
        });
        let faults: Vec<_> = faults.collect();
        let missing = faults.iter().filter(|(_, _, fault)| *fault == Fault::Missing).count();
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
            if end != End::Code(0) {
                self.fail(format!("{end}{message}"));
                return None;
            }
        }
        Some(Took { solving, wall, used })
    }
}
