//! The whole measurement: a look at every contender, then rounds until the time is over.
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
//! - Rounds are interleaved: a disturbance of the machine hits all contenders alike and shows in the
//!   spread of each.
//! - An isomorphism changes every puzzle before each round, the same one for all contenders.
//! - An engine too slow for the list gets a part of it, another one in each round. An engine that
//!   does not finish a puzzle in a given time is given up on; the report has a lower bound of its time.
//! - A wrong answer of an engine ends the measurement. Those of a program are part of its row, as are
//!   crashes and the time limit.
#![expect(clippy::cast_precision_loss, reason = "numbers of puzzles and rows")]

use crate::child::End;
use crate::contender::{Batch, Clock, Contender, Means, Patience, look};
use crate::judge::{Fault, Given, fault};
use crate::list::{List, grids_of};
use crate::noise::Watch;
use crate::outside::{Outside, Ran};
use crate::report::{Mode, Process, Report, Row};
use crate::stats::Spread;
use crate::{Error, Wrong};
use ninefold_core::engine::{Answer, EngineKind};
use ninefold_core::puzzle::Puzzle;
use std::time::Duration;

/// The share of the time for the first look at every engine. The warm-up takes about as much again.
const LOOK_SHARE: f64 = 0.15;

/// The share of the time for the rounds. The rest is a reserve for permuting, and for puzzles that
/// take longer than others.
const ROUND_SHARE: f64 = 0.6;

/// The planned number of rounds: the error of their median is about a third of their spread.
const PLANNED_ROUNDS: f64 = 15.0;

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

/// The start-up times of each program that are measured, before the rounds.
const STARTUPS: usize = 5;

/// An engine whose slowest puzzle takes at most 1 / 100 of the patience is not observed before each
/// round. No permutation makes a puzzle 100 times as hard for an engine that chooses where to branch,
/// and other engines soon exceed this share.
const STEADY_SHARE: u32 = 100;

/// The assumed slowdown of an observed engine: `scan` counts the digits of a cell before it tries them.
const LOOK_COST: f64 = 2.0;

/// A measurement.
pub(crate) struct Bench<'a> {
    pub(crate) lists: &'a [List],
    pub(crate) modes: &'a [Mode],
    pub(crate) contenders: &'a [Contender],
    pub(crate) seed: u64,
    /// The approximate seconds of the whole measurement.
    pub(crate) seconds: f64,
    pub(crate) clock: Clock<'a>,
    pub(crate) cancelled: &'a dyn Fn() -> bool,
    /// Gets the share of the time that is over, and what is measured next.
    pub(crate) progress: &'a mut dyn FnMut(f64, &str),
}

/// Seconds of one row in a round.
pub(crate) fn seconds_in_round(seconds: f64, rows: usize) -> f64 {
    seconds * ROUND_SHARE / PLANNED_ROUNDS / rows.max(1) as f64
}

/// Nanoseconds per puzzle.
fn nanoseconds(seconds: f64, puzzles: usize) -> f64 {
    seconds * 1e9 / puzzles.max(1) as f64
}

/// The number of puzzles that fit into a slice, if `puzzles` took `seconds`.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "saturates")]
fn in_time(puzzles: usize, seconds: f64, slice: f64) -> usize {
    (puzzles as f64 * slice / seconds.max(1e-9)) as usize
}

/// One row that is being measured. The list and the contender are places in those of [`Bench`].
struct Trial {
    list: usize,
    contender: usize,
    row: Row,
    /// Whether it can be timed without being observed first.
    steady: bool,
    /// Seconds in which it was observed.
    observed: f64,
}

impl Trial {
    /// Sets the puzzles of each round of a list of `all` puzzles: whole lists, or a part if the solver
    /// is too slow for one.
    fn plan(&mut self, count: usize, all: usize) {
        self.row.sample = count < all;
        self.row.puzzles_per_round = if count < all { count.max(1) } else { count - count % all };
    }

    fn process(&mut self) -> &mut Process {
        self.row.process.get_or_insert_default()
    }

    /// Records why a program is not measured any more.
    fn fail(&mut self, failure: String) {
        self.process().failure = Some(failure);
    }

    /// Records that a program was killed at the time limit.
    fn give_up(&mut self, seconds: f64, puzzles: usize) {
        self.row.given_up += puzzles;
        self.row.at_least = Some(nanoseconds(seconds, puzzles));
        let plural = if puzzles == 1 { "" } else { "s" };
        self.fail(format!("{} with {puzzles} puzzle{plural}", End::TimeLimit(seconds)));
    }
}

/// The start-up times of a program, in seconds.
#[derive(Clone, Default)]
struct Startup {
    /// Of runs without a puzzle, and with one.
    times: [Vec<f64>; 2],
    /// The time limit, if one puzzle took longer.
    hangs: Option<f64>,
}

/// Seconds of solving, and of everything.
struct Took {
    solving: f64,
    whole: f64,
}

/// A running measurement.
struct Run<'a> {
    bench: Bench<'a>,
    started: Duration,
    trials: Vec<Trial>,
    rounds: usize,
    /// The start-up times of each contender.
    startups: Vec<Startup>,
    /// For each list, the solutions of each puzzle, counted up to 2. Empty until they are needed.
    solutions: Vec<Vec<usize>>,
    noise: Watch,
}

impl Bench<'_> {
    /// Measures every contender on every list in every mode. If the measurement is cancelled, the
    /// report has the rounds so far.
    pub(crate) fn run(self) -> Result<Report, Error> {
        let mut run = Run::new(self);
        for trial in 0..run.trials.len() {
            run.look_at(trial)?;
        }
        while run.goes_on() {
            run.rounds += 1;
            for list in 0..run.bench.lists.len() {
                run.round(list)?;
            }
        }
        Ok(run.report())
    }
}

impl<'a> Run<'a> {
    fn new(bench: Bench<'a>) -> Self {
        let mut trials = Vec::new();
        for (list, of) in bench.lists.iter().enumerate() {
            let any = !of.has_sukakus();
            for &mode in bench.modes {
                let contenders = bench.contenders.iter().enumerate();
                let able = contenders.filter(|(_, it)| any || it.takes_sukakus);
                trials.extend(able.map(|(contender, it)| {
                    let (list_name, label) = (of.listed.name.clone(), it.label.clone());
                    let process = it.as_outside().map(|outside| Process {
                        command: outside.command().to_owned(),
                        ..Process::default()
                    });
                    let row = Row { list: list_name, mode, label, process, ..Row::default() };
                    Trial { list, contender, row, steady: true, observed: 0.0 }
                }));
            }
        }
        Self {
            started: (bench.clock)(),
            trials,
            rounds: 0,
            startups: vec![Startup::default(); bench.contenders.len()],
            solutions: vec![Vec::new(); bench.lists.len()],
            noise: Watch::start(),
            bench,
        }
    }

    /// Seconds of each row in the looks.
    fn look_seconds(&self) -> f64 {
        LOOK_SHARE * self.bench.seconds / self.trials.len().max(1) as f64
    }

    /// Seconds of each row in a round.
    fn slice(&self) -> f64 {
        seconds_in_round(self.bench.seconds, self.trials.len())
    }

    fn patience(&self) -> Patience<'a> {
        let time = Duration::from_secs_f64(self.bench.seconds);
        let short = LONGEST_SHORT_PATIENCE.min(time / SHORT_PATIENCE_PART);
        let time = short.max(time / PATIENCE_PART);
        Patience { time, clock: self.bench.clock, cancelled: self.bench.cancelled }
    }

    fn now(&self) -> f64 {
        (self.bench.clock)().saturating_sub(self.started).as_secs_f64()
    }

    fn goes_on(&self) -> bool {
        let (elapsed, time) = (self.now(), self.bench.seconds);
        let overtime = if self.rounds == 0 { OVERTIME_OF_FIRST } else { OVERTIME };
        let enough =
            elapsed >= time && (self.rounds >= FEWEST_ROUNDS || elapsed >= overtime * time);
        let over = enough || self.rounds >= MOST_ROUNDS || self.trials.is_empty();
        !over && !self.is_cancelled()
    }

    fn is_cancelled(&self) -> bool {
        (self.bench.cancelled)()
    }

    fn list(&self, trial: usize) -> &'a List {
        &self.bench.lists[self.trials[trial].list]
    }

    fn contender(&self, trial: usize) -> &'a Contender {
        &self.bench.contenders[self.trials[trial].contender]
    }

    /// The number of solutions that a row looks for.
    fn limit(&self, trial: usize) -> usize {
        self.trials[trial].row.mode.limit()
    }

    fn permuted(&self, list: usize, round: usize) -> impl Iterator<Item = Puzzle> + use<'a> {
        let stream = round * self.bench.lists.len() + list;
        self.bench.lists[list].permuted(self.bench.seed, stream as u64)
    }

    /// Reports the progress.
    fn tell(&mut self, trial: usize) {
        let stage = match self.rounds {
            0 => "warm-up".to_owned(),
            rounds => format!("round {rounds}"),
        };
        let share = self.now() / self.bench.seconds.max(f64::MIN_POSITIVE);
        let name = self.trials[trial].row.name();
        (self.bench.progress)(share.min(1.0), &format!("{stage}: {name}"));
    }

    /// Counts the solutions of each puzzle of a list, up to 2, before they are permuted.
    fn count_solutions(&mut self, list: usize) {
        let of = &self.bench.lists[list];
        if !self.solutions[list].is_empty() {
            return;
        }
        let (mut dlx, mut answers) = (EngineKind::Dlx.build(), Vec::new());
        let until = self.now() + self.look_seconds();
        // Observing stops no engine on a sukaku, and `dlx` would take minutes for one.
        while !of.has_sukakus() && answers.len() < of.puzzles.len() && self.now() < until {
            let look = look(dlx.as_mut(), &of.puzzles[answers.len()], 2, &self.patience());
            let Some(answer) = look.answer else { break };
            answers.push(answer);
        }
        let rest = Batch::of(&of.puzzles[answers.len()..]);
        rest.solve(EngineKind::Lanes.build().as_mut(), 2, &mut answers);
        self.solutions[list] = answers.iter().map(|answer| answer.count).collect();
    }

    /// The fault of an answer to a permuted puzzle. `place` counts from the first puzzle of the list
    /// that is gone through again and again.
    fn fault(&self, trial: usize, place: usize, puzzle: &Puzzle, given: &Given) -> Option<Fault> {
        let solutions = &self.solutions[self.trials[trial].list];
        fault(puzzle, solutions[place % solutions.len()].min(self.limit(trial)), given)
    }

    /// Fails if an engine did not answer all puzzles right.
    fn check(
        &self,
        trial: usize,
        from: usize,
        puzzles: &[Puzzle],
        answers: &[Answer],
    ) -> Result<(), Error> {
        for (index, puzzle) in puzzles.iter().enumerate() {
            let given = answers.get(index).map(|answer| Given {
                count: Some(answer.count),
                solution: answer.first.map(|first| *first.grid()),
                counts_only: false,
            });
            let fault = self.fault(trial, from + index, puzzle, &given.unwrap_or_default());
            if let Some(fault) = fault.or(given.is_none().then_some(Fault::Missing)) {
                let label = &self.trials[trial].row.label;
                return Err(Wrong(format!("{label}: {fault}; the puzzle is {puzzle}")).into());
            }
        }
        Ok(())
    }

    /// Observes an engine on a list, or measures the start-up time of a program. Then plans the
    /// puzzles of a round.
    fn look_at(&mut self, trial: usize) -> Result<(), Error> {
        if self.is_cancelled() {
            return Ok(());
        }
        self.tell(trial);
        let Trial { list, contender, .. } = self.trials[trial];
        self.count_solutions(list);
        if self.contender(trial).as_outside().is_some() {
            let startup = &self.startups[contender];
            if startup.times[1].is_empty() && startup.hangs.is_none() {
                (0..STARTUPS).for_each(|_| self.start_up(trial));
            }
            if let Some(limit) = self.startups[contender].hangs {
                self.trials[trial].give_up(limit, 1);
            }
        } else {
            let until = self.now() + self.look_seconds();
            let all = self.list(trial).puzzles.len();
            for (place, puzzle) in self.permuted(list, 0).take(all).enumerate() {
                if place > 0 && self.now() >= until || self.is_cancelled() {
                    break;
                }
                self.look(trial, place, &puzzle)?;
            }
        }
        if self.is_cancelled() || self.trials[trial].row.given_up > 0 {
            return Ok(());
        }
        self.plan(trial)
    }

    /// Observes an engine on one puzzle. Returns whether it answered.
    fn look(&mut self, trial: usize, place: usize, puzzle: &Puzzle) -> Result<bool, Error> {
        let (limit, patience) = (self.limit(trial), self.patience());
        let Means::Engines(engines) = &self.contender(trial).means else { return Ok(true) };
        let look = engines.look(puzzle, limit, &patience);
        match look.answer {
            Some(answer) => self.check(trial, place, &[*puzzle], &[answer])?,
            // It was stopped for that, and not given up on.
            None if self.is_cancelled() => return Ok(false),
            None => self.trials[trial].row.given_up += 1,
        }
        let Trial { row, steady, observed, .. } = &mut self.trials[trial];
        *observed += look.time.as_secs_f64();
        *steady &= look.time <= patience.time / STEADY_SHARE;
        row.looked_at += 1;
        row.branches = look.branches.map(|branches| row.branches.unwrap_or(0) + branches);
        row.without_search += usize::from(look.branches == Some(0));
        if row.given_up > 0 {
            row.at_least = Some(nanoseconds(*observed / LOOK_COST, row.looked_at));
        }
        Ok(look.answer.is_some())
    }

    /// Lets a contender solve more and more puzzles as warm-up, until the puzzles of a round are known.
    fn plan(&mut self, trial: usize) -> Result<(), Error> {
        let Trial { list, contender, ref row, .. } = self.trials[trial];
        let (slice, all) = (self.slice(), self.list(trial).puzzles.len());
        let is_outside = row.process.is_some();
        let [empty, one] = [0, 1]
            .map(|count| Spread::median(&self.startups[contender].times[count]).unwrap_or(0.0));
        let (most, slice, mut count) = if is_outside {
            let longer = (STARTUPS_IN_A_ROUND * empty).min(LONGEST_ROUND * slice).max(slice);
            // A program that needs seconds for a puzzle begins with one.
            (MOST_IN_A_RUN.max(all), longer, in_time(1, one - empty, longer).clamp(1, FIRST_RUN))
        } else {
            (MOST_IN_A_ROUND.max(all), slice, row.looked_at)
        };
        loop {
            let puzzles: Vec<_> = self.permuted(list, 0).take(count).collect();
            let Some(took) = self.measure(trial, 0, &puzzles, false)? else { return Ok(()) };
            let rest = (took.whole - empty).max(took.whole / 10.0);
            let its = &mut self.trials[trial];
            let is_known = rest >= slice / 4.0 || count >= most || !its.steady;
            // One wrong answer in a list should not stay unseen because the rounds are short.
            let next = all.min(GROWTH * count);
            let seconds = rest * next as f64 / count as f64 + empty;
            if is_outside && count < all && seconds <= LONGEST_CHECK {
                count = next;
            } else if is_known || self.is_cancelled() {
                let its = &mut self.trials[trial];
                // It will be observed in each round, too.
                let looks = if its.steady { 0.0 } else { its.observed };
                its.plan(in_time(count, rest + looks, slice - empty).min(most), all);
                return Ok(());
            } else {
                count = (GROWTH * count).min(most);
            }
        }
    }

    /// Lets a contender solve puzzles, the first of which is number `from` of its list, and checks the
    /// answers. `None` if a program failed, or if the measurement was cancelled.
    fn measure(
        &mut self,
        trial: usize,
        from: usize,
        puzzles: &[Puzzle],
        in_round: bool,
    ) -> Result<Option<Took>, Error> {
        let engines = match &self.contender(trial).means {
            Means::Outside(outside) => {
                return Ok(self.run_outside(outside, trial, from, puzzles, in_round));
            }
            Means::Engines(engines) => engines,
        };
        let (started, limit) = (self.now(), self.limit(trial));
        let mut check = |place, batch: &[Puzzle], answers: &[Answer]| {
            self.check(trial, from + place, batch, answers)
        };
        let solving = engines.time(puzzles, limit, self.bench.clock, &mut check)?.as_secs_f64();
        Ok(Some(Took { solving, whole: self.now() - started }))
    }

    /// Times all contenders on one list, permuted anew.
    fn round(&mut self, list: usize) -> Result<(), Error> {
        if self.is_cancelled() {
            return Ok(());
        }
        let all = self.bench.lists[list].puzzles.len();
        // A part of the list may begin anywhere in it.
        let reach = |row: &Row| row.puzzles_per_round + if row.sample { all } else { 0 };
        let trials = self.trials.iter().filter(|trial| trial.list == list);
        let most = trials.map(|trial| reach(&trial.row)).max().unwrap_or(0);
        let puzzles: Vec<_> = self.permuted(list, self.rounds).take(most).collect();
        for trial in 0..self.trials.len() {
            let Trial { list: its, ref row, .. } = self.trials[trial];
            let count = row.puzzles_per_round;
            let from = if row.sample { self.rounds * count % all } else { 0 };
            let over = row.given_up > 0 || row.has_failed();
            if its == list && !over && count > 0 && !self.is_cancelled() {
                self.tell(trial);
                self.round_of(trial, from, &puzzles[from..from + count])?;
            }
        }
        self.noise.look();
        Ok(())
    }

    /// Times one contender. If some puzzles may take an engine too long, it is observed on each first.
    fn round_of(&mut self, trial: usize, from: usize, puzzles: &[Puzzle]) -> Result<(), Error> {
        if !self.trials[trial].steady {
            for (index, puzzle) in puzzles.iter().enumerate() {
                if !self.look(trial, from + index, puzzle)? || self.is_cancelled() {
                    return Ok(());
                }
            }
        }
        let Some(took) = self.measure(trial, from, puzzles, true)? else { return Ok(()) };
        let (slice, early) = (self.slice(), self.rounds <= TRIAL_ROUNDS);
        let all = self.list(trial).puzzles.len();
        let its = &mut self.trials[trial];
        let most = if its.row.process.is_some() { MOST_IN_A_RUN } else { MOST_IN_A_ROUND };
        its.row.rounds.push(nanoseconds(took.solving, puzzles.len()));
        let more = GROWTH / 2 * puzzles.len();
        if early && its.steady && more <= most && took.whole < slice / 4.0 {
            // The first look at it was disturbed.
            its.plan(more, all);
            its.row.rounds.clear();
            if let Some(Process { wall, user, system, .. }) = &mut its.row.process {
                [wall, user, system].into_iter().for_each(Vec::clear);
            }
        }
        Ok(())
    }

    /// Runs a program and checks its answers.
    fn run_outside(
        &mut self,
        outside: &Outside,
        trial: usize,
        from: usize,
        puzzles: &[Puzzle],
        in_round: bool,
    ) -> Option<Took> {
        let (grids, count) = (grids_of(puzzles), puzzles.len());
        let ran = outside.run(&grids, self.limit(trial), self.bench.cancelled);
        let ran = ran.map_err(|error| self.trials[trial].fail(error.to_string())).ok()?;
        let Ran { outcome, solving, answers, message } = ran;
        let (its, end) = (&mut self.trials[trial], outcome.end);
        let message = if message.is_empty() { message } else { format!(": {message}") };
        match end {
            End::Cancelled => return None,
            End::TimeLimit(seconds) => {
                its.give_up(seconds, count);
                return None;
            }
            End::Signal(_) => {
                its.fail(format!("crashed: {end}{message}"));
                return None;
            }
            _ => {}
        }
        let faults = (from..).zip(puzzles).zip(&answers).filter_map(|((place, puzzle), given)| {
            Some((place, puzzle, self.fault(trial, place, puzzle, given)?))
        });
        let faults: Vec<_> = faults.collect();
        let missing = faults.iter().filter(|(_, _, fault)| *fault == Fault::Missing).count();
        let of = self.list(trial);
        let process = self.trials[trial].process();
        process.checked += count as u64;
        process.missing += missing as u64;
        process.wrong += (faults.len() - missing) as u64;
        if let Some((place, puzzle, fault)) = faults.first() {
            let (line, name) = (of.lines[place % of.lines.len()], &of.listed.name);
            let number = place - from + 1;
            process.fault.get_or_insert_with(|| {
                format!("line {line} of {name}, given as line {number}: {puzzle}: {fault}")
            });
            if end != End::Code(0) {
                self.trials[trial].fail(format!("{end}{message}"));
                return None;
            }
        }
        if in_round {
            process.wall.push(outcome.wall);
            if let Some(used) = outcome.used {
                process.user.push(used.user);
                process.system.push(used.system);
                let peak = process.peak_bytes.get_or_insert_default();
                *peak = used.peak_bytes.max(*peak);
                // Page tables and the like make a small difference.
                process.peak_is_bound = *peak <= used.floor_bytes + used.floor_bytes / 50;
            }
        }
        Some(Took { solving: solving.unwrap_or(outcome.wall), whole: outcome.wall })
    }

    /// Measures a program without a puzzle, and with one.
    fn start_up(&mut self, trial: usize) {
        let Trial { list, contender, .. } = self.trials[trial];
        let Some(outside) = self.contender(trial).as_outside() else { return };
        let one: Vec<_> = self.permuted(list, 0).take(1).collect();
        let one = grids_of(&one);
        for count in [0, 1] {
            if self.is_cancelled() || self.startups[contender].hangs.is_some() {
                return;
            }
            let ran = outside.run(&one[..count], self.limit(trial), self.bench.cancelled);
            let Ok(Ran { outcome, .. }) = ran else { return };
            let startup = &mut self.startups[contender];
            match outcome.end {
                End::Code(0) => startup.times[count].push(outcome.wall),
                End::TimeLimit(limit) if count == 1 => startup.hangs = Some(limit),
                _ => {}
            }
        }
    }

    fn report(mut self) -> Report {
        for trial in &mut self.trials {
            if let Some(process) = &mut trial.row.process {
                let times = self.startups[trial.contender].times.clone();
                [process.startup_empty, process.startup_one] = times;
            }
        }
        Report {
            seed: self.bench.seed,
            rounds: self.rounds,
            seconds: self.now(),
            patience_seconds: self.patience().time.as_secs_f64(),
            interrupted: self.is_cancelled(),
            lists: self.bench.lists.iter().map(|list| list.listed.clone()).collect(),
            noise: self.noise.state(),
            rows: self.trials.into_iter().map(|trial| trial.row).collect(),
        }
    }
}
