//! Solvers that run in another process: `--program NAME=COMMAND` and `--library NAME=FILE:SYMBOL`.
//!
//! ```text
//!   ninefold bench ──► ninefold __bench-run ──► the program
//!                                          └──► ninefold __bench-library FILE SYMBOL …
//!                                               loads the library, times its function alone,
//!                                               and writes the time and the answers to a file
//! ```

use crate::child::{self, End, Outcome, Task};
use crate::judge::{self, Given};
use crate::{Error, foreign};
use ninefold_core::puzzle::Grid;
use std::cell::OnceCell;
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::time::Duration;
use std::{env, thread};
use tempfile::TempDir;

/// The start-up times of each program that are measured, before the rounds.
const STARTUPS: usize = 5;

const BETWEEN_LOOKS: Duration = Duration::from_millis(20);

/// A program may write this many bytes, and a number of bytes for each puzzle: nine lines of a frame
/// are 250. More is a fault that would fill the disk.
const MOST_BYTES: u64 = 16 << 20;
const MOST_BYTES_OF_A_PUZZLE: u64 = 1000;

/// The most characters of a message that are reported.
const MOST_CHARACTERS: usize = 1000;

/// A named solver, as the user gave it.
#[derive(Clone, Debug)]
pub(crate) struct Named {
    pub(crate) name: String,
    pub(crate) text: String,
    /// The words of a command, or a file and a symbol.
    words: Vec<String>,
    is_library: bool,
}

/// Takes `NAME=COMMAND`. The words of the command are separated as in a shell, but no shell runs.
pub(crate) fn named_command(text: &str) -> Result<Named, String> {
    let (name, text) = split_name(text, "COMMAND")?;
    let words = shell_words::split(text).map_err(|error| error.to_string())?;
    if words.is_empty() {
        return Err("the command is empty".to_owned());
    }
    Ok(Named { name, words, text: text.to_owned(), is_library: false })
}

/// Takes `NAME=FILE:SYMBOL`.
pub(crate) fn named_function(text: &str) -> Result<Named, String> {
    let (name, text) = split_name(text, "FILE:SYMBOL")?;
    let split = text.rsplit_once(':').filter(|(file, symbol)| {
        let is_symbol = |c: char| c.is_ascii_alphanumeric() || c == '_';
        !file.is_empty() && !symbol.is_empty() && symbol.chars().all(is_symbol)
    });
    let (file, symbol) = split.ok_or("expected NAME=FILE:SYMBOL, as in mine=./libmine.so:solve")?;
    let words = [file, symbol].map(str::to_owned).to_vec();
    Ok(Named { name, words, text: text.to_owned(), is_library: true })
}

fn split_name<'a>(text: &'a str, rest: &str) -> Result<(String, &'a str), String> {
    let is_bad = |c: char| c.is_whitespace() || c.is_control() || c == '/';
    let split = text.split_once('=').filter(|(name, _)| !name.is_empty() && !name.contains(is_bad));
    let split = split.map(|(name, text)| (name.to_owned(), text));
    split.ok_or_else(|| format!("expected NAME={rest}, with a name without spaces and slashes"))
}

pub(crate) struct Ran {
    pub(crate) outcome: Outcome,
    /// Seconds of solving alone if the process measures it, and else of everything.
    pub(crate) solving: f64,
    pub(crate) answers: Vec<Given>,
    /// The last line that it wrote to standard error, or nothing.
    pub(crate) message: String,
}

/// The start-up times of a program, in seconds.
#[derive(Default)]
pub(crate) struct Startup {
    /// Of runs without a puzzle, and with one.
    pub(crate) times: [Vec<f64>; 2],
    /// The time limit, if one puzzle took longer.
    pub(crate) hangs: Option<f64>,
}

pub(crate) struct Outside {
    pub(crate) solver: Named,
    blank: u8,
    seconds: f64,
    startup: OnceCell<Startup>,
}

impl Outside {
    /// Fails if the program does not start without a puzzle to solve, or if the library or its function
    /// cannot be loaded.
    pub(crate) fn new(solver: &Named, blank: u8, seconds: f64) -> Result<Self, Error> {
        let option = if solver.is_library { "--library" } else { "--program" };
        let failed = |why: String| Error::from(format!("{option} {}: {why}", solver.name));
        let (mut solver, mut blank) = (solver.clone(), blank);
        let first = solver.words[0].clone();
        if solver.is_library {
            let path = fs::canonicalize(&first).map_err(|why| failed(format!("{first}: {why}")))?;
            let (own, path) = (utf8(&env::current_exe()?)?, utf8(&path)?);
            let words = [&own, foreign::NAME, &path, &solver.words[1]];
            let words = words.into_iter().chain(["{limit}", "{input}", "{output}"]);
            solver.words = words.map(str::to_owned).collect();
            blank = b'.';
        }
        let outside = Self { solver, blank, seconds, startup: OnceCell::new() };
        let ran = outside.run(&[], 1, &|| false);
        let ran = ran.map_err(|why| failed(format!("{first}: {why}")))?;
        let end = ran.outcome.end;
        if outside.solver.is_library && end != End::Code(0) {
            let is_silent = ran.message.is_empty();
            return Err(failed(if is_silent { end.to_string() } else { ran.message }));
        }
        Ok(outside)
    }

    /// Runs the solver on puzzles. It may leave a puzzle after `limit` solutions.
    pub(crate) fn run(
        &self,
        puzzles: &[Grid],
        limit: usize,
        cancelled: &dyn Fn() -> bool,
    ) -> io::Result<Ran> {
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
        let (number, from, to) = (limit.to_string(), utf8(&input)?, utf8(&output)?);
        let Named { words, is_library, .. } = &self.solver;
        let has = |placeholder| words.iter().any(|word| word.contains(placeholder));
        let written = if has("{output}") { output } else { stdout.clone() };
        let stdin = (!has("{input}")).then_some(input);
        let words = words.iter().map(|word| replace(word, &number, &to, &from)).collect();
        let most_bytes = MOST_BYTES + MOST_BYTES_OF_A_PUZZLE * puzzles.len() as u64;
        let task = Task { words, stdin, stdout, stderr, seconds: self.seconds, most_bytes };
        let outcome = start(&task, cancelled)?;
        // A program that was killed is not judged.
        let is_whole = matches!(outcome.end, End::Code(_));
        let text = if is_whole { read(&written, most_bytes) } else { Vec::new() };
        let message = last_line(&read(&task.stderr, most_bytes));
        let (mut solving, mut answers) = (outcome.wall, Vec::new());
        if !is_library {
            answers = judge::read(puzzles, &text);
        } else if let Ok((seconds, answered)) = serde_json::from_slice::<foreign::Answers>(&text) {
            solving = seconds;
            answers.extend(answered.into_iter().map(|(count, text)| {
                let solution = text.parse().ok();
                let solution = solution.filter(|grid: &Grid| count > 0 && grid.clues() == 81);
                Given { count: Some(count), solution, counts_only: limit == 2 }
            }));
        }
        // A library that has crashed has given no answers.
        answers.resize(puzzles.len(), Given::default());
        Ok(Ran { outcome, solving, answers, message })
    }

    /// The times of [`STARTUPS`] runs without a puzzle, and with this one. They are measured once.
    pub(crate) fn start_up(
        &self,
        one: &[Grid],
        limit: usize,
        cancelled: &dyn Fn() -> bool,
    ) -> &Startup {
        self.startup.get_or_init(|| {
            let mut startup = Startup::default();
            for count in [0, 1].repeat(STARTUPS).into_iter().take_while(|_| !cancelled()) {
                let ran = self.run(&one[..count], limit, cancelled).map(|ran| ran.outcome);
                match ran.map(|it| (it.end, it.wall)) {
                    Ok((End::Code(0), wall)) => startup.times[count].push(wall),
                    Ok((End::TimeLimit(limit), _)) if count == 1 => {
                        startup.hangs = Some(limit);
                        break;
                    }
                    Err(_) => break,
                    Ok(_) => {}
                }
            }
            startup
        })
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
fn replace(word: &str, limit: &str, output: &str, input: &str) -> String {
    word.replace("{limit}", limit).replace("{output}", output).replace("{input}", input)
}

fn utf8(path: &Path) -> io::Result<String> {
    let why = || io::Error::other(format!("{}: the path is not UTF-8", path.display()));
    path.to_str().map(str::to_owned).ok_or_else(why)
}

/// Starts `child` and waits for its outcome, or for the cancellation: the end of its standard input.
fn start(task: &Task, cancelled: &dyn Fn() -> bool) -> io::Result<Outcome> {
    let mut command = Command::new(env::current_exe()?);
    command.arg(child::NAME).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    let mut process = command.spawn()?;
    let (stdin, stdout) = process.stdin.take().zip(process.stdout.take()).expect("pipes");
    writeln!(&stdin, "{}", serde_json::to_string(task)?)?;
    let (sender, receiver) = mpsc::channel();
    // The receiver is gone after a cancellation.
    thread::spawn(move || sender.send(io::read_to_string(stdout)));
    let text = loop {
        match receiver.recv_timeout(BETWEEN_LOOKS) {
            Ok(text) => break Some(text?),
            Err(_) if cancelled() => break None,
            Err(_) => {}
        }
    };
    drop(stdin);
    process.wait()?;
    let Some(text) = text else {
        return Ok(Outcome { end: End::Cancelled, wall: 0.0, used: None });
    };
    let outcome: Result<Outcome, String> = serde_json::from_str(&text)
        .map_err(|_| io::Error::other("the process that runs the program has ended"))?;
    outcome.map_err(io::Error::other)
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
    fn commands_are_split_as_in_a_shell_and_functions_at_the_last_colon() {
        let command = named_command("a=./solve 'two words' \"x y\" {input} a=b").unwrap();
        assert_eq!(command.name, "a");
        assert_eq!(command.words, ["./solve", "two words", "x y", "{input}", "a=b"]);
        for wrong in ["./solve {input}", "=./solve", "a=", "a b=./solve", "a=./solve 'x", "a/b=c"] {
            assert!(named_command(wrong).is_err(), "{wrong}");
        }
        assert_eq!(named_function("a=/x/C:lib.so:solve").unwrap().words, ["/x/C:lib.so", "solve"]);
        for wrong in ["lib.so:solve", "a=lib.so", "a=:solve", "a=lib.so:", "a=lib.so:so lve"] {
            assert!(named_function(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn placeholders_are_replaced_wherever_they_are() {
        let replaced = |word| replace(word, "2", "o", "/tmp/{output}");
        assert_eq!(replaced("--in={input}"), "--in=/tmp/{output}");
        assert_eq!(replaced("{limit}{output}"), "2o");
        assert_eq!(replaced("{ print {x} } {"), "{ print {x} } {");
    }
}
