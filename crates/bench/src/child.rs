//! Runs one program in a process of its own: `ninefold __bench-run`, which users do not call.
//!
//! ```text
//!   ninefold bench ──task──► ninefold __bench-run ──► the program, in a process group of its own
//!                  ◄─result─                            reads and writes files, no pipes
//! ```
//!
//! The system adds up the time and memory of children, so a process with one child knows what that one
//! used. A child begins with the memory of its parent, and this one is small: a few MB. And it notices
//! when `ninefold bench` ends, however that ends, and kills the program's group.

#[cfg(unix)]
use nix::{sys::signal::Signal, unistd::Pid};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::fs::File;
use std::io::{self, BufRead, Write};
use std::path::PathBuf;
use std::process::{Child, Command, ExitCode, Stdio, exit};
use std::sync::mpsc::{self, Sender};
use std::thread;
use std::time::{Duration, Instant};

pub(crate) const NAME: &str = "__bench-run";

/// Whether the system tells the end of a program; and the time between two looks at it if not.
const TELLS_END: bool = cfg!(target_os = "linux");
const BETWEEN_LOOKS: Duration = if TELLS_END { Duration::MAX } else { Duration::from_millis(1) };

/// One run of a program.
#[derive(Serialize, Deserialize)]
pub(crate) struct Task {
    pub(crate) words: Vec<String>,
    /// What it reads as standard input; nothing if this is `None`.
    pub(crate) stdin: Option<PathBuf>,
    pub(crate) stdout: PathBuf,
    pub(crate) stderr: PathBuf,
    pub(crate) seconds: f64,
    /// The size at which a file that it writes is too large.
    pub(crate) most_bytes: u64,
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
pub(crate) enum End {
    Code(i32),
    Signal(i32),
    /// The limit in seconds.
    TimeLimit(f64),
    Cancelled,
}

impl fmt::Display for End {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Code(code) => write!(f, "exit code {code}"),
            Self::Signal(number) => {
                write!(f, "killed by signal {number}")?;
                #[cfg(unix)]
                if let Ok(name) = Signal::try_from(*number) {
                    let is_size = name == Signal::SIGXFSZ;
                    write!(f, " ({name}{})", if is_size { ", too much output" } else { "" })?;
                }
                Ok(())
            }
            Self::TimeLimit(seconds) => write!(f, "killed after {seconds} s (--time-limit)"),
            Self::Cancelled => f.write_str("cancelled"),
        }
    }
}

/// The result of a run. Times are in seconds.
#[derive(Serialize, Deserialize)]
pub(crate) struct Outcome {
    pub(crate) end: End,
    pub(crate) wall: f64,
    /// What the program used, with the processes that it waited for, and what the process between used.
    /// A child begins with the memory of its parent, so none has less.
    pub(crate) used: Option<(Used, Used)>,
}

/// What a process used: CPU seconds in the program and in the kernel, and bytes of peak memory.
#[derive(Serialize, Deserialize)]
pub(crate) struct Used {
    pub(crate) user: f64,
    pub(crate) system: f64,
    pub(crate) peak_bytes: u64,
}

/// Reads a task from standard input, runs it, and writes the outcome to standard output, or why the
/// program did not start. If standard input ends before, the program is killed.
pub(crate) fn run() -> ExitCode {
    let run = || -> io::Result<()> {
        let mut line = String::new();
        io::stdin().lock().read_line(&mut line)?;
        let outcome = run_task(&serde_json::from_str(&line)?);
        let outcome = outcome.map_err(|error| format!("it did not start: {error}"));
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
    prepare(&mut command, task.most_bytes);
    let started = Instant::now();
    let mut child = command.spawn()?;
    // Gets the time at which the program ended; or nothing when standard input ends: `ninefold bench`
    // has ended, or its user has cancelled it.
    let (sender, events) = mpsc::channel();
    tell_end(&child, sender.clone());
    thread::spawn(move || {
        let _ = io::copy(&mut io::stdin().lock(), &mut io::sink());
        sender.send(None)
    });
    let limit = Duration::from_secs_f64(task.seconds);
    let (ended, in_time) = loop {
        let rest = limit.saturating_sub(started.elapsed());
        match events.recv_timeout(rest.min(BETWEEN_LOOKS)) {
            Ok(Some(at)) => break (at, true),
            Ok(None) => {
                kill_group(&mut child);
                end_descendants();
                exit(2);
            }
            Err(_) if !TELLS_END && child.try_wait()?.is_some() => break (Instant::now(), true),
            Err(_) if rest.is_zero() => break (Instant::now(), false),
            Err(_) => {}
        }
    };
    // The program was not waited for before, so its number was not given to another process.
    kill_group(&mut child);
    let status = child.wait()?;
    #[cfg(unix)]
    let signal = std::os::unix::process::ExitStatusExt::signal(&status);
    #[cfg(not(unix))]
    let signal = None;
    let end = match signal {
        _ if !in_time => End::TimeLimit(task.seconds),
        Some(signal) => End::Signal(signal),
        None => End::Code(status.code().unwrap_or(-1)),
    };
    let used = usage(true).zip(usage(false));
    end_descendants();
    Ok(Outcome { end, wall: (ended - started).as_secs_f64(), used })
}

/// Gives the program a process group, and bounds its files. On Linux, descendants that leave the group
/// become children of this process when their parents end.
fn prepare(command: &mut Command, most_bytes: u64) {
    #[cfg(unix)]
    {
        use nix::sys::resource::{Resource, getrlimit, setrlimit};
        std::os::unix::process::CommandExt::process_group(command, 0);
        #[cfg(target_os = "linux")]
        let _ = nix::sys::prctl::set_child_subreaper(true);
        if let Ok((_, hard)) = getrlimit(Resource::RLIMIT_FSIZE) {
            // A system that refuses it has another bound: its disk.
            let _ = setrlimit(Resource::RLIMIT_FSIZE, most_bytes.min(hard), hard);
        }
    }
    #[cfg(not(unix))]
    let _ = (command, most_bytes);
}

#[cfg(unix)]
fn pid(child: &Child) -> Pid {
    Pid::from_raw(i32::try_from(child.id()).expect("the system's numbers are of this type"))
}

/// Sends the time when the program ends. `nix` has no call for that on other systems than Linux, where
/// the program is looked at.
fn tell_end(child: &Child, sender: Sender<Option<Instant>>) {
    #[cfg(target_os = "linux")]
    {
        use nix::errno::Errno;
        use nix::sys::wait::{Id, WaitPidFlag, waitid};
        let id = pid(child);
        thread::spawn(move || {
            let flags = WaitPidFlag::WEXITED | WaitPidFlag::WNOWAIT;
            while waitid(Id::Pid(id), flags) == Err(Errno::EINTR) {}
            sender.send(Some(Instant::now()))
        });
    }
    #[cfg(not(target_os = "linux"))]
    let _ = (child, sender);
}

/// Kills the program, which may have left its group, and its group.
fn kill_group(child: &mut Child) {
    #[cfg(unix)]
    let _ = nix::sys::signal::killpg(pid(child), Signal::SIGKILL);
    let _ = child.kill();
}

/// Kills processes that the program started and that left its group. They are children of this process
/// once the program is dead. So are their own children, when their parent is killed. The systems other
/// than Linux do not tell which processes descend from this one.
fn end_descendants() {
    // A program that starts processes faster than they are killed is left alone.
    #[cfg(target_os = "linux")]
    for _ in 0..1000 {
        use nix::sys::wait::{WaitPidFlag, waitpid};
        let children = children();
        for child in &children {
            let _ = nix::sys::signal::kill(*child, Signal::SIGKILL);
        }
        while waitpid(None, Some(WaitPidFlag::WNOHANG)).is_ok_and(|it| it.pid().is_some()) {}
        if children.is_empty() {
            return;
        }
        thread::sleep(Duration::from_micros(100));
    }
}

/// The children of this process. A thread has those that it started, and the first one those that were
/// left by their parents.
#[cfg(target_os = "linux")]
fn children() -> Vec<Pid> {
    let threads = std::fs::read_dir("/proc/self/task").into_iter().flatten().flatten();
    // A thread may end meanwhile.
    let texts = threads.flat_map(|it| std::fs::read_to_string(it.path().join("children")));
    let texts: Vec<_> = texts.collect();
    let words = texts.iter().flat_map(|text| text.split_whitespace());
    words.filter_map(|word| word.parse().ok()).map(Pid::from_raw).collect()
}

/// What this process used, or all children that it waited for.
fn usage(is_of_children: bool) -> Option<Used> {
    #[cfg(unix)]
    {
        use nix::sys::resource::{UsageWho, getrusage};
        use nix::sys::time::{TimeVal, TimeValLike};
        let of = [UsageWho::RUSAGE_SELF, UsageWho::RUSAGE_CHILDREN][usize::from(is_of_children)];
        let usage = getrusage(of).ok()?;
        #[expect(clippy::cast_precision_loss, reason = "microseconds of less than a century")]
        let seconds = |time: TimeVal| time.num_microseconds() as f64 / 1e6;
        // macOS counts bytes, the others kibibytes.
        let unit = if cfg!(target_vendor = "apple") { 1 } else { 1024 };
        let peak_bytes = u64::try_from(usage.max_rss()).unwrap_or(0) * unit;
        let [user, system] = [usage.user_time(), usage.system_time()].map(seconds);
        Some(Used { user, system, peak_bytes })
    }
    #[cfg(not(unix))]
    None.filter(|_| is_of_children)
}

/// CPU seconds of this process and of the children that it waited for.
pub(crate) fn cpu_seconds() -> Option<f64> {
    let [own, children] = [usage(false)?, usage(true)?];
    Some(own.user + own.system + children.user + children.system)
}
