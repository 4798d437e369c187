//! The first Ctrl-C ends a run in good order, the second at once, if it is not the same wish.

use super::{assert_continues_after, feed, name, ninefold, run_with, text};
use crate::support::{EASY, Folder, SOLVED, partial_path, signal, wait_until};
use std::fs;
use std::io::{Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::time::{Duration, Instant};

/// Its digits are where a search that tries 1 first comes last: a minute's work for `scan`.
const SLOW: &str =
    "..............3.85..1.2.......5.7.....4...1...9.......5......73..2.1........4...9";

#[test]
fn a_run_that_is_interrupted_writes_what_it_has_and_says_how_to_go_on() {
    let all = [
        ("-INT", "SIGINT", 130),
        ("-TERM", "SIGTERM", 143),
        ("-XCPU", "SIGXCPU", 152),
        ("-HUP", "SIGHUP", 129),
    ];
    // A child of `nohup` ignores SIGHUP.
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:\t")).unwrap();
    let is_ignored = ignored.ends_with(['1', '3', '5', '7', '9', 'b', 'd', 'f']);
    for (number, message, code) in all.into_iter().take(4 - usize::from(is_ignored)) {
        assert_continues_after(|child| signal(child, number), message, code);
    }
}

/// A run that has answered its first line, and waits for the next.
fn waiting() -> (Child, ChildStdin) {
    let mut child = crate::support::ninefold("solve", &["-q", "--lines"]).spawn().unwrap();
    let (mut stdin, mut stdout) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
    writeln!(stdin, "{EASY}").unwrap();
    let mut record = [0; 82];
    stdout.read_exact(&mut record).unwrap();
    assert_eq!(record[..81], *SOLVED.as_bytes());
    (child, stdin)
}

#[test]
fn a_run_that_waits_for_its_input_is_interrupted_too() {
    let (mut child, stdin) = waiting();
    signal(&child, "-INT");
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert_eq!(text(child.stderr.take().unwrap()), "ninefold: SIGINT: stopped after 1 puzzle\n");
    drop(stdin);
}

#[test]
fn verifying_says_where_its_records_are() {
    let folder = Folder::new();
    let output = folder.path("out.txt");
    let partial = partial_path(&output);
    let mut command = ninefold();
    command.args(["verify", "-q", "--lines", "-o", name(&output)]).stdin(Stdio::piped());
    let mut child = command.stderr(Stdio::piped()).spawn().unwrap();
    let stdin = feed(&mut child, format!("{EASY}\n{}\n", &EASY[1..]).as_bytes());
    wait_until(|| fs::metadata(&partial).is_ok_and(|about| about.len() > 0));
    signal(&child, "-INT");
    let said = text(child.stderr.take().unwrap());
    let partial = name(&partial);
    let hint =
        format!("the records so far are in {partial}: with --resume the same command continues");
    assert_eq!(said, format!("ninefold: SIGINT: stopped after 2 puzzles\nninefold: {hint}\n"));
    assert_eq!(child.wait().unwrap().code(), Some(130));
    drop(stdin.join().unwrap());
}

/// No process opens the other end: the program waits while it opens its outputs.
#[cfg(target_os = "linux")]
#[test]
fn a_run_that_waits_for_a_named_pipe_ends_at_the_first_signal() {
    let folder = Folder::new();
    let (input, pipe) = (folder.file("in.txt", EASY), folder.path("pipe"));
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    for (number, code) in [("-INT", 130), ("-TERM", 143)] {
        let mut command = ninefold();
        let words = ["solve", "-q", name(&input), "-o", name(&pipe)];
        let mut child = command.args(words).stderr(Stdio::piped()).spawn().unwrap();
        let tasks = format!("/proc/{}/task", child.id());
        // From its first thread on, it listens.
        wait_until(|| fs::read_dir(&tasks).is_ok_and(|tasks| tasks.count() > 1));
        signal(&child, number);
        let said = text(child.stderr.take().unwrap());
        assert!(said.ends_with(": stopped after 0 puzzles\n"), "{said}");
        assert_eq!(child.wait().unwrap().code(), Some(code));
    }
}

#[test]
fn the_second_signal_ends_it_at_once() {
    let folder = Folder::new();
    let (input, output) = (folder.file("in.txt", SLOW), folder.path("out.txt"));
    let mut command = ninefold();
    let words = ["--unique", "--engine", "scan", name(&input), "-o", name(&output)];
    let mut child = command.args(["solve", "-q"]).args(words).spawn().unwrap();
    wait_until(|| partial_path(&output).exists());
    std::thread::sleep(Duration::from_millis(100));
    signal(&child, "-INT");
    // Longer than two signals can be the same wish.
    std::thread::sleep(Duration::from_millis(400));
    assert!(child.try_wait().unwrap().is_none(), "the puzzle is being solved");
    let asked = Instant::now();
    wait_until(|| {
        signal(&child, "-TERM");
        child.try_wait().unwrap().is_some()
    });
    assert_eq!(child.wait().unwrap().code(), Some(143));
    assert!(asked.elapsed() < Duration::from_secs(10));
    assert!(!output.exists());
}

/// `timeout` sends its signal to the program, and then to the group of both. A program that stands
/// still gets all that came meanwhile at once.
#[cfg(target_os = "linux")]
#[test]
fn two_signals_that_come_together_are_one_wish() {
    let (mut child, stdin) = waiting();
    signal(&child, "-STOP");
    let stat = format!("/proc/{}/stat", child.id());
    wait_until(|| fs::read_to_string(&stat).unwrap().contains(") T "));
    for number in ["-INT", "-TERM", "-CONT"] {
        signal(&child, number);
    }
    let said = text(child.stderr.take().unwrap());
    assert!(said.ends_with(": stopped after 1 puzzle\n"), "{said}");
    assert!(matches!(child.wait().unwrap().code(), Some(130 | 143)));
    drop(stdin);
}

/// Three puzzles, then one whose solutions are counted without an end, then another.
fn endless() -> String {
    format!("{EASY}\n{EASY}\n{EASY}\n{}\n{EASY}\n", ".".repeat(81))
}

/// Begins a run over this text that counts solutions up to a limit, and signals it when its first
/// records are written. Returns the exit code and what was said.
fn interrupt(words: &[&str], input: &Path, output: &Path) -> (Option<i32>, String) {
    let mut program = ninefold();
    program.args(["solve", "-q", "-j", "1", "--flush-interval", "0"]).args(words);
    program.args([name(input), "-o", name(output)]);
    let mut child = program.stderr(Stdio::piped()).spawn().unwrap();
    let partial = partial_path(output);
    let is_begun = || fs::metadata(&partial).is_ok_and(|about| about.len() >= 82);
    wait_until(|| is_begun() || output.exists());
    // Until the endless puzzle is read, too.
    std::thread::sleep(Duration::from_millis(300));
    if child.try_wait().unwrap().is_none() {
        signal(&child, "-TERM");
    }
    let said = text(child.stderr.take().unwrap());
    (child.wait().unwrap().code(), said)
}

#[test]
fn a_search_that_does_not_end_is_given_up_after_the_time_of_grace() {
    let folder = Folder::new();
    let input = folder.file("in.txt", endless());
    for grace in ["0.3", "0.1", "0"] {
        let output = folder.path(&format!("out{grace}.txt"));
        let words = ["--limit", "1e18", "--grace", grace];
        let (code, said) = interrupt(&words, &input, &output);
        assert_eq!(code, Some(143), "{said}");
        let kept = fs::read_to_string(partial_path(&output)).unwrap();
        let [first, second] = said.lines().collect::<Vec<_>>().try_into().unwrap();
        // The puzzle that was being searched has a record that says so.
        let puzzles = kept.lines().filter(|line| !line.starts_with('#')).count();
        let solved = format!("{SOLVED}\n").repeat(puzzles);
        let stopped = kept.strip_prefix(&solved).unwrap();
        let reason = format!("# line {}: the search was stopped", puzzles + 1);
        assert!(puzzles <= 3 && (stopped.is_empty() || stopped.starts_with(&reason)), "{kept}");
        assert!(stopped.lines().count() <= 1, "{kept}");
        let plural = if puzzles == 1 { "" } else { "s" };
        let expected = format!(
            "ninefold: SIGTERM: stopped after {puzzles} puzzle{plural}; \
             a search did not end within {grace} s (--grace)"
        );
        assert_eq!(first, expected);
        assert!(second.contains(": with --resume the same command continues"), "{said}");
    }
}

/// One puzzle is counted on all threads. A signal gives the count so far; a list ends in the middle.
#[test]
fn a_long_count_or_list_that_is_ended_says_how_many_solutions_it_found() {
    let folder = Folder::new();
    let input = folder.file("in.txt", ".".repeat(81));
    for more in [&["--limit", "1e18"][..], &["--all", "--max", "1e15"]] {
        for (threads, format) in [("1", "csv"), ("4", "line")] {
            let output = folder.path("out.txt");
            let words = ["solve", "--force", "-j", threads, "--format", format, "--grace", "0.5"];
            let mut run = ninefold();
            run.args(words).args(more).args([name(&input), "-o", name(&output)]);
            let mut child = run.stderr(Stdio::piped()).spawn().unwrap();
            std::thread::sleep(Duration::from_millis(400));
            let started = Instant::now();
            signal(&child, "-INT");
            let said = text(child.stderr.take().unwrap());
            assert_eq!(child.wait().unwrap().code(), Some(130), "{said}");
            assert!(started.elapsed() < Duration::from_secs(20), "{more:?}");
            let kept = fs::read_to_string(partial_path(&output)).unwrap();
            let last = kept.lines().next_back().unwrap();
            if format == "csv" {
                let found = last.strip_prefix("1,unknown,").and_then(|it| it.split(',').next());
                assert!(found.unwrap().parse::<u64>().unwrap() > 0, "{last}");
                continue;
            }
            let found = last.strip_prefix("# line 1: the search was stopped (").unwrap();
            let found: u64 = found.strip_suffix(" solutions found)").unwrap().parse().unwrap();
            assert!(found > 10_000, "{last}");
        }
    }
}

/// The puzzle that was given up is searched again, and nothing is lost or written twice.
#[test]
fn a_search_that_was_given_up_is_left_to_the_next_run() {
    let folder = Folder::new();
    let (input, output) = (folder.file("in.txt", endless()), folder.path("out.txt"));
    let words = ["--resume", "--limit", "100000", "--grace", "0"];
    // On a fast machine the first run may come to its end.
    let (code, said) = interrupt(&words, &input, &output);
    assert!(code == Some(143) || code == Some(1), "{said}");
    if code == Some(143) {
        let files = [name(&input), "-o", name(&output)];
        let mut again = ninefold();
        let again = again.args(["solve", "-q", "-j", "1"]).args(words).args(files);
        let again = run_with(again, b"");
        assert_eq!(again.code, Some(1), "{again:?}");
    }
    let solved = format!("{SOLVED}\n");
    let expected = format!("{}# line 4: 100000 or more solutions\n{solved}", solved.repeat(3));
    assert_eq!(fs::read_to_string(&output).unwrap(), expected);
}
