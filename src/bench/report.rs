//! The report of a measurement: one row a contender, list and mode.

use super::contender::Label;
use super::noise::Noise;
use super::stats::Spread;
use serde::{Deserialize, Serialize};

ninefold_core::named_enum! {
    /// How many solutions an engine looks for.
    #[derive(Serialize, Deserialize)]
    #[serde(rename_all = "lowercase")]
    pub enum Mode, "mode" {
        First = "first", "the first solution";
        Unique = "unique", "a second solution, as proof that there is none";
    }
}

impl Mode {
    /// The number of solutions after which an engine leaves a puzzle.
    #[must_use]
    pub const fn limit(self) -> usize {
        match self {
            Self::First => 1,
            Self::Unique => 2,
        }
    }
}

/// A list that was timed.
///
/// ```
/// use crate::bench::Listed;
///
/// let old: Listed = serde_json::from_str(r#"{"name":"a","about":"","puzzles":9,"kept":9}"#)?;
/// let mut new = old.clone();
/// new.hash = Some("0123456789abcdef".to_owned());
/// assert!(old.may_be(&new)); // one hash is not known
/// new.puzzles += 1;
/// assert!(!old.may_be(&new));
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Listed {
    /// The name.
    pub name: String,
    /// A description of a few words.
    pub about: String,
    /// The number of puzzles.
    pub puzzles: u64,
    /// The number of puzzles in the sample.
    pub kept: usize,
    /// A hash of all puzzles: XXH3, each puzzle seeded with the hash of those before it. Older exports
    /// have none.
    #[serde(default)]
    pub hash: Option<String>,
    /// [`List::fingerprint`](super::List::fingerprint), in hexadecimal. Older exports have none.
    #[serde(default)]
    pub fingerprint: Option<String>,
}

impl Listed {
    /// Whether both lists may have the same puzzles: the same number, and the same hash if both are
    /// known.
    #[must_use]
    pub fn may_be(&self, other: &Self) -> bool {
        let hashes = self.hash.as_ref().zip(other.hash.as_ref());
        self.puzzles == other.puzzles && hashes.is_none_or(|(one, two)| one == two)
    }
}

/// One contender on one list in one mode.
///
/// ```
/// use crate::bench::Row;
///
/// let row: Row = serde_json::from_value(serde_json::json!({
///     "list": "easy", "mode": "first", "engine": "mrv", "simd": null, "threads": 1,
///     "rounds": [100.0, 200.0, 300.0], "puzzles_per_round": 10, "sample": false,
///     "looked_at": 10, "branches": 5, "without_search": 8, "given_up": 0, "at_least": null,
/// }))?;
/// assert_eq!(row.puzzles_per_second(), Some(5e6)); // the median is 200 ns
/// assert_eq!(row.branches_per_puzzle(), Some(0.5));
/// assert_eq!(row.share_without_search(), Some(0.8));
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Row {
    /// The list's name.
    pub list: String,
    /// What the engine looked for.
    pub mode: Mode,
    /// The contender.
    #[serde(flatten)]
    pub label: Label,
    /// Nanoseconds per puzzle, one number for each round.
    pub rounds: Vec<f64>,
    /// Puzzles in each round.
    pub puzzles_per_round: usize,
    /// Whether a round has only a part of the list, because the engine is too slow for all of it.
    pub sample: bool,
    /// Puzzles that the engine solved while it was observed.
    pub looked_at: usize,
    /// Branches on the observed puzzles that it answered; `None` if it does not report them.
    pub branches: Option<u64>,
    /// Observed puzzles that it answered without a branch.
    pub without_search: usize,
    /// Puzzles that it did not finish in time, observed or in a round.
    pub given_up: usize,
    /// A lower bound of the nanoseconds per puzzle, if there are such puzzles.
    pub at_least: Option<f64>,
    /// What is known of a solver outside of this process.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub process: Option<Process>,
}

/// The runs of a solver outside of this process, on one list in one mode.
///
/// ```
/// use crate::bench::Process;
///
/// let mut process = Process::default();
/// assert!(!process.has_faults());
/// process.missing = 1;
/// assert!(process.has_faults());
/// ```
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Process {
    /// The command.
    pub command: String,
    /// Seconds from the start to the end of the process, one number for each round.
    pub wall: Vec<f64>,
    /// Seconds of CPU time in the program, one number for each round, if the system tells them.
    pub user: Vec<f64>,
    /// Seconds of CPU time in the kernel, one number for each round, if the system tells them.
    pub system: Vec<f64>,
    /// The peak memory of the largest process of all rounds.
    pub peak_bytes: Option<u64>,
    /// Whether the peak memory is only an upper bound: that of the process that started it.
    #[serde(default)]
    pub peak_is_bound: bool,
    /// Seconds of runs without a puzzle. Empty if such runs fail.
    pub startup_empty: Vec<f64>,
    /// Seconds of runs with one puzzle. Empty if such runs fail.
    pub startup_one: Vec<f64>,
    /// Puzzles whose answers were checked.
    pub checked: u64,
    /// Wrong answers among them.
    pub wrong: u64,
    /// Missing answers among them.
    pub missing: u64,
    /// The first wrong or missing answer: line, puzzle and reason.
    pub fault: Option<String>,
    /// Why it is not measured any more: a crash, or the time limit.
    pub failure: Option<String>,
}

impl Process {
    /// Whether it failed, or an answer was wrong or missing.
    #[must_use]
    pub const fn has_faults(&self) -> bool {
        self.failure.is_some() || self.wrong > 0 || self.missing > 0
    }

    /// The median start-up time without a puzzle, or else with one.
    #[must_use]
    pub fn startup(&self) -> Option<f64> {
        let spread = Spread::of(&self.startup_empty).or_else(|| Spread::of(&self.startup_one))?;
        Some(spread.middle)
    }
}

impl Row {
    /// A row without a round.
    pub(super) fn new(list: &str, mode: Mode, label: &Label) -> Self {
        Self {
            list: list.to_owned(),
            mode,
            label: label.clone(),
            rounds: Vec::new(),
            puzzles_per_round: 0,
            sample: false,
            looked_at: 0,
            branches: None,
            without_search: 0,
            given_up: 0,
            at_least: None,
            process: None,
        }
    }

    /// Whether the solver failed, or an answer was wrong or missing.
    #[must_use]
    pub fn has_faults(&self) -> bool {
        self.process.as_ref().is_some_and(Process::has_faults)
    }

    /// Puzzles per second of a whole process without its start-up time: an estimate, from medians.
    /// `None` if the start-up is more than nine tenths of the time.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "puzzles of a round")]
    pub fn rate_without_startup(&self) -> Option<f64> {
        let process = self.process.as_ref()?;
        let wall = Spread::of(&process.wall)?.middle;
        let rest = wall - process.startup()?;
        (rest > wall / 10.0).then(|| self.puzzles_per_round as f64 / rest)
    }

    /// The confidence interval of [`Row::nanoseconds`]: [`Spread::interval`] of the rounds. That of a
    /// mean is its spread.
    #[must_use]
    pub fn interval(&self) -> Option<(f64, f64)> {
        match self.given_up {
            0 if self.sample => {
                Spread::of_mean(&self.rounds).map(|spread| (spread.lower, spread.upper))
            }
            0 => Spread::interval(&self.rounds),
            _ => None,
        }
    }

    /// Nanoseconds per puzzle: median and quartiles of the rounds. Samples have other puzzles in each
    /// round, so theirs is the mean. `None` if the engine was given up on.
    #[must_use]
    pub fn nanoseconds(&self) -> Option<Spread> {
        match self.given_up {
            0 if self.sample => Spread::of_mean(&self.rounds),
            0 => Spread::of(&self.rounds),
            _ => None,
        }
    }

    /// Whether nothing is known about the time: no round, not given up on, and no failure.
    #[must_use]
    pub fn is_unmeasured(&self) -> bool {
        let failed = self.process.as_ref().is_some_and(|process| process.failure.is_some());
        self.rounds.is_empty() && self.given_up == 0 && !failed
    }

    /// Puzzles per second.
    #[must_use]
    pub fn puzzles_per_second(&self) -> Option<f64> {
        self.nanoseconds().map(|spread| 1e9 / spread.middle)
    }

    /// An upper bound of the puzzles per second, if the engine was given up on.
    #[must_use]
    pub fn less_than_per_second(&self) -> Option<f64> {
        self.at_least.filter(|_| self.given_up > 0).map(|nanoseconds| 1e9 / nanoseconds)
    }

    /// The mean number of branches per puzzle.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "an average")]
    pub fn branches_per_puzzle(&self) -> Option<f64> {
        let answered = self.looked_at - self.given_up.min(self.looked_at);
        let branches = self.branches.filter(|_| self.given_up == 0 && answered > 0)?;
        Some(branches as f64 / answered as f64)
    }

    /// The share of puzzles without a branch, 0 to 1. A puzzle that was given up on had branches.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "a share")]
    pub fn share_without_search(&self) -> Option<f64> {
        self.branches.filter(|_| self.looked_at > 0)?;
        Some(self.without_search as f64 / self.looked_at as f64)
    }

    /// Whether both rows have the same list, mode and contender.
    #[must_use]
    pub fn is_about_the_same_as(&self, other: &Self) -> bool {
        (&self.list, self.mode, &self.label) == (&other.list, other.mode, &other.label)
    }
}

/// The results of a measurement.
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
/// bench.time = Duration::from_millis(5);
/// let report = bench.run(Control::default())?;
/// assert_eq!(report.list("easy").map(|list| list.puzzles), Some(1));
/// assert_eq!(report.block("easy", Mode::Unique).count(), 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Report {
    /// The seed of all random numbers.
    pub seed: u64,
    /// The number of rounds, the last of which may be incomplete.
    pub rounds: usize,
    /// Seconds of the whole measurement.
    pub seconds: f64,
    /// Seconds after which an engine is given up on for one puzzle.
    pub patience_seconds: f64,
    /// Whether the measurement was stopped early.
    pub interrupted: bool,
    /// The lists.
    pub lists: Vec<Listed>,
    /// The rows: list by list, in each mode by mode, in each contender by contender.
    pub rows: Vec<Row>,
    /// What else the machine did. Older exports have nothing.
    #[serde(default)]
    pub noise: Noise,
}

impl Report {
    /// Whether a solver outside of this process failed, or gave wrong or missing answers.
    #[must_use]
    pub fn has_faults(&self) -> bool {
        self.rows.iter().any(Row::has_faults)
    }

    /// The list of this name.
    #[must_use]
    pub fn list(&self, name: &str) -> Option<&Listed> {
        self.lists.iter().find(|list| list.name == name)
    }

    /// The rows of one list and mode, in the order of the contenders.
    pub fn block(&self, list: &str, mode: Mode) -> impl Iterator<Item = &Row> {
        self.rows.iter().filter(move |row| row.list == list && row.mode == mode)
    }

    /// The puzzles per second as a multiple of those of the first row of engine `baseline` in the same
    /// block, if both are known.
    #[must_use]
    pub fn ratio(&self, row: &Row, baseline: &str) -> Option<f64> {
        let base = self.block(&row.list, row.mode).find(|base| base.label.engine == baseline)?;
        Some(row.puzzles_per_second()? / base.puzzles_per_second()?)
    }

    /// The parallel efficiency: puzzles per second and thread, divided by those of the row of the same
    /// engine with the fewest threads. `None` for that row itself.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "a few threads")]
    pub fn efficiency(&self, row: &Row) -> Option<f64> {
        let same = |base: &&Row| {
            (&base.label.engine, &base.label.simd) == (&row.label.engine, &row.label.simd)
        };
        let block = self.block(&row.list, row.mode).filter(same);
        let base = block.min_by_key(|base| base.label.threads)?;
        if base.label.threads >= row.label.threads {
            return None;
        }
        let each = |row: &Row| Some(row.puzzles_per_second()? / row.label.threads as f64);
        Some(each(row)? / each(base)?)
    }
}
