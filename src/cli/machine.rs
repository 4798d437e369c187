//! The machine, for a bug report.

use crate::engine::lanes::SimdLevel;
use std::env;
use std::fs;
use std::num::NonZeroUsize;
use std::thread;

/// The machine.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Machine {
    pub(super) cpu: String,
    /// The CPU features of the widest SIMD level.
    pub(super) features: Vec<String>,
    /// The cores that this process may use.
    pub(super) cores: usize,
    pub(super) system: String,
}

impl Machine {
    /// This machine.
    pub(super) fn this() -> Self {
        let features = SimdLevel::best().features();
        Self {
            cpu: cpu(),
            features: features.iter().map(|&feature| feature.to_owned()).collect(),
            cores: thread::available_parallelism().map_or(1, NonZeroUsize::get),
            system: format!("{} {}", env::consts::OS, env::consts::ARCH),
        }
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
