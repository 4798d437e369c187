//! What else the machine did during a measurement: other processes, a changing clock frequency.
//!
//! ```text
//!   /proc/stat        time of all CPUs in use ─┐
//!   /proc/self/stat   time of this process    ─┴─► CPUs that others used, on average
//!                     and its children
//! ```
//!
//! The load average counts this process, too, and a run that has just ended. So it is part of the
//! report, but the difference above is the evidence. Other systems than Linux tell nothing here.

use serde::{Deserialize, Serialize};
use std::fs;

/// Other processes may use this many CPUs before a measurement is called disturbed. The kernel's own
/// threads use some when the files of programs are written.
const MOST_BY_OTHERS: f64 = 0.2;

/// The clock may vary by this share.
const MOST_CHANGE_OF_CLOCK: f64 = 0.1;

/// What else the machine did. A number that the system does not tell is `None`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Noise {
    /// The CPUs that other processes used, on average. Time that a hypervisor gave to other machines
    /// counts.
    pub(crate) cpus_of_others: Option<f64>,
    /// The load average of one minute before the measurement.
    pub(crate) load_average: Option<f64>,
    /// The lowest and the highest frequency of the fastest CPU, as seen after each list of a round.
    pub(crate) megahertz: Option<(f64, f64)>,
}

impl Noise {
    /// Whether other processes used more than a fifth of a CPU.
    pub(crate) fn is_busy(&self) -> bool {
        self.cpus_of_others.is_some_and(|cpus| cpus > MOST_BY_OTHERS)
    }

    /// Whether the frequency fell by more than a tenth.
    pub(crate) fn is_clock_unsteady(&self) -> bool {
        self.megahertz.is_some_and(|(low, high)| low < high * (1.0 - MOST_CHANGE_OF_CLOCK))
    }
}

/// Time in ticks, of all CPUs.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Ticks {
    /// All of it, in use or not.
    all: f64,
    used: f64,
    /// By this process and the children that have ended.
    own: f64,
    cpus: f64,
}

/// Looks at the machine during a measurement.
pub(crate) struct Watch {
    start: Option<Ticks>,
    noise: Noise,
}

impl Watch {
    pub(crate) fn start() -> Self {
        let average = fs::read_to_string("/proc/loadavg").unwrap_or_default();
        let load_average = average.split(' ').next().and_then(|text| text.parse().ok());
        let mut watch = Self { start: ticks(), noise: Noise { load_average, ..Noise::default() } };
        watch.look();
        watch
    }

    /// Notes the frequency.
    pub(crate) fn look(&mut self) {
        if let Some(now) = megahertz() {
            let (low, high) = self.noise.megahertz.unwrap_or((now, now));
            self.noise.megahertz = Some((low.min(now), high.max(now)));
        }
    }

    /// What happened since the start.
    pub(crate) fn state(&self) -> Noise {
        let ticks = self.start.zip(ticks());
        let cpus_of_others = ticks.and_then(|(before, now)| others(before, now));
        Noise { cpus_of_others, ..self.noise }
    }
}

/// The CPUs that others used between two looks.
fn others(before: Ticks, now: Ticks) -> Option<f64> {
    let [all, used, own] = [now.all - before.all, now.used - before.used, now.own - before.own];
    (all > 0.0).then(|| ((used - own) / all * now.cpus).max(0.0))
}

fn ticks() -> Option<Ticks> {
    let machine = fs::read_to_string("/proc/stat").ok()?;
    let own = fs::read_to_string("/proc/self/stat").ok()?;
    read_ticks(&machine, &own)
}

/// The numbers of `/proc/stat` and `/proc/self/stat`, see proc(5).
fn read_ticks(machine: &str, own: &str) -> Option<Ticks> {
    let is_cpu = |line: &&str| line.starts_with("cpu") && !line.starts_with("cpu ");
    #[expect(clippy::cast_precision_loss, reason = "a number of CPUs")]
    let cpus = machine.lines().filter(is_cpu).count() as f64;
    let numbers = |text: &str| -> Vec<f64> {
        text.split_ascii_whitespace().filter_map(|word| word.parse().ok()).collect()
    };
    // user nice system idle iowait irq softirq steal; guest time is part of user.
    let total = numbers(machine.lines().next()?.strip_prefix("cpu ")?);
    let idle: f64 = total.get(3..5)?.iter().sum();
    let all: f64 = total.iter().take(8).sum();
    // The name of the program may have spaces and parentheses; utime is the twelfth after it.
    let (_, after) = own.rsplit_once(") ")?;
    let fields: Vec<_> = after.split_ascii_whitespace().collect();
    let own = fields.get(11..15)?.iter().filter_map(|word| word.parse::<f64>().ok()).sum();
    (cpus > 0.0).then_some(Ticks { all, used: all - idle, own, cpus })
}

/// The frequency of the fastest CPU.
fn megahertz() -> Option<f64> {
    let kilohertz = |cpu: usize| -> Option<f64> {
        let path = format!("/sys/devices/system/cpu/cpu{cpu}/cpufreq/scaling_cur_freq");
        fs::read_to_string(path).ok()?.trim().parse().ok()
    };
    let cpus = (0..).map_while(kilohertz).map(|kilohertz| kilohertz / 1000.0);
    let fastest = |one: Option<f64>, other: f64| Some(one.map_or(other, |it| it.max(other)));
    cpus.fold(None, fastest).or_else(|| {
        let text = fs::read_to_string("/proc/cpuinfo").ok()?;
        let lines = text.lines().filter(|line| line.starts_with("cpu MHz"));
        let values = lines.filter_map(|line| line.split_once(':')?.1.trim().parse().ok());
        values.fold(None, fastest)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_of_others_is_what_is_left_of_the_machine() {
        let machine = |user: u64, idle: u64| {
            format!("cpu  {user} 0 100 {idle} 50 0 10 40 7 0\ncpu0 1 2\ncpu1 1 2\nintr 5\n")
        };
        let own =
            |user: u64| format!("17 (a) b) S 1 1 1 0 -1 4194304 1 2 3 4 {user} 30 20 10 20 0");
        let before = read_ticks(&machine(1000, 5000), &own(400)).unwrap();
        assert_eq!(before, Ticks { all: 6200.0, used: 1150.0, own: 460.0, cpus: 2.0 });
        // In 1,000 ticks of 2 CPUs, 500 were used, 300 by this process.
        let now = read_ticks(&machine(1500, 5500), &own(700)).unwrap();
        assert_eq!(others(before, now), Some(0.4));
        assert_eq!(others(now, now), None);
        assert_eq!(read_ticks("", &own(1)), None);
        assert_eq!(read_ticks(&machine(1, 1), "17 (a"), None);
    }
}
