//! Machine, program and arguments of a measurement: part of every export.

use crate::bench::Report;
use crate::engine::lanes::SimdLevel;
use serde::{Deserialize, Serialize};
use std::env;
use std::fs;
use std::num::NonZeroUsize;
use std::thread;

/// The machine.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(in crate::cli) struct Machine {
    pub(in crate::cli) cpu: String,
    /// The CPU features of the widest SIMD level.
    pub(in crate::cli) features: Vec<String>,
    /// The cores that this process may use.
    pub(in crate::cli) cores: usize,
    pub(super) system: String,
}

impl Machine {
    /// This machine.
    pub(in crate::cli) fn this() -> Self {
        let features = SimdLevel::best().features();
        Self {
            cpu: cpu(),
            features: features.iter().map(|&feature| feature.to_owned()).collect(),
            cores: thread::available_parallelism().map_or(1, NonZeroUsize::get),
            system: format!("{} {}", env::consts::OS, env::consts::ARCH),
        }
    }

    /// `Intel Xeon, 2 cores, linux x86_64, with avx2, bmi1`.
    pub(super) fn sentence(&self) -> String {
        let Self { cpu, features, cores, system } = self;
        let cores = if *cores == 1 { "1 core".to_owned() } else { format!("{cores} cores") };
        let with = if features.is_empty() { "" } else { ", with " };
        format!("{cpu}, {cores}, {system}{with}{}", features.join(", "))
    }
}

/// The system's name of the CPU, or its family.
fn cpu() -> String {
    let text = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let named = |key: &str| {
        let line = text.lines().find(|line| line.starts_with(key))?;
        Some(line.split_once(':')?.1.trim().to_owned()).filter(|name| !name.is_empty())
    };
    let name = ["model name", "Hardware", "Model", "cpu model"].into_iter().find_map(named);
    name.unwrap_or_else(|| format!("a CPU of the family {}", env::consts::ARCH))
}

/// The content of an export.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Export {
    pub(super) program: String,
    pub(super) version: String,
    pub(super) arguments: Vec<String>,
    pub(super) machine: Machine,
    /// The engine that the others are compared with.
    pub(super) baseline: String,
    #[serde(flatten)]
    pub(super) report: Report,
}

/// The name and version of this program.
pub(super) const PROGRAM: &str = concat!("ninefold ", env!("CARGO_PKG_VERSION"));

impl Export {
    /// The results of this run.
    pub(super) fn new(report: Report, baseline: &str) -> Self {
        Self {
            program: "ninefold".to_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            arguments: arguments(),
            machine: Machine::this(),
            baseline: baseline.to_owned(),
            report,
        }
    }

    /// `ninefold 0.1.0, seed 1, 15 rounds: ninefold bench --seconds 20`.
    pub(super) fn sentence(&self) -> String {
        let Self { program, version, report, .. } = self;
        let (seed, rounds, command) = (report.seed, report.rounds, self.command());
        let ended = if report.interrupted { ", interrupted" } else { "" };
        format!("{program} {version}, seed {seed}, {rounds} rounds{ended}: {command}")
    }

    /// The command line.
    pub(super) fn command(&self) -> String {
        format!("{} {}", self.program, self.arguments.join(" "))
    }
}

/// The words after the program's name.
pub(super) fn arguments() -> Vec<String> {
    env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned()).collect()
}
