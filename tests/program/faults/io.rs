//! Inputs that break off and outputs that take no more: the message names the file and the
//! cause, the code is 2, and all records before that are there.

use super::{Run, name, ninefold, run_with, solve};
use crate::support::{EASY, Folder, SOLVED, partial_path, strewn};
use std::fs::{self, File};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

/// Code 2, this message, no FILE, and a partial one that begins as the whole would.
fn assert_kept(run: &Run, message: &str, output: &Path, whole: &str) {
    assert_eq!(run.code, Some(2), "{run:?}");
    let first = run.err.lines().find(|line| line.starts_with("ninefold: "));
    assert_eq!(first, Some(&*format!("ninefold: {message}")));
    assert!(!output.exists());
    let kept = fs::read_to_string(partial_path(output)).unwrap();
    assert!(whole.starts_with(&kept), "{} bytes", kept.len());
}

#[cfg(unix)]
#[test]
fn a_file_that_grows_past_the_limit_is_an_error() {
    let folder = Folder::new();
    let (input, output) =
        (folder.file("in.txt", format!("{EASY}\n").repeat(20_000)), folder.path("o"));
    // In blocks of 512 or 1,024 bytes, as the shell likes.
    let script = "ulimit -f 100 && exec \"$0\" solve -q \"$@\"";
    let mut command = Command::new("sh");
    command.args(["-c", script, env!("CARGO_BIN_EXE_ninefold"), name(&input), "-o", name(&output)]);
    let run = run_with(&mut command, b"");
    let whole = format!("{SOLVED}\n").repeat(20_000);
    assert_kept(&run, &format!("{}: File too large", name(&output)), &output, &whole);
    assert!(fs::metadata(partial_path(&output)).unwrap().len() >= 100 * 512);
}

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

/// Mounting takes rights that not everybody has.
#[cfg(target_os = "linux")]
#[test]
fn a_file_system_that_is_full_is_an_error() {
    let folder = Folder::new();
    let disk = folder.path("disk");
    fs::create_dir(&disk).unwrap();
    let mount = Command::new("mount")
        .args(["-t", "tmpfs", "-o", "size=1m", "tmpfs", name(&disk)])
        .stderr(Stdio::null())
        .status();
    if !mount.is_ok_and(|status| status.success()) {
        eprintln!("skipped: no file system can be mounted here");
        return;
    }
    let _unmount = Unmount(&disk);
    let input = folder.file("in.txt", format!("{EASY}\n").repeat(20_000));
    let output = disk.join("out.txt");
    let run = solve(&[name(&input), "-o", name(&output)]);
    let message = format!("{}: No space left on device", name(&output));
    assert_kept(&run, &message, &output, &format!("{SOLVED}\n").repeat(20_000));
}

struct Unmount<'a>(&'a Path);

impl Drop for Unmount<'_> {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg("-l").arg(self.0).status();
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

/// Shortens the input a moment after the program has begun; gives what comes of the run, the
/// records that it wrote, and those of the whole input.
fn shortened(bytes: u64, delay: Duration, more: &[&str]) -> (Run, String, String) {
    let folder = Folder::new();
    let (text, records) = strewn(if cfg!(debug_assertions) { 20_000 } else { 200_000 }, "");
    let (input, output) = (folder.file("in.txt", text), folder.path("out.txt"));
    let begun = partial_path(&output);
    let mut command = ninefold();
    command.args(["solve", "-q", "--unique", "--engine", "scan", name(&input)]);
    command.args(["-o", name(&output)]).args(more);
    let run = std::thread::scope(|scope| {
        scope.spawn(|| {
            while !begun.exists() && !output.exists() {
                std::thread::yield_now();
            }
            std::thread::sleep(delay);
            File::options().write(true).open(&input).unwrap().set_len(bytes).unwrap();
        });
        run_with(&mut command, b"")
    });
    let kept = fs::read_to_string(begun).or_else(|_| fs::read_to_string(&output));
    (run, kept.unwrap(), records)
}

#[cfg(target_os = "linux")]
#[test]
fn a_file_that_is_shortened_meanwhile_is_an_error_and_no_crash() {
    let mut refused = 0;
    for more in [&["-j2"][..], &["-j2", "--no-mmap"]] {
        for bytes in [0, 5, 100_000, 999_999] {
            for delay in [0, 20].map(Duration::from_millis) {
                let (run, kept, whole) = shortened(bytes, delay, more);
                let about = format!("{run:?} {bytes} {delay:?} {more:?}");
                if run.code == Some(2) {
                    let says = ["was shortened while it was read", "or was shortened meanwhile"];
                    assert!(says.iter().any(|says| run.err.contains(says)), "{about}");
                    assert!(whole.starts_with(&kept), "{about}");
                    refused += 1;
                } else {
                    // It was too late.
                    assert_eq!(run.code, Some(1), "{about}");
                    assert!(whole == kept, "{about}");
                }
            }
        }
    }
    assert!(refused >= 6, "{refused}");
}
