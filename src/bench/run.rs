//! The whole measurement: a look at every engine, then rounds until the time is over.

use super::answers::Judge;
use super::check::{Expected, Wrong};
use super::clock::{Clock, SystemClock};
use super::contender::{Contender, Label};
use super::list::List;
use super::noise::Watch;
use super::outside::{End, Job, Ran};
use super::probe::{Look, look};
use super::report::{Listed, Mode, Process, Report, Row};
use super::stats::Spread;
use super::trial::{MOST_IN_A_ROUND, Trial, in_time, nanoseconds};
use crate::engine::{Answer, EngineKind};
use crate::pipeline::{Control, Event};
use crate::puzzle::{Grid, Puzzle};
use std::time::Duration;

/// The share of the time for the first look at every engine. The warm-up takes about as much again.
const LOOK_SHARE: f64 = 0.15;

/// The share of the time for the rounds. The rest is a reserve for permuting, and for puzzles that
/// take longer than others.
const ROUND_SHARE: f64 = 0.6;

/// The planned number of rounds: the error of their median is about a third of their spread.
const PLANNED_ROUNDS: u32 = 15;

/// The fewest rounds, unless the time is exceeded by [`OVERTIME`].
const FEWEST_ROUNDS: usize = 5;

/// The most rounds: more would not make the result more precise.
const MOST_ROUNDS: usize = 100;

/// The factor by which the time may be exceeded for [`FEWEST_ROUNDS`].
const OVERTIME: f64 = 1.4;

/// The patience for one puzzle is this part of the time: 0.5 s of 40 s. `scan` takes 17 ms for a
/// minimal puzzle on average, and hours for some puzzles with 17 clues. Twice the time has twice the
/// puzzles, and the slowest of them is slower.
const PATIENCE_PART: u32 = 80;

/// A short measurement gives one puzzle a larger part of its time, up to this bound.
const SHORT_PATIENCE_PART: u32 = 10;
const LONGEST_SHORT_PATIENCE: Duration = Duration::from_millis(500);

/// In the first rounds, a trial that takes less time than planned gets more puzzles, and its rounds so
/// far count as warm-up.
const TRIAL_ROUNDS: usize = 3;

/// The most puzzles of a run of a program: 41 MB. A program that solves ten million a second takes
/// 50 ms for them, many times the start-up time of most.
const MOST_IN_A_RUN: usize = 500_000;

/// The puzzles of the first run of a program. Each further one has [`GROWTH`] times as many, until it
/// takes half as long as a round.
const FIRST_RUN: usize = 16;
const GROWTH: usize = 8;

/// A round of a program takes this many times its start-up time, if the time allows.
const STARTUPS_IN_A_ROUND: f64 = 20.0;

/// A round of a program takes at most this many times as long as a round of an engine.
const LONGEST_ROUND: f64 = 8.0;

/// All answers to a list are checked once before the rounds if this takes a program no longer than
/// these seconds, or this share of the time.
const LONGEST_CHECK: f64 = 2.0;
const CHECK_SHARE: f64 = 1.0 / 40.0;

/// Start-up times of each program that are measured before the rounds. Each round adds one.
const FIRST_STARTUPS: usize = 3;

/// The share of the time for further start-up times.
const STARTUP_SHARE: f64 = 0.05;

/// The engine that counts solutions for the judge of programs: the fastest.
const COUNTER: EngineKind = EngineKind::Lanes;

/// The engine that counts solutions before all others: it shares no code with the fast engines.
const JUDGE: EngineKind = EngineKind::Dlx;

/// A measurement: engines, lists and time. See [`bench`](super) for an example.
///
/// ```
/// use crate::bench::{Bench, Contender, List, Mode};
/// use crate::engine::EngineKind;
/// use crate::engine::lanes::SimdLevel;
/// use crate::pipeline::Control;
/// use std::time::Duration;
///
/// let line = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
/// let lists = vec![List::new("easy", "", [line.parse()?])];
/// let contenders = vec![Contender::new(EngineKind::Mrv, SimdLevel::best(), 1)?];
/// let mut bench = Bench::new(lists, contenders);
/// bench.modes = vec![Mode::First];
/// bench.time = Duration::from_millis(5);
/// let report = bench.run(Control::default())?;
/// assert_eq!((report.seed, report.rows.len(), report.interrupted), (1, 1, false));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[non_exhaustive]
pub struct Bench {
    /// The lists of puzzles. Empty lists are skipped.
    pub lists: Vec<List>,
    /// What the engines look for.
    pub modes: Vec<Mode>,
    /// The engines.
    pub contenders: Vec<Contender>,
    /// The seed of all random numbers.
    pub seed: u64,
    /// The approximate time of the whole measurement.
    pub time: Duration,
}

impl Bench {
    /// A measurement in every mode, with seed 1, of 40 seconds.
    #[must_use]
    pub fn new(lists: Vec<List>, contenders: Vec<Contender>) -> Self {
        let (modes, time) = (Mode::ALL.to_vec(), Duration::from_secs(40));
        Self { lists, modes, contenders, seed: 1, time }
    }

    /// The time of one row in a round, of a measurement with so many rows.
    ///
    /// ```
    /// use crate::bench::Bench;
    /// use std::time::Duration;
    ///
    /// assert_eq!(Bench::time_in_round(Duration::from_secs(40), 16), Duration::from_millis(100));
    /// ```
    #[must_use]
    pub fn time_in_round(time: Duration, rows: usize) -> Duration {
        let rounds =
            PLANNED_ROUNDS * u32::try_from(rows.max(1)).unwrap_or(u32::MAX / PLANNED_ROUNDS);
        time.mul_f64(ROUND_SHARE) / rounds
    }

    /// Measures every contender on every list in every mode. If the measurement is cancelled, the
    /// report has the rounds so far.
    ///
    /// # Errors
    /// An engine gave a wrong answer.
    pub fn run(self, control: Control<'_>) -> Result<Report, Box<Wrong>> {
        self.run_by(&SystemClock::start(), control)
    }

    /// [`run`](Self::run) with another clock.
    pub(super) fn run_by(
        mut self,
        clock: &dyn Clock,
        control: Control<'_>,
    ) -> Result<Report, Box<Wrong>> {
        self.lists.retain(|list| !list.puzzles.is_empty());
        let mut run = Run::new(self, clock, control);
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

/// A running measurement.
struct Run<'a, 'c> {
    bench: Bench,
    clock: &'a dyn Clock,
    control: Control<'c>,
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

/// The start-up times of a program, in seconds.
#[derive(Clone, Debug, Default)]
struct Startup {
    empty: Vec<f64>,
    one: Vec<f64>,
    /// Seconds of all these runs.
    spent: f64,
    /// Whether one puzzle took longer than the time limit.
    hangs: Option<(String, Duration)>,
}

impl Startup {
    fn middle(times: &[f64]) -> f64 {
        Spread::of(times).map_or(0.0, |spread| spread.middle)
    }
}

impl<'a, 'c> Run<'a, 'c> {
    fn new(bench: Bench, clock: &'a dyn Clock, control: Control<'c>) -> Self {
        let mut trials = Vec::new();
        for list in 0..bench.lists.len() {
            for mode in 0..bench.modes.len() {
                let (name, of) = (&bench.lists[list].name, bench.modes[mode]);
                let any = !bench.lists[list].has_sukakus();
                let contenders = bench.contenders.iter().enumerate();
                let able = contenders.filter(|(_, it)| any || it.takes_sukakus());
                trials.extend(able.map(|(contender, it)| {
                    Trial::new(list, mode, contender, Row::new(name, of, it.label()))
                }));
            }
        }
        let of_list = |list: &List| {
            let modes = bench.modes.iter();
            modes.map(|&mode| Expected::new(mode, list.puzzles.len())).collect()
        };
        let expected = bench.lists.iter().map(of_list).collect();
        let looked_at = (usize::MAX, Vec::new());
        let started = clock.now();
        let startups = vec![Startup::default(); bench.contenders.len()];
        let solutions = vec![None; bench.lists.len()];
        let (noise, rounds) = (Watch::start(), 0);
        Self {
            bench,
            clock,
            control,
            started,
            trials,
            expected,
            looked_at,
            rounds,
            startups,
            solutions,
            noise,
        }
    }

    /// Seconds of each trial in this share of the time.
    #[expect(clippy::cast_precision_loss, reason = "a few hundred trials")]
    fn share_of_each(&self, share: f64) -> f64 {
        share * self.bench.time.as_secs_f64() / self.trials.len().max(1) as f64
    }

    /// Seconds of each trial in a round.
    fn slice(&self) -> f64 {
        self.share_of_each(ROUND_SHARE) / f64::from(PLANNED_ROUNDS)
    }

    fn patience(&self) -> Duration {
        let short = LONGEST_SHORT_PATIENCE.min(self.bench.time / SHORT_PATIENCE_PART);
        short.max(self.bench.time / PATIENCE_PART)
    }

    fn elapsed(&self) -> f64 {
        self.clock.since(self.started).as_secs_f64()
    }

    fn goes_on(&self) -> bool {
        let (elapsed, time) = (self.elapsed(), self.bench.time.as_secs_f64());
        let enough =
            elapsed >= time && (self.rounds >= FEWEST_ROUNDS || elapsed >= OVERTIME * time);
        let over = enough || self.rounds >= MOST_ROUNDS || self.trials.is_empty();
        !over && !self.is_cancelled()
    }

    /// Reports the progress.
    fn tell(&mut self, trial: usize) {
        let Trial { list, mode, contender, .. } = self.trials[trial];
        let Bench { lists, modes, contenders, time, .. } = &self.bench;
        let share = self.elapsed() / time.as_secs_f64().max(f64::MIN_POSITIVE);
        let stage =
            if self.rounds == 0 { "warm-up".into() } else { format!("round {}", self.rounds) };
        let (list, label) = (&lists[list].name, contenders[contender].label());
        let next = format!("{stage}: {list}, {}, {label}", modes[mode]);
        self.control.tell(&Event::Step { share: share.min(1.0), next: &next });
    }

    fn is_cancelled(&self) -> bool {
        self.control.cancel().is_requested()
    }

    /// Observes an engine on a list, warms it up, and plans its puzzles per round.
    fn look_at(&mut self, trial: usize) -> Result<(), Box<Wrong>> {
        if self.is_cancelled() {
            return Ok(());
        }
        self.tell(trial);
        if self.bench.contenders[self.trials[trial].contender].is_outside() {
            self.look_outside(trial);
            return Ok(());
        }
        let list = self.trials[trial].list;
        if self.looked_at.0 != list {
            let of = &self.bench.lists[list];
            let count = of.puzzles.len();
            self.looked_at = (list, of.permuted(self.bench.seed, list as u64, count));
        }
        let puzzles = std::mem::take(&mut self.looked_at.1);
        if !self.is_judged(trial) {
            self.judge(trial, &puzzles)?;
        }
        let until = self.clock.now().as_secs_f64() + self.share_of_each(LOOK_SHARE);
        let mut looks = Vec::new();
        for (index, puzzle) in puzzles.iter().enumerate() {
            if index > 0 && self.clock.now().as_secs_f64() >= until || self.is_cancelled() {
                break;
            }
            looks.push(self.look(trial, index, puzzle)?);
        }
        // If it was stopped, the last puzzle was left for that, and not given up on.
        if self.is_cancelled() {
            return Ok(());
        }
        let patience = self.patience();
        self.trials[trial].count_looks(&looks, patience);
        let answered = looks.iter().zip(&puzzles).filter(|(look, _)| look.answer.is_some());
        let answered: Vec<_> = answered.map(|(_, puzzle)| *puzzle).collect();
        // If some were not answered, places do not tell any more which puzzle is which.
        let place = (answered.len() == looks.len()).then_some(0);
        self.warm_up(trial, &answered, place, &looks)?;
        self.looked_at.1 = puzzles;
        Ok(())
    }

    /// Whether an engine before this one has been observed on the same list in the same mode.
    fn is_judged(&self, trial: usize) -> bool {
        let Trial { list, mode, .. } = self.trials[trial];
        self.trials[..trial].iter().any(|before| {
            let outside = self.bench.contenders[before.contender].is_outside();
            (before.list, before.mode) == (list, mode) && !outside
        })
    }

    /// Lets the judge count the solutions first, of as many puzzles as the time of a look allows,
    /// unless the judge is measured itself.
    fn judge(&mut self, trial: usize, puzzles: &[Puzzle]) -> Result<(), Box<Wrong>> {
        let Trial { list, mode, .. } = self.trials[trial];
        let name = JUDGE.name();
        let is_measured = self.bench.contenders.iter().any(|it| it.label().engine == name);
        // The judge cannot be observed on sukakus, and would take minutes for one.
        if is_measured || self.bench.lists[list].has_sukakus() {
            return Ok(());
        }
        let label = Label { engine: name.to_owned(), simd: None, threads: 1 };
        let (mut engine, limit) = (JUDGE.build(), self.bench.modes[mode].limit());
        let (patience, stopped) = (self.patience(), || self.control.cancel().is_requested());
        let until = self.clock.now().as_secs_f64() + self.share_of_each(LOOK_SHARE);
        for (index, puzzle) in puzzles.iter().enumerate() {
            if self.clock.now().as_secs_f64() >= until || stopped() {
                break;
            }
            let seen = look(engine.as_mut(), puzzle, limit, patience, self.clock, &stopped);
            if let Some(answer) = &seen.answer {
                self.expected[list][mode].check(&label, index, puzzle, answer)?;
            }
        }
        Ok(())
    }

    /// Observes an engine on one puzzle.
    fn look(&mut self, trial: usize, index: usize, puzzle: &Puzzle) -> Result<Look, Box<Wrong>> {
        let patience = self.patience();
        let Trial { list, mode, contender, .. } = self.trials[trial];
        let limit = self.bench.modes[mode].limit();
        let contender = &mut self.bench.contenders[contender];
        let label = contender.label().clone();
        let stopped = || self.control.cancel().is_requested();
        let engine = contender.engine().expect("programs are not observed");
        let seen = look(engine, puzzle, limit, patience, self.clock, &stopped);
        if let Some(answer) = &seen.answer {
            self.expected[list][mode].check(&label, index, puzzle, answer)?;
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
    ) -> Result<(), Box<Wrong>> {
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
        let all = self.bench.lists[its.list].puzzles.len();
        let mut count = answered.len();
        let mut cost = seconds.max(whole);
        while count >= all && cost < slice / 4.0 && count < MOST_IN_A_ROUND {
            count = (4 * count).min(MOST_IN_A_ROUND.max(all));
            let list = &self.bench.lists[self.trials[trial].list];
            let puzzles = list.permuted(self.bench.seed, u64::MAX - 1, count);
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
        trial.plan(all, in_time(count, cost, slice));
        Ok(())
    }

    /// Times a contender on permuted puzzles. Returns the seconds of solving, and of everything.
    /// `place` is the index of the first puzzle in its list, if the puzzles are consecutive there.
    fn time(
        &mut self,
        trial: usize,
        puzzles: &[Puzzle],
        place: Option<usize>,
    ) -> Result<(f64, f64), Box<Wrong>> {
        let Trial { list, mode, contender, .. } = self.trials[trial];
        let limit = self.bench.modes[mode].limit();
        let contender = &mut self.bench.contenders[contender];
        let label = contender.label().clone();
        let mut loose = Expected::new(self.bench.modes[mode], puzzles.len().max(1));
        let (expected, place) = match place {
            Some(place) => (&mut self.expected[list][mode], place),
            None => (&mut loose, 0),
        };
        let started = self.clock.now();
        let solved = contender.time(puzzles, limit, self.clock, &mut |from, batch, answers| {
            expected.check_all(&label, place + from, batch, answers)
        })?;
        Ok((solved.as_secs_f64(), self.clock.since(started).as_secs_f64()))
    }

    /// Times all contenders on one list, permuted anew.
    fn round(&mut self, list: usize) -> Result<(), Box<Wrong>> {
        if self.is_cancelled() {
            return Ok(());
        }
        let of = &self.bench.lists[list];
        let all = of.puzzles.len();
        // A part of the list may begin anywhere in it.
        let reach = |row: &Row| row.puzzles_per_round + if row.sample { all } else { 0 };
        let trials = self.trials.iter().filter(|trial| trial.list == list);
        let most = trials.map(|trial| reach(&trial.row)).max().unwrap_or(0);
        let stream = (self.rounds * self.bench.lists.len() + list) as u64;
        let puzzles = of.permuted(self.bench.seed, stream, most);
        for trial in 0..self.trials.len() {
            let Trial { list: its, ref row, .. } = self.trials[trial];
            let (count, sample) = (row.puzzles_per_round, row.sample);
            let failed = row.process.as_ref().is_some_and(|process| process.failure.is_some());
            let over = row.given_up > 0 || failed;
            if its != list || over || count == 0 || self.is_cancelled() {
                continue;
            }
            self.tell(trial);
            let from = if sample { self.rounds * count % all } else { 0 };
            let puzzles = &puzzles[from..from + count];
            if self.bench.contenders[self.trials[trial].contender].is_outside() {
                self.round_outside(trial, from, puzzles);
            } else {
                self.round_of(trial, from, puzzles)?;
            }
        }
        self.noise.look();
        Ok(())
    }

    /// Times one contender. If some puzzles may take it too long, it is observed on each first.
    fn round_of(
        &mut self,
        trial: usize,
        from: usize,
        puzzles: &[Puzzle],
    ) -> Result<(), Box<Wrong>> {
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
        let trial = &mut self.trials[trial];
        if early && trial.can_grow() && seconds.max(whole) < slice / 2.0 {
            trial.grow(self.bench.lists[trial.list].puzzles.len());
            return Ok(());
        }
        trial.spend(seconds, puzzles.len());
        trial.row.rounds.push(nanoseconds(seconds, puzzles.len()));
        Ok(())
    }

    /// Measures the start-up time of a program, finds out how many puzzles it solves in the time of a
    /// round, and checks its answers to them.
    fn look_outside(&mut self, trial: usize) {
        let Trial { list, mode, contender, .. } = self.trials[trial];
        let command = self.bench.contenders[contender].as_outside().map(|it| it.command());
        let command = command.unwrap_or_default();
        self.trials[trial].row.process = Some(Process { command, ..Process::default() });
        self.count_solutions(list);
        if self.startups[contender].one.is_empty() && self.startups[contender].hangs.is_none() {
            let limit = self.bench.modes[mode].limit();
            (0..FIRST_STARTUPS).for_each(|_| self.start_up(list, limit, contender));
        }
        if self.is_cancelled() {
            return;
        }
        let startup = self.startups[contender].clone();
        if let Some((failure, limit)) = startup.hangs {
            self.fail(trial, failure);
            self.trials[trial].row.given_up = 1;
            self.trials[trial].row.at_least = Some(nanoseconds(limit.as_secs_f64(), 1));
            return;
        }
        let empty = Startup::middle(&startup.empty);
        let slice = (STARTUPS_IN_A_ROUND * empty).min(LONGEST_ROUND * self.slice());
        let slice = slice.max(self.slice());
        let all = self.bench.lists[list].puzzles.len();
        let most = MOST_IN_A_RUN.max(all);
        // A program that needs seconds for a puzzle begins with one.
        let each = Startup::middle(&startup.one) - empty;
        let mut count = in_time(1, each, slice).clamp(1, FIRST_RUN.min(most));
        loop {
            let puzzles = self.bench.lists[list].permuted(self.bench.seed, u64::MAX - 2, count);
            let Some(seconds) = self.run_outside(trial, 0, &puzzles, Timed::No) else { return };
            let rest = seconds - empty;
            let enough = seconds >= slice / 2.0 || count >= most || rest > slice / 5.0;
            // One wrong answer in a list should not stay unseen because the rounds are short.
            // Start-up times vary, so a longer run is tried if it is surely short enough.
            let times = Self::times(all.min(GROWTH * count), count);
            let longest = self.longest_check();
            let whole = rest.max(0.0) * Self::times(all, count);
            if count < all && (seconds * times <= longest || whole <= longest) {
                count = (GROWTH * count).min(all);
            } else if enough {
                let count = in_time(count, rest.max(seconds / 10.0), slice - empty);
                self.trials[trial].plan_up_to(MOST_IN_A_RUN, all, count);
                return;
            } else {
                count = (GROWTH * count).min(most);
            }
        }
    }

    /// Seconds that the answers of a program to a whole list may take before the rounds.
    fn longest_check(&self) -> f64 {
        LONGEST_CHECK.max(CHECK_SHARE * self.bench.time.as_secs_f64())
    }

    #[expect(clippy::cast_precision_loss, reason = "a number of puzzles")]
    fn times(all: usize, count: usize) -> f64 {
        all as f64 / count.max(1) as f64
    }

    /// Times a program in a round.
    fn round_outside(&mut self, trial: usize, from: usize, puzzles: &[Puzzle]) {
        if let Some(seconds) = self.run_outside(trial, from, puzzles, Timed::Yes) {
            let (slice, early) = (self.slice(), self.rounds <= TRIAL_ROUNDS);
            let all = self.bench.lists[self.trials[trial].list].puzzles.len();
            let its = &mut self.trials[trial];
            let more = GROWTH / 2 * puzzles.len();
            if early && seconds < slice / 4.0 && more <= MOST_IN_A_RUN {
                // The first look at it was disturbed.
                its.plan_up_to(MOST_IN_A_RUN, all, more);
                its.row.rounds.clear();
                let process = its.row.process.get_or_insert_default();
                for times in [&mut process.wall, &mut process.user, &mut process.system] {
                    times.clear();
                }
                return;
            }
            its.spend(seconds, puzzles.len());
            its.row.rounds.push(nanoseconds(seconds, puzzles.len()));
        }
    }

    /// Runs a program and checks its answers. Returns its seconds; `None` if it failed, or if the
    /// measurement was cancelled.
    fn run_outside(
        &mut self,
        trial: usize,
        from: usize,
        puzzles: &[Puzzle],
        timed: Timed,
    ) -> Option<f64> {
        let Trial { list, mode, contender, .. } = self.trials[trial];
        let limit = self.bench.modes[mode].limit();
        let grids = grids_of(puzzles);
        let ran = self.start(contender, &grids, limit);
        let ran = match ran {
            Ok(Ran { end: End::Cancelled, .. }) => return None,
            Ok(ran) => ran,
            Err(failure) => {
                self.fail(trial, failure);
                return None;
            }
        };
        let count = puzzles.len();
        let its = &mut self.trials[trial];
        match ran.end {
            End::TimeLimit(time) => {
                its.row.given_up += count;
                its.row.at_least = Some(nanoseconds(time.as_secs_f64(), count));
                let plural = if count == 1 { "" } else { "s" };
                self.fail(trial, format!("{} with {count} puzzle{plural}", ran.end));
                return None;
            }
            End::Signal(_) => {
                self.fail(trial, format!("crashed: {}{}", ran.end, message(&ran)));
                return None;
            }
            _ => {}
        }
        let of = &self.bench.lists[list];
        let all = of.puzzles.len();
        let solutions = self.solutions[list].as_deref().unwrap_or_default();
        let solutions: Vec<u8> = (from..from + count).map(|place| solutions[place % all]).collect();
        let judge = Judge { puzzles: &grids, solutions: &solutions, limit };
        let tally = judge.judge(&ran.answers);
        let process = its.row.process.get_or_insert_default();
        process.checked += tally.puzzles;
        process.wrong += tally.wrong;
        process.missing += tally.missing;
        if let Some((place, fault)) = &tally.first {
            let line = of.lines[(from + place) % all];
            let (name, number, puzzle) = (&of.name, place + 1, grids[*place]);
            process.fault.get_or_insert_with(|| {
                format!("line {line} of {name}, given as line {number}: {puzzle}: {fault}")
            });
            if ran.end != End::Code(0) {
                self.fail(trial, format!("{}{}", ran.end, message(&ran)));
                return None;
            }
        }
        if timed == Timed::Yes {
            process.wall.push(ran.wall.as_secs_f64());
            if let Some(usage) = ran.usage {
                process.user.push(usage.user.as_secs_f64());
                process.system.push(usage.system.as_secs_f64());
                let peak = process.peak_bytes.get_or_insert_default();
                *peak = usage.peak_bytes.max(*peak);
                // Page tables and the like make a small difference.
                process.peak_is_bound = *peak <= usage.floor_bytes + usage.floor_bytes / 50;
            }
        }
        Some(ran.solving.unwrap_or(ran.wall).as_secs_f64())
    }

    /// Runs a program.
    fn start(&mut self, contender: usize, grids: &[Grid], limit: usize) -> Result<Ran, String> {
        let outside = self.bench.contenders[contender].as_outside().expect("it is a program");
        let job = Job::new(grids, limit);
        outside.run(job, self.control.cancel()).map_err(|error| error.to_string())
    }

    /// Records why a program is not measured any more.
    fn fail(&mut self, trial: usize, failure: String) {
        self.trials[trial].row.process.get_or_insert_default().failure = Some(failure);
    }

    /// Measures a program without a puzzle, and with one.
    fn start_up(&mut self, list: usize, limit: usize, contender: usize) {
        let one = self.bench.lists[list].permuted(self.bench.seed, u64::MAX - 3, 1);
        let one = grids_of(&one);
        for (puzzles, is_empty) in [(&one[..0], true), (&one[..], false)] {
            if self.is_cancelled() || self.startups[contender].hangs.is_some() {
                return;
            }
            let Ok(ran) = self.start(contender, puzzles, limit) else { return };
            let startup = &mut self.startups[contender];
            let seconds = ran.wall.as_secs_f64();
            startup.spent += seconds;
            match ran.end {
                End::Code(0) if is_empty => startup.empty.push(seconds),
                End::Code(0) => startup.one.push(seconds),
                End::TimeLimit(time) if !is_empty => {
                    startup.hangs = Some((format!("{} with 1 puzzle", ran.end), time));
                }
                _ => {}
            }
        }
    }

    /// Measures the start-up times again, as long as they take little of the time.
    fn more_startups(&mut self) {
        let most = STARTUP_SHARE * self.bench.time.as_secs_f64();
        for contender in 0..self.bench.contenders.len() {
            let startup = &self.startups[contender];
            let known = !startup.empty.is_empty() || !startup.one.is_empty();
            if known && startup.spent < most && !self.is_cancelled() {
                let trial = self.trials.iter().find(|trial| trial.contender == contender);
                if let Some(&Trial { list, mode, .. }) = trial {
                    self.start_up(list, self.bench.modes[mode].limit(), contender);
                }
            }
        }
    }

    /// Counts the solutions of each puzzle of a list, up to 2.
    fn count_solutions(&mut self, list: usize) {
        if self.solutions[list].is_some() {
            return;
        }
        let mut answers: Vec<Answer> = Vec::new();
        COUNTER.build().solve_batch(&grids_of(&self.bench.lists[list].puzzles), 2, &mut answers);
        let counts = answers.iter().map(|answer| u8::try_from(answer.count).unwrap_or(2));
        self.solutions[list] = Some(counts.collect());
    }

    fn report(mut self) -> Report {
        for trial in &mut self.trials {
            if let Some(process) = &mut trial.row.process {
                let Startup { empty, one, .. } = self.startups[trial.contender].clone();
                (process.startup_empty, process.startup_one) = (empty, one);
            }
        }
        let noise = self.noise.state();
        let lists = self.bench.lists.iter().map(|list| Listed {
            name: list.name.clone(),
            about: list.about.clone(),
            puzzles: list.total,
            kept: list.puzzles.len(),
            hash: Some(format!("{:016x}", list.hash)),
            fingerprint: Some(format!("{:032x}", list.fingerprint)),
        });
        Report {
            seed: self.bench.seed,
            rounds: self.rounds,
            seconds: self.elapsed(),
            patience_seconds: self.patience().as_secs_f64(),
            interrupted: self.is_cancelled(),
            lists: lists.collect(),
            rows: self.trials.into_iter().map(|trial| trial.row).collect(),
            noise,
        }
    }
}

/// Whether a run of a program is part of the results.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Timed {
    Yes,
    No,
}

/// The grids among puzzles: all of them, for a program.
fn grids_of(puzzles: &[Puzzle]) -> Vec<Grid> {
    let grids = puzzles.iter().filter_map(|puzzle| match puzzle {
        Puzzle::Grid(grid) => Some(*grid),
        Puzzle::Sukaku(_) => None,
    });
    grids.collect()
}

/// The last line that a program wrote to standard error.
fn message(ran: &Ran) -> String {
    if ran.message.is_empty() { String::new() } else { format!(": {}", ran.message) }
}
