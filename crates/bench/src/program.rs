//! Solvers that run in another process: `--program NAME=COMMAND`.
//!
//! A program is in a process group of its own, on Windows in a job, which is killed when the program ends, at the
//! time limit, or when it has written too much. It reads and writes files in a new folder, no pipes.

use crate::judge;
use crate::stats::Estimate;
#[cfg(windows)]
use crate::windows::ProcessTree;
use ninefold_core::puzzle::Grid;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, is_separator};
#[cfg(unix)]
use std::process::Child;
use std::process::{Command, ExitStatus, Stdio};
use std::str::FromStr;
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// Between two looks at the limits of a program.
const BETWEEN_LOOKS: Duration = Duration::from_millis(20);

/// A program may write this many bytes, and a number of bytes for each puzzle: nine lines of a frame
/// are 250. More is a fault that would fill the disk.
const MOST_BYTES: u64 = 16 << 20;
const MOST_BYTES_OF_A_PUZZLE: u64 = 1000;

/// Runs on an empty list before the measurement. The first one also fills the caches of the system.
const STARTUPS: usize = 3;

/// The most characters of a message that are reported.
const MOST_CHARACTERS: usize = 1000;

/// A program, as the user gave it.
#[derive(Clone, Debug)]
pub(crate) struct ProgramCommand {
    pub(crate) name: String,
    words: Vec<String>,
}

impl FromStr for ProgramCommand {
    type Err = String;

    /// Takes `NAME=COMMAND`. The words of the command are separated as in a shell, but no shell runs; on Windows,
    /// as programs there separate theirs.
    fn from_str(text: &str) -> Result<Self, String> {
        let is_bad = |c: char| c.is_whitespace() || c.is_control() || is_separator(c);
        let split =
            text.split_once('=').filter(|(name, _)| !name.is_empty() && !name.contains(is_bad));
        let (name, text) =
            split.ok_or("expected NAME=COMMAND, with a name without spaces and slashes")?;
        #[cfg(not(windows))]
        let words = shell_words::split(text).map_err(|error| error.to_string())?;
        #[cfg(windows)]
        let words = windows_words(text)?;
        if words.is_empty() {
            return Err("the command is empty".to_owned());
        }
        Ok(Self { name: name.to_owned(), words })
    }
}

/// The words of a command of Windows: `"` keeps spaces together, and a backslash is a character, except those that
/// stand before a `"`. Of these every two are one, and one that is left makes a character of the `"`.
#[cfg(any(windows, test))]
fn windows_words(text: &str) -> Result<Vec<String>, String> {
    let (mut words, mut word, mut is_quoted) = (Vec::new(), None::<String>, false);
    let mut chars = text.chars().peekable();
    while let Some(next) = chars.next() {
        if next.is_whitespace() && !is_quoted {
            words.extend(word.take());
            continue;
        }
        let word = word.get_or_insert_default();
        match next {
            '"' => is_quoted = !is_quoted,
            '\\' => {
                let mut count = 1;
                while chars.next_if_eq(&'\\').is_some() {
                    count += 1;
                }
                let is_before_quote = chars.peek() == Some(&'"');
                word.push_str(&"\\".repeat(if is_before_quote { count / 2 } else { count }));
                word.extend(chars.next_if(|_| is_before_quote && count % 2 == 1));
            }
            _ => word.push(next),
        }
    }
    words.extend(word);
    if is_quoted { Err("missing closing quote".to_owned()) } else { Ok(words) }
}

pub(crate) struct ProgramRun {
    /// The wall time.
    pub(crate) seconds: f64,
    /// `None` if it was killed.
    pub(crate) answers: Option<Vec<Option<Grid>>>,
    /// Why it was killed, or its exit code if that is not 0; with the last line of standard error.
    pub(crate) failure: Option<String>,
}

pub(crate) struct Program {
    pub(crate) command: ProgramCommand,
    pub(crate) blank: u8,
    /// In seconds.
    pub(crate) time_limit: f64,
    /// As [`Program::startup`] measured it.
    pub(crate) startup_seconds: f64,
}

impl Program {
    /// The median time for an empty list, whatever the exit code is. Fails if the program does not start.
    pub(crate) fn startup(&self, cancelled: &dyn Fn() -> bool) -> io::Result<f64> {
        let mut times = Vec::new();
        let mut has_ended = true;
        // A program that waits for a puzzle is waited for once.
        while has_ended && times.len() < STARTUPS {
            let ran = self.run(&[], cancelled)?;
            has_ended = ran.answers.is_some();
            times.push(ran.seconds);
        }
        Ok(Estimate::of_median(&times).expect("it ran").middle)
    }

    /// Runs the program on puzzles. Fails if it does not start.
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
        let ProgramCommand { name, words } = &self.command;
        let has = |placeholder| words.iter().any(|word| word.contains(placeholder));
        let mut command = Command::new(&words[0]);
        command.args(words[1..].iter().map(|word| replace(word, &output, &input)));
        let stdin = if has("{input}") { Stdio::null() } else { File::open(&input)?.into() };
        command.stdin(stdin).stdout(File::create(&stdout)?).stderr(File::create(&stderr)?);
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);

        let most_bytes = MOST_BYTES + MOST_BYTES_OF_A_PUZZLE * puzzles.len() as u64;
        let is_too_long = |path| fs::metadata(path).is_ok_and(|data| data.len() > most_bytes);
        let limit = self.time_limit;
        let stopped = |seconds| match () {
            () if cancelled() => Some("cancelled".to_owned()),
            () if seconds > limit => Some(format!("killed after {limit} s (--time-limit)")),
            () if [&output, &stdout, &stderr].into_iter().any(is_too_long) => {
                Some("killed, too much output".to_owned())
            }
            () => None,
        };
        let (status, killed, seconds) = wait(&mut command, &stopped).map_err(|cause| {
            let name = format!("--program {name}: {}: it did not start", words[0]).into();
            io::Error::other(ninefold_rows::input::Error { name, cause })
        })?;
        let written = if has("{output}") { &output } else { &stdout };
        let is_whole = killed.is_none() && status.code().is_some();
        let answers = is_whole.then(|| judge::read(puzzles, &read(written, most_bytes)));
        let message = last_line(&read(&stderr, most_bytes));
        let failure = killed.or_else(|| (!status.success()).then(|| status.to_string()));
        let failure =
            failure.map(|why| if message.is_empty() { why } else { format!("{why}: {message}") });
        Ok(ProgramRun { seconds, answers, failure })
    }
}

/// Starts a program and waits for its end, or kills it for the reason that `stopped` gives for the seconds so
/// far. Returns that reason and all seconds, too.
fn wait(
    command: &mut Command,
    stopped: &dyn Fn(f64) -> Option<String>,
) -> io::Result<(ExitStatus, Option<String>, f64)> {
    let started = Instant::now();
    let mut child = command.spawn()?;
    let tree = ProcessTree::of(&child);
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || {
        let status = child.wait();
        sender.send((status, started.elapsed().as_secs_f64()))
    });
    let mut killed = None;
    let (status, seconds) = loop {
        if let Ok(ended) = receiver.recv_timeout(BETWEEN_LOOKS) {
            break ended;
        }
        killed = killed.or_else(|| stopped(started.elapsed().as_secs_f64()));
        if killed.is_some() {
            tree.kill();
        }
    };
    // What it has started may still run.
    tree.kill();
    Ok((status?, killed, seconds))
}

/// A program and the processes that it has started.
#[cfg(unix)]
struct ProcessTree(nix::unistd::Pid);

#[cfg(unix)]
impl ProcessTree {
    fn of(child: &Child) -> Self {
        let id = i32::try_from(child.id()).expect("the system's numbers are of this type");
        Self(nix::unistd::Pid::from_raw(id))
    }

    /// Kills a program, which may have left its group, and its group, which may outlive it. When it has ended, its
    /// number is free for another process, but systems give the numbers after it first.
    fn kill(&self) {
        use nix::sys::signal::{Signal, kill, killpg};
        let _ = (killpg(self.0, Signal::SIGKILL), kill(self.0, Signal::SIGKILL));
    }
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
fn replace(word: &str, output: &Path, input: &Path) -> String {
    let [output, input] = [output, input].map(|path| path.display().to_string());
    word.replace("{output}", &output).replace("{input}", &input)
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
    fn commands_are_split_as_the_system_splits_them() {
        let command = ProgramCommand::from_str("a=./solve \"x y\" {input} a=b").unwrap();
        assert_eq!(command.name, "a");
        assert_eq!(command.words, ["./solve", "x y", "{input}", "a=b"]);
        if cfg!(unix) {
            let command = ProgramCommand::from_str("a=./solve 'two words'").unwrap();
            assert_eq!(command.words, ["./solve", "two words"]);
        }
        for wrong in ["./solve {input}", "=./solve", "a=", "a b=./solve", "a=./solve \"x", "a/b=c"]
        {
            assert!(ProgramCommand::from_str(wrong).is_err(), "{wrong}");
        }
    }

    /// The cases of Microsoft's "Parsing C command-line arguments", and paths.
    #[test]
    fn backslashes_of_windows_stay() {
        let cases: [(&str, &[&str]); 8] = [
            (r#""a b c" d e"#, &["a b c", "d", "e"]),
            (r#""ab\"c" "\\" d"#, &[r#"ab"c"#, r"\", "d"]),
            (r#"a\\\b d"e f"g h"#, &[r"a\\\b", "de fg", "h"]),
            (r#"a\\\"b c d"#, &[r#"a\"b"#, "c", "d"]),
            (r#"a\\\\"b c" d e"#, &[r"a\\b c", "d", "e"]),
            (r"C:\new\solve.exe  {input}", &[r"C:\new\solve.exe", "{input}"]),
            (
                r#""C:\Program Files\solve.exe" "" it's\"#,
                &[r"C:\Program Files\solve.exe", "", r"it's\"],
            ),
            (" ", &[]),
        ];
        for (text, words) in cases {
            assert_eq!(windows_words(text).unwrap(), words, "{text}");
        }
        assert!(windows_words("\"a").is_err());
    }

    #[test]
    fn placeholders_are_replaced_wherever_they_are() {
        let replaced = |word| replace(word, Path::new("o"), Path::new("/tmp/{output}"));
        assert_eq!(replaced("--in={input}"), "--in=/tmp/{output}");
        assert_eq!(replaced("{output}{output}"), "oo");
        assert_eq!(replaced("{ print {x} } {"), "{ print {x} } {");
    }
}
