//! The built program, run with words and bytes.

use serde_json::Value;
use std::io::Write;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

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

/// The value of a JSON file.
pub fn json_of(path: impl AsRef<Path>) -> Value {
    serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap()
}

/// The values of JSON lines.
pub fn objects(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// The sum of an object of counts.
pub fn sum_of(counts: &Value) -> u64 {
    counts.as_object().unwrap().values().map(|count| count.as_u64().unwrap()).sum()
}

/// Compares counts of an object with those of a text: `puzzles 5, lines 6`.
pub fn assert_counts(object: &Value, expected: &str) {
    for (key, count) in expected.split(", ").map(|it| it.split_once(' ').unwrap()) {
        assert_eq!(object[key].to_string(), count, "{key} of {object}");
    }
}

/// The statistics of a run without its arguments, and without what belongs to a machine, a moment or a file.
pub fn counts_of(path: &Path) -> Value {
    fn forget(value: &mut Value) {
        const KEYS: [&str; 8] =
            ["arguments", "threads", "name", "length", "modified", "--lines", "slowest", "outputs"];
        if let Value::Object(object) = value {
            object.retain(|key, _| !KEYS.contains(&&**key) && !key.contains("second"));
            object.values_mut().for_each(forget);
        } else if let Value::Array(values) = value {
            values.iter_mut().for_each(forget);
        }
    }
    let mut stats = json_of(path);
    forget(&mut stats);
    stats
}

/// What a run that has ended gave.
pub fn texts(output: Output) -> Run {
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.code(), text(output.stdout), text(output.stderr))
}

/// Sends a signal, which has a name of `kill`.
pub fn signal(child: &Child, signal: &str) {
    let sent = Command::new("kill").args([signal, &child.id().to_string()]).status();
    assert!(sent.unwrap().success());
}

/// Waits until this is so.
pub fn wait_until(mut so: impl FnMut() -> bool) {
    let started = Instant::now();
    while !so() {
        assert!(started.elapsed() < Duration::from_secs(120), "it does not come");
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// Waits until the program hears the signals that ask it to end.
#[cfg(unix)]
pub fn wait_until_it_hears(child: &Child) {
    let status = format!("/proc/{}/status", child.id());
    wait_until(|| {
        let Ok(status) = std::fs::read_to_string(&status) else {
            // Without this folder it is a guess.
            std::thread::sleep(Duration::from_secs(2));
            return true;
        };
        let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:"));
        let caught = u64::from_str_radix(caught.unwrap_or("").trim(), 16).unwrap_or(0);
        // SIGTERM is the second that it asks for, and has number 15.
        caught >> 14 & 1 == 1
    });
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
