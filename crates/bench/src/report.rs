//! The results: a row for each contender, list and mode; and how two measurements differ.

use crate::noise::Noise;
use crate::stats::{Spread, rank_test};
use serde::{Deserialize, Serialize};
use std::fmt;

/// How many solutions a solver looks for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Mode {
    /// the first solution
    #[default]
    First,
    /// a second solution, as proof that there is none
    Unique,
}

impl Mode {
    pub(crate) const ALL: [Self; 2] = [Self::First, Self::Unique];

    /// The number of solutions after which a solver leaves a puzzle.
    pub(crate) const fn limit(self) -> usize {
        self as usize + 1
    }
}

impl fmt::Display for Mode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(["first", "unique"][*self as usize])
    }
}

/// The name of a contender.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Label {
    pub(crate) engine: String,
    /// The SIMD level, if the engine depends on it.
    pub(crate) simd: Option<String>,
    pub(crate) threads: usize,
}

impl Label {
    pub(crate) fn new(engine: &str, threads: usize) -> Self {
        Self { engine: engine.to_owned(), simd: None, threads }
    }

    /// The name without the threads.
    pub(crate) fn solver(&self) -> String {
        let simd = self.simd.as_ref().map(|simd| format!(" ({simd})"));
        self.engine.clone() + &simd.unwrap_or_default()
    }
}

impl fmt::Display for Label {
    /// `lanes (avx2), 2 threads`; one thread is not mentioned.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.solver())?;
        if self.threads > 1 { write!(f, ", {} threads", self.threads) } else { Ok(()) }
    }
}

/// A list that was timed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Listed {
    pub(crate) name: String,
    /// A description of a few words.
    pub(crate) about: String,
    pub(crate) puzzles: u64,
    /// The number of puzzles in the sample.
    pub(crate) kept: usize,
    /// A hash of the set of puzzles: their order, line ends, blanks and comments make no difference.
    pub(crate) fingerprint: String,
}

/// One contender on one list in one mode.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Row {
    pub(crate) list: String,
    pub(crate) mode: Mode,
    #[serde(flatten)]
    pub(crate) label: Label,
    /// Nanoseconds per puzzle, one number for each round.
    pub(crate) rounds: Vec<f64>,
    pub(crate) puzzles_per_round: usize,
    /// Whether a round has only a part of the list, because the solver is too slow for all of it.
    pub(crate) sample: bool,
    /// Puzzles that the engine was observed with, its branches on them (`None` if it does not report
    /// them), puzzles without a branch, and puzzles that it did not finish.
    pub(crate) looked_at: usize,
    pub(crate) branches: Option<u64>,
    pub(crate) without_search: usize,
    pub(crate) given_up: usize,
    /// A lower bound of the nanoseconds per puzzle, if there are puzzles that were not finished.
    pub(crate) at_least: Option<f64>,
    /// The runs of a solver outside of this process.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) process: Option<Process>,
}

/// The runs of a solver outside of this process, on one list in one mode. Times are in seconds.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Process {
    pub(crate) command: String,
    /// From the start to the end of the process, one number for each round; and the CPU time in the
    /// program and in the kernel, if the system tells it.
    pub(crate) wall: Vec<f64>,
    pub(crate) user: Vec<f64>,
    pub(crate) system: Vec<f64>,
    /// The peak memory of the largest process of all rounds.
    pub(crate) peak_bytes: Option<u64>,
    /// Whether the peak memory is only an upper bound: that of the process that started it.
    pub(crate) peak_is_bound: bool,
    /// Runs without a puzzle, and with one. Empty if such runs fail.
    pub(crate) startup_empty: Vec<f64>,
    pub(crate) startup_one: Vec<f64>,
    /// Puzzles whose answers were checked, and wrong and missing answers among them.
    pub(crate) checked: u64,
    pub(crate) wrong: u64,
    pub(crate) missing: u64,
    /// The first wrong or missing answer: line, puzzle and reason.
    pub(crate) fault: Option<String>,
    /// Why it is not measured any more: a crash, or the time limit.
    pub(crate) failure: Option<String>,
}

impl Row {
    /// Whether a program was given up: it crashed or took too long.
    pub(crate) fn has_failed(&self) -> bool {
        self.process.as_ref().is_some_and(|process| process.failure.is_some())
    }

    /// Whether the solver failed, or an answer was wrong or missing.
    pub(crate) fn has_faults(&self) -> bool {
        let wrong = |process: &Process| process.wrong > 0 || process.missing > 0;
        self.has_failed() || self.process.as_ref().is_some_and(wrong)
    }

    /// Whether nothing is known about the time: no round, not given up on, and no failure.
    pub(crate) fn is_unmeasured(&self) -> bool {
        self.rounds.is_empty() && self.given_up == 0 && !self.has_failed()
    }

    /// Nanoseconds per puzzle: median and quartiles of the rounds. Samples have other puzzles in each
    /// round, so theirs is the mean. `None` if the solver was given up on.
    pub(crate) fn nanoseconds(&self) -> Option<Spread> {
        let of = if self.sample { Spread::of_mean } else { Spread::of };
        of(&self.rounds).filter(|_| self.given_up == 0)
    }

    /// The confidence interval of the nanoseconds per puzzle. That of a mean is its spread.
    pub(crate) fn interval(&self) -> Option<Spread> {
        let of = if self.sample { Spread::of_mean } else { Spread::interval };
        of(&self.rounds).filter(|_| self.given_up == 0 && self.rounds.len() > 1)
    }

    /// Puzzles per second: the median of the rounds.
    pub(crate) fn puzzles_per_second(&self) -> Option<f64> {
        self.nanoseconds().map(|spread| 1e9 / spread.middle)
    }

    /// An upper bound of the puzzles per second, if the solver was given up on.
    pub(crate) fn less_than_per_second(&self) -> Option<f64> {
        self.at_least.filter(|_| self.given_up > 0).map(|nanoseconds| 1e9 / nanoseconds)
    }

    /// Puzzles per second of a whole process without its start-up time: an estimate, from medians.
    /// `None` if the start-up is more than nine tenths of the time.
    #[expect(clippy::cast_precision_loss, reason = "puzzles of a round")]
    pub(crate) fn rate_without_startup(&self) -> Option<f64> {
        let Process { wall, startup_empty, startup_one, .. } = self.process.as_ref()?;
        let (wall, empty) = (Spread::median(wall)?, Spread::median(startup_empty));
        let rest = wall - empty.or_else(|| Spread::median(startup_one))?;
        (rest > wall / 10.0).then(|| self.puzzles_per_round as f64 / rest)
    }

    /// The mean number of branches per puzzle.
    #[expect(clippy::cast_precision_loss, reason = "an average")]
    pub(crate) fn branches_per_puzzle(&self) -> Option<f64> {
        let branches = self.branches.filter(|_| self.given_up == 0)?;
        Some(branches as f64 / self.looked_at as f64)
    }

    /// The share of puzzles without a branch, 0 to 1. A puzzle that was given up on had branches.
    #[expect(clippy::cast_precision_loss, reason = "a share")]
    pub(crate) fn share_without_search(&self) -> Option<f64> {
        self.branches.map(|_| self.without_search as f64 / self.looked_at as f64)
    }

    /// `easy, first, lanes (avx2)`: no two rows of a report have the same name.
    pub(crate) fn name(&self) -> String {
        format!("{}, {}, {}", self.list, self.mode, self.label)
    }
}

/// The results of a measurement.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Report {
    pub(crate) seed: u64,
    /// The number of rounds, the last of which may be incomplete.
    pub(crate) rounds: usize,
    /// Seconds of the whole measurement.
    pub(crate) seconds: f64,
    /// Seconds after which an engine is given up on for one puzzle.
    pub(crate) patience_seconds: f64,
    /// Whether the measurement was stopped early.
    pub(crate) interrupted: bool,
    pub(crate) lists: Vec<Listed>,
    /// The rows: list by list, in each mode by mode, in each contender by contender.
    pub(crate) rows: Vec<Row>,
    pub(crate) noise: Noise,
}

impl Report {
    pub(crate) fn has_faults(&self) -> bool {
        self.rows.iter().any(Row::has_faults)
    }

    /// The rows of one list and mode, in the order of the contenders.
    pub(crate) fn block(&self, list: &str, mode: Mode) -> impl Iterator<Item = &Row> {
        self.rows.iter().filter(move |row| row.list == list && row.mode == mode)
    }

    /// Each list in each mode that was measured.
    pub(crate) fn blocks(&self) -> impl Iterator<Item = (&Listed, Mode)> {
        let all = self.lists.iter().flat_map(|list| Mode::ALL.map(|mode| (list, mode)));
        all.filter(|(list, mode)| self.block(&list.name, *mode).next().is_some())
    }

    /// The contenders that have a row, in the order of the rows.
    pub(crate) fn labels(&self) -> Vec<&Label> {
        let mut labels: Vec<&Label> = Vec::new();
        for row in &self.rows {
            if !labels.contains(&&row.label) {
                labels.push(&row.label);
            }
        }
        labels
    }

    /// The puzzles per second as a multiple of those of the first row of engine `baseline` in the same
    /// block, if both are known.
    pub(crate) fn ratio(&self, row: &Row, baseline: &str) -> Option<f64> {
        let base = self.block(&row.list, row.mode).find(|base| base.label.engine == baseline)?;
        Some(row.puzzles_per_second()? / base.puzzles_per_second()?)
    }

    /// The parallel efficiency: puzzles per second and thread, divided by those of the row of the same
    /// engine with the fewest threads. `None` for that row itself.
    #[expect(clippy::cast_precision_loss, reason = "a few threads")]
    pub(crate) fn efficiency(&self, row: &Row) -> Option<f64> {
        let same = self.block(&row.list, row.mode);
        let same = same.filter(|base| base.label.solver() == row.label.solver());
        let base = same.min_by_key(|base| base.label.threads)?;
        let each = |row: &Row| Some(row.puzzles_per_second()? / row.label.threads as f64);
        (base.label.threads < row.label.threads).then_some(each(row)? / each(base)?)
    }
}

/// The significance level of the Mann-Whitney test.
pub(crate) const LEVEL: f64 = 0.01;

/// How a row changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    Faster,
    Slower,
    /// No difference beyond noise.
    Same,
    /// Too few rounds before or now, an engine that was given up on, or a list of the same name with
    /// other puzzles.
    Unknown,
}

/// A row before and now.
pub(crate) struct Change<'a> {
    pub(crate) before: &'a Row,
    pub(crate) now: &'a Row,
    /// The time now as a multiple of the time before.
    pub(crate) times: Option<f64>,
    pub(crate) p_value: f64,
    pub(crate) verdict: Verdict,
}

/// Compares every row of `now` that `before` has, too.
///
/// A change needs two facts: a Mann-Whitney test of the rounds with p <= 0.01, and quartile ranges
/// that do not overlap. The test alone is not enough. Rounds of one run are more alike than two
/// runs are, because the machine stays in one state during a run.
pub(crate) fn compare<'a>(before: &'a Report, now: &'a Report) -> Vec<Change<'a>> {
    let pairs = now.rows.iter().filter_map(|row| {
        let old = before.rows.iter().find(|old| old.name() == row.name())?;
        Some(change(old, row, other_puzzles(before, now).all(|(list, _)| list.name != row.list)))
    });
    pairs.collect()
}

/// The lists of `now` that had other puzzles before.
pub(crate) fn other_puzzles<'a>(
    before: &'a Report,
    now: &'a Report,
) -> impl Iterator<Item = (&'a Listed, &'a Listed)> {
    let pairs = now.lists.iter().flat_map(|list| before.lists.iter().map(move |old| (list, old)));
    pairs.filter(|(list, old)| list.name == old.name && list.fingerprint != old.fingerprint)
}

fn change<'a>(before: &'a Row, now: &'a Row, same_list: bool) -> Change<'a> {
    let p_value = rank_test(&before.rounds, &now.rounds);
    // The lowest p-value that so few rounds can have: 5 against 5 are enough.
    let lowest = rank_test(&vec![0.0; before.rounds.len()], &vec![1.0; now.rounds.len()]);
    let spreads = before.nanoseconds().zip(now.nanoseconds()).filter(|_| same_list);
    let verdict = match spreads {
        Some(_) if lowest > LEVEL => Verdict::Unknown,
        Some((old, new)) if p_value <= LEVEL && new.upper < old.lower => Verdict::Faster,
        Some((old, new)) if p_value <= LEVEL && old.upper < new.lower => Verdict::Slower,
        Some(_) => Verdict::Same,
        None => Verdict::Unknown,
    };
    let times = spreads.map(|(old, new)| new.middle / old.middle);
    Change { before, now, times, p_value, verdict }
}
