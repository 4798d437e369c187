//! What the program does when something goes wrong around it: outputs that are in the way, disks
//! that fill up, inputs that break off, signals, kills; and work cut into pieces.

#[cfg(windows)]
mod console;
mod filter;
mod io;
mod outputs;
mod resume;
mod shards;
#[cfg(unix)]
mod signals;
use crate::support::{Folder, different, fed, name, partial_path, wait_until};
use std::fs;
use std::io::{Read, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::thread::{self, JoinHandle};

/// The result of a run.
#[derive(Debug, PartialEq)]
pub(crate) struct Run {
    pub(crate) code: Option<i32>,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Run {
    /// The last line on standard error.
    pub(crate) fn said(&self) -> &str {
        self.err.lines().last().unwrap_or("")
    }
}

pub(crate) fn ninefold() -> Command {
    Command::new(env!("CARGO_BIN_EXE_ninefold"))
}

/// Runs a command to its end, with these bytes for its standard input.
pub(crate) fn run_with(command: &mut Command, input: &[u8]) -> Run {
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let (code, out, err) = fed(command, input);
    Run { code, out, err }
}

/// Ended with code 2 and this message, and wrote no record.
pub(crate) fn assert_refused(run: &Run, message: &str) {
    assert_eq!((run.code, &*run.out), (Some(2), ""), "{run:?}");
    assert_eq!(run.said(), format!("ninefold: {message}"));
}

/// Gives a program these bytes on standard input, and then neither more nor an end: so it cannot
/// come to its own, however fast it is.
fn feed(child: &mut Child, input: &[u8]) -> JoinHandle<ChildStdin> {
    let (mut stdin, input) = (child.stdin.take().unwrap(), input.to_vec());
    thread::spawn(move || {
        // The program may stop reading before the end: that is its affair.
        let _ = stdin.write_all(&input);
        stdin
    })
}

/// Runs `ninefold solve -q` with these words, and nothing on standard input.
fn solve(words: &[&str]) -> Run {
    run_with(ninefold().args(["solve", "-q"]).args(words), b"")
}

/// All that a stream has.
fn text(mut stream: impl Read) -> String {
    let mut text = String::new();
    stream.read_to_string(&mut text).unwrap();
    text
}

/// Interrupts a run. It keeps its records, says this and how to continue, and is continued.
fn assert_continues_after(interrupt: impl Fn(&Child), message: &str, code: i32) {
    let folder = Folder::new();
    let (lines, records) = different(20_000);
    let output = folder.path("out.txt");
    // An hour between checkpoints: what is resumed was kept at the signal.
    let words = ["--unique", "-o", name(&output)];
    let mut command = ninefold();
    command.args(["solve", "-q", "--flush-interval", "3600"]).args(words);
    let mut child = command.stdin(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let stdin = feed(&mut child, lines.as_bytes());
    let partial = partial_path(&output);
    wait_until(|| fs::metadata(&partial).is_ok_and(|about| about.len() > 10_000));
    interrupt(&child);
    let said = text(child.stderr.take().unwrap());
    assert_eq!(child.wait().unwrap().code(), Some(code), "{said}");
    drop(stdin.join().unwrap());
    let kept = fs::read_to_string(&partial).unwrap();
    assert!(records.starts_with(&kept) && kept.ends_with('\n'));
    let puzzles = ninefold::Grouped(kept.lines().count() as u64);
    let first = format!("ninefold: {message}: stopped after {puzzles} puzzles\n");
    let second = format!("ninefold: the records so far are in {}: ", name(&partial));
    assert!(said.starts_with(&format!("{first}{second}with --resume ")), "{said}");
    let again =
        run_with(ninefold().args(["solve", "-q", "--resume"]).args(words), lines.as_bytes());
    assert_eq!(again.code, Some(1), "{again:?}");
    assert!(fs::read_to_string(&output).unwrap() == records);
}
