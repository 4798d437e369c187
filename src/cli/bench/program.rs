//! `--program NAME=COMMAND`: a solver that is run as a whole.

use super::runner::{From, Runner, Words};
use crate::cli::exit::Error;
use crate::bench::{Answers, End, Job, Outside, Ran};
use crate::pipeline::Cancel;
use std::env;
use std::io;
use std::path::Path;
use std::time::Duration;

/// A name and a command, as the user gave them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::cli) struct NamedCommand {
    pub(super) name: String,
    text: String,
    words: Vec<String>,
}

/// Takes `NAME=COMMAND`. The words of the command are separated as in a shell, but no shell runs.
pub(super) fn named_command(text: &str) -> Result<NamedCommand, String> {
    let (name, text) = split_name(text, "COMMAND")?;
    let words = shell_words::split(text).map_err(|error| error.to_string())?;
    if words.is_empty() {
        return Err("the command is empty".to_owned());
    }
    Ok(NamedCommand { name: name.to_owned(), text: text.to_owned(), words })
}

/// Splits `NAME=REST`.
pub(super) fn split_name<'a>(text: &'a str, rest: &str) -> Result<(&'a str, &'a str), String> {
    let is_name = |name: &str| {
        !name.is_empty()
            && !name.contains(|c: char| c.is_whitespace() || c.is_control() || c == '/')
    };
    let split = text.split_once('=').filter(|(name, _)| is_name(name));
    split.ok_or_else(|| format!("expected NAME={rest}, with a name without spaces and slashes"))
}

/// A program that is measured.
pub(super) struct Program {
    command: NamedCommand,
    runner: Runner,
}

impl Program {
    /// Fails if there is no such program.
    pub(super) fn new(
        command: NamedCommand,
        blank: u8,
        time_limit: Duration,
    ) -> Result<Self, Error> {
        find(&command.words[0])
            .map_err(|why| Error::Failed(format!("--program {}: {why}", command.name)))?;
        Ok(Self { command, runner: Runner::new(blank, time_limit)? })
    }
}

impl Outside for Program {
    fn run(&mut self, job: Job<'_>, cancel: &Cancel) -> io::Result<Ran> {
        let words = &self.command.words;
        let has = |placeholder: &str| words.iter().any(|word| word.contains(placeholder));
        let from = if has("{output}") { From::File } else { From::Stdout };
        let reads_stdin = !has("{input}");
        let replaced = |input: &str, output: &str| {
            let limit = job.limit.to_string();
            let replace = |word: &String| replace(word, input, output, &limit);
            Words { words: words.iter().map(replace).collect(), reads_stdin }
        };
        match self.runner.run(&job, cancel, from, replaced)? {
            Some(done) => done.into_ran(self.runner.time_limit),
            None => Ok(Ran::new(Duration::ZERO, End::Cancelled, Answers::Text(Vec::new()))),
        }
    }

    fn command(&self) -> String {
        self.command.text.clone()
    }
}

/// The word with each placeholder replaced, once: a path with braces stays as it is.
fn replace(word: &str, input: &str, output: &str, limit: &str) -> String {
    let placeholders = [("{input}", input), ("{output}", output), ("{limit}", limit)];
    let (mut rest, mut text) = (word, String::new());
    while let Some(place) = rest.find('{') {
        text.push_str(&rest[..place]);
        rest = &rest[place..];
        let found = placeholders.iter().find(|(name, _)| rest.starts_with(name));
        let (name, value) = found.copied().unwrap_or(("{", "{"));
        text.push_str(value);
        rest = &rest[name.len()..];
    }
    text + rest
}

/// Fails if there is no file of this name, in the folders of PATH if it has no slash.
pub(super) fn find(program: &str) -> Result<(), String> {
    let path = Path::new(program);
    if path.components().count() > 1 || program.contains('/') {
        return match path.metadata() {
            Ok(data) if data.is_file() => Ok(()),
            Ok(_) => Err(format!("{program}: is not a file")),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                Err(format!("{program}: no such program"))
            }
            Err(error) => Err(format!("{program}: {error}")),
        };
    }
    let folders = env::var_os("PATH").unwrap_or_default();
    let with_ending = format!("{program}{}", env::consts::EXE_SUFFIX);
    let mut files = env::split_paths(&folders).map(|folder| folder.join(&with_ending));
    let found = files.any(|file| file.is_file());
    found.then_some(()).ok_or_else(|| format!("{program}: not found in the folders of PATH"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_split_as_in_a_shell() {
        let command = named_command("a=./solve 'two words' \"x y\" {input} a=b").unwrap();
        assert_eq!(command.name, "a");
        assert_eq!(command.words, ["./solve", "two words", "x y", "{input}", "a=b"]);
        for wrong in ["./solve {input}", "=./solve", "a=", "a b=./solve", "a=./solve 'x", "a/b=c"] {
            assert!(named_command(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn placeholders_are_replaced_wherever_they_are() {
        let replaced = |word| replace(word, "/tmp/{output}", "o", "2");
        assert_eq!(replaced("--in={input}"), "--in=/tmp/{output}");
        assert_eq!(replaced("{limit}{output}"), "2o");
        assert_eq!(replaced("{ print {x} } {"), "{ print {x} } {");
    }

    #[test]
    fn a_program_that_is_missing_is_named() {
        assert_eq!(find("cargo"), Ok(()));
        assert!(find("no-such-solver").unwrap_err().ends_with("not found in the folders of PATH"));
        assert_eq!(find("./no-such-solver").unwrap_err(), "./no-such-solver: no such program");
        assert_eq!(find("/").unwrap_err(), "/: is not a file");
    }
}
