//! Inputs that break off and outputs that take no more: the message names the file and the
//! cause, the code is 2, and all records before that are there.

use super::{assert_refused, name, ninefold, solve, text};
use crate::support::{EASY, Folder};
use std::fs::File;
use std::process::{Command, Stdio};

/// One that is open for reading alone.
#[cfg(unix)]
#[test]
fn a_standard_output_that_cannot_be_written_is_an_error() {
    let folder = Folder::new();
    let input = folder.file("in.txt", format!("{EASY}\n"));
    for command in ["solve", "verify"] {
        let words = [command, "-q", name(&input), "--solutions", name(&input)];
        let words = if command == "solve" { &words[..3] } else { &words[..] };
        let mut command = ninefold();
        command.args(words).stdout(File::open("/dev/null").unwrap()).stderr(Stdio::piped());
        let output = command.spawn().unwrap().wait_with_output().unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        let says = "ninefold: <stdout>: Bad file descriptor\n";
        assert_eq!((output.status.code(), &*said), (Some(2), says));
    }
}

/// A pipe that was named is wanted whole; standard output need not be (`tests/cli.rs`).
#[cfg(unix)]
#[test]
fn a_named_pipe_whose_reader_has_gone_is_an_error() {
    let folder = Folder::new();
    let (input, pipe) =
        (folder.file("in.txt", format!("{EASY}\n").repeat(20_000)), folder.path("pipe"));
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let reader = std::thread::spawn({
        let pipe = pipe.clone();
        move || drop(File::open(pipe).unwrap())
    });
    let run = solve(&[name(&input), "-o", name(&pipe)]);
    reader.join().unwrap();
    assert_refused(&run, &format!("{}: Broken pipe", name(&pipe)));
}

#[cfg(target_os = "linux")]
#[test]
fn an_input_that_cannot_be_read_is_an_error() {
    // The first page of every process is one that no process may have.
    let run = solve(&["/proc/self/mem"]);
    assert_refused(&run, "/proc/self/mem: Input/output error");
}

/// A run ends when the reader of its records has gone. Its other outputs are not complete then.
#[cfg(unix)]
#[test]
fn a_closed_standard_output_is_a_failure_if_there_are_other_outputs() {
    let folder = Folder::new();
    let input = folder.file("in.txt", format!("{EASY}\n").repeat(20_000));
    let (rejects, stats) = (folder.path("rejects"), folder.path("stats"));
    let is_closed = "ninefold: standard output is closed before the end of the run; not written: ";
    let both = format!("{is_closed}{} and {}\n", name(&rejects), name(&stats));
    let cases: [(&[&str], i32, &str); 3] = [
        (&[], 0, ""),
        (&["--stats-json", name(&stats)], 2, &format!("{is_closed}{}\n", name(&stats))),
        (&["--rejects", name(&rejects), "--stats-json", name(&stats)], 2, &both),
    ];
    for (words, code, says) in cases {
        let mut command = ninefold();
        command.args(["solve", "-q", name(&input)]).args(words).stdout(Stdio::piped());
        let mut child = command.stderr(Stdio::piped()).spawn().unwrap();
        drop(child.stdout.take());
        let said = text(child.stderr.take().unwrap());
        assert_eq!((child.wait().unwrap().code(), &*said), (Some(code), says));
        assert!(!rejects.exists() && !stats.exists());
    }
}

/// A file needs more than the 1,024 bytes of the limit, and the log of its checkpoints fewer.
#[cfg(all(target_os = "linux", feature = "parquet"))]
#[test]
fn a_parquet_file_without_its_end_is_not_said_to_have_records() {
    let folder = Folder::new();
    let (input, output) = (folder.file("in.txt", EASY), folder.path("o.parquet"));
    let script = "ulimit -f 2 && exec \"$0\" solve -q \"$@\"";
    let mut command = Command::new("sh");
    command.args(["-c", script, env!("CARGO_BIN_EXE_ninefold"), name(&input), "-o", name(&output)]);
    let run = super::run_with(&mut command, b"");
    let partial = crate::support::partial_path(&output);
    let says = format!(
        "ninefold: {}: File too large\nninefold: {} has no index, so its rows cannot be read; \
         --force begins anew\n",
        name(&output),
        name(&partial)
    );
    assert_eq!((run.code, run.err), (Some(2), says));
}
