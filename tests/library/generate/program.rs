//! The built program.

use crate::support::{
    EASY, Folder, Run, SOLVED, assert_counts, fed, json_of, log_path, name, ninefold, partial_path,
    signal, sum_of, texts, wait_until,
};
use std::fs;
use std::io::Write;

fn generate(words: &[&str]) -> Run {
    fed(&mut ninefold("generate", words), "")
}

#[test]
fn a_seed_is_said_and_can_be_given_again() {
    let (code, first, said) = generate(&["-n", "20"]);
    assert_eq!((code, first.lines().count()), (Some(0), 20));
    let seed = said.trim_end().rsplit_once("seed ").unwrap().1;
    assert_eq!(seed, "1");
    let again = generate(&["--count", "20", "--seed", seed, "-q", "-j", "3"]);
    assert_eq!((&again.1, &*again.2), (&first, ""));
    assert_ne!(generate(&["-n", "20", "--seed", "2"]).1, first);
}

#[test]
fn what_is_not_as_asked_for_is_said_and_given() {
    let words = ["-n", "2", "--clues", "17", "--attempts", "10", "--seed", "1"];
    let (code, made, err) = generate(&words);
    assert_eq!((code, made.lines().count()), (Some(1), 2));
    let said = "2 puzzles without the requested number of clues: the nearest of 10 grids each (--attempts)\n";
    assert!(err.starts_with(said), "{err}");
}

#[test]
fn the_statistics_say_how_it_went() {
    let folder = Folder::new();
    let (stats, out) = (folder.path("stats.json"), folder.path("out.txt"));
    let words = ["-n", "50", "--seed", "1", "-o", name(&out), "--stats-json", name(&stats)];
    assert_eq!(generate(&words).0, Some(0));
    let stats = json_of(stats);
    assert_counts(&stats, "puzzles 50, seed 1");
    assert_eq!(sum_of(&stats["clues"]), 50);
    assert_eq!(fs::read_to_string(out).unwrap().lines().count(), 50);
}

#[test]
fn given_grids_are_read() {
    let folder = Folder::new();
    let grids = folder.file("grids.txt", format!("{SOLVED}\nno grid\n"));
    let (code, made, err) = generate(&["--from", name(&grids), "-n", "2", "--seed", "1"]);
    assert_eq!((code, made.lines().count()), (Some(1), 2));
    assert!(err.contains("grids.txt: line 2: "), "{err}");
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
        let (code, made, err) = generate(words);
        assert_eq!((code, &*made), (Some(2), ""), "{words:?}");
        assert!(err.contains("is also read"), "{err}");
    }
    for file in [&pattern, &partial] {
        assert_eq!(fs::read_to_string(file).unwrap(), format!("{SOLVED}\n"));
    }
}

/// A run that has a file, after the signal: what it said, and what it left.
#[cfg(unix)]
fn ended(words: &[&str], by: &str, folder: &Folder) -> (Option<i32>, String, String) {
    let (out, stats) = (folder.path("out.txt"), folder.path("stats.json"));
    let files = ["-q", "-o", name(&out), "--stats-json", name(&stats)];
    let mut child = ninefold("generate", &[&files, words].concat()).spawn().unwrap();
    // Of an input the first line is waited for before anything is written. Its end is not reached.
    let mut stdin = child.stdin.take().unwrap();
    let _ = writeln!(stdin, "{EASY}");
    let partial = partial_path(&out);
    wait_until(|| partial.exists());
    std::thread::sleep(std::time::Duration::from_millis(150));
    signal(&child, by);
    let (code, _, err) = texts(child.wait_with_output().unwrap());
    assert!(!out.exists() && !stats.exists() && !partial_path(&stats).exists());
    let left = fs::read_to_string(&partial).unwrap();
    fs::remove_file(&partial).unwrap();
    (code, err, left)
}

#[cfg(unix)]
#[test]
fn a_signal_ends_it_with_what_was_made_in_order() {
    let folder = Folder::new();
    for (signal, said, code) in [("-INT", "SIGINT", 130), ("-TERM", "SIGTERM", 143)] {
        let words = ["--seed", "1", "-n", "1000000000", "-j", "2"];
        let (found, message, left) = ended(&words, signal, &folder);
        let puzzles = left.lines().count();
        let stopped =
            format!("ninefold: {said}: stopped after {} puzzle", ninefold::Grouped(puzzles as u64));
        assert!(found == Some(code) && message.starts_with(&stopped), "{message}");
        assert!(message.contains("the records so far are in "), "{message}");
        let whole = generate(&["--seed", "1", "-n", &puzzles.to_string(), "-q"]);
        assert!(whole.1 == left, "{puzzles} puzzles of seed 1");
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
        let puzzles = left.lines().count();
        let said = format!("ninefold: SIGINT: stopped after {puzzles} puzzle");
        assert!(code == Some(130) && message.starts_with(&said), "{words:?}: {message}");
    }
}

/// Many of these puzzles are drawn again. The resumed run reads those of the earlier one from its file.
#[test]
fn a_compressed_output_is_continued_and_no_puzzle_comes_twice() {
    let folder = Folder::new();
    let grids = folder.file("grids.txt", SOLVED);
    let words = ["--from", name(&grids), "--clues", "79", "-n", "2000", "--seed", "1", "-j", "1"];
    for (format, ending) in [("pair", "gz"), ("csv", "zst")] {
        let [whole, out] = ["whole", "out"].map(|stem| folder.path(&format!("{stem}.{ending}")));
        let stats = folder.path(&format!("{ending}.json"));
        let given = [&words[..], &["--format", format, "--stats-json", name(&stats)]].concat();
        assert_eq!(generate(&[&given[..], &["-o", name(&whole)]].concat()).0, Some(0));
        let drawn_again = || json_of(&stats)["drawn_again"].as_u64().unwrap();
        let undisturbed = drawn_again();
        assert!(undisturbed > 100, "{undisturbed}");
        fs::remove_file(&stats).unwrap();
        let resumed =
            [&given[..], &["-o", name(&out), "--resume", "--flush-interval", "0"]].concat();
        let mut child = ninefold("generate", &resumed).spawn().unwrap();
        // The log has its first line, the start, and checkpoints.
        let lines = || fs::read_to_string(log_path(&out)).unwrap_or_default().lines().count();
        while lines() < 5 && child.try_wait().unwrap().is_none() {
            std::thread::sleep(std::time::Duration::from_micros(100));
        }
        child.kill().unwrap();
        child.wait().unwrap();
        assert!(!out.exists(), "it was interrupted");
        let (code, _, err) = generate(&resumed);
        assert!(code == Some(0) && !err.contains("beginning"), "{err}");
        assert!(fs::read(&out).unwrap() == fs::read(&whole).unwrap(), "{format} {ending}");
        assert_eq!(drawn_again(), undisturbed);
    }
}

#[test]
fn a_pattern_may_begin_with_a_hyphen() {
    let pattern = format!("-{}", &SOLVED[1..]);
    assert_eq!(generate(&["--pattern", &pattern]).0, Some(0));
}

#[test]
fn why_a_puzzle_is_missing_is_said() {
    let folder = Folder::new();
    let grids = folder.file("grids.txt", format!("{SOLVED}\n{SOLVED}\n"));
    // Two clues in each row and column.
    let is_clue = |cell: usize| [cell / 9, (cell / 9 + 4) % 9].contains(&(cell % 9));
    let pattern: String = (0..81).map(|cell| if is_clue(cell) { 'x' } else { '.' }).collect();
    let err = generate(&["--from", name(&grids), "--pattern", &pattern]).2;
    let said = "2 puzzles not made: none of 1 tries gave a requested puzzle\n";
    assert!(err.contains(said), "{err}");
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
        let (code, made, _) = generate(words);
        assert_eq!((code, &*made), (Some(2), ""), "{words:?}");
    }
}

/// What is made is read back and solved as it was written, in every format.
#[test]
fn every_format_is_read_back_by_solve() {
    let folder = Folder::new();
    let of = |format| generate(&["-n", "30", "--seed", "2", "-q", "--format", format]).1;
    for format in ["line", "pair", "csv", "jsonl"] {
        let made = of(format);
        let file = folder.file(&format!("made-{format}"), &made);
        let words = ["--unique", "-q", "--format", "pair", name(&file)];
        let (code, solved, _) = fed(&mut ninefold("solve", &words), "");
        assert_eq!((code, solved), (Some(0), of("pair")), "{format}");
        if format == "csv" {
            assert!(made.starts_with("line,status,solutions,puzzle,solution\n1,unique,1,"));
            assert_eq!(made.lines().count(), 31);
        }
    }
    let words = ["-n", "3", "--seed", "2", "--blank", "0"];
    assert_eq!(generate(&words).1.replace('0', "."), generate(&words[..4]).1);
}
