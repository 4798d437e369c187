//! The results, as `--export` writes them to JSON: a row for each solver and list. The fields are
//! described in `docs/bench.md`.

use crate::Error;
use crate::machine::cpu;
use crate::stats::{Estimate, FEWEST};
use indicatif::HumanCount;
use ninefold_core::engine::lanes::SimdLevel;
use ninefold_rows::input::{Error as InputError, open_file};
use serde::{Deserialize, Serialize};
use std::path::Path;
use std::{env, io, thread};

#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct ListFacts {
    pub(crate) name: String,
    pub(crate) about: String,
    pub(crate) puzzles: usize,
    pub(crate) fingerprint: String,
}

impl ListFacts {
    /// `easy, 1,000 puzzles (solved by naked singles)`.
    pub(crate) fn title(&self) -> String {
        let Self { name, about, puzzles, .. } = self;
        let about = if about.is_empty() { String::new() } else { format!(" ({about})") };
        let plural = if *puzzles == 1 { "" } else { "s" };
        format!("{name}, {} puzzle{plural}{about}", HumanCount(*puzzles as u64))
    }
}

/// One solver on one list.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct BenchRow {
    pub(crate) list: String,
    /// The name of the engine or program.
    pub(crate) engine: String,
    /// The SIMD level, if the engine depends on it.
    pub(crate) simd: Option<String>,
    /// Nanoseconds per puzzle.
    pub(crate) rounds: Vec<f64>,
    pub(crate) puzzles_per_round: usize,
    /// Whether a round has only a part of the list, because the solver is too slow for all of it.
    pub(crate) sample: bool,
    /// A lower bound of the nanoseconds per puzzle, if the solver was given up on. Then there are no rounds.
    pub(crate) at_least: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) process: Option<ProgramAnswers>,
}

/// The answers of a program on one list.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct ProgramAnswers {
    /// Puzzles whose answers were checked, and wrong and missing answers among them.
    pub(crate) checked: u64,
    pub(crate) wrong: u64,
    pub(crate) missing: u64,
    /// The first wrong or missing answer: puzzle and reason.
    pub(crate) fault: Option<String>,
    /// Why it is not measured any more: a crash, or the time limit.
    pub(crate) failure: Option<String>,
    /// The time for an empty list. No run on puzzles is shorter.
    #[serde(default)]
    pub(crate) startup_seconds: f64,
}

impl BenchRow {
    pub(crate) fn has_failed(&self) -> bool {
        self.process.as_ref().is_some_and(|process| process.failure.is_some())
    }

    /// Whether the solver failed, or an answer was wrong or missing.
    pub(crate) fn has_faults(&self) -> bool {
        self.has_failed() || self.process.as_ref().is_some_and(|process| process.fault.is_some())
    }

    /// Nanoseconds per puzzle: the median of the rounds. Samples have other puzzles in each round, so theirs
    /// is the mean.
    pub(crate) fn estimate(&self) -> Option<Estimate> {
        let of = if self.sample { Estimate::of_mean } else { Estimate::of_median };
        of(&self.rounds)
    }

    /// The same, if there are enough rounds for the interval to be true.
    pub(crate) fn interval(&self) -> Option<Estimate> {
        self.estimate().filter(|_| self.rounds.len() >= FEWEST)
    }

    /// The puzzles per second; if the solver was given up on, an upper bound of them.
    pub(crate) fn rate(&self) -> Option<f64> {
        let nanoseconds = self.at_least.or_else(|| Some(self.estimate()?.middle));
        nanoseconds.map(|it| 1e9 / it)
    }

    /// `lanes (avx2)`
    pub(crate) fn solver(&self) -> String {
        let simd = self.simd.as_ref().map(|simd| format!(" ({simd})"));
        format!("{}{}", self.engine, simd.unwrap_or_default())
    }

    /// `easy, lanes (avx2)`: no two rows of a report have the same name.
    pub(crate) fn name(&self) -> String {
        format!("{}, {}", self.list, self.solver())
    }
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
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct BenchReport {
    pub(crate) version: String,
    pub(crate) arguments: Vec<String>,
    pub(crate) machine: Machine,
    /// The engine or program that the others are compared with.
    pub(crate) baseline: String,
    pub(crate) seed: u64,
    /// The number of rounds, the last of which may be incomplete.
    pub(crate) rounds: usize,
    pub(crate) seconds: f64,
    pub(crate) interrupted: bool,
    pub(crate) lists: Vec<ListFacts>,
    /// List by list, in each solver by solver.
    pub(crate) rows: Vec<BenchRow>,
}

impl BenchReport {
    pub(crate) fn read(path: &Path) -> Result<Self, Error> {
        let name = path.display().to_string();
        let text = match open_file(path).and_then(io::read_to_string) {
            Ok(text) => text,
            Err(cause) => return Err(InputError { name: name.into(), cause }.into()),
        };
        let why = |error| format!("{name}: expected what --export wrote as .json: {error}");
        Ok(serde_json::from_str(&text).map_err(why)?)
    }

    pub(crate) fn to_json(&self) -> String {
        serde_json::to_string_pretty(self).expect("texts and numbers") + "\n"
    }

    /// `ninefold 0.1.0, seed 1, 15 rounds: ninefold bench --seconds 20`.
    pub(crate) fn sentence(&self) -> String {
        let Self { version, arguments, seed, rounds, .. } = self;
        let arguments = arguments.join(" ");
        format!("ninefold {version}, seed {seed}, {rounds} rounds: ninefold {arguments}")
    }

    pub(crate) fn any(&self, is: impl Fn(&BenchRow) -> bool) -> bool {
        self.rows.iter().any(is)
    }

    /// The rows of one list, in the order of the solvers.
    pub(crate) fn rows_of(&self, list: &str) -> impl Iterator<Item = &BenchRow> {
        self.rows.iter().filter(move |row| row.list == list)
    }

    /// The fingerprint of the puzzles of a list.
    pub(crate) fn puzzles_of(&self, list: &str) -> Option<&str> {
        self.lists.iter().find(|it| it.name == list).map(|it| &*it.fingerprint)
    }

    /// The puzzles per second as a multiple of those of the first row of the baseline on the same list, if
    /// both are known.
    pub(crate) fn ratio(&self, row: &BenchRow) -> Option<f64> {
        let base = self.rows_of(&row.list).find(|base| base.engine == self.baseline)?;
        Some(base.estimate()?.middle / row.estimate()?.middle)
    }
}
