//! Inputs that break off and outputs that take no more: the message names the file and the
//! cause, the code is 2, and all records before that are there.

use super::{name, ninefold, solve};
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
    assert_eq!(
        (run.code, run.said()),
        (Some(2), &*format!("ninefold: {}: Broken pipe", name(&pipe)))
    );
}

#[cfg(target_os = "linux")]
#[test]
fn an_input_that_cannot_be_read_is_an_error() {
    // The first page of every process is one that no process may have.
    let run = solve(&["/proc/self/mem"]);
    assert_eq!((run.code, run.said()), (Some(2), "ninefold: /proc/self/mem: Input/output error"));
}
