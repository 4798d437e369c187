//! The built program.

use crate::support::{EASY, Folder, SOLVED};
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

fn generate(words: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ninefold"));
    command.arg("generate").args(words).output().unwrap()
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).unwrap()
}

fn name(path: &Path) -> &str {
    path.to_str().unwrap()
}

#[test]
fn a_seed_is_said_and_can_be_given_again() {
    let first = generate(&["-n", "20"]);
    assert_eq!(first.status.code(), Some(0));
    let seed = text(&first.stderr).trim_end().rsplit_once("seed ").unwrap().1;
    assert_eq!(seed, "1");
    let again = generate(&["--count", "20", "--seed", seed, "-q", "-j", "3"]);
    assert_eq!((&again.stdout, text(&again.stderr)), (&first.stdout, ""));
    assert_eq!(text(&first.stdout).lines().count(), 20);
    assert_ne!(generate(&["-n", "20", "--seed", "2"]).stdout, first.stdout);
}

#[test]
fn what_is_not_as_asked_for_is_said_and_given() {
    let run = generate(&["-n", "2", "--clues", "17", "--attempts", "10", "--seed", "1"]);
    assert_eq!(run.status.code(), Some(1));
    assert_eq!(text(&run.stdout).lines().count(), 2);
    let said = "2 puzzles without the requested number of clues: the nearest of 10 grids each (--attempts)\n";
    assert!(text(&run.stderr).starts_with(said), "{}", text(&run.stderr));
}

#[test]
fn the_statistics_say_how_it_went() {
    let folder = Folder::new();
    let (stats, out) = (folder.path("stats.json"), folder.path("out.txt"));
    let words = ["-n", "50", "--seed", "1", "-o", name(&out), "--stats-json", name(&stats)];
    assert_eq!(generate(&words).status.code(), Some(0));
    let stats: serde_json::Value = serde_json::from_slice(&fs::read(stats).unwrap()).unwrap();
    assert_eq!((&stats["puzzles"], &stats["seed"]), (&50.into(), &1.into()));
    let counts = stats["clues"].as_object().unwrap().values();
    assert_eq!(counts.map(|count| count.as_u64().unwrap()).sum::<u64>(), 50);
    assert_eq!(fs::read_to_string(out).unwrap().lines().count(), 50);
}

#[test]
fn grids_and_puzzles_are_read_and_never_written_over() {
    let folder = Folder::new();
    let grids = folder.file("grids.txt", format!("{SOLVED}\nno grid\n"));
    let run = generate(&["--from", name(&grids), "-n", "2", "--seed", "1"]);
    assert_eq!((run.status.code(), text(&run.stdout).lines().count()), (Some(1), 2));
    assert!(text(&run.stderr).contains("grids.txt: line 2: "), "{}", text(&run.stderr));
    let run = generate(&["--from", name(&grids), "-o", name(&grids)]);
    assert_eq!((run.status.code(), text(&run.stdout)), (Some(2), ""));
    assert!(fs::read_to_string(&grids).unwrap().starts_with(SOLVED));
}

#[test]
fn a_pattern_is_not_written_over_nor_what_is_read_under_the_name_of_a_part() {
    let folder = Folder::new();
    let pattern = folder.file("pattern", format!("{SOLVED}\n"));
    let partial = folder.file("out.partial", format!("{SOLVED}\n"));
    let (frame, out) = (name(&pattern), folder.path("out"));
    for words in [
        &["--pattern", frame, "-o", frame, "--force"][..],
        &["--pattern", frame, "--stats-json", frame],
        &["--from", name(&partial), "-o", name(&out), "--force"],
        &["--from", name(&partial), "--stats-json", name(&out)],
    ] {
        let run = generate(words);
        assert_eq!((run.status.code(), text(&run.stdout)), (Some(2), ""), "{words:?}");
        assert!(text(&run.stderr).contains("is also read"), "{}", text(&run.stderr));
    }
    for file in [&pattern, &partial] {
        assert_eq!(fs::read_to_string(file).unwrap(), format!("{SOLVED}\n"));
    }
}

/// A run that has a file, after the signal: what it said, and what it left.
#[cfg(unix)]
fn ended(words: &[&str], signal: &str, folder: &Folder) -> (Option<i32>, String, Vec<u8>) {
    use crate::support::partial_path;
    use std::io::Write as _;
    use std::process::Stdio;
    let (out, stats) = (folder.path("out.txt"), folder.path("stats.json"));
    let mut command = Command::new(env!("CARGO_BIN_EXE_ninefold"));
    command.args(["generate", "-q", "-o", name(&out), "--stats-json", name(&stats)]).args(words);
    let mut child = command.stdin(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    // Of an input the first line is waited for before anything is written.
    let _ = writeln!(child.stdin.as_mut().unwrap(), "{EASY}");
    let partial = partial_path(&out);
    while !partial.exists() {
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    std::thread::sleep(std::time::Duration::from_millis(150));
    let sent = Command::new("kill").args([signal, &child.id().to_string()]).status();
    assert!(sent.unwrap().success());
    let run = ended_by(child);
    assert!(!out.exists() && !stats.exists() && !partial_path(&stats).exists());
    let left = fs::read(&partial).unwrap();
    fs::remove_file(&partial).unwrap();
    (run.status.code(), text(&run.stderr).to_owned(), left)
}

/// Standard input stays open until it has ended.
#[cfg(unix)]
fn ended_by(mut child: std::process::Child) -> Output {
    let _stdin = child.stdin.take();
    child.wait_with_output().unwrap()
}

#[cfg(unix)]
#[test]
fn a_signal_ends_it_with_what_was_made_in_order() {
    let folder = Folder::new();
    for (signal, said, code) in [("-INT", "SIGINT", 130), ("-TERM", "SIGTERM", 143)] {
        let words = ["--seed", "1", "-n", "1000000000", "-j", "2"];
        let (found, message, left) = ended(&words, signal, &folder);
        let puzzles = text(&left).lines().count();
        let stopped =
            format!("ninefold: {said}: stopped after {} puzzle", ninefold::Grouped(puzzles as u64));
        assert!(found == Some(code) && message.starts_with(&stopped), "{message}");
        assert!(message.contains("the records so far are in "), "{message}");
        let whole = generate(&["--seed", "1", "-n", &puzzles.to_string(), "-q"]);
        assert!(whole.stdout == left, "{puzzles} puzzles of seed 1");
    }
}

#[cfg(unix)]
#[test]
fn a_signal_is_heard_while_one_puzzle_is_searched_for_and_while_input_is_waited_for() {
    let folder = Folder::new();
    let grid = folder.file("grid.txt", SOLVED);
    for words in [
        &["--clues", "17", "--attempts", "1000000000", "-j", "1"][..],
        &["--from", name(&grid), "--clues", "17", "-n", "1", "--attempts", "100000000000"],
        &["--lines", "--from", "-"],
    ] {
        let (code, message, left) = ended(words, "-INT", &folder);
        let puzzles = text(&left).lines().count();
        let said = format!("ninefold: SIGINT: stopped after {puzzles} puzzle");
        assert!(code == Some(130) && message.starts_with(&said), "{words:?}: {message}");
    }
}

/// Many of these puzzles are drawn again. The resumed run reads those of the earlier one from its file.
#[test]
fn a_compressed_output_is_continued_and_no_puzzle_comes_twice() {
    use crate::support::log_path;
    let folder = Folder::new();
    let grids = folder.file("grids.txt", SOLVED);
    let words = ["--from", name(&grids), "--clues", "79", "-n", "2000", "--seed", "1", "-j", "1"];
    for (format, ending) in [("pair", "gz"), ("csv", "zst")] {
        let [whole, out] = ["whole", "out"].map(|stem| folder.path(&format!("{stem}.{ending}")));
        let stats = folder.path(&format!("{ending}.json"));
        let given = [&words[..], &["--format", format, "--stats-json", name(&stats)]].concat();
        assert_eq!(generate(&[&given[..], &["-o", name(&whole)]].concat()).status.code(), Some(0));
        let again = |stats: &Path| {
            let stats: Value = serde_json::from_slice(&fs::read(stats).unwrap()).unwrap();
            stats["drawn_again"].as_u64().unwrap()
        };
        let undisturbed = again(&stats);
        assert!(undisturbed > 100, "{undisturbed}");
        fs::remove_file(&stats).unwrap();
        let resumed =
            [&given[..], &["-o", name(&out), "--resume", "--flush-interval", "0"]].concat();
        let mut command = Command::new(env!("CARGO_BIN_EXE_ninefold"));
        let mut child = command.arg("generate").args(&resumed).spawn().unwrap();
        // The log has its first line, the start, and checkpoints.
        let lines = || fs::read_to_string(log_path(&out)).unwrap_or_default().lines().count();
        while lines() < 5 && child.try_wait().unwrap().is_none() {
            std::thread::sleep(std::time::Duration::from_micros(100));
        }
        child.kill().unwrap();
        child.wait().unwrap();
        assert!(!out.exists(), "it was interrupted");
        let run = generate(&resumed);
        assert_eq!((run.status.code(), text(&run.stderr).contains("beginning")), (Some(0), false));
        assert!(fs::read(&out).unwrap() == fs::read(&whole).unwrap(), "{format} {ending}");
        assert_eq!(again(&stats), undisturbed);
    }
}

#[test]
fn a_pattern_may_begin_with_a_hyphen() {
    let pattern = format!("-{}", &SOLVED[1..]);
    assert_eq!(generate(&["--pattern", &pattern]).status.code(), Some(0));
}

#[test]
fn why_a_puzzle_is_missing_is_said() {
    let folder = Folder::new();
    let grids = folder.file("grids.txt", format!("{SOLVED}\n{SOLVED}\n"));
    let run = generate(&["--from", name(&grids), "--clues", "81", "--attempts", "50"]);
    let said = "1 puzzle not made: 50 tries gave no new puzzle\n";
    assert!(text(&run.stderr).contains(said), "{}", text(&run.stderr));
    // Two clues in each row and column.
    let is_clue = |cell: usize| [cell / 9, (cell / 9 + 4) % 9].contains(&(cell % 9));
    let pattern: String = (0..81).map(|cell| if is_clue(cell) { 'x' } else { '.' }).collect();
    let run = generate(&["--from", name(&grids), "--pattern", &pattern]);
    let said = "2 puzzles not made: none of 1 tries gave a requested puzzle\n";
    assert!(text(&run.stderr).contains(said), "{}", text(&run.stderr));
}

#[test]
fn what_contradicts_itself_is_refused() {
    for words in [
        &["--grade", "hard"][..],
        &["--clues", "16"],
        &["--clues", "30", "--pattern", SOLVED],
        &["--transform", "x"],
        &["--attempts", "0"],
        &["--clues", "79", "--symmetry", "quarter"],
        &["--pattern", "no such file"],
        &["--from", "no such file"],
    ] {
        let run = generate(words);
        assert_eq!((run.status.code(), text(&run.stdout)), (Some(2), ""), "{words:?}");
    }
}

/// What is made is read back and solved as it was written, in every format.
#[test]
fn every_format_is_read_back_by_solve() {
    let folder = Folder::new();
    let of =
        |format: &str| ["-n", "30", "--seed", "2", "-q", "--format", format].map(str::to_owned);
    for format in ["line", "pair", "csv", "jsonl"] {
        let words = of(format);
        let words: Vec<_> = words.iter().map(String::as_str).collect();
        let made = generate(&words);
        let file = folder.file(&format!("made-{format}"), &made.stdout);
        let solve = |more: &[&str]| {
            let mut command = Command::new(env!("CARGO_BIN_EXE_ninefold"));
            command.args(["solve", "--unique", "-q"]).args(more).arg(&file).output().unwrap()
        };
        let solved = solve(&["--format", "pair"]);
        assert_eq!(solved.status.code(), Some(0), "{format}");
        assert_eq!(solved.stdout, generate(&[&words[..5], &["--format", "pair"]].concat()).stdout);
        if format == "csv" {
            let table = text(&made.stdout).to_owned();
            assert!(table.starts_with("line,status,solutions,puzzle,solution\n1,unique,1,"));
            assert_eq!(table.lines().count(), 31);
        }
    }
    let blanks = generate(&["-n", "3", "--seed", "2", "--blank", "0"]);
    assert_eq!(
        text(&blanks.stdout).replace('0', "."),
        text(&generate(&["-n", "3", "--seed", "2"]).stdout)
    );
}
