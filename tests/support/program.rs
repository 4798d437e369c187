//! The built program, run with words and bytes.
#![allow(dead_code, unreachable_pub, reason = "each test program uses its own part of this")]

use serde_json::Value;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

/// Exit code, records and what was said.
pub type Run = (Option<i32>, String, String);

/// One of its commands, with all three streams in our hands. `NINEFOLD` names another binary.
pub fn ninefold(command: &str, words: &[&str]) -> Command {
    let other = std::env::var_os("NINEFOLD");
    let mut program = Command::new(other.unwrap_or_else(|| env!("CARGO_BIN_EXE_ninefold").into()));
    program.arg(command).args(words).stdin(Stdio::piped());
    program.stdout(Stdio::piped()).stderr(Stdio::piped());
    program
}

/// Its run with these bytes on standard input.
pub fn fed(program: &mut Command, input: impl AsRef<[u8]>) -> Run {
    fed_by(program, input, usize::MAX)
}

/// As `fed`, with `drip` bytes at a time.
pub fn fed_by(program: &mut Command, input: impl AsRef<[u8]>, drip: usize) -> Run {
    let mut child = program.spawn().unwrap();
    let (mut stdin, input) = (child.stdin.take().unwrap(), input.as_ref().to_vec());
    let writer = std::thread::spawn(move || {
        // The program may stop reading before the end: that is its affair.
        let _ = input.chunks(drip).try_for_each(|bytes| stdin.write_all(bytes));
    });
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    texts(output)
}

/// The statistics of a run without its arguments, and without what belongs to a machine, a moment or a file.
pub fn counts_of(path: &Path) -> Value {
    fn forget(value: &mut Value) {
        const KEYS: [&str; 7] =
            ["arguments", "threads", "name", "length", "modified", "--lines", "slowest"];
        if let Value::Object(object) = value {
            object.retain(|key, _| !KEYS.contains(&&**key) && !key.contains("second"));
            object.values_mut().for_each(forget);
        } else if let Value::Array(values) = value {
            values.iter_mut().for_each(forget);
        }
    }
    let mut stats = serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
    forget(&mut stats);
    stats
}

/// What a run that has ended gave.
pub fn texts(output: Output) -> Run {
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.code(), text(output.stdout), text(output.stderr))
}

/// Waits until the program hears the signals that ask it to end.
#[cfg(unix)]
pub fn wait_until_it_hears(child: &std::process::Child) {
    let status = format!("/proc/{}/status", child.id());
    let hears = |status: &str| {
        let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:"));
        let caught = u64::from_str_radix(caught.unwrap_or("").trim(), 16).unwrap_or(0);
        // SIGTERM is the second that it asks for, and has number 15.
        caught >> 14 & 1 == 1
    };
    for _ in 0..12_000 {
        match std::fs::read_to_string(&status) {
            Ok(text) if hears(&text) => return,
            Ok(_) => std::thread::sleep(std::time::Duration::from_millis(10)),
            // Without this folder it is a guess.
            Err(_) => return std::thread::sleep(std::time::Duration::from_secs(2)),
        }
    }
    panic!("it hears nothing");
}

/// The device that keeps nothing.
pub const NULL: &str = if cfg!(windows) { "nul" } else { "/dev/null" };

/// The exit code of a program that was killed.
pub const KILLED: Option<i32> = if cfg!(windows) { Some(1) } else { None };

/// The system's words for a file that does not exist.
pub fn no_such_file() -> String {
    let error = std::fs::File::open("no such file").unwrap_err().to_string();
    error.split(" (os error").next().unwrap().to_owned()
}

/// A path as a word of a command.
pub fn name(path: &Path) -> &str {
    path.to_str().unwrap()
}
