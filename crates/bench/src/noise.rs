//! What else the machine did during a measurement: other processes, a changing clock frequency.
//!
//! The CPU time in use by the whole machine (`/proc/stat`), less that of this process and its
//! children, is the time of other processes. Other systems than Linux tell nothing here.

use crate::child::cpu_seconds;
use serde::{Deserialize, Serialize};
use std::fs;
use std::time::Instant;

/// Ticks of `/proc/stat` in a second: `USER_HZ` is 100 on all architectures of Linux.
const TICKS: f64 = 100.0;

/// What else the machine did. A number that the system does not tell is `None`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Noise {
    /// The CPUs that other processes used, on average. Time that a hypervisor gave to other machines
    /// counts.
    pub(crate) cpus_of_others: Option<f64>,
    /// The lowest and the highest frequency of the fastest CPU, as seen after each list of a round.
    pub(crate) megahertz: Option<(f64, f64)>,
}

/// Looks at the machine during a measurement.
pub(crate) struct Watch {
    started: Instant,
    before: Option<f64>,
    noise: Noise,
}

impl Watch {
    pub(crate) fn start() -> Self {
        Self { started: Instant::now(), before: seconds_of_others(), noise: Noise::default() }
    }

    pub(crate) fn look(&mut self) {
        if let Some(now) = megahertz() {
            let (low, high) = self.noise.megahertz.unwrap_or((now, now));
            self.noise.megahertz = Some((low.min(now), high.max(now)));
        }
    }

    pub(crate) fn state(&self) -> Noise {
        let time = self.started.elapsed().as_secs_f64();
        let spent = self.before.zip(seconds_of_others());
        let cpus_of_others = spent.map(|(before, now)| (now - before).max(0.0) / time);
        Noise { cpus_of_others, ..self.noise }
    }
}

/// CPU seconds of all other processes since the machine was started.
fn seconds_of_others() -> Option<f64> {
    Some(seconds_of_machine(&fs::read_to_string("/proc/stat").ok()?)? - cpu_seconds()?)
}

/// The CPU seconds of `/proc/stat`, see proc(5).
fn seconds_of_machine(text: &str) -> Option<f64> {
    // user nice system idle iowait irq softirq steal; guest time is part of user.
    let words = text.strip_prefix("cpu ")?.split_ascii_whitespace().take(8);
    let ticks: Vec<f64> = words.map_while(|word| word.parse().ok()).collect();
    let idle: f64 = ticks.get(3..5)?.iter().sum();
    Some((ticks.iter().sum::<f64>() - idle) / TICKS)
}

fn megahertz() -> Option<f64> {
    let text = fs::read_to_string("/proc/cpuinfo").ok()?;
    let named = text.lines().filter(|line| line.starts_with("cpu MHz"));
    let told = named.filter_map(|line| line.split_once(':')?.1.trim().parse().ok());
    let kilohertz = |cpu: usize| -> Option<f64> {
        let path = format!("/sys/devices/system/cpu/cpu{cpu}/cpufreq/scaling_cur_freq");
        fs::read_to_string(path).ok()?.trim().parse().ok()
    };
    told.chain((0..).map_while(kilohertz).map(|kilohertz| kilohertz / 1000.0)).reduce(f64::max)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_in_use_is_all_but_idle_and_iowait() {
        let text = "cpu  1000 0 100 5000 50 0 10 40 7 0\ncpu0 1 2\ncpu1 1 2\nintr 5\n";
        assert_eq!(seconds_of_machine(text), Some(11.5));
        assert_eq!((seconds_of_machine(""), seconds_of_machine("cpu  1 2 3")), (None, None));
        assert!(cfg!(not(target_os = "linux")) || Watch::start().state().cpus_of_others.is_some());
    }
}
