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
//! of puzzles.
//! And it notices when `ninefold bench` ends, however that ends, and kills the program's group.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::fs::File;
use std::io::{self, BufRead, Read, Write};
use std::path::PathBuf;
use std::process::{Command, ExitCode, ExitStatus, Stdio};
use std::time::Instant;

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
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
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
            Self::Signal(number) => {
                let name = name_of(*number).map_or(String::new(), |name| format!(" ({name})"));
                write!(f, "killed by signal {number}{name}")
            }
            Self::TimeLimit(seconds) => write!(f, "killed after the time limit of {seconds} s"),
            Self::NotStarted(why) => write!(f, "it did not start: {why}"),
            Self::Cancelled => f.write_str("cancelled"),
        }
    }
}

/// The names of the signals that end a program with a fault. Their numbers are the same on Linux and
/// macOS, except SIGBUS.
const fn name_of(signal: i32) -> Option<&'static str> {
    Some(match signal {
        2 => "SIGINT",
        4 => "SIGILL",
        6 => "SIGABRT",
        7 if cfg!(target_os = "linux") => "SIGBUS",
        8 => "SIGFPE",
        9 => "SIGKILL",
        10 if cfg!(target_vendor = "apple") => "SIGBUS",
        11 => "SIGSEGV",
        13 => "SIGPIPE",
        15 => "SIGTERM",
        25 => "SIGXFSZ, too much output",
        _ => return None,
    })
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
#[derive(Clone, Copy, Serialize, Deserialize)]
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
    match read_and_run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(_) => ExitCode::from(2),
    }
}

fn read_and_run() -> io::Result<()> {
    let mut line = String::new();
    io::stdin().lock().read_line(&mut line)?;
    let task: Task = serde_json::from_str(&line)?;
    let failed = |error: io::Error| Outcome::of(End::NotStarted(error.to_string()));
    let outcome = run_task(&task).unwrap_or_else(failed);
    writeln!(io::stdout(), "{}", serde_json::to_string(&outcome)?)
}

fn run_task(task: &Task) -> io::Result<Outcome> {
    let [program, words @ ..] = &task.words[..] else { return Err(io::ErrorKind::NotFound.into()) };
    let mut command = Command::new(program);
    let stdin = task.stdin.as_ref().map(File::open).transpose()?;
    command.args(words).stdin(stdin.map_or_else(Stdio::null, Stdio::from));
    command.stdout(File::create(&task.stdout)?).stderr(File::create(&task.stderr)?);
    system::prepare(&mut command, task.most_bytes);
    let started = Instant::now();
    let child = command.spawn()?;
    let (end, wall) = system::wait(child, started, task.seconds)?;
    let used = system::used();
    system::end_descendants();
    Ok(Outcome { end, wall: wall.as_secs_f64(), used })
}

/// How a process ended.
#[cfg(unix)]
fn ended(status: ExitStatus) -> End {
    use std::os::unix::process::ExitStatusExt;
    let code = || End::Code(status.code().unwrap_or(-1));
    status.signal().map_or_else(code, End::Signal)
}

#[cfg(not(unix))]
fn ended(status: ExitStatus) -> End {
    End::Code(status.code().unwrap_or(-1))
}

/// Waits until standard input ends: then `ninefold bench` has ended, or its user has cancelled it.
fn wait_for_the_end_of_input() {
    let mut rest = [0; 64];
    while !matches!(io::stdin().lock().read(&mut rest), Ok(0) | Err(_)) {}
}

#[cfg(unix)]
mod system {
    use crate::child::{End, Used, ended, wait_for_the_end_of_input};
    use nix::sys::resource::{Resource, UsageWho, getrlimit, getrusage, setrlimit};
    use nix::sys::signal::{self, Signal, killpg};
    use nix::sys::time::TimeValLike;
    use nix::unistd::Pid;
    use std::io;
    use std::os::unix::process::CommandExt;
    use std::process::{self, Child, Command, ExitStatus};
    use std::sync::{Arc, Mutex, PoisonError, mpsc};
    use std::thread;
    use std::time::{Duration, Instant};

    /// Gives the program a process group, and bounds its files. On Linux, descendants that leave the
    /// group become children of this process when their parents end.
    pub(crate) fn prepare(command: &mut Command, most_bytes: u64) {
        command.process_group(0);
        #[cfg(target_os = "linux")]
        let _ = nix::sys::prctl::set_child_subreaper(true);
        if let Ok((_, hard)) = getrlimit(Resource::RLIMIT_FSIZE) {
            // A system that refuses it has another bound: its disk.
            let _ = setrlimit(Resource::RLIMIT_FSIZE, most_bytes.min(hard), hard);
        }
    }

    /// What is known of the group.
    #[derive(Clone, Copy, PartialEq)]
    enum State {
        Running,
        /// Killed by the time limit.
        TimedOut,
        /// The program has ended: its number may belong to another process soon.
        Over,
    }

    /// Waits for the program, and kills its group at the time limit. Whatever is left of the group is
    /// killed at the end.
    pub(crate) fn wait(
        mut child: Child,
        started: Instant,
        limit: f64,
    ) -> io::Result<(End, Duration)> {
        let group = Pid::from_raw(i32::try_from(child.id()).map_err(io::Error::other)?);
        let state = Arc::new(Mutex::new(State::Running));
        let (done, waits) = mpsc::channel::<()>();
        let timed = Arc::clone(&state);
        let clock = thread::spawn(move || {
            if waits.recv_timeout(Duration::from_secs_f64(limit))
                == Err(mpsc::RecvTimeoutError::Timeout)
            {
                kill(group, &timed, State::TimedOut);
            }
        });
        let cancelled = Arc::clone(&state);
        thread::spawn(move || {
            wait_for_the_end_of_input();
            kill(group, &cancelled, State::Over);
            end_descendants();
            process::exit(2);
        });
        let status = wait_for_its_end(&mut child)?;
        let wall = started.elapsed();
        let timed_out = {
            let mut state = state.lock().unwrap_or_else(PoisonError::into_inner);
            let _ = killpg(group, Signal::SIGKILL);
            std::mem::replace(&mut *state, State::Over) == State::TimedOut
        };
        let status = status.map_or_else(|| child.wait(), Ok)?;
        drop(done);
        let _ = clock.join();
        Ok((if timed_out { End::TimeLimit(limit) } else { ended(status) }, wall))
    }

    /// Kills the group, unless it is over.
    fn kill(group: Pid, state: &Mutex<State>, next: State) {
        let mut state = state.lock().unwrap_or_else(PoisonError::into_inner);
        if *state == State::Running {
            *state = next;
            let _ = killpg(group, Signal::SIGKILL);
            // The program may have left its group. Its number is that of the group.
            let _ = signal::kill(group, Signal::SIGKILL);
        }
    }

    /// Kills processes that the program started and that left its group. They are children of this
    /// process once the program is dead. So are their own children, when their parent is killed.
    #[cfg(target_os = "linux")]
    pub(crate) fn end_descendants() {
        use nix::sys::wait::{WaitPidFlag, waitpid};
        /// A program that starts processes faster than they are killed is left alone.
        const PASSES: usize = 1000;
        for _ in 0..PASSES {
            let Ok(children) = children() else { return };
            for child in &children {
                let _ = signal::kill(*child, Signal::SIGKILL);
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
    pub(crate) fn end_descendants() {}

    /// The children of this process. A thread has those that it started, and the first one those that
    /// were left by their parents.
    #[cfg(target_os = "linux")]
    fn children() -> io::Result<Vec<Pid>> {
        let mut children = Vec::new();
        for thread in std::fs::read_dir("/proc/self/task")? {
            // A thread may end meanwhile.
            let text = std::fs::read_to_string(thread?.path().join("children")).unwrap_or_default();
            children.extend(text.split_whitespace().filter_map(|it| it.parse::<i32>().ok()));
        }
        Ok(children.into_iter().map(Pid::from_raw).collect())
    }

    /// Waits until the program has ended. Its number stays its own, because it is not waited for:
    /// so the group can be killed safely.
    #[cfg(target_os = "linux")]
    fn wait_for_its_end(child: &mut Child) -> io::Result<Option<ExitStatus>> {
        use nix::errno::Errno;
        use nix::sys::wait::{Id, WaitPidFlag, waitid};
        let id = Pid::from_raw(i32::try_from(child.id()).map_err(io::Error::other)?);
        loop {
            match waitid(Id::Pid(id), WaitPidFlag::WEXITED | WaitPidFlag::WNOWAIT) {
                Err(Errno::EINTR) => {}
                other => return other.map(|_| None).map_err(io::Error::from),
            }
        }
    }

    /// `nix` has no such call for the other systems. Between this and the end of the group the number
    /// could be given to another group, within microseconds.
    #[cfg(not(target_os = "linux"))]
    fn wait_for_its_end(child: &mut Child) -> io::Result<Option<ExitStatus>> {
        child.wait().map(Some)
    }

    /// What the only child used.
    pub(crate) fn used() -> Option<Used> {
        let usage = getrusage(UsageWho::RUSAGE_CHILDREN).ok()?;
        let own = getrusage(UsageWho::RUSAGE_SELF).ok()?;
        let seconds =
            |micros: i64| Duration::from_micros(micros.try_into().unwrap_or(0)).as_secs_f64();
        // macOS counts bytes, the others kibibytes.
        let unit = if cfg!(target_vendor = "apple") { 1 } else { 1024 };
        Some(Used {
            user: seconds(usage.user_time().num_microseconds()),
            system: seconds(usage.system_time().num_microseconds()),
            peak_bytes: u64::try_from(usage.max_rss()).unwrap_or(0) * unit,
            floor_bytes: u64::try_from(own.max_rss()).unwrap_or(0) * unit,
        })
    }
}

#[cfg(not(unix))]
mod system {
    use crate::child::{End, Used, ended, wait_for_the_end_of_input};
    use std::io;
    use std::process::{Child, Command};
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::thread;
    use std::time::{Duration, Instant};

    /// Time between two looks at the program.
    const BETWEEN_LOOKS: Duration = Duration::from_millis(1);

    pub(crate) fn prepare(_: &mut Command, _: u64) {}

    pub(crate) fn end_descendants() {}

    /// Waits for the program, and kills it at the time limit.
    pub(crate) fn wait(
        mut child: Child,
        started: Instant,
        limit: f64,
    ) -> io::Result<(End, Duration)> {
        let cancelled = Arc::new(AtomicBool::new(false));
        let flag = Arc::clone(&cancelled);
        thread::spawn(move || {
            wait_for_the_end_of_input();
            flag.store(true, Ordering::Relaxed);
        });
        loop {
            if let Some(status) = child.try_wait()? {
                return Ok((ended(status), started.elapsed()));
            }
            if started.elapsed().as_secs_f64() > limit || cancelled.load(Ordering::Relaxed) {
                child.kill()?;
                child.wait()?;
                return Ok((End::TimeLimit(limit), started.elapsed()));
            }
            thread::sleep(BETWEEN_LOOKS);
        }
    }

    pub(crate) fn used() -> Option<Used> {
        None
    }
}
