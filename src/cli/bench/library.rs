//! `--library NAME=FILE:SYMBOL`: a C function of a shared library.
//!
//! ```text
//!   ninefold bench ──► ninefold __bench-run ──► ninefold __bench-library FILE SYMBOL …
//!                                               loads the library, times its function alone,
//!                                               and writes the time and the answers to a file
//! ```
//!
//! The library is loaded in a process of its own. Its crash ends that process, not the measurement.

use super::foreign;
use super::program::split_name;
use super::runner::{From, Runner, Words};
use crate::cli::exit::Error;
use crate::bench::{Answers, End, Job, Outside, Ran};
use crate::pipeline::Cancel;
use std::env;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

/// The name of the command.
pub(super) const NAME: &str = "__bench-library";

/// A name and a function, as the user gave them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::cli) struct NamedFunction {
    pub(super) name: String,
    file: String,
    symbol: String,
}

/// Takes `NAME=FILE:SYMBOL`.
pub(super) fn named_function(text: &str) -> Result<NamedFunction, String> {
    let (name, function) = split_name(text, "FILE:SYMBOL")?;
    let split = function.rsplit_once(':').filter(|(file, symbol)| {
        let is_symbol = |c: char| c.is_ascii_alphanumeric() || c == '_';
        !file.is_empty() && !symbol.is_empty() && symbol.chars().all(is_symbol)
    });
    let (file, symbol) = split.ok_or("expected NAME=FILE:SYMBOL, as in mine=./libmine.so:solve")?;
    Ok(NamedFunction { name: name.to_owned(), file: file.to_owned(), symbol: symbol.to_owned() })
}

/// A function that is measured.
pub(super) struct Library {
    function: NamedFunction,
    path: PathBuf,
    runner: Runner,
}

impl Library {
    /// Fails if the library or its function cannot be loaded. It is loaded in another process, with no
    /// puzzle to solve.
    pub(super) fn new(function: &NamedFunction, time_limit: Duration) -> Result<Self, Error> {
        let name = &function.name;
        let failed = |why: &str| Error::Failed(format!("--library {name}: {why}"));
        let path = fs::canonicalize(&function.file)
            .map_err(|error| failed(&format!("{}: {error}", function.file)))?;
        let runner = Runner::new(b'.', time_limit)?;
        let mut library = Self { function: function.clone(), path, runner };
        let ran = library.run(Job::new(&[], 1), &Cancel::default()).map_err(Error::caused)?;
        match ran.end {
            End::Code(0) => Ok(library),
            _ if ran.message.is_empty() => Err(failed(&ran.end.to_string())),
            _ => Err(failed(&ran.message)),
        }
    }
}

impl Outside for Library {
    fn run(&mut self, job: Job<'_>, cancel: &Cancel) -> io::Result<Ran> {
        let program = env::current_exe()?;
        let (Some(program), Some(path)) = (program.to_str(), self.path.to_str()) else {
            return Err(io::Error::other("a path is not UTF-8"));
        };
        let (symbol, limit) = (&self.function.symbol, job.limit.to_string());
        let words = |input: &str, output: &str| {
            let words = [program, NAME, path, symbol, &limit, input, output];
            Words { words: words.map(str::to_owned).to_vec(), reads_stdin: false }
        };
        let Some(done) = self.runner.run(&job, cancel, From::File, words)? else {
            return Ok(Ran::new(Duration::ZERO, End::Cancelled, Answers::Counted(Vec::new())));
        };
        let mut ran = done.into_ran(self.runner.time_limit)?;
        if let Answers::Text(text) = &ran.answers {
            let (solving, counted) = read(text).unwrap_or_default();
            ran.solving = (ran.end == End::Code(0)).then_some(solving);
            ran.answers = Answers::Counted(counted);
        }
        Ok(ran)
    }

    fn command(&self) -> String {
        format!("{}:{}", self.function.file, self.function.symbol)
    }
}

/// The time and the answers, as [`solve`] writes them.
fn read(text: &[u8]) -> Option<(Duration, Vec<foreign::Answer>)> {
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
pub(super) fn run(words: &[String]) -> ExitCode {
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
        text.extend_from_slice(count.to_string().as_bytes());
        text.push(b' ');
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
    fn a_function_is_a_file_and_a_symbol() {
        let function = named_function("a=/x/C:lib.so:solve").unwrap();
        assert_eq!((&*function.file, &*function.symbol), ("/x/C:lib.so", "solve"));
        for wrong in ["lib.so:solve", "a=lib.so", "a=:solve", "a=lib.so:", "a=lib.so:so lve"] {
            assert!(named_function(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn answers_are_read_as_they_are_written() {
        let solution = "1".repeat(81);
        let text = format!("1500\n1 {solution}\n0 {solution}\n");
        let (time, answers) = read(text.as_bytes()).unwrap();
        assert_eq!(time, Duration::from_nanos(1500));
        assert_eq!(answers, [(1, [b'1'; 81]), (0, [b'1'; 81])]);
        assert_eq!(read(b"1500\n1 1\n"), None);
        assert_eq!(read(b""), None);
    }
}
