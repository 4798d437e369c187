//! The results, as `--export` writes them to JSON: a row for each contender and list. The fields are
//! described in `docs/bench.md`.

use crate::stats::SampleSpread;
use crate::{Error, at};
use indicatif::HumanCount;
use ninefold_core::engine::lanes::SimdLevel;
use serde::{Deserialize, Serialize};
use std::path::Path;
use std::{env, fmt, fs, thread};

/// The name of a contender.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct ContenderName {
    pub(crate) engine: String,
    /// The SIMD level, if the engine depends on it.
    pub(crate) simd: Option<String>,
}

impl fmt::Display for ContenderName {
    /// `lanes (avx2)`
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.engine)?;
        self.simd.iter().try_for_each(|simd| write!(f, " ({simd})"))
    }
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct ListFacts {
    pub(crate) name: String,
    pub(crate) about: String,
    pub(crate) puzzles: u64,
    pub(crate) kept: usize,
    pub(crate) fingerprint: String,
}

impl ListFacts {
    /// `easy, 1,000 puzzles (solved by naked singles)`.
    pub(crate) fn title(&self) -> String {
        let Self { name, about, puzzles, kept, .. } = self;
        let is_sample = *puzzles > *kept as u64;
        let part = format!(", {} of them by chance", HumanCount(*kept as u64));
        let part = if is_sample { &*part } else { "" };
        let about = if about.is_empty() { String::new() } else { format!(" ({about})") };
        let plural = if *puzzles == 1 { "" } else { "s" };
        format!("{name}, {} puzzle{plural}{part}{about}", HumanCount(*puzzles))
    }
}

/// One contender on one list.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct BenchRow {
    pub(crate) list: String,
    #[serde(flatten)]
    pub(crate) contender: ContenderName,
    /// Nanoseconds per puzzle.
    pub(crate) rounds: Vec<f64>,
    pub(crate) puzzles_per_round: usize,
    /// Whether a round has only a part of the list, because the solver is too slow for all of it.
    pub(crate) sample: bool,
    pub(crate) looked_at: usize,
    pub(crate) branches: Option<u64>,
    pub(crate) without_search: usize,
    pub(crate) given_up: usize,
    /// A lower bound of the nanoseconds per puzzle, if there are puzzles that were not finished.
    pub(crate) at_least: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) process: Option<ProgramAnswers>,
}

/// The answers of a program on one list.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct ProgramAnswers {
    pub(crate) command: String,
    /// Puzzles whose answers were checked, and wrong and missing answers among them.
    pub(crate) checked: u64,
    pub(crate) wrong: u64,
    pub(crate) missing: u64,
    /// The first wrong or missing answer: line, puzzle and reason.
    pub(crate) fault: Option<String>,
    /// Why it is not measured any more: a crash, or the time limit.
    pub(crate) failure: Option<String>,
}

#[expect(clippy::cast_precision_loss, reason = "puzzles of a round")]
impl BenchRow {
    pub(crate) fn has_failed(&self) -> bool {
        self.process.as_ref().is_some_and(|process| process.failure.is_some())
    }

    /// Whether the solver failed, or an answer was wrong or missing.
    pub(crate) fn has_faults(&self) -> bool {
        let wrong = |process: &ProgramAnswers| process.wrong > 0 || process.missing > 0;
        self.has_failed() || self.process.as_ref().is_some_and(wrong)
    }

    /// Whether nothing is known about the time: no round, not given up on, and no failure.
    pub(crate) fn is_unmeasured(&self) -> bool {
        self.rounds.is_empty() && self.given_up == 0 && !self.has_failed()
    }

    /// Nanoseconds per puzzle: median and quartiles of the rounds. Samples have other puzzles in each
    /// round, so theirs is the mean. `None` if the solver was given up on.
    pub(crate) fn nanoseconds(&self) -> Option<SampleSpread> {
        let of = if self.sample { SampleSpread::of_mean } else { SampleSpread::of };
        of(&self.rounds).filter(|_| self.given_up == 0)
    }

    /// The confidence interval of the nanoseconds per puzzle. That of a mean is its spread.
    pub(crate) fn interval(&self) -> Option<SampleSpread> {
        let of = if self.sample { SampleSpread::of_mean } else { SampleSpread::interval };
        of(&self.rounds).filter(|_| self.given_up == 0 && self.rounds.len() > 1)
    }

    pub(crate) fn puzzles_per_second(&self) -> Option<f64> {
        self.nanoseconds().map(|spread| 1e9 / spread.middle)
    }

    /// The puzzles per second, and whether they are only an upper bound: the solver was given up on.
    pub(crate) fn rate(&self) -> Option<(f64, bool)> {
        let exact = self.puzzles_per_second().map(|rate| (rate, false));
        let at_least = self.at_least.filter(|_| self.given_up > 0);
        exact.or(at_least.map(|nanoseconds| (1e9 / nanoseconds, true)))
    }

    pub(crate) fn branches_per_puzzle(&self) -> Option<f64> {
        let branches = self.branches.filter(|_| self.given_up == 0)?;
        Some(branches as f64 / self.looked_at as f64)
    }

    /// The share of puzzles without a branch, 0 to 1. A puzzle that was given up on had branches.
    pub(crate) fn share_without_search(&self) -> Option<f64> {
        self.branches.map(|_| self.without_search as f64 / self.looked_at as f64)
    }

    /// `easy, lanes (avx2)`: no two rows of a report have the same name.
    pub(crate) fn name(&self) -> String {
        format!("{}, {}", self.list, self.contender)
    }
}

/// The system's name of the CPU, or its family.
pub fn cpu() -> String {
    let text = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let named = |key: &str| {
        let line = text.lines().find(|line| line.starts_with(key))?;
        Some(line.split_once(':')?.1.trim().to_owned()).filter(|name| !name.is_empty())
    };
    let name = ["model name", "Hardware", "Model", "cpu model"].into_iter().find_map(named);
    name.unwrap_or_else(|| format!("a CPU of the family {}", env::consts::ARCH))
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Machine {
    pub(crate) cpu: String,
    pub(crate) features: Vec<String>,
    pub(crate) cores: usize,
    pub(crate) system: String,
}

impl Machine {
    pub(crate) fn this() -> Self {
        Self {
            cpu: cpu(),
            features: SimdLevel::best().features().iter().map(|&it| it.to_owned()).collect(),
            cores: thread::available_parallelism().map_or(1, usize::from),
            system: format!("{} {}", env::consts::OS, env::consts::ARCH),
        }
    }

    /// `Intel Xeon, 2 cores, linux x86_64, with avx2, bmi1`.
    pub(crate) fn sentence(&self) -> String {
        let Self { cpu, features, cores, system } = self;
        let cores = if *cores == 1 { "1 core".to_owned() } else { format!("{cores} cores") };
        let with = if features.is_empty() { "" } else { ", with " };
        format!("{cpu}, {cores}, {system}{with}{}", features.join(", "))
    }
}

/// The results of a measurement.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct BenchReport {
    pub(crate) program: String,
    pub(crate) version: String,
    pub(crate) arguments: Vec<String>,
    pub(crate) machine: Machine,
    /// The engine that the others are compared with.
    pub(crate) baseline: String,
    pub(crate) seed: u64,
    /// The number of rounds, the last of which may be incomplete.
    pub(crate) rounds: usize,
    pub(crate) seconds: f64,
    pub(crate) patience_seconds: f64,
    pub(crate) interrupted: bool,
    pub(crate) lists: Vec<ListFacts>,
    /// List by list, in each contender by contender.
    pub(crate) rows: Vec<BenchRow>,
}

impl BenchReport {
    pub(crate) fn read(path: &Path) -> Result<Self, Error> {
        let text = fs::read_to_string(path).map_err(|error| at(path, error))?;
        let why = |error| at(path, format!("expected what --export wrote as .json: {error}"));
        serde_json::from_str(&text).map_err(why)
    }

    pub(crate) fn to_json(&self) -> String {
        serde_json::to_string_pretty(self).expect("texts and numbers") + "\n"
    }

    /// `ninefold 0.1.0, seed 1, 15 rounds: ninefold bench --seconds 20`.
    pub(crate) fn sentence(&self) -> String {
        let Self { program, version, arguments, seed, rounds, .. } = self;
        let ended = if self.interrupted { ", interrupted" } else { "" };
        let arguments = arguments.join(" ");
        format!("{program} {version}, seed {seed}, {rounds} rounds{ended}: {program} {arguments}")
    }

    pub(crate) fn any(&self, is: impl Fn(&BenchRow) -> bool) -> bool {
        self.rows.iter().any(is)
    }

    /// The rows of one list, in the order of the contenders.
    pub(crate) fn rows_of(&self, list: &str) -> impl Iterator<Item = &BenchRow> {
        self.rows.iter().filter(move |row| row.list == list)
    }

    /// The puzzles per second as a multiple of those of the first row of engine `baseline` on the same
    /// list, if both are known.
    pub(crate) fn ratio(&self, row: &BenchRow, baseline: &str) -> Option<f64> {
        let base = self.rows_of(&row.list).find(|base| base.contender.engine == baseline)?;
        Some(row.puzzles_per_second()? / base.puzzles_per_second()?)
    }
}
