//! Solvers that run in another process: `--program NAME=COMMAND`.
//!
//! A program is in a process group of its own, which is killed when the program ends, at the time limit, or
//! when it has written too much. It reads and writes files in a new folder, no pipes.

use crate::Error;
use crate::judge;
use ninefold_core::puzzle::Grid;
#[cfg(unix)]
use nix::{sys::signal::Signal, unistd::Pid};
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::str::FromStr;
use std::sync::mpsc::{self, Sender};
use std::time::{Duration, Instant};
use std::{fmt, thread};
use tempfile::TempDir;

/// Whether the system tells the end of a program; and the time between two looks at it.
const TELLS_END: bool = cfg!(target_os = "linux");
const BETWEEN_LOOKS: Duration = Duration::from_millis(if TELLS_END { 20 } else { 1 });

/// A program may write this many bytes, and a number of bytes for each puzzle: nine lines of a frame
/// are 250. More is a fault that would fill the disk.
const MOST_BYTES: u64 = 16 << 20;
const MOST_BYTES_OF_A_PUZZLE: u64 = 1000;

/// The most characters of a message that are reported.
const MOST_CHARACTERS: usize = 1000;

/// A program, as the user gave it.
#[derive(Clone, Debug)]
pub(crate) struct ProgramCommand {
    pub(crate) name: String,
    pub(crate) text: String,
    words: Vec<String>,
}

impl FromStr for ProgramCommand {
    type Err = String;

    /// Takes `NAME=COMMAND`. The words of the command are separated as in a shell, but no shell runs.
    fn from_str(text: &str) -> Result<Self, String> {
        let is_bad = |c: char| c.is_whitespace() || c.is_control() || c == '/';
        let split =
            text.split_once('=').filter(|(name, _)| !name.is_empty() && !name.contains(is_bad));
        let (name, text) =
            split.ok_or("expected NAME=COMMAND, with a name without spaces and slashes")?;
        let words = shell_words::split(text).map_err(|error| error.to_string())?;
        if words.is_empty() {
            return Err("the command is empty".to_owned());
        }
        Ok(Self { name: name.to_owned(), text: text.to_owned(), words })
    }
}

#[derive(Debug, PartialEq)]
pub(crate) enum ProgramEnd {
    Code(i32),
    Signal(i32),
    /// The limit in seconds.
    TimeLimit(f64),
    OutputLimit,
    Cancelled,
}

impl fmt::Display for ProgramEnd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Code(code) => write!(f, "exit code {code}"),
            Self::Signal(number) => {
                write!(f, "killed by signal {number}")?;
                #[cfg(unix)]
                if let Ok(name) = Signal::try_from(*number) {
                    write!(f, " ({name})")?;
                }
                Ok(())
            }
            Self::TimeLimit(seconds) => write!(f, "killed after {seconds} s (--time-limit)"),
            Self::OutputLimit => f.write_str("killed, too much output"),
            Self::Cancelled => f.write_str("cancelled"),
        }
    }
}

pub(crate) struct ProgramRun {
    pub(crate) end: ProgramEnd,
    /// The wall time in seconds.
    pub(crate) seconds: f64,
    pub(crate) answers: Vec<Option<Grid>>,
    /// The last line that it wrote to standard error, or nothing.
    pub(crate) message: String,
}

pub(crate) struct Program {
    pub(crate) command: ProgramCommand,
    blank: u8,
    time_limit: f64,
}

impl Program {
    pub(crate) fn new(command: &ProgramCommand, blank: u8, time_limit: f64) -> Self {
        Self { command: command.clone(), blank, time_limit }
    }

    /// Fails if the program does not start. It gets no puzzle.
    pub(crate) fn try_to_start(&self, cancelled: &dyn Fn() -> bool) -> Result<(), Error> {
        let ProgramCommand { name, words, .. } = &self.command;
        let failed = |why| format!("--program {name}: {}: {why}", words[0]);
        self.run(&[], cancelled).map(drop).map_err(|why| failed(why).into())
    }

    /// Runs the program on puzzles.
    pub(crate) fn run(
        &self,
        puzzles: &[Grid],
        cancelled: &dyn Fn() -> bool,
    ) -> io::Result<ProgramRun> {
        // Nothing of an earlier run is left, whatever the program made of its files.
        let folder = folder()?;
        let path = |name: &str| folder.path().join(name);
        let [input, output, stdout, stderr] =
            ["puzzles.txt", "answers.txt", "stdout.txt", "stderr.txt"].map(path);
        let mut text = Vec::with_capacity(82 * puzzles.len());
        for puzzle in puzzles {
            text.extend(puzzle.line(self.blank));
            text.push(b'\n');
        }
        fs::write(&input, text)?;
        let (from, to) = (utf8(&input)?, utf8(&output)?);
        let words = &self.command.words;
        let has = |placeholder| words.iter().any(|word| word.contains(placeholder));
        let mut command = Command::new(&words[0]);
        command.args(words[1..].iter().map(|word| replace(word, to, from)));
        let stdin = if has("{input}") { Stdio::null() } else { File::open(&input)?.into() };
        command.stdin(stdin).stdout(File::create(&stdout)?).stderr(File::create(&stderr)?);
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);

        let most_bytes = MOST_BYTES + MOST_BYTES_OF_A_PUZZLE * puzzles.len() as u64;
        let is_too_long = |path| fs::metadata(path).is_ok_and(|data| data.len() > most_bytes);
        let stopped = || match () {
            () if cancelled() => Some(ProgramEnd::Cancelled),
            () if [&output, &stdout, &stderr].into_iter().any(is_too_long) => {
                Some(ProgramEnd::OutputLimit)
            }
            () => None,
        };
        let (end, time) = self.wait(&mut command, &stopped)?;
        // A program that was killed is not judged.
        let is_whole = matches!(end, ProgramEnd::Code(_));
        let written = if has("{output}") { &output } else { &stdout };
        let text = if is_whole { read(written, most_bytes) } else { Vec::new() };
        let (answers, message) =
            (judge::read(puzzles, &text), last_line(&read(&stderr, most_bytes)));
        Ok(ProgramRun { end, seconds: time.as_secs_f64(), answers, message })
    }

    /// Starts the program and waits for its end, or kills it for the reason that `stopped` gives.
    fn wait(
        &self,
        command: &mut Command,
        stopped: &dyn Fn() -> Option<ProgramEnd>,
    ) -> io::Result<(ProgramEnd, Duration)> {
        let limit = Duration::from_secs_f64(self.time_limit);
        let started = Instant::now();
        let child = command.spawn();
        let mut child =
            child.map_err(|error| io::Error::other(format!("it did not start: {error}")))?;
        let (sender, receiver) = mpsc::channel();
        tell_end(&child, sender.clone());
        let (ended, killed) = loop {
            let rest = limit.saturating_sub(started.elapsed());
            match receiver.recv_timeout(rest.min(BETWEEN_LOOKS)) {
                Ok(at) => break (at, None),
                Err(_) if !TELLS_END && child.try_wait()?.is_some() => {
                    break (Instant::now(), None);
                }
                Err(_) if rest.is_zero() => {
                    break (Instant::now(), Some(ProgramEnd::TimeLimit(self.time_limit)));
                }
                Err(_) => {
                    if let Some(reason) = stopped() {
                        break (Instant::now(), Some(reason));
                    }
                }
            }
        };
        // The program was not waited for before, so its number was not given to another process. It may
        // have left its group.
        #[cfg(unix)]
        let _ = nix::sys::signal::killpg(pid(&child), Signal::SIGKILL);
        let _ = child.kill();
        let status = child.wait()?;
        #[cfg(unix)]
        let signal = std::os::unix::process::ExitStatusExt::signal(&status);
        #[cfg(not(unix))]
        let signal = None;
        let own = signal.map_or(ProgramEnd::Code(status.code().unwrap_or(-1)), ProgramEnd::Signal);
        Ok((killed.unwrap_or(own), ended - started))
    }
}

#[cfg(unix)]
fn pid(child: &Child) -> Pid {
    Pid::from_raw(i32::try_from(child.id()).expect("the system's numbers are of this type"))
}

/// Sends the time when the program ends. `nix` has no call for that on other systems than Linux, where
/// the program is looked at.
fn tell_end(child: &Child, sender: Sender<Instant>) {
    #[cfg(target_os = "linux")]
    {
        use nix::errno::Errno;
        use nix::sys::wait::{Id, WaitPidFlag, waitid};
        let id = pid(child);
        thread::spawn(move || {
            let flags = WaitPidFlag::WEXITED | WaitPidFlag::WNOWAIT;
            while waitid(Id::Pid(id), flags) == Err(Errno::EINTR) {}
            sender.send(Instant::now())
        });
    }
    #[cfg(not(target_os = "linux"))]
    let _ = (child, sender);
}

/// A folder with a random name that only this user can enter: no link can be planted in it.
fn folder() -> io::Result<TempDir> {
    let mut builder = tempfile::Builder::new();
    builder.prefix("ninefold-bench-");
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o700));
    builder.tempdir()
}

/// The word with its placeholders replaced. The input is last: its path may have braces.
fn replace(word: &str, output: &str, input: &str) -> String {
    word.replace("{output}", output).replace("{input}", input)
}

fn utf8(path: &Path) -> io::Result<&str> {
    let why = || io::Error::other(format!("{}: the path is not UTF-8", path.display()));
    path.to_str().ok_or_else(why)
}

/// The bytes of a file of answers. A program that failed may have written none, and one that made a
/// pipe, a link or a folder of this name wrote no answers: a pipe would be read forever.
fn read(path: &Path, most: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    let is_file = fs::symlink_metadata(path).is_ok_and(|data| data.is_file());
    if is_file && let Ok(file) = File::open(path) {
        // What was read before an error counts.
        let _ = file.take(most).read_to_end(&mut bytes);
    }
    bytes
}

fn last_line(text: &[u8]) -> String {
    let text = String::from_utf8_lossy(text);
    let line = text.lines().rfind(|line| !line.trim().is_empty()).unwrap_or_default();
    let shown = line.trim().chars().take(MOST_CHARACTERS);
    shown.map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_split_as_in_a_shell() {
        let command =
            ProgramCommand::from_str("a=./solve 'two words' \"x y\" {input} a=b").unwrap();
        assert_eq!(command.name, "a");
        assert_eq!(command.words, ["./solve", "two words", "x y", "{input}", "a=b"]);
        for wrong in ["./solve {input}", "=./solve", "a=", "a b=./solve", "a=./solve 'x", "a/b=c"] {
            assert!(ProgramCommand::from_str(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn placeholders_are_replaced_wherever_they_are() {
        let replaced = |word| replace(word, "o", "/tmp/{output}");
        assert_eq!(replaced("--in={input}"), "--in=/tmp/{output}");
        assert_eq!(replaced("{output}{output}"), "oo");
        assert_eq!(replaced("{ print {x} } {"), "{ print {x} } {");
    }
}
