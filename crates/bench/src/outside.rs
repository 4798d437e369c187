//! Solvers that run in another process: `--program NAME=COMMAND` and `--library NAME=FILE:SYMBOL`.
//!
//! ```text
//!   ninefold bench ──► ninefold __bench-run ──► the program
//!                                          └──► ninefold __bench-library FILE SYMBOL …
//!                                               loads the library, times its function alone,
//!                                               and writes the time and the answers to a file
//! ```
//!
//! A library is loaded in a process of its own: its crash ends that process, not the measurement.

use crate::child::{self, End, Outcome, Task};
use crate::judge::{self, Given};
use crate::{Error, at, foreign};
use ninefold_core::puzzle::{Grid, parse};
use std::env;
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::Path;
use std::process::{Command, ExitCode, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;
use tempfile::TempDir;

/// The name of the command that calls a function of a library.
pub(crate) const LIBRARY: &str = "__bench-library";

/// Time between two looks at the cancellation.
const BETWEEN_LOOKS: Duration = Duration::from_millis(20);

/// A program may write this many bytes, and a number of bytes for each puzzle: nine lines of a frame
/// are 250. More is a fault that would fill the disk.
const MOST_BYTES: u64 = 16 << 20;
const MOST_BYTES_OF_A_PUZZLE: u64 = 1000;

/// The most characters of a message that are reported.
const MOST_CHARACTERS: usize = 1000;

/// A named solver, as the user gave it: the words of a command, or a file and a symbol.
#[derive(Clone, Debug)]
pub(crate) struct Named {
    pub(crate) name: String,
    text: String,
    words: Vec<String>,
}

/// Takes `NAME=COMMAND`. The words of the command are separated as in a shell, but no shell runs.
pub(crate) fn named_command(text: &str) -> Result<Named, String> {
    let (name, text) = split_name(text, "COMMAND")?;
    let words = shell_words::split(text).map_err(|error| error.to_string())?;
    if words.is_empty() {
        return Err("the command is empty".to_owned());
    }
    Ok(Named { name: name.to_owned(), text: text.to_owned(), words })
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
    Ok(Named { name: name.to_owned(), text: text.to_owned(), words })
}

/// Splits `NAME=REST`.
fn split_name<'a>(text: &'a str, rest: &str) -> Result<(&'a str, &'a str), String> {
    let is_bad = |c: char| c.is_whitespace() || c.is_control() || c == '/';
    let split = text.split_once('=').filter(|(name, _)| !name.is_empty() && !name.contains(is_bad));
    split.ok_or_else(|| format!("expected NAME={rest}, with a name without spaces and slashes"))
}

/// The result of a run.
pub(crate) struct Ran {
    pub(crate) outcome: Outcome,
    /// Seconds of solving alone, if the process measures it.
    pub(crate) solving: Option<f64>,
    pub(crate) answers: Vec<Given>,
    /// The last line that it wrote to standard error, or nothing.
    pub(crate) message: String,
}

/// A solver that runs in another process.
pub(crate) struct Outside {
    solver: Named,
    /// The path of the library, if it is one.
    library: Option<String>,
    folder: TempDir,
    /// The character for a blank.
    blank: u8,
    /// The time limit in seconds.
    seconds: f64,
}

impl Outside {
    /// Fails if the program does not start without a puzzle to solve.
    pub(crate) fn program(solver: &Named, blank: u8, seconds: f64) -> Result<Self, Error> {
        let solver = solver.clone();
        let program = Self { solver, library: None, folder: folder()?, blank, seconds };
        let failed =
            |why| format!("--program {}: {}: {why}", program.name(), program.solver.words[0]);
        program.run(&[], 1, &|| false).map_err(failed)?;
        Ok(program)
    }

    /// Fails if the library or its function cannot be loaded. It is loaded in another process, with no
    /// puzzle to solve.
    pub(crate) fn library(solver: &Named, seconds: f64) -> Result<Self, Error> {
        let failed = |why: String| Error::from(format!("--library {}: {why}", solver.name));
        let file = &solver.words[0];
        let path = fs::canonicalize(file).map_err(|error| failed(format!("{file}: {error}")))?;
        let library = Some(utf8(&path)?);
        let solver = solver.clone();
        let library = Self { solver, library, folder: folder()?, blank: b'.', seconds };
        let ran = library.run(&[], 1, &|| false)?;
        match ran.outcome.end {
            End::Code(0) => Ok(library),
            end if ran.message.is_empty() => Err(failed(end.to_string())),
            _ => Err(failed(ran.message)),
        }
    }

    pub(crate) fn name(&self) -> &str {
        &self.solver.name
    }

    /// The command or function as the user gave it.
    pub(crate) fn command(&self) -> &str {
        &self.solver.text
    }

    /// Runs the solver on puzzles. It may leave a puzzle after `limit` solutions.
    pub(crate) fn run(
        &self,
        puzzles: &[Grid],
        limit: usize,
        cancelled: &dyn Fn() -> bool,
    ) -> io::Result<Ran> {
        // Nothing of an earlier run is left, whatever the program made of its files.
        let folder = tempfile::tempdir_in(self.folder.path())?;
        let path = |name: &str| folder.path().join(name);
        let [input, output, stdout, stderr] =
            ["puzzles.txt", "answers.txt", "stdout.txt", "stderr.txt"].map(path);
        let mut text = Vec::with_capacity(82 * puzzles.len());
        for puzzle in puzzles {
            text.extend(puzzle.line(self.blank));
            text.push(b'\n');
        }
        fs::write(&input, text)?;
        let (limit, from, to) = (limit.to_string(), utf8(&input)?, utf8(&output)?);
        let has = |placeholder| self.solver.words.iter().any(|word| word.contains(placeholder));
        let (words, stdin, answers) = if let Some(path) = &self.library {
            let program = utf8(&env::current_exe()?)?;
            let words = [&program, LIBRARY, path, &self.solver.words[1], &limit, &from, &to];
            (words.map(str::to_owned).to_vec(), None, &output)
        } else {
            let words = self.solver.words.iter().map(|word| replace(word, &limit, &to, &from));
            let answers = if has("{output}") { &output } else { &stdout };
            (words.collect(), (!has("{input}")).then_some(input), answers)
        };
        let most_bytes = MOST_BYTES + MOST_BYTES_OF_A_PUZZLE * puzzles.len() as u64;
        let (stdout, seconds) = (stdout.clone(), self.seconds);
        let task = Task { words, stdin, stdout, stderr, seconds, most_bytes };
        let outcome = start(&task, cancelled)?;
        if let End::NotStarted(_) = outcome.end {
            return Err(io::Error::other(outcome.end.to_string()));
        }
        // A program that was killed is not judged.
        let is_whole = matches!(outcome.end, End::Code(_));
        let text = if is_whole { read(answers, most_bytes) } else { Vec::new() };
        let message = last_line(&read(&task.stderr, most_bytes));
        if self.library.is_none() {
            return Ok(Ran {
                outcome,
                solving: None,
                answers: judge::read(puzzles, &text),
                message,
            });
        }
        let (solving, counted) = read_answers(&text).unwrap_or_default();
        let solving = (outcome.end == End::Code(0)).then_some(solving.as_secs_f64());
        let given = |(count, text): &foreign::Answer| {
            let solution = parse::line(text).ok().filter(|grid| *count > 0 && grid.clues() == 81);
            Given { count: Some(*count), solution, counts_only: limit == "2" }
        };
        // A process that has crashed has given no answers.
        let answers = (0..puzzles.len()).map(|place| counted.get(place).map(given));
        let answers = answers.map(Option::unwrap_or_default).collect();
        Ok(Ran { outcome, solving, answers, message })
    }
}

/// A folder with a random name that only this user can enter: no link can be planted in it.
pub(crate) fn folder() -> Result<TempDir, Error> {
    let parent = env::temp_dir();
    // `tempfile` hides the reason of the system.
    fs::metadata(&parent).map_err(|error| at(&parent, error))?;
    let mut builder = tempfile::Builder::new();
    builder.prefix("ninefold-bench-");
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o700));
    builder.tempdir_in(&parent).map_err(|error| at(&parent, error))
}

/// The word with its placeholders replaced. The input is last: its path may have braces.
fn replace(word: &str, limit: &str, output: &str, input: &str) -> String {
    word.replace("{limit}", limit).replace("{output}", output).replace("{input}", input)
}

/// A path as text.
fn utf8(path: &Path) -> io::Result<String> {
    let why = || io::Error::other(format!("{}: the path is not UTF-8", path.display()));
    path.to_str().map(str::to_owned).ok_or_else(why)
}

/// Starts `child` and waits for its outcome, or for the cancellation. The end of its standard input
/// kills the program.
fn start(task: &Task, cancelled: &dyn Fn() -> bool) -> io::Result<Outcome> {
    let mut command = Command::new(env::current_exe()?);
    command.arg(child::NAME).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    let mut process = command.spawn()?;
    let gone = || io::Error::other("the process that runs the program has ended");
    let mut stdin = process.stdin.take().ok_or_else(gone)?;
    writeln!(stdin, "{}", serde_json::to_string(task)?)?;
    let stdout = process.stdout.take().ok_or_else(gone)?;
    let (sender, receiver) = mpsc::channel();
    // The receiver is gone after a cancellation.
    thread::spawn(move || sender.send(io::read_to_string(stdout)));
    let outcome = loop {
        match receiver.recv_timeout(BETWEEN_LOOKS) {
            Ok(line) => break line.and_then(|it| serde_json::from_str(&it).map_err(|_| gone())),
            Err(_) if cancelled() => break Ok(Outcome::of(End::Cancelled)),
            Err(_) => {}
        }
    };
    drop(stdin);
    process.wait()?;
    outcome
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

/// The last line that is not empty.
fn last_line(text: &[u8]) -> String {
    let text = String::from_utf8_lossy(text);
    let line = text.lines().rfind(|line| !line.trim().is_empty()).unwrap_or_default();
    let shown = line.trim().chars().take(MOST_CHARACTERS);
    shown.map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect()
}

/// The time and the answers, as [`solve`] writes them.
fn read_answers(text: &[u8]) -> Option<(Duration, Vec<foreign::Answer>)> {
    let mut lines = text.strip_suffix(b"\n")?.split(|byte| *byte == b'\n');
    let nanoseconds = str::from_utf8(lines.next()?).ok()?.parse().ok()?;
    let answers = lines.map(|line| {
        let (count, solution) = line.split_at_checked(line.len().checked_sub(82)?)?;
        let count = str::from_utf8(count).ok()?.parse().ok()?;
        Some((count, solution[1..].try_into().ok()?))
    });
    Some((Duration::from_nanos(nanoseconds), answers.collect::<Option<_>>()?))
}

/// `ninefold __bench-library FILE SYMBOL LIMIT INPUT OUTPUT`, which users do not call.
pub(crate) fn run_library(words: &[String]) -> ExitCode {
    match solve(words) {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            let _ = writeln!(io::stderr(), "{why}");
            ExitCode::from(2)
        }
    }
}

fn solve(words: &[String]) -> Result<(), String> {
    let [file, symbol, limit, input, output] = words else {
        return Err("expected FILE SYMBOL LIMIT INPUT OUTPUT".to_owned());
    };
    let limit = limit.parse().map_err(|_| "the limit is no number".to_owned())?;
    let text = fs::read(input).map_err(|error| format!("{input}: {error}"))?;
    let puzzles: Vec<[u8; 81]> =
        text.split(|byte| *byte == b'\n').filter_map(|line| line.try_into().ok()).collect();
    let (time, answers) = foreign::solve(Path::new(file), symbol, limit, &puzzles)?;
    let mut text = format!("{}\n", time.as_nanos()).into_bytes();
    for (count, solution) in answers {
        text.extend_from_slice(format!("{count} ").as_bytes());
        // What is no digit could be a line end.
        text.extend(solution.map(|byte| if byte.is_ascii_graphic() { byte } else { b'.' }));
        text.push(b'\n');
    }
    fs::write(output, text).map_err(|error| format!("{output}: {error}"))
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

    #[test]
    fn answers_of_a_library_are_read_as_they_are_written() {
        let solution = "1".repeat(81);
        let text = format!("1500\n1 {solution}\n0 {solution}\n");
        let (time, answers) = read_answers(text.as_bytes()).unwrap();
        assert_eq!(time, Duration::from_nanos(1500));
        assert_eq!(answers, [(1, [b'1'; 81]), (0, [b'1'; 81])]);
        assert_eq!((read_answers(b"1500\n1 1\n"), read_answers(b"")), (None, None));
    }
}
