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

use crate::Error;
use crate::check::Expected;
use crate::child::End;
use crate::contender::{Clock, Contender, Look, Means, Patience, look};
use crate::judge::Judge;
use crate::list::{List, grids_of};
use crate::noise::Watch;
use crate::outside::Ran;
use crate::report::{Label, Mode, Process, Report, Row};
use crate::stats::Spread;
use ninefold_core::engine::{Answer, EngineKind};
use ninefold_core::puzzle::{Grid, Puzzle};
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
/// takes half as long as a round.
const FIRST_RUN: usize = 16;
const GROWTH: usize = 8;

/// A round of a program takes this many times its start-up time, if the time allows: at most
/// [`LONGEST_ROUND`] times as long as a round of an engine.
const STARTUPS_IN_A_ROUND: f64 = 20.0;
const LONGEST_ROUND: f64 = 8.0;

/// All answers to a list are checked once before the rounds if this takes a program no longer than
/// these seconds, or this share of the time.
const LONGEST_CHECK: f64 = 2.0;
const CHECK_SHARE: f64 = 1.0 / 40.0;

/// Start-up times of each program that are measured before the rounds. Each round adds one, up to this
/// share of the time.
const FIRST_STARTUPS: usize = 3;
const STARTUP_SHARE: f64 = 0.05;

/// An engine whose slowest puzzle takes at most 1 / 100 of the patience is not observed before each
/// round. No permutation makes a puzzle 100 times as hard for an engine that chooses where to branch,
/// and other engines soon exceed this share.
const STEADY_SHARE: u32 = 100;

/// The assumed slowdown of an observed engine that has answered nothing yet: `scan` counts the digits
/// of a cell before it tries them.
const LOOK_COST: f64 = 2.0;

/// The engine that counts solutions for the judge of programs: the fastest.
const COUNTER: EngineKind = EngineKind::Lanes;

/// The engine that counts solutions before all others: it shares no code with the fast engines.
const JUDGE: EngineKind = EngineKind::Dlx;

/// A measurement.
pub(crate) struct Bench<'a> {
    pub(crate) lists: Vec<List>,
    pub(crate) modes: Vec<Mode>,
    pub(crate) contenders: Vec<Contender>,
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

/// One row that is being measured.
struct Trial {
    list: usize,
    mode: usize,
    contender: usize,
    row: Row,
    /// Whether it can be timed without being observed first.
    steady: bool,
    /// The slowdown of the engine while it is observed.
    look_cost: f64,
    /// Seconds and puzzles that were timed or given up on.
    spent: f64,
    puzzles: usize,
}

impl Trial {
    /// Records the observations.
    fn count_looks(&mut self, looks: &[Look], patience: Duration) {
        self.steady = looks.iter().all(|look| look.time <= patience / STEADY_SHARE);
        let answered = || looks.iter().filter(|look| look.answer.is_some());
        self.row.looked_at = looks.len();
        self.row.given_up = looks.len() - answered().count();
        self.row.branches = answered().map(|look| look.branches).sum();
        self.row.without_search = answered().filter(|look| look.branches == Some(0)).count();
    }

    /// Sets the puzzles of each round of a list of `all` puzzles, `most` or the list at most: whole
    /// lists, or a part if the solver is too slow for one.
    fn plan(&mut self, most: usize, all: usize, count: usize) {
        let count = count.clamp(1, most.max(all));
        self.row.sample = count < all;
        self.row.puzzles_per_round = if count < all { count } else { count - count % all };
    }

    fn spend(&mut self, seconds: f64, puzzles: usize) {
        self.spent += seconds;
        self.puzzles += puzzles;
    }

    /// Records a round.
    fn finish_round(&mut self, seconds: f64, puzzles: usize) {
        self.spend(seconds, puzzles);
        self.row.rounds.push(nanoseconds(seconds, puzzles));
    }

    /// Gives up: after these observed seconds, `puzzles` more puzzles were not answered.
    fn give_up(&mut self, seconds: f64, puzzles: usize) {
        self.row.given_up += puzzles;
        self.spend(seconds / self.look_cost, puzzles.max(self.row.given_up));
        self.row.at_least = Some(nanoseconds(self.spent, self.puzzles));
    }

    fn process(&mut self) -> &mut Process {
        self.row.process.get_or_insert_default()
    }

    /// Records why a program is not measured any more.
    fn fail(&mut self, failure: String) {
        self.process().failure = Some(failure);
    }
}

/// The start-up times of a program, in seconds.
#[derive(Clone, Default)]
struct Startup {
    empty: Vec<f64>,
    one: Vec<f64>,
    /// Seconds of all these runs.
    spent: f64,
    /// The failure and the time limit, if one puzzle took longer.
    hangs: Option<(String, f64)>,
}

/// A running measurement.
struct Run<'a> {
    bench: Bench<'a>,
    started: Duration,
    trials: Vec<Trial>,
    /// For each list, and in it each mode.
    expected: Vec<Vec<Expected>>,
    /// The permuted puzzles of the list that was looked at last.
    looked_at: (usize, Vec<Puzzle>),
    rounds: usize,
    /// The start-up times of each contender.
    startups: Vec<Startup>,
    /// For each list, the solutions of each puzzle, counted up to 2, once they are needed.
    solutions: Vec<Option<Vec<u8>>>,
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
            run.more_startups();
        }
        Ok(run.report())
    }
}

impl<'a> Run<'a> {
    fn new(bench: Bench<'a>) -> Self {
        let mut trials = Vec::new();
        for (list, of) in bench.lists.iter().enumerate() {
            let any = !of.has_sukakus();
            for (mode, &name) in bench.modes.iter().enumerate() {
                let contenders = bench.contenders.iter().enumerate();
                let able = contenders.filter(|(_, it)| any || it.takes_sukakus);
                trials.extend(able.map(|(contender, it)| {
                    let row = Row::new(&of.listed.name, name, &it.label);
                    let (steady, look_cost, spent, puzzles) = (true, LOOK_COST, 0.0, 0);
                    Trial { list, mode, contender, row, steady, look_cost, spent, puzzles }
                }));
            }
        }
        let of_list = |list: &List| {
            let modes = bench.modes.iter();
            modes.map(|&mode| Expected::new(mode, list.puzzles.len())).collect()
        };
        Self {
            started: (bench.clock)(),
            trials,
            expected: bench.lists.iter().map(of_list).collect(),
            looked_at: (usize::MAX, Vec::new()),
            rounds: 0,
            startups: vec![Startup::default(); bench.contenders.len()],
            solutions: vec![None; bench.lists.len()],
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
        let enough =
            elapsed >= time && (self.rounds >= FEWEST_ROUNDS || elapsed >= OVERTIME * time);
        let over = enough || self.rounds >= MOST_ROUNDS || self.trials.is_empty();
        !over && !self.is_cancelled()
    }

    fn is_cancelled(&self) -> bool {
        (self.bench.cancelled)()
    }

    /// The number of solutions that a row looks for.
    fn limit(&self, trial: usize) -> usize {
        self.trials[trial].row.mode.limit()
    }

    fn is_outside(&self, trial: &Trial) -> bool {
        self.bench.contenders[trial.contender].is_outside()
    }

    fn permuted(&self, list: usize, round: u64, count: usize) -> Vec<Puzzle> {
        self.bench.lists[list].permuted(self.bench.seed, round, count)
    }

    /// Reports the progress.
    fn tell(&mut self, trial: usize) {
        let Row { list, mode, label, .. } = &self.trials[trial].row;
        let stage = match self.rounds {
            0 => "warm-up".to_owned(),
            rounds => format!("round {rounds}"),
        };
        let share = self.now() / self.bench.seconds.max(f64::MIN_POSITIVE);
        (self.bench.progress)(share.min(1.0), &format!("{stage}: {list}, {mode}, {label}"));
    }

    /// Observes an engine on a list, warms it up, and plans its puzzles per round.
    fn look_at(&mut self, trial: usize) -> Result<(), Error> {
        if self.is_cancelled() {
            return Ok(());
        }
        self.tell(trial);
        if self.is_outside(&self.trials[trial]) {
            self.look_outside(trial);
            return Ok(());
        }
        let Trial { list, mode, .. } = self.trials[trial];
        if self.looked_at.0 != list {
            let count = self.bench.lists[list].puzzles.len();
            self.looked_at = (list, self.permuted(list, list as u64, count));
        }
        let puzzles = std::mem::take(&mut self.looked_at.1);
        // Whether an engine before this one has been observed on the same list in the same mode.
        let is_judged = self.trials[..trial]
            .iter()
            .any(|before| (before.list, before.mode) == (list, mode) && !self.is_outside(before));
        if !is_judged {
            self.judge(trial, &puzzles)?;
        }
        let until = self.now() + self.look_seconds();
        let mut looks = Vec::new();
        for (index, puzzle) in puzzles.iter().enumerate() {
            if index > 0 && self.now() >= until || self.is_cancelled() {
                break;
            }
            looks.push(self.look(trial, index, puzzle)?);
        }
        // If it was stopped, the last puzzle was left for that, and not given up on.
        if self.is_cancelled() {
            return Ok(());
        }
        let patience = self.patience().time;
        self.trials[trial].count_looks(&looks, patience);
        let answered = looks.iter().zip(&puzzles).filter(|(look, _)| look.answer.is_some());
        let answered: Vec<_> = answered.map(|(_, puzzle)| *puzzle).collect();
        // If some were not answered, places do not tell any more which puzzle is which.
        let place = (answered.len() == looks.len()).then_some(0);
        self.warm_up(trial, &answered, place, &looks)?;
        self.looked_at.1 = puzzles;
        Ok(())
    }

    /// Lets the judge count the solutions first, of as many puzzles as the time of a look allows,
    /// unless the judge is measured itself.
    fn judge(&mut self, trial: usize, puzzles: &[Puzzle]) -> Result<(), Error> {
        let Trial { list, mode, .. } = self.trials[trial];
        let label = Label::new(JUDGE.name());
        let is_measured = self.bench.contenders.iter().any(|it| it.label.engine == label.engine);
        // The judge cannot be observed on sukakus, and would take minutes for one.
        if is_measured || self.bench.lists[list].has_sukakus() {
            return Ok(());
        }
        let (mut engine, limit, patience) = (JUDGE.build(), self.limit(trial), self.patience());
        let until = self.now() + self.look_seconds();
        for (index, puzzle) in puzzles.iter().enumerate() {
            if self.now() >= until || self.is_cancelled() {
                break;
            }
            if let Some(answer) = look(engine.as_mut(), puzzle, limit, &patience).answer {
                self.expected[list][mode].check(&label, index, puzzle, &answer)?;
            }
        }
        Ok(())
    }

    /// Observes an engine on one puzzle.
    fn look(&mut self, trial: usize, index: usize, puzzle: &Puzzle) -> Result<Look, Error> {
        let (limit, patience) = (self.limit(trial), self.patience());
        let Trial { list, mode, contender, .. } = self.trials[trial];
        let contender = &mut self.bench.contenders[contender];
        let seen = contender.look(puzzle, limit, &patience);
        if let Some(answer) = &seen.answer {
            self.expected[list][mode].check(&contender.label, index, puzzle, answer)?;
        }
        Ok(seen)
    }

    /// Times the puzzles that were answered: first as warm-up, then more of them until the puzzles per
    /// round are known.
    fn warm_up(
        &mut self,
        trial: usize,
        answered: &[Puzzle],
        place: Option<usize>,
        looks: &[Look],
    ) -> Result<(), Error> {
        let (seconds, whole) = self.time(trial, answered, place)?;
        let of = |answered: bool| {
            let looks = looks.iter().filter(|look| look.answer.is_some() == answered);
            looks.map(|look| look.time).sum::<Duration>().as_secs_f64()
        };
        let (slice, its) = (self.slice(), &mut self.trials[trial]);
        if seconds > 0.0 {
            its.look_cost = (of(true) / seconds).max(1.0);
        }
        its.spend(seconds, answered.len());
        if its.row.given_up > 0 {
            its.give_up(of(false), 0);
            return Ok(());
        }
        let list = its.list;
        let all = self.bench.lists[list].puzzles.len();
        let (mut count, mut cost) = (answered.len(), seconds.max(whole));
        while count >= all && cost < slice / 4.0 && count < MOST_IN_A_ROUND {
            count = (4 * count).min(MOST_IN_A_ROUND.max(all));
            let puzzles = self.permuted(list, u64::MAX - 1, count);
            let (timed, whole) = self.time(trial, &puzzles, Some(0))?;
            cost = timed.max(whole);
            if self.is_cancelled() || cost <= 0.0 {
                break;
            }
        }
        let trial = &mut self.trials[trial];
        if !trial.steady {
            cost += of(true);
        }
        trial.plan(MOST_IN_A_ROUND, all, in_time(count, cost, slice));
        Ok(())
    }

    /// Times an engine on permuted puzzles. Returns the seconds of solving, and of everything.
    /// `place` is the index of the first puzzle in its list, if the puzzles are consecutive there.
    fn time(
        &mut self,
        trial: usize,
        puzzles: &[Puzzle],
        place: Option<usize>,
    ) -> Result<(f64, f64), Error> {
        let (started, limit) = (self.now(), self.limit(trial));
        let Trial { list, mode, contender, .. } = self.trials[trial];
        let contender = &mut self.bench.contenders[contender];
        let label = contender.label.clone();
        let mut loose = Expected::new(self.bench.modes[mode], puzzles.len().max(1));
        let (expected, place) = match place {
            Some(place) => (&mut self.expected[list][mode], place),
            None => (&mut loose, 0),
        };
        let mut check = |from, batch: &[Puzzle], answers: &[Answer]| {
            expected.check_all(&label, place + from, batch, answers)
        };
        let solved = contender.time(puzzles, limit, self.bench.clock, &mut check)?;
        Ok((solved.as_secs_f64(), self.now() - started))
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
        let stream = (self.rounds * self.bench.lists.len() + list) as u64;
        let puzzles = self.permuted(list, stream, most);
        for trial in 0..self.trials.len() {
            let Trial { list: its, ref row, .. } = self.trials[trial];
            let (count, sample) = (row.puzzles_per_round, row.sample);
            let over = row.given_up > 0 || row.has_failed();
            if its != list || over || count == 0 || self.is_cancelled() {
                continue;
            }
            self.tell(trial);
            let from = if sample { self.rounds * count % all } else { 0 };
            let puzzles = &puzzles[from..from + count];
            if self.is_outside(&self.trials[trial]) {
                self.round_outside(trial, from, puzzles);
            } else {
                self.round_of(trial, from, puzzles)?;
            }
        }
        self.noise.look();
        Ok(())
    }

    /// Times one engine. If some puzzles may take it too long, it is observed on each first.
    fn round_of(&mut self, trial: usize, from: usize, puzzles: &[Puzzle]) -> Result<(), Error> {
        if !self.trials[trial].steady {
            for (index, puzzle) in puzzles.iter().enumerate() {
                let seen = self.look(trial, from + index, puzzle)?;
                if self.is_cancelled() {
                    return Ok(());
                }
                if seen.answer.is_none() {
                    self.trials[trial].give_up(seen.time.as_secs_f64(), 1);
                    return Ok(());
                }
            }
        }
        let (seconds, whole) = self.time(trial, puzzles, Some(from))?;
        let (slice, early) = (self.slice(), self.rounds <= TRIAL_ROUNDS);
        let its = &mut self.trials[trial];
        let more = 2 * its.row.puzzles_per_round;
        let can_grow = its.steady && more <= MOST_IN_A_ROUND;
        if early && can_grow && seconds.max(whole) < slice / 2.0 {
            its.plan(MOST_IN_A_ROUND, self.bench.lists[its.list].puzzles.len(), more);
            its.row.rounds.clear();
            return Ok(());
        }
        its.finish_round(seconds, puzzles.len());
        Ok(())
    }

    /// Measures the start-up time of a program, finds out how many puzzles it solves in the time of a
    /// round, and checks its answers to them.
    fn look_outside(&mut self, trial: usize) {
        let Trial { list, contender, .. } = self.trials[trial];
        if let Means::Outside(outside) = &self.bench.contenders[contender].means {
            self.trials[trial].process().command = outside.command().to_owned();
        }
        self.count_solutions(list);
        if self.startups[contender].one.is_empty() && self.startups[contender].hangs.is_none() {
            (0..FIRST_STARTUPS).for_each(|_| self.start_up(trial));
        }
        if self.is_cancelled() {
            return;
        }
        let startup = self.startups[contender].clone();
        if let Some((failure, limit)) = startup.hangs {
            let its = &mut self.trials[trial];
            its.fail(failure);
            its.row.given_up = 1;
            its.row.at_least = Some(nanoseconds(limit, 1));
            return;
        }
        let empty = Spread::median(&startup.empty).unwrap_or(0.0);
        let slice = (STARTUPS_IN_A_ROUND * empty).min(LONGEST_ROUND * self.slice());
        let slice = slice.max(self.slice());
        let all = self.bench.lists[list].puzzles.len();
        let most = MOST_IN_A_RUN.max(all);
        let longest_check = LONGEST_CHECK.max(CHECK_SHARE * self.bench.seconds);
        // A program that needs seconds for a puzzle begins with one.
        let each = Spread::median(&startup.one).unwrap_or(0.0) - empty;
        let mut count = in_time(1, each, slice).clamp(1, FIRST_RUN.min(most));
        loop {
            let puzzles = self.permuted(list, u64::MAX - 2, count);
            let Some(seconds) = self.run_outside(trial, 0, &puzzles, false) else { return };
            let rest = seconds - empty;
            let enough = seconds >= slice / 2.0 || count >= most || rest > slice / 5.0;
            // One wrong answer in a list should not stay unseen because the rounds are short.
            // Start-up times vary, so a longer run is tried if it is surely short enough.
            let times = |puzzles: usize| puzzles as f64 / count as f64;
            let next = seconds * times(all.min(GROWTH * count));
            let whole = rest.max(0.0) * times(all);
            if count < all && next.min(whole) <= longest_check {
                count = (GROWTH * count).min(all);
            } else if enough {
                let count = in_time(count, rest.max(seconds / 10.0), slice - empty);
                self.trials[trial].plan(MOST_IN_A_RUN, all, count);
                return;
            } else {
                count = (GROWTH * count).min(most);
            }
        }
    }

    /// Times a program in a round.
    fn round_outside(&mut self, trial: usize, from: usize, puzzles: &[Puzzle]) {
        let Some(seconds) = self.run_outside(trial, from, puzzles, true) else { return };
        let (slice, early) = (self.slice(), self.rounds <= TRIAL_ROUNDS);
        let its = &mut self.trials[trial];
        let more = GROWTH / 2 * puzzles.len();
        if early && seconds < slice / 4.0 && more <= MOST_IN_A_RUN {
            // The first look at it was disturbed.
            its.plan(MOST_IN_A_RUN, self.bench.lists[its.list].puzzles.len(), more);
            its.row.rounds.clear();
            let process = its.process();
            for times in [&mut process.wall, &mut process.user, &mut process.system] {
                times.clear();
            }
            return;
        }
        its.finish_round(seconds, puzzles.len());
    }

    /// Runs a program and checks its answers. Returns its seconds; `None` if it failed, or if the
    /// measurement was cancelled.
    fn run_outside(
        &mut self,
        trial: usize,
        from: usize,
        puzzles: &[Puzzle],
        timed: bool,
    ) -> Option<f64> {
        let (limit, grids, count) = (self.limit(trial), grids_of(puzzles), puzzles.len());
        let ran = self.start(trial, &grids);
        let its = &mut self.trials[trial];
        let ran = ran.map_err(|failure| its.fail(failure)).ok()?;
        let end = &ran.outcome.end;
        let message = match &*ran.message {
            "" => String::new(),
            message => format!(": {message}"),
        };
        match *end {
            End::Cancelled => return None,
            End::TimeLimit(seconds) => {
                its.row.given_up += count;
                its.row.at_least = Some(nanoseconds(seconds, count));
                let plural = if count == 1 { "" } else { "s" };
                its.fail(format!("{end} with {count} puzzle{plural}"));
                return None;
            }
            End::Signal(_) => {
                its.fail(format!("crashed: {end}{message}"));
                return None;
            }
            _ => {}
        }
        let of = &self.bench.lists[its.list];
        let all = of.puzzles.len();
        let solutions = self.solutions[its.list].as_deref().unwrap_or_default();
        let solutions: Vec<u8> = (from..from + count).map(|place| solutions[place % all]).collect();
        let judge = Judge { puzzles: &grids, solutions: &solutions, limit };
        let tally = judge.judge(&ran.answers);
        let process = its.process();
        process.checked += tally.puzzles;
        process.wrong += tally.wrong;
        process.missing += tally.missing;
        if let Some((place, fault)) = &tally.first {
            let line = of.lines[(from + place) % all];
            let (name, number, puzzle) = (&of.listed.name, place + 1, grids[*place]);
            process.fault.get_or_insert_with(|| {
                format!("line {line} of {name}, given as line {number}: {puzzle}: {fault}")
            });
            if *end != End::Code(0) {
                its.fail(format!("{end}{message}"));
                return None;
            }
        }
        if timed {
            process.wall.push(ran.outcome.wall);
            if let Some(used) = ran.outcome.used {
                process.user.push(used.user);
                process.system.push(used.system);
                let peak = process.peak_bytes.get_or_insert_default();
                *peak = used.peak_bytes.max(*peak);
                // Page tables and the like make a small difference.
                process.peak_is_bound = *peak <= used.floor_bytes + used.floor_bytes / 50;
            }
        }
        Some(ran.solving.unwrap_or(ran.outcome.wall))
    }

    /// Runs a program.
    fn start(&self, trial: usize, grids: &[Grid]) -> Result<Ran, String> {
        let Means::Outside(outside) = &self.bench.contenders[self.trials[trial].contender].means
        else {
            unreachable!("engines are not started")
        };
        let ran = outside.run(grids, self.limit(trial), self.bench.cancelled);
        ran.map_err(|error| error.to_string())
    }

    /// Measures a program without a puzzle, and with one.
    fn start_up(&mut self, trial: usize) {
        let Trial { list, contender, .. } = self.trials[trial];
        let one = grids_of(&self.permuted(list, u64::MAX - 3, 1));
        for puzzles in [&one[..0], &one[..]] {
            if self.is_cancelled() || self.startups[contender].hangs.is_some() {
                return;
            }
            let Ok(ran) = self.start(trial, puzzles) else { return };
            let startup = &mut self.startups[contender];
            let seconds = ran.outcome.wall;
            startup.spent += seconds;
            match ran.outcome.end {
                End::Code(0) if puzzles.is_empty() => startup.empty.push(seconds),
                End::Code(0) => startup.one.push(seconds),
                End::TimeLimit(limit) if !puzzles.is_empty() => {
                    startup.hangs = Some((format!("{} with 1 puzzle", ran.outcome.end), limit));
                }
                _ => {}
            }
        }
    }

    /// Measures the start-up times again, as long as they take little of the time.
    fn more_startups(&mut self) {
        let most = STARTUP_SHARE * self.bench.seconds;
        for contender in 0..self.bench.contenders.len() {
            let startup = &self.startups[contender];
            let known = !startup.empty.is_empty() || !startup.one.is_empty();
            if known && startup.spent < most && !self.is_cancelled() {
                let trial = self.trials.iter().position(|trial| trial.contender == contender);
                if let Some(trial) = trial {
                    self.start_up(trial);
                }
            }
        }
    }

    /// Counts the solutions of each puzzle of a list, up to 2.
    fn count_solutions(&mut self, list: usize) {
        let puzzles = &self.bench.lists[list].puzzles;
        self.solutions[list].get_or_insert_with(|| {
            let mut answers: Vec<Answer> = Vec::new();
            COUNTER.build().solve_batch(&grids_of(puzzles), 2, &mut answers);
            answers.iter().map(|answer| u8::try_from(answer.count).unwrap_or(2)).collect()
        });
    }

    fn report(mut self) -> Report {
        for trial in &mut self.trials {
            if let Some(process) = &mut trial.row.process {
                let Startup { empty, one, .. } = self.startups[trial.contender].clone();
                (process.startup_empty, process.startup_one) = (empty, one);
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
