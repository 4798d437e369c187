//! Runs one program in a process of its own: `ninefold __bench-run`, which users do not call.
//!
//! ```text
//!   ninefold bench ──task──► ninefold __bench-run ──► the program, in a process group of its own
//!                  ◄─result─                            reads and writes files, no pipes
//! ```
//!
//! The process in between has three uses. The system adds up the time and memory of children, so a
//! process with one child knows what that one used. It is small, and a child begins with the memory of
//! its parent: so the peak memory of a program is bounded from below by a few MB, and not by the lists
//! of puzzles. And it notices when `ninefold bench` ends, however that ends, and kills the program's
//! group.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::fs::File;
use std::io::{self, BufRead, Write};
use std::path::PathBuf;
use std::process::{Child, Command, ExitCode, ExitStatus, Stdio, exit};
use std::sync::mpsc::{self, Sender};
use std::thread;
use std::time::{Duration, Instant};

/// The name of the command.
pub(crate) const NAME: &str = "__bench-run";

/// One run of a program.
#[derive(Serialize, Deserialize)]
pub(crate) struct Task {
    /// The program and its arguments.
    pub(crate) words: Vec<String>,
    /// What it reads as standard input; nothing if this is `None`.
    pub(crate) stdin: Option<PathBuf>,
    pub(crate) stdout: PathBuf,
    pub(crate) stderr: PathBuf,
    /// The time limit.
    pub(crate) seconds: f64,
    /// The size at which a file that it writes is too large.
    pub(crate) most_bytes: u64,
}

/// How a run ended.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
pub(crate) enum End {
    Code(i32),
    Signal(i32),
    /// Killed after this number of seconds.
    TimeLimit(f64),
    /// It did not start: the error of the system.
    NotStarted(String),
    /// The measurement was cancelled.
    Cancelled,
}

impl fmt::Display for End {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Code(code) => write!(f, "exit code {code}"),
            Self::Signal(number) => write!(f, "killed by signal {number}{}", name_of(*number)),
            Self::TimeLimit(seconds) => write!(f, "killed after {seconds} s (--time-limit)"),
            Self::NotStarted(why) => write!(f, "it did not start: {why}"),
            Self::Cancelled => f.write_str("cancelled"),
        }
    }
}

/// The names of the signals that end a program with a fault.
fn name_of(signal: i32) -> String {
    #[cfg(unix)]
    if let Ok(name) = nix::sys::signal::Signal::try_from(signal) {
        let too_much = if name.as_str() == "SIGXFSZ" { ", too much output" } else { "" };
        return format!(" ({name}{too_much})");
    }
    String::new()
}

/// The result of a run. Times are in seconds.
#[derive(Serialize, Deserialize)]
pub(crate) struct Outcome {
    pub(crate) end: End,
    pub(crate) wall: f64,
    pub(crate) used: Option<Used>,
}

impl Outcome {
    /// A run without a time.
    pub(crate) const fn of(end: End) -> Self {
        Self { end, wall: 0.0, used: None }
    }
}

/// CPU time and memory of a run, with the processes that it waited for.
#[derive(Serialize, Deserialize)]
pub(crate) struct Used {
    pub(crate) user: f64,
    pub(crate) system: f64,
    /// The peak memory of the largest process.
    pub(crate) peak_bytes: u64,
    /// The peak memory of this process. A child begins with it, so no child has less.
    pub(crate) floor_bytes: u64,
}

/// Reads a task from standard input, runs it, and writes the outcome to standard output. If standard
/// input ends before, the program is killed.
pub(crate) fn run() -> ExitCode {
    let run = || -> io::Result<()> {
        let mut line = String::new();
        io::stdin().lock().read_line(&mut line)?;
        let failed = |error: io::Error| Outcome::of(End::NotStarted(error.to_string()));
        let outcome = run_task(&serde_json::from_str(&line)?).unwrap_or_else(failed);
        writeln!(io::stdout(), "{}", serde_json::to_string(&outcome)?)
    };
    if run().is_ok() { ExitCode::SUCCESS } else { ExitCode::from(2) }
}

fn run_task(task: &Task) -> io::Result<Outcome> {
    let [program, words @ ..] = &task.words[..] else { return Err(io::ErrorKind::NotFound.into()) };
    let mut command = Command::new(program);
    let stdin = task.stdin.as_ref().map(File::open).transpose()?;
    command.args(words).stdin(stdin.map_or_else(Stdio::null, Stdio::from));
    command.stdout(File::create(&task.stdout)?).stderr(File::create(&task.stderr)?);
    system::prepare(&mut command, task.most_bytes);
    let started = Instant::now();
    let mut child = command.spawn()?;
    let (end, wall) = wait(&mut child, started, Duration::from_secs_f64(task.seconds))?;
    let used = system::used();
    system::end_descendants();
    Ok(Outcome { end, wall: wall.as_secs_f64(), used })
}

/// What ends the wait for a program.
enum Event {
    /// The program has ended at this time.
    Ended(Instant),
    /// Standard input has ended: so has `ninefold bench`, or its user has cancelled it.
    Left,
}

/// Waits for the program, and kills its group at the time limit. What is left of the group is killed
/// at the end. The program is not waited for before, so its number is not given to another process.
fn wait(child: &mut Child, started: Instant, limit: Duration) -> io::Result<(End, Duration)> {
    let (sender, events) = mpsc::channel();
    let looks = system::tell_end(child, sender.clone());
    thread::spawn(move || {
        let _ = io::copy(&mut io::stdin().lock(), &mut io::sink());
        sender.send(Event::Left)
    });
    let (ended, in_time) = loop {
        let rest = limit.saturating_sub(started.elapsed());
        match events.recv_timeout(looks.map_or(rest, |pause| pause.min(rest))) {
            Ok(Event::Ended(at)) => break (at, true),
            Ok(Event::Left) => {
                system::kill_group(child);
                system::end_descendants();
                exit(2);
            }
            Err(_) if looks.is_some() && child.try_wait()?.is_some() => {
                break (Instant::now(), true);
            }
            Err(_) if rest.is_zero() => break (Instant::now(), false),
            Err(_) => {}
        }
    };
    system::kill_group(child);
    let status = child.wait()?;
    let end = if in_time { ended_by(status) } else { End::TimeLimit(limit.as_secs_f64()) };
    Ok((end, ended - started))
}

fn ended_by(status: ExitStatus) -> End {
    #[cfg(unix)]
    if let Some(signal) = std::os::unix::process::ExitStatusExt::signal(&status) {
        return End::Signal(signal);
    }
    End::Code(status.code().unwrap_or(-1))
}

/// CPU seconds of this process and of the children that it waited for.
pub(crate) fn cpu_seconds() -> Option<f64> {
    system::cpu_seconds()
}

#[cfg(unix)]
mod system {
    use super::{Child, Command, Duration, Event, Instant, Sender, Used, thread};
    use nix::sys::resource::{Resource, UsageWho, getrlimit, getrusage, setrlimit};
    use nix::sys::signal::{Signal, kill, killpg};
    use nix::sys::time::{TimeVal, TimeValLike};
    use nix::unistd::Pid;
    use std::os::unix::process::CommandExt;

    /// Gives the program a process group, and bounds its files. On Linux, descendants that leave the
    /// group become children of this process when their parents end.
    pub(super) fn prepare(command: &mut Command, most_bytes: u64) {
        command.process_group(0);
        #[cfg(target_os = "linux")]
        let _ = nix::sys::prctl::set_child_subreaper(true);
        if let Ok((_, hard)) = getrlimit(Resource::RLIMIT_FSIZE) {
            // A system that refuses it has another bound: its disk.
            let _ = setrlimit(Resource::RLIMIT_FSIZE, most_bytes.min(hard), hard);
        }
    }

    /// Sends an event when the program ends. `nix` has no call for that on other systems: returns the
    /// time between two looks at the program there.
    pub(super) fn tell_end(child: &Child, sender: Sender<Event>) -> Option<Duration> {
        #[cfg(target_os = "linux")]
        {
            use nix::errno::Errno;
            use nix::sys::wait::{Id, WaitPidFlag, waitid};
            let id = pid(child);
            thread::spawn(move || {
                let flags = WaitPidFlag::WEXITED | WaitPidFlag::WNOWAIT;
                while waitid(Id::Pid(id), flags) == Err(Errno::EINTR) {}
                sender.send(Event::Ended(Instant::now()))
            });
        }
        #[cfg(not(target_os = "linux"))]
        let _ = (child, sender);
        (!cfg!(target_os = "linux")).then_some(Duration::from_millis(1))
    }

    fn pid(child: &Child) -> Pid {
        Pid::from_raw(i32::try_from(child.id()).expect("the system's numbers are of this type"))
    }

    pub(super) fn kill_group(child: &Child) {
        let _ = killpg(pid(child), Signal::SIGKILL);
        // The program may have left its group.
        let _ = kill(pid(child), Signal::SIGKILL);
    }

    /// Kills processes that the program started and that left its group. They are children of this
    /// process once the program is dead. So are their own children, when their parent is killed.
    #[cfg(target_os = "linux")]
    pub(super) fn end_descendants() {
        use nix::sys::wait::{WaitPidFlag, waitpid};
        /// A program that starts processes faster than they are killed is left alone.
        const PASSES: usize = 1000;
        for _ in 0..PASSES {
            let children = children();
            for child in &children {
                let _ = kill(*child, Signal::SIGKILL);
            }
            while waitpid(None, Some(WaitPidFlag::WNOHANG)).is_ok_and(|it| it.pid().is_some()) {}
            if children.is_empty() {
                return;
            }
            thread::sleep(Duration::from_micros(100));
        }
    }

    /// The others do not tell which processes descend from this one.
    #[cfg(not(target_os = "linux"))]
    pub(super) fn end_descendants() {}

    /// The children of this process. A thread has those that it started, and the first one those that
    /// were left by their parents.
    #[cfg(target_os = "linux")]
    fn children() -> Vec<Pid> {
        let threads = std::fs::read_dir("/proc/self/task").into_iter().flatten().flatten();
        // A thread may end meanwhile.
        let texts = threads.flat_map(|it| std::fs::read_to_string(it.path().join("children")));
        let words = |text: String| {
            text.split_whitespace().filter_map(|it| it.parse().ok()).collect::<Vec<_>>()
        };
        texts.flat_map(words).map(Pid::from_raw).collect()
    }

    #[expect(clippy::cast_precision_loss, reason = "microseconds of less than a century")]
    fn seconds(time: TimeVal) -> f64 {
        time.num_microseconds() as f64 / 1e6
    }

    /// What the only child used.
    pub(super) fn used() -> Option<Used> {
        let usage = getrusage(UsageWho::RUSAGE_CHILDREN).ok()?;
        let own = getrusage(UsageWho::RUSAGE_SELF).ok()?;
        // macOS counts bytes, the others kibibytes.
        let unit = if cfg!(target_vendor = "apple") { 1 } else { 1024 };
        Some(Used {
            user: seconds(usage.user_time()),
            system: seconds(usage.system_time()),
            peak_bytes: u64::try_from(usage.max_rss()).unwrap_or(0) * unit,
            floor_bytes: u64::try_from(own.max_rss()).unwrap_or(0) * unit,
        })
    }

    pub(super) fn cpu_seconds() -> Option<f64> {
        let of = |who| getrusage(who).map(|it| seconds(it.user_time()) + seconds(it.system_time()));
        Some(of(UsageWho::RUSAGE_SELF).ok()? + of(UsageWho::RUSAGE_CHILDREN).ok()?)
    }
}

#[cfg(not(unix))]
mod system {
    use super::{Child, Command, Duration, Event, Sender, Used};

    pub(super) fn prepare(_: &mut Command, _: u64) {}

    pub(super) fn tell_end(_: &Child, _: Sender<Event>) -> Option<Duration> {
        Some(Duration::from_millis(1))
    }

    pub(super) fn kill_group(child: &mut Child) {
        let _ = child.kill();
    }

    pub(super) fn end_descendants() {}

    pub(super) fn used() -> Option<Used> {
        None
    }

    pub(super) fn cpu_seconds() -> Option<f64> {
        None
    }
}
